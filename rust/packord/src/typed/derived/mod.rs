//! What derived code calls. Not meant for other code, and not stable.

mod binary;
mod collections;
mod enums;
mod fields;
mod flatten;
mod record_type;

pub use super::pack::BOUND_LEVELS;
pub use super::raw::{Cursor, Field, ListHead, resume, try_fields};
pub use super::reader::member;
pub use binary::*;
pub use collections::*;
pub use enums::*;
pub use fields::*;
pub use flatten::{PackFields, UnpackFields, UnpackFieldsBorrowed};
pub use record_type::RecordType;

pub use super::{Failed, Packable, Reader, Step, TimestampLike, Unpackable, UnpackableBorrowed, Writer};
pub use core::option::Option::{self, None, Some};
pub use core::result::Result::{Err, Ok};

/// What reading and writing return.
pub type Fallible<T> = Result<T, Failed>;

#[inline(always)]
pub fn at_array(reader: &mut Reader<'_>) -> Result<bool, Failed> {
    reader.at_array()
}

#[inline(always)]
#[must_use]
pub fn cursor<'de>(reader: &Reader<'de>) -> Cursor<'de> {
    reader.cursor()
}

/// Continues at a cursor that came from [`cursor`].
#[inline(always)]
pub fn go_on<'de>(reader: &mut Reader<'de>, cursor: Cursor<'de>) {
    reader.go_on(cursor);
}

/// Writes the header of a map. A key and a value for each entry follow.
#[inline(always)]
pub fn map_header(writer: &mut Writer<'_>, count: usize) -> Result<(), Failed> {
    writer.map_header(count)
}
