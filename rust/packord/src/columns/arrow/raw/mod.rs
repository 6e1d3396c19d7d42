//! The Arrow C data interface: structs that are shared by their address, and memory that lives as long as
//! they do.
//!
//! | file | what it does |
//! |---|---|
//! | [`abi`] | the three structs, and that each is released once |
//! | [`bytes`] | memory with several owners |
//! | [`export`] | arrays as these structs |
//! | [`import`] | these structs as arrays |

mod abi;
mod bytes;
mod export;
mod import;

pub use abi::{ArrowArray, ArrowArrayStream, ArrowSchema};
pub(super) use bytes::ArrowNumber;
pub(crate) use bytes::SharedBytes;
pub(super) use export::{exported_array, exported_arrays, exported_field, exported_stream};
pub(super) use import::{ImportedStream, imported_field};
