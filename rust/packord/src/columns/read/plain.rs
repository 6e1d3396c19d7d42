//! Passing over a value of MessagePack with its checks: within a payload, and in the rows of container files.

use super::{Malformed, OrMalformed, need};
use crate::ext::Timestamp;
use crate::read::{COLUMNS_EXT, check_depth};
use crate::wire::header::{Head, Kind};
use crate::wire::{marker as m, utf8};
use alloc::vec::Vec;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PlainExtent {
    pub size: usize,
    /// Number of values, keys included.
    pub values: u64,
    /// Number of containers that are open at once.
    pub depth: usize,
    /// Whether an ext of the type of columns is in it.
    #[cfg_attr(not(feature = "container"), allow(dead_code, reason = "rows are asked for it"))]
    pub has_columns: bool,
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

/// Returns the extent of the value at the start of the bytes, if it is valid and no deeper than `max_depth`. `open` is
/// scratch memory: for each open container the number of values that follow.
#[inline]
pub(crate) fn extent(bytes: &[u8], max_depth: u32, open: &mut Vec<u64>) -> OrMalformed<PlainExtent> {
    open.clear();
    let (mut found, mut left) = (PlainExtent::default(), 1);
    loop {
        // A value takes a byte at least.
        let rest = &bytes[found.size..];
        need(left <= rest.len() as u64)?;
        found.values += 1;
        left -= 1;
        if is_value(*rest.first().ok_or(Malformed)?) {
            found.size += 1;
        } else {
            let (size, head) = one(rest)?;
            found.size += size;
            found.has_columns |= head.ext_type == Some(COLUMNS_EXT);
            if head.kind.is_container() {
                open.push(left);
                left = head.values;
                check_depth(open.len() as u64, max_depth).map_err(|_| Malformed)?;
                found.depth = found.depth.max(open.len());
            }
        }
        while left == 0 {
            let Some(outer) = open.pop() else {
                return Ok(found);
            };
            left = outer;
        }
    }
}

/// Checks the first value, of a container only the header. Returns the size of what was checked.
#[inline(always)]
fn one(bytes: &[u8]) -> OrMalformed<(usize, Head)> {
    let head = Head::checked(bytes, 0).map_err(|_| Malformed)?;
    let end = head.payload_end().ok_or(Malformed)?;
    let payload = bytes.get(head.end..end).ok_or(Malformed)?;
    match head.ext_type {
        Some(Timestamp::EXT_TYPE) => {
            Timestamp::from_payload(payload).ok_or(Malformed)?;
        }
        None if head.kind == Kind::Str => {
            utf8::check(payload).map_err(|_| Malformed)?;
        }
        _ => {}
    }
    Ok((end, head))
}
