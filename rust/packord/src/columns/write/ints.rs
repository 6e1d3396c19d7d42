//! INT (`spec/columns.md` section 2.2): numbers in as few bytes each as their range allows.

use super::sections::Sections;
use crate::columns::kind as k;
use crate::wire::Store;
use alloc::vec::Vec;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Values of the program; at least one is 2^63 or more, and all are given modulo 2^64.
    Unsigned,
    /// Values of the program, or indexes, shapes, mantissas, times.
    Signed,
    /// Sizes and tags: never with delta.
    Counts,
}

/// The bytes of an element with numbers up to `range`: 0, 1, 2, 4 or 8.
fn width(range: u64) -> usize {
    match byte_count(range) {
        3 => 4,
        5..=7 => 8,
        width => width,
    }
}

/// The number of bytes that the number needs; 0 for 0.
pub(super) fn byte_count(number: u64) -> usize {
    bit_length(number).div_ceil(8) as usize
}

#[inline(always)]
pub(super) fn bit_length(number: u64) -> u32 {
    u64::BITS - number.leading_zeros()
}

/// Returns the least and the largest number; of unsigned ones modulo 2^64, as all numbers are.
pub(super) fn extent(numbers: &[i64], is_unsigned: bool) -> (i64, i64) {
    // With the highest bit inverted, unsigned numbers have the order of signed ones.
    let flip = if is_unsigned { i64::MIN } else { 0 };
    let (least, most) = numbers.iter().fold((i64::MAX, i64::MIN), |(least, most), &number| {
        let number = number ^ flip;
        (least.min(number), most.max(number))
    });
    (least ^ flip, most ^ flip)
}

pub(super) fn write_ints(out: &mut Sections, numbers: &[i64], purpose: Purpose) {
    out.node(k::INT, 0);
    let Some(&first) = numbers.first() else {
        out.directory.push(k::NONE);
        return;
    };
    let is_unsigned = purpose == Purpose::Unsigned;
    let (least, most) = extent(numbers, is_unsigned);
    let range = most.wrapping_sub(least) as u64;
    let width = width(range);
    let is_bits = range == 1 && numbers.len() >= 8;
    let fits = if is_bits {
        most == 1
    } else {
        self::width(most as u64) == width
    };
    let base = if (is_unsigned || least >= 0) && width > 0 && fits {
        0
    } else {
        least
    };
    let sign = if is_unsigned { k::UNSIGNED } else { 0 };
    let base_bit = |base: i64| if base == 0 { 0 } else { k::BASE };
    if purpose != Purpose::Counts && numbers.len() >= 3 && width > 0 {
        if let Some((base, width)) = delta(numbers, least, width, is_bits) {
            out.directory.push(element(width) | k::DELTA | base_bit(base) | sign);
            if base != 0 {
                put_int(&mut out.directory, base, false);
            }
            put_int(&mut out.directory, first, is_unsigned);
            let differences = numbers.windows(2).map(|pair| {
                let [before, after] = [pair[0], pair[1]];
                after.wrapping_sub(before).wrapping_sub(base) as u64
            });
            return put_elements(out, width, differences);
        }
    }
    let element = if is_bits { k::BIT } else { element(width) };
    out.directory.push(element | base_bit(base) | sign);
    if base != 0 {
        put_int(&mut out.directory, base, is_unsigned);
    }
    if is_bits {
        out.data.extend(numbers.chunks(8).map(|eight| {
            let bits = eight.iter().rev();
            bits.fold(0, |byte, &number| byte << 1 | u8::from(number != base))
        }));
        return;
    }
    let elements = numbers.iter().map(|&number| number.wrapping_sub(base) as u64);
    put_elements(out, width, elements);
}

/// Returns the base and the width of the differences, if they are what is written.
fn delta(numbers: &[i64], least: i64, width: usize, is_bits: bool) -> Option<(i64, usize)> {
    let differences = || {
        let pairs = numbers.windows(2);
        pairs.map(|pair| pair[1].wrapping_sub(pair[0]))
    };
    let (base, most) = differences().fold((i64::MAX, i64::MIN), |(least, most), difference| {
        (least.min(difference), most.max(difference))
    });
    let narrow = self::width(most.wrapping_sub(base) as u64);
    if narrow == 0 {
        return Some((base, 0));
    }
    if narrow > width || is_bits {
        return None;
    }
    let [mut plain, mut stepwise] = [0_u64; 2];
    for (&number, difference) in numbers[1..].iter().zip(differences()) {
        plain += u64::from(bit_length(number.wrapping_sub(least) as u64));
        let zigzag = difference << 1 ^ difference >> 63;
        stepwise += u64::from(bit_length(zigzag as u64));
    }
    (4 * stepwise < 3 * plain).then_some((base, narrow))
}

fn element(width: usize) -> u8 {
    match width {
        0 => k::NONE,
        1 => k::U8,
        2 => k::U16,
        4 => k::U32,
        _ => k::U64,
    }
}

fn put_int(directory: &mut Vec<u8>, number: i64, is_unsigned: bool) {
    // A vector takes every number.
    let _ = if is_unsigned || number >= 0 {
        directory.put_uint(number as u64)
    } else {
        directory.put_negative(number)
    };
}

/// Appends the lower bytes of each element.
fn put_elements(out: &mut Sections, width: usize, elements: impl ExactSizeIterator<Item = u64>) {
    let data = &mut out.data;
    match width {
        0 => {}
        1 => data.extend(elements.map(|element| element as u8)),
        2 => put_all(data, elements, |element| (element as u16).to_le_bytes()),
        4 => put_all(data, elements, |element| (element as u32).to_le_bytes()),
        _ => put_all(data, elements, u64::to_le_bytes),
    }
}

/// Appends arrays of bytes. The room is made at once, so that the loop has no checks.
#[inline(always)]
pub(super) fn put_all<T, const N: usize>(
    out: &mut Vec<u8>,
    items: impl ExactSizeIterator<Item = T>,
    bytes: impl Fn(T) -> [u8; N],
) {
    let begin = out.len();
    out.resize(begin + N * items.len(), 0);
    for (room, item) in out[begin..].chunks_exact_mut(N).zip(items) {
        room.copy_from_slice(&bytes(item));
    }
}
