//! Values of a message that was checked, found in its bytes without an index of them.

use packord::{Integer, Token, Value, Walker};

use crate::header::{Header, HeaderKind, after};
use crate::path::PathKey;

/// A value, at the start of the bytes; others may follow.
#[derive(Clone, Copy)]
pub struct RawPart<'a>(&'a [u8]);

impl<'a> RawPart<'a> {
    /// Returns the top-level value of a message, which must be valid and without records.
    #[must_use]
    pub fn of_message(bytes: &'a [u8]) -> RawPart<'a> {
        RawPart(bytes)
    }

    /// Returns the first entry with a key.
    pub(super) fn entry(self, key: &PathKey) -> Option<RawPart<'a>> {
        let header = self.container(HeaderKind::Map)?;
        let mut rest = self.0.get(header.len..)?;
        for _ in 0..header.count {
            let value = after(rest)?;
            if key.is(rest.get(..rest.len() - value.len())?) {
                return Some(RawPart(value));
            }
            rest = after(value)?;
        }
        None
    }

    /// Returns the elements of an array.
    pub(super) fn elements(self) -> Option<impl Iterator<Item = RawPart<'a>>> {
        let header = self.container(HeaderKind::Array)?;
        let mut rest = self.0.get(header.len..)?;
        Some((0..header.count).map_while(move |_| {
            let element = RawPart(rest);
            rest = after(rest)?;
            Some(element)
        }))
    }

    /// Returns the number of elements or entries of a container.
    pub(super) fn count(self) -> Option<usize> {
        let header = Header::at(self.0)?;
        header.container?;
        usize::try_from(header.count).ok()
    }

    fn container(self, kind: HeaderKind) -> Option<Header> {
        Header::at(self.0).filter(|header| header.container == Some(kind))
    }

    /// Returns the payload of a str, which is valid UTF-8.
    pub(super) fn as_text(self) -> Option<&'a [u8]> {
        let marker = *self.0.first()?;
        if !matches!(marker, 0xa0..=0xbf | 0xd9..=0xdb) {
            return None;
        }
        let header = Header::at(self.0)?;
        let text = self.0.get(header.len..)?;
        text.get(..usize::try_from(header.payload).ok()?)
    }

    pub(super) fn as_int(self) -> Option<Integer> {
        let marker = *self.0.first()?;
        let digits = match marker {
            0..=0x7f | 0xe0..=0xff => return Some(Integer::from(marker as i8)),
            0xcc..=0xd3 => self.0.get(1..)?.get(..1 << (marker & 3))?,
            _ => return None,
        };
        let add = |number: u64, digit: &u8| number << 8 | u64::from(*digit);
        let number = digits.iter().fold(0, add);
        let unused = 64 - 8 * digits.len();
        Some(if marker <= 0xcf {
            Integer::from(number)
        } else {
            Integer::from(((number << unused) as i64) >> unused)
        })
    }

    pub(super) fn as_float(self) -> Option<f64> {
        match Walker::new(self.0).next().ok()??.token {
            Token::F32(number) => Some(f64::from(number)),
            Token::F64(number) => Some(number),
            _ => None,
        }
    }

    pub(super) fn to_value(self) -> Value {
        match self.0.first() {
            None | Some(0xc0) => return Value::Nil,
            Some(marker @ (0xc2 | 0xc3)) => return Value::Bool(*marker == 0xc3),
            _ => {}
        }
        let rest = after(self.0).unwrap_or_default();
        let bytes = self.0.get(..self.0.len() - rest.len()).unwrap_or_default();
        let options = packord::DecodeOptions::new().max_depth(u32::MAX);
        // The message was checked.
        options.decode(bytes).unwrap_or(Value::Nil)
    }
}
