//! An array of Arrow: its buffers, and the arrays in it.

use super::raw::{ArrowNumber, SharedBytes};
use super::types::{ArrowType, Offsets};
use alloc::boxed::Box;
use alloc::ffi::CString;
use alloc::vec::Vec;
use core::ffi::CStr;
use core::ops::Range;

/// An array of `len` rows, which begin at row `offset` of the buffers.
#[derive(Clone, Debug)]
pub(crate) struct ColumnArray {
    pub ty: ArrowType,
    pub len: usize,
    pub offset: usize,
    pub nulls: usize,
    /// In the order of the C data interface. The bitmap of validity is `None` if no row is null.
    pub buffers: Vec<Option<SharedBytes>>,
    pub children: Vec<ArrowField>,
    pub dictionary: Option<Box<ColumnArray>>,
}

#[derive(Clone, Debug)]
pub(crate) struct ArrowField {
    pub name: CString,
    pub nullable: bool,
    pub array: ColumnArray,
}

impl ArrowField {
    /// A name without a byte 00.
    pub fn new(name: &str, array: ColumnArray) -> Option<ArrowField> {
        let name = CString::new(name).ok()?;
        Some(ArrowField::of(&name, true, array))
    }

    pub fn of(name: &CStr, nullable: bool, array: ColumnArray) -> ArrowField {
        ArrowField {
            name: name.into(),
            nullable,
            array,
        }
    }
}

impl ColumnArray {
    /// Returns an array that has nothing but its type and length yet.
    pub fn new(ty: ArrowType, len: usize) -> ColumnArray {
        ColumnArray {
            nulls: if ty == ArrowType::Null { len } else { 0 },
            ty,
            len,
            offset: 0,
            buffers: Vec::new(),
            children: Vec::new(),
            dictionary: None,
        }
    }

    /// Adds the bitmap of validity by a mask, and what follows it.
    pub fn with_buffers<const N: usize>(mut self, mask: Mask<'_>, buffers: [SharedBytes; N]) -> ColumnArray {
        self.nulls = mask.map_or(0, |mask| mask.iter().filter(|&&is| !is).count());
        self.buffers.push(mask.map(bitmap));
        self.buffers.extend(buffers.map(Some));
        self
    }

    /// Returns rows of these columns.
    pub fn of_fields(rows: usize, fields: Vec<ArrowField>, mask: Mask<'_>) -> ColumnArray {
        ColumnArray::new(ArrowType::Struct, rows)
            .with_buffers(mask, [])
            .with_children(fields)
    }

    pub fn with_children(mut self, children: Vec<ArrowField>) -> ColumnArray {
        self.children = children;
        self
    }

    /// Returns the bytes of buffer `index`, none if it is absent.
    pub fn buffer(&self, index: usize) -> &[u8] {
        let buffer = self.buffers.get(index).and_then(Option::as_ref);
        buffer.map_or(&[], SharedBytes::as_slice)
    }

    /// Returns element `index` of a buffer.
    pub fn element<const N: usize>(&self, buffer: usize, index: usize) -> Option<[u8; N]> {
        let begin = index.checked_mul(N)?;
        self.buffer(buffer).get(begin..)?.first_chunk().copied()
    }

    /// Returns whether the element `at` of the buffers has a value; `None` without such an element.
    pub fn is_valid(&self, at: usize) -> Option<bool> {
        let has = self.ty.has_validity() && self.buffers.first().is_some_and(Option::is_some);
        if has { bit(self.buffer(0), at) } else { Some(true) }
    }
}

/// Returns a bit, the lowest of a byte first.
pub(super) fn bit(bytes: &[u8], at: usize) -> Option<bool> {
    bytes.get(at / 8).map(|byte| byte >> (at % 8) & 1 == 1)
}

/// Which rows have a value: value i belongs to the i-th of them. `None` if all have.
pub(super) type Mask<'m> = Option<&'m [bool]>;

