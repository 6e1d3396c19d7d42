//! The methods that serde's types call on a [`SerdeDecoder`]. Each tries the usual encoding first.

use super::access::{NoItems, Octets, RecordVariant, Variant};
use super::decoder::{SerdeDecoder, Wide};
use super::newtype::{EXT, RAW, RMP_EXT, TaggedBytes};
use super::times::{Moment, fields_read, is_uuid, text_reads, tuple_reads};
use super::value::{PackedValue, makes_tree};
use crate::encode::EncodeOptions;
use crate::error::{Error, ErrorKind, Result};
use crate::ext::{BIGINT, UUID};
use crate::options::{DecodeOptions, Utf8};
use crate::read::Container;
use crate::record::EXT_TYPE;
use crate::typed::{Cursor, Found, ext_type, is_cut};
use crate::value::{Sign, Value};
use crate::walk::Token;
use crate::wire::header::{Head, Header, Kind};
use crate::wire::item::{Item, item};
use crate::wire::marker as m;
use ::serde::de::value::SeqDeserializer;
use ::serde::de::{self, Deserialize, Error as _, Unexpected, Visitor};
use alloc::vec::Vec;

macro_rules! integers {
    ($($method:ident $own:ident $bytes:literal $all:ident $visit:ident)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.quick(Cursor::$own::<$bytes>).or_else(|| self.$all()) {
                Some(value) => visitor.$visit(value),
                None => self.any(visitor),
            }
        }
    )*};
}

macro_rules! texts {
    ($($method:ident)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.short_str()? {
                Some(text) => visitor.visit_borrowed_str(text),
                None => self.long_text(visitor),
            }
        }
    )*};
}

/// Returns what a visitor has said of an empty value, if it is about the type; otherwise the fault.
#[cold]
#[inline(never)]
fn told(fault: Error, refused: Option<Error>, found: Kind) -> Error {
    let is_about_type = |error: &Error| {
        let words = error
            .detail()
            .and_then(|words| words.strip_suffix(Found::Of(found).name()));
        words.is_some_and(|words| words.ends_with("found "))
    };
    refused.filter(is_about_type).unwrap_or(fault)
}

fn is_bin(bytes: &[u8]) -> bool {
    Kind::at(bytes) == Some(Kind::Bin)
}

/// Returns whether the value is of a form of integers of 128 bits other than plain ones.
fn is_wide(bytes: &[u8]) -> bool {
    let head = Head::at(bytes, 0);
    head.is_some_and(|head| head.kind == Kind::Bin && head.payload == 16 || head.ext_type == Some(BIGINT))
}

