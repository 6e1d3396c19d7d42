//! Forms that several types share: text, structs of two fields and enums of two
//! variants, as derived types and serde write them.

use crate::error::ErrorKind;
use crate::typed::derived;
use crate::typed::detail::Detail;
use crate::typed::state::Step;
use crate::typed::{Failed, Packable, Reader, Writer};

/// Reads a value from a str, if one is next.
pub(super) fn from_text<T>(
    reader: &mut Reader<'_>,
    expected: &'static str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, Failed> {
    let start = reader.position();
    if !reader.at_str()? {
        return Ok(None);
    }
    match parse(reader.str()?) {
        Some(value) => Ok(Some(value)),
        None => Err(reader.unexpected(expected, start)),
    }
}

/// Reads the two fields of a struct, from an array of them or from a map with their names.
pub(super) fn read_pair<'de, A, B>(
    reader: &mut Reader<'de>,
    [first, second]: [&'static str; 2],
    mut read_first: impl FnMut(&mut Reader<'de>) -> Result<A, Failed>,
    mut read_second: impl FnMut(&mut Reader<'de>) -> Result<B, Failed>,
) -> Result<(A, B), Failed> {
    let start = reader.position();
    if reader.at_array()? {
        let open = reader.array()?;
        if open.count() != 2 {
            let detail = Detail::TupleLength(2, open.count());
            return Err(reader.fail_with(ErrorKind::TypeMismatch, start, detail));
        }
        let one = reader.part(&open, 1, false, Step::Field(first), read_first)?;
        let other = reader.part(&open, 0, false, Step::Field(second), read_second)?;
        reader.close(open);
        return Ok((one, other));
    }
    let fields = derived::fields(reader);
    let fields = fields.map_err(|failed| reader.expecting(failed, "an array"))?;
    let (mut one, mut other) = (None, None);
    for index in 0..fields.count() {
        let key_at = reader.position();
        let key = derived::field_key(reader, &fields, index)?;
        if key == Some(first) {
            let step = Step::Field(first);
            one = Some(derived::other_field(reader, &fields, index, step, &mut read_first)?);
        } else if key == Some(second) {
            let step = Step::Field(second);
            other = Some(derived::other_field(reader, &fields, index, step, &mut read_second)?);
        } else {
            derived::unknown_field(reader, &fields, index, key, key_at, false)?;
        }
    }
    derived::end_fields(reader, fields);
    let one = one.map_or_else(|| derived::missing(reader, start, Step::Field(first), None), Ok)?;
    let other = other.map_or_else(|| derived::missing(reader, start, Step::Field(second), None), Ok)?;
    Ok((one, other))
}

pub(super) fn write_pair(
    writer: &mut Writer<'_>,
    names: [&'static str; 2],
    values: [&impl Packable; 2],
) -> Result<(), Failed> {
    writer.nested(|writer| {
        writer.array_header(2)?;
        for (name, value) in names.into_iter().zip(values) {
            writer.part(Step::Field(name), |writer| value.pack_into(writer))?;
        }
        Ok(())
    })
}

/// Reads a map from the name of one of the variants to its content; `read` is given the index of
/// the variant.
pub(super) fn read_variant<'de, T, const N: usize>(
    reader: &mut Reader<'de>,
    names: [&'static str; N],
    read: impl FnOnce(&mut Reader<'de>, usize) -> Result<T, Failed>,
) -> Result<T, Failed> {
    let start = reader.position();
    let fields = derived::variant(reader)?;
    let name = derived::field_key(reader, &fields, 0)?;
    let Some(which) = names.iter().position(|known| Some(*known) == name) else {
        return Err(derived::unknown_variant(reader, name, start));
    };
    let step = Step::Field(names[which]);
    let value = derived::field(reader, &fields, 0, false, step, |reader| read(reader, which))?;
    derived::end_fields(reader, fields);
    Ok(value)
}

pub(super) fn write_variant<T: Packable + ?Sized>(
    writer: &mut Writer<'_>,
    name: &'static str,
    content: &T,
) -> Result<(), Failed> {
    writer.nested(|writer| {
        writer.map_header(1)?;
        writer.str(name)?;
        writer.part(Step::Field(name), |writer| content.pack_into(writer))
    })
}
