//! [`Compound`]: a container that is being written.

use super::ser::Serializer;
use crate::error::{Error, ErrorKind, Result};
use crate::options::DecodeOptions;
use crate::walk::push_packed_key;
use crate::wire::{Buffer, marker as m};
use ::serde::ser::{self, Serialize};
use alloc::vec::Vec;

/// An array, map or struct that is being written. Its header has the length that the type announced,
/// and is rewritten at the end if the length was wrong or unknown.
///
/// Only inlined functions take it by reference, so that its fields can stay in registers.
#[derive(Debug)]
pub struct Compound<'s, B> {
    serializer: &'s mut Serializer<B>,
    /// Where the header begins.
    begin: usize,
    announced: usize,
    /// Pending elements; wraps below 0 if there are more than announced.
    left: usize,
    is_map: bool,
    /// Whether all elements so far were `u8`, if bytes are detected.
    all_u8: bool,
    /// Whether the value of the last key is missing.
    after_key: bool,
    /// Whether a part failed, so that a type that drops its error cannot end the container.
    failed: bool,
    /// How many of the struct's fields were left out of its array.
    left_out: u32,
    /// Where the last key of a map begins.
    key: usize,
    /// The variant around it, which is a container of its own.
    variant: Option<&'static str>,
}

impl<'s, B: Buffer> Compound<'s, B> {
    #[inline(always)]
    pub(super) fn open(serializer: &'s mut Serializer<B>, is_map: bool, announced: usize) -> Result<Self> {
        serializer.enter()?;
        let begin = serializer.out.output().len();
        put_header(&mut serializer.out, is_map, announced)?;
        Ok(Compound {
            serializer,
            begin,
            announced,
            left: announced,
            is_map,
            all_u8: false,
            after_key: false,
            failed: false,
            left_out: 0,
            key: 0,
            variant: None,
        })
    }

    pub(super) fn detecting(mut self, bytes: bool) -> Self {
        self.all_u8 = bytes;
        self
    }

    pub(super) fn of(content: Result<Self>, variant: &'static str) -> Result<Self> {
        let mut content = content.map_err(|error| error.in_field(variant))?;
        content.variant = Some(variant);
        Ok(content)
    }

    fn come(&self) -> usize {
        self.announced.wrapping_sub(self.left)
    }

    /// Notes that a part failed.
    #[inline(always)]
    fn fail(&mut self, error: Error) -> Error {
        self.failed = true;
        self.serializer.failure(error)
    }

    #[inline(always)]
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.serializer.wrote_u8 = false;
        if let Err(error) = value.serialize(&mut *self.serializer) {
            let index = self.come();
            return Err(self.fail(in_variant(self.variant, error.in_element(index))));
        }
        if self.all_u8 {
            self.all_u8 = self.serializer.wrote_u8;
        }
        self.left = self.left.wrapping_sub(1);
        Ok(())
    }

    #[inline(always)]
    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        if self.is_map {
            if let Err(error) = self.serializer.out.put_str(name.as_bytes()) {
                return Err(self.fail(error));
            }
        }
        if let Err(error) = value.serialize(&mut *self.serializer) {
            return Err(self.fail(in_variant(self.variant, error.in_field(name))));
        }
        self.left = self.left.wrapping_sub(1);
        Ok(())
    }

    /// Notes the position of a field that is left out of an array.
    #[inline(always)]
    fn skip(&mut self) {
        if !self.is_map {
            self.serializer.leave_out(self.come() + self.left_out as usize);
            self.left_out += 1;
        }
    }

    #[inline(always)]
    pub(super) fn finish(self) -> Result<&'s mut Serializer<B>> {
        if self.failed {
            return Err(self.serializer.take_failure());
        }
        if self.after_key {
            return Err(lacks("a map has a key without a value"));
        }
        let count = self.come();
        let out = &mut self.serializer.out;
        if self.all_u8 && count != 0 {
            bin_of_array(out, self.begin, self.announced)?;
        } else if self.left != 0 {
            amend(out, self.begin, self.is_map, self.announced, count)?;
        }
        if self.left_out > 0 {
            by_position(self.serializer, self.begin, count, self.left_out as usize)?;
        }
        self.serializer.depth.leave();
        if self.variant.is_some() {
            self.serializer.depth.leave();
        }
        self.serializer.wrote_u8 = false;
        Ok(self.serializer)
    }

    #[cold]
    fn in_entry(out: &mut B, key: usize, end: usize, error: Error) -> Error {
        error.within(|path| push_packed_key(path, &out.output()[key..end]))
    }
}

/// Returns the error of a type that writes half of an entry.
#[cold]
fn lacks(words: &'static str) -> Error {
    Error::new(ErrorKind::Custom).with_detail(words)
}

