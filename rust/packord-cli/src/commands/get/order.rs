//! The order of values in `--sort-by`.

use std::cmp::Ordering;

use packord::Value;

/// Bytes that a value takes at most in memory for each that it has in MessagePack.
pub const FACTOR: u64 = 40;

/// A value in the order of `--sort-by`: that of values, but that numbers have one order, and 1 equals 1.0.
pub struct SortKey(pub Value);

/// Compares two values by which others are sorted. No value comes last in both directions.
pub fn compare(a: &Option<SortKey>, b: &Option<SortKey>, is_descending: bool) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) if is_descending => b.cmp(a),
        (Some(a), Some(b)) => a.cmp(b),
        (a, b) => a.is_none().cmp(&b.is_none()),
    }
}

impl Ord for SortKey {
    fn cmp(&self, other: &SortKey) -> Ordering {
        match (number(&self.0), number(&other.0)) {
            (Some((a, exact_a)), Some((b, exact_b))) => a.total_cmp(&b).then(exact_a.cmp(&exact_b)),
            _ => self.0.cmp(&other.0),
        }
    }
}

/// Returns a number as a float, and, of two that are the same float, what tells them apart. Minus zero is zero,
/// and all NaN are one, after the other numbers.
fn number(value: &Value) -> Option<(f64, i128)> {
    match value {
        Value::Int(number) => {
            let exact = number.as_i128();
            Some((exact as f64, exact))
        }
        Value::F32(_) | Value::F64(_) => {
            let number = value.as_f64()?;
            let number = if number.is_nan() { f64::NAN } else { number + 0.0 };
            Some((number, number as i128))
        }
        _ => None,
    }
}

impl PartialOrd for SortKey {
    fn partial_cmp(&self, other: &SortKey) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SortKey {
    fn eq(&self, other: &SortKey) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for SortKey {}
