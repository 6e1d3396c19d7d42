//! `Encoder`: settings made once, and records across calls.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pyclass::PyVisit;
use pyo3::types::{PyByteArray, PyByteArrayMethods, PyDict, PyList};

use super::functions::{packed, records_on};
use super::held_if;
use super::keywords::Keywords;
use super::settings::to_lists;
use crate::cpython::garbage::{Holder, Visited};
use crate::cpython::shared::Guarded;
use crate::options::{EncodeOptions, PACK};
use crate::record::Records;

/// Packs objects with settings that are made once.
///
/// `default` is as in `packb`; `max_depth` is the most containers that may be open at once. `canonical`,
/// `columns`, `rich`, `bigint`, `float32`, `sort_keys` and `skip_nil` are on or off. `records` writes maps with equal keys as records, `structures` is the list that both sides
/// share, and `sequential` defines each structure once for all messages.
///
/// Threads may share an encoder; with records it serves one call at a time.
#[pyclass(name = "Encoder", module = "packord", frozen, subclass)]
pub struct PyEncoder {
    options: EncodeOptions,
    records: Option<Guarded<Records>>,
}

impl PyEncoder {
    pub fn of(keywords: &Keywords<'_>) -> PyResult<PyEncoder> {
        let mut options = keywords.encode_options()?;
        let records = keywords.records(&mut options)?;
        Ok(PyEncoder {
            options,
            records: records.map(Guarded::new),
        })
    }

    /// Packs, and hands what was packed to `take`.
    fn packed<T>(&self, object: &Bound<'_, PyAny>, take: impl FnOnce(crate::encode::Encoder<'_>) -> T) -> PyResult<T> {
        let py = object.py();
        let mut records = held_if(self.records.as_ref(), "an Encoder with records")?;
        let records = records.as_deref_mut().filter(|_| records_on(self.options.flags));
        let encoder = unsafe { packed(object.as_ptr(), &self.options, records) };
        encoder.map(take).ok_or_else(|| PyErr::fetch(py))
    }
}

#[pymethods]
impl PyEncoder {
    #[new]
    #[pyo3(signature = (**keywords))]
    fn new(py: Python<'_>, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<PyEncoder> {
        PyEncoder::of(&Keywords::new(py, keywords, "Encoder", PACK)?)
    }

    /// Packs an object and returns its MessagePack bytes.
    ///
    /// Raises `MsgpackEncodeError`, with the path of the value at fault.
    #[pyo3(signature = (obj, /))]
    pub fn encode(&self, obj: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let bytes = self.packed(obj, |encoder| encoder.out.finish())?;
        unsafe { Bound::from_owned_ptr_or_err(obj.py(), bytes) }.map(Bound::unbind)
    }

    /// Packs an object into a bytearray, from byte `offset` on; −1 is its end. The bytes from there on
    /// are replaced, so that the bytearray ends with the message; a gap before them becomes zeros.
    ///
    /// Raises `MsgpackEncodeError`, with the path of the value at fault; the bytearray is then
    /// unchanged. Raises `ValueError` for an offset below −1.
    #[pyo3(signature = (obj, buffer, offset = 0, /))]
    fn encode_into(&self, obj: &Bound<'_, PyAny>, buffer: &Bound<'_, PyByteArray>, offset: isize) -> PyResult<()> {
        self.packed(obj, |encoder| {
            let written = encoder.out.written();
            let start = if offset == -1 {
                Some(buffer.len())
            } else {
                usize::try_from(offset).ok()
            };
            let start = start.ok_or_else(|| PyValueError::new_err("offset must be 0 or more, or -1 for the end"))?;
            let old = buffer.len();
            buffer.resize(start + written.len())?;
            // SAFETY: the GIL is held, and no code of Python runs before the copy is made.
            let bytes = unsafe { buffer.as_bytes_mut() };
            // The gap from the old end to the message is memory that nobody has written yet.
            if old < start {
                bytes[old..start].fill(0);
            }
            bytes[start..].copy_from_slice(written);
            Ok(())
        })?
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Visited {
        self.options.visit(&visit)
    }

    /// The list of shared record structures, for the decoder's `structures`; `None` without records.
    #[getter]
    fn structures<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        let records = held_if(self.records.as_ref(), "an Encoder with records")?;
        records.map(|known| to_lists(py, &known.shared)).transpose()
    }
}
