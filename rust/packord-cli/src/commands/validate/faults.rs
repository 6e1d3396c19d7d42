//! `packord validate --all`: every fault after which the data can be read on.

use std::ops::Range;

use packord::wire::{Head, marker};
use packord::{DecodeOptions, Error, ErrorKind, MessageScanner};

use super::explain::explain;
use crate::cli;
use crate::failure::{Failure, Outcome};
use crate::figures::units::counted;
use crate::limits::FAULTS;
use crate::messages::Checks;
use crate::source::input::Input;

/// Checks the input. Goes on after each fault as if the value were a valid one of the same length.
pub fn check(command: &cli::Validate, (mut input, reading): (Input, cli::Reading)) -> Outcome<String> {
    let mut bytes = input.read_all(command.reading.max_message)?;
    let plain = reading.options(Checks::default())?;
    // A str above the limit ends early without limits, and is too long with them. To check them takes time.
    let limit = u32::try_from(reading.max_message).unwrap_or(u32::MAX);
    let limited = plain.clone().max_str_len(limit).max_bin_len(limit);
    let limited = limited.max_ext_len(limit);
    // Canonical encoding and duplicate keys are checked message by message, up to the first fault.
    let rules = Checks {
        canonical: command.canonical,
        unique_keys: command.duplicates,
    };
    let strict = if rules.canonical || rules.unique_keys {
        Some(reading.options(rules)?)
    } else {
        None
    };
    let mut faults: Vec<(Error, Vec<u8>)> = Vec::new();
    let mut messages = Vec::new();
    while faults.len() < FAULTS {
        let mut scan = |options: &DecodeOptions| {
            messages.clear();
            let mut decoder = MessageScanner::with_options(options);
            decoder.feed(&bytes);
            (split(&mut decoder, &mut messages), decoder)
        };
        let (mut done, mut decoder) = scan(&plain);
        if matches!(&done, Err(error) if error.kind() == ErrorKind::Eof) {
            (done, decoder) = scan(&limited);
        }
        let Err(error) = done else { break };
        let at = error.offset().map_or(bytes.len(), |offset| offset as usize);
        let found = bytes.get(at..).unwrap_or_default();
        let shown = found[..found.len().min(16)].to_vec();
        let replacement = replace(error.kind(), found);
        if let Some(strict) = &strict {
            // The replacement may hide other faults of the same value.
            let start = decoder.offset() as usize;
            let also = strict_fault(strict, &bytes, start..bytes.len(), decoder.messages());
            faults.extend(also);
        }
        if let Some((skip, byte)) = replacement {
            bytes[at + skip] = byte;
        }
        faults.push((error, shown));
        if replacement.is_none() {
            break;
        }
    }
    if let Some(strict) = &strict {
        for (number, range) in messages.iter().enumerate() {
            faults.extend(strict_fault(strict, &bytes, range.clone(), number as u64));
        }
    }
    let is_damaged = faults
        .iter()
        .any(|(error, _)| !matches!(error.kind(), ErrorKind::NotCanonical | ErrorKind::DuplicateKey));
    if faults.is_empty() {
        return Ok(format!(
            "valid: {}, {}",
            counted(messages.len() as u64, "message"),
            counted(bytes.len() as u64, "byte")
        ));
    }
    faults.sort_by_key(|(error, _)| error.offset());
    faults.dedup_by_key(|(error, _)| (error.offset(), error.kind()));
    let mut text: Vec<String> = faults
        .iter()
        .map(|(error, shown)| explain(error, shown).to_string())
        .collect();
    let count = faults.len() as u64;
    text.push(if faults.len() < FAULTS {
        counted(count, "fault")
    } else {
        format!("{count} faults shown; there may be more")
    });
    let text = text.join("\n");
    Err(if is_damaged {
        Failure::Invalid(text)
    } else {
        Failure::No(text)
    })
}

/// Returns the first fault in a message that is valid, but not canonical or with duplicate keys.
fn strict_fault(strict: &DecodeOptions, bytes: &[u8], range: Range<usize>, number: u64) -> Option<(Error, Vec<u8>)> {
    let message = &bytes[range.clone()];
    let error = strict.validate(message).err()?;
    if !matches!(error.kind(), ErrorKind::NotCanonical | ErrorKind::DuplicateKey) {
        return None;
    }
    let at = error.offset().map_or(0, |offset| offset as usize);
    let path = error.path().unwrap_or("$").to_owned();
    let place = crate::values::path::root(number) + path.trim_start_matches('$');
    let moved = Error::at(error.kind(), (range.start + at) as u64).with_path(place);
    let shown = &message[at.min(message.len())..];
    Some((moved, shown[..shown.len().min(16)].to_vec()))
}

/// Collects the ranges of the messages, up to the first fault.
fn split(decoder: &mut MessageScanner, messages: &mut Vec<Range<usize>>) -> packord::Result<()> {
    while let Some(message) = decoder.next_message()? {
        let start = message.offset as usize;
        messages.push(start..start + message.bytes.len());
    }
    decoder.finish()
}

/// Returns which byte after the fault to replace, and by what, for a valid value of the same length.
/// `None` if the length is not known.
pub fn replace(kind: ErrorKind, found: &[u8]) -> Option<(usize, u8)> {
    match kind {
        // Becomes nil.
        ErrorKind::ReservedMarker => Some((0, marker::NIL)),
        ErrorKind::InvalidUtf8 => Some((0, b'?')),
        // Becomes an ext of an unknown type. The type is the last byte of the header.
        ErrorKind::InvalidTimestamp | ErrorKind::RecordMalformed => {
            let head = Head::at(found, 0).filter(|head| head.ext_type.is_some());
            head.map(|head| (head.end - 1, 0x70))
        }
        // Becomes an integer of two bytes.
        ErrorKind::RecordUndefined => Some((0, marker::UINT8)),
        _ => None,
    }
}
