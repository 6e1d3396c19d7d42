//! [`Integer`]: the integers of the format, −2^63 to 2^64 − 1.

use crate::wire::Store;
use core::cmp::Ordering;
use core::fmt;

/// An integer from −2^63 to 2^64 − 1. Integers are equal if their numbers are.
///
/// ```
/// use packord::Integer;
///
/// let big = Integer::from(u64::MAX);
/// assert_eq!(big.as_i64(), None);
/// assert_eq!(big.as_u64(), Some(u64::MAX));
/// assert_eq!(Integer::from(5_u8), Integer::from(5_i64));
/// assert_eq!(u8::try_from(Integer::from(5)), Ok(5));
/// assert_eq!(Integer::from(5), 5);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Integer(Sign);

/// An integer as the int and uint formats hold it. Each number has exactly one form.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Sign {
    Negative(i64),
    Positive(u64),
}

impl Integer {
    /// The smallest integer, −2^63.
    pub const MIN: Integer = Integer::from_i64(i64::MIN);
    /// The largest integer, 2^64 − 1.
    pub const MAX: Integer = Integer::from_u64(u64::MAX);

    /// Returns an integer from a signed one.
    #[inline]
    #[must_use]
    pub const fn from_i64(value: i64) -> Integer {
        if value < 0 {
            Integer(Sign::Negative(value))
        } else {
            Integer(Sign::Positive(value as u64))
        }
    }

    /// Returns an integer from an unsigned one.
    #[inline]
    #[must_use]
    pub const fn from_u64(value: u64) -> Integer {
        Integer(Sign::Positive(value))
    }

    /// Returns the integer that the canonical encoding writes for a float: it is a whole number from
    /// −2^63 to 2^64 − 1.
    pub(crate) fn from_whole(value: f64) -> Option<Integer> {
        const TWO_63: f64 = 9_223_372_036_854_775_808.0;
        // The casts cut a fraction off; −0.0 is 0.
        if (0.0..2.0 * TWO_63).contains(&value) {
            let whole = value as u64;
            (whole as f64 == value).then(|| Integer::from_u64(whole))
        } else if (-TWO_63..0.0).contains(&value) {
            let whole = value as i64;
            (whole as f64 == value).then(|| Integer::from_i64(whole))
        } else {
            None
        }
    }

    /// Returns the number if it is at most 2^63 − 1.
    #[inline]
    #[must_use]
    pub const fn as_i64(self) -> Option<i64> {
        match self.0 {
            Sign::Negative(value) => Some(value),
            Sign::Positive(value) if value <= i64::MAX as u64 => Some(value as i64),
            Sign::Positive(_) => None,
        }
    }

    /// Returns the number if it is not negative.
    #[inline]
    #[must_use]
    pub const fn as_u64(self) -> Option<u64> {
        match self.0 {
            Sign::Negative(_) => None,
            Sign::Positive(value) => Some(value),
        }
    }

    /// Returns the number.
    #[inline]
    #[must_use]
    pub const fn as_i128(self) -> i128 {
        match self.0 {
            Sign::Negative(value) => value as i128,
            Sign::Positive(value) => value as i128,
        }
    }

    /// Returns the nearest float, which is exact up to 2^53.
    #[inline]
    #[must_use]
    pub const fn as_f64(self) -> f64 {
        match self.0 {
            Sign::Negative(value) => value as f64,
            Sign::Positive(value) => value as f64,
        }
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) const fn sign(self) -> Sign {
        self.0
    }

    /// Writes the number in its smallest format.
    #[inline(always)]
    pub(crate) fn put_into<W: Store>(self, out: &mut W) -> crate::error::Result<()> {
        match self.0 {
            Sign::Negative(value) => out.put_negative(value),
            Sign::Positive(value) => out.put_uint(value),
        }
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Integer) -> Ordering {
        self.as_i128().cmp(&other.as_i128())
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Integer) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Sign::Negative(value) => value.fmt(f),
            Sign::Positive(value) => value.fmt(f),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The number is outside the range of the target.
///
/// ```
/// use packord::{Integer, IntegerRangeError};
/// assert_eq!(Integer::try_from(1_i128 << 64), Err(IntegerRangeError));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerRangeError;

impl fmt::Display for IntegerRangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the integer does not fit")
    }
}

impl core::error::Error for IntegerRangeError {}

macro_rules! widening {
    ($via:ident $($int:ty)*) => {$(
        impl From<$int> for Integer {
            #[inline]
            fn from(value: $int) -> Integer {
                Integer::$via(value.into())
            }
        }
    )*};
}
widening!(from_i64 i8 i16 i32 i64);
widening!(from_u64 u8 u16 u32 u64);

macro_rules! checked {
    ($($int:ty)*) => {$(
        impl TryFrom<$int> for Integer {
            type Error = IntegerRangeError;
            fn try_from(value: $int) -> Result<Integer, IntegerRangeError> {
                if let Ok(value) = i64::try_from(value) {
                    return Ok(Integer::from_i64(value));
                }
                u64::try_from(value).map(Integer::from_u64).map_err(|_| IntegerRangeError)
            }
        }
    )*};
}
checked!(i128 u128);

impl From<usize> for Integer {
    fn from(value: usize) -> Integer {
        Integer::from_u64(value as u64)
    }
}

impl From<isize> for Integer {
    fn from(value: isize) -> Integer {
        Integer::from_i64(value as i64)
    }
}

macro_rules! narrowing {
    ($($int:ty)*) => {$(
        impl TryFrom<Integer> for $int {
            type Error = IntegerRangeError;
            #[inline]
            fn try_from(value: Integer) -> Result<$int, IntegerRangeError> {
                let narrow = match value.0 {
                    Sign::Negative(value) => <$int>::try_from(value).ok(),
                    Sign::Positive(value) => <$int>::try_from(value).ok(),
                };
                narrow.ok_or(IntegerRangeError)
            }
        }

        impl PartialEq<$int> for Integer {
            fn eq(&self, other: &$int) -> bool {
                <$int>::try_from(*self) == Ok(*other)
            }
        }
    )*};
}
narrowing!(i8 i16 i32 i64 isize i128 u8 u16 u32 u64 usize u128);
