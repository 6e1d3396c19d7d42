//! Reads the values of a JSON text, each as a slice of a buffer where possible.

use std::io::{BufRead, BufReader, Cursor, ErrorKind, Read};

use super::fast::Transcoder;
use super::read::{JsonReadOptions, JsonValues, TextPlace};
use crate::failure::{Failure, Outcome};
use crate::input::Input;
use crate::limits;
use packord::Value;

/// Bytes of a read.
const READ: usize = 1 << 20;
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// One value of the input.
pub enum JsonItem<'s> {
    /// MessagePack without records, each value in its smallest encoding.
    Packed(&'s [u8]),
    /// A value.
    Value(Value),
}

/// Reads JSON values one after another, with any white space between them.
pub struct JsonSource {
    name: String,
    /// `None` once the slow reader reads the rest.
    input: Option<BufReader<Box<dyn Read>>>,
    /// Longer values, in bytes, are left to the slow reader, which does not hold their text.
    max_value: usize,
    buffer: String,
    at: usize,
    /// Bytes read after those of the buffer: an incomplete character, or not UTF-8.
    tail: Vec<u8>,
    broken: bool,
    ended: bool,
    style: JsonReadOptions,
    transcoder: Transcoder,
    place: TextPlace,
    rest: Option<JsonValues<Box<dyn Read>>>,
}

impl JsonSource {
    /// Creates a source. Nothing is read yet.
    #[must_use]
    pub fn new(input: Input, style: JsonReadOptions) -> JsonSource {
        let (name, max_value) = (input.name.clone(), max_value(&input));
        JsonSource::at(
            name,
            Box::new(input),
            max_value,
            style,
            TextPlace::default(),
        )
    }

    /// Creates a source for a part of an input that begins at a place. Values of more than `max_value` bytes
    /// are read without holding their text.
    #[must_use]
    pub fn at(
        name: String,
        input: Box<dyn Read>,
        max_value: usize,
        style: JsonReadOptions,
        place: TextPlace,
    ) -> JsonSource {
        JsonSource {
            name,
            max_value,
            input: Some(BufReader::with_capacity(READ, input)),
            buffer: String::new(),
            at: 0,
            tail: Vec::new(),
            broken: false,
            ended: false,
            style,
            transcoder: Transcoder::new(style.conventions),
            place,
            rest: None,
        }
    }

    /// Returns the next value, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Invalid JSON, and read errors.
    pub fn next_item(&mut self) -> Outcome<Option<JsonItem<'_>>> {
        if self.rest.is_none() && self.style.each {
            // The elements of a long array must come one by one.
            self.slow_from_here()?;
        }
        let found = match self.rest {
            Some(_) => None,
            None => self.find()?,
        };
        if let Some(rest) = &mut self.rest {
            return Ok(rest.next_value()?.map(JsonItem::Value));
        }
        let Some(end) = found else { return Ok(None) };
        let start = std::mem::replace(&mut self.at, end);
        let text = &self.buffer[start..end];
        let place = self.place;
        self.place.pass(text.as_bytes());
        if self.transcoder.message(text).is_some() {
            return Ok(Some(JsonItem::Packed(self.transcoder.last())));
        }
        let mut values = JsonValues::at(&self.name, text.as_bytes(), self.style, place)?;
        let value = values.next_value()?;
        match values.next_value()? {
            None => Ok(value.map(JsonItem::Value)),
            Some(_) => Err(Failure::Invalid(format!("{}: invalid JSON", self.name))),
        }
    }

    /// Returns where the next value, which begins at `at`, ends in the buffer: `None` at the end of
    /// the input, and when the slow reader takes over.
    fn find(&mut self) -> Outcome<Option<usize>> {
        let mut scan = ValueScan::default();
        loop {
            if self.place.is_start() && self.buffer.starts_with(BYTE_ORDER_MARK) && self.at == 0 {
                self.at = BYTE_ORDER_MARK.len();
            }
            let blank = self.buffer.as_bytes()[self.at..]
                .iter()
                .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
                .count();
            self.place
                .pass(&self.buffer.as_bytes()[self.at..self.at + blank]);
            self.at += blank;
            let left = &self.buffer[self.at..];
            if !left.is_empty() {
                // A number at the end of the buffer may have more digits.
                let has_ended = self.ended || left.ends_with([']', '}', '"']);
                match scan.run(left.as_bytes()) {
                    ValueLength::Whole(len) if len < left.len() || has_ended => {
                        return Ok(Some(self.at + len));
                    }
                    ValueLength::Whole(_) | ValueLength::Cut => {}
                    ValueLength::Malformed => {
                        self.slow_from_here()?;
                        return Ok(None);
                    }
                }
            } else if self.ended && !self.broken {
                return Ok(None);
            }
            if self.ended || self.broken || left.len() > self.max_value {
                self.slow_from_here()?;
                return Ok(None);
            }
            self.read_more()?;
        }
    }

    /// Drops the bytes that were used, and reads what there is.
    fn read_more(&mut self) -> Outcome {
        self.buffer.drain(..self.at);
        self.at = 0;
        let Some(input) = &mut self.input else {
            return Ok(());
        };
        match input.fill_buf() {
            Ok(bytes) => {
                let count = bytes.len();
                self.tail.extend_from_slice(bytes);
                input.consume(count);
                self.ended = count == 0;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(()),
            Err(error) => return Err(Failure::input(&self.name, &error)),
        }
        let whole = match std::str::from_utf8(&self.tail) {
            Ok(text) => text,
            Err(error) => {
                // The next read may complete a character.
                self.broken = error.error_len().is_some() || self.ended;
                std::str::from_utf8(&self.tail[..error.valid_up_to()]).unwrap_or_default()
            }
        };
        self.buffer.push_str(whole);
        let len = whole.len();
        self.tail.drain(..len);
        Ok(())
    }

    /// Leaves the rest of the input to the slow reader.
    fn slow_from_here(&mut self) -> Outcome {
        let Some(input) = self.input.take() else {
            return Ok(());
        };
        let left = self.buffer.split_off(self.at).into_bytes();
        let left = Cursor::new(left).chain(Cursor::new(std::mem::take(&mut self.tail)));
        let source: Box<dyn Read> = if self.ended {
            Box::new(left)
        } else {
            Box::new(left.chain(input))
        };
        self.rest = Some(JsonValues::at(&self.name, source, self.style, self.place)?);
        self.buffer = String::new();
        Ok(())
    }
}

