//! [`RecordType`]: the keys of a derived type.

/// The keys of a type's records. Its address tells it from those of other types, so it must be a
/// static.
#[derive(Debug)]
pub struct RecordType {
    /// The keys, no two of them equal.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "no records without it"))]
    pub(in crate::typed) keys: &'static [&'static str],
    /// The same as they are in a definition: an array of str.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "no records without it"))]
    pub(in crate::typed) packed: &'static [u8],
}

impl RecordType {
    /// Returns a list of the keys, given as strings and as MessagePack.
    #[must_use]
    pub const fn new(keys: &'static [&'static str], packed: &'static [u8]) -> RecordType {
        RecordType { keys, packed }
    }
}
