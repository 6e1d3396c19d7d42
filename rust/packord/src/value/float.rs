//! Floats as diagnostic notation: the one printer of floats.

use crate::ext::iso::ShortText;
use core::fmt::{self, Debug, Write};

/// The bits of the usual quiet NaN.
pub(crate) const NAN_64: u64 = 0x7ff8_0000_0000_0000;
/// The bits of the usual quiet NaN of 32 bits.
pub(crate) const NAN_32: u32 = 0x7fc0_0000;

pub(crate) fn float64(out: &mut impl Write, number: f64) -> fmt::Result {
    let bits = number.to_bits();
    if number.is_nan() {
        return match bits {
            NAN_64 => out.write_str("nan"),
            bits => write!(out, "nan({bits:#018x})"),
        };
    }
    finite(out, number, bits & !(1 << 63), 52, 1023)
}

pub(crate) fn float32(out: &mut impl Write, number: f32) -> fmt::Result {
    let bits = number.to_bits();
    if number.is_nan() {
        return match bits {
            NAN_32 => out.write_str("nan_f32"),
            bits => write!(out, "nan({bits:#010x})_f32"),
        };
    }
    finite(out, number, u64::from(bits & !(1 << 31)), 23, 127)?;
    out.write_str("_f32")
}

/// Writes the shortest digits that are read back as `number`; of these the nearest to it, and of two
/// equally near the one whose last digit is even.
///
/// `Debug` finds the shortest and nearest digits, but of two equally near it takes the upper.
/// `bits` are those without the sign.
fn finite<T>(out: &mut impl Write, number: T, bits: u64, fraction: u32, exponent_bias: i32) -> fmt::Result
where
    T: Debug,
{
    let text = ShortText::new(format_args!("{number:?}"));
    let text = text.as_str();
    let half_way = |last: &usize| is_half_way(decimals(text, *last), bits, fraction, exponent_bias);
    if let Some(last) = odd_last_digit(text).filter(half_way) {
        // Below a power of two, floats are nearer to each other than above it. Of 2^-n, half a unit of the
        // last digit is 2^-n / 5^(n-1), and must not be more than a quarter of the step above it.
        let step = bits & ((1 << fraction) - 1);
        let exponent = exponent_bias - (bits >> fraction) as i32;
        let unit = 5_u64.checked_pow((exponent - 1) as u32);
        if step != 0 || unit.is_none_or(|unit| unit >= 4 << fraction) {
            out.write_str(&text[..last])?;
            out.write_char((text.as_bytes()[last] - 1).into())?;
            return out.write_str(&text[last + 1..]);
        }
    }
    out.write_str(text)
}

/// Whether a float lies half way between two decimals of this number of decimal places.
fn is_half_way(decimals: i32, bits: u64, fraction: u32, exponent_bias: i32) -> bool {
    let hidden = 1 << fraction;
    let (significand, exponent) = match (bits >> fraction) as i32 {
        0 => (bits, 1),
        exponent => (bits % hidden + hidden, exponent),
    };
    let zeros = significand.trailing_zeros();
    let (odd, power) = (
        significand >> zeros,
        exponent - exponent_bias - fraction as i32 + zeros as i32,
    );
    // With odd * 2^power = n * 10^-decimals / 2 and n odd, both sides have the same power of two.
    power == -decimals - 1 && (power < 0 || 5_u64.checked_pow(power as u32 + 1).is_some_and(|five| odd % five == 0))
}

/// The digits before the exponent, and the exponent.
fn parts(text: &str) -> (&str, &str) {
    text.split_once('e').unwrap_or((text, "0"))
}

/// The place of the last digit that is not a zero, if it is odd.
fn odd_last_digit(text: &str) -> Option<usize> {
    let digits = parts(text).0;
    let last = digits.rfind(|digit| matches!(digit, '1'..='9'))?;
    (digits.as_bytes()[last] % 2 == 1).then_some(last)
}

