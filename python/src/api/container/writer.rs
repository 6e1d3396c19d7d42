//! `packord.container.Writer`.

use packord::ErrorKind;
use pyo3::exceptions::{PyBaseException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pyclass::PyVisit;
use pyo3::types::{PyBytesMethods, PyDict, PyString};
use std::path::PathBuf;

use super::arrow_rows::ArrowRows;
use super::errors::{read_error, write_error};
use super::settings::file_options;
use crate::api::functions::packed;
use crate::api::held;
use crate::api::keywords::Keywords;
use crate::container::output::Output;
use crate::cpython::garbage::{Holder, Visited, holds};
use crate::cpython::shared::Guarded;
use crate::options::{self, EncodeOptions};
use crate::values::payload_from;

/// Writes a container file: rows are collected, and written a block at a time.
///
/// `file`: a path, or a binary file open for writing, which is not closed.
/// `append`: adds rows to the file at a path, whose header holds for them; a file that does not exist is created.
/// `codec`: `"zstd"` by default, `"deflate"` or `"none"`; `level` is its level.
/// `block_size` and `block_rows`: the most bytes of a block, as plain MessagePack, and the most rows of it.
/// `columns`: whether rows are stored by column. `messages`: whether the file has messages, which are not part of a
/// table, in place of rows.
/// `stats`: the paths whose statistics are kept, those of the first row's scalars by default.
/// `meta`: a map of the program's own in the header. `sync`: the 16 bytes of marks, random by default.
/// `default`, `rename`, `tag`, `rich`, `bigint`, `float32`, `sort_keys`, `skip_nil`, `utf8` and `max_depth` are as in
/// `Encoder`.
///
/// A writer that is not closed leaves a file without an index and without the rows since the last block. A `with`
/// statement closes it; if an exception leaves the statement, the rows so far are written, and the file has no
/// index, which a later writer with `append` makes. A path is locked until then, and a second writer is refused
/// with `BlockingIOError`.
#[pyclass(name = "Writer", module = "packord.container", frozen, subclass)]
pub struct ContainerWriter {
    options: EncodeOptions,
    path: Option<PathBuf>,
    block_size: usize,
    block_rows: u64,
    state: Guarded<Written>,
}

struct Written {
    /// `None` when it is closed.
    output: Option<Output>,
    /// Why a block could not be written, which all later calls say again.
    failed: Option<Py<PyBaseException>>,
    /// At most these many rows and bytes are in the current block.
    rows: u64,
    bytes: usize,
}

holds!(Written: output, failed);

impl ContainerWriter {
    /// Calls with the output, which is no longer there after `close`.
    fn run<T>(&self, py: Python<'_>, call: impl FnOnce(&mut Written, Python<'_>) -> PyResult<T>) -> PyResult<T> {
        let mut state = held(&self.state, "a Writer")?;
        if state.output.is_none() {
            return Err(PyValueError::new_err("the Writer is closed"));
        }
        if let Some(error) = &state.failed {
            return Err(PyErr::from_value(error.bind(py).clone().into_any()));
        }
        call(&mut state, py)
    }

    /// Adds a packed row, whose bytes nobody changes meanwhile. A block that may end with it is packed without the
    /// GIL.
    fn add(&self, py: Python<'_>, state: &mut Written, row: &[u8]) -> packord::Result<()> {
        let Some(output) = &mut state.output else {
            return Ok(());
        };
        let before = output.written();
        state.rows += 1;
        state.bytes += row.len();
        let may_end = state.rows >= self.block_rows || state.bytes + 5 > self.block_size;
        let outcome = if may_end {
            py.detach(|| output.write_packed(row))
        } else {
            output.write_packed(row)
        };
        if output.written() != before {
            (state.rows, state.bytes) = (1, row.len());
        }
        outcome
    }

    /// The exception of an error, kept if nothing more can be written.
    fn noted(&self, py: Python<'_>, state: &mut Written, error: &packord::Error) -> PyErr {
        let raised = write_error(py, error, self.path.as_ref());
        if error.kind() == ErrorKind::Io {
            state.failed = Some(raised.clone_ref(py).into_value(py));
        }
        raised
    }
}

#[pymethods]
impl ContainerWriter {
    #[new]
    #[pyo3(signature = (file, /, *, append = false, **keywords))]
    fn new(file: &Bound<'_, PyAny>, append: bool, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<ContainerWriter> {
        let py = file.py();
        let keywords = Keywords::new(py, keywords, "Writer", options::FILE)?;
        let (write, block_size, block_rows) = file_options(&keywords)?;
        let mut options = keywords.encode_options()?;
        // Rows are packed one by one.
        options.flags &= !options::COLUMNS;
        let is_path = file.is_instance_of::<PyString>() || file.hasattr("__fspath__")?;
        let path: Option<PathBuf> = if is_path { Some(file.extract()?) } else { None };
        let output = match &path {
            Some(path) => py.detach(|| Output::at_path(path, append, &write)),
            None if append => {
                return Err(PyValueError::new_err("append needs a path"));
            }
            None if !file.hasattr("write")? => {
                let name = file.get_type().name()?;
                let text = format!("file must be a path or a binary file, not {name}");
                return Err(PyTypeError::new_err(text));
            }
            None => Output::to_object(file.clone().unbind(), &write),
        };
        let output = output.map_err(|error| {
            if append {
                read_error(py, &error, path.as_ref())
            } else {
                write_error(py, &error, path.as_ref())
            }
        })?;
        Ok(ContainerWriter {
            options,
            path,
            block_size,
            block_rows,
            state: Guarded::new(Written {
                output: Some(output),
                failed: None,
                rows: 0,
                bytes: 0,
            }),
        })
    }

