//! The names of other packages, for programs that come from them.

#[cfg(feature = "alloc")]
mod extension;
pub mod msgpacker;
