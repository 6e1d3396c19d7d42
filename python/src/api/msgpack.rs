//! What `packord.compat.msgpack` is made of: functions and classes with the arguments of msgpack's.

use pyo3::exceptions::{PyAssertionError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::pyclass::PyVisit;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyTuple};
use pyo3::{PyTypeInfo, intern};
use std::ffi::CStr;
use std::sync::OnceLock;

use super::functions::{add, header, pack, returned, with_input};
use super::held;
use super::msgpack_options::{Packing, Unpacking, for_each, for_each_of};
use super::unpacker::{Operation, Unpacker};
use crate::cpython::garbage::{Holder, Visited, holds};
use crate::cpython::object::{Buffer, Obj, Owned, type_of};
use crate::cpython::shared::Guarded;
use crate::cpython::state;
use crate::decode::Decoder;
use crate::errors::Raised;
use crate::options::{DecodeOptions, EncodeOptions};
use crate::stream::{Next, Stream};
use crate::values::Ext;

const PACKB_DOC: &CStr = c"packb(o, **kwargs)
--

Packs an object; the arguments are those of Packer.";

const UNPACKB_DOC: &CStr = c"unpackb(packed, **kwargs)
--

Unpacks one message; the arguments are those of Unpacker.";

/// What the Python half of the module has, and what calls without arguments use.
struct Module {
    packing: Packing,
    unpacking: Unpacking,
    /// Each makes the exception that msgpack raises, of the error that packord has raised.
    pack_error: Owned,
    unpack_error: Owned,
    of_tuples: Owned,
    buffer_full: Owned,
    extra_data: Owned,
}

static MODULE: PyOnceLock<Module> = PyOnceLock::new();

/// What `packord.compat.msgpack` has; only it can call what needs this.
fn module(py: Python<'_>) -> PyResult<&'static Module> {
    MODULE.get_or_try_init(py, || {
        let found = py.import("packord.compat.msgpack")?;
        let get = |name: &str| found.getattr(name).map(|found| Owned::from(&found));
        let ext_class = get("ExtType")?;
        Ok(Module {
            packing: Packing::usual(&ext_class),
            unpacking: Unpacking::usual(&ext_class),
            pack_error: get("_pack_error")?,
            unpack_error: get("_unpack_error")?,
            of_tuples: get("_of_tuples")?,
            buffer_full: get("BufferFull")?,
            extra_data: get("ExtraData")?,
        })
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let place = "packord.compat.msgpack";
    add(module, c"packb", "_msgpack_packb", place, packb, PACKB_DOC)?;
    add(module, c"unpackb", "_msgpack_unpackb", place, unpackb, UNPACKB_DOC)?;
    module.add("_MsgpackPacker", MsgpackPacker::type_object(module.py()))?;
    module.add("_MsgpackUnpacker", MsgpackUnpacker::type_object(module.py()))
}

/// The exception that a function of Python makes of an error of packord; all others are handed on.
#[cold]
fn translated(py: Python<'_>, error: PyErr, make: &Owned, data: Option<Obj>) -> PyErr {
    let ours = [state::get().encode_error, state::get().decode_error];
    let value = error.value(py).as_ptr();
    // SAFETY: the classes live as long as the process.
    let is_ours = |class: &Obj| unsafe { ffi::PyErr_GivenExceptionMatches(value, *class) != 0 };
    if !ours.iter().any(is_ours) {
        return error;
    }
    let data = data.map_or(std::ptr::null_mut(), |data| data);
    let exception = unsafe {
        let null = std::ptr::null_mut::<ffi::PyObject>();
        let exception = ffi::PyObject_CallFunctionObjArgs(make.get(), value, data, null);
        Bound::from_owned_ptr_or_err(py, exception)
    };
    exception.map_or_else(|error| error, PyErr::from_value)
}

fn packed<'py>(object: &Bound<'py, PyAny>, options: &EncodeOptions) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let bytes = unsafe { Bound::from_owned_ptr_or_err(py, pack(object.as_ptr(), options, None)) };
    bytes.or_else(|error| Err(translated(py, error, &module(py)?.pack_error, None)))
}

unsafe extern "C" fn packb(_: Obj, arguments: *const Obj, count: isize, keywords: Obj) -> Obj {
    returned(|py| {
        let usual = &module(py)?.packing;
        let mut own = None;
        let call = (arguments, count, keywords);
        let object = subject(py, ("packb", "o"), call, |name, value| {
            own.get_or_insert_with(|| usual.clone()).set(name, value)
        })?;
        let packing = own.as_ref().unwrap_or(usual);
        let object = object.ok_or_else(|| missing("packb", "o"))?;
        let packed = packed(&object, &packing.options)?.unbind();
        // With `autoreset=False` a packer keeps it, that nobody has.
        Ok(if packing.keeps { py.None() } else { packed })
    })
}

/// The one argument of a function that may come without a name. All others are handed to `set`.
#[inline(always)]
unsafe fn subject<'py>(
    py: Python<'py>,
    (function, name): (&str, &str),
    (arguments, count, keywords): (*const Obj, isize, Obj),
    mut set: impl FnMut(&[u8], &Bound<'py, PyAny>) -> PyResult<bool>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if count > 1 {
        return Err(PyTypeError::new_err(format!(
            "{function}() takes 1 positional argument but {count} were given"
        )));
    }
    let mut found = (count == 1).then(|| Bound::from_borrowed_ptr(py, *arguments));
    if !keywords.is_null() {
        for_each(py, function, keywords, arguments.add(count as usize), |key, value| {
            if found.is_some() || key != name.as_bytes() {
                return set(key, value);
            }
            found = Some(value.clone());
            Ok(true)
        })?;
    }
    Ok(found)
}

