//! Values other than containers, from notation to bytes.

use alloc::string::String;
use alloc::vec::Vec;

use super::error::ParseError;
use super::lex::Lexer;
use super::suffix;
use crate::Timestamp;
use crate::record;
use crate::value::float::{NAN_32, NAN_64};
use crate::wire::header::Kind;
use crate::wire::{Store, marker};

type Outcome = Result<(), ParseError>;

impl Lexer<'_> {
    /// Reads one scalar with its suffix and appends its bytes.
    pub(super) fn scalar(&mut self, records: bool, out: &mut Vec<u8>) -> Outcome {
        match self.peek() {
            Some(b'"') => {
                let start = self.at;
                let text = self.quoted()?;
                self.counted(Kind::Str, text.as_bytes(), start, out)
            }
            Some(b'-' | b'0'..=b'9') => self.number(records, out),
            Some(b'a'..=b'z') => self.word(records, out),
            None => Err(self.error("input ends within a value")),
            Some(_) => Err(self.error("expected a value")),
        }
    }

    fn word(&mut self, records: bool, out: &mut Vec<u8>) -> Outcome {
        let start = self.at;
        if self.rest().starts_with("h'") {
            let bytes = self.hex()?;
            return self.counted(Kind::Bin, &bytes, start, out);
        }
        match self.take_while(|byte| byte.is_ascii_alphanumeric()) {
            "nil" | "null" => self.single(start, marker::NIL, out),
            "true" => self.single(start, marker::TRUE, out),
            "false" => self.single(start, marker::FALSE, out),
            "inf" => self.float(start, "inf", out),
            "nan" => self.nan(start, out),
            "str" => {
                self.open_round()?;
                let bytes = self.argument(Lexer::hex)?;
                self.expect(b')', CLOSE)?;
                self.counted(Kind::Str, &bytes, start, out)
            }
            "ext" => self.ext(records, out),
            "timestamp" => self.timestamp(out),
            _ => Err(self.error_at(start, "expected a value")),
        }
    }

    fn single(&mut self, start: usize, marker: u8, out: &mut Vec<u8>) -> Outcome {
        if self.suffix()?.is_some() {
            return Err(self.error_at(start, suffix::OTHER_KIND));
        }
        out.push(marker);
        Ok(())
    }

    /// Appends the header and the payload of a str or bin.
    fn counted(&mut self, kind: Kind, bytes: &[u8], start: usize, out: &mut Vec<u8>) -> Outcome {
        let suffix = self.suffix()?;
        let header = suffix::header(kind, bytes.len() as u64, suffix).map_err(|why| self.error_at(start, why))?;
        out.extend_from_slice(header.as_slice());
        out.extend_from_slice(bytes);
        Ok(())
    }

    /// Reads one argument in round brackets, with the space around it.
    fn argument<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, ParseError>) -> Result<T, ParseError> {
        self.space()?;
        let value = read(self)?;
        self.space()?;
        Ok(value)
    }

    fn number(&mut self, records: bool, out: &mut Vec<u8>) -> Outcome {
        let start = self.at;
        self.eat_byte(b'-');
        if self.eat("inf") {
            return self.float(start, self.since(start), out);
        }
        let is_float = if self.rest().starts_with("0x") {
            false
        } else {
            let digits = self.take_while(|byte| byte.is_ascii_digit());
            !digits.is_empty() && self.fraction()?
        };
        if is_float {
            return self.float(start, self.since(start), out);
        }
        self.at = start;
        let number = self.integer()?;
        let header = match self.suffix()? {
            None => suffix::integer(number, records).ok_or("outside the range of integers, -2^63 to 2^64 - 1"),
            Some(suffix) => suffix::integer_as(number, suffix),
        };
        out.extend_from_slice(header.map_err(|why| self.error_at(start, why))?.as_slice());
        Ok(())
    }

    /// Takes the `.5` and `e-7` of a float; returns whether there was any.
    fn fraction(&mut self) -> Result<bool, ParseError> {
        let mut found = false;
        let mut digits = |lexer: &mut Self| {
            found = true;
            match lexer.take_while(|byte| byte.is_ascii_digit()) {
                "" => Err(lexer.error("expected a digit")),
                _ => Ok(()),
            }
        };
        if self.eat_byte(b'.') {
            digits(self)?;
        }
        if self.eat_byte(b'e') || self.eat_byte(b'E') {
            if !self.eat_byte(b'+') {
                self.eat_byte(b'-');
            }
            digits(self)?;
        }
        Ok(found)
    }

    /// Reads an integer in decimal or hexadecimal. One that no format can hold is cut.
    fn integer(&mut self) -> Result<i128, ParseError> {
        let start = self.at;
        let negative = self.eat_byte(b'-');
        let number = if self.rest().starts_with("0x") {
            self.hexadecimal()?
        } else {
            let digits = self.take_while(|byte| byte.is_ascii_digit());
            if digits.is_empty() {
                return Err(self.error_at(start, "expected an integer"));
            }
            digits.parse().unwrap_or(i128::MAX)
        };
        Ok(if negative { -number } else { number })
    }

    /// Reads `0x` and digits. A number that no format can hold is cut.
    fn hexadecimal(&mut self) -> Result<i128, ParseError> {
        const FAULT: &str = "expected 0x and hexadecimal digits";
        let start = self.at;
        if !self.eat("0x") {
            return Err(self.error_at(start, FAULT));
        }
        match self.take_while(|byte| byte.is_ascii_hexdigit()) {
            "" => Err(self.error_at(start, FAULT)),
            digits => Ok(i128::from_str_radix(digits, 16).unwrap_or(i128::MAX)),
        }
    }

    fn float(&mut self, start: usize, text: &str, out: &mut Vec<u8>) -> Outcome {
        let is_narrow = self.is_float32(start)?;
        let read = if is_narrow {
            let number = text.parse::<f32>();
            number.map(|number| (number.is_infinite(), number.to_bits().into()))
        } else {
            let number = text.parse::<f64>();
            number.map(|number| (number.is_infinite(), number.to_bits()))
        };
        let (is_infinite, bits) = read.map_err(|_| self.error_at(start, "not a float"))?;
        if is_infinite && !text.ends_with("inf") {
            return Err(self.error_at(start, "too large for a float; write inf"));
        }
        put_float(bits, is_narrow, out);
        Ok(())
    }

    /// Takes the suffix of a float, and returns whether it is `_f32`.
    fn is_float32(&mut self, start: usize) -> Result<bool, ParseError> {
        match self.suffix()? {
            None => Ok(false),
            Some(marker::FLOAT32) => Ok(true),
            Some(_) => Err(self.error_at(start, suffix::OTHER_KIND)),
        }
    }

    fn nan(&mut self, start: usize, out: &mut Vec<u8>) -> Outcome {
        let mut bits = None;
        let end = self.at;
        self.space()?;
        if self.eat("(") {
            bits = Some(self.argument(Lexer::hexadecimal)?);
            self.expect(b')', CLOSE)?;
        } else {
            self.at = end;
        }
        let is_narrow = self.is_float32(start)?;
        let usual = if is_narrow { NAN_32.into() } else { NAN_64 };
        let bits = u64::try_from(bits.unwrap_or(usual.into())).ok().filter(|&bits| {
            if is_narrow {
                u32::try_from(bits).is_ok_and(|bits| f32::from_bits(bits).is_nan())
            } else {
                f64::from_bits(bits).is_nan()
            }
        });
        let bits = bits.ok_or_else(|| self.error_at(start, "these bits are not those of a NaN"))?;
        put_float(bits, is_narrow, out);
        Ok(())
    }

    fn ext(&mut self, records: bool, out: &mut Vec<u8>) -> Outcome {
        self.open_round()?;
        let start = self.at;
        let number = self.argument(Lexer::integer)?;
        let code = i8::try_from(number).map_err(|_| self.error_at(start, "an ext type is -128 to 127"))?;
        if records && code == record::EXT_TYPE {
            return Err(self.error_at(start, "ext type 114 is that of records, which are on"));
        }
        self.expect(b',', "expected a comma")?;
        let payload = self.argument(Lexer::hex)?;
        self.expect(b')', CLOSE)?;
        let suffix = self.suffix()?;
        self.put_ext(start, code, &payload, suffix, out)
    }

    fn put_ext(&self, start: usize, code: i8, payload: &[u8], suffix: Option<u8>, out: &mut Vec<u8>) -> Outcome {
        let header = suffix::header(Kind::Ext, payload.len() as u64, suffix);
        out.extend_from_slice(header.map_err(|why| self.error_at(start, why))?.as_slice());
        out.push(code as u8);
        out.extend_from_slice(payload);
        Ok(())
    }

    fn timestamp(&mut self, out: &mut Vec<u8>) -> Outcome {
        self.open_round()?;
        self.space()?;
        let start = self.at;
        let time = if self.peek() == Some(b'"') {
            let text = self.argument(Lexer::quoted)?;
            // RFC 3339 also has lower case, and offsets.
            let strict = text.get(10..11) == Some("T") && text.ends_with('Z');
            let time = text.parse().ok().filter(|_| strict);
            time.ok_or("not a date and time in the form 2026-01-02T03:04:05.5Z")
        } else {
            let seconds = self.argument(Lexer::integer)?;
            self.expect(b',', "expected a comma")?;
            let nanoseconds = self.argument(Lexer::integer)?;
            i64::try_from(seconds)
                .ok()
                .zip(u32::try_from(nanoseconds).ok())
                .and_then(|(seconds, nanoseconds)| Timestamp::new(seconds, nanoseconds))
                .ok_or("outside the range of timestamps")
        };
        let time: Timestamp = time.map_err(|why| self.error_at(start, why))?;
        self.expect(b')', CLOSE)?;
        if self.suffix()?.is_some() {
            return Err(self.error_at(start, suffix::OTHER_KIND));
        }
        let (payload, length) = time.payload();
        self.put_ext(start, Timestamp::EXT_TYPE, &payload[..length], None, out)
    }

    /// Reads the bytes of `h'00 ff'`.
    fn hex(&mut self) -> Result<Vec<u8>, ParseError> {
        if !self.eat("h'") {
            return Err(self.error("expected bytes: h'00ff'"));
        }
        let mut bytes = Vec::new();
        loop {
            self.take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
            if self.eat_byte(b'\'') {
                return Ok(bytes);
            }
            let start = self.at;
            bytes.push(self.digits(2, start, "expected two hexadecimal digits")? as u8);
        }
    }

    /// Takes this number of hexadecimal digits.
    fn digits(&mut self, count: usize, start: usize, fault: &'static str) -> Result<u32, ParseError> {
        let digits = self.rest().get(..count);
        let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        self.at += count;
        number.ok_or_else(|| self.error_at(start, fault))
    }

    /// Reads a string in quotes and resolves its escapes.
    fn quoted(&mut self) -> Result<String, ParseError> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let end = rest
                .find(['"', '\\'])
                .ok_or_else(|| self.error("this str does not end"))?;
            if let Some(control) = rest[..end].find(|letter| letter < ' ') {
                return Err(self.error_at(self.at + control, "control characters are escaped in a str"));
            }
            text.push_str(&rest[..end]);
            self.at += end;
            if self.eat_byte(b'"') {
                return Ok(text);
            }
            text.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Result<char, ParseError> {
        let start = self.at;
        self.at += 1;
        let letter = match self.peek() {
            Some(letter @ (b'"' | b'\\' | b'/')) => char::from(letter),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode(start);
            }
            _ => return Err(self.error_at(start, "no such escape")),
        };
        self.at += 1;
        Ok(letter)
    }

    /// Reads the code point of `\uXXXX`, or of two of them that are a surrogate pair.
    fn unicode(&mut self, start: usize) -> Result<char, ParseError> {
        let mut code = self.digits(4, start, FOUR)?;
        if (0xd800..0xdc00).contains(&code) && self.eat("\\u") {
            let low = self.digits(4, start, FOUR)?;
            if (0xdc00..0xe000).contains(&low) {
                code = 0x1_0000 + ((code - 0xd800) << 10 | (low - 0xdc00));
            }
        }
        char::from_u32(code).ok_or_else(|| self.error_at(start, "half of a surrogate pair"))
    }
}

fn put_float(bits: u64, is_narrow: bool, out: &mut Vec<u8>) {
    // A vector takes every number.
    let _ = if is_narrow {
        out.put_f32(bits as u32)
    } else {
        out.put_f64(bits)
    };
}

const FOUR: &str = "expected four hexadecimal digits";
const CLOSE: &str = "expected a closing round bracket";
