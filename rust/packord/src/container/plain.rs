//! Steps through packed rows: plain messages, without records and columns.

use crate::columns;
use crate::ext::Timestamp;
use crate::options::DEFAULT_MAX_DEPTH;
use crate::record;
use crate::wire::header::Header;
use crate::wire::{marker as m, read, utf8};
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
    /// Whether an ext of the type of record definitions is in it.
    pub has_records: bool,
}

/// Returns the number in the header at the start of the bytes, and the length of the header.
#[inline(always)]
fn header_of(bytes: &[u8]) -> Option<(Header, u64, usize)> {
    let header = Header::of(*bytes.first()?);
    let number = match header.length {
        0 => u64::from(header.fixed),
        1 => read::uint::<1>(bytes, 1)?,
        2 => read::uint::<2>(bytes, 1)?,
        _ => read::uint::<4>(bytes, 1)?,
    };
    Some((header, number, header.len()))
}

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
                return Some(found);
            };
            left = outer;
        }
        // A value takes a byte at least.
        if left > (bytes.len() - at) as u64 {
            return None;
        }
        let rest = &bytes[at..];
        let marker = rest[0];
        left -= 1;
        if marker < m::FIXMAP || marker >= m::NEGATIVE_FIXINT {
            at += 1;
            continue;
        }
        let (header, number, begin) = header_of(rest)?;
        if header.values > 0 {
            open.push(left);
            found.depth = found.depth.max(open.len());
            if open.len() > DEFAULT_MAX_DEPTH as usize || begin > rest.len() {
                return None;
            }
            left = number * u64::from(header.values);
            at += begin;
            continue;
        }
        let end = begin.checked_add(usize::try_from(number).ok()?)?;
        let payload = rest.get(begin..end)?;
        match marker {
            m::FIXSTR..=0xbf | m::STR8..=m::STR32 => {
                utf8::check(payload).ok()?;
            }
            m::FIXEXT1..=m::FIXEXT16 | m::EXT8..=m::EXT32 => match rest[begin - 1] as i8 {
                Timestamp::EXT_TYPE => {
                    Timestamp::from_payload(payload)?;
                }
                columns::EXT_TYPE => found.has_columns = true,
                record::EXT_TYPE => found.has_records = true,
                _ => {}
            },
            m::RESERVED => return None,
            _ => {}
        }
        at += end;
    }
}

/// Returns the bytes after the value at the start, which was checked before.
#[inline]
pub(super) fn after(bytes: &[u8]) -> Option<&[u8]> {
    let (mut at, mut left) = (0_usize, 1_u64);
    while left > 0 {
        let rest = bytes.get(at..)?;
        let marker = *rest.first()?;
        left -= 1;
        if marker < m::FIXMAP || marker >= m::NEGATIVE_FIXINT {
            at += 1;
            continue;
        }
        let (header, number, begin) = header_of(rest)?;
        at += begin;
        if header.values > 0 {
            left = left.checked_add(number * u64::from(header.values))?;
        } else {
            at = at.checked_add(usize::try_from(number).ok()?)?;
        }
    }
    bytes.get(at..)
}

/// Returns the number of elements of an array, and the bytes from the first one on.
#[inline]
pub(super) fn array_of(bytes: &[u8]) -> Option<(usize, &[u8])> {
    match *bytes.first()? {
        m::FIXARRAY..=0x9f | m::ARRAY16 | m::ARRAY32 => container_of(bytes),
        _ => None,
    }
}

/// Returns the number of entries of a map, and the bytes from the first key on.
#[inline]
pub(super) fn map_of(bytes: &[u8]) -> Option<(usize, &[u8])> {
    match *bytes.first()? {
        m::FIXMAP..=0x8f | m::MAP16 | m::MAP32 => container_of(bytes),
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
    match *bytes.first()? {
        m::FIXSTR..=0xbf | m::STR8..=m::STR32 => payload_of(bytes),
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
    pub left: usize,
    rest: &'r [u8],
}

impl<'r> PlainMap<'r> {
    /// Returns the entries of the map at the start of the bytes.
    #[inline]
    pub fn of(bytes: &'r [u8]) -> Option<PlainMap<'r>> {
        let (left, rest) = map_of(bytes)?;
        Some(PlainMap { left, rest })
    }

    /// Returns the bytes from the next key on.
    pub fn rest(&self) -> &'r [u8] {
        self.rest
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
