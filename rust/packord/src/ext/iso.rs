//! Dates, times of day and durations, and their text of ISO 8601 (`spec/defaults.md` section 1.1).

use super::timestamp::{DAY, NANOS, Timestamp, days_from_date};
use core::fmt;

/// A date of the proleptic Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Date {
    pub year: i32,
    pub month: u32,
    pub day: u32,
}

/// A time of day. A leap second is second 60.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Time {
    pub hour: u32,
    pub minute: u32,
    pub second: u32,
    pub nanosecond: u32,
}

/// A duration: the sum of seconds and nanoseconds, below zero if `negative`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub negative: bool,
    pub seconds: u64,
    pub nanoseconds: u32,
}

/// Days of 400 years.
const ERA: i64 = 146_097;

impl Date {
    /// Returns the days since 1970, if 32 bits hold them.
    pub fn days(self) -> Option<i32> {
        let year = self.year.rem_euclid(400) as u16;
        let era = i64::from(self.year.div_euclid(400));
        i32::try_from(era * ERA + days_from_date(year, self.month, self.day)).ok()
    }

    pub fn from_days(days: i32) -> Date {
        let midnight = Timestamp::new(i64::from(days) * DAY, 0).unwrap_or_default();
        let (year, month, day) = midnight.date();
        // 2^31 days are less than six million years.
        let year = year as i32;
        Date { year, month, day }
    }

    pub fn from_payload(payload: &[u8]) -> Option<Date> {
        let days = payload.try_into().ok()?;
        Some(Date::from_days(i32::from_be_bytes(days)))
    }

    /// Returns the date on a day of a year, from 1.
    pub fn of_year(year: i64, day: i64) -> Option<Date> {
        let begin = Date {
            year: year.try_into().ok()?,
            month: 1,
            day: 1,
        };
        let days = i64::from(begin.days()?).checked_add(day.checked_sub(1)?)?;
        let date = Date::from_days(days.try_into().ok()?);
        (date.year == begin.year).then_some(date)
    }

    /// Returns which day of its year it is, from 1.
    #[cfg(feature = "serde")]
    pub fn day_of_year(self) -> Option<i64> {
        let begin = Date {
            month: 1,
            day: 1,
            ..self
        };
        Some(i64::from(self.days()?) - i64::from(begin.days()?) + 1)
    }

    /// Reads a date at the start of the text, and returns what follows it.
    pub fn parse(text: &[u8]) -> Option<(Date, &[u8])> {
        let (signed, negative, text) = match text {
            [b'-', rest @ ..] => (true, true, rest),
            [b'+', rest @ ..] => (true, false, rest),
            _ => (false, false, text),
        };
        let (year, len, rest) = digits(text)?;
        let ([b'-', m1, m2, b'-', d1, d2], rest) = rest.split_first_chunk::<6>()? else {
            return None;
        };
        let (month, day) = (number(&[*m1, *m2])?, number(&[*d1, *d2])?);
        let len_ok = len == 4 || signed && len > 4;
        let year = if negative { -(year as i32) } else { year as i32 };
        let date_ok = (1..=12).contains(&month) && day >= 1 && day <= days_in_month(year, month);
        (len_ok && date_ok).then_some((Date { year, month, day }, rest))
    }
}

impl Time {
    /// Returns the nanoseconds since midnight, unless it is a leap second.
    pub fn nanoseconds(self) -> Option<u64> {
        let second = u64::from(self.hour * 3600 + self.minute * 60 + self.second);
        (self.second < 60).then(|| second * u64::from(NANOS) + u64::from(self.nanosecond))
    }

    pub fn from_nanoseconds(nanoseconds: u64) -> Option<Time> {
        let second = nanoseconds / u64::from(NANOS);
        (second < DAY as u64).then(|| Time {
            hour: (second / 3600) as u32,
            minute: (second / 60 % 60) as u32,
            second: (second % 60) as u32,
            nanosecond: (nanoseconds % u64::from(NANOS)) as u32,
        })
    }

    pub fn from_payload(payload: &[u8]) -> Option<Time> {
        let nanoseconds = payload.try_into().ok()?;
        Time::from_nanoseconds(u64::from_be_bytes(nanoseconds))
    }

    /// Returns the time of hours, minutes, seconds and nanoseconds.
    pub fn of_parts(parts: [i64; 4]) -> Option<Time> {
        let limits = [24, 60, 60, NANOS.into()];
        let in_range = parts.iter().zip(limits).all(|(part, limit)| (0..limit).contains(part));
        let [hour, minute, second, nanosecond] = parts.map(|part| part as u32);
        in_range.then_some(Time {
            hour,
            minute,
            second,
            nanosecond,
        })
    }

    /// Returns its hours, minutes, seconds and nanoseconds.
    #[cfg(feature = "serde")]
    pub fn parts(self) -> [i64; 4] {
        [self.hour, self.minute, self.second, self.nanosecond].map(i64::from)
    }

