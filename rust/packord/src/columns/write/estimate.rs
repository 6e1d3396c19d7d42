//! An estimate of the size after a compressor (`spec/columns.md`, "Writing"): which of two encodings
//! of a value a general compressor would make smaller.

use super::ints::bit_length;
use alloc::vec::Vec;
use core::ops::Range;

/// The farthest distance of a match.
const WINDOW: usize = 32768;
/// The longest match.
const LONGEST: usize = 258;
/// Bits of a hash.
const HASH_BITS: u32 = 14;
const HASHES: usize = 1 << HASH_BITS;
/// The bytes after which it is asked whether a bound is reached.
const STRETCH: usize = 8192;
const MULTIPLIER: u32 = 2_654_435_761;

/// Finds matches. A position is stored in 16 bits, so that the table fits the fastest cache: it is
/// counted from a base, and positions before the window are removed in time.
#[derive(Debug)]
pub(super) struct Estimator {
    /// The last position of each hash, plus 1 and minus the base; 0 where there is none in the
    /// window.
    last: Vec<u16>,
}

impl Estimator {
    pub fn new() -> Estimator {
        Estimator { last: Vec::new() }
    }

    /// Returns the estimated number of bytes.
    pub fn size(&mut self, bytes: &[u8]) -> u64 {
        self.estimate(bytes, u64::MAX)
    }

    /// Returns whether the estimated number of bytes is at least `bound`. It is known before all bytes
    /// have been seen.
    pub fn reaches(&mut self, bytes: &[u8], bound: u64) -> bool {
        self.estimate(bytes, bound) >= bound
    }

    /// Returns the estimated number of bytes, or `enough` as soon as it cannot be less.
    fn estimate(&mut self, bytes: &[u8], enough: u64) -> u64 {
        self.last.clear();
        self.last.resize(HASHES, 0);
        let mut literals = [0_u32; 256];
        let (mut at, mut base, mut bits) = (0, 0, 0_u64);
        loop {
            let end = bytes.len().min(base + usize::from(u16::MAX));
            let end = end.min(at + STRETCH);
            (at, bits) = self.block(bytes, base, at..end, bits, &mut literals);
            if at + 4 > bytes.len() {
                break;
            }
            if enough < u64::MAX && least(bits, &literals, bytes.len() - at) / 8 >= enough {
                return enough;
            }
            if at - base >= usize::from(u16::MAX) {
                let step = at - WINDOW - base;
                base += step;
                for position in &mut self.last {
                    *position = position.saturating_sub(step as u16);
                }
            }
        }
        for &byte in &bytes[at..] {
            literals[usize::from(byte)] += 1;
        }
        (bits + literal_bits(&literals) / LOG_UNIT) / 8
    }

    /// Goes over bytes whose positions fit the table; returns where it ends, and the bits of matches
    /// so far.
    #[inline(always)]
    fn block(
        &mut self,
        bytes: &[u8],
        base: usize,
        range: Range<usize>,
        mut bits: u64,
        literals: &mut [u32; 256],
    ) -> (usize, u64) {
        let mut at = range.start;
        let Some(last) = self.last.first_chunk_mut::<HASHES>() else {
            return (at, bits);
        };
        while at < range.end {
            let Some(word) = word(bytes, at) else {
                break;
            };
            let hash = word.wrapping_mul(MULTIPLIER) >> (32 - HASH_BITS);
            let slot = &mut last[hash as usize];
            let before = usize::from(*slot);
            *slot = (at - base + 1) as u16;
            let from = (base + before).saturating_sub(1);
            let is_match = is_match(bytes, (from, before), (at, word));
            if is_match {
                let length = match_length(bytes, from, at);
                let distance = bit_length((at - from) as u64);
                bits += u64::from(7 + distance + bit_length(length as u64) / 2);
                at += length;
            } else {
                literals[word as usize & 0xff] += 1;
                at += 1;
            }
        }
        (at, bits)
    }
}

/// Returns whether the four bytes at the last position are those at `at`, within the window.
#[inline(always)]
#[allow(
    clippy::needless_bitwise_bool,
    reason = "one jump, as each condition alone is hard to predict"
)]
fn is_match(bytes: &[u8], (from, before): (usize, usize), (at, here): (usize, u32)) -> bool {
    let there = word(bytes, from).unwrap_or_default();
    (before > 0) & (from + WINDOW >= at) & (there == here)
}

/// Returns the four bytes at `at`.
#[inline(always)]
fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*word))
}

