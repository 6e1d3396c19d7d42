//! Text: from UTF-8 to `str` and back.

use pyo3::ffi;

use super::transcode::{self, Text, Unit};
use super::writer::{NoMemory, Writer};
use crate::cpython::object::{Obj, ascii_data, keep_utf8, wide_data};
use crate::cpython::shared::Cache;

/// Whether all bytes are below 80.
#[inline(always)]
pub unsafe fn is_ascii(text: *const u8, length: usize) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let word = |at: usize| (text.add(at) as *const u64).read_unaligned();
    if length >= 8 {
        let mut at = 0;
        // Compiled to vectors; returns early from a long string that isn't ASCII.
        while at + 128 <= length {
            let block = &*(text.add(at) as *const [u8; 128]);
            if block.iter().fold(0, |bits, byte| bits | byte) >= 0x80 {
                return false;
            }
            at += 128;
        }
        let mut bits = word(length - 8);
        while at + 32 <= length {
            bits |= word(at) | word(at + 8) | word(at + 16) | word(at + 24);
            at += 32;
        }
        while at + 8 <= length {
            bits |= word(at);
            at += 8;
        }
        return bits & HIGH == 0;
    }
    if length >= 4 {
        let half = |at: usize| (text.add(at) as *const u32).read_unaligned();
        return (half(0) | half(length - 4)) & HIGH as u32 == 0;
    }
    let mut bits = 0;
    for at in 0..length {
        bits |= *text.add(at);
    }
    bits < 0x80
}

/// A new `str` of UTF-8 bytes. Null when they are ill-formed (no Python error is set) or memory
/// is exhausted (one is).
#[inline(always)]
pub unsafe fn decode(text: *const u8, length: usize) -> Obj {
    if !is_ascii(text, length) {
        return decode_wide(text, length);
    }
    if length < 2 {
        // The empty str and those of one character are shared.
        return ffi::PyUnicode_FromStringAndSize(text.cast(), length as isize);
    }
    let string = ffi::PyUnicode_New(length as isize, 127);
    if !string.is_null() {
        std::ptr::copy_nonoverlapping(text, ascii_data(string), length);
    }
    string
}

#[inline(never)]
unsafe fn decode_wide(text: *const u8, length: usize) -> Obj {
    let bytes = std::slice::from_raw_parts(text, length);
    let Some(mut text) = Text::new(bytes) else {
        return std::ptr::null_mut();
    };
    let largest = match (text.above_ff, text.above_ffff) {
        (false, _) => 0xff,
        (true, false) => 0xffff,
        (true, true) => 0x0010_ffff,
    };
    let string = ffi::PyUnicode_New(text.count as isize, largest);
    if string.is_null() {
        return string;
    }
    let data = wide_data(string);
    match largest {
        0xff => text.read(data as *mut u8),
        0xffff => text.read(data as *mut u16),
        _ => text.read(data as *mut u32),
    }
    string
}

/// Offset of the first ill-formed sequence, if there is one.
pub fn first_ill_formed(bytes: &[u8]) -> Option<usize> {
    std::str::from_utf8(bytes).err().map(|error| error.valid_up_to())
}

pub enum TextError {
    Surrogate,
    NoMemory,
}

impl From<NoMemory> for TextError {
    fn from(_: NoMemory) -> TextError {
        TextError::NoMemory
    }
}

/// How many strings are remembered.
const SEEN: usize = 4096;

/// The strings that were packed last, by what they look like.
static PACKED: Cache<([u64; SEEN], bool)> = Cache::new(([0; SEEN], false));

/// Returns whether the same `str` was packed not long ago, as far as its address, size and first
/// and last bytes tell. A mistake has CPython keep some UTF-8 in vain.
#[inline(always)]
unsafe fn packed_before(string: Obj, data: &[u8]) -> bool {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let word = |at: usize| (data.as_ptr().add(at) as *const u64).read_unaligned();
    let ends = if data.len() >= 8 {
        word(0) ^ word(data.len() - 8)
    } else {
        data.iter().fold(0, |word, &byte| word << 8 | u64::from(byte))
    };
    let place = (string as u64 ^ (data.len() as u64) << 40).wrapping_mul(MIX);
    let seen = (place ^ ends).wrapping_mul(MIX);
    let Some(mut packed) = PACKED.enter() else {
        return false;
    };
    let (table, replace) = &mut *packed;
    let slot = table.get_unchecked_mut((place >> 52) as usize % SEEN);
    if *slot == seen {
        return true;
    }
    // Every other time, or two strings with the same slot would drive each other out for ever.
    *replace ^= true;
    if *replace || *slot == 0 {
        *slot = seen;
    }
    false
}

/// Writes a `str` that CPython has no UTF-8 of. One that is packed again and again, as keys are, is
/// made to keep it: maps with German keys take .54 of the time. Others are left as they are.
#[inline(never)]
pub unsafe fn encode_wide(out: &mut Writer, string: Obj, replace: bool) -> Result<(), TextError> {
    let count = ffi::PyUnicode_GET_LENGTH(string) as usize;
    let data = ffi::PyUnicode_DATA(string) as *const u8;
    let size = ffi::PyUnicode_KIND(string) as usize;
    let keep = packed_before(string, std::slice::from_raw_parts(data, count * size));
    let start = match size {
        1 => encode_units(out, std::slice::from_raw_parts(data, count), replace),
        2 => encode_units(out, std::slice::from_raw_parts(data as *const u16, count), replace),
        _ => encode_units(out, std::slice::from_raw_parts(data as *const u32, count), replace),
    }?;
    if keep && !replace {
        keep_utf8(string, &out.written()[start..]);
    }
    Ok(())
}

/// Returns where the payload begins in the output.
unsafe fn encode_units<U: Unit>(out: &mut Writer, units: &[U], replace: bool) -> Result<usize, TextError> {
    let length = transcode::utf8_length(units, replace);
    out.reserve(length)?;
    out.str_header(length);
    let start = out.len();
    let end = transcode::write(units, out.cursor(), replace).ok_or(TextError::Surrogate)?;
    out.set_cursor(end);
    Ok(start)
}
