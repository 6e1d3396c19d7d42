//! Values of MessagePack, one after another, as an array: of one type, or as a union of several.

use super::array::{
    ArrowField, ColumnArray, Mask, OffsetList, bool_array, bytes_array, integer_array, list_array,
    map_array, number_array,
};
use super::raw::SharedBytes;
use super::slots::{Slots, malformed};
use super::types::ArrowType;
use super::unions::{NONE, union_array};
use crate::columns::read::extent;
use crate::error::{Error, ErrorKind, Result};
use crate::ext::Timestamp;
use crate::wire::header::Header;
use crate::wire::{marker as m, read};
use alloc::string::String;
use alloc::vec::Vec;
use std::collections::HashMap;

/// How deep values nest: readers of Arrow refuse types that nest deeper.
const MAX_NESTED: usize = 60;

/// A value, of a container the bytes of what is in it.
#[derive(Clone, Copy, Debug)]
enum Item<'a> {
    Nil,
    Bool(bool),
    Int(i64),
    /// From 2^63 up.
    Large(u64),
    Float(f64),
    Text(&'a [u8]),
    Bytes(&'a [u8]),
    Time(Timestamp),
    /// The number of elements, or of keys and values.
    Array(usize, &'a [u8]),
    Map(usize, &'a [u8]),
}

impl Item<'_> {
    /// Returns the place of the type in the order of branches.
    fn class(&self) -> usize {
        match self {
            Item::Nil => 0,
            Item::Bool(_) => 1,
            Item::Int(_) => 2,
            Item::Large(_) => 3,
            Item::Float(_) => 4,
            Item::Text(_) => 5,
            Item::Bytes(_) => 6,
            Item::Time(_) => 7,
            Item::Array(..) => 8,
            Item::Map(..) => 9,
        }
    }
}

/// The number of types.
const CLASSES: usize = 10;

/// Cuts `n` values that follow each other apart.
pub(super) fn cut(mut bytes: &[u8], n: usize) -> Result<Vec<&[u8]>> {
    let (mut values, mut open) = (Vec::new(), Vec::new());
    for _ in 0..n {
        let size = extent(bytes, &mut open).map_err(|_| malformed())?.size;
        let (value, rest) = bytes.split_at_checked(size).ok_or_else(malformed)?;
        values.push(value);
        bytes = rest;
    }
    if bytes.is_empty() {
        Ok(values)
    } else {
        Err(malformed())
    }
}

/// Reads a value whose bytes were cut out.
fn item(bytes: &[u8]) -> Option<Item<'_>> {
    let &marker = bytes.first()?;
    let header = Header::of(marker);
    let len = match header.length {
        0 => header.fixed.into(),
        1 => read::uint::<1>(bytes, 1)?,
        2 => read::uint::<2>(bytes, 1)?,
        _ => read::uint::<4>(bytes, 1)?,
    };
    let rest = bytes.get(header.len()..)?;
    let int = |bits: i64| Some(Item::Int(bits));
    match marker {
        0..=0x7f => int(marker.into()),
        m::NEGATIVE_FIXINT.. => int((marker as i8).into()),
        m::NIL => Some(Item::Nil),
        m::FALSE | m::TRUE => Some(Item::Bool(marker == m::TRUE)),
        m::UINT8 => int(read::uint::<1>(bytes, 1)? as i64),
        m::UINT16 => int(read::uint::<2>(bytes, 1)? as i64),
        m::UINT32 => int(read::uint::<4>(bytes, 1)? as i64),
        m::UINT64 => {
            let value = read::uint::<8>(bytes, 1)?;
            Some(i64::try_from(value).map_or(Item::Large(value), Item::Int))
        }
        m::INT8 => int(read::sign_extend::<1>(read::uint::<1>(bytes, 1)?)),
        m::INT16 => int(read::sign_extend::<2>(read::uint::<2>(bytes, 1)?)),
        m::INT32 => int(read::sign_extend::<4>(read::uint::<4>(bytes, 1)?)),
        m::INT64 => int(read::uint::<8>(bytes, 1)? as i64),
        m::FLOAT32 => {
            let bits = read::uint::<4>(bytes, 1)? as u32;
            Some(Item::Float(f32::from_bits(bits).into()))
        }
        m::FLOAT64 => Some(Item::Float(f64::from_bits(read::uint::<8>(bytes, 1)?))),
        m::FIXSTR..=0xbf | m::STR8..=m::STR32 => Some(Item::Text(rest)),
        m::BIN8..=m::BIN32 => Some(Item::Bytes(rest)),
        m::FIXMAP..=0x8f | m::MAP16 | m::MAP32 => {
            Some(Item::Map(usize::try_from(len).ok()?.checked_mul(2)?, rest))
        }
        m::FIXARRAY..=0x9f | m::ARRAY16 | m::ARRAY32 => {
            Some(Item::Array(usize::try_from(len).ok()?, rest))
        }
        m::RESERVED => None,
        _ => {
            let is_time = bytes.get(header.len() - 1)? == &(Timestamp::EXT_TYPE as u8);
            let time = is_time.then(|| Timestamp::from_payload(rest)).flatten();
            Some(time.map_or(Item::Bytes(rest), Item::Time))
        }
    }
}

/// Returns the values as an array, one for each row of the mask that has one.
pub(super) fn array_of_values(
    values: &[&[u8]],
    mask: Mask<'_>,
    slots: &mut Slots,
) -> Result<ColumnArray> {
    let items = values.iter().map(|value| item(value).ok_or_else(malformed));
    array_of(&items.collect::<Result<Vec<_>>>()?, mask, slots, 1)
}

fn array_of(
    items: &[Item<'_>],
    mask: Mask<'_>,
    slots: &mut Slots,
    nested: usize,
) -> Result<ColumnArray> {
    let rows = mask.map_or(items.len(), <[bool]>::len);
    if nested > MAX_NESTED {
        return Err(Error::new(ErrorKind::DepthLimit));
    }
    let mut present = [false; CLASSES];
    for item in items {
        present[item.class()] = true;
    }
    let classes: Vec<usize> = (1..CLASSES).filter(|&class| present[class]).collect();
    if classes.is_empty() && (present[0] || mask.is_none()) {
        slots.take(rows)?;
        return Ok(ColumnArray::new(ArrowType::Null, rows));
    }
    if !present[0] && classes.len() <= 1 {
        return array_of_class(items, mask, slots, nested);
    }

    // The branch of each row, of nulls none.
    let mut next = items.iter();
    let mut tag = |has: bool| {
        let class = if has {
            next.next().map_or(0, Item::class)
        } else {
            0
        };
        let branch = classes.iter().position(|&own| own == class);
        branch.map_or(NONE, |branch| branch as u8)
    };
    let tags: Vec<u8> = match mask {
        Some(mask) => mask.iter().map(|&has| tag(has)).collect(),
        None => items.iter().map(|_| tag(true)).collect(),
    };
    let own = |class: usize| -> Vec<Item<'_>> {
        let own = items.iter().filter(|item| item.class() == class);
        own.copied().collect()
    };
    if let [class] = classes[..] {
        let mask: Vec<bool> = tags.iter().map(|&tag| tag != NONE).collect();
        return array_of_class(&own(class), Some(&mask), slots, nested);
    }
    let branches = classes.iter();
    let branches = branches.map(|&class| array_of_class(&own(class), None, slots, nested));
    let branches = branches.collect::<Result<Vec<_>>>()?;
    union_array(branches, &tags, slots)
}

/// Picks what the items have; all are of one type.
macro_rules! all {
    ($items:expr, $pattern:pat => $value:expr) => {
        $items
            .iter()
            .filter_map(|item| match *item {
                $pattern => Some($value),
                _ => None,
            })
            .collect::<Vec<_>>()
    };
}

fn array_of_class(
    items: &[Item<'_>],
    mask: Mask<'_>,
    slots: &mut Slots,
    nested: usize,
) -> Result<ColumnArray> {
    slots.take(mask.map_or(items.len(), <[bool]>::len))?;
    match items.first() {
        None | Some(Item::Nil) => {
            let rows = mask.map_or(items.len(), <[bool]>::len);
            Ok(ColumnArray::new(ArrowType::Null, rows))
        }
        Some(Item::Bool(_)) => Ok(bool_array(&all!(items, Item::Bool(is) => is), mask)),
        Some(Item::Int(_)) => Ok(integer_array(&all!(items, Item::Int(value) => value), mask)),
        Some(Item::Large(_)) => {
            let ty = ArrowType::Int {
                bytes: 8,
                signed: false,
            };
            let values = all!(items, Item::Large(value) => value);
            Ok(number_array(ty, &values, mask))
        }
        Some(Item::Float(_)) => {
            let values = all!(items, Item::Float(value) => value);
            Ok(number_array(ArrowType::Float(8), &values, mask))
        }
        Some(Item::Text(_)) => texts(&all!(items, Item::Text(text) => text), true, mask),
        Some(Item::Bytes(_)) => texts(&all!(items, Item::Bytes(bytes) => bytes), false, mask),
        Some(Item::Time(_)) => times(&all!(items, Item::Time(at) => at), mask),
        Some(Item::Array(..)) => {
            let lists = all!(items, Item::Array(count, bytes) => (count, bytes));
            let offsets = OffsetList::of(lists.iter().map(|&(count, _)| count));
            let offsets = offsets.ok_or_else(malformed)?;
            let inner = array_of(&inner(&lists)?, None, slots, nested + 1)?;
            Ok(list_array(&offsets, inner, mask))
        }
        Some(Item::Map(..)) => {
            let maps = all!(items, Item::Map(count, bytes) => (count, bytes));
            maps_array(&maps, mask, slots, nested)
        }
    }
}

/// Returns what is in containers.
fn inner<'a>(containers: &[(usize, &'a [u8])]) -> Result<Vec<Item<'a>>> {
    let mut found = Vec::new();
    for &(count, bytes) in containers {
        for value in cut(bytes, count)? {
            found.push(item(value).ok_or_else(malformed)?);
        }
    }
    Ok(found)
}

