//! The traits and the types that most programs need: `use packord::prelude::*`.
//!
//! ```
//! use packord::prelude::*;
//!
//! let value: Value = packord::from_slice(&(1_u8, "two").pack_to_vec())?;
//! assert_eq!(value, value!([1, "two"]));
//! assert_eq!(<(u8, String)>::unpack(&packord::to_vec(&value)?)?.1, "two");
//! # Ok::<(), packord::Error>(())
//! ```
//!
//! `use packord::*` has [`UnpackableBorrowed`](crate::UnpackableBorrowed) too, whose methods have the same names.
//! A type with both then needs one of them by name: `<u8 as Unpackable>::unpack(bytes)`.

#[cfg(feature = "alloc")]
pub use crate::value;
pub use crate::{DecodeOptions, ErrorKind, Timestamp};
#[cfg(feature = "alloc")]
pub use crate::{Document, EncodeOptions, Value, ValueRef};
#[cfg(feature = "derive")]
pub use packord_derive::{MsgPacker, MsgPackerBorrowed};

pub use crate::typed::{Packable, Unpackable};