/// Returns the maximum number of bytes of a value of the input whose text is held in memory.
pub(super) fn max_value(input: &Input) -> usize {
    input.len.map_or(limits::JSON_VALUE, |len| {
        len.clamp(limits::JSON_VALUE, limits::INPUT as usize)
    })
}

/// The length of a value.
pub(super) enum ValueLength {
    /// Its bytes. The value may still be malformed.
    Whole(usize),
    /// It does not end within the buffer.
    Cut,
    Malformed,
}

/// Finds where a value ends: at its last bracket or quote. It goes on where it was cut, and does not recurse.
#[derive(Default)]
pub(super) struct ValueScan {
    at: usize,
    depth: usize,
    is_in_str: bool,
}

impl ValueScan {
    /// Looks at the bytes from the start of the value on: those of the last call, and more.
    pub fn run(&mut self, bytes: &[u8]) -> ValueLength {
        loop {
            match bytes.get(self.at) {
                _ if self.is_in_str => {
                    if !self.end_str(bytes) {
                        return ValueLength::Cut;
                    }
                }
                None => return ValueLength::Cut,
                Some(b']' | b'}') if self.depth == 0 => return ValueLength::Malformed,
                Some(b']' | b'}') => {
                    self.depth -= 1;
                    self.at += 1;
                }
                Some(byte @ (b'[' | b'{' | b'"')) => {
                    self.is_in_str = *byte == b'"';
                    self.depth += usize::from(!self.is_in_str);
                    self.at += 1;
                    continue;
                }
                Some(_) if self.depth > 0 => {
                    self.at += 1;
                    continue;
                }
                // A number, or one of true, false and null.
                Some(_) => {
                    let is_part =
                        |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(*byte);
                    return match bytes.iter().take_while(is_part).count() {
                        0 => ValueLength::Malformed,
                        len => ValueLength::Whole(len),
                    };
                }
            }
            if self.depth == 0 {
                return ValueLength::Whole(self.at);
            }
        }
    }

    /// Passes the rest of a string. Returns `false` if it goes on.
    fn end_str(&mut self, bytes: &[u8]) -> bool {
        loop {
            let rest = bytes.get(self.at..).unwrap_or_default();
            let Some(len) = memchr::memchr2(b'"', b'\\', rest) else {
                self.at = self.at.max(bytes.len());
                return false;
            };
            self.at += len + 1;
            if rest[len] == b'"' {
                self.is_in_str = false;
                return true;
            }
            // What is escaped may not be there yet.
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_end_of_each_value() {
        for (text, len) in [
            ("1 2", 1),
            ("-1.5e+3,", 7),
            ("null", 4),
            (r#""a\"b" 1"#, 6),
            (r#""\\" "#, 4),
            (r#"{"a]":[1,{}]} []"#, 13),
            ("[]]", 2),
        ] {
            match ValueScan::default().run(text.as_bytes()) {
                ValueLength::Whole(found) => assert_eq!(found, len, "{text}"),
                _ => panic!("{text}"),
            }
        }
        for text in ["", "[", r#"{"a":"#, r#""a\""#, r#"["]"#] {
            assert!(
                matches!(ValueScan::default().run(text.as_bytes()), ValueLength::Cut),
                "{text}"
            );
        }
        // Wherever it is cut, it is found.
        let text = r#"{"a\\\"]":["}",{"b":"\\"}],"c":-1}"#;
        let mut scan = ValueScan::default();
        for end in 0..text.len() {
            let found = scan.run(&text.as_bytes()[..end]);
            assert!(matches!(found, ValueLength::Cut), "{end}");
        }
        let found = scan.run(text.as_bytes());
        assert!(matches!(found, ValueLength::Whole(len) if len == text.len()));
        for text in ["]", "}", ",", "\0"] {
            assert!(
                matches!(
                    ValueScan::default().run(text.as_bytes()),
                    ValueLength::Malformed
                ),
                "{text}"
            );
        }
    }
}
