//! [`Timestamp`]: ext type −1 (`spec/extensions.md` section 1), and its RFC 3339 text.

use super::iso::{Date, Time, number};
use crate::wire::Store;
use core::fmt;
use core::str::FromStr;

/// A point in time: seconds since 1970-01-01T00:00:00Z without leap seconds, and nanoseconds
/// that are always added, so that −0.5 s is seconds −1 and nanoseconds 500 000 000.
///
/// ```
/// use packord::Timestamp;
///
/// let at = Timestamp::new(1_767_323_045, 500_000_000).unwrap();
/// assert_eq!(at.to_string(), "2026-01-02T03:04:05.5Z");
/// assert_eq!("2026-01-02T03:04:05.5Z".parse(), Ok(at));
/// assert_eq!(Timestamp::new(0, 1_000_000_000), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    seconds: i64,
    nanoseconds: u32,
}

pub(crate) const NANOS: u32 = 1_000_000_000;
pub(crate) const DAY: i64 = 86_400;

impl Timestamp {
    /// The ext type of timestamps.
    pub const EXT_TYPE: i8 = -1;

    /// Returns a timestamp, or `None` if there are more than 999 999 999 nanoseconds.
    ///
    /// ```
    /// use packord::Timestamp;
    /// let before = Timestamp::new(-1, 500_000_000).unwrap();
    /// assert_eq!(before.to_string(), "1969-12-31T23:59:59.5Z");
    /// assert_eq!(Timestamp::new(0, 1_000_000_000), None);
    /// ```
    #[must_use]
    pub const fn new(seconds: i64, nanoseconds: u32) -> Option<Timestamp> {
        if nanoseconds < NANOS {
            Some(Timestamp { seconds, nanoseconds })
        } else {
            None
        }
    }

    /// Returns the whole seconds since 1970, rounded down.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        self.seconds
    }

    /// Returns the nanoseconds to add, 0 to 999 999 999.
    #[must_use]
    pub const fn nanoseconds(self) -> u32 {
        self.nanoseconds
    }

    /// Reads the payload of an ext of type −1: 4, 8 or 12 bytes, also where a shorter format would
    /// do. Returns `None` for another length or too many nanoseconds (`invalid_timestamp`).
    ///
    /// ```
    /// use packord::Timestamp;
    /// assert_eq!(Timestamp::from_payload(&[0, 0, 0, 9]), Timestamp::new(9, 0));
    /// assert_eq!(Timestamp::from_payload(&[0; 5]), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn from_payload(payload: &[u8]) -> Option<Timestamp> {
        match payload.len() {
            4 => {
                let seconds = u32::from_be_bytes(payload.try_into().ok()?);
                Some(Timestamp {
                    seconds: i64::from(seconds),
                    nanoseconds: 0,
                })
            }
            8 => {
                let bits = u64::from_be_bytes(payload.try_into().ok()?);
                Timestamp::new((bits & ((1 << 34) - 1)) as i64, (bits >> 34) as u32)
            }
            12 => {
                let (nanoseconds, seconds) = payload.split_first_chunk::<4>()?;
                let seconds = i64::from_be_bytes(seconds.try_into().ok()?);
                Timestamp::new(seconds, u32::from_be_bytes(*nanoseconds))
            }
            _ => None,
        }
    }

    /// Returns the payload in the smallest of the three formats: the first `length` bytes of the
    /// array.
    ///
    /// ```
    /// use packord::Timestamp;
    /// let (bytes, length) = Timestamp::new(9, 0).unwrap().payload();
    /// assert_eq!(bytes[..length], [0, 0, 0, 9]);
    /// ```
    #[inline]
    #[must_use]
    pub fn payload(self) -> ([u8; 12], usize) {
        let mut bytes = [0; 12];
        let len = self.with_payload(|payload| {
            bytes[..payload.len()].copy_from_slice(payload);
            payload.len()
        });
        (bytes, len)
    }

    /// Calls `write` with the payload in the smallest of the three formats, and returns its result.
    ///
    /// ```
    /// use packord::Timestamp;
    /// let payload = Timestamp::new(9, 0).unwrap().with_payload(<[u8]>::to_vec);
    /// assert_eq!(payload, [0, 0, 0, 9]);
    /// ```
    #[inline]
    pub fn with_payload<T>(self, write: impl FnOnce(&[u8]) -> T) -> T {
        match self.payload_len() {
            4 => write(&(self.seconds as u32).to_be_bytes()),
            8 => write(&(u64::from(self.nanoseconds) << 34 | self.seconds as u64).to_be_bytes()),
            _ => {
                let mut bytes = [0; 12];
                bytes[..4].copy_from_slice(&self.nanoseconds.to_be_bytes());
                bytes[4..].copy_from_slice(&self.seconds.to_be_bytes());
                write(&bytes)
            }
        }
    }

    /// Writes the timestamp as an ext in the smallest of its formats.
    pub(crate) fn put_into<W: Store>(self, out: &mut W) -> crate::error::Result<()> {
        self.with_payload(|payload| out.put_ext(Timestamp::EXT_TYPE, payload))
    }

    /// Returns the length of the smallest format in bytes: 4, 8 or 12.
    #[inline]
    #[must_use]
    pub const fn payload_len(self) -> usize {
        match (self.seconds >> 32, self.nanoseconds) {
            (0, 0) => 4,
            (0..4, _) => 8,
            _ => 12,
        }
    }

    /// Returns the year, the month (1 to 12) and the day (1 to 31) in UTC, by the proleptic
    /// Gregorian calendar.
    ///
    /// ```
    /// use packord::Timestamp;
    /// assert_eq!(Timestamp::new(-1, 0).unwrap().date(), (1969, 12, 31));
    /// ```
    #[inline]
    #[must_use]
    pub fn date(self) -> (i64, u32, u32) {
        // Days since 0000-03-01, so that leap days end their year; eras are 400 years.
        let days = self.seconds.div_euclid(DAY) + 719_468;
        // Within an era numbers of 32 bits are enough, and divided in less time.
        let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097) as u32);
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
        (era * 400 + i64::from(year + carry), month, day)
    }
}

