//! Values as the rows of a table: CSV, or the same with tabs.

use std::collections::HashMap;

use csv::{Terminator, Writer, WriterBuilder};
use packord::{Event, Key, Value, Walker};

use crate::failure::{Failure, Outcome};
use crate::json::conventions;
use crate::json::write::{JsonWriteOptions, JsonWriter};
use crate::limits::{TABLE_HEAD, TABLE_HEAD_ROWS};
use crate::output::Output;
use crate::values::path;
use crate::values::registry;
use crate::values::value_builder::ValueBuilder;

/// A table that is collected until it is written.
pub struct Table {
    delimiter: u8,
    writer: Writer<Vec<u8>>,
    /// Writes the cells that are written as in JSON.
    json: JsonWriter,
    event_time: bool,
    builder: ValueBuilder,
    columns: Columns,
    /// The number of rows, and the one that is written.
    rows: u64,
    row: Vec<String>,
}

enum Columns {
    /// The first rows, and the bytes that they have in MessagePack: their keys become the header.
    Unknown {
        first: Vec<Value>,
        bytes: usize,
        wanted: usize,
    },
    /// The header, and the column of each of its names.
    Named(HashMap<String, usize>),
    /// The number of cells of rows that are not maps, which have no header.
    Nameless(usize),
}

impl Table {
    /// Creates an empty table. If `is_regular`, all rows are maps with the same keys, or none is known to
    /// follow soon, and the first one is written at once.
    #[must_use]
    pub fn new(delimiter: u8, style: JsonWriteOptions, is_regular: bool) -> Table {
        Table {
            delimiter,
            writer: writer(delimiter),
            json: JsonWriter::new(JsonWriteOptions { pretty: false, ..style }),
            event_time: style.event_time,
            builder: ValueBuilder::default(),
            columns: Columns::Unknown {
                first: Vec::new(),
                bytes: 0,
                wanted: if is_regular { 1 } else { TABLE_HEAD_ROWS },
            },
            rows: 0,
            row: Vec::new(),
        }
    }

    /// Adds an event. Each top-level value is a row.
    ///
    /// # Errors
    ///
    /// The row has a key that is not in the header, or is of another kind than the first.
    pub fn event(&mut self, event: &Event<'_>) -> Outcome {
        let whole = self.builder.event(event);
        if let Columns::Unknown { first, bytes, wanted } = &mut self.columns {
            *bytes += event.bytes.len();
            let Some(whole) = whole else { return Ok(()) };
            first.push(whole);
            if first.len() >= *wanted || *bytes >= TABLE_HEAD {
                return self.end();
            }
            return Ok(());
        }
        whole.map_or(Ok(()), |whole| self.add(&whole))
    }

    /// Writes the rows that wait for the header, at the end of the input.
    ///
    /// # Errors
    ///
    /// As for `event`.
    pub fn end(&mut self) -> Outcome {
        let Columns::Unknown { first, .. } = &mut self.columns else {
            return Ok(());
        };
        let first = std::mem::take(first);
        self.columns = match first.first() {
            None => return Ok(()),
            Some(Value::Map(_)) => {
                let mut names = HashMap::new();
                let mut header = Vec::new();
                for (key, _) in first.iter().filter_map(Value::as_map).flatten() {
                    let name = name_of(key);
                    if !names.contains_key(&name) {
                        names.insert(name.clone(), header.len());
                        header.push(name);
                    }
                }
                self.write(&header)?;
                Columns::Named(names)
            }
            Some(Value::Array(cells)) => Columns::Nameless(cells.len()),
            Some(_) => Columns::Nameless(1),
        };
        first.iter().try_for_each(|row| self.add(row))
    }

    fn add(&mut self, value: &Value) -> Outcome {
        self.rows += 1;
        let mut row = std::mem::take(&mut self.row);
        let done = self.fill(&mut row, value);
        let done = done.and_then(|()| self.write(&row));
        self.row = row;
        done
    }