/// How many places after the decimal point the digit at `last` is; before it, as a negative number.
fn decimals(text: &str, last: usize) -> i32 {
    let (digits, exponent) = parts(text);
    let point = digits.find('.').unwrap_or(digits.len());
    let places = last as i32 - point as i32 + i32::from(last < point);
    places - exponent.parse::<i32>().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{float32, float64};
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;
    use core::fmt::{Debug, LowerExp};

    fn text64(bits: u64) -> String {
        let mut out = String::new();
        float64(&mut out, f64::from_bits(bits)).unwrap();
        out
    }

    fn text32(bits: u32) -> String {
        let mut out = String::new();
        float32(&mut out, f32::from_bits(bits)).unwrap();
        out
    }

    #[test]
    fn of_two_digits_equally_near_the_even_one_is_written() {
        assert_eq!(text64(0x3ff8_0008_0000_0000), "1.5000076293945312");
        assert_eq!(text64(0xbff8_0008_0000_0000), "-1.5000076293945312");
        assert_eq!(text64(0x3ff8_0018_0000_0000), "1.5000228881835938");
        assert_eq!(text64(1e23_f64.to_bits()), "1e23");
        assert_eq!(text32(0x4b00_0001), "8388609.0_f32");
        assert_eq!(text32(0x3d08_0000), "0.033203125_f32");
        assert_eq!(text64(0x7ff8_0000_0000_0001), "nan(0x7ff8000000000001)");
        assert_eq!(text32(0xff80_0000), "-inf_f32");
    }

    /// The digits, without the zeros around them.
    fn digits(text: &str) -> &str {
        let text = text.split(['e', '_']).next().unwrap_or_default();
        text.trim_matches(['-', '0', '.'])
    }

    /// Checks a text against what the standard library reads, and writes with as many digits.
    fn check<T: core::str::FromStr + PartialEq + Copy + LowerExp + Debug>(number: T, text: &str) {
        let wanted = format!("{number:?}");
        let count = digits(&wanted).bytes().filter(u8::is_ascii_digit).count();
        // Of two equally near the one whose last digit is even.
        let even = format!("{number:.*e}", count - 1);
        let wanted = match even.parse::<T>() {
            Ok(read) if read == number => even,
            _ => wanted,
        };
        assert_eq!(
            digits(text).replace('.', ""),
            digits(&wanted).replace('.', ""),
            "{text}"
        );
        let read = text.trim_end_matches("_f32").parse();
        assert!(read.is_ok_and(|read: T| read == number), "{text} {wanted}");
    }

    #[test]
    fn the_text_is_what_the_standard_library_reads_and_writes() {
        let near = |bits: u64| [bits - 1, bits, bits + 1];
        let powers32 = (1..255_u64).flat_map(|exponent| near(exponent << 23));
        let powers64 = (1..2047_u64).flat_map(|exponent| near(exponent << 52));
        // Few digits after a point are half way between two strings most often.
        let halves = (1..1000).flat_map(|odd: u64| (0..30).map(move |power| (odd, power)));
        let halves = halves.map(|(odd, power)| odd as f64 / f64::from(1_u32 << power));
        let halves = halves.flat_map(|half| [half, half + f64::from(1 << 24), half + 1.5e9]);
        let spread = (1..60_000_u64).map(|at| at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 1);
        let spread: Vec<u64> = spread.collect();
        let all64 = powers64.chain(halves.clone().map(f64::to_bits));
        for bits in all64.chain(spread.clone()) {
            let number = f64::from_bits(bits);
            if number.is_finite() {
                check(number, &text64(bits));
            }
        }
        let all32 = powers32.map(|bits| bits as u32);
        let all32 = all32.chain(halves.map(|half| (half as f32).to_bits()));
        for bits in all32.chain(spread.iter().map(|bits| (bits >> 32) as u32)) {
            let number = f32::from_bits(bits);
            if number.is_finite() {
                check(number, &text32(bits));
            }
        }
    }

    #[test]
    fn of_two_digits_equally_near_that_are_not_both_read_back_the_right_one_is_written() {
        // 2^-44 = 5.6843418860808015e-14, and floats below it are nearer than those above.
        assert_eq!(text64(0x3d30_0000_0000_0000), "5.684341886080802e-14");
    }
}
