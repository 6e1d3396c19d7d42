//! From keyword arguments to settings.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyType};
use std::rc::Rc;

use super::keywords::Keywords;
use crate::cpython::object::Owned;
use crate::cpython::stack::DEEPEST;
use crate::options::{self, DecodeOptions, EncodeOptions, Limit, Timestamps, Utf8};
use crate::record::{MAX_SHARED, MAX_STRUCTURES, Records, Structure, Structures};
use crate::typed::plan::TypePlan;

const UTF8: &[(&str, Utf8)] = &[
    ("error", Utf8::Error),
    ("replace", Utf8::Handled(c"replace")),
    ("raw", Utf8::Raw),
];
const TIMESTAMPS: &[(&str, Timestamps)] = &[
    ("native", Timestamps::Native),
    ("timestamp", Timestamps::Timestamp),
    ("_near", Timestamps::NearDatetime),
];

impl<'py> Keywords<'py> {
    fn depth(&self) -> PyResult<usize> {
        let depth = self.number("max_depth")?.unwrap_or(options::MAX_DEPTH);
        if depth > DEEPEST {
            return Err(self.wrong("max_depth", &format!("must not be above {DEEPEST}")));
        }
        Ok(depth)
    }

    pub fn encode_options(&self) -> PyResult<EncodeOptions> {
        let surrogates = [("error", 0), ("replace", options::REPLACE_SURROGATES)];
        Ok(EncodeOptions {
            flags: self.flags()? | self.choice("utf8", &surrogates)?,
            default: self.hook("default")?,
            extensions: self.extensions("writer_of")?,
            max_depth: self.depth()?,
            class_names: self.class_names()?,
            ..EncodeOptions::USUAL
        })
    }

    /// What a function of `packord._extensions` makes of the ext types of the program.
    fn extensions(&self, function: &str) -> PyResult<Option<Owned>> {
        let Some(extensions) = self.get("extensions") else {
            return Ok(None);
        };
        let function = self.py().import("packord._extensions")?.getattr(function)?;
        let found = self.named("extensions", function.call1((extensions,)))?;
        Ok(Some(Owned::from(&found)))
    }

    /// What the fields of classes are called, where an option says so.
    fn class_names(&self) -> PyResult<Option<Owned>> {
        let (rename, tag) = (self.get("rename"), self.get("tag"));
        if rename.is_none() && tag.is_none() {
            return Ok(None);
        }
        let class = self.py().import("packord._typing.names")?.getattr("ClassNames")?;
        let names = self.named("names of fields", class.call1((rename, tag)))?;
        Ok(Some(Owned::from(&names)))
    }

    /// The structures of a writer, when records are on: by their own flag, or by a shared list.
    pub fn records(&self, options: &mut EncodeOptions) -> PyResult<Option<Records>> {
        let shared = self.structures()?;
        let sequential = self.truth("sequential")?;
        let max_keys = self.number("max_record_keys")?.unwrap_or(options::MAX_RECORD_KEYS);
        let max_shared = self.number("max_shared_structures")?;
        let max_own = self.number("max_own_structures")?;
        if shared.is_none() && options.flags & options::RECORDS == 0 {
            return Ok(None);
        }
        let is_usual = shared.is_none()
            && max_shared.is_none()
            && max_own.is_none()
            && max_keys == options::MAX_RECORD_KEYS
            && !sequential;
        if options.flags & options::COLUMNS != 0 && !is_usual {
            let text =
                "are written with records of the message alone: without structures, sequential and their maximums";
            return Err(self.wrong("columns", text));
        }
        let (default_shared, default_own) = if shared.is_some() { (32, 32) } else { (0, 64) };
        let count = max_shared.unwrap_or(default_shared);
        if count > MAX_SHARED || count + max_own.unwrap_or(default_own) > MAX_STRUCTURES {
            let text = "must not be above 8160, and with max_own_structures not above 8192";
            return Err(self.wrong("max_shared_structures", text));
        }
        options.flags |= options::RECORDS;
        Ok(Some(Records::new(shared, max_shared, max_own, max_keys, sequential)))
    }

