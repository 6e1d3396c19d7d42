//! Finds where values end, a piece at a time.

use packord::record::{self, Reference};
use packord::wire::{self, Kind, marker};
use packord::{Error, ErrorKind};

use super::data::{Data, Head, Place};

/// Bytes that are looked at together: few at first, as most values are short.
const CHUNK: usize = 256 << 10;
const FIRST_CHUNK: usize = 1 << 10;

/// A walk over values that can be interrupted anywhere.
#[derive(Clone)]
pub struct Skim {
    pub place: Place,
    /// The number of values that are still to be passed.
    pending: u64,
    /// Bytes of a long str that are still to be checked.
    text: u64,
}

impl Skim {
    /// Begins at a place, before this number of values.
    pub fn new(place: Place, values: u64) -> Skim {
        Skim {
            place,
            pending: values,
            text: 0,
        }
    }

    /// Goes on until the values end, or until about `budget` bytes are looked at. Returns whether they
    /// ended.
    ///
    /// # Errors
    ///
    /// A fault after which the data cannot be read.
    pub fn run(&mut self, data: &mut Data, budget: &mut u64) -> Result<bool, Error> {
        let mut chunk = FIRST_CHUNK;
        while self.pending > 0 || self.text > 0 {
            if *budget == 0 {
                return Ok(false);
            }
            if self.text > 0 {
                self.check_text(data, budget)?;
                continue;
            }
            if let Some(end) = data.ends.get(&self.place.offset) {
                self.place = end.clone();
                self.pending -= 1;
                continue;
            }
            let (checks, records) = (data.checks_text, data.records);
            let rest = data.source.len().saturating_sub(self.place.offset);
            let bytes = data.source.at(self.place.offset, chunk);
            let bytes = bytes.get(..chunk).unwrap_or(bytes);
            let moved = self.pass(bytes, rest, records, checks);
            self.place.offset += moved as u64;
            *budget = budget.saturating_sub(1 + moved as u64);
            if moved > 0 {
                chunk = (2 * chunk).min(CHUNK);
            } else if self.pending > 0 {
                // What is left is longer than the chunk, or needs a closer look.
                let head = data.head(&self.place)?;
                self.enter(&head);
                let rest = data.source.len().saturating_sub(self.place.offset);
                if head.inside.is_some() && self.pending > rest {
                    return Err(data.eof());
                }
            }
        }
        Ok(true)
    }

    fn enter(&mut self, head: &Head) {
        let values = head.inside.as_ref().map_or(0, |inside| {
            inside.count().unwrap_or_default().saturating_mul(inside.values())
        });
        self.pending = (self.pending - 1).saturating_add(values);
        self.place.enter(head);
        // The text comes last.
        self.place.offset -= head.text;
        self.text = head.text;
    }

    fn check_text(&mut self, data: &mut Data, budget: &mut u64) -> Result<(), Error> {
        let bytes = data.source.at(self.place.offset, CHUNK);
        let here = bytes.len().min(CHUNK).min(usize::try_from(self.text).unwrap_or(CHUNK));
        let text = bytes.get(..here).unwrap_or_default();
        let valid = match std::str::from_utf8(text) {
            Ok(_) => here,
            // The last character continues in the next chunk.
            Err(cut) if cut.error_len().is_none() && (here as u64) < self.text && cut.valid_up_to() > 0 => {
                cut.valid_up_to()
            }
            Err(wrong) => {
                let at = self.place.offset + wrong.valid_up_to() as u64;
                let error = Error::at(ErrorKind::InvalidUtf8, at);
                return if data.mend(&error) { Ok(()) } else { Err(error) };
            }
        };
        if valid == 0 {
            return Err(data.eof());
        }
        self.place.offset += valid as u64;
        self.text -= valid as u64;
        *budget = budget.saturating_sub(valid as u64);
        Ok(())
    }

    /// Passes values that need no closer look, and returns the number of their bytes. `left` is how many bytes
    /// the data has from there on.
    fn pass(&mut self, bytes: &[u8], left: u64, records: bool, checks: bool) -> usize {
        let mut at = 0;
        let mut pending = self.pending;
        while pending > 0 {
            let rest = bytes.get(at..).unwrap_or_default();
            let Some(&first) = rest.first() else { break };
            let Some(head) = wire::Head::at(rest, 0) else {
                break;
            };
            let (len, values) = match (first, head.kind) {
                (id, _) if records && record::is_id(id) => match self.place.known.find(rest) {
                    Reference::Int => (1, 0),
                    Reference::Record(head) => (1 + usize::from(head.two_byte), head.structure.len() as u64),
                    _ => break,
                },
                (marker::RESERVED, _) | (_, Kind::Ext) => break,
                (_, kind) => {
                    let end = head.payload_end();
                    let Some(payload) = end.and_then(|end| rest.get(head.end..end)) else {
                        break;
                    };
                    let is_checked = kind == Kind::Str && checks && !payload.is_ascii();
                    if is_checked && std::str::from_utf8(payload).is_err() {
                        break;
                    }
                    (head.end + payload.len(), head.values)
                }
            };
            let after = (pending - 1).saturating_add(values);
            // More values than bytes: the error comes from a closer look.
            if values > 0 && after > left.saturating_sub((at + len) as u64) {
                break;
            }
            at += len;
            pending = after;
        }
        self.pending = pending;
        at
    }
}
