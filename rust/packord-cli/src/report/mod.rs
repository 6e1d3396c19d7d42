//! The pages that `--html` writes: each is one file that loads nothing else, in light and dark mode.

pub mod bytes;
pub mod compare;
mod svg;
pub mod treemap;
