//! Messages that are passed on as they are.

use super::newtype::{PlainBytes, RAW};
use crate::walk::RawMessage;
use ::serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use ::serde::ser::{Serialize, Serializer};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

/// Other formats write a newtype struct of bytes.
impl<B: AsRef<[u8]>> Serialize for RawMessage<B> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(RAW, &PlainBytes(self.as_bytes()))
    }
}

struct RawVisitor<B>(PhantomData<B>);

macro_rules! raw {
    ([$($a:lifetime)?] $bytes:ty, $visit:ident($slice:ty) $(, $item:item)?) => {
        impl<'de $(: $a, $a)?> Visitor<'de> for RawVisitor<$bytes> {
            type Value = RawMessage<$bytes>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the bytes of a message")
            }

            fn $visit<E: de::Error>(self, bytes: $slice) -> Result<Self::Value, E> {
                RawMessage::new(bytes.into()).map_err(E::custom)
            }

            $($item)?

            fn visit_newtype_struct<D: Deserializer<'de>>(self, content: D) -> Result<Self::Value, D::Error> {
                content.deserialize_bytes(self)
            }
        }

        impl<'de $(: $a, $a)?> Deserialize<'de> for RawMessage<$bytes> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_newtype_struct(RAW, RawVisitor::<$bytes>(PhantomData))
            }
        }
    };
}

raw!([] Vec<u8>, visit_bytes(&[u8]),
    /// Formats without bytes have an array of numbers.
    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self::Value, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = elements.next_element()? {
            bytes.push(byte);
        }
        RawMessage::new(bytes).map_err(de::Error::custom)
    }
);
raw!(['a] &'a [u8], visit_borrowed_bytes(&'de [u8]));
