//! Reads lines of JSON, each by itself, and leaves out those that cannot be read.

use std::io::{BufRead, BufReader, Read};

use super::parse::JsonReadOptions;
use super::read::{BYTE_ORDER_MARK, TextPlace, read_at};
use crate::failure::{Failure, Outcome};
use crate::limits::{CHUNK, JSON_LINE, mebibytes};
use crate::source::csv::LeftOut;
use crate::source::input::Input;
use crate::values::packed::PackedValues;

/// Reads the values of each line.
pub struct JsonLines {
    name: String,
    input: BufReader<Input>,
    line: Vec<u8>,
    is_first: bool,
    place: TextPlace,
    style: JsonReadOptions,
    left_out: LeftOut,
}

impl JsonLines {
    /// Creates a reader. Nothing is read yet.
    #[must_use]
    pub fn new(input: Input, style: JsonReadOptions) -> JsonLines {
        JsonLines {
            name: input.name.clone(),
            input: BufReader::with_capacity(CHUNK, input),
            line: Vec::new(),
            is_first: true,
            place: TextPlace::default(),
            style,
            left_out: LeftOut::default(),
        }
    }

    /// Returns the values of the next line that can be read, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Read errors, and a line that is too long.
    pub fn next_values(&mut self) -> Outcome<Option<PackedValues>> {
        loop {
            self.line.clear();
            let mut limited = (&mut self.input).take(JSON_LINE as u64);
            let read = limited.read_until(b'\n', &mut self.line);
            match read.map_err(|error| Failure::input(&self.name, &error))? {
                0 => {
                    self.left_out.report();
                    return Ok(None);
                }
                JSON_LINE => {
                    let text = format!("a line exceeds {}", mebibytes(JSON_LINE as u64));
                    return Err(Failure::Invalid(text).within(&self.name));
                }
                _ => {}
            }
            if std::mem::take(&mut self.is_first) && self.line.starts_with(BYTE_ORDER_MARK) {
                self.line.drain(..BYTE_ORDER_MARK.len());
            }
            let values = read_at(&self.name, &self.line, self.style, self.place);
            self.place.pass(&self.line);
            match values {
                Ok(values) => return Ok(Some(values)),
                Err(fault) => self.left_out.add(&fault),
            }
        }
    }
}
