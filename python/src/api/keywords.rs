//! Keyword arguments, by the table of all options, and those of other packages.

use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFunction, PyInt, PyString};
use std::sync::OnceLock;

use super::decoder::PyDecoder;
use crate::cpython::object::{Obj, Owned, type_name};
use crate::errors::Failure;
use crate::options::{self, KEYWORDS};

/// The interned names of keywords that are on or off, with their flags, and that of the usual hook.
pub struct Switches {
    pub hook: Obj,
    flags: Vec<(Obj, u64)>,
}

impl Switches {
    unsafe fn of(taker: u8, hook: &std::ffi::CStr) -> Switches {
        let switches = KEYWORDS
            .iter()
            .filter(|(_, takers, flag)| takers & taker != 0 && *flag != 0);
        let named = switches.map(|(name, _, flag)| {
            let mut name = pyo3::ffi::PyUnicode_FromStringAndSize(name.as_ptr().cast(), name.len() as isize);
            pyo3::ffi::PyUnicode_InternInPlace(&raw mut name);
            (name, *flag)
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
            Switches::of(options::PACK, c"default"),
            Switches::of(options::UNPACK, c"ext_hook"),
        ]
    });
}

/// The switches of writers, and those of readers.
#[inline(always)]
pub fn switches() -> &'static [Switches; 2] {
    // SAFETY: nothing of the module can be called before `init` has returned.
    unsafe { SWITCHES.get().unwrap_unchecked() }
}

/// The keyword arguments of a call, all of which its function takes.
pub struct Keywords<'py> {
    py: Python<'py>,
    dict: Option<Bound<'py, PyDict>>,
    given: Vec<(&'static str, Bound<'py, PyAny>)>,
    function: &'static str,
}

