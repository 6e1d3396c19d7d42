//! The values that `get` has found, as they are written.

use packord::{Event, Role, Token, Value, Walker};

use crate::cli::{self, ExtFamily, GetFormat, TextFormat, Utf8Mode};
use crate::failure::Outcome;
use crate::json::write::JsonWriteOptions;
use crate::limits::CHUNK;
use crate::messages::{MessageFailure, Walk};
use crate::output::Output;
use crate::plain_maps::PlainMaps;
use crate::text_output::TextOutput;

/// The values that were found and are not written yet.
pub enum Shown {
    Text {
        text: TextOutput,
        raw: bool,
        plain: PlainMaps,
    },
    Bytes(Vec<u8>),
}

impl Shown {
    pub fn new(command: &cli::Get) -> Shown {
        let style = JsonWriteOptions {
            pretty: command.pretty,
            strict: false,
            bigint: command.bigint,
            records: false,
            event_time: command.reading.ext == Some(ExtFamily::Fluentd),
            replace: command.reading.utf8 == Utf8Mode::Replace,
        };
        let format = match command.to {
            GetFormat::Json => TextFormat::Json,
            GetFormat::Diag => TextFormat::Diag,
            GetFormat::Msgpack => return Shown::Bytes(Vec::new()),
        };
        Shown::Text {
            text: TextOutput::new(format, style),
            raw: command.raw,
            plain: PlainMaps::default(),
        }
    }

    pub fn prefix(&mut self, place: &str) {
        if let Shown::Text { text, .. } = self {
            text.end();
            text.push_str(place);
        }
    }

    pub fn value(&mut self, walk: &mut Walk, output: &mut Output) -> Result<(), MessageFailure> {
        let around = walk.depth();
        walk.each_event(|mut event| -> Result<(), MessageFailure> {
            event.depth -= around;
            self.event(event);
            if self.len() >= CHUNK {
                self.drain_into(output)?;
            }
            Ok(())
        })?;
        self.end();
        Ok(())
    }

    /// Adds an event. The value begins at depth 0.
    pub fn event(&mut self, mut event: Event<'_>) {
        if event.depth == 0 {
            event.role = Role::Top;
        }
        match self {
            Shown::Bytes(bytes) => bytes.extend_from_slice(event.bytes),
            Shown::Text { text, raw, plain } => match (&event.token, *raw && event.depth == 0) {
                (Token::Str(value), true) => text.push_line(value.as_bytes()),
                (Token::Bin(value) | Token::BrokenStr(value), true) => text.push_line(value),
                _ => plain.event(&event, |event| {
                    // Without `strict` nothing is refused.
                    let _ = text.event(event);
                }),
            },
        }
    }

    pub fn end(&mut self) {
        if let Shown::Text { text, .. } = self {
            text.end();
        }
    }

    /// Adds the keys of a container, each as a value: for an array the indexes.
    pub fn keys(&mut self, walk: &mut Walk, output: &mut Output) -> Result<(), MessageFailure> {
        let Some(event) = walk.next()? else {
            return Ok(());
        };
        match event.token {
            Token::Array(count) => {
                for index in 0..count {
                    self.scalar(Value::from(index as u64))?;
                    walk.skip_value()?;
                }
            }
            Token::Map(count) => {
                for _ in 0..count {
                    self.value(walk, output)?;
                    walk.skip_value()?;
                }
            }
            Token::Record(head) => {
                for key in head.structure.keys() {
                    self.scalar(Value::from(key))?;
                    walk.skip_value()?;
                }
            }
            _ => return Ok(()),
        }
        walk.next()?;
        Ok(())
    }

    /// Adds a value that is not in the input.
    pub fn scalar(&mut self, value: Value) -> Result<(), MessageFailure> {
        let packed = packord::to_vec(&value)?;
        if let Some(event) = Walker::new(&packed).next()? {
            self.event(event);
        }
        self.end();
        Ok(())
    }

    pub fn len(&self) -> usize {
        match self {
            Shown::Text { text, .. } => text.len(),
            Shown::Bytes(bytes) => bytes.len(),
        }
    }

    pub fn drain_into(&mut self, output: &mut Output) -> Outcome {
        match self {
            Shown::Text { text, .. } => text.drain_into(output),
            Shown::Bytes(bytes) => {
                output.put(bytes)?;
                bytes.clear();
                Ok(())
            }
        }
    }
}
