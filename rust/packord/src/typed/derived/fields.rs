//! Fields of structs and of variants: with their names in a map or record, with integers as keys, and
//! without keys in an array.

use super::record_type::RecordType;
use crate::error::ErrorKind;
use crate::typed::detail::{Detail, Found};
use crate::typed::reader::member;
use crate::typed::{Cursor, Failed, Open, Reader, Step, Writer};
use crate::wire::header::Kind;
use crate::wire::marker as m;

/// A map or record whose keys are the names of fields.
#[derive(Debug)]
pub struct Fields {
    open: Open,
    start: usize,
    #[cfg(feature = "alloc")]
    structure: Option<crate::record::Structure>,
}

impl Fields {
    #[inline(always)]
    #[must_use]
    pub fn count(&self) -> usize {
        self.open.count()
    }

    /// Returns whether the keys are outside of the entries.
    #[inline(always)]
    fn is_record(&self) -> bool {
        #[cfg(feature = "alloc")]
        return self.structure.is_some();
        #[cfg(not(feature = "alloc"))]
        false
    }

    /// Returns where a fault of a key is reported: a record has none, and is reported itself.
    fn key_at(&self, key_at: usize) -> usize {
        if self.is_record() { self.start } else { key_at }
    }

    /// Counts a key that is copied, if the input has it once for many records.
    #[cfg(feature = "alloc")]
    pub(super) fn copies_key(&self, reader: &mut Reader<'_>, key: &str) -> Result<(), Failed> {
        if self.is_record() {
            reader.copies_name(key, self.start)
        } else {
            Ok(())
        }
    }

    /// Returns the number of values after the value of the entry at `index`.
    #[inline(always)]
    fn after(&self, index: usize) -> usize {
        let entries = self.open.count() - index - 1;
        if self.is_record() { entries } else { 2 * entries }
    }
}

/// Writes the id or definition of a record of this type if records are on; its values follow.
/// Returns `false` if the caller has to write a map.
#[inline(always)]
pub fn record(writer: &mut Writer<'_>, of: &'static RecordType) -> Result<bool, Failed> {
    #[cfg(feature = "alloc")]
    {
        match writer.state.last_record {
            Some((last, id)) if core::ptr::eq(last, of) => {
                return writer.raw(&[id]).map(|()| true);
            }
            _ if writer.state.records.is_some() => return writer.name_record(of),
            _ => {}
        }
    }
    let _ = (writer, of);
    Ok(false)
}

/// Opens a record if one with exactly this type's keys is next: its values
/// follow in the order of the keys.
#[inline(always)]
pub fn known_record(reader: &mut Reader<'_>, of: &'static RecordType) -> Result<Option<Open>, Failed> {
    #[cfg(feature = "alloc")]
    if reader.state.records.is_some() {
        return reader.open_known(of);
    }
    let _ = (reader, of);
    Ok(None)
}

/// Notes the type of the last record if it has the type's keys.
#[inline(always)]
pub fn note_record(reader: &mut Reader<'_>, fields: &Fields, of: &'static RecordType) {
    #[cfg(feature = "alloc")]
    if let Some(structure) = &fields.structure {
        reader.note_known(structure, of);
    }
    let _ = (reader, fields, of);
}

/// Opens a map or record whose keys are the names of fields.
#[inline(always)]
pub fn fields(reader: &mut Reader<'_>) -> Result<Fields, Failed> {
    let start = reader.position();
    #[cfg(feature = "alloc")]
    if let Some((structure, open)) = reader.open_record()? {
        return Ok(Fields {
            open,
            start,
            structure: Some(structure),
        });
    }
    let open = reader.map()?;
    Ok(Fields {
        open,
        start,
        #[cfg(feature = "alloc")]
        structure: None,
    })
}

/// Opens an array; returns `None` if a map or record is next.
#[inline(always)]
pub fn array_or_fields(reader: &mut Reader<'_>) -> Result<Option<Open>, Failed> {
    let start = reader.position();
    match reader.count(m::FIXARRAY, m::ARRAY16, m::ARRAY32)? {
        Some(count) => reader.open(start, count, count as u64).map(Some),
        None if at_fields(reader)? => Ok(None),
        None => Err(reader.mismatch("an array")),
    }
}

#[cold]
#[inline(never)]
pub fn at_fields(reader: &mut Reader<'_>) -> Result<bool, Failed> {
    Ok(match reader.peek()? {
        m::FIXMAP..=0x8f | m::MAP16 | m::MAP32 => true,
        _ => reader.begins_record(reader.rest()),
    })
}

/// Opens a map or record whose keys are the names of fields; returns `None` if an array is next.
#[inline(always)]
pub fn fields_or_array(reader: &mut Reader<'_>) -> Result<Option<Fields>, Failed> {
    if matches!(reader.peek()?, m::FIXARRAY..=0x9f | m::ARRAY16 | m::ARRAY32) {
        return Ok(None);
    }
    fields(reader).map(Some)
}

