//! The rows of a block as tables of a type that is given, that of the table of all blocks.
//!
//! | file | what it does |
//! |---|---|
//! | `rows` | the tables of a block, one after another |
//! | `cast` | arrays that have the types of a block as columns of given types |
//! | `values` | plain values as columns of given types |
//! | `json` | any value as text |
//! | `units` | dates, decimals and instants from text and ext values |

mod cast;
mod json;
mod rows;
mod units;
mod values;

pub(crate) use rows::{MadeColumns, TypedRows};
pub(crate) use values::{Misfit, MisfitPart};

/// The most rows that the columns of a table have together: columns that are mostly missing take no more memory than
/// others.
const MAX_SLOTS: usize = 1 << 22;
