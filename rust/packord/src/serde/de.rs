//! [`Deserializer`]: bytes to serde's data model.

use super::by_option::BY_OPTION;
use super::config::{Config, DEFAULT};
use super::decoder::SerdeDecoder;
use crate::error::{Error, ErrorKind, Result, on_error};
use crate::options::{DecodeOptions, SerdeForm, Trailing};
use crate::read::check_trailing;
use crate::walk::{Counted, plain_path_at};
use ::serde::de::{self, Deserialize, Visitor};
use alloc::boxed::Box;

/// Reads values of serde's `Deserialize`, one message with each call.
///
/// ```
/// use packord::serde::Deserializer;
/// use serde::Deserialize;
///
/// let mut deserializer = Deserializer::new(b"\x01\xa3two");
/// assert_eq!(u8::deserialize(&mut deserializer)?, 1);
/// assert_eq!(<&str>::deserialize(&mut deserializer)?, "two");
/// deserializer.end()?;
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Debug)]
pub struct Deserializer<'c, 'de> {
    decoder: SerdeDecoder<'c, 'de>,
    options: &'c DecodeOptions,
    /// For the path of the next error, once there was one: each message is counted once.
    counted: Option<Box<Counted>>,
}

impl<'de> Deserializer<'static, 'de> {
    /// Returns a deserializer with the default configuration.
    #[must_use]
    pub fn new(input: &'de [u8]) -> Deserializer<'static, 'de> {
        Deserializer::with_config(input, DEFAULT)
    }
}

impl<'c, 'de> Deserializer<'c, 'de> {
    /// Returns a deserializer with a configuration.
    #[inline(always)]
    #[must_use]
    pub fn with_config(input: &'de [u8], config: &'c Config) -> Deserializer<'c, 'de> {
        Deserializer {
            decoder: SerdeDecoder::new(input, &config.decode, config.form(), config.by_option),
            options: &config.decode,
            counted: None,
        }
    }

    #[inline(always)]
    pub(super) fn with_options(input: &'de [u8], options: &'c DecodeOptions, form: SerdeForm) -> Deserializer<'c, 'de> {
        Deserializer {
            decoder: SerdeDecoder::new(input, options, form, Some(&BY_OPTION)),
            options,
            counted: None,
        }
    }

    /// Reads the next message; returns `None` at the end of the input. After a message that is at fault,
    /// or does not fit the type, the next one can be read; an error of a message whose end is unknown is
    /// reported again by each call.
    ///
    /// ```
    /// use packord::serde::Deserializer;
    /// let mut deserializer = Deserializer::new(b"\x01\x02\x03");
    /// let mut sum = 0;
    /// while let Some(number) = deserializer.next::<u32>()? {
    ///     sum += number;
    /// }
    /// assert_eq!(sum, 6);
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`from_slice`](super::from_slice).
    #[allow(clippy::should_implement_trait, reason = "fallible, and the natural name")]
    pub fn next<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        if self.offset() == self.decoder.input.len() {
            return Ok(None);
        }
        self.message().map(Some)
    }

    /// Reads the next message. An error that a type reports after reading has no place yet.
    pub(super) fn message<T: Deserialize<'de>>(&mut self) -> Result<T> {
        self.message_with(|deserializer| T::deserialize(deserializer))
    }

    /// Reads a message with a function, and tells where an error is.
    pub(super) fn message_with<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let start = self.offset();
        let outcome = read(self);
        on_error(outcome, |error| self.refused(error, start))
    }

    /// Returns the error of a message, with its place, and moves to the end of that message.
    #[cold]
    fn refused(&mut self, error: Error, start: usize) -> Error {
        let error = match error.offset() {
            None => self.located(error, start),
            Some(_) => error,
        };
        self.decoder.pass_over(start);
        error
    }

    /// Returns the index of the next byte.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.decoder.values.pos
    }

    /// Checks that nothing follows.
    ///
    /// # Errors
    ///
    /// `trailing_bytes`, unless they are allowed.
    pub fn end(&self) -> Result<()> {
        let allowed = self.options.trailing == Trailing::Allow;
        Ok(check_trailing(self.decoder.input, self.offset(), allowed)?)
    }

    /// Returns the error with its place, as far as it is known.
    #[cold]
    pub(super) fn located(&mut self, mut error: Error, start: usize) -> Error {
        error.place(start);
        let input = self.decoder.input;
        let error = error.name_timestamp(input);
        match error.offset() {
            Some(offset) if error.kind() != ErrorKind::TrailingBytes => {
                let counted = self.counted.get_or_insert_default();
                error.with_path(match self.decoder.by_option {
                    Some(by) => (by.path)(input, start, offset, self.options, counted),
                    None => plain_path_at(input, offset as usize, counted),
                })
            }
            _ => error,
        }
    }
}

/// Calls a macro with the methods of serde's `Deserializer` and their parameters before the visitor.
macro_rules! deserializer_methods {
    ($forward:ident) => {
        $forward! {
            deserialize_any() deserialize_bool() deserialize_char() deserialize_str()
            deserialize_string() deserialize_i8() deserialize_i16() deserialize_i32()
            deserialize_i64() deserialize_i128() deserialize_u8() deserialize_u16()
            deserialize_u32() deserialize_u64() deserialize_u128() deserialize_f32()
            deserialize_f64() deserialize_bytes() deserialize_byte_buf() deserialize_option()
            deserialize_unit() deserialize_seq() deserialize_map() deserialize_identifier()
            deserialize_ignored_any()
            deserialize_unit_struct(name: &'static str)
            deserialize_newtype_struct(name: &'static str)
            deserialize_tuple(len: usize)
            deserialize_tuple_struct(name: &'static str, len: usize)
            deserialize_struct(name: &'static str, fields: &'static [&'static str])
            deserialize_enum(name: &'static str, variants: &'static [&'static str])
        }
    };
}
pub(super) use deserializer_methods;

macro_rules! forward {
    ($($method:ident($($name:ident: $type:ty),*))*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value> {
            let start = self.decoder.values.pos;
            self.decoder.values.begin(start);
            let outcome = de::Deserializer::$method(&mut self.decoder, $($name,)* visitor);
            let outcome = self.decoder.settled(outcome);
            on_error(outcome, |error| {
                let error = self.located(error, start);
                self.refused(error, start)
            })
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Deserializer<'_, 'de> {
    type Error = Error;

    deserializer_methods!(forward);

    fn is_human_readable(&self) -> bool {
        self.decoder.reads_text()
    }
}
