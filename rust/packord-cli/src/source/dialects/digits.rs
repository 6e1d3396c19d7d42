//! Bytes that are written as digits: hexadecimal or base64.

use std::io::{self, Read};

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::cli::Encoding;
use crate::limits::CHUNK;

/// base64, whose padding may be left out.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Reads the bytes that digits stand for. White space between these is left out, and base64 may have several messages.
pub struct DigitsReader<R> {
    source: R,
    encoding: Encoding,
    /// Digits that were read and are not decoded.
    digits: Vec<u8>,
    /// Bytes that were decoded, and how many of them were returned.
    bytes: Vec<u8>,
    at: usize,
}

impl<R: Read> DigitsReader<R> {
    /// Reads the digits of a source.
    pub fn new(source: R, encoding: Encoding) -> DigitsReader<R> {
        DigitsReader {
            source,
            encoding,
            digits: Vec::new(),
            bytes: Vec::new(),
            at: 0,
        }
    }

    /// Decodes the digits that stand for whole bytes: all of them at the end. `None` if there are others.
    fn decode(&mut self, has_ended: bool) -> Option<Vec<u8>> {
        let group = match self.encoding {
            Encoding::Hex => 2,
            Encoding::Base64 => 4,
        };
        let mut len = self.digits.len();
        if !has_ended {
            len -= len % group;
        }
        let digits: Vec<u8> = self.digits.drain(..len).collect();
        if self.encoding == Encoding::Hex {
            return hex::decode(&digits).ok();
        }
        // Padding ends a message, and another one may follow.
        let mut rest = &digits[..];
        let mut bytes = Vec::new();
        while !rest.is_empty() {
            let padding = memchr::memchr(b'=', rest);
            let end = padding.map_or(rest.len(), |at| (at / group + 1) * group);
            let (message, more) = rest.split_at(end.min(rest.len()));
            bytes.extend(BASE64.decode(message).ok()?);
            rest = more;
        }
        Some(bytes)
    }
}

impl<R: Read> Read for DigitsReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.bytes.len() && !buffer.is_empty() {
            let mut chunk = vec![0; CHUNK];
            let count = self.source.read(&mut chunk)?;
            let read = chunk.get(..count).unwrap_or_default().iter();
            // Also the digits of base64 for addresses.
            let digit = |byte: &u8| match (byte, self.encoding) {
                (b'-', Encoding::Base64) => b'+',
                (b'_', Encoding::Base64) => b'/',
                (other, _) => *other,
            };
            let digits = read.filter(|byte| !byte.is_ascii_whitespace()).map(digit);
            self.digits.extend(digits);
            let has_ended = count == 0;
            let what = match self.encoding {
                Encoding::Hex => "hexadecimal digits, two for each byte",
                Encoding::Base64 => "base64",
            };
            let malformed = || io::Error::other(format!("it is not {what}"));
            (self.bytes, self.at) = (self.decode(has_ended).ok_or_else(malformed)?, 0);
            if has_ended && self.bytes.is_empty() {
                return Ok(0);
            }
        }
        let count = self.bytes.get(self.at..).unwrap_or_default().read(buffer)?;
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str, encoding: Encoding) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut reader = DigitsReader::new(text.as_bytes(), encoding);
        reader.read_to_end(&mut bytes).ok().map(|_| bytes)
    }

    #[test]
    fn digits_become_bytes() {
        for (text, encoding, bytes) in [
            ("81a1 6101\n", Encoding::Hex, Some(&b"\x81\xa1a\x01"[..])),
            ("FF\n0a", Encoding::Hex, Some(b"\xff\n")),
            ("", Encoding::Hex, Some(b"")),
            ("811", Encoding::Hex, None),
            ("8g", Encoding::Hex, None),
            ("gaFh\nAQ==\n", Encoding::Base64, Some(b"\x81\xa1a\x01")),
            ("gaFhAQ", Encoding::Base64, Some(b"\x81\xa1a\x01")),
            ("_-8=", Encoding::Base64, Some(b"\xff\xef")),
            ("g", Encoding::Base64, None),
            ("AQ==AQ==\nAgM=\n", Encoding::Base64, Some(b"\x01\x01\x02\x03")),
            ("AQ=AQ==", Encoding::Base64, None),
        ] {
            assert_eq!(decoded(text, encoding).as_deref(), bytes, "{text}");
        }
        // Wherever the input is cut.
        for (text, encoding, bytes) in [
            ("81 a1\n6101", Encoding::Hex, Some(&b"\x81\xa1a\x01"[..])),
            ("gaFh\nAQ==\n", Encoding::Base64, Some(b"\x81\xa1a\x01")),
            ("AQ==\nAQ==", Encoding::Base64, Some(b"\x01\x01")),
        ] {
            for at in 0..text.len() {
                let (start, rest) = text.as_bytes().split_at(at);
                let mut reader = DigitsReader::new(start.chain(rest), encoding);
                let mut found = Vec::new();
                let done = reader.read_to_end(&mut found);
                assert_eq!(done.ok().map(|_| &*found), bytes, "{text} {at}");
            }
        }
        let long = "c0".repeat(CHUNK);
        assert_eq!(decoded(&long, Encoding::Hex), Some(vec![0xc0; CHUNK]));
    }
}
