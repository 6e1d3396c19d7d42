//! Records (`spec/records.md` sections 3 and 4).

use pyo3::ffi;
use std::rc::Rc;

use super::canonical::compared;
use super::{Decoder, Read, cached_key};
use crate::cpython::object::{Obj, Owned, dict_insert};
use crate::errors::{Kind, Raised, Step};
use crate::options::{Limit, Utf8};
use crate::record::{Structure, index_of};
use crate::wire::marker::*;
use crate::wire::value_type::ValueType;

impl Decoder<'_> {
    /// Whether ext type 0x72 is a definition.
    #[inline(always)]
    pub fn reads_records(&self) -> bool {
        self.structures.is_some()
    }

    /// The keys of the record that a byte `40` … `7f` begins, which is entered; `None`, and nothing
    /// is taken, when the byte is an integer.
    pub unsafe fn record_keys(&mut self, marker_offset: usize, low: u8) -> Result<Option<Rc<Structure>>, Raised> {
        let Some(structures) = self.structures.as_deref() else {
            return Ok(None);
        };
        let has_two = structures.is_two_byte(low);
        let high = if has_two {
            if self.remaining() < 2 {
                return Err(self.eof());
            }
            *self.next.add(1)
        } else {
            0
        };
        let keys = structures.get(index_of(low, high)).filter(|_| high != NO_ID);
        let Some(keys) = keys.cloned() else {
            if has_two || self.options.undefined_record_error {
                return Err(self.fault(Kind::RecordUndefined, marker_offset));
            }
            return Ok(None);
        };
        self.next = self.next.add(1 + usize::from(has_two));
        self.note::<true>(marker_offset)?;
        self.enter(marker_offset)?;
        self.limit::<true>(marker_offset, keys.names.len(), Limit::Map)?;
        Ok(Some(keys))
    }

    /// The keys that a definition gives, whose header has been taken up to the ext type. Its first
    /// record is entered.
    pub unsafe fn defined_keys(
        &mut self,
        marker_offset: usize,
        marker: u8,
        pending: usize,
    ) -> Result<Rc<Structure>, Raised> {
        let low = self.take::<1>()?[0];
        let high = if marker == FIXEXT2 {
            Some(self.take::<1>()?[0])
        } else {
            None
        };
        let valid = match high {
            None => (FIRST_ID..=LAST_ID).contains(&low),
            Some(high) => (FIRST_TWO_BYTE_ID..=LAST_ID).contains(&low) && high != NO_ID,
        };
        if !valid {
            return Err(self.malformed(marker_offset));
        }
        self.note::<true>(marker_offset)?;
        self.enter(marker_offset)?;
        let keys = Rc::new(self.key_list(marker_offset, pending)?);
        if let Some(structures) = &mut self.structures {
            structures.define(low, high, keys.clone());
        }
        Ok(keys)
    }

    #[cold]
    pub fn malformed(&mut self, marker_offset: usize) -> Raised {
        self.fault(Kind::RecordMalformed, marker_offset)
    }

    unsafe fn key_list(&mut self, marker_offset: usize, pending: usize) -> Result<Structure, Raised> {
        let list_at = self.offset();
        if ValueType::of(self.peek()?) != Some(ValueType::Array) {
            return Err(self.malformed(marker_offset));
        }
        let (count, _) = self.count(FIXARRAY, ARRAY16)?;
        self.limit::<true>(list_at, count, Limit::RecordKeys)?;
        self.limit::<true>(marker_offset, count, Limit::Map)?;
        self.announce(pending, count as u64)?;
        let mut names: Vec<Owned> = Vec::with_capacity(count);
        let mut seen = std::collections::HashSet::new();
        for _ in 0..count {
            let key_at = self.offset();
            let Some((length, _)) = self.str_header()? else {
                return Err(self.malformed(marker_offset));
            };
            self.limit::<true>(key_at, length, Limit::Str)?;
            self.need(length)?;
            let Some(name) = Owned::take(self.record_key(length)) else {
                return Err(self.bad_text(length));
            };
            if self.options.duplicate_error && !seen.insert(compared(name.get()).map_err(|()| self.python())?) {
                return Err(self.twice(key_at));
            }
            self.next = self.next.add(length);
            names.push(name);
        }
        Ok(Structure { names })
    }

    /// Reads a key, with ill-formed UTF-8 replaced if the options say so. It is always a `str`.
    unsafe fn record_key(&mut self, length: usize) -> Obj {
        let key = cached_key(self.next, length);
        let Utf8::Handled(handler) = self.options.utf8 else {
            return key;
        };
        if !key.is_null() || !ffi::PyErr_Occurred().is_null() {
            return key;
        }
        let key = ffi::PyUnicode_DecodeUTF8(self.next.cast(), length as isize, handler.as_ptr());
        if !key.is_null() {
            ffi::PyObject_Hash(key);
        }
        key
    }

    /// The record with these keys, which is entered.
    pub unsafe fn fields(&mut self, marker_offset: usize, keys: &Structure, pending: usize) -> Read {
        let count = keys.names.len();
        self.announce(pending, count as u64)?;
        let (target, pairs) = self.empty_map(count)?;
        for (index, name) in keys.names.iter().enumerate() {
            let Ok(value) = self.value::<true>(pending + (count - index - 1)) else {
                return Err(self.step(|| Step::Key(name.clone())));
            };
            let value = Owned::take(value).ok_or(Raised)?;
            if pairs {
                self.put_pair(&target, index, name, &value)?;
            } else if dict_insert(target.get(), name.get(), value.get()) != 0 {
                return Err(self.python());
            }
        }
        self.leave();
        self.finish_map(marker_offset, target)
    }
}
