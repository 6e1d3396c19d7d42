//! The elements and entries of containers, for visitors.

use super::decoder::SerdeDecoder;
use super::key::FieldName;
use crate::error::{Error, ErrorKind, Result, on_error};
use crate::record::Structure;
use crate::wire::header::Kind;
use ::serde::de::{self, DeserializeSeed, IntoDeserializer, Visitor};
use alloc::sync::Arc;

pub(super) struct ArrayElements<'r, 'c, 'de> {
    pub decoder: &'r mut SerdeDecoder<'c, 'de>,
    pub left: usize,
    /// Whether the elements are the fields of a struct.
    pub fields: bool,
    /// Whether there is one element for a struct of two fields.
    pub lacks_second: bool,
    /// The error of a nil for a field that cannot be nil.
    pub nil: Option<Error>,
}

impl<'de> de::SeqAccess<'de> for ArrayElements<'_, '_, 'de> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.left == 0 {
            return Ok(self.absent(seed));
        }
        self.left -= 1;
        let start = self.decoder.values.pos;
        match seed.deserialize(&mut *self.decoder) {
            Ok(value) => Ok(Some(value)),
            Err(error) => self.fault(error, start).map_or(Ok(None), Err),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de> ArrayElements<'_, '_, 'de> {
    /// Returns the second of two fields if the array has only one: serde writes an adjacently tagged
    /// variant without content as a struct of the tag alone, but cannot read such an array.
    #[cold]
    #[inline(never)]
    fn absent<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Option<T::Value> {
        if !self.lacks_second {
            return None;
        }
        self.lacks_second = false;
        seed.deserialize(IntoDeserializer::<Error>::into_deserializer(())).ok()
    }

    /// Returns the error of the element at `start`. A field that was left out when writing is nil in
    /// an array, or JavaScript's undefined: if its type can be neither, the field counts as
    /// missing, and gets its default.
    #[cold]
    #[inline(never)]
    fn fault(&mut self, error: Error, start: usize) -> Option<Error> {
        let error = self.decoder.placed(error, start);
        let (offset, end) = (error.offset(), self.decoder.values.pos);
        let element = self.decoder.input.get(start..end).unwrap_or_default();
        let is_absent = Kind::at(element) == Some(Kind::Nil) || crate::ext::at_undefined(element);
        if self.fields && is_absent && offset == Some(start as u64) {
            self.nil = Some(error);
            return None;
        }
        Some(error)
    }
}

/// The elements or entries of an empty container, of which the compiler knows that there are none.
pub(super) struct NoItems;

impl<'de> de::SeqAccess<'de> for NoItems {
    type Error = Error;

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, _: T) -> Result<Option<T::Value>> {
        Ok(None)
    }

    #[inline(always)]
    fn size_hint(&self) -> Option<usize> {
        Some(0)
    }
}

impl<'de> de::MapAccess<'de> for NoItems {
    type Error = Error;

    #[inline(always)]
    fn next_key_seed<T: DeserializeSeed<'de>>(&mut self, _: T) -> Result<Option<T::Value>> {
        Ok(None)
    }

    /// Not called, as there are no keys.
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, _: T) -> Result<T::Value> {
        Err(Error::new(ErrorKind::Eof))
    }

    #[inline(always)]
    fn size_hint(&self) -> Option<usize> {
        Some(0)
    }
}

pub(super) struct MapEntries<'r, 'c, 'de> {
    pub decoder: &'r mut SerdeDecoder<'c, 'de>,
    pub left: usize,
}

impl<'de> de::MapAccess<'de> for MapEntries<'_, '_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        self.decoder.key_begins();
        let start = self.decoder.values.pos;
        match seed.deserialize(&mut *self.decoder) {
            Ok(key) => {
                self.decoder.key_ends()?;
                Ok(Some(key))
            }
            Err(error) => Err(self.decoder.placed(error, start)),
        }
    }

    #[inline]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        self.decoder.part(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

