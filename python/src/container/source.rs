//! Where the bytes of a container file come from: a path, a buffer, or a file object of Python.

use pyo3::exceptions::{PyBlockingIOError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::pyclass::PyVisit;
use pyo3::types::{PyBytes, PyString};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;

use crate::cpython::garbage::{Holder, Visited};
use crate::cpython::object::Buffer;

/// What a reader was made of. A file is opened again for each pass, as far as it can be. What is opened shares its
/// objects of Python, and the reader outlives it.
pub enum FileSource {
    Path(PathBuf),
    Bytes(Arc<PyBackedBytes>),
    Buffer(Arc<HeldBuffer>),
    /// A file object, and whether it can seek.
    File(Arc<Py<PyAny>>, bool),
}

/// A buffer of Python whose bytes may change, and that stays where it is.
pub struct HeldBuffer(Option<Buffer>);

// The buffer is read and released with the GIL alone.
unsafe impl Send for HeldBuffer {}
unsafe impl Sync for HeldBuffer {}

impl HeldBuffer {
    fn bytes<'b>(&'b self, _: Python<'b>) -> &'b [u8] {
        self.0.as_ref().map_or(&[], Buffer::bytes)
    }
}

impl Drop for HeldBuffer {
    fn drop(&mut self) {
        let buffer = self.0.take();
        Python::attach(|_| drop(buffer));
    }
}

impl FileSource {
    /// The source that an argument names: `str` or a path, an object with a buffer, or one with `read`.
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<FileSource> {
        if object.is_instance_of::<PyString>() || object.hasattr("__fspath__")? {
            return Ok(FileSource::Path(object.extract()?));
        }
        if let Ok(bytes) = object.cast_exact::<PyBytes>() {
            return Ok(FileSource::Bytes(Arc::new(PyBackedBytes::from(bytes.clone()))));
        }
        if let Some(buffer) = unsafe { Buffer::of(object.as_ptr()) } {
            return Ok(FileSource::Buffer(Arc::new(HeldBuffer(Some(buffer)))));
        }
        if object.hasattr("read")? {
            let seekable = match object.getattr_opt("seekable")? {
                Some(seekable) => seekable.call0()?.is_truthy()?,
                None => false,
            };
            let file = Arc::new(object.clone().unbind());
            return Ok(FileSource::File(file, seekable));
        }
        let name = object.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "source must be a path, bytes or a binary file, not {name}"
        )))
    }

    pub fn open(&self, py: Python<'_>) -> PyResult<OpenSource> {
        Ok(match self {
            FileSource::Path(path) => {
                let file = py.detach(|| {
                    let file = File::open(path)?;
                    let can_seek = file.metadata()?.is_file();
                    Ok((file, can_seek))
                });
                let (file, can_seek) = file.map_err(|error| os_error(py, &error, Some(path)))?;
                OpenSource::Os(file, can_seek)
            }
            FileSource::Bytes(bytes) => OpenSource::Bytes(bytes.clone(), 0),
            FileSource::Buffer(buffer) => OpenSource::Buffer(buffer.clone(), 0),
            FileSource::File(file, true) => OpenSource::Seekable(file.clone(), 0),
            FileSource::File(file, false) => OpenSource::Stream(file.clone()),
        })
    }

    pub fn path(&self) -> Option<&PathBuf> {
        match self {
            FileSource::Path(path) => Some(path),
            _ => None,
        }
    }

    /// Whether the bytes can be read a second time.
    pub fn can_repeat(&self) -> bool {
        !matches!(self, FileSource::File(_, false))
    }
}

impl Holder for FileSource {
    fn visit(&self, visit: &PyVisit<'_>) -> Visited {
        match self {
            FileSource::File(file, _) => file.visit(visit),
            FileSource::Buffer(buffer) => {
                let object = buffer.0.as_ref().and_then(Buffer::object);
                object.map_or(Ok(()), |object| object.visit(visit))
            }
            // `bytes` hold nothing.
            FileSource::Bytes(_) | FileSource::Path(_) => Ok(()),
        }
    }
}

/// A source that is read.
pub enum OpenSource {
    /// A file of the system, and whether it can seek.
    Os(File, bool),
    Bytes(Arc<PyBackedBytes>, u64),
    Buffer(Arc<HeldBuffer>, u64),
    /// A file object, and the place that is read next: others may use the file between.
    Seekable(Arc<Py<PyAny>>, u64),
    Stream(Arc<Py<PyAny>>),
}

impl OpenSource {
    /// Whether any place can be gone to.
    pub fn can_seek(&self) -> bool {
        !matches!(self, OpenSource::Os(_, false) | OpenSource::Stream(_))
    }

