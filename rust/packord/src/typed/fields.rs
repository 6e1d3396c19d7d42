//! The functions that derived code calls. Not meant for other code, and not stable.

use super::detail::Detail;
use super::reader::Open;
use super::state::{Failed, Step};
use super::{Cursor, Packable, Reader, Writer};
use crate::error::ErrorKind;
use crate::wire::marker as m;

pub use super::binary::*;
pub use super::flatten::{PackFields, UnpackFields, UnpackFieldsBorrowed};
pub use super::raw::{Field, ListHead};
pub use super::record_type::RecordType;

/// A map or record whose keys are the names of fields.
#[derive(Debug)]
pub struct Fields {
    pub(super) open: Open,
    start: usize,
    #[cfg(feature = "alloc")]
    structure: Option<crate::record::Structure>,
}

impl Fields {
    /// Returns the number of entries.
    #[inline(always)]
    #[must_use]
    pub fn count(&self) -> usize {
        self.open.count()
    }

    /// Returns whether the keys are outside of the entries.
    #[inline(always)]
    pub(super) fn is_record(&self) -> bool {
        #[cfg(feature = "alloc")]
        return self.structure.is_some();
        #[cfg(not(feature = "alloc"))]
        false
    }

    /// Returns the number of values after the value of the entry at `index`.
    #[inline(always)]
    pub(super) fn after(&self, index: usize) -> usize {
        let entries = self.open.count() - index - 1;
        if self.is_record() {
            entries
        } else {
            2 * entries
        }
    }
}

#[doc(hidden)]
impl Writer<'_> {
    /// Writes the id or definition of a record of this type if records are on; its values follow.
    /// Returns `false` if the caller has to write a map.
    ///
    /// # Errors
    ///
    /// `buffer_full`.
    #[inline(always)]
    pub fn record(&mut self, of: &'static RecordType) -> Result<bool, Failed> {
        #[cfg(feature = "alloc")]
        {
            match self.state.last_record {
                Some((last, id)) if core::ptr::eq(last, of) => {
                    return self.raw(&[id]).map(|()| true);
                }
                _ if self.state.records.is_some() => return self.name_record(of),
                _ => {}
            }
        }
        let _ = of;
        Ok(false)
    }
}

#[doc(hidden)]
impl<'de> Reader<'de> {
    /// Opens a record if one with exactly this type's keys is next: its values
    /// follow in the order of the keys.
    ///
    /// # Errors
    ///
    /// As for [`array`](Reader::array).
    #[inline(always)]
    pub fn known_record(&mut self, of: &'static RecordType) -> Result<Option<Open>, Failed> {
        #[cfg(feature = "alloc")]
        if self.state.records.is_some() {
            return self.open_known(of);
        }
        let _ = of;
        Ok(None)
    }

    /// Notes the type of the last record if it has the type's keys.
    #[inline(always)]
    pub fn note_record(&mut self, fields: &Fields, of: &'static RecordType) {
        #[cfg(feature = "alloc")]
        if let Some(structure) = &fields.structure {
            self.note_known(structure, of);
        }
        let _ = (fields, of);
    }

    /// Opens a map or record whose keys are the names of fields.
    ///
    /// # Errors
    ///
    /// As for [`map`](Reader::map).
    #[inline(always)]
    pub fn fields(&mut self) -> Result<Fields, Failed> {
        let start = self.position();
        #[cfg(feature = "alloc")]
        if let Some((structure, open)) = self.open_record()? {
            return Ok(Fields {
                open,
                start,
                structure: Some(structure),
            });
        }
        let open = self.map()?;
        Ok(Fields {
            open,
            start,
            #[cfg(feature = "alloc")]
            structure: None,
        })
    }

    /// Opens an array; returns `None` if a map or record is next.
    ///
    /// # Errors
    ///
    /// As for [`array`](Reader::array).
    #[inline(always)]
    pub fn array_or_fields(&mut self) -> Result<Option<Open>, Failed> {
        let start = self.position();
        match self.count(m::FIXARRAY, m::ARRAY16, m::ARRAY32)? {
            Some(count) => self.open(start, count, count as u64).map(Some),
            None if self.at_fields()? => Ok(None),
            None => Err(self.mismatch("an array")),
        }
    }

