//! `packord.container`: container files.

mod arrow_rows;
pub mod batches;
mod choice;
mod errors;
mod pass;
mod predicate;
pub mod reader;
pub mod rows;
mod settings;
pub mod writer;