/// What is not in the usual encodings, out of their way.
impl<'de> SerdeDecoder<'_, 'de> {
    /// Reads the next value for a visitor. If no values of its type are read, that is the error, and not a
    /// fault in the value (`spec/errors.md` section 3). `reads` says of the bytes of the value whether values of its
    /// type are read, and `None` if the visitor says so.
    pub fn token_for<V: Visitor<'de>>(
        &mut self,
        visitor: V,
        reads: impl FnOnce(&[u8]) -> Option<bool>,
    ) -> Result<(Token<'de>, V)> {
        let start = self.values.pos;
        let fault = match self.token() {
            Ok(token) => return Ok((token, visitor)),
            Err(fault) => fault,
        };
        let bytes = &self.input[start..];
        Err(match reads(bytes) {
            _ if is_cut(bytes) => fault,
            Some(true) => fault,
            Some(false) => Error::invalid_type(Unexpected::Bytes(&[]), &visitor),
            None => self.refusal(fault, start, visitor),
        })
    }

    /// Returns the error of a visitor that is offered an empty value of the type of the one at `start`, if it
    /// is about the type; otherwise the fault of the value.
    #[cold]
    #[inline(never)]
    pub(super) fn refusal<V: Visitor<'de>>(&self, fault: Error, start: usize, visitor: V) -> Error {
        let Some((found, tag)) = self.offered(start) else {
            return fault;
        };
        let refused = match found {
            Kind::Str => visitor.visit_borrowed_str("").err(),
            Kind::Bin => visitor.visit_borrowed_bytes(&[]).err(),
            Kind::Array => visitor.visit_seq(NoItems).err(),
            Kind::Map => visitor.visit_map(NoItems).err(),
            _ => visitor.visit_newtype_struct(TaggedBytes::<Error>::new(tag)).err(),
        };
        told(fault, refused, found)
    }

    /// Returns the type of the value at `start`, of which an empty value is offered to a visitor, and that of an ext. `None`
    /// for a value that has no payload, and for one that is cut in its header. This is not code for each visitor.
    #[cold]
    #[inline(never)]
    fn offered(&self, start: usize) -> Option<(Kind, &'de [u8])> {
        let bytes = self.input.get(start..).unwrap_or_default();
        if is_cut(bytes) {
            return None;
        }
        let is_record = self.values.records.is_some() && ext_type(bytes) == Some(EXT_TYPE);
        match Kind::at(bytes)? {
            Kind::Ext if is_record => Some((Kind::Map, &[])),
            // Visitors cannot tell ext types apart.
            Kind::Ext => {
                let header = Header::of(bytes[0]).len();
                Some((Kind::Ext, &bytes[header - 1..header]))
            }
            kind @ (Kind::Str | Kind::Bin | Kind::Array | Kind::Map) => Some((kind, &[])),
            _ => None,
        }
    }

    /// Reads a value of any type at once, without recursion and faster than piece by piece.
    #[inline(never)]
    fn whole_tree<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.values.pos;
        let rest = self.input.get(start..).unwrap_or_default();
        let after = usize::try_from(self.values.pending - 1).unwrap_or(usize::MAX);
        let mut packed = PackedValue {
            bytes: &rest[..rest.len().saturating_sub(after)],
            max_depth: self.rules.max_depth - self.values.depth,
            len: 0,
        };
        let outcome = visitor.visit_newtype_struct(&mut packed);
        if outcome.is_ok() {
            self.values.take::<false>(start + packed.len);
        } else {
            // This finds what is wrong.
            self.skip()?;
        }
        outcome
    }

    /// Reads a non-negative integer in any uint format. Its type is not known here, so the code is
    /// there once, and the number is returned in registers.
    #[inline(never)]
    fn uint(&mut self) -> Option<u64> {
        self.quick(Cursor::uint::<8>)
    }

    /// Reads an integer of up to 63 bits in any format, like [`uint`](SerdeDecoder::uint).
    #[inline(never)]
    fn int(&mut self) -> Option<i64> {
        self.quick(Cursor::int::<8>)
    }

    #[inline(never)]
    fn long_text<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.values.pos;
        let (token, visitor) = self.token_for(visitor, |bytes| is_bin(bytes).then_some(false))?;
        self.give_text(start, token, visitor)
    }

    /// Returns a value whose strings are mended as the option `utf8` says, if any has to be.
    fn mended(&self, bytes: &[u8]) -> Result<Option<Vec<u8>>> {
        if self.rules.utf8 == Utf8::Error {
            return Ok(None);
        }
        let mut options = DecodeOptions::new();
        options.rules = *self.rules;
        let expanded = options.expand(bytes, None)?;
        Ok(expanded.map(|expanded| expanded.bytes))
    }

    /// Returns whether a type with two forms gets its string: also where a str is next, as derived types write
    /// addresses and uuids.
    pub fn reads_text(&self) -> bool {
        self.form.human_readable || Kind::at(&self.input[self.values.pos..]) == Some(Kind::Str)
    }

    /// Reads the ext of a uuid, as derived types write it. Its text is that of its human-readable form.
    #[cold]
    #[inline(never)]
    fn uuid<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.values.pos;
        let (token, visitor) = self.token_for(visitor, |bytes| (ext_type(bytes) == Some(UUID)).then_some(true))?;
        match token {
            Token::Ext(UUID, payload) => visitor.visit_borrowed_bytes(payload),
            other => self.give(start, other, visitor),
        }
    }

    /// Reads a tuple that is not a short array: the string or the ext of a time, if the type is that of one.
    #[inline(never)]
    fn long_tuple<V: Visitor<'de>>(&mut self, len: usize, visitor: V) -> Result<V::Value> {
        let start = self.values.pos;
        if !matches!(Kind::of(self.marker()?), Kind::Str | Kind::Ext) {
            return self.long_array(None, visitor);
        }
        let (token, visitor) = self.token_for(visitor, |bytes| tuple_reads::<V::Value>(bytes).then_some(true))?;
        match Moment::of(&token).and_then(|moment| moment.tuple::<V::Value>(len)) {
            Some(numbers) => visitor.visit_seq(SeqDeserializer::<_, Error>::new(numbers?.into_iter())),
            None => self.give(start, token, visitor),
        }
    }

    /// Reads a number as a float with this number of binary digits, if that holds it exactly.
    #[cold]
    #[inline(never)]
    fn unusual_float<V: Visitor<'de>>(&mut self, digits: u32, visitor: V) -> Result<V::Value> {
        let start = self.values.pos;
        let (token, visitor) = self.token_for(visitor, |_| None)?;
        match token {
            Token::F64(value) => visitor.visit_f64(value),
            Token::F32(value) => visitor.visit_f32(value),
            Token::Int(value) => {
                let magnitude = value.as_i128().unsigned_abs();
                let used = magnitude
                    .checked_ilog2()
                    .map_or(0, |log| log + 1 - magnitude.trailing_zeros());
                if used <= digits {
                    return visitor.visit_f64(value.as_f64());
                }
                let found = match value.sign() {
                    Sign::Negative(value) => Unexpected::Signed(value),
                    Sign::Positive(value) => Unexpected::Unsigned(value),
                };
                Err(Error::invalid_value(found, &visitor))
            }
            other => self.give(start, other, visitor),
        }
    }

    /// Reads a variant whose map was opened. The outcome is not taken apart, as it would be copied.
    #[inline]
    fn variant<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.has_room()?;
        let outcome = visitor.visit_enum(Variant {
            decoder: self,
            has_content: true,
        });
        match &outcome {
            Ok(_) => self.leave(),
            Err(error) => self.unfinished(error),
        }
        outcome
    }

    /// Reads a variant from a map with a longer header or from a record.
    #[cold]
    #[inline(never)]
    fn other_variant<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.values.pos;
        match self.token()? {
            Token::Map(1) => self.variant(visitor),
            Token::Record(head) if head.structure.len() == 1 => {
                self.has_room()?;
                let outcome = visitor.visit_enum(RecordVariant {
                    decoder: self,
                    name: head.structure.key(0).unwrap_or_default(),
                });
                let value = outcome.map_err(|error| self.broken(error))?;
                self.leave();
                Ok(value)
            }
            // A number that stands for a variant, and is not a record.
            Token::Int(value) => {
                let index = u32::try_from(value).unwrap_or(u32::MAX);
                visitor.visit_enum(de::value::U32Deserializer::<Error>::new(index))
            }
            Token::Map(_) | Token::Record(_) => {
                let error = Error::new(ErrorKind::TypeMismatch);
                let error = error.with_detail("expected a map of one entry, found map");
                Err(self.broken(error))
            }
            other => self.give(start, other, visitor),
        }
    }

    /// An array of any length, out of the way of empty ones.
    #[inline(never)]
    fn full_seq<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        match self.short_count(m::FIXARRAY, Container::Array)? {
            Some(count) => self.items(count, visitor),
            None => self.long_array(None, visitor),
        }
    }

    #[inline(never)]
    fn full_map<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        match self.short_count(m::FIXMAP, Container::Map)? {
            Some(count) => self.map(count, visitor),
            None => self.any(visitor),
        }
    }

    #[inline(never)]
    fn long_array<V: Visitor<'de>>(&mut self, fields: Option<usize>, visitor: V) -> Result<V::Value> {
        let start = self.values.pos;
        // A bin is read too, which a visitor of sequences does not say.
        let (token, visitor) = self.token_for(visitor, |bytes| (fields.is_none() && is_bin(bytes)).then_some(true))?;
        match token {
            Token::Array(count) => self.array(count, fields, visitor),
            Token::Bin(bytes) if fields.is_none() => Octets::give(bytes, visitor),
            Token::BrokenStr(bytes) if fields.is_none() && self.rules.utf8 == Utf8::Raw => Octets::give(bytes, visitor),
            other => self.give(start, other, visitor),
        }
    }

    /// Reports an array without all fields of a tuple. serde does not tell the writer which one was left
    /// out, so that those after it have moved up.
    #[cold]
    fn too_few(&mut self, count: usize, wanted: &dyn de::Expected) -> Error {
        self.broken(Error::invalid_length(count, wanted))
    }

    fn give_text<V: Visitor<'de>>(&mut self, start: usize, token: Token<'de>, visitor: V) -> Result<V::Value> {
        match token {
            Token::Str(text) => visitor.visit_borrowed_str(text),
            // A bin is not a str, also where visitors would accept it.
            Token::Bin(bytes) => Err(Error::invalid_type(Unexpected::Bytes(bytes), &visitor)),
            other => self.give(start, other, visitor),
        }
    }
}

