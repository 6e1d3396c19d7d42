//! Steps through packed rows: plain messages, without columns.

use crate::wire::item::{Item, item, skip};

/// Returns the bytes after the value at the start, which was checked before.
#[inline]
pub(super) fn after(bytes: &[u8]) -> Option<&[u8]> {
    bytes.get(skip(bytes, 0)?..)
}

/// Returns the number of elements of an array, and the bytes from the first one on.
#[inline]
pub(super) fn array_of(bytes: &[u8]) -> Option<(usize, &[u8])> {
    match item(bytes, 0)? {
        (Item::Array(count), begin) => Some((count, bytes.get(begin..)?)),
        _ => None,
    }
}

/// Returns the number of entries of a map, and the bytes from the first key on.
#[inline]
pub(super) fn map_of(bytes: &[u8]) -> Option<(usize, &[u8])> {
    match item(bytes, 0)? {
        (Item::Map(count), begin) => Some((count, bytes.get(begin..)?)),
        _ => None,
    }
}

/// Returns the bytes of the string at the start.
#[inline]
pub(super) fn str_of(bytes: &[u8]) -> Option<&[u8]> {
    match item(bytes, 0)? {
        (Item::Str(text), _) => Some(text),
        _ => None,
    }
}

/// The entries of a map that are still to come.
pub(super) struct PlainMap<'r> {
    left: usize,
    rest: &'r [u8],
}

impl<'r> PlainMap<'r> {
    /// Returns the entries of the map at the start of the bytes.
    #[inline]
    pub fn of(bytes: &'r [u8]) -> Option<PlainMap<'r>> {
        let (left, rest) = map_of(bytes)?;
        Some(PlainMap { left, rest })
    }

    /// Returns the bytes of the next key and its value.
    pub fn next_entry(&mut self) -> Option<&'r [u8]> {
        let (key, _) = self.next()?;
        key.get(..key.len() - self.rest.len())
    }

    /// Returns the bytes from the next key on, and those from its value on.
    #[inline]
    pub fn next(&mut self) -> Option<(&'r [u8], &'r [u8])> {
        self.left = self.left.checked_sub(1)?;
        let key = self.rest;
        let value = after(key)?;
        self.rest = after(value)?;
        Some((key, value))
    }
}
