//! Keys of maps.

use pyo3::ffi;

use super::{Done, Encoder, Plan, is_derived, plan_of};
use crate::cpython::object::{Obj, Owned, type_of};
use crate::errors::Kind;
use crate::options;
use crate::values::Fragment;

/// Keys are packed whatever their values would be passed through for.
const PASSTHROUGH: u64 = options::PASSTHROUGH_BIG_INT
    | options::PASSTHROUGH_DATETIME
    | options::PASSTHROUGH_SUBCLASS
    | options::PASSTHROUGH_TUPLE
    | options::PASSTHROUGH_UUID
    | options::PASSTHROUGH_ENUM;

impl Encoder<'_> {
    /// A key: any value, or one of few types.
    pub(super) unsafe fn key(&mut self, key: Obj) -> Done {
        if type_of(key) == &raw mut ffi::PyUnicode_Type {
            return self.string(key);
        }
        if !self.has(options::NON_STR_KEYS) {
            return Err(self.worded_fault(Kind::UnsupportedType, "", "Dict key must be str"));
        }
        let flags = self.flags;
        if self.has(options::FEW_KEYS) {
            if !is_key(key, 0) {
                let words = "Dict key must a type serializable with OPT_NON_STR_KEYS";
                return Err(self.worded_fault(Kind::UnsupportedType, "", words));
            }
            self.flags &= !PASSTHROUGH;
        }
        let done = self.value(key);
        self.flags = flags;
        done.map_err(|raised| self.in_key(raised))
    }
}

/// Returns whether the key, which is not an exact `str`, has one of the few types of keys.
unsafe fn is_key(key: Obj, depth: usize) -> bool {
    use Plan::{Buffer, Date, DateTime, DerivedUuid, Ext, Int, NumpyScalar, Str, Time, Timestamp, Uuid};
    let class = type_of(key);
    if key == ffi::Py_None()
        || class == &raw mut ffi::PyUnicode_Type
        || class == &raw mut ffi::PyBool_Type
        || class == &raw mut ffi::PyLong_Type
        || class == &raw mut ffi::PyFloat_Type
        || class == &raw mut ffi::PyBytes_Type
    {
        return true;
    }
    if class == &raw mut ffi::PyTuple_Type {
        return depth < options::MAX_DEPTH
            && (0..ffi::PyTuple_GET_SIZE(key)).all(|index| is_key(ffi::PyTuple_GET_ITEM(key, index), depth + 1));
    }
    let Ok(plan) = plan_of(class) else {
        ffi::PyErr_Clear();
        return false;
    };
    match &*plan {
        plan if is_derived(plan, class) => false,
        Plan::Enum(attribute) => {
            let value = Owned::take(ffi::PyObject_GetAttr(key, attribute.get()));
            if value.is_none() {
                ffi::PyErr_Clear();
            }
            value.is_some_and(|value| depth < 255 && is_key(value.get(), depth + 1))
        }
        Str | Int | DateTime | Date | Time | Uuid(_) | DerivedUuid(_) | Buffer | Ext | Timestamp | NumpyScalar(_) => {
            true
        }
        Plan::Fragment => Fragment::is_map_key(key),
        _ => false,
    }
}
