//! [`Serializer`]: serde's data model to bytes.

use super::compound::Compound;
use super::config::{Bytes, Config, DEFAULT};
use super::newtype::{EXT, RAW, RMP_EXT, rmp_parts};
use crate::error::{Error, ErrorKind, Result};
use crate::ext::NEEDS_BIGINT;
use crate::options::DecodeOptions;
use crate::read::Depth;
use crate::value::Integer;
use crate::wire::{Buffer, Fixed, marker as m};
use ::serde::ser::{self, Serialize};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Appends values to a buffer: a `Vec<u8>`, or a [`Fixed`](crate::wire::Fixed) slice. Calls such as
/// [`to_vec`](super::to_vec) use it. They also complete the paths of errors and remove a value that
/// was written in part, and only they write records and the canonical form.
///
/// ```
/// use packord::serde::Serializer;
/// use serde::Serialize;
///
/// let mut out = Vec::new();
/// let mut serializer = Serializer::new(&mut out);
/// 1.serialize(&mut serializer)?;
/// "two".serialize(&mut serializer)?;
/// assert_eq!(out, b"\x01\xa3two");
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Debug)]
pub struct Serializer<B> {
    pub(super) out: B,
    pub(super) depth: Depth,
    pub(super) structs_as_arrays: bool,
    bytes: Bytes,
    human_readable: bool,
    wide_as_bin: bool,
    bigint: bool,
    /// The next bytes are the type and the payload of an ext.
    ext_next: bool,
    /// The next bytes are a whole value.
    raw_next: bool,
    /// The last value was a `u8`.
    pub(super) wrote_u8: bool,
    rare: Option<Box<Rare>>,
}

/// What few messages need. Boxed, as one word to set and to test.
#[derive(Debug, Default)]
struct Rare {
    /// The positions of fields that were left out of the structs that are open.
    left_out: Vec<usize>,
    /// The last error of a part of a container. A type may drop it, but cannot end the container then.
    failure: Option<Error>,
}

impl<B: Buffer> Serializer<B> {
    /// Returns a serializer with the default configuration.
    pub fn new(out: B) -> Serializer<B> {
        Serializer::with_config(out, DEFAULT)
    }

    /// Returns a serializer with a configuration. It writes plain maps, in their order.
    pub fn with_config(out: B, config: &Config) -> Serializer<B> {
        Serializer {
            out,
            depth: Depth::new(config.encode.max_depth),
            structs_as_arrays: config.structs_as_arrays,
            bytes: config.bytes,
            human_readable: config.human_readable,
            wide_as_bin: config.wide_as_bin,
            bigint: config.encode.has_bigint(),
            ext_next: false,
            raw_next: false,
            wrote_u8: false,
            rare: None,
        }
    }

    #[inline(always)]
    pub(super) fn enter(&mut self) -> Result<()> {
        let deeper = self.depth.descend().and_then(|()| self.depth.enter());
        deeper.map_err(Error::new)
    }

    /// Notes the error of a part of a container, and returns it.
    #[cold]
    #[inline(never)]
    pub(super) fn failure(&mut self, error: Error) -> Error {
        self.rare.get_or_insert_default().failure = Some(error.duplicate());
        error
    }

    /// Returns the error that the type of a container has dropped.
    #[cold]
    #[inline(never)]
    pub(super) fn take_failure(&mut self) -> Error {
        let failure = self.rare.get_or_insert_default().failure.take();
        failure.unwrap_or_else(|| Error::new(ErrorKind::Custom))
    }

    /// Notes the position of a field that the innermost struct leaves out of its array.
    #[cold]
    #[inline(never)]
    pub(super) fn leave_out(&mut self, position: usize) {
        self.rare.get_or_insert_default().left_out.push(position);
    }

    pub(super) fn take_left_out(&mut self, count: usize) -> Vec<usize> {
        let noted = &mut self.rare.get_or_insert_default().left_out;
        noted.split_off(noted.len().saturating_sub(count))
    }

