//! `packb` and `unpackb`, called without detours.

use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::ffi::CStr;

use super::decoder::PyDecoder;
use super::encoder::PyEncoder;
use super::keywords::{self, Keywords, Switches};
use crate::cpython::object::{Buffer, Obj, Owned, bytes_of, type_of};
use crate::cpython::shared::Cache;
use crate::decode::Decoder;
use crate::encode::Encoder;
use crate::errors::{Failure, Raised};
use crate::options::{self, DecodeOptions, EncodeOptions};
use crate::record::{Records, Structures};
use crate::typed::plan::TypePlan;
use crate::wire::writer::Writer;

const PACKB_DOC: &CStr = c"packb(obj, /, **options)
--

Packs an object: its MessagePack bytes. The options are those of Encoder.

default: called with each object of a type that has no encoding; it returns what to pack
instead, or raises.

Raises MsgpackEncodeError, with the path of the value at fault.

>>> packb({\"a\": [1, 2.5, None]}).hex()
'81a1619301cb4004000000000000c0'
>>> packb({\"b\": 1, \"a\": 2}, canonical=True)
b'\\x82\\xa1a\\x02\\xa1b\\x01'";

const UNPACKB_DOC: &CStr = c"unpackb(data, /, *, type=..., **options)
--

Unpacks one message from bytes, bytearray, memoryview or another contiguous buffer. The
options are those of Decoder.

type: the type that the message is read into.

Raises MsgpackDecodeError, with the offset of the byte at fault and the path of its value.

>>> unpackb(b'\\x92\\x01\\xa1x')
[1, 'x']
>>> unpackb(b'\\x92\\x01\\x02', type=tuple[int, int])
(1, 2)";

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(header, module)?)?;
    add(module, c"packb", "packb", "packord", packb, PACKB_DOC)?;
    add(module, c"unpackb", "unpackb", "packord", unpackb, UNPACKB_DOC)
}

/// The header of an array or a map.
#[pyfunction(name = "_header")]
pub fn header(py: Python<'_>, count: i64, kind: &str) -> PyResult<Py<PyBytes>> {
    let Ok(count) = u32::try_from(count) else {
        return Err(PyValueError::new_err("a count is 0 to 2**32 - 1"));
    };
    let mut out = Writer::new();
    // SAFETY: after `reserve` there is room for any header.
    unsafe {
        out.reserve(0).map_err(|_| PyMemoryError::new_err(()))?;
        match kind {
            "array" => out.array_header(count as usize),
            "map" => out.map_header(count as usize),
            _ => return Err(PyValueError::new_err("a header is of an array or a map")),
        }
    }
    Ok(PyBytes::new(py, out.written()).unbind())
}

/// Adds a function of the C API under `attribute`; its own name and module are what Python shows.
pub fn add(
    module: &Bound<'_, PyModule>,
    name: &'static CStr,
    attribute: &str,
    place: &str,
    function: ffi::PyCFunctionFastWithKeywords,
    doc: &'static CStr,
) -> PyResult<()> {
    let definition = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer {
            PyCFunctionFastWithKeywords: function,
        },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: doc.as_ptr(),
    }));
    let place = pyo3::types::PyString::new(module.py(), place);
    unsafe {
        let function = ffi::PyCFunction_NewEx(definition, std::ptr::null_mut(), place.as_ptr());
        module.add(attribute, Bound::from_owned_ptr_or_err(module.py(), function)?)
    }
}

/// Whether the call has one argument without a name; else the Python error is set.
unsafe fn is_one(function: &str, count: isize) -> bool {
    if count != 1 {
        Failure::raise_argument(&format!(
            "{function}() takes one argument without a name, not {count}: options are keywords \
             here, and packord.compat.ormsgpack takes default and option by position"
        ));
    }
    count == 1
}

/// The keywords of a call that are all switches, or a hook: its flags, and the hook. `None` if there is another. A map of
/// one entry takes .66 of the time with a switch.
#[inline(always)]
unsafe fn quick(keywords: Obj, values: *const Obj, switches: &Switches) -> Option<(u64, Option<Obj>)> {
    let (mut flags, mut hook) = (options::USUAL, None);
    for index in 0..ffi::PyTuple_GET_SIZE(keywords) {
        let name = ffi::PyTuple_GET_ITEM(keywords, index);
        let value = *values.add(index as usize);
        if name == switches.hook {
            hook = Some(value).filter(|&value| value != ffi::Py_None());
            if hook.is_some_and(|hook| ffi::PyCallable_Check(hook) == 0) {
                return None;
            }
        } else {
            let flag = switches.flag(name)?;
            if value == ffi::Py_True() {
                flags |= flag;
            } else if value != ffi::Py_False() {
                return None;
            }
        }
    }
    Some((flags, hook))
}

