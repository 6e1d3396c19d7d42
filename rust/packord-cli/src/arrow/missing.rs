//! A build without the feature `arrow` has no tables: each is refused when it is opened or begun.

use super::format::TableFormat;
use crate::failure::{Failure, Outcome};
use crate::source::input::Input;

/// Stands for `read::TableReader`.
pub enum TableReader {}

impl TableReader {
    /// Fails.
    pub fn open(_input: Input, _format: TableFormat) -> Outcome<TableReader> {
        Err(Failure::built_without("arrow"))
    }

    /// Is never called, like the other methods.
    pub fn all(self) -> Outcome<Vec<u8>> {
        match self {}
    }

    /// Is never called.
    pub fn next_rows(&mut self) -> Outcome<Option<Vec<u8>>> {
        match *self {}
    }
}

/// Stands for `write::TableRows`.
pub enum TableRows {}

impl TableRows {
    /// Fails.
    pub fn new(_format: TableFormat) -> Outcome<TableRows> {
        Err(Failure::built_without("arrow"))
    }

    /// Is never called.
    pub fn extend(&mut self, _bytes: &[u8]) {
        match *self {}
    }

    /// Is never called.
    pub fn file(&mut self) -> Outcome<Vec<u8>> {
        match *self {}
    }
}
