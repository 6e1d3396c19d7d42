//! Fields with `#[msgpacker(binary)]`.

use crate::error::ErrorKind;
use crate::typed::detail::Detail;
#[cfg(feature = "alloc")]
use crate::typed::raw::owned_bytes;
use crate::typed::{Cursor, Failed, Reader};

/// Returns the failure of a type that cannot be made from the bytes of a bin.
#[cold]
fn wrong_bytes(reader: &mut Reader<'_>, at: usize) -> Failed {
    let words = Detail::Words("the bin does not have the length of the type");
    reader.fail_with(ErrorKind::TypeMismatch, at, words)
}

#[cfg(feature = "alloc")]
pub fn read_binary<T: TryFrom<alloc::vec::Vec<u8>>>(reader: &mut Reader<'_>) -> Result<T, Failed> {
    let start = reader.position();
    let bytes = <u8 as crate::Unpackable>::unpack_vec(reader)?;
    T::try_from(bytes).map_err(|_| wrong_bytes(reader, start))
}

#[cfg(feature = "alloc")]
#[inline(always)]
pub fn quick_binary<T: TryFrom<alloc::vec::Vec<u8>>>(cursor: &mut Cursor<'_>) -> Option<T> {
    let before = *cursor;
    let made = cursor.bin().and_then(|bytes| T::try_from(owned_bytes(bytes)).ok());
    if made.is_none() {
        *cursor = before;
    }
    made
}

#[inline(always)]
pub fn quick_binary_ref<'de, T: TryFrom<&'de [u8]>>(cursor: &mut Cursor<'de>) -> Option<T> {
    let before = *cursor;
    let made = cursor.bin().and_then(|bytes| T::try_from(bytes).ok());
    if made.is_none() {
        *cursor = before;
    }
    made
}

pub fn read_binary_ref<'de, T: TryFrom<&'de [u8]>>(reader: &mut Reader<'de>) -> Result<T, Failed> {
    let start = reader.position();
    let bytes = reader.bin()?;
    T::try_from(bytes).map_err(|_| wrong_bytes(reader, start))
}

/// Reads nil, or what the other function reads.
pub fn optional<'de, T>(
    reader: &mut Reader<'de>,
    read: impl FnOnce(&mut Reader<'de>) -> Result<T, Failed>,
) -> Result<Option<T>, Failed> {
    if reader.none() {
        Ok(None)
    } else {
        read(reader).map(Some)
    }
}

/// Takes nil, or what the other function takes.
#[inline(always)]
pub fn quick_optional<'de, T>(
    cursor: &mut Cursor<'de>,
    quick: impl FnOnce(&mut Cursor<'de>) -> Option<T>,
) -> Option<Option<T>> {
    if cursor.nil() {
        Some(None)
    } else {
        quick(cursor).map(Some)
    }
}
