//! Rows as tables of Apache Arrow, all batches with one schema.
//!
//! The crate makes a table of one message, with the types that suit that message. Blocks of a container file are
//! many messages of one table: [`schema`] finds types that hold the values of all of them, [`column`] fills
//! columns of such types from the rows, and [`abi`] hands them to other libraries.
//!
//! # Safety
//!
//! The structs of the C data interface are made and freed as it says, in [`abi`]; each owns what it points to. What
//! another library hands in is trusted to be such a struct, as the interface must be.

pub mod abi;
mod arrays;
pub mod batch;
mod buffers;
pub mod column;
mod json;
mod keyed;
pub mod misfit;
pub mod schema;
mod text;
pub mod types;
