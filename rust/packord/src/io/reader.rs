//! [`UnpackReader`].

use super::read_some;
use crate::error::{Error, Result};
use crate::options::DecodeOptions;
#[cfg(feature = "serde")]
use crate::options::SerdeForm;
use crate::stream::{Message, MessageScanner};
use crate::typed::Unpackable;
use crate::value::Value;
use crate::walk::Walker;
use std::io::Read;

/// Bytes to read at once: at first few, as one small message may be all there is; twice as many after each
/// read that fills its room. More are read, up to `LARGE`, where a message is known to need them.
const FIRST: usize = 4 << 10;
const CHUNK: usize = 64 << 10;
const LARGE: usize = 1 << 20;

/// Reads messages one after another from a reader, which need not be buffered.
///
/// | messages as | one | all |
/// |---|---|---|
/// | [`Value`] | [`next_value`](UnpackReader::next_value) | [`values`](UnpackReader::values) |
/// | types with [`Unpackable`] | [`unpack`](UnpackReader::unpack) | [`unpack_all`](UnpackReader::unpack_all) |
/// | types of serde | `next` | `all` |
/// | bytes that were checked | [`next_message`](UnpackReader::next_message) | |
/// | events | [`next_walker`](UnpackReader::next_walker) | |
///
/// The iterators end after the first error. After a message at fault, or of another type than the one
/// asked for, the next message can be read, as by a [`MessageScanner`].
///
/// ```
/// use packord::io::UnpackReader;
///
/// let stream = &b"\x01\xa2hi\x91\xc0"[..];
/// let texts: Vec<String> = UnpackReader::new(stream)
///     .values()
///     .map(|value| value.map(|value| value.to_string()))
///     .collect::<Result<_, _>>()?;
/// assert_eq!(texts, ["1", "\"hi\"", "[nil]"]);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Debug)]
pub struct UnpackReader<R> {
    reader: R,
    decoder: MessageScanner,
    options: DecodeOptions,
    #[cfg(feature = "serde")]
    pub(crate) form: SerdeForm,
    /// Whether no byte after the message is taken from the reader.
    exact: bool,
    /// Bytes to read at once.
    chunk: usize,
}

impl<R: Read> UnpackReader<R> {
    /// Returns a reader with the default options.
    pub fn new(reader: R) -> UnpackReader<R> {
        UnpackReader::with_options(reader, &DecodeOptions::new())
    }

    /// Returns a reader with options.
    pub fn with_options(reader: R, options: &DecodeOptions) -> UnpackReader<R> {
        let mut one_shot = options.clone();
        one_shot.rules = options.rules();
        UnpackReader {
            reader,
            decoder: MessageScanner::with_options(options),
            options: one_shot,
            #[cfg(feature = "serde")]
            form: SerdeForm::default(),
            exact: false,
            chunk: FIRST,
        }
    }

    /// Whether each call takes the bytes of one message from the reader and no byte after it. Off by
    /// default. It is for a connection of which others read too, and for one message of it. There
    /// are more calls of the reader: one for each header, one for each payload.
    ///
    /// ```
    /// use packord::io::UnpackReader;
    /// let mut connection = &b"\x92\x01\x02the rest"[..];
    /// let value = UnpackReader::new(&mut connection).exact(true).next_value()?;
    /// assert_eq!(value.unwrap().to_string(), "[1, 2]");
    /// assert_eq!(connection, b"the rest");
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn exact(mut self, on: bool) -> UnpackReader<R> {
        self.exact = on;
        self
    }

    /// Reads the next value; returns `None` at the end of the stream.
    ///
    /// # Errors
    ///
    /// A fault in the next message, `eof` if the stream ends within it, `io` if reading fails. After
    /// `io` the call can be repeated; after a fault the next call reads the message after it, or
    /// reports again a fault that has [ended](MessageScanner::is_over) the stream.
    pub fn next_value(&mut self) -> Result<Option<Value>> {
        loop {
            let value = self.decoder.next_value()?;
            if value.is_some() || !self.read_on()? {
                return Ok(value);
            }
        }
    }

