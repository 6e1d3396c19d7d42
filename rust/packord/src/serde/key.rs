//! The names of a record's fields, as keys for the types that read them.

use super::decoder::SerdeDecoder;
use crate::error::{Error, ErrorKind, Result};
use ::serde::de::{self, Visitor};

pub(super) struct FieldName<'n, 'r, 'c, 'de> {
    pub name: &'n str,
    pub decoder: &'r mut SerdeDecoder<'c, 'de>,
    /// The name of a definition in the input that is likely to be the same.
    pub defined: Option<&'de str>,
}

impl<'de> de::Deserializer<'de> for FieldName<'_, '_, '_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let taken = self.decoder.names_left.take(self.name);
        taken.map_err(|words| Error::new(ErrorKind::LengthLimit).with_detail(words))?;
        // A definition that was passed over may have taken the place of this one.
        match self.defined.filter(|&name| name == self.name) {
            Some(name) => visitor.visit_borrowed_str(name),
            None => visitor.visit_str(self.name),
        }
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_str(self.name)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
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
