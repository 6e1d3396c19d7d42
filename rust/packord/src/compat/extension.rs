//! [`Extension`]: an ext, with the name that msgpacker has for it.

use crate::ext::Timestamp;
use crate::typed::{Failed, Packable, Writer, unpackable};
use alloc::vec::Vec;

/// An ext: a type and bytes, or a timestamp.
///
/// ```
/// use packord::compat::msgpacker::Extension;
/// use packord::{Packable, Timestamp, Unpackable};
///
/// let ext = Extension::Ext(5, vec![1, 2]);
/// assert_eq!(ext.pack_to_vec(), [0xd5, 5, 1, 2]);
/// assert_eq!(Extension::unpack(&[0xd5, 5, 1, 2])?, ext);
///
/// let past = Extension::Timestamp(Timestamp::new(-1, 500_000_000).unwrap());
/// assert_eq!(Extension::unpack(&past.pack_to_vec())?, past);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Extension {
    /// A type other than −1, and bytes.
    Ext(i8, Vec<u8>),
    /// A timestamp, type −1. `Duration::try_from` returns the time since 1970, if it is not before.
    Timestamp(Timestamp),
}

impl Extension {
    /// The ext type of timestamps.
    pub const TIMESTAMP: i8 = Timestamp::EXT_TYPE;
}

impl Packable for Extension {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        match self {
            Extension::Ext(kind, bytes) => writer.ext(*kind, bytes),
            Extension::Timestamp(at) => writer.timestamp(*at),
        }
    }
}

unpackable!([] Extension, leaf true, min_len 2, |reader| {
    let place = reader.place();
    let (kind, bytes) = reader.ext()?;
    if kind != Timestamp::EXT_TYPE {
        return Ok(Extension::Ext(kind, bytes.to_vec()));
    }
    reader.restore(place);
    reader.timestamp().map(Extension::Timestamp)
});
