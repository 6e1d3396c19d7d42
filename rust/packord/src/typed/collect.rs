//! Reading into collections, which reserve no more memory than the input can fill.

use super::reader::member;
use super::state::{Failed, Step};
use super::{Cursor, Reader};
use crate::typed::raw::extend_within;
use alloc::vec::Vec;

/// Returns the number of elements to reserve memory for: all of them, unless they are so large that
/// a short input could exhaust the memory.
#[inline(always)]
pub(crate) fn presize<T>(count: usize, min_len: usize, remaining: usize) -> usize {
    let budget = remaining.saturating_mul(32).max(1 << 12);
    let in_budget = budget.checked_div(size_of::<T>()).unwrap_or(count);
    count.min(remaining / min_len.max(1)).min(in_budget.max(1))
}

#[inline]
pub(crate) fn vec<'de, T>(
    reader: &mut Reader<'de>,
    leaf: bool,
    min_len: usize,
    (quick_four, quick): (
        Option<impl Fn(&mut Cursor<'de>) -> Option<[T; 4]> + Copy>,
        impl Fn(&mut Cursor<'de>) -> Option<T> + Copy,
    ),
    read: impl Fn(&mut Reader<'de>) -> Result<T, Failed> + Copy,
) -> Result<Vec<T>, Failed> {
    if !leaf {
        reader.descend()?;
    }
    let open = reader.array()?;
    let count = open.count();
    let mut items = Vec::with_capacity(presize::<T>(count, min_len, reader.remaining()));
    let mut cursor = reader.cursor();
    while items.len() < count {
        let left = count - items.len();
        if items.len() == items.capacity() {
            items.reserve_exact(items.len().clamp(1, left));
        }
        extend_within(&mut items, left, &mut cursor, quick_four, |cursor, index| {
            member(
                reader,
                cursor,
                &open,
                count - index - 1,
                leaf,
                || Step::Index(index),
                quick,
                read,
            )
        })?;
    }
    reader.go_on(cursor);
    reader.close(open);
    Ok(items)
}

#[inline]
pub(crate) fn each<'de, C, T>(
    reader: &mut Reader<'de>,
    leaf: bool,
    make: impl FnOnce(usize, usize) -> C,
    quick: impl Fn(&mut Cursor<'de>) -> Option<T> + Copy,
    read: impl Fn(&mut Reader<'de>) -> Result<T, Failed> + Copy,
    read_vec: impl FnOnce(&mut Reader<'de>) -> Result<Vec<T>, Failed>,
    mut add: impl FnMut(&mut C, T),
) -> Result<C, Failed> {
    if !leaf {
        reader.descend()?;
    }
    // If elements are bytes, which a vector knows, serde may write them so.
    if leaf && reader.at_bin()? {
        let bytes = read_vec(reader)?;
        let mut items = make(bytes.len(), reader.remaining());
        for item in bytes {
            add(&mut items, item);
        }
        return Ok(items);
    }
    let open = reader.array()?;
    let count = open.count();
    let mut items = make(count, reader.remaining());
    let mut cursor = reader.cursor();
    for index in 0..count {
        let item = member(
            reader,
            &mut cursor,
            &open,
            count - index - 1,
            leaf,
            || Step::Index(index),
            quick,
            read,
        )?;
        add(&mut items, item);
    }
    reader.go_on(cursor);
    reader.close(open);
    Ok(items)
}

/// Reads the entries of a map, one by one. Keys and values are read by two functions each: a quick
/// one for usual encodings, and one for all others.
#[inline]
pub(crate) fn entries<'de, C, K, V>(
    reader: &mut Reader<'de>,
    leaf: bool,
    make: impl FnOnce(usize, usize) -> C,
    (quick_key, read_key, read_name): (
        impl Fn(&mut Cursor<'de>) -> Option<K> + Copy,
        impl Fn(&mut Reader<'de>) -> Result<K, Failed> + Copy,
        impl Fn(&mut Reader<'de>, &str, usize) -> Result<K, Failed>,
    ),
    (quick_value, read_value): (
        impl Fn(&mut Cursor<'de>) -> Option<V> + Copy,
        impl Fn(&mut Reader<'de>) -> Result<V, Failed> + Copy,
    ),
    mut add: impl FnMut(&mut C, K, V),
) -> Result<C, Failed> {
    if !leaf {
        reader.descend()?;
    }
    let Some(open) = reader.map_or_other()? else {
        return record_entries(reader, read_name, read_value, |count, remaining, entries| {
            let mut items = make(count, remaining);
            for entry in entries {
                let (key, value) = entry?;
                add(&mut items, key, value);
            }
            Ok(items)
        });
    };
    let count = open.count();
    let mut items = make(count, reader.remaining());
    let mut cursor = reader.cursor();
    for index in 0..count {
        let after = 2 * (count - index - 1);
        let at = reader.position_of(cursor);
        let key = member(
            reader,
            &mut cursor,
            &open,
            after + 1,
            leaf,
            || Step::Same,
            quick_key,
            read_key,
        )
        .map_err(|failed| reader.in_key(failed))?;
        let value = member(
            reader,
            &mut cursor,
            &open,
            after,
            leaf,
            || Step::Key(at),
            quick_value,
            read_value,
        )?;
        add(&mut items, key, value);
    }
    reader.go_on(cursor);
    reader.close(open);
    Ok(items)
}

/// Reads the entries of a map that is a record. Its keys are the names of its structure. `collect` gets their
/// count, the number of bytes that are left, and the entries.
#[cold]
#[inline(never)]
pub(crate) fn record_entries<'de, C, K, V>(
    reader: &mut Reader<'de>,
    read_name: impl Fn(&mut Reader<'de>, &str, usize) -> Result<K, Failed>,
    mut read_value: impl FnMut(&mut Reader<'de>) -> Result<V, Failed>,
    collect: impl FnOnce(usize, usize, &mut dyn Iterator<Item = Result<(K, V), Failed>>) -> Result<C, Failed>,
) -> Result<C, Failed> {
    let start = reader.position();
    let Some((structure, open)) = reader.open_record()? else {
        return Err(reader.mismatch("a map"));
    };
    let (count, remaining) = (open.count(), reader.remaining());
    let mut entries = structure.keys().enumerate().map(|(index, name)| {
        let key = read_name(reader, name, start)?;
        let value = reader.part(&open, count - index - 1, false, Step::Same, &mut read_value);
        let value = value.map_err(|failed| reader.within_name(name, failed))?;
        Ok((key, value))
    });
    let items = collect(count, remaining, &mut entries)?;
    drop(entries);
    reader.close(open);
    Ok(items)
}