    /// Adds a row or message.
    ///
    /// Raises `MsgpackEncodeError`, with the path of the value at fault; the writer can go on then. Raises `OSError` if
    /// a block cannot be written; later calls then fail as well.
    #[pyo3(signature = (row, /))]
    fn write(&self, row: &Bound<'_, PyAny>) -> PyResult<()> {
        self.run(row.py(), |state, py| {
            let encoder = unsafe { packed(row.as_ptr(), &self.options, None) };
            let encoder = encoder.ok_or_else(|| PyErr::fetch(py))?;
            let added = self.add(py, state, encoder.out.written());
            added.map_err(|error| self.noted(py, state, &error))
        })
    }

    /// Adds all rows or messages of an iterable, and returns their number. Those before one at fault are kept.
    #[pyo3(signature = (rows, /))]
    fn write_many(&self, rows: &Bound<'_, PyAny>) -> PyResult<u64> {
        let mut count = 0;
        for row in rows.try_iter()? {
            let row = row?;
            self.write(&row)?;
            count += 1;
        }
        Ok(count)
    }

    /// Adds a row or message that is packed already, `bytes` or another contiguous buffer. Its formats are kept.
    ///
    /// Raises `MsgpackDecodeError` if it is not one whole message, with the offset in it.
    #[pyo3(signature = (row, /))]
    fn write_packed(&self, row: &Bound<'_, PyAny>) -> PyResult<()> {
        // Other threads may change what is no `bytes`.
        let row = payload_from(row, "row")?;
        self.run(row.py(), |state, py| {
            let added = self.add(py, state, row.as_bytes());
            added.map_err(|error| match error.kind() {
                ErrorKind::Io => self.noted(py, state, &error),
                _ => read_error(py, &error, self.path.as_ref()),
            })
        })
    }

    /// Adds the rows of a table, and returns their number: any object with `__arrow_c_stream__`, such as tables
    /// and batches of pyarrow, frames of polars and pandas, relations of `DuckDB`. Rows are packed as `from_arrow` does.
    ///
    /// Raises `MsgpackEncodeError`, with the column as its path, for a type that has no value in MessagePack.
    #[pyo3(signature = (table, /))]
    fn write_arrow(&self, table: &Bound<'_, PyAny>) -> PyResult<u64> {
        let mut rows = ArrowRows::of(table)?;
        self.run(table.py(), |state, py| {
            let mut count = 0;
            while let Some(batch) = rows.next(py)? {
                for row in batch {
                    let added = self.add(py, state, row);
                    added.map_err(|error| self.noted(py, state, &error))?;
                    count += 1;
                }
            }
            Ok(count)
        })
    }

    /// Ends the block, if it has rows, and flushes the file: followers then see all rows.
    fn flush(&self, py: Python<'_>) -> PyResult<()> {
        self.run(py, |state, py| {
            (state.rows, state.bytes) = (0, 0);
            let output = state
                .output
                .as_mut()
                .map_or(Ok(()), |output| py.detach(|| output.flush()));
            output.map_err(|error| self.noted(py, state, &error))
        })
    }

    /// Ends the last block, writes the index and releases the file. A second call does nothing.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let mut state = held(&self.state, "a Writer")?;
        let Some(output) = state.output.take() else {
            return Ok(());
        };
        if let Some(error) = state.failed.take() {
            return Err(PyErr::from_value(error.into_bound(py).into_any()));
        }
        let finished = py.detach(|| output.finish());
        finished.map_err(|error| write_error(py, &error, self.path.as_ref()))
    }

    /// Whether `close` was called.
    #[getter]
    fn closed(&self) -> PyResult<bool> {
        let state = held(&self.state, "a Writer")?;
        Ok(state.output.is_none())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Visited {
        self.options.visit(&visit)?;
        self.state.visit(&visit)
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (kind, _value, _trace, /))]
    fn __exit__(
        &self,
        py: Python<'_>,
        kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        if kind.is_none() {
            return self.close(py);
        }
        let mut state = held(&self.state, "a Writer")?;
        if let Some(mut output) = state.output.take() {
            // The exception that is on its way says more than that of a full disk would.
            py.detach(|| drop(output.flush()));
        }
        Ok(())
    }
}
