//! [`IoSerializer`]: serde's data model to a writer.

use super::compound::Compound;
use super::config::Config;
use super::ser::Serializer;
use crate::error::{Error, Result};
use ::serde::ser::{self, Serialize};
use alloc::vec::Vec;
use std::io::Write;

/// Writes values to any [`std::io::Write`], one message for each call of `serialize`. For types that
/// are known, [`to_writer`](super::to_writer) is simpler; a serializer is for code that asks for one.
///
/// A message is built in memory, as its headers have lengths that serde may not know, and is then
/// written with one call of `write_all`. After an error nothing of it is written.
///
/// ```
/// use packord::serde::IoSerializer;
/// use serde::Serialize;
///
/// let mut serializer = IoSerializer::new(Vec::new());
/// [1, 2].serialize(&mut serializer)?;
/// "two".serialize(&mut serializer)?;
/// assert_eq!(serializer.into_inner(), b"\x92\x01\x02\xa3two");
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Debug)]
pub struct IoSerializer<W> {
    inner: Serializer<Vec<u8>>,
    config: Config,
    writer: W,
}

impl<W: Write> IoSerializer<W> {
    /// Returns a serializer with the default configuration.
    pub fn new(writer: W) -> IoSerializer<W> {
        IoSerializer::with_config(writer, &Config::new())
    }

    /// Returns a serializer with a configuration. It writes plain maps, in their order.
    pub fn with_config(writer: W, config: &Config) -> IoSerializer<W> {
        IoSerializer {
            inner: Serializer::with_config(Vec::new(), config),
            config: config.clone(),
            writer,
        }
    }

    /// Returns the writer.
    pub fn get_ref(&self) -> &W {
        &self.writer
    }

    /// Returns the writer, as [`get_ref`](Self::get_ref) does, to change it.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.writer
    }

    /// Returns the writer, which is moved out.
    pub fn into_inner(self) -> W {
        self.writer
    }

    /// Begins a message: nothing is left of one that failed.
    fn begin(&mut self) -> &mut Serializer<Vec<u8>> {
        let mut buffer = core::mem::take(&mut self.inner.out);
        buffer.clear();
        self.inner = Serializer::with_config(buffer, &self.config);
        &mut self.inner
    }

    /// Writes a message that one call writes whole.
    fn message(&mut self, write: impl FnOnce(&mut Serializer<Vec<u8>>) -> Result<()>) -> Result<()> {
        write(self.begin()).map_err(Error::rooted)?;
        send(&mut self.writer, &self.inner.out)
    }

    fn container<'s>(
        &'s mut self,
        open: impl FnOnce(&'s mut Serializer<Vec<u8>>) -> Result<Compound<'s, Vec<u8>>>,
    ) -> Result<IoCompound<'s, W>> {
        self.begin();
        let compound = open(&mut self.inner).map_err(Error::rooted)?;
        Ok(IoCompound {
            compound,
            writer: &mut self.writer,
        })
    }
}

fn send<W: Write>(writer: &mut W, message: &[u8]) -> Result<()> {
    writer.write_all(message).map_err(|error| Error::io(error, 0))
}

/// A container that is being written, and the writer to which its message goes.
#[derive(Debug)]
pub struct IoCompound<'s, W> {
    compound: Compound<'s, Vec<u8>>,
    writer: &'s mut W,
}

macro_rules! scalars {
    ($($method:ident($($name:ident: $type:ty),*);)*) => {$(
        fn $method(self, $($name: $type),*) -> Result<()> {
            self.message(|serializer| serializer.$method($($name),*))
        }
    )*};
}

macro_rules! containers {
    ($($method:ident($($name:ident: $type:ty),*);)*) => {$(
        fn $method(self, $($name: $type),*) -> Result<IoCompound<'s, W>> {
            self.container(|serializer| serializer.$method($($name),*))
        }
    )*};
}

impl<'s, W: Write> ser::Serializer for &'s mut IoSerializer<W> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = IoCompound<'s, W>;
    type SerializeTuple = IoCompound<'s, W>;
    type SerializeTupleStruct = IoCompound<'s, W>;
    type SerializeTupleVariant = IoCompound<'s, W>;
    type SerializeMap = IoCompound<'s, W>;
    type SerializeStruct = IoCompound<'s, W>;
    type SerializeStructVariant = IoCompound<'s, W>;

    scalars! {
        serialize_bool(value: bool); serialize_char(value: char); serialize_str(value: &str);
        serialize_i8(value: i8); serialize_i16(value: i16); serialize_i32(value: i32);
        serialize_i64(value: i64); serialize_i128(value: i128);
        serialize_u8(value: u8); serialize_u16(value: u16); serialize_u32(value: u32);
        serialize_u64(value: u64); serialize_u128(value: u128);
        serialize_f32(value: f32); serialize_f64(value: f64); serialize_bytes(value: &[u8]);
        serialize_none(); serialize_unit(); serialize_unit_struct(name: &'static str);
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str);
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        self.message(|serializer| serializer.serialize_some(value))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<()> {
        self.message(|serializer| serializer.serialize_newtype_struct(name, value))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        self.message(|serializer| serializer.serialize_newtype_variant(name, index, variant, value))
    }

    fn collect_seq<I: IntoIterator<Item: Serialize>>(self, items: I) -> Result<()> {
        self.message(|serializer| serializer.collect_seq(items))
    }

    containers! {
        serialize_seq(len: Option<usize>);
        serialize_tuple(len: usize);
        serialize_tuple_struct(name: &'static str, len: usize);
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, len: usize);
        serialize_map(len: Option<usize>);
        serialize_struct(name: &'static str, len: usize);
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, len: usize);
    }

    fn is_human_readable(&self) -> bool {
        self.config.human_readable
    }
}

impl<W: Write> IoCompound<'_, W> {
    fn finish(self) -> Result<()> {
        let serializer = self.compound.finish().map_err(Error::rooted)?;
        send(self.writer, &serializer.out)
    }
}

macro_rules! compounds {
    ($($trait:ident: $($method:ident($($name:ident: $type:ty),*)),* $(=> $skip:ident)?;)*) => {$(
        impl<W: Write> ser::$trait for IoCompound<'_, W> {
            type Ok = ();
            type Error = Error;

            $(fn $method<T: Serialize + ?Sized>(&mut self, $($name: $type,)* value: &T) -> Result<()> {
                ser::$trait::$method(&mut self.compound, $($name,)* value).map_err(Error::rooted)
            })*

            $(fn $skip(&mut self, name: &'static str) -> Result<()> {
                ser::$trait::$skip(&mut self.compound, name)
            })?

            fn end(self) -> Result<()> {
                self.finish()
            }
        }
    )*};
}

compounds! {
    SerializeSeq: serialize_element();
    SerializeTuple: serialize_element();
    SerializeTupleStruct: serialize_field();
    SerializeTupleVariant: serialize_field();
    SerializeMap: serialize_key(), serialize_value();
    SerializeStruct: serialize_field(name: &'static str) => skip_field;
    SerializeStructVariant: serialize_field(name: &'static str) => skip_field;
}
