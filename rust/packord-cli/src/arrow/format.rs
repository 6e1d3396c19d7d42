//! The two formats of files.

use std::fmt;

/// A file format of Apache Arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// A file of Arrow IPC, which Feather version 2 is too; a stream is read as well.
    Arrow,
    /// Parquet.
    Parquet,
}

impl fmt::Display for TableFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TableFormat::Arrow => "Arrow",
            TableFormat::Parquet => "Parquet",
        })
    }
}
