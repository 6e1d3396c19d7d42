//! `packord validate`: the first fault, or all of them, or a summary.

mod faults;

use std::fmt::Write;
use std::path::Path;

use packord::{Error, ErrorKind, Token};

use crate::cli;
use crate::commands::stats::rewrite::Rewriter;
use crate::failure::{Failure, Outcome, describe};
use crate::hints::Hints;
use crate::input::{Input, files_or_stdin};
use crate::messages::{Messages, Rules, Stop};
use crate::output::Output;
use crate::progress::Progress;
use crate::words::{counted, plural};

/// Checks all files; the first that fails ends it.
pub fn run(command: &cli::Validate) -> Outcome {
    let mut output = Output::create(None)?;
    let progress = Progress::bytes(false);
    let files = files_or_stdin(&command.files);
    for path in &files {
        let name = if files.len() > 1 {
            Some(path.as_path())
        } else {
            None
        };
        let summary = check(command, path, &progress).map_err(|failure| match name {
            Some(name) => failure.within(&name.display().to_string()),
            None => failure,
        })?;
        if !command.quiet {
            let prefix = name
                .map(|name| format!("{}: ", name.display()))
                .unwrap_or_default();
            output.put(format!("{prefix}{summary}\n").as_bytes())?;
        }
    }
    output.commit()
}

fn check(command: &cli::Validate, path: &Path, progress: &Progress) -> Outcome<String> {
    if command.all {
        return faults::check(command, path, progress);
    }
    let rules = Rules {
        canonical: command.canonical,
        unique_keys: command.duplicates,
    };
    let input = Input::open(path, command.reading.as_is, progress)?;
    let mut messages = Messages::new(input, &command.reading, rules)?;
    let (mut values, mut depth) = (0_u64, 0);
    let mut hints = Hints::default();
    let mut rewriter = Rewriter::new(!command.hints);
    let done = messages.for_each(|walk| {
        let walked = walk.each_event(|event| {
            if command.hints {
                hints.event(&event);
                rewriter.event(&event)?;
            }
            if !matches!(event.token, Token::End(_)) {
                values += 1;
                depth = depth.max(event.depth + usize::from(event.token.opens()));
            }
            Ok(())
        });
        walked.map(drop)
    });
    match done {
        Ok(()) => {}
        Err(Stop::Data(error)) => {
            let found = error.offset().map(|offset| messages.bytes_at(offset));
            return Err(explain(&error, found.unwrap_or_default()));
        }
        Err(Stop::Other(failure)) => return Err(failure),
    }
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

/// What could be better, each on a line.
fn advice(bytes: u64, hints: &Hints, rewriter: Rewriter) -> String {
    let mut text = String::new();
    for (finding, one, many, help) in [
        (
            hints.wide,
            "value is not in its smallest form",
            "values are not in their smallest form",
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
            "key is in its map already: readers keep one of the two",
            "keys are in their map already: readers keep one of the two",
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
    let records = ways
        .iter()
        .filter(|way| way.how.starts_with("records") && !way.how.contains("float"))
        .min_by_key(|way| way.bytes);
    if let Some(way) = records.filter(|way| way.bytes < bytes) {
        let saved = bytes - way.bytes;
        let _ = write!(
            text,
            "\n  hint: keys repeat: {} would save {saved} {}, {:.0} %",
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

/// The fault with what was expected there and what was found.
fn explain(error: &Error, bytes: &[u8]) -> Failure {
    let mut text = describe(error);
    if error.offset().is_some() {
        let _ = write!(
            text,
            "\n  expected: {}\n  found: {}",
            expected(error.kind()),
            found(error.kind(), bytes)
        );
    }
    match error.kind() {
        ErrorKind::NotCanonical | ErrorKind::DuplicateKey => Failure::No(text),
        _ => Failure::Invalid(text),
    }
}

fn expected(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Eof => "more bytes, as what came before announces them",
        ErrorKind::ReservedMarker => "a marker of a format",
        ErrorKind::InvalidUtf8 => "well-formed UTF-8",
        ErrorKind::DepthLimit => "a value that is no container, or a larger --max-depth",
        ErrorKind::DuplicateKey => "a key that the map does not have yet",
        ErrorKind::InvalidTimestamp => "4, 8 or 12 bytes with at most 999999999 nanoseconds",
        ErrorKind::RecordUndefined => "the id of a record that is defined",
        ErrorKind::RecordMalformed => "a record's id and a list of its keys, which are texts",
        ErrorKind::NotCanonical => {
            "the shortest format, float 64, and keys in the order of their bytes"
        }
        _ => "a value within the limits",
    }
}

fn found(kind: ErrorKind, bytes: &[u8]) -> String {
    const SHOWN: usize = 8;
    let Some(&first) = bytes.first() else {
        return "the end of the input".to_owned();
    };
    let shown: Vec<String> = bytes
        .iter()
        .take(SHOWN)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let more = if bytes.len() > SHOWN { " …" } else { "" };
    match kind {
        // This fault lies within a text.
        ErrorKind::InvalidUtf8 => format!("{}{more}", shown.join(" ")),
        _ => format!(
            "{}{more} ({})",
            shown.join(" "),
            packord::wire::marker::name(first)
        ),
    }
}
