//! Tables of Apache Arrow, in files of Arrow and of Parquet.
//!
//! | file | what it does |
//! |---|---|
//! | `read` | the rows of a file as MessagePack |
//! | `sizes` | what a file announces, before memory is taken for it |
//! | `write` | rows of MessagePack as a file |
//! | `bridge` | streams between packord and the libraries of Arrow, and the only unsafe code |

#[allow(unsafe_code)]
mod bridge;
mod read;
mod sizes;
mod write;

pub use read::TableReader;
pub use write::{TableFormat, TableRows};
