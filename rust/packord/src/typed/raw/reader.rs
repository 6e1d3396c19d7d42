//! Typed reading: a cursor with one bound check for a header and its payload.

use super::cursor::Cursor;
use crate::error::ErrorKind;
use crate::typed::{Failed, ReadState};
use crate::wire::{marker as m, utf8};
use core::marker::PhantomData;

/// Reads typed values. Every method is safe for all bytes.
///
/// After a failed read the reader is at the fault. It keeps the error, and returns only [`Failed`];
/// the call that made the reader returns the error.
///
/// ```
/// use packord::typed::{Failed, Reader};
/// use packord::Unpackable;
///
/// struct Point(i32, i32);
/// impl Unpackable for Point {
///     fn unpack_from(reader: &mut Reader<'_>) -> Result<Self, Failed> {
///         let array = reader.array()?;
///         let point = Point(reader.element(&array, 0)?, reader.element(&array, 1)?);
///         reader.end_array(array, 2)?;
///         Ok(point)
///     }
/// }
/// let point = Point::unpack(&[0x92, 1, 0xff]).unwrap();
/// assert_eq!((point.0, point.1), (1, -1));
/// ```
pub struct Reader<'de> {
    /// `start <= next <= end`; all point into the slice of lifetime `'de`, or to its end.
    next: *const u8,
    end: *const u8,
    start: *const u8,
    pub(crate) state: ReadState,
    input: PhantomData<&'de [u8]>,
}

impl<'de> Reader<'de> {
    pub(crate) fn new(input: &'de [u8], state: ReadState) -> Reader<'de> {
        let range = input.as_ptr_range();
        Reader {
            next: range.start,
            end: range.end,
            start: range.start,
            state,
            input: PhantomData,
        }
    }

    /// Returns the number of bytes that are left.
    #[inline(always)]
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.end as usize - self.next as usize
    }

    /// Returns the index of the next byte.
    #[inline(always)]
    #[must_use]
    pub fn position(&self) -> usize {
        self.next as usize - self.start as usize
    }

