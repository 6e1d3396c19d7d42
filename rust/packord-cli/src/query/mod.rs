//! Queries: paths with tests, `..name`, projections and ranges of messages. The grammar is in the tool's
//! README.

mod bounds;
mod eval;
mod grammar;
mod keys;
mod parse;
mod raw;
mod test;

pub use bounds::Bound;
pub use eval::Found;
pub use grammar::{Comparator, Entries, Query, QueryPath, Test};
pub use keys::KeySet;
pub use raw::RawPart;
pub use test::Part;
