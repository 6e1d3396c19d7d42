//! Floats in canonical form (`spec/format.md` sections 4.2 and 5.3).

/// The bits of the one NaN.
pub const CANONICAL_NAN: u64 = 0x7ff8_0000_0000_0000;

/// Whether the float is a whole number in the range of integers, which canonical output has in its place.
pub fn is_integer(number: f64) -> bool {
    const RANGE: std::ops::Range<f64> = -9_223_372_036_854_775_808.0..18_446_744_073_709_551_616.0;
    // From here on no float has a fraction. Below, a conversion takes less time than a call of `trunc`.
    const ALL_WHOLE: f64 = 9_007_199_254_740_992.0;
    RANGE.contains(&number) && (number.abs() >= ALL_WHOLE || number - number as i64 as f64 == 0.0)
}

/// Whether canonical output has a float with these bits.
pub fn is_canonical(bits: u64) -> bool {
    let number = f64::from_bits(bits);
    if number.is_nan() {
        bits == CANONICAL_NAN
    } else {
        !is_integer(number)
    }
}
