//! Raw writes, after one room check for each header with its payload.

use super::copy::copy;
use super::marker as m;
use crate::error::{Error, ErrorKind, Result};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// Receives packed bytes: a `Vec<u8>`, which grows, or a [`Fixed`] slice, which can become full.
///
/// The trait is sealed: its methods are internal to the crate.
///
/// ```
/// use packord::encode::Packer;
/// use packord::wire::Buffer;
///
/// fn pair<B: Buffer>(packer: &mut Packer<B>) -> packord::Result<()> {
///     packer.array(2)?;
///     packer.nil()?;
///     packer.bool(true)
/// }
/// let mut packer = Packer::new(Vec::new());
/// pair(&mut packer)?;
/// assert_eq!(packer.into_buffer(), b"\x92\xc0\xc3");
/// # Ok::<(), packord::Error>(())
/// ```
pub trait Buffer: Store {}

/// A slice that is written from its start. Writes beyond its end fail with `buffer_full`.
///
/// ```
/// use packord::encode::Packer;
/// use packord::wire::Fixed;
///
/// let mut space = [0; 4];
/// let mut packer = Packer::new(Fixed::new(&mut space));
/// packer.array(2)?;
/// packer.int(1)?;
/// packer.str("a")?;
/// assert_eq!(packer.buffer().written(), b"\x92\x01\xa1a");
/// assert!(packer.nil().is_err());
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Debug)]
pub struct Fixed<'b> {
    space: &'b mut [u8],
    len: usize,
}

impl<'b> Fixed<'b> {
    /// Returns an empty buffer over all of `space`.
    #[must_use]
    pub fn new(space: &'b mut [u8]) -> Fixed<'b> {
        Fixed { space, len: 0 }
    }

    /// Returns the written bytes.
    #[must_use]
    pub fn written(&self) -> &[u8] {
        &self.space[..self.len]
    }
}

/// The raw side of [`Buffer`].
///
/// # Safety
///
/// The pointer that `room(n)` returns must be valid for writes of `n` bytes until the next call
/// of any method, and `advance(n)` must make exactly these bytes part of the output.
pub unsafe trait Store {
    /// Returns a pointer to `n` bytes of room after the output.
    fn room(&mut self, n: usize) -> Result<*mut u8>;

    /// Makes the next `n` bytes part of the output.
    ///
    /// # Safety
    ///
    /// The last call of `room` asked for at least `n` bytes, and the first `n` were written.
    unsafe fn advance(&mut self, n: usize);

    /// Returns all output so far.
    fn output(&mut self) -> &mut [u8];

    /// Drops all output after the first `len` bytes.
    fn truncate(&mut self, len: usize);

    /// Appends an array of bytes.
    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) -> Result<()> {
        let to = self.room(N)?;
        // SAFETY: `room(N)` made `to` valid for N bytes; arrays of bytes have no alignment.
        unsafe { to.cast::<[u8; N]>().write(bytes) };
        // SAFETY: `room` was called for N bytes, and N bytes were written.
        unsafe { self.advance(N) };
        Ok(())
    }

    /// Appends a header and a payload.
    #[inline(always)]
    fn put_with<const N: usize>(&mut self, header: [u8; N], payload: &[u8]) -> Result<()> {
        let total = N + payload.len();
        let to = self.room(total)?;
        // SAFETY: `room` made `to` valid for N bytes and the payload after them, so both writes are
        // within it; `payload` is borrowed and cannot overlap exclusively borrowed room.
        unsafe {
            to.cast::<[u8; N]>().write(header);
            copy(to.add(N), payload);
        }
        // SAFETY: `room` was called for `total` bytes, and all of them were written.
        unsafe { self.advance(total) };
        Ok(())
    }

    /// Appends nil.
    #[inline(always)]
    fn put_nil(&mut self) -> Result<()> {
        self.put([m::NIL])
    }

    /// Appends a boolean.
    #[inline(always)]
    fn put_bool(&mut self, value: bool) -> Result<()> {
        self.put([m::FALSE | u8::from(value)])
    }

    /// Appends a non-negative integer in its smallest format.
    #[inline(always)]
    fn put_uint(&mut self, value: u64) -> Result<()> {
        if value < 0x80 {
            self.put([value as u8])
        } else if value <= 0xff {
            self.put([m::UINT8, value as u8])
        } else if value <= 0xffff {
            self.put(headed::<2, 3>(m::UINT16, (value as u16).to_be_bytes()))
        } else if value <= 0xffff_ffff {
            self.put(headed::<4, 5>(m::UINT32, (value as u32).to_be_bytes()))
        } else {
            self.put(headed::<8, 9>(m::UINT64, value.to_be_bytes()))
        }
    }

