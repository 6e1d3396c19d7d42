//! The values that `get` has found, as they are written.

use std::borrow::Cow;

use packord::{Event, Role, Token, Value, Walker};

use super::table::Table;
use super::text_output::TextOutput;
use crate::arrow::{TableFormat, TableRows};
use crate::cli::{self, ExtFamily, OutputFormat, Utf8Mode};
use crate::failure::Outcome;
use crate::json::write::JsonWriteOptions;
use crate::limits::CHUNK;
use crate::messages::{MessageFailure, Walk};
use crate::output::{Output, not_text};
use crate::values::path;
use crate::values::plain_maps::PlainMaps;

/// The values that were found and are not written yet.
pub enum Shown {
    Text {
        text: TextOutput,
        raw: bool,
        /// Whether the bytes of a bin are refused.
        is_screen: bool,
        /// The name of the file, if it is written before each value.
        file: Option<String>,
        plain: PlainMaps,
    },
    Table(Box<Table>),
    Bytes {
        bytes: Vec<u8>,
        plain: PlainMaps,
    },
    Rows {
        rows: TableRows,
        plain: PlainMaps,
        /// The whole output, at the end.
        file: Vec<u8>,
    },
}

impl Shown {
    /// Begins the output. If `is_regular`, all values are maps with the same keys.
    pub fn new(command: &cli::Get, is_regular: bool, output: &mut Output) -> Outcome<Shown> {
        let is_json = command.showing.to == OutputFormat::Json;
        let style = JsonWriteOptions {
            pretty: command.showing.pretty,
            strict: false,
            // A sum may have more than 64 bits.
            bigint: command.bigint || command.totals.is_used(),
            colours: is_json && !command.raw && output.has_colours(),
            records: false,
            event_time: command.reading.ext == Some(ExtFamily::Fluentd),
            replace: command.reading.utf8 == Utf8Mode::Replace,
        };
        let is_regular = is_regular || command.showing.follow;
        let text = match command.showing.to {
            OutputFormat::Json => TextOutput::json(style),
            OutputFormat::Diag => TextOutput::notation(style, false),
            OutputFormat::Csv => {
                return Ok(Shown::Table(Box::new(Table::new(b',', style, is_regular))));
            }
            OutputFormat::Tsv => {
                return Ok(Shown::Table(Box::new(Table::new(b'\t', style, is_regular))));
            }
            OutputFormat::Arrow => return Shown::rows(TableFormat::Arrow),
            OutputFormat::Parquet => return Shown::rows(TableFormat::Parquet),
            OutputFormat::Msgpack => {
                return Ok(Shown::Bytes {
                    bytes: Vec::new(),
                    plain: PlainMaps::default(),
                });
            }
        };
        Ok(Shown::Text {
            text,
            raw: command.raw,
            is_screen: output.is_terminal() && !command.showing.force,
            file: command.showing.file_names.then(String::new),
            plain: PlainMaps::default(),
        })
    }

    fn rows(format: TableFormat) -> Outcome<Shown> {
        Ok(Shown::Rows {
            rows: TableRows::new(format)?,
            plain: PlainMaps::default(),
            file: Vec::new(),
        })
    }

    /// Says that the values that follow are of the input with this name, and whether it has records.
    pub fn begin(&mut self, name: &str, has_records: bool) {
        if let Shown::Text {
            file: Some(file), ..
        } = self
        {
            *file = path::printable(name);
        }
        match self {
            Shown::Table(_) => {}
            Shown::Text { plain, .. } | Shown::Bytes { plain, .. } | Shown::Rows { plain, .. } => {
                plain.has_records = has_records;
            }
        }
    }

    /// Returns what is written before a value with this path, or without one: also the name of its file.
    pub fn placed<'p>(&self, place: &'p str) -> Cow<'p, str> {
        match self {
            Shown::Text {
                file: Some(file), ..
            } if place.is_empty() => file.clone().into(),
            Shown::Text {
                file: Some(file), ..
            } => format!("{file}\t{place}").into(),
            _ => place.into(),
        }
    }

    /// Writes what is before a value, unless that is nothing.
    pub fn prefix(&mut self, place: &str) {
        if let (Shown::Text { text, .. }, false) = (self, place.is_empty()) {
            text.end();
            text.push_str(place);
            text.push_str("\t");
        }
    }

    pub fn value(&mut self, walk: &mut Walk, output: &mut Output) -> Result<(), MessageFailure> {
        let around = walk.depth();
        walk.each_event(|mut event| -> Result<(), MessageFailure> {
            event.depth -= around;
            self.event(event)?;
            if self.len() >= CHUNK {
                self.drain_into(output)?;
            }
            Ok(())
        })?;
        self.end_line();
        Ok(())
    }

    /// Adds the bytes of a value.
    pub fn packed(&mut self, mut walker: Walker<'_>) -> Result<(), MessageFailure> {
        while let Some(event) = walker.next()? {
            self.event(event)?;
        }
        self.end_line();
        Ok(())
    }

    /// Adds an event. The value begins at depth 0.
    fn event(&mut self, mut event: Event<'_>) -> Outcome {
        if event.depth == 0 {
            event.role = Role::Top;
        }
        match self {
            Shown::Bytes { bytes, plain } => {
                plain.event(&event, |event| bytes.extend_from_slice(event.bytes));
            }
            Shown::Rows { rows, plain, .. } => {
                plain.event(&event, |event| rows.extend(event.bytes));
            }
            Shown::Table(table) => table.event(&event)?,
            Shown::Text {
                text,
                raw,
                is_screen,
                plain,
                ..
            } => match (&event.token, *raw && event.depth == 0) {
                (Token::Bin(_) | Token::BrokenStr(_), true) if *is_screen => {
                    return Err(not_text());
                }
                (Token::Str(value), true) => text.push_line(value.as_bytes()),
                (Token::Bin(value) | Token::BrokenStr(value), true) => text.push_line(value),
                _ => plain.event(&event, |event| {
                    // Without `strict` nothing is refused.
                    let _ = text.event(event);
                }),
            },
        }
        Ok(())
    }

    fn end_line(&mut self) {
        if let Shown::Text { text, .. } = self {
            text.end();
        }
    }

    /// Ends the output: no value follows.
    pub fn end(&mut self) -> Outcome {
        match self {
            Shown::Table(table) => table.end(),
            Shown::Rows { rows, file, .. } => {
                *file = rows.file()?;
                Ok(())
            }
            _ => Ok(()),
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
        self.packed(Walker::new(&packed))
    }

    pub fn len(&self) -> usize {
        match self {
            Shown::Text { text, .. } => text.len(),
            Shown::Table(table) => table.len(),
            Shown::Bytes { bytes, .. } | Shown::Rows { file: bytes, .. } => bytes.len(),
        }
    }

    pub fn drain_into(&mut self, output: &mut Output) -> Outcome {
        match self {
            Shown::Text { text, .. } => text.drain_into(output),
            Shown::Table(table) => table.drain_into(output),
            Shown::Bytes { bytes, .. } | Shown::Rows { file: bytes, .. } => {
                output.put(bytes)?;
                bytes.clear();
                Ok(())
            }
        }
    }
}
