//! The rows of tables of Arrow, a part of a batch at a time.

use packord::columns::arrow::{ArrowArrayStream, from_arrow};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use std::sync::Arc;

use crate::api::arrow::{STREAM, encode_error};
use crate::table::abi::{CArray, CSchema, ImportedStream, part};
use crate::wire::item::{Item, item};
use crate::wire::skip::skip;

/// How many rows are packed at a time: batches can be of any size.
const ROWS: i64 = 8192;

/// The rows of a stream that are still to come.
pub struct ArrowRows {
    stream: ImportedStream,
    schema: Arc<CSchema>,
    batch: Option<Arc<CArray>>,
    next: i64,
}

impl ArrowRows {
    /// The rows of an object with `__arrow_c_stream__`.
    pub fn of(table: &Bound<'_, PyAny>) -> PyResult<ArrowRows> {
        let Ok(method) = table.getattr("__arrow_c_stream__") else {
            let name = table.get_type().name()?;
            let text = format!("{name} has no __arrow_c_stream__");
            return Err(PyTypeError::new_err(text));
        };
        let capsule = method.call0()?;
        let stream = unsafe {
            let stream = ffi::PyCapsule_GetPointer(capsule.as_ptr(), STREAM.as_ptr());
            if stream.is_null() {
                return Err(PyErr::fetch(table.py()));
            }
            ImportedStream::take(stream.cast())
        };
        let mut stream =
            stream.ok_or_else(|| PyValueError::new_err("the stream was used before"))?;
        let schema = table.py().detach(|| stream.schema());
        Ok(ArrowRows {
            schema: Arc::new(schema.map_err(PyValueError::new_err)?),
            stream,
            batch: None,
            next: 0,
        })
    }

    /// The next rows; `None` after the last ones.
    pub fn next(&mut self, py: Python<'_>) -> PyResult<Option<PackedRows>> {
        loop {
            let Some(batch) = &self.batch else {
                // Producers that run code of Python take the GIL themselves.
                let next = py.detach(|| self.stream.next());
                let Some(batch) = next.map_err(PyValueError::new_err)? else {
                    return Ok(None);
                };
                (self.batch, self.next) = (Some(Arc::new(batch)), 0);
                continue;
            };
            let end = batch.len().min(self.next.saturating_add(ROWS));
            if end <= self.next {
                self.batch = None;
                continue;
            }
            let mut stream = part(&self.schema, batch, self.next..end);
            self.next = end;
            let rows = py.detach(|| {
                // The structs of the crate have the same layout: that of the C data interface.
                let stream = unsafe { ArrowArrayStream::take((&raw mut stream).cast()) };
                let rows = from_arrow(stream.unwrap_or(ArrowArrayStream::released()))?;
                let options = packord::DecodeOptions::new().columns(true);
                let rows = options
                    .max_expansion(u32::MAX)
                    .expand_columns(&rows)?
                    .into_owned();
                Ok(PackedRows(rows))
            });
            return rows.map(Some).map_err(|error| encode_error(py, &error));
        }
    }
}

/// An array of rows as one message.
pub struct PackedRows(Vec<u8>);

impl PackedRows {
    /// The rows, each as one message.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let bytes = &self.0[..];
        let (mut left, mut at) = match item(bytes, 0) {
            Some((Item::Array(count), at)) => (count, at),
            _ => (0, 0),
        };
        std::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let begin = at;
            at = skip(bytes, at)?;
            bytes.get(begin..at)
        })
    }
}
