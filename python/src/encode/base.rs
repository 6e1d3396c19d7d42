//! Objects by the built-in types that they are derived from, and all others by `default`, as msgpack-python has it.

use pyo3::ffi;
use pyo3::{PyTypeInfo, Python};

use super::{Done, Encoder};
use crate::cpython::object::{Obj, Owned, bytes_of, small_long, type_name, type_of};
use crate::errors::{Failure, Kind};
use crate::options;
use crate::values::{Ext, Timestamp};

impl Encoder<'_> {
    /// An object whose type is none of those that are packed without code of Python. `ext_class`: the class of tuples
    /// that are ext values.
    #[inline(never)]
    pub(super) unsafe fn by_base(&mut self, object: Obj, ext_class: Obj) -> Done {
        let class = type_of(object);
        let derived = !self.has(options::PASSTHROUGH_TUPLE);
        if class as Obj == ext_class || (derived && ffi::PyType_IsSubtype(class, ext_class.cast()) != 0) {
            return self.ext_tuple(object);
        }
        if derived && ffi::PyLong_Check(object) != 0 {
            return match small_long(object) {
                Some(number) => self.small_integer(number),
                None => self.long(object),
            };
        }
        if derived && ffi::PyFloat_Check(object) != 0 {
            return self.float(ffi::PyFloat_AS_DOUBLE(object));
        }
        if derived && ffi::PyBytes_Check(object) != 0 {
            return self.binary(bytes_of(object));
        }
        if derived && ffi::PyUnicode_Check(object) != 0 {
            return self.string(object);
        }
        if derived && ffi::PyDict_Check(object) != 0 {
            return self.items_of(object);
        }
        if derived && (ffi::PyList_Check(object) != 0 || ffi::PyTuple_Check(object) != 0) {
            return match Owned::take(ffi::PySequence_List(object)) {
                Some(list) => self.list(list.get()),
                None => Err(self.python(Kind::UnsupportedType, "")),
            };
        }
        let is_array = if derived {
            ffi::PyByteArray_Check(object) != 0
        } else {
            ffi::PyByteArray_CheckExact(object) != 0
        };
        if is_array || ffi::PyMemoryView_Check(object) != 0 {
            return self.buffer(object);
        }
        let py = Python::assume_attached();
        if class == Ext::type_object_raw(py) {
            return self.ext(object);
        }
        if class == Timestamp::type_object_raw(py) {
            return self.timestamp(object);
        }
        if self.has(options::AWARE_DATETIMES) && is_datetime(object) && is_aware(object) {
            return self.datetime(object);
        }
        self.ask(object)
    }

    unsafe fn ext_tuple(&mut self, object: Obj) -> Done {
        let (code, data) = (ffi::PyTuple_GetItem(object, 0), ffi::PyTuple_GetItem(object, 1));
        if code.is_null() || data.is_null() {
            return Err(self.python(Kind::UnsupportedType, ""));
        }
        let number = Some(code).filter(|&code| ffi::PyLong_Check(code) != 0);
        let number = number.and_then(|code| small_long(code));
        match number.and_then(|number| i8::try_from(number).ok()) {
            Some(code) if ffi::PyBytes_Check(data) != 0 => self.raw_ext(code, bytes_of(data)),
            _ => Err(self.fault(Kind::UnsupportedType, "an ext value has a code and bytes")),
        }
    }

    /// An object derived from `dict`, which has what it says it has.
    unsafe fn items_of(&mut self, object: Obj) -> Done {
        let (items, dict) = (
            Owned::take(ffi::PyMapping_Items(object)),
            Owned::take(ffi::PyDict_New()),
        );
        match (items, dict) {
            (Some(items), Some(dict)) if ffi::PyDict_MergeFromSeq2(dict.get(), items.get(), 1) == 0 => {
                self.dict(dict.get())
            }
            _ => Err(self.python(Kind::UnsupportedType, "")),
        }
    }

    /// Packs what `default` returns for an object; that is not given to it again.
    pub(super) unsafe fn ask(&mut self, object: Obj) -> Done {
        if let Some(default) = self.default.filter(|_| object != self.answer) {
            let Some(answer) = Owned::take(ffi::PyObject_CallOneArg(default.get(), object)) else {
                let failure = Failure::caused(Kind::UnsupportedType, type_name(object));
                return Err(self.fail(failure));
            };
            let before = std::mem::replace(&mut self.answer, answer.get());
            let done = self.value(answer.get());
            self.answer = before;
            return done;
        }
        let derived = !self.has(options::PASSTHROUGH_TUPLE);
        if ffi::PyLong_CheckExact(object) != 0 || (derived && ffi::PyLong_Check(object) != 0) {
            return Err(self.fault(Kind::OutOfRange, ""));
        }
        let name = type_name(object);
        let is_naive = self.has(options::AWARE_DATETIMES) && is_datetime(object);
        let (class, text) = if is_naive {
            let text = format!("can not serialize '{name}' object where tzinfo=None");
            (ffi::PyExc_ValueError, text)
        } else {
            let text = format!("can not serialize '{name}' object");
            (ffi::PyExc_TypeError, text)
        };
        if let Some(text) = Owned::take(crate::cpython::object::new_str(&text)) {
            ffi::PyErr_SetObject(class, text.get());
        }
        Err(self.fail(Failure::caused(Kind::UnsupportedType, name)))
    }

    /// Text whose UTF-8 a handler of Python's makes, if there is one.
    pub(super) unsafe fn handled_text(&mut self, string: Obj) -> Done {
        let handler = self
            .text_errors
            .map_or(std::ptr::null(), |handler| ffi::PyUnicode_AsUTF8(handler.get()));
        let encoded = ffi::PyUnicode_AsEncodedString(string, c"utf-8".as_ptr(), handler);
        match Owned::take(encoded) {
            Some(bytes) => self.raw_text(bytes_of(bytes.get())),
            None => Err(self.python(Kind::InvalidUtf8, "")),
        }
    }

    /// Bytes as a str in the format that has no str 8 and no bin.
    pub(super) unsafe fn raw_text(&mut self, bytes: &[u8]) -> Done {
        if bytes.len() > u32::MAX as usize {
            return Err(self.too_long());
        }
        self.reserve(bytes.len())?;
        if self.has(options::NO_BIN) {
            self.out.raw_header(bytes.len());
        } else {
            self.out.str_header(bytes.len());
        }
        self.out.copy(bytes.as_ptr(), bytes.len());
        Ok(())
    }
}

/// Those of derived classes are left to `default`: they may hold more than a timestamp does.
unsafe fn is_datetime(object: Obj) -> bool {
    ffi::PyDateTime_CheckExact(object) != 0
}

unsafe fn is_aware(datetime: Obj) -> bool {
    ffi::PyDateTime_DATE_GET_TZINFO(datetime) != ffi::Py_None()
}
