//! The table of a `dict` whose keys are all `str`, as CPython 3.11 to 3.13 have it in
//! `Include/internal/pycore_dict.h`.
//!
//! # Safety
//!
//! The caller holds the GIL and the owner of the table, and has checked that its `kind` is the one that
//! it expects. A pointer to entries is valid until code of Python runs. An index of a [`DictCopy`] is below its number
//! of keys.

use pyo3::ffi;

use super::object::{Obj, Owned, type_of};

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
unsafe fn entries_of(dict: Obj, count: usize) -> Option<*mut [Obj; 2]> {
    let dict = dict as *mut ffi::PyDictObject;
    let keys = (*dict).ma_keys as *const DictKeys;
    let usual = (*dict).ma_values.is_null()
        && (*keys).kind == UNICODE
        && (*keys).entries as usize == count
        && (*dict).ma_used as usize == count;
    usual.then(|| entries(keys))
}

/// A copy of a dict whose keys are all `str`, into which other values are put in their order.
pub struct DictCopy {
    dict: Owned,
    entries: *mut [Obj; 2],
    /// A value has been put in that the garbage collector has to know of.
    tracked: bool,
}

impl DictCopy {
    /// `None`, without an error, if the dict has another layout, or when memory is short.
    #[inline(always)]
    pub unsafe fn of(dict: Obj, count: usize) -> Option<DictCopy> {
        let Some(dict) = Owned::take(ffi::PyDict_Copy(dict)) else {
            ffi::PyErr_Clear();
            return None;
        };
        let entries = entries_of(dict.get(), count)?;
        Some(DictCopy {
            dict,
            entries,
            tracked: false,
        })
    }

    /// The key of an entry, borrowed.
    #[inline(always)]
    pub unsafe fn key(&self, index: usize) -> Obj {
        (*self.entries.add(index))[0]
    }

    /// The value that has been put into an entry, borrowed.
    pub unsafe fn value(&self, index: usize) -> Obj {
        (*self.entries.add(index))[1]
    }

    /// Puts a value into an entry, and takes it over.
    #[inline(always)]
    pub unsafe fn put(&mut self, index: usize, value: Obj) {
        self.tracked |= ffi::PyType_HasFeature(type_of(value), ffi::Py_TPFLAGS_HAVE_GC) != 0;
        let old = std::mem::replace(&mut (*self.entries.add(index))[1], value);
        ffi::Py_DECREF(old);
    }

    /// The dict, all of whose values have been put in.
    #[inline(always)]
    pub unsafe fn finish(self) -> Obj {
        let dict = self.dict.release();
        if self.tracked && ffi::PyObject_GC_IsTracked(dict) == 0 {
            ffi::PyObject_GC_Track(dict.cast());
        }
        dict
    }
}
