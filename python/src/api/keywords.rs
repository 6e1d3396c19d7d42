//! Keyword arguments, taken out one by one, and those of other packages.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};
use std::sync::OnceLock;

use super::decoder::PyDecoder;
use crate::cpython::object::{Buffer, Obj, Owned};
use crate::errors::Failure;
use crate::options::{self, Place};

/// Keywords of other packages: what packord has for them, and the module that has them.
const PEERS: &[(&str, &str, &str)] = &[
    (
        "option",
        "a keyword for each option, such as canonical=True",
        ORMSGPACK,
    ),
    ("enc_hook", "default", MSGSPEC),
    ("autoreset", "Encoder, which keeps no bytes", MSGPACK),
    ("buf_size", "Encoder, which needs no size", MSGPACK),
    ("datetime", "timestamps without an option", MSGPACK),
    ("max_buffer_size", "max_buffer", MSGPACK),
    ("raw", "utf8=\"raw\"", MSGPACK),
    (
        "strict_map_key",
        "keys of any kind without an option",
        MSGPACK,
    ),
    ("strict_types", "default", MSGPACK),
    ("timestamp", "timestamps", MSGPACK),
    ("unicode_errors", "utf8", MSGPACK),
    ("use_bin_type", "bin for bytes without an option", MSGPACK),
    ("use_list", "tuples", MSGPACK),
    ("use_single_float", "float32", MSGPACK),
];
const ORMSGPACK: &str = "packord.compat.ormsgpack";
const MSGPACK: &str = "packord.compat.msgpack";
const MSGSPEC: &str = "packord.compat.msgspec";

/// The interned names of keywords that are on or off, with their flags, and that of the usual hook.
pub struct Switches {
    pub hook: Obj,
    flags: Vec<(Obj, u64)>,
}

impl Switches {
    unsafe fn of(place: Place, hook: &std::ffi::CStr) -> Switches {
        let switches = options::ALL
            .iter()
            .filter(|s| s.place == Place::Both || s.place == place);
        let named = switches.map(|switch| {
            let name = switch.keyword;
            let mut name =
                pyo3::ffi::PyUnicode_FromStringAndSize(name.as_ptr().cast(), name.len() as isize);
            pyo3::ffi::PyUnicode_InternInPlace(&raw mut name);
            (name, switch.flag)
        });
        Switches {
            hook: pyo3::ffi::PyUnicode_InternFromString(hook.as_ptr()),
            flags: named.collect(),
        }
    }

    /// The flag of a keyword; `None` for another name, or for one that is not interned.
    #[inline(always)]
    pub fn flag(&self, name: Obj) -> Option<u64> {
        let found = self.flags.iter().find(|(known, _)| *known == name);
        found.map(|(_, flag)| *flag)
    }
}

// SAFETY: the names are only compared, while the GIL is held, and never freed.
unsafe impl Send for Switches {}
unsafe impl Sync for Switches {}

static SWITCHES: OnceLock<[Switches; 2]> = OnceLock::new();

/// Looks the names up. Called once, when the module is imported.
pub unsafe fn init() {
    SWITCHES.get_or_init(|| {
        [
            Switches::of(Place::Writers, c"default"),
            Switches::of(Place::Both, c"ext_hook"),
        ]
    });
}

/// The switches of writers, and those of readers.
#[inline(always)]
pub fn switches() -> &'static [Switches; 2] {
    // SAFETY: nothing of the module can be called before `init` has returned.
    unsafe { SWITCHES.get().unwrap_unchecked() }
}

/// Keyword arguments that are taken out one by one; what is left is unknown.
pub struct Keywords<'py> {
    pub rest: Bound<'py, PyDict>,
}

