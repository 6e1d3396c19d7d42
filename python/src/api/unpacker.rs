//! `Unpacker`: streams, under the names of msgpack's class.

use pyo3::exceptions::{PyStopIteration, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pyclass::PyVisit;
use pyo3::types::{PyDict, PyType};

use super::functions::records_on;
use super::held;
use super::keywords::Keywords;
use super::settings::{generic_alias, shared_keys, to_lists};
use crate::cpython::garbage::{Holder, Visited};
use crate::cpython::object::{Buffer, Owned};
use crate::cpython::shared::Guarded;
use crate::options::STREAM;
use crate::stream::{Next, Source, Stream};

/// Reads messages one after another, from a file or from bytes that are fed.
///
/// `file_like` is an object whose `read(size)` returns up to `size` bytes, and `b""` at its end;
/// `read_size` is the size in bytes. The keywords are those of `Decoder`, and `max_buffer`: the most
/// bytes that one message may have. With `type` each message is read into that type.
///
/// Iterating ends where a file ends or no whole message is left; `MsgpackDecodeError` says what is
/// wrong with a message. The next call reads the message after it if its end is known: after text that is not
/// UTF-8, a malformed timestamp, a value above a limit of lengths, nodes or depth, and all that types and hooks
/// refuse. What ends the stream is raised again by each later call: marker `c1`, a message above `max_buffer`, a
/// malformed record, and every fault of the format in a stream with records.
#[pyclass(module = "packord", frozen, subclass)]
pub struct Unpacker {
    state: Guarded<(Stream, Option<Source>)>,
}

/// What a call does with the next bytes of the stream.
#[derive(Clone, Copy)]
pub enum Operation {
    Read,
    Skip,
    Header { map: bool },
}

impl Operation {
    pub unsafe fn run(self, stream: &mut Stream, ended: bool) -> Next {
        match self {
            Operation::Read => stream.next(ended),
            Operation::Skip => stream.skip(ended),
            Operation::Header { map } => stream.header(map, ended),
        }
    }
}

impl Unpacker {
    /// Runs an operation, reading more of the file as needed. Returns `None` at the end of the stream,
    /// or of what was fed.
    fn run<'py>(&self, py: Python<'py>, operation: Operation) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut state = held(&self.state, "an Unpacker")?;
        let (stream, source) = &mut *state;
        loop {
            let ended = source.as_ref().is_some_and(|source| source.ended);
            if ended && stream.at_boundary() {
                return Ok(None);
            }
            match unsafe { operation.run(stream, ended) } {
                Next::Value(value) => {
                    return unsafe { Bound::from_owned_ptr_or_err(py, value) }.map(Some);
                }
                Next::Failed => return Err(PyErr::fetch(py)),
                Next::More => match source {
                    None => return Ok(None),
                    Some(source) => source.fill(py, stream)?,
                },
            }
        }
    }

    pub fn or_out_of_data<'py>(py: Python<'py>, value: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        match value {
            Some(value) => Ok(value),
            None => {
                let class = py.import("packord._errors")?.getattr("OutOfData")?;
                Err(PyErr::from_value(class.call1(("No more data to unpack.",))?))
            }
        }
    }
}

#[pymethods]
impl Unpacker {
    #[new]
    #[pyo3(signature = (file_like = None, *, read_size = 65536, **keywords))]
    fn new(
        py: Python<'_>,
        file_like: Option<&Bound<'_, PyAny>>,
        read_size: usize,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Unpacker> {
        let keywords = Keywords::new(py, keywords, "Unpacker", STREAM)?;
        let mut options = keywords.decode_options()?;
        let structures = keywords
            .reader_structures(&mut options)?
            .filter(|_| records_on(options.flags));
        let plan = keywords.plan(None)?;
        if read_size == 0 {
            return Err(PyValueError::new_err("read_size must be above 0"));
        }
        let source = file_like.map(|file| {
            let read = file.getattr_opt("read")?;
            let read = read.ok_or_else(|| PyTypeError::new_err("file_like must have a read method"))?;
            PyResult::Ok(Source {
                read: Owned::from(&read),
                size: read_size,
                ended: false,
            })
        });
        let source = source.transpose()?;
        Ok(Unpacker {
            state: Guarded::new((Stream::new(options, structures, plan), source)),
        })
    }

    /// `Unpacker[User]` in an annotation.
    #[classmethod]
    fn __class_getitem__<'py>(class: &Bound<'py, PyType>, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        generic_alias(class, item)
    }

