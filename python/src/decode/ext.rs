//! Ext values (`spec/extensions.md`).

use packord::columns::EXT_TYPE;
use pyo3::ffi;

use super::canonical::compared;
use super::{Decoder, Read, length_size};
use crate::cpython::object::{Obj, Owned};
use crate::cpython::state::{self, SUPPORT, long_from_bytes};
use crate::errors::{Kind, Raised};
use crate::ext;
use crate::options::{self, DecodeOptions, Limit, Timestamps};
use crate::values;
use crate::wire::marker::*;
use crate::wire::value_type::ValueType;

/// The longest payload of a decimal or ratio, if no option says otherwise (`spec/extensions.md` section 2).
const MAX_NUMBER_LEN: usize = 65_536;

impl Decoder<'_> {
    /// An ext value whose marker has been taken.
    #[inline(never)]
    pub(super) unsafe fn ext<const CHECKED: bool>(&mut self, marker_offset: usize, marker: u8, pending: usize) -> Read {
        if CHECKED && self.reads_records() {
            let size = match marker {
                EXT8..=EXT32 => 1 << (marker - EXT8),
                _ => 0,
            };
            self.need(size + 1)?;
            if self.rest()[size] as i8 == RECORD {
                self.move_by(size + 1);
                if !matches!(marker, FIXEXT1 | FIXEXT2) {
                    return Err(self.malformed(marker_offset));
                }
                let keys = self.defined_keys(marker_offset, marker, pending)?;
                return self.fields(marker_offset, &keys, pending);
            }
        }
        let (payload, code, minimal) = self.ext_payload::<CHECKED>(marker_offset, marker)?;
        if CHECKED && code == EXT_TYPE && self.reads_columns() {
            if let Some(columns) = self.columns_of(marker_offset, payload)? {
                return self.value_of_columns(marker_offset, columns, |inner| inner.any_value());
            }
        }
        self.ext_value(marker_offset, code, payload, minimal)
    }

    /// The payload of an ext whose marker has been taken, its type, and whether its header is the shortest.
    #[inline(always)]
    pub(super) unsafe fn ext_payload<const CHECKED: bool>(
        &mut self,
        marker_offset: usize,
        marker: u8,
    ) -> Result<(&'static [u8], i8, bool), Raised> {
        let (length, minimal) = match marker {
            EXT8..=EXT32 => {
                let size = 1 << (marker - EXT8);
                let length = self.uint(size)? as usize;
                (
                    length,
                    size == length_size(length) && !matches!(length, 1 | 2 | 4 | 8 | 16),
                )
            }
            _ => (1 << (marker - FIXEXT1), true),
        };
        let code = self.take::<1>()?[0] as i8;
        self.note::<CHECKED>(marker_offset)?;
        self.limit::<CHECKED>(marker_offset, length, Limit::Ext)?;
        let is_long = length > MAX_NUMBER_LEN && self.options.max(Limit::Ext) == usize::MAX;
        if is_long && matches!(code, ext::DECIMAL | ext::RATIO) && self.reads(code) {
            return Err(self.too_long(marker_offset, MAX_NUMBER_LEN, "max_ext_len"));
        }
        self.need(length)?;
        let payload = std::slice::from_raw_parts(self.next, length);
        self.next = self.next.add(length);
        Ok((payload, code, minimal))
    }

    unsafe fn ext_value(&mut self, marker_offset: usize, code: i8, payload: &[u8], minimal: bool) -> Read {
        let value = if code == TIMESTAMP {
            let Some(moment) = packord::Timestamp::from_payload(payload) else {
                return Err(self.fault(Kind::InvalidTimestamp, marker_offset));
            };
            let smallest = moment.payload_len() == payload.len();
            self.strict::<true>(marker_offset, minimal && smallest)?;
            return self.timestamp(marker_offset, payload, moment.seconds(), moment.nanoseconds());
        } else if let Some(extension) = self.extension(code) {
            Some(self.by_extension(marker_offset, &extension, payload)?)
        } else {
            self.registered(marker_offset, code, payload)?
        };
        if let Some(value) = value {
            let value = Owned::take(value).ok_or(Raised)?;
            self.strict::<true>(marker_offset, minimal)?;
            return Ok(value.release());
        }
        let known = self.options.keep_ext || (code, payload) == UNDEFINED;
        if self.options.ext_hook.is_none() && !known {
            let is_short = self.options.has(options::SHORT_WORDS);
            let detail = if is_short { "ext_hook missing" } else { "" };
            return Err(self.fault_with(Kind::UnknownExt, marker_offset, detail));
        }
        self.strict::<true>(marker_offset, minimal)?;
        self.other(marker_offset, code, payload)
    }

    /// What reads an ext type of the program's own.
    unsafe fn extension(&self, code: i8) -> Option<Owned> {
        let extensions = self.options.extensions.as_ref()?;
        let code = Owned::take(state::get().small_integer(code.into()))?;
        let found = ffi::PyDict_GetItem(extensions.get(), code.get());
        (!found.is_null()).then(|| Owned::borrow(found))
    }

    unsafe fn by_extension(&mut self, marker_offset: usize, extension: &Owned, payload: &[u8]) -> Read {
        let data = self.bytes(payload)?;
        let answer = ffi::PyObject_CallOneArg(extension.get(), data.get());
        self.answer(answer, marker_offset, Kind::HookFailed, "the extension failed")
    }

    /// An ext that is not ours: for the hook, or kept.
    unsafe fn other(&mut self, marker_offset: usize, code: i8, payload: &[u8]) -> Read {
        let data = self.bytes(payload)?;
        let Some(hook) = &self.options.ext_hook else {
            return self.non_null(values::Ext::make(code, data));
        };
        if code == ext::TABLE {
            self.enter(marker_offset)?;
            self.leave();
        }
        let code = Owned::take(state::get().small_integer(code.into())).ok_or(Raised)?;
        let arguments = [code.get(), data.get()];
        let answer = ffi::PyObject_Vectorcall(hook.get(), arguments.as_ptr(), 2, std::ptr::null_mut());
        self.answer(answer, marker_offset, Kind::HookFailed, "ext_hook failed")
    }

    unsafe fn timestamp(&mut self, marker_offset: usize, payload: &[u8], seconds: i64, nanoseconds: u32) -> Read {
        match self.options.timestamps {
            Timestamps::Hook => self.other(marker_offset, TIMESTAMP, payload),
            Timestamps::Timestamp => self.non_null(values::Timestamp::make(seconds, nanoseconds)),
            Timestamps::Float => self.non_null(ffi::PyFloat_FromDouble(seconds as f64 + f64::from(nanoseconds) / 1e9)),
            Timestamps::Int => {
                let number = i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds);
                self.non_null(long_from_bytes(&number.to_be_bytes()))
            }
            Timestamps::Datetime => match values::datetime(seconds, nanoseconds / 1000 * 1000) {
                Some(value) => self.non_null(value),
                None => {
                    let text = c"date value out of range";
                    ffi::PyErr_SetString(ffi::PyExc_OverflowError, text.as_ptr());
                    Err(self.user(marker_offset, Kind::HookFailed, ""))
                }
            },
            Timestamps::NearDatetime => {
                let microseconds = (nanoseconds + 500) / 1000;
                let seconds = seconds.saturating_add((microseconds / 1_000_000).into());
                match values::datetime(seconds, microseconds % 1_000_000 * 1000) {
                    Some(value) => self.non_null(value),
                    None => Err(self.fault_with(Kind::OutOfRange, marker_offset, "timestamp")),
                }
            }
            Timestamps::Native => {
                let value = values::datetime(seconds, nanoseconds);
                self.non_null(value.unwrap_or_else(|| values::Timestamp::make(seconds, nanoseconds)))
            }
        }
    }

    /// Whether an option has switched an ext type on.
    fn reads(&self, code: i8) -> bool {
        match code {
            BIGINT => self.options.has(options::BIGINT | options::RICH),
            TYPED_ARRAY | ext::ARRAY | ext::KEYWORD..=ext::DURATION => self.options.has(options::RICH),
            _ => false,
        }
    }

    /// The value of an ext type that an option has switched on; `None` for all others. A call, to keep that of a
    /// timestamp small.
    #[inline(never)]
    unsafe fn registered(&mut self, marker_offset: usize, code: i8, payload: &[u8]) -> Result<Option<Obj>, Raised> {
        if !self.reads(code) {
            return Ok(None);
        }
        // These have values in their payload, and count as containers.
        let is_container = matches!(code, ext::ARRAY | ext::SET);
        if is_container {
            self.enter(marker_offset)?;
        }
        let value = match code {
            BIGINT if payload.is_empty() => return Err(self.invalid_ext(marker_offset)),
            BIGINT => {
                self.strict::<true>(marker_offset, needs_bigint(payload))?;
                long_from_bytes(payload)
            }
            TYPED_ARRAY => self.typed_array(marker_offset, payload)?,
            ext::ARRAY => self.ndarray(marker_offset, payload)?,
            ext::SET => self.set(marker_offset, payload)?,
            _ => self.by_support(marker_offset, code, payload)?,
        };
        if is_container {
            self.leave();
        }
        self.non_null(value).map(Some)
    }

    #[cold]
    pub(super) fn invalid_ext(&mut self, marker_offset: usize) -> Raised {
        self.fault(Kind::InvalidExt, marker_offset)
    }

    /// A set, which is entered: one array, no element twice.
    #[inline(never)]
    unsafe fn set(&mut self, marker_offset: usize, payload: &[u8]) -> Read {
        let kind = payload.first().and_then(|&marker| ValueType::of(marker));
        if kind != Some(ValueType::Array) {
            return Err(self.invalid_ext(marker_offset));
        }
        // Read by this reader, as far as the payload goes: another one would take more of the stack than a container
        // may. Records have no definitions in a payload, and what is in it does not count as values.
        let outside = (self.next, self.end, self.nodes, self.max_nodes);
        let structures = self.structures.take();
        let within = payload.as_ptr_range();
        (self.next, self.end, self.max_nodes) = (within.start, within.end, usize::MAX);
        let read = self.value::<true>(0);
        let is_whole = self.next == self.end;
        (self.next, self.end, self.nodes, self.max_nodes) = outside;
        self.structures = structures;
        let Ok(items) = read else {
            // A failure is one of the ext, but for that of a hook.
            let of_hook = self.failure.as_mut().filter(|failure| failure.kind == Kind::HookFailed);
            let Some(failure) = of_hook else {
                return Err(self.invalid_ext(marker_offset));
            };
            failure.offset = Some(marker_offset);
            return Err(Raised);
        };
        let items = Owned::take(items).ok_or(Raised)?;
        if !is_whole {
            return Err(self.invalid_ext(marker_offset));
        }
        // A hook may have made anything of the array.
        let items = Owned::take(ffi::PySequence_Tuple(items.get()));
        let items = items.ok_or_else(|| self.user(marker_offset, Kind::InvalidExt, ""))?;
        let items = Owned::take(self.hashable(items.get())?).ok_or(Raised)?;
        if self.has_twice(marker_offset, items.get())? {
            return Err(self.invalid_ext(marker_offset));
        }
        let set = SUPPORT.call(c"make_set", &[items.get()]);
        self.answer(set, marker_offset, Kind::InvalidExt, "")
    }

    /// Whether two of the items of a tuple are the same value. Sets within know their hash, and only what has the
    /// hash of another item is looked at whole: so the time is linear, however deep they are.
    unsafe fn has_twice(&mut self, marker_offset: usize, items: Obj) -> Result<bool, Raised> {
        let mut hashes = Vec::with_capacity(ffi::PyTuple_GET_SIZE(items) as usize);
        for index in 0..ffi::PyTuple_GET_SIZE(items) {
            let item = ffi::PyTuple_GET_ITEM(items, index);
            let Some(hash) = hash_of(item) else {
                return Err(self.user(marker_offset, Kind::InvalidExt, ""));
            };
            hashes.push((hash, index));
        }
        hashes.sort_unstable();
        for alike in hashes.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
            let mut seen = std::collections::HashSet::new();
            for (_, index) in alike {
                let bytes = compared(ffi::PyTuple_GET_ITEM(items, *index));
                if !seen.insert(bytes.map_err(|()| self.python())?) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Types whose value `packord._support` makes; `None` is what Python can't say, and kept.
    #[inline(never)]
    unsafe fn by_support(&mut self, marker_offset: usize, code: i8, payload: &[u8]) -> Read {
        let (rest, numbers) = match code {
            ext::RATIO => self.numbers(marker_offset, payload, 2)?,
            ext::DECIMAL => self.numbers(marker_offset, payload, 1)?,
            _ => (payload, Vec::new()),
        };
        let data = self.bytes(rest)?;
        let code = Owned::take(ffi::PyLong_FromLong(code.into())).ok_or(Raised)?;
        let mut arguments = vec![code.get(), data.get()];
        arguments.extend(numbers.iter().map(Owned::get));
        match Owned::take(SUPPORT.call(c"from_ext", &arguments)) {
            Some(value) if value.get() == ffi::Py_None() => {
                self.non_null(values::Ext::make(ffi::PyLong_AsLong(code.get()) as i8, data))
            }
            Some(value) => Ok(value.release()),
            None => Err(self.user(marker_offset, Kind::InvalidExt, "")),
        }
    }

    /// The integers that a payload begins with, and the bytes after them. A scale is not a bigint; two numbers may be.
    unsafe fn numbers<'b>(
        &mut self,
        marker_offset: usize,
        payload: &'b [u8],
        count: usize,
    ) -> Result<(&'b [u8], Vec<Owned>), Raised> {
        let flags = if count > 1 { options::BIGINT } else { 0 };
        let options = DecodeOptions {
            flags: options::USUAL | flags,
            ..DecodeOptions::USUAL
        };
        let mut inside = Decoder::new(payload, &options, None, None);
        let mut numbers = Vec::new();
        for _ in 0..count {
            let kind = inside.rest().first().and_then(|&marker| ValueType::of(marker));
            let is_number = matches!(kind, Some(ValueType::Int | ValueType::Ext));
            let number = is_number.then(|| inside.value::<true>(0).ok().and_then(Owned::take));
            let number = number.flatten();
            match number.filter(|number| ffi::PyLong_CheckExact(number.get()) != 0) {
                Some(number) => numbers.push(number),
                None => {
                    ffi::PyErr_Clear();
                    return Err(self.invalid_ext(marker_offset));
                }
            }
        }
        Ok((&payload[inside.offset()..], numbers))
    }
}

/// A hash that equal values share: that of Python, but for NaNs, which equal each other here. `None`: Python raised.
unsafe fn hash_of(value: Obj) -> Option<isize> {
    if ffi::PyTuple_CheckExact(value) != 0 {
        let mut hash = 0_isize;
        for index in 0..ffi::PyTuple_GET_SIZE(value) {
            let item = hash_of(ffi::PyTuple_GET_ITEM(value, index))?;
            hash = hash.rotate_left(5).wrapping_mul(31) ^ item;
        }
        return Some(hash);
    }
    if ffi::PyFloat_CheckExact(value) != 0 && ffi::PyFloat_AsDouble(value).is_nan() {
        return Some(0);
    }
    match ffi::PyObject_Hash(value) {
        -1 => None,
        hash => Some(hash),
    }
}

/// Whether the number is outside the range of integers, and its bytes as few as they can be.
fn needs_bigint(payload: &[u8]) -> bool {
    let shortest = !matches!(payload, [0x00, 0x00..=0x7f, ..] | [0xff, 0x80..=0xff, ..]);
    // 2^63 to 2^64 - 1 take nine bytes, the first of them zero.
    shortest && (payload.len() > 9 || (payload.len() == 9 && payload[0] != 0))
}
