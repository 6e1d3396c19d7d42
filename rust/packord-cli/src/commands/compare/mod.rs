//! `packord compare`: what MessagePack would change for a JSON document.

pub mod compress;
mod contenders;

mod measure;
mod table;
mod verdict;

use std::path::Path;
use std::time::Duration;

use packord::Walker;

use crate::cli;
use crate::container::{Blocks, BlocksOptions, Unpacking, is_container};
use crate::failure::{Failure, Outcome};
use crate::figures::compare::CompareFigures;
use crate::json::parse::JsonReadOptions;
use crate::json::read::read_all;
use crate::json::write::{JsonWriteOptions, JsonWriter};
use crate::limits;
use crate::output::{Output, write_file};
use crate::report;
use crate::source::input::Input;
use crate::terminal::progress::Progress;
use crate::threads::Threads;
use compress::Compressor;
use contenders::Contender;
use measure::MeasuringTime;

/// The minimum number of messages to train a dictionary with.
const MIN_SAMPLES: usize = 100;
const FULL: MeasuringTime = MeasuringTime {
    total: Duration::from_secs(10),
    min_rounds: 5,
};
const QUICK: MeasuringTime = MeasuringTime {
    total: Duration::from_secs(2),
    min_rounds: 3,
};

/// Measures, and writes the tables or JSON, and the page.
pub fn run(command: &cli::Compare) -> Outcome {
    let path = command.file.as_deref().unwrap_or(Path::new("-"));
    let mut input = Input::open(path, command.as_is, &Progress::bytes(false))?;
    let name = input.name.clone();
    let bytes = if !command.as_is && is_container(&input.peek()?) {
        rows_as_json(input)?
    } else {
        input.read_all(limits::COMPARE)?
    };
    let figures = measure(&name, &bytes, command)?;
    drop(bytes);
    let mut output = Output::create(command.out.as_deref())?;
    if command.json {
        output.put_json(&figures)?;
    } else {
        output.put(table::render(&figures).as_bytes())?;
    }
    if let Some(path) = &command.html {
        write_file(path, report::compare::page(&figures).as_bytes())?;
    }
    output.commit()
}

/// Returns the rows of a container file as lines of JSON.
fn rows_as_json(input: Input) -> Outcome<Vec<u8>> {
    let name = input.name.clone();
    let progress = Progress::bytes(false);
    let blocks = Blocks::of_input(input, &BlocksOptions::default(), &progress)?;
    let mut rows = Unpacking::new(blocks, &Threads::start(None)?, |_, rows| {
        let mut writer = JsonWriter::new(JsonWriteOptions::default());
        for row in rows.iter() {
            let mut walker = Walker::new(row);
            // The rows are valid, and without `strict` nothing is refused.
            while let Ok(Some(event)) = walker.next() {
                let _ = writer.event(&event);
            }
        }
        writer.out
    });
    let mut text = Vec::new();
    while let Some(mut lines) = rows.next_result()? {
        text.append(&mut lines);
        if text.len() as u64 > limits::COMPARE {
            return Err(Failure::Invalid(format!(
                "{name}: input exceeds {} bytes, and this command holds it in memory",
                limits::COMPARE
            )));
        }
    }
    Ok(text)
}

fn measure(name: &str, bytes: &[u8], command: &cli::Compare) -> Outcome<CompareFigures> {
    let quick = command.quick;
    let mut notes = Vec::new();
    let contenders = contenders(name, bytes, command, &mut notes)?;
    let count = contenders.first().map_or(0, |first| first.documents.len());
    let trained = command.each && count >= MIN_SAMPLES && cfg!(feature = "zstd");
    let largest = contenders
        .iter()
        .map(|contender| contender.documents.iter().map(Vec::len).sum::<usize>())
        .max()
        .unwrap_or_default();
    let compressors: Vec<Compressor> = (compress::ALL.iter().copied())
        .filter(|compressor| !compressor.is_slow() || (!quick && largest <= limits::COMPARE_SLOW))
        .collect();
    if !quick && largest > limits::COMPARE_SLOW {
        notes.push(format!(
            "brotli 11 and zstd 19 were left out: the document is larger than {}",
            limits::mebibytes(limits::COMPARE_SLOW as u64)
        ));
    }
    if cfg!(not(feature = "zstd")) {
        notes.push(format!("zstd was left out: {}", Failure::built_without("zstd")));
    }
    let progress = Progress::steps(7 * compressors.len() as u64);
    let formats = measure::sizes(&contenders, &compressors, trained, &progress)?;
    let mut names: Vec<String> = compressors.iter().map(|compressor| compressor.name()).collect();
    if trained {
        names.push(measure::DICTIONARY_NAME.to_owned());
        notes.push(format!(
            "sizes are those of every second of the {count} messages, each compressed alone; the dictionary of zstd, up to 16 kB, is trained with the others and not counted"
        ));
    } else if command.each && count < MIN_SAMPLES {
        notes.push(format!(
            "sizes are those of {count} messages, each compressed alone; they are too few to train a dictionary"
        ));
    }
    let (speeds, rounds) = if largest <= limits::COMPARE_SPEED {
        measure::speeds(&contenders, if quick { QUICK } else { FULL }, &progress)
    } else {
        let limit = limits::mebibytes(limits::COMPARE_SPEED as u64);
        notes.push(format!("speed was not measured: the document is larger than {limit}"));
        (Vec::new(), 0)
    };
    let mut figures = CompareFigures {
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

/// Returns the document in every library. Several values, as in NDJSON, become one array. With
/// `each`, they are separate documents, and so are the elements of an array.
fn contenders(name: &str, bytes: &[u8], command: &cli::Compare, notes: &mut Vec<String>) -> Outcome<Vec<Contender>> {
    let each = command.each;
    let style = JsonReadOptions {
        each,
        conventions: command.conventions,
        bigint: true,
    };
    let values = read_all(name, bytes, style)?;
    let all = values.iter().map(|value| packord::DecodeOptions::new().decode(value));
    let mut all = all.collect::<packord::Result<Vec<_>>>()?;
    let invalid = |error: serde_json::Error| Failure::Invalid(format!("{name}: {error}"));
    let mut json = Vec::new();
    for value in serde_json::Deserializer::from_slice(bytes.trim_ascii()).into_iter() {
        match value.map_err(invalid)? {
            serde_json::Value::Array(elements) if each => json.extend(elements),
            value => json.push(value),
        }
    }
    if all.is_empty() {
        return Err(Failure::Invalid(format!("{name}: no JSON value in the input")));
    }
    if !each && all.len() > 1 {
        notes.push(format!("the {} values were measured as one array", all.len()));
        (all, json) = (
            vec![packord::Value::Array(all.into())],
            vec![serde_json::Value::Array(json)],
        );
    }
    if command.conventions {
        notes.push("objects like {\"$bin\": …} are bytes for packord and strings for the other libraries".to_owned());
    }
    let (contenders, mut more) = contenders::all(json, all).map_err(Failure::Invalid)?;
    notes.append(&mut more);
    Ok(contenders)
}
