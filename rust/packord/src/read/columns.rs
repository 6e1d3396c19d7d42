//! An ext with columns, which the decoder meets.

use super::check_depth;
use super::decoder::ValueDecoder;
use super::fault::Fault;
use super::hook::{ALWAYS_ALLOWED, ColumnsExt, ColumnsReader};
use super::rules::Rules;
use super::sink::ValueSink;
use crate::error::ErrorKind;

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
        let depth = u64::from(self.depth).saturating_add(header.depth);
        check_depth(depth, rules.max_depth).map_err(fault)?;
        self.nodes = nodes;
        let columns = ColumnsExt {
            tagged,
            header,
            place: marker_offset..self.pos,
            reader,
        };
        let read = sink.columns(&columns, rules);
        let read = read.unwrap_or_else(|| (reader.check)(&columns, rules).map(|()| sink.ext(tagged)));
        read.map(Some).map_err(invalid)
    }
}
