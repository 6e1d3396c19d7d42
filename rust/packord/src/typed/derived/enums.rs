//! Enums: the names of variants, and several variants that are tried.

use super::fields::{Fields, end_fields, field, field_key, fields, missing, skip_field, unknown_field};
use crate::error::ErrorKind;
use crate::typed::detail::Detail;
use crate::typed::reader::Place;
use crate::typed::{Failed, Reader, Step};
#[cfg(feature = "alloc")]
use alloc::boxed::Box;

/// A position to go back to, with the records that are known there.
#[derive(Debug)]
pub struct Mark {
    place: Place,
    #[cfg(feature = "alloc")]
    records: Option<Box<crate::typed::record_state::KnownRecords>>,
}

#[must_use]
pub fn mark(reader: &Reader<'_>) -> Mark {
    Mark {
        place: reader.place(),
        #[cfg(feature = "alloc")]
        records: reader
            .state
            .records
            .as_ref()
            .map(|records| Box::new(records.reader.known(&records.types))),
    }
}

/// Goes back. The number of bytes that may be read again is linear in the input; `length_limit` if more
/// would be.
pub fn go_back(reader: &mut Reader<'_>, mark: &Mark) -> Result<(), Failed> {
    let again = reader.position().saturating_sub(mark.place.position) + 1;
    let Some(left) = reader.state.retries.checked_sub(again) else {
        return Err(reader.fail_at(ErrorKind::LengthLimit, mark.place.position));
    };
    reader.state.retries = left;
    #[cfg(feature = "alloc")]
    if let (Some(records), Some(known)) = (&mut reader.state.records, &mark.records) {
        records.reader.forget_all_but(&mut records.types, known);
    }
    reader.restore(mark.place);
    Ok(())
}

/// Reads a str if one is next: the name of a variant without content.
#[inline(always)]
pub fn unit_name<'de>(reader: &mut Reader<'de>) -> Result<Option<&'de str>, Failed> {
    if reader.at_str()? {
        reader.str().map(Some)
    } else {
        Ok(None)
    }
}

/// Opens a map from the name of a variant to its content.
pub fn variant(reader: &mut Reader<'_>) -> Result<Fields, Failed> {
    let start = reader.position();
    let fields = fields(reader);
    let fields = fields.map_err(|failed| reader.expecting(failed, "a variant"))?;
    if fields.count() != 1 {
        return Err(unexpected_form(reader, "a map of one entry", start));
    }
    Ok(fields)
}

/// Reads one of the variants of an enum without tags; goes back and returns `None` if the value is of another.
pub fn attempt<'de, T>(
    reader: &mut Reader<'de>,
    mark: &Mark,
    read: impl FnOnce(&mut Reader<'de>) -> Result<T, Failed>,
) -> Result<Option<T>, Failed> {
    match read(reader) {
        Ok(value) => Ok(Some(value)),
        // The end of the stack says nothing about the value, which may be of this variant.
        Err(failed) if reader.state.faults.kind() == Some(ErrorKind::DepthLimit) => Err(failed),
        Err(_) => go_back(reader, mark).map(|()| None),
    }
}

/// Reports a variant of an enum in a form that it does not have.
#[cold]
#[inline(never)]
pub fn unexpected_form(reader: &mut Reader<'_>, expected: &'static str, at: usize) -> Failed {
    reader.unexpected(expected, at)
}

/// Reports the name of a variant that the enum does not have; `None` if it is not a str.
#[cold]
#[inline(never)]
pub fn unknown_variant(reader: &mut Reader<'_>, name: Option<&str>, at: usize) -> Failed {
    match name {
        Some(name) => reader.unknown(name, at, Detail::UnknownVariant),
        None => reader.unexpected("a map from the name of a variant", at),
    }
}

/// Reports a number that is not that of a variant of the enum.
#[cold]
#[inline(never)]
pub fn unknown_number(reader: &mut Reader<'_>, at: usize) -> Failed {
    reader.fail_with(ErrorKind::TypeMismatch, at, Detail::UnknownNumber)
}

/// Reads a map of a tag, which is known already, and of the content of the variant; `absent` is
/// the variant without content.
#[inline(always)]
pub fn adjacent<'de, T>(
    reader: &mut Reader<'de>,
    tag: &'static str,
    content: &'static str,
    deny: bool,
    absent: Option<T>,
    mut read: impl FnMut(&mut Reader<'de>) -> Result<T, Failed>,
) -> Result<T, Failed> {
    let start = reader.position();
    let fields = fields(reader)?;
    let mut variant = None;
    for index in 0..fields.count() {
        let key_at = reader.position();
        let key = field_key(reader, &fields, index)?;
        if key == Some(content) {
            let step = Step::Field(content);
            variant = Some(field(reader, &fields, index, false, step, &mut read)?);
        } else if key == Some(tag) {
            skip_field(reader, &fields, index)?;
        } else {
            unknown_field(reader, &fields, index, key, key_at, deny)?;
        }
    }
    end_fields(reader, fields);
    match variant {
        Some(variant) => Ok(variant),
        None => missing(reader, start, Step::Field(content), absent),
    }
}

/// Returns the str value of a key, at any position of the map that is next. The reader does not
/// move.
pub fn tag<'de>(reader: &mut Reader<'de>, tag: &'static str) -> Result<&'de str, Failed> {
    let mark = mark(reader);
    let start = reader.position();
    let fields = fields(reader)?;
    for index in 0..fields.count() {
        let key_at = reader.position();
        let key = field_key(reader, &fields, index)?;
        if key == Some(tag) {
            let text = field(reader, &fields, index, true, Step::Field(tag), Reader::str)?;
            go_back(reader, &mark)?;
            return Ok(text);
        }
        unknown_field(reader, &fields, index, key, key_at, false)?;
    }
    missing(reader, start, Step::Field(tag), None)
}

/// Returns the failure if no variant of an untagged enum fits: that of the bytes, if they have
/// a fault.
#[cold]
pub fn no_variant(reader: &mut Reader<'_>) -> Failed {
    let at = reader.position();
    match reader.skip() {
        Ok(()) => {
            let words = Detail::Words("no variant of the enum accepts the value");
            reader.fail_with(ErrorKind::TypeMismatch, at, words)
        }
        Err(failed) => failed,
    }
}