/// Reads the value of a field that has a default. If its type cannot read JavaScript's undefined, that
/// stands for a field that is absent.
pub fn unless_undefined<'de, T>(
    reader: &mut Reader<'de>,
    read: impl FnOnce(&mut Reader<'de>) -> Result<T, Failed>,
    default: impl FnOnce() -> T,
) -> Result<T, Failed> {
    let (start, rest) = (reader.position(), reader.rest());
    match read(reader) {
        Err(_) if crate::ext::at_undefined(rest) => {
            reader.go_to(start);
            reader.ext().map(|_| default())
        }
        outcome => outcome,
    }
}

/// Reads the element of a field that has a default. If the type has no value that is nil, a nil
/// stands for a field that the writer left out, as serde writes it.
pub fn unless_left_out<'de, T>(
    reader: &mut Reader<'de>,
    read: impl FnOnce(&mut Reader<'de>) -> Result<T, Failed>,
    default: impl FnOnce() -> T,
) -> Result<T, Failed> {
    let start = reader.position();
    let is_nil = reader.peek()? == m::NIL;
    if !is_nil {
        return unless_undefined(reader, read, default);
    }
    read(reader).or_else(|_| {
        reader.go_to(start + 1);
        Ok(default())
    })
}

/// Takes the key of the entry at `index` if it is this one, given by name and as bytes, and
/// returns whether it is.
#[inline(always)]
pub fn expect_key<const N: usize>(
    cursor: &mut Cursor<'_>,
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

/// Reads the key of the entry at `index`. Skips the entry and returns `None` if the key is not
/// a str.
#[inline(never)]
pub fn field_key<'de, 'k>(reader: &mut Reader<'de>, fields: &'k Fields, index: usize) -> Result<Option<&'k str>, Failed>
where
    'de: 'k,
{
    #[cfg(feature = "alloc")]
    if let Some(structure) = &fields.structure {
        return Ok(structure.key(index));
    }
    if matches!(reader.peek()?, m::FIXSTR..=0xbf | m::STR8..=m::STR32) {
        return reader.str().map(Some);
    }
    let after = fields.after(index) + 1;
    let skipped = reader.part(&fields.open, after, false, Step::Same, Reader::skip);
    skipped.map_err(|failed| reader.in_key(failed))?;
    Ok(None)
}

/// Reads a key as [`field_key`] does. An integer is the position of one of these
/// names: serde writes so the fields of an array of which some are left out.
#[inline(never)]
pub fn named_key<'de, 'k>(
    reader: &mut Reader<'de>,
    fields: &'k Fields,
    index: usize,
    names: &[&'k str],
) -> Result<Option<&'k str>, Failed>
where
    'de: 'k,
{
    if !fields.is_record() {
        let (marker, place) = (reader.peek()?, reader.place());
        if marker < reader.state.limit || matches!(marker, m::UINT8 | m::UINT16) {
            let position = reader.uint()?;
            if let Some(name) = names.get(position as usize) {
                return Ok(Some(name));
            }
            reader.restore(place);
        }
    }
    field_key(reader, fields, index)
}

/// Fails if a field that has several names `came` before, where a key may occur only once.
#[cold]
#[inline(never)]
pub fn once(reader: &mut Reader<'_>, came: bool, fields: &Fields, key_at: usize) -> Result<(), Failed> {
    if came && reader.state.checks_keys {
        return Err(reader.fail_at(ErrorKind::DuplicateKey, fields.key_at(key_at)));
    }
    Ok(())
}

/// Reads the value of the entry at `index`, which is the expected one.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "only derived code calls it")]
pub fn expected<'de, T>(
    reader: &mut Reader<'de>,
    cursor: &mut Cursor<'de>,
    fields: &Fields,
    index: usize,
    leaf: bool,
    step: impl FnOnce() -> Step,
    quick: impl FnOnce(&mut Cursor<'de>) -> Option<T>,
    read: impl FnOnce(&mut Reader<'de>) -> Result<T, Failed>,
) -> Result<T, Failed> {
    let after = fields.after(index);
    member(reader, cursor, &fields.open, after, leaf, step, quick, read)
}

#[inline(always)]
pub fn field<'de, T>(
    reader: &mut Reader<'de>,
    fields: &Fields,
    index: usize,
    leaf: bool,
    step: Step,
    read: impl FnOnce(&mut Reader<'de>) -> Result<T, Failed>,
) -> Result<T, Failed> {
    reader.part(&fields.open, fields.after(index), leaf, step, read)
}

/// Reads a value as [`field`] does, where another one was expected.
#[cold]
#[inline(never)]
pub fn other_field<'de, T>(
    reader: &mut Reader<'de>,
    fields: &Fields,
    index: usize,
    step: Step,
    read: impl FnOnce(&mut Reader<'de>) -> Result<T, Failed>,
) -> Result<T, Failed> {
    field(reader, fields, index, false, step, read)
}

/// Skips the value of the entry at `index`, whose key is not a field, or fails if `deny` is
/// set.
#[cold]
#[inline(never)]
pub fn unknown_field(
    reader: &mut Reader<'_>,
    fields: &Fields,
    index: usize,
    key: Option<&str>,
    key_at: usize,
    deny: bool,
) -> Result<(), Failed> {
    if deny {
        let at = fields.key_at(key_at);
        return Err(match key {
            Some(key) => reader.unknown(key, at, Detail::UnknownField),
            None => reader.unexpected("a str", at),
        });
    }
    #[cfg(feature = "alloc")]
    if let Some(key) = key.filter(|_| fields.is_record()) {
        let skipped = skip_field(reader, fields, index);
        return skipped.map_err(|failed| reader.within_name(key, failed));
    }
    field(reader, fields, index, false, Step::Key(key_at), Reader::skip)
}

#[inline(always)]
pub fn end_fields(reader: &mut Reader<'_>, fields: Fields) {
    reader.close(fields.open);
}

/// Returns the value of a missing field, or the failure if it must not be missing.
#[cold]
#[inline(never)]
pub fn missing<T>(reader: &mut Reader<'_>, at: usize, name: Step, absent: Option<T>) -> Result<T, Failed> {
    match absent {
        Some(value) => Ok(value),
        None => {
            let failed = reader.fail_with(ErrorKind::TypeMismatch, at, Detail::MissingField);
            Err(reader.within(name, failed))
        }
    }
}

/// Ends a struct's array that has more or fewer elements than the struct has fields.
#[cold]
#[inline(never)]
pub fn surplus(reader: &mut Reader<'_>, open: &Open, read: usize, start: usize, deny: bool) -> Result<(), Failed> {
    if deny {
        let words = Detail::Words("the array has more elements than the type");
        return Err(reader.fail_with(ErrorKind::TypeMismatch, start, words));
    }
    skip_elements(reader, open, read, open.count())
}

pub fn skip_field(reader: &mut Reader<'_>, fields: &Fields, index: usize) -> Result<(), Failed> {
    field(reader, fields, index, false, Step::Same, Reader::skip)
}

/// Takes the key of the entry at `index` if it is this integer, given as its bytes.
#[inline(always)]
pub fn expect_integer<const N: usize>(cursor: &mut Cursor<'_>, fields: &Fields, index: usize, bytes: &[u8; N]) -> bool {
    !fields.is_record() && index < fields.count() && cursor.take_all_if(bytes)
}

/// Reads the key of the entry at `index` if it is an integer of 64 bits.
#[inline(never)]
pub fn integer_key(reader: &mut Reader<'_>, fields: &Fields, index: usize) -> Result<Option<i64>, Failed> {
    if fields.is_record() || Found::at(reader.rest()) != Found::Of(Kind::Int) {
        return Ok(None);
    }
    let place = reader.place();
    let after = fields.after(index) + 1;
    let key = reader.part(&fields.open, after, false, Step::Same, Reader::int_128);
    if let Some(key) = key.ok().and_then(|key| i64::try_from(key).ok()) {
        return Ok(Some(key));
    }
    // Whatever else it is, its fault is found where all other keys are read.
    reader.restore(place);
    Ok(None)
}

/// Skips the value of the entry at `index`, whose key is an integer that is not a field, or
/// fails if `deny` is set.
#[cold]
#[inline(never)]
pub fn unknown_integer(
    reader: &mut Reader<'_>,
    fields: &Fields,
    index: usize,
    key_at: usize,
    deny: bool,
) -> Result<(), Failed> {
    if deny {
        return Err(reader.fail_with(ErrorKind::TypeMismatch, key_at, Detail::UnknownKey));
    }
    field(reader, fields, index, false, Step::Key(key_at), Reader::skip)
}

/// Skips the elements of an array that belong to no field.
#[inline(never)]
pub fn gap<'de>(
    reader: &mut Reader<'de>,
    cursor: &mut Cursor<'de>,
    open: &Open,
    from: usize,
    to: usize,
) -> Result<(), Failed> {
    reader.go_on(*cursor);
    skip_elements(reader, open, from, to.min(open.count()))?;
    *cursor = reader.cursor();
    Ok(())
}

fn skip_elements(reader: &mut Reader<'_>, open: &Open, from: usize, to: usize) -> Result<(), Failed> {
    for index in from..to {
        let after = open.count() - index - 1;
        reader.part(open, after, false, Step::Index(index), Reader::skip)?;
    }
    Ok(())
}
