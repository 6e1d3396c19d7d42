//! Values of a message that was checked, found in its bytes without an index of them.

use packord::container::Comparable;
use packord::wire::{Head, Kind, skip};
use packord::{DecodeOptions, Utf8, Value};

use crate::values::path::PathKey;

/// A value of a message that is valid and without records, at the start of the bytes; others may follow.
#[derive(Clone, Copy)]
pub struct Part<'a>(&'a [u8]);

/// An element, entry or field.
pub(super) struct Child<'a> {
    pub index: usize,
    /// Its packed key, in a map.
    pub key: Option<&'a [u8]>,
    pub part: Part<'a>,
}

impl<'a> Part<'a> {
    /// Returns the top-level value of a message.
    #[must_use]
    pub fn of_message(bytes: &'a [u8]) -> Part<'a> {
        Part(bytes)
    }

    /// Returns the bytes of the value alone.
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        let end = skip(self.0, 0);
        end.and_then(|end| self.0.get(..end)).unwrap_or_default()
    }

    /// Returns the number of elements or entries of a container.
    #[must_use]
    pub fn count(self) -> Option<usize> {
        let head = self.container()?;
        usize::try_from(head.count).ok()
    }

    /// Returns whether the value is an array, and not a map.
    pub(super) fn is_array(self) -> bool {
        Kind::at(self.0) == Some(Kind::Array)
    }

    /// Returns what is in a container; nothing if it is none.
    pub(super) fn children(self) -> Children<'a> {
        let (end, count, is_map) = self.container().map_or((0, 0, false), |head| {
            (head.end, head.count as usize, head.kind == Kind::Map)
        });
        Children {
            rest: self.0.get(end..).unwrap_or_default(),
            index: 0,
            count,
            is_map,
        }
    }

    fn container(self) -> Option<Head> {
        Head::at(self.0, 0).filter(|head| head.kind.is_container())
    }

    /// Returns the value of a key: the last one, as a lookup does.
    pub(super) fn entry(self, key: &PathKey) -> Option<Part<'a>> {
        let mut entries = self.children();
        let mut found = None;
        while let Some(entry) = entries.enter() {
            if entry.key.is_some_and(|packed| key.is(packed)) {
                found = Some(entry.part);
                // Looking for its bytes takes less time than reading the entries that follow.
                if !key.may_be_in(entry.part.0) {
                    break;
                }
            }
            entries.pass();
        }
        found
    }

    /// Returns the value as container files compare it.
    #[inline]
    #[must_use]
    pub fn comparable(self) -> Comparable<'a> {
        Comparable::of(self.0)
    }

    /// Returns the value. Of a str that is not UTF-8, what is ill-formed is replaced.
    #[must_use]
    pub fn to_value(self) -> Value {
        let options = DecodeOptions::new().utf8(Utf8::Replace).max_depth(u32::MAX);
        // The message was checked.
        options.decode(self.bytes()).unwrap_or(Value::Nil)
    }
}

/// What is in a container, one after another.
pub(super) struct Children<'a> {
    /// The bytes from the next one on.
    pub rest: &'a [u8],
    index: usize,
    pub count: usize,
    is_map: bool,
}

impl<'a> Children<'a> {
    /// Returns the next one, whose value `rest` then begins with: [`pass`](Children::pass) goes over it.
    pub fn enter(&mut self) -> Option<Child<'a>> {
        if self.index == self.count {
            return None;
        }
        let mut key = None;
        if self.is_map {
            let (first, rest) = self.rest.split_at_checked(skip(self.rest, 0)?)?;
            (key, self.rest) = (Some(first), rest);
        }
        self.index += 1;
        Some(Child {
            index: self.index - 1,
            key,
            part: Part(self.rest),
        })
    }

    /// Goes over the value that was entered.
    pub fn pass(&mut self) {
        let end = skip(self.rest, 0);
        self.rest = end.and_then(|end| self.rest.get(end..)).unwrap_or_default();
    }
}

impl<'a> Iterator for Children<'a> {
    type Item = Child<'a>;

    fn next(&mut self) -> Option<Child<'a>> {
        let child = self.enter()?;
        self.pass();
        Some(child)
    }
}
