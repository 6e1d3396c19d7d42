//! `packord compare`: what MessagePack would change for a JSON document.

mod contenders;
pub mod figures;
mod measure;
mod table;
mod verdict;

use std::path::Path;
use std::time::Duration;

use crate::cli;
use crate::compress::{self, Compressor};
use crate::failure::{Failure, Outcome};
use crate::input::Input;
use crate::json::read::{Style, Values};
use crate::output::{Output, write_file};
use crate::progress::Progress;
use crate::report;
use contenders::Contender;
use figures::Figures;
use measure::Budget;

/// Larger documents are not given to the slow compressors: they take a second for each megabyte.
const SLOW_LIMIT: usize = 32 << 20;
/// Larger documents are not measured for speed: each library holds them once.
const SPEED_LIMIT: usize = 64 << 20;
/// Larger documents would be held in too much memory.
const MOST: u64 = 256 << 20;
/// A dictionary is not learnt from fewer messages.
const LEAST_SAMPLES: usize = 100;
const FULL: Budget = Budget {
    total: Duration::from_secs(10),
    least_rounds: 5,
};
const QUICK: Budget = Budget {
    total: Duration::from_secs(2),
    least_rounds: 3,
};

/// Measures, and writes what `--json` and `--html` ask for.
pub fn run(command: &cli::Compare) -> Outcome {
    let path = command.file.as_deref().unwrap_or(Path::new("-"));
    let mut input = Input::open(path, command.as_is, &Progress::bytes(false))?;
    let bytes = input.read_all(MOST)?;
    let figures = measure(&input.name, &bytes, command)?;
    drop(bytes);
    let mut output = Output::create(command.out.as_deref())?;
    if command.json {
        let text = serde_json::to_string_pretty(&figures)
            .map_err(|error| Failure::Invalid(error.to_string()))?;
        output.put(text.as_bytes())?;
        output.put(b"\n")?;
    } else {
        output.put(table::render(&figures).as_bytes())?;
    }
    if let Some(path) = &command.html {
        write_file(path, report::page(&figures).as_bytes())?;
    }
    output.commit()
}

fn measure(name: &str, bytes: &[u8], command: &cli::Compare) -> Outcome<Figures> {
    let quick = command.quick;
    let mut notes = Vec::new();
    let contenders = contenders(name, bytes, command, &mut notes)?;
    let count = contenders.first().map_or(0, |first| first.documents.len());
    let trained = command.each && count >= LEAST_SAMPLES;
    let largest = contenders
        .iter()
        .map(|contender| contender.documents.iter().map(Vec::len).sum::<usize>())
        .max()
        .unwrap_or_default();
    let compressors: Vec<Compressor> = (compress::ALL.into_iter())
        .filter(|compressor| !compressor.is_slow() || (!quick && largest <= SLOW_LIMIT))
        .collect();
    if !quick && largest > SLOW_LIMIT {
        notes.push(
            "brotli 11 and zstd 19 were left out, because the document is larger than 32 MB"
                .to_owned(),
        );
    }
    let progress = Progress::steps(6 * compressors.len() as u64);
    let formats = measure::sizes(&contenders, &compressors, trained, &progress)?;
    let mut names: Vec<String> = compressors
        .iter()
        .map(|compressor| compressor.name())
        .collect();
    if trained {
        names.push(measure::DICTIONARY_NAME.to_owned());
        notes.push(format!(
            "sizes are those of every second of the {count} messages, each compressed alone; zstd's dictionary of up to 16 kB is learnt from the others and not counted"
        ));
    } else if command.each {
        notes.push(format!(
            "sizes are those of {count} messages, each compressed alone; they are too few to learn a dictionary from"
        ));
    }
    let (speeds, rounds) = if largest <= SPEED_LIMIT {
        measure::speeds(&contenders, if quick { QUICK } else { FULL }, &progress)
    } else {
        notes.push("speed was not measured, because the document is larger than 64 MB".to_owned());
        (Vec::new(), 0)
    };
    let mut figures = Figures {
        document: Path::new(name)
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        input_bytes: bytes.len() as u64,
        compressors: names,
        formats,
        speeds,
        rounds,
        notes,
        verdict: Vec::new(),
    };
    figures.verdict = verdict::of(&figures);
    Ok(figures)
}

/// The document in every library. Several values, as in NDJSON, are taken as an array of them,
/// with `each` as documents of their own, and so are the elements of an array.
fn contenders(
    name: &str,
    bytes: &[u8],
    command: &cli::Compare,
    notes: &mut Vec<String>,
) -> Outcome<Vec<Contender>> {
    let each = command.each;
    let style = Style {
        each,
        conventions: command.conventions,
        bigint: true,
    };
    let mut values = Values::new(name, bytes, style)?;
    let mut all = Vec::new();
    while let Some(value) = values.next_value()? {
        all.push(value);
    }
    let invalid = |error: serde_json::Error| Failure::Invalid(format!("{name}: {error}"));
    let mut json = Vec::new();
    for value in serde_json::Deserializer::from_slice(bytes.trim_ascii()).into_iter() {
        match value.map_err(invalid)? {
            serde_json::Value::Array(elements) if each => json.extend(elements),
            value => json.push(value),
        }
    }
    if all.is_empty() {
        return Err(Failure::Invalid(format!("{name}: there is no JSON in it")));
    }
    if !each && all.len() > 1 {
        notes.push(format!(
            "the {} values were measured as one array",
            all.len()
        ));
        (all, json) = (
            vec![packord::Value::Array(all.into())],
            vec![serde_json::Value::Array(json)],
        );
    }
    if command.conventions {
        notes.push(
            "objects like {\"$bin\": …} are bytes to packord and text to the others".to_owned(),
        );
    }
    let (contenders, mut more) = contenders::all(json, all).map_err(Failure::Invalid)?;
    notes.append(&mut more);
    Ok(contenders)
}
