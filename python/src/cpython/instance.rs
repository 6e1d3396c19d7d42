//! The attributes of ordinary instances, read and set in place: where a class has them, in slots or in a dict. Dataclasses
//! are written in .46 of the time, and read in .70.
//!
//! CPython 3.11 to 3.13 keep the values of an instance's `__dict__` in an array beside the object
//! until someone asks for the dict itself; the names are in a table that the class's instances
//! share, which only grows. A name's index in that table is then the value's index in the array.
//! A dict that has been made shares the table and has such an array too, until it is changed in
//! ways that don't fit. The layouts are those of `Include/internal/pycore_object.h` and of
//! `dict_layout.rs`. Other versions, and dicts that no longer share the table, are left to CPython's
//! own functions.
//!
//! # Safety
//!
//! The caller holds the GIL and the instance, and passes an index that [`index`] returned for the
//! instance's own class: CPython keeps the index of a name as long as the class lives.

use pyo3::ffi;

use super::object::{Obj, Owned};
use super::state::SUPPORT;

#[cfg(known_layout)]
mod layout {
    use super::super::dict_layout::{DictKeys, SPLIT, entries};
    use super::Obj;
    use pyo3::ffi;

    /// More names than this are not shared (`SHARED_KEYS_MAX_SIZE`).
    const LARGEST: usize = 30;

    /// `Py_TPFLAGS_MANAGED_DICT`, and from 3.13 on `Py_TPFLAGS_INLINE_VALUES` beside it.
    #[cfg(not(Py_3_13))]
    const FLAGS: std::ffi::c_ulong = 1 << 4;
    #[cfg(Py_3_13)]
    const FLAGS: std::ffi::c_ulong = 1 << 4 | 1 << 2;

    pub unsafe fn index(class: *mut ffi::PyTypeObject, name: Obj) -> Option<usize> {
        let wanted = FLAGS | ffi::Py_TPFLAGS_HEAPTYPE;
        if (*class).tp_flags & wanted != wanted {
            return None;
        }
        let keys = (*(class as *mut ffi::PyHeapTypeObject)).ht_cached_keys as *const DictKeys;
        if keys.is_null() || (*keys).kind != SPLIT {
            return None;
        }
        let count = ((*keys).entries as usize).min(LARGEST);
        (0..count).find(|&index| (*entries(keys).add(index))[0] == name)
    }

    /// The array of an object's values; null when its dict has been made.
    #[inline(always)]
    pub unsafe fn values(object: Obj) -> *mut Obj {
        #[cfg(not(Py_3_12))]
        return *(object as *mut *mut Obj).sub(4);
        #[cfg(all(Py_3_12, not(Py_3_13)))]
        {
            // Values are told from a dict by an odd address, one below theirs.
            let word = *(object as *mut usize).sub(3);
            if word & 1 == 1 {
                (word + 1) as *mut Obj
            } else {
                std::ptr::null_mut()
            }
        }
        #[cfg(Py_3_13)]
        {
            if (*(object as *mut Obj).sub(3)).is_null() {
                valid_values(object)
            } else {
                std::ptr::null_mut()
            }
        }
    }

    /// The array to read from, which a dict that has been made may still share.
    #[inline(always)]
    pub unsafe fn readable(object: Obj) -> *mut Obj {
        #[cfg(not(Py_3_13))]
        {
            let values = values(object);
            if !values.is_null() {
                return values;
            }
            let dict = *(object as *mut *mut ffi::PyDictObject).sub(3);
            let keys = (*((*object).ob_type as *mut ffi::PyHeapTypeObject)).ht_cached_keys;
            if dict.is_null() || (*dict).ma_keys.cast() != keys {
                return std::ptr::null_mut();
            }
            (*dict).ma_values.cast()
        }
        #[cfg(Py_3_13)]
        valid_values(object)
    }

    /// Returns the values inside the object, as long as they are in use. After its header come capacity,
    /// size, embedded and valid, one byte each, and then the values.
    #[cfg(Py_3_13)]
    unsafe fn valid_values(object: Obj) -> *mut Obj {
        let header = object.add(1) as *mut u8;
        if *header.add(3) != 0 {
            header.add(8) as *mut Obj
        } else {
            std::ptr::null_mut()
        }
    }

    /// Notes that the value at an index has been set after those before it.
    #[inline(always)]
    pub unsafe fn note(values: *mut Obj, index: usize) {
        #[cfg(not(Py_3_13))]
        {
            let size = (values as *mut u8).sub(2);
            *size += 1;
            *size.sub(usize::from(*size)) = index as u8;
        }
        #[cfg(Py_3_13)]
        {
            let header = (values as *mut u8).sub(8);
            let (capacity, size) = (usize::from(*header), *header.add(1));
            *(values.add(capacity) as *mut u8).add(usize::from(size)) = index as u8;
            *header.add(1) = size + 1;
        }
    }
}