    /// Reads a time of day at the start of the text, and returns what follows it.
    pub fn parse(text: &[u8]) -> Option<(Time, &[u8])> {
        let ([h1, h2, b':', m1, m2, b':', s1, s2], rest) = text.split_first_chunk::<8>()? else {
            return None;
        };
        let (hour, minute) = (number(&[*h1, *h2])?, number(&[*m1, *m2])?);
        let second = number(&[*s1, *s2])?;
        let (nanosecond, rest) = fraction(rest)?;
        let time = Time {
            hour,
            minute,
            second,
            nanosecond,
        };
        (hour < 24 && minute < 60 && second <= 60).then_some((time, rest))
    }
}

impl Span {
    /// Returns the duration of seconds and nanoseconds that have the same sign.
    pub fn new(seconds: i64, nanoseconds: i32) -> Span {
        Span {
            negative: seconds < 0 || nanoseconds < 0,
            seconds: seconds.unsigned_abs(),
            nanoseconds: nanoseconds.unsigned_abs(),
        }
    }

    /// Returns the seconds and the nanoseconds, which have the same sign, if 64 bits hold them.
    pub fn parts(self) -> Option<(i64, i32)> {
        let nanoseconds = self.nanoseconds as i32;
        Some(if self.negative {
            (0_i64.checked_sub_unsigned(self.seconds)?, -nanoseconds)
        } else {
            (i64::try_from(self.seconds).ok()?, nanoseconds)
        })
    }

    /// Returns the payload of an ext of type 89, if it holds the duration.
    pub fn payload(self) -> Option<[u8; 12]> {
        let at = match (self.negative, self.nanoseconds) {
            (false, _) => Timestamp::new(i64::try_from(self.seconds).ok()?, self.nanoseconds)?,
            (true, 0) => Timestamp::new(0_i64.checked_sub_unsigned(self.seconds)?, 0)?,
            (true, nanoseconds) => Timestamp::new(
                (-1_i64).checked_sub_unsigned(self.seconds)?,
                NANOS.checked_sub(nanoseconds)?,
            )?,
        };
        let mut bytes = [0; 12];
        bytes[..4].copy_from_slice(&at.nanoseconds().to_be_bytes());
        bytes[4..].copy_from_slice(&at.seconds().to_be_bytes());
        Some(bytes)
    }

    pub fn from_payload(payload: &[u8]) -> Option<Span> {
        let at = Timestamp::from_payload(<&[u8; 12]>::try_from(payload).ok()?)?;
        let (negative, nanoseconds) = (at.seconds() < 0, at.nanoseconds());
        let up = negative && nanoseconds > 0;
        Some(Span {
            negative,
            seconds: at.seconds().unsigned_abs() - u64::from(up),
            nanoseconds: if up { NANOS - nanoseconds } else { nanoseconds },
        })
    }

    /// Reads a duration: hours, minutes and seconds, each at most once and in this order.
    pub fn parse(text: &[u8]) -> Option<Span> {
        let (negative, text) = match text {
            [b'-', rest @ ..] => (true, rest),
            _ => (false, text),
        };
        let mut rest = text.strip_prefix(b"PT")?;
        let (mut seconds, mut nanoseconds, mut before) = (0_u64, 0, u64::MAX);
        while !rest.is_empty() || before == u64::MAX {
            let len = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let (digits, after) = rest.split_at(len);
            let count = digits.iter().try_fold(0_u64, |sum, digit| {
                sum.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
            })?;
            let (part, after) = fraction(after)?;
            let (unit, after) = match (after.split_first()?, part) {
                ((b'H', after), 0) => (3600, after),
                ((b'M', after), 0) => (60, after),
                ((b'S', after), _) => (1, after),
                _ => return None,
            };
            if len == 0 || unit >= before {
                return None;
            }
            seconds = seconds.checked_add(count.checked_mul(unit)?)?;
            (nanoseconds, before, rest) = (part, unit, after);
        }
        Some(Span {
            negative,
            seconds,
            nanoseconds,
        })
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Date { year, month, day } = self;
        match year {
            0..=9999 => write!(f, "{year:04}-{month:02}-{day:02}"),
            // The sign is one of the five characters.
            _ => write!(f, "{year:+05}-{month:02}-{day:02}"),
        }
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}:{:02}", self.hour, self.minute, self.second)?;
        write_fraction(self.nanosecond, f)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.seconds == 0 && self.nanoseconds == 0 {
            return f.write_str("PT0S");
        }
        f.write_str(if self.negative { "-PT" } else { "PT" })?;
        let (hours, minutes) = (self.seconds / 3600, self.seconds / 60 % 60);
        let seconds = self.seconds % 60;
        if hours != 0 {
            write!(f, "{hours}H")?;
        }
        if minutes != 0 {
            write!(f, "{minutes}M")?;
        }
        if seconds != 0 || self.nanoseconds != 0 {
            write!(f, "{seconds}")?;
            write_fraction(self.nanoseconds, f)?;
            f.write_str("S")?;
        }
        Ok(())
    }
}

/// Writes the fewest of 0, 3, 6 or 9 digits that hold the fraction of a second.
fn write_fraction(nanoseconds: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match nanoseconds {
        0 => Ok(()),
        n if n % 1_000_000 == 0 => write!(f, ".{:03}", n / 1_000_000),
        n if n % 1_000 == 0 => write!(f, ".{:06}", n / 1_000),
        n => write!(f, ".{n:09}"),
    }
}