/// What a function made in the slow way returns.
pub unsafe fn returned(result: impl FnOnce(Python<'_>) -> PyResult<Py<PyAny>>) -> Obj {
    // Attached and not only assumed to be: else pyo3 keeps what is dropped until it is.
    Python::attach(|py| match result(py) {
        Ok(value) => value.into_ptr(),
        Err(error) => {
            error.restore(py);
            std::ptr::null_mut()
        }
    })
}

unsafe extern "C" fn packb(_: Obj, arguments: *const Obj, count: isize, keywords: Obj) -> Obj {
    if count == 1 && keywords.is_null() {
        // Most calls: there is nothing to look at, and nothing to make.
        static USUAL: EncodeOptions = EncodeOptions::USUAL;
        return pack(*arguments, &USUAL, None);
    }
    if !is_one("packb", count) {
        return std::ptr::null_mut();
    }
    let (object, values) = (*arguments, arguments.add(1));
    let Some((flags, default)) = quick(keywords, values, &keywords::switches()[0]) else {
        return returned(|py| {
            let keywords = Keywords::of_call(py, keywords, values, "packb", options::PACK)?;
            PyEncoder::of(&keywords)?.encode(&Bound::from_borrowed_ptr(py, object))
        });
    };
    let options = EncodeOptions {
        flags,
        default: default.map(|default| Owned::borrow(default)),
        ..EncodeOptions::USUAL
    };
    if records_on(flags) {
        let mut records = Records::new(None, None, None, options::MAX_RECORD_KEYS, false);
        return pack(object, &options, Some(&mut records));
    }
    pack(object, &options, None)
}

/// Whether records are on: `canonical` switches them off.
pub fn records_on(flags: u64) -> bool {
    flags & options::RECORDS != 0 && flags & options::CANONICAL == 0
}

/// The packed object; null with the Python error set.
pub unsafe fn pack(object: Obj, options: &EncodeOptions, records: Option<&mut Records>) -> Obj {
    match packed(object, options, records) {
        Some(encoder) => encoder.out.finish(),
        None => std::ptr::null_mut(),
    }
}

/// The encoder that has packed the object; `None` with the Python error set.
#[inline(always)]
pub unsafe fn packed<'a>(
    object: Obj,
    options: &'a EncodeOptions,
    records: Option<&'a mut Records>,
) -> Option<Encoder<'a>> {
    let columns = options.flags & options::COLUMNS != 0 && options.flags & options::CANONICAL == 0;
    // The records around columns are written with them.
    let with_records = columns && records.is_some();
    let records = records.filter(|_| !columns);
    let mut encoder = Encoder::new(options, records);
    let packed = encoder.message(object).and_then(|()| {
        if columns {
            let options = packord::EncodeOptions::new().columns(true);
            let options = options.records(with_records);
            if let Ok(bytes) = options.repack(encoder.out.written()) {
                return encoder.replace(&bytes);
            }
        }
        Ok(())
    });
    match packed {
        Ok(()) => Some(encoder),
        Err(Raised) => {
            if let Some(failure) = encoder.failure.take() {
                failure.raise_encode();
            }
            None
        }
    }
}

unsafe extern "C" fn unpackb(_: Obj, arguments: *const Obj, count: isize, keywords: Obj) -> Obj {
    if count == 1 && keywords.is_null() {
        static USUAL: DecodeOptions = DecodeOptions::USUAL;
        return unpack(*arguments, &USUAL, None, None);
    }
    if !is_one("unpackb", count) {
        return std::ptr::null_mut();
    }
    let (object, values) = (*arguments, arguments.add(1));
    let Some((flags, ext_hook)) = quick(keywords, values, &keywords::switches()[1]) else {
        return unpackb_as(object, keywords, values);
    };
    let options = DecodeOptions {
        flags,
        ext_hook: ext_hook.map(|hook| Owned::borrow(hook)),
        ..DecodeOptions::USUAL
    };
    if records_on(flags) {
        let mut structures = Structures::new(Vec::new(), false);
        return unpack(object, &options, Some(&mut structures), None);
    }
    unpack(object, &options, None, None)
}

