//! MessagePack: fast, strict and bounded, with records, streams and exact errors.
//!
//! | to | use |
//! |---|---|
//! | read and write values of any type | [`from_slice`], [`to_vec`], [`Value`], [`ValueRef`], [`value!`] |
//! | read and write types of your own | [`typed`], with `#[derive(MsgPacker)]`; with the feature `serde`, [`from_slice`] and [`to_vec`] |
//! | find single values without building the others | [`Document`] |
//! | set strictness, limits and forms | [`DecodeOptions`], [`EncodeOptions`] |
//! | step through bytes without building values | [`Walker`], [`validate`], [`skip_value`] |
//! | read and write streams | [`MessageScanner`], [`io::UnpackReader`], [`io::PackWriter`] |
//! | store tables by column | with the feature `columns`, `EncodeOptions::columns`, `DecodeOptions::columns` |
//! | write keys once | [`RecordEncoder`], [`RecordDecoder`], [`EncodeOptions::records`] |
//! | convert bytes to text and back | with the feature `notation`, the module `notation` |
//! | find out where a byte is | [`path_at`] |
//! | write without an allocator | [`encode::Packer`], [`wire::Fixed`] |
//! | keep the calls of msgpacker | [`compat::msgpacker`] |
//!
//! [`guide`] says which of the calls to choose; [`prelude`] has the names that most programs need.
//!
//! ```
//! use packord::{ErrorKind, Value, from_slice, to_vec};
//!
//! let value = Value::from([("id", 7), ("size", 300)]);
//! let bytes = to_vec(&value)?;
//! assert_eq!(bytes, b"\x82\xa2id\x07\xa4size\xcd\x01\x2c");
//! assert_eq!(from_slice::<Value>(&bytes)?["size"], 300);
//!
//! // An error has its kind, its offset and its path.
//! let error = from_slice::<Value>(&bytes[..10]).unwrap_err();
//! assert_eq!((error.kind(), error.offset(), error.path()), (ErrorKind::Eof, Some(10), Some("$.size")));
//! # Ok::<(), packord::Error>(())
//! ```
//!
//! # Bounds
//!
//! Reading ends with a value or an error, in linear time, whatever the input is. Values, documents,
//! walks and streams take no stack for depth; types of the program take one frame or more for each
//! level, and stop before the end of the stack (see [`typed`] and the module `serde`). Reading takes
//! at most 40 bytes of memory for each byte of input, and 1 MB, whatever the headers announce
//! (`spec/limits.md`). Containers that are open beyond 10,000, with a
//! [`max_depth`](DecodeOptions::max_depth) that allows them, may take more.
//!
//! # Features
//!
//! - `std` (default): [`io`], conversions for `SystemTime`; includes `alloc`.
//! - `alloc`: [`Value`], records, the canonical form, checks of duplicate keys, streams.
//! - Neither of the two: walking, validating, writing into a slice, types that borrow from the
//!   input.
//! - `derive` (default): `#[derive(MsgPacker)]` and the other derives.
//! - `columns`: values that are stored by column, written and read if the options ask for it, and the module
//!   `columns`.
//! - `notation`: the module `notation`, and keys in brackets in the paths of [`Document::path`]. Values
//!   have `Display` without it.
//! - `serde`: every type that derives `Serialize` and `Deserialize`, in the module `serde`.
//! - `json`: conversions from and to `serde_json::Value`; includes `serde`.
//! - `tokio`: `codec::PackordCodec`, for streams of tokio-util; includes `serde`.
//! - `futures`: `futures::MessageStream` and `MessageSink`, over `AsyncRead` and `AsyncWrite` without
//!   tokio; includes `serde`.
//! - `arrow`: columns as tables of Apache Arrow by its C data interface, and back, in the module
//!   `columns::arrow`; includes `columns` and `std`.
//! - `container`: container files, in the module `container`; includes `columns`. `container-zstd` adds the
//!   codec zstd, `container-parallel` packs their blocks on several threads.
//! - `bytes`: packing into any `bytes::BufMut`, unpacking from any `bytes::Buf`.
//! - `chrono`, `jiff`, `time`, `uuid`: the types of these crates.
//! - `strict`, `assertions`: no effect. msgpacker has checks under these names; here they are
//!   always on.
#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "tokio")]
pub mod codec;
#[cfg(feature = "columns")]
pub mod columns;
pub mod compat;
#[cfg(feature = "container")]
pub mod container;
#[cfg(feature = "alloc")]
mod decode;
#[cfg(feature = "alloc")]
pub mod document;
pub mod encode;
mod error;
pub mod ext;
#[cfg(feature = "futures")]
pub mod futures;
#[cfg(feature = "std")]
pub mod io;
#[cfg(feature = "notation")]
pub mod notation;
mod options;
mod read;
#[cfg(feature = "alloc")]
pub mod record;
#[cfg(feature = "serde")]
pub mod serde;
#[cfg(feature = "alloc")]
mod stream;
pub mod typed;
mod value;
mod walk;
#[allow(unsafe_code)]
pub mod wire;

