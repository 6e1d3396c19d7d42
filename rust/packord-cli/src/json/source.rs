//! The values of a text, each cut out of the input as a slice where that can be done.

use std::io::{Cursor, ErrorKind, Read};

use super::fast::Transcoder;
use super::read::{Place, Style, Values};
use crate::failure::{Failure, Outcome};
use crate::input::{Input, MOST};
use packord::Value;

/// So much is read at first.
const CHUNK: usize = 1 << 20;
/// A value that is longer is read by the slower way, which needs no text in memory.
const LONGEST: usize = 32 << 20;
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// One value of the input.
pub enum Item<'s> {
    /// As MessagePack: plain, and each value in its smallest form.
    Packed(&'s [u8]),
    /// As a value.
    Value(Value),
}

/// Reads the values of a text one after another, whatever white space is between them.
pub struct Source {
    name: String,
    /// Gone once the slower way reads the rest.
    input: Option<Input>,
    /// Bytes of a file are read whole where the value is that long.
    longest: usize,
    buffer: String,
    at: usize,
    /// What was read behind the buffer and is not whole, or not UTF-8.
    tail: Vec<u8>,
    broken: bool,
    ended: bool,
    style: Style,
    transcoder: Transcoder,
    place: Place,
    rest: Option<Values<Box<dyn Read>>>,
}

impl Source {
    /// Reads nothing yet.
    #[must_use]
    pub fn new(input: Input, style: Style) -> Source {
        Source {
            name: input.name.clone(),
            longest: input
                .len
                .map_or(LONGEST, |len| len.clamp(LONGEST, MOST as usize)),
            input: Some(input),
            buffer: String::new(),
            at: 0,
            tail: Vec::new(),
            broken: false,
            ended: false,
            style,
            transcoder: Transcoder::new(style.conventions),
            place: Place::default(),
            rest: None,
        }
    }

    /// The next value, or `None` at the end.
    ///
    /// # Errors
    ///
    /// What is wrong with the text, and what fails in reading.
    pub fn next_item(&mut self) -> Outcome<Option<Item<'_>>> {
        if self.rest.is_none() && self.style.each {
            // The elements of an array that has no end yet must come one by one.
            self.slow_from_here()?;
        }
        let found = match self.rest {
            Some(_) => None,
            None => self.find()?,
        };
        if let Some(rest) = &mut self.rest {
            return Ok(rest.next_value()?.map(Item::Value));
        }
        let Some(end) = found else { return Ok(None) };
        let start = std::mem::replace(&mut self.at, end);
        let text = &self.buffer[start..end];
        let place = self.place;
        self.place.pass(text.as_bytes());
        if self.transcoder.message(text).is_some() {
            return Ok(Some(Item::Packed(self.transcoder.last())));
        }
        let mut values = Values::at(&self.name, text.as_bytes(), self.style, place)?;
        let value = values.next_value()?;
        match values.next_value()? {
            None => Ok(value.map(Item::Value)),
            Some(_) => Err(Failure::Invalid(format!("{}: invalid JSON", self.name))),
        }
    }

    /// Where the next value ends in the buffer; it begins at `at`. `None` at the end of the input
    /// and where the slower way takes over.
    fn find(&mut self) -> Outcome<Option<usize>> {
        let mut again = false;
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
            let is_enough = !left.is_empty() && (self.ended || left.len() > BYTE_ORDER_MARK.len());
            if is_enough {
                match value_len(left) {
                    // A number goes on where its digits end with the buffer.
                    Length::Whole(len) if len < left.len() || self.ended => {
                        return Ok(Some(self.at + len));
                    }
                    Length::Whole(_) | Length::Cut => {}
                    Length::Malformed => {
                        self.slow_from_here()?;
                        return Ok(None);
                    }
                }
            } else if self.ended && !self.broken {
                return Ok(None);
            }
            if self.ended || self.broken || left.len() > self.longest {
                self.slow_from_here()?;
                return Ok(None);
            }
            self.read_more(again)?;
            again = true;
        }
    }

    /// Drops what was used, and reads on: at first what there is, then as much again as is there,
    /// so that a long value is looked at a few times only.
    fn read_more(&mut self, again: bool) -> Outcome {
        self.buffer.drain(..self.at);
        self.at = 0;
        let Some(input) = &mut self.input else {
            return Ok(());
        };
        let wanted = if again {
            self.buffer.len().max(CHUNK)
        } else {
            CHUNK
        };
        let known = self.tail.len();
        let read = if again {
            input.take(wanted as u64).read_to_end(&mut self.tail)
        } else {
            self.tail.resize(known + wanted, 0);
            let read = input.read(&mut self.tail[known..]);
            self.tail
                .truncate(known + read.as_ref().map_or(0, |&count| count));
            read
        };
        match read {
            Ok(0) => self.ended = true,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(()),
            Err(error) => return Err(Failure::input(&self.name, &error)),
        }
        let whole = match std::str::from_utf8(&self.tail) {
            Ok(text) => text,
            Err(error) => {
                // A character may go on in what is read next.
                self.broken = error.error_len().is_some() || self.ended;
                std::str::from_utf8(&self.tail[..error.valid_up_to()]).unwrap_or_default()
            }
        };
        self.buffer.push_str(whole);
        let len = whole.len();
        self.tail.drain(..len);
        Ok(())
    }

    /// All that is left is read by the slower way.
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
        self.rest = Some(Values::at(&self.name, source, self.style, self.place)?);
        self.buffer = String::new();
        Ok(())
    }
}

/// How long a value is.
enum Length {
    /// So long. It may be malformed all the same.
    Whole(usize),
    /// It ends behind the bytes.
    Cut,
    Malformed,
}

/// The length of the value at the start of the text: where its last bracket or quote is. Without
/// recursion, whatever the nesting.
fn value_len(text: &str) -> Length {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    loop {
        match bytes.get(at) {
            None => return Length::Cut,
            Some(b'[' | b'{') => depth += 1,
            Some(b']' | b'}') if depth == 0 => return Length::Malformed,
            Some(b']' | b'}') => depth -= 1,
            Some(b'"') => match string_end(bytes, at + 1) {
                Some(end) => at = end,
                None => return Length::Cut,
            },
            Some(_) if depth > 0 => {
                at += 1;
                continue;
            }
            // A number or a word.
            Some(_) => {
                let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(*byte);
                return match bytes.iter().take_while(is_part).count() {
                    0 => Length::Malformed,
                    len => Length::Whole(len),
                };
            }
        }
        at += 1;
        if depth == 0 {
            return Length::Whole(at);
        }
    }
}

/// Where the quote is that ends the string.
fn string_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_end_where_they_end() {
        for (text, len) in [
            ("1 2", 1),
            ("-1.5e+3,", 7),
            ("null", 4),
            (r#""a\"b" 1"#, 6),
            (r#""\\" "#, 4),
            (r#"{"a]":[1,{}]} []"#, 13),
            ("[]]", 2),
        ] {
            match value_len(text) {
                Length::Whole(found) => assert_eq!(found, len, "{text}"),
                _ => panic!("{text}"),
            }
        }
        for text in ["", "[", r#"{"a":"#, r#""a\""#, r#"["]"#] {
            assert!(matches!(value_len(text), Length::Cut), "{text}");
        }
        for text in ["]", "}", ",", "\0"] {
            assert!(matches!(value_len(text), Length::Malformed), "{text}");
        }
    }
}