#[cold]
fn in_variant(variant: Option<&'static str>, error: Error) -> Error {
    match variant {
        Some(variant) => error.in_field(variant),
        None => error,
    }
}

#[inline(never)]
fn amend<B: Buffer>(out: &mut B, begin: usize, is_map: bool, announced: usize, count: usize) -> Result<()> {
    let (old, new) = (header(is_map, announced)?, header(is_map, count)?);
    let (from, to) = (begin + old.len(), begin + new.len());
    let end = out.output().len();
    for _ in old.len()..new.len() {
        out.put([0])?;
    }
    out.output().copy_within(from..end, to);
    out.truncate(end - from + to);
    out.output()[begin..to].copy_from_slice(&new);
    Ok(())
}

/// Makes an array of fields a map from their positions. No element could stand for a field that was left
/// out: the type may write it as another value too.
#[cold]
#[inline(never)]
fn by_position<B: Buffer>(serializer: &mut Serializer<B>, begin: usize, count: usize, left_out: usize) -> Result<()> {
    let mut absent = serializer.take_left_out(left_out).into_iter().peekable();
    let out = &mut serializer.out;
    let fields = out.output()[begin + header(false, count)?.len()..].to_vec();
    out.truncate(begin);
    out.put_map(count)?;
    let (options, mut rest) = (DecodeOptions::new().max_depth(u32::MAX), &fields[..]);
    for position in 0..count + left_out {
        if absent.next_if_eq(&position).is_some() {
            continue;
        }
        let (field, after) = rest.split_at(options.skip_value(rest)?);
        out.put_uint(position as u64)?;
        out.put_with([], field)?;
        rest = after;
    }
    Ok(())
}

/// Writes the header of an array or a map.
#[inline(always)]
fn put_header<B: Buffer>(out: &mut B, is_map: bool, count: usize) -> Result<()> {
    if is_map {
        out.put_map(count)
    } else {
        out.put_array(count)
    }
}

/// Returns such a header.
fn header(is_map: bool, count: usize) -> Result<Vec<u8>> {
    let mut header = Vec::new();
    put_header(&mut header, is_map, count)?;
    Ok(header)
}

#[inline(never)]
fn bin_of_array<B: Buffer>(out: &mut B, begin: usize, announced: usize) -> Result<()> {
    let elements = begin + header(false, announced)?.len();
    let mut bytes = Vec::new();
    let mut numbers = out.output()[elements..].iter();
    while let Some(&byte) = numbers.next() {
        bytes.push(if byte == m::UINT8 {
            *numbers.next().unwrap_or(&0)
        } else {
            byte
        });
    }
    out.truncate(begin);
    out.put_bin(&bytes)
}

macro_rules! compounds {
    ($($trait:ident $method:ident$(($name:ident))?: $call:ident $($skip:ident)?;)*) => {$(
        impl<B: Buffer> ser::$trait for Compound<'_, B> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, $($name: &'static str,)? value: &T) -> Result<()> {
                self.$call($($name,)? value)
            }

            $(#[inline]
            fn $skip(&mut self, _name: &'static str) -> Result<()> {
                self.skip();
                Ok(())
            })?

            #[inline]
            fn end(self) -> Result<()> {
                self.finish().map(drop)
            }
        }
    )*};
}

compounds! {
    SerializeSeq serialize_element: element;
    SerializeTuple serialize_element: element;
    SerializeTupleStruct serialize_field: element;
    SerializeTupleVariant serialize_field: element;
    SerializeStruct serialize_field(name): field skip_field;
    SerializeStructVariant serialize_field(name): field skip_field;
}

impl<B: Buffer> ser::SerializeMap for Compound<'_, B> {
    type Ok = ();
    type Error = Error;

    /// Returns the error of a key, which is reported at the path of the map.
    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        if self.after_key {
            return Err(self.fail(lacks("a map has a key without a value")));
        }
        self.key = self.serializer.out.output().len();
        self.after_key = true;
        if let Err(error) = key.serialize(&mut *self.serializer) {
            return Err(self.fail(match error.path() {
                Some(_) => error.with_path(""),
                None => error,
            }));
        }
        Ok(())
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        if !self.after_key {
            return Err(self.fail(lacks("a map has a value without a key")));
        }
        let end = self.serializer.out.output().len();
        self.after_key = false;
        if let Err(error) = value.serialize(&mut *self.serializer) {
            let error = Self::in_entry(&mut self.serializer.out, self.key, end, error);
            return Err(self.fail(error));
        }
        self.left = self.left.wrapping_sub(1);
        Ok(())
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.finish().map(drop)
    }
}