pub mod prelude;

#[doc = include_str!("guide.md")]
#[cfg(all(feature = "std", feature = "derive"))]
pub mod guide {}
#[cfg(feature = "alloc")]
mod whole;

/// The one type behind [`Value`] and [`ValueRef`], for functions that
/// take both.
///
/// ```
/// use packord::{DecodeOptions, Value, generic};
///
/// fn size<S: AsRef<str>, B: AsRef<[u8]>>(value: &generic::Value<S, B>) -> usize {
///     1 + value.elements().map(size).sum::<usize>()
/// }
///
/// assert_eq!(size(&Value::from([1, 2])), 3);
/// assert_eq!(size(&DecodeOptions::new().decode_ref(b"\x91\x01")?), 2);
/// # Ok::<(), packord::Error>(())
/// ```
#[cfg(feature = "alloc")]
pub mod generic {
    pub use crate::value::Tree as Value;
}

/// The examples of the README are tests.
#[cfg(all(doctest, feature = "derive", feature = "tokio"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// The examples of the guide for users of rmp-serde are tests.
#[cfg(all(doctest, feature = "serde", feature = "std"))]
#[doc = include_str!("../docs/from-rmp-serde.md")]
struct FromRmpSerde;

/// The examples of the guide for users of msgpacker are tests.
#[cfg(all(doctest, feature = "derive", feature = "serde", feature = "std"))]
#[doc = include_str!("../docs/from-msgpacker.md")]
struct FromMsgpacker;

pub use error::{Error, ErrorKind, Result};
pub use ext::Timestamp;
pub use options::{
    DEFAULT_MAX_BUFFER, DEFAULT_MAX_DEPTH, DecodeOptions, DuplicateKey, Trailing, UndefinedRecord, UnknownExt, Utf8,
};
pub use read::{Container, Role};
pub use value::{Integer, IntegerRangeError};
pub use walk::{Event, Token, Walker, skip_value, validate};

#[cfg(feature = "alloc")]
pub use decode::RecordDecoder;
#[cfg(feature = "alloc")]
pub use document::Document;
#[cfg(feature = "alloc")]
pub use encode::{EncodeOptions, RecordEncoder};
#[cfg(feature = "alloc")]
pub use record::{RecordHead, Structure, Structures};
#[cfg(feature = "alloc")]
pub use stream::{Message, MessageScanner};
#[cfg(feature = "alloc")]
pub use value::{Array, Entry, Ext, Key, Map, Value, ValueRef, ValueTypeError};
#[cfg(feature = "alloc")]
pub use walk::{RawMessage, depth_of, path_at};
#[cfg(feature = "alloc")]
pub use whole::{FromSlice, ToVec, from_slice, to_vec};

#[cfg(feature = "derive")]
pub use packord_derive::{MsgPacker, MsgPackerBorrowed, MsgUnpackerBorrowed, Packable, Unpackable};
#[cfg(feature = "bytes")]
pub use typed::Buf;
pub use typed::{BufMut, Packable, Unpackable, UnpackableBorrowed};

#[cfg(feature = "alloc")]
#[doc(hidden)]
pub use value::Build;

// Programs that come from msgpacker find these at the root.
#[cfg(feature = "bytes")]
#[doc(hidden)]
pub use compat::msgpacker::unpack_from_buf;
#[cfg(feature = "alloc")]
#[doc(hidden)]
pub use compat::msgpacker::{
    Extension, pack_array, pack_array_slice, pack_map, pack_to_vec, unpack_array, unpack_array_borrowed,
    unpack_array_iter, unpack_bytes_iter, unpack_bytes_option, unpack_bytes_option_iter, unpack_map, unpack_map_iter,
};
#[doc(hidden)]
pub use compat::msgpacker::{pack_bytes, pack_bytes_option, unpack_bytes, unpack_bytes_option_ref, unpack_from_slice};
