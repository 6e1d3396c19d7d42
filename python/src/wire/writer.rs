//! The output of a writer: a kept scratch area first, a growing `bytes` object beyond it.

use pyo3::ffi;
use std::alloc::{Layout, alloc, dealloc};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use super::integer;
use super::marker::*;
use crate::cpython::object::{_PyBytes_Resize, Obj, Owned, bytes_data, set_bytes_size};

/// Messages up to this size are written to the scratch area and copied once.
const SCRATCH: usize = 16 * 1024;
/// Every reservation leaves this much in addition, for a header or a number.
const SLACK: usize = 32;

/// The scratch area of the last writer, for the next one. It is only touched while the GIL is held.
static KEPT: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());

/// A large message gets this much more room than the last one took, and may keep it: some writers
/// reserve for the longest that could come.
const SPARE: usize = 2560;

/// About how large the last messages were that the scratch area couldn't hold. By it and that area, 5,000 lines
/// are written in .90 of the time.
static EXPECTED: AtomicUsize = AtomicUsize::new(0);

pub struct Writer {
    start: *mut u8,
    next: *mut u8,
    end: *mut u8,
    /// The `bytes` object being filled; null while the scratch area does.
    bytes: Obj,
    scratch: *mut u8,
}

/// Memory is exhausted; the Python error is set.
pub struct NoMemory;

impl Writer {
    #[inline]
    pub fn new() -> Writer {
        let mut scratch = KEPT.load(Ordering::Relaxed);
        if scratch.is_null() {
            // SAFETY: the layout isn't empty.
            scratch = unsafe { alloc(Self::layout()) };
            assert!(!scratch.is_null(), "out of memory");
        } else {
            KEPT.store(std::ptr::null_mut(), Ordering::Relaxed);
        }
        let end = unsafe { scratch.add(SCRATCH) };
        Writer {
            start: scratch,
            next: scratch,
            end,
            bytes: std::ptr::null_mut(),
            scratch,
        }
    }

    const fn layout() -> Layout {
        match Layout::from_size_align(SCRATCH, 64) {
            Ok(layout) => layout,
            Err(_) => panic!("a constant that fits"),
        }
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.next as usize - self.start as usize
    }

    pub fn written(&self) -> &[u8] {
        unsafe { std::slice::from_raw_parts(self.start, self.len()) }
    }

    pub fn replace(&mut self, bytes: &[u8]) -> Result<(), NoMemory> {
        self.next = self.start;
        self.reserve(bytes.len())?;
        // SAFETY: there is room.
        unsafe { self.copy(bytes.as_ptr(), bytes.len()) };
        Ok(())
    }

    /// Forgets all that was written after `length`.
    pub fn truncate(&mut self, length: usize) {
        debug_assert!(length <= self.len());
        self.next = unsafe { self.start.add(length) };
    }

