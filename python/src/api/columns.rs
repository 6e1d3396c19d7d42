//! `columns_of`: the columns of packed rows, each read without the others.

use packord::columns::{self, Columns, EXT_TYPE, Numbers};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView, PySlice, PyTuple};

use super::arrow::{ArrowTable, checked};
use crate::decode::plain_value;
use crate::values::{Ext, bytes_from};

/// The columns of packed rows, made by `columns_of`.
///
/// A path names a column by what is around it: `[]` is the elements of arrays, `.name` the values of a key,
/// `{}` the values of maps and `{key}` their keys. The value itself has
/// the path `""`.
///
/// >>> rows = [{"id": i, "town": "Oslo"} for i in range(500)]
/// >>> view = packord.columns_of(packord.packb(rows, columns=True))
/// >>> [column.path for column in view.columns]
/// ['', '[]', '[].id', '[].town']
#[pyclass(module = "packord", frozen)]
pub struct ColumnsView {
    /// Of the bytes of `data`, which do not change, and are where they are as long as `data` is there.
    view: columns::ColumnsView<'static>,
    data: Py<PyBytes>,
    /// Whether `data` is the payload alone.
    is_payload: bool,
    max_expansion: u64,
}

impl ColumnsView {
    fn table(&self, py: Python<'_>) -> PyResult<ArrowTable> {
        if self.is_payload {
            let ext = packord::Ext::new(EXT_TYPE, self.data.as_bytes(py));
            let message = checked(py, packord::to_vec(&packord::Value::from(ext)))?;
            ArrowTable::read(py, &PyBytes::new(py, &message), self.max_expansion)
        } else {
            ArrowTable::read(py, self.data.bind(py), self.max_expansion)
        }
    }
}

#[pymethods]
impl ColumnsView {
    /// All columns, a tuple in the order of the payload: the value itself first.
    #[getter]
    fn columns<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let columns = (0..slf.get().view.columns().len()).map(|index| ColumnView {
            of: slf.clone().unbind(),
            index,
        });
        let columns = columns.map(|column| Py::new(py, column));
        PyTuple::new(py, columns.collect::<PyResult<Vec<_>>>()?)
    }

    /// Returns the column with a path; `None` if there is none.
    ///
    /// >>> rows = [{"id": i, "town": "Oslo"} for i in range(500)]
    /// >>> view = packord.columns_of(packord.packb(rows, columns=True))
    /// >>> sum(view.column("[].id").values())
    /// 124750
    #[pyo3(signature = (path, /))]
    fn column(slf: &Bound<'_, Self>, path: &str) -> Option<ColumnView> {
        let column = slf.get().view.column(path)?;
        Some(ColumnView {
            index: column.index(),
            of: slf.clone().unbind(),
        })
    }

    /// Size in bytes of the value as plain MessagePack.
    #[getter]
    fn plain_size(&self) -> u64 {
        self.view.plain_size()
    }

    /// Number of values, keys included.
    #[getter]
    fn count(&self) -> u64 {
        self.view.values()
    }

    /// The rows as a table of Apache Arrow: that of `to_arrow`. Its type, a struct of all columns.
    fn __arrow_c_schema__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.table(py)?.__arrow_c_schema__(py)
    }

    /// The rows as a table of Apache Arrow: that of `to_arrow`.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__(&self, py: Python<'_>, requested_schema: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
        self.table(py)?.__arrow_c_stream__(py, requested_schema)
    }

    fn __repr__(&self) -> String {
        let (count, size) = (self.view.columns().len(), self.view.plain_size());
        format!("<packord.ColumnsView of {count} columns, {size} bytes plain>")
    }
}

/// One column of a `ColumnsView`.
#[pyclass(module = "packord", frozen)]
pub struct ColumnView {
    of: Py<ColumnsView>,
    index: usize,
}

impl ColumnView {
    fn get(&self) -> columns::ColumnView<'_, 'static> {
        self.of.get().view.at(self.index)
    }
}

#[pymethods]
impl ColumnView {
    /// Where the column is, for example `[].name`.
    #[getter]
    fn path(&self) -> String {
        self.get().path()
    }

