//! Files of shared record structures: a JSON list of lists of keys, index 0 first.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use packord::{Structure, Structures};

use crate::failure::{Failure, Outcome, name_of};
use crate::output::write_file;

/// Reads a list that must be there.
pub fn read(path: &Path) -> Outcome<Structures> {
    let name = name_of(path);
    let bytes = fs::read(path).map_err(|error| Failure::input(&name, &error))?;
    parse(&name, &bytes)
}

/// Reads a list, which is empty where there is no file.
pub fn read_or_begin(path: &Path) -> Outcome<Structures> {
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Structures::new()),
        _ => read(path),
    }
}

/// Writes the list in place of the file, each structure on a line.
pub fn write(path: &Path, structures: &Structures) -> Outcome {
    let mut text = String::from("[");
    for (index, structure) in structures.iter().enumerate() {
        let keys: Vec<&str> = structure.keys().collect();
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        text.push_str(&serde_json::Value::from(keys).to_string());
    }
    text.push_str("\n]\n");
    write_file(path, text.as_bytes())
}

fn parse(name: &str, bytes: &[u8]) -> Outcome<Structures> {
    let lists: Vec<Vec<String>> = serde_json::from_slice(bytes).map_err(|error| {
        Failure::Invalid(format!("{name}: not a JSON list of lists of keys: {error}"))
    })?;
    Ok(lists.into_iter().map(Structure::new).collect())
}