/// Returns the days from 1970-01-01 to a date of the proleptic Gregorian calendar. The year is 0 to
/// 9999, the month 1 to 12, the day 1 to 31.
///
/// ```
/// assert_eq!(packord::ext::days_from_date(1970, 1, 1), 0);
/// assert_eq!(packord::ext::days_from_date(0, 3, 1), -719_468);
/// ```
#[inline]
#[must_use]
pub fn days_from_date(year: u16, month: u32, day: u32) -> i64 {
    // Years begin in March, so that the leap day is a year's last. One era of 400 years is added, so
    // that nothing is negative and the divisions become multiplications.
    // The days before each month are in a table: measured, a chain of multiplications is slower.
    const BEFORE_MONTH: [u16; 16] = [0, 306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 0, 0, 0];
    let year = u32::from(year) + 400 - u32::from(month <= 2);
    let century = year / 100;
    let day_of_year = u32::from(BEFORE_MONTH[month as usize % 16]) + day - 1;
    let days = year * 365 + year / 4 - century + century / 4 + day_of_year;
    i64::from(days) - 719_468 - 146_097
}

/// Writes RFC 3339 in UTC, with as many fractional digits as are needed. RFC 3339 has no years
/// outside 0000 to 9999; they are written as seconds and nanoseconds: `-99999999999 s + 1 ns`.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        if !(0..=9999).contains(&year) {
            return write!(f, "{} s + {} ns", self.seconds, self.nanoseconds);
        }
        let second = self.seconds.rem_euclid(DAY);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        if self.nanoseconds != 0 {
            let (mut digits, mut width) = (self.nanoseconds, 9);
            while digits % 10 == 0 {
                digits /= 10;
                width -= 1;
            }
            write!(f, ".{digits:0width$}")?;
        }
        f.write_str("Z")
    }
}

impl Timestamp {
    /// Returns whether the year is 0000 to 9999, as RFC 3339 requires.
    #[must_use]
    pub fn has_rfc3339(self) -> bool {
        (0..=9999).contains(&self.date().0)
    }
}

/// The error of a string that is not RFC 3339.
///
/// ```
/// use packord::Timestamp;
/// assert!("2026-01-02T03:04:05Z".parse::<Timestamp>().is_ok());
/// assert!("yesterday".parse::<Timestamp>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseTimestampError;

impl fmt::Display for ParseTimestampError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a point in time in the form 2026-01-02T03:04:05.5Z")
    }
}

impl core::error::Error for ParseTimestampError {}

/// Reads RFC 3339 with up to nine fractional digits, and `Z` or an offset.
impl FromStr for Timestamp {
    type Err = ParseTimestampError;

    fn from_str(text: &str) -> Result<Timestamp, ParseTimestampError> {
        parse(text.as_bytes()).ok_or(ParseTimestampError)
    }
}

fn parse(text: &[u8]) -> Option<Timestamp> {
    let (date, rest) = Date::parse(text)?;
    let (time, rest) = match rest {
        [b'T' | b't', rest @ ..] => Time::parse(rest)?,
        _ => return None,
    };
    let offset = match rest {
        [b'Z' | b'z'] => 0,
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            let (hours, minutes) = (number(&[*h1, *h2])?, number(&[*m1, *m2])?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let seconds = i64::from(hours * 3600 + minutes * 60);
            if *sign == b'+' { seconds } else { -seconds }
        }
        _ => return None,
    };
    if !text[0].is_ascii_digit() || time.second > 59 {
        return None;
    }
    let second = i64::from(time.hour * 3600 + time.minute * 60 + time.second);
    let days = days_from_date(date.year as u16, date.month, date.day);
    Timestamp::new(days * DAY + second - offset, time.nanosecond)
}

