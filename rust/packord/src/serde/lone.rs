//! [`Lone`]: the first value of a message, which may be all of it.

use super::config::Config;
use super::de::Deserializer;
use super::decoder::SerdeDecoder;
use crate::error::{Error, Result, on_error};
use crate::ext::at_undefined;
use crate::options::Trailing;
use crate::read::check_trailing;
use crate::typed::Cursor;
use crate::wire::header::Kind;
use ::serde::de::{self, Deserialize, Visitor};

/// Reads a message. A lone number, boolean or string needs no decoder, whose state takes longer to
/// make than such a value to read; all else is left to a [`SerdeDecoder`].
pub(super) struct Lone<'c, 'de> {
    input: &'de [u8],
    config: &'c Config,
    /// Number of bytes that were read.
    read: usize,
}

impl<'c, 'de> Lone<'c, 'de> {
    /// Reads the message at the start of the bytes, and tells where it ends. Without `end`, the
    /// message must take all of the bytes.
    #[inline(always)]
    pub fn message<T: Deserialize<'de>>(input: &'de [u8], config: &'c Config, end: Option<&mut usize>) -> Result<T> {
        let mut lone = Lone { input, config, read: 0 };
        let outcome = T::deserialize(&mut lone);
        let value = on_error(outcome, |error| lone.placed(error))?;
        match end {
            Some(end) => *end = lone.read,
            None if lone.read < input.len() => {
                let allowed = config.decode.trailing == Trailing::Allow;
                check_trailing(input, lone.read, allowed)?;
            }
            None => {}
        }
        Ok(value)
    }

    /// Reads a value in a usual encoding of its type, if only the default checks are on.
    #[inline(always)]
    fn quick<T>(&mut self, read: impl FnOnce(&mut Cursor<'de>) -> Option<T>) -> Option<T> {
        if self.config.decode.rules.checked() {
            return None;
        }
        let mut cursor = Cursor::of(self.input);
        let value = read(&mut cursor)?;
        self.read = self.input.len() - cursor.left();
        Some(value)
    }

    #[inline(always)]
    fn full<T>(&mut self, read: impl FnOnce(&mut SerdeDecoder<'c, 'de>) -> Result<T>) -> Result<T> {
        let mut decoder = SerdeDecoder::new(
            self.input,
            &self.config.decode,
            self.config.form(),
            self.config.by_option,
        );
        let outcome = read(&mut decoder);
        let outcome = decoder.settled(outcome);
        self.read = decoder.values.pos;
        on_error(outcome, |error| self.located(error))
    }

    /// The same, out of the way of the usual encodings.
    #[cold]
    #[inline(never)]
    fn unusual<T>(&mut self, read: impl FnOnce(&mut SerdeDecoder<'c, 'de>) -> Result<T>) -> Result<T> {
        self.full(read)
    }

    #[cold]
    fn located(&self, error: Error) -> Error {
        Deserializer::with_config(self.input, self.config).located(error, 0)
    }

    /// Returns the error of a type. It has no place if the type reports it after reading.
    #[cold]
    fn placed(&self, error: Error) -> Error {
        match error.offset() {
            None => self.located(error),
            Some(_) => error,
        }
    }
}

macro_rules! quick {
    ($($method:ident $read:expr, $visit:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.quick($read) {
                Some(value) => visitor.$visit(value),
                None => self.unusual(|full| full.$method(visitor)),
            }
        }
    )*};
}

macro_rules! full {
    ($($method:ident($($name:ident: $type:ty),*))*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value> {
            self.full(|full| full.$method($($name,)* visitor))
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Lone<'_, 'de> {
    type Error = Error;

    quick! {
        deserialize_bool Cursor::bool, visit_bool
        deserialize_u8 Cursor::own_uint::<1>, visit_u64
        deserialize_u16 Cursor::own_uint::<2>, visit_u64
        deserialize_u32 Cursor::own_uint::<4>, visit_u64
        deserialize_u64 Cursor::own_uint::<8>, visit_u64
        deserialize_i8 Cursor::own_int::<1>, visit_i64
        deserialize_i16 Cursor::own_int::<2>, visit_i64
        deserialize_i32 Cursor::own_int::<4>, visit_i64
        deserialize_i64 Cursor::own_int::<8>, visit_i64
        deserialize_f32 Cursor::f32, visit_f32
        deserialize_f64 Cursor::f64, visit_f64
        deserialize_str Cursor::str, visit_borrowed_str
        deserialize_string Cursor::str, visit_borrowed_str
        deserialize_bytes Cursor::bin, visit_borrowed_bytes
        deserialize_byte_buf Cursor::bin, visit_borrowed_bytes
    }

    full! {
        deserialize_any() deserialize_char() deserialize_i128() deserialize_u128()
        deserialize_unit() deserialize_seq() deserialize_map() deserialize_identifier()
        deserialize_ignored_any()
        deserialize_unit_struct(name: &'static str)
        deserialize_newtype_struct(name: &'static str)
        deserialize_tuple(len: usize)
        deserialize_tuple_struct(name: &'static str, len: usize)
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }

    /// The value of an option is as lone as one without.
    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let nil = |cursor: &mut Cursor<'de>| cursor.nil().then_some(());
        match self.quick(nil) {
            Some(()) => visitor.visit_none(),
            None if self.config.decode.rules.checked() || at_undefined(self.input) => {
                self.full(|full| full.deserialize_option(visitor))
            }
            None => visitor.visit_some(self),
        }
    }

    fn is_human_readable(&self) -> bool {
        self.config.human_readable || Kind::at(self.input) == Some(Kind::Str)
    }
}
