//! Values of any type, timestamps and ext as serde types.

use super::newtype::{EXT, Tagged};
use crate::error::Error;
use crate::ext::Timestamp;
use crate::options::DecodeOptions;
use crate::read::tree::{Keep, quick};
use crate::value::{Array, Ext, Integer, Key, Map, Sign, Tree, Value};
use ::serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, Error as _, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, Visitor,
};
use ::serde::ser::{Serialize, SerializeMap, Serializer};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

/// Maximum length of a tagged timestamp: its type and 12 bytes.
const TAGGED_TIMESTAMP: usize = 13;

impl Serialize for Integer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.sign() {
            Sign::Negative(value) => serializer.serialize_i64(value),
            Sign::Positive(value) => serializer.serialize_u64(value),
        }
    }
}

/// An ext of type −1. In other human-readable formats it is a string of RFC 3339, if the year allows
/// it; in other binary formats it is bytes.
impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(EXT, &TimestampContent(*self))
    }
}

struct TimestampContent(Timestamp);

impl Serialize for TimestampContent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() && self.0.has_rfc3339() {
            return serializer.collect_str(&self.0);
        }
        let (payload, len) = self.0.payload();
        let mut tagged = [Timestamp::EXT_TYPE as u8; TAGGED_TIMESTAMP];
        tagged[1..].copy_from_slice(&payload);
        serializer.serialize_bytes(&tagged[..=len])
    }
}

impl<B: AsRef<[u8]>> Serialize for Ext<B> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Tagged(self.tagged()).serialize(serializer)
    }
}

impl<S: AsRef<str>, B: AsRef<[u8]>> Serialize for Tree<S, B> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        match self {
            Tree::Nil => serializer.serialize_unit(),
            Tree::Bool(value) => serializer.serialize_bool(*value),
            Tree::Int(value) => value.serialize(serializer),
            Tree::F32(value) => serializer.serialize_f32(*value),
            Tree::F64(value) => serializer.serialize_f64(*value),
            Tree::Str(text) => serializer.serialize_str(text.as_ref()),
            Tree::Bin(bytes) => serializer.serialize_bytes(bytes.as_ref()),
            Tree::Array(array) => array.serialize(serializer),
            Tree::Map(map) => map.serialize(serializer),
            Tree::Ext(ext) => ext.serialize(serializer),
            Tree::Timestamp(at) => at.serialize(serializer),
        }
    }
}

impl<S: AsRef<str>, B: AsRef<[u8]>> Serialize for Array<S, B> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<S: AsRef<str>, B: AsRef<[u8]>> Serialize for Map<S, B> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let mut entries = serializer.serialize_map(Some(self.len()))?;
        for (key, value) in self {
            match key {
                Key::Value(key) => entries.serialize_entry(key, value)?,
                Key::Name(name) => entries.serialize_entry(name, value)?,
            }
        }
        entries.end()
    }
}

struct TreeVisitor<S>(PhantomData<S>);

/// Returns whether the visitor makes a tree, which [`PackedValue`] can pass at once. Were the names of
/// types to change, trees would be read piece by piece.
#[inline(always)]
pub(super) fn makes_tree<V>() -> bool {
    core::any::type_name::<V>() == core::any::type_name::<TreeVisitor<Box<str>>>() || borrows_tree::<V>()
}

/// Returns whether the visitor makes a tree that borrows from the input.
#[inline(always)]
pub(super) fn borrows_tree<V>() -> bool {
    core::any::type_name::<V>() == core::any::type_name::<TreeVisitor<&str>>()
}

/// Adds an item. Room is reserved for all that are announced if they are at most three times as many as
/// have come, and else for as many as have come, at first 1 MB as in serde: so what is moved at last is at
/// most half of all.
fn push<T>(items: &mut Vec<T>, item: T, announced: Option<usize>) {
    if items.len() == items.capacity() {
        let (here, first) = (items.len(), (1 << 20) / size_of::<T>());
        let more = announced.map_or(4, |more| more.saturating_add(1));
        items.reserve_exact(if more <= 3 * here {
            more
        } else {
            more.min(here.max(first))
        });
    }
    items.push(item);
}

