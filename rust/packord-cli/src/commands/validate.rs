//! `packord validate`: the first fault, or a summary.

use std::fmt::Write;
use std::path::Path;

use packord::{Error, ErrorKind, Token};

use crate::cli;
use crate::failure::{Failure, Outcome, describe};
use crate::input::{Input, files_or_stdin};
use crate::messages::{Messages, Rules, Stop};
use crate::output::Output;
use crate::progress::Progress;

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
    let rules = Rules {
        canonical: command.canonical,
        unique_keys: command.duplicates,
    };
    let input = Input::open(path, command.reading.as_is, progress)?;
    let mut messages = Messages::new(input, &command.reading, rules)?;
    let (mut values, mut depth) = (0_u64, 0);
    let done = messages.for_each(|mut walker| {
        while let Some(event) = walker.next()? {
            if !matches!(event.token, Token::End(_)) {
                values += 1;
                depth = depth.max(event.depth + usize::from(event.token.opens()));
            }
        }
        Ok(())
    });
    match done {
        Ok(()) => {}
        Err(Stop::Data(error)) => return Err(explain(&error, &messages)),
        Err(Stop::Other(failure)) => return Err(failure),
    }
    let (count, bytes) = (messages.count(), messages.offset());
    Ok(format!(
        "valid: {count} {}, {bytes} {}, {values} {}, depth {depth}",
        plural(count, "message"),
        plural(bytes, "byte"),
        plural(values, "value"),
    ))
}

fn plural(count: u64, noun: &str) -> String {
    format!("{noun}{}", if count == 1 { "" } else { "s" })
}

/// The fault with what was expected there and what was found.
fn explain(error: &Error, messages: &Messages) -> Failure {
    let mut text = describe(error);
    if let Some(offset) = error.offset() {
        let _ = write!(
            text,
            "\n  expected: {}\n  found: {}",
            expected(error.kind()),
            found(error.kind(), messages.unfinished_at(offset))
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
