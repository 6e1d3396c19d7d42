//! Where the bytes of a new container file go.

use packord::container::{LockedFile, WriteOptions, Writer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pyclass::PyVisit;
use pyo3::types::PyBytes;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use crate::cpython::garbage::{Holder, Visited};

/// A writer to a file that it has opened and locked, or to a file object of Python.
pub enum Output {
    Path(Box<Writer<LockedFile>>),
    /// With the object that its writer has too.
    File(Box<Writer<FileObject>>, Arc<Py<PyAny>>),
}

pub struct FileObject(Arc<Py<PyAny>>);

impl Output {
    /// Creates a file, or opens one to add to it.
    pub fn at_path(path: &PathBuf, append: bool, options: &WriteOptions) -> packord::Result<Output> {
        let writer = if append {
            Writer::append(path, options)?
        } else {
            Writer::create(path, options)?
        };
        Ok(Output::Path(Box::new(writer)))
    }

    /// Begins a file with an object that has `write`.
    pub fn to_object(object: Py<PyAny>, options: &WriteOptions) -> packord::Result<Output> {
        let object = Arc::new(object);
        let writer = Writer::new(FileObject(object.clone()), options)?;
        Ok(Output::File(Box::new(writer), object))
    }

    pub fn write_packed(&mut self, row: &[u8]) -> packord::Result<()> {
        match self {
            Output::Path(writer) => writer.write_packed(row),
            Output::File(writer, _) => writer.write_packed(row),
        }
    }

    pub fn flush(&mut self) -> packord::Result<()> {
        match self {
            Output::Path(writer) => writer.flush(),
            Output::File(writer, _) => writer.flush(),
        }
    }

    pub fn finish(self) -> packord::Result<()> {
        match self {
            Output::Path(writer) => writer.finish().map(drop),
            Output::File(writer, _) => writer.finish().map(drop),
        }
    }

    /// How many bytes the file has so far, without the rows of the current block.
    pub fn written(&self) -> u64 {
        match self {
            Output::Path(writer) => writer.written(),
            Output::File(writer, _) => writer.written(),
        }
    }
}

impl Holder for Output {
    fn visit(&self, visit: &PyVisit<'_>) -> Visited {
        match self {
            Output::Path(_) => Ok(()),
            Output::File(_, object) => object.visit(visit),
        }
    }
}

impl Write for FileObject {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let written = self.0.call_method1(py, "write", (PyBytes::new(py, bytes),));
            let written = written.map_err(io::Error::other)?;
            // Files without a buffer say how much they took; others say nothing, or all.
            if written.is_none(py) {
                return Ok(bytes.len());
            }
            match written.extract::<usize>(py) {
                Ok(count) if count <= bytes.len() => Ok(count),
                _ => {
                    let text = "write() must return the number of bytes that it took";
                    Err(io::Error::other(PyTypeError::new_err(text)))
                }
            }
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Python::attach(|py| {
            let object = self.0.bind(py);
            if object.hasattr("flush").map_err(io::Error::other)? {
                object.call_method0("flush").map_err(io::Error::other)?;
            }
            Ok(())
        })
    }
}
