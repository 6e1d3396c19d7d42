//! The part of a stream that a [`WalkReader`](super::WalkReader) looks at.

use super::read_some;
use std::io::{self, Read};
use std::vec;
use std::vec::Vec;

/// A window of this size fits into the cache.
pub(super) const SIZE: usize = 256 << 10;

#[derive(Debug)]
pub(super) struct StreamWindow<R> {
    reader: R,
    bytes: Vec<u8>,
    /// How many of the bytes have been read.
    filled: usize,
    /// The offset of the first byte in the stream.
    pub base: u64,
    pub has_ended: bool,
}

impl<R: Read> StreamWindow<R> {
    pub fn new(reader: R) -> StreamWindow<R> {
        StreamWindow {
            reader,
            bytes: vec![0; SIZE],
            filled: 0,
            base: 0,
            has_ended: false,
        }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }

    /// Returns whether bytes must be dropped, or room made, before more can be read.
    pub fn is_full(&self) -> bool {
        self.filled == self.bytes.len()
    }

    /// Returns whether a value that begins at the index `at` has at least half of the room.
    pub fn is_roomy_from(&self, at: usize) -> bool {
        at >= self.bytes.len() / 2
    }

    pub fn drop_first(&mut self, count: usize) {
        self.bytes.copy_within(count..self.filled, 0);
        self.filled -= count;
        self.base += count as u64;
        // Memory that one large value needed is freed.
        if self.bytes.len() > 4 * SIZE && self.filled < SIZE {
            self.bytes.truncate(SIZE);
            self.bytes.shrink_to_fit();
        }
    }

    /// Makes room after the bytes that have been read: as much as they take, but not more than needed.
    pub fn grow(&mut self, need: usize) {
        let size = self.bytes.len();
        self.bytes.resize(need.clamp(size + SIZE, 2 * size), 0);
    }

    /// Reads what the reader has, up to the end of the room.
    pub fn read(&mut self) -> io::Result<()> {
        let count = read_some(&mut self.reader, &mut self.bytes[self.filled..])?;
        self.has_ended = count == 0;
        self.filled += count;
        Ok(())
    }
}
