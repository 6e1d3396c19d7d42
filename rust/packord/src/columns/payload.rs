//! [`Columns`]: the payload of an ext with columns, for readers built on this crate.

use super::read::{self, PayloadHeader};
use crate::error::{Error, ErrorKind, Result};
use alloc::vec::Vec;

/// The payload of an ext of type 92: a value that is stored by column (`spec/columns.md`).
///
/// [`DecodeOptions::columns`](crate::DecodeOptions::columns) reads it as a value. This type is for readers
/// built on this crate.
///
/// ```
/// use packord::columns::Columns;
/// let payload = b"\x01\x23\x21\x01\x0b\0\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
/// let columns = Columns::open(payload)?.unwrap();
/// assert_eq!((columns.plain_size(), columns.values(), columns.depth()), (35, 33, 1));
/// let mut plain = Vec::new();
/// columns.expand_into(&mut plain)?;
/// assert_eq!(packord::from_slice::<Vec<u8>>(&plain)?, [7; 32]);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    payload: &'a [u8],
    header: PayloadHeader,
}

impl<'a> Columns<'a> {
    /// Opens the payload of an ext of type [`EXT_TYPE`](super::EXT_TYPE). Only its header is read. Returns `None` for a
    /// version that this crate does not know: such an ext is one like others.
    ///
    /// # Errors
    ///
    /// `invalid_ext`, without an offset: it is that of the ext.
    pub fn open(payload: &'a [u8]) -> Result<Option<Columns<'a>>> {
        if payload
            .first()
            .is_some_and(|&version| version != super::VERSION)
        {
            return Ok(None);
        }
        let header = PayloadHeader::read(payload).map_err(|_| invalid())?;
        Ok(Some(Columns { payload, header }))
    }

    /// Returns the size in bytes of the value as plain MessagePack, as the header says it. A reader
    /// compares it with its limit before it expands the payload.
    #[must_use]
    pub fn plain_size(&self) -> u64 {
        self.header.plain_size
    }

    /// Returns the number of values, keys included, as the header says it.
    #[must_use]
    pub fn values(&self) -> u64 {
        self.header.values
    }

    /// Returns the number of containers that are open at once, as the header says it.
    #[must_use]
    pub fn depth(&self) -> u64 {
        self.header.depth
    }

    /// Appends the value as plain MessagePack, and makes all checks of the payload. It takes memory for
    /// [`plain_size`](Columns::plain_size) bytes and for dictionaries of as many.
    ///
    /// # Errors
    ///
    /// `invalid_ext`, without an offset. The bytes that were appended are of no use then.
    pub fn expand_into(&self, out: &mut Vec<u8>) -> Result<()> {
        read::expand(self.payload, &self.header, out).map_err(|_| invalid())
    }
}

#[cold]
fn invalid() -> Error {
    Error::new(ErrorKind::InvalidExt)
}