fn texts(parts: &[&[u8]], is_text: bool, mask: Mask<'_>) -> Result<ColumnArray> {
    let offsets = OffsetList::of(parts.iter().map(|part| part.len()));
    let offsets = offsets.ok_or_else(malformed)?;
    let bytes = SharedBytes::of(parts.concat());
    Ok(bytes_array(is_text, &offsets, bytes, mask))
}

/// Instants in milliseconds if that is exact, else in nanoseconds. Those beyond 64 bits have no type.
fn times(values: &[Timestamp], mask: Mask<'_>) -> Result<ColumnArray> {
    let is_coarse = values.iter().all(|at| at.nanoseconds() % 1_000_000 == 0);
    let (digits, per_second, unit) = if is_coarse {
        (3, 1000, 1_000_000)
    } else {
        (9, 1_000_000_000, 1)
    };
    let units = values.iter().map(|at| {
        let rest = i128::from(at.nanoseconds() / unit);
        i64::try_from(i128::from(at.seconds()) * per_second + rest)
    });
    let units = units.collect::<core::result::Result<Vec<i64>, _>>();
    let units = units.map_err(|_| {
        Error::new(ErrorKind::OutOfRange).with_detail("Arrow has no timestamp so far from 1970")
    })?;
    Ok(number_array(ArrowType::Instant(digits), &units, mask))
}

