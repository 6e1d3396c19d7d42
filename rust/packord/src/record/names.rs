//! [`NamesLeft`]: the limit of the names that types copy.

/// Maximum of bytes of names that types may copy, for each byte of the input. A name is in the
/// input once, and is passed on with each record: without a limit, a long name and many short
/// records would fill the memory.
const COPIED: usize = 32;
/// Bytes that may be copied in addition, whatever the length of the input is.
const COPIED_ALWAYS: usize = 1 << 20;

/// The bytes of record names that may still be copied.
#[derive(Debug)]
pub(crate) struct NamesLeft(usize);

impl NamesLeft {
    pub fn of_input(len: usize) -> NamesLeft {
        NamesLeft(len.saturating_mul(COPIED).saturating_add(COPIED_ALWAYS))
    }

    /// # Errors
    ///
    /// The detail of a `length_limit`.
    pub fn take(&mut self, name: &str) -> Result<(), &'static str> {
        let left = self.0.checked_sub(name.len());
        self.0 = left.ok_or("names of record fields are copied too often")?;
        Ok(())
    }
}