    /// Adds `data`, bytes or another contiguous buffer, to the stream.
    ///
    /// Raises `TypeError` if the stream is read from a file, and what `unpack` raised if no message can come any more.
    #[pyo3(signature = (data, /))]
    fn feed(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut state = held(&self.state, "an Unpacker")?;
        if state.1.is_some() {
            return Err(PyTypeError::new_err("an Unpacker that reads a file can't be fed"));
        }
        let buffer = unsafe { Buffer::of(data.as_ptr()) };
        let buffer = buffer.ok_or_else(|| PyTypeError::new_err("feed() takes bytes or another contiguous buffer"))?;
        state.0.feed(data.py(), buffer.bytes())
    }

    /// Returns the next message.
    ///
    /// Raises `OutOfData` if no whole message is there yet, `MsgpackDecodeError` if it is wrong.
    fn unpack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Unpacker::or_out_of_data(py, self.run(py, Operation::Read)?)
    }

    /// Skips the next message, which is checked but not built.
    ///
    /// Raises what `unpack` raises.
    fn skip(&self, py: Python<'_>) -> PyResult<()> {
        Unpacker::or_out_of_data(py, self.run(py, Operation::Skip)?).map(drop)
    }

    /// Reads the header of an array and returns its count. The elements are the next messages.
    ///
    /// Raises `MsgpackDecodeError` of kind `type_mismatch` at any other value.
    fn read_array_header<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Unpacker::or_out_of_data(py, self.run(py, Operation::Header { map: false })?)
    }

    /// Reads the header of a map and returns its count. Its keys and values, in turn, are the next
    /// messages.
    ///
    /// Raises `MsgpackDecodeError` of kind `type_mismatch` at any other value.
    fn read_map_header<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Unpacker::or_out_of_data(py, self.run(py, Operation::Header { map: true })?)
    }

    /// Takes up to `count` bytes of the stream and returns them as they are.
    #[pyo3(signature = (count, /))]
    fn read_bytes<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Bound<'py, PyAny>> {
        let mut state = held(&self.state, "an Unpacker")?;
        let (stream, source) = &mut *state;
        if let Some(source) = source {
            while stream.available() < count && !source.ended {
                source.fill(py, stream)?;
            }
        }
        unsafe { Bound::from_owned_ptr_or_err(py, stream.take(count)) }
    }

    /// Returns the offset of the next byte to read, in bytes from the start of the stream.
    fn tell(&self) -> PyResult<u64> {
        Ok(held(&self.state, "an Unpacker")?.0.tell())
    }

    /// Says that no more bytes will be fed.
    ///
    /// Raises `MsgpackDecodeError` of kind `eof` if the stream ends within a message.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        let mut state = held(&self.state, "an Unpacker")?;
        let stream = &mut state.0;
        if stream.at_boundary() {
            return Ok(());
        }
        stream.check_end(py)
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.run(py, Operation::Read)?
            .ok_or_else(|| PyStopIteration::new_err(()))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Visited {
        self.state.visit(&visit)
    }

    /// The list of shared record structures; `None` while records are off.
    #[getter]
    fn structures<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let state = held(&self.state, "an Unpacker")?;
        let shared = state.0.shared().map(|shared| to_lists(py, shared));
        Ok(shared.transpose()?.map(Bound::into_any))
    }

    #[setter]
    fn set_structures(&self, list: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut state = held(&self.state, "an Unpacker")?;
        if state.0.set_shared(shared_keys(list)?) {
            Ok(())
        } else {
            Err(PyValueError::new_err("records are off"))
        }
    }
}