fn maps_array(
    maps: &[(usize, &[u8])],
    mask: Mask<'_>,
    slots: &mut Slots,
    nested: usize,
) -> Result<ColumnArray> {
    let items = inner(maps)?;
    let rows = mask.map_or(maps.len(), <[bool]>::len);
    if let Some((keys, places)) = struct_keys(maps, &items) {
        if slots.has(rows.saturating_mul(keys.len())) {
            return struct_of_items(maps, &items, &keys, &places, mask, slots, nested);
        }
    }
    let offsets = OffsetList::of(maps.iter().map(|&(count, _)| count / 2));
    let offsets = offsets.ok_or_else(malformed)?;
    let part =
        |from: usize| -> Vec<Item<'_>> { items.iter().skip(from).step_by(2).copied().collect() };
    let keys = array_of(&part(0), None, slots, nested + 1)?;
    let values = array_of(&part(1), None, slots, nested + 1)?;
    Ok(map_array(&offsets, keys, values, mask))
}

/// Returns the keys in the order in which they occur, and the place of each entry's key among them;
/// `None` if a key is not a str, is twice in a map, or cannot be a name in Arrow.
fn struct_keys<'a>(
    maps: &[(usize, &[u8])],
    items: &[Item<'a>],
) -> Option<(Vec<&'a str>, Vec<usize>)> {
    let mut known = HashMap::new();
    let (mut keys, mut places, mut last) = (Vec::new(), Vec::new(), Vec::new());
    let mut entries = items.chunks_exact(2);
    for (row, &(count, _)) in maps.iter().enumerate() {
        for _ in 0..count / 2 {
            let Item::Text(key) = entries.next()?[0] else {
                return None;
            };
            let key = core::str::from_utf8(key).ok()?;
            let place = *known.entry(key).or_insert_with(|| {
                keys.push(key);
                last.push(usize::MAX);
                keys.len() - 1
            });
            if core::mem::replace(&mut last[place], row) == row || key.contains('\0') {
                return None;
            }
            places.push(place);
        }
    }
    Some((keys, places))
}