    /// Returns whether a map or record is next.
    ///
    /// # Errors
    ///
    /// `eof`.
    #[doc(hidden)]
    #[cold]
    #[inline(never)]
    pub fn at_fields(&mut self) -> Result<bool, Failed> {
        Ok(match self.peek()? {
            m::FIXMAP..=0x8f | m::MAP16 | m::MAP32 => true,
            marker @ 0x40..=0x7f => self.at_record(marker),
            m::FIXEXT1 | m::FIXEXT2 => self.state.limit < 0x80,
            _ => false,
        })
    }

    /// Opens a map or record whose keys are the names of fields; returns `None` if an array is next.
    ///
    /// # Errors
    ///
    /// As for [`map`](Reader::map).
    #[inline(always)]
    pub fn fields_or_array(&mut self) -> Result<Option<Fields>, Failed> {
        if matches!(self.peek()?, m::FIXARRAY..=0x9f | m::ARRAY16 | m::ARRAY32) {
            return Ok(None);
        }
        self.fields().map(Some)
    }

    /// Reads the value of a field that has a default. If its type cannot read JavaScript's undefined, that
    /// stands for a field that is absent.
    ///
    /// # Errors
    ///
    /// Those of `read`.
    pub fn unless_undefined<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Failed>,
        default: impl FnOnce() -> T,
    ) -> Result<T, Failed> {
        let (start, rest) = (self.position(), self.rest());
        match read(self) {
            Err(_) if crate::ext::at_undefined(rest) => {
                self.go_to(start);
                self.ext().map(|_| default())
            }
            outcome => outcome,
        }
    }

    /// Reads the element of a field that has a default. If the type has no value that is nil, a nil
    /// stands for a field that the writer left out, as serde writes it.
    ///
    /// # Errors
    ///
    /// Those of `read`.
    pub fn unless_left_out<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Failed>,
        default: impl FnOnce() -> T,
    ) -> Result<T, Failed> {
        let start = self.position();
        let is_nil = self.peek()? == m::NIL;
        if !is_nil {
            return self.unless_undefined(read, default);
        }
        read(self).or_else(|_| {
            self.go_to(start + 1);
            Ok(default())
        })
    }

    /// Takes the key of the entry at `index` if it is this one, given by name and as bytes, and
    /// returns whether it is.
    #[inline(always)]
    pub fn expect_key<const N: usize>(
        &mut self,
        cursor: &mut Cursor<'de>,
        fields: &Fields,
        index: usize,
        name: &str,
        bytes: &[u8; N],
    ) -> bool {
        #[cfg(feature = "alloc")]
        if let Some(structure) = &fields.structure {
            return structure.key(index) == Some(name);
        }
        let _ = name;
        index < fields.count() && cursor.take_all_if(bytes)
    }

    /// Reads a map of a tag, which is known already, and of the content of the variant; `absent` is
    /// the variant without content.
    #[inline(always)]
    pub fn adjacent<T>(
        &mut self,
        tag: &'static str,
        content: &'static str,
        deny: bool,
        absent: Option<T>,
        mut read: impl FnMut(&mut Self) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        let start = self.position();
        let fields = self.fields()?;
        let mut variant = None;
        for index in 0..fields.count() {
            let key_at = self.position();
            let key = self.field_key(&fields, index)?;
            if key == Some(content) {
                let step = Step::Field(content);
                variant = Some(self.field(&fields, index, false, step, &mut read)?);
            } else if key == Some(tag) {
                self.skip_field(&fields, index)?;
            } else {
                self.unknown_field(&fields, index, key, key_at, deny)?;
            }
        }
        self.end_fields(fields);
        match variant {
            Some(variant) => Ok(variant),
            None => self.missing(start, Step::Field(content), absent),
        }
    }

    /// Reads the key of the entry at `index`. Skips the entry and returns `None` if the key is not
    /// a str.
    #[inline(never)]
    pub fn field_key<'k>(
        &mut self,
        fields: &'k Fields,
        index: usize,
    ) -> Result<Option<&'k str>, Failed>
    where
        'de: 'k,
    {
        #[cfg(feature = "alloc")]
        if let Some(structure) = &fields.structure {
            return Ok(structure.key(index));
        }
        if matches!(self.peek()?, m::FIXSTR..=0xbf | m::STR8..=m::STR32) {
            return self.str().map(Some);
        }
        self.part(
            &fields.open,
            fields.after(index) + 1,
            false,
            Step::Same,
            Reader::skip,
        )?;
        Ok(None)
    }

    /// Reads a key as [`field_key`](Reader::field_key) does. An integer is the position of one of these
    /// names: serde writes so the fields of an array of which some are left out.
    #[doc(hidden)]
    #[inline(never)]
    pub fn named_key<'k>(
        &mut self,
        fields: &'k Fields,
        index: usize,
        names: &[&'k str],
    ) -> Result<Option<&'k str>, Failed>
    where
        'de: 'k,
    {
        if !fields.is_record() {
            let (marker, place) = (self.peek()?, self.place());
            if marker < self.state.limit || matches!(marker, m::UINT8 | m::UINT16) {
                let position = self.uint()?;
                if let Some(name) = names.get(position as usize) {
                    return Ok(Some(name));
                }
                self.restore(place);
            }
        }
        self.field_key(fields, index)
    }

    /// Fails if a field that has several names `came` before, where a key may occur only once.
    #[doc(hidden)]
    #[cold]
    #[inline(never)]
    pub fn once(&mut self, came: bool, fields: &Fields, key_at: usize) -> Result<(), Failed> {
        if came && self.state.checks_keys {
            let at = if fields.is_record() {
                fields.start
            } else {
                key_at
            };
            return Err(self.fail_at(ErrorKind::DuplicateKey, at));
        }
        Ok(())
    }

    /// Reads the value of the entry at `index`, which is the expected one.
    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "only derived code calls it")]
    pub fn expected<T>(
        &mut self,
        cursor: &mut Cursor<'de>,
        fields: &Fields,
        index: usize,
        leaf: bool,
        step: impl FnOnce() -> Step,
        quick: impl FnOnce(&mut Cursor<'de>) -> Option<T>,
        read: impl FnOnce(&mut Self) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        let after = fields.after(index);
        self.member(cursor, &fields.open, after, leaf, step, quick, read)
    }

    /// Reads the value of the entry at `index`.
    #[inline(always)]
    pub fn field<T>(
        &mut self,
        fields: &Fields,
        index: usize,
        leaf: bool,
        step: Step,
        read: impl FnOnce(&mut Self) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        self.part(&fields.open, fields.after(index), leaf, step, read)
    }

    /// Reads a value as [`field`](Reader::field) does, where another one was expected.
    #[cold]
    #[inline(never)]
    pub fn other_field<T>(
        &mut self,
        fields: &Fields,
        index: usize,
        step: Step,
        read: impl FnOnce(&mut Self) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        self.field(fields, index, false, step, read)
    }

    /// Skips the value of the entry at `index`, whose key is not a field, or fails if `deny` is
    /// set.
    #[cold]
    #[inline(never)]
    pub fn unknown_field(
        &mut self,
        fields: &Fields,
        index: usize,
        key: Option<&str>,
        key_at: usize,
        deny: bool,
    ) -> Result<(), Failed> {
        if deny {
            let at = if fields.is_record() {
                fields.start
            } else {
                key_at
            };
            return Err(match key {
                Some(key) => self.unknown(key, at, Detail::UnknownField),
                None => self.unexpected("a str", at),
            });
        }
        let step = if fields.is_record() {
            Step::Same
        } else {
            Step::Key(key_at)
        };
        self.field(fields, index, false, step, Reader::skip)
    }

    /// Ends the map.
    #[inline(always)]
    pub fn end_fields(&mut self, fields: Fields) {
        self.close(fields.open);
    }

    /// Returns the value of a missing field, or the failure if it must not be missing.
    #[cold]
    #[inline(never)]
    pub fn missing<T>(&mut self, at: usize, name: Step, absent: Option<T>) -> Result<T, Failed> {
        match absent {
            Some(value) => Ok(value),
            None => {
                let failed = self.fail_with(ErrorKind::TypeMismatch, at, Detail::MissingField);
                Err(self.within(name, failed))
            }
        }
    }

    /// Ends a struct's array that has more or fewer elements than the struct has fields.
    #[cold]
    #[inline(never)]
    pub fn surplus(
        &mut self,
        open: &Open,
        read: usize,
        start: usize,
        deny: bool,
    ) -> Result<(), Failed> {
        if deny {
            let words = Detail::Words("the array has more elements than the type");
            return Err(self.fail_with(ErrorKind::TypeMismatch, start, words));
        }
        self.skip_elements(open, read, open.count())
    }

    /// Skips the value of the entry at `index`.
    pub fn skip_field(&mut self, fields: &Fields, index: usize) -> Result<(), Failed> {
        self.field(fields, index, false, Step::Same, Reader::skip)
    }

    /// Returns the str value of a key, at any position of the map that is next. The reader does not
    /// move.
    pub fn tag(&mut self, tag: &'static str) -> Result<&'de str, Failed> {
        let mark = self.mark();
        let start = self.position();
        let fields = self.fields()?;
        for index in 0..fields.count() {
            let key_at = self.position();
            let key = self.field_key(&fields, index)?;
            if key == Some(tag) {
                let text = self.field(&fields, index, true, Step::Field(tag), Reader::str)?;
                self.go_back(&mark)?;
                return Ok(text);
            }
            self.unknown_field(&fields, index, key, key_at, false)?;
        }
        self.missing(start, Step::Field(tag), None)
    }

    /// Returns the failure if no variant of an untagged enum fits: that of the bytes, if they have
    /// a fault.
    #[cold]
    pub fn no_variant(&mut self) -> Failed {
        let at = self.position();
        match self.skip() {
            Ok(()) => {
                let words = Detail::Words("no variant of the enum accepts the value");
                self.fail_with(ErrorKind::TypeMismatch, at, words)
            }
            Err(failed) => failed,
        }
    }

    /// Returns whether a bin is next.
    pub fn at_bin(&mut self) -> Result<bool, Failed> {
        Ok(matches!(self.peek()?, m::BIN8..=m::BIN32))
    }

    /// Returns whether a str is next.
    pub fn at_str(&mut self) -> Result<bool, Failed> {
        Ok(matches!(self.peek()?, m::FIXSTR..=0xbf | m::STR8..=m::STR32))
    }
}

/// Writes a collection as an array.
#[doc(hidden)]
#[cfg(feature = "alloc")]
pub fn write_array<'c, C: ?Sized, T>(items: &'c C, writer: &mut Writer<'_>) -> Result<(), Failed>
where
    &'c C: IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
    T: Packable,
{
    writer.descend()?;
    writer.elements(items.into_iter())
}

/// Reads an array into a collection.
#[doc(hidden)]
#[cfg(feature = "alloc")]
pub fn read_array<'de, C: FromIterator<T>, T>(
    reader: &mut Reader<'de>,
    mut read: impl FnMut(&mut Reader<'de>) -> Result<T, Failed>,
) -> Result<C, Failed> {
    reader.descend()?;
    let open = reader.array()?;
    let count = open.count();
    let items = (0..count)
        .map(|index| {
            reader.part(
                &open,
                count - index - 1,
                false,
                Step::Index(index),
                &mut read,
            )
        })
        .collect::<Result<C, Failed>>()?;
    reader.close(open);
    Ok(items)
}

/// A pair of a key and a value, or a reference to one, as maps iterate over them.
pub trait MapEntry {
    /// The key's type.
    type Key: Packable + ?Sized;
    /// The value's type.
    type Value: Packable + ?Sized;
    /// Returns both.
    fn entry(&self) -> (&Self::Key, &Self::Value);
}

impl<K: Packable, V: Packable> MapEntry for (K, V) {
    type Key = K;
    type Value = V;
    #[inline(always)]
    fn entry(&self) -> (&K, &V) {
        (&self.0, &self.1)
    }
}

impl<K: Packable, V: Packable> MapEntry for &(K, V) {
    type Key = K;
    type Value = V;
    #[inline(always)]
    fn entry(&self) -> (&K, &V) {
        (&self.0, &self.1)
    }
}

/// Writes pairs as a map.
#[doc(hidden)]
#[cfg(feature = "alloc")]
#[inline(always)]
pub fn write_entries<P: MapEntry>(
    entries: impl ExactSizeIterator<Item = P>,
    writer: &mut Writer<'_>,
) -> Result<(), Failed> {
    if !(P::Key::BOUND.exists() && P::Value::BOUND.exists()) {
        writer.descend()?;
    }
    writer.nested(|writer| {
        let mut left = entries.len();
        writer.map_header(left)?;
        for pair in entries {
            let (key, value) = pair.entry();
            let Some(after) = left.checked_sub(1) else {
                return Err(writer.miscounted());
            };
            left = after;
            if let Err(failed) = writer.bounded_entry(key, value) {
                return Err(writer.within_key(key, failed));
            }
        }
        if left > 0 {
            return Err(writer.miscounted());
        }
        Ok(())
    })
}

/// Writes a collection as a map.
#[doc(hidden)]
#[cfg(feature = "alloc")]
pub fn write_map<'c, C: ?Sized, P: MapEntry>(
    items: &'c C,
    writer: &mut Writer<'_>,
) -> Result<(), Failed>
where
    &'c C: IntoIterator<Item = P, IntoIter: ExactSizeIterator>,
{
    write_entries(items.into_iter(), writer)
}

