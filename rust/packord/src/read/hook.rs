//! What the decoder asks of the room `columns`, which is above it: the hook is in the rules only of a
//! program that switches columns on, so that others are linked without what it leads to.

use super::rules::Rules;
use crate::value::{Value, ValueRef};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// The type of the ext that holds columns.
pub(crate) const COLUMNS_EXT: i8 = 92;
/// Bytes that the columns of any payload may stand for, whatever the option `max_expansion` is.
pub(crate) const ALWAYS_ALLOWED: u64 = 4096;

/// A payload that breaks a rule of the page. All such faults have one kind and one place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Malformed;

pub(crate) type OrMalformed<T> = core::result::Result<T, Malformed>;

/// The numbers at the start of a payload.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    not(feature = "columns"),
    allow(dead_code, reason = "only readers of columns look at all of it")
)]
pub(crate) struct PayloadHeader {
    /// Bytes of the value as plain MessagePack.
    pub plain_size: u64,
    /// Number of values, keys included.
    pub values: u64,
    /// Number of containers that are open at once.
    pub depth: u64,
    /// Bytes of the directory.
    pub directory: u64,
    /// Index of the directory in the payload.
    pub begin: usize,
}

/// Reads values that are stored by column.
pub(crate) struct ColumnsReader {
    /// Reads the header of a payload; `None` for a version that is not known.
    pub open: fn(&[u8]) -> OrMalformed<Option<PayloadHeader>>,
    pub check: fn(&ColumnsExt<'_>, &Rules) -> OrMalformed<()>,
    /// Appends the value as plain MessagePack, and makes all checks.
    pub expand: fn(&ColumnsExt<'_>, &Rules, &mut Vec<u8>) -> OrMalformed<()>,
    pub owned: fn(&ColumnsExt<'_>, &Rules) -> OrMalformed<Value>,
    pub borrowed: for<'a> fn(&ColumnsExt<'a>, &Rules) -> OrMalformed<ValueRef<'a>>,
}

/// Without the addresses of functions, which differ from run to run.
impl fmt::Debug for ColumnsReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ColumnsReader")
    }
}

/// An ext with columns whose header is within the limits.
#[cfg_attr(
    not(feature = "columns"),
    allow(dead_code, reason = "only readers of columns look at all of it")
)]
pub(crate) struct ColumnsExt<'a> {
    /// The type and the payload.
    pub tagged: &'a [u8],
    pub header: PayloadHeader,
    /// Where the ext is in the input.
    pub place: Range<usize>,
    pub reader: &'static ColumnsReader,
}
