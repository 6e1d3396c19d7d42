//! The checks of reading: containers with their budget and depth, numbers, faults.

use super::civil::TextOrPayload;
use super::detail::Detail;
use super::state::{Failed, Step};
use super::{Cursor, Reader, Unpackable};
use crate::error::{Error, ErrorKind};
use crate::ext::Timestamp;
use crate::options::Rules;
use crate::read::{Fault, skip_plain};
use crate::typed::raw::Float;
use crate::wire::header::{Header, Kind};
use crate::wire::marker as m;
use core::ops::Neg;

/// An array or map that is being read.
///
/// ```
/// use packord::Unpackable;
/// use packord::typed::{Failed, Reader};
///
/// struct Point(i32, i32);
/// impl Unpackable for Point {
///     fn unpack_from(reader: &mut Reader<'_>) -> Result<Self, Failed> {
///         let open = reader.array()?;
///         let point = Point(reader.element(&open, 0)?, reader.element(&open, 1)?);
///         reader.end_array(open, 2)?;
///         Ok(point)
///     }
/// }
/// assert_eq!(Point::unpack(b"\x92\x01\x02")?.1, 2);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Debug)]
#[must_use]
pub struct Open {
    pub(super) count: usize,
    /// Values that the outer containers announce after it.
    pub(super) outer: usize,
}

impl Open {
    /// Returns the number of elements or entries.
    #[inline(always)]
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub position: usize,
    reserve: usize,
    depth: u32,
}

impl<'de> Reader<'de> {
    /// Reports a failure at the next byte.
    #[cold]
    pub fn fail(&mut self, kind: ErrorKind) -> Failed {
        let at = self.position();
        self.fail_at(kind, at)
    }

