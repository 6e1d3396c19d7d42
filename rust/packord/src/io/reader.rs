//! [`UnpackReader`].

use crate::error::{Error, Result};
use crate::options::DecodeOptions;
use crate::stream::{Message, MessageScanner};
use crate::value::Value;
use crate::walk::Walker;
use std::io::{ErrorKind, Read};

/// Bytes to read at once. More are read, up to `LARGE`, where a message is known to need them.
const CHUNK: usize = 64 << 10;
const LARGE: usize = 1 << 20;

/// Reads messages one after another from a reader, which need not be buffered. It is an iterator of
/// values, which ends after the first error.
///
/// ```
/// use packord::io::UnpackReader;
///
/// let stream = &b"\x01\xa2hi\x91\xc0"[..];
/// let texts: Vec<String> = UnpackReader::new(stream)
///     .map(|value| value.map(|value| value.to_string()))
///     .collect::<Result<_, _>>()?;
/// assert_eq!(texts, ["1", "\"hi\"", "[nil]"]);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Debug)]
pub struct UnpackReader<R> {
    reader: R,
    decoder: MessageScanner,
    /// The iterator has returned an error.
    over: bool,
}

impl<R: Read> UnpackReader<R> {
    /// Returns a reader with the default options.
    pub fn new(reader: R) -> UnpackReader<R> {
        UnpackReader::with_options(reader, &DecodeOptions::new())
    }

    /// Returns a reader with options.
    pub fn with_options(reader: R, options: &DecodeOptions) -> UnpackReader<R> {
        UnpackReader {
            reader,
            decoder: MessageScanner::with_options(options),
            over: false,
        }
    }

    /// Reads the next value; returns `None` at the end of the stream.
    ///
    /// # Errors
    ///
    /// The first fault in the stream, `eof` if it ends within a message, `io` if reading fails.
    /// After `io` the call can be repeated.
    pub fn next_value(&mut self) -> Result<Option<Value>> {
        loop {
            let value = self.decoder.next_value()?;
            if value.is_some() || !self.read_on()? {
                return Ok(value);
            }
        }
    }

    /// Reads and checks the next message, and returns its bytes, or `None` at the end of the stream.
    ///
    /// # Errors
    ///
    /// As for [`next_value`](UnpackReader::next_value).
    pub fn next_message(&mut self) -> Result<Option<Message<'_>>> {
        if self.fill()? {
            self.decoder.next_message()
        } else {
            Ok(None)
        }
    }

    /// Reads and checks the next message, and returns a walker over it, or `None` at the end of the
    /// stream.
    ///
    /// # Errors
    ///
    /// As for [`next_value`](UnpackReader::next_value).
    pub fn next_walker(&mut self) -> Result<Option<Walker<'_>>> {
        if self.fill()? {
            self.decoder.next_walker()
        } else {
            Ok(None)
        }
    }

    /// Returns the scanner: for its offset and, after an error, for the messages before the fault.
    pub fn decoder(&self) -> &MessageScanner {
        &self.decoder
    }

    /// Returns the inner reader. Bytes that were read ahead are lost.
    pub fn into_inner(self) -> R {
        self.reader
    }

    /// Reads until a message is whole; returns `false` if the stream ends before one begins.
    fn fill(&mut self) -> Result<bool> {
        while !self.decoder.has_message()? {
            if !self.read_on()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads more bytes; returns `false` at the end of the stream, which must not be within a message.
    fn read_on(&mut self) -> Result<bool> {
        let room = self.decoder.lacks().clamp(CHUNK, LARGE);
        let reader = &mut self.reader;
        let read = self.decoder.feed_with(room, |space| {
            loop {
                match reader.read(space) {
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    outcome => return outcome,
                }
            }
        });
        let end = self.decoder.offset() + self.decoder.buffered() as u64;
        if read.map_err(|error| Error::io(error, end))? == 0 {
            self.decoder.finish()?;
            return Ok(false);
        }
        Ok(true)
    }
}

impl<R: Read> Iterator for UnpackReader<R> {
    type Item = Result<Value>;

    fn next(&mut self) -> Option<Result<Value>> {
        if self.over {
            return None;
        }
        let next = self.next_value();
        self.over = next.is_err();
        next.transpose()
    }
}
