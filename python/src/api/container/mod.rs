//! `packord.container`: container files.

mod arrow_rows;
pub mod batches;
mod choice;
mod errors;
mod predicate;
pub mod reader;
pub mod rows;
mod settings;
pub mod writer;
