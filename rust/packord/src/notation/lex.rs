//! The tokens of the notation: space, words, suffixes, record ids and key lists.

use alloc::vec::Vec;

use super::error::ParseError;
use super::suffix;
use crate::wire::header::Kind;

/// The id of a record: `#64` is the byte 40, `##100` the bytes 64 00.
#[derive(Clone, Copy)]
pub(super) struct Id {
    bytes: [u8; 2],
    pub(super) wide: bool,
}

impl Id {
    /// Returns the id with the number 64 + index, if this form of ids has it.
    fn new(number: u64, wide: bool) -> Option<Id> {
        if !wide {
            let byte = u8::try_from(number).ok().filter(|byte| (0x40..=0x7f).contains(byte))?;
            return Some(Id { bytes: [byte, 0], wide });
        }
        let above = number.checked_sub(0x60)?;
        let high = u8::try_from(above / 32).ok().filter(|&high| high != 0xff)?;
        Some(Id {
            bytes: [0x60 + (above % 32) as u8, high],
            wide,
        })
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..if self.wide { 2 } else { 1 }]
    }

    pub(super) fn index(self) -> u16 {
        u16::from(self.bytes[0]) - 0x40 + 32 * u16::from(self.bytes[1])
    }
}

pub(super) struct Lexer<'a> {
    text: &'a str,
    pub(super) at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, at: 0 }
    }

    pub(super) fn at_end(&self) -> bool {
        self.at == self.text.len()
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Returns the input from a position to the current one.
    pub(super) fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    pub(super) fn error(&self, message: &'static str) -> ParseError {
        self.error_at(self.at, message)
    }

    pub(super) fn error_at(&self, at: usize, message: &'static str) -> ParseError {
        ParseError::new(self.text, at, message)
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn eat(&mut self, prefix: &str) -> bool {
        let found = self.rest().starts_with(prefix);
        if found {
            self.at += prefix.len();
        }
        found
    }

    pub(super) fn eat_byte(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, byte: u8, message: &'static str) -> Result<(), ParseError> {
        if self.eat_byte(byte) {
            Ok(())
        } else {
            Err(self.error(message))
        }
    }

    /// Skips white space and comments.
    pub(super) fn space(&mut self) -> Result<(), ParseError> {
        loop {
            let rest = self.rest();
            let text = rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{feff}']);
            self.at += rest.len() - text.len();
            if text.starts_with("//") {
                self.at += text.find('\n').unwrap_or(text.len());
            } else if let Some(comment) = text.strip_prefix("/*") {
                let end = comment
                    .find("*/")
                    .ok_or_else(|| self.error("this comment does not end"))?;
                self.at += end + 4;
            } else {
                return Ok(());
            }
        }
    }

    /// Takes the longest run of characters that `belongs` accepts.
    pub(super) fn take_while(&mut self, belongs: impl Fn(u8) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest
            .bytes()
            .take_while(|&byte| byte.is_ascii() && belongs(byte))
            .count();
        self.at += length;
        &rest[..length]
    }

    /// Takes an opening round bracket, and the space before it.
    pub(super) fn open_round(&mut self) -> Result<(), ParseError> {
        self.space()?;
        self.expect(b'(', "expected an opening round bracket")
    }

    /// Takes the suffix after a value, if there is one.
    pub(super) fn suffix(&mut self) -> Result<Option<u8>, ParseError> {
        let start = self.at;
        if !self.eat_byte(b'_') {
            return Ok(None);
        }
        let name = self.take_while(|byte| byte.is_ascii_alphanumeric());
        suffix::named(name)
            .map(Some)
            .ok_or_else(|| self.error_at(start, "no such suffix"))
    }

    /// Takes `#64` or `##100`.
    pub(super) fn record_id(&mut self) -> Result<Id, ParseError> {
        let start = self.at;
        self.expect(b'#', "expected a record")?;
        let wide = self.eat_byte(b'#');
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        let id = digits.parse().ok().and_then(|number| Id::new(number, wide));
        id.ok_or_else(|| {
            let range = if wide {
                "a two-byte id is 96 to 8255"
            } else {
                "a one-byte id is 64 to 127"
            };
            self.error_at(start, range)
        })
    }

    /// Takes the keys of a definition, appends them as str without the header of their array, and
    /// returns their number.
    pub(super) fn key_list(&mut self, out: &mut Vec<u8>) -> Result<u64, ParseError> {
        let start = self.at;
        let mut keys = Vec::new();
        let mut count = 0;
        self.expect(b'[', "expected a list of keys")?;
        loop {
            self.space()?;
            if self.eat_byte(b']') {
                break;
            }
            if self.peek() != Some(b'"') && !self.rest().starts_with("str") {
                return Err(self.error("a key of a record is a str"));
            }
            self.scalar(true, &mut keys)?;
            count += 1;
            self.space()?;
            if !self.eat_byte(b',') && self.peek() != Some(b']') {
                return Err(self.error("expected a comma or the closing bracket"));
            }
        }
        let suffix = self.suffix()?;
        let header = suffix::header(Kind::Array, count, suffix).map_err(|why| self.error_at(start, why))?;
        out.extend_from_slice(header.as_slice());
        out.extend_from_slice(&keys);
        Ok(count)
    }
}