    /// Reports a failure at a byte of the input.
    #[cold]
    pub fn fail_at(&mut self, kind: ErrorKind, at: usize) -> Failed {
        self.state.faults.set(kind, Some(at), Detail::None)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn eof(&mut self) -> Failed {
        let end = self.input().len();
        self.fail_at(ErrorKind::Eof, end)
    }

    /// Reports that the next value is of another type than expected.
    #[cold]
    #[inline(never)]
    pub(crate) fn mismatch(&mut self, expected: &'static str) -> Failed {
        if self.rest().first() == Some(&m::RESERVED) {
            return self.fail(ErrorKind::ReservedMarker);
        }
        self.unexpected(expected, self.position())
    }

    /// Adds a step to the path of a failure.
    #[cold]
    #[inline(never)]
    pub fn within(&mut self, step: Step, failed: Failed) -> Failed {
        self.state.faults.within(step, failed)
    }

    #[cfg(feature = "alloc")]
    #[cold]
    #[inline(never)]
    pub(crate) fn within_name(&mut self, name: &str, failed: Failed) -> Failed {
        let mut path = alloc::string::String::new();
        crate::walk::push_key(&mut path, name);
        self.state.faults.within_path(&path);
        failed
    }

    /// Drops the path of a failure: one within a key has the path of the map.
    #[cold]
    pub(crate) fn in_key(&mut self, failed: Failed) -> Failed {
        #[cfg(feature = "alloc")]
        self.state.faults.forget_path();
        failed
    }

    #[cold]
    pub(crate) fn error(&mut self, _: Failed) -> Error {
        #[cfg(feature = "alloc")]
        if let Some(records) = &self.state.records {
            let input = self.input();
            self.state
                .faults
                .find_path(|within| records.reader.path_within(input, within));
        }
        self.state.faults.error(self.input())
    }

    /// Returns whether a byte from 40 to 7f begins a record rather than being an integer.
    pub(crate) fn at_record(&self, marker: u8) -> bool {
        #[cfg(feature = "alloc")]
        if let Some(records) = &self.state.records {
            return records.defines(marker);
        }
        let _ = marker;
        false
    }

    /// Takes nil if it is next.
    #[inline(always)]
    pub fn nil(&mut self) -> bool {
        self.take_if(m::NIL)
    }

    /// Takes nil or JavaScript's undefined if one is next.
    #[inline(always)]
    pub(crate) fn none(&mut self) -> bool {
        self.nil() || crate::ext::at_undefined(self.rest()) && self.ext().is_ok()
    }

    /// Reads a boolean.
    ///
    /// # Errors
    ///
    /// `eof`, or `type_mismatch` for another type.
    #[inline(always)]
    pub fn bool(&mut self) -> Result<bool, Failed> {
        let marker = self.peek()?;
        if marker | 1 != m::TRUE {
            return Err(self.mismatch("a bool"));
        }
        self.take_if(marker);
        Ok(marker == m::TRUE)
    }

    /// Reads a float, or an integer that a float holds exactly.
    #[inline(always)]
    pub(crate) fn number_f64(&mut self) -> Result<f64, Failed> {
        match self.float()? {
            Some(Float::F64(value)) => Ok(value),
            Some(Float::F32(value)) => Ok(f64::from(value)),
            None => self.exact_int(|int| int as f64, f64::MANTISSA_DIGITS, "f64"),
        }
    }

    /// Reads a float, rounded to 32 bits, or an integer that a float 32 holds exactly.
    #[inline(always)]
    pub(crate) fn number_f32(&mut self) -> Result<f32, Failed> {
        match self.float()? {
            Some(Float::F32(value)) => Ok(value),
            Some(Float::F64(value)) => Ok(value as f32),
            None => self.exact_int(|int| int as f32, f32::MANTISSA_DIGITS, "f32"),
        }
    }

    #[cold]
    #[inline(never)]
    fn exact_int<F: Neg<Output = F>>(
        &mut self,
        to: fn(u64) -> F,
        digits: u32,
        target: &'static str,
    ) -> Result<F, Failed> {
        let start = self.position();
        let marker = self.peek()?;
        let int = self
            .int_slow(marker)
            .map_err(|failed| self.expecting(failed, "a float"))?;
        // An integer of the format has 64 bits and a sign.
        let bits = int.unsigned_abs() as u64;
        if u64::BITS - bits.leading_zeros() > digits + bits.trailing_zeros() {
            return Err(self.out_of_range(target, start));
        }
        Ok(if int < 0 { -to(bits) } else { to(bits) })
    }

    /// Reads an integer of any size: an integer of the format, a bigint (`spec/extensions.md` 3), or a
    /// bin of 16 bytes, as serde may write it.
    pub(crate) fn int_128(&mut self) -> Result<i128, Failed> {
        let start = self.position();
        let marker = self.peek()?;
        if self.at_bin()? {
            return self.wide_bin().map(i128::from_be_bytes);
        }
        if !matches!(marker, m::FIXEXT1..=m::FIXEXT16 | m::EXT8..=m::EXT32) {
            return self.int_slow(marker);
        }
        match self.ext()? {
            (crate::ext::BIGINT, []) => Err(self.fail_at(ErrorKind::InvalidExt, start)),
            (crate::ext::BIGINT, payload) => {
                crate::ext::bigint_value(payload).ok_or_else(|| self.out_of_range("i128", start))
            }
            _ => Err(self.unexpected("an integer", start)),
        }
    }

    /// Reads a timestamp, ext type −1 (`spec/extensions.md` section 1).
    ///
    /// # Errors
    ///
    /// `eof`, `invalid_timestamp`, or `type_mismatch` for another type.
    pub fn timestamp(&mut self) -> Result<Timestamp, Failed> {
        let start = self.position();
        let ext = self.ext();
        match ext.map_err(|failed| self.expecting(failed, "a timestamp"))? {
            (Timestamp::EXT_TYPE, payload) => {
                Timestamp::from_payload(payload).ok_or_else(|| self.fail_at(ErrorKind::InvalidTimestamp, start))
            }
            _ => Err(self.unexpected("a timestamp", start)),
        }
    }

    /// Opens an array.
    ///
    /// # Errors
    ///
    /// `eof` (also if it announces more elements than bytes remain), `depth_limit`, or
    /// `type_mismatch` for another type.
    #[inline(always)]
    pub fn array(&mut self) -> Result<Open, Failed> {
        let start = self.position();
        match self.count(m::FIXARRAY, m::ARRAY16, m::ARRAY32)? {
            Some(count) => self.open(start, count, count as u64),
            None => Err(self.mismatch("an array")),
        }
    }

    /// Opens a map, whose keys and values are read one by one.
    ///
    /// # Errors
    ///
    /// As for [`array`](Reader::array).
    #[inline(always)]
    pub fn map(&mut self) -> Result<Open, Failed> {
        match self.map_or_other()? {
            Some(open) => Ok(open),
            None => Err(self.mismatch("a map")),
        }
    }

    /// Opens a map; returns `None` if a value of another type is next.
    #[inline(always)]
    pub(crate) fn map_or_other(&mut self) -> Result<Option<Open>, Failed> {
        let start = self.position();
        match self.count(m::FIXMAP, m::MAP16, m::MAP32)? {
            Some(count) => self.open(start, count, 2 * count as u64).map(Some),
            None => Ok(None),
        }
    }

    #[inline(always)]
    pub(crate) fn open(&mut self, start: usize, count: usize, values: u64) -> Result<Open, Failed> {
        if let Err(kind) = self.state.depth.check() {
            return Err(self.fail_at(kind, start));
        }
        let outer = self.state.reserve;
        if values + outer as u64 > self.remaining() as u64 {
            return Err(self.eof());
        }
        self.state.depth.go_in();
        Ok(Open { count, outer })
    }

    /// Ends a container after all of its values.
    #[inline(always)]
    pub fn close(&mut self, open: Open) {
        self.state.reserve = open.outer;
        self.state.depth.leave();
    }

    /// Reads a part of a container; `after` values follow it there.
    #[inline(always)]
    pub(crate) fn part<T>(
        &mut self,
        open: &Open,
        after: usize,
        leaf: bool,
        step: Step,
        read: impl FnOnce(&mut Self) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        if !leaf {
            self.state.reserve = open.outer + after;
        }
        match read(self) {
            Ok(value) => Ok(value),
            Err(failed) => Err(self.within(step, failed)),
        }
    }

    /// Reads a leaf that is not in a usual encoding, or has a fault.
    #[cold]
    #[inline(never)]
    fn unusual<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Failed>) -> Result<T, Failed> {
        read(self)
    }