impl<'py> Keywords<'py> {
    /// `taker`: who `function` is in the table of options. Raises `MsgpackArgumentError` for a keyword that it does not
    /// take.
    pub fn new(
        py: Python<'py>,
        dict: Option<&Bound<'py, PyDict>>,
        function: &'static str,
        taker: u8,
    ) -> PyResult<Keywords<'py>> {
        let mut keywords = Keywords {
            py,
            dict: dict.cloned(),
            given: Vec::new(),
            function,
        };
        for (name, value) in dict.into_iter().flatten() {
            let name = name.cast::<PyString>()?.to_string_lossy();
            let place = KEYWORDS.binary_search_by_key(&&*name, |(known, ..)| known);
            match place.map(|place| KEYWORDS[place]) {
                Ok((known, takers, _)) if takers & taker != 0 => {
                    keywords.given.push((known, value));
                }
                _ => return Err(keywords.unexpected(&name)),
            }
        }
        Ok(keywords)
    }

    /// Those of a call: a tuple of names, and their values.
    pub unsafe fn of_call(
        py: Python<'py>,
        names: Obj,
        values: *const Obj,
        function: &'static str,
        taker: u8,
    ) -> PyResult<Keywords<'py>> {
        let given = PyDict::new(py);
        for index in 0..pyo3::ffi::PyTuple_GET_SIZE(names) {
            let name = Bound::from_borrowed_ptr(py, pyo3::ffi::PyTuple_GET_ITEM(names, index));
            let value = Bound::from_borrowed_ptr(py, *values.add(index as usize));
            given.set_item(name, value)?;
        }
        Keywords::new(py, Some(&given), function, taker)
    }

    pub fn py(&self) -> Python<'py> {
        self.py
    }

    /// The argument, even if it is `None`.
    pub fn given(&self, name: &str) -> Option<&Bound<'py, PyAny>> {
        let found = self.given.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value)
    }

    /// The argument, unless it is missing or `None`.
    pub fn get(&self, name: &str) -> Option<&Bound<'py, PyAny>> {
        self.given(name).filter(|value| !value.is_none())
    }

    /// The argument as a value of a type, which the error calls `wanted`.
    pub fn typed<T: FromPyObjectOwned<'py>>(&self, name: &str, wanted: &str) -> PyResult<Option<T>> {
        let typed = self.get(name).map(|value| {
            let typed = value.extract::<T>();
            typed.map_err(|_| self.wrong_type(name, wanted, value))
        });
        typed.transpose()
    }

    pub fn truth(&self, name: &str) -> PyResult<bool> {
        self.get(name).map_or(Ok(false), PyAnyMethods::is_truthy)
    }

    pub fn number(&self, name: &str) -> PyResult<Option<usize>> {
        let number = self.typed::<i64>(name, "an int below 2**63")?;
        let number = number.map(usize::try_from).transpose();
        number.map_err(|_| self.wrong(name, "must not be negative"))
    }

    pub fn limit(&self, name: &str, limit: &mut usize) -> PyResult<()> {
        if let Some(number) = self.number(name)? {
            *limit = number;
        }
        Ok(())
    }

    pub fn hook(&self, name: &str) -> PyResult<Option<Owned>> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        if !value.is_callable() {
            return Err(self.wrong_type(name, "callable", value));
        }
        Ok(Some(Owned::from(value)))
    }

    /// One of the words given; the first is the default.
    pub fn choice<T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> PyResult<T> {
        let Some(value) = self.get(name) else {
            return Ok(choices[0].1);
        };
        let word = value.extract::<String>().ok();
        let found = choices.iter().find(|(choice, _)| Some(*choice) == word.as_deref());
        found.map(|(_, value)| *value).ok_or_else(|| {
            // The others are for modules that replace another package.
            let public = |choice: &&(&str, T)| !choice.0.starts_with('_');
            let words: Vec<_> = choices
                .iter()
                .filter(public)
                .map(|(choice, _)| format!("{choice:?}"))
                .collect();
            let repr = value.repr().map_or_else(|_| "?".into(), |repr| repr.to_string());
            self.wrong(name, &format!("must be {}, not {repr}", words.join(" or ")))
        })
    }

    /// The flags of all that is on, besides those of a module that replaces another package.
    pub fn flags(&self) -> PyResult<u64> {
        let own = self.number("_flags")?;
        let mut flags = own.map_or(options::USUAL, |flags| flags as u64);
        for (name, _, flag) in KEYWORDS {
            if *flag != 0 && self.truth(name)? {
                flags |= flag;
            }
        }
        Ok(flags)
    }

    /// The error of an argument: `Decoder(): max_len must not be negative`.
    pub fn wrong(&self, name: &str, text: &str) -> PyErr {
        PyValueError::new_err(format!("{}(): {name} {text}", self.function))
    }

    /// The error of an argument of another type.
    pub fn wrong_type(&self, name: &str, wanted: &str, value: &Bound<'py, PyAny>) -> PyErr {
        let found = unsafe { type_name(value.as_ptr()) };
        let function = self.function;
        PyTypeError::new_err(format!("{function}(): {name} must be {wanted}, not {found}"))
    }

    /// The exception that an argument has led to, whose text names the argument then.
    pub fn named<T>(&self, name: &str, result: PyResult<T>) -> PyResult<T> {
        result.inspect_err(|error| {
            let value = error.value(self.py);
            let text = format!("{}(): {name}: {value}", self.function);
            // What fails leaves the exception as it was.
            drop(value.setattr("args", (text,)));
        })
    }

    /// Whether the arguments are a type, plain values, and functions of modules, so that their decoder can be kept.
    pub fn are_plain(&self) -> bool {
        self.given.iter().all(|(name, value)| {
            let is_plain = is_of_module(value)
                || value.is_none()
                || value.is_exact_instance_of::<PyBool>()
                || value.is_exact_instance_of::<PyInt>()
                || value.is_exact_instance_of::<PyString>();
            match *name {
                "type" => true,
                "records" | "structures" | "sequential" => false,
                _ => is_plain,
            }
        })
    }

    /// The decoder that was made for these arguments, or is made now.
    pub fn known_decoder(&self) -> PyResult<Bound<'py, PyDecoder>> {
        let support = self.py.import("packord._support")?;
        let decoder = support.getattr("decoder_of")?.call((), self.dict.as_ref())?;
        Ok(decoder.cast_into::<PyDecoder>()?)
    }

    fn unexpected(&self, name: &str) -> PyErr {
        let function = self.function;
        let mut text = format!("{function}() got an unexpected keyword argument '{name}'");
        let compat = self.py.import("packord.compat");
        let hint = compat.and_then(|compat| compat.call_method1("_hint", (name,))?.extract());
        text.push_str(&hint.unwrap_or_else(|_| String::new()));
        unsafe { Failure::raise_argument(&text) };
        PyErr::fetch(self.py)
    }
}

/// Whether a value is a function that its module has by its name. To keep another one, such as a lambda that each call
/// makes, would keep alive what it holds, and take the place of a decoder that is found again.
fn is_of_module(value: &Bound<'_, PyAny>) -> bool {
    let has_it = || -> PyResult<bool> {
        let globals = value.getattr(intern!(value.py(), "__globals__"))?;
        let name = value.getattr(intern!(value.py(), "__name__"))?;
        let found = globals.cast_into::<PyDict>()?.get_item(name)?;
        Ok(found.is_some_and(|found| found.is(value)))
    };
    value.is_exact_instance_of::<PyFunction>() && has_it().unwrap_or(false)
}
