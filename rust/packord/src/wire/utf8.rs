//! UTF-8: a check for ASCII word by word, as most strings are ASCII, before the full check. Without an
//! operating system, where size counts more, it is the check of the standard library alone.

use core::str;

/// From this length on, the vectorised check is faster.
#[cfg(feature = "std")]
const LONG: usize = 64;

/// Returns the string, or the index of the first byte of the first ill-formed sequence.
#[inline(always)]
pub(crate) fn check(bytes: &[u8]) -> Result<&str, usize> {
    #[cfg(feature = "std")]
    if bytes.len() < LONG && is_ascii(bytes) {
        // SAFETY: `is_ascii` found no byte above 7f, and ASCII is UTF-8.
        return Ok(unsafe { str::from_utf8_unchecked(bytes) });
    }
    check_full(bytes)
}

#[inline(never)]
fn check_full(bytes: &[u8]) -> Result<&str, usize> {
    #[cfg(feature = "std")]
    {
        let is_utf8 = match bytes.len() {
            0..LONG => is_utf8(bytes),
            #[cfg(not(miri))]
            _ => simdutf8::basic::from_utf8(bytes).is_ok(),
            #[cfg(miri)]
            _ => false,
        };
        if is_utf8 {
            // SAFETY: the bytes were checked.
            return Ok(unsafe { str::from_utf8_unchecked(bytes) });
        }
    }
    str::from_utf8(bytes).map_err(|error| error.valid_up_to())
}

/// Returns whether a short string is UTF-8: one compare of bits for each character. The check of the
/// standard library, which also finds where a fault is, takes longer.
#[cfg(feature = "std")]
#[inline(always)]
fn is_utf8(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    loop {
        rest = match *rest {
            [] => return true,
            [0x00..=0x7f, ref after @ ..] => match rest.first_chunk() {
                Some(word) => {
                    let above = u64::from_le_bytes(*word) & u64::from_ne_bytes([0x80; 8]);
                    rest.get(above.trailing_zeros() as usize / 8..).unwrap_or(after)
                }
                None => after,
            },
            [0xc2..=0xdf, 0x80..=0xbf, ref rest @ ..] => rest,
            [a @ 0xe0..=0xef, b @ 0x80..=0xbf, 0x80..=0xbf, ref rest @ ..] => {
                // Neither an overlong form nor a surrogate.
                match (a, b) {
                    (0xe0, ..0xa0) | (0xed, 0xa0..) => return false,
                    _ => rest,
                }
            }
            [
                a @ 0xf0..=0xf4,
                b @ 0x80..=0xbf,
                0x80..=0xbf,
                0x80..=0xbf,
                ref rest @ ..,
            ] => match (a, b) {
                (0xf0, ..0x90) | (0xf4, 0x90..) => return false,
                _ => rest,
            },
            _ => return false,
        };
    }
}

/// Returns whether no byte is above 7f. The words may overlap: the last one ends at the end of the
/// string. Up to 32 bytes take no loop.
#[cfg(feature = "std")]
#[inline(always)]
fn is_ascii(bytes: &[u8]) -> bool {
    const HIGH_16: u128 = u128::from_ne_bytes([0x80; 16]);
    const HIGH_8: u64 = u64::from_ne_bytes([0x80; 8]);
    const HIGH_4: u32 = u32::from_ne_bytes([0x80; 4]);
    if let Some(last) = bytes.last_chunk::<16>() {
        let mut seen = u128::from_ne_bytes(*last);
        for word in bytes.chunks_exact(16) {
            seen |= u128::from_ne_bytes(word.try_into().unwrap_or_default());
        }
        return seen & HIGH_16 == 0;
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        return (u64::from_ne_bytes(*first) | u64::from_ne_bytes(*last)) & HIGH_8 == 0;
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        return (u32::from_ne_bytes(*first) | u32::from_ne_bytes(*last)) & HIGH_4 == 0;
    }
    bytes.iter().all(u8::is_ascii)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_core_at_every_length_and_position() {
        let patterns: [&[u8]; 7] = [
            b"",
            "\u{e9}".as_bytes(),
            "\u{20ac}".as_bytes(),
            b"\xff",
            b"\xe2\x82",
            b"\xed\xa0\x80",
            b"\xc0\x80",
        ];
        // Under Miri all of them take minutes.
        let step = if cfg!(miri) { 13 } else { 1 };
        for length in (0..70).step_by(step) {
            for pattern in patterns {
                for at in 0..=length {
                    let mut bytes = [b'x'; 80];
                    bytes[at..at + pattern.len()].copy_from_slice(pattern);
                    let bytes = &bytes[..length.max(at + pattern.len())];
                    assert_eq!(check(bytes), str::from_utf8(bytes).map_err(|e| e.valid_up_to()));
                }
            }
        }
    }
}
