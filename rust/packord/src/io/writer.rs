//! [`PackWriter`].

use crate::encode::EncodeOptions;
use crate::encode::RecordEncoder;
use crate::error::{Error, Result};
#[cfg(feature = "serde")]
use crate::options::DecodeOptions;
use crate::record::Structures;
use crate::typed::Packable;
use crate::value::Tree;
use core::borrow::Borrow;
use std::io::Write;
use std::vec::Vec;

/// Writes messages one after another to a writer. Each message is one call of `write_all`; use a
/// `BufWriter` for small messages. After an error in a message nothing of it is written.
///
/// [`write_value`](PackWriter::write_value) writes a [`Value`](crate::Value),
/// [`pack`](PackWriter::pack) a type with [`Packable`], and `write` one of serde, as
/// [`UnpackReader`](super::UnpackReader) reads them.
///
/// ```
/// use packord::Value;
/// use packord::io::PackWriter;
///
/// let mut writer = PackWriter::new(Vec::new());
/// writer.write_value(&Value::from(1))?;
/// writer.pack("hi")?;
/// assert_eq!(writer.into_inner(), b"\x01\xa2hi");
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Debug)]
pub struct PackWriter<W> {
    writer: W,
    message: Vec<u8>,
    mode: Mode,
    written: u64,
}

#[derive(Debug)]
enum Mode {
    Plain(EncodeOptions),
    Records(RecordEncoder),
}

impl<W: Write> PackWriter<W> {
    /// Returns a writer with the default options.
    pub fn new(writer: W) -> PackWriter<W> {
        PackWriter::with_options(writer, EncodeOptions::new())
    }

    /// Returns a writer with options.
    pub fn with_options(writer: W, options: impl Borrow<EncodeOptions>) -> PackWriter<W> {
        let options = *options.borrow();
        let mode = if options.records {
            Mode::Records(RecordEncoder::new(options))
        } else {
            Mode::Plain(options)
        };
        PackWriter::with_mode(writer, mode)
    }

    /// Returns a writer of records with a shared list, which
    /// [`structures`](PackWriter::structures) returns.
    ///
    /// ```
    /// use packord::{DecodeOptions, EncodeOptions, Structures, Value};
    /// use packord::io::{PackWriter, UnpackReader};
    /// let value = Value::from([("id", 7)]);
    /// let mut writer = PackWriter::with_shared(Vec::new(), EncodeOptions::new(), Structures::new());
    /// writer.write_value(&value)?;
    /// let options = DecodeOptions::new().shared_structures(writer.structures().unwrap().clone());
    /// let bytes = writer.into_inner();
    /// assert_eq!(bytes, b"\x40\x07");
    /// assert_eq!(UnpackReader::with_options(&bytes[..], &options).next_value()?, Some(value));
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn with_shared(writer: W, options: impl Borrow<EncodeOptions>, structures: Structures) -> PackWriter<W> {
        let mode = Mode::Records(RecordEncoder::with_shared(options, structures));
        PackWriter::with_mode(writer, mode)
    }

    fn with_mode(writer: W, mode: Mode) -> PackWriter<W> {
        PackWriter {
            writer,
            message: Vec::new(),
            mode,
            written: 0,
        }
    }

    /// Writes a value of any type as one message.
    ///
    /// # Errors
    ///
    /// As for [`EncodeOptions::encode`]; `io` if the writer fails.
    pub fn write_value<S, B>(&mut self, value: &Tree<S, B>) -> Result<()>
    where
        S: AsRef<str>,
        B: AsRef<[u8]>,
    {
        self.message.clear();
        match &mut self.mode {
            Mode::Plain(options) => options.encode_into(value, &mut self.message)?,
            Mode::Records(encoder) => encoder.encode_into(value, &mut self.message)?,
        }
        self.send()
    }

    /// Writes a value of a type of the program as one message.
    ///
    /// ```
    /// use packord::io::PackWriter;
    /// let mut writer = PackWriter::new(Vec::new());
    /// writer.pack(&(7, "seven"))?;
    /// assert_eq!(writer.into_inner(), b"\x92\x07\xa5seven");
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`EncodeOptions::pack`]; `io` if the writer fails.
    pub fn pack<T: Packable + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.message = match &mut self.mode {
            Mode::Plain(options) => options.pack(value)?,
            Mode::Records(encoder) => encoder.pack(value)?,
        };
        self.send()
    }

    /// Writes what `plain` appends to a buffer as one message, with records if they are on.
    #[cfg(feature = "serde")]
    pub(crate) fn write_by(&mut self, plain: impl FnOnce(EncodeOptions, &mut Vec<u8>) -> Result<()>) -> Result<()> {
        self.message.clear();
        match &mut self.mode {
            Mode::Plain(options) => plain(*options, &mut self.message)?,
            Mode::Records(encoder) => {
                let mut bytes = Vec::new();
                plain(EncodeOptions::new(), &mut bytes)?;
                let value = DecodeOptions::new().max_depth(u32::MAX).decode_ref(&bytes)?;
                encoder.encode_into(&value, &mut self.message)?;
            }
        }
        self.send()
    }

    fn send(&mut self) -> Result<()> {
        self.writer
            .write_all(&self.message)
            .map_err(|error| Error::io(error, self.written))?;
        self.written += self.message.len() as u64;
        Ok(())
    }

    /// Flushes the writer.
    ///
    /// # Errors
    ///
    /// `io` if the writer fails.
    pub fn flush(&mut self) -> Result<()> {
        self.writer.flush().map_err(|error| Error::io(error, self.written))
    }

    /// Returns the shared list in its current state, if records are on.
    pub fn structures(&self) -> Option<&Structures> {
        match &self.mode {
            Mode::Plain(_) => None,
            Mode::Records(encoder) => Some(encoder.structures()),
        }
    }

    /// Returns the number of bytes written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Returns the inner writer without flushing it.
    pub fn into_inner(self) -> W {
        self.writer
    }
}
