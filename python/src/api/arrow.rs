//! Tables of Apache Arrow by the `PyCapsule` protocol: `to_arrow`, `ArrowTable` and `from_arrow`.

use packord::columns::arrow as tables;
use packord::wire::Kind as WireKind;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::ffi::{CStr, c_void};

use crate::cpython::object::Owned;
use crate::errors::{Failure, Kind, Step};
use crate::values::bytes_from;

/// The names of capsules, by the protocol.
pub const SCHEMA: &CStr = c"arrow_schema";
pub const STREAM: &CStr = c"arrow_array_stream";

/// Packed rows as a table of Apache Arrow, made by `to_arrow`. Pass it to any library that takes objects
/// with `__arrow_c_stream__`: each call reads it from the first row on.
///
/// >>> table = packord.to_arrow(packord.packb([{"id": 1}, {"id": 2}]))
/// >>> table.num_rows, table.num_columns
/// (2, 1)
#[pyclass(module = "packord", frozen)]
pub struct ArrowTable {
    table: tables::ArrowTable,
}

#[pymethods]
impl ArrowTable {
    /// Number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.table.rows()
    }

    /// Number of columns.
    #[getter]
    fn num_columns(&self) -> usize {
        self.table.columns()
    }

    /// The type of the rows, a struct of all columns, as a `PyCapsule` named `"arrow_schema"`.
    pub fn __arrow_c_schema__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        capsule(py, self.table.schema(), SCHEMA)
    }

    /// The rows as a `PyCapsule` named `"arrow_array_stream"`. The types are those of the table: the protocol lets
    /// a producer pass over `requested_schema`.
    #[pyo3(signature = (requested_schema=None))]
    pub fn __arrow_c_stream__(
        &self,
        py: Python<'_>,
        requested_schema: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let _ = requested_schema;
        capsule(py, self.table.stream(), STREAM)
    }

    fn __repr__(&self) -> String {
        let (rows, columns) = (self.table.rows(), self.table.columns());
        format!("ArrowTable({rows} rows, {columns} columns)")
    }
}

/// A struct of the C data interface in a capsule, which frees it, and releases it unless it was moved out.
pub fn capsule<T>(py: Python<'_>, content: T, name: &CStr) -> PyResult<Py<PyAny>> {
    unsafe extern "C" fn free<T>(capsule: *mut ffi::PyObject) {
        // Of its own name: so this does not fail, and no error is set.
        let content = ffi::PyCapsule_GetPointer(capsule, ffi::PyCapsule_GetName(capsule));
        if !content.is_null() {
            drop(Box::from_raw(content.cast::<T>()));
        }
    }
    let content = Box::into_raw(Box::new(content));
    unsafe {
        let capsule = ffi::PyCapsule_New(content.cast::<c_void>(), name.as_ptr(), Some(free::<T>));
        if capsule.is_null() {
            drop(Box::from_raw(content));
        }
        Ok(Bound::from_owned_ptr_or_err(py, capsule)?.unbind())
    }
}

/// Reads packed rows, an array of maps, as a table of Apache Arrow, with a column for each key.
///
/// Rows may be stored by column (`columns`) or plainly. Both nil and a missing key are null. The bytes
/// of strings are used in place, and so are numbers that happen to be aligned; the table keeps
/// `data` alive for that if it is `bytes`, and copies any other buffer.
///
/// `max_expansion`: how many times its size a payload may stand for.
///
/// Raises `MsgpackDecodeError` for malformed bytes and for any other value.
///
/// >>> table = packord.to_arrow(packord.packb([{"a": 1}, {"a": None}]))
/// >>> pyarrow.table(table).column("a").to_pylist()
/// [1, None]
#[pyfunction]
#[pyo3(signature = (data, /, *, max_expansion=16))]
pub fn to_arrow(py: Python<'_>, data: &Bound<'_, PyAny>, max_expansion: u64) -> PyResult<ArrowTable> {
    ArrowTable::read(py, &bytes_from(data, "data")?, max_expansion)
}