fn missing(function: &str, name: &str) -> PyErr {
    let text = format!("{function}() missing 1 required positional argument: '{name}'");
    PyTypeError::new_err(text)
}

unsafe extern "C" fn unpackb(_: Obj, arguments: *const Obj, count: isize, keywords: Obj) -> Obj {
    returned(|py| {
        let (module, mut own) = (module(py)?, None);
        let call = (arguments, count, keywords);
        let data = subject(py, ("unpackb", "packed"), call, |name, value| {
            own.get_or_insert_with(|| module.unpacking.clone()).set(name, value)
        })?;
        if let Some(own) = &mut own {
            own.finish(py, &module.of_tuples)?;
        }
        let unpacking = own.as_ref().unwrap_or(&module.unpacking);
        let data = data.ok_or_else(|| missing("unpackb", "packed"))?;
        unpacked(&data, &unpacking.options)
    })
}

/// The one message in a buffer.
unsafe fn unpacked(data: &Bound<'_, PyAny>, options: &DecodeOptions) -> PyResult<Py<PyAny>> {
    let py = data.py();
    let data = contiguous(data)?;
    let mut failure = None;
    let value = with_input(data.as_ptr(), |bytes| {
        let mut decoder = Decoder::new(bytes, options, None, Some(data.as_ptr()));
        match decoder.first_message() {
            Ok(value) if decoder.remaining() == 0 => value,
            Ok(value) => {
                let value = Bound::from_owned_ptr(py, value);
                failure = Some(extra_data(value, decoder.rest()));
                std::ptr::null_mut()
            }
            Err(Raised) => {
                decoder.raise(0);
                std::ptr::null_mut()
            }
        }
    });
    match (Bound::from_owned_ptr_or_opt(py, value), failure) {
        (Some(value), _) => Ok(value.unbind()),
        (None, Some(error)) => Err(error),
        (None, None) => {
            let make = &module(py)?.unpack_error;
            Err(translated(py, PyErr::fetch(py), make, Some(data.as_ptr())))
        }
    }
}

#[cold]
fn extra_data(value: Bound<'_, PyAny>, rest: &[u8]) -> PyErr {
    let py = value.py();
    let exception = module(py).and_then(|module| {
        let class = unsafe { Bound::from_borrowed_ptr(py, module.extra_data.get()) };
        class.call1((value, PyBytes::new(py, rest)))
    });
    exception.map_or_else(|error| error, PyErr::from_value)
}

/// An object whose buffer has no gaps: itself, or its bytes.
unsafe fn contiguous<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if type_of(data.as_ptr()) == &raw mut ffi::PyBytes_Type || Buffer::of(data.as_ptr()).is_some() {
        return Ok(data.clone());
    }
    let view = ffi::PyMemoryView_FromObject(data.as_ptr());
    let view = Bound::from_owned_ptr_or_err(data.py(), view)?;
    view.call_method0(intern!(data.py(), "tobytes"))
}

/// Packs objects one by one; see msgpack's class.
#[pyclass(name = "Packer", module = "packord.compat.msgpack", frozen, subclass)]
pub struct MsgpackPacker {
    packing: OnceLock<Packing>,
    kept: Guarded<Option<Py<PyByteArray>>>,
}

