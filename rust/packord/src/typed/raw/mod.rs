//! The raw side of typed values: pointers into the input and into the output.
//!
//! One of the five modules with `unsafe` (`docs/architecture.md`). Its safe functions check a bound
//! once, and the raw reads and writes after that stay within it.

mod array;
mod bound;
mod cursor;
mod list;
mod reader;
mod sink;
mod writer;

pub(crate) use array::try_array;
#[cfg(feature = "alloc")]
pub(crate) use array::{extend_within, owned_bytes, owned_text};
pub(crate) use bound::Inner;
pub use bound::{AsBytes, Bound};
pub use cursor::Cursor;
pub(crate) use list::write_fields;
pub use list::{Field, ListHead};
pub(crate) use reader::Float;
pub use reader::Reader;
#[cfg(feature = "bytes")]
pub(crate) use sink::BufSink;
#[cfg(feature = "alloc")]
pub(crate) use sink::VecSink;
pub(crate) use sink::{ByteSink, SliceSink};
pub use writer::{Writer, resume, try_fields};