impl<'py> Keywords<'py> {
    pub fn new(py: Python<'py>, keywords: Option<&Bound<'py, PyDict>>) -> PyResult<Keywords<'py>> {
        Ok(Keywords {
            rest: keywords.map_or_else(|| Ok(PyDict::new(py)), PyDictMethods::copy)?,
        })
    }

    /// Those of a call: a tuple of names, and their values.
    pub unsafe fn of_call(
        py: Python<'py>,
        names: Obj,
        values: *const Obj,
    ) -> PyResult<Keywords<'py>> {
        let rest = PyDict::new(py);
        for index in 0..pyo3::ffi::PyTuple_GET_SIZE(names) {
            let name = Bound::from_borrowed_ptr(py, pyo3::ffi::PyTuple_GET_ITEM(names, index));
            rest.set_item(
                name,
                Bound::from_borrowed_ptr(py, *values.add(index as usize)),
            )?;
        }
        Ok(Keywords { rest })
    }

    /// The argument, unless it is missing or `None`.
    pub fn take(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(value) = self.rest.get_item(name)? else {
            return Ok(None);
        };
        self.rest.del_item(name)?;
        Ok(Some(value).filter(|value| !value.is_none()))
    }

    /// Whether the argument is there and not `None`.
    pub fn has(&self, name: &str) -> PyResult<bool> {
        Ok(self
            .rest
            .get_item(name)?
            .is_some_and(|value| !value.is_none()))
    }

    /// The argument as bytes.
    pub fn bytes(&self, name: &str) -> PyResult<Option<Vec<u8>>> {
        let Some(value) = self.take(name)? else {
            return Ok(None);
        };
        let buffer = unsafe { Buffer::of(value.as_ptr()) };
        let buffer = buffer.ok_or_else(|| PyTypeError::new_err(format!("{name} must be bytes")))?;
        Ok(Some(buffer.bytes().to_vec()))
    }

    pub fn truth(&self, name: &str) -> PyResult<bool> {
        self.take(name)?
            .map_or(Ok(false), |value| value.is_truthy())
    }

    pub fn number(&self, name: &str) -> PyResult<Option<usize>> {
        let Some(value) = self.take(name)? else {
            return Ok(None);
        };
        let number: i64 = value.extract()?;
        let number = usize::try_from(number);
        number
            .map(Some)
            .map_err(|_| PyValueError::new_err(format!("{name} must not be negative")))
    }

    pub fn limit(&self, name: &str, limit: &mut usize) -> PyResult<()> {
        if let Some(number) = self.number(name)? {
            *limit = number;
        }
        Ok(())
    }

    pub fn hook(&self, name: &str) -> PyResult<Option<Owned>> {
        let Some(value) = self.take(name)? else {
            return Ok(None);
        };
        if !value.is_callable() {
            return Err(PyTypeError::new_err(format!("{name} must be callable")));
        }
        Ok(Some(unsafe { Owned::borrow(value.as_ptr()) }))
    }

    /// One of the words given; the first is the default.
    pub fn choice<T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> PyResult<T> {
        let Some(value) = self.take(name)? else {
            return Ok(choices[0].1);
        };
        let word: String = value.extract()?;
        choices
            .iter()
            .find(|(choice, _)| *choice == word)
            .map(|(_, value)| *value)
            .ok_or_else(|| {
                let words: Vec<_> = choices
                    .iter()
                    .map(|(choice, _)| format!("{choice:?}"))
                    .collect();
                PyValueError::new_err(format!(
                    "{name} must be {}, not {word:?}",
                    words.join(" or ")
                ))
            })
    }

    /// The flags of all switches, besides those of a module that replaces another package.
    pub fn flags(&self, place: Place) -> PyResult<u64> {
        let mut flags = self
            .number("_flags")?
            .map_or(options::USUAL, |flags| flags as u64);
        let known = options::ALL.iter();
        for switch in known.filter(|s| s.place == Place::Both || s.place == place) {
            if self.truth(switch.keyword)? {
                flags |= switch.flag;
            }
        }
        Ok(flags)
    }

    /// Whether the arguments are a type and plain values, so that their decoder can be kept.
    pub fn are_plain(&self) -> bool {
        self.rest.iter().all(|(name, value)| {
            let is_plain = value.is_none()
                || value.is_exact_instance_of::<PyBool>()
                || value.is_exact_instance_of::<PyInt>()
                || value.is_exact_instance_of::<PyString>();
            match name.to_string().as_str() {
                "type" => true,
                "records" | "structures" | "sequential" => false,
                _ => is_plain,
            }
        })
    }

    /// The decoder that was made for these arguments, or is made now.
    pub fn known_decoder(&self) -> PyResult<Bound<'py, PyDecoder>> {
        let support = self.rest.py().import("packord._support")?;
        let decoder = support.getattr("decoder_of")?.call((), Some(&self.rest))?;
        Ok(decoder.cast_into::<PyDecoder>()?)
    }

    fn unexpected(&self, function: &str, name: &str) -> PyErr {
        let mut text = format!("{function}() got an unexpected keyword argument '{name}'");
        if let Some((_, own, module)) = PEERS.iter().find(|(peer, ..)| *peer == name) {
            text.push_str(&format!(": packord has {own}, and {module} has {name}"));
        }
        unsafe { Failure::raise_argument(&text) };
        PyErr::fetch(self.rest.py())
    }

    /// An error when an argument is left that nobody has taken.
    pub fn finish(&self, function: &str) -> PyResult<()> {
        match self.rest.keys().get_item(0) {
            Ok(name) => Err(self.unexpected(function, &name.to_string())),
            Err(_) => Ok(()),
        }
    }
}
