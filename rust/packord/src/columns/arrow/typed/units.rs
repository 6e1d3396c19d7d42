//! Dates, decimals and instants in the units of columns, from the str and ext values that packers write for them.

use crate::ext::Timestamp;
use crate::wire::item::{Item, item};
use alloc::format;

/// The days since 1970 of `2026-11-23`.
pub(super) fn date(text: &[u8]) -> Option<i32> {
    // The same form, and the same days, as in a point in time.
    if text.len() != 10 {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    let midnight: Timestamp = format!("{text}T00:00:00Z").parse().ok()?;
    i32::try_from(midnight.seconds() / 86_400).ok()
}

/// An instant in RFC 3339; without an offset it is in UTC.
pub(super) fn instant(text: &[u8]) -> Option<Timestamp> {
    let text = std::str::from_utf8(text).ok()?;
    text.parse().ok().or_else(|| format!("{text}Z").parse().ok())
}

/// A decimal such as `-12.50`, in units of 10^-scale, of at most `precision` digits; `None` if that is not exact.
pub(super) fn decimal(text: &[u8], precision: u32, scale: i32) -> Option<i128> {
    let (negative, digits) = match text.split_first()? {
        (b'-', rest) => (true, rest),
        (b'+', rest) => (false, rest),
        _ => (false, text),
    };
    let (mut number, mut places, mut point, mut any) = (0_i128, 0_u32, false, false);
    for &byte in digits {
        match byte {
            b'0'..=b'9' => {
                number = number.checked_mul(10)?.checked_add((byte - b'0').into())?;
                places += u32::from(point);
                any = true;
            }
            b'.' if !point => point = true,
            _ => return None,
        }
    }
    let number = if negative { -number } else { number };
    scaled(number, places.into(), precision, scale).filter(|_| any)
}

/// `number` × 10^-places in units of 10^-scale.
pub(super) fn scaled(number: i128, places: i64, precision: u32, scale: i32) -> Option<i128> {
    let up = i64::from(scale) - places;
    let number = if number == 0 {
        0
    } else {
        let factor = 10_i128.checked_pow(u32::try_from(up.unsigned_abs()).ok()?)?;
        if up >= 0 {
            number.checked_mul(factor)?
        } else if number % factor == 0 {
            number / factor
        } else {
            return None;
        }
    };
    let limit = 10_u128.pow(precision);
    (number.unsigned_abs() < limit).then_some(number)
}

/// The decimal of an ext: its scale as an integer of MessagePack, then the digits in two's complement.
pub(super) fn packed_decimal(payload: &[u8], precision: u32, scale: i32) -> Option<i128> {
    let (Item::Int(places), end) = item(payload, 0)? else {
        return None;
    };
    let digits = payload.get(end..).filter(|digits| (1..=16).contains(&digits.len()))?;
    let fill = if digits[0] >= 0x80 { 0xff } else { 0 };
    let mut word = [fill; 16];
    word[16 - digits.len()..].copy_from_slice(digits);
    scaled(i128::from_be_bytes(word), places, precision, scale)
}
