//! From bytes to Python values (`spec/format.md` section 5, `spec/limits.md`).
//!
//! The reader goes through the bytes once, depth first. `outer` is the count of values that the
//! open containers have announced behind the value at hand: with it, each container checks that
//! what is announced in all can be there before it takes memory (the pending-element budget).
//!
//! Every function is made twice: with `EXACT` it looks at limits, canonical form, records and
//! hooks; without, which is the usual case, at none of them.

mod canonical;
mod ext;
mod key_cache;
mod map;
mod pause;
mod record;

use pause::GcPause;
use pyo3::ffi;

use crate::errors::{Failure, Kind, Raised, Step};
use crate::object::{Obj, Owned, list_items, list_with_room, set_list_size};
use crate::options::{self, DecodeOptions, Utf8};
use crate::record::Structures;
use crate::state;
use crate::wire::marker::*;
use crate::wire::text;

pub use ext::datetime;
pub use key_cache::key as cached_key;

type Read = Result<Obj, Raised>;

/// One message being read.
pub struct Decoder<'a> {
    start: *const u8,
    next: *const u8,
    end: *const u8,
    depth: usize,
    nodes: usize,
    pub options: &'a DecodeOptions,
    structures: Option<&'a mut Structures>,
    /// The object whose bytes are read, if what is read may refer to them.
    source: Option<Obj>,
    /// Code of the user may run, as classes of the user are made.
    pub typed: bool,
    pub failure: Option<Box<Failure>>,
}

/// The value of a packed fragment; null when it can't be a value of Python.
pub unsafe fn fragment_value(bytes: &[u8], canonical: bool) -> Obj {
    let options = DecodeOptions {
        flags: options::NON_STR_KEYS,
        keep_ext: true,
        duplicate_error: canonical,
        timestamps: options::Timestamps::Timestamp,
        ..DecodeOptions::default()
    };
    let mut decoder = Decoder::new(bytes, &options, None, None);
    match decoder.message() {
        Ok(value) => value,
        Err(Raised) => {
            decoder.raise(0);
            std::ptr::null_mut()
        }
    }
}

