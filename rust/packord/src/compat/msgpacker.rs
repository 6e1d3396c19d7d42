//! The functions and the type that msgpacker has in addition to its traits and derives, under the same
//! names: parts of values, such as an array or a bin on its own.
//!
//! ```
//! use packord::compat::msgpacker::{pack_map, unpack_map};
//! use std::collections::BTreeMap;
//!
//! let map = BTreeMap::from([("a", 1), ("b", 2)]);
//! let mut buffer = Vec::new();
//! pack_map(&mut buffer, &map);
//! let (len, copy) = unpack_map::<String, u8, BTreeMap<_, _>>(&buffer)?;
//! assert_eq!((len, copy["b"]), (7, 2));
//! # Ok::<(), packord::Error>(())
//! ```

use crate::error::Result;
use crate::typed::buf::{self, BufMut};
use crate::typed::{Failed, Reader, Unpackable, Writer, read_first};

#[cfg(feature = "alloc")]
pub use super::extension::Extension;
#[cfg(feature = "alloc")]
use crate::typed::{Packable, UnpackableBorrowed, derived, iter};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// Packs with a writer. Errors are panics, as the calls here return only lengths.
fn pack<B: BufMut>(buffer: &mut B, write: impl FnOnce(&mut Writer<'_>) -> Written) -> usize {
    match buf::pack(buffer, write) {
        Ok(len) => len,
        Err(error) => panic!("{error}"),
    }
}

type Written = core::result::Result<(), Failed>;

fn bin_or_nil<'de>(reader: &mut Reader<'de>) -> core::result::Result<Option<&'de [u8]>, Failed> {
    if reader.nil() { Ok(None) } else { reader.bin().map(Some) }
}

/// Packs the items of an iterator as an array, and returns the number of bytes.
///
/// ```
/// let mut buffer = Vec::new();
/// assert_eq!(packord::compat::msgpacker::pack_array(&mut buffer, [1, 2].iter()), 3);
/// assert_eq!(buffer, [0x92, 1, 2]);
/// ```
///
/// # Panics
///
/// If [`Packable::try_pack`] returns an error, and if the iterator has more or fewer items than it
/// says.
#[cfg(feature = "alloc")]
pub fn pack_array<B, A, I, V>(buffer: &mut B, items: A) -> usize
where
    B: BufMut,
    A: IntoIterator<IntoIter = I>,
    I: ExactSizeIterator<Item = V>,
    V: Packable,
{
    pack(buffer, |writer| writer.elements(items.into_iter()))
}

/// Packs a slice as an array, also one of bytes, and returns the number of bytes.
///
/// ```
/// let mut buffer = Vec::new();
/// packord::compat::msgpacker::pack_array_slice(&mut buffer, &[1_u8, 2]);
/// assert_eq!(buffer, [0x92, 1, 2]);
/// ```
///
/// # Panics
///
/// If [`Packable::try_pack`] returns an error.
#[cfg(feature = "alloc")]
pub fn pack_array_slice<B: BufMut, V: Packable>(buffer: &mut B, items: &[V]) -> usize {
    pack_array(buffer, items)
}

/// Packs pairs as a map, and returns the number of bytes.
///
/// ```
/// let mut buffer = Vec::new();
/// assert_eq!(packord::compat::msgpacker::pack_map(&mut buffer, &[("a", 1)]), 4);
/// assert_eq!(buffer, b"\x81\xa1a\x01");
/// ```
///
/// # Panics
///
/// As [`pack_array`].
#[cfg(feature = "alloc")]
pub fn pack_map<B, A, I, P>(buffer: &mut B, entries: A) -> usize
where
    B: BufMut,
    A: IntoIterator<IntoIter = I>,
    I: ExactSizeIterator<Item = P>,
    P: derived::MapEntry,
{
    pack(buffer, |writer| derived::write_entries(entries.into_iter(), writer))
}

/// Packs bytes as a bin, and returns the number of bytes.
///
/// ```
/// let mut buffer = Vec::new();
/// assert_eq!(packord::compat::msgpacker::pack_bytes(&mut buffer, b"ab"), 4);
/// assert_eq!(buffer, b"\xc4\x02ab");
/// ```
///
/// # Panics
///
/// If the buffer is full, or the length is above 2^32 − 1.
pub fn pack_bytes<B: BufMut>(buffer: &mut B, bytes: &[u8]) -> usize {
    pack(buffer, |writer| writer.bin(bytes))
}

