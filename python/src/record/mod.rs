//! Record structures (`spec/records.md`): what a writer knows ([`Records`]) and what a reader knows
//! ([`Structures`]).
//!
//! # Safety
//!
//! The caller holds the GIL. Every key is an exact `str` that has been hashed, and is held by its
//! structure.

mod read;
mod write;

pub use read::Structures;
pub use write::{Head, Records};

use pyo3::ffi::PyUnicode_Compare;

use crate::cpython::object::{Obj, Owned};
use crate::wire::marker::*;

/// How many structures there can be, and how many of them shared: ids of two bytes beyond.
pub const MAX_STRUCTURES: usize = 8192;
pub const MAX_SHARED: usize = MAX_STRUCTURES - 32;

/// The keys of a structure, in their order; each an exact `str` that has been hashed.
pub struct Structure {
    pub names: Vec<Owned>,
}

impl Structure {
    unsafe fn same(&self, keys: &[Obj]) -> bool {
        let is_equal = |(name, &key): (&Owned, &Obj)| name.get() == key || PyUnicode_Compare(name.get(), key) == 0;
        self.names.len() == keys.len() && self.names.iter().zip(keys).all(is_equal)
    }
}

/// The index that an id of one or two bytes names.
pub fn index_of(low: u8, high: u8) -> usize {
    usize::from(low - FIRST_ID) + 32 * usize::from(high)
}
