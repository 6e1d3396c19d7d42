//! Bytes: markers, headers, raw reads and writes, text (`spec/format.md` section 2).
//!
//! # Safety
//!
//! The caller says how many bytes it may read or write: a pointer and a length are readable as a
//! whole, and a write to [`writer::Writer`] comes after a reservation of its size. The GIL is held
//! where an object of Python is made or the kept scratch area is used.

pub mod float;
pub mod integer;
pub mod marker;
pub mod skip;
pub mod text;
mod transcode;
pub mod value_type;
pub mod writer;