/// Where nothing is known: all goes to CPython's own functions.
#[cfg(not(known_layout))]
mod layout {
    use super::Obj;
    use pyo3::ffi;

    pub unsafe fn index(_: *mut ffi::PyTypeObject, _: Obj) -> Option<usize> {
        None
    }

    pub unsafe fn values(_: Obj) -> *mut Obj {
        std::ptr::null_mut()
    }

    pub use self::values as readable;

    pub unsafe fn note(_: *mut Obj, _: usize) {}
}

/// Returns the index of an attribute among the values of a class's instances; `None` as long as no
/// instance has had it, or if it is stored elsewhere. `name` is interned.
pub use layout::index;

/// The value at an index of [`index`], borrowed; null when it has to be asked for.
#[inline(always)]
pub unsafe fn get(object: Obj, index: usize) -> Obj {
    let values = layout::readable(object);
    if values.is_null() {
        return values.cast();
    }
    // SAFETY: the array has room for every name that the class's table had when the object was
    // made and for those it could still take, so for all that it has now.
    *values.add(index)
}

/// Sets the value at an index of [`index`], and takes it over; `false`, and nothing is taken over,
/// when it has to be set in the usual way.
#[inline(always)]
pub unsafe fn set(object: Obj, index: usize, value: Obj) -> bool {
    let values = layout::values(object);
    if values.is_null() {
        return false;
    }
    // SAFETY: as for `get`.
    let old = std::mem::replace(&mut *values.add(index), value);
    if old.is_null() {
        layout::note(values, index);
    } else {
        ffi::Py_DECREF(old);
    }
    true
}

/// What a slot holds, at an offset of [`member_offset`]; null when it is empty.
#[inline(always)]
pub unsafe fn slot(object: Obj, offset: isize) -> *mut Obj {
    (object as *mut u8).offset(offset).cast()
}

/// A number that changes with every change of a class; 0 if it has none.
pub unsafe fn version_of(class: *mut ffi::PyTypeObject) -> u32 {
    (*class).tp_version_tag
}

/// Whether reading and setting an attribute of a class's instances goes to their dict, with nothing
/// in the class that would come before it.
pub unsafe fn lies_in_dict(class: *mut ffi::PyTypeObject, name: Obj) -> bool {
    if !looked_up_as_usual(class) {
        return false;
    }
    let arguments = [class as Obj, name];
    match Owned::take(SUPPORT.call(c"lies_in_dict", &arguments)) {
        Some(answer) => answer.get() == ffi::Py_True(),
        None => {
            ffi::PyErr_Clear();
            false
        }
    }
}

unsafe fn looked_up_as_usual(class: *mut ffi::PyTypeObject) -> bool {
    let usual = (*class).tp_getattro.map(|function| function as usize);
    usual == Some(ffi::PyObject_GenericGetAttr as *const () as usize)
}

/// Whether nothing but an instance itself says that it has an attribute: no code of the class is asked, and no value
/// of the class stands for it.
pub unsafe fn may_lack(class: *mut ffi::PyTypeObject, name: Obj) -> bool {
    let of_class = Owned::take(ffi::PyObject_GetAttr(class as Obj, name));
    if of_class.is_none() {
        ffi::PyErr_Clear();
    }
    let is_slot = |found: Owned| (*found.get()).ob_type == &raw mut ffi::PyMemberDescr_Type;
    looked_up_as_usual(class) && of_class.is_none_or(is_slot)
}

/// `Include/cpython/descrobject.h`: the descriptor of a slot.
#[repr(C)]
struct MemberDescriptor {
    ob_base: ffi::PyObject,
    class: *mut ffi::PyTypeObject,
    name: Obj,
    qualified_name: Obj,
    member: *mut ffi::PyMemberDef,
}

/// `Py_T_OBJECT_EX`: an object that may be missing.
const OBJECT_EX: i32 = 16;

/// Returns the offset of a slot in the instances of a class whose attributes are looked up in the
/// usual way.
pub unsafe fn slot_offset(class: *mut ffi::PyTypeObject, name: Obj) -> Option<isize> {
    if looked_up_as_usual(class) && !cfg!(feature = "free-threaded") {
        member_offset(class, name)
    } else {
        None
    }
}

/// Returns the offset of a slot in the instances of a class.
pub unsafe fn member_offset(class: *mut ffi::PyTypeObject, name: Obj) -> Option<isize> {
    let Some(descriptor) = Owned::take(ffi::PyObject_GetAttr(class as Obj, name)) else {
        ffi::PyErr_Clear();
        return None;
    };
    if (*descriptor.get()).ob_type != &raw mut ffi::PyMemberDescr_Type {
        return None;
    }
    let layout = descriptor.get() as *const MemberDescriptor;
    let member = (*layout).member;
    let ours = ffi::PyType_IsSubtype(class, (*layout).class) != 0;
    (ours && (*member).type_code == OBJECT_EX).then(|| (*member).offset)
}