/// Returns bits, the lowest of a byte first.
pub(super) fn bitmap(bits: &[bool]) -> SharedBytes {
    let byte = |bits: &[bool]| {
        let bytes = bits.iter().enumerate();
        let word = bytes.fold(0, |word, (at, &is)| word | u64::from(is) << (8 * at));
        // The product has the lowest bits of the eight bytes, one after another, in its highest byte.
        (word.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
    };
    let eights = bits.chunks_exact(8);
    let rest = eights.remainder();
    let last = (!rest.is_empty()).then(|| byte(rest));
    SharedBytes::of_numbers(eights.map(byte).chain(last).collect())
}

/// Returns the values with a place for each row that has none.
pub(super) fn spread<T: Copy>(values: Vec<T>, mask: Mask<'_>, missing: T) -> Vec<T> {
    let Some(mask) = mask else { return values };
    let mut next = 0;
    let spread = mask.iter().map(|&has| {
        let value = values.get(next).copied().unwrap_or(missing);
        next += usize::from(has);
        if has { value } else { missing }
    });
    spread.collect()
}

pub(super) fn number_array<T: ArrowNumber>(ty: ArrowType, values: Vec<T>, mask: Mask<'_>) -> ColumnArray {
    let values = spread(values, mask, T::default());
    ColumnArray::new(ty, values.len()).with_buffers(mask, [SharedBytes::of_numbers(values)])
}

/// Returns integers as those of 32 bits where these hold all, else of 64.
pub(super) fn integer_array(values: Vec<i64>, mask: Mask<'_>) -> ColumnArray {
    let (min, max) = values.iter().fold((0, 0), |(min, max): (i64, i64), &value| {
        (min.min(value), max.max(value))
    });
    let int = |bytes, signed| ArrowType::Int { bytes, signed };
    if i32::try_from(min).is_ok() && i32::try_from(max).is_ok() {
        let narrow: Vec<i32> = values.iter().map(|&value| value as i32).collect();
        number_array(int(4, true), narrow, mask)
    } else if min == 0 && u32::try_from(max).is_ok() {
        let narrow: Vec<u32> = values.iter().map(|&value| value as u32).collect();
        number_array(int(4, false), narrow, mask)
    } else {
        number_array(int(8, true), values, mask)
    }
}

pub(super) fn bool_array(values: Vec<bool>, mask: Mask<'_>) -> ColumnArray {
    let values = spread(values, mask, false);
    ColumnArray::new(ArrowType::Bool, values.len()).with_buffers(mask, [bitmap(&values)])
}

/// Offsets: where each value begins, and where the last one ends.
#[derive(Debug)]
pub(super) struct OffsetList(Vec<i64>);

impl OffsetList {
    /// Returns the offsets of values of these sizes; `None` where the sum is too large.
    pub fn of(sizes: impl ExactSizeIterator<Item = usize>) -> Option<OffsetList> {
        let mut offsets = OffsetList::with_capacity(sizes.len());
        let mut end = 0_i64;
        offsets.0.extend(sizes.map(|size| {
            end = end.saturating_add(size as i64);
            end
        }));
        (end < i64::MAX).then_some(offsets)
    }

    pub fn with_capacity(rows: usize) -> OffsetList {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        OffsetList(offsets)
    }

    /// Adds the end of the next value.
    pub fn push(&mut self, end: usize) {
        self.0.push(end as i64);
    }

    pub fn end(&self) -> usize {
        self.0.last().map_or(0, |&end| end as usize)
    }

    /// Returns the offsets with nulls as empty values, in `size` or as they fit.
    pub fn buffer(self, mask: Mask<'_>, size: Option<Offsets>) -> (SharedBytes, Offsets) {
        let is_small = size != Some(Offsets::Large) && i32::try_from(self.end()).is_ok();
        let mut next = 0;
        let offsets = match mask {
            Some(mask) => {
                let ends = mask.iter().map(|&has| {
                    next += usize::from(has);
                    self.0.get(next).copied().unwrap_or(0)
                });
                core::iter::once(0).chain(ends).collect()
            }
            None => self.0,
        };
        if is_small {
            let narrow: Vec<i32> = offsets.iter().map(|&offset| offset as i32).collect();
            return (SharedBytes::of_numbers(narrow), Offsets::Small);
        }
        (SharedBytes::of_numbers(offsets), Offsets::Large)
    }

    /// Returns the offsets in this size; `None` if they are too large for it.
    #[cfg(all(feature = "container", feature = "notation"))]
    pub fn sized(self, size: Offsets) -> Option<SharedBytes> {
        let (buffer, found) = self.buffer(None, Some(size));
        (found == size).then_some(buffer)
    }

    /// Returns the range of each value.
    #[cfg(all(feature = "container", feature = "notation"))]
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let ranges = self.0.windows(2);
        ranges.map(|range| range[0] as usize..range[1] as usize)
    }

    /// Returns the row that element `at` is in, and the first element of that row.
    #[cfg(all(feature = "container", feature = "notation"))]
    pub fn around(&self, at: usize) -> (usize, usize) {
        let row = self.0.partition_point(|&offset| offset as usize <= at) - 1;
        (row, self.0[row] as usize)
    }

    /// Returns the number of rows.
    pub fn rows(&self, mask: Mask<'_>) -> usize {
        mask.map_or(self.0.len() - 1, <[bool]>::len)
    }
}

/// Returns an array of strings or bytes, with offsets of `size` or as they fit.
pub(super) fn bytes_array(
    is_text: bool,
    offsets: OffsetList,
    bytes: SharedBytes,
    mask: Mask<'_>,
    size: Option<Offsets>,
) -> ColumnArray {
    let rows = offsets.rows(mask);
    let (buffer, size) = offsets.buffer(mask, size);
    ColumnArray::new(bytes_type(is_text, size), rows).with_buffers(mask, [buffer, bytes])
}