    /// Reads the next message into a type; returns `None` at the end of the stream.
    ///
    /// ```
    /// use packord::io::UnpackReader;
    /// let mut reader = UnpackReader::new(&b"\x92\x01\x02\x91\x03"[..]);
    /// let mut sums = Vec::new();
    /// while let Some(numbers) = reader.unpack::<Vec<u32>>()? {
    ///     sums.push(numbers.iter().sum::<u32>());
    /// }
    /// assert_eq!(sums, [3, 3]);
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`next_value`](UnpackReader::next_value) and [`Unpackable::unpack`].
    pub fn unpack<T: Unpackable>(&mut self) -> Result<Option<T>> {
        self.next_typed(DecodeOptions::unpack_prefix)
    }

    /// Returns an iterator of the values.
    pub fn values(&mut self) -> Messages<'_, R, Value> {
        Messages::new(self, UnpackReader::next_value)
    }

    /// Returns an iterator of the messages as a type.
    ///
    /// ```
    /// use packord::io::UnpackReader;
    /// let mut reader = UnpackReader::new(&b"\x92\x01\x02\x92\x03\x04"[..]);
    /// let pairs: Vec<(u8, u8)> = reader.unpack_all().collect::<Result<_, _>>()?;
    /// assert_eq!(pairs, [(1, 2), (3, 4)]);
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn unpack_all<T: Unpackable>(&mut self) -> Messages<'_, R, T> {
        Messages::new(self, UnpackReader::unpack)
    }

    /// Reads the next message with a function, which gets the options.
    pub(crate) fn next_typed<T>(
        &mut self,
        read: impl Fn(&DecodeOptions, &[u8]) -> Result<(T, usize)>,
    ) -> Result<Option<T>> {
        if self.exact {
            // After each header the message would be read in vain.
            return self.next_once(read);
        }
        loop {
            let options = &self.options;
            let value = self.decoder.next_typed(|bytes: &[u8]| read(options, bytes))?;
            if value.is_some() || !self.read_on()? {
                return Ok(value);
            }
        }
    }

    /// Reads the next message with a function that can be called only once.
    pub(crate) fn next_once<T>(
        &mut self,
        read: impl FnOnce(&DecodeOptions, &[u8]) -> Result<(T, usize)>,
    ) -> Result<Option<T>> {
        self.fill()?;
        let options = &self.options;
        self.decoder.next_once(|bytes: &[u8]| read(options, bytes))
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
    pub fn scanner(&self) -> &MessageScanner {
        &self.decoder
    }

    /// Returns the inner reader, from which bytes were read ahead unless [`exact`](Self::exact) is on.
    pub fn get_ref(&self) -> &R {
        &self.reader
    }

    /// Returns the inner reader, as [`get_ref`](Self::get_ref) does, to change it.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.reader
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
        let least = if self.exact { 1 } else { self.chunk };
        let room = self.decoder.lacks().clamp(least, LARGE);
        let reader = &mut self.reader;
        let read = self.decoder.feed_with(room, |space| read_some(reader, space));
        let end = self.decoder.offset() + self.decoder.buffered() as u64;
        match read.map_err(|error| Error::io(error, end))? {
            0 => {
                self.decoder.finish()?;
                return Ok(false);
            }
            filled if filled >= self.chunk => self.chunk = CHUNK.min(2 * self.chunk),
            _ => {}
        }
        Ok(true)
    }
}

/// The messages of an [`UnpackReader`] as values of the type `T`, up to the end of the stream or the
/// first error.
#[derive(Debug)]
pub struct Messages<'r, R, T> {
    reader: &'r mut UnpackReader<R>,
    read: ReadNext<R, T>,
    over: bool,
}

type ReadNext<R, T> = fn(&mut UnpackReader<R>) -> Result<Option<T>>;

impl<'r, R, T> Messages<'r, R, T> {
    pub(crate) fn new(reader: &'r mut UnpackReader<R>, read: ReadNext<R, T>) -> Self {
        Messages {
            reader,
            read,
            over: false,
        }
    }
}

impl<R, T> Iterator for Messages<'_, R, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.over {
            return None;
        }
        let next = (self.read)(self.reader);
        self.over = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}
