//! Reading values in the encodings that writers choose, with the position in registers.

use crate::wire::{marker as m, utf8};
use core::marker::PhantomData;

/// A position in the input of a [`Reader`](super::Reader): a copy that the compiler keeps in
/// registers from one plain value to the next. The reader itself is in memory, where each value
/// would wait until the position after the previous one is stored.
///
/// Every method that takes a value returns `None` and leaves the position if the value is not in a
/// usual encoding of its type, or if the input ends. The caller then uses the reader, which handles
/// all encodings and faults.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'de> {
    /// At most `end`; both point into a slice of lifetime `'de`, or to its end.
    pub(super) next: *const u8,
    pub(super) end: *const u8,
    /// The first byte that is not a positive fixint.
    limit: u8,
    input: PhantomData<&'de [u8]>,
}

impl<'de> Cursor<'de> {
    /// # Safety
    ///
    /// `next` is at most `end`, and both point into a slice of lifetime `'de`, or to its end.
    #[inline(always)]
    pub(super) unsafe fn new(next: *const u8, end: *const u8, limit: u8) -> Cursor<'de> {
        Cursor {
            next,
            end,
            limit,
            input: PhantomData,
        }
    }

    /// Returns a cursor at the first byte of a slice; all bytes below 80 are positive fixints.
    #[inline(always)]
    pub(crate) fn of(input: &'de [u8]) -> Cursor<'de> {
        let bytes = input.as_ptr_range();
        // SAFETY: begin and end of a slice of lifetime `'de`.
        unsafe { Cursor::new(bytes.start, bytes.end, 0x80) }
    }

    #[inline(always)]
    pub(crate) fn left(&self) -> usize {
        self.end as usize - self.next as usize
    }

    #[inline(always)]
    fn has(&self, n: usize) -> bool {
        self.end as usize - self.next as usize >= n
    }

    #[inline(always)]
    fn marker(&self) -> Option<u8> {
        // SAFETY: `next` is read only if it is before `end`.
        (self.next != self.end).then(|| unsafe { *self.next })
    }

    /// Takes `SKIP` bytes and the `N` after them, and returns the latter.
    #[inline(always)]
    fn take<const SKIP: usize, const N: usize>(&mut self) -> Option<[u8; N]> {
        if !self.has(SKIP + N) {
            return None;
        }
        // SAFETY: `SKIP + N` bytes follow `next`; arrays of bytes have no alignment.
        unsafe {
            let bytes = self.next.add(SKIP).cast::<[u8; N]>().read();
            self.next = self.next.add(SKIP + N);
            Some(bytes)
        }
    }

    /// Takes a marker that was checked before, and returns `value`.
    #[inline(always)]
    fn alone<T>(&mut self, value: T) -> Option<T> {
        self.take::<1, 0>().map(|_| value)
    }

    /// Takes the byte if it is next. A branch is better than arithmetic: it is predicted, so the
    /// next instructions do not wait for the byte.
    #[inline(always)]
    pub(crate) fn take_if(&mut self, byte: u8) -> bool {
        self.marker() == Some(byte) && self.alone(()).is_some()
    }

    #[inline(always)]
    pub(crate) fn nil(&mut self) -> bool {
        self.take_if(m::NIL)
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn empty_array(&mut self) -> bool {
        self.take_if(m::FIXARRAY)
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn empty_map(&mut self) -> bool {
        self.take_if(m::FIXMAP)
    }

    /// Takes the header of an array of `count` elements, at most 15, if it is next and at least as
    /// many bytes follow.
    #[inline(always)]
    pub fn take_array(&mut self, count: usize) -> bool {
        self.has(1 + count) && self.take_if(m::FIXARRAY | count as u8)
    }

    #[inline(always)]
    pub(crate) fn take_all_if<const N: usize>(&mut self, bytes: &[u8; N]) -> bool {
        let mut ahead = *self;
        let is = ahead.take::<0, N>().as_ref() == Some(bytes);
        if is {
            *self = ahead;
        }
        is
    }

    #[inline(always)]
    pub(crate) fn bool(&mut self) -> Option<bool> {
        let marker = self.marker()?;
        if marker | 1 != m::TRUE {
            return None;
        }
        self.alone(marker == m::TRUE)
    }

    /// Takes a non-negative integer of a type of `BYTES` bytes. The widest format is tried first.
    /// The format of a field is predicted well; only in lists of numbers of all sizes it is not.
    #[inline(always)]
    pub(crate) fn uint<const BYTES: usize>(&mut self) -> Option<u64> {
        let marker = self.marker()?;
        if marker < self.limit {
            return self.alone(u64::from(marker));
        }
        if BYTES >= 8 && marker == m::UINT64 {
            return self.take::<1, 8>().map(u64::from_be_bytes);
        }
        if BYTES >= 4 && marker == m::UINT32 {
            return self.take::<1, 4>().map(|b| u32::from_be_bytes(b).into());
        }
        if BYTES >= 2 && marker == m::UINT16 {
            return self.take::<1, 2>().map(|b| u16::from_be_bytes(b).into());
        }
        if marker == m::UINT8 {
            return self.take::<1, 1>().map(|[b]| b.into());
        }
        None
    }

    /// Takes an integer like [`uint`](Cursor::uint), but only in the formats of one byte and of
    /// `BYTES`. That is little code: where serde reads a field, the compiler would not inline more,
    /// and the outcome would go through memory.
    #[cfg(feature = "serde")]
    #[inline(always)]
    pub(crate) fn own_uint<const BYTES: usize>(&mut self) -> Option<u64> {
        let marker = self.marker()?;
        if marker < self.limit {
            return self.alone(u64::from(marker));
        }
        if marker != m::UINT8 + BYTES.trailing_zeros() as u8 {
            return None;
        }
        self.own_bytes::<BYTES>()
    }

    /// Takes an integer of a signed type like [`own_uint`](Cursor::own_uint).
    #[cfg(feature = "serde")]
    #[inline(always)]
    pub(crate) fn own_int<const BYTES: usize>(&mut self) -> Option<i64> {
        let marker = self.marker()?;
        if marker < self.limit || marker >= m::NEGATIVE_FIXINT {
            return self.alone(i64::from(marker as i8));
        }
        let format = marker.wrapping_sub(m::UINT8);
        if format & !4 != BYTES.trailing_zeros() as u8 {
            return None;
        }
        let before = *self;
        let unused = 64 - 8 * BYTES as u32;
        let value = (self.own_bytes::<BYTES>()? << unused) as i64 >> unused;
        // The same bits as an unsigned number may exceed the type.
        if format & 4 == 0 && value < 0 {
            *self = before;
            return None;
        }
        Some(value)
    }

    #[cfg(feature = "serde")]
    #[inline(always)]
    fn own_bytes<const BYTES: usize>(&mut self) -> Option<u64> {
        match BYTES {
            1 => self.take::<1, 1>().map(|[byte]| byte.into()),
            2 => self.take::<1, 2>().map(|b| u16::from_be_bytes(b).into()),
            4 => self.take::<1, 4>().map(|b| u32::from_be_bytes(b).into()),
            _ => self.take::<1, 8>().map(u64::from_be_bytes),
        }
    }

    /// Takes an integer of a signed type of `BYTES` bytes. The uint and int formats of a width
    /// share their branch, as the processor cannot predict the sign of a number.
    #[inline(always)]
    pub(crate) fn int<const BYTES: usize>(&mut self) -> Option<i64> {
        let marker = self.marker()?;
        if marker < self.limit || marker >= m::NEGATIVE_FIXINT {
            return self.alone(i64::from(marker as i8));
        }
        let format = marker.wrapping_sub(m::UINT8);
        // The int markers are 4 above the uint markers.
        let (width, unsigned) = (format & !4, format & 4 == 0);
        let before = *self;
        let (wide, narrow) = if BYTES >= 8 && width == 3 {
            (i64::from_be_bytes(self.take::<1, 8>()?), 64)
        } else if BYTES >= 4 && width == 2 {
            (i32::from_be_bytes(self.take::<1, 4>()?).into(), 32)
        } else if BYTES >= 2 && width == 1 {
            (i16::from_be_bytes(self.take::<1, 2>()?).into(), 16)
        } else if width == 0 {
            (i8::from_be_bytes(self.take::<1, 1>()?).into(), 8)
        } else {
            return None;
        };
        if narrow == 8 * BYTES {
            // The same bits as an unsigned number may exceed the type.
            if unsigned && wide < 0 {
                *self = before;
                return None;
            }
            return Some(wide);
        }
        let mask = if unsigned { !(-1 << narrow) } else { -1 };
        Some(wide & mask)
    }

    /// Takes an integer like [`uint`](Cursor::uint), for lists of numbers of all sizes: the next
    /// width cannot be predicted, so the code has no branch on it. Numbers in the last 8 bytes are
    /// left to `uint`.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn word(&mut self) -> Option<u64> {
        if !self.has(9) {
            return None;
        }
        // SAFETY: 9 bytes follow `next`.
        let (marker, word) = unsafe {
            let word = self.next.add(1).cast::<[u8; 8]>().read();
            (*self.next, u64::from_be_bytes(word))
        };
        let format = marker.wrapping_sub(m::UINT8);
        let (width, value) = if marker < self.limit {
            (0, u64::from(marker))
        } else if format < 4 {
            let width = 1 << format;
            (width, word >> (64 - 8 * width))
        } else {
            return None;
        };
        // SAFETY: the width is at most 8, and 9 bytes follow.
        self.next = unsafe { self.next.add(1 + width) };
        Some(value)
    }

    /// Takes four integers of one width, as most lists have, of an unsigned type of `BYTES` bytes.
    /// The code has no branch on the width. Those in the last bytes are left to `uint`.
    #[inline(always)]
    pub(crate) fn four_uints<const BYTES: usize>(&mut self) -> Option<[u64; 4]> {
        if let Some(bytes) = self.four_fixints() {
            return Some(bytes.map(u64::from));
        }
        const { assert!(BYTES <= 8) };
        if !self.has(4 * 9) {
            return None;
        }
        // SAFETY: 36 bytes follow `next`.
        let first = unsafe { *self.next };
        let format = first.wrapping_sub(m::UINT8);
        if format > BYTES.trailing_zeros() as u8 {
            return None;
        }
        let each = 1 + (1_usize << format);
        // SAFETY: `BYTES` is at most 8, so each of the four has at most 9 bytes: the last begins at
        // most 27 bytes after `next`, and it and the 8 bytes after it are among the 36 that follow.
        let items = [0, 1, 2, 3].map(|index| unsafe {
            let at = self.next.add(index * each);
            (at.read(), at.add(1).cast::<[u8; 8]>().read())
        });
        if items.iter().fold(0, |others, (marker, _)| others | (marker ^ first)) != 0 {
            return None;
        }
        // SAFETY: as above.
        self.next = unsafe { self.next.add(4 * each) };
        Some(items.map(|(_, word)| u64::from_be_bytes(word) >> (64 - (8 << format))))
    }

    /// Takes four integers of a signed type of `BYTES` bytes: fixints, or in the formats of its width,
    /// whatever their signs are.
    #[inline(always)]
    pub(crate) fn four_ints<const BYTES: usize>(&mut self) -> Option<[i64; 4]> {
        let mut ahead = *self;
        let bytes = ahead.take::<0, 4>()?;
        let small = |byte: u8| byte.wrapping_add(0x20) < self.limit + 0x20;
        if bytes.iter().fold(true, |all, &byte| all & small(byte)) {
            *self = ahead;
            return Some(bytes.map(|byte| i64::from(byte as i8)));
        }
        let (mut others, mut too_large) = (0, 0);
        let values = self.four_numbers::<BYTES>()?.map(|(marker, bytes)| {
            let value = match BYTES {
                2 => i16::from_be_bytes(*bytes.first_chunk()?).into(),
                4 => i32::from_be_bytes(*bytes.first_chunk()?).into(),
                _ => i64::from_be_bytes(*bytes.first_chunk()?),
            };
            // The int markers are 4 above the uint markers, and only they have the bit of 16.
            others |= (marker.wrapping_sub(m::UINT8) & !4) ^ BYTES.trailing_zeros() as u8;
            // The same bits as an unsigned number may exceed the type.
            too_large |= value & !(i64::from(marker) << 59);
            Some(value)
        });
        if others != 0 || too_large < 0 {
            return None;
        }
        let [Some(a), Some(b), Some(c), Some(d)] = values else {
            return None;
        };
        self.payload(0, 4 * (1 + BYTES))?;
        Some([a, b, c, d])
    }

    /// Returns four markers, each with the `N` bytes after it, and takes nothing.
    #[inline(always)]
    fn four_numbers<const N: usize>(&self) -> Option<[(u8, [u8; N]); 4]> {
        if !self.has(4 * (1 + N)) {
            return None;
        }
        // SAFETY: the last marker and the `N` bytes after it are the end of the bytes that were
        // checked; arrays of bytes have no alignment.
        Some([0, 1, 2, 3].map(|index| unsafe {
            let at = self.next.add(index * (1 + N));
            (at.read(), at.add(1).cast::<[u8; N]>().read())
        }))
    }

    #[inline(always)]
    fn four_fixints(&mut self) -> Option<[u8; 4]> {
        let mut ahead = *self;
        let bytes = ahead.take::<0, 4>()?;
        // The limit is 80 or 40.
        let above = u32::from_ne_bytes([0xff; 4]) / 0xff * u32::from(!(self.limit - 1));
        if u32::from_ne_bytes(bytes) & above != 0 {
            return None;
        }
        *self = ahead;
        Some(bytes)
    }

    #[inline(always)]
    pub(crate) fn four_floats<const N: usize>(&mut self, marker: u8) -> Option<[[u8; N]; 4]> {
        let floats = self.four_numbers::<N>()?;
        if floats.iter().fold(0, |others, (other, _)| others | (other ^ marker)) != 0 {
            return None;
        }
        self.payload(0, 4 * (1 + N))?;
        Some(floats.map(|(_, bits)| bits))
    }

    #[inline(always)]
    pub(crate) fn four_bools(&mut self) -> Option<[bool; 4]> {
        let mut ahead = *self;
        let bytes = ahead.take::<0, 4>()?;
        let truths = u32::from_ne_bytes([m::TRUE; 4]);
        if u32::from_ne_bytes(bytes) | u32::from_ne_bytes([1; 4]) != truths {
            return None;
        }
        *self = ahead;
        Some(bytes.map(|byte| byte == m::TRUE))
    }

    #[inline(always)]
    pub(crate) fn f64(&mut self) -> Option<f64> {
        if self.marker()? != m::FLOAT64 {
            return None;
        }
        self.take::<1, 8>().map(f64::from_be_bytes)
    }

    #[inline(always)]
    pub(crate) fn f32(&mut self) -> Option<f32> {
        if self.marker()? != m::FLOAT32 {
            return None;
        }
        self.take::<1, 4>().map(f32::from_be_bytes)
    }

    /// Takes a header and the `len` bytes after it, and returns the latter.
    #[inline(always)]
    fn payload(&mut self, header: usize, len: usize) -> Option<&'de [u8]> {
        if !self.has(header + len) {
            return None;
        }
        // SAFETY: `header + len` bytes follow `next` in a slice of lifetime `'de`.
        unsafe {
            let start = self.next.add(header);
            self.next = start.add(len);
            Some(core::slice::from_raw_parts(start, len))
        }
    }

    #[inline(always)]
    fn length8(&self) -> Option<usize> {
        let mut ahead = *self;
        ahead.take::<1, 1>().map(|[len]| usize::from(len))
    }

    #[inline(always)]
    fn length16(&self) -> Option<usize> {
        let mut ahead = *self;
        let len = ahead.take::<1, 2>()?;
        Some(usize::from(u16::from_be_bytes(len)))
    }

    /// Takes a str of up to 65,535 bytes.
    #[inline(always)]
    pub(crate) fn str(&mut self) -> Option<&'de str> {
        let (marker, before) = (self.marker()?, *self);
        let bytes = if marker & 0xe0 == m::FIXSTR {
            self.payload(1, usize::from(marker & 0x1f))?
        } else if marker == m::STR8 {
            self.payload(2, self.length8()?)?
        } else if marker == m::STR16 {
            self.payload(3, self.length16()?)?
        } else {
            return None;
        };
        let text = utf8::check(bytes);
        if text.is_err() {
            *self = before;
        }
        text.ok()
    }

    /// Takes a bin of up to 255 bytes.
    #[inline(always)]
    pub(crate) fn bin(&mut self) -> Option<&'de [u8]> {
        if self.marker()? != m::BIN8 {
            return None;
        }
        self.payload(2, self.length8()?)
    }
}

