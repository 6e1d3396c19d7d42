//! A cache of short ASCII keys, for the life of the process.

use pyo3::ffi;
use std::cell::UnsafeCell;

use crate::object::{Obj, ascii_data, new_ref};
use crate::wire::text;

/// Longer keys are made again each time.
const LONGEST: usize = 64;
const SLOTS: usize = 2048;

#[derive(Clone, Copy)]
struct KeySlot {
    key: Obj,
    length: u32,
    first: u64,
    last: u64,
}

struct KeyCache(UnsafeCell<[KeySlot; SLOTS]>);

// SAFETY: only used while the GIL is held.
unsafe impl Sync for KeyCache {}

static CACHE: KeyCache = KeyCache(UnsafeCell::new(
    [KeySlot {
        key: std::ptr::null_mut(),
        length: 0,
        first: 0,
        last: 0,
    }; SLOTS],
));

/// A new reference to a `str` of UTF-8 bytes that has been hashed. Null when they are ill-formed
/// (no Python error is set) or memory is exhausted (one is).
///
/// Up to 16 bytes the first and the last word are the whole key; they also choose the slot. Who
/// crafts keys that share a slot gets them made again, and no more than that.
#[inline(always)]
pub unsafe fn key(at: *const u8, length: usize) -> Obj {
    if length == 0 || length > LONGEST {
        return make(at, length);
    }
    let (first, last) = words(at, length);
    let hash = first.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (last ^ length as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    let slot = (*CACHE.0.get())
        .as_mut_ptr()
        .add((hash >> 48 ^ hash >> 21) as usize % SLOTS);
    if (*slot).first == first
        && (*slot).last == last
        && (*slot).length == length as u32
        && (length <= 16 || same(ascii_data((*slot).key), at, length))
    {
        return new_ref((*slot).key);
    }
    miss(
        slot,
        KeySlot {
            key: std::ptr::null_mut(),
            length: length as u32,
            first,
            last,
        },
        at,
    )
}

/// The first and the last eight bytes, which may overlap; shorter keys in one word.
#[inline(always)]
unsafe fn words(at: *const u8, length: usize) -> (u64, u64) {
    let word = |offset: usize| (at.add(offset) as *const u64).read_unaligned();
    let half = |offset: usize| u64::from((at.add(offset) as *const u32).read_unaligned());
    if length >= 8 {
        (word(0), word(length - 8))
    } else if length >= 4 {
        (half(0) | half(length - 4) << 32, 0)
    } else {
        let byte = |offset: usize| u64::from(*at.add(offset));
        (byte(0) | byte(length >> 1) << 8 | byte(length - 1) << 16, 0)
    }
}

#[inline(always)]
unsafe fn same(a: *const u8, b: *const u8, length: usize) -> bool {
    std::slice::from_raw_parts(a, length) == std::slice::from_raw_parts(b, length)
}

#[inline(never)]
unsafe fn miss(slot: *mut KeySlot, mut filled: KeySlot, at: *const u8) -> Obj {
    let length = filled.length as usize;
    let key = make(at, length);
    if !key.is_null() && ffi::PyUnicode_IS_COMPACT_ASCII(key) != 0 {
        filled.key = new_ref(key);
        let old = std::mem::replace(&mut *slot, filled);
        ffi::Py_XDECREF(old.key);
    }
    key
}

#[inline(never)]
unsafe fn make(at: *const u8, length: usize) -> Obj {
    let key = text::decode(at, length);
    if !key.is_null() && ffi::PyObject_Hash(key) == -1 {
        ffi::Py_DECREF(key);
        return std::ptr::null_mut();
    }
    key
}
