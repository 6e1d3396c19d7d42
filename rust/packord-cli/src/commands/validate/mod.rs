//! `packord validate`: the first fault, all faults, or a summary.

#[cfg_attr(not(feature = "json-schema"), path = "no_schema.rs")]
mod against;
mod blocks;
mod explain;
pub(super) mod faults;
mod index;

use std::fmt::Write;
use std::path::Path;

use packord::columns::{self, Columns};
use packord::{Event, Token};

use crate::cli;
use crate::failure::{Failure, Outcome};
use crate::figures::units::{counted, plural};
use crate::messages::{Checks, MessageFailure, Messages, Opened, RowsOptions};
use crate::output::Output;
use crate::source::input::{Input, files_or_stdin, name_of_input};
use crate::terminal::progress::Progress;
use crate::terminal::style;
use crate::values::hints::Hints;
use crate::values::path::Trail;
use crate::values::rewrite::Rewriter;
use against::SchemaCheck;
use explain::explain;
use index::CheckedIndex;

/// Checks all files.
pub fn run(command: &cli::Validate) -> Outcome {
    let mut output = Output::create(None)?;
    let progress = Progress::bytes(false);
    let files = files_or_stdin(&command.files);
    let mut worst: u8 = 0;
    for path in &files {
        let name = name_of_input(path);
        let checked = check(command, path, &progress).map_err(|failure| failure.within(&name));
        let summary = match checked {
            Ok(summary) => summary,
            Err(failure) if files.len() == 1 => return Err(failure),
            Err(failure) => {
                worst = worst.max(failure.exit_code());
                // The lines of the files before come before.
                output.flush_now()?;
                style::report(&failure);
                continue;
            }
        };
        if !command.quiet {
            if files.len() > 1 {
                output.put(format!("{name}: ").as_bytes())?;
            }
            output.put(format!("{summary}\n").as_bytes())?;
        }
    }
    output.commit()?;
    match worst {
        0 => Ok(()),
        code => Err(Failure::AlreadyReported(code)),
    }
}

fn check(command: &cli::Validate, path: &Path, progress: &Progress) -> Outcome<String> {
    let input = match open(command, path, progress)? {
        Checked::Blocks(summary) => return Ok(summary),
        Checked::Messages(input, reading) => (input, *reading),
    };
    if command.all {
        return faults::check(command, input);
    }
    let rules = Checks {
        canonical: command.canonical,
        unique_keys: command.duplicates,
    };
    let (input, reading) = input;
    let options = reading.options(rules)?;
    let schema = command.schema.as_deref();
    let mut schema = schema.map(|file| SchemaCheck::new(file, options)).transpose()?;
    let mut messages = Messages::new(input, &reading, rules)?;
    let (mut values, mut depth) = (0_u64, 0);
    let mut count = |event: &Event<'_>| {
        if !matches!(event.token, Token::End(_)) {
            values += 1;
            depth = depth.max(event.depth + usize::from(event.token.opens()));
        }
    };
    let mut hints = Hints::default();
    let mut rewriter = Rewriter::new(!command.hints);
    let done = messages.for_each(|walk| {
        if let Some(schema) = &mut schema {
            let (number, start) = (walk.message(), walk.offset());
            let bytes = walk.hold_value()?.unwrap_or_default();
            return schema.message(bytes, number, start, &mut count);
        }
        let mut trail = command.rule.then(|| Trail::new(walk.message()));
        let walked = walk.each_event(|event| {
            if let Some(trail) = &mut trail {
                trail.event(&event);
                check_rule(&event, trail)?;
            }
            if command.hints {
                hints.event(&event);
                rewriter.event(&event)?;
            }
            count(&event);
            Ok(())
        });
        walked.map(drop)
    });
    match done {
        Ok(()) => {}
        Err(MessageFailure::Data(error)) => {
            let found = error.offset().map(|offset| messages.bytes_at(offset));
            return Err(explain(&error, found.unwrap_or_default()));
        }
        Err(other) => return Err(other.within(messages.name())),
    }
    schema.map_or(Ok(()), SchemaCheck::end)?;
    let (count, bytes) = (messages.count(), messages.offset());
    let mut summary = format!(
        "valid: {}, {}, {}, depth {depth}",
        counted(count, "message"),
        counted(bytes, "byte"),
        counted(values, "value"),
    );
    if command.hints {
        summary.push_str(&advice(bytes, &hints, rewriter));
    }
    Ok(summary)
}

