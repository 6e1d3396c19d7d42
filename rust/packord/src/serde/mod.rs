//! [serde](https://serde.rs): every type that derives `Serialize` and `Deserialize` (feature
//! `serde`).
//!
//! ```
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize, PartialEq, Debug)]
//! struct User<'a> {
//!     name: &'a str,
//!     tags: Vec<String>,
//!     #[serde(skip_serializing_if = "Option::is_none")]
//!     email: Option<String>,
//! }
//!
//! let user = User { name: "Ann", tags: vec!["admin".into()], email: None };
//! let bytes = packord::serde::to_vec(&user)?;
//! assert_eq!(bytes, b"\x82\xa4name\xa3Ann\xa4tags\x91\xa5admin");
//! assert_eq!(packord::serde::from_slice::<User>(&bytes)?, user);
//!
//! let error = packord::serde::from_slice::<User>(b"\x82\xa4name\xa3Ann\xa4tags\x91\x07").unwrap_err();
//! assert_eq!((error.kind().name(), error.offset(), error.path()), ("type_mismatch", Some(16), Some("$.tags[0]")));
//! # Ok::<(), packord::Error>(())
//! ```
//!
//! # Mapping
//!
//! | serde | written | read |
//! |---|---|---|
//! | bool, integers, floats, char, str | themselves, in the smallest format | from every format that holds it |
//! | `i128`, `u128` | an integer; outside −2^63 … 2^64 − 1 `out_of_range`, or a bigint ext ([`Config::bigint`]); or a bin of 16 bytes ([`Config::wide_as_bin`]) | all three |
//! | bytes (`serde_bytes`, [`bin`]) | bin | bin, str, array of integers |
//! | seq, tuple, tuple struct | array | array, bin; a tuple struct from an array with all fields |
//! | `None`, unit, unit struct | nil | nil; `None` also JavaScript's undefined (ext 0); unit struct also an empty array |
//! | `Some`, newtype struct | the value | the value |
//! | map | map | map, record |
//! | struct | map of its names, or array ([`Config::structs_as_arrays`]) | map, record, map of the fields' positions, array; unknown keys and surplus elements are skipped ([`Config::deny_surplus`]) |
//! | unit variant | its name | its name or number, map from it to nil |
//! | other variants | map from the name to the content | map, record |
//! | [`Value`], [`Timestamp`](crate::Timestamp), [`Ext`](crate::Ext) | themselves | themselves |
//! | `SystemTime`, and the points in time of chrono, jiff and time | as these crates do: a map, str, str, array; timestamps with [`timestamp`] | the same, and timestamps |
//! | `Duration`, `Uuid` | as they do: a map, a bin | the same, and text or the ext of derived types |
//! | newtype struct `_ExtStruct` of an `i8` and bytes, as in `rmpv::Value` | ext | ext, array |
//!
//! Tagged, untagged and flattened types are read through a buffer of serde, which forbids some of this:
//! [the guide](crate::guide#what-the-buffer-of-serde-forbids) has a table.
//!
//! `Some(None)` of an `Option<Option<T>>` is read back as `None`: both are nil. For a field,
//! [`double_option`] tells them apart.
//!
//! If a key occurs twice in a map, the type receives both entries. Derived structs report
//! `duplicate_key`; the maps of the standard library keep the last entry.
//!
//! # Limits
//!
//! All limits of [`DecodeOptions`](crate::DecodeOptions) apply. serde's types are read by recursion,
//! with stack frames of any size. So the stack is checked at each level: 64 KiB stay free, or half of
//! what is left at the first level if that is less, and a value that needs more is `depth_limit`. On
//! Linux, Android and macOS with the feature `std`, the thread's stack is measured; elsewhere, and on
//! a stack that is not the thread's own, such as a coroutine's, a value may use 128 KiB. A type of
//! which one level alone needs more than what stays free is not covered. Without optimisation a
//! level may need some kilobytes.
//!
//! Types that own their keys copy the names of a record, which are in the input once. Such copies
//! may take 32 bytes for each byte of the input, and 1 MB more; beyond that, the error is
//! `length_limit`. Structs do not copy names.

mod access;
mod by_option;
mod compound;
mod config;
mod de;
mod decoder;
mod detached;
mod error;
#[cfg(feature = "std")]
mod io;
#[cfg(feature = "std")]
mod io_de;
#[cfg(feature = "json")]
mod json;
mod key;
mod lone;
mod messages;
mod newtype;
mod raw_message;
mod ser;
#[cfg(feature = "std")]
mod streams;
mod times;
mod value;
mod visit;
mod with;

pub use compound::Compound;
#[cfg(any(feature = "futures", feature = "tokio"))]
pub(crate) use config::debug_fields;
pub use config::{Bytes, Config};
pub use de::Deserializer;
#[cfg(feature = "std")]
pub use io::{IoCompound, IoSerializer};
#[cfg(feature = "std")]
pub use io_de::IoDeserializer;
pub use ser::Serializer;
pub use with::{bin, double_option, ext, timestamp};

use crate::error::Result;
use crate::value::Value;
use crate::wire::Buffer;
use ::serde::de::DeserializeOwned;
use ::serde::{Deserialize, Serialize};
use alloc::vec::Vec;
use config::DEFAULT;

