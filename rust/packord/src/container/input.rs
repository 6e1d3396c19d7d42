//! [`Input`]: the bytes of a file from the current place on, as they come from a reader.

use crate::error::{Error, ErrorKind, Result};
use crate::io::{WalkReader, read_some};
use crate::options::DecodeOptions;
use crate::walk::Walker;
use crate::wire::header::{Head, Header, Kind};
use alloc::vec::Vec;
use core::fmt;
use std::io::{self, Read, Seek, SeekFrom};

/// What is read at once where little is needed.
const CHUNK: usize = 64 << 10;
const LITTLE: usize = 4 << 10;
/// What is reserved for announced bytes before they have come.
const TRUSTED: usize = 1 << 20;

type SeekTo<R> = fn(&mut R, u64) -> io::Result<()>;

/// A window of a file: the bytes that were read and not used.
pub(super) struct Input<R> {
    pub reader: R,
    seek: Option<SeekTo<R>>,
    window: Vec<u8>,
    /// What a read of few bytes fills, so that it can bring more than was asked for.
    chunk: Vec<u8>,
    /// Where the current place is in the window.
    at: usize,
    /// The offset of the window in the file.
    base: u64,
    /// An offset from which on bytes stay in the window, to come back to.
    pub hold: Option<u64>,
    /// An offset at which the file ends, as far as this is read.
    pub limit: Option<u64>,
    /// How many bytes were examined by checks of values and of data, of some several times.
    pub examined: u64,
}

impl<R: fmt::Debug> fmt::Debug for Input<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input")
            .field("reader", &self.reader)
            .field("offset", &(self.base + self.at as u64))
            .finish_non_exhaustive()
    }
}

impl<R: Read> Input<R> {
    /// Returns the bytes of a reader, which begins with the file.
    pub fn new(reader: R) -> Input<R> {
        Input {
            reader,
            seek: None,
            window: Vec::new(),
            chunk: alloc::vec![0; CHUNK],
            at: 0,
            base: 0,
            hold: None,
            limit: None,
            examined: 0,
        }
    }

    /// Returns the bytes of a reader that can go to any place.
    pub fn seekable(reader: R) -> Input<R>
    where
        R: Seek,
    {
        Input {
            seek: Some(|reader, offset| reader.seek(SeekFrom::Start(offset)).map(drop)),
            ..Input::new(reader)
        }
    }

    /// Returns the size of the file. The window is dropped: [`go_to`](Input::go_to) comes next.
    pub fn size(&mut self) -> Result<u64>
    where
        R: Seek,
    {
        self.window.clear();
        (self.at, self.base) = (0, u64::MAX);
        let end = self.reader.seek(SeekFrom::End(0));
        end.map_err(|error| Error::io(error, 0))
    }

    /// Returns the offset of the current place in the file.
    pub fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Returns the bytes from the current place on that were read.
    pub fn rest(&self) -> &[u8] {
        let rest = &self.window[self.at..];
        match self.most() {
            Some(most) if most < rest.len() as u64 => &rest[..most as usize],
            _ => rest,
        }
    }

    /// Returns how many bytes are left up to the limit.
    fn most(&self) -> Option<u64> {
        let limit = self.limit?;
        Some(limit.saturating_sub(self.offset()))
    }

    /// Reads few bytes at a time, where those after them may not be needed.
    pub fn read_little(&mut self) {
        self.chunk.truncate(LITTLE);
    }

    /// Moves past bytes of the window.
    pub fn consume(&mut self, count: usize) {
        self.at += count;
        debug_assert!(self.at <= self.window.len());
    }

    /// Returns the bytes up to a place in the window, and moves there. The bytes are not copied, but those after
    /// them.
    pub fn take(&mut self, count: usize) -> Vec<u8> {
        let end = self.at + count;
        let rest = self.window[end..].to_vec();
        self.base += end as u64;
        let mut taken = core::mem::replace(&mut self.window, rest);
        taken.truncate(end);
        if self.at > 0 {
            taken.drain(..self.at);
        }
        self.at = 0;
        taken
    }

    /// Drops bytes before the current place that need not be held. Few of many bytes are left where they are: else false
    /// marks would each move a block.
    fn forget(&mut self) {
        let hold = self.hold.and_then(|hold| hold.checked_sub(self.base));
        let count = hold.map_or(self.at, |hold| self.at.min(hold as usize));
        if count >= TRUSTED || count > self.window.len() / 2 {
            self.window.drain(..count);
            self.base += count as u64;
            self.at -= count;
        }
    }

    /// Reads until there are `count` bytes from the current place on. Returns `false` if the file ends
    /// before.
    pub fn fill(&mut self, count: usize) -> Result<bool> {
        if self.rest().len() >= count {
            return Ok(true);
        }
        self.forget();
        let most = self.most().filter(|&most| most < count as u64);
        let wanted = self.at + most.map_or(count, |most| most as usize);
        // Reads no more once there is enough: a pipe may bring the rest late.
        while self.window.len() < wanted {
            let have = self.window.len();
            let read = if wanted - have < self.chunk.len() {
                let read = read_some(&mut self.reader, &mut self.chunk);
                let count = *read.as_ref().unwrap_or(&0);
                self.window.extend_from_slice(&self.chunk[..count]);
                read
            } else {
                // Announced bytes may not come: little is reserved for them.
                let room = (wanted - have).min(TRUSTED);
                self.window.reserve(room);
                let mut reader = Believable(&mut self.reader).take(room as u64);
                reader.read_to_end(&mut self.window)
            };
            match read {
                Ok(0) => return Ok(false),
                Ok(_) => {}
                Err(error) => {
                    let end = self.base + self.window.len() as u64;
                    return Err(Error::io(error, end));
                }
            }
        }
        Ok(most.is_none())
    }