impl<'de, S: Keep<'de>> Visitor<'de> for TreeVisitor<S>
where
    Tree<S, S::Bytes>: Deserialize<'de>,
{
    type Value = Tree<S, S::Bytes>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Tree::Nil)
    }
    fn visit_none<E>(self) -> Result<Self::Value, E> {
        Ok(Tree::Nil)
    }
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Tree::Bool(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(value.into())
    }
    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(value.into())
    }
    fn visit_i128<E: de::Error>(self, value: i128) -> Result<Self::Value, E> {
        if let Ok(value) = Integer::try_from(value) {
            return Ok(Tree::Int(value));
        }
        let wide = Value::from(value);
        let tagged = wide.as_ext().and_then(|ext| S::copied_bytes(ext.tagged()));
        let tagged = tagged.ok_or_else(|| E::invalid_type(Unexpected::Other("bigint"), &"one that can be borrowed"))?;
        Ok(Tree::Ext(Ext::trusted(tagged)))
    }
    fn visit_f32<E>(self, value: f32) -> Result<Self::Value, E> {
        Ok(Tree::F32(value))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Tree::F64(value))
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Tree::Str(S::text(text)))
    }
    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        let owned = S::copied_text(|| text.into()).map(Tree::Str);
        owned.ok_or_else(|| E::invalid_type(Unexpected::Str(text), &"a str that can be borrowed"))
    }
    fn visit_borrowed_bytes<E>(self, bytes: &'de [u8]) -> Result<Self::Value, E> {
        Ok(Tree::Bin(S::bytes(bytes)))
    }
    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        let owned = S::copied_bytes(bytes).map(Tree::Bin);
        owned.ok_or_else(|| E::invalid_type(Unexpected::Bytes(bytes), &"bytes that can be borrowed"))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_bytes(ExtVisitor::<S>(PhantomData))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self::Value, A::Error> {
        let mut values = Vec::<Self::Value>::new();
        while let Some(value) = elements.next_element()? {
            push(&mut values, value, elements.size_hint());
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::<(Self::Value, Self::Value)>::new();
        while let Some(key) = entries.next_key()? {
            let pair = (key, entries.next_value()?);
            push(&mut pairs, pair, entries.size_hint());
        }
        Ok(pairs.into())
    }
}

impl<'de> Deserialize<'de> for Tree<Box<str>, Box<[u8]>> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor::<Box<str>>(PhantomData))
    }
}

/// The keys of records whose definitions are in other messages, or in values that a type around this one
/// has skipped, cannot be borrowed, and are an error.
impl<'de: 'a, 'a> Deserialize<'de> for Tree<&'a str, &'a [u8]> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor::<&'a str>(PhantomData))
    }
}

/// Returns an ext or a timestamp of a type and a payload.
struct ExtVisitor<S>(PhantomData<S>);

impl<'de, S: Keep<'de>> ExtVisitor<S> {
    fn make<E: de::Error>(self, tagged: &[u8], bytes: Option<S::Bytes>) -> Result<Tree<S, S::Bytes>, E> {
        match (tagged.split_first(), bytes) {
            (Some((&kind, payload)), _) if kind as i8 == Timestamp::EXT_TYPE => timestamp(payload).map(Tree::Timestamp),
            (Some(_), Some(bytes)) => Ok(Tree::Ext(Ext::trusted(bytes))),
            (Some(_), None) => Err(E::invalid_type(
                Unexpected::Bytes(tagged),
                &"an ext that can be borrowed",
            )),
            (None, _) => Err(E::invalid_length(0, &self)),
        }
    }
}

impl<'de, S: Keep<'de>> Visitor<'de> for ExtVisitor<S> {
    type Value = Tree<S, S::Bytes>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an ext: its type, then its bytes")
    }

    fn visit_borrowed_bytes<E: de::Error>(self, tagged: &'de [u8]) -> Result<Self::Value, E> {
        self.make(tagged, Some(S::bytes(tagged)))
    }

    fn visit_bytes<E: de::Error>(self, tagged: &[u8]) -> Result<Self::Value, E> {
        self.make(tagged, S::copied_bytes(tagged))
    }

    /// The type and the payload from serde's buffer, or the bytes one by one from other formats.
    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self::Value, A::Error> {
        let mut tagged = ExtParts::default();
        while elements.next_element_seed(&mut tagged)?.is_some() {}
        self.visit_bytes(&tagged.0)
    }

    /// A value of any type from [`PackedValue`].
    fn visit_map<A: MapAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
        if let (Some(bytes), max_depth) = (parts.next_key::<&[u8]>()?, parts.next_value()?) {
            let rules = DecodeOptions::new().max_depth(max_depth).rules();
            if let Some((value, rest)) = quick::<S>(bytes, &rules) {
                parts.next_key_seed(ReadLen(bytes.len() - rest.len()))?;
                return Ok(value);
            }
        }
        Err(A::Error::custom("the value is at fault"))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_bytes(self)
    }
}

