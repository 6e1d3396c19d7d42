//! `packb` and `unpackb` with the signatures of ormsgpack, for the module that replaces it.

use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::CStr;

use super::functions::{add, pack, unpack};
use crate::cpython::object::{Obj, Owned, type_of};
use crate::errors::Failure;
use crate::options::{self, DecodeOptions, EncodeOptions, Timestamps};

const PACKB_DOC: &CStr = c"packb(obj, /, default=None, option=None)
--

Packs an object as ormsgpack does: its MessagePack bytes.

default: called with each object of a type that has no encoding; it returns what to pack
instead, or raises.
option: the OPT_ constants wanted, combined with |.

Raises MsgpackEncodeError.";

const UNPACKB_DOC: &CStr = c"unpackb(obj, /, *, ext_hook=None, option=None)
--

Unpacks one message as ormsgpack does.

ext_hook: called with type and payload of each ext value.
option: the OPT_ constants wanted, combined with |.

Raises MsgpackDecodeError.";

/// What ormsgpack does without an option, and packord does not.
const POLICIES: u64 = options::FEW_TYPES
    | options::FEW_KEYS
    | options::NO_PRIVATE_FIELDS
    | options::SIX_DIGITS
    | options::NO_CONVERSIONS
    | options::NO_OBJECTS
    | options::WHOLE_MINUTES
    | options::NAIVE_TIMES
    | options::SHORT_WORDS;

/// The options that `unpackb` knows.
const UNPACK: u64 = options::NON_STR_KEYS | options::DATETIME_AS_TIMESTAMP_EXT;

/// Adds both functions, and ormsgpack's constants.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let place = "packord.compat.ormsgpack";
    add(module, c"packb", "_ormsgpack_packb", place, packb, PACKB_DOC)?;
    add(module, c"unpackb", "_ormsgpack_unpackb", place, unpackb, UNPACKB_DOC)?;
    for (name, flag) in options::CONSTANTS {
        module.add(*name, *flag)?;
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
            Failure::raise_argument(&format!("{function}() missing 1 required positional argument: 'obj'"));
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
                let place =
                    (1..N).find(|&place| ffi::PyUnicode_CompareWithASCIIString(name, names[place].as_ptr()) == 0);
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
unsafe fn flags(option: Option<Obj>, known: u64) -> Option<u64> {
    let Some(option) = option else { return Some(0) };
    if type_of(option) == &raw mut ffi::PyLong_Type {
        if let Some(bits) = crate::cpython::object::small_long(option) {
            if bits >= 0 && bits as u64 & !known == 0 {
                return Some(bits as u64);
            }
        }
    }
    Failure::raise_argument("Invalid opts");
    None
}

/// Two options that contradict each other; `false` with the Python error set.
unsafe fn compatible(flags: u64) -> bool {
    if flags & options::NON_STR_KEYS != 0 && flags & options::SORT_KEYS != 0 {
        Failure::raise_argument("OPT_NON_STR_KEYS is not compatible with OPT_SORT_KEYS");
        return false;
    }
    true
}

unsafe extern "C" fn packb(_: Obj, arguments: *const Obj, count: isize, keywords: Obj) -> Obj {
    let names = [c"obj", c"default", c"option"];
    let Some(arguments) = Arguments::parse("packb", names, 3, arguments, count, keywords) else {
        return std::ptr::null_mut();
    };
    let Some(flags) = flags(arguments.get(2), options::COLUMNS - 1) else {
        return std::ptr::null_mut();
    };
    if !compatible(flags) {
        return std::ptr::null_mut();
    }
    let options = EncodeOptions {
        flags: flags | POLICIES,
        default: arguments.get(1).map(|default| Owned::borrow(default)),
        ..EncodeOptions::USUAL
    };
    pack(arguments.values[0], &options, None)
}

unsafe extern "C" fn unpackb(_: Obj, arguments: *const Obj, count: isize, keywords: Obj) -> Obj {
    let names = [c"obj", c"ext_hook", c"option"];
    let Some(arguments) = Arguments::parse("unpackb", names, 1, arguments, count, keywords) else {
        return std::ptr::null_mut();
    };
    let Some(flags) = flags(arguments.get(2), UNPACK) else {
        return std::ptr::null_mut();
    };
    let ext_hook = arguments.get(1).map(|hook| Owned::borrow(hook));
    let own_timestamps = ext_hook.is_some() && flags & options::DATETIME_AS_TIMESTAMP_EXT == 0;
    let timestamps = if own_timestamps {
        Timestamps::Hook
    } else {
        Timestamps::Native
    };
    let options = DecodeOptions {
        flags: flags | POLICIES,
        ext_hook,
        timestamps,
        keep_ext: false,
        ..DecodeOptions::USUAL
    };
    unpack(arguments.values[0], &options, None, None)
}
