//! Keys that were chosen so that their hashes are equal (`spec/limits.md` section 3).
//!
//! Python seeds the hashes of str and bytes, but not those of numbers and of tuples of numbers. Few
//! floats and integers of 64 bits share a hash, but any number of larger integers and of tuples can,
//! and a `dict` compares a new key with all keys of the same hash.

use std::collections::HashMap;

use pyo3::ffi;

use super::Decoder;
use crate::cpython::object::{Obj, type_of};
use crate::errors::{Kind, Raised};

/// What the keys of one `dict`, or the elements of one `set`, cost beyond the usual.
#[derive(Default)]
pub struct HashGuard {
    of_hash: HashMap<ffi::Py_hash_t, u64>,
    keys: u64,
    comparisons: u64,
}

impl HashGuard {
    /// The number of comparisons that are free: about a tenth of a millisecond.
    const FREE: u64 = 8192;
    /// The number of comparisons that each key may add, on average.
    const EACH: u64 = 8;

    /// Counts a key that has become one more of the `dict`. `length_limit` at the key when the
    /// keys were made to collide.
    #[inline(always)]
    pub unsafe fn add(&mut self, reader: &mut Decoder<'_>, key: Obj, at: usize) -> Result<(), Raised> {
        if type_of(key) == &raw mut ffi::PyUnicode_Type || !collides(key) {
            return Ok(());
        }
        self.count(reader, key, at)
    }

    #[inline(never)]
    unsafe fn count(&mut self, reader: &mut Decoder<'_>, key: Obj, at: usize) -> Result<(), Raised> {
        let hash = ffi::PyObject_Hash(key);
        if hash == -1 {
            return Err(reader.user(at, Kind::TypeMismatch, "the key cannot be hashed"));
        }
        let before = self.of_hash.entry(hash).or_default();
        self.comparisons += *before;
        *before += 1;
        self.keys += 1;
        if self.comparisons > Self::FREE + Self::EACH * self.keys {
            return Err(reader.fault_with(Kind::LengthLimit, at, "too many keys have the same hash"));
        }
        Ok(())
    }
}

/// Whether there can be any number of keys with the hash of this one.
unsafe fn collides(key: Obj) -> bool {
    let kind = type_of(key);
    if kind == &raw mut ffi::PyLong_Type {
        let mut overflow = 0;
        ffi::PyLong_AsLongLongAndOverflow(key, &raw mut overflow);
        return overflow != 0;
    }
    kind != &raw mut ffi::PyBytes_Type
        && kind != &raw mut ffi::PyFloat_Type
        && kind != &raw mut ffi::PyBool_Type
        && key != ffi::Py_None()
}
