//! Values that are stored by column (`spec/columns.md`): written plainly, within the limits, and then read.

use packord::columns::{Columns, EXT_TYPE};

use super::{Decoder, Read};
use crate::errors::{Kind, Raised};
use crate::options::{self, DecodeOptions};
use crate::wire::skip::ext_type;
use crate::wire::value_type::ValueType;

/// Size of a value, written plainly, up to which `max_expansion` does not matter.
const ALWAYS_ALLOWED: u64 = 4096;

impl Decoder<'_> {
    /// Whether an ext with columns is next, and columns are read.
    #[inline(always)]
    pub unsafe fn begins_columns(&self, marker: u8) -> bool {
        ValueType::of(marker) == Some(ValueType::Ext) && self.reads_columns() && ext_type(self.rest()) == Some(EXT_TYPE)
    }

    pub(super) fn reads_columns(&self) -> bool {
        self.options.has(options::COLUMNS) && !self.options.has(options::CANONICAL)
    }

    /// The columns of a payload that is to be read, within the limits. `None` for an ext like others.
    pub(super) unsafe fn columns_of<'p>(
        &mut self,
        marker_offset: usize,
        payload: &'p [u8],
    ) -> Result<Option<Columns<'p>>, Raised> {
        let opened = Columns::open(payload);
        let Some(columns) = opened.map_err(|_| self.invalid_ext(marker_offset))? else {
            return Ok(None);
        };
        let allowed = self.options.max_expansion as u64;
        let allowed = allowed.saturating_mul(payload.len() as u64);
        if columns.plain_size() > allowed.saturating_add(ALWAYS_ALLOWED) {
            return Err(self.too_long(marker_offset, self.options.max_expansion, "max_expansion"));
        }
        // The ext was counted, and is not a value.
        let nodes = (self.nodes as u64).saturating_sub(1);
        let nodes = nodes.saturating_add(columns.values());
        if nodes > self.max_nodes as u64 {
            return Err(self.too_long(marker_offset, self.max_nodes, "max_nodes"));
        }
        if (self.depth as u64).saturating_add(columns.depth()) > self.options.max_depth as u64 {
            return Err(self.fault(Kind::DepthLimit, marker_offset));
        }
        self.nodes = nodes as usize;
        Ok(Some(columns))
    }

    /// The value of columns, by `read`. Every fault in it is at the marker of the ext. A call, to keep that of a
    /// record or a set small.
    #[inline(never)]
    pub(super) unsafe fn value_of_columns(
        &mut self,
        marker_offset: usize,
        columns: Columns<'_>,
        read: impl FnOnce(&mut Decoder<'_>) -> Read,
    ) -> Read {
        // The header may lie about the size, so that it grows with what is written.
        let mut plain = Vec::new();
        if columns.expand_into(&mut plain).is_err() {
            return Err(self.invalid_ext(marker_offset));
        }
        let options = DecodeOptions {
            flags: self.options.flags & !(options::COLUMNS | options::RECORDS),
            max_nodes: usize::MAX,
            ..self.options.clone()
        };
        let mut inner = Decoder::new(&plain, &options, None, None);
        inner.depth = self.depth;
        inner.typed = self.typed;
        read(&mut inner).map_err(|Raised| {
            self.failure = inner.failure.take();
            if let Some(failure) = &mut self.failure {
                failure.within_columns(marker_offset);
            }
            Raised
        })
    }

    /// The value of an ext with columns that is next, by `read`; `other` reads it if it is one like others.
    #[inline(never)]
    pub unsafe fn typed_columns(
        &mut self,
        read: impl FnOnce(&mut Decoder<'_>) -> Read,
        other: impl FnOnce(&mut Self) -> Read,
    ) -> Read {
        let marker_offset = self.offset();
        let nodes = self.nodes;
        let marker = self.take::<1>()?[0];
        let (payload, _, _) = self.ext_payload::<true>(marker_offset, marker)?;
        match self.columns_of(marker_offset, payload)? {
            Some(columns) => self.value_of_columns(marker_offset, columns, read),
            None => {
                self.nodes = nodes;
                self.move_to(marker_offset);
                other(self)
            }
        }
    }
}