    fn fill(&mut self, row: &mut Vec<String>, value: &Value) -> Outcome {
        row.clear();
        let number = self.rows;
        match (value, &self.columns) {
            (Value::Map(map), Columns::Named(names)) => {
                row.resize(names.len(), String::new());
                for (key, value) in map {
                    let name = name_of(key);
                    let Some(&column) = names.get(&name) else {
                        return Err(Failure::No(format!(
                            "row {number} has the key {name:?}, which none of the first \
                             {TABLE_HEAD_ROWS} has: name the columns with --select"
                        )));
                    };
                    self.json.out.clear();
                    row[column] = cell(&mut self.json, self.event_time, value)?;
                }
            }
            (Value::Map(_), _) | (_, Columns::Named(_)) => {
                return Err(Failure::No(format!(
                    "row {number} and the first row are not both maps: a table has rows of one kind"
                )));
            }
            (value, columns) => {
                let cells = match value {
                    Value::Array(cells) => cells,
                    value => std::slice::from_ref(value),
                };
                if cells.iter().any(|cell| matches!(cell, Value::Map(_))) {
                    return Err(Failure::No(format!(
                        "row {number} is an array of maps: packord get '[*]' makes a row of each"
                    )));
                }
                if let Columns::Nameless(count) = columns
                    && cells.len() != *count
                {
                    return Err(Failure::No(format!(
                        "row {number} has {} cells, and the first row {count}",
                        cells.len()
                    )));
                }
                for value in cells {
                    self.json.out.clear();
                    row.push(cell(&mut self.json, self.event_time, value)?);
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, row: &[String]) -> Outcome {
        // Writing to memory does not fail, and rows may differ in length.
        self.writer
            .write_record(row)
            .map_err(|error| Failure::Invalid(error.to_string()))
    }

    /// Returns about how many bytes are collected.
    #[must_use]
    pub fn len(&self) -> usize {
        self.writer.get_ref().len()
    }

    /// Writes what is collected, and clears it.
    ///
    /// # Errors
    ///
    /// Write errors.
    pub fn drain_into(&mut self, output: &mut Output) -> Outcome {
        let full = std::mem::replace(&mut self.writer, writer(self.delimiter));
        let bytes = full.into_inner();
        output.put(&bytes.map_err(|error| Failure::Invalid(error.error().to_string()))?)
    }
}

fn writer(delimiter: u8) -> Writer<Vec<u8>> {
    WriterBuilder::new()
        .delimiter(delimiter)
        .terminator(Terminator::Any(b'\n'))
        .flexible(true)
        .from_writer(Vec::new())
}

fn name_of(key: Key<'_>) -> String {
    if let Some(name) = key.as_str() {
        return name.to_owned();
    }
    let mut name = String::new();
    if let Some(key) = key.as_other() {
        path::push_key(&mut name, &packord::to_vec(key).unwrap_or_default());
    }
    name
}

/// Returns a cell: a str as it is, nothing for nil, a bin in base64, a time as RFC 3339, and anything else in
/// JSON.
fn cell(json: &mut JsonWriter, event_time: bool, value: &Value) -> Outcome<String> {
    let time = match value {
        Value::Str(text) => return Ok(text.to_string()),
        Value::Nil => return Ok(String::new()),
        Value::Bin(bytes) => return Ok(conventions::base64(bytes)),
        Value::F64(number) if !number.is_finite() => return Ok(infinite(*number)),
        Value::F32(number) if !number.is_finite() => return Ok(infinite(f64::from(*number))),
        Value::Timestamp(time) => Some(*time),
        Value::Ext(ext) if event_time => registry::event_time(ext.kind(), ext.payload()),
        _ => None,
    };
    if let Some(time) = time.filter(|time| time.has_rfc3339()) {
        return Ok(time.to_string());
    }
    let packed = packord::to_vec(value)?;
    let mut walker = Walker::new(&packed);
    while let Some(event) = walker.next()? {
        // Without `strict` nothing is refused.
        let _ = json.event(&event);
    }
    let text = String::from_utf8_lossy(&json.out);
    Ok(text.trim_end().to_owned())
}

fn infinite(number: f64) -> String {
    if number.is_nan() {
        "nan".to_owned()
    } else {
        number.to_string()
    }
}