impl MsgpackPacker {
    fn packing(&self, py: Python<'_>) -> PyResult<&Packing> {
        Ok(self.packing.get().unwrap_or(&module(py)?.packing))
    }

    /// Returns what was packed, or keeps it.
    fn done<'py>(&self, data: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = data.py();
        if !self.packing(py)?.keeps {
            return Ok(data);
        }
        let kept = self.kept(py)?;
        let longer = unsafe { ffi::PySequence_InPlaceConcat(kept.as_ptr(), data.as_ptr()) };
        unsafe { Bound::from_owned_ptr_or_err(py, longer) }?;
        Ok(py.None().into_bound(py))
    }

    fn kept<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        let mut kept = held(&self.kept, "a Packer")?;
        let kept = kept.get_or_insert_with(|| PyByteArray::new(py, b"").unbind());
        Ok(kept.bind(py).clone())
    }

    fn packed<'py>(&self, obj: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        packed(obj, &self.packing(obj.py())?.options)
    }

    fn header<'py>(py: Python<'py>, size: i64, kind: &str) -> PyResult<Bound<'py, PyAny>> {
        if size < 0 {
            return Err(PyValueError::new_err("size must be non-negative"));
        }
        Ok(header(py, size, kind)?.into_bound(py).into_any())
    }
}

#[pymethods]
impl MsgpackPacker {
    #[new]
    #[pyo3(signature = (*_arguments, **_keywords))]
    fn new(_arguments: &Bound<'_, PyTuple>, _keywords: Option<&Bound<'_, PyDict>>) -> Self {
        MsgpackPacker {
            packing: OnceLock::new(),
            kept: Guarded::new(None),
        }
    }

    #[pyo3(signature = (**keywords))]
    fn __init__(&self, py: Python<'_>, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let mut packing = module(py)?.packing.clone();
        for_each_of("Packer", keywords, |name, value| packing.set(name, value))?;
        let text = "Packer.__init__() was called before";
        let set = self.packing.set(packing);
        set.map_err(|_| PyRuntimeError::new_err(text))
    }

    /// Returns the packed object; with ``autoreset=False`` keeps it for ``bytes()``. What cannot be packed drops what
    /// was kept.
    #[pyo3(signature = (obj, /))]
    fn pack<'py>(&self, obj: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match self.packed(obj) {
            Ok(data) => self.done(data),
            Err(error) => {
                self.reset(obj.py())?;
                Err(error)
            }
        }
    }

    /// Packs the header of an array of ``size`` elements.
    fn pack_array_header<'py>(&self, py: Python<'py>, size: i64) -> PyResult<Bound<'py, PyAny>> {
        self.done(Self::header(py, size, "array")?)
    }

    /// Packs the header of a map of ``size`` entries.
    fn pack_map_header<'py>(&self, py: Python<'py>, size: i64) -> PyResult<Bound<'py, PyAny>> {
        self.done(Self::header(py, size, "map")?)
    }

    /// Packs pairs as a map.
    fn pack_map_pairs<'py>(&self, pairs: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = pairs.py();
        let pairs = pairs.try_iter()?.collect::<PyResult<Vec<_>>>()?;
        let parts = PyList::new(py, [Self::header(py, pairs.len() as i64, "map")?])?;
        for pair in pairs {
            let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
            parts.append(self.packed(&key)?)?;
            parts.append(self.packed(&value)?)?;
        }
        self.done(PyBytes::new(py, b"").call_method1("join", (parts,))?)
    }

    /// Packs an ext value.
    fn pack_ext_type<'py>(
        &self,
        typecode: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let ext = Ext::type_object(data.py()).call1((typecode, data))?;
        self.done(self.packed(&ext)?)
    }

    /// Packs a timestamp.
    fn pack_timestamp<'py>(&self, timestamp: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.done(self.packed(timestamp)?)
    }

    /// Returns a copy of the bytes that were kept.
    fn bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bytes = unsafe { ffi::PyBytes_FromObject(self.kept(py)?.as_ptr()) };
        unsafe { Bound::from_owned_ptr_or_err(py, bytes) }
    }

    /// Returns a view of the bytes that were kept.
    fn getbuffer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let view = unsafe { ffi::PyMemoryView_FromObject(self.kept(py)?.as_ptr()) };
        unsafe { Bound::from_owned_ptr_or_err(py, view) }
    }

    /// Drops the bytes that were kept.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        let kept = held(&self.kept, "a Packer")?;
        // It stays as it is while a view looks at it.
        kept.as_ref().map_or(Ok(()), |kept| kept.bind(py).resize(0))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Visited {
        let packing = self.packing.get();
        packing.map_or(Ok(()), |packing| packing.options.visit(&visit))
    }
}

