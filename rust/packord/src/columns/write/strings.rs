//! BYTES and TIME (`spec/columns.md` sections 2.4 and 2.5).

use super::ints::{Purpose, write_ints};
use super::nodes::{NodeList, Wire};
use super::sections::{Sections, append};
use crate::columns::kind as k;
use crate::columns::read::Unit;
use crate::ext::Timestamp;
use alloc::vec::Vec;

/// The rows from which columns of unequal sizes are BYTES.
const FEWEST_STRINGS: usize = 8;
const FEWEST_EXTS: usize = 16;
/// The mean size up to which exts are BYTES.
const MEAN_EXT: usize = 64;

struct Sizes {
    total: usize,
    all_equal: bool,
}

/// Replaces `sizes` by those of the payloads.
fn measure(nodes: &NodeList<'_>, rows: &[u32], sizes: &mut Vec<i64>) -> Sizes {
    sizes.clear();
    sizes.extend(rows.iter().map(|&row| nodes.payload(row).len() as i64));
    Sizes {
        total: sizes.iter().sum::<i64>() as usize,
        all_equal: sizes.iter().all(|size| *size == sizes[0]),
    }
}

/// Appends a column of str or bin. Returns whether that is done.
pub(super) fn write_strings(nodes: &NodeList<'_>, rows: &[u32], out: &mut Sections, numbers: &mut Vec<i64>) -> bool {
    let sizes = measure(nodes, rows, numbers);
    if !sizes.all_equal && rows.len() < FEWEST_STRINGS {
        return false;
    }
    let is_str = nodes.wire(rows[0]) == Wire::Str;
    if is_str && !sizes.all_equal && write_ended(nodes, rows, out, sizes.total) {
        return true;
    }
    out.node(k::BYTES, if is_str { k::STR } else { k::BIN });
    put_payloads(nodes, rows, out, sizes.total, numbers);
    true
}

/// Appends strings with a byte 00 after each. Returns `false` if there is such a byte in them.
fn write_ended(nodes: &NodeList<'_>, rows: &[u32], out: &mut Sections, total: usize) -> bool {
    let data = &mut out.data;
    let begin = data.len();
    data.reserve(total + rows.len());
    for &row in rows {
        append(data, nodes.payload(row));
        data.push(0);
    }
    // Beside one for each row, there are none. So short a loop is made of wide instructions.
    let zeros = data[begin..].iter().map(|&byte| usize::from(byte == 0));
    if zeros.sum::<usize>() != rows.len() {
        data.truncate(begin);
        return false;
    }
    out.node(k::BYTES, k::TERMINATED);
    out.uint(total + rows.len());
    true
}

fn put_payloads(nodes: &NodeList<'_>, rows: &[u32], out: &mut Sections, total: usize, sizes: &[i64]) {
    out.uint(total);
    out.data.reserve(total);
    for &row in rows {
        append(&mut out.data, nodes.payload(row));
    }
    write_ints(out, sizes, Purpose::Counts);
}

fn ext_type(nodes: &NodeList<'_>, row: u32) -> u8 {
    let bytes = nodes.bytes(row);
    let before = bytes.len() - nodes.payload(row).len() - 1;
    bytes[before]
}

/// Appends a column of exts. Returns whether that is done.
pub(super) fn write_exts(nodes: &NodeList<'_>, rows: &[u32], out: &mut Sections, numbers: &mut Vec<i64>) -> bool {
    let kind = ext_type(nodes, rows[0]);
    if rows.iter().any(|&row| ext_type(nodes, row) != kind) {
        return false;
    }
    if kind == Timestamp::EXT_TYPE as u8 {
        if let Some(unit) = times(nodes, rows, numbers) {
            out.node(k::TIME, 0);
            out.directory.push(unit);
            write_ints(out, numbers, Purpose::Signed);
            return true;
        }
    }
    let sizes = measure(nodes, rows, numbers);
    let is_column = sizes.all_equal || rows.len() >= FEWEST_EXTS;
    if !is_column || sizes.total > MEAN_EXT * rows.len() {
        return false;
    }
    out.node(k::BYTES, k::EXT);
    out.directory.push(kind);
    put_payloads(nodes, rows, out, sizes.total, numbers);
    true
}

/// Replaces `times` by the times in the largest unit that holds all of them, and returns the unit.
/// Returns `None` if a timestamp is not in its smallest format, or a time does not fit 64 bits.
fn times(nodes: &NodeList<'_>, rows: &[u32], times: &mut Vec<i64>) -> Option<u8> {
    let mut unit = 0;
    for &row in rows {
        let at = Timestamp::from_payload(nodes.payload(row))?;
        // The header of 2 bytes for the formats of 4 and 8 bytes, of 3 bytes for that of 12.
        let header = if at.payload_len() == 12 { 3 } else { 2 };
        if nodes.size(row) != header + at.payload_len() {
            return None;
        }
        unit = unit.max(match at.nanoseconds() {
            0 => 0,
            nanos if nanos % 1_000_000 == 0 => 3,
            nanos if nanos % 1000 == 0 => 6,
            _ => 9,
        });
    }
    times.clear();
    let in_unit = Unit::new(unit);
    for &row in rows {
        let at = Timestamp::from_payload(nodes.payload(row))?;
        times.push(in_unit.count(at)?);
    }
    Some(unit)
}