    /// Appends a negative integer in its smallest format.
    #[inline(always)]
    fn put_negative(&mut self, value: i64) -> Result<()> {
        if value >= -32 {
            self.put([value as u8])
        } else if value >= i64::from(i8::MIN) {
            self.put([m::INT8, value as u8])
        } else if value >= i64::from(i16::MIN) {
            self.put(headed::<2, 3>(m::INT16, (value as i16).to_be_bytes()))
        } else if value >= i64::from(i32::MIN) {
            self.put(headed::<4, 5>(m::INT32, (value as i32).to_be_bytes()))
        } else {
            self.put(headed::<8, 9>(m::INT64, value.to_be_bytes()))
        }
    }

    /// Appends the bits of a float 32.
    #[inline(always)]
    fn put_f32(&mut self, bits: u32) -> Result<()> {
        self.put(headed::<4, 5>(m::FLOAT32, bits.to_be_bytes()))
    }

    /// Appends the bits of a float 64.
    #[inline(always)]
    fn put_f64(&mut self, bits: u64) -> Result<()> {
        self.put(headed::<8, 9>(m::FLOAT64, bits.to_be_bytes()))
    }

    /// Appends a str.
    #[inline(always)]
    fn put_str(&mut self, text: &[u8]) -> Result<()> {
        let len = text.len();
        if len < 32 {
            self.put_with([m::FIXSTR | len as u8], text)
        } else if len <= 0xff {
            self.put_with([m::STR8, len as u8], text)
        } else if len <= 0xffff {
            self.put_with(headed::<2, 3>(m::STR16, (len as u16).to_be_bytes()), text)
        } else {
            self.put_with(headed::<4, 5>(m::STR32, length(len)?.to_be_bytes()), text)
        }
    }

    /// Appends a bin.
    fn put_bin(&mut self, bytes: &[u8]) -> Result<()> {
        let len = bytes.len();
        if len <= 0xff {
            self.put_with([m::BIN8, len as u8], bytes)
        } else if len <= 0xffff {
            self.put_with(headed::<2, 3>(m::BIN16, (len as u16).to_be_bytes()), bytes)
        } else {
            self.put_with(headed::<4, 5>(m::BIN32, length(len)?.to_be_bytes()), bytes)
        }
    }

    /// Appends an ext.
    fn put_ext(&mut self, kind: i8, bytes: &[u8]) -> Result<()> {
        let kind = kind as u8;
        match bytes.len() {
            1 => self.put_with([m::FIXEXT1, kind], bytes),
            2 => self.put_with([m::FIXEXT2, kind], bytes),
            4 => self.put_with([m::FIXEXT4, kind], bytes),
            8 => self.put_with([m::FIXEXT8, kind], bytes),
            16 => self.put_with([m::FIXEXT16, kind], bytes),
            len @ 0..=0xff => self.put_with([m::EXT8, len as u8, kind], bytes),
            len @ 0x100..=0xffff => {
                let [a, b] = (len as u16).to_be_bytes();
                self.put_with([m::EXT16, a, b, kind], bytes)
            }
            len => {
                let [a, b, c, d] = length(len)?.to_be_bytes();
                self.put_with([m::EXT32, a, b, c, d, kind], bytes)
            }
        }
    }

    /// Appends the header of an array.
    #[inline(always)]
    fn put_array(&mut self, count: usize) -> Result<()> {
        self.put_count(m::FIXARRAY, m::ARRAY16, m::ARRAY32, count)
    }

    /// Appends the header of a map.
    #[inline(always)]
    fn put_map(&mut self, count: usize) -> Result<()> {
        self.put_count(m::FIXMAP, m::MAP16, m::MAP32, count)
    }

    /// Appends the header of a container.
    #[inline(always)]
    fn put_count(&mut self, fix: u8, short: u8, long: u8, count: usize) -> Result<()> {
        if count < 16 {
            self.put([fix | count as u8])
        } else if count <= 0xffff {
            self.put(headed::<2, 3>(short, (count as u16).to_be_bytes()))
        } else {
            self.put(headed::<4, 5>(long, length(count)?.to_be_bytes()))
        }
    }
}

/// Returns a marker and the bytes after it. `M` is `N + 1`.
#[inline(always)]
fn headed<const N: usize, const M: usize>(marker: u8, bytes: [u8; N]) -> [u8; M] {
    const { assert!(M == N + 1) };
    let mut all = [marker; M];
    all[1..].copy_from_slice(&bytes);
    all
}

/// Returns the length if 32 bits can hold it, as in the format.
#[inline(always)]
fn length(len: usize) -> Result<u32> {
    u32::try_from(len).map_err(|_| Error::new(ErrorKind::OutOfRange))
}

#[cfg(feature = "alloc")]
impl Buffer for Vec<u8> {}