#[cfg(test)]
mod tests {
    #[cfg(feature = "serde")]
    use super::Cursor;
    use crate::typed::{ReadState, Reader};
    use crate::{Unpackable, UnpackableBorrowed};

    /// Checks that the cursor reads what the reader reads, and otherwise takes nothing.
    fn agree<'de, T: UnpackableBorrowed<'de> + PartialEq + core::fmt::Debug>(bytes: &'de [u8]) {
        let mut reader = Reader::new(bytes, ReadState::new(bytes.len()));
        let mut cursor = reader.cursor();
        let start = cursor.next;
        let quick = T::quick(&mut cursor);
        let full = T::unpack_from(&mut reader);
        match quick {
            Some(value) => {
                assert_eq!(Ok(value), full, "{bytes:x?}");
                assert_eq!(cursor.next, reader.cursor().next);
            }
            None => assert_eq!(cursor.next, start),
        }
    }

    #[test]
    fn agrees_with_the_reader_on_every_marker_and_length() {
        // Miri is about a thousand times slower.
        let seconds: &[u8] = if cfg!(miri) { &[2] } else { &[0, 1, 2, 0x7f, 0x80, 0xff] };
        for marker in 0..=255_u8 {
            for &second in seconds {
                let bytes = [marker, second, 0x80, b'a', 0, 0xff, 0x7f, 1, 2, 3, 4];
                for len in 0..=bytes.len() {
                    let bytes = &bytes[..len];
                    agree::<u8>(bytes);
                    agree::<u16>(bytes);
                    agree::<u32>(bytes);
                    agree::<u64>(bytes);
                    agree::<i8>(bytes);
                    agree::<i16>(bytes);
                    agree::<i32>(bytes);
                    agree::<i64>(bytes);
                    agree::<bool>(bytes);
                    agree::<()>(bytes);
                    agree::<&str>(bytes);
                    agree::<&[u8]>(bytes);
                    agree::<Option<i16>>(bytes);
                }
            }
        }
    }

