//! The decoder of values. It makes every check of `spec/format.md` section 5.2, in that order. The
//! values go to a [`ValueSink`], which turns them into what the caller needs: tokens, trees, or
//! nothing.
//!
//! `value` reads one value's header, and its payload unless it is a container. It changes no state
//! before the value is checked, so after `eof` it can be called again with more bytes.
//!
//! Without optimisation nothing is inlined: the frame of the caller would have room for what each marker
//! needs.

use super::container::{Container, OpenContainer};
use super::fault::Fault;
#[cfg(feature = "alloc")]
use super::keys::Keys;
#[cfg(feature = "alloc")]
use super::records::RecordState;
use super::rules::{Rules, Utf8};
use super::sink::ValueSink;
use crate::error::ErrorKind;
use crate::ext::Timestamp;
use crate::value::Integer;
use crate::wire::canonical::CANONICAL_NAN;
use crate::wire::{marker as m, read, utf8};

#[cfg(feature = "alloc")]
use alloc::boxed::Box;

/// Bytes that may follow the input: practically no limit.
#[cfg(feature = "alloc")]
pub(crate) const ENDLESS: u64 = 1 << 62;

/// Reads values and counts them.
#[derive(Debug)]
pub(crate) struct ValueDecoder {
    /// Index of the next byte.
    pub pos: usize,
    /// Index of the message's first byte.
    pub message_start: usize,
    /// Values announced and not yet read (`spec/limits.md` section 2).
    pub pending: u64,
    /// Number of open containers.
    pub depth: u32,
    /// Number of values read.
    pub nodes: u64,
    /// Maximum number of bytes that may follow the input, if it is a window of a longer one.
    pub beyond: u64,
    /// The index that the input must reach at least, for the elements announced beyond its end.
    pub announced: u64,
    /// After `eof`: the minimum length of the input with which another attempt can get further.
    pub need: usize,
    /// The container that the last value opened.
    pub opened: OpenContainer,
    /// Present from the first key or container whose keys are checked.
    #[cfg(feature = "alloc")]
    keys: Option<Box<Keys>>,
    /// Present if records are on.
    #[cfg(feature = "alloc")]
    pub records: Option<Box<RecordState>>,
}

impl ValueDecoder {
    #[inline]
    pub fn new(#[cfg(feature = "alloc")] records: Option<Box<RecordState>>) -> ValueDecoder {
        ValueDecoder {
            pos: 0,
            message_start: 0,
            pending: 1,
            depth: 0,
            nodes: 0,
            beyond: 0,
            announced: 0,
            need: 0,
            opened: OpenContainer::default(),
            #[cfg(feature = "alloc")]
            keys: None,
            #[cfg(feature = "alloc")]
            records,
        }
    }

    /// Prepares for the message that begins at `at`.
    #[inline]
    pub fn begin(&mut self, at: usize) {
        (self.pos, self.message_start) = (at, at);
        (self.pending, self.depth, self.nodes, self.need) = (1, 0, 0, 0);
        self.opened = OpenContainer::default();
        #[cfg(feature = "alloc")]
        {
            if let Some(keys) = &mut self.keys {
                keys.clear();
            }
            if let Some(records) = &mut self.records {
                records.begin();
            }
        }
    }

    #[cfg(feature = "alloc")]
    pub fn keys(&mut self) -> &mut Keys {
        self.keys.get_or_insert_default()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn leave<const CHECKED: bool>(&mut self, rules: &Rules) {
        self.depth -= 1;
        #[cfg(feature = "alloc")]
        if CHECKED && rules.checks_keys() {
            self.keys().close();
        }
        let _ = rules;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn key_begins<const CHECKED: bool>(&mut self, rules: &Rules) {
        #[cfg(feature = "alloc")]
        if CHECKED && rules.checks_keys() {
            let at = self.pos;
            self.keys().note_key(at);
        }
        let _ = rules;
    }

    /// Checks a key of the innermost map that was read whole.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(
        not(feature = "alloc"),
        allow(clippy::unnecessary_wraps, reason = "nothing is kept of keys then")
    )]
    pub fn key_ends<const CHECKED: bool>(&mut self, input: &[u8], rules: &Rules) -> Result<(), Fault> {
        #[cfg(feature = "alloc")]
        if CHECKED && rules.checks_keys() {
            let end = self.pos;
            return self.keys().check_key(input, end, rules);
        }
        let _ = (input, rules);
        Ok(())
    }

