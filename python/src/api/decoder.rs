//! `Decoder`: settings made once, records across calls.

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pyclass::PyVisit;
use pyo3::types::{PyDict, PyList, PyTuple, PyType};

use super::functions::{records_on, unpack};
use super::held_if;
use super::keywords::Keywords;
use super::settings::{generic_alias, shared_keys, to_lists};
use crate::cpython::garbage::{Holder, Visited};
use crate::cpython::object::Obj;
use crate::cpython::shared::Guarded;
use crate::options::{DecodeOptions, UNPACK};
use crate::record::Structures;
use crate::typed::plan::TypePlan;

/// Unpacks messages with settings that are made once.
///
/// `type` is the type that each message is read into; without it, messages become plain values.
/// `max_depth` limits open containers, `max_nodes` values, `max_bin_len`, `max_str_len` and
/// `max_ext_len` bytes, `max_array_len` and `max_map_len` elements and entries of one container.
///
/// Raises `TypeError` for a type that cannot be read. Threads may share a decoder; with records it
/// serves one call at a time.
#[pyclass(name = "Decoder", module = "packord", frozen, subclass)]
pub struct PyDecoder {
    options: DecodeOptions,
    structures: Option<Guarded<Structures>>,
    plan: Option<TypePlan>,
}

impl PyDecoder {
    pub fn of(keywords: &Keywords<'_>, wanted: Option<&Bound<'_, PyAny>>) -> PyResult<PyDecoder> {
        let mut options = keywords.decode_options()?;
        let structures = keywords.reader_structures(&mut options)?;
        Ok(PyDecoder {
            options,
            structures: structures.map(Guarded::new),
            plan: keywords.plan(wanted)?,
        })
    }

    /// The message, of a decoder without records; null with the Python error set.
    #[inline(always)]
    pub unsafe fn read(&self, object: Obj) -> Obj {
        unpack(object, &self.options, None, self.plan.as_ref())
    }
}

#[pymethods]
impl PyDecoder {
    #[new]
    #[pyo3(signature = (*arguments, **keywords), text_signature = "(type=..., /, **keywords)")]
    fn new(arguments: &Bound<'_, PyTuple>, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<PyDecoder> {
        if arguments.len() > 1 {
            let text = "Decoder() takes one argument without a name, the type";
            return Err(PyTypeError::new_err(text));
        }
        // Not an argument with a default: `None` is the type of nil.
        let wanted = arguments.get_item(0).ok();
        let keywords = Keywords::new(arguments.py(), keywords, "Decoder", UNPACK)?;
        PyDecoder::of(&keywords, wanted.as_ref())
    }

    /// `Decoder[User]` in an annotation.
    #[classmethod]
    fn __class_getitem__<'py>(class: &Bound<'py, PyType>, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        generic_alias(class, item)
    }

    /// Unpacks the one message in `data`, bytes or another contiguous buffer.
    ///
    /// Raises `MsgpackDecodeError`, with the offset of the byte at fault and the path of its value.
    #[pyo3(signature = (data, /))]
    pub fn decode(&self, data: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let mut structures = held_if(self.structures.as_ref(), "a Decoder with records")?;
        let structures = structures.as_deref_mut().filter(|_| records_on(self.options.flags));
        let plan = self.plan.as_ref();
        let value = unsafe { unpack(data.as_ptr(), &self.options, structures, plan) };
        unsafe { Bound::from_owned_ptr_or_err(data.py(), value) }.map(Bound::unbind)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Visited {
        self.options.visit(&visit)?;
        self.plan.visit(&visit)
    }

    /// The list of shared record structures; `None` without records. It may be set to a longer list
    /// that begins with the old one, as the encoder's list grows.
    #[getter]
    fn structures<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        let structures = held_if(self.structures.as_ref(), "a Decoder with records")?;
        structures.map(|known| to_lists(py, known.shared())).transpose()
    }

    #[setter]
    fn set_structures(&self, list: &Bound<'_, PyAny>) -> PyResult<()> {
        let Some(mut structures) = held_if(self.structures.as_ref(), "a Decoder with records")? else {
            return Err(PyRuntimeError::new_err("records are off"));
        };
        structures.set_shared(shared_keys(list)?);
        Ok(())
    }
}