    /// The number of bytes, if any place can be gone to.
    pub fn size(&mut self) -> io::Result<Option<u64>> {
        if !self.can_seek() {
            return Ok(None);
        }
        let size = self.seek(SeekFrom::End(0))?;
        self.seek(SeekFrom::Start(0))?;
        Ok(Some(size))
    }
}

/// Copies what there is from a place on, and moves the place.
fn copy(bytes: &[u8], at: &mut u64, out: &mut [u8]) -> usize {
    let begin = usize::try_from(*at).unwrap_or(usize::MAX);
    let rest = bytes.get(begin..).unwrap_or_default();
    let count = rest.len().min(out.len());
    out[..count].copy_from_slice(&rest[..count]);
    *at += count as u64;
    count
}

impl Read for OpenSource {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            OpenSource::Os(file, _) => file.read(out),
            OpenSource::Bytes(bytes, at) => Ok(copy(bytes, at, out)),
            OpenSource::Buffer(buffer, at) => {
                // With the GIL, as code of Python may write to it meanwhile.
                Python::attach(|py| Ok(copy(buffer.bytes(py), at, out)))
            }
            OpenSource::Seekable(file, at) => Python::attach(|py| {
                let file = file.bind(py);
                file.call_method1("seek", (*at,)).map_err(io::Error::other)?;
                let count = read(file, out)?;
                *at += count as u64;
                Ok(count)
            }),
            OpenSource::Stream(file) => Python::attach(|py| read(file.bind(py), out)),
        }
    }
}

/// Reads once from a file object.
fn read(file: &Bound<'_, PyAny>, out: &mut [u8]) -> io::Result<usize> {
    let read = file.call_method1("read", (out.len(),));
    let read = read.map_err(io::Error::other)?;
    if read.is_none() {
        let error = PyBlockingIOError::new_err("read() returned None: no bytes are available");
        return Err(io::Error::other(error));
    }
    let Some(buffer) = (unsafe { Buffer::of(read.as_ptr()) }) else {
        let error = PyTypeError::new_err("read() must return bytes: open the file in binary mode");
        return Err(io::Error::other(error));
    };
    let bytes = buffer.bytes();
    if bytes.len() > out.len() {
        let error = PyValueError::new_err("read() returned more bytes than it was asked for");
        return Err(io::Error::other(error));
    }
    out[..bytes.len()].copy_from_slice(bytes);
    Ok(bytes.len())
}

impl Seek for OpenSource {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (len, at) = match self {
            OpenSource::Os(file, _) => return file.seek(to),
            OpenSource::Stream(_) => return Err(io::ErrorKind::NotSeekable.into()),
            OpenSource::Bytes(bytes, at) => (bytes.len() as u64, *at),
            OpenSource::Buffer(buffer, at) => (Python::attach(|py| buffer.bytes(py).len() as u64), *at),
            OpenSource::Seekable(file, at) => match to {
                SeekFrom::End(_) => (Python::attach(|py| end_of(file.bind(py)))?, *at),
                _ => (0, *at),
            },
        };
        let (from, by) = match to {
            SeekFrom::Start(offset) => (offset, 0),
            SeekFrom::End(by) => (len, by),
            SeekFrom::Current(by) => (at, by),
        };
        let place = from.checked_add_signed(by);
        let place = place.ok_or(io::ErrorKind::InvalidInput)?;
        match self {
            OpenSource::Bytes(_, at) | OpenSource::Buffer(_, at) | OpenSource::Seekable(_, at) => *at = place,
            OpenSource::Os(..) | OpenSource::Stream(_) => {}
        }
        Ok(place)
    }
}

fn end_of(file: &Bound<'_, PyAny>) -> io::Result<u64> {
    let end = file.call_method1("seek", (0, 2));
    let end = end.and_then(|end| end.extract());
    end.map_err(io::Error::other)
}

/// The exception of an error of reading or writing: that of a file object, or `OSError` with the name of the file.
pub fn os_error(py: Python<'_>, error: &io::Error, path: Option<&PathBuf>) -> PyErr {
    let of_python = error.get_ref().and_then(|inner| inner.downcast_ref::<PyErr>());
    if let Some(error) = of_python {
        return error.clone_ref(py);
    }
    let class = py.get_type::<pyo3::exceptions::PyOSError>();
    let text = match error.raw_os_error() {
        // Without the number of the system's error, which Python adds.
        Some(code) => {
            let text = error.to_string();
            let suffix = format!(" (os error {code})");
            text.strip_suffix(&suffix).unwrap_or(&text).to_owned()
        }
        None => error.to_string(),
    };
    let exception = match (error.raw_os_error(), path) {
        (Some(code), Some(path)) => class.call1((code, text, path.as_os_str())),
        (Some(code), None) => class.call1((code, text)),
        // Of the class that its kind has.
        (None, _) => return io::Error::new(error.kind(), text).into(),
    };
    exception.map_or_else(|error| error, PyErr::from_value)
}
