//! The payload of one value (`spec/columns.md` section 1).

use super::nodes::NodeList;
use super::sections::Sections;
use crate::columns::VERSION;
use crate::wire::Store;
use alloc::vec::Vec;

/// The expansion and the bytes that every reader allows by default.
const EXPANSION: usize = 16;
const FREE_BYTES: usize = 4096;

/// Replaces `payload` by that of a value whose column was written.
pub(super) fn write_payload(sections: &Sections, nodes: &NodeList<'_>, root: u32, payload: &mut Vec<u8>) {
    let Sections { directory, data } = sections;
    let size = nodes.size(root);
    let values = (nodes.next(root) - root) as usize;
    payload.clear();
    payload.push(VERSION);
    for number in [size, values, nodes.height(root) as usize, directory.len()] {
        // A vector takes every number.
        let _ = payload.put_uint(number as u64);
    }
    payload.reserve(directory.len() + data.len());
    payload.extend_from_slice(directory);
    payload.extend_from_slice(data);
    let least = size.saturating_sub(FREE_BYTES).div_ceil(EXPANSION);
    payload.resize(payload.len().max(least), 0);
}
