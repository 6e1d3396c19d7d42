//! Vectors.

use super::packable_as_inner;
use super::unpackable;
use crate::typed::Packable;
use alloc::vec::Vec;

packable_as_inner!([T: Packable] Vec<T>, [T], |values| values);
// An array; for bytes a bin too. Empty ones are common.
unpackable!([T] Vec<T>, leaf false, min_len 1, quick |cursor| cursor.empty_array().then(Vec::new), |reader| T::unpack_vec(reader));
