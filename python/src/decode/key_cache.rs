//! A cache of short keys, for the life of the process: maps of three keys take .62 of the time.

use crate::cpython::object::{Obj, cached_utf8, keep_utf8, new_ref};
use crate::cpython::shared::Cache;
use crate::wire::text;
use pyo3::ffi;

/// Longer keys are made again each time.
const LONGEST: usize = 64;
/// Each key has two places that it can be in.
const SETS: usize = 1024;

#[derive(Clone, Copy)]
struct KeySlot {
    key: Obj,
    /// The UTF-8 of the key, which the key keeps.
    text: *const u8,
    length: usize,
    first: u64,
    last: u64,
}

static CACHE: Cache<[[KeySlot; 2]; SETS]> = Cache::new(
    [[KeySlot {
        key: std::ptr::null_mut(),
        text: std::ptr::null(),
        length: 0,
        first: 0,
        last: 0,
    }; 2]; SETS],
);

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
    // The names of fields differ in a digit or two: each bit must reach all of the index.
    let mixed = first.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (last ^ length as u64)
            .wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
            .rotate_left(32);
    let hash = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let place = (hash >> 54) as usize % SETS;
    let Some(mut sets) = CACHE.enter() else {
        return make(at, length);
    };
    let set = sets.get_unchecked_mut(place);
    for slot in &*set {
        if slot.first == first
            && slot.last == last
            && slot.length == length
            && (length <= 16 || same(slot.text, at, length))
        {
            return new_ref(slot.key);
        }
    }
    miss(set, at, length)
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
unsafe fn miss(set: &mut [KeySlot; 2], at: *const u8, length: usize) -> Obj {
    let key = make(at, length);
    if key.is_null() {
        return key;
    }
    if cached_utf8(key).is_none() {
        keep_utf8(key, std::slice::from_raw_parts(at, length));
    }
    if let Some(text) = cached_utf8(key) {
        let (first, last) = words(at, length);
        let filled = KeySlot {
            key: new_ref(key),
            text: text.as_ptr(),
            length,
            first,
            last,
        };
        let newer = std::mem::replace(&mut set[0], filled);
        let old = std::mem::replace(&mut set[1], newer);
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
