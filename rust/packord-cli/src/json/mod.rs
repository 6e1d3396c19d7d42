//! JSON in and out, with the conventions for what it cannot say.

pub mod conventions;
pub mod fast;
pub mod read;
pub mod source;
pub mod write;