/// The keywords of a call, and the decoder that was made for them: a small map with a type takes .06 of the time.
struct KnownDecoder {
    keywords: [(Option<Owned>, Option<Owned>); MOST_KEYWORDS],
    count: usize,
    /// Not pyo3's `Py`: it keeps a list of what is dropped where pyo3 has not taken the GIL itself.
    decoder: Option<Owned>,
}

/// The most keywords of a call whose decoder is kept.
const MOST_KEYWORDS: usize = 6;
/// The decoders that are kept: the last that came has a place.
const KNOWN: usize = 64;

static DECODERS: Cache<[KnownDecoder; KNOWN]> = Cache::new([KnownDecoder::NONE; KNOWN]);

impl KnownDecoder {
    const NONE: KnownDecoder = KnownDecoder {
        keywords: [const { (None, None) }; MOST_KEYWORDS],
        count: 0,
        decoder: None,
    };

    #[inline(always)]
    unsafe fn is(&self, keywords: Obj, values: *const Obj, count: usize) -> bool {
        self.count == count
            && self.keywords[..count].iter().enumerate().all(|(index, (name, value))| {
                name.as_ref().map(Owned::get) == Some(ffi::PyTuple_GET_ITEM(keywords, index as isize))
                    && value.as_ref().map(Owned::get) == Some(*values.add(index))
            })
    }
}

/// `unpackb` with other keywords than switches: by a decoder, which is found again by the very objects that the
/// call has, or by equal ones.
#[inline(never)]
unsafe fn unpackb_as(object: Obj, keywords: Obj, values: *const Obj) -> Obj {
    let count = ffi::PyTuple_GET_SIZE(keywords) as usize;
    let kept = (1..=MOST_KEYWORDS).contains(&count);
    let place = (*values as usize >> 4 ^ *values as usize >> 10 ^ count) % KNOWN;
    if kept {
        let found = DECODERS.enter().and_then(|slots| {
            let slot = slots.get_unchecked(place);
            let found = slot.decoder.as_ref().filter(|_| slot.is(keywords, values, count));
            found.cloned()
        });
        if let Some(decoder) = found {
            let decoder = Borrowed::from_ptr(Python::assume_attached(), decoder.get());
            return decoder.cast_unchecked::<PyDecoder>().get().read(object);
        }
    }
    returned(|py| {
        let asked = Keywords::of_call(py, keywords, values, "unpackb", options::UNPACK)?;
        let known = (kept && asked.are_plain()).then(|| asked.known_decoder().ok());
        let Some(decoder) = known.flatten() else {
            // Types that have no hash, and options that are wrong: what this says names the function.
            return PyDecoder::of(&asked, None)?.decode(&Bound::from_borrowed_ptr(py, object));
        };
        let mut fresh = KnownDecoder::NONE;
        (fresh.count, fresh.decoder) = (count, Some(Owned::from(&decoder)));
        for (index, place) in fresh.keywords[..count].iter_mut().enumerate() {
            let name = ffi::PyTuple_GET_ITEM(keywords, index as isize);
            *place = (Some(Owned::borrow(name)), Some(Owned::borrow(*values.add(index))));
        }
        let old = DECODERS
            .enter()
            .map(|mut slots| std::mem::replace(&mut slots[place], fresh));
        // Out of the cache, as this may run code of the user.
        drop(old);
        decoder.get().decode(&Bound::from_borrowed_ptr(py, object))
    })
}

/// The message in an object with a buffer; null with the Python error set.
#[inline(always)]
pub unsafe fn unpack(
    object: Obj,
    options: &DecodeOptions,
    structures: Option<&mut Structures>,
    plan: Option<&TypePlan>,
) -> Obj {
    with_input(object, |bytes| {
        let mut decoder = Decoder::new(bytes, options, structures, Some(object));
        match decoder.message(plan) {
            Ok(value) => value,
            Err(Raised) => {
                decoder.raise(0);
                std::ptr::null_mut()
            }
        }
    })
}

/// Calls with the bytes of an object; null, with the Python error set, if it has none.
#[inline(always)]
pub unsafe fn with_input(object: Obj, read: impl FnOnce(&[u8]) -> Obj) -> Obj {
    if type_of(object) == &raw mut ffi::PyBytes_Type {
        return read(bytes_of(object));
    }
    match Buffer::of(object) {
        // Where there is no GIL, other threads may write to the buffer meanwhile.
        Some(buffer) if cfg!(feature = "free-threaded") => read(&Box::<[u8]>::from(buffer.bytes())),
        Some(buffer) => read(buffer.bytes()),
        None => {
            Failure::raise_argument("Input must be bytes, bytearray, memoryview");
            std::ptr::null_mut()
        }
    }
}