    #[cold]
    pub fn eof(&mut self, input: &[u8], need: usize) -> Fault {
        self.need = need;
        Fault::new(ErrorKind::Eof, input.len())
    }

    /// Checks that one more value is allowed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn check_nodes<const CHECKED: bool>(&self, rules: &Rules, marker_offset: usize) -> Result<(), Fault> {
        if CHECKED && self.nodes >= rules.max_nodes {
            return Err(Fault::new(ErrorKind::LengthLimit, marker_offset));
        }
        Ok(())
    }

    /// Checks that a message of the bytes up to `end` may be kept.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn check_buffer<const CHECKED: bool>(
        &self,
        rules: &Rules,
        marker_offset: usize,
        end: u64,
    ) -> Result<(), Fault> {
        if CHECKED && end - self.message_start as u64 > rules.buffer {
            return Err(Fault::new(ErrorKind::LengthLimit, marker_offset).last());
        }
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn take<const CHECKED: bool>(&mut self, end: usize) {
        if CHECKED {
            self.nodes += 1;
        }
        self.pending -= 1;
        self.pos = end;
    }

    /// Reads the next value. Without `CHECKED`, only the checks of the default options are made: it
    /// may be false only if [`Rules::checked`] is.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn value<'a, const CHECKED: bool, S: ValueSink<'a>>(
        &mut self,
        input: &'a [u8],
        rules: &Rules,
        sink: &mut S,
    ) -> Result<S::Out, Fault> {
        let (marker_offset, depth) = (self.pos, self.depth);
        let out = self.value_of::<CHECKED, S>(input, rules, sink)?;
        #[cfg(feature = "alloc")]
        if CHECKED && rules.names_keys() {
            let (bytes, opened) = (&input[marker_offset..self.pos], self.depth > depth);
            self.keys().note_value(bytes, rules, opened);
        }
        let _ = (marker_offset, depth);
        Ok(out)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn value_of<'a, const CHECKED: bool, S: ValueSink<'a>>(
        &mut self,
        input: &'a [u8],
        rules: &Rules,
        sink: &mut S,
    ) -> Result<S::Out, Fault> {
        let marker_offset = self.pos;
        #[cfg(feature = "alloc")]
        if CHECKED && self.records.as_ref().is_some_and(|records| records.is_defining()) {
            return self.definition(input, rules, sink);
        }
        let Some(&marker) = input.get(marker_offset) else {
            return Err(self.eof(input, marker_offset + 1));
        };
        if CHECKED && marker != m::RESERVED {
            self.check_buffer::<CHECKED>(rules, marker_offset, (marker_offset + 1) as u64)?;
        }
        let array = (Container::Array, rules.max_array_len);
        let map = (Container::Map, rules.max_map_len);
        match marker {
            0x00..=0x7f => {
                #[cfg(feature = "alloc")]
                if CHECKED && marker >= 0x40 && self.records.is_some() {
                    return self.record_or_int(input, rules, marker, sink);
                }
                self.bare::<CHECKED>(rules, marker_offset)?;
                Ok(sink.int(Integer::from_u64(u64::from(marker))))
            }
            m::NEGATIVE_FIXINT..=0xff => {
                self.bare::<CHECKED>(rules, marker_offset)?;
                Ok(sink.int(Integer::from_i64(i64::from(marker as i8))))
            }
            m::FIXSTR..=0xbf => self.text::<CHECKED, S>(input, rules, 1, usize::from(marker & 0x1f), 0, sink),
            m::FIXMAP..=0x8f => {
                let count = self.container::<CHECKED>(input, rules, 1, map, u64::from(marker & 0x0f), 0)?;
                Ok(sink.map(count))
            }
            m::FIXARRAY..=0x9f => {
                let count = self.container::<CHECKED>(input, rules, 1, array, u64::from(marker & 0x0f), 0)?;
                Ok(sink.array(count))
            }
            m::NIL => {
                self.bare::<CHECKED>(rules, marker_offset)?;
                Ok(sink.nil())
            }
            m::FALSE | m::TRUE => {
                self.bare::<CHECKED>(rules, marker_offset)?;
                Ok(sink.bool(marker == m::TRUE))
            }
            m::UINT8 => Ok(sink.int(self.unsigned::<CHECKED, 1>(input, rules, 0x80)?)),
            m::UINT16 => Ok(sink.int(self.unsigned::<CHECKED, 2>(input, rules, 1 << 8)?)),
            m::UINT32 => Ok(sink.int(self.unsigned::<CHECKED, 4>(input, rules, 1 << 16)?)),
            m::UINT64 => Ok(sink.int(self.unsigned::<CHECKED, 8>(input, rules, 1 << 32)?)),
            m::INT8 => Ok(sink.int(self.signed::<CHECKED, 1>(input, rules, -32)?)),
            m::INT16 => Ok(sink.int(self.signed::<CHECKED, 2>(input, rules, i8::MIN.into())?)),
            m::INT32 => Ok(sink.int(self.signed::<CHECKED, 4>(input, rules, i16::MIN.into())?)),
            m::INT64 => Ok(sink.int(self.signed::<CHECKED, 8>(input, rules, i32::MIN.into())?)),
            m::FLOAT32 => {
                let bits = self.number::<CHECKED, 4>(input, rules)?;
                self.canonical::<CHECKED>(rules, false, marker_offset)?;
                Ok(sink.f32(bits as u32))
            }
            m::FLOAT64 => {
                let bits = self.number::<CHECKED, 8>(input, rules)?;
                if CHECKED && rules.canonical {
                    let value = f64::from_bits(bits);
                    let good = if value.is_nan() {
                        bits == CANONICAL_NAN
                    } else {
                        Integer::from_whole(value).is_none()
                    };
                    self.canonical::<CHECKED>(rules, good, marker_offset)?;
                }
                Ok(sink.f64(bits))
            }
            m::STR8 => {
                let len = self.length::<CHECKED, 1>(input, rules, 1)?;
                self.text::<CHECKED, S>(input, rules, 2, len, 32, sink)
            }
            m::STR16 => {
                let len = self.length::<CHECKED, 2>(input, rules, 1)?;
                self.text::<CHECKED, S>(input, rules, 3, len, 1 << 8, sink)
            }
            m::STR32 => {
                let len = self.length::<CHECKED, 4>(input, rules, 1)?;
                self.text::<CHECKED, S>(input, rules, 5, len, 1 << 16, sink)
            }
            m::BIN8 => {
                let len = self.length::<CHECKED, 1>(input, rules, 1)?;
                Ok(sink.bin(self.bytes::<CHECKED>(input, rules, 2, len, 0)?))
            }
            m::BIN16 => {
                let len = self.length::<CHECKED, 2>(input, rules, 1)?;
                Ok(sink.bin(self.bytes::<CHECKED>(input, rules, 3, len, 1 << 8)?))
            }
            m::BIN32 => {
                let len = self.length::<CHECKED, 4>(input, rules, 1)?;
                Ok(sink.bin(self.bytes::<CHECKED>(input, rules, 5, len, 1 << 16)?))
            }
            m::ARRAY16 => {
                let count = self.length::<CHECKED, 2>(input, rules, 1)? as u64;
                Ok(sink.array(self.container::<CHECKED>(input, rules, 3, array, count, 16)?))
            }
            m::ARRAY32 => {
                let count = self.length::<CHECKED, 4>(input, rules, 1)? as u64;
                Ok(sink.array(self.container::<CHECKED>(input, rules, 5, array, count, 1 << 16)?))
            }
            m::MAP16 => {
                let count = self.length::<CHECKED, 2>(input, rules, 1)? as u64;
                Ok(sink.map(self.container::<CHECKED>(input, rules, 3, map, count, 16)?))
            }
            m::MAP32 => {
                let count = self.length::<CHECKED, 4>(input, rules, 1)? as u64;
                Ok(sink.map(self.container::<CHECKED>(input, rules, 5, map, count, 1 << 16)?))
            }
            m::FIXEXT1..=m::FIXEXT16 => {
                let len = 1 << (marker - m::FIXEXT1);
                self.ext::<CHECKED, S>(input, rules, 2, len, true, sink)
            }
            m::EXT8 => {
                let len = self.length::<CHECKED, 1>(input, rules, 2)?;
                let minimal = !matches!(len, 1 | 2 | 4 | 8 | 16);
                self.ext::<CHECKED, S>(input, rules, 3, len, minimal, sink)
            }
            m::EXT16 => {
                let len = self.length::<CHECKED, 2>(input, rules, 2)?;
                self.ext::<CHECKED, S>(input, rules, 4, len, len > 0xff, sink)
            }
            m::EXT32 => {
                let len = self.length::<CHECKED, 4>(input, rules, 2)?;
                self.ext::<CHECKED, S>(input, rules, 6, len, len > 0xffff, sink)
            }
            m::RESERVED => Err(Fault::new(ErrorKind::ReservedMarker, marker_offset)),
        }
    }

    /// Takes a value that consists of its marker alone.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn bare<const CHECKED: bool>(&mut self, rules: &Rules, marker_offset: usize) -> Result<(), Fault> {
        self.check_nodes::<CHECKED>(rules, marker_offset)?;
        self.take::<CHECKED>(marker_offset + 1);
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn number<const CHECKED: bool, const N: usize>(&mut self, input: &[u8], rules: &Rules) -> Result<u64, Fault> {
        let marker_offset = self.pos;
        self.check_buffer::<CHECKED>(rules, marker_offset, (marker_offset + 1 + N) as u64)?;
        let Some(bits) = read::uint::<N>(input, marker_offset + 1) else {
            return Err(self.eof(input, marker_offset + 1 + N));
        };
        self.check_nodes::<CHECKED>(rules, marker_offset)?;
        self.take::<CHECKED>(marker_offset + 1 + N);
        Ok(bits)
    }

    /// Takes an unsigned integer; `min` is the first number for which the format is minimal.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unsigned<const CHECKED: bool, const N: usize>(
        &mut self,
        input: &[u8],
        rules: &Rules,
        min: u64,
    ) -> Result<Integer, Fault> {
        let marker_offset = self.pos;
        let value = self.number::<CHECKED, N>(input, rules)?;
        self.canonical::<CHECKED>(rules, value >= min, marker_offset)?;
        Ok(Integer::from_u64(value))
    }

    /// Takes a signed integer; the format is minimal for numbers below `above`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn signed<const CHECKED: bool, const N: usize>(
        &mut self,
        input: &[u8],
        rules: &Rules,
        above: i64,
    ) -> Result<Integer, Fault> {
        let marker_offset = self.pos;
        let value = read::sign_extend::<N>(self.number::<CHECKED, N>(input, rules)?);
        self.canonical::<CHECKED>(rules, value < above, marker_offset)?;
        Ok(Integer::from_i64(value))
    }

    /// Returns the length or count after the marker; `tail` is 2 if the ext type follows it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn length<const CHECKED: bool, const N: usize>(
        &mut self,
        input: &[u8],
        rules: &Rules,
        tail: usize,
    ) -> Result<usize, Fault> {
        let end = self.pos + N + tail;
        self.check_buffer::<CHECKED>(rules, self.pos, end as u64)?;
        match read::uint::<N>(input, self.pos + 1) {
            Some(length) if end <= input.len() => Ok(length as usize),
            _ => Err(self.eof(input, end)),
        }
    }

    /// Takes a str, bin or ext with a header of `header` bytes, and returns its payload.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn payload<'a, const CHECKED: bool>(
        &mut self,
        input: &'a [u8],
        rules: &Rules,
        header: usize,
        len: usize,
        limit: u32,
    ) -> Result<&'a [u8], Fault> {
        let marker_offset = self.pos;
        self.check_nodes::<CHECKED>(rules, marker_offset)?;
        if CHECKED && len > limit as usize {
            return Err(Fault::new(ErrorKind::LengthLimit, marker_offset));
        }
        let begin = marker_offset + header;
        self.check_buffer::<CHECKED>(rules, marker_offset, begin as u64 + len as u64)?;
        match input.get(begin..).and_then(|rest| rest.get(..len)) {
            Some(payload) => {
                self.take::<CHECKED>(begin + len);
                Ok(payload)
            }
            None => Err(self.eof(input, begin.saturating_add(len))),
        }
    }

    /// Takes a str whose header is minimal from `min` bytes on.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn text<'a, const CHECKED: bool, S: ValueSink<'a>>(
        &mut self,
        input: &'a [u8],
        rules: &Rules,
        header: usize,
        len: usize,
        min: usize,
        sink: &mut S,
    ) -> Result<S::Out, Fault> {
        let marker_offset = self.pos;
        let bytes = self.payload::<CHECKED>(input, rules, header, len, rules.max_str_len)?;
        match utf8::check(bytes) {
            Ok(text) => {
                self.canonical::<CHECKED>(rules, len >= min, marker_offset)?;
                Ok(sink.str(text))
            }
            Err(_) if CHECKED && rules.utf8 != Utf8::Error => {
                self.canonical::<CHECKED>(rules, len >= min, marker_offset)?;
                Ok(sink.broken_str(bytes))
            }
            Err(bad) => Err(Fault::new(ErrorKind::InvalidUtf8, marker_offset + header + bad)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bytes<'a, const CHECKED: bool>(
        &mut self,
        input: &'a [u8],
        rules: &Rules,
        header: usize,
        len: usize,
        min: usize,
    ) -> Result<&'a [u8], Fault> {
        let marker_offset = self.pos;
        let bytes = self.payload::<CHECKED>(input, rules, header, len, rules.max_bin_len)?;
        self.canonical::<CHECKED>(rules, len >= min, marker_offset)?;
        Ok(bytes)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ext<'a, const CHECKED: bool, S: ValueSink<'a>>(
        &mut self,
        input: &'a [u8],
        rules: &Rules,
        header: usize,
        len: usize,
        minimal: bool,
        sink: &mut S,
    ) -> Result<S::Out, Fault> {
        let marker_offset = self.pos;
        self.check_buffer::<CHECKED>(rules, marker_offset, (marker_offset + header) as u64)?;
        let Some(&kind) = input.get(marker_offset + header - 1) else {
            return Err(self.eof(input, marker_offset + header));
        };
        let kind = kind as i8;
        #[cfg(feature = "alloc")]
        if CHECKED && kind == crate::record::EXT_TYPE && self.records.is_some() {
            return self.definition(input, rules, sink);
        }
        let payload = self.payload::<CHECKED>(input, rules, header, len, rules.max_ext_len)?;
        if kind == Timestamp::EXT_TYPE {
            let Some(at) = Timestamp::from_payload(payload) else {
                return Err(Fault::new(ErrorKind::InvalidTimestamp, marker_offset));
            };
            self.canonical::<CHECKED>(rules, minimal && at.payload_len() == len, marker_offset)?;
            return Ok(sink.timestamp(at));
        }
        #[cfg(feature = "alloc")]
        if let Some(reader) = rules.columns_of(kind).filter(|_| CHECKED) {
            let tagged = &input[marker_offset + header - 1..self.pos];
            if let Some(value) = self.columns(reader, tagged, rules, marker_offset, sink)? {
                return Ok(value);
            }
        }
        if CHECKED {
            rules
                .check_ext(kind, payload, minimal)
                .map_err(|kind| Fault::new(kind, marker_offset))?;
        }
        Ok(sink.ext(&input[marker_offset + header - 1..self.pos]))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn canonical<const CHECKED: bool>(
        &self,
        rules: &Rules,
        good: bool,
        marker_offset: usize,
    ) -> Result<(), Fault> {
        if CHECKED && rules.canonical && !good {
            return Err(Fault::new(ErrorKind::NotCanonical, marker_offset));
        }
        Ok(())
    }
}
