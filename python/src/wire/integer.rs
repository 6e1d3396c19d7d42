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
    let [marker, length, shift] = FORMATS[bits + (sign & NEGATIVE) as usize];
    let big_endian = ((number as u64) << shift).swap_bytes();
    *next = marker;
    // A fixint is its own payload of one byte, with no marker before it.
    let fix = usize::from(FIX && marker == 0);
    (next.add(1 - fix) as *mut u64).write_unaligned(big_endian);
    next.add(usize::from(length))
}

/// How much further on in the table the negative numbers are.
const NEGATIVE: i64 = 0x41;

/// Marker (0 for fixints), length with the marker, and by how much the payload is moved up to be
/// the highest bits of a word: by the count of significant bits; `NEGATIVE` further on for negative
/// numbers.
const FORMATS: [[u8; 3]; 130] = {
    const fn format(marker: u8, size: u8) -> [u8; 3] {
        [marker, size + (marker != 0) as u8, 64 - 8 * size]
    }
    let mut table = [[0, 1, 56]; 130];
    let mut bits = 0;
    while bits <= 64 {
        table[bits] = match bits {
            0..=7 => format(0, 1),
            8 => format(UINT8, 1),
            9..=16 => format(UINT16, 2),
            17..=32 => format(UINT32, 4),
            _ => format(UINT64, 8),
        };
        table[bits + NEGATIVE as usize] = match bits {
            0..=5 => format(0, 1),
            6..=7 => format(INT8, 1),
            8..=15 => format(INT16, 2),
            16..=31 => format(INT32, 4),
            _ => format(INT64, 8),
        };
        bits += 1;
    }
    table
};
