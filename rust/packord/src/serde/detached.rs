//! [`Detached`]: reading from bytes that do not live as long as what is read.

use super::de::deserializer_methods;
use ::serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor};
use core::fmt;
use core::marker::PhantomData;

/// A visitor, a seed, a deserializer or an access of serde, for another lifetime of the input. `'l`
/// is the lifetime for which the inner one is. Nothing can be borrowed from the input: strings and
/// bytes are passed as those of a buffer.
pub(super) struct Detached<'l, T>(T, PhantomData<&'l ()>);

impl<T> Detached<'_, T> {
    pub fn new(inner: T) -> Self {
        Detached(inner, PhantomData)
    }
}

macro_rules! forward {
    ($($method:ident($($name:ident: $type:ty),*))*) => {$(
        fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method($($name,)* Detached::new(visitor))
        }
    )*};
}

impl<'de, 'l, D: Deserializer<'l>> Deserializer<'de> for Detached<'l, D> {
    type Error = D::Error;

    deserializer_methods!(forward);

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

macro_rules! visits {
    ($($method:ident($type:ty) => $inner:ident;)*) => {$(
        fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.0.$inner(value)
        }
    )*};
}

macro_rules! visits_parts {
    ($($method:ident: $access:ident;)*) => {$(
        fn $method<A: $access<'de>>(self, access: A) -> Result<V::Value, A::Error> {
            self.0.$method(Detached::new(access))
        }
    )*};
}

impl<'de, 'l, V: Visitor<'l>> Visitor<'de> for Detached<'l, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    visits! {
        visit_bool(bool) => visit_bool; visit_char(char) => visit_char;
        visit_i8(i8) => visit_i8; visit_i16(i16) => visit_i16; visit_i32(i32) => visit_i32;
        visit_i64(i64) => visit_i64; visit_i128(i128) => visit_i128;
        visit_u8(u8) => visit_u8; visit_u16(u16) => visit_u16; visit_u32(u32) => visit_u32;
        visit_u64(u64) => visit_u64; visit_u128(u128) => visit_u128;
        visit_f32(f32) => visit_f32; visit_f64(f64) => visit_f64;
        visit_str(&str) => visit_str; visit_borrowed_str(&'de str) => visit_str;
        visit_string(alloc::string::String) => visit_string;
        visit_bytes(&[u8]) => visit_bytes; visit_borrowed_bytes(&'de [u8]) => visit_bytes;
        visit_byte_buf(alloc::vec::Vec<u8>) => visit_byte_buf;
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_unit()
    }

    visits_parts! {
        visit_some: Deserializer;
        visit_newtype_struct: Deserializer;
        visit_seq: SeqAccess;
        visit_map: MapAccess;
        visit_enum: EnumAccess;
    }
}

impl<'de, 'l, S: DeserializeSeed<'l>> DeserializeSeed<'de> for Detached<'l, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Detached::new(deserializer))
    }
}

impl<'de, 'l, A: SeqAccess<'l>> SeqAccess<'de> for Detached<'l, A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, A::Error> {
        self.0.next_element_seed(Detached::new(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, 'l, A: MapAccess<'l>> MapAccess<'de> for Detached<'l, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        self.0.next_key_seed(Detached::new(seed))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        self.0.next_value_seed(Detached::new(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, 'l, A: EnumAccess<'l>> EnumAccess<'de> for Detached<'l, A> {
    type Error = A::Error;
    type Variant = Detached<'l, A::Variant>;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self::Variant), A::Error> {
        let (value, variant) = self.0.variant_seed(Detached::new(seed))?;
        Ok((value, Detached::new(variant)))
    }
}

impl<'de, 'l, A: VariantAccess<'l>> VariantAccess<'de> for Detached<'l, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.0.unit_variant()
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, A::Error> {
        self.0.newtype_variant_seed(Detached::new(seed))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.0.tuple_variant(len, Detached::new(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.0.struct_variant(fields, Detached::new(visitor))
    }
}
