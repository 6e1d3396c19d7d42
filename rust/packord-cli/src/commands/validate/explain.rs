//! Faults with what was expected and what was found.

use std::fmt::Write;

use packord::{Error, ErrorKind};

use crate::failure::{Failure, describe};

/// Returns the failure for a fault, with what was expected and what was found there.
pub fn explain(error: &Error, bytes: &[u8]) -> Failure {
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
        ErrorKind::Eof => "the bytes that the headers before announce",
        ErrorKind::ReservedMarker => "a marker of a format",
        ErrorKind::InvalidUtf8 => "well-formed UTF-8",
        ErrorKind::DepthLimit => "a value that is not a container, or a larger --max-depth",
        ErrorKind::DuplicateKey => "a key that the map does not have",
        ErrorKind::InvalidTimestamp => "4, 8 or 12 bytes with at most 999999999 nanoseconds",
        ErrorKind::RecordUndefined => "the id of a record that has a definition",
        ErrorKind::RecordMalformed => "the id of a record and an array of its keys, which are str",
        ErrorKind::NotCanonical => "the shortest format, an integer for a whole number, float 64, keys in order",
        _ => "a value within the limits",
    }
}

fn found(kind: ErrorKind, bytes: &[u8]) -> String {
    const SHOWN: usize = 8;
    let Some(&first) = bytes.first() else {
        return "the end of the input".to_owned();
    };
    let shown: Vec<String> = bytes.iter().take(SHOWN).map(|byte| format!("{byte:02x}")).collect();
    let more = if bytes.len() > SHOWN { " …" } else { "" };
    match kind {
        // This fault is within a str, where bytes are not markers.
        ErrorKind::InvalidUtf8 => format!("{}{more}", shown.join(" ")),
        _ => format!("{}{more} ({})", shown.join(" "), packord::wire::marker::name(first)),
    }
}
