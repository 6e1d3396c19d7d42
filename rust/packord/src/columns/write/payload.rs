//! The payload of one value (`spec/columns.md` section 1).

use super::nodes::NodeList;
use super::sections::Sections;
use crate::wire::Store;
use alloc::vec::Vec;

/// The version of payloads.
const VERSION: u8 = 1;
/// The expansion and the bytes that every reader allows by default.
const EXPANSION: usize = 16;
const FREE_BYTES: usize = 4096;
/// The size that sections of 8 bytes are aligned to.
const ALIGNMENT: usize = 8;

/// Replaces `payload` by that of a value whose column was written. `position` is where the ext begins in
/// the message if the columns are to be used in place.
pub(super) fn write_payload(
    sections: &Sections,
    nodes: &NodeList<'_>,
    root: u32,
    position: Option<usize>,
    payload: &mut Vec<u8>,
) {
    let size = nodes.size(root);
    payload.clear();
    payload.push(VERSION);
    let values = nodes.next(root) - root;
    let height = nodes.height(root);
    for number in [
        size,
        values as usize,
        height as usize,
        sections.directory.len(),
    ] {
        // A vector takes every number.
        let _ = payload.put_uint(number as u64);
    }
    let data: usize = sections.zones().map(<[u8]>::len).sum();
    let begin = payload.len() + 1 + sections.directory.len();
    let mut least = size.saturating_sub(FREE_BYTES).div_ceil(EXPANSION);
    let align = match position {
        Some(position) => {
            // The header says the length of the payload, and filler makes it true.
            let (header, filled) = match least.max(begin + data + ALIGNMENT - 1) {
                0..=0xff => (3, 0),
                0x100..=0xffff => (4, 0x100),
                _ => (6, 0x1_0000),
            };
            least = least.max(filled);
            (position + header + begin).wrapping_neg() % ALIGNMENT
        }
        None => 0,
    };
    payload.reserve(1 + sections.directory.len() + align + data);
    payload.push(align as u8);
    payload.extend_from_slice(&sections.directory);
    payload.resize(payload.len() + align, 0);
    for zone in sections.zones() {
        payload.extend_from_slice(zone);
    }
    if payload.len() < least {
        payload.resize(least, 0);
    }
}
