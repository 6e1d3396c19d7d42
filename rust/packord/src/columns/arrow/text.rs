//! What MessagePack has no type for, as text: dates, times of day, durations and decimals.

use super::array::ColumnArray;
use crate::ext::Timestamp;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

const SECONDS_PER_DAY: i64 = 86_400;

/// Returns a date by its days since 1970: `2026-11-23`.
pub(super) fn date(days: i64) -> Option<String> {
    let at = Timestamp::new(days.checked_mul(SECONDS_PER_DAY)?, 0)?;
    let (year, month, day) = at.date();
    let sign = if year < 0 { "-" } else { "" };
    let year = year.unsigned_abs();
    Some(alloc::format!("{sign}{year:04}-{month:02}-{day:02}"))
}

/// Returns a time of day in units of 10^-digits seconds: `20:15:00.5`.
pub(super) fn time(value: i64, digits: u8) -> String {
    let (sign, seconds, fraction) = split(value, digits);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    alloc::format!("{sign}{hours:02}:{minutes:02}:{seconds:02}{fraction}")
}

/// Returns a duration in units of 10^-digits seconds as ISO 8601 has it: `PT90.5S`.
pub(super) fn duration(value: i64, digits: u8) -> String {
    let (sign, seconds, fraction) = split(value, digits);
    alloc::format!("{sign}PT{seconds}{fraction}S")
}

/// Returns the sign, the whole seconds, and the rest as a decimal fraction without zeros at its end.
fn split(value: i64, digits: u8) -> (&'static str, u64, String) {
    let per_second = 10_u64.pow(digits.into());
    let size = value.unsigned_abs();
    let rest = size % per_second;
    let mut fraction = String::new();
    if rest > 0 {
        let written = write!(fraction, ".{rest:0width$}", width = usize::from(digits));
        debug_assert!(written.is_ok());
        fraction.truncate(fraction.trim_end_matches('0').len());
    }
    (if value < 0 { "-" } else { "" }, size / per_second, fraction)
}

/// Returns a decimal: an integer of 4 to 32 bytes, times 10^-scale.
pub(super) fn decimal(array: &ColumnArray, at: usize, bytes: usize, scale: i32) -> Option<String> {
    let begin = at.checked_mul(bytes)?;
    let number = array.buffer(1).get(begin..begin.checked_add(bytes)?)?;
    let mut words: Vec<u32> = number
        .chunks_exact(4)
        .map(|word| word.try_into().map_or(0, u32::from_ne_bytes))
        .collect();
    if cfg!(target_endian = "big") {
        words.reverse();
    }
    // The lowest word is first now.
    let is_negative = words.last().is_some_and(|&high| high >> 31 == 1);
    if is_negative {
        let mut carry = true;
        for word in &mut words {
            (*word, carry) = (!*word).overflowing_add(u32::from(carry));
        }
    }
    let mut digits = Vec::new();
    while words.iter().any(|&word| word != 0) {
        let mut rest = 0;
        for word in words.iter_mut().rev() {
            let part = rest << 32 | u64::from(*word);
            (*word, rest) = ((part / 10) as u32, part % 10);
        }
        digits.push(b'0' + rest as u8);
    }
    let places = usize::try_from(scale).unwrap_or(0);
    while digits.len() <= places {
        digits.push(b'0');
    }
    let mut text = String::new();
    if is_negative {
        text.push('-');
    }
    for (place, &digit) in digits.iter().enumerate().rev() {
        text.push(digit.into());
        if place == places && places > 0 {
            text.push('.');
        }
    }
    if digits != b"0" {
        text.extend((scale..0).map(|_| '0'));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::super::raw::SharedBytes;
    use super::super::types::ArrowType;
    use super::*;

    #[test]
    fn dates_and_times_are_those_of_iso_8601() {
        assert_eq!(date(20_780).as_deref(), Some("2026-11-23"));
        assert_eq!(date(-1).as_deref(), Some("1969-12-31"));
        assert_eq!(date(i64::MAX), None);
        assert_eq!(time(72_900_500, 3), "20:15:00.5");
        assert_eq!(time(61, 0), "00:01:01");
        assert_eq!(duration(-90_000_000_001, 9), "-PT90.000000001S");
        assert_eq!(duration(i64::MIN, 0), "-PT9223372036854775808S");
    }

    #[test]
    fn decimals_keep_all_digits() {
        let text = |value: i128, scale| {
            let ty = ArrowType::Decimal {
                precision: 38,
                scale,
                bytes: 16,
            };
            let bytes = SharedBytes::of(value.to_ne_bytes());
            let array = ColumnArray::new(ty, 1).with_buffers(None, [bytes]);
            decimal(&array, 0, 16, scale).unwrap()
        };
        assert_eq!(text(12_345, 2), "123.45");
        assert_eq!(text(-5, 3), "-0.005");
        assert_eq!(text(0, 2), "0.00");
        assert_eq!(text(0, -3), "0");
        assert_eq!(text(12, -3), "12000");
        assert_eq!(text(i128::MIN, 0), "-170141183460469231731687303715884105728");
    }
}