/// Reads a map into a collection of pairs.
#[doc(hidden)]
#[cfg(feature = "alloc")]
pub fn read_map<'de, C: FromIterator<(K, V)>, K, V>(
    reader: &mut Reader<'de>,
    mut read_key: impl FnMut(&mut Reader<'de>) -> Result<K, Failed>,
    mut read_value: impl FnMut(&mut Reader<'de>) -> Result<V, Failed>,
) -> Result<C, Failed> {
    reader.descend()?;
    let open = reader.map()?;
    let items = (0..open.count())
        .map(|index| {
            let after = 2 * (open.count() - index - 1);
            let at = reader.position();
            let key = reader.part(&open, after + 1, false, Step::Same, &mut read_key)?;
            let value = reader.part(&open, after, false, Step::Key(at), &mut read_value)?;
            Ok((key, value))
        })
        .collect::<Result<C, Failed>>()?;
    reader.close(open);
    Ok(items)
}

/// A value that a function writes.
#[derive(Debug)]
pub struct Via<F>(pub F);

impl<F: Fn(&mut Writer<'_>) -> Result<(), Failed>> Packable for Via<F> {
    #[inline(always)]
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        (self.0)(writer)
    }
}

/// Adds a step to the path of what `read` reports.
#[inline(always)]
pub fn within<'de, T>(
    reader: &mut Reader<'de>,
    step: Step,
    read: impl FnOnce(&mut Reader<'de>) -> Result<T, Failed>,
) -> Result<T, Failed> {
    match read(reader) {
        Ok(value) => Ok(value),
        Err(failed) => Err(reader.within(step, failed)),
    }
}

/// Reads a field that may be missing.
pub fn attempt<'de, T>(
    reader: &mut Reader<'de>,
    read: impl FnOnce(&mut Reader<'de>) -> Result<T, Failed>,
) -> Result<T, Failed> {
    read(reader)
}

/// Reads the elements of an array that has no header.
pub fn headerless_array<'de, T, const N: usize>(
    reader: &mut Reader<'de>,
    mut read: impl FnMut(&mut Reader<'de>) -> Result<T, Failed>,
) -> Result<[T; N], Failed> {
    crate::typed::raw::try_array(|_| read(reader))
}

/// Takes nothing.
#[inline(always)]
#[must_use]
pub fn quick_none<T>(_: &mut Cursor<'_>) -> Option<T> {
    None
}
