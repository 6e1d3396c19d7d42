//! The bytes themselves: markers, raw reads and writes, UTF-8; and the question to the platform where
//! the stack ends.
//!
//! One of the five modules with `unsafe` (`docs/architecture.md`). Its functions check a bound once,
//! and the raw reads and writes after that stay within it.

pub(crate) mod canonical;
pub(crate) mod copy;
pub(crate) mod header;
#[cfg(feature = "alloc")]
pub(crate) mod item;
pub mod marker;
pub(crate) mod read;
mod stack;
pub(crate) mod utf8;
mod write;

#[cfg(feature = "alloc")]
#[doc(hidden)]
pub use canonical::compare_canonical;
// For readers that pass values by their heads: the tool of this repository.
#[cfg(feature = "alloc")]
#[doc(hidden)]
pub use header::{Head, Kind};
#[cfg(any(feature = "columns", feature = "serde"))]
#[doc(hidden)]
pub use item::skip;
// For the Python package.
#[doc(hidden)]
pub use stack::thread_stack;
#[cfg_attr(
    not(feature = "alloc"),
    allow(unused_imports, reason = "its methods are used by the trait")
)]
pub(crate) use write::Store;
pub use write::{Buffer, Fixed};