    /// Reads the element at `index` of an array; the elements are read in their order.
    ///
    /// # Errors
    ///
    /// What reading `T` reports; `type_mismatch` if the array has no such element.
    #[inline(always)]
    pub fn element<T: Unpackable>(&mut self, array: &Open, index: usize) -> Result<T, Failed> {
        if index >= array.count {
            let at = self.position();
            let words = Detail::Words("the array has too few elements");
            return Err(self.fail_with(ErrorKind::TypeMismatch, at, words));
        }
        self.part(
            array,
            array.count - index - 1,
            T::LEAF,
            Step::Index(index),
            T::unpack_from,
        )
    }

    /// Ends an array after `read` elements, and skips the others.
    ///
    /// # Errors
    ///
    /// The first fault in what is skipped.
    #[inline(always)]
    pub fn end_array(&mut self, array: Open, read: usize) -> Result<(), Failed> {
        for index in read..array.count {
            self.part(&array, array.count - index - 1, false, Step::Index(index), Reader::skip)?;
        }
        self.close(array);
        Ok(())
    }

    /// Skips and checks a whole value.
    ///
    /// # Errors
    ///
    /// The first fault in the value.
    pub fn skip(&mut self) -> Result<(), Failed> {
        #[cfg(feature = "alloc")]
        if self.state.records.is_some() {
            return self.value_ref_with_records().map(drop);
        }
        self.plain(|bytes, after, rules| Ok(((), skip_plain(bytes, after, rules)?)))
    }

    /// Reads the next value with `read`, which gets the bytes, and how many values the containers around it
    /// announce after it; it returns the value and its length.
    pub(crate) fn plain<T>(
        &mut self,
        read: impl FnOnce(&'de [u8], u64, &Rules) -> Result<(T, usize), Fault>,
    ) -> Result<T, Failed> {
        // What other options ask for was checked by a walk before.
        let rules = Rules {
            max_depth: self.state.depth.left(),
            #[cfg(feature = "alloc")]
            bigint: self.state.bigint,
            ..Rules::DEFAULT
        };
        let (bytes, after) = (self.rest(), self.state.reserve as u64);
        match read(bytes, after, &rules) {
            Ok((value, len)) => {
                self.go_to(self.position() + len);
                Ok(value)
            }
            Err(fault) => {
                let failed = self.fail_at(fault.kind, self.position() + fault.at);
                #[cfg(feature = "alloc")]
                self.state
                    .faults
                    .within_path(&crate::walk::plain_path(bytes, after, fault.at));
                Err(failed)
            }
        }
    }

    pub(crate) fn place(&self) -> Place {
        Place {
            position: self.position(),
            reserve: self.state.reserve,
            depth: self.state.depth.left(),
        }
    }

    /// Goes back to a position after which nothing that can define a record was read.
    pub(crate) fn restore(&mut self, place: Place) {
        self.go_to(place.position);
        self.state.reserve = place.reserve;
        self.state.depth.restore(place.depth);
    }

    /// Checks that a recursive type has enough stack to read on; otherwise `depth_limit`.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn descend(&mut self) -> Result<(), Failed> {
        self.state.depth.descend().map_err(|kind| self.fail(kind))
    }
}

