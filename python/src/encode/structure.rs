//! Objects with named fields: dataclasses, classes of attrs and pydantic models.

use pyo3::ffi;

use super::map::{Entry, entries_of};
use super::plan::{Model, SourceField, SourcePlace};
use super::{Done, Encoder};
use crate::cpython::instance;
use crate::cpython::object::{Obj, Owned, ascii_bytes, settled, type_of};
use crate::errors::{Kind, Raised, Step};
use crate::options;

impl Encoder<'_> {
    pub(super) unsafe fn dataclass(&mut self, object: Obj, fields: &[SourceField]) -> Done {
        self.enter()?;
        let dropped = self.has(options::NO_PRIVATE_FIELDS) && fields.iter().any(|field| field.is_private);
        if self.plain_maps && !dropped {
            let start = self.out.len();
            self.reserve(5)?;
            self.out.map_header(fields.len());
            let (header, mut count) = (self.out.len() - start, fields.len());
            for field in fields {
                let Some(value) = self.attribute(object, field)? else {
                    count -= 1;
                    continue;
                };
                self.reserve(field.encoded.len())?;
                self.out.copy(field.encoded.as_ptr(), field.encoded.len());
                self.value(value.get())
                    .map_err(|Raised| self.step_out(object, || Step::Key(field.key.clone())))?;
            }
            if count < fields.len() {
                self.out.fewer_entries(start, header, count);
            }
        } else {
            let mut entries = self.fields(object, fields)?;
            if dropped {
                entries.retain(|entry| !is_private(entry.key.get()));
            }
            self.entries(object, entries)?;
        }
        self.depth -= 1;
        Ok(())
    }

    pub(super) unsafe fn fields_in_order(&mut self, object: Obj, fields: &[SourceField]) -> Done {
        self.enter()?;
        self.reserve(5)?;
        self.out.array_header(fields.len());
        for (index, field) in fields.iter().enumerate() {
            if let Some(value) = self.attribute(object, field)? {
                self.value(value.get())
                    .map_err(|Raised| self.step_out(object, || Step::Index(index)))?;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// The fields by the names that they have for this encoder, after the tag if there is one.
    unsafe fn fields(&mut self, object: Obj, fields: &[SourceField]) -> Result<Vec<Entry>, Raised> {
        let mut entries = Vec::with_capacity(fields.len() + 1);
        let mut keys = fields.iter().map(|field| field.key.clone()).collect();
        if let Some(class_names) = self.class_names {
            let class = type_of(object) as Obj;
            let Some(found) = Owned::take(ffi::PyObject_GetItem(class_names.get(), class)) else {
                return Err(self.python(Kind::UnsupportedType, "the fields have no names"));
            };
            keys = tuple_items(found.get());
            if keys.len() == fields.len() + 2 {
                let (key, value) = (keys.remove(0), keys.remove(0));
                entries.push(Entry { key, value });
            }
            if keys.len() != fields.len() {
                return Err(self.fault(Kind::Changed, "the fields of the class changed"));
            }
        }
        for (field, key) in fields.iter().zip(keys) {
            if let Some(value) = self.attribute(object, field)? {
                entries.push(Entry { key, value });
            }
        }
        Ok(entries)
    }

    /// The value of a field; `None` if it is left out.
    #[inline(always)]
    unsafe fn attribute(&mut self, object: Obj, field: &SourceField) -> Result<Option<Owned>, Raised> {
        let value = match &field.place {
            SourcePlace::Slot(offset) => *instance::slot(object, *offset),
            SourcePlace::Value(index) => instance::get(object, *index),
            SourcePlace::Named => std::ptr::null_mut(),
            SourcePlace::Constant(value) => value.get(),
        };
        let value = if value.is_null() {
            Owned::take(ffi::PyObject_GetAttr(object, field.name.get()))
        } else {
            Some(Owned::borrow(value))
        };
        match value {
            Some(value) => Ok(Some(value).filter(|value| !is_omitted(field, value.get()))),
            None => self.no_attribute(field),
        }
    }

    #[cold]
    unsafe fn no_attribute(&mut self, field: &SourceField) -> Result<Option<Owned>, Raised> {
        // A module that replaces ormsgpack has its words, and its errors.
        let may_lack = field.may_lack && !self.has(options::SHORT_WORDS);
        if may_lack && ffi::PyErr_ExceptionMatches(ffi::PyExc_AttributeError) != 0 {
            ffi::PyErr_Clear();
            return Ok(None);
        }
        Err(self.no_value(field))
    }

    #[cold]
    unsafe fn no_value(&mut self, field: &SourceField) -> Raised {
        let _ = self.python(Kind::UnsupportedType, "");
        self.step(|| Step::Key(field.key.clone()))
    }

    pub(super) unsafe fn pydantic(&mut self, object: Obj, model: &Model) -> Done {
        match model {
            Model::Fields(extra) => self.model_fields(object, *extra),
            Model::Dump(dump) => self.convert(object, dump),
        }
    }

    /// A model without serializers of its own: its `__dict__`, then its extra fields.
    unsafe fn model_fields(&mut self, object: Obj, extra: Option<isize>) -> Done {
        self.enter()?;
        let Some(dict) = Owned::take(ffi::PyObject_GenericGetDict(object, std::ptr::null_mut())) else {
            return Err(self.python(Kind::UnsupportedType, "a model without fields"));
        };
        if ffi::PyDict_Check(dict.get()) == 0 {
            return Err(self.fault(Kind::UnsupportedType, "a model without fields"));
        }
        let dict = settled(dict).ok_or_else(|| self.python(Kind::UnsupportedType, "no memory"))?;
        let extra = extra.and_then(|offset| slot_of(object, offset));
        let extra = extra.filter(|extra| ffi::PyDict_Check(extra.get()) != 0 && ffi::PyDict_Size(extra.get()) > 0);
        let extra = extra.and_then(|extra| settled(extra));
        if self.plain_maps && extra.is_none() && !has_private(dict.get()) {
            self.depth -= 1;
            return self.dict(dict.get());
        }
        let mut entries = entries_of(dict.get());
        if let Some(extra) = extra {
            entries.extend(entries_of(extra.get()));
        }
        entries.retain(|entry| !is_private(entry.key.get()));
        self.entries(object, entries)?;
        self.depth -= 1;
        Ok(())
    }
}

/// As msgspec leaves values out: the very default, or an empty collection where each object has one of its own. Values
/// that are equal may still differ, as those of -0.0 and 0.0.
#[inline(always)]
unsafe fn is_omitted(field: &SourceField, value: Obj) -> bool {
    field.omitted.iter().map(Owned::get).any(|omitted| {
        omitted == value
            || (type_of(omitted) == type_of(value) && is_collection(value) && ffi::PyObject_Size(value) == 0)
    })
}

unsafe fn is_collection(value: Obj) -> bool {
    ffi::PyList_CheckExact(value) != 0 || ffi::PyDict_CheckExact(value) != 0 || ffi::PySet_CheckExact(value) != 0
}

/// What a slot of a model holds.
unsafe fn slot_of(object: Obj, offset: isize) -> Option<Owned> {
    if cfg!(feature = "free-threaded") {
        let value = Owned::take(ffi::PyObject_GetAttrString(object, c"__pydantic_extra__".as_ptr()));
        if value.is_none() {
            ffi::PyErr_Clear();
        }
        return value;
    }
    let value = *instance::slot(object, offset);
    (!value.is_null()).then(|| Owned::borrow(value))
}

pub(super) unsafe fn tuple_items(tuple: Obj) -> Vec<Owned> {
    let indexes = 0..ffi::PyTuple_Size(tuple).max(0);
    indexes
        .map(|index| Owned::borrow(ffi::PyTuple_GetItem(tuple, index)))
        .collect()
}

unsafe fn has_private(dict: Obj) -> bool {
    let (mut position, mut key) = (0, std::ptr::null_mut());
    while ffi::PyDict_Next(dict, &mut position, &mut key, std::ptr::null_mut()) != 0 {
        if is_private(key) {
            return true;
        }
    }
    false
}

/// Whether a name begins with an underscore.
pub(super) unsafe fn is_private(name: Obj) -> bool {
    ffi::PyUnicode_Check(name) != 0
        && match ascii_bytes(name) {
            Some(name) => name.first() == Some(&b'_'),
            None => ffi::PyUnicode_GET_LENGTH(name) > 0 && ffi::PyUnicode_ReadChar(name, 0) == u32::from(b'_'),
        }
}
