//! Numbers of any type, compared exactly.

use std::cmp::Ordering;

use packord::{Integer, Value};

/// A number.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// An integer of MessagePack, or a length.
    Int(i128),
    /// A float of 32 or 64 bits.
    Float(f64),
}

impl Number {
    /// Returns the number that a value is.
    #[must_use]
    pub fn of(value: &Value) -> Option<Number> {
        match value {
            Value::Int(number) => Some(Number::from(*number)),
            other => other.as_f64().map(Number::Float),
        }
    }

    /// Compares two numbers: `1` equals `1.0`, and an integer that no float has equals none. A NaN has no place.
    #[must_use]
    pub fn compare(self, other: Number) -> Option<Ordering> {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => Some(a.cmp(&b)),
            (Number::Float(a), Number::Float(b)) => a.partial_cmp(&b),
            (Number::Int(int), Number::Float(float)) => with_float(int, float),
            (Number::Float(float), Number::Int(int)) => {
                with_float(int, float).map(Ordering::reverse)
            }
        }
    }
}

impl From<Integer> for Number {
    fn from(number: Integer) -> Number {
        Number::Int(number.as_i128())
    }
}

fn with_float(int: i128, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    // Exact for integers of 64 bits: a float beyond those of 128 bits becomes the nearest one.
    let order = int.cmp(&(float.trunc() as i128));
    Some(order.then(0.0_f64.total_cmp(&(float.fract() + 0.0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_that_no_float_has_are_compared_exactly() {
        let compare = |int: i128, float| Number::Int(int).compare(Number::Float(float));
        let odd = (1 << 53) + 1;
        assert_eq!(
            compare(odd, 9_007_199_254_740_992.0),
            Some(Ordering::Greater)
        );
        assert_eq!(compare(odd, 9_007_199_254_740_994.0), Some(Ordering::Less));
        assert_eq!(
            compare(odd - 1, 9_007_199_254_740_992.0),
            Some(Ordering::Equal)
        );
        assert_eq!(
            compare(u64::MAX.into(), 18_446_744_073_709_551_616.0),
            Some(Ordering::Less)
        );
        assert_eq!(
            compare(i64::MIN.into(), -9_223_372_036_854_775_808.0),
            Some(Ordering::Equal)
        );
        for (int, float, order) in [
            (1, 1.0, Ordering::Equal),
            (0, -0.0, Ordering::Equal),
            (1, 1.5, Ordering::Less),
            (-1, -1.5, Ordering::Greater),
            (2, 1.5, Ordering::Greater),
            (0, -0.5, Ordering::Greater),
            (0, 0.5, Ordering::Less),
            (0, f64::INFINITY, Ordering::Less),
            (0, f64::NEG_INFINITY, Ordering::Greater),
            (0, 1e300, Ordering::Less),
        ] {
            assert_eq!(compare(int, float), Some(order), "{int} {float}");
            let reversed = Number::Float(float).compare(Number::Int(int));
            assert_eq!(reversed, Some(order.reverse()), "{float} {int}");
        }
        assert_eq!(compare(1, f64::NAN), None);
    }
}
