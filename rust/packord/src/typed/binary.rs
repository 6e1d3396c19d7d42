//! Fields with `#[msgpacker(binary)]`. Derived code calls these functions; they are not stable.

use super::detail::Detail;
use super::state::Failed;
use super::{Cursor, Reader};
use crate::error::ErrorKind;
#[cfg(feature = "alloc")]
use crate::typed::raw::owned_bytes;

#[doc(hidden)]
impl Reader<'_> {
    /// Returns the failure of a type that cannot be made from the bytes of a bin.
    #[cold]
    fn wrong_bytes(&mut self, at: usize) -> Failed {
        let words = Detail::Words("the bin does not have the length of the type");
        self.fail_with(ErrorKind::TypeMismatch, at, words)
    }
}

/// Reads a bin into a type that can be made from a vector.
#[cfg(feature = "alloc")]
pub fn read_binary<T: TryFrom<alloc::vec::Vec<u8>>>(reader: &mut Reader<'_>) -> Result<T, Failed> {
    let start = reader.position();
    let bytes = <u8 as super::Unpackable>::unpack_vec(reader)?;
    T::try_from(bytes).map_err(|_| reader.wrong_bytes(start))
}

/// Reads the same, or nil.
#[cfg(feature = "alloc")]
pub fn read_binary_option<T>(reader: &mut Reader<'_>) -> Result<Option<T>, Failed>
where
    T: TryFrom<alloc::vec::Vec<u8>>,
{
    if reader.none() {
        Ok(None)
    } else {
        read_binary(reader).map(Some)
    }
}

/// Takes a short bin into a type that can be made from a vector.
#[cfg(feature = "alloc")]
#[inline(always)]
pub fn quick_binary<T: TryFrom<alloc::vec::Vec<u8>>>(cursor: &mut Cursor<'_>) -> Option<T> {
    let before = *cursor;
    let made = cursor
        .bin()
        .and_then(|bytes| T::try_from(owned_bytes(bytes)).ok());
    if made.is_none() {
        *cursor = before;
    }
    made
}

/// Reads the same, or nil.
#[cfg(feature = "alloc")]
#[inline(always)]
pub fn quick_binary_option<T>(cursor: &mut Cursor<'_>) -> Option<Option<T>>
where
    T: TryFrom<alloc::vec::Vec<u8>>,
{
    if cursor.nil() {
        Some(None)
    } else {
        quick_binary(cursor).map(Some)
    }
}

/// Takes a short bin into a type that can be made from a slice.
#[inline(always)]
pub fn quick_binary_ref<'de, T: TryFrom<&'de [u8]>>(cursor: &mut Cursor<'de>) -> Option<T> {
    let before = *cursor;
    let made = cursor.bin().and_then(|bytes| T::try_from(bytes).ok());
    if made.is_none() {
        *cursor = before;
    }
    made
}

/// Reads the same, or nil.
#[inline(always)]
pub fn quick_binary_ref_option<'de, T>(cursor: &mut Cursor<'de>) -> Option<Option<T>>
where
    T: TryFrom<&'de [u8]>,
{
    if cursor.nil() {
        Some(None)
    } else {
        quick_binary_ref(cursor).map(Some)
    }
}

/// Reads a bin into a type that can be made from a slice.
pub fn read_binary_ref<'de, T: TryFrom<&'de [u8]>>(reader: &mut Reader<'de>) -> Result<T, Failed> {
    let start = reader.position();
    let bytes = reader.bin()?;
    T::try_from(bytes).map_err(|_| reader.wrong_bytes(start))
}

/// Reads the same, or nil.
pub fn read_binary_ref_option<'de, T: TryFrom<&'de [u8]>>(
    reader: &mut Reader<'de>,
) -> Result<Option<T>, Failed> {
    if reader.none() {
        Ok(None)
    } else {
        read_binary_ref(reader).map(Some)
    }
}