impl<'a> Decoder<'a> {
    pub fn new(
        bytes: &[u8],
        options: &'a DecodeOptions,
        structures: Option<&'a mut Structures>,
        source: Option<Obj>,
    ) -> Decoder<'a> {
        let range = bytes.as_ptr_range();
        Decoder {
            start: range.start,
            next: range.start,
            end: range.end,
            depth: 0,
            nodes: 0,
            options,
            structures,
            source,
            typed: false,
            failure: None,
        }
    }

    /// The one message of the input, and nothing behind it unless that is allowed.
    pub unsafe fn message(&mut self) -> Read {
        self.whole_message(|reader| reader.any())
    }

    /// What `read` makes of the input, and nothing behind it unless that is allowed.
    pub unsafe fn whole_message(&mut self, read: impl FnOnce(&mut Self) -> Read) -> Read {
        let value = self.beginning(read)?;
        if self.next != self.end && !self.options.has(options::ALLOW_TRAILING) {
            ffi::Py_DECREF(value);
            if let Some(structures) = &mut self.structures {
                structures.roll_back();
            }
            return Err(self.fault_here(Kind::TrailingBytes, "bytes after the message"));
        }
        Ok(value)
    }

    /// The message at the beginning of the input.
    pub unsafe fn first_message(&mut self) -> Read {
        self.beginning(|reader| reader.any())
    }

    unsafe fn any(&mut self) -> Read {
        if self.usual() {
            self.value::<false>(0)
        } else {
            self.value::<true>(0)
        }
    }

    /// Whether nothing needs to be looked at with each value.
    pub fn usual(&self) -> bool {
        self.structures.is_none() && self.options.plain()
    }

    unsafe fn beginning(&mut self, read: impl FnOnce(&mut Self) -> Read) -> Read {
        let pause = GcPause::new(self);
        if let Some(structures) = &mut self.structures {
            structures.begin();
        }
        let value = read(self);
        if value.is_err() {
            if let Some(structures) = &mut self.structures {
                structures.roll_back();
            }
        }
        drop(pause);
        value
    }

    /// Sets the Python error. `base` is the offset of the input in its stream.
    pub unsafe fn raise(&mut self, base: usize) {
        if let Some(failure) = self.failure.take() {
            failure.raise_decode(base);
        }
    }

    // Places and failures.

    /// The whole input.
    pub fn input(&self) -> &[u8] {
        let length = self.end as usize - self.start as usize;
        unsafe { std::slice::from_raw_parts(self.start, length) }
    }

    /// Goes on at another offset within the input.
    pub unsafe fn move_to(&mut self, at: usize) {
        debug_assert!(at <= self.input().len());
        self.next = self.start.add(at);
    }

    #[inline(always)]
    pub fn offset(&self) -> usize {
        self.next as usize - self.start as usize
    }

    #[inline(always)]
    pub fn remaining(&self) -> usize {
        self.end as usize - self.next as usize
    }

    #[cold]
    #[inline(never)]
    pub fn fault(&mut self, kind: Kind, at: usize, text: &'static str) -> Raised {
        self.failure = Some(Failure::at(kind, at, text));
        Raised
    }

    #[cold]
    fn fault_here(&mut self, kind: Kind, text: &'static str) -> Raised {
        let at = self.offset();
        self.fault(kind, at, text)
    }

    #[cold]
    #[inline(never)]
    pub fn eof(&mut self) -> Raised {
        let length = self.end as usize - self.start as usize;
        self.fault(Kind::Eof, length, "unexpected end of file")
    }

    /// Python raised where nothing but memory can be at fault.
    #[cold]
    #[inline(never)]
    pub unsafe fn python(&mut self) -> Raised {
        self.failure = Some(Failure::transparent());
        Raised
    }

    /// A hook or a class of the user raised.
    #[cold]
    #[inline(never)]
    pub unsafe fn user(&mut self, at: usize, kind: Kind, text: &'static str) -> Raised {
        let mut failure = Failure::caused(kind, text);
        failure.offset = Some(at);
        self.failure = Some(failure);
        Raised
    }

    #[cold]
    #[inline(never)]
    pub fn step(&mut self, step: impl FnOnce() -> Step) -> Raised {
        if let Some(failure) = &mut self.failure {
            failure.step(step());
        }
        Raised
    }

    /// A new object of Python, or its error.
    #[inline(always)]
    pub unsafe fn made(&mut self, object: Obj) -> Read {
        if object.is_null() {
            Err(self.python())
        } else {
            Ok(object)
        }
    }

    // Raw reads.

    #[inline(always)]
    pub fn need(&mut self, count: usize) -> Result<(), Raised> {
        if self.remaining() < count {
            Err(self.eof())
        } else {
            Ok(())
        }
    }

    /// The next `N` bytes, which must be there.
    #[inline(always)]
    pub unsafe fn take<const N: usize>(&mut self) -> Result<[u8; N], Raised> {
        self.need(N)?;
        let bytes = (self.next as *const [u8; N]).read_unaligned();
        self.next = self.next.add(N);
        Ok(bytes)
    }

    /// An unsigned number of 1, 2, 4 or 8 bytes.
    #[inline(always)]
    pub unsafe fn uint(&mut self, size: usize) -> Result<u64, Raised> {
        Ok(match size {
            1 => self.take::<1>()?[0].into(),
            2 => u16::from_be_bytes(self.take()?).into(),
            4 => u32::from_be_bytes(self.take()?).into(),
            _ => u64::from_be_bytes(self.take()?),
        })
    }

    /// The next byte, which is not taken.
    #[inline(always)]
    pub unsafe fn peek(&mut self) -> Result<u8, Raised> {
        if self.next == self.end {
            Err(self.eof())
        } else {
            Ok(*self.next)
        }
    }

    // Checks that only `EXACT` readers make.

    #[inline(always)]
    pub fn note<const EXACT: bool>(&mut self, at: usize) -> Result<(), Raised> {
        if EXACT {
            self.nodes += 1;
            if self.nodes > self.options.max_nodes {
                return Err(self.fault(Kind::LengthLimit, at, "more values than max_nodes"));
            }
        }
        Ok(())
    }

    #[inline(always)]
    pub fn limit<const EXACT: bool>(
        &mut self,
        at: usize,
        length: usize,
        limit: usize,
    ) -> Result<(), Raised> {
        if EXACT && length > limit {
            return Err(self.fault(Kind::LengthLimit, at, "longer than the limit"));
        }
        Ok(())
    }

    /// With the option `canonical`, `minimal` says whether the writer would have written this.
    #[inline(always)]
    fn strict<const EXACT: bool>(&mut self, at: usize, minimal: bool) -> Result<(), Raised> {
        if EXACT && !minimal && self.options.has(options::CANONICAL) {
            return Err(self.fault(Kind::NotCanonical, at, "not the canonical encoding"));
        }
        Ok(())
    }

    #[inline(always)]
    pub fn enter(&mut self, at: usize) -> Result<(), Raised> {
        if self.depth == self.options.max_depth {
            return Err(self.fault(Kind::DepthLimit, at, "Recursion limit reached"));
        }
        self.depth += 1;
        Ok(())
    }

    #[inline(always)]
    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The pending-element budget: `count` more values besides those outside.
    #[inline(always)]
    pub fn announce(&mut self, outer: usize, count: usize) -> Result<(), Raised> {
        // Both are below 2^33 more than the length of the input: no overflow.
        if outer + count > self.remaining() {
            Err(self.eof())
        } else {
            Ok(())
        }
    }

    // Values.

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
        }
        self.marked::<EXACT>(marker, outer)
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
                if number <= i64::MAX as u64 {
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
            Utf8::Raw => ffi::PyBytes_FromStringAndSize(bytes.as_ptr().cast(), length as isize),
            _ => text::decode(bytes.as_ptr(), length),
        };
        if string.is_null() && self.options.utf8 == Utf8::Replace && ffi::PyErr_Occurred().is_null()
        {
            string = ffi::PyUnicode_DecodeUTF8(
                bytes.as_ptr().cast(),
                length as isize,
                c"replace".as_ptr(),
            );
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

/// How many bytes the length takes in the format that is minimal for it.
fn length_size(length: usize) -> usize {
    match length {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        _ => 4,
    }
}
