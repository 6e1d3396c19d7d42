//! Reading and writing whole messages with a [`Config`].

use super::by_option::ByOption;
use super::config::{Bytes, Config};
use super::de::Deserializer;
use super::detached::Detached;
use super::lone::Lone;
use super::ser::Serializer;
use crate::error::{Error, Result};
use crate::options::Trailing;
use crate::read::check_trailing;
use crate::wire::{Buffer, Fixed};
use ::serde::{Deserialize, Serialize};
use alloc::vec::Vec;

impl Config {
    /// Writes a value.
    ///
    /// # Errors
    ///
    /// See [`to_vec`](super::to_vec); `duplicate_key` in the canonical form.
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        // The serializer owns its vector: the length of a borrowed one would be stored and read for each value.
        let plain = self.write(Vec::with_capacity(128), value)?;
        let Some(by) = self.rewriter() else {
            return Ok(plain);
        };
        let mut bytes = Vec::new();
        (by.rewrite)(&self.encode, &plain, &mut bytes)?;
        Ok(bytes)
    }

    /// Appends a value to a buffer, and returns the number of bytes. After an error the buffer is
    /// unchanged.
    ///
    /// # Errors
    ///
    /// See [`to_buffer`](super::to_buffer).
    pub fn to_buffer<B, T>(&self, buffer: &mut B, value: &T) -> Result<usize>
    where
        B: Buffer,
        T: Serialize + ?Sized,
    {
        let begin = buffer.output().len();
        let mut message = Unfinished { buffer, begin };
        if self.goes_through_memory() {
            message.buffer.put_with([], &self.to_vec(value)?)?;
        } else {
            self.write(&mut *message.buffer, value)?;
        }
        message.begin = message.buffer.output().len();
        Ok(message.begin - begin)
    }

    /// Appends a value in the plain form, and returns the buffer.
    fn write<B: Buffer, T: Serialize + ?Sized>(&self, out: B, value: &T) -> Result<B> {
        let mut serializer = Serializer::with_config(out, self);
        value.serialize(&mut serializer).map_err(Error::rooted)?;
        Ok(serializer.out)
    }

    /// Returns whether a value is not written where it goes. Detected bytes are shorter in the end than at first, and so
    /// might fit only then.
    fn goes_through_memory(&self) -> bool {
        self.rewriter().is_some() || self.bytes == Bytes::Detected
    }

    /// Returns what writes plain values in another form, if the options ask for one.
    fn rewriter(&self) -> Option<&'static ByOption> {
        let options = &self.encode;
        let is_plain = !(options.has_columns() || options.records || options.rewrites());
        debug_assert!(is_plain || self.by_option.is_some(), "an option did not bring its code");
        self.by_option.filter(|_| !is_plain)
    }

    /// Writes a value into the slice, and returns the number of bytes.
    ///
    /// # Errors
    ///
    /// See [`to_slice`](super::to_slice).
    pub fn to_slice<T: Serialize + ?Sized>(&self, value: &T, space: &mut [u8]) -> Result<usize> {
        let mut out = Fixed::new(space);
        if self.goes_through_memory() {
            return self.to_buffer(&mut out, value);
        }
        // Its own buffer, as in `to_vec`. Nobody sees what it holds after an error.
        Ok(self.write(out, value)?.written().len())
    }

    /// Writes a value to a writer with one call of `write_all`.
    ///
    /// # Errors
    ///
    /// See [`to_writer`](super::to_writer).
    #[cfg(feature = "std")]
    pub fn to_writer<W: std::io::Write, T: Serialize + ?Sized>(&self, mut writer: W, value: &T) -> Result<()> {
        let bytes = self.to_vec(value)?;
        writer.write_all(&bytes).map_err(|error| Error::io(error, 0))
    }

    /// Reads one message, which must take all of the bytes.
    ///
    /// # Errors
    ///
    /// See [`from_slice`](super::from_slice).
    pub fn from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        if self.decode.rules.columns.is_some() {
            let (value, end) = self.columns_prefix(bytes)?;
            check_trailing(bytes, end, self.decode.trailing == Trailing::Allow)?;
            return Ok(value);
        }
        Lone::message(bytes, self, None)
    }

    /// Reads the message at the start of the bytes, and returns the value and its length in bytes.
    ///
    /// ```
    /// use packord::serde::Config;
    /// let (pair, len) = Config::new().from_prefix::<(u8, u8)>(b"\x92\x01\x02\xc0")?;
    /// assert_eq!((pair, len), ((1, 2), 3));
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`from_slice`](super::from_slice), without `trailing_bytes`.
    pub fn from_prefix<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<(T, usize)> {
        if self.decode.rules.columns.is_some() {
            return self.columns_prefix(bytes);
        }
        let mut end = 0;
        Lone::message(bytes, self, Some(&mut end)).map(|value| (value, end))
    }

    /// Reads the message at the start of the bytes, in which values may be stored by column. What is borrowed
    /// from such a message is refused by serde: its values are expanded into memory of their own.
    #[cold]
    fn columns_prefix<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<(T, usize)> {
        let expanded = self.decode.expand(bytes, self.decode.record_state())?;
        match expanded.filter(|expanded| expanded.has_columns) {
            None => {
                let mut plain = self.clone();
                plain.decode = plain.decode.without_columns();
                plain.from_prefix(bytes)
            }
            Some(expanded) => expanded.read(&self.decode, bytes, |options, bytes| {
                let mut deserializer = Deserializer::with_options(bytes, options, self.form());
                let value = deserializer.message_with(|deserializer| T::deserialize(Detached::new(deserializer)))?;
                Ok((value, deserializer.offset()))
            }),
        }
    }
}

/// Drops what was written of a value that failed, or whose type panicked.
struct Unfinished<'b, B: Buffer> {
    buffer: &'b mut B,
    begin: usize,
}

impl<B: Buffer> Drop for Unfinished<'_, B> {
    fn drop(&mut self) {
        self.buffer.truncate(self.begin);
    }
}
