//! Passing over a value of MessagePack within a payload.

use super::{Malformed, OrMalformed, need};
use crate::ext::Timestamp;
use crate::wire::header::{Header, Kind};
use crate::wire::{marker as m, utf8};
use alloc::vec::Vec;

/// A value as it is in the bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub size: usize,
    /// Number of values, keys included.
    pub values: u64,
    /// Number of containers that are open at once.
    pub depth: usize,
}

/// Returns whether a byte is a value by itself.
#[inline(always)]
pub(super) fn is_value(byte: u8) -> bool {
    matches!(byte, 0..=0x7f | m::NIL | m::FALSE | m::TRUE | m::NEGATIVE_FIXINT..)
}

/// Returns whether a container is at the start of the bytes.
#[inline(always)]
pub(super) fn opens(bytes: &[u8]) -> bool {
    Kind::at(bytes).is_some_and(Kind::is_container)
}

/// Returns the size of the value at the start of the bytes, which is not a container, if it is valid.
#[inline(always)]
pub(super) fn scalar_size(bytes: &[u8]) -> OrMalformed<usize> {
    one(bytes).map(|(size, _)| size)
}

/// Returns the extent of the value at the start of the bytes, if it is valid. `open` is scratch
/// memory: for each open container the number of values that follow.
#[inline]
pub(super) fn extent(bytes: &[u8], open: &mut Vec<u64>) -> OrMalformed<Extent> {
    let (size, inner) = one(bytes)?;
    if inner == 0 {
        let depth = usize::from(opens(bytes));
        return Ok(Extent { size, values: 1, depth });
    }
    container(bytes, size, inner, open)
}

fn container(bytes: &[u8], header: usize, inner: u64, open: &mut Vec<u64>) -> OrMalformed<Extent> {
    open.clear();
    let (mut at, mut values, mut depth, mut left) = (header, 1, 1, inner);
    loop {
        while left == 0 {
            let Some(outer) = open.pop() else {
                return Ok(Extent {
                    size: at,
                    values,
                    depth,
                });
            };
            left = outer;
        }
        // A value takes a byte at least.
        let rest = &bytes[at..];
        need(left <= rest.len() as u64)?;
        let (size, inner) = one(rest)?;
        values += 1;
        left -= 1;
        at += size;
        if inner > 0 {
            open.push(left);
            left = inner;
            depth = depth.max(open.len() + 1);
        } else if opens(rest) {
            depth = depth.max(open.len() + 2);
        }
    }
}

/// Checks the first value, of a container only the header. Returns its size and the number of values
/// that it announces.
#[inline(always)]
fn one(bytes: &[u8]) -> OrMalformed<(usize, u64)> {
    let &marker = bytes.first().ok_or(Malformed)?;
    if is_value(marker) {
        return Ok((1, 0));
    }
    need(marker != m::RESERVED)?;
    let header = Header::of(marker);
    let (number, begin) = (header.number(bytes, 0).ok_or(Malformed)?, header.len());
    if header.values > 0 {
        need(begin <= bytes.len())?;
        return Ok((begin, number * u64::from(header.values)));
    }
    let payload = bytes
        .get(begin..)
        .and_then(|rest| rest.get(..usize::try_from(number).ok()?))
        .ok_or(Malformed)?;
    match Kind::of(marker) {
        Kind::Str => {
            utf8::check(payload).map_err(|_| Malformed)?;
        }
        Kind::Ext if bytes[begin - 1] as i8 == Timestamp::EXT_TYPE => {
            Timestamp::from_payload(payload).ok_or(Malformed)?;
        }
        _ => {}
    }
    Ok((begin + payload.len(), 0))
}
