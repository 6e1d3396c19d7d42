//! The keywords of msgpack's functions and classes, and what packord has for them.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::cpython::object::{Obj, Owned, ascii_bytes};
use crate::errors::text_of;
use crate::options::{self, DecodeOptions, EncodeOptions, Limit, Timestamps, Utf8};

#[derive(Clone)]
pub struct Packing {
    pub options: EncodeOptions,
    /// What is packed is kept, and not returned.
    pub keeps: bool,
}

impl Packing {
    /// `ext_class`: msgpack's `ExtType`.
    pub fn usual(ext_class: &Owned) -> Packing {
        let options = EncodeOptions {
            flags: options::NON_STR_KEYS
                | options::DATETIME_AS_TIMESTAMP_EXT
                | options::PASSTHROUGH_BIG_INT
                | options::PASSTHROUGH_DATETIME,
            ext_class: Some(ext_class.clone()),
            ..EncodeOptions::USUAL
        };
        Packing { options, keeps: false }
    }

    /// Takes a keyword; `false` if there is none of that name.
    pub fn set(&mut self, name: &[u8], value: &Bound<'_, PyAny>) -> PyResult<bool> {
        match name {
            b"default" => self.options.default = hook("default", value)?,
            b"use_single_float" => self.switch(options::SINGLE, value.is_truthy()?),
            b"use_bin_type" => self.switch(options::NO_BIN, !value.is_truthy()?),
            b"strict_types" => self.switch(options::PASSTHROUGH_TUPLE, value.is_truthy()?),
            b"datetime" => self.switch(options::AWARE_DATETIMES, value.is_truthy()?),
            b"autoreset" => self.keeps = !value.is_truthy()?,
            b"unicode_errors" => self.options.text_errors = handler(value)?,
            b"buf_size" => {
                if !value.is_none() && value.extract::<i64>()? <= 0 {
                    return Err(PyValueError::new_err("buf_size must be positive"));
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn switch(&mut self, flag: u64, is_on: bool) {
        if is_on {
            self.options.flags |= flag;
        } else {
            self.options.flags &= !flag;
        }
    }
}

/// The name of a handler for text that is not UTF-8, which must exist; none for `strict`, the usual one.
fn handler(value: &Bound<'_, PyAny>) -> PyResult<Option<Owned>> {
    if value.is_none() || value.extract::<&str>()? == "strict" {
        return Ok(None);
    }
    let codecs = value.py().import("codecs")?;
    codecs.call_method1("lookup_error", (value,))?;
    Ok(Some(Owned::from(value)))
}

fn hook(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<Owned>> {
    if value.is_none() {
        return Ok(None);
    }
    if !value.is_callable() {
        return Err(PyTypeError::new_err(format!("{name} must be a callable.")));
    }
    Ok(Some(Owned::from(value)))
}

#[derive(Clone)]
pub struct Unpacking {
    pub options: DecodeOptions,
    is_raw: bool,
    has_lists: bool,
}

impl Unpacking {
    pub fn usual(ext_class: &Owned) -> Unpacking {
        let options = DecodeOptions {
            flags: options::KEYS_MAY_BE_BIN,
            ext_hook: Some(ext_class.clone()),
            timestamps: Timestamps::Timestamp,
            max_buffer: u32::MAX as usize,
            ..DecodeOptions::USUAL
        };
        Unpacking {
            options,
            is_raw: false,
            has_lists: true,
        }
    }

    /// Takes a keyword; `false` if there is none of that name.
    pub fn set(&mut self, name: &[u8], value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let options = &mut self.options;
        match name {
            b"use_list" => self.has_lists = value.is_truthy()?,
            b"raw" => self.is_raw = value.is_truthy()?,
            b"strict_map_key" if value.is_truthy()? => options.flags = options::KEYS_MAY_BE_BIN,
            b"strict_map_key" => options.flags = options::NON_STR_KEYS,
            b"object_hook" => options.object_hook = hook("object_hook", value)?,
            b"object_pairs_hook" => options.object_pairs_hook = hook("object_pairs_hook", value)?,
            b"list_hook" => options.list_hook = hook("list_hook", value)?,
            b"ext_hook" if value.is_none() => {}
            b"ext_hook" => options.ext_hook = hook("ext_hook", value)?,
            b"unicode_errors" => options.utf8 = utf8(value)?,
            b"timestamp" => {
                options.timestamps = match value.extract::<i64>()? {
                    0 => Timestamps::Timestamp,
                    1 => Timestamps::Float,
                    2 => Timestamps::Int,
                    3 => Timestamps::Datetime,
                    _ => return Err(PyValueError::new_err("timestamp must be 0 to 3")),
                }
            }
            _ => return self.set_limit(name, value),
        }
        Ok(true)
    }

    fn set_limit(&mut self, name: &[u8], value: &Bound<'_, PyAny>) -> PyResult<bool> {
        // They are called as those of packord.
        let mut known = Limit::NAMES[..Limit::RecordKeys as usize].iter();
        let Some(limit) = known.position(|known| known.as_bytes() == name) else {
            return Ok(false);
        };
        let number = value.extract::<i64>()?;
        if number != -1 {
            let number = usize::try_from(number);
            let number = number.map_err(|_| PyValueError::new_err("a limit must not be negative"))?;
            self.options.max_lengths[limit] = number;
        }
        Ok(true)
    }

    /// What all keywords together mean. `of_tuples` makes a hook of tuples from one of lists.
    pub fn finish(&mut self, py: Python<'_>, of_tuples: &Owned) -> PyResult<()> {
        let options = &mut self.options;
        if options.object_hook.is_some() && options.object_pairs_hook.is_some() {
            return Err(PyTypeError::new_err(
                "object_pairs_hook and object_hook are mutually exclusive.",
            ));
        }
        if self.is_raw {
            options.utf8 = Utf8::Bytes;
        }
        options.tuples = !self.has_lists && options.list_hook.is_none();
        if let Some(hook) = options.list_hook.as_ref().filter(|_| !self.has_lists) {
            let wrapped = unsafe { ffi::PyObject_CallOneArg(of_tuples.get(), hook.get()) };
            options.list_hook = Some(Owned::take(wrapped).ok_or_else(|| PyErr::fetch(py))?);
        }
        Ok(())
    }

    /// Sets the limits of lengths that have not been set to what a message of this size can have.
    pub fn limit(&mut self, size: usize) {
        let lengths = &mut self.options.max_lengths[..Limit::RecordKeys as usize];
        for (limit, length) in lengths.iter_mut().enumerate() {
            if *length == usize::MAX {
                // An entry of a map is two values.
                *length = size / if limit == Limit::Map as usize { 2 } else { 1 };
            }
        }
    }
}

fn utf8(value: &Bound<'_, PyAny>) -> PyResult<Utf8> {
    if value.is_none() {
        return Ok(Utf8::Error);
    }
    Ok(match value.extract::<&str>()? {
        "strict" => Utf8::Error,
        "replace" => Utf8::Handled(c"replace"),
        "ignore" => Utf8::Handled(c"ignore"),
        "surrogateescape" => Utf8::Handled(c"surrogateescape"),
        "backslashreplace" => Utf8::Handled(c"backslashreplace"),
        _ => {
            let known = "None, strict, replace, ignore, surrogateescape, backslashreplace";
            let text = format!("unicode_errors must be one of {known}");
            return Err(PyValueError::new_err(text));
        }
    })
}

/// Hands each keyword of a call to `set`, which returns whether it knows the name.
pub unsafe fn for_each<'py>(
    py: Python<'py>,
    function: &str,
    names: Obj,
    values: *const Obj,
    mut set: impl FnMut(&[u8], &Bound<'py, PyAny>) -> PyResult<bool>,
) -> PyResult<()> {
    for index in 0..ffi::PyTuple_GET_SIZE(names) {
        let name = ffi::PyTuple_GET_ITEM(names, index);
        let value = Bound::from_borrowed_ptr(py, *values.add(index as usize));
        if !set(ascii_bytes(name).unwrap_or_default(), &value)? {
            return Err(unexpected(function, name));
        }
    }
    Ok(())
}

/// The same, for the keywords of a class.
pub fn for_each_of<'py>(
    function: &str,
    keywords: Option<&Bound<'py, PyDict>>,
    mut set: impl FnMut(&[u8], &Bound<'py, PyAny>) -> PyResult<bool>,
) -> PyResult<()> {
    for (name, value) in keywords.into_iter().flatten() {
        let bytes = unsafe { ascii_bytes(name.as_ptr()) };
        if !set(bytes.unwrap_or_default(), &value)? {
            return Err(unsafe { unexpected(function, name.as_ptr()) });
        }
    }
    Ok(())
}

#[cold]
unsafe fn unexpected(function: &str, name: Obj) -> PyErr {
    let name = text_of(name);
    let text = format!("{function}() got an unexpected keyword argument '{name}'");
    PyTypeError::new_err(text)
}