fn struct_of_items(
    maps: &[(usize, &[u8])],
    items: &[Item<'_>],
    keys: &[&str],
    places: &[usize],
    mask: Mask<'_>,
    slots: &mut Slots,
    nested: usize,
) -> Result<ColumnArray> {
    let rows = mask.map_or(maps.len(), <[bool]>::len);
    let mut columns: Vec<(Vec<bool>, Vec<Item<'_>>)> = keys
        .iter()
        .map(|_| (alloc::vec![false; rows], Vec::new()))
        .collect();
    let (mut maps, mut entry) = (maps.iter(), 0);
    for row in 0..rows {
        if !mask.is_none_or(|mask| mask[row]) {
            continue;
        }
        let &(count, _) = maps.next().ok_or_else(malformed)?;
        for _ in 0..count / 2 {
            let (mask, values) = &mut columns[places[entry]];
            mask[row] = true;
            values.push(items[2 * entry + 1]);
            entry += 1;
        }
    }
    let fields = keys.iter().zip(columns).map(|(key, (mask, values))| {
        let mask = (values.len() < rows).then_some(&mask[..]);
        let array = array_of(&values, mask, slots, nested + 1)?;
        ArrowField::new(key, array).ok_or_else(|| no_name(key))
    });
    let fields = fields.collect::<Result<Vec<_>>>()?;
    Ok(ColumnArray::new(ArrowType::Struct, rows)
        .with_buffers(mask, [])
        .with_children(fields))
}

/// The error of a key that cannot be a name in Arrow.
#[cold]
pub(super) fn no_name(key: &str) -> Error {
    Error::new(ErrorKind::UnsupportedType)
        .with_path(String::from(key))
        .with_detail("a name in Arrow has no byte 00")
}

/// Returns the one value of a plain message; `None` if that is not valid.
pub(super) fn array_of_message(message: &[u8], slots: &mut Slots) -> Option<Result<ColumnArray>> {
    let values = cut(message, 1).ok()?;
    Some(array_of_values(&values, None, slots))
}
