//! The bound on what arrays take.

use crate::error::{Error, ErrorKind, Result};

/// How many rows the arrays of one message may have together, nulls and those of all arrays in others
/// counted: a table of many columns with few values each can stand for more than its message has.
#[derive(Debug)]
pub(super) struct Slots(u64);

impl Slots {
    /// `plain_size` is the number of bytes of the value as plain MessagePack.
    pub fn new(plain_size: u64) -> Slots {
        Slots(plain_size.saturating_mul(16).saturating_add(65_536))
    }

    /// Takes the rows of an array before it is made.
    ///
    /// # Errors
    ///
    /// `length_limit`
    pub fn take(&mut self, rows: usize) -> Result<()> {
        match self.0.checked_sub(rows as u64) {
            Some(left) => {
                self.0 = left;
                Ok(())
            }
            None => Err(Error::new(ErrorKind::LengthLimit)),
        }
    }

    /// Whether this number of rows would be within the bound.
    pub fn has(&self, rows: usize) -> bool {
        rows as u64 <= self.0
    }
}

#[cold]
pub(super) fn malformed() -> Error {
    Error::new(ErrorKind::InvalidExt)
}
