//! Any value as text, for columns of strings: JSON, with the conventions of the command-line tool for what JSON
//! does not have.

use crate::ext::Timestamp;
use crate::wire::item::{Item, item, skip};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use std::io::Write;

/// Returns a key that is not a str as text: its notation, which is a room above this one.
pub(crate) type KeyText = fn(&[u8]) -> Option<String>;

/// Appends the text of the value at `at`: a str as it is, a timestamp as RFC 3339, all else as JSON. Returns where
/// the value ends; `None` if the bytes are malformed. `keys` writes keys of other types than str.
pub(super) fn text(bytes: &[u8], at: usize, keys: KeyText, out: &mut Vec<u8>) -> Option<usize> {
    match item(bytes, at)? {
        (Item::Str(text), end) => {
            out.extend_from_slice(text);
            Some(end)
        }
        (Item::Ext(Timestamp::EXT_TYPE, payload), end) => {
            out.extend_from_slice(Timestamp::from_payload(payload)?.to_string().as_bytes());
            Some(end)
        }
        _ => json(bytes, at, keys, out),
    }
}

/// Appends a value as JSON. Takes no stack.
fn json(bytes: &[u8], mut at: usize, keys: KeyText, out: &mut Vec<u8>) -> Option<usize> {
    // Of each array or object that was begun, how many values are left, and whether it has keys.
    let mut open: Vec<(usize, bool)> = Vec::new();
    loop {
        at = begin(bytes, at, &mut open, out)?;
        while let Some((0, is_map)) = open.last() {
            out.push(if *is_map { b'}' } else { b']' });
            open.pop();
        }
        let Some((left, is_map)) = open.last_mut() else {
            return Some(at);
        };
        if !matches!(out.last(), Some(b'[' | b'{')) {
            out.push(b',');
        }
        *left -= 1;
        if *is_map {
            at = key(bytes, at, keys, out)?;
        }
    }
}

/// Appends a value, of a container the bracket that begins it.
fn begin(bytes: &[u8], at: usize, open: &mut Vec<(usize, bool)>, out: &mut Vec<u8>) -> Option<usize> {
    let (item, end) = item(bytes, at)?;
    let is_map = matches!(item, Item::Map(_));
    match item {
        Item::Array(left) | Item::Map(left) => {
            out.push(if is_map { b'{' } else { b'[' });
            open.push((left, is_map));
        }
        Item::Nil => out.extend_from_slice(b"null"),
        Item::Bool(value) => write(out, format_args!("{value}")),
        Item::Int(number) => write(out, format_args!("{number}")),
        Item::Uint(number) => write(out, format_args!("{number}")),
        Item::Float32(number) => float(number.into(), out),
        Item::Float(number) => float(number, out),
        Item::Str(text) => string(std::str::from_utf8(text).ok()?, out),
        Item::Bin(payload) => {
            write(out, format_args!("{{\"$bin\":\"{}\"}}", base64(payload)));
        }
        Item::Ext(Timestamp::EXT_TYPE, payload) => {
            let time = Timestamp::from_payload(payload)?;
            if time.has_rfc3339() {
                write(out, format_args!("{{\"$timestamp\":\"{time}\"}}"));
            } else {
                let (seconds, rest) = (time.seconds(), time.nanoseconds());
                write(out, format_args!("{{\"$timestamp\":[{seconds},{rest}]}}"));
            }
        }
        Item::Ext(code, payload) => {
            let payload = base64(payload);
            write(out, format_args!("{{\"$ext\":[{code},\"{payload}\"]}}"));
        }
    }
    Some(end)
}

fn float(number: f64, out: &mut Vec<u8>) {
    if number.is_finite() {
        return write(out, format_args!("{number:?}"));
    }
    let name = if number.is_nan() {
        "nan".to_owned()
    } else {
        number.to_string()
    };
    write(out, format_args!("{{\"$float\":\"{name}\"}}"));
}

fn key(bytes: &[u8], at: usize, keys: KeyText, out: &mut Vec<u8>) -> Option<usize> {
    let end = match item(bytes, at)? {
        (Item::Str(name), end) => {
            let name = std::str::from_utf8(name).ok()?;
            if is_taken(name) {
                string(&format!("${name}"), out);
            } else {
                string(name, out);
            }
            end
        }
        _ => {
            let end = skip(bytes, at)?;
            let notation = keys(bytes.get(at..end)?)?;
            string(&format!("$key:{notation}"), out);
            end
        }
    };
    out.push(b':');
    Some(end)
}

/// Whether a key, after one or more `$`, is one of the conventions.
fn is_taken(name: &str) -> bool {
    let word = name.strip_prefix('$').map(|rest| rest.trim_start_matches('$'));
    word.is_some_and(|word| ["bin", "ext", "timestamp", "float"].contains(&word) || word.starts_with("key:"))
}

fn write(out: &mut Vec<u8>, arguments: std::fmt::Arguments<'_>) {
    // Writing to memory does not fail.
    let _ = out.write_fmt(arguments);
}

fn string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0..0x20 => write(out, format_args!("\\u{byte:04x}")),
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let word = group.iter().fold(0_u32, |word, &byte| word << 8 | u32::from(byte));
        let word = word << (8 * (3 - group.len()));
        for place in 0..4 {
            let digit = (word >> (18 - 6 * place) & 63) as usize;
            text.push(if place <= group.len() {
                DIGITS[digit].into()
            } else {
                '='
            });
        }
    }
    text
}
