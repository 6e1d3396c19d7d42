//! The directory and the sections of a payload while it is written.

use super::nodes::NodeList;
use crate::columns::kind as k;
use crate::wire::Store;
use alloc::vec::Vec;

/// The zone of elements of 8, 4, 2 and 1 bytes, and of all other sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zone {
    Eight,
    Four,
    Two,
    One,
}

#[derive(Debug, Default)]
pub(super) struct Sections {
    pub directory: Vec<u8>,
    zones: [Vec<u8>; 4],
}

/// The sizes of directory and zones at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct SectionMark {
    sizes: [usize; 5],
}

impl SectionMark {
    /// Returns the number of bytes in all.
    pub fn total(self) -> usize {
        self.sizes.iter().sum()
    }
}

impl Sections {
    pub fn mark(&self) -> SectionMark {
        let [eight, four, two, one] = &self.zones;
        SectionMark {
            sizes: [&self.directory, eight, four, two, one].map(Vec::len),
        }
    }

    /// Drops everything.
    pub fn clear(&mut self) {
        self.directory.clear();
        self.zones.iter_mut().for_each(Vec::clear);
    }

    /// Drops what was written after the mark.
    pub fn back(&mut self, mark: SectionMark) {
        let [directory, zones @ ..] = mark.sizes;
        self.directory.truncate(directory);
        for (zone, size) in self.zones.iter_mut().zip(zones) {
            zone.truncate(size);
        }
    }

    pub fn zone(&mut self, zone: Zone) -> &mut Vec<u8> {
        &mut self.zones[zone as usize]
    }

    /// Returns the zones in their order.
    pub fn zones(&self) -> impl Iterator<Item = &[u8]> {
        self.zones.iter().map(Vec::as_slice)
    }

    /// Appends the first byte of a node to the directory.
    pub fn node(&mut self, kind: u8, mode: u8) {
        self.directory.push(kind | mode << 4);
    }

    /// Appends a byte to the directory.
    pub fn byte(&mut self, byte: u8) {
        self.directory.push(byte);
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
        let zone = self.zone(Zone::One);
        for &row in rows {
            append(zone, nodes.bytes(row));
        }
    }
}

/// Appends bytes, short ones without a call.
#[inline(always)]
pub(super) fn append(out: &mut Vec<u8>, bytes: &[u8]) {
    // A vector takes any bytes.
    let _ = out.put_with([], bytes);
}