/// Packs bytes as a bin, `None` as nil.
///
/// ```
/// let mut buffer = Vec::new();
/// assert_eq!(packord::compat::msgpacker::pack_bytes_option(&mut buffer, None), 1);
/// ```
///
/// # Panics
///
/// As [`pack_bytes`].
pub fn pack_bytes_option<B: BufMut>(buffer: &mut B, bytes: Option<&[u8]>) -> usize {
    pack(buffer, |writer| match bytes {
        Some(bytes) => writer.bin(bytes),
        None => writer.nil(),
    })
}

/// Reads a bin; returns the number of bytes it took, and its payload.
///
/// ```
/// assert_eq!(packord::compat::msgpacker::unpack_bytes(b"\xc4\x02ab\xc0")?, (4, &b"ab"[..]));
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// `eof`, or `type_mismatch` for another type of value.
pub fn unpack_bytes(bytes: &[u8]) -> Result<(usize, &[u8])> {
    read_first(bytes, Reader::bin)
}

/// Reads a bin, or nil as `None`.
///
/// ```
/// assert_eq!(packord::compat::msgpacker::unpack_bytes_option_ref(b"\xc0")?, (1, None));
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// As for [`unpack_bytes`].
pub fn unpack_bytes_option_ref(bytes: &[u8]) -> Result<(usize, Option<&[u8]>)> {
    read_first(bytes, bin_or_nil)
}

/// Reads a bin into a vector, or nil as `None`.
///
/// ```
/// assert_eq!(packord::compat::msgpacker::unpack_bytes_option(b"\xc4\x01a")?, (3, Some(b"a".to_vec())));
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// As for [`unpack_bytes`].
#[cfg(feature = "alloc")]
pub fn unpack_bytes_option(bytes: &[u8]) -> Result<(usize, Option<Vec<u8>>)> {
    unpack_bytes_option_ref(bytes).map(|(len, bytes)| (len, bytes.map(<[u8]>::to_vec)))
}

/// Reads a bin from an iterator, and takes no byte after it.
///
/// ```
/// assert_eq!(packord::compat::msgpacker::unpack_bytes_iter([0xc4, 1, 7])?, (3, vec![7]));
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// As for [`unpack_bytes`].
#[cfg(feature = "alloc")]
pub fn unpack_bytes_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Result<(usize, Vec<u8>)> {
    iter::unpack_by(bytes.into_iter(), |reader| reader.bin().map(<[u8]>::to_vec))
}

/// Reads a bin from an iterator, or nil as `None`.
///
/// ```
/// assert_eq!(packord::compat::msgpacker::unpack_bytes_option_iter([0xc0])?, (1, None));
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// As for [`unpack_bytes`].
#[cfg(feature = "alloc")]
pub fn unpack_bytes_option_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Result<(usize, Option<Vec<u8>>)> {
    iter::unpack_by(bytes.into_iter(), |reader| {
        let bytes = bin_or_nil(reader)?;
        Ok(bytes.map(<[u8]>::to_vec))
    })
}

/// Reads an array into any collection; returns the number of bytes it took, and the collection.
///
/// ```
/// use std::collections::VecDeque;
/// let (len, items) = packord::compat::msgpacker::unpack_array::<u32, VecDeque<_>>(&[0x92, 1, 2])?;
/// assert_eq!((len, items), (3, VecDeque::from([1, 2])));
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// As for [`Unpackable::unpack_with_ofs`].
#[cfg(feature = "alloc")]
pub fn unpack_array<V: Unpackable, C: FromIterator<V>>(bytes: &[u8]) -> Result<(usize, C)> {
    read_first(bytes, |reader| {
        derived::read_array(reader, V::unpack_from, V::unpack_vec)
    })
}

/// Reads an array of borrowed values into any collection.
///
/// ```
/// let (_, items) = packord::compat::msgpacker::unpack_array_borrowed::<&str, Vec<_>>(b"\x91\xa1a")?;
/// assert_eq!(items, ["a"]);
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// As for [`UnpackableBorrowed::unpack_with_ofs`].
#[cfg(feature = "alloc")]
pub fn unpack_array_borrowed<'de, V, C>(bytes: &'de [u8]) -> Result<(usize, C)>
where
    V: UnpackableBorrowed<'de>,
    C: FromIterator<V>,
{
    read_first(bytes, |reader| {
        derived::read_array(reader, V::unpack_from, V::unpack_vec)
    })
}

