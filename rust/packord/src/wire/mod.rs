//! The bytes themselves: markers, raw reads and writes, UTF-8.
//!
//! One of the three modules with `unsafe` (`CONTRIBUTING.md`). Its functions check a bound once,
//! and the raw reads and writes after that stay within it.

pub(crate) mod canonical;
pub(crate) mod copy;
pub(crate) mod header;
pub mod marker;
pub(crate) mod read;
pub(crate) mod utf8;
mod write;

#[cfg_attr(
    not(feature = "alloc"),
    allow(unused_imports, reason = "its methods are used by the trait")
)]
pub(crate) use write::Store;
pub use write::{Buffer, Fixed};