impl<'de> de::Deserializer<'de> for &mut SerdeDecoder<'_, 'de> {
    type Error = Error;

    integers! {
        deserialize_i8 own_int 1 int visit_i64
        deserialize_i16 own_int 2 int visit_i64
        deserialize_i32 own_int 4 int visit_i64
        deserialize_i64 own_int 8 int visit_i64
        deserialize_u8 own_uint 1 uint visit_u64
        deserialize_u16 own_uint 2 uint visit_u64
        deserialize_u32 own_uint 4 uint visit_u64
        deserialize_u64 own_uint 8 uint visit_u64
    }
    texts! { deserialize_string deserialize_char }

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if makes_tree::<V>() && self.by_option.is_none() {
            return self.whole_tree(visitor);
        }
        self.any(visitor)
    }

    /// Reads the ext of a time too, as a string: types of times read one.
    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if let Some(text) = self.short_str()? {
            return visitor.visit_borrowed_str(text);
        }
        let start = self.values.pos;
        let reads = |bytes: &[u8]| {
            if is_bin(bytes) {
                Some(false)
            } else {
                text_reads::<V::Value>(bytes).then_some(true)
            }
        };
        let (token, visitor) = self.token_for(visitor, reads)?;
        match token {
            Token::Str(_) => self.give_text(start, token, visitor),
            _ => match Moment::of(&token) {
                Some(moment) => moment.visit_text(visitor),
                None => self.give_text(start, token, visitor),
            },
        }
    }

    #[inline]
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.take_nil() {
            visitor.visit_unit()
        } else {
            self.any(visitor)
        }
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.quick(Cursor::bool) {
            Some(value) => visitor.visit_bool(value),
            None => self.any(visitor),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.take_empty(m::FIXMAP) {
            return visitor.visit_map(NoItems);
        }
        self.full_map(visitor)
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let start = self.values.pos;
        let (token, visitor) = self.token_for(visitor, |bytes| is_wide(bytes).then_some(true))?;
        match SerdeDecoder::wide(token)? {
            Wide::Number(negative, bits) if negative == ((bits as i128) < 0) => visitor.visit_i128(bits as i128),
            Wide::Number(negative, bits) => Err(Error::wide_range(negative, bits, "i128")),
            Wide::Bits(bits) => visitor.visit_i128(bits as i128),
            Wide::Other(token) => self.give(start, token, visitor),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let start = self.values.pos;
        let (token, visitor) = self.token_for(visitor, |bytes| is_wide(bytes).then_some(true))?;
        match SerdeDecoder::wide(token)? {
            Wide::Number(false, bits) | Wide::Bits(bits) => visitor.visit_u128(bits),
            Wide::Number(negative, bits) => Err(Error::wide_range(negative, bits, "u128")),
            Wide::Other(token) => self.give(start, token, visitor),
        }
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.quick(Cursor::f32) {
            Some(value) => visitor.visit_f32(value),
            None => self.unusual_float(f32::MANTISSA_DIGITS, visitor),
        }
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.quick(Cursor::f64) {
            Some(value) => visitor.visit_f64(value),
            None => self.unusual_float(f64::MANTISSA_DIGITS, visitor),
        }
    }

    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.short_str()? {
            Some(text) => visitor.visit_borrowed_str(text),
            None => self.any(visitor),
        }
    }

    #[inline]
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.short_bin()? {
            Some(bytes) => visitor.visit_borrowed_bytes(bytes),
            None if is_uuid::<V::Value>() => self.uuid(visitor),
            None => self.any(visitor),
        }
    }

    #[inline]
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.take_none() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    /// Reads an array without elements too, which other libraries write.
    fn deserialize_unit_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        let start = self.values.pos;
        let (token, visitor) = self.token_for(visitor, |_| None)?;
        match token {
            Token::Array(0) => {
                self.leave();
                visitor.visit_unit()
            }
            other => self.give(start, other, visitor),
        }
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        if (name == EXT || name == RMP_EXT) && matches!(self.marker()?, m::EXT8..=m::EXT32 | m::FIXEXT1..=m::FIXEXT16) {
            return self.any(visitor);
        }
        if name == RAW && self.rules.records {
            // Its records become maps, as outside of this message they have no names.
            let value = Value::deserialize(&mut *self)?;
            return visitor.visit_byte_buf(EncodeOptions::new().encode(&value)?);
        }
        if name == RAW {
            let start = self.values.pos;
            self.skip()?;
            let bytes = &self.input[start..self.values.pos];
            return match self.mended(bytes)? {
                Some(mended) => visitor.visit_byte_buf(mended),
                None => visitor.visit_borrowed_bytes(bytes),
            };
        }
        // Recursion through newtypes and options alone takes no byte and opens no container.
        self.has_room()?;
        visitor.visit_newtype_struct(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.take_empty(m::FIXARRAY) {
            return visitor.visit_seq(NoItems);
        }
        self.full_seq(visitor)
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        match self.short_count(m::FIXARRAY, Container::Array)? {
            Some(count) => self.items(count, visitor),
            None => self.long_tuple(len, visitor),
        }
    }

    #[inline]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        let start = self.values.pos;
        match self.short_count(m::FIXARRAY, Container::Array)? {
            Some(count) if count < len => Err(self.too_few(count, &visitor)),
            Some(count) => self.items(count, visitor),
            None => match item(self.input, start) {
                Some((Item::Array(count), _)) if count < len => Err(self.too_few(count, &visitor)),
                _ => self.long_array(None, visitor),
            },
        }
    }

    /// Reads a map or record by its keys, and an array by its positions.
    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if let Some(count) = self.short_count(m::FIXMAP, Container::Map)? {
            return self.map(count, visitor);
        }
        if let Some(count) = self.short_count(m::FIXARRAY, Container::Array)? {
            return self.array(count, Some(fields.len()), visitor);
        }
        let start = self.values.pos;
        let (token, visitor) = self.token_for(visitor, |bytes| fields_read(bytes, name).then_some(true))?;
        match token {
            Token::Map(count) => self.map(count, visitor),
            Token::Array(count) => self.array(count, Some(fields.len()), visitor),
            Token::Record(_) => self.give(start, token, visitor),
            other => match Moment::of(&other).and_then(|moment| moment.fields(name)) {
                Some(numbers) => visitor.visit_seq(SeqDeserializer::<_, Error>::new(numbers?.into_iter())),
                None => self.give(start, other, visitor),
            },
        }
    }

    /// Reads a variant without content from its name or number, and any other from a map of one
    /// entry.
    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let marker = self.marker()?;
        if marker == m::FIXMAP | 1 && self.short_count(m::FIXMAP, Container::Map)?.is_some() {
            return self.variant(visitor);
        }
        // A bin is not a str, also where visitors would accept it.
        if matches!(marker, m::BIN8..=m::BIN32) {
            let bytes = &self.input[self.values.pos..];
            let error = if is_cut(bytes) {
                Error::at(ErrorKind::Eof, self.input.len() as u64)
            } else {
                Error::not_a_variant(Kind::Bin)
            };
            return Err(self.broken(error));
        }
        let is_map = marker & 0xf0 == m::FIXMAP || matches!(marker, m::MAP16 | m::MAP32);
        let is_record = self.values.records.is_some() && matches!(marker, 0x40..=0x7f | m::FIXEXT1 | m::FIXEXT2);
        if is_map || is_record {
            return self.other_variant(visitor);
        }
        visitor.visit_enum(Variant {
            decoder: self,
            has_content: false,
        })
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.skip()?;
        visitor.visit_unit()
    }

    fn is_human_readable(&self) -> bool {
        self.reads_text()
    }
}
