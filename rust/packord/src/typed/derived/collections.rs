//! Fields that are collections, and those that are written and read by functions.

#[cfg(feature = "alloc")]
use crate::typed::collect::record_entries;
use crate::typed::{Cursor, Failed, Packable, Reader, Step, Writer};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

#[cfg(feature = "alloc")]
pub fn write_array<'c, C: ?Sized, T>(items: &'c C, writer: &mut Writer<'_>) -> Result<(), Failed>
where
    &'c C: IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
    T: Packable,
{
    writer.descend()?;
    writer.elements(items.into_iter())
}

#[cfg(feature = "alloc")]
pub fn read_array<'de, C: FromIterator<T>, T>(
    reader: &mut Reader<'de>,
    mut read: impl FnMut(&mut Reader<'de>) -> Result<T, Failed>,
    read_vec: impl FnOnce(&mut Reader<'de>) -> Result<Vec<T>, Failed>,
) -> Result<C, Failed> {
    reader.descend()?;
    // If elements are bytes, which a vector knows, serde may write them so.
    if reader.at_bin()? {
        return read_vec(reader).map(C::from_iter);
    }
    let open = reader.array()?;
    let count = open.count();
    let items = (0..count)
        .map(|index| reader.part(&open, count - index - 1, false, Step::Index(index), &mut read))
        .collect::<Result<C, Failed>>()?;
    reader.close(open);
    Ok(items)
}

/// A pair of a key and a value, or a reference to one, as maps iterate over them.
pub trait MapEntry {
    type Key: Packable + ?Sized;
    type Value: Packable + ?Sized;
    fn entry(&self) -> (&Self::Key, &Self::Value);
}

impl<K: Packable, V: Packable> MapEntry for (K, V) {
    type Key = K;
    type Value = V;
    #[inline(always)]
    fn entry(&self) -> (&K, &V) {
        (&self.0, &self.1)
    }
}

impl<K: Packable, V: Packable> MapEntry for &(K, V) {
    type Key = K;
    type Value = V;
    #[inline(always)]
    fn entry(&self) -> (&K, &V) {
        (&self.0, &self.1)
    }
}

#[cfg(feature = "alloc")]
#[inline(always)]
pub fn write_entries<P: MapEntry>(
    entries: impl ExactSizeIterator<Item = P>,
    writer: &mut Writer<'_>,
) -> Result<(), Failed> {
    if !(P::Key::BOUND.exists() && P::Value::BOUND.exists()) {
        writer.descend()?;
    }
    writer.nested(|writer| {
        let mut left = entries.len();
        writer.map_header(left)?;
        for pair in entries {
            let (key, value) = pair.entry();
            let Some(after) = left.checked_sub(1) else {
                return Err(writer.miscounted());
            };
            left = after;
            if let Err(failed) = writer.bounded_entry(key, value) {
                return Err(writer.within_key(key, failed));
            }
        }
        if left > 0 {
            return Err(writer.miscounted());
        }
        Ok(())
    })
}

#[cfg(feature = "alloc")]
pub fn write_map<'c, C: ?Sized, P: MapEntry>(items: &'c C, writer: &mut Writer<'_>) -> Result<(), Failed>
where
    &'c C: IntoIterator<Item = P, IntoIter: ExactSizeIterator>,
{
    write_entries(items.into_iter(), writer)
}

#[cfg(feature = "alloc")]
pub fn read_map<'de, C: FromIterator<(K, V)>, K, V>(
    reader: &mut Reader<'de>,
    mut read_key: impl FnMut(&mut Reader<'de>) -> Result<K, Failed>,
    read_name: impl Fn(&mut Reader<'de>, &str, usize) -> Result<K, Failed>,
    mut read_value: impl FnMut(&mut Reader<'de>) -> Result<V, Failed>,
) -> Result<C, Failed> {
    reader.descend()?;
    let Some(open) = reader.map_or_other()? else {
        return record_entries(reader, read_name, read_value, |_, _, entries| entries.collect());
    };
    let items = (0..open.count())
        .map(|index| {
            let after = 2 * (open.count() - index - 1);
            let at = reader.position();
            let key = reader.part(&open, after + 1, false, Step::Same, &mut read_key);
            let key = key.map_err(|failed| reader.in_key(failed))?;
            let value = reader.part(&open, after, false, Step::Key(at), &mut read_value)?;
            Ok((key, value))
        })
        .collect::<Result<C, Failed>>()?;
    reader.close(open);
    Ok(items)
}

#[derive(Debug)]
pub struct Via<F>(pub F);

impl<F: Fn(&mut Writer<'_>) -> Result<(), Failed>> Packable for Via<F> {
    #[inline(always)]
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        (self.0)(writer)
    }
}

#[inline(always)]
pub fn within<'de, T>(
    reader: &mut Reader<'de>,
    step: Step,
    read: impl FnOnce(&mut Reader<'de>) -> Result<T, Failed>,
) -> Result<T, Failed> {
    match read(reader) {
        Ok(value) => Ok(value),
        Err(failed) => Err(reader.within(step, failed)),
    }
}

/// Reads the elements of an array that has no header.
pub fn headerless_array<'de, T, const N: usize>(
    reader: &mut Reader<'de>,
    mut read: impl FnMut(&mut Reader<'de>) -> Result<T, Failed>,
) -> Result<[T; N], Failed> {
    crate::typed::raw::try_array(|_| read(reader))
}

#[inline(always)]
#[must_use]
pub fn quick_none<T>(_: &mut Cursor<'_>) -> Option<T> {
    None
}