impl ArrowTable {
    /// The table of a message, which the table keeps.
    pub fn read(py: Python<'_>, message: &Bound<'_, PyBytes>, max_expansion: u64) -> PyResult<ArrowTable> {
        let message = PyBackedBytes::from(message.clone());
        let table = py.detach(|| read(message, max_expansion));
        checked(py, table).map(|table| ArrowTable { table })
    }
}

/// A result of the Rust crate, whose error is an exception here.
pub fn checked<T>(py: Python<'_>, result: packord::Result<T>) -> PyResult<T> {
    result.map_err(|error| decode_failure(&error).into_error(py))
}

/// An error of the Rust crate. Those without an offset are about the whole message, or the whole file.
pub fn decode_failure(error: &packord::Error) -> Box<Failure> {
    let mut failure = Failure::of(error);
    failure.offset = failure.offset.or(Some(0));
    failure
}

fn read(message: PyBackedBytes, max_expansion: u64) -> packord::Result<tables::ArrowTable> {
    if WireKind::at(&message) != Some(WireKind::Ext) {
        // Its errors say where a plain message is malformed.
        packord::validate(&message)?;
    }
    tables::ArrowTable::read_bounded(message, max_expansion)
}

/// Packs the rows of a table as an array of maps, by column where that is smaller, as `packb` does
/// with the option `columns`.
///
/// table: any object with `__arrow_c_stream__`: tables of pyarrow, frames of polars and pandas,
/// relations of `DuckDB`. The values of a single column, such as a `Series`, are packed as an array.
///
/// Nulls are nil, and dictionaries are their values. Dates, times of day, durations and decimals are text,
/// which `decode` reads back with a type. Raises `MsgpackEncodeError`, with the column as its path, for a
/// type that has no value in MessagePack, and for objects of Python in a frame of polars.
///
/// >>> packord.unpackb(packord.from_arrow(pyarrow.table({"a": [1, None]})))
/// [{'a': 1}, {'a': None}]
#[pyfunction]
#[pyo3(signature = (table, /))]
pub fn from_arrow(py: Python<'_>, table: &Bound<'_, PyAny>) -> PyResult<Py<PyBytes>> {
    let stream = stream_of(table)?;
    // Producers that run code of Python take the GIL themselves.
    let packed = py.detach(|| tables::from_arrow(stream));
    let packed = packed.map_err(|error| encode_error(py, &error))?;
    Ok(PyBytes::new(py, &packed).unbind())
}

/// The rows of an object with `__arrow_c_stream__`.
pub fn stream_of(table: &Bound<'_, PyAny>) -> PyResult<tables::ArrowArrayStream> {
    let Some(method) = table.getattr_opt("__arrow_c_stream__")? else {
        let name = table.get_type().name()?;
        let text = format!("{name} has no __arrow_c_stream__");
        return Err(PyTypeError::new_err(text));
    };
    // Of these, a stream would have the addresses.
    let support = table.py().import("packord._support")?;
    let objects = support.call_method1("column_of_objects", (table,))?;
    if !objects.is_none() {
        let mut failure = Failure::new(Kind::UnsupportedType, "a column of objects of Python");
        if objects.is_truthy()? {
            failure.step(Step::Key(unsafe { Owned::borrow(objects.as_ptr()) }));
        }
        return Err(failure.into_encode_error(table.py()));
    }
    let capsule = method.call0()?;
    let stream = unsafe {
        let stream = ffi::PyCapsule_GetPointer(capsule.as_ptr(), STREAM.as_ptr());
        if stream.is_null() {
            return Err(PyErr::fetch(table.py()));
        }
        // The capsule has a valid stream, by the protocol, and this thread has the capsule.
        tables::ArrowArrayStream::take(stream.cast())
    };
    stream.ok_or_else(|| PyValueError::new_err("the stream was used before"))
}

/// The exception of an error of the Rust crate about a value that is to be packed.
pub fn encode_error(py: Python<'_>, error: &packord::Error) -> PyErr {
    let mut failure = Failure::of(error);
    failure.offset = None;
    failure.into_encode_error(py)
}