/// Reads messages one after another; see msgpack's class.
#[pyclass(name = "Unpacker", module = "packord.compat.msgpack", frozen, subclass)]
pub struct MsgpackUnpacker {
    state: Guarded<Option<Reading>>,
}

struct Reading {
    stream: Stream,
    read: Option<Owned>,
    read_size: usize,
    limit: usize,
    fed: u64,
}

holds!(Reading: stream, read);

/// The most bytes of a stream without a limit of its own.
const MOST: usize = u32::MAX as usize;
const USUAL_LIMIT: usize = 100 * 1024 * 1024;
const USUAL_READ_SIZE: usize = 16 * 1024;

impl Reading {
    fn new(py: Python<'_>, file: Option<&Bound<'_, PyAny>>, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Reading> {
        let module = module(py)?;
        let mut unpacking = module.unpacking.clone();
        let (mut read_size, mut limit) = (0, USUAL_LIMIT);
        for_each_of("Unpacker", keywords, |name, value| {
            match name {
                b"read_size" => read_size = value.extract::<i64>()?,
                b"max_buffer_size" => limit = value.extract::<usize>()?,
                _ => return unpacking.set(name, value),
            }
            Ok(true)
        })?;
        unpacking.finish(py, &module.of_tuples)?;
        limit = if limit == 0 { MOST } else { limit };
        let read = file.map(|file| {
            let read = file.getattr(intern!(py, "read")).ok();
            let read = read.filter(PyAnyMethods::is_callable);
            let text = "`file_like.read` must be a callable.";
            let read = read.ok_or_else(|| PyTypeError::new_err(text))?;
            PyResult::Ok(Owned::from(&read))
        });
        let read_size = usize::try_from(read_size).unwrap_or(usize::MAX);
        if read_size > limit {
            let text = "read_size must not be above max_buffer_size, nor negative";
            return Err(PyValueError::new_err(text));
        }
        unpacking.limit(limit);
        let ext_hook = |of: &Unpacking| of.options.ext_hook.as_ref().map(Owned::get);
        let makes_ext_types = ext_hook(&unpacking) == ext_hook(&module.unpacking);
        let is_repeatable = makes_ext_types && !unpacking.options.calls_container_hooks();
        let mut stream = Stream::new(unpacking.options, None, None);
        stream.repeatable |= is_repeatable;
        stream.skips_unchecked = true;
        Ok(Reading {
            stream,
            read: read.transpose()?,
            read_size: if read_size == 0 {
                limit.min(USUAL_READ_SIZE)
            } else {
                read_size
            },
            limit,
            fed: 0,
        })
    }

    /// How many more bytes may wait to be read.
    fn room(&self) -> usize {
        let unread = (self.fed - self.stream.tell()) as usize;
        self.limit.saturating_sub(unread)
    }

    /// Adds bytes to the stream, for which there is this room.
    unsafe fn take(&mut self, data: &Bound<'_, PyAny>, room: usize) -> PyResult<usize> {
        let py = data.py();
        let data = contiguous(data)?;
        let Some(buffer) = Buffer::of(data.as_ptr()) else {
            return Err(PyErr::fetch(py));
        };
        let length = buffer.bytes().len();
        if length > room {
            return Err(Reading::full(py));
        }
        let fed = self.stream.feed(py, buffer.bytes());
        fed.map_err(|error| Reading::fault(py, error))?;
        self.fed += length as u64;
        Ok(length)
    }

    #[cold]
    fn full(py: Python<'_>) -> PyErr {
        let exception = module(py).and_then(|module| {
            let class = unsafe { Bound::from_borrowed_ptr(py, module.buffer_full.get()) };
            class.call0()
        });
        exception.map_or_else(|error| error, PyErr::from_value)
    }

    /// Reads once from the file, up to `wanted` bytes; `false` at its end, or if there is none. `room`: how many it may
    /// hand over.
    unsafe fn fill(&mut self, py: Python<'_>, wanted: usize, room: usize) -> PyResult<bool> {
        let Some(read) = &self.read else {
            return Ok(false);
        };
        if wanted == 0 {
            return Err(Reading::full(py));
        }
        let read = Bound::from_borrowed_ptr(py, read.get());
        let data = read.call1((self.read_size.min(wanted),))?;
        Ok(data.is_truthy()? && self.take(&data, room)? > 0)
    }

    /// The exception of msgpack for an error.
    #[cold]
    fn fault(py: Python<'_>, error: PyErr) -> PyErr {
        match module(py) {
            Ok(module) => translated(py, error, &module.unpack_error, None),
            Err(error) => error,
        }
    }

    unsafe fn run<'py>(&mut self, py: Python<'py>, operation: Operation) -> PyResult<Option<Bound<'py, PyAny>>> {
        loop {
            match operation.run(&mut self.stream, false) {
                Next::Value(value) => return Ok(Some(Bound::from_owned_ptr(py, value))),
                Next::Failed => return Err(Reading::fault(py, PyErr::fetch(py))),
                Next::More => {
                    let room = self.room();
                    if !self.fill(py, room, room)? {
                        return Ok(None);
                    }
                }
            }
        }
    }
}

