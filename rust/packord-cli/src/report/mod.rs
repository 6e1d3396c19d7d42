//! The pages that `--html` writes: each is one file that loads nothing else, in light and dark mode.

mod bars;
pub mod bytes;
pub mod compare;
pub mod treemap;
