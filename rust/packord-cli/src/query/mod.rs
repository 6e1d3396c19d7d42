//! Queries: paths with tests, `..name`, projections and ranges of messages. The grammar is in the tool's
//! README.

mod bounds;
mod eval;
mod grammar;
mod keys;
mod parse;
mod part;
mod test;

pub use bounds::Bound;
pub use grammar::{Comparator, Entries, Query, QueryPath, Test};
pub use keys::KeySet;
pub use part::Part;
