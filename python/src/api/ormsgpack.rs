//! `packb` and `unpackb` with the signatures of ormsgpack, for the module that replaces it.

use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::CStr;

use super::functions::{add, pack, unpack};
use crate::cpython::object::{Obj, Owned, small_long, type_of};
use crate::errors::{Failure, text_of};
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

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let place = "packord.compat.ormsgpack";
    add(module, c"packb", "_ormsgpack_packb", place, packb, PACKB_DOC)?;
    add(module, c"unpackb", "_ormsgpack_unpackb", place, unpackb, UNPACKB_DOC)?;
    for (name, flag) in options::CONSTANTS {
        module.add(*name, *flag)?;
    }
    Ok(())
}

/// The object of a call, its hook, and the bits of `option`, which are some of `known`. `None`, with the Python error
/// set, when the arguments are not right. `positional`: how many of them may come without a name.
#[inline(always)]
unsafe fn parse(
    (function, hook): (&str, &CStr),
    positional: usize,
    known: u64,
    (arguments, count, keywords): (*const Obj, isize, Obj),
) -> Option<(Obj, Option<Owned>, u64)> {
    let names = [c"obj", hook, c"option"];
    let mut values = [std::ptr::null_mut(); 3];
    let count = count as usize;
    let wrong = |fault: &str| {
        Failure::raise_argument(&format!("{function}() {fault}"));
        None
    };
    if count == 0 {
        return wrong("missing 1 required positional argument: 'obj'");
    }
    if count > positional {
        let wanted = match positional {
            1 => "1 positional argument".into(),
            most => format!("from 1 to {most} positional arguments"),
        };
        return wrong(&format!("takes {wanted} but {count} were given"));
    }
    for (index, value) in values.iter_mut().enumerate().take(count) {
        *value = *arguments.add(index);
    }
    if !keywords.is_null() {
        for index in 0..ffi::PyTuple_GET_SIZE(keywords) {
            let name = ffi::PyTuple_GET_ITEM(keywords, index);
            let place = (1..3).find(|&place| ffi::PyUnicode_CompareWithASCIIString(name, names[place].as_ptr()) == 0);
            match place {
                Some(place) if values[place].is_null() => values[place] = *arguments.add(count + index as usize),
                _ => {
                    let text = text_of(Owned::take(ffi::PyObject_Repr(name))?.get());
                    let what = match place {
                        Some(_) => "multiple values for argument",
                        None => "an unexpected keyword argument",
                    };
                    return wrong(&format!("got {what} {text}"));
                }
            }
        }
    }
    let given = |value: Obj| Some(value).filter(|value| !value.is_null() && *value != ffi::Py_None());
    let flags = match given(values[2]) {
        None => Some(0),
        Some(option) if type_of(option) == &raw mut ffi::PyLong_Type => small_long(option),
        Some(_) => None,
    };
    let flags = flags.and_then(|flags| u64::try_from(flags).ok());
    let Some(flags) = flags.filter(|flags| flags & !known == 0) else {
        Failure::raise_argument("Invalid opts");
        return None;
    };
    Some((values[0], given(values[1]).map(|hook| Owned::borrow(hook)), flags))
}

unsafe extern "C" fn packb(_: Obj, arguments: *const Obj, count: isize, keywords: Obj) -> Obj {
    let call = (arguments, count, keywords);
    let Some((object, default, flags)) = parse(("packb", c"default"), 3, options::COLUMNS - 1, call) else {
        return std::ptr::null_mut();
    };
    if flags & options::NON_STR_KEYS != 0 && flags & options::SORT_KEYS != 0 {
        Failure::raise_argument("OPT_NON_STR_KEYS is not compatible with OPT_SORT_KEYS");
        return std::ptr::null_mut();
    }
    let options = EncodeOptions {
        flags: flags | POLICIES,
        default,
        ..EncodeOptions::USUAL
    };
    pack(object, &options, None)
}

unsafe extern "C" fn unpackb(_: Obj, arguments: *const Obj, count: isize, keywords: Obj) -> Obj {
    let call = (arguments, count, keywords);
    let Some((object, ext_hook, flags)) = parse(("unpackb", c"ext_hook"), 1, UNPACK, call) else {
        return std::ptr::null_mut();
    };
    let own_timestamps = ext_hook.is_some() && flags & options::DATETIME_AS_TIMESTAMP_EXT == 0;
    let options = DecodeOptions {
        flags: flags | POLICIES,
        ext_hook,
        timestamps: if own_timestamps {
            Timestamps::Hook
        } else {
            Timestamps::Native
        },
        keep_ext: false,
        ..DecodeOptions::USUAL
    };
    unpack(object, &options, None, None)
}
