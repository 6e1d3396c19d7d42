//! The bytes that are read, what they are, and what has to be taken out of them.

pub mod csv;
pub mod dialects;
pub mod input;
pub mod recognise;
