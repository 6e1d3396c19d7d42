//! Packed values, to compare with the next bytes of the input before anything is made of these.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::pyclass::PyVisit;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

use crate::cpython::garbage::{Holder, Visited};
use crate::cpython::object::{Obj, Owned, type_of};
use crate::wire::marker::*;
use crate::wire::value_type::ValueType;

/// A packed str or small integer: its first eight bytes as one word, its last eight as another.
pub struct Packed {
    first: u64,
    first_mask: u64,
    last: u64,
    bytes: Box<[u8]>,
}

impl Packed {
    const WORD: usize = size_of::<u64>();

    /// A str in its smallest format; of more than 31 bytes, what equals nothing.
    pub fn str(text: &[u8]) -> Packed {
        let header = FIXSTR | text.len() as u8 & FIXSTR_LENGTH;
        let mut packed = Packed::new([&[header], text].concat());
        if text.len() > FIXSTR_LENGTH.into() || std::str::from_utf8(text).is_err() {
            (packed.first, packed.first_mask) = (1, 0);
        }
        packed
    }

    /// What [`Packed::str`] was given.
    pub fn text(&self) -> &[u8] {
        &self.bytes[1..]
    }

    fn new(bytes: Vec<u8>) -> Packed {
        let mut first = [0; Packed::WORD];
        let count = bytes.len().min(Packed::WORD);
        first[..count].copy_from_slice(&bytes[..count]);
        Packed {
            first: u64::from_le_bytes(first),
            first_mask: u64::MAX >> (64 - 8 * count),
            last: bytes.last_chunk().map_or(0, |last| u64::from_le_bytes(*last)),
            bytes: bytes.into(),
        }
    }

    /// The length if `input` begins with these bytes, and goes on for eight bytes at least.
    #[inline(always)]
    pub fn begins(&self, input: &[u8]) -> Option<usize> {
        let first = u64::from_le_bytes(*input.first_chunk()?);
        if first & self.first_mask != self.first {
            return None;
        }
        let length = self.bytes.len();
        if length <= Packed::WORD {
            return Some(length);
        }
        let last = u64::from_le_bytes(*input.get(..length)?.last_chunk()?);
        let middle = Packed::WORD..length.saturating_sub(Packed::WORD);
        let same = last == self.last && (middle.start >= middle.end || input[middle.clone()] == self.bytes[middle]);
        same.then_some(length)
    }
}

/// Values, and what each stands for.
pub struct Choices {
    /// From `(type, value)` to what it stands for.
    pub known: Owned,
    /// Some of them packed.
    packed: Vec<(Packed, Owned)>,
    /// A bit for each type of value that one of them can be.
    kinds: u16,
}

impl Choices {
    /// More values than this are found sooner in the dict.
    const FEW: usize = 8;

    pub fn new(known: &Bound<'_, PyDict>) -> PyResult<Choices> {
        let (mut packed, mut kinds) = (Vec::new(), 0);
        for (key, meaning) in known {
            let (_, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = key.extract()?;
            kinds |= kinds_of(&value);
            let meaning = Owned::from(&meaning);
            if let Ok(text) = value.cast_exact::<PyString>() {
                // A str with lone surrogates has no packed form.
                if let Ok(text) = text.to_str() {
                    packed.push((Packed::str(text.as_bytes()), meaning));
                }
            } else if let Ok(number) = value.cast_exact::<PyInt>() {
                if let Ok(number @ 0..=0x7f) = number.extract::<u8>() {
                    packed.push((Packed::new(vec![number]), meaning));
                }
            }
        }
        if packed.len() > Choices::FEW {
            packed.clear();
        }
        let known = Owned::from(known);
        Ok(Choices { known, packed, kinds })
    }

    /// Whether a value that this marker begins can be one of them.
    pub fn may_be(&self, marker: u8) -> bool {
        ValueType::of(marker).is_some_and(|kind| self.kinds >> kind as u16 & 1 != 0)
    }

    /// The length of the value that `input` begins with, and what it stands for, borrowed; `None` if it takes
    /// more than a look. Objects with a Literal take .44 of the time.
    #[inline(always)]
    pub fn begins(&self, input: &[u8]) -> Option<(usize, Obj)> {
        let mut packed = self.packed.iter();
        packed.find_map(|(packed, meaning)| Some((packed.begins(input)?, meaning.get())))
    }

    /// What a hashable value of a class stands for, borrowed; null for nothing.
    pub unsafe fn find(&self, value: Obj) -> Obj {
        // The type takes part: 1, 1.0 and True are equal in Python.
        let Some(key) = Owned::take(ffi::PyTuple_Pack(2, type_of(value), value)) else {
            ffi::PyErr_Clear();
            return std::ptr::null_mut();
        };
        let found = ffi::PyDict_GetItemWithError(self.known.get(), key.get());
        if found.is_null() {
            ffi::PyErr_Clear();
        }
        found
    }
}

/// A bit for each type of value on the wire that can become this one.
fn kinds_of(value: &Bound<'_, PyAny>) -> u16 {
    let kind = if value.is_none() {
        ValueType::Nil
    } else if value.is_exact_instance_of::<PyBool>() {
        ValueType::Bool
    } else if value.is_exact_instance_of::<PyInt>() {
        ValueType::Int
    } else if value.is_exact_instance_of::<PyFloat>() {
        ValueType::Float
    } else if value.is_exact_instance_of::<PyString>() {
        ValueType::Str
    } else {
        // With `raw`, a str can be `bytes`; what hooks and exts become is not known.
        return u16::MAX;
    };
    1 << kind as u16
}

impl Holder for Choices {
    fn visit(&self, visit: &PyVisit<'_>) -> Visited {
        self.known.visit(visit)?;
        let mut meanings = self.packed.iter().map(|(_, meaning)| meaning);
        meanings.try_for_each(|meaning| meaning.visit(visit))
    }
}
