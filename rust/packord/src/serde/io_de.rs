//! [`IoDeserializer`]: messages of a reader to serde's data model.

use super::config::Config;
use super::de::{Deserializer, deserializer_methods};
use super::detached::Detached;
use crate::error::{Error, ErrorKind, Result};
use crate::io::UnpackReader;
use ::serde::de::{self, Visitor};
use std::io::Read;

/// Reads values of serde's `Deserialize` from any [`std::io::Read`], one message with each call, and
/// no byte after it. For types that are known, [`from_read`](super::from_read) is simpler; a
/// deserializer is for code that asks for one.
///
/// The bytes of a message are kept until it is read, so a type cannot borrow from them: `&str` is
/// `type_mismatch`. For speed, and where only one reads from it, give it a `BufReader`.
///
/// ```
/// use packord::serde::IoDeserializer;
/// use serde::Deserialize;
///
/// let mut deserializer = IoDeserializer::new(&b"\x92\x01\x02\xa3two!"[..]);
/// assert_eq!(<[u8; 2]>::deserialize(&mut deserializer)?, [1, 2]);
/// assert_eq!(String::deserialize(&mut deserializer)?, "two");
/// assert_eq!(deserializer.offset(), 7);
/// assert_eq!(deserializer.into_inner(), b"!");
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Debug)]
pub struct IoDeserializer<R> {
    reader: UnpackReader<R>,
}

impl<R: Read> IoDeserializer<R> {
    /// Returns a deserializer with the default configuration.
    pub fn new(reader: R) -> IoDeserializer<R> {
        IoDeserializer::with_config(reader, &Config::new())
    }

    /// Returns a deserializer with a configuration.
    pub fn with_config(reader: R, config: &Config) -> IoDeserializer<R> {
        let reader = config.reader(reader).exact(true);
        IoDeserializer { reader }
    }

    /// Returns how many bytes the messages had that were read.
    pub fn offset(&self) -> u64 {
        self.reader.scanner().offset()
    }

    /// Returns the inner reader, which is after the last message.
    pub fn get_ref(&self) -> &R {
        self.reader.get_ref()
    }

    /// Returns the inner reader, which may be moved to another message.
    pub fn get_mut(&mut self) -> &mut R {
        self.reader.get_mut()
    }

    /// Returns the inner reader, which is moved out.
    pub fn into_inner(self) -> R {
        self.reader.into_inner()
    }

    /// Reads the next message with a function that takes a visitor.
    fn message<T>(&mut self, read: impl FnOnce(&mut Deserializer<'_, '_>) -> Result<T>) -> Result<T> {
        let form = self.reader.form;
        let message = self.reader.next_once(|options, bytes| {
            options.with_expanded(bytes, options.record_state(), |options, bytes| {
                let mut deserializer = Deserializer::with_options(bytes, options, form);
                let value = read(&mut deserializer)?;
                Ok((value, deserializer.offset()))
            })
        })?;
        message.ok_or_else(|| Error::at(ErrorKind::Eof, self.offset()))
    }
}

macro_rules! forward {
    ($($method:ident($($name:ident: $type:ty),*))*) => {$(
        fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value> {
            self.message(|deserializer| {
                de::Deserializer::$method(deserializer, $($name,)* Detached::new(visitor))
            })
        }
    )*};
}

impl<'de, R: Read> de::Deserializer<'de> for &mut IoDeserializer<R> {
    type Error = Error;

    deserializer_methods!(forward);

    fn is_human_readable(&self) -> bool {
        self.reader.form.human_readable
    }
}
