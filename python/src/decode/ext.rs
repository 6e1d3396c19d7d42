//! Ext values (`spec/extensions.md`).

use pyo3::ffi;

use super::canonical::canonical;
use super::{Decoder, Read, length_size};
use crate::api::values;
use crate::errors::{Failure, Kind, Raised};
use crate::ext::typed_array::Element;
use crate::ext::{self, timestamp};
use crate::object::{Obj, Owned, bytes_of, long_from_bytes};
use crate::options::{self, DecodeOptions, Timestamps};
use crate::state;
use crate::wire::marker::*;

impl Decoder<'_> {
    /// An ext value whose marker has been taken.
    #[inline(never)]
    pub(super) unsafe fn ext<const EXACT: bool>(
        &mut self,
        at: usize,
        marker: u8,
        outer: usize,
    ) -> Read {
        let (length, minimal) = match marker {
            0xc7..=0xc9 => {
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
        if EXACT && code == RECORD && self.reads_records() {
            return match marker {
                FIXEXT1 | FIXEXT2 => self.definition(at, marker, outer),
                _ => Err(self.malformed(at)),
            };
        }
        self.note::<EXACT>(at)?;
        self.limit::<EXACT>(at, length, self.options.max_ext_len)?;
        self.need(length)?;
        let payload = std::slice::from_raw_parts(self.next, length);
        let value = self.ext_value(at, code, payload, minimal)?;
        self.next = self.next.add(length);
        Ok(value)
    }

    unsafe fn ext_value(&mut self, at: usize, code: i8, payload: &[u8], minimal: bool) -> Read {
        let value = if code == TIMESTAMP {
            let Some((seconds, nanoseconds)) = timestamp::unpack(payload) else {
                return Err(self.fault(Kind::InvalidTimestamp, at, "invalid timestamp"));
            };
            let mut smallest = [0; 12];
            let smallest = timestamp::pack(seconds, nanoseconds, &mut smallest) == payload.len();
            self.strict::<true>(at, minimal && smallest)?;
            return self.timestamp(at, payload, seconds, nanoseconds);
        } else {
            self.registered(at, code, payload)?
        };
        if let Some(value) = value {
            let value = Owned::take(value).ok_or(Raised)?;
            self.strict::<true>(at, minimal)?;
            return Ok(value.release());
        }
        let known = self.options.keep_ext || (code, payload) == UNDEFINED;
        if self.options.ext_hook.is_none() && !known {
            return Err(self.fault(Kind::UnknownExt, at, "ext_hook missing"));
        }
        self.strict::<true>(at, minimal)?;
        self.other(at, code, payload)
    }

    /// An ext that is not ours: for the hook, or kept.
    unsafe fn other(&mut self, at: usize, code: i8, payload: &[u8]) -> Read {
        let data = ffi::PyBytes_FromStringAndSize(payload.as_ptr().cast(), payload.len() as isize);
        let data = Owned::take(data).ok_or_else(|| self.python())?;
        let Some(hook) = &self.options.ext_hook else {
            return self.made(values::Ext::make(code, data));
        };
        let code = Owned::take(state::get().small_integer(code.into())).ok_or(Raised)?;
        let arguments = [code.get(), data.get()];
        let answer =
            ffi::PyObject_Vectorcall(hook.get(), arguments.as_ptr(), 2, std::ptr::null_mut());
        match Owned::take(answer) {
            Some(answer) => Ok(answer.release()),
            None => Err(self.user(at, Kind::HookFailed, "ext_hook failed")),
        }
    }

    unsafe fn timestamp(
        &mut self,
        at: usize,
        payload: &[u8],
        seconds: i64,
        nanoseconds: u32,
    ) -> Read {
        match self.options.timestamps {
            Timestamps::Hook => self.other(at, TIMESTAMP, payload),
            Timestamps::Timestamp => self.made(values::Timestamp::make(seconds, nanoseconds)),
            Timestamps::Float => self.made(ffi::PyFloat_FromDouble(
                seconds as f64 + f64::from(nanoseconds) / 1e9,
            )),
            Timestamps::Int => {
                let number = i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds);
                self.made(long_from_bytes(&number.to_be_bytes()))
            }
            Timestamps::Datetime => {
                let value = datetime(seconds, nanoseconds);
                match value {
                    Some(value) => self.made(value),
                    None => self.made(values::Timestamp::make(seconds, nanoseconds)),
                }
            }
        }
    }

    /// The value of an ext type that an option has switched on; `None` for all others.
    unsafe fn registered(
        &mut self,
        at: usize,
        code: i8,
        payload: &[u8],
    ) -> Result<Option<Obj>, Raised> {
        let types = self.options.has(options::TYPES_AS_EXT);
        let on = match code {
            BIGINT => self.options.has(options::BIGINT_EXT),
            TYPED_ARRAY => self.options.has(options::NUMPY_AS_EXT),
            ext::DECIMAL => types || self.options.has(options::DECIMAL_AS_EXT),
            ext::SET => types || self.options.has(options::SET_AS_EXT),
            ext::KEYWORD..=ext::CHARACTER
            | ext::RATIO
            | ext::UUID
            | ext::DATE
            | ext::TIME
            | ext::DURATION => types,
            _ => false,
        };
        if !on {
            return Ok(None);
        }
        let value = match code {
            BIGINT if payload.is_empty() => return Err(self.invalid_ext(at)),
            BIGINT => {
                self.strict::<true>(at, needs_bigint(payload))?;
                long_from_bytes(payload)
            }
            TYPED_ARRAY => self.typed_array(at, payload)?,
            ext::SET => self.set(at, payload)?,
            _ => self.by_support(at, code, payload)?,
        };
        self.made(value).map(Some)
    }

    #[cold]
    fn invalid_ext(&mut self, at: usize) -> Raised {
        self.fault(Kind::InvalidExt, at, "malformed ext payload")
    }

    /// A numpy array, on the input's own bytes when those can't change.
    unsafe fn typed_array(&mut self, at: usize, payload: &[u8]) -> Read {
        let Some((element, items)) = payload
            .split_first()
            .and_then(|(&code, items)| Some((Element::of(code)?, items)))
        else {
            return Err(self.invalid_ext(at));
        };
        if items.len() % element.size() != 0 {
            return Err(self.invalid_ext(at));
        }
        let length = items.len() as isize;
        let Some(dtype) = element.dtype() else {
            return self.made(ffi::PyBytes_FromStringAndSize(
                items.as_ptr().cast(),
                length,
            ));
        };
        let owner = match self.source {
            Some(source) if ffi::PyBytes_CheckExact(source) != 0 => Owned::borrow(source),
            _ => {
                let copy = ffi::PyBytes_FromStringAndSize(items.as_ptr().cast(), length);
                Owned::take(copy).ok_or_else(|| self.python())?
            }
        };
        let offset = match self.source {
            Some(source) if source == owner.get() => {
                items.as_ptr() as usize - bytes_of(source).as_ptr() as usize
            }
            _ => 0,
        };
        let dtype =
            Owned::take(ffi::PyUnicode_FromString(dtype.as_ptr())).ok_or_else(|| self.python())?;
        let count =
            Owned::take(ffi::PyLong_FromSsize_t(length / element.size() as isize)).ok_or(Raised)?;
        let offset = Owned::take(ffi::PyLong_FromSize_t(offset)).ok_or(Raised)?;
        let arguments = [owner.get(), dtype.get(), count.get(), offset.get()];
        match Owned::take(state::get().call_support(c"typed_array", &arguments)) {
            Some(array) => Ok(array.release()),
            None => Err(self.user(at, Kind::InvalidExt, "the typed array could not be made")),
        }
    }

    /// A set: one array, no element twice, read one deeper than the ext stands.
    unsafe fn set(&mut self, at: usize, payload: &[u8]) -> Read {
        let is_array = payload
            .first()
            .is_some_and(|&marker| matches!(marker, 0x90..=0x9f | ARRAY16 | ARRAY32));
        if !is_array {
            return Err(self.invalid_ext(at));
        }
        let options = DecodeOptions {
            max_nodes: usize::MAX,
            ..self.options.clone()
        };
        let mut inside = Decoder::new(payload, &options, None, None);
        inside.depth = self.depth;
        let read = inside.value::<true>(0);
        let whole = inside.next == inside.end;
        let failure = inside.failure.take();
        let Ok(items) = read else {
            return Err(self.nested(at, failure));
        };
        let items = Owned::take(items).ok_or(Raised)?;
        if !whole || self.has_twice(items.get())? {
            return Err(self.invalid_ext(at));
        }
        match Owned::take(state::get().call_support(c"make_set", &[items.get()])) {
            Some(set) => Ok(set.release()),
            None => Err(self.user(at, Kind::InvalidExt, "malformed ext payload")),
        }
    }

    /// Whether two of the items are the same value.
    unsafe fn has_twice(&mut self, items: Obj) -> Result<bool, Raised> {
        let items = Owned::take(self.hashable(items)?).ok_or(Raised)?;
        let mut seen = std::collections::HashSet::new();
        for index in 0..ffi::PyTuple_Size(items.get()) {
            let encoded = canonical(ffi::PyTuple_GetItem(items.get(), index));
            if !seen.insert(encoded.map_err(|()| self.python())?) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A failure within a payload is `invalid_ext` at the ext's own marker, but for one of a hook.
    #[cold]
    fn nested(&mut self, at: usize, failure: Option<Box<Failure>>) -> Raised {
        match failure {
            Some(mut failure) if failure.kind == Kind::HookFailed => {
                failure.offset = Some(at);
                self.failure = Some(failure);
                Raised
            }
            _ => self.invalid_ext(at),
        }
    }

    /// Types whose value `packord._support` makes; `None` is what Python can't say, and kept.
    unsafe fn by_support(&mut self, at: usize, code: i8, payload: &[u8]) -> Read {
        let data = ffi::PyBytes_FromStringAndSize(payload.as_ptr().cast(), payload.len() as isize);
        let data = Owned::take(data).ok_or_else(|| self.python())?;
        let number = Owned::take(ffi::PyLong_FromLong(code.into())).ok_or(Raised)?;
        match Owned::take(state::get().call_support(c"from_ext", &[number.get(), data.get()])) {
            Some(value) if value.get() == ffi::Py_None() => {
                self.made(values::Ext::make(code, data))
            }
            Some(value) => Ok(value.release()),
            None => Err(self.user(at, Kind::InvalidExt, "malformed ext payload")),
        }
    }
}

/// Whether the number is outside the range of integers, and its bytes as few as they can be.
fn needs_bigint(payload: &[u8]) -> bool {
    let shortest = !matches!(payload, [0x00, 0x00..=0x7f, ..] | [0xff, 0x80..=0xff, ..]);
    // 2^63 to 2^64 - 1 take nine bytes, the first of them zero.
    shortest && (payload.len() > 9 || (payload.len() == 9 && payload[0] != 0))
}

/// An aware `datetime`; `None` when it would lose something or is out of range.
pub unsafe fn datetime(seconds: i64, nanoseconds: u32) -> Option<Obj> {
    if nanoseconds % 1000 != 0 {
        return None;
    }
    let (year, month, day) = timestamp::civil(seconds.div_euclid(86_400))?;
    if year == 0 {
        return None;
    }
    let rest = seconds.rem_euclid(86_400) as i32;
    let api = ffi::PyDateTimeAPI();
    let make = (*api).DateTime_FromDateAndTime;
    Some(make(
        year.into(),
        month.into(),
        day.into(),
        rest / 3600,
        rest / 60 % 60,
        rest % 60,
        (nanoseconds / 1000) as i32,
        (*api).TimeZone_UTC,
        (*api).DateTimeType,
    ))
}
