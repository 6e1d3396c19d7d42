//! How ext values pass through serde's data model, which does not have them: as a newtype struct
//! with a fixed name, whose content is bytes: the type of the ext, then its payload. Other formats
//! write these bytes.

use ::serde::de::{self, Visitor};
use ::serde::ser::{Serialize, Serializer};
use core::marker::PhantomData;

/// The name of the newtype struct.
pub(super) const EXT: &str = "$packord::Ext";

/// Type and payload, for a serializer.
pub(super) struct Tagged<'t>(pub &'t [u8]);

impl Serialize for Tagged<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(EXT, &ExtContent(self.0))
    }
}

struct ExtContent<'t>(&'t [u8]);

impl Serialize for ExtContent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// Type and payload from the input, for a visitor.
pub(super) struct TaggedBytes<'de, E>(&'de [u8], PhantomData<E>);

impl<'de, E> TaggedBytes<'de, E> {
    pub fn new(tagged: &'de [u8]) -> Self {
        TaggedBytes(tagged, PhantomData)
    }
}

impl<'de, E: de::Error> de::Deserializer<'de> for TaggedBytes<'de, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_borrowed_bytes(self.0)
    }

    ::serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