    /// How the column is stored: `plain`, `int`, `float`, `scaled`, `time`, `bytes`, `dict`, `list`,
    /// `tuple`, `struct`, `map`, `union`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.get().kind().name()
    }

    /// Number of values.
    #[getter]
    fn n(&self) -> usize {
        self.get().len()
    }

    /// Number of maps in which the key of the column is missing.
    #[getter]
    fn missing(&self) -> usize {
        self.get().missing()
    }

    /// Tells, for each of the maps around the column, whether it has the key. `None` if all have it, and for a column
    /// that is not that of a key. Raises `MsgpackDecodeError` if the column is malformed.
    fn present(&self, py: Python<'_>) -> PyResult<Option<Vec<bool>>> {
        checked(py, self.get().present())
    }

    /// Returns the number of elements of each array, or of entries of each map: the columns in this one have as many
    /// values as these have together. `None` for a column that is not of kind `list` or `map`. Raises
    /// `MsgpackDecodeError` if the column is malformed.
    ///
    /// >>> rows = [{"tags": [i] * (i % 3)} for i in range(500)]
    /// >>> view = packord.columns_of(packord.packb(rows, columns=True))
    /// >>> view.column("[].tags").lengths()[:4]
    /// [0, 1, 2, 0]
    fn lengths(&self, py: Python<'_>) -> PyResult<Option<Vec<usize>>> {
        checked(py, self.get().lengths())
    }

    /// Number of values that are nil. Raises `MsgpackDecodeError` if the column is malformed.
    #[getter]
    fn nils(&self, py: Python<'_>) -> PyResult<usize> {
        checked(py, self.get().nils())
    }

    /// Returns the values: numbers as a `memoryview`, others as a `list`.
    ///
    /// `numpy.asarray` makes an array of the numbers without a copy. They are in place in the packed bytes
    /// where these have them one after another at an aligned address, and a copy elsewhere. Values in a list are
    /// what `View` returns. Nothing of other columns is read.
    ///
    /// Raises `MsgpackDecodeError` if the column is malformed.
    ///
    /// >>> rows = [{"id": i, "town": "Oslo"} for i in range(500)]
    /// >>> view = packord.columns_of(packord.packb(rows, columns=True))
    /// >>> view.column("[].town").values()[499]
    /// 'Oslo'
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match checked(py, self.get().numbers())? {
            Some(numbers) => self.memory(py, &numbers),
            None => self.list(py),
        }
    }

    fn __repr__(&self) -> String {
        let column = self.get();
        let (kind, path, n) = (column.kind().name(), column.path(), column.len());
        format!("<packord.ColumnView {path:?}, {kind}, {n} values>")
    }
}

impl ColumnView {
    fn memory<'py>(&self, py: Python<'py>, numbers: &Numbers<'_>) -> PyResult<Bound<'py, PyAny>> {
        fn bytes<T: Copy>(numbers: &[T]) -> &[u8] {
            // All types of `Numbers` are without padding.
            unsafe { std::slice::from_raw_parts(numbers.as_ptr().cast::<u8>(), size_of_val(numbers)) }
        }
        let (format, bytes) = match numbers {
            Numbers::U8(numbers) => ("B", bytes(numbers)),
            Numbers::U16(numbers) => ("H", bytes(numbers)),
            Numbers::U32(numbers) => ("I", bytes(numbers)),
            Numbers::U64(numbers) => ("Q", bytes(numbers)),
            Numbers::I64(numbers) => ("q", bytes(numbers)),
            Numbers::F32(numbers) => ("f", bytes(numbers)),
            Numbers::F64(numbers) => ("d", bytes(numbers)),
            _ => return self.list(py),
        };
        let memory = if numbers.is_in_place() && !bytes.is_empty() {
            let data = self.of.get().data.bind(py);
            let begin = bytes.as_ptr() as isize - data.as_bytes().as_ptr() as isize;
            let within = PySlice::new(py, begin, begin + bytes.len() as isize, 1);
            PyMemoryView::from(data)?.get_item(within)?
        } else {
            PyMemoryView::from(&PyBytes::new(py, bytes))?.into_any()
        };
        memory.call_method1("cast", (format,))
    }

    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut plain = Vec::new();
        checked(py, self.get().expand_into(&mut plain))?;
        plain_value(py, &plain).map_err(|failure| failure.into_error(py))
    }
}

/// Returns the columns of packed rows, or of any other value that is stored by column, to read some of them.
///
/// `data`: packed with the option `columns`, or the `Ext` of type 92 that a reader without this option returns. `bytes`
/// are used in place; any other buffer is copied.
/// `max_expansion`: how many times its size a payload may stand for.
///
/// Raises `MsgpackDecodeError` for any other value, and for a payload whose directory is malformed. A fault in
/// a column is found when that column is read.
///
/// >>> rows = [{"id": i, "town": "Oslo"} for i in range(500)]
/// >>> view = packord.columns_of(packord.packb(rows, columns=True))
/// >>> view.column("[].id").values()[499]
/// 499
#[pyfunction]
#[pyo3(signature = (data, /, *, max_expansion=16))]
pub fn columns_of(py: Python<'_>, data: &Bound<'_, PyAny>, max_expansion: u64) -> PyResult<ColumnsView> {
    let is_ext = data.is_exact_instance_of::<Ext>();
    let data = if is_ext {
        let (tag, payload) = unsafe { Ext::parts(data.as_ptr()) };
        if tag != EXT_TYPE {
            return Err(PyValueError::new_err("the Ext is not of type 92"));
        }
        let payload = unsafe { Bound::from_borrowed_ptr(py, payload) };
        payload.cast_into::<PyBytes>()?.unbind()
    } else {
        bytes_from(data, "data")?.unbind()
    };
    // Bytes do not change, and `ColumnsView` has them as long as it has this.
    let bytes: &'static [u8] = unsafe { std::mem::transmute::<&[u8], &'static [u8]>(data.as_bytes(py)) };
    let view = if is_ext {
        read_payload(bytes, max_expansion)
    } else {
        columns::ColumnsView::read_bounded(bytes, max_expansion)
    };
    Ok(ColumnsView {
        view: checked(py, view)?,
        data,
        is_payload: is_ext,
        max_expansion,
    })
}

fn read_payload(payload: &'static [u8], max_expansion: u64) -> packord::Result<columns::ColumnsView<'static>> {
    match Columns::open(payload)? {
        Some(columns) => columns.within(max_expansion)?.view(),
        // Of another version: so the error is that of such a message.
        None => columns::ColumnsView::read(b"\xd4\x5c\x02"),
    }
}
