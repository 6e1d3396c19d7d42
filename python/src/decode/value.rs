//! Single values and arrays.

use pyo3::ffi;

use super::{Decoder, Read, length_size};
use crate::errors::{Kind, Raised, Step};
use crate::object::{Obj, Owned, list_items, list_with_room, set_list_size};
use crate::options::Utf8;
use crate::state;
use crate::wire::marker::*;
use crate::wire::text;

impl Decoder<'_> {
    /// The next value. `outer` values are announced behind it.
    #[inline(always)]
    pub unsafe fn value<const EXACT: bool>(&mut self, outer: usize) -> Read {
        if self.next == self.end {
            return Err(self.eof());
        }
        let marker = *self.next;
        if !EXACT {
            if marker < 0x80 {
                self.next = self.next.add(1);
                return Ok(state::get().small_integer(marker.into()));
            }
            if marker & 0xe0 == FIXSTR {
                self.next = self.next.add(1);
                return self.str_payload::<false>(self.offset() - 1, usize::from(marker & 0x1f));
            }
            if (FLOAT64..=INT64).contains(&marker) && self.remaining() >= 9 {
                return self.number(marker);
            }
        }
        self.marked::<EXACT>(marker, outer)
    }

    /// A float 64 or any integer behind a marker, nine bytes of which at least are there.
    ///
    /// The payload is taken as a word of eight bytes and shifted: no branch hangs on sign or size,
    /// which a processor can't foresee in a list of numbers.
    #[inline(always)]
    unsafe fn number(&mut self, marker: u8) -> Read {
        let word = u64::from_be_bytes((self.next.add(1) as *const [u8; 8]).read_unaligned());
        if marker == FLOAT64 {
            self.next = self.next.add(9);
            return self.made(ffi::PyFloat_FromDouble(f64::from_bits(word)));
        }
        let bits = 8 << (marker & 3);
        self.next = self.next.add(1 + bits / 8);
        let shift = 64 - bits;
        let unsigned = word >> shift;
        let signed = (word as i64) >> shift;
        let number = if marker >= INT8 {
            signed
        } else {
            unsigned as i64
        };
        if marker == UINT64 && number < 0 {
            return self.made(ffi::PyLong_FromUnsignedLongLong(unsigned));
        }
        self.made(state::get().integer(number))
    }

    /// A value with its marker known, but not taken.
    #[inline(never)]
    unsafe fn marked<const EXACT: bool>(&mut self, marker: u8, outer: usize) -> Read {
        let at = self.offset();
        if EXACT && (0x40..0x80).contains(&marker) && self.structures.is_some() {
            if let Some(record) = self.record_value(at, marker, outer)? {
                return Ok(record);
            }
        }
        self.next = self.next.add(1);
        match marker {
            ..=0x7f => {
                self.note::<EXACT>(at)?;
                Ok(state::get().small_integer(marker.into()))
            }
            0x80..=0x8f => self.map::<EXACT>(at, usize::from(marker & 0x0f), true, outer),
            0x90..=0x9f => self.array::<EXACT>(at, usize::from(marker & 0x0f), true, outer),
            0xa0..=0xbf => {
                self.note::<EXACT>(at)?;
                self.str_payload::<EXACT>(at, usize::from(marker & 0x1f))
            }
            NIL => self.constant::<EXACT>(at, ffi::Py_None()),
            RESERVED => Err(self.fault(Kind::ReservedMarker, at, "invalid type Reserved")),
            FALSE => self.constant::<EXACT>(at, ffi::Py_False()),
            TRUE => self.constant::<EXACT>(at, ffi::Py_True()),
            0xc4..=0xc6 => {
                let size = 1 << (marker - 0xc4);
                let length = self.uint(size)? as usize;
                self.note::<EXACT>(at)?;
                self.limit::<EXACT>(at, length, self.options.max_bin_len)?;
                self.need(length)?;
                self.strict::<EXACT>(at, size == length_size(length))?;
                let bytes = ffi::PyBytes_FromStringAndSize(self.next.cast(), length as isize);
                self.next = self.next.add(length);
                self.made(bytes)
            }
            0xc7..=0xc9 | 0xd4..=0xd8 => self.ext::<EXACT>(at, marker, outer),
            FLOAT32 => {
                let number = f32::from_bits(u32::from_be_bytes(self.take()?));
                self.note::<EXACT>(at)?;
                self.strict::<EXACT>(at, false)?;
                self.made(ffi::PyFloat_FromDouble(number.into()))
            }
            FLOAT64 => {
                let bits = u64::from_be_bytes(self.take()?);
                let number = f64::from_bits(bits);
                self.note::<EXACT>(at)?;
                self.strict::<EXACT>(at, !number.is_nan() || bits == 0x7ff8_0000_0000_0000)?;
                self.made(ffi::PyFloat_FromDouble(number))
            }
            0xcc..=0xcf => {
                let number = self.uint(1 << (marker - 0xcc))?;
                self.note::<EXACT>(at)?;
                self.strict::<EXACT>(at, minimal_unsigned(number) == marker)?;
                if i64::try_from(number).is_ok() {
                    self.made(state::get().integer(number as i64))
                } else {
                    self.made(ffi::PyLong_FromUnsignedLongLong(number))
                }
            }
            INT8..=INT64 => {
                let number = match marker {
                    INT8 => i8::from_be_bytes(self.take()?).into(),
                    INT16 => i16::from_be_bytes(self.take()?).into(),
                    INT32 => i32::from_be_bytes(self.take()?).into(),
                    _ => i64::from_be_bytes(self.take()?),
                };
                self.note::<EXACT>(at)?;
                self.strict::<EXACT>(at, minimal_signed(number) == marker)?;
                self.made(state::get().integer(number))
            }
            0xd9..=0xdb => {
                let size = 1 << (marker - STR8);
                let length = self.uint(size)? as usize;
                self.note::<EXACT>(at)?;
                // Checked behind the payload's own faults of length.
                if EXACT {
                    self.limit::<EXACT>(at, length, self.options.max_str_len)?;
                    self.need(length)?;
                    let minimal = length > 31 && size == length_size(length);
                    return self.str_checked(at, length, minimal);
                }
                self.str_payload::<EXACT>(at, length)
            }
            ARRAY16 | ARRAY32 => {
                let count = self.uint(if marker == ARRAY16 { 2 } else { 4 })? as usize;
                let minimal = count > 15 && (marker == ARRAY16 || count > 0xffff);
                self.array::<EXACT>(at, count, minimal, outer)
            }
            MAP16 | MAP32 => {
                let count = self.uint(if marker == MAP16 { 2 } else { 4 })? as usize;
                let minimal = count > 15 && (marker == MAP16 || count > 0xffff);
                self.map::<EXACT>(at, count, minimal, outer)
            }
            0xe0.. => {
                self.note::<EXACT>(at)?;
                Ok(state::get().small_integer((marker as i8).into()))
            }
        }
    }

    unsafe fn constant<const EXACT: bool>(&mut self, at: usize, object: Obj) -> Read {
        self.note::<EXACT>(at)?;
        Ok(crate::object::new_ref(object))
    }

    /// The payload of a str whose header has been read, minimal as it is.
    #[inline(always)]
    pub unsafe fn str_payload<const EXACT: bool>(&mut self, at: usize, length: usize) -> Read {
        self.limit::<EXACT>(at, length, self.options.max_str_len)?;
        self.need(length)?;
        if EXACT {
            return self.str_checked(at, length, true);
        }
        let string = text::decode(self.next, length);
        if string.is_null() {
            return Err(self.bad_text(length));
        }
        self.next = self.next.add(length);
        Ok(string)
    }

    /// The payload, which is whole, with the options that concern it.
    unsafe fn str_checked(&mut self, at: usize, length: usize, minimal: bool) -> Read {
        let bytes = std::slice::from_raw_parts(self.next, length);
        let mut string = match self.options.utf8 {
            Utf8::Bytes => bytes_object(bytes),
            _ => text::decode(bytes.as_ptr(), length),
        };
        if string.is_null() && ffi::PyErr_Occurred().is_null() {
            string = match self.options.utf8 {
                Utf8::Replace => ffi::PyUnicode_DecodeUTF8(
                    bytes.as_ptr().cast(),
                    length as isize,
                    c"replace".as_ptr(),
                ),
                Utf8::Raw => bytes_object(bytes),
                Utf8::Error | Utf8::Bytes => string,
            };
        }
        if string.is_null() {
            return Err(self.bad_text(length));
        }
        let string = Owned::take(string).ok_or(Raised)?;
        self.strict::<true>(at, minimal)?;
        self.next = self.next.add(length);
        Ok(string.release())
    }

    /// No str could be made of the payload at hand.
    #[cold]
    #[inline(never)]
    pub unsafe fn bad_text(&mut self, length: usize) -> Raised {
        let bytes = std::slice::from_raw_parts(self.next, length);
        match text::first_ill_formed(bytes) {
            Some(at) => {
                let at = self.offset() + at;
                self.fault(Kind::InvalidUtf8, at, "invalid UTF-8 string")
            }
            None => self.python(),
        }
    }

    /// The header of an array, whose marker has been looked at: its count. It is entered.
    pub unsafe fn array_header<const EXACT: bool>(
        &mut self,
        outer: usize,
    ) -> Result<usize, Raised> {
        let at = self.offset();
        let (count, minimal) = self.count(FIXARRAY, ARRAY16)?;
        self.note::<EXACT>(at)?;
        self.enter(at)?;
        self.limit::<EXACT>(at, count, self.options.max_array_len)?;
        self.announce(outer, count)?;
        self.strict::<EXACT>(at, minimal)?;
        Ok(count)
    }

    /// The header of a map, whose marker has been looked at: its count. It is entered.
    pub unsafe fn map_header<const EXACT: bool>(&mut self, outer: usize) -> Result<usize, Raised> {
        let at = self.offset();
        let (count, minimal) = self.count(FIXMAP, MAP16)?;
        self.note::<EXACT>(at)?;
        self.enter(at)?;
        self.limit::<EXACT>(at, count, self.options.max_map_len)?;
        self.announce(outer, 2 * count)?;
        self.strict::<EXACT>(at, minimal)?;
        Ok(count)
    }

    /// The count of a container's header, and whether the header is minimal.
    #[inline(always)]
    unsafe fn count(&mut self, fix: u8, wide: u8) -> Result<(usize, bool), Raised> {
        let marker = self.take::<1>()?[0];
        if marker & 0xf0 == fix {
            return Ok((usize::from(marker & 0x0f), true));
        }
        let count = self.uint(if marker == wide { 2 } else { 4 })? as usize;
        Ok((count, count > 15 && (marker == wide || count > 0xffff)))
    }

    #[inline(never)]
    unsafe fn array<const EXACT: bool>(
        &mut self,
        at: usize,
        count: usize,
        minimal: bool,
        outer: usize,
    ) -> Read {
        self.note::<EXACT>(at)?;
        self.enter(at)?;
        self.limit::<EXACT>(at, count, self.options.max_array_len)?;
        self.announce(outer, count)?;
        self.strict::<EXACT>(at, minimal)?;
        let list = list_with_room(count);
        let list = Owned::take(list).ok_or_else(|| self.python())?;
        let items = list_items(list.get());
        for index in 0..count {
            match self.value::<EXACT>(outer + (count - index - 1)) {
                Ok(item) => *items.add(index) = item,
                Err(Raised) => return Err(self.step(|| Step::Index(index))),
            }
            set_list_size(list.get(), index as isize + 1);
        }
        self.leave();
        if EXACT {
            self.finish_array(at, list)
        } else {
            Ok(list.release())
        }
    }

    /// The array as the options want it.
    unsafe fn finish_array(&mut self, at: usize, list: Owned) -> Read {
        if let Some(hook) = &self.options.list_hook {
            let answer = ffi::PyObject_CallOneArg(hook.get(), list.get());
            return match Owned::take(answer) {
                Some(answer) => Ok(answer.release()),
                None => Err(self.user(at, Kind::HookFailed, "list_hook failed")),
            };
        }
        if self.options.tuples {
            return self.made(ffi::PyList_AsTuple(list.get()));
        }
        Ok(list.release())
    }
}

/// A new `bytes` of these.
unsafe fn bytes_object(bytes: &[u8]) -> *mut ffi::PyObject {
    ffi::PyBytes_FromStringAndSize(bytes.as_ptr().cast(), bytes.len() as isize)
}
