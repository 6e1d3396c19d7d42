//! The messages after a fault in a stream of sequential records.

use std::collections::HashMap;
use std::ops::Range;

use packord::encode::Packer;
use packord::wire::marker;
use packord::{DecodeOptions, Error, ErrorKind, Event, RecordHead, Structure, Token, Walker, record};

use crate::commands::validate::faults::replace;
use crate::limits::FAULTS;
use crate::values::path;

/// What is complete after the first fault.
pub struct Sequel {
    /// The faults that do not hide where the next message begins, and the last one if it does.
    pub faults: Vec<Error>,
    /// The messages: where they were, and their bytes. Where the definition of a structure was dropped,
    /// the first record that needs it has it.
    pub messages: Vec<(Range<usize>, Vec<u8>)>,
}

impl Sequel {
    /// Reads the whole input, of which the first `kept` bytes are complete messages. Messages count only if
    /// they begin with one of the bytes `starts`: what is left of a damaged one does not.
    pub fn read(mut bytes: Vec<u8>, kept: usize, starts: &[bool; 256], options: &DecodeOptions) -> Sequel {
        let mut messages = Vec::new();
        let mut faults = Vec::new();
        let mut damaged = Vec::new();
        while let Err(error) = walk(&bytes, options, |_, _| {}) {
            let at = usize::try_from(error.offset().unwrap_or_default()).unwrap_or(usize::MAX);
            let keeps_length = matches!(
                error.kind(),
                ErrorKind::ReservedMarker | ErrorKind::InvalidUtf8 | ErrorKind::InvalidTimestamp
            );
            let valid = replace(error.kind(), bytes.get(at..).unwrap_or_default());
            let path = packord::path_at(&bytes, at as u64, options);
            faults.push(error.with_path(path));
            let valid = valid.filter(|_| keeps_length && faults.len() < FAULTS);
            let Some((skip, byte)) = valid else { break };
            bytes[at + skip] = byte;
            damaged.push(at + skip);
        }
        let mut known = HashMap::new();
        let mut is_lost = false;
        let mut ends = Vec::new();
        let mut message = SequentialMessage::default();
        // An error is the last of the faults.
        let _ = walk(&bytes, options, |start, event| {
            let Some(event) = event else {
                let place = start..start + message.bytes.len();
                let message = std::mem::take(&mut message);
                let is_damaged = damaged.iter().any(|at| place.contains(at));
                is_lost = is_damaged || is_lost && !starts[usize::from(bytes[start])];
                if !is_lost {
                    ends.push(place.end as u64);
                    let whole = message.finish(&mut known);
                    if start >= kept {
                        messages.push((place, whole));
                    }
                }
                return;
            };
            message.event(event);
        });
        // Each damaged message counts as one.
        let faults = faults.into_iter().enumerate().map(|(before, fault)| {
            let at = fault.offset().unwrap_or_default();
            let number = before + ends.partition_point(|end| *end <= at);
            let place = fault.path().unwrap_or("$");
            let place = place.trim_start_matches(|letter: char| letter == '$' || letter.is_ascii_digit());
            let whole = path::root(number as u64) + place;
            fault.with_path(whole)
        });
        Sequel {
            faults: faults.collect(),
            messages,
        }
    }
}

/// Passes the start of each message with its events to `take`, and `None` at its end.
fn walk(bytes: &[u8], options: &DecodeOptions, mut take: impl FnMut(usize, Option<&Event<'_>>)) -> packord::Result<()> {
    let mut walker = Walker::with_options(bytes, options);
    let mut start = 0;
    while !bytes.is_empty() {
        while let Some(event) = walker.next()? {
            take(start, Some(&event));
        }
        take(start, None);
        start = walker.offset() as usize;
        if !walker.next_message()? {
            break;
        }
    }
    Ok(())
}

/// A message as far as it was read.
#[derive(Default)]
struct SequentialMessage {
    bytes: Vec<u8>,
    /// Where its records begin.
    records: Vec<(usize, RecordHead)>,
}

impl SequentialMessage {
    fn event(&mut self, event: &Event<'_>) {
        if let Token::Record(head) = &event.token {
            self.records.push((self.bytes.len(), head.clone()));
        }
        self.bytes.extend_from_slice(event.bytes);
    }

    /// Returns the bytes, with definitions of the structures that are not known.
    fn finish(self, known: &mut HashMap<u16, Structure>) -> Vec<u8> {
        let mut whole = Packer::new(Vec::with_capacity(self.bytes.len()));
        let mut done = 0;
        for (at, head) in self.records {
            let RecordHead { structure, index, .. } = head;
            if !head.defined && known.get(&index) != Some(&structure) {
                let id = &self.bytes[at..=at + usize::from(head.two_byte)];
                let mut bytes = whole.into_buffer();
                bytes.extend_from_slice(&self.bytes[done..at]);
                let definition = marker::FIXEXT1 + u8::from(head.two_byte);
                bytes.extend_from_slice(&[definition, record::EXT_TYPE as u8]);
                bytes.extend_from_slice(id);
                done = at + id.len();
                whole = Packer::new(bytes);
                // They were read as str of a list.
                let _ = whole.array(structure.len());
                structure.keys().for_each(|key| drop(whole.str(key)));
            }
            known.insert(index, structure);
        }
        let mut bytes = whole.into_buffer();
        bytes.extend_from_slice(&self.bytes[done..]);
        bytes
    }
}
