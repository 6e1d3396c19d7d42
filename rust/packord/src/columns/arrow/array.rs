//! An array of Arrow: its buffers, and the arrays in it.

use super::raw::{ArrowNumber, SharedBytes};
use super::types::{ArrowType, Offsets};
use alloc::boxed::Box;
use alloc::ffi::CString;
use alloc::vec::Vec;

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

/// An array with its name.
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
        Some(ArrowField {
            name,
            nullable: true,
            array,
        })
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
    pub fn with_buffers<const N: usize>(
        mut self,
        mask: Mask<'_>,
        buffers: [SharedBytes; N],
    ) -> ColumnArray {
        self.nulls = mask.map_or(0, |mask| mask.iter().filter(|&&is| !is).count());
        self.buffers.push(mask.map(bitmap));
        self.buffers.extend(buffers.map(Some));
        self
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
        if has {
            bit(self.buffer(0), at)
        } else {
            Some(true)
        }
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
        let bits = bits.iter().rev();
        bits.fold(0, |byte, &is| byte << 1 | u8::from(is))
    };
    let eights = bits.chunks_exact(8);
    let last = byte(eights.remainder());
    SharedBytes::of_numbers(eights.map(byte).chain([last]).collect())
}

/// Returns the numbers with a place for each null.
fn spread<T: Copy + Default>(values: Vec<T>, mask: Mask<'_>) -> Vec<T> {
    let Some(mask) = mask else { return values };
    let mut next = 0;
    let spread = mask.iter().map(|&has| {
        let value = values.get(next).copied().unwrap_or_default();
        next += usize::from(has);
        if has { value } else { T::default() }
    });
    spread.collect()
}

/// Returns an array of numbers.
pub(super) fn number_array<T: ArrowNumber>(
    ty: ArrowType,
    values: Vec<T>,
    mask: Mask<'_>,
) -> ColumnArray {
    let values = spread(values, mask);
    ColumnArray::new(ty, values.len()).with_buffers(mask, [SharedBytes::of_numbers(values)])
}

/// Returns integers as those of 32 bits where these hold all, else of 64.
pub(super) fn integer_array(values: Vec<i64>, mask: Mask<'_>) -> ColumnArray {
    let (min, max) = values
        .iter()
        .fold((0, 0), |(min, max): (i64, i64), &value| {
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

/// Returns an array of booleans.
pub(super) fn bool_array(values: Vec<bool>, mask: Mask<'_>) -> ColumnArray {
    let values = spread(values, mask);
    ColumnArray::new(ArrowType::Bool, values.len()).with_buffers(mask, [bitmap(&values)])
}

/// Offsets: where each value begins, and where the last one ends.
#[derive(Debug)]
pub(super) struct OffsetList(Vec<i64>);

impl OffsetList {
    /// Returns the offsets of values of these sizes; `None` where the sum is too large.
    pub fn of(sizes: impl ExactSizeIterator<Item = usize>) -> Option<OffsetList> {
        let mut offsets = OffsetList::with_capacity(sizes.len());
        for size in sizes {
            offsets.push(offsets.end().checked_add(size)?);
        }
        Some(offsets)
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

    /// Returns the offsets with nulls as empty values, and whether they need 64 bits.
    pub fn buffer(&self, mask: Mask<'_>) -> (SharedBytes, Offsets) {
        let mut next = 0;
        let spread: Option<Vec<i64>> = mask.map(|mask| {
            let ends = mask.iter().map(|&has| {
                next += usize::from(has);
                self.0.get(next).copied().unwrap_or(0)
            });
            core::iter::once(0).chain(ends).collect()
        });
        if i32::try_from(self.end()).is_ok() {
            let offsets = spread.as_ref().unwrap_or(&self.0);
            let narrow: Vec<i32> = offsets.iter().map(|&offset| offset as i32).collect();
            return (SharedBytes::of_numbers(narrow), Offsets::Small);
        }
        let wide = spread.unwrap_or_else(|| self.0.clone());
        (SharedBytes::of_numbers(wide), Offsets::Large)
    }

    /// Returns the offsets in this size; `None` if they are too large for it.
    #[cfg(all(feature = "container", feature = "notation"))]
    pub fn sized(self, size: Offsets) -> Option<SharedBytes> {
        if size == Offsets::Large {
            return Some(SharedBytes::of_numbers(self.0));
        }
        i32::try_from(self.end()).ok()?;
        let narrow = self.0.iter().map(|&offset| offset as i32);
        Some(SharedBytes::of_numbers(narrow.collect()))
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

/// Returns an array of strings or bytes.
pub(super) fn bytes_array(
    is_text: bool,
    offsets: &OffsetList,
    bytes: SharedBytes,
    mask: Mask<'_>,
) -> ColumnArray {
    let (buffer, size) = offsets.buffer(mask);
    let ty = if is_text {
        ArrowType::Utf8(size)
    } else {
        ArrowType::Binary(size)
    };
    ColumnArray::new(ty, offsets.rows(mask)).with_buffers(mask, [buffer, bytes])
}

/// Returns an array of lists of what `items` has.
pub(super) fn list_array(offsets: &OffsetList, items: ColumnArray, mask: Mask<'_>) -> ColumnArray {
    let (buffer, size) = offsets.buffer(mask);
    ColumnArray::new(ArrowType::List(size), offsets.rows(mask))
        .with_buffers(mask, [buffer])
        .with_children(ArrowField::new("item", items).into_iter().collect())
}

/// Returns an array of maps. Where a key is null, Arrow has a list of entries for that, and no map.
pub(super) fn map_array(
    offsets: &OffsetList,
    keys: ColumnArray,
    values: ColumnArray,
    mask: Mask<'_>,
) -> ColumnArray {
    let (buffer, size) = offsets.buffer(mask);
    let is_map = size == Offsets::Small && keys.nulls == 0 && keys.ty.has_validity();
    let count = keys.len;
    let mut fields: Vec<ArrowField> = ArrowField::new("key", keys)
        .into_iter()
        .chain(ArrowField::new("value", values))
        .collect();
    fields[0].nullable = !is_map;
    let entries = ColumnArray::new(ArrowType::Struct, count)
        .with_buffers(None, [])
        .with_children(fields);
    let mut entries: Vec<ArrowField> = ArrowField::new("entries", entries).into_iter().collect();
    entries[0].nullable = false;
    let ty = if is_map {
        ArrowType::Map
    } else {
        ArrowType::List(size)
    };
    ColumnArray::new(ty, offsets.rows(mask))
        .with_buffers(mask, [buffer])
        .with_children(entries)
}