    pub(crate) fn input(&self) -> &'de [u8] {
        let len = self.end as usize - self.start as usize;
        // SAFETY: `start` and `end` are those of a slice of lifetime `'de`.
        unsafe { core::slice::from_raw_parts(self.start, len) }
    }

    #[inline(always)]
    pub(crate) fn rest(&self) -> &'de [u8] {
        // SAFETY: `next` and `end` point into a slice of lifetime `'de`, and `next` is at most
        // `end`.
        unsafe { core::slice::from_raw_parts(self.next, self.remaining()) }
    }

    #[inline(always)]
    #[must_use]
    pub(crate) fn cursor(&self) -> Cursor<'de> {
        // SAFETY: `next` and `end` are those of a slice of lifetime `'de`.
        unsafe { Cursor::new(self.next, self.end, self.state.limit) }
    }

    /// Returns the index of a cursor that came from [`cursor`](Reader::cursor).
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn position_of(&self, cursor: Cursor<'de>) -> usize {
        (cursor.next as usize).wrapping_sub(self.start as usize)
    }

    /// Continues at a cursor that came from [`cursor`](Reader::cursor).
    #[inline(always)]
    pub(crate) fn go_on(&mut self, cursor: Cursor<'de>) {
        // A cursor of another reader is ignored. One with the same end that is not before `start`
        // points into this reader's slice.
        if cursor.end == self.end && cursor.next >= self.start {
            self.next = cursor.next;
        }
    }

    /// Goes to an index that was the position before.
    pub(crate) fn go_to(&mut self, position: usize) {
        let position = position.min(self.end as usize - self.start as usize);
        // SAFETY: the index is at most the length of the slice.
        self.next = unsafe { self.start.add(position) };
    }

    #[inline(always)]
    pub(crate) fn peek(&mut self) -> Result<u8, Failed> {
        if self.next == self.end {
            return Err(self.eof());
        }
        // SAFETY: `next` is before `end`.
        Ok(unsafe { *self.next })
    }

    /// Takes the next byte if it is `byte`, and returns whether it is. A branch is better than
    /// arithmetic: it is predicted, so the next instructions do not wait for the byte.
    #[inline(always)]
    pub(crate) fn take_if(&mut self, byte: u8) -> bool {
        // SAFETY: `next` is read only if it is before `end`.
        let is = self.next != self.end && unsafe { *self.next } == byte;
        if is {
            // SAFETY: there is a byte at `next`.
            self.next = unsafe { self.next.add(1) };
        }
        is
    }

    /// Takes the marker that [`peek`](Reader::peek) saw.
    #[inline(always)]
    fn step(&mut self) {
        if self.next != self.end {
            // SAFETY: there is a byte at `next`.
            self.next = unsafe { self.next.add(1) };
        }
    }

    /// Takes the marker and the N (1, 2, 4, 8) bytes after it, and returns the latter.
    #[inline(always)]
    fn number<const N: usize>(&mut self) -> Result<u64, Failed> {
        const { assert!(N == 1 || N == 2 || N == 4 || N == 8) };
        if self.remaining() < 9 {
            return self.number_at_end(N);
        }
        // SAFETY: 9 bytes follow `next`, and N is at most 8.
        let word = unsafe {
            let word = self.next.add(1).cast::<[u8; 8]>().read();
            self.next = self.next.add(1 + N);
            word
        };
        Ok(u64::from_be_bytes(word) >> (64 - 8 * N))
    }

    #[inline(always)]
    fn signed<const N: usize>(&mut self) -> Result<i64, Failed> {
        let shift = 64 - 8 * N as u32;
        self.number::<N>().map(|value| ((value << shift) as i64) >> shift)
    }

    #[cold]
    #[inline(never)]
    fn number_at_end(&mut self, width: usize) -> Result<u64, Failed> {
        let Some(bytes) = self.rest().get(1..1 + width) else {
            return Err(self.eof());
        };
        let number = bytes.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        self.go_to(self.position() + 1 + width);
        Ok(number)
    }

    #[inline(always)]
    pub(crate) fn uint(&mut self) -> Result<u64, Failed> {
        let marker = self.peek()?;
        if marker < self.state.limit {
            self.step();
            return Ok(u64::from(marker));
        }
        match marker {
            m::UINT8 => self.number::<1>(),
            m::UINT16 => self.number::<2>(),
            m::UINT32 => self.number::<4>(),
            m::UINT64 => self.number::<8>(),
            _ => self.uint_slow(marker),
        }
    }

    /// Handles non-negative integers in the int formats, negative ones, and other types.
    #[cold]
    #[inline(never)]
    fn uint_slow(&mut self, marker: u8) -> Result<u64, Failed> {
        let start = self.position();
        let value = self.int_slow(marker)?;
        u64::try_from(value).map_err(|_| self.fail_at(ErrorKind::OutOfRange, start))
    }

    /// Reads an integer of at most 2^63 − 1.
    #[inline(always)]
    pub(crate) fn int(&mut self) -> Result<i64, Failed> {
        let marker = self.peek()?;
        if marker < self.state.limit || marker >= m::NEGATIVE_FIXINT {
            self.step();
            return Ok(i64::from(marker as i8));
        }
        match marker {
            m::UINT8 => self.number::<1>().map(|value| value as i64),
            m::UINT16 => self.number::<2>().map(|value| value as i64),
            m::UINT32 => self.number::<4>().map(|value| value as i64),
            m::INT8 => self.signed::<1>(),
            m::INT16 => self.signed::<2>(),
            m::INT32 => self.signed::<4>(),
            m::INT64 => self.signed::<8>(),
            _ => {
                let start = self.position();
                let value = self.int_slow(marker)?;
                i64::try_from(value).map_err(|_| self.fail_at(ErrorKind::OutOfRange, start))
            }
        }
    }

    #[inline(never)]
    pub(crate) fn int_slow(&mut self, marker: u8) -> Result<i128, Failed> {
        match marker {
            0x00..=0x7f if marker < self.state.limit || !self.at_record(marker) => {
                self.step();
                Ok(i128::from(marker))
            }
            m::NEGATIVE_FIXINT..=0xff => {
                self.step();
                Ok(i128::from(marker as i8))
            }
            m::UINT8 => self.number::<1>().map(i128::from),
            m::UINT16 => self.number::<2>().map(i128::from),
            m::UINT32 => self.number::<4>().map(i128::from),
            m::UINT64 => self.number::<8>().map(i128::from),
            m::INT8 => self.signed::<1>().map(i128::from),
            m::INT16 => self.signed::<2>().map(i128::from),
            m::INT32 => self.signed::<4>().map(i128::from),
            m::INT64 => self.signed::<8>().map(i128::from),
            _ => Err(self.mismatch("an integer")),
        }
    }

    /// Takes the bits of a float 32 or 64 if one is next: `Ok(Ok(f32))`, `Ok(Err(f64))`.
    #[inline(always)]
    pub(crate) fn float(&mut self) -> Result<Option<Float>, Failed> {
        match self.peek()? {
            m::FLOAT64 => Ok(Some(Float::F64(f64::from_bits(self.number::<8>()?)))),
            m::FLOAT32 => Ok(Some(Float::F32(f32::from_bits(self.number::<4>()? as u32)))),
            _ => Ok(None),
        }
    }

    /// Takes a header with a length of N bytes, and returns the length. Headers of ext have
    /// another byte.
    #[inline(always)]
    fn length<const N: usize>(&mut self, tail: usize) -> Result<usize, Failed> {
        if self.remaining() <= N + tail {
            return Err(self.eof());
        }
        self.number::<N>().map(|length| length as usize)
    }

    #[inline(always)]
    fn payload(&mut self, len: usize) -> Result<&'de [u8], Failed> {
        if self.remaining() < len {
            return Err(self.eof());
        }
        // SAFETY: `len` bytes follow `next` in a slice of lifetime `'de`.
        unsafe {
            let bytes = core::slice::from_raw_parts(self.next, len);
            self.next = self.next.add(len);
            Ok(bytes)
        }
    }

    /// Reads a str.
    ///
    /// # Errors
    ///
    /// `eof`, `invalid_utf8`, or `type_mismatch` for another type.
    #[inline(always)]
    pub fn str(&mut self) -> Result<&'de str, Failed> {
        let marker = self.peek()?;
        let len = if marker & 0xe0 == m::FIXSTR {
            self.step();
            usize::from(marker & 0x1f)
        } else {
            self.str_length(marker)?
        };
        let bytes = self.payload(len)?;
        match utf8::check(bytes) {
            Ok(text) => Ok(text),
            Err(bad) => Err(self.fail_at(ErrorKind::InvalidUtf8, self.position() - len + bad)),
        }
    }

    #[inline(never)]
    fn str_length(&mut self, marker: u8) -> Result<usize, Failed> {
        match marker {
            m::STR8 => self.length::<1>(0),
            m::STR16 => self.length::<2>(0),
            m::STR32 => self.length::<4>(0),
            _ => Err(self.mismatch("a str")),
        }
    }

    /// Reads a bin.
    ///
    /// # Errors
    ///
    /// `eof`, or `type_mismatch` for another type.
    #[inline(always)]
    pub fn bin(&mut self) -> Result<&'de [u8], Failed> {
        let len = match self.peek()? {
            m::BIN8 => self.length::<1>(0)?,
            m::BIN16 => self.length::<2>(0)?,
            m::BIN32 => self.length::<4>(0)?,
            _ => return Err(self.mismatch("a bin")),
        };
        self.payload(len)
    }

    /// Reads an ext: its type and payload.
    ///
    /// # Errors
    ///
    /// `eof`, or `type_mismatch` for another type.
    pub fn ext(&mut self) -> Result<(i8, &'de [u8]), Failed> {
        let marker = self.peek()?;
        let len = match marker {
            m::FIXEXT1..=m::FIXEXT16 if self.remaining() < 2 => return Err(self.eof()),
            m::FIXEXT1..=m::FIXEXT16 => {
                self.step();
                1 << (marker - m::FIXEXT1)
            }
            m::EXT8 => self.length::<1>(1)?,
            m::EXT16 => self.length::<2>(1)?,
            m::EXT32 => self.length::<4>(1)?,
            _ => return Err(self.mismatch("an ext")),
        };
        let kind = self.peek()? as i8;
        self.step();
        Ok((kind, self.payload(len)?))
    }

    /// Reads the count of an array or map with the given fix, 16-bit and 32-bit markers.
    #[inline(always)]
    pub(crate) fn count(&mut self, fix: u8, short: u8, long: u8) -> Result<Option<usize>, Failed> {
        let marker = self.peek()?;
        if marker & 0xf0 == fix {
            self.step();
            return Ok(Some(usize::from(marker & 0x0f)));
        }
        if marker == short {
            return self.length::<2>(0).map(Some);
        }
        if marker == long {
            return self.length::<4>(0).map(Some);
        }
        Ok(None)
    }
}

pub(crate) enum Float {
    F32(f32),
    F64(f64),
}
