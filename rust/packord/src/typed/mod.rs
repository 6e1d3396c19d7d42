//! Typed packing: [`Packable`], [`Unpackable`] and [`UnpackableBorrowed`], for the types of the
//! standard library and, with the derives, for your own.
//!
//! ```
//! # #[cfg(feature = "derive")] {
//! use packord::{MsgPacker, Packable as _, Unpackable as _};
//! use std::collections::HashMap;
//!
//! #[derive(Debug, PartialEq, Eq, MsgPacker)]
//! pub struct City {
//!     name: String,
//!     // Collections of the standard library need no attribute; others that are maps take
//!     // `#[msgpacker(map)]`, others that are sequences `#[msgpacker(array)]`.
//!     inhabitants_per_street: HashMap<String, u64>,
//!     zones: Vec<String>,
//!     #[msgpacker(binary)]
//!     metadata: Vec<u8>,
//! }
//!
//! let city = City {
//!     name: "Kuala Lumpur".to_string(),
//!     inhabitants_per_street: HashMap::from([("Street 1".to_string(), 10), ("Street 2".to_string(), 20)]),
//!     zones: vec!["Zone 1".to_string(), "Zone 2".to_string()],
//!     metadata: b"foo".to_vec(),
//! };
//!
//! let buf = city.pack_to_vec();
//! let deserialized = City::unpack(&buf).unwrap();
//! assert_eq!(city, deserialized);
//! # }
//! ```
//!
//! Strings and bytes can be borrowed from the input:
//!
//! ```
//! # #[cfg(feature = "derive")] {
//! use packord::{MsgPackerBorrowed, Packable as _, UnpackableBorrowed as _};
//!
//! #[derive(Debug, MsgPackerBorrowed, PartialEq, Eq)]
//! pub struct City<'a> {
//!     name: &'a str,
//! }
//!
//! let city = City { name: "Kuala Lumpur" };
//! let buf = city.pack_to_vec();
//! let deserialized = City::unpack(&buf).unwrap();
//! assert_eq!(city, deserialized);
//! # }
//! ```
//!
//! # Bytes
//!
//! | type | bytes |
//! |---|---|
//! | `u8` … `u64`, `i8` … `i64`, `usize`, `isize`, `NonZero…`, `Wrapping` | integer, minimal |
//! | `u128`, `i128` | integer; one beyond 64 bits is `out_of_range`, and with the option `bigint` an ext (`spec/extensions.md` section 3) |
//! | `f32`, `f64` | float 32, float 64 |
//! | `bool`, `()`, `PhantomData` | bool, nil, nil |
//! | `str`, `String`, `char` | str |
//! | `[u8]`, `Vec<u8>`, `[u8; N]` | bin |
//! | `Option<T>` | nil, or as `T`; `Some(None)` and `Some(())` are read back as `None` |
//! | `Box`, `Rc`, `Arc`, `Cow`, `&T`, `Cell`, `RefCell`, `Mutex`, `RwLock`, atomics | as what they hold |
//! | `[T]`, `Vec`, `[T; N]`, `VecDeque`, `LinkedList`, `BinaryHeap`, sets, tuples | array |
//! | `HashMap`, `BTreeMap` | map |
//! | `SystemTime`, [`Timestamp`](crate::Timestamp), points in time of chrono, jiff and time | timestamp |
//! | dates, times of day, date-times without offset of these crates; `Duration`, and theirs | str: `2026-01-02`, `03:04:05.500`, `2026-01-02T03:04:05`, `PT1H30M` |
//! | `Uuid` | str |
//! | `Range`, `RangeInclusive` | array of start and end: `92 01 03` |
//! | `Result` | map from `Ok` or `Err` to the value: `81 a2 4f6b 07` |
//! | addresses of IP and of sockets | str: `127.0.0.1:80` |
//! | `Path`, `PathBuf` | str; a path that is not UTF-8 is `unsupported_type` |
//! | `OsStr`, `OsString` | map from `Unix` or `Windows` to an array of the bytes, or of 16-bit units: `81 a4 556e6978 91 61` |
//! | [`Value`](crate::Value), [`ValueRef`](crate::ValueRef), [`Ext`](crate::Ext), [`Extension`](crate::compat::msgpacker::Extension) | themselves |
//!
//! With [`EncodeOptions::rich`](crate::EncodeOptions::rich), a `char`, a `Uuid`, a date, a time of day, a
//! duration and a set are exts of packord (`spec/defaults.md` section 3.1), and `bigint` is on.
//!
//! All of these forms are read whatever the options are, and so are those of serde: a struct as a map
//! with the names of its fields (`start` and `end`, `secs` and `nanos`) or as an array of them, an address as
//! an array of its bytes, bytes in any collection as a bin. Two forms of serde are not read: an enum with a
//! tag as an array, which `serde::Config::structs_as_arrays` makes of it, and a tuple of `u8` as a bin, which
//! `serde::Bytes::Detected` does. A `RefCell` that is borrowed for a change, and a lock that is poisoned, are
//! `unsupported_type`; a lock is waited for.
//!
//! # Reading
//!
//! Every valid encoding of a value can be read, minimal or not. Numbers are converted if nothing is
//! lost: any integer format into any integer type that can hold the number, an integer into a float
//! that holds it exactly, a float 32 into an `f64`. A float 64 is rounded to an `f32`. Bytes are
//! read from a bin or from an array of integers, a `char` from a str or from its code point.
//! Anything else is `type_mismatch` or `out_of_range`.
//!
//! No input can exhaust memory or stack. Announced lengths are checked against the bytes that
//! remain (`spec/limits.md`). The maximum depth is 1024, or less if the types need more stack
//! than the thread has left: 64 KiB stay free, or half of what is left if that is less, and the error
//! is `depth_limit`. Where the platform does not tell the stack (other than Linux, Android and macOS
//! with the feature `std`), a value may use 128 KiB. Builds without optimisation have large frames. A
//! type of which one level alone needs more than what stays free is not covered.

mod array;
pub(crate) mod buf;
#[cfg_attr(
    not(any(feature = "chrono", feature = "jiff", feature = "time")),
    allow(dead_code, reason = "dates are those of these crates")
)]
mod civil;
#[cfg(feature = "alloc")]
mod collect;
#[doc(hidden)]
pub mod derived;
mod detail;
mod failed;
mod impls;
#[cfg(feature = "alloc")]
pub(crate) mod iter;
mod pack;
#[allow(unsafe_code)]
pub(crate) mod raw;
mod reader;
#[cfg(feature = "alloc")]
mod record;
#[cfg(feature = "alloc")]
mod record_state;
mod run;
#[cfg(feature = "alloc")]
mod sets;
mod state;
mod times;
mod unpack;
mod writer;

#[cfg(feature = "bytes")]
pub use buf::Buf;
pub use buf::BufMut;
#[cfg(feature = "serde")]
pub(crate) use detail::{Found, ext_type, is_cut, quoted};
#[cfg(feature = "alloc")]
pub(crate) use impls::unpackable;
pub use pack::Packable;
pub(crate) use raw::Cursor;
pub use raw::{Reader, Writer};
pub use reader::Open;
pub use state::{Failed, Step};
pub(crate) use state::{ReadState, WriteState};
pub use times::TimestampLike;
pub(crate) use unpack::read_first;
pub use unpack::{Unpackable, UnpackableBorrowed};
pub use writer::{ArrayWriter, MapWriter};
