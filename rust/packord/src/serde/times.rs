//! What derived types write of times, durations and uuids, for the types of other crates that read
//! another form through serde: chrono and jiff a str, time and chrono's `TimeDelta` numbers, the standard
//! library a struct, uuid bytes.

use crate::error::{Error, ErrorKind, Result};
use crate::ext::iso::{Date, Span, Time, date_time, whole};
use crate::ext::{DATE, DAY, DURATION, NANOS, TIME, Timestamp};
use crate::typed::ext_type;
use crate::walk::Token;
use crate::wire::header::Kind;
use ::serde::de::Visitor;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::any::type_name;

/// The names of the structs that types of the standard library are in serde.
const SYSTEM_TIME: &str = "SystemTime";
const STD_DURATION: &str = "Duration";

/// A value of `spec/defaults.md` section 1.1.
pub(super) enum Moment {
    At(Timestamp),
    Date(Date),
    Time(Time),
    DateTime(Date, Time),
    Span(Span),
}

impl Moment {
    /// Returns the value that a derived type has written, as text or as an ext.
    #[cold]
    #[inline(never)]
    pub fn of(token: &Token<'_>) -> Option<Moment> {
        match *token {
            Token::Timestamp(at) => Some(Moment::At(at)),
            Token::Ext(DATE, payload) => Date::from_payload(payload).map(Moment::Date),
            Token::Ext(TIME, payload) => Time::from_payload(payload).map(Moment::Time),
            Token::Ext(DURATION, payload) => Span::from_payload(payload).map(Moment::Span),
            Token::Str(text) => {
                let text = text.as_bytes();
                let span = || Span::parse(text).map(Moment::Span);
                let time = || whole(Time::parse(text)).map(Moment::Time);
                let date = || whole(Date::parse(text)).map(Moment::Date);
                let both = || whole(date_time(text)).map(|both| Moment::DateTime(both.0, both.1));
                date().or_else(both).or_else(time).or_else(span)
            }
            _ => None,
        }
    }

    /// Returns the string that types of chrono and jiff read.
    fn text(&self) -> Option<String> {
        match self {
            Moment::At(at) => at.has_rfc3339().then(|| at.to_string()),
            Moment::Date(date) => Some(date.to_string()),
            Moment::Time(time) => Some(time.to_string()),
            Moment::Span(span) => Some(span.to_string()),
            // Only text has it.
            Moment::DateTime(..) => None,
        }
    }

    /// Passes the string.
    pub fn visit_text<'de, V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value> {
        let text = self.text().ok_or_else(|| Error::new(ErrorKind::OutOfRange))?;
        visitor.visit_string(text).map_err(|error: Error| {
            // A type that takes a str only, and no other text.
            let words = error.detail().and_then(|detail| detail.strip_suffix("found str"));
            let found = match self {
                Moment::At(_) => "found timestamp",
                _ => "found ext",
            };
            match words.map(|words| words.to_string() + found) {
                Some(words) => error.with_detail(words),
                None => error,
            }
        })
    }

    /// Returns the numbers that a type reads as a tuple, if it is one of those that do. Were their names
    /// to change, they would be read from tuples alone.
    pub fn tuple<T>(&self, len: usize) -> Option<Result<Vec<i64>>> {
        let dated = |date: Date| Some(vec![date.year.into(), date.day_of_year()?]);
        let numbers = match (self, TimeTuple::of::<T>()?) {
            // chrono's nanoseconds count up from the second below.
            (Moment::Span(span), TimeTuple::Delta) => span.parts().and_then(|parts| match parts {
                (seconds, nanoseconds @ ..0) => {
                    Some(vec![seconds.checked_sub(1)?, i64::from(nanoseconds) + i64::from(NANOS)])
                }
                (seconds, nanoseconds) => Some(vec![seconds, nanoseconds.into()]),
            }),
            (Moment::Span(span), TimeTuple::Span) => span
                .parts()
                .map(|(seconds, nanoseconds)| vec![seconds, nanoseconds.into()]),
            (&Moment::Date(date), TimeTuple::Date) => dated(date),
            (Moment::Time(time), TimeTuple::Time) => Some(time.parts().into()),
            (&Moment::DateTime(date, time), TimeTuple::DateTime) => {
                dated(date).map(|day| [&day[..], &time.parts()].concat())
            }
            (Moment::At(at), TimeTuple::At) if !at.has_rfc3339() => None,
            (Moment::At(at), TimeTuple::At) => {
                let date = Date::from_days(at.seconds().div_euclid(DAY) as i32);
                let second = at.seconds().rem_euclid(DAY);
                let time = [second / 3600, second / 60 % 60, second % 60, at.nanoseconds().into()];
                // The hours, minutes and seconds of the offset from UTC are 0.
                dated(date).map(|day| [&day[..], &time, &[0; 3]].concat())
            }
            _ => return None,
        };
        match numbers {
            Some(numbers) if numbers.len() != len => None,
            numbers => Some(numbers.ok_or_else(|| Error::new(ErrorKind::OutOfRange))),
        }
    }

    /// Returns the numbers of a struct of the standard library.
    pub fn fields(&self, name: &str) -> Option<Result<[u64; 2]>> {
        let (seconds, nanoseconds) = match *self {
            Moment::At(at) if name == SYSTEM_TIME => (at.seconds().try_into().ok(), at.nanoseconds()),
            Moment::Span(span) if name == STD_DURATION => {
                let is_zero = span.seconds == 0 && span.nanoseconds == 0;
                ((!span.negative || is_zero).then_some(span.seconds), span.nanoseconds)
            }
            _ => return None,
        };
        let numbers = seconds.map(|seconds| [seconds, nanoseconds.into()]);
        Some(numbers.ok_or_else(|| Error::new(ErrorKind::OutOfRange)))
    }
}

