//! Slices and arrays.

use super::{bound_of_levels, packable_as_inner};
use crate::typed::pack::UNKNOWN_BOUND;
use crate::typed::raw::Bound;
use crate::typed::state::Step;
use crate::typed::{Failed, Packable, Reader, Unpackable, UnpackableBorrowed, Writer};

/// An array; a bin for bytes.
impl<T: Packable> Packable for [T] {
    const BOUND: Bound<[T]> = Bound::<[T]>::SLICE;

    #[inline]
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        if T::AS_BYTES.is() {
            return writer.bounded(self, Self::BOUND);
        }
        write_array(self, writer)
    }

    bound_of_levels!();

    #[inline]
    fn packed_len_bound_within(&self, levels: u32) -> usize {
        if T::AS_BYTES.is() || T::BOUND.is_fixed() {
            let each = if T::AS_BYTES.is() { 1 } else { T::BOUND.max() };
            return 5 + self.len().saturating_mul(each);
        }
        let Some(levels) = levels.checked_sub(1) else {
            return UNKNOWN_BOUND;
        };
        if self.len() < 2 * FEW {
            return sum(self.iter(), levels).wrapping_add(5);
        }
        // Elements that are far apart, because neighbours are often similar.
        let few = self.iter().step_by(self.len() / FEW).take(FEW);
        bound_of_all(sum(few, levels) / FEW, self.len())
    }
}

/// Number of elements of a long array from which its bound is estimated. A power of two: on a small
/// array a division takes longer than an element.
const FEW: usize = 8;

#[inline]
fn sum<'v, T: Packable + 'v>(values: impl Iterator<Item = &'v T>, levels: u32) -> usize {
    values.fold(0, |sum, value| sum.wrapping_add(value.packed_len_bound_within(levels)))
}

/// Returns the bound of a collection from that of some of its elements: reading a large collection
/// twice costs more than a better bound saves.
#[inline]
pub(super) fn bound_of_all(each: usize, count: usize) -> usize {
    /// From this size on, growing a buffer costs little.
    const MAX: usize = 1 << 20;
    each.saturating_mul(count).min(MAX.max(each)).wrapping_add(5)
}

#[inline]
pub(crate) fn write_array<T: Packable>(values: &[T], writer: &mut Writer<'_>) -> Result<(), Failed> {
    if !T::BOUND.exists() {
        writer.descend()?;
    }
    writer.nested(|writer| {
        writer.array_header(values.len())?;
        if T::BOUND.is_fixed() {
            return writer.bounded_slice(values, T::BOUND);
        }
        for (index, value) in values.iter().enumerate() {
            if let Err(failed) = value.pack_into(writer) {
                return Err(writer.within(Step::Index(index), failed));
            }
        }
        Ok(())
    })
}

packable_as_inner!([T: Packable, const N: usize] [T; N], [T], |values| values);

macro_rules! array {
    ($trait:ident, $reader:ty $(, $de:lifetime)?) => {
        /// An array of exactly N elements; for bytes a bin too.
        impl<$($de,)? T: $trait$(<$de>)?, const N: usize> $trait$(<$de>)? for [T; N] {
            #[inline]
            fn unpack_from(reader: &mut $reader) -> Result<Self, Failed> {
                T::unpack_array(reader)
            }
        }
    };
}

array!(Unpackable, Reader<'_>);
array!(UnpackableBorrowed, Reader<'de>, 'de);