/// An input, and whether it is checked.
enum Checked {
    /// The summary of a container file.
    Blocks(String),
    /// Messages, or rows that are checked as messages are.
    Messages(Input, Box<cli::Reading>),
}

/// Opens an input. A container file is checked, unless its rows are checked for more than validity.
fn open(command: &cli::Validate, path: &Path, progress: &Progress) -> Outcome<Checked> {
    let mut reading = command.reading.with_columns();
    if command.all {
        reading.container.on_bad_block = cli::OnBadBlock::Skip;
    }
    let rows = RowsOptions {
        sequential: true,
        ..RowsOptions::default()
    };
    let asks_more = command.canonical || command.duplicates || command.rule || command.hints;
    if asks_more || command.schema.is_some() {
        let (input, reading) = reading.open_rows(path, &rows, progress)?;
        return Ok(Checked::Messages(input, Box::new(reading)));
    }
    let input = Input::open(path, reading.as_is, progress)?;
    let file = input.plain_file().filter(|_| reading.skip == 0);
    let file = file.map(Path::to_owned);
    let mut options = rows.to_blocks(&reading);
    options.quiet = command.all;
    match reading.begin(input, &options, progress)? {
        Opened::Messages(input, reading) => Ok(Checked::Messages(input, reading)),
        Opened::Blocks(_, blocks) => {
            options.sequential = false;
            let index = file.map(|file| CheckedIndex::open(&file, &options));
            let summary = blocks::check(command, *blocks, index.transpose()?)?;
            Ok(Checked::Blocks(summary))
        }
    }
}

/// Fails for columns that are valid, and not those that a writer of packord makes.
fn check_rule(event: &Event<'_>, trail: &Trail) -> Outcome {
    let Token::Ext(columns::EXT_TYPE, payload) = event.token else {
        return Ok(());
    };
    let Some(columns) = Columns::open(payload)? else {
        return Ok(());
    };
    if columns.is_by_rule()? {
        return Ok(());
    }
    Err(Failure::No(format!(
        "columns at byte {} ({}) are valid, and another writer's: packord writes other bytes for this value",
        event.offset,
        trail.path()
    )))
}

/// Returns the hints, one per line.
fn advice(bytes: u64, hints: &Hints, rewriter: Rewriter) -> String {
    let mut text = String::new();
    for (finding, one, many, help) in [
        (
            hints.wide,
            "value is not in its smallest encoding",
            "values are not in their smallest encoding",
            "",
        ),
        (
            hints.floats,
            "float is exact in 32 bits",
            "floats are exact in 32 bits",
            " (pack --float32)",
        ),
        (
            hints.duplicate_keys,
            "key occurs twice in its map: readers keep one of the entries",
            "keys occur twice in their maps: readers keep one of the entries",
            "",
        ),
    ] {
        if finding.count > 0 {
            let what = if finding.count == 1 { one } else { many };
            let _ = write!(
                text,
                "\n  hint: {} {what}; {} {}{help}, the first at byte {}",
                finding.count,
                finding.bytes,
                plural(finding.bytes, "byte"),
                finding.first
            );
        }
    }
    let (ways, _) = rewriter.finish();
    let (records, plain): (Vec<_>, Vec<_>) = ways
        .iter()
        .filter(|way| !way.how.contains("float"))
        .partition(|way| way.how.contains("records"));
    // What the smallest encodings of the values save is another hint.
    let least = plain.iter().map(|way| way.bytes).min().unwrap_or_default();
    let records = records.into_iter().min_by_key(|way| way.bytes);
    if let Some(way) = records.filter(|way| way.bytes < least) {
        let saved = least - way.bytes;
        let _ = write!(
            text,
            "\n  hint: maps share keys: {} would save {saved} {}, {:.0} %",
            way.how,
            plural(saved, "byte"),
            saved as f64 / bytes as f64 * 100.0
        );
    }
    if text.is_empty() {
        text.push_str("\n  no hints");
    }
    text
}
