//! Reading and writing JSON, with conventions for values that JSON does not have.

pub mod conventions;
pub mod fast;
pub mod lines;
pub mod pieces;
pub mod read;
pub mod source;
pub mod write;