/// Writes a value.
///
/// ```
/// assert_eq!(packord::serde::to_vec(&("a", 1, [true]))?, b"\x93\xa1a\x01\x91\xc3");
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// `depth_limit`, `out_of_range` for lengths above 2^32 − 1, and `custom` if a type reports an
/// error; with the path of the value.
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    DEFAULT.to_vec(value)
}

/// Appends a value to a buffer, a `Vec<u8>` or a [`Fixed`](crate::wire::Fixed) slice, and returns
/// the number of bytes. After an error the buffer is unchanged.
///
/// ```
/// let mut out = vec![0xc0];
/// assert_eq!(packord::serde::to_buffer(&mut out, "hi")?, 3);
/// assert_eq!(out, b"\xc0\xa2hi");
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// As for [`to_vec`]; `buffer_full`.
pub fn to_buffer<B: Buffer, T: Serialize + ?Sized>(buffer: &mut B, value: &T) -> Result<usize> {
    DEFAULT.to_buffer(buffer, value)
}

/// Writes a value into the slice, and returns the number of bytes.
///
/// ```
/// let mut space = [0; 4];
/// assert_eq!(packord::serde::to_slice(&[1, 2, 3], &mut space)?, 4);
/// assert_eq!(space, *b"\x93\x01\x02\x03");
/// assert!(packord::serde::to_slice(&[1, 2, 3, 4], &mut space).is_err());
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// As for [`to_vec`]; `buffer_full` if it is too long. A type that announces more elements than it has
/// needs room for the longer header too.
pub fn to_slice<T: Serialize + ?Sized>(value: &T, space: &mut [u8]) -> Result<usize> {
    DEFAULT.to_slice(value, space)
}

/// Writes a value to a writer with one call of `write_all`.
///
/// ```
/// let mut out = Vec::new();
/// packord::serde::to_writer(&mut out, &1.5)?;
/// assert_eq!(out, b"\xcb\x3f\xf8\0\0\0\0\0\0");
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// As for [`to_vec`], and nothing is written; `io` if the writer fails.
#[cfg(feature = "std")]
pub fn to_writer<W: std::io::Write, T: Serialize + ?Sized>(writer: W, value: &T) -> Result<()> {
    DEFAULT.to_writer(writer, value)
}

/// Converts a value of any type to a [`Value`].
///
/// ```
/// let value = packord::serde::to_value(&("a", [1.5]))?;
/// assert_eq!(value.to_string(), r#"["a", [1.5]]"#);
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// As for [`to_vec`].
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value> {
    crate::DecodeOptions::new().max_depth(u32::MAX).decode(&to_vec(value)?)
}

/// Converts a [`Value`] to a type.
///
/// ```
/// use packord::Value;
/// let pair: (String, u8) = packord::serde::from_value(&Value::from(vec![Value::from("a"), Value::from(1)]))?;
/// assert_eq!(pair, ("a".into(), 1));
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// As for [`from_slice`]; offsets are those of the value's encoding.
pub fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T> {
    from_slice(&crate::EncodeOptions::new().encode(value)?)
}

/// Reads one message, which must take all of the bytes. `&str` and `&[u8]` borrow from them.
///
/// ```
/// let (name, size): (&str, u64) = packord::serde::from_slice(b"\x92\xa1a\x07")?;
/// assert_eq!((name, size), ("a", 7));
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// The first fault in the bytes, or the first value that does not fit its type: `type_mismatch`,
/// `out_of_range`, or `custom` if the type reports an error of its own; with offset and path.
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    DEFAULT.from_slice(bytes)
}

/// Reads one message from a reader, up to the reader's end, which it waits for. For one message of
/// a connection use [`from_read`], for several
/// [`UnpackReader::next`](crate::io::UnpackReader::next).
///
/// ```
/// let numbers: Vec<u8> = packord::serde::from_reader(&b"\x92\x01\x02"[..])?;
/// assert_eq!(numbers, [1, 2]);
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// As for [`from_slice`]; `io` if the reader fails, `length_limit` for a message of more than 64
/// MiB.
#[cfg(feature = "std")]
pub fn from_reader<R: std::io::Read, T: DeserializeOwned>(reader: R) -> Result<T> {
    DEFAULT.from_reader(reader)
}

/// Reads one message from a reader, as rmp-serde's function of this name does: it takes the bytes of
/// the message and no byte after it, and does not wait for more. So it can be called again for the
/// next message.
///
/// Each header is one call of the reader, and each payload is one. To read many messages of a
/// connection, [`UnpackReader::next`](crate::io::UnpackReader::next) is faster.
///
/// ```
/// let mut connection = &b"\x92\x01\x02\xa2hi"[..];
/// let numbers: Vec<u8> = packord::serde::from_read(&mut connection)?;
/// let text: String = packord::serde::from_read(&mut connection)?;
/// assert_eq!((numbers, text.as_str()), (vec![1, 2], "hi"));
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// As for [`from_reader`], without `trailing_bytes`; `eof` if there is no message. After a message
/// that does not fit the type, the next one can be read; after a fault in its bytes it cannot.
#[cfg(feature = "std")]
pub fn from_read<R: std::io::Read, T: DeserializeOwned>(reader: R) -> Result<T> {
    DEFAULT.from_read(reader)
}