    /// Writes the header of a map whose one entry is a variant and its content.
    #[inline(always)]
    fn variant(&mut self, name: &str) -> Result<()> {
        self.enter()?;
        self.out.put([m::FIXMAP | 1])?;
        self.out.put_str(name.as_bytes())
    }

    #[cold]
    #[inline(never)]
    fn rmp_ext<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let mut tuple = Vec::new();
        value.serialize(&mut Serializer::new(&mut tuple))?;
        let tuple = DecodeOptions::new().decode_ref(&tuple)?;
        let (kind, payload) = rmp_parts(&tuple)?;
        self.out.put_ext(kind, payload)
    }

    #[inline(never)]
    fn wide(&mut self, value: core::result::Result<Integer, u128>, negative: bool) -> Result<()> {
        let bits = match value {
            Ok(value) => return value.put_into(&mut self.out),
            Err(_) if !self.bigint => {
                return Err(Error::new(ErrorKind::OutOfRange).with_detail(NEEDS_BIGINT));
            }
            Err(bits) => bits,
        };
        let mut bytes = [if negative { 0xff } else { 0 }; 17];
        bytes[1..].copy_from_slice(&bits.to_be_bytes());
        self.out.put_ext(crate::ext::BIGINT, crate::ext::shorten(&bytes))
    }
}

/// Returns whether the type is `u8`, or a reference to one. Were the names of types to change, bytes
/// would be arrays, which are read too.
#[inline(always)]
fn is_u8<T>() -> bool {
    matches!(core::any::type_name::<T>(), "u8" | "&u8")
}

#[inline]
fn octet<T: Serialize>(item: &T) -> Result<u8> {
    let mut packed = [0; 2];
    let mut out = Fixed::new(&mut packed);
    item.serialize(&mut Serializer::new(&mut out))?;
    Ok(out.written().last().copied().unwrap_or_default())
}

macro_rules! integers {
    ($($method:ident $int:ty;)*) => {$(
        #[inline]
        fn $method(self, value: $int) -> Result<()> {
            Integer::from(value).put_into(&mut self.out)
        }
    )*};
}

/// Each is written by one call of the output.
macro_rules! scalars {
    ($($method:ident($($name:ident: $type:ty),*) => $put:ident($($content:expr)?);)*) => {$(
        #[inline]
        fn $method(self, $($name: $type),*) -> Result<()> {
            self.out.$put($($content)?)
        }
    )*};
}

