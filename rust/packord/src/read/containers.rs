//! How the decoder opens containers: depth, lengths, and the pending-element budget of
//! `spec/limits.md` section 2.

use super::check_depth;
use super::container::{Container, OpenContainer};
use super::decoder::ValueDecoder;
use super::fault::Fault;
use super::rules::Rules;
use crate::error::ErrorKind;

impl ValueDecoder {
    /// Opens a container whose header is minimal from `min` elements or entries on.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn container<const CHECKED: bool>(
        &mut self,
        input: &[u8],
        rules: &Rules,
        header: usize,
        (kind, limit): (Container, u32),
        count: u64,
        min: u64,
    ) -> Result<usize, Fault> {
        let marker_offset = self.pos;
        self.open::<CHECKED>(input, rules, header, kind, count, limit)?;
        self.canonical::<CHECKED>(rules, count >= min, marker_offset)?;
        Ok(count as usize)
    }

    /// Checks the header of a container and opens it: nodes, depth, length, elements.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn open<const CHECKED: bool>(
        &mut self,
        input: &[u8],
        rules: &Rules,
        header: usize,
        kind: Container,
        count: u64,
        limit: u32,
    ) -> Result<(), Fault> {
        let marker_offset = self.pos;
        self.check_nodes::<CHECKED>(rules, marker_offset)?;
        self.check_depth(rules, marker_offset)?;
        if CHECKED && count > u64::from(limit) {
            return Err(Fault::new(ErrorKind::LengthLimit, marker_offset));
        }
        let elements = if kind == Container::Map { 2 * count } else { count };
        self.enter::<CHECKED>(input, rules, marker_offset, marker_offset + header, kind, elements)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn check_depth(&self, rules: &Rules, marker_offset: usize) -> Result<(), Fault> {
        check_depth(u64::from(self.depth) + 1, rules.max_depth).map_err(|kind| Fault::new(kind, marker_offset))
    }

    /// Checks that the announced elements fit the bytes that remain; `marker_offset` is that of the
    /// value that announces them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn check_budget<const CHECKED: bool>(
        &mut self,
        input: &[u8],
        rules: &Rules,
        marker_offset: usize,
        end: usize,
        elements: u64,
    ) -> Result<u64, Fault> {
        let pending = self.pending - 1 + elements;
        self.check_buffer::<CHECKED>(rules, marker_offset, end as u64 + pending)?;
        if !self.announce(input, end, pending) {
            let need = usize::try_from(end as u64 + pending).unwrap_or(usize::MAX);
            return Err(self.eof(input, need));
        }
        Ok(pending)
    }

    /// Returns whether the input can hold `pending` values after the index `end`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn announce(&mut self, input: &[u8], end: usize, pending: u64) -> bool {
        let there = (input.len() - end) as u64;
        if pending <= there {
            return true;
        }
        // Reading values only increases `end + pending`, so the last sum is the largest.
        self.announced = end as u64 + pending;
        pending - there <= self.beyond
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn enter<const CHECKED: bool>(
        &mut self,
        input: &[u8],
        rules: &Rules,
        marker_offset: usize,
        end: usize,
        kind: Container,
        elements: u64,
    ) -> Result<(), Fault> {
        self.pending = self.check_budget::<CHECKED>(input, rules, marker_offset, end, elements)?;
        if CHECKED {
            self.nodes += 1;
        }
        self.pos = end;
        self.depth += 1;
        self.opened = OpenContainer::new(kind, elements);
        #[cfg(feature = "alloc")]
        if CHECKED && rules.checks_keys() {
            self.keys().open(kind);
        }
        Ok(())
    }
}