/// Reads an array from an iterator of bytes into any collection.
///
/// ```
/// assert_eq!(packord::compat::msgpacker::unpack_array_iter::<_, u32, Vec<_>>([0x91, 5])?, (2, vec![5]));
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// As for [`Unpackable::unpack_iter`].
#[cfg(feature = "alloc")]
pub fn unpack_array_iter<I, V, C>(bytes: I) -> Result<(usize, C)>
where
    I: IntoIterator<Item = u8>,
    V: Unpackable,
    C: FromIterator<V>,
{
    iter::unpack_by(bytes.into_iter(), |reader| {
        derived::read_array(reader, V::unpack_from, V::unpack_vec)
    })
}

/// Reads a map into any collection of pairs; returns the number of bytes it took, and the
/// collection.
///
/// ```
/// let (_, pairs) = packord::compat::msgpacker::unpack_map::<String, u8, Vec<_>>(b"\x81\xa1a\x01")?;
/// assert_eq!(pairs, [("a".to_string(), 1)]);
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// As for [`Unpackable::unpack_with_ofs`].
#[cfg(feature = "alloc")]
pub fn unpack_map<K, V, C>(bytes: &[u8]) -> Result<(usize, C)>
where
    K: Unpackable,
    V: Unpackable,
    C: FromIterator<(K, V)>,
{
    read_first(bytes, |reader| {
        derived::read_map(reader, K::unpack_from, K::from_name, V::unpack_from)
    })
}

/// Reads a map from an iterator of bytes into any collection of pairs.
///
/// ```
/// let (len, pairs) = packord::compat::msgpacker::unpack_map_iter::<_, u8, bool, Vec<_>>([0x81, 1, 0xc3])?;
/// assert_eq!((len, pairs), (3, vec![(1, true)]));
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// As for [`Unpackable::unpack_iter`].
#[cfg(feature = "alloc")]
pub fn unpack_map_iter<I, K, V, C>(bytes: I) -> Result<(usize, C)>
where
    I: IntoIterator<Item = u8>,
    K: Unpackable,
    V: Unpackable,
    C: FromIterator<(K, V)>,
{
    iter::unpack_by(bytes.into_iter(), |reader| {
        derived::read_map(reader, K::unpack_from, K::from_name, V::unpack_from)
    })
}

/// Packs into a new vector; see [`Packable::pack_to_vec`].
///
/// ```
/// assert_eq!(packord::compat::msgpacker::pack_to_vec(&(1, "a")), b"\x92\x01\xa1a");
/// ```
///
/// # Panics
///
/// If [`Packable::try_pack_to_vec`] returns an error.
#[cfg(feature = "alloc")]
pub fn pack_to_vec<T: Packable + ?Sized>(value: &T) -> Vec<u8> {
    value.pack_to_vec()
}

/// Reads a value from the start of a buffer and advances it past the value.
///
/// A value that does not end within the first chunk of the buffer is `eof`.
///
/// ```
/// let mut buffer = &b"\x05\xc3"[..];
/// assert_eq!(packord::compat::msgpacker::unpack_from_buf::<_, u8>(&mut buffer)?, 5);
/// assert_eq!(packord::compat::msgpacker::unpack_from_buf::<_, bool>(&mut buffer)?, true);
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// As for [`Unpackable::unpack_with_ofs`]; the buffer is then unchanged.
#[cfg(feature = "bytes")]
pub fn unpack_from_buf<B: bytes::Buf, T: Unpackable>(buffer: &mut B) -> Result<T> {
    let (len, value) = T::unpack_with_ofs(buffer.chunk())?;
    buffer.advance(len);
    Ok(value)
}

/// Reads a value from the start of a slice, and returns the rest of the slice and the value.
///
/// ```
/// let (rest, value) = packord::compat::msgpacker::unpack_from_slice::<u8>(b"\x05\xc3")?;
/// assert_eq!((rest, value), (&[0xc3][..], 5));
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// As for [`Unpackable::unpack_with_ofs`].
pub fn unpack_from_slice<T: Unpackable>(bytes: &[u8]) -> Result<(&[u8], T)> {
    let (len, value) = T::unpack_with_ofs(bytes)?;
    Ok((&bytes[len..], value))
}
