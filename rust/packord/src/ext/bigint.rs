//! Bigints: ext type 0x42, big-endian two's complement (`spec/extensions.md` section 3).

/// Returns the number in a bigint's payload, or `None` if it is empty or outside the range of
/// `i128`. Longer forms than needed are read too.
///
/// ```
/// use packord::ext::bigint_value;
/// assert_eq!(bigint_value(&[1, 0, 0, 0, 0, 0, 0, 0, 0]), Some(1 << 64));
/// assert_eq!(bigint_value(&[0xff; 20]), Some(-1));
/// assert_eq!(bigint_value(&[]), None);
/// ```
#[must_use]
pub fn bigint_value(payload: &[u8]) -> Option<i128> {
    let first = *payload.first()?;
    let fill = if first & 0x80 == 0 { 0 } else { 0xff };
    let extra = payload.len().saturating_sub(16);
    let (extra, bytes) = payload.split_at(extra);
    let mut wide = [fill; 16];
    wide[16 - bytes.len()..].copy_from_slice(bytes);
    let lossless = extra.iter().all(|&byte| byte == fill) && (extra.is_empty() || wide[0] & 0x80 == fill & 0x80);
    lossless.then(|| i128::from_be_bytes(wide))
}

/// Returns the shortest payload of a number: an array, and the index in it at which it begins.
///
/// ```
/// use packord::ext::bigint_payload;
/// let (bytes, begin) = bigint_payload(1 << 64);
/// assert_eq!(bytes[begin..], [1, 0, 0, 0, 0, 0, 0, 0, 0]);
/// ```
#[must_use]
pub fn bigint_payload(value: i128) -> ([u8; 16], usize) {
    let bits = if value < 0 {
        value.leading_ones()
    } else {
        value.leading_zeros()
    };
    // One bit more than the number has, for its sign.
    let len = (129 - bits).div_ceil(8) as usize;
    (value.to_be_bytes(), 16 - len)
}

/// Removes the bytes that only repeat the sign.
#[cfg(feature = "alloc")]
pub(crate) fn shorten(mut payload: &[u8]) -> &[u8] {
    while let [first @ (0 | 0xff), next, ..] = payload {
        if first & 0x80 != next & 0x80 {
            break;
        }
        payload = &payload[1..];
    }
    payload
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for value in [
            0,
            1,
            -1,
            127,
            128,
            -128,
            -129,
            1 << 64,
            -(1 << 64),
            i128::MAX,
            i128::MIN,
            255,
            256,
        ] {
            let (bytes, begin) = bigint_payload(value);
            assert_eq!(bigint_value(&bytes[begin..]), Some(value));
            assert_eq!(shorten(&bytes[begin..]).len(), 16 - begin);
            assert_eq!(shorten(&bytes), &bytes[begin..]);
        }
        assert_eq!(
            bigint_value(&[0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
            None
        );
        assert_eq!(bigint_value(&[0; 40]), Some(0));
    }
}
