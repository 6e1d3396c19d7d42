//! Values of a message that was checked, found in its bytes without an index of them.

use packord::Value;
use packord::container::Comparable;

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

    /// Returns the value of a key: the last one, as a lookup does.
    pub(super) fn entry(self, key: &PathKey) -> Option<RawPart<'a>> {
        let header = self.container(HeaderKind::Map)?;
        let mut rest = self.0.get(header.len..)?;
        let mut found = None;
        for _ in 0..header.count {
            let value = after(rest)?;
            if key.is(rest.get(..rest.len() - value.len())?) {
                found = Some(RawPart(value));
                // Looking for its bytes takes less time than reading the entries that follow.
                if !key.may_be_in(value) {
                    break;
                }
            }
            rest = after(value)?;
        }
        found
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

    pub(super) fn comparable(self) -> Comparable<'a> {
        Comparable::of(self.0)
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
