//! The bytes of a stream that were fed and not yet returned.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;

/// Capacity beyond this is freed when no byte is held.
const KEEP_CAPACITY: usize = 1 << 20;

/// Room for a few headers and short payloads, which some readers ask for one after the other.
#[cfg(feature = "std")]
const LEAST_ROOM: usize = 256;

#[derive(Debug, Default)]
pub(super) struct StreamBuffer {
    /// The held bytes are from `head` to `end`. After them is room for a reader: it was zeroed
    /// once, not before each read.
    bytes: Vec<u8>,
    head: usize,
    end: usize,
    /// The stream's offset of the first byte of `bytes`.
    base: u64,
}

impl StreamBuffer {
    #[inline]
    pub fn held(&self) -> &[u8] {
        &self.bytes[self.head..self.end]
    }

    /// Returns the held bytes, and the object that takes the number of bytes that are returned.
    #[inline]
    pub fn split(&mut self) -> (&[u8], Taken<'_>) {
        let held = &self.bytes[self.head..self.end];
        (held, Taken(&mut self.head))
    }

    /// Returns the stream's offset of the first held byte.
    #[inline]
    pub fn offset(&self) -> u64 {
        self.base + self.head as u64
    }

    pub fn try_reserve(&mut self, len: usize) -> Result<(), TryReserveError> {
        self.compact();
        self.bytes.truncate(self.end);
        self.bytes.try_reserve(len)
    }

    pub fn feed(&mut self, bytes: &[u8]) {
        self.compact();
        self.bytes.truncate(self.end);
        self.bytes.extend_from_slice(bytes);
        self.end = self.bytes.len();
    }

    /// Lets `read` fill room for `len` more bytes; it returns how many it filled, at most `len`.
    #[cfg(feature = "std")]
    pub fn feed_with<E>(&mut self, len: usize, read: impl FnOnce(&mut [u8]) -> Result<usize, E>) -> Result<usize, E> {
        self.compact();
        let limit = self.end + len;
        if self.bytes.len() < limit {
            self.bytes.resize(limit.max(LEAST_ROOM), 0);
        }
        let outcome = read(&mut self.bytes[self.end..limit]);
        self.end += outcome.as_ref().map_or(0, |&filled| filled);
        outcome
    }

    /// Drops the returned bytes when they are at least half of all. So each byte is moved at most
    /// once on average.
    fn compact(&mut self) {
        if self.head == 0 || self.head * 2 < self.end {
            return;
        }
        self.bytes.copy_within(self.head..self.end, 0);
        self.base += self.head as u64;
        self.end -= self.head;
        self.head = 0;
        if self.end == 0 && self.bytes.capacity() > KEEP_CAPACITY {
            self.bytes = Vec::new();
        }
    }
}

/// Takes the number of bytes that are returned.
pub(super) struct Taken<'b>(&'b mut usize);

impl Taken<'_> {
    #[inline]
    pub fn add(self, len: usize) {
        *self.0 += len;
    }
}