/// Returns how long the bytes at `from` and `at` agree. The first four do.
#[inline(always)]
fn match_length(bytes: &[u8], from: usize, at: usize) -> usize {
    let longest = LONGEST.min(bytes.len() - at);
    let mut length = 4;
    while length + 8 <= longest {
        let word = |at: usize| {
            bytes[at + length..]
                .first_chunk()
                .map(|word| u64::from_le_bytes(*word))
        };
        let (Some(a), Some(b)) = (word(from), word(at)) else {
            break;
        };
        if a != b {
            return length + (a ^ b).trailing_zeros() as usize / 8;
        }
        length += 8;
    }
    while length < longest && bytes[from + length] == bytes[at + length] {
        length += 1;
    }
    length
}

/// Returns the bits that the estimate has at least after `rest` more bytes.
///
/// More literals never shorten the code of those before them, by exact logarithms. Those used here are
/// too small by up to `LOG_ERROR`: in the sum so far for the counts, in the sum at the end for the
/// total.
fn least(bits: u64, literals: &[u32; 256], rest: usize) -> u64 {
    let count: u64 = literals.iter().copied().map(u64::from).sum();
    let error = LOG_ERROR * (2 * count + rest as u64);
    bits + literal_bits(literals).saturating_sub(error) / LOG_UNIT
}

/// Returns the bits of an entropy coder for bytes that occur so often, in sixteenths.
fn literal_bits(counts: &[u32; 256]) -> u64 {
    let total = logarithm(counts.iter().copied().map(u64::from).sum());
    let counts = counts.iter().copied().map(u64::from);
    counts
        .filter(|&count| count > 0)
        .map(|count| count * (total - logarithm(count)))
        .sum()
}

/// The parts of a bit in which logarithms are counted.
const LOG_UNIT: u64 = 16;
/// What a logarithm may be too small: 1.38 by the straight line, and less than 1 by rounding down.
const LOG_ERROR: u64 = 3;

/// Returns 16 times the logarithm to base 2, between its integers by a straight line.
fn logarithm(number: u64) -> u64 {
    let Some(whole) = number.checked_ilog2() else {
        return 0;
    };
    let fraction = if whole >= 4 {
        number >> (whole - 4)
    } else {
        number << (4 - whole)
    };
    LOG_UNIT * u64::from(whole) + (fraction & 15)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that repeat more or less.
    fn text(seed: u64, len: usize) -> Vec<u8> {
        let mut state = seed | 1;
        let mut next = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % below
        };
        let mut out = Vec::new();
        let letters = 1 + next(60);
        while out.len() < len {
            if out.len() > 8 && next(3) == 0 {
                let from = next(out.len() as u64) as usize;
                let to = out.len().min(from + next(40) as usize);
                out.extend_from_within(from..to);
            } else {
                out.push(32 + next(letters) as u8);
            }
        }
        out
    }

    #[test]
    fn the_estimate_of_known_bytes() {
        let mut estimator = Estimator::new();
        assert_eq!(estimator.size(b""), 0);
        // The only literals are of one byte, which costs nothing.
        assert_eq!(estimator.size(b"aaa"), 0);
        // Two literals of 1 bit, and a match of 5 bytes at distance 2: 7 + 2 + 1 bits.
        assert_eq!(estimator.size(b"abababa"), 12 / 8);
        // A match of 258 bytes at distance 1, then one of 258 and one of 83 at distance 258, as the
        // positions within a match are not known.
        let bits = (7 + 1 + 4) + (7 + 9 + 4) + (7 + 9 + 3);
        assert_eq!(estimator.size(&[b'a'; 600]), bits / 8);
    }

    #[test]
    fn the_table_forgets_what_the_window_has_passed() {
        let mut estimator = Estimator::new();
        let unit = text(5, 64);
        for (distance, is_found) in [(32_768, true), (32_769, false), (70_000, false)] {
            let mut bytes = unit.clone();
            bytes.resize(distance, 0);
            let without = estimator.size(&bytes);
            bytes.extend_from_slice(&unit);
            let with = estimator.size(&bytes);
            assert_eq!(
                with - without < 8,
                is_found,
                "{distance}: {}",
                with - without
            );
        }
    }

    #[test]
    fn a_bound_is_reached_exactly_up_to_the_estimate() {
        let mut estimator = Estimator::new();
        for seed in 0..60 {
            let bytes = text(seed * 77, 1 << (6 + seed % 12));
            let size = estimator.size(&bytes);
            for bound in [0, size / 2, size * 9 / 10, size.saturating_sub(1), size] {
                assert!(
                    estimator.reaches(&bytes, bound),
                    "{seed}: {bound} of {size}"
                );
            }
            for bound in [size + 1, size + size / 100 + 1, 2 * size + 1] {
                assert!(
                    !estimator.reaches(&bytes, bound),
                    "{seed}: {bound} of {size}"
                );
            }
        }
    }
}
