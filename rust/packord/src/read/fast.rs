//! The fast decoder reads the same values as [`ValueDecoder`](super::decoder::ValueDecoder) with
//! the default options, but reports no faults. It stops at the first byte that is not valid, and
//! its caller reads the message again with `ValueDecoder`, which finds the fault.
//!
//! It has three words, and only inlined functions borrow it. So the compiler keeps it in registers:
//! no field is loaded or stored between two values.

use super::sink::ValueSink;
use crate::ext::Timestamp;
use crate::value::Integer;
use crate::wire::{marker as m, read, utf8};

pub(crate) struct FastDecoder<'a> {
    /// The bytes that were not read.
    pub rest: &'a [u8],
    /// Values announced and not yet read (`spec/limits.md` section 2).
    pub pending: usize,
}

impl<'a> FastDecoder<'a> {
    #[inline(always)]
    pub fn new(rest: &'a [u8]) -> FastDecoder<'a> {
        FastDecoder { rest, pending: 1 }
    }

    /// Reads the next value; of a container only the header. Returns `None` if it is faulty.
    #[inline(always)]
    pub fn value<S: ValueSink<'a>>(&mut self, sink: &mut S) -> Option<S::Out> {
        let (&marker, rest) = self.rest.split_first()?;
        self.pending -= 1;
        Some(match marker {
            0x00..=0x7f => {
                self.rest = rest;
                sink.int(Integer::from_u64(u64::from(marker)))
            }
            m::FIXSTR..=0xbf => sink.str(self.text::<1>(usize::from(marker & 0x1f))?),
            m::FIXMAP..=0x8f => {
                let count = usize::from(marker & 0x0f);
                self.open(rest, 2 * count)?;
                sink.map(count)
            }
            m::FIXARRAY..=0x9f => {
                let count = usize::from(marker & 0x0f);
                self.open(rest, count)?;
                sink.array(count)
            }
            m::FLOAT64 => sink.f64(self.number::<8>()?),
            m::UINT8 => sink.int(Integer::from_u64(self.number::<1>()?)),
            m::UINT16 => sink.int(Integer::from_u64(self.number::<2>()?)),
            m::UINT32 => sink.int(Integer::from_u64(self.number::<4>()?)),
            m::UINT64 => sink.int(Integer::from_u64(self.number::<8>()?)),
            m::NEGATIVE_FIXINT..=0xff => {
                self.rest = rest;
                sink.int(Integer::from_i64(i64::from(marker as i8)))
            }
            m::NIL => {
                self.rest = rest;
                sink.nil()
            }
            m::FALSE | m::TRUE => {
                self.rest = rest;
                sink.bool(marker == m::TRUE)
            }
            m::STR8 => {
                let len = self.length::<1>()?;
                sink.str(self.text::<2>(len)?)
            }
            m::STR16 => {
                let len = self.length::<2>()?;
                sink.str(self.text::<3>(len)?)
            }
            m::STR32 => {
                let len = self.length::<4>()?;
                sink.str(self.text::<5>(len)?)
            }
            m::INT8 => sink.int(self.signed::<1>()?),
            m::INT16 => sink.int(self.signed::<2>()?),
            m::INT32 => sink.int(self.signed::<4>()?),
            m::INT64 => sink.int(self.signed::<8>()?),
            m::FLOAT32 => sink.f32(self.number::<4>()? as u32),
            m::BIN8 => {
                let len = self.length::<1>()?;
                sink.bin(self.payload::<2>(len)?)
            }
            m::BIN16 => {
                let len = self.length::<2>()?;
                sink.bin(self.payload::<3>(len)?)
            }
            m::BIN32 => {
                let len = self.length::<4>()?;
                sink.bin(self.payload::<5>(len)?)
            }
            m::ARRAY16 => {
                let count = self.length::<2>()?;
                self.open(self.rest.get(3..)?, count)?;
                sink.array(count)
            }
            m::ARRAY32 => {
                let count = self.length::<4>()?;
                self.open(self.rest.get(5..)?, count)?;
                sink.array(count)
            }
            m::MAP16 => {
                let count = self.length::<2>()?;
                self.open(self.rest.get(3..)?, count.checked_mul(2)?)?;
                sink.map(count)
            }
            m::MAP32 => {
                let count = self.length::<4>()?;
                self.open(self.rest.get(5..)?, count.checked_mul(2)?)?;
                sink.map(count)
            }
            m::FIXEXT1..=m::FIXEXT16 => self.ext::<1, S>(1 << (marker - m::FIXEXT1), sink)?,
            m::EXT8 => {
                let len = self.length::<1>()?;
                self.ext::<2, S>(len, sink)?
            }
            m::EXT16 => {
                let len = self.length::<2>()?;
                self.ext::<3, S>(len, sink)?
            }
            m::EXT32 => {
                let len = self.length::<4>()?;
                self.ext::<5, S>(len, sink)?
            }
            m::RESERVED => return None,
        })
    }

    #[inline(always)]
    fn number<const N: usize>(&mut self) -> Option<u64> {
        let bits = read::uint::<N>(self.rest, 1)?;
        self.rest = self.rest.get(1 + N..)?;
        Some(bits)
    }

    #[inline(always)]
    fn signed<const N: usize>(&mut self) -> Option<Integer> {
        self.number::<N>()
            .map(|bits| Integer::from_i64(read::sign_extend::<N>(bits)))
    }

    /// Returns the length after the marker, and does not take it.
    #[inline(always)]
    fn length<const N: usize>(&mut self) -> Option<usize> {
        usize::try_from(read::uint::<N>(self.rest, 1)?).ok()
    }

    #[inline(always)]
    fn payload<const HEADER: usize>(&mut self, len: usize) -> Option<&'a [u8]> {
        let (payload, rest) = self.rest.get(HEADER..)?.split_at_checked(len)?;
        self.rest = rest;
        Some(payload)
    }

    #[inline(always)]
    fn text<const HEADER: usize>(&mut self, len: usize) -> Option<&'a str> {
        utf8::check(self.payload::<HEADER>(len)?).ok()
    }

    /// Takes an ext; `TYPE` is the number of bytes before its type.
    #[inline(always)]
    fn ext<const TYPE: usize, S: ValueSink<'a>>(&mut self, len: usize, sink: &mut S) -> Option<S::Out> {
        let tagged = self.payload::<TYPE>(len.checked_add(1)?)?;
        let (&kind, payload) = tagged.split_first()?;
        if kind as i8 == Timestamp::EXT_TYPE {
            return Timestamp::from_payload(payload).map(|at| sink.timestamp(at));
        }
        Some(sink.ext(tagged))
    }

    /// Goes to `rest`, the bytes after a container's header, if they can hold its elements.
    #[inline(always)]
    fn open(&mut self, rest: &'a [u8], elements: usize) -> Option<()> {
        // Neither can overflow: both are at most the length of a slice.
        let pending = self.pending.checked_add(elements)?;
        if pending > rest.len() {
            return None;
        }
        self.pending = pending;
        self.rest = rest;
        Some(())
    }
}
