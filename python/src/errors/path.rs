//! Paths of values within a message: `$.users[3].name` (`spec/errors.md` sections 1 and 4).

use packord::notation::to_text;
use pyo3::ffi;

use super::Step;
use crate::cpython::object::{Obj, Owned, bytes_of};
use crate::cpython::state::SUPPORT;

/// The longest path, in bytes of UTF-8.
const MAX_PATH: usize = 256;

/// The path of a value. `trail` has the steps from the inside out, `message` is the number of the
/// message in its stream.
pub unsafe fn path(trail: &[Step], message: usize) -> String {
    let mut path = in_message("$", message);
    for step in trail.iter().rev() {
        match step {
            Step::Index(index) => path.push_str(&format!("[{index}]")),
            Step::Key(key) => push_key(&mut path, key.get()),
        }
        if path.len() > MAX_PATH {
            break;
        }
    }
    cut(&mut path);
    path
}

/// A path within a message as one within the stream.
pub fn in_message(path: &str, message: usize) -> String {
    let mut path = match message {
        0 => path.to_owned(),
        _ => format!("${message}{}", &path[1..]),
    };
    cut(&mut path);
    path
}

/// Cuts a path after the last whole character within [`MAX_PATH`] bytes.
fn cut(path: &mut String) {
    if path.len() <= MAX_PATH {
        return;
    }
    let mut end = MAX_PATH;
    while !path.is_char_boundary(end) {
        end -= 1;
    }
    path.truncate(end);
    path.push('…');
}

/// `.name`, `["any str"]` or `[key 5]`.
pub(super) unsafe fn push_key(path: &mut String, key: Obj) {
    if ffi::PyUnicode_Check(key) == 0 {
        path.push_str("[key ");
        notation(path, key);
        path.push(']');
        return;
    }
    let text = text_of(key);
    let name = text.bytes().enumerate().all(|(at, byte)| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => true,
        b'0'..=b'9' => at > 0,
        _ => false,
    });
    if name && !text.is_empty() {
        path.push('.');
        path.push_str(&text);
    } else {
        path.push('[');
        quote(path, &text);
        path.push(']');
    }
}

/// The text of a `str`, with lone surrogates replaced.
pub unsafe fn text_of(string: Obj) -> String {
    let encoded = ffi::PyUnicode_AsEncodedString(string, c"utf-8".as_ptr(), c"replace".as_ptr());
    match Owned::take(encoded) {
        Some(bytes) => String::from_utf8_lossy(bytes_of(bytes.get())).into_owned(),
        None => {
            ffi::PyErr_Clear();
            String::from("?")
        }
    }
}

/// A key in diagnostic notation (`spec/diagnostic-notation.md`), as far as keys of Python go.
pub unsafe fn notation(out: &mut String, key: Obj) {
    if ffi::PyTuple_Check(key) != 0 {
        out.push('[');
        for index in 0..ffi::PyTuple_GET_SIZE(key) {
            if index > 0 {
                out.push_str(", ");
            }
            notation(out, ffi::PyTuple_GET_ITEM(key, index));
        }
        out.push(']');
    } else if ffi::PyUnicode_Check(key) != 0 {
        quote(out, &text_of(key));
    } else if let Some(text) = packed(key) {
        out.push_str(&text);
    } else if let Some(text) = Owned::take(ffi::PyObject_Str(key)) {
        out.push_str(&text_of(text.get()));
    } else {
        ffi::PyErr_Clear();
        out.push('?');
    }
}

/// The notation of the bytes that a key is packed as. `None` for an integer, which is itself even if it is packed
/// as a bigint, and for what is not packed.
unsafe fn packed(key: Obj) -> Option<String> {
    if ffi::PyLong_Check(key) != 0 && ffi::PyBool_Check(key) == 0 {
        return None;
    }
    let bytes = Owned::take(SUPPORT.call(c"packed_key", &[key]));
    if bytes.is_none() {
        ffi::PyErr_Clear();
    }
    to_text(bytes_of(bytes?.get())).ok()
}

/// A str in diagnostic notation.
pub fn quote(out: &mut String, text: &str) {
    out.push_str(&packord::Value::from(text).to_string());
}
