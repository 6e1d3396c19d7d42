//! `packb` and `unpackb`, called without detours.

use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::CStr;

use crate::decode::Decoder;
use crate::encode::Encoder;
use crate::errors::{Failure, Raised};
use crate::object::{Buffer, Obj, Owned, bytes_of, type_of};
use crate::options::{self, DecodeOptions, EncodeOptions, Timestamps};
use crate::record::{Records, Structures};
use crate::typed::plan::TypePlan;

const PACKB_DOC: &CStr = c"packb(obj, /, default=None, option=None)
--

Packs an object: its MessagePack bytes.

default: called with each object of a type that has no encoding; it returns what to pack
instead, or raises.
option: the OPT_ constants wanted, combined with |.

Raises MsgpackEncodeError, with the path of the value at fault.

>>> packb({\"a\": [1, 2.5, None]}).hex()
'81a1619301cb4004000000000000c0'";

const UNPACKB_DOC: &CStr = c"unpackb(obj, /, *, ext_hook=None, option=None)
--

Unpacks one message from bytes, bytearray, memoryview or another contiguous buffer.

ext_hook: called with type and payload of each ext value that no option reads.
option: the OPT_ constants wanted, combined with |.

Raises MsgpackDecodeError, with the offset of the byte at fault.

>>> unpackb(b'\\x92\\x01\\xa1x')
[1, 'x']";

/// Adds both functions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    for (name, function, doc) in [
        (
            c"packb",
            packb as ffi::PyCFunctionFastWithKeywords,
            PACKB_DOC,
        ),
        (
            c"unpackb",
            unpackb as ffi::PyCFunctionFastWithKeywords,
            UNPACKB_DOC,
        ),
    ] {
        let definition = Box::leak(Box::new(ffi::PyMethodDef {
            ml_name: name.as_ptr(),
            ml_meth: ffi::PyMethodDefPointer {
                PyCFunctionFastWithKeywords: function,
            },
            ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
            ml_doc: doc.as_ptr(),
        }));
        let name = name.to_str().expect("ASCII");
        let module_name = pyo3::types::PyString::new(module.py(), "packord");
        unsafe {
            let function =
                ffi::PyCFunction_NewEx(definition, std::ptr::null_mut(), module_name.as_ptr());
            module.add(name, Bound::from_owned_ptr_or_err(module.py(), function)?)?;
        }
    }
    Ok(())
}

/// The arguments of a call: at most `N` in all, the first without a name.
struct Arguments<const N: usize> {
    values: [Obj; N],
}

impl<const N: usize> Arguments<N> {
    /// `None`, with the Python error set, when they are not right. `positional`: how many may come
    /// without a name.
    #[inline(always)]
    unsafe fn parse(
        function: &str,
        names: [&CStr; N],
        positional: usize,
        arguments: *const Obj,
        count: isize,
        keywords: Obj,
    ) -> Option<Arguments<N>> {
        let mut values = [std::ptr::null_mut(); N];
        let count = count as usize;
        if count == 0 {
            Failure::raise_argument(&format!(
                "{function}() missing 1 required positional argument: 'obj'"
            ));
            return None;
        }
        if count > positional {
            let range = if positional == 1 {
                String::from("1")
            } else {
                format!("from 1 to {positional}")
            };
            let plural = if positional == 1 { "" } else { "s" };
            Failure::raise_argument(&format!(
                "{function}() takes {range} positional argument{plural} but {count} were given"
            ));
            return None;
        }
        for (index, value) in values.iter_mut().enumerate().take(count) {
            *value = *arguments.add(index);
        }
        if !keywords.is_null() {
            for index in 0..ffi::PyTuple_GET_SIZE(keywords) {
                let name = ffi::PyTuple_GET_ITEM(keywords, index);
                let place = (1..N).find(|&place| {
                    ffi::PyUnicode_CompareWithASCIIString(name, names[place].as_ptr()) == 0
                });
                let value = *arguments.add(count + index as usize);
                match place {
                    Some(place) if values[place].is_null() => values[place] = value,
                    _ => {
                        let text = Owned::take(ffi::PyObject_Repr(name))?;
                        let text = ffi::PyUnicode_AsUTF8(text.get());
                        let text = if text.is_null() {
                            String::from("?")
                        } else {
                            CStr::from_ptr(text).to_string_lossy().into()
                        };
                        let what = if place.is_some() {
                            "multiple values for argument"
                        } else {
                            "an unexpected keyword argument"
                        };
                        Failure::raise_argument(&format!("{function}() got {what} {text}"));
                        return None;
                    }
                }
            }
        }
        Some(Arguments { values })
    }