#[cfg(feature = "std")]
impl From<std::time::SystemTime> for Timestamp {
    fn from(time: std::time::SystemTime) -> Timestamp {
        use std::time::UNIX_EPOCH;
        match time.duration_since(UNIX_EPOCH) {
            Ok(since) => Timestamp {
                seconds: since.as_secs() as i64,
                nanoseconds: since.subsec_nanos(),
            },
            Err(before) => {
                let before = before.duration();
                // −2^63 seconds, the smallest that a 64-bit clock has, cannot be negated.
                let seconds = (before.as_secs() as i64).wrapping_neg();
                let nanoseconds = before.subsec_nanos();
                match nanoseconds {
                    0 => Timestamp { seconds, nanoseconds },
                    _ => Timestamp {
                        seconds: seconds - 1,
                        nanoseconds: NANOS - nanoseconds,
                    },
                }
            }
        }
    }
}

/// Fails with `out_of_range` if `SystemTime` cannot hold the time. On Windows it has steps of 100 ns.
#[cfg(feature = "std")]
impl TryFrom<Timestamp> for std::time::SystemTime {
    type Error = crate::Error;

    fn try_from(at: Timestamp) -> crate::Result<std::time::SystemTime> {
        use std::time::{Duration, UNIX_EPOCH};
        let seconds = Duration::from_secs(at.seconds.unsigned_abs());
        let whole = if at.seconds < 0 {
            UNIX_EPOCH.checked_sub(seconds)
        } else {
            UNIX_EPOCH.checked_add(seconds)
        };
        whole
            .and_then(|whole| whole.checked_add(Duration::from_nanos(u64::from(at.nanoseconds))))
            .ok_or(crate::Error::new(crate::ErrorKind::OutOfRange))
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use std::string::ToString;
    use std::time::SystemTime;

    #[test]
    fn formats_and_their_limits() {
        for (seconds, nanoseconds, len) in [
            (0, 0, 4),
            (u32::MAX.into(), 0, 4),
            (1 << 32, 0, 8),
            ((1 << 34) - 1, 999_999_999, 8),
            (0, 1, 8),
            (1 << 34, 0, 12),
            (-1, 0, 12),
            (i64::MIN, 0, 12),
            (i64::MAX, 999_999_999, 12),
        ] {
            let at = Timestamp::new(seconds, nanoseconds).unwrap();
            let (bytes, got) = at.payload();
            assert_eq!(got, len, "{at:?}");
            assert_eq!(Timestamp::from_payload(&bytes[..got]), Some(at));
        }
    }

    #[test]
    fn text_there_and_back() {
        for text in [
            "1970-01-01T00:00:00Z",
            "1969-12-31T23:59:59.5Z",
            "2000-02-29T12:00:00Z",
            "0000-01-01T00:00:00Z",
            "9999-12-31T23:59:59.999999999Z",
            "2024-02-29T23:59:59.000000001Z",
            "1900-03-01T00:00:00Z",
        ] {
            assert_eq!(text.parse::<Timestamp>().unwrap().to_string(), text);
        }
        for day in (-800_000_i64..3_000_000).step_by(97) {
            let at = Timestamp::new(day * DAY + 1, 0).unwrap();
            if at.has_rfc3339() {
                assert_eq!(at.to_string().parse(), Ok(at));
            }
        }
        assert_eq!(
            "2026-01-02T03:04:05+01:00".parse::<Timestamp>().unwrap().to_string(),
            "2026-01-02T02:04:05Z"
        );
        for wrong in [
            "",
            "2026-01-02",
            "2026-13-02T03:04:05Z",
            "2023-02-29T00:00:00Z",
            "2026-01-02T03:04:05",
            "2026-01-02T03:04:05.Z",
            "2026-01-02T24:00:00Z",
            "2026-01-02T03:04:05.1234567890Z",
        ] {
            assert!(wrong.parse::<Timestamp>().is_err(), "{wrong}");
        }
        assert_eq!(
            Timestamp::new(i64::MIN, 1).unwrap().to_string(),
            "-9223372036854775808 s + 1 ns"
        );
        assert!(!Timestamp::new(i64::MAX, 0).unwrap().has_rfc3339());
    }

    #[test]
    fn system_time_there_and_back() {
        for (seconds, nanoseconds) in [(0, 0), (-1, 500_000_000), (-5, 0), (1_767_323_045, 700)] {
            let at = Timestamp::new(seconds, nanoseconds).unwrap();
            assert_eq!(Timestamp::from(SystemTime::try_from(at).unwrap()), at);
        }
    }
}
