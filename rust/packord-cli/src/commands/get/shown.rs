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
pub struct Shown {
    form: ShownForm,
    plain: PlainMaps,
}

enum ShownForm {
    Text {
        text: TextOutput,
        raw: bool,
        /// Whether the bytes of a bin are refused.
        is_screen: bool,
        /// The name of the file, if it is written before each value.
        file: Option<String>,
    },
    Table(Box<Table>),
    Bytes(Vec<u8>),
    Rows {
        rows: TableRows,
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
        let table = |delimiter| ShownForm::Table(Box::new(Table::new(delimiter, style, is_regular)));
        let rows = |format| TableRows::new(format).map(|rows| ShownForm::Rows { rows, file: Vec::new() });
        let text = |text| ShownForm::Text {
            text,
            raw: command.raw,
            is_screen: output.is_terminal() && !command.showing.force,
            file: command.showing.file_names.then(String::new),
        };
        let form = match command.showing.to {
            OutputFormat::Json => text(TextOutput::json(style)),
            OutputFormat::Diag => text(TextOutput::notation(style, false)),
            OutputFormat::Csv => table(b','),
            OutputFormat::Tsv => table(b'\t'),
            OutputFormat::Arrow => rows(TableFormat::Arrow)?,
            OutputFormat::Parquet => rows(TableFormat::Parquet)?,
            OutputFormat::Msgpack => ShownForm::Bytes(Vec::new()),
        };
        let plain = PlainMaps::default();
        Ok(Shown { form, plain })
    }

    /// Says that the values that follow are of the input with this name, and whether it has records.
    pub fn begin(&mut self, name: &str, has_records: bool) {
        if let ShownForm::Text { file: Some(file), .. } = &mut self.form {
            *file = path::printable(name);
        }
        self.plain.has_records = has_records;
    }

    /// Returns what is written before a value with this path, or without one: also the name of its file.
    pub fn placed<'p>(&self, place: &'p str) -> Cow<'p, str> {
        match &self.form {
            ShownForm::Text { file: Some(file), .. } if place.is_empty() => file.clone().into(),
            ShownForm::Text { file: Some(file), .. } => format!("{file}\t{place}").into(),
            _ => place.into(),
        }
    }

    /// Writes what is before a value, unless that is nothing.
    pub fn prefix(&mut self, place: &str) {
        if let (ShownForm::Text { text, .. }, false) = (&mut self.form, place.is_empty()) {
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
        let plain = &mut self.plain;
        match &mut self.form {
            ShownForm::Bytes(bytes) => {
                plain.event(&event, |event| bytes.extend_from_slice(event.bytes));
            }
            ShownForm::Rows { rows, .. } => {
                plain.event(&event, |event| rows.extend(event.bytes));
            }
            ShownForm::Table(table) => table.event(&event)?,
            ShownForm::Text {
                text, raw, is_screen, ..
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
        if let ShownForm::Text { text, .. } = &mut self.form {
            text.end();
        }
    }

    /// Ends the output: no value follows.
    pub fn end(&mut self) -> Outcome {
        match &mut self.form {
            ShownForm::Table(table) => return table.end(),
            ShownForm::Rows { rows, file } => *file = rows.file()?,
            _ => {}
        }
        Ok(())
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
        match &self.form {
            ShownForm::Text { text, .. } => text.len(),
            ShownForm::Table(table) => table.len(),
            ShownForm::Bytes(bytes) | ShownForm::Rows { file: bytes, .. } => bytes.len(),
        }
    }

    pub fn drain_into(&mut self, output: &mut Output) -> Outcome {
        match &mut self.form {
            ShownForm::Text { text, .. } => text.drain_into(output),
            ShownForm::Table(table) => table.drain_into(output),
            ShownForm::Bytes(bytes) | ShownForm::Rows { file: bytes, .. } => {
                output.put(bytes)?;
                bytes.clear();
                Ok(())
            }
        }
    }
}
