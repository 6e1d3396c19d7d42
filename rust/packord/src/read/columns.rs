//! What the decoder asks of the room `columns`, which is above it: the hook is in the rules only of a
//! program that switches columns on, so that others are linked without what it leads to.

use super::decoder::ValueDecoder;
use super::fault::Fault;
use super::rules::Rules;
use super::sink::ValueSink;
use crate::error::ErrorKind;
use crate::value::{Value, ValueRef};
use alloc::vec::Vec;
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
#[derive(Debug)]
pub(crate) struct ColumnsReader {
    /// Reads the header of a payload; `None` for a version that is not known.
    pub open: fn(&[u8]) -> OrMalformed<Option<PayloadHeader>>,
    /// Makes all checks.
    pub check: fn(&ColumnsExt<'_>, &Rules) -> OrMalformed<()>,
    /// Appends the value as plain MessagePack, and makes all checks.
    pub expand: fn(&ColumnsExt<'_>, &Rules, &mut Vec<u8>) -> OrMalformed<()>,
    /// Returns the value, and makes all checks.
    pub owned: fn(&ColumnsExt<'_>, &Rules) -> OrMalformed<Value>,
    pub borrowed: for<'a> fn(&ColumnsExt<'a>, &Rules) -> OrMalformed<ValueRef<'a>>,
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

impl ValueDecoder {
    /// Reads an ext with columns, which was taken as an ext; `None` if it is an ext like others. Every fault is
    /// at its marker.
    #[cold]
    #[inline(never)]
    pub(super) fn columns<'a, S: ValueSink<'a>>(
        &mut self,
        reader: &'static ColumnsReader,
        tagged: &'a [u8],
        rules: &Rules,
        marker_offset: usize,
        sink: &mut S,
    ) -> Result<Option<S::Out>, Fault> {
        let fault = |kind| Fault::new(kind, marker_offset);
        let invalid = |_| fault(ErrorKind::InvalidExt);
        let payload = &tagged[1..];
        let Some(header) = (reader.open)(payload).map_err(invalid)? else {
            return Ok(None);
        };
        let expanded = u64::from(rules.max_expansion).saturating_mul(payload.len() as u64);
        if header.plain_size > expanded.saturating_add(ALWAYS_ALLOWED) {
            return Err(fault(ErrorKind::LengthLimit));
        }
        // The ext itself is not a value.
        let nodes = (self.nodes - 1).saturating_add(header.values);
        if nodes > rules.max_nodes {
            return Err(fault(ErrorKind::LengthLimit));
        }
        if u64::from(self.depth).saturating_add(header.depth) > u64::from(rules.max_depth) {
            return Err(fault(ErrorKind::DepthLimit));
        }
        self.nodes = nodes;
        let columns = ColumnsExt {
            tagged,
            header,
            place: marker_offset..self.pos,
            reader,
        };
        let read = sink.columns(&columns, rules);
        let read =
            read.unwrap_or_else(|| (reader.check)(&columns, rules).map(|()| sink.ext(tagged)));
        read.map(Some).map_err(invalid)
    }
}
