//! Text: from UTF-8 to `str` and back.

use pyo3::ffi;

use super::transcode::{self, Unit};
use super::writer::{NoMemory, Writer};
use crate::object::{Obj, ascii_data};

/// Whether all bytes are below 80.
#[inline(always)]
pub unsafe fn is_ascii(text: *const u8, length: usize) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let word = |at: usize| (text.add(at) as *const u64).read_unaligned();
    if length >= 8 {
        let mut at = 0;
        // Compiled to vectors; long text that isn't ASCII is left early.
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
    if is_ascii(text, length) {
        decode_ascii(text, length)
    } else {
        decode_wide(text, length)
    }
}

#[inline(always)]
pub unsafe fn decode_ascii(text: *const u8, length: usize) -> Obj {
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
    if simdutf8::basic::from_utf8(bytes).is_err() {
        return std::ptr::null_mut();
    }
    let (count, lead) = transcode::measure(bytes);
    // The largest lead byte tells the width: up to c3 it is Latin-1, up to ef the basic plane.
    let largest = match lead {
        0..=0xc3 => 0xff,
        0xc4..=0xef => 0xffff,
        _ => 0x0010_ffff,
    };
    let string = ffi::PyUnicode_New(count as isize, largest);
    if string.is_null() {
        return string;
    }
    let data = (string as *mut ffi::PyCompactUnicodeObject).add(1);
    match largest {
        0xff => transcode::read(bytes, data as *mut u8, count),
        0xffff => transcode::read(bytes, data as *mut u16, count),
        _ => transcode::read(bytes, data as *mut u32, count),
    }
    string
}

/// Offset of the first ill-formed sequence, if there is one.
pub fn first_ill_formed(bytes: &[u8]) -> Option<usize> {
    std::str::from_utf8(bytes)
        .err()
        .map(|error| error.valid_up_to())
}

/// Why text could not be written.
pub enum TextError {
    Surrogate,
    NoMemory,
}

impl From<NoMemory> for TextError {
    fn from(_: NoMemory) -> TextError {
        TextError::NoMemory
    }
}

/// Writes a `str` that CPython has no UTF-8 of, without making it keep one.
#[inline(never)]
pub unsafe fn encode_wide(out: &mut Writer, string: Obj, replace: bool) -> Result<(), TextError> {
    let count = ffi::PyUnicode_GET_LENGTH(string) as usize;
    let data = ffi::PyUnicode_DATA(string);
    match ffi::PyUnicode_KIND(string) {
        1 => encode_units(
            out,
            std::slice::from_raw_parts(data as *const u8, count),
            replace,
        ),
        2 => encode_units(
            out,
            std::slice::from_raw_parts(data as *const u16, count),
            replace,
        ),
        _ => encode_units(
            out,
            std::slice::from_raw_parts(data as *const u32, count),
            replace,
        ),
    }
}

unsafe fn encode_units<U: Unit>(
    out: &mut Writer,
    units: &[U],
    replace: bool,
) -> Result<(), TextError> {
    let length = transcode::utf8_length(units, replace);
    out.reserve(length)?;
    out.str_header(length);
    let end = transcode::write(units, out.cursor(), replace).ok_or(TextError::Surrogate)?;
    out.set_cursor(end);
    Ok(())
}
