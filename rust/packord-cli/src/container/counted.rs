//! A reader that counts its bytes.

use std::io::{self, Read, Seek, SeekFrom};

/// Counts the bytes that are read of a source.
pub struct CountedReader<R> {
    source: R,
    count: u64,
}

impl<R> CountedReader<R> {
    /// Begins at 0.
    pub fn new(source: R) -> CountedReader<R> {
        CountedReader { source, count: 0 }
    }

    /// Returns the number of bytes that were read.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }
}

impl<R: Read> Read for CountedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.count += count as u64;
        Ok(count)
    }
}

impl<R: Seek> Seek for CountedReader<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.source.seek(to)
    }
}
