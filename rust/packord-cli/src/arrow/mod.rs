//! Tables of Apache Arrow, in files of Arrow and of Parquet.
//!
//! | file | what it does |
//! |---|---|
//! | `format` | which of the two |
//! | `read` | the rows of a file as MessagePack |
//! | `sizes` | what a file announces, before memory is taken for it |
//! | `write` | rows of MessagePack as a file |
//! | `bridge` | streams between packord and the libraries of Arrow, and the only unsafe code |
//! | `missing` | the same types in a build without the feature `arrow` |

#[cfg(feature = "arrow")]
#[allow(unsafe_code)]
mod bridge;
mod format;
#[cfg(not(feature = "arrow"))]
mod missing;
#[cfg(feature = "arrow")]
mod read;
#[cfg(feature = "arrow")]
mod sizes;
#[cfg(feature = "arrow")]
mod write;

pub use format::TableFormat;
#[cfg(not(feature = "arrow"))]
pub use missing::{TableReader, TableRows};
#[cfg(feature = "arrow")]
pub use read::TableReader;
#[cfg(feature = "arrow")]
pub use write::TableRows;
