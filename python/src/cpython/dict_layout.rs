//! The table of a `dict` whose keys are all `str`, as CPython 3.11 to 3.13 have it in
//! `Include/internal/pycore_dict.h`.
//!
//! # Safety
//!
//! The caller holds the GIL and the owner of the table, and has checked that its `kind` is the one that
//! it expects. A pointer to entries is valid until code of Python runs.

use pyo3::ffi;

use super::object::Obj;

/// `PyDictKeysObject` up to its indices.
#[repr(C)]
pub(super) struct DictKeys {
    references: isize,
    log2_size: u8,
    log2_index_bytes: u8,
    pub kind: u8,
    version: u32,
    usable: isize,
    /// How many entries have been filled in.
    pub entries: isize,
}

/// `DICT_KEYS_UNICODE`: the table of one dict.
const UNICODE: u8 = 1;
/// `DICT_KEYS_SPLIT`: the names that the instances of a class share.
pub(super) const SPLIT: u8 = 2;

/// The first entry: key and value. In a shared table the values are unused.
#[inline(always)]
pub(super) unsafe fn entries(keys: *const DictKeys) -> *mut [Obj; 2] {
    let indices = keys.add(1) as *mut u8;
    indices.add(1 << (*keys).log2_index_bytes).cast()
}

/// The entries of a dict with a table of its own and `count` keys, all of them `str`.
#[inline(always)]
pub unsafe fn entries_of(dict: Obj, count: usize) -> Option<*mut [Obj; 2]> {
    let dict = dict as *mut ffi::PyDictObject;
    let keys = (*dict).ma_keys as *const DictKeys;
    let usual = (*dict).ma_values.is_null()
        && (*keys).kind == UNICODE
        && (*keys).entries as usize == count
        && (*dict).ma_used as usize == count;
    usual.then(|| entries(keys))
}
