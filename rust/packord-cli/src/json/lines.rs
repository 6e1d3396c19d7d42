//! Reads lines of JSON, each by itself, and leaves out those that cannot be read.

use std::io::{BufRead, BufReader, Read};

use super::pieces::PieceReader;
use super::read::{JsonReadOptions, TextPlace};
use crate::csv::LeftOut;
use crate::failure::{Failure, Outcome};
use crate::input::Input;
use crate::limits::{CHUNK, JSON_VALUE, mebibytes};
use crate::packed::PackedValues;

/// Reads the values of each line.
pub struct JsonLines {
    name: String,
    input: BufReader<Input>,
    line: Vec<u8>,
    place: TextPlace,
    reader: PieceReader,
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
            place: TextPlace::default(),
            reader: PieceReader::new(style),
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
            let mut limited = (&mut self.input).take(JSON_VALUE as u64);
            let read = limited.read_until(b'\n', &mut self.line);
            match read.map_err(|error| Failure::input(&self.name, &error))? {
                0 => {
                    self.left_out.report();
                    return Ok(None);
                }
                JSON_VALUE => {
                    let text = format!("a line exceeds {}", mebibytes(JSON_VALUE as u64));
                    return Err(Failure::Invalid(text).within(&self.name));
                }
                _ => {}
            }
            let values = self.values();
            self.place.pass(&self.line);
            match values {
                Ok(values) => return Ok(Some(values)),
                Err(fault) => self.left_out.add(&fault),
            }
        }
    }

    fn values(&mut self) -> Outcome<PackedValues> {
        let text = std::str::from_utf8(&self.line);
        if text.is_ok_and(|text| self.reader.read_one(text)) {
            return Ok(self.reader.take());
        }
        let done = self.reader.read_all(&self.name, &self.line, self.place);
        // Of a line with a fault, nothing is kept.
        let values = self.reader.take();
        done.map(|()| values)
    }
}
