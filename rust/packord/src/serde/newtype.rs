//! How ext values pass through serde's data model, which does not have them: as a newtype struct
//! with a fixed name, whose content is bytes: the type of the ext, then its payload. Other formats
//! write these bytes.
//!
//! The types of rmp-serde, `rmpv::Value` among them, use another name, and a tuple of the two.

use crate::error::{self, Error, ErrorKind};
use crate::value::{Tree, ValueRef};
use ::serde::de::value::{BorrowedBytesDeserializer, I8Deserializer};
use ::serde::de::{self, DeserializeSeed, SeqAccess, Visitor};
use ::serde::ser::{Serialize, Serializer};
use core::marker::PhantomData;

/// The name of the newtype struct.
pub(super) const EXT: &str = "$packord::Ext";

/// The name that the types of rmp-serde have for an ext.
pub(super) const RMP_EXT: &str = "_ExtStruct";

/// The name of a newtype struct whose content is the bytes of a whole message. Reading passes these
/// bytes to the visitor, and writing takes them as they are. For other formats it is a newtype
/// struct like others.
pub(super) const RAW: &str = "$packord::Raw";

/// Returns the type and payload of an ext from the tuple of a type of rmp-serde.
pub(super) fn rmp_parts<'t>(tuple: &ValueRef<'t>) -> error::Result<(i8, &'t [u8])> {
    if let Tree::Array(parts) = tuple {
        if let [Tree::Int(kind), Tree::Bin(payload)] = parts[..] {
            if let Ok(kind) = i8::try_from(kind) {
                return Ok((kind, payload));
            }
        }
    }
    let error = Error::new(ErrorKind::InvalidExt);
    Err(error.with_detail("an _ExtStruct is a tuple of an i8 and bytes"))
}

/// Type and payload, for a serializer.
pub(super) struct Tagged<'t>(pub &'t [u8]);

impl Serialize for Tagged<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(EXT, &PlainBytes(self.0))
    }
}

/// Bytes that are written as bytes.
pub(super) struct PlainBytes<'b>(pub &'b [u8]);

impl Serialize for PlainBytes<'_> {
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

    /// The types of rmp-serde read a tuple, and serde's buffer keeps what is read here: the types of this
    /// crate can be made of both.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_seq(TaggedParts {
            kind: self.0.first().copied(),
            payload: self.0.get(1..),
            errors: PhantomData,
        })
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_borrowed_bytes(self.0)
    }

    ::serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Type and payload, one after the other.
struct TaggedParts<'de, E> {
    kind: Option<u8>,
    payload: Option<&'de [u8]>,
    errors: PhantomData<E>,
}

impl<'de, E: de::Error> SeqAccess<'de> for TaggedParts<'de, E> {
    type Error = E;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, E> {
        if let Some(kind) = self.kind.take() {
            return seed.deserialize(I8Deserializer::new(kind as i8)).map(Some);
        }
        self.payload
            .take()
            .map(|payload| seed.deserialize(BorrowedBytesDeserializer::new(payload)))
            .transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(usize::from(self.kind.is_some()) + usize::from(self.payload.is_some()))
    }
}
