//! [`Columns`]: the payload of an ext with columns, for readers built on this crate.

use super::read::{self, Malformed, OrMalformed, PayloadHeader};
use super::write;
use crate::error::{Error, ErrorKind, Result};
use crate::options::{DEFAULT_MAX_DEPTH, DEFAULT_MAX_EXPANSION};
use crate::read::ALWAYS_ALLOWED;
use crate::read::check_depth;
use crate::wire::header::{Head, Kind};
use crate::wire::marker::RESERVED;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The default of the option `max_expansion`.
pub(crate) const MAX_EXPANSION: u64 = DEFAULT_MAX_EXPANSION as u64;
/// The payload of an ext of type 92: a value that is stored by column (`spec/columns.md`).
///
/// [`DecodeOptions::columns`](crate::DecodeOptions::columns) reads it as a value. This type is for readers
/// built on this crate.
///
/// ```
/// use packord::columns::Columns;
/// let payload = b"\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
/// let columns = Columns::open(payload)?.unwrap();
/// assert_eq!((columns.plain_size(), columns.values(), columns.depth()), (35, 33, 1));
/// let mut plain = Vec::new();
/// columns.expand_into(&mut plain)?;
/// assert_eq!(packord::from_slice::<Vec<u8>>(&plain)?, [7; 32]);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    pub(super) payload: &'a [u8],
    pub(super) header: PayloadHeader,
}

impl<'a> Columns<'a> {
    /// Opens the payload of an ext of type [`EXT_TYPE`](super::EXT_TYPE). Only its header is read. Returns `None` for a
    /// version that this crate does not know: such an ext is one like others.
    ///
    /// # Errors
    ///
    /// `invalid_ext`, without an offset: it is that of the ext.
    pub fn open(payload: &'a [u8]) -> Result<Option<Columns<'a>>> {
        let header = super::values::open(payload)?;
        Ok(header.map(|header| Columns { payload, header }))
    }

    /// Opens a message that is one ext with columns of a known version, within the limits. `None` for any other
    /// message.
    #[cfg(any(feature = "arrow", feature = "container"))]
    pub(crate) fn of_message(message: &'a [u8], max_expansion: u64) -> Option<Result<Columns<'a>>> {
        let columns = Columns::open(sole_payload(message).ok()?).transpose()?;
        Some(columns.and_then(|columns| columns.within(max_expansion)))
    }

    /// Checks what the header says against the limits of a reader: how many times its size the payload may stand for
    /// ([`max_expansion`](crate::DecodeOptions::max_expansion)), and the default
    /// [`max_depth`](crate::DecodeOptions::max_depth).
    ///
    /// # Errors
    ///
    /// `length_limit`, `depth_limit`, without an offset.
    ///
    /// ```
    /// use packord::{ErrorKind, columns::Columns};
    /// let columns = Columns::open(b"\x01\xcd\xff\xff\x01\0\x01\0\x01")?.unwrap();
    /// assert_eq!(columns.within(16).unwrap_err().kind(), ErrorKind::LengthLimit);
    /// assert!(columns.within(10_000).is_ok());
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn within(self, max_expansion: u64) -> Result<Columns<'a>> {
        let allowed = max_expansion.saturating_mul(self.payload.len() as u64);
        if self.plain_size() > allowed.saturating_add(ALWAYS_ALLOWED) {
            return Err(Error::new(ErrorKind::LengthLimit));
        }
        check_depth(self.depth(), DEFAULT_MAX_DEPTH).map_err(Error::new)?;
        Ok(self)
    }

    /// Returns whether the payload is the one that a writer makes of its value by the rule of `spec/columns.md`. Makes
    /// all checks of the payload, and takes memory for the plain value.
    ///
    /// # Errors
    ///
    /// `invalid_ext`, without an offset.
    ///
    /// ```
    /// use packord::columns::Columns;
    /// let sevens = b"\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// assert!(Columns::open(sevens)?.unwrap().is_by_rule()?);
    /// // The same value, of which the elements are plain.
    /// let other = [b"\x01\x23\x21\x01\x07\x07\x20\x01\x20\x20\0\x20".as_slice(), &[7; 32]].concat();
    /// assert!(!Columns::open(&other)?.unwrap().is_by_rule()?);
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn is_by_rule(&self) -> Result<bool> {
        let mut plain = Vec::new();
        self.expand_into(&mut plain)?;
        let written = write::payload_of(&plain);
        Ok(written.is_some_and(|written| written == self.payload))
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
    /// [`plain_size`](Columns::plain_size) bytes and for dictionaries of as many entries.
    ///
    /// # Errors
    ///
    /// `invalid_ext`, without an offset. The bytes that were appended are of no use then.
    pub fn expand_into(&self, out: &mut Vec<u8>) -> Result<()> {
        Ok(read::expand(self.payload, &self.header, out)?)
    }
}

/// Returns the payload that stands for one plain message, whatever its size. `None` if a reader of
/// columns would refuse the message.
#[cfg(feature = "notation")]
pub(crate) fn payload_of(plain: &[u8]) -> Option<Vec<u8>> {
    let payload = write::payload_of(plain)?;
    let mut again = Vec::with_capacity(plain.len());
    let columns = Columns::open(&payload).ok()??;
    columns.expand_into(&mut again).ok()?;
    (again == plain).then_some(payload)
}

/// Returns the payload of a message that is one ext of type 92.
///
/// # Errors
///
/// `eof`, `trailing_bytes` and `reserved_marker`; `type_mismatch` for any other message.
pub(super) fn sole_payload(message: &[u8]) -> Result<&[u8]> {
    let eof = || Error::at(ErrorKind::Eof, message.len() as u64);
    let &marker = message.first().ok_or_else(eof)?;
    if marker == RESERVED {
        return Err(Error::at(ErrorKind::ReservedMarker, 0));
    }
    if Kind::of(marker) != Kind::Ext {
        return Err(not_columns());
    }
    let head = Head::at(message, 0).ok_or_else(eof)?;
    if head.ext_type != Some(super::EXT_TYPE) {
        return Err(not_columns());
    }
    let payload = &message[head.end..];
    match (payload.len() as u64).cmp(&head.payload) {
        Ordering::Less => Err(eof()),
        Ordering::Equal => Ok(payload),
        Ordering::Greater => {
            let end = head.end as u64 + head.payload;
            Err(Error::at(ErrorKind::TrailingBytes, end))
        }
    }
}

#[cold]
pub(super) fn not_columns() -> Error {
    Error::at(ErrorKind::TypeMismatch, 0).with_detail("not columns")
}

/// The result of a check, with the one error that all faults have.
pub(super) fn found<T>(found: OrMalformed<T>) -> Result<T> {
    found.map_err(|malformed| Error::from(malformed).placed(0))
}

impl From<Malformed> for Error {
    #[cold]
    fn from(_: Malformed) -> Error {
        Error::new(ErrorKind::InvalidExt)
    }
}
