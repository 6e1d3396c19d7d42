//! Queries: paths with tests, `..name`, projections and ranges of messages. The grammar is in the tool's
//! README.

mod eval;
mod grammar;
mod parse;
mod raw;
mod test;

pub use eval::Found;
pub use grammar::{Entries, Query, QueryPath, Test};
pub use raw::RawPart;
