//! What the canonical encoding makes unique (`spec/format.md` section 4.2).

#[cfg(feature = "alloc")]
use super::marker as m;
#[cfg(feature = "alloc")]
use core::cmp::Ordering;

/// The one NaN of the canonical encoding (`spec/format.md` section 4.2).
pub(crate) const CANONICAL_NAN: u64 = 0x7ff8_0000_0000_0000;

/// Returns the bits of a float 32 as a float 64. That is exact; NaN payloads move to the high bits.
#[cfg(feature = "alloc")]
pub(crate) fn widen(bits: u32) -> u64 {
    let value = f32::from_bits(bits);
    if !value.is_nan() {
        return f64::from(value).to_bits();
    }
    let (sign, payload) = (u64::from(bits >> 31), u64::from(bits & 0x7f_ffff));
    sign << 63 | 0x7ff << 52 | payload << 29
}

/// Returns the order of two keys (`spec/format.md` section 4.2): str first, by their payload.
#[cfg(feature = "alloc")]
#[must_use]
pub fn compare_canonical(a: &[u8], b: &[u8]) -> Ordering {
    match (canonical_text(a), canonical_text(b)) {
        (Some(a), Some(b)) => a.cmp(b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.cmp(b),
    }
}

#[cfg(feature = "alloc")]
fn canonical_text(encoding: &[u8]) -> Option<&[u8]> {
    match encoding {
        [m::FIXSTR..=0xbf, text @ ..]
        | [m::STR8, _, text @ ..]
        | [m::STR16, _, _, text @ ..]
        | [m::STR32, _, _, _, _, text @ ..] => Some(text),
        _ => None,
    }
}