    fn get(&self, index: usize) -> Option<Obj> {
        let value = self.values[index];
        if value.is_null() || value == unsafe { ffi::Py_None() } {
            None
        } else {
            Some(value)
        }
    }
}

/// The bits of `option`; `None` with the Python error set.
pub unsafe fn flags(option: Option<Obj>, known: u64) -> Option<u64> {
    let Some(option) = option else { return Some(0) };
    if type_of(option) == &raw mut ffi::PyLong_Type {
        if let Some(bits) = crate::object::small_long(option) {
            if bits >= 0 && bits as u64 & !known == 0 {
                return Some(bits as u64);
            }
        }
    }
    Failure::raise_argument("Invalid opts");
    None
}

/// Two options that contradict each other; `false` with the Python error set.
pub unsafe fn compatible(flags: u64) -> bool {
    if flags & options::NON_STR_KEYS != 0
        && flags & options::SORT_KEYS != 0
        && flags & options::CANONICAL == 0
    {
        Failure::raise_argument("OPT_NON_STR_KEYS is not compatible with OPT_SORT_KEYS");
        return false;
    }
    true
}

unsafe extern "C" fn packb(_: Obj, arguments: *const Obj, count: isize, keywords: Obj) -> Obj {
    if count == 1 && keywords.is_null() {
        // Most calls: there is nothing to look at, and nothing to make.
        static USUAL: EncodeOptions = EncodeOptions::USUAL;
        return pack(*arguments, &USUAL, None);
    }
    let names = [c"obj", c"default", c"option"];
    let Some(arguments) = Arguments::parse("packb", names, 3, arguments, count, keywords) else {
        return std::ptr::null_mut();
    };
    let Some(flags) = flags(arguments.get(2), options::PACK) else {
        return std::ptr::null_mut();
    };
    if flags != 0 && !compatible(flags) {
        return std::ptr::null_mut();
    }
    let default = arguments.get(1).map(|default| Owned::borrow(default));
    let options = EncodeOptions {
        flags,
        default,
        max_depth: options::MAX_DEPTH,
        class_names: None,
    };
    if records_on(flags) {
        let mut records = Records::new(None, None, None, options::MAX_RECORD_KEYS, false);
        return pack(arguments.values[0], &options, Some(&mut records));
    }
    pack(arguments.values[0], &options, None)
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
    let names = [c"obj", c"ext_hook", c"option"];
    let Some(arguments) = Arguments::parse("unpackb", names, 1, arguments, count, keywords) else {
        return std::ptr::null_mut();
    };
    let Some(flags) = flags(arguments.get(2), options::UNPACK) else {
        return std::ptr::null_mut();
    };
    if flags != 0 && !compatible(flags) {
        return std::ptr::null_mut();
    }
    let ext_hook = arguments.get(1).map(|hook| Owned::borrow(hook));
    let own_timestamps = ext_hook.is_some() && flags & options::DATETIME_AS_TIMESTAMP_EXT == 0;
    let timestamps = if own_timestamps {
        Timestamps::Hook
    } else {
        Timestamps::Datetime
    };
    let options = DecodeOptions {
        flags,
        ext_hook,
        timestamps,
        ..DecodeOptions::default()
    };
    if records_on(flags) {
        let mut structures = Structures::new(Vec::new(), false);
        return unpack(arguments.values[0], &options, Some(&mut structures), None);
    }
    unpack(arguments.values[0], &options, None, None)
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
        let value = match plan {
            Some(plan) => decoder.typed_message(plan),
            None => decoder.message(),
        };
        match value {
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