    pub fn decode_options(&self) -> PyResult<DecodeOptions> {
        let trailing = [("error", 0), ("allow", options::ALLOW_TRAILING)];
        let mut options = DecodeOptions {
            flags: self.flags()? | self.choice("trailing", &trailing)?,
            ext_hook: self.hook("ext_hook")?,
            extensions: self.extensions("readers_of")?,
            object_hook: self.hook("object_hook")?,
            object_pairs_hook: self.hook("object_pairs_hook")?,
            list_hook: self.hook("list_hook")?,
            tuples: self.truth("tuples")?,
            keep_ext: self.choice("unknown_ext", &[("keep", true), ("error", false)])?,
            utf8: self.choice("utf8", UTF8)?,
            duplicate_error: self.choice("duplicate_key", &[("last", false), ("error", true)])?,
            undefined_record_error: self.choice("undefined_record", &[("int", false), ("error", true)])?,
            timestamps: self.choice("timestamps", TIMESTAMPS)?,
            max_depth: self.depth()?,
            ..DecodeOptions::USUAL
        };
        if options.object_hook.is_some() && options.object_pairs_hook.is_some() {
            return Err(PyTypeError::new_err(
                "object_pairs_hook and object_hook are mutually exclusive",
            ));
        }
        if let Some(length) = self.number("max_len")? {
            options.max_lengths[..Limit::RecordKeys as usize].fill(length);
        }
        for (name, limit) in Limit::NAMES.iter().zip(&mut options.max_lengths) {
            self.limit(name, limit)?;
        }
        self.limit("max_nodes", &mut options.max_nodes)?;
        self.limit("max_buffer", &mut options.max_buffer)?;
        self.limit("max_expansion", &mut options.max_expansion)?;
        Ok(options)
    }

    /// The type to read into, given as `wanted` or as `type=`, with the keywords that belong to it.
    pub fn plan(&self, wanted: Option<&Bound<'py, PyAny>>) -> PyResult<Option<TypePlan>> {
        let described = PyDict::new(self.py());
        let closed = self.truth("forbid_unknown_fields")?;
        described.set_item("forbid_unknown_fields", closed)?;
        if let Some(strict) = self.get("strict") {
            described.set_item("strict", strict.is_truthy()?)?;
        }
        described.set_item("few_kinds", self.flags()? & options::FEW_KINDS != 0)?;
        self.hook("dec_hook")?;
        self.class_names()?;
        for name in ["dec_hook", "rename", "tag"] {
            described.set_item(name, self.get(name))?;
        }
        // `None` is the type of nil.
        match wanted.or(self.given("type")) {
            Some(wanted) => TypePlan::of(wanted, &described),
            None => Ok(None),
        }
    }

    /// The structures of a reader, when records are on: by their own flag, or by a shared list.
    pub fn reader_structures(&self, options: &mut DecodeOptions) -> PyResult<Option<Structures>> {
        let shared = self.structures()?;
        let sequential = self.truth("sequential")?;
        if shared.is_none() && !options.has(options::RECORDS) {
            return Ok(None);
        }
        options.flags |= options::RECORDS;
        Ok(Some(Structures::new(shared.unwrap_or_default(), sequential)))
    }

    fn structures(&self) -> PyResult<Option<Vec<Rc<Structure>>>> {
        let list = self.get("structures");
        let keys = list.map(|list| self.named("structures", shared_keys(list)));
        keys.transpose()
    }
}

/// A shared list: a list of lists of keys.
pub fn shared_keys(list: &Bound<'_, PyAny>) -> PyResult<Vec<Rc<Structure>>> {
    let mut shared = Vec::new();
    let no_list = || PyTypeError::new_err("a structure is a list of str");
    for keys in list.try_iter()? {
        let (keys, mut names) = (keys?, Vec::new());
        if keys.is_instance_of::<PyString>() {
            return Err(no_list());
        }
        for key in keys.try_iter()? {
            let key = key?;
            let key = key.cast_exact::<PyString>().map_err(|_| no_list())?;
            key.hash()?;
            names.push(Owned::from(key));
        }
        shared.push(Rc::new(Structure { names }));
    }
    if shared.len() > MAX_SHARED {
        return Err(PyValueError::new_err("a shared list has at most 8160 structures"));
    }
    Ok(shared)
}

/// The shared list as Python's lists.
pub fn to_lists<'py>(py: Python<'py>, shared: &[Rc<Structure>]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for keys in shared {
        let names = PyList::empty(py);
        for name in &keys.names {
            names.append(unsafe { Bound::from_borrowed_ptr(py, name.get()) })?;
        }
        list.append(names)?;
    }
    Ok(list)
}

/// `__class_getitem__`: the class with the type of what it reads, for type checkers.
pub fn generic_alias<'py>(class: &Bound<'py, PyType>, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let alias = unsafe { pyo3::ffi::Py_GenericAlias(class.as_ptr(), item.as_ptr()) };
    unsafe { Bound::from_owned_ptr_or_err(class.py(), alias) }
}
