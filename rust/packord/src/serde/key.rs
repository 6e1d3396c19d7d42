//! The names of a record's fields, for types that want keys.

use super::reader::Reader;
use crate::error::{Error, ErrorKind, Result};
use ::serde::de::{self, Visitor};

/// How many bytes of names are given to types that copy them, for each byte of the input. A name
/// stands in the input once and is given with each record: without a bound a long name and many
/// short records would fill the memory.
const COPIED: usize = 32;
/// How many there are for short inputs.
const COPIED_ALWAYS: usize = 1 << 20;

/// One name.
pub(super) struct Name<'n, 'r, 'c, 'de> {
    pub name: &'n str,
    pub reader: &'r mut Reader<'c, 'de>,
}

/// The bytes of names that may be copied out of an input of this length.
pub(super) fn budget(len: usize) -> usize {
    len.saturating_mul(COPIED).saturating_add(COPIED_ALWAYS)
}

impl<'de> de::Deserializer<'de> for Name<'_, '_, '_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Some(left) = self.reader.names_left.checked_sub(self.name.len()) else {
            let error = Error::new(ErrorKind::LengthLimit);
            return Err(error.with_detail("the names of record fields would be copied too often"));
        };
        self.reader.names_left = left;
        visitor.visit_str(self.name)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_str(self.name)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_enum(de::value::StrDeserializer::<Error>::new(self.name))
    }

    ::serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map struct
    }
}