/// The bytes of an ext, from parts that are bytes or one byte.
#[derive(Default)]
struct ExtParts(Vec<u8>);

impl<'de> DeserializeSeed<'de> for &mut ExtParts {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for &mut ExtParts {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an ext: its type, then its bytes")
    }

    fn visit_u64<E: de::Error>(self, byte: u64) -> Result<(), E> {
        let byte = u8::try_from(byte);
        self.0
            .push(byte.map_err(|_| E::invalid_value(Unexpected::Other("number"), &self))?);
        Ok(())
    }

    fn visit_i64<E: de::Error>(self, kind: i64) -> Result<(), E> {
        self.visit_u64(i8::try_from(kind).map_or(u64::MAX, |kind| u64::from(kind as u8)))
    }

    fn visit_bytes<E>(self, payload: &[u8]) -> Result<(), E> {
        self.0.extend_from_slice(payload);
        Ok(())
    }
}

/// A value of any type that is not read yet, for a [`TreeVisitor`]: its bytes, and how many containers
/// may be open in it. It is passed as the map of these two, and then takes the number of bytes that
/// were read.
pub(super) struct PackedValue<'de> {
    pub bytes: &'de [u8],
    pub max_depth: u32,
    pub len: usize,
}

impl<'de> Deserializer<'de> for &mut PackedValue<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_map(self)
    }

    ::serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> MapAccess<'de> for &mut PackedValue<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        seed.deserialize(PackedBytes(self)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(self.max_depth.into_deserializer())
    }
}

struct PackedBytes<'p, 'de>(&'p mut PackedValue<'de>);

impl<'de> Deserializer<'de> for PackedBytes<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_bytes(self.0.bytes)
    }

    /// Takes the length that was read.
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.0.len = len;
        visitor.visit_unit()
    }

    ::serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple_struct map struct enum identifier ignored_any
    }
}

struct ReadLen(usize);

impl<'de> DeserializeSeed<'de> for ReadLen {
    type Value = IgnoredAny;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<IgnoredAny, D::Error> {
        deserializer.deserialize_tuple(self.0, IgnoredAny)
    }
}

fn timestamp<E: de::Error>(payload: &[u8]) -> Result<Timestamp, E> {
    Timestamp::from_payload(payload).ok_or_else(|| E::custom("timestamp is malformed"))
}

macro_rules! ext {
    ($([$($a:lifetime)?] $text:ty, $bytes:ty;)*) => {$(
        impl<'de $(: $a, $a)?> Deserialize<'de> for Ext<$bytes> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                match deserializer.deserialize_newtype_struct(EXT, ExtVisitor::<$text>(PhantomData))? {
                    Tree::Ext(ext) => Ok(ext),
                    _ => Err(D::Error::invalid_type(Unexpected::Other("timestamp"), &"another ext")),
                }
            }
        }
    )*};
}
ext! {
    [] Box<str>, Box<[u8]>;
    ['a] &'a str, &'a [u8];
}

/// Reads an ext of type −1, or a string of RFC 3339, which other libraries write.
impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
        deserializer.deserialize_newtype_struct(EXT, TimestampVisitor)
    }
}

struct TimestampVisitor;

impl<'de> Visitor<'de> for TimestampVisitor {
    type Value = Timestamp;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a timestamp")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Timestamp, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(self)
        } else {
            deserializer.deserialize_bytes(self)
        }
    }

    fn visit_bytes<E: de::Error>(self, tagged: &[u8]) -> Result<Timestamp, E> {
        match ExtVisitor::<Box<str>>(PhantomData).visit_bytes(tagged)? {
            Tree::Timestamp(at) => Ok(at),
            _ => Err(E::invalid_type(Unexpected::Other("ext"), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<Timestamp, A::Error> {
        match ExtVisitor::<Box<str>>(PhantomData).visit_seq(elements)? {
            Tree::Timestamp(at) => Ok(at),
            _ => Err(A::Error::invalid_type(Unexpected::Other("ext"), &self)),
        }
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Timestamp, E> {
        text.parse().map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
    }
}

struct IntegerVisitor;

impl Visitor<'_> for IntegerVisitor {
    type Value = Integer;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer")
    }

    fn visit_i64<E>(self, value: i64) -> Result<Integer, E> {
        Ok(Integer::from_i64(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Integer, E> {
        Ok(Integer::from_u64(value))
    }
}

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Integer, D::Error> {
        deserializer.deserialize_any(IntegerVisitor)
    }
}