    /// Reads until there are `count` bytes from the current place on.
    ///
    /// # Errors
    ///
    /// `eof` if the file ends before; `io`.
    pub fn need(&mut self, count: usize) -> Result<()> {
        if self.fill(count)? { Ok(()) } else { Err(self.eof()) }
    }

    /// Returns the head of the array or map at an index from the current place on; `None` for a value of another kind.
    pub fn container(&mut self, at: usize, kind: Kind) -> Result<Option<Head>> {
        self.need(at + 1)?;
        let marker = self.rest()[at];
        if Kind::of(marker) != kind {
            return Ok(None);
        }
        self.need(at + Header::of(marker).len())?;
        Ok(Head::at(self.rest(), at))
    }

    /// Returns the offset of the end of the file. Everything up to it has been read into the window.
    fn end(&self) -> u64 {
        self.base + self.window.len() as u64
    }

    /// Returns the error of a file that ends within what is at the current place.
    #[cold]
    pub fn eof(&self) -> Error {
        Error::at(ErrorKind::Eof, self.end())
    }

    /// Goes to an offset: back if the reader can, forward in any case. Returns `false` if the file ends
    /// before, or is before and the reader cannot go back.
    pub fn go_to(&mut self, offset: u64) -> Result<bool> {
        if let Some(within) = offset.checked_sub(self.base) {
            if within <= self.window.len() as u64 {
                self.at = within as usize;
                return Ok(true);
            }
        }
        if let Some(seek) = self.seek {
            seek(&mut self.reader, offset).map_err(|error| Error::io(error, offset))?;
            self.window.clear();
            (self.at, self.base) = (0, offset);
            return Ok(true);
        }
        if offset < self.offset() {
            return Ok(false);
        }
        while self.offset() < offset {
            let step = (offset - self.offset()).min(TRUSTED as u64) as usize;
            if !self.fill(step)? {
                let all = self.rest().len();
                self.consume(all);
                return Ok(false);
            }
            self.consume(step);
        }
        Ok(true)
    }

    /// Checks the value at an index from the current place on, which is plain, and returns its length.
    /// It is read into the window, which never grows beyond `max` bytes from the current place on.
    ///
    /// # Errors
    ///
    /// The fault of the value; `eof` at the end of the file; `length_limit` if that many bytes of the file are not all of it,
    /// or if it announces that it ends beyond `announced` bytes from the current place on. Without such a bound, the
    /// current place can be read again after any other fault.
    pub fn value(&mut self, index: usize, max_depth: u32, max: u64, announced: u64) -> Result<usize> {
        let options = DecodeOptions::new()
            .max_depth(max_depth)
            .max_buffer(announced.saturating_sub(index as u64));
        self.fill(index)?;
        loop {
            let Some(bytes) = self.rest().get(index..) else {
                return Err(self.eof());
            };
            let base = self.offset() + index as u64;
            let mut walker = Walker::resume(bytes, base, 0, options.stream_rules(), None);
            let outcome = walker.skip_message();
            let end = walker.offset();
            self.examined += end.saturating_sub(base);
            match outcome {
                // Whatever is in the window already.
                Ok(()) if end - self.offset() > max => return Err(Error::at(ErrorKind::LengthLimit, base)),
                Ok(()) => return Ok((end - base) as usize),
                Err(error) if error.is_eof() => {
                    let have = self.rest().len();
                    if have as u64 > max {
                        return Err(Error::at(ErrorKind::LengthLimit, base));
                    }
                    // Twice as much each time, so that the work is linear.
                    if !self.fill(have + (have - index).max(1))? && self.rest().len() == have {
                        return Err(self.eof());
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Checks the value at the current place, which is plain, and moves past it. Takes a constant amount of
    /// memory.
    ///
    /// # Errors
    ///
    /// The fault of the value; `eof` at the end of the file.
    pub fn skip_value(&mut self) -> Result<()> {
        let whole = Walker::new(self.rest())
            .skip_value()
            .map(|value| value.map(<[u8]>::len));
        if let Ok(Some(len)) = whole {
            self.consume(len);
            return Ok(());
        }
        let base = self.offset();
        let mut walker = WalkReader::new(&mut *self);
        let outcome = match walker.next_message() {
            Ok(true) => walker.skip_message(),
            Ok(false) => Err(Error::at(ErrorKind::Eof, 0)),
            Err(error) => Err(error),
        };
        // What was read beyond the value, or from its fault on.
        let mut unread = walker.bytes_at(walker.offset()).to_vec();
        let error = outcome.err();
        unread.extend_from_slice(self.rest());
        let end = self.end();
        self.base = end - unread.len() as u64;
        (self.window, self.at) = (unread, 0);
        match error {
            None => Ok(()),
            Some(error) if error.is_eof() => Err(self.eof()),
            Some(error) => {
                let at = base + error.offset().unwrap_or_default();
                Err(error.moved(at))
            }
        }
    }
}

/// A reader whose numbers of bytes are checked: the standard library panics where one is wrong.
struct Believable<'r, R>(&'r mut R);

impl<R: Read> Read for Believable<'_, R> {
    fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
        read_some(self.0, space)
    }
}

/// Reads from the window first.
impl<R: Read> Read for Input<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.rest().is_empty() {
            self.base += self.window.len() as u64;
            self.window.clear();
            self.at = 0;
            let count = read_some(&mut self.reader, out)?;
            self.base += count as u64;
            return Ok(count);
        }
        let count = self.rest().len().min(out.len());
        out[..count].copy_from_slice(&self.rest()[..count]);
        self.consume(count);
        Ok(count)
    }
}
