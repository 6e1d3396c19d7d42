//! Reading into collections, which take no more memory than the bytes can fill.

use super::Reader;
use super::reader::Open;
use super::state::{Failed, Step};
use crate::wire::extend_within;
use alloc::vec::Vec;

/// How many elements to make room for at once: all of them, unless they are so large that the
/// bytes could be meant to exhaust the memory.
#[inline(always)]
pub(crate) fn presize<T>(count: usize, least: usize, remaining: usize) -> usize {
    let budget = remaining.saturating_mul(32).max(1 << 12);
    let affordable = budget.checked_div(size_of::<T>()).unwrap_or(count);
    count.min(remaining / least.max(1)).min(affordable.max(1))
}

/// An array as a vector.
#[inline]
pub(crate) fn vec<'de, T>(
    reader: &mut Reader<'de>,
    leaf: bool,
    least: usize,
    mut read: impl FnMut(&mut Reader<'de>) -> Result<T, Failed>,
) -> Result<Vec<T>, Failed> {
    if !leaf {
        reader.descend()?;
    }
    let open = reader.array()?;
    let count = open.count();
    let mut items = Vec::with_capacity(presize::<T>(count, least, reader.remaining()));
    while items.len() < count {
        let left = count - items.len();
        if items.len() == items.capacity() {
            items.reserve_exact(items.len().clamp(1, left));
        }
        extend_within(&mut items, left, |index| {
            reader.part(
                &open,
                count - index - 1,
                leaf,
                Step::Index(index),
                &mut read,
            )
        })?;
    }
    reader.close(open);
    Ok(items)
}

/// The elements of an array, one by one.
#[inline]
pub(crate) fn each<'de, C, T>(
    reader: &mut Reader<'de>,
    leaf: bool,
    make: impl FnOnce(usize, usize) -> C,
    mut read: impl FnMut(&mut Reader<'de>) -> Result<T, Failed>,
    mut add: impl FnMut(&mut C, T),
) -> Result<C, Failed> {
    if !leaf {
        reader.descend()?;
    }
    let open = reader.array()?;
    let count = open.count();
    let mut items = make(count, reader.remaining());
    for index in 0..count {
        let item = reader.part(
            &open,
            count - index - 1,
            leaf,
            Step::Index(index),
            &mut read,
        )?;
        add(&mut items, item);
    }
    reader.close(open);
    Ok(items)
}

/// The entries of a map or record, one by one.
#[inline]
pub(crate) fn entries<'de, C, K, V>(
    reader: &mut Reader<'de>,
    leaf: bool,
    make: impl FnOnce(usize, usize) -> C,
    mut read_key: impl FnMut(&mut Reader<'de>) -> Result<K, Failed>,
    mut read_value: impl FnMut(&mut Reader<'de>) -> Result<V, Failed>,
    mut add: impl FnMut(&mut C, K, V),
) -> Result<C, Failed> {
    if !leaf {
        reader.descend()?;
    }
    let open = reader.map()?;
    let count = open.count();
    let mut items = make(count, reader.remaining());
    for index in 0..count {
        let (key, value) = entry(reader, &open, index, leaf, &mut read_key, &mut read_value)?;
        add(&mut items, key, value);
    }
    reader.close(open);
    Ok(items)
}

/// A key and its value.
#[inline(always)]
pub(crate) fn entry<'de, K, V>(
    reader: &mut Reader<'de>,
    open: &Open,
    index: usize,
    leaf: bool,
    read_key: impl FnOnce(&mut Reader<'de>) -> Result<K, Failed>,
    read_value: impl FnOnce(&mut Reader<'de>) -> Result<V, Failed>,
) -> Result<(K, V), Failed> {
    let after = 2 * (open.count() - index - 1);
    let at = reader.position();
    let key = reader.part(open, after + 1, leaf, Step::Same, read_key)?;
    let value = reader.part(open, after, leaf, Step::Key(at), read_value)?;
    Ok((key, value))
}