impl<'s, B: Buffer> ser::Serializer for &'s mut Serializer<B> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'s, B>;
    type SerializeTuple = Compound<'s, B>;
    type SerializeTupleStruct = Compound<'s, B>;
    type SerializeTupleVariant = Compound<'s, B>;
    type SerializeMap = Compound<'s, B>;
    type SerializeStruct = Compound<'s, B>;
    type SerializeStructVariant = Compound<'s, B>;

    integers! {
        serialize_i8 i8; serialize_i16 i16; serialize_i32 i32; serialize_i64 i64;
    }

    #[inline]
    fn serialize_u8(self, value: u8) -> Result<()> {
        self.wrote_u8 = true;
        self.out.put_uint(value.into())
    }

    scalars! {
        serialize_u16(value: u16) => put_uint(value.into());
        serialize_u32(value: u32) => put_uint(value.into());
        serialize_u64(value: u64) => put_uint(value);
        serialize_bool(value: bool) => put_bool(value);
        serialize_f32(value: f32) => put_f32(value.to_bits());
        serialize_f64(value: f64) => put_f64(value.to_bits());
        serialize_char(value: char) => put_str(value.encode_utf8(&mut [0; 4]).as_bytes());
        serialize_str(text: &str) => put_str(text.as_bytes());
        serialize_none() => put_nil();
        serialize_unit() => put_nil();
        serialize_unit_struct(_name: &'static str) => put_nil();
        serialize_unit_variant(_name: &'static str, _index: u32, variant: &'static str) => put_str(variant.as_bytes());
    }

    fn serialize_i128(self, value: i128) -> Result<()> {
        if self.wide_as_bin {
            return self.out.put_bin(&value.to_be_bytes());
        }
        self.wide(Integer::try_from(value).map_err(|_| value as u128), value < 0)
    }

    fn serialize_u128(self, value: u128) -> Result<()> {
        if self.wide_as_bin {
            return self.out.put_bin(&value.to_be_bytes());
        }
        self.wide(Integer::try_from(value).map_err(|_| value), false)
    }

    #[inline]
    fn serialize_bytes(self, bytes: &[u8]) -> Result<()> {
        if self.raw_next {
            let options = DecodeOptions::new().max_depth(self.depth.left());
            options.validate(bytes)?;
            return self.out.put_with([], bytes);
        }
        if self.ext_next {
            if let Some((&kind, payload)) = bytes.split_first() {
                return self.out.put_ext(kind as i8, payload);
            }
        }
        self.out.put_bin(bytes)
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(&mut *self)?;
        self.wrote_u8 = false;
        Ok(())
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<()> {
        if name == EXT {
            self.ext_next = true;
            let outcome = value.serialize(&mut *self);
            self.ext_next = false;
            return outcome;
        }
        if name == RAW {
            self.raw_next = true;
            let outcome = value.serialize(&mut *self);
            self.raw_next = false;
            return outcome;
        }
        if name == RMP_EXT {
            return self.rmp_ext(value);
        }
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        self.variant(variant)?;
        value.serialize(&mut *self).map_err(|error| error.in_field(variant))?;
        self.wrote_u8 = false;
        self.depth.leave();
        Ok(())
    }

    #[inline(always)]
    fn serialize_seq(self, len: Option<usize>) -> Result<Compound<'s, B>> {
        let detects = self.bytes == Bytes::Detected;
        Compound::open(self, false, len.unwrap_or(0)).map(|array| array.detecting(detects))
    }

    /// Collections call this with the type of their items, also if they have none.
    #[inline]
    fn collect_seq<I>(self, items: I) -> Result<()>
    where
        I: IntoIterator<Item: Serialize>,
    {
        let items = items.into_iter();
        if self.bytes == Bytes::ByType && is_u8::<I::Item>() {
            let bytes = items.map(|item| octet(&item)).collect::<Result<Vec<u8>>>()?;
            return self.out.put_bin(&bytes);
        }
        let len = match items.size_hint() {
            (len, Some(most)) if len == most => Some(len),
            _ => None,
        };
        let mut array = self.serialize_seq(len)?;
        for item in items {
            ser::SerializeSeq::serialize_element(&mut array, &item)?;
        }
        ser::SerializeSeq::end(array)
    }

    #[inline(always)]
    fn serialize_tuple(self, len: usize) -> Result<Compound<'s, B>> {
        self.serialize_seq(Some(len))
    }

    #[inline(always)]
    fn serialize_tuple_struct(self, _name: &'static str, len: usize) -> Result<Compound<'s, B>> {
        Compound::open(self, false, len)
    }

    #[inline]
    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Compound<'s, B>> {
        self.variant(variant)?;
        Compound::of(Compound::open(self, false, len), variant)
    }

    #[inline(always)]
    fn serialize_map(self, len: Option<usize>) -> Result<Compound<'s, B>> {
        Compound::open(self, true, len.unwrap_or(0))
    }

    #[inline(always)]
    fn serialize_struct(self, _name: &'static str, len: usize) -> Result<Compound<'s, B>> {
        Compound::open(self, !self.structs_as_arrays, len)
    }

    #[inline]
    fn serialize_struct_variant(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Compound<'s, B>> {
        self.variant(variant)?;
        Compound::of(self.serialize_struct(name, len), variant)
    }

    fn is_human_readable(&self) -> bool {
        self.human_readable && !self.ext_next
    }
}