    #[test]
    #[cfg(feature = "serde")]
    fn own_formats_are_read_as_all_are() {
        fn check<const BYTES: usize>() {
            let mut taken = [0; 2];
            for marker in 0..=255_u8 {
                for second in [0x7f, 0x80] {
                    let bytes = [marker, second, 2, 3, 4, 5, 6, 7, 8];
                    for len in 0..=bytes.len() {
                        let at = Cursor::of(&bytes[..len]);
                        let (mut own, mut all) = (at, at);
                        if let Some(value) = own.own_uint::<BYTES>() {
                            assert_eq!(all.uint::<BYTES>(), Some(value), "{marker:x}");
                            taken[0] += usize::from(len == 9);
                        }
                        assert_eq!(own.left(), all.left());
                        let (mut own, mut all) = (at, at);
                        if let Some(value) = own.own_int::<BYTES>() {
                            assert_eq!(all.int::<BYTES>(), Some(value), "{marker:x}");
                            taken[1] += usize::from(len == 9);
                        }
                        assert_eq!(own.left(), all.left());
                    }
                }
            }
            // The fixints and the formats of the type itself; the unsigned one can be too large.
            assert_eq!(taken, [2 * 128 + 2, 2 * (128 + 32) + 2 + 1]);
        }
        check::<1>();
        check::<2>();
        check::<4>();
        check::<8>();
    }

