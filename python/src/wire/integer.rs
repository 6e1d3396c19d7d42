//! Integers of any format, without a branch that depends on them.

use super::marker::*;

/// Writes an integer in its smallest format, and returns where that ends. Up to nine bytes are
/// touched. Without `FIX`, the integer is known to be no fixint.
///
/// The sign and the count of significant bits choose marker and length from a table: the numbers
/// of a list can't be foreseen, and a branch that is guessed wrong costs more than all of this.
#[inline(always)]
pub unsafe fn put<const FIX: bool>(next: *mut u8, number: i64) -> *mut u8 {
    let sign = number >> 63;
    let bits = 64 - ((number ^ sign) as u64).leading_zeros() as usize;
    let (marker, payload) = FORMATS[bits + (sign & NEGATIVE) as usize];
    let big_endian = ((number as u64) << ((8 - u32::from(payload)) * 8)).swap_bytes();
    *next = marker;
    // A fixint is its own payload of one byte, with no marker before it.
    let fix = usize::from(FIX && marker == 0);
    (next.add(1 - fix) as *mut u64).write_unaligned(big_endian);
    next.add(1 - fix + usize::from(payload))
}

/// How much further on in the table the negative numbers are.
const NEGATIVE: i64 = 0x41;

/// Marker (0 for fixints) and length of the payload, by the count of significant bits; `NEGATIVE`
/// further on for negative numbers.
const FORMATS: [(u8, u8); 130] = {
    let mut table = [(0, 1); 130];
    let mut bits = 0;
    while bits <= 64 {
        table[bits] = match bits {
            0..=7 => (0, 1),
            8 => (UINT8, 1),
            9..=16 => (UINT16, 2),
            17..=32 => (UINT32, 4),
            _ => (UINT64, 8),
        };
        table[bits + NEGATIVE as usize] = match bits {
            0..=5 => (0, 1),
            6..=7 => (INT8, 1),
            8..=15 => (INT16, 2),
            16..=31 => (INT32, 4),
            _ => (INT64, 8),
        };
        bits += 1;
    }
    table
};
