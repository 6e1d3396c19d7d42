//! What only people at a terminal see: colours, and how far the work is.

pub mod progress;
pub mod style;
