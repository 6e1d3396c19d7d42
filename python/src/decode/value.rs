//! Single values and arrays.

use pyo3::ffi;

use super::{Decoder, Read, length_size};
use crate::cpython::object::{Obj, Owned, list_items, list_with_room, new_bytes, set_list_size};
use crate::cpython::state;
use crate::errors::{Kind, Raised, Step};
use crate::options::{self, Limit, Utf8};
use crate::wire::float::is_canonical;
use crate::wire::marker::*;
use crate::wire::text;

impl Decoder<'_> {
    /// The next value. `pending` values are announced after it.
    #[inline(always)]
    pub unsafe fn value<const CHECKED: bool>(&mut self, pending: usize) -> Read {
        if self.next == self.end {
            return Err(self.eof());
        }
        let marker = *self.next;
        if !CHECKED {
            if marker < 0x80 {
                self.next = self.next.add(1);
                return Ok(state::get().small_integer(marker.into()));
            }
            if marker & !FIXSTR_LENGTH == FIXSTR {
                self.next = self.next.add(1);
                return self.str_payload::<false>(self.offset() - 1, usize::from(marker & FIXSTR_LENGTH));
            }
            if (FLOAT64..=INT64).contains(&marker) && self.remaining() >= 9 {
                return self.number(marker);
            }
            if marker & !3 == NIL && marker != RESERVED {
                self.next = self.next.add(1);
                let constants = [ffi::Py_None(), ffi::Py_None(), ffi::Py_False(), ffi::Py_True()];
                return Ok(crate::cpython::object::new_ref(constants[usize::from(marker & 3)]));
            }
            // Without the frame of a function between the levels: lists of pairs take .90 of the time.
            if marker & !FIX_COUNT == FIXARRAY {
                self.next = self.next.add(1);
                let count = usize::from(marker & FIX_COUNT);
                return self.array::<false>(self.offset() - 1, count, true, pending);
            }
        }
        self.marked::<CHECKED>(marker, pending)
    }

    /// A float 64 or any integer after a marker, nine bytes of which at least are there.
    ///
    /// The payload is taken as a word of eight bytes and shifted: no branch hangs on sign or size,
    /// which a processor can't foresee in a list of numbers: floats take .75 of the time, integers .79.
    #[inline(always)]
    unsafe fn number(&mut self, marker: u8) -> Read {
        let word = u64::from_be_bytes((self.next.add(1) as *const [u8; 8]).read_unaligned());
        if marker == FLOAT64 {
            self.next = self.next.add(9);
            return self.non_null(ffi::PyFloat_FromDouble(f64::from_bits(word)));
        }
        let bits = 8 << (marker & 3);
        self.next = self.next.add(1 + bits / 8);
        let shift = 64 - bits;
        let unsigned = word >> shift;
        let signed = (word as i64) >> shift;
        let number = if marker >= INT8 { signed } else { unsigned as i64 };
        if marker == UINT64 && number < 0 {
            return self.non_null(ffi::PyLong_FromUnsignedLongLong(unsigned));
        }
        self.non_null(state::get().integer(number))
    }

    /// The payload of a bin whose marker has been taken.
    #[inline(always)]
    pub unsafe fn bin_payload<const CHECKED: bool>(
        &mut self,
        marker_offset: usize,
        marker: u8,
    ) -> Result<&'static [u8], Raised> {
        let size = 1 << (marker - BIN8);
        let length = self.uint(size)? as usize;
        self.note::<CHECKED>(marker_offset)?;
        self.limit::<CHECKED>(marker_offset, length, Limit::Bin)?;
        self.need(length)?;
        self.strict::<CHECKED>(marker_offset, size == length_size(length))?;
        let payload = std::slice::from_raw_parts(self.next, length);
        self.next = self.next.add(length);
        Ok(payload)
    }

    /// A value with its marker known, but not taken.
    #[inline(never)]
    #[allow(clippy::too_many_lines)] // One arm for each format.
    unsafe fn marked<const CHECKED: bool>(&mut self, marker: u8, pending: usize) -> Read {
        let marker_offset = self.offset();
        if CHECKED && (FIRST_ID..=LAST_ID).contains(&marker) && self.structures.is_some() {
            if let Some(keys) = self.record_keys(marker_offset, marker)? {
                return self.fields(marker_offset, &keys, pending);
            }
        }
        self.next = self.next.add(1);
        match marker {
            ..=LAST_FIXINT => {
                self.note::<CHECKED>(marker_offset)?;
                Ok(state::get().small_integer(marker.into()))
            }
            FIXMAP..=LAST_FIXMAP => self.map::<CHECKED>(marker_offset, usize::from(marker & FIX_COUNT), true, pending),
            FIXARRAY..=LAST_FIXARRAY => {
                self.array::<CHECKED>(marker_offset, usize::from(marker & FIX_COUNT), true, pending)
            }
            FIXSTR..=LAST_FIXSTR => {
                self.note::<CHECKED>(marker_offset)?;
                self.str_payload::<CHECKED>(marker_offset, usize::from(marker & FIXSTR_LENGTH))
            }
            NIL => self.constant::<CHECKED>(marker_offset, ffi::Py_None()),
            RESERVED => Err(self.fault(Kind::ReservedMarker, marker_offset)),
            FALSE => self.constant::<CHECKED>(marker_offset, ffi::Py_False()),
            TRUE => self.constant::<CHECKED>(marker_offset, ffi::Py_True()),
            BIN8..=BIN32 => {
                let payload = self.bin_payload::<CHECKED>(marker_offset, marker)?;
                self.non_null(new_bytes(payload))
            }
            EXT8..=EXT32 | FIXEXT1..=FIXEXT16 => self.ext::<CHECKED>(marker_offset, marker, pending),
            FLOAT32 => {
                let number = f32::from_bits(u32::from_be_bytes(self.take()?));
                self.note::<CHECKED>(marker_offset)?;
                self.strict::<CHECKED>(marker_offset, false)?;
                self.non_null(ffi::PyFloat_FromDouble(number.into()))
            }
            FLOAT64 => {
                let bits = u64::from_be_bytes(self.take()?);
                self.note::<CHECKED>(marker_offset)?;
                if CHECKED && self.options.has(options::CANONICAL) {
                    self.strict::<CHECKED>(marker_offset, is_canonical(bits))?;
                }
                self.non_null(ffi::PyFloat_FromDouble(f64::from_bits(bits)))
            }
            UINT8..=UINT64 => {
                let number = self.uint(1 << (marker - UINT8))?;
                self.note::<CHECKED>(marker_offset)?;
                self.strict::<CHECKED>(marker_offset, minimal_unsigned(number) == marker)?;
                if i64::try_from(number).is_ok() {
                    self.non_null(state::get().integer(number as i64))
                } else {
                    self.non_null(ffi::PyLong_FromUnsignedLongLong(number))
                }
            }
            INT8..=INT64 => {
                let number = match marker {
                    INT8 => i8::from_be_bytes(self.take()?).into(),
                    INT16 => i16::from_be_bytes(self.take()?).into(),
                    INT32 => i32::from_be_bytes(self.take()?).into(),
                    _ => i64::from_be_bytes(self.take()?),
                };
                self.note::<CHECKED>(marker_offset)?;
                self.strict::<CHECKED>(marker_offset, minimal_signed(number) == marker)?;
                self.non_null(state::get().integer(number))
            }
            STR8..=STR32 => {
                let size = 1 << (marker - STR8);
                let length = self.uint(size)? as usize;
                self.note::<CHECKED>(marker_offset)?;
                // Checked after the payload's length.
                if CHECKED {
                    self.limit::<CHECKED>(marker_offset, length, Limit::Str)?;
                    self.need(length)?;
                    let minimal = length > 31 && size == length_size(length);
                    return self.str_checked(marker_offset, length, minimal);
                }
                self.str_payload::<CHECKED>(marker_offset, length)
            }
            ARRAY16 | ARRAY32 => {
                let count = self.uint(if marker == ARRAY16 { 2 } else { 4 })? as usize;
                let minimal = count > 15 && (marker == ARRAY16 || count > 0xffff);
                self.array::<CHECKED>(marker_offset, count, minimal, pending)
            }
            MAP16 | MAP32 => {
                let count = self.uint(if marker == MAP16 { 2 } else { 4 })? as usize;
                let minimal = count > 15 && (marker == MAP16 || count > 0xffff);
                self.map::<CHECKED>(marker_offset, count, minimal, pending)
            }
            NEGATIVE_FIXINT.. => {
                self.note::<CHECKED>(marker_offset)?;
                Ok(state::get().small_integer((marker as i8).into()))
            }
        }
    }

    unsafe fn constant<const CHECKED: bool>(&mut self, marker_offset: usize, object: Obj) -> Read {
        self.note::<CHECKED>(marker_offset)?;
        Ok(crate::cpython::object::new_ref(object))
    }

    /// The payload of a str whose header has been read, minimal as it is.
    #[inline(always)]
    pub unsafe fn str_payload<const CHECKED: bool>(&mut self, marker_offset: usize, length: usize) -> Read {
        self.limit::<CHECKED>(marker_offset, length, Limit::Str)?;
        self.need(length)?;
        if CHECKED {
            return self.str_checked(marker_offset, length, true);
        }
        let string = text::decode(self.next, length);
        if string.is_null() {
            return Err(self.bad_text(length));
        }
        self.next = self.next.add(length);
        Ok(string)
    }

    /// The payload, which is whole, with the options that concern it.
    unsafe fn str_checked(&mut self, marker_offset: usize, length: usize, minimal: bool) -> Read {
        let bytes = std::slice::from_raw_parts(self.next, length);
        let mut string = match self.options.utf8 {
            Utf8::Bytes => new_bytes(bytes),
            _ => text::decode(bytes.as_ptr(), length),
        };
        if string.is_null() && ffi::PyErr_Occurred().is_null() {
            string = match self.options.utf8 {
                Utf8::Handled(handler) => {
                    ffi::PyUnicode_DecodeUTF8(bytes.as_ptr().cast(), length as isize, handler.as_ptr())
                }
                Utf8::Raw => new_bytes(bytes),
                Utf8::Error | Utf8::Bytes => string,
            };
        }
        if string.is_null() {
            return Err(self.bad_text(length));
        }
        let string = Owned::take(string).ok_or(Raised)?;
        self.strict::<true>(marker_offset, minimal)?;
        self.next = self.next.add(length);
        Ok(string.release())
    }

    /// Returns the fault of a payload from which no `str` could be made.
    #[cold]
    #[inline(never)]
    pub unsafe fn bad_text(&mut self, length: usize) -> Raised {
        let bytes = std::slice::from_raw_parts(self.next, length);
        match text::first_ill_formed(bytes) {
            Some(marker_offset) => {
                let marker_offset = self.offset() + marker_offset;
                self.fault(Kind::InvalidUtf8, marker_offset)
            }
            None => self.python(),
        }
    }

    /// The header of an array, whose marker has been read but not taken: its count. It is entered.
    pub unsafe fn array_header<const CHECKED: bool>(&mut self, pending: usize) -> Result<usize, Raised> {
        let marker_offset = self.offset();
        let (count, minimal) = self.count(FIXARRAY, ARRAY16)?;
        self.open::<CHECKED>(marker_offset, Limit::Array, count, minimal, pending)?;
        Ok(count)
    }

    /// The header of a map, whose marker has been read but not taken: its count. It is entered.
    pub unsafe fn map_header<const CHECKED: bool>(&mut self, pending: usize) -> Result<usize, Raised> {
        let marker_offset = self.offset();
        let (count, minimal) = self.count(FIXMAP, MAP16)?;
        self.open::<CHECKED>(marker_offset, Limit::Map, count, minimal, pending)?;
        Ok(count)
    }

    /// Enters a container whose header has been read.
    #[inline(always)]
    pub(super) unsafe fn open<const CHECKED: bool>(
        &mut self,
        marker_offset: usize,
        limit: Limit,
        count: usize,
        minimal: bool,
        pending: usize,
    ) -> Result<(), Raised> {
        self.note::<CHECKED>(marker_offset)?;
        self.enter(marker_offset)?;
        self.limit::<CHECKED>(marker_offset, count, limit)?;
        // 2 * count is below 2^33.
        let values = (count as u64) << u32::from(matches!(limit, Limit::Map));
        self.announce(pending, values)?;
        self.strict::<CHECKED>(marker_offset, minimal)
    }

    /// The count of a container's header, and whether the header is minimal.
    #[inline(always)]
    pub(super) unsafe fn count(&mut self, fix: u8, wide: u8) -> Result<(usize, bool), Raised> {
        let marker = self.take::<1>()?[0];
        if marker & !FIX_COUNT == fix {
            return Ok((usize::from(marker & FIX_COUNT), true));
        }
        let count = self.uint(if marker == wide { 2 } else { 4 })? as usize;
        Ok((count, count > 15 && (marker == wide || count > 0xffff)))
    }

    #[inline(never)]
    unsafe fn array<const CHECKED: bool>(
        &mut self,
        marker_offset: usize,
        count: usize,
        minimal: bool,
        pending: usize,
    ) -> Read {
        self.open::<CHECKED>(marker_offset, Limit::Array, count, minimal, pending)?;
        let list = Owned::take(list_with_room(count)).ok_or_else(|| self.python())?;
        let mut levels = 0;
        let read = self.elements::<CHECKED>(list.get(), count, pending, &mut levels);
        if read.is_err() {
            return Err(self.in_elements(list.get(), levels));
        }
        self.depth -= levels;
        self.leave();
        if CHECKED {
            self.finish_array(marker_offset, list)
        } else {
            Ok(list.release())
        }
    }

    /// Reads the elements of an array into a list. A last element that is an array too is read here,
    /// one deeper, and not by a call: of hundreds of levels a processor can't foresee the returns, and 500
    /// take .77 of the time. `levels` counts these.
    #[inline(always)]
    unsafe fn elements<const CHECKED: bool>(
        &mut self,
        mut list: Obj,
        mut count: usize,
        pending: usize,
        levels: &mut usize,
    ) -> Result<(), Raised> {
        let mut items = list_items(list);
        let mut index = 0;
        while index < count {
            if !CHECKED && index + 1 == count && self.next < self.end {
                let marker = *self.next;
                if marker > FIXARRAY && marker <= LAST_FIXARRAY {
                    let inner_count = usize::from(marker & FIX_COUNT);
                    self.next = self.next.add(1);
                    self.enter(self.offset() - 1)?;
                    self.announce(pending, inner_count as u64)?;
                    let inner = list_with_room(inner_count);
                    if inner.is_null() {
                        return Err(self.python());
                    }
                    *items.add(index) = inner;
                    set_list_size(list, index as isize + 1);
                    *levels += 1;
                    (list, count, items, index) = (inner, inner_count, list_items(inner), 0);
                    continue;
                }
            }
            *items.add(index) = self.value::<CHECKED>(pending + (count - index - 1))?;
            index += 1;
            set_list_size(list, index as isize);
        }
        Ok(())
    }

    /// Adds to a fault where it was: in the list, or in the last item of its last item, and so on.
    #[cold]
    #[inline(never)]
    unsafe fn in_elements(&mut self, mut list: Obj, levels: usize) -> Raised {
        let mut places = Vec::new();
        for _ in 0..levels {
            let last = ffi::PyList_GET_SIZE(list) - 1;
            places.push(last);
            list = ffi::PyList_GET_ITEM(list, last);
        }
        // The item at fault has not been stored.
        places.push(ffi::PyList_GET_SIZE(list));
        for place in places.into_iter().rev() {
            self.step(|| Step::Index(place as usize));
        }
        Raised
    }

    /// The array as the options want it.
    unsafe fn finish_array(&mut self, marker_offset: usize, list: Owned) -> Read {
        if let Some(hook) = &self.options.list_hook {
            let answer = ffi::PyObject_CallOneArg(hook.get(), list.get());
            return self.answer(answer, marker_offset, Kind::HookFailed, "list_hook failed");
        }
        if self.options.tuples {
            return self.non_null(ffi::PyList_AsTuple(list.get()));
        }
        Ok(list.release())
    }
}