impl MsgpackUnpacker {
    #[inline(always)]
    fn with<T>(&self, call: impl FnOnce(&mut Reading) -> PyResult<T>) -> PyResult<T> {
        let mut state = held(&self.state, "an Unpacker")?;
        let text = "Unpacker.__init__() was not called";
        let reading = state.as_mut();
        call(reading.ok_or_else(|| PyRuntimeError::new_err(text))?)
    }

    fn run<'py>(&self, py: Python<'py>, operation: Operation) -> PyResult<Bound<'py, PyAny>> {
        let found = self.with(|reading| unsafe { reading.run(py, operation) })?;
        Unpacker::or_out_of_data(py, found)
    }
}

#[pymethods]
impl MsgpackUnpacker {
    #[new]
    #[pyo3(signature = (*_arguments, **_keywords))]
    fn new(_arguments: &Bound<'_, PyTuple>, _keywords: Option<&Bound<'_, PyDict>>) -> Self {
        MsgpackUnpacker {
            state: Guarded::new(None),
        }
    }

    #[pyo3(signature = (file_like = None, **keywords))]
    fn __init__<'py>(
        &self,
        py: Python<'py>,
        file_like: Option<&Bound<'py, PyAny>>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<()> {
        let reading = Reading::new(py, file_like, keywords)?;
        *held(&self.state, "an Unpacker")? = Some(reading);
        Ok(())
    }

    /// Adds bytes to the stream.
    #[pyo3(signature = (next_bytes, /))]
    fn feed(&self, next_bytes: &Bound<'_, PyAny>) -> PyResult<()> {
        self.with(|reading| {
            if reading.read.is_some() {
                let text = "unpacker.feed() is not be able to use with `file_like`.";
                return Err(PyAssertionError::new_err(text));
            }
            unsafe { reading.take(next_bytes, reading.room()) }.map(drop)
        })
    }

    /// Returns the next message. Raises ``OutOfData`` if no whole message is there yet.
    fn unpack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.run(py, Operation::Read)
    }

    /// Skips the next message.
    fn skip(&self, py: Python<'_>) -> PyResult<()> {
        self.run(py, Operation::Skip).map(drop)
    }

    /// Reads the header of an array and returns its count.
    fn read_array_header<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.run(py, Operation::Header { map: false })
    }

    /// Reads the header of a map and returns its count.
    fn read_map_header<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.run(py, Operation::Header { map: true })
    }

    /// Up to ``n`` bytes as they are.
    fn read_bytes<'py>(&self, py: Python<'py>, n: usize) -> PyResult<Bound<'py, PyAny>> {
        self.with(|reading| unsafe {
            // They are handed over at once, so no limit holds for them.
            loop {
                let missing = n.saturating_sub(reading.stream.available());
                if missing == 0 || !reading.fill(py, missing, usize::MAX)? {
                    break;
                }
            }
            Bound::from_owned_ptr_or_err(py, reading.stream.take(n))
        })
    }

    /// The offset in the stream.
    fn tell(&self) -> PyResult<u64> {
        self.with(|reading| Ok(reading.stream.tell()))
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.with(|reading| unsafe { reading.run(py, Operation::Read) })
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Visited {
        self.state.visit(&visit)
    }
}
