//! The rows of tables of Arrow, some at a time.

use packord::ErrorKind;
use packord::columns::arrow::ArrowRows as CrateRows;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::api::arrow::{encode_error, stream_of};

/// How many rows are packed at a time: batches can be of any size.
const ROWS: usize = 8192;

/// The rows of a stream that are still to come.
pub struct ArrowRows {
    rows: CrateRows,
    bytes: Vec<u8>,
    /// Where each row ends.
    ends: Vec<usize>,
}

impl ArrowRows {
    /// The rows of an object with `__arrow_c_stream__`.
    pub fn of(table: &Bound<'_, PyAny>) -> PyResult<ArrowRows> {
        let (py, stream) = (table.py(), stream_of(table)?);
        let rows = py.detach(|| CrateRows::new(stream));
        Ok(ArrowRows {
            rows: rows.map_err(|error| arrow_error(py, &error))?,
            bytes: Vec::new(),
            ends: Vec::new(),
        })
    }

    /// The next rows, each as one message; `None` after the last ones.
    pub fn next(&mut self, py: Python<'_>) -> PyResult<Option<impl Iterator<Item = &[u8]>>> {
        self.bytes.clear();
        self.ends.clear();
        // Producers that run code of Python take the GIL themselves.
        let read = py.detach(|| {
            while self.ends.len() < ROWS && self.rows.next_into(&mut self.bytes)? {
                self.ends.push(self.bytes.len());
            }
            Ok(())
        });
        read.map_err(|error| arrow_error(py, &error))?;
        let (mut begin, bytes) = (0, &self.bytes);
        let rows = self.ends.iter().map(move |&end| {
            let range = begin..end;
            begin = end;
            &bytes[range]
        });
        Ok((!self.ends.is_empty()).then_some(rows))
    }
}

/// The exception of a table that is not packed: `ValueError` for what its producer says.
fn arrow_error(py: Python<'_>, error: &packord::Error) -> PyErr {
    match error.kind() {
        ErrorKind::Custom => PyValueError::new_err(error.detail().unwrap_or_default().to_owned()),
        _ => encode_error(py, error),
    }
}