    /// Makes room for `count` bytes and a header.
    #[inline(always)]
    pub fn reserve(&mut self, count: usize) -> Result<(), NoMemory> {
        if (self.end as usize - self.next as usize) < count + SLACK {
            self.grow(count)
        } else {
            Ok(())
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) -> Result<(), NoMemory> {
        let length = self.len();
        let mut room = ((self.end as usize - self.start as usize) * 2).max(length + count + SLACK);
        unsafe {
            if self.bytes.is_null() {
                // Memory of the size that the last message had comes back from the C library with
                // its pages; of another size it often comes from the system, without any.
                room = room.max(EXPECTED.load(Ordering::Relaxed));
                self.bytes = ffi::PyBytes_FromStringAndSize(std::ptr::null(), room as isize);
                if self.bytes.is_null() {
                    return Err(NoMemory);
                }
                let target = bytes_data(self.bytes);
                std::ptr::copy_nonoverlapping(self.start, target, length);
            } else if _PyBytes_Resize(&mut self.bytes, room as isize) != 0 {
                // The object is gone; what is left is a writer that owns nothing.
                self.start = self.scratch;
                self.next = self.scratch;
                self.end = self.scratch.add(SCRATCH);
                return Err(NoMemory);
            }
            self.start = bytes_data(self.bytes);
            self.next = self.start.add(length);
            self.end = self.start.add(room);
        }
        Ok(())
    }

    /// All that was written, as a `bytes` object; null when memory is exhausted.
    #[inline]
    pub fn finish(mut self) -> Obj {
        unsafe {
            if self.bytes.is_null() {
                return ffi::PyBytes_FromStringAndSize(self.start as *const _, self.len() as isize);
            }
            let length = self.len();
            let expected = EXPECTED.load(Ordering::Relaxed);
            EXPECTED.store((length + SPARE).max(expected / 2), Ordering::Relaxed);
            let mut bytes = std::mem::replace(&mut self.bytes, std::ptr::null_mut());
            if self.end as usize - self.next as usize <= 2 * SPARE {
                // The few unused bytes stay: the memory then has the size that the next call asks for.
                set_bytes_size(bytes, length);
            } else {
                _PyBytes_Resize(&mut bytes, length as isize);
            }
            bytes
        }
    }

    // What follows writes without a check: the room has been reserved.

    #[inline(always)]
    pub unsafe fn byte(&mut self, byte: u8) {
        *self.next = byte;
        self.next = self.next.add(1);
    }

    #[inline(always)]
    pub unsafe fn marked<const N: usize>(&mut self, marker: u8, payload: [u8; N]) {
        *self.next = marker;
        (self.next.add(1) as *mut [u8; N]).write_unaligned(payload);
        self.next = self.next.add(1 + N);
    }

    /// Copies up to some dozens of bytes without a call, and any number with one: strings of five take .93 of the time.
    #[inline(always)]
    pub unsafe fn copy(&mut self, source: *const u8, count: usize) {
        let target = self.next;
        self.next = target.add(count);
        if count > 32 {
            std::ptr::copy_nonoverlapping(source, target, count);
        } else if count >= 16 {
            halves::<16>(source, target, count);
        } else if count >= 8 {
            halves::<8>(source, target, count);
        } else if count >= 4 {
            halves::<4>(source, target, count);
        } else if count > 0 {
            let (middle, last) = (count >> 1, count - 1);
            let (a, b, c) = (*source, *source.add(middle), *source.add(last));
            *target = a;
            *target.add(middle) = b;
            *target.add(last) = c;
        }
    }

    /// Moves the end by hand; for loops that write through [`Writer::cursor`].
    #[inline(always)]
    pub unsafe fn set_cursor(&mut self, next: *mut u8) {
        self.next = next;
    }

    #[inline(always)]
    pub fn cursor(&self) -> *mut u8 {
        self.next
    }

    #[inline(always)]
    pub unsafe fn unsigned(&mut self, number: u64) {
        if number < 0x80 {
            self.byte(number as u8);
        } else if number <= 0xff {
            self.marked(UINT8, [number as u8]);
        } else if number <= 0xffff {
            self.marked(UINT16, (number as u16).to_be_bytes());
        } else if number <= 0xffff_ffff {
            self.marked(UINT32, (number as u32).to_be_bytes());
        } else {
            self.marked(UINT64, number.to_be_bytes());
        }
    }

    #[inline(always)]
    pub unsafe fn signed(&mut self, number: i64) {
        if (-32..128).contains(&number) {
            self.byte(number as u8);
        } else {
            self.next = integer::put::<false>(self.next, number);
        }
    }

    #[inline(always)]
    pub unsafe fn str_header(&mut self, length: usize) {
        if length < 32 {
            self.byte(FIXSTR | length as u8);
        } else {
            self.sized(STR8, length);
        }
    }

    #[inline(always)]
    pub unsafe fn bin_header(&mut self, length: usize) {
        self.sized(BIN8, length);
    }

    /// The header of one of three formats with a length of 8, 16 and 32 bits.
    #[inline(always)]
    unsafe fn sized(&mut self, first: u8, length: usize) {
        if length <= 0xff {
            self.marked(first, [length as u8]);
        } else if length <= 0xffff {
            self.marked(first + 1, (length as u16).to_be_bytes());
        } else {
            self.marked(first + 2, (length as u32).to_be_bytes());
        }
    }

    pub unsafe fn ext_header(&mut self, code: i8, length: usize) {
        match length {
            1 | 2 | 4 | 8 | 16 => self.byte(FIXEXT1 + length.trailing_zeros() as u8),
            _ => self.sized(EXT8, length),
        }
        self.byte(code as u8);
    }

    #[inline(always)]
    pub unsafe fn array_header(&mut self, count: usize) {
        self.counted(FIXARRAY, ARRAY16, count);
    }

    #[inline(always)]
    pub unsafe fn map_header(&mut self, count: usize) {
        self.counted(FIXMAP, MAP16, count);
    }

    /// The header of a format with a count in the marker, and of two with one of 16 and 32 bits.
    #[inline(always)]
    unsafe fn counted(&mut self, fix: u8, wide: u8, count: usize) {
        if count < 16 {
            self.byte(fix | count as u8);
        } else if count <= 0xffff {
            self.marked(wide, (count as u16).to_be_bytes());
        } else {
            self.marked(wide + 1, (count as u32).to_be_bytes());
        }
    }

    /// Writes a header of a map again, of `before` bytes at `start`, for fewer entries than it said.
    pub unsafe fn fewer_entries(&mut self, start: usize, before: usize, count: usize) {
        let (first, end) = (start + before, self.len());
        self.truncate(start);
        self.map_header(count);
        if self.len() != first {
            std::ptr::copy(self.start.add(first), self.next, end - first);
        }
        self.next = self.next.add(end - first);
    }

    /// The header of a str as it was before there was str 8.
    pub unsafe fn raw_header(&mut self, length: usize) {
        match length {
            32..=0xff => self.marked(STR16, (length as u16).to_be_bytes()),
            _ => self.str_header(length),
        }
    }
}

/// Copies `N` to `2 * N` bytes as two overlapping pieces.
#[inline(always)]
unsafe fn halves<const N: usize>(source: *const u8, target: *mut u8, count: usize) {
    let first = (source as *const [u8; N]).read_unaligned();
    let last = (source.add(count - N) as *const [u8; N]).read_unaligned();
    (target as *mut [u8; N]).write_unaligned(first);
    (target.add(count - N) as *mut [u8; N]).write_unaligned(last);
}

impl Drop for Writer {
    fn drop(&mut self) {
        unsafe {
            drop(Owned::take(self.bytes));
            if KEPT.load(Ordering::Relaxed).is_null() {
                KEPT.store(self.scratch, Ordering::Relaxed);
            } else {
                dealloc(self.scratch, Self::layout());
            }
        }
    }
}
