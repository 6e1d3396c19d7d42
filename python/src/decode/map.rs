//! Maps.

use pyo3::ffi;

use super::canonical::{KeyOrder, compared};
#[cfg(known_layout)]
use super::shape;
use super::{Decoder, HashGuard, Read, cached_key, length_size};
#[cfg(known_layout)]
use crate::cpython::dict_layout::DictCopy;
use crate::cpython::object::{
    Obj, Owned, dict_insert, dict_with_room, list_items, list_with_room, set_list_size, type_of,
};
use crate::errors::{Kind, Raised, Step};
use crate::options::{self, Limit, Utf8};
use crate::values::Fragment;
use crate::wire::marker::*;
use crate::wire::text;
use crate::wire::value_type::ValueType;

impl Decoder<'_> {
    #[inline(never)]
    pub(super) unsafe fn map<const CHECKED: bool>(
        &mut self,
        marker_offset: usize,
        count: usize,
        minimal: bool,
        pending: usize,
    ) -> Read {
        self.open::<CHECKED>(marker_offset, Limit::Map, count, minimal, pending)?;
        let map = if CHECKED {
            self.exact_entries(marker_offset, count, pending)?
        } else {
            self.entries(count, pending)?
        };
        self.leave();
        Ok(map)
    }

    /// Entries into a `dict`, quickly while their keys are str.
    #[inline(always)]
    unsafe fn entries(&mut self, count: usize, pending: usize) -> Read {
        #[cfg(known_layout)]
        if shape::worth(count) {
            return self.shaped(count, pending);
        }
        let dict = Owned::take(dict_with_room(count)).ok_or_else(|| self.python())?;
        self.more_entries(&dict, count, pending)?;
        Ok(dict.release())
    }

    /// `count` more entries.
    #[inline(always)]
    unsafe fn more_entries(&mut self, dict: &Owned, count: usize, pending: usize) -> Result<(), Raised> {
        let mut following = pending + 2 * count;
        for index in 0..count {
            following -= 2;
            let Some(key) = Owned::take(self.text_key()?) else {
                return self.mixed_entries(dict, count - index, pending);
            };
            self.entry(dict, key, following)?;
        }
        Ok(())
    }

    /// `count` more entries, the first of which has a key that is not a str.
    #[inline(never)]
    unsafe fn mixed_entries(&mut self, dict: &Owned, count: usize, pending: usize) -> Result<(), Raised> {
        let mut hash_guard = HashGuard::default();
        for index in 0..count {
            let following = pending + 2 * (count - index - 1);
            let key_at = self.offset();
            let key = Owned::take(self.exact_key(following + 1)?).ok_or(Raised)?;
            let Ok(value) = self.value::<false>(following) else {
                return Err(self.step(|| Step::Key(key)));
            };
            let value = Owned::take(value).ok_or(Raised)?;
            self.put(dict, &key, &value, key_at, &mut hash_guard)?;
        }
        Ok(())
    }

    /// The value of an entry whose key has been read.
    #[inline(always)]
    unsafe fn entry(&mut self, dict: &Owned, key: Owned, pending: usize) -> Result<(), Raised> {
        let Ok(value) = self.value::<false>(pending) else {
            return Err(self.step(|| Step::Key(key)));
        };
        let put = dict_insert(dict.get(), key.get(), value);
        ffi::Py_DECREF(value);
        if put != 0 {
            return Err(self.python());
        }
        Ok(())
    }

    /// Entries whose keys may have come before in the same order.
    #[cfg(known_layout)]
    #[inline(never)]
    unsafe fn shaped(&mut self, count: usize, pending: usize) -> Read {
        let Some(first) = Owned::take(self.text_key()?) else {
            let dict = Owned::take(dict_with_room(count)).ok_or_else(|| self.python())?;
            self.mixed_entries(&dict, count, pending)?;
            return Ok(dict.release());
        };
        let slot = shape::slot(first.get(), count);
        let Some(mut copy) = (*slot).copy(first.get(), count) else {
            let dict = Owned::take(dict_with_room(count)).ok_or_else(|| self.python())?;
            self.entry(&dict, first.clone(), pending + 2 * (count - 1))?;
            self.more_entries(&dict, count - 1, pending)?;
            (*slot).learn(first.get(), dict.get(), count);
            return Ok(dict.release());
        };
        let mut key = first;
        let mut following = pending + 2 * count;
        for index in 0..count {
            following -= 2;
            if index > 0 {
                key = match Owned::take(self.text_key()?) {
                    Some(key) => key,
                    None => {
                        (*slot).miss();
                        return self.unlike(copy, index, None, following, pending);
                    }
                };
            }
            if copy.key(index) != key.get() {
                (*slot).miss();
                return self.unlike(copy, index, Some(key), following, pending);
            }
            match self.value::<false>(following) {
                Ok(value) => copy.put(index, value),
                Err(Raised) => return Err(self.step(|| Step::Key(key))),
            }
        }
        Ok(copy.finish())
    }

    /// Goes on with a map that turned out to be of another shape at the entry of `key`; `None` is a key that
    /// is not a str, and has not been read.
    #[cfg(known_layout)]
    #[cold]
    #[inline(never)]
    unsafe fn unlike(
        &mut self,
        copy: DictCopy,
        index: usize,
        key: Option<Owned>,
        following: usize,
        pending: usize,
    ) -> Read {
        let rest = (following - pending) / 2;
        let dict = Owned::take(dict_with_room(index + 1 + rest)).ok_or_else(|| self.python())?;
        for place in 0..index {
            if dict_insert(dict.get(), copy.key(place), copy.value(place)) != 0 {
                return Err(self.python());
            }
        }
        drop(copy);
        match key {
            Some(key) => {
                self.entry(&dict, key, following)?;
                self.more_entries(&dict, rest, pending)?;
            }
            None => self.mixed_entries(&dict, rest + 1, pending)?,
        }
        Ok(dict.release())
    }

    #[inline(always)]
    pub unsafe fn str_key(&mut self) -> Read {
        let key = self.text_key()?;
        if key.is_null() {
            let marker = self.peek()?;
            return Err(self.unexpected(marker, "a str"));
        }
        Ok(key)
    }

    /// A key that is a str; null for another, which is not read.
    #[inline(always)]
    unsafe fn text_key(&mut self) -> Read {
        let Some((length, _)) = self.str_header()? else {
            return Ok(std::ptr::null_mut());
        };
        self.need(length)?;
        let key = cached_key(self.next, length);
        if key.is_null() {
            return Err(self.bad_text(length));
        }
        self.next = self.next.add(length);
        Ok(key)
    }

    /// The length in the header of a str, and whether that is minimal; `None`, and nothing is taken, for another value.
    #[inline(always)]
    pub(super) unsafe fn str_header(&mut self) -> Result<Option<(usize, bool)>, Raised> {
        let marker = self.peek()?;
        if marker & !FIXSTR_LENGTH == FIXSTR {
            self.move_by(1);
            return Ok(Some((usize::from(marker & FIXSTR_LENGTH), true)));
        }
        let STR8..=STR32 = marker else {
            return Ok(None);
        };
        self.move_by(1);
        let size = 1 << (marker - STR8);
        let length = self.uint(size)? as usize;
        Ok(Some((length, length > 31 && size == length_size(length))))
    }

    /// The bytes of a str, of which the marker has been looked at. The input outlives the reader.
    #[inline(always)]
    pub unsafe fn str_bytes<'b>(&mut self) -> Result<&'b [u8], Raised> {
        let (length, _) = self.str_header()?.unwrap_or_default();
        self.need(length)?;
        let bytes = std::slice::from_raw_parts(self.next, length);
        if !text::is_ascii(self.next, length) && text::first_ill_formed(bytes).is_some() {
            return Err(self.bad_text(length));
        }
        self.next = self.next.add(length);
        Ok(bytes)
    }

    /// What is wrong with the next value, whose marker has not been taken, and which is not what is expected. Its own
    /// faults come first, in its header and in the payload of a number.
    #[cold]
    #[inline(never)]
    pub fn unexpected(&mut self, marker: u8, expected: &str) -> Raised {
        let marker_offset = self.offset();
        if marker == RESERVED {
            return self.fault(Kind::ReservedMarker, marker_offset);
        }
        if self.need(header_size(marker)).is_ok() {
            let found = ValueType::name_at(self.rest());
            let detail = format!("expected {expected}, found {found}");
            self.fault_with(Kind::TypeMismatch, marker_offset, detail);
        }
        Raised
    }

    /// Entries with all that the options ask for.
    unsafe fn exact_entries(&mut self, marker_offset: usize, count: usize, pending: usize) -> Read {
        let (target, pairs) = self.empty_map(count)?;
        let mut order = self.key_order();
        let mut hash_guard = HashGuard::default();
        for index in 0..count {
            let following = pending + 2 * (count - index - 1);
            let key_at = self.offset();
            let key = Owned::take(self.exact_key(following + 1)?).ok_or(Raised)?;
            match &mut order {
                Some(order) if self.options.has_hooks() => {
                    self.check_key(order, key_at, following + 1)?;
                }
                // A str equals no other key, so that the dict itself knows.
                Some(KeyOrder::Distinct(_)) if type_of(key.get()) == &raw mut ffi::PyUnicode_Type => {
                    match ffi::PyDict_Contains(target.get(), key.get()) {
                        0 => {}
                        1 => return Err(self.twice(key_at)),
                        _ => return Err(self.python()),
                    }
                }
                Some(order) => order.check(self, key.get(), key_at)?,
                None => {}
            }
            let Ok(value) = self.value::<true>(following) else {
                return Err(self.step(|| Step::Key(key)));
            };
            let value = Owned::take(value).ok_or(Raised)?;
            if pairs {
                self.put_pair(&target, index, &key, &value)?;
            } else {
                self.put(&target, &key, &value, key_at, &mut hash_guard)?;
            }
        }
        self.finish_map(marker_offset, target)
    }

    /// A dict with room for the entries of a map, or a list for their pairs if a hook wants these.
    pub(super) unsafe fn empty_map(&mut self, count: usize) -> Result<(Owned, bool), Raised> {
        let pairs = self.options.object_pairs_hook.is_some();
        let target = if pairs {
            list_with_room(count)
        } else {
            dict_with_room(count)
        };
        Ok((Owned::take(target).ok_or_else(|| self.python())?, pairs))
    }

    /// Puts an entry into a list of pairs, as the next one.
    pub(super) unsafe fn put_pair(
        &mut self,
        list: &Owned,
        index: usize,
        key: &Owned,
        value: &Owned,
    ) -> Result<(), Raised> {
        let pair = ffi::PyTuple_Pack(2, key.get(), value.get());
        *list_items(list.get()).add(index) = self.non_null(pair)?;
        set_list_size(list.get(), index as isize + 1);
        Ok(())
    }

    /// Puts an entry into a `dict`; the key may be of any kind.
    #[inline(always)]
    pub unsafe fn put(
        &mut self,
        dict: &Owned,
        key: &Owned,
        value: &Owned,
        marker_offset: usize,
        hash_guard: &mut HashGuard,
    ) -> Result<(), Raised> {
        let before = ffi::PyDict_Size(dict.get());
        if ffi::PyDict_SetItem(dict.get(), key.get(), value.get()) != 0 {
            return Err(self.unhashable(marker_offset));
        }
        if ffi::PyDict_Size(dict.get()) == before {
            return Ok(());
        }
        hash_guard.add(self, key.get(), marker_offset)
    }

    /// Python has raised as a key was hashed.
    #[cold]
    pub unsafe fn unhashable(&mut self, marker_offset: usize) -> Raised {
        let detail = "the key cannot be hashed";
        self.user(marker_offset, Kind::TypeMismatch, detail)
    }

    /// A key of any kind that the options allow.
    unsafe fn exact_key(&mut self, pending: usize) -> Read {
        let marker_offset = self.offset();
        let marker = self.peek()?;
        let is_str = marker & !FIXSTR_LENGTH == FIXSTR || (STR8..=STR32).contains(&marker);
        if !self.options.has(options::NON_STR_KEYS) && !is_str {
            let is_bin = (BIN8..=BIN32).contains(&marker) && self.options.has(options::KEYS_MAY_BE_BIN);
            if !is_bin {
                return Err(self.unexpected(marker, "a str"));
            }
        }
        if is_str && self.options.utf8 == Utf8::Error {
            return self.exact_str_key(marker_offset);
        }
        let key = self.value::<true>(pending);
        let key = Owned::take(key.map_err(|raised| self.in_key(raised))?).ok_or(Raised)?;
        if self.options.object_pairs_hook.is_some() {
            return Ok(key.release());
        }
        let key = Owned::take(self.hashable(key.get())?).ok_or(Raised)?;
        if ffi::PyObject_Hash(key.get()) == -1 {
            return Err(self.unhashable(marker_offset));
        }
        Ok(key.release())
    }

    unsafe fn exact_str_key(&mut self, marker_offset: usize) -> Read {
        let (length, minimal) = self.str_header()?.unwrap_or_default();
        self.note::<true>(marker_offset)?;
        self.limit::<true>(marker_offset, length, Limit::Str)?;
        self.need(length)?;
        let key = cached_key(self.next, length);
        let Some(key) = Owned::take(key) else {
            return Err(self.bad_text(length));
        };
        self.strict::<true>(marker_offset, minimal)?;
        self.next = self.next.add(length);
        Ok(key.release())
    }

    /// The key, with lists made tuples and a set a frozenset. A map can't be a key of a `dict`.
    pub unsafe fn hashable(&mut self, key: Obj) -> Read {
        if type_of(key) == &raw mut ffi::PyList_Type {
            let items = Owned::take(ffi::PyList_AsTuple(key)).ok_or_else(|| self.python())?;
            return self.hashable(items.get());
        }
        if self.options.has(options::MAPS_AS_KEYS) && type_of(key) == &raw mut ffi::PyDict_Type {
            let bytes = compared(key).map_err(|()| self.python())?;
            return self.non_null(Fragment::map_key(&bytes));
        }
        if type_of(key) == &raw mut ffi::PySet_Type {
            return self.non_null(ffi::PyFrozenSet_New(key));
        }
        if type_of(key) != &raw mut ffi::PyTuple_Type {
            return Ok(crate::cpython::object::new_ref(key));
        }
        let count = ffi::PyTuple_GET_SIZE(key);
        let tuple = Owned::take(ffi::PyTuple_New(count)).ok_or_else(|| self.python())?;
        for index in 0..count {
            let item = self.hashable(ffi::PyTuple_GET_ITEM(key, index))?;
            ffi::PyTuple_SET_ITEM(tuple.get(), index, item);
        }
        Ok(tuple.release())
    }

    /// The map as the hooks want it.
    pub(super) unsafe fn finish_map(&mut self, marker_offset: usize, map: Owned) -> Read {
        let (hook, text) = match (&self.options.object_pairs_hook, &self.options.object_hook) {
            (Some(hook), _) => (hook, "object_pairs_hook failed"),
            (None, Some(hook)) => (hook, "object_hook failed"),
            (None, None) => return Ok(map.release()),
        };
        let answer = ffi::PyObject_CallOneArg(hook.get(), map.get());
        self.answer(answer, marker_offset, Kind::HookFailed, text)
    }
}
