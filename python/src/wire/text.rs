//! Text: from UTF-8 to `str` and back.

use pyo3::ffi;

use super::writer::{NoMemory, Writer};
use crate::object::{Obj, ascii_data};

/// Whether all bytes are below 80.
#[inline(always)]
pub unsafe fn is_ascii(text: *const u8, length: usize) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let word = |at: usize| (text.add(at) as *const u64).read_unaligned();
    if length >= 8 {
        let mut bits = word(length - 8);
        let mut at = 0;
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
    let Ok(valid) = simdutf8::basic::from_utf8(bytes) else {
        return std::ptr::null_mut();
    };
    let mut count = 0;
    let mut lead = 0;
    for &byte in bytes {
        count += usize::from((byte as i8) >= -0x40);
        lead = lead.max(byte);
    }
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
        0xff => fill(data as *mut u8, valid, |character| character as u8),
        0xffff => fill_basic_plane(data as *mut u16, bytes),
        _ => fill(data as *mut u32, valid, |character| character),
    }
    string
}

unsafe fn fill<T>(mut target: *mut T, text: &str, narrow: impl Fn(u32) -> T) {
    for character in text.chars() {
        target.write(narrow(character as u32));
        target = target.add(1);
    }
    // The terminating zero that every str has.
    target.write(narrow(0));
}

/// Fills in a str of the basic plane from valid UTF-8 without four-byte sequences.
unsafe fn fill_basic_plane(mut target: *mut u16, bytes: &[u8]) {
    let mut next = bytes.as_ptr();
    let end = next.add(bytes.len());
    while next < end {
        let first = u16::from(*next);
        if first < 0x80 {
            target.write(first);
            next = next.add(1);
        } else if first < 0xe0 {
            target.write((first & 0x1f) << 6 | u16::from(*next.add(1) & 0x3f));
            next = next.add(2);
        } else {
            let low = u16::from(*next.add(1) & 0x3f) << 6 | u16::from(*next.add(2) & 0x3f);
            target.write(first << 12 | low);
            next = next.add(3);
        }
        target = target.add(1);
    }
    target.write(0);
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

unsafe fn encode_units<T: Copy + Into<u32>>(
    out: &mut Writer,
    units: &[T],
    replace: bool,
) -> Result<(), TextError> {
    let length: usize = units
        .iter()
        .map(|&unit| utf8_length(unit.into(), replace))
        .sum();
    out.reserve(length)?;
    out.str_header(length);
    let mut next = out.cursor();
    for &unit in units {
        let code: u32 = unit.into();
        if code < 0x80 {
            *next = code as u8;
            next = next.add(1);
        } else if code < 0x800 {
            (next as *mut [u8; 2]).write([0xc0 | (code >> 6) as u8, tail(code)]);
            next = next.add(2);
        } else if code < 0x10000 {
            if code & 0xf800 == 0xd800 {
                if !replace {
                    return Err(TextError::Surrogate);
                }
                *next = b'?';
                next = next.add(1);
                continue;
            }
            (next as *mut [u8; 3]).write([0xe0 | (code >> 12) as u8, tail(code >> 6), tail(code)]);
            next = next.add(3);
        } else {
            let lead = 0xf0 | (code >> 18) as u8;
            (next as *mut [u8; 4]).write([lead, tail(code >> 12), tail(code >> 6), tail(code)]);
            next = next.add(4);
        }
    }
    out.set_cursor(next);
    Ok(())
}

#[inline(always)]
fn utf8_length(code: u32, replace: bool) -> usize {
    if replace && code & 0xffff_f800 == 0xd800 {
        return 1;
    }
    1 + usize::from(code >= 0x80) + usize::from(code >= 0x800) + usize::from(code >= 0x10000)
}

#[inline(always)]
fn tail(code: u32) -> u8 {
    0x80 | (code & 0x3f) as u8
}
