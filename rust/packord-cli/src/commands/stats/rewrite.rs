//! The same values written in other ways, to measure and not to guess what that gives.

use packord::{EncodeOptions, ErrorKind, Event, RecordEncoder};

use super::figures::Rewritten;
use crate::failure::{Failure, Outcome};
use crate::tree::Builder;

/// A message with more values is not rewritten: its values would take gigabytes.
const MOST_VALUES: u64 = 20_000_000;

/// Writes every message in each way, and keeps the lengths.
pub struct Rewriter {
    builder: Builder,
    ways: Vec<Way>,
    buffer: Vec<u8>,
    /// Values of this message so far.
    values: u64,
    skipped: bool,
    /// Some way cannot say a value of the data.
    unsaid: bool,
}

struct Way {
    how: &'static str,
    encoder: Encoder,
    bytes: u64,
}

enum Encoder {
    Plain(EncodeOptions),
    Records(Box<RecordEncoder>),
}

impl Rewriter {
    /// With `quick` nothing is measured.
    #[must_use]
    pub fn new(quick: bool) -> Rewriter {
        let options = EncodeOptions::new();
        let records = |options: EncodeOptions| {
            Encoder::Records(Box::new(RecordEncoder::new(options.records(true))))
        };
        let way = |how, encoder| Way {
            how,
            encoder,
            bytes: 0,
        };
        let ways = vec![
            way("smallest forms", Encoder::Plain(options)),
            way(
                "smallest forms, float 32 where exact",
                Encoder::Plain(options.float32(true)),
            ),
            way("records", records(options)),
            way(
                "records through the stream",
                records(options.sequential(true)),
            ),
            way(
                "records through the stream, float 32 where exact",
                records(options.sequential(true).float32(true)),
            ),
        ];
        Rewriter {
            builder: Builder::default(),
            ways: if quick { Vec::new() } else { ways },
            buffer: Vec::new(),
            values: 0,
            skipped: false,
            unsaid: false,
        }
    }

    /// Takes the next event.
    ///
    /// # Errors
    ///
    /// What the data holds and cannot be written.
    pub fn event(&mut self, event: &Event<'_>) -> Outcome {
        if self.ways.is_empty() {
            return Ok(());
        }
        self.values += 1;
        if self.values > MOST_VALUES {
            self.skipped = true;
            self.ways.clear();
            self.builder = Builder::default();
            return Ok(());
        }
        let Some(value) = self.builder.event(event) else {
            return Ok(());
        };
        self.values = 0;
        let (buffer, mut failed) = (&mut self.buffer, None);
        self.ways.retain_mut(|way| {
            buffer.clear();
            let done = match &mut way.encoder {
                Encoder::Plain(options) => options.encode_into(&value, buffer),
                Encoder::Records(encoder) => encoder.encode_into(&value, buffer),
            };
            way.bytes += buffer.len() as u64;
            match done {
                Ok(()) => true,
                // Ext values of the type that records take for themselves.
                Err(error) if error.kind() == ErrorKind::UnsupportedType => {
                    self.unsaid = true;
                    false
                }
                Err(error) => {
                    failed = Some(error);
                    true
                }
            }
        });
        failed.map_or(Ok(()), |error| Err(Failure::from(error)))
    }

    /// What was measured, and what was left out.
    #[must_use]
    pub fn finish(self) -> (Vec<Rewritten>, Vec<String>) {
        let mut notes = Vec::new();
        if self.skipped {
            notes.push(format!(
                "a message has more than {MOST_VALUES} values: it was not written in other ways"
            ));
        }
        if self.unsaid {
            notes.push(
                "the data has ext values that would be taken for records: those ways are left out"
                    .to_owned(),
            );
        }
        let rewritten = self.ways.into_iter().map(|way| Rewritten {
            how: way.how,
            bytes: way.bytes,
        });
        (rewritten.collect(), notes)
    }
}
