//! Ext values (`spec/extensions.md`).

use packord::columns::EXT_TYPE;
use pyo3::ffi;

use super::canonical::canonical;
use super::{Decoder, Read, length_size};
use crate::errors::{Failure, Kind, Raised};
use crate::ext;
use crate::object::{Obj, Owned};
use crate::options::{self, DecodeOptions, Limit, Timestamps};
use crate::state::{self, long_from_bytes};
use crate::values;
use crate::wire::marker::*;

impl Decoder<'_> {
    /// An ext value whose marker has been taken.
    #[inline(never)]
    pub(super) unsafe fn ext<const CHECKED: bool>(
        &mut self,
        marker_offset: usize,
        marker: u8,
        pending: usize,
    ) -> Read {
        if CHECKED && self.reads_records() {
            let size = match marker {
                EXT8..=EXT32 => 1 << (marker - EXT8),
                _ => 0,
            };
            self.need(size + 1)?;
            if self.rest()[size] as i8 == RECORD {
                self.move_by(size + 1);
                return match marker {
                    FIXEXT1 | FIXEXT2 => self.definition(marker_offset, marker, pending),
                    _ => Err(self.malformed(marker_offset)),
                };
            }
        }
        let (payload, code, minimal) = self.ext_payload::<CHECKED>(marker_offset, marker)?;
        if CHECKED && code == EXT_TYPE && self.reads_columns() {
            if let Some(columns) = self.columns_of(marker_offset, payload)? {
                return self.value_of_columns(marker_offset, columns, |inner| inner.any());
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
        self.need(length)?;
        let payload = std::slice::from_raw_parts(self.next, length);
        self.next = self.next.add(length);
        Ok((payload, code, minimal))
    }

    unsafe fn ext_value(
        &mut self,
        marker_offset: usize,
        code: i8,
        payload: &[u8],
        minimal: bool,
    ) -> Read {
        let value = if code == TIMESTAMP {
            let Some(moment) = packord::Timestamp::from_payload(payload) else {
                return Err(self.fault(Kind::InvalidTimestamp, marker_offset));
            };
            let smallest = moment.payload_len() == payload.len();
            self.strict::<true>(marker_offset, minimal && smallest)?;
            return self.timestamp(
                marker_offset,
                payload,
                moment.seconds(),
                moment.nanoseconds(),
            );
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
            return Err(self.fault_with(Kind::UnknownExt, marker_offset, "ext_hook missing"));
        }
        self.strict::<true>(marker_offset, minimal)?;
        self.other(marker_offset, code, payload)
    }

    /// An ext that is not ours: for the hook, or kept.
    unsafe fn other(&mut self, marker_offset: usize, code: i8, payload: &[u8]) -> Read {
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
            None => Err(self.user(marker_offset, Kind::HookFailed, "ext_hook failed")),
        }
    }

    unsafe fn timestamp(
        &mut self,
        marker_offset: usize,
        payload: &[u8],
        seconds: i64,
        nanoseconds: u32,
    ) -> Read {
        match self.options.timestamps {
            Timestamps::Hook => self.other(marker_offset, TIMESTAMP, payload),
            Timestamps::Timestamp => self.made(values::Timestamp::make(seconds, nanoseconds)),
            Timestamps::Float => self.made(ffi::PyFloat_FromDouble(
                seconds as f64 + f64::from(nanoseconds) / 1e9,
            )),
            Timestamps::Int => {
                let number = i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds);
                self.made(long_from_bytes(&number.to_be_bytes()))
            }
            Timestamps::Datetime => {
                let value = values::datetime(seconds, nanoseconds);
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
        marker_offset: usize,
        code: i8,
        payload: &[u8],
    ) -> Result<Option<Obj>, Raised> {
        let types = self.options.has(options::TYPES_AS_EXT);
        let on = match code {
            BIGINT => self.options.has(options::BIGINT_EXT),
            TYPED_ARRAY | ext::ARRAY => self.options.has(options::NUMPY_AS_EXT),
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
        self.made(value).map(Some)
    }

    #[cold]
    pub(super) fn invalid_ext(&mut self, marker_offset: usize) -> Raised {
        self.fault(Kind::InvalidExt, marker_offset)
    }

    /// A set: one array, no element twice, read one deeper than the ext stands.
    unsafe fn set(&mut self, marker_offset: usize, payload: &[u8]) -> Read {
        let is_array = payload
            .first()
            .is_some_and(|&marker| matches!(marker, FIXARRAY..=LAST_FIXARRAY | ARRAY16 | ARRAY32));
        if !is_array {
            return Err(self.invalid_ext(marker_offset));
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
            return Err(self.nested(marker_offset, failure));
        };
        let items = Owned::take(items).ok_or(Raised)?;
        if !whole || self.has_twice(items.get())? {
            return Err(self.invalid_ext(marker_offset));
        }
        match Owned::take(state::get().call_support(c"make_set", &[items.get()])) {
            Some(set) => Ok(set.release()),
            None => Err(self.user(marker_offset, Kind::InvalidExt, "")),
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
    fn nested(&mut self, marker_offset: usize, failure: Option<Box<Failure>>) -> Raised {
        match failure {
            Some(mut failure) if failure.kind == Kind::HookFailed => {
                failure.offset = Some(marker_offset);
                self.failure = Some(failure);
                Raised
            }
            _ => self.invalid_ext(marker_offset),
        }
    }

    /// Types whose value `packord._support` makes; `None` is what Python can't say, and kept.
    unsafe fn by_support(&mut self, marker_offset: usize, code: i8, payload: &[u8]) -> Read {
        let data = ffi::PyBytes_FromStringAndSize(payload.as_ptr().cast(), payload.len() as isize);
        let data = Owned::take(data).ok_or_else(|| self.python())?;
        let number = Owned::take(ffi::PyLong_FromLong(code.into())).ok_or(Raised)?;
        match Owned::take(state::get().call_support(c"from_ext", &[number.get(), data.get()])) {
            Some(value) if value.get() == ffi::Py_None() => {
                self.made(values::Ext::make(code, data))
            }
            Some(value) => Ok(value.release()),
            None => Err(self.user(marker_offset, Kind::InvalidExt, "")),
        }
    }
}

/// Whether the number is outside the range of integers, and its bytes as few as they can be.
fn needs_bigint(payload: &[u8]) -> bool {
    let shortest = !matches!(payload, [0x00, 0x00..=0x7f, ..] | [0xff, 0x80..=0xff, ..]);
    // 2^63 to 2^64 - 1 take nine bytes, the first of them zero.
    shortest && (payload.len() > 9 || (payload.len() == 9 && payload[0] != 0))
}
