//! The bytes themselves: markers, raw reads and writes, UTF-8.
//!
//! The only room with `unsafe`. Everything it offers is safe to call: a bound is checked once,
//! and the raw stores behind it stay within.

#![allow(unsafe_code)]

mod copy;
#[cfg(feature = "alloc")]
pub(crate) mod grow;
pub mod marker;
pub(crate) mod read;
mod typed_array;
mod typed_list;
mod typed_quick;
mod typed_read;
mod typed_shape;
mod typed_sink;
mod typed_write;
pub(crate) mod utf8;
mod write;
#[cfg(feature = "alloc")]
pub(crate) mod zip;

pub(crate) use typed_array::try_array;
#[cfg(feature = "alloc")]
pub(crate) use typed_array::{extend_within, owned_bytes, owned_text};
pub(crate) use typed_list::write_fields;
pub use typed_list::{Field, FieldList, Head, Stop, Stored};
pub use typed_quick::Cursor;
pub(crate) use typed_read::Float;
pub use typed_read::Reader;
pub(crate) use typed_shape::Inner;
pub use typed_shape::{AsBytes, Shape};
#[cfg(feature = "bytes")]
pub(crate) use typed_sink::BufSink;
#[cfg(feature = "alloc")]
pub(crate) use typed_sink::VecSink;
pub(crate) use typed_sink::{Sink, SliceSink};
pub use typed_write::Writer;
#[cfg_attr(
    not(feature = "alloc"),
    allow(unused_imports, reason = "its methods are used by the trait")
)]
pub(crate) use write::Store;
pub use write::{Buffer, Fixed};
