//! Types of serde in streams: [`UnpackReader`] and [`PackWriter`].

use super::config::Config;
use super::de::Deserializer;
use crate::error::{Error, ErrorKind, Result};
use crate::io::{Messages, PackWriter, UnpackReader};
use crate::options::Trailing;
use ::serde::Serialize;
use ::serde::de::DeserializeOwned;
use std::io::{Read, Write};

impl<R: Read> UnpackReader<R> {
    /// Reads the next message into a type of serde; returns `None` at the end of the stream.
    ///
    /// ```
    /// use packord::io::UnpackReader;
    /// # use serde::Deserialize;
    /// #[derive(Deserialize, PartialEq, Debug)]
    /// struct Point { x: i32, y: i32 }
    ///
    /// let mut reader = UnpackReader::new(&b"\x92\x01\x02\x82\xa1x\x03\xa1y\x04"[..]);
    /// assert_eq!(reader.next::<Point>()?, Some(Point { x: 1, y: 2 }));
    /// assert_eq!(reader.next::<Point>()?, Some(Point { x: 3, y: 4 }));
    /// assert_eq!(reader.next::<Point>()?, None);
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`next_value`](UnpackReader::next_value) and [`from_slice`](super::from_slice), with
    /// the offset in the stream. After a message that does not fit the type the next one can be
    /// read.
    #[allow(clippy::should_implement_trait, reason = "fallible, and the natural name")]
    pub fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>> {
        let form = self.form;
        self.next_typed(|options, bytes| {
            options.with_expanded(bytes, options.record_state(), |options, bytes| {
                let mut deserializer = Deserializer::with_options(bytes, options, form);
                let value = deserializer.message()?;
                Ok((value, deserializer.offset()))
            })
        })
    }

    /// Returns an iterator of the messages as a type of serde.
    ///
    /// ```
    /// use packord::io::UnpackReader;
    /// let mut reader = UnpackReader::new(&b"\x92\x01\xa1a\x92\x02\xa1b"[..]);
    /// let pairs: Vec<(u8, String)> = reader.all().collect::<Result<_, _>>()?;
    /// assert_eq!(pairs[1], (2, "b".to_owned()));
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn all<T: DeserializeOwned>(&mut self) -> Messages<'_, R, T> {
        Messages::new(self, UnpackReader::next)
    }
}

impl<W: Write> PackWriter<W> {
    /// Writes a value of a type of serde as one message. Structs are maps. For another
    /// configuration use [`Config::to_writer`] with the inner writer.
    ///
    /// ```
    /// use packord::io::PackWriter;
    /// # use serde::Serialize;
    /// #[derive(Serialize)]
    /// struct Point { x: i32, y: i32 }
    ///
    /// let mut writer = PackWriter::new(Vec::new());
    /// writer.write(&Point { x: 1, y: 2 })?;
    /// writer.write(&("a", [1.5]))?;
    /// assert_eq!(writer.into_inner(), b"\x82\xa1x\x01\xa1y\x02\x92\xa1a\x91\xcb\x3f\xf8\0\0\0\0\0\0");
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`to_vec`](super::to_vec), and nothing is written; `io` if the writer fails.
    pub fn write<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.write_by(|options, out| {
            let config = Config::new().encode_options(options);
            config.to_buffer(out, value).map(drop)
        })
    }
}

impl Config {
    /// Returns a reader of messages with this configuration, for
    /// [`next`](UnpackReader::next) and [`all`](UnpackReader::all).
    ///
    /// ```
    /// use packord::serde::Config;
    /// use std::net::Ipv4Addr;
    /// let mut reader = Config::new().human_readable(true).reader(&b"\xa9127.0.0.1"[..]);
    /// assert_eq!(reader.next::<Ipv4Addr>()?, Some(Ipv4Addr::LOCALHOST));
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn reader<R: Read>(&self, reader: R) -> UnpackReader<R> {
        let mut reader = UnpackReader::with_options(reader, &self.decode);
        reader.form = self.form();
        reader
    }

    /// Reads one message from a reader, and no byte after it.
    ///
    /// # Errors
    ///
    /// See [`from_read`](super::from_read).
    pub fn from_read<R: Read, T: DeserializeOwned>(&self, reader: R) -> Result<T> {
        let message = self.reader(reader).exact(true).next()?;
        message.ok_or_else(|| Error::at(ErrorKind::Eof, 0))
    }

    /// Reads one message from a reader, up to its end.
    ///
    /// # Errors
    ///
    /// See [`from_reader`](super::from_reader).
    pub fn from_reader<R: Read, T: DeserializeOwned>(&self, reader: R) -> Result<T> {
        let mut reader = self.reader(reader);
        let value = reader.next()?.ok_or_else(|| Error::at(ErrorKind::Eof, 0))?;
        if self.decode.trailing == Trailing::Allow {
            return Ok(value);
        }
        let end = reader.scanner().offset();
        match reader.next_message() {
            Ok(None) => Ok(value),
            Err(error) if error.kind() == ErrorKind::Io => Err(error),
            _ => Err(Error::at(ErrorKind::TrailingBytes, end)),
        }
    }
}