/// Reads a part of a container; `after` values follow it there. It is read at the cursor by
/// `quick` if it can; all others by the reader, which the cursor follows. The step is made only
/// for a failure: as a value it would be stored to memory each time.
///
/// `quick` does not check the depth, and opens at most one container. It does not know the
/// budget either: bytes enough for the values after the part prove that the part was within it.
///
/// # Errors
///
/// That of `read`.
#[cfg_attr(not(debug_assertions), inline(always))]
#[allow(clippy::too_many_arguments, reason = "only derived code and collections call it")]
pub fn member<'de, T>(
    reader: &mut Reader<'de>,
    cursor: &mut Cursor<'de>,
    open: &Open,
    after: usize,
    leaf: bool,
    step: impl FnOnce() -> Step,
    quick: impl FnOnce(&mut Cursor<'de>) -> Option<T>,
    read: impl FnOnce(&mut Reader<'de>) -> Result<T, Failed>,
) -> Result<T, Failed> {
    if leaf {
        if let Some(value) = quick(cursor) {
            return Ok(value);
        }
    } else if reader.state.depth.check().is_ok() {
        let mut ahead = *cursor;
        if let Some(value) = quick(&mut ahead) {
            if ahead.left() >= open.outer + after {
                *cursor = ahead;
                return Ok(value);
            }
        }
    }
    reader.go_on(*cursor);
    let outcome = if leaf {
        reader.unusual(read)
    } else {
        reader.state.reserve = open.outer + after;
        read(reader)
    };
    *cursor = reader.cursor();
    match outcome {
        Ok(value) => Ok(value),
        Err(failed) => Err(reader.within(step(), failed)),
    }
}

impl Reader<'_> {
    pub(crate) fn at_str(&mut self) -> Result<bool, Failed> {
        Ok(matches!(self.peek()?, m::FIXSTR..=0xbf | m::STR8..=m::STR32))
    }

    pub(crate) fn at_array(&mut self) -> Result<bool, Failed> {
        Ok(matches!(self.peek()?, m::FIXARRAY..=0x9f | m::ARRAY16 | m::ARRAY32))
    }

    pub(crate) fn at_bin(&mut self) -> Result<bool, Failed> {
        Ok(Kind::tell(self.peek()?) == Kind::Bin)
    }

    #[cold]
    fn wide_bin(&mut self) -> Result<[u8; 16], Failed> {
        let start = self.position();
        // Another length is told first: it has a wrong type, cut off or not.
        let header = Header::of(self.peek()?);
        if header.number(self.rest(), 0).is_some_and(|length| length != 16) {
            return Err(self.unexpected("an integer", start));
        }
        let bytes = self.bin()?;
        bytes.try_into().map_err(|_| self.unexpected("an integer", start))
    }

    #[cold]
    pub(crate) fn not_nil(&mut self) -> Failed {
        match self.peek() {
            Ok(_) => self.mismatch("nil"),
            Err(failed) => failed,
        }
    }

    /// Reads an integer as `int_128` does, up to 2^128 − 1.
    pub(crate) fn uint_128(&mut self) -> Result<u128, Failed> {
        if self.at_bin()? {
            return self.wide_bin().map(u128::from_be_bytes);
        }
        let start = self.position();
        let place = self.place();
        if let Ok((crate::ext::BIGINT, [0, wide @ ..])) = self.ext() {
            if let Ok(wide) = <[u8; 16]>::try_from(wide) {
                return Ok(u128::from_be_bytes(wide));
            }
        }
        self.restore(place);
        let value = self.int_128()?;
        u128::try_from(value).map_err(|_| self.out_of_range("u128", start))
    }

    pub(crate) fn character(&mut self) -> Result<char, Failed> {
        let start = self.position();
        if self.peek()? < 0x80 || matches!(self.peek()?, m::UINT8..=m::UINT32) {
            let code = self.uint()?;
            let character = u32::try_from(code).ok().and_then(char::from_u32);
            return character.ok_or_else(|| self.out_of_range("char", start));
        }
        let text = match self.text_or(crate::ext::CHARACTER, "a character")? {
            TextOrPayload::Text(text) => text,
            TextOrPayload::Payload(bytes) => {
                core::str::from_utf8(bytes).map_err(|_| self.fail_at(ErrorKind::InvalidExt, start))?
            }
        };
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some(character), None) => Ok(character),
            _ => Err(self.not_in_form("a character", start)),
        }
    }
}
