//! Files of shared record structures: a JSON list of lists of keys, by index.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use packord::{Structure, Structures};

use crate::failure::{Failure, Outcome, name_of};
use crate::output::Output;

/// Reads a list from a file that must exist.
pub fn read(path: &Path) -> Outcome<Structures> {
    let name = name_of(path);
    let bytes = fs::read(path).map_err(|error| Failure::input(&name, &error))?;
    parse(&name, &bytes)
}

/// Reads a list, which is empty if the file does not exist.
pub fn read_or_create(path: &Path) -> Outcome<Structures> {
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Structures::new()),
        _ => read(path),
    }
}

/// Writes the list, one structure per line. It replaces the file when the output is committed.
pub fn write(path: &Path, structures: &Structures) -> Outcome<Output> {
    let mut text = String::from("[");
    for (index, structure) in structures.iter().enumerate() {
        let keys: Vec<&str> = structure.keys().collect();
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        text.push_str(&serde_json::Value::from(keys).to_string());
    }
    text.push_str("\n]\n");
    let mut output = Output::create(Some(path))?;
    output.put(text.as_bytes())?;
    output.flush_now()?;
    Ok(output)
}

fn parse(name: &str, bytes: &[u8]) -> Outcome<Structures> {
    let lists: Vec<Vec<String>> = serde_json::from_slice(bytes)
        .map_err(|error| Failure::Invalid(format!("{name}: not a JSON list of lists of keys: {error}")))?;
    Ok(lists.into_iter().map(Structure::new).collect())
}
