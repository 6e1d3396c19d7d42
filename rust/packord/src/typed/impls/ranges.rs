//! Ranges and results.

use super::forms::{read_pair, read_variant, write_pair, write_variant};
use super::{bound_of_levels, unpackable};
use crate::typed::{Failed, Packable, Writer};
use core::ops::{Range, RangeInclusive};

const NAMES: [&str; 2] = ["start", "end"];

macro_rules! range {
    ($type:ident, |$range:ident| $ends:expr, $make:expr) => {
        /// An array of the start and the end.
        impl<T: Packable> Packable for $type<T> {
            fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
                let $range = self;
                write_pair(writer, NAMES, $ends)
            }

            bound_of_levels!();

            fn packed_len_bound_within(&self, levels: u32) -> usize {
                let $range = self;
                $ends.into_iter().fold(1, |sum: usize, end| {
                    sum.wrapping_add(end.packed_len_bound_within(levels))
                })
            }
        }

        // From the same, or from a map of the two.
        unpackable!([T] $type<T>, leaf false, min_len 3, |reader| {
            let (start, end) = read_pair(reader, NAMES, T::unpack_from, T::unpack_from)?;
            Ok($make(start, end))
        });
    };
}

range!(Range, |range| [&range.start, &range.end], |start, end| { start..end });
range!(
    RangeInclusive,
    |range| [range.start(), range.end()],
    RangeInclusive::new
);

/// A map from `Ok` or `Err` to the value, as an enum.
impl<T: Packable, E: Packable> Packable for Result<T, E> {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        match self {
            Ok(value) => write_variant(writer, "Ok", value),
            Err(error) => write_variant(writer, "Err", error),
        }
    }

    bound_of_levels!();

    fn packed_len_bound_within(&self, levels: u32) -> usize {
        let content = match self {
            Ok(value) => value.packed_len_bound_within(levels),
            Err(error) => error.packed_len_bound_within(levels),
        };
        content.wrapping_add(5)
    }
}

unpackable!([T, E] Result<T, E>, leaf false, min_len 4, |reader| {
    read_variant(reader, ["Ok", "Err"], |reader, which| match which {
        0 => T::unpack_from(reader).map(Ok),
        _ => E::unpack_from(reader).map(Err),
    })
});
