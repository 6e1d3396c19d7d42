//! Writes a tree with the default options, without reporting faults. After any fault the caller
//! begins again with [`tree`](super::tree), which reports it.

use crate::read::check_depth;
use crate::value::{MapStorage, Tree};
use crate::wire::Buffer;
use alloc::vec::Vec;

/// Returns `None` if a container is too deep, a string is too long, the buffer is full, or a map
/// was a record.
pub(super) fn write<S, B, W>(value: &Tree<S, B>, max_depth: u32, out: &mut W) -> Option<()>
where
    S: AsRef<str>,
    B: AsRef<[u8]>,
    W: Buffer,
{
    let mut around = Vec::new();
    let mut values = core::slice::from_ref(value).iter();
    loop {
        let Some(value) = values.next() else {
            match around.pop() {
                Some(outer) => values = outer,
                None => return Some(()),
            }
            continue;
        };
        match value {
            Tree::Nil => out.put_nil().ok()?,
            Tree::Bool(value) => out.put_bool(*value).ok()?,
            Tree::Int(value) => value.put_into(out).ok()?,
            Tree::F32(value) => out.put_f32(value.to_bits()).ok()?,
            Tree::F64(value) => out.put_f64(value.to_bits()).ok()?,
            Tree::Str(text) => out.put_str(text.as_ref().as_bytes()).ok()?,
            Tree::Bin(bytes) => out.put_bin(bytes.as_ref()).ok()?,
            Tree::Ext(ext) => out.put_ext(ext.kind(), ext.payload()).ok()?,
            Tree::Timestamp(at) => at.put_into(out).ok()?,
            Tree::Array(array) => {
                out.put_array(array.len()).ok()?;
                open(&mut around, &mut values, array, max_depth)?;
            }
            Tree::Map(map) => {
                let MapStorage::Pairs(pairs) = map.raw() else {
                    return None;
                };
                out.put_map(pairs.len()).ok()?;
                open(&mut around, &mut values, pairs.as_flattened(), max_depth)?;
            }
        }
    }
}

/// Writes the values of a container; for a map, keys and values in turn.
#[inline(always)]
fn open<'t, T>(
    around: &mut Vec<core::slice::Iter<'t, T>>,
    values: &mut core::slice::Iter<'t, T>,
    inner: &'t [T],
    max_depth: u32,
) -> Option<()> {
    check_depth(around.len() as u64 + 1, max_depth).ok()?;
    around.push(core::mem::replace(values, inner.iter()));
    Some(())
}