/// Reads the nanoseconds of a fraction of a second, if there is one, and returns what follows it.
pub(super) fn fraction(text: &[u8]) -> Option<(u32, &[u8])> {
    let [b'.', text @ ..] = text else {
        return Some((0, text));
    };
    let (value, len, rest) = digits(text)?;
    Some((value * 10_u32.pow(9 - len as u32), rest))
}

/// Reads one to nine digits: the number, how many they are, and what follows them.
fn digits(text: &[u8]) -> Option<(u32, usize, &[u8])> {
    let len = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(len);
    let value = (1..=9).contains(&len).then(|| number(digits))?;
    Some((value?, len, rest))
}

/// Reads decimal digits, at most nine.
pub(super) fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |sum, digit| {
        digit.is_ascii_digit().then(|| sum * 10 + u32::from(digit - b'0'))
    })
}

fn days_in_month(year: i32, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

pub(crate) fn whole<T>(read: Option<(T, &[u8])>) -> Option<T> {
    read.and_then(|(value, rest)| rest.is_empty().then_some(value))
}

pub(crate) fn date_time(text: &[u8]) -> Option<((Date, Time), &[u8])> {
    let (date, rest) = Date::parse(text)?;
    let (time, rest) = Time::parse(rest.strip_prefix(b"T")?)?;
    Some(((date, time), rest))
}

/// A short text, made without an allocator.
pub(crate) struct ShortText {
    bytes: [u8; ShortText::MAX],
    len: usize,
}

impl ShortText {
    /// An IPv6 address with scope and port has the longest text: 65 characters.
    const MAX: usize = 72;

    pub fn new(value: impl fmt::Display) -> ShortText {
        let mut text = ShortText {
            bytes: [0; ShortText::MAX],
            len: 0,
        };
        // What is too long is cut; nothing that comes here is.
        let _ = fmt::Write::write_fmt(&mut text, format_args!("{value}"));
        text
    }

    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}

impl fmt::Write for ShortText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        let space = self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?;
        space.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn dates_there_and_back() {
        for text in [
            "1970-01-01",
            "0000-02-29",
            "9999-12-31",
            "-0001-12-31",
            "+10000-01-01",
            "-123456-07-08",
        ] {
            let date = whole(Date::parse(text.as_bytes())).unwrap();
            assert_eq!(date.to_string(), text);
            assert_eq!(Date::from_days(date.days().unwrap()), date);
        }
        for wrong in [
            "",
            "1970-1-01",
            "970-01-01",
            "+1970-01-01x",
            "10000-01-01",
            "-001-01-01",
            "2023-02-29",
            "2026-13-01",
            "2026-01-00",
            "+1234567890-01-01",
        ] {
            assert_eq!(whole(Date::parse(wrong.as_bytes())), None, "{wrong}");
        }
        for days in (i32::MIN..=i32::MAX).step_by(9_999_991) {
            assert_eq!(Date::from_days(days).days(), Some(days));
        }
    }

    #[test]
    fn times_there_and_back() {
        for text in [
            "00:00:00",
            "23:59:59.999",
            "03:04:05.000001",
            "03:04:05.000000001",
            "23:59:60",
        ] {
            let time = whole(Time::parse(text.as_bytes())).unwrap();
            assert_eq!(time.to_string(), text);
            let nanoseconds = time.nanoseconds();
            assert_eq!(nanoseconds.is_none(), text.ends_with("60"));
            if let Some(nanoseconds) = nanoseconds {
                assert_eq!(Time::from_nanoseconds(nanoseconds), Some(time));
            }
        }
        for wrong in ["", "24:00:00", "1:02:03", "01:02", "01:02:03.", "01:02:03Z", "01:60:00"] {
            assert_eq!(whole(Time::parse(wrong.as_bytes())), None, "{wrong}");
        }
        assert_eq!(Time::from_nanoseconds(86_400_000_000_000), None);
    }

    #[test]
    fn durations_there_and_back() {
        for text in [
            "PT0S",
            "PT1H30M",
            "-PT0.500S",
            "-PT1M30S",
            "PT25H1M1.500S",
            "PT5124095576030431H15.999999999S",
        ] {
            let span = Span::parse(text.as_bytes()).unwrap();
            assert_eq!(span.to_string(), text);
            match span.payload() {
                Some(payload) => assert_eq!(Span::from_payload(&payload), Some(span)),
                None => assert_eq!(span.seconds, u64::MAX),
            }
        }
        for wrong in [
            "", "PT", "P1D", "PT1", "PTS", "PT1M1H", "PT1.5H", "PT1S1S", "PT-1S", "PT1S ",
        ] {
            assert_eq!(Span::parse(wrong.as_bytes()), None, "{wrong}");
        }
        let smallest = Span {
            negative: true,
            seconds: 1 << 63,
            nanoseconds: 0,
        };
        let payload = smallest.payload().unwrap();
        assert_eq!(Span::from_payload(&payload), Some(smallest));
        assert_eq!(Span::from_payload(&[0; 8]), None);
    }
}
