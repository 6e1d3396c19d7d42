//! Writes the same values in other encodings, to measure their size.

use packord::{EncodeOptions, ErrorKind, Event, RecordEncoder};

use crate::failure::{Failure, Outcome};
use crate::figures::stats::Alternative;
use crate::limits::REWRITTEN_VALUES;
use crate::values::value_builder::ValueBuilder;

/// Writes every message in each encoding, and adds up the lengths.
pub struct Rewriter {
    builder: ValueBuilder,
    ways: Vec<Way>,
    buffer: Vec<u8>,
    /// The values of this message so far.
    values: u64,
    /// A message had too many values.
    skipped: bool,
    /// An encoding does not have a value of the data.
    unsupported: bool,
}

struct Way {
    how: &'static str,
    encoder: WayEncoder,
    bytes: u64,
}

enum WayEncoder {
    Plain(EncodeOptions),
    Records(Box<RecordEncoder>),
}

impl Rewriter {
    /// Creates a rewriter. With `quick` nothing is measured.
    #[must_use]
    pub fn new(quick: bool) -> Rewriter {
        let options = EncodeOptions::new();
        let records = |options: EncodeOptions| WayEncoder::Records(Box::new(RecordEncoder::new(options.records(true))));
        let way = |how, encoder| Way { how, encoder, bytes: 0 };
        let ways = vec![
            way("smallest encodings", WayEncoder::Plain(options)),
            way(
                "smallest encodings, float 32 where exact",
                WayEncoder::Plain(options.float32(true)),
            ),
            way("records", records(options)),
            way("sequential records", records(options.sequential(true))),
            way(
                "sequential records, float 32 where exact",
                records(options.sequential(true).float32(true)),
            ),
        ];
        Rewriter {
            builder: ValueBuilder::default(),
            ways: if quick { Vec::new() } else { ways },
            buffer: Vec::new(),
            values: 0,
            skipped: false,
            unsupported: false,
        }
    }

    /// Takes the next event.
    ///
    /// # Errors
    ///
    /// A value that cannot be written.
    pub fn event(&mut self, event: &Event<'_>) -> Outcome {
        if self.ways.is_empty() {
            return Ok(());
        }
        self.values += 1;
        if self.values > REWRITTEN_VALUES {
            self.skipped = true;
            self.ways.clear();
            self.builder = ValueBuilder::default();
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
                WayEncoder::Plain(options) => options.encode_into(&value, buffer),
                WayEncoder::Records(encoder) => encoder.encode_into(&value, buffer),
            };
            way.bytes += buffer.len() as u64;
            match done {
                Ok(()) => true,
                // An ext value of the type that records use.
                Err(error) if error.kind() == ErrorKind::UnsupportedType => {
                    self.unsupported = true;
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

    /// Returns the sizes, and notes about what was left out.
    #[must_use]
    pub fn finish(self) -> (Vec<Alternative>, Vec<String>) {
        let mut notes = Vec::new();
        if self.skipped {
            notes.push(format!(
                "a message has more than {REWRITTEN_VALUES} values: other encodings were not measured"
            ));
        }
        if self.unsupported {
            notes.push("the data has ext values of the type that records use: records were not measured".to_owned());
        }
        let rewritten = self.ways.into_iter().map(|way| Alternative {
            how: way.how,
            bytes: way.bytes,
        });
        (rewritten.collect(), notes)
    }
}