// SAFETY: `grow` makes the spare capacity at least `n`, and the pointer to its start stays valid
// until the vector is used again; `advance` adds bytes that were written there.
#[cfg(feature = "alloc")]
unsafe impl Store for Vec<u8> {
    #[inline(always)]
    fn room(&mut self, n: usize) -> Result<*mut u8> {
        if self.capacity() - self.len() < n {
            grow(self, n);
        }
        Ok(self.spare_capacity_mut().as_mut_ptr().cast())
    }

    #[inline(always)]
    unsafe fn advance(&mut self, n: usize) {
        let len = self.len() + n;
        // SAFETY: `room` reserved these bytes, and the caller wrote them.
        unsafe { self.set_len(len) };
    }

    fn output(&mut self) -> &mut [u8] {
        self
    }

    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }
}

/// Small buffers grow by a factor of four: most will grow further, and each step costs a copy and a
/// call.
#[cfg(feature = "alloc")]
#[cold]
#[inline(never)]
fn grow(buffer: &mut Vec<u8>, n: usize) {
    let fourfold = if buffer.len() < 1 << 14 {
        (3 * buffer.len()).max(128)
    } else {
        0
    };
    buffer.reserve(n.max(fourfold));
}

impl Buffer for Fixed<'_> {}

// SAFETY: `room` points into `space` only where at least `n` bytes follow, and `space` is
// exclusively borrowed; `len` never exceeds its length.
unsafe impl Store for Fixed<'_> {
    #[inline(always)]
    fn room(&mut self, n: usize) -> Result<*mut u8> {
        match self.space[self.len..].get_mut(..n) {
            Some(room) => Ok(room.as_mut_ptr()),
            None => Err(Error::new(ErrorKind::BufferFull)),
        }
    }

    #[inline(always)]
    unsafe fn advance(&mut self, n: usize) {
        self.len += n;
    }

    fn output(&mut self) -> &mut [u8] {
        &mut self.space[..self.len]
    }

    fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}

impl<B: Buffer> Buffer for &mut B {}

// SAFETY: all methods are those of `B`.
unsafe impl<B: Buffer> Store for &mut B {
    #[inline(always)]
    fn room(&mut self, n: usize) -> Result<*mut u8> {
        B::room(self, n)
    }

    #[inline(always)]
    unsafe fn advance(&mut self, n: usize) {
        // SAFETY: the caller keeps the contract of the same method.
        unsafe { B::advance(self, n) };
    }

    fn output(&mut self) -> &mut [u8] {
        B::output(self)
    }

    fn truncate(&mut self, len: usize) {
        B::truncate(self, len);
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn copies_every_short_length() {
        for len in 0..40_u8 {
            let text: Vec<u8> = (0..len).collect();
            let mut out = vec![0xee];
            out.put_with([1, 2], &text).unwrap();
            assert_eq!(out[..3], [0xee, 1, 2]);
            assert_eq!(out[3..], text);
        }
    }

    #[test]
    fn a_fixed_buffer_is_written_to_its_last_byte_and_not_further() {
        let text = [7_u8; 20];
        for size in 0..=21 {
            let mut space = [0_u8; 30];
            let mut fixed = Fixed::new(&mut space[..size]);
            let fits = fixed.put_str(&text).is_ok();
            assert_eq!(fits, size >= 21);
            assert_eq!(fixed.written().len(), if fits { 21 } else { 0 });
            assert!(space[size..].iter().all(|&byte| byte == 0));
        }
    }

    #[test]
    fn integers_take_the_smallest_format() {
        for (value, len) in [
            (0, 1),
            (127, 1),
            (128, 2),
            (255, 2),
            (256, 3),
            (65_535, 3),
            (65_536, 5),
            (u64::from(u32::MAX), 5),
            (1 << 32, 9),
        ] {
            let mut out = Vec::new();
            out.put_uint(value).unwrap();
            assert_eq!(out.len(), len, "{value}");
        }
        for (value, len) in [
            (-1, 1),
            (-32, 1),
            (-33, 2),
            (-128, 2),
            (-129, 3),
            (-32_768, 3),
            (-32_769, 5),
            (i64::from(i32::MIN), 5),
            (i64::from(i32::MIN) - 1, 9),
            (i64::MIN, 9),
        ] {
            let mut out = Vec::new();
            out.put_negative(value).unwrap();
            assert_eq!(out.len(), len, "{value}");
        }
    }

    #[test]
    fn ext_headers() {
        for (len, header) in [
            (0, 3),
            (1, 2),
            (2, 2),
            (3, 3),
            (4, 2),
            (5, 3),
            (8, 2),
            (16, 2),
            (17, 3),
            (256, 4),
            (65_536, 6),
        ] {
            let mut out = Vec::new();
            out.put_ext(-3, &vec![9; len]).unwrap();
            assert_eq!(out.len(), header + len);
            assert_eq!(out[header - 1], 0xfd);
        }
    }
}
