//! The exceptions of container files.

use packord::{Error, ErrorKind};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use std::path::PathBuf;

use crate::api::arrow::{decode_failure, encode_error};
use crate::container::source::os_error;

/// The bytes of a mark, after which the array of a block begins.
pub const MARK: u64 = 18;

/// The exception of an error of the crate: `OSError` for one of the system, what a file object raised, and
/// `MsgpackDecodeError` for all others.
pub fn read_error(py: Python<'_>, error: &Error, path: Option<&PathBuf>) -> PyErr {
    of_system(py, error, path).unwrap_or_else(|| decode_failure(error).in_file().into_error(py))
}

/// The exception of an error of writing, which is `MsgpackEncodeError` if a row is at fault.
pub fn write_error(py: Python<'_>, error: &Error, path: Option<&PathBuf>) -> PyErr {
    of_system(py, error, path).unwrap_or_else(|| encode_error(py, error))
}

fn of_system(py: Python<'_>, error: &Error, path: Option<&PathBuf>) -> Option<PyErr> {
    if error.kind() != ErrorKind::Io {
        return None;
    }
    let source = std::error::Error::source(error);
    let source = source.and_then(|source| source.downcast_ref::<std::io::Error>());
    Some(match source {
        Some(source) => os_error(py, source, path),
        // Reported before, with its cause.
        None => PyOSError::new_err(error.to_string()),
    })
}

/// The same exception, whose text names the file: a table may be of several.
pub fn named(py: Python<'_>, error: PyErr, path: Option<&PathBuf>) -> PyErr {
    if let (Some(path), true) = (path, error.is_instance_of::<PyValueError>(py)) {
        let text = format!("{}, in {}", error.value(py), path.display());
        // What fails leaves the exception as it was.
        drop(error.value(py).setattr("args", (text,)));
    }
    error
}
