//! JSON in and out, with the conventions for what it cannot say.

pub mod conventions;
pub mod read;
pub mod write;