pub(super) fn bytes_type(is_text: bool, size: Offsets) -> ArrowType {
    if is_text {
        ArrowType::Utf8(size)
    } else {
        ArrowType::Binary(size)
    }
}

/// Returns the buffers of values that are [views](view) of some bytes.
pub(super) fn view_buffers(views: Vec<i128>, bytes: SharedBytes) -> [SharedBytes; 3] {
    // The last buffer says how large the one before is.
    let sizes = alloc::vec![bytes.as_slice().len() as i64];
    let (views, sizes) = (SharedBytes::of_numbers(views), SharedBytes::of_numbers(sizes));
    [views, bytes, sizes]
}

/// The most bytes of a value that its view has itself.
pub(super) const SHORT: usize = 12;

/// Returns the view of a value: its size, then itself, or its first four bytes, the number of the buffer and the place in it.
/// `None` if it is not within the bytes, or these are too many.
pub(super) fn view(bytes: &[u8], range: Range<usize>) -> Option<i128> {
    let value = bytes.get(range.clone())?;
    let mut view = [0; 16];
    if value.len() <= SHORT {
        // To mask 16 bytes is faster than to copy a few.
        let more = bytes[range.start..].first_chunk::<16>();
        let kept = (1_u128 << (8 * value.len())) - 1;
        match more {
            Some(more) => view = ((u128::from_le_bytes(*more) & kept) << 32).to_le_bytes(),
            None => view[4..4 + value.len()].copy_from_slice(value),
        }
    } else {
        view[4..8].copy_from_slice(&value[..4]);
        view[12..].copy_from_slice(&i32::try_from(range.start).ok()?.to_ne_bytes());
    }
    view[..4].copy_from_slice(&i32::try_from(value.len()).ok()?.to_ne_bytes());
    Some(i128::from_ne_bytes(view))
}

pub(super) fn list_array(offsets: OffsetList, items: ColumnArray, mask: Mask<'_>) -> ColumnArray {
    let rows = offsets.rows(mask);
    let (buffer, size) = offsets.buffer(mask, None);
    ColumnArray::new(ArrowType::List(size), rows)
        .with_buffers(mask, [buffer])
        .with_children([ArrowField::of(c"item", true, items)].into())
}

/// Returns an array of maps. Where a key is null, Arrow has a list of entries for that, and no map.
pub(super) fn map_array(offsets: OffsetList, keys: ColumnArray, values: ColumnArray, mask: Mask<'_>) -> ColumnArray {
    let rows = offsets.rows(mask);
    let (buffer, size) = offsets.buffer(mask, None);
    let is_map = size == Offsets::Small && keys.nulls == 0 && keys.ty.has_validity();
    let count = keys.len;
    let fields = [
        ArrowField::of(c"key", !is_map, keys),
        ArrowField::of(c"value", true, values),
    ];
    let entries = ColumnArray::of_fields(count, fields.into(), None);
    let ty = if is_map { ArrowType::Map } else { ArrowType::List(size) };
    ColumnArray::new(ty, rows)
        .with_buffers(mask, [buffer])
        .with_children([ArrowField::of(c"entries", false, entries)].into())
}

#[cfg(test)]
mod tests {
    use super::super::rows::write_row;
    use super::*;
    use crate::wire::Store;

    #[test]
    fn a_view_is_the_value_wherever_it_is() {
        let text = "0123456789abcdefghij, Zürich";
        for begin in 0..text.len() {
            for end in begin..=text.len() {
                let Some(value) = text.get(begin..end) else {
                    continue;
                };
                let views = alloc::vec![view(text.as_bytes(), begin..end).unwrap()];
                let bytes = SharedBytes::of(text);
                let array =
                    ColumnArray::new(ArrowType::Utf8(Offsets::View), 1).with_buffers(None, view_buffers(views, bytes));
                let (mut found, mut expected) = (Vec::new(), Vec::new());
                write_row(&array, 0, &mut found).unwrap();
                expected.put_str(value.as_bytes()).unwrap();
                assert_eq!(found, expected, "{begin}..{end}");
            }
        }
        assert_eq!(view(text.as_bytes(), 0..text.len() + 1), None);
    }

    #[test]
    fn bits_are_in_their_order() {
        let bits: Vec<bool> = (0..70).map(|n| n * n % 7 < 3).collect();
        for len in 0..bits.len() {
            let found = bitmap(&bits[..len]);
            assert_eq!(found.as_slice().len(), len.div_ceil(8));
            for (at, &is) in bits[..len].iter().enumerate() {
                assert_eq!(bit(found.as_slice(), at), Some(is));
            }
        }
    }
}