/// The types that read tuples of numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TimeTuple {
    /// chrono's `TimeDelta`. The others are of the crate `time`.
    Delta,
    Span,
    Date,
    Time,
    DateTime,
    At,
}

impl TimeTuple {
    fn of<T>() -> Option<TimeTuple> {
        let name = type_name::<T>();
        if name == "(i64, i32)" {
            return Some(TimeTuple::Delta);
        }
        match name.strip_prefix("time::")?.rsplit("::").next()? {
            "Duration" => Some(TimeTuple::Span),
            "Date" => Some(TimeTuple::Date),
            "Time" => Some(TimeTuple::Time),
            "PrimitiveDateTime" => Some(TimeTuple::DateTime),
            "OffsetDateTime" => Some(TimeTuple::At),
            _ => None,
        }
    }
}

/// Returns whether values like the one at the start of the bytes, which may be at fault, are numbers for a type: see
/// [`Moment::tuple`].
pub(super) fn tuple_reads<T>(bytes: &[u8]) -> bool {
    let Some(reads) = TimeTuple::of::<T>() else {
        return false;
    };
    match ext_type(bytes) {
        // Text has no offset from UTC.
        None => Kind::at(bytes) == Some(Kind::Str) && reads != TimeTuple::At,
        Some(DURATION) => matches!(reads, TimeTuple::Delta | TimeTuple::Span),
        Some(DATE) => reads == TimeTuple::Date,
        Some(TIME) => reads == TimeTuple::Time,
        Some(Timestamp::EXT_TYPE) => reads == TimeTuple::At,
        _ => false,
    }
}

/// Returns the same for a struct: see [`Moment::fields`].
pub(super) fn fields_read(bytes: &[u8], name: &str) -> bool {
    match ext_type(bytes) {
        None => Kind::at(bytes) == Some(Kind::Str) && name == STD_DURATION,
        Some(DURATION) => name == STD_DURATION,
        Some(Timestamp::EXT_TYPE) => name == SYSTEM_TIME,
        _ => false,
    }
}

/// Returns whether such values are text for a type of chrono or jiff.
pub(super) fn text_reads<T>(bytes: &[u8]) -> bool {
    let name = type_name::<T>();
    let last = name.split('<').next().and_then(|name| name.rsplit("::").next());
    let is_of_crate = name.starts_with("chrono::") || name.starts_with("jiff::");
    let names: &[&str] = match ext_type(bytes) {
        Some(Timestamp::EXT_TYPE) => &["DateTime", "Timestamp"],
        Some(DATE) => &["NaiveDate", "Date"],
        Some(TIME) => &["NaiveTime", "Time"],
        Some(DURATION) => &["SignedDuration", "Span"],
        _ => &[],
    };
    is_of_crate && last.is_some_and(|last| names.contains(&last))
}

/// Returns whether a type is the uuid of the crate `uuid`, which asks for bytes.
#[inline(always)]
pub(super) fn is_uuid<T>() -> bool {
    type_name::<T>() == "uuid::Uuid"
}