    #[test]
    #[cfg(feature = "alloc")]
    fn words_are_the_numbers_that_uint_reads() {
        for (limit, count) in [(0x80, 128 + 4), (0x40, 64 + 4)] {
            let mut taken = 0;
            for marker in 0..=255_u8 {
                let bytes = [marker, 0x81, 2, 3, 4, 5, 6, 7, 8, 9];
                for len in 0..=bytes.len() {
                    let mut state = ReadState::new(len);
                    state.limit = limit;
                    let mut uint = Reader::new(&bytes[..len], state).cursor();
                    let mut word = uint;
                    if let Some(value) = word.word() {
                        assert_eq!(uint.uint::<8>(), Some(value), "{marker:x}");
                        taken += 1;
                    }
                    assert_eq!(word.next, uint.next);
                }
            }
            // In the two inputs that are long enough.
            assert_eq!(taken, 2 * count);
        }
    }

    #[test]
    fn a_cursor_of_another_input_is_not_gone_to() {
        let bytes = [1, 2, 3, 4];
        let mut whole = Reader::new(&bytes, ReadState::new(4));
        let mut part = Reader::new(&bytes[2..], ReadState::new(2));
        let mut front = Reader::new(&bytes[..2], ReadState::new(2));
        part.go_on(whole.cursor());
        front.go_on(part.cursor());
        assert_eq!((part.position(), front.position()), (0, 0));
        assert_eq!(<u8 as Unpackable>::unpack_from(&mut part), Ok(3));
        whole.go_on(part.cursor());
        assert_eq!(whole.position(), 3);
    }
}
