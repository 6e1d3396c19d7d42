//! Steps through packed rows: plain messages, without columns.

use crate::columns;
use crate::ext::Timestamp;
use crate::options::DEFAULT_MAX_DEPTH;
use crate::read::check_depth;
use crate::wire::header::{HEADERS, Header, Kind};
use crate::wire::{marker as m, utf8};
use alloc::vec::Vec;

/// A message that was checked.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlainExtent {
    /// Its bytes.
    pub size: usize,
    /// The containers that are open at once.
    pub depth: usize,
    /// Whether an ext of the type of columns is in it.
    pub has_columns: bool,
}

/// Returns the number in the header at the start of the bytes, and the length of the header.
#[inline(always)]
fn header_of(bytes: &[u8]) -> Option<(Header, u64, usize)> {
    let header = HEADERS[usize::from(*bytes.first()?)];
    Some((header, header.number(bytes, 0)?, header.len()))
}

/// How the values of a marker are passed over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Their size is that of the table.
    Sized,
    /// A fixstr, whose size is that of the table.
    ShortStr,
    Str,
    Bin,
    Ext,
    /// An array or map.
    Open,
    Never,
}

/// How values are passed over, and their size where the marker says it, by their marker.
static PASSES: [(Pass, u8); 256] = {
    let mut all = [(Pass::Never, 0); 256];
    let mut number = 0;
    while number < all.len() {
        let marker = number as u8;
        let header = Header::of(marker);
        let size = 1 + header.fixed;
        all[number] = match Kind::tell(marker) {
            _ if marker == m::RESERVED => (Pass::Never, 0),
            Kind::Str if header.length == 0 => (Pass::ShortStr, size),
            Kind::Str => (Pass::Str, 0),
            Kind::Bin => (Pass::Bin, 0),
            Kind::Ext => (Pass::Ext, 0),
            Kind::Array | Kind::Map => (Pass::Open, 0),
            _ => (Pass::Sized, size),
        };
        number += 1;
    }
    all
};

/// Checks the message at the start of the bytes as a decoder with the default options does. `None` if
/// it is at fault. `open` is scratch memory.
pub(super) fn extent(bytes: &[u8], open: &mut Vec<u64>) -> Option<PlainExtent> {
    open.clear();
    let mut found = PlainExtent::default();
    let (mut at, mut left) = (0, 1_u64);
    loop {
        while left == 0 {
            let Some(outer) = open.pop() else {
                found.size = at;
                return (at <= bytes.len()).then_some(found);
            };
            left = outer;
        }
        let rest = bytes.get(at..)?;
        let &marker = rest.first()?;
        left -= 1;
        let (pass, size) = PASSES[usize::from(marker)];
        match pass {
            Pass::Sized => at += usize::from(size),
            Pass::ShortStr => {
                utf8::check(rest.get(1..usize::from(size))?).ok()?;
                at += usize::from(size);
            }
            Pass::Open => {
                let (header, number, begin) = header_of(rest)?;
                open.push(left);
                found.depth = found.depth.max(open.len());
                left = number * u64::from(header.values);
                at += begin;
                // A value takes a byte at least.
                check_depth(open.len() as u64, DEFAULT_MAX_DEPTH).ok()?;
                if left > rest.len() as u64 {
                    return None;
                }
            }
            Pass::Str | Pass::Bin | Pass::Ext => {
                let (_, number, begin) = header_of(rest)?;
                let end = begin.checked_add(usize::try_from(number).ok()?)?;
                let payload = rest.get(begin..end)?;
                match pass {
                    Pass::Str => {
                        utf8::check(payload).ok()?;
                    }
                    Pass::Ext => match rest[begin - 1] as i8 {
                        Timestamp::EXT_TYPE => {
                            Timestamp::from_payload(payload)?;
                        }
                        columns::EXT_TYPE => found.has_columns = true,
                        _ => {}
                    },
                    _ => {}
                }
                at += end;
            }
            Pass::Never => return None,
        }
    }
}

/// Returns the bytes after the value at the start, which was checked before.
#[inline]
pub(super) fn after(bytes: &[u8]) -> Option<&[u8]> {
    let &marker = bytes.first()?;
    match PASSES[usize::from(marker)] {
        (Pass::Sized | Pass::ShortStr, size) => bytes.get(usize::from(size)..),
        _ => after_large(bytes),
    }
}

fn after_large(bytes: &[u8]) -> Option<&[u8]> {
    let (mut at, mut left) = (0_usize, 1_u64);
    while left > 0 {
        let rest = bytes.get(at..)?;
        let &marker = rest.first()?;
        left -= 1;
        match PASSES[usize::from(marker)] {
            (Pass::Sized | Pass::ShortStr, size) => at += usize::from(size),
            _ => {
                let (header, number, begin) = header_of(rest)?;
                at += begin;
                if header.values > 0 {
                    left = left.checked_add(number * u64::from(header.values))?;
                } else {
                    at = at.checked_add(usize::try_from(number).ok()?)?;
                }
            }
        }
    }
    bytes.get(at..)
}

/// Returns the number of elements of an array, and the bytes from the first one on.
#[inline]
pub(super) fn array_of(bytes: &[u8]) -> Option<(usize, &[u8])> {
    match Kind::at(bytes)? {
        Kind::Array => container_of(bytes),
        _ => None,
    }
}

/// Returns the number of entries of a map, and the bytes from the first key on.
#[inline]
pub(super) fn map_of(bytes: &[u8]) -> Option<(usize, &[u8])> {
    match Kind::at(bytes)? {
        Kind::Map => container_of(bytes),
        _ => None,
    }
}

fn container_of(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (_, number, begin) = header_of(bytes)?;
    Some((usize::try_from(number).ok()?, bytes.get(begin..)?))
}

/// Returns the bytes of the string at the start.
#[inline]
pub(super) fn str_of(bytes: &[u8]) -> Option<&[u8]> {
    match Kind::at(bytes)? {
        Kind::Str => payload_of(bytes),
        _ => None,
    }
}

/// Returns the payload of the str, bin, ext or number at the start.
#[inline]
pub(super) fn payload_of(bytes: &[u8]) -> Option<&[u8]> {
    let (_, number, begin) = header_of(bytes)?;
    bytes.get(begin..begin.checked_add(usize::try_from(number).ok()?)?)
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
