//! Reads big-endian numbers from a slice, with one bound check each.

/// Returns the `N`-byte (1, 2, 4 or 8) big-endian number at `at`, or `None` if the bytes end before
/// its end.
#[inline(always)]
pub(crate) fn uint<const N: usize>(bytes: &[u8], at: usize) -> Option<u64> {
    const { assert!(N == 1 || N == 2 || N == 4 || N == 8) };
    let rest = bytes.get(at..)?;
    // One wide load serves every width, except close to the end.
    if let Some(word) = rest.first_chunk::<8>() {
        return Some(u64::from_be_bytes(*word) >> (64 - 8 * N));
    }
    rest.first_chunk::<N>()
        .map(|short| short.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
}

/// Returns the bits of an `N`-byte number as a signed number.
#[inline(always)]
pub(crate) fn sign_extend<const N: usize>(bits: u64) -> i64 {
    let shift = 64 - 8 * N as u32;
    ((bits << shift) as i64) >> shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_at_every_distance_from_the_end() {
        let bytes: [u8; 12] = core::array::from_fn(|i| 0xf0 + i as u8);
        for end in 0..=12 {
            let bytes = &bytes[..end];
            for at in 0..=end {
                assert_eq!(uint::<1>(bytes, at).is_some(), at < end);
                assert_eq!(uint::<8>(bytes, at).is_some(), at + 8 <= end);
                let four = bytes
                    .get(at..at + 4)
                    .map(|b| u64::from(u32::from_be_bytes(b.try_into().unwrap())));
                assert_eq!(uint::<4>(bytes, at), four);
                let two = bytes
                    .get(at..at + 2)
                    .map(|b| u64::from(u16::from_be_bytes(b.try_into().unwrap())));
                assert_eq!(uint::<2>(bytes, at), two);
            }
        }
    }

    #[test]
    fn extends_signs() {
        assert_eq!(sign_extend::<1>(0x80), -128);
        assert_eq!(sign_extend::<1>(0x7f), 127);
        assert_eq!(sign_extend::<2>(0xffff), -1);
        assert_eq!(sign_extend::<4>(0x8000_0000), i64::from(i32::MIN));
        assert_eq!(sign_extend::<8>(1 << 63), i64::MIN);
    }
}