pub(super) struct RecordFields<'r, 'c, 'de> {
    pub decoder: &'r mut SerdeDecoder<'c, 'de>,
    pub structure: Structure,
    /// Number of values read.
    pub next: usize,
    /// The names in the input, as far as they are there.
    pub names: Option<Arc<[&'de str]>>,
}

impl<'de> de::MapAccess<'de> for RecordFields<'_, '_, 'de> {
    type Error = Error;

    fn next_key_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(key) = self.structure.key(self.next) else {
            return Ok(None);
        };
        let names = self.names.as_deref();
        let defined = names.and_then(|names| names.get(self.next).copied());
        seed.deserialize(FieldName {
            name: key,
            decoder: self.decoder,
            defined,
        })
        .map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        self.next += 1;
        self.decoder.part(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.structure.len() - self.next)
    }
}

/// The bytes of a bin, for a type that expects a sequence.
pub(super) struct Octets<'de> {
    bytes: core::slice::Iter<'de, u8>,
}

impl<'de> Octets<'de> {
    pub fn give<V: Visitor<'de>>(bytes: &'de [u8], visitor: V) -> Result<V::Value> {
        let mut octets = Octets { bytes: bytes.iter() };
        let value = visitor.visit_seq(&mut octets)?;
        if octets.bytes.len() > 0 {
            let error = Error::new(ErrorKind::TypeMismatch);
            return Err(error.with_detail("the bin has more bytes than the type has elements"));
        }
        Ok(value)
    }
}

impl<'de> de::SeqAccess<'de> for Octets<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        match self.bytes.next() {
            Some(&byte) => seed
                .deserialize(IntoDeserializer::<Error>::into_deserializer(byte))
                .map(Some),
            None => Ok(None),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.bytes.len())
    }
}

/// A variant: its name alone, or the key of a map of one entry.
pub(super) struct Variant<'r, 'c, 'de> {
    pub decoder: &'r mut SerdeDecoder<'c, 'de>,
    pub has_content: bool,
}

/// A variant as a record of one field.
pub(super) struct RecordVariant<'r, 'c, 'de> {
    pub decoder: &'r mut SerdeDecoder<'c, 'de>,
    pub name: &'r str,
}

impl<'r, 'c, 'de> de::EnumAccess<'de> for RecordVariant<'r, 'c, 'de> {
    type Error = Error;
    type Variant = Variant<'r, 'c, 'de>;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self::Variant)> {
        let RecordVariant { decoder, name } = self;
        let name = seed.deserialize(FieldName {
            name,
            decoder,
            defined: None,
        })?;
        let has_content = true;
        Ok((name, Variant { decoder, has_content }))
    }
}

impl<'de> de::EnumAccess<'de> for Variant<'_, '_, 'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self)> {
        if self.has_content {
            self.decoder.key_begins();
        }
        let name = self.decoder.part(seed)?;
        if self.has_content {
            self.decoder.key_ends()?;
        }
        Ok((name, self))
    }
}

impl Variant<'_, '_, '_> {
    fn needs_content(&self) -> Result<()> {
        if self.has_content {
            Ok(())
        } else {
            let error = Error::new(ErrorKind::TypeMismatch);
            Err(error.with_detail("expected a map of one entry, found str"))
        }
    }
}

impl<'de> de::VariantAccess<'de> for Variant<'_, '_, 'de> {
    type Error = Error;

    /// Reads `{"Name": nil}` too.
    fn unit_variant(self) -> Result<()> {
        if self.has_content && !self.decoder.take_nil() {
            return Err(Error::not_a_variant(Kind::Map));
        }
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.needs_content()?;
        self.decoder.part(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.needs_content()?;
        let start = self.decoder.values.pos;
        let outcome = de::Deserializer::deserialize_tuple_struct(&mut *self.decoder, "", len, visitor);
        on_error(outcome, |error| self.decoder.placed(error, start))
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value> {
        self.needs_content()?;
        let start = self.decoder.values.pos;
        let outcome = de::Deserializer::deserialize_struct(&mut *self.decoder, "", fields, visitor);
        on_error(outcome, |error| self.decoder.placed(error, start))
    }
}
