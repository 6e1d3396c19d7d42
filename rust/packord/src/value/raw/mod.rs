//! The raw side of trees: places for values that are filled one by one.
//!
//! One of the five modules with `unsafe` (`docs/architecture.md`). Its functions are safe to call.

pub(crate) mod grow;
pub(crate) mod zip;
