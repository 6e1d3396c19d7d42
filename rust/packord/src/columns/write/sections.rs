//! The directory and the sections of a payload while it is written.

use super::nodes::NodeList;
use crate::columns::kind as k;
use crate::wire::Store;
use alloc::vec::Vec;

#[derive(Debug, Default)]
pub(super) struct Sections {
    pub directory: Vec<u8>,
    /// The sections of the nodes, in the order of the directory.
    pub data: Vec<u8>,
}

/// The sizes of both at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct SectionMark {
    directory: usize,
    data: usize,
}

impl SectionMark {
    /// Returns the number of bytes in all.
    pub fn total(self) -> usize {
        self.directory + self.data
    }
}

impl Sections {
    pub fn mark(&self) -> SectionMark {
        SectionMark {
            directory: self.directory.len(),
            data: self.data.len(),
        }
    }

    /// Drops everything.
    pub fn clear(&mut self) {
        self.directory.clear();
        self.data.clear();
    }

    /// Drops what was written after the mark.
    pub fn back(&mut self, mark: SectionMark) {
        self.directory.truncate(mark.directory);
        self.data.truncate(mark.data);
    }

    /// Appends the first byte of a node to the directory.
    pub fn node(&mut self, kind: u8, mode: u8) {
        self.directory.push(kind | mode << 4);
    }

    /// Appends a number to the directory.
    pub fn uint(&mut self, number: usize) {
        // A vector takes every number.
        let _ = self.directory.put_uint(number as u64);
    }

    /// Appends a PLAIN.
    pub fn plain(&mut self, nodes: &NodeList<'_>, rows: &[u32], size: usize) {
        self.node(k::PLAIN, 0);
        self.uint(size);
        for &row in rows {
            append(&mut self.data, nodes.bytes(row));
        }
    }
}

/// Appends bytes, short ones without a call.
#[inline(always)]
pub(super) fn append(out: &mut Vec<u8>, bytes: &[u8]) {
    // A vector takes any bytes.
    let _ = out.put_with([], bytes);
}
