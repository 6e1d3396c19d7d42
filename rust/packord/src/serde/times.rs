//! Timestamps for the types of points in time that other crates implement serde for. Each reads
//! another form: chrono and jiff a str of RFC 3339, time the parts of a date, the standard library
//! a struct.

use crate::error::{Error, ErrorKind, Result};
use crate::ext::{Timestamp, days_from_date};
use ::serde::de::Visitor;
use ::serde::de::value::SeqDeserializer;
use alloc::string::ToString;

/// The name of the struct that `SystemTime` is in serde.
pub(super) const SYSTEM_TIME: &str = "SystemTime";

/// The number of parts of `time::OffsetDateTime`: year, day of the year, hour, minute, second,
/// nanosecond, and the hours, minutes and seconds of the offset from UTC.
pub(super) const DATE_PARTS: usize = 9;

/// Passes a str of RFC 3339.
#[cold]
pub(super) fn visit_text<'de, V: Visitor<'de>>(at: Timestamp, visitor: V) -> Result<V::Value> {
    if !at.has_rfc3339() {
        return Err(Error::new(ErrorKind::OutOfRange));
    }
    visitor
        .visit_string(at.to_string())
        .map_err(|error: Error| {
            // A type that takes a str only, and no other text.
            let words = error
                .detail()
                .and_then(|detail| detail.strip_suffix("found str"));
            match words.map(|words| words.to_string() + "found timestamp") {
                Some(words) => error.with_detail(words),
                None => error,
            }
        })
}

/// Passes the seconds and the nanoseconds since 1970.
#[cold]
pub(super) fn visit_seconds<'de, V: Visitor<'de>>(at: Timestamp, visitor: V) -> Result<V::Value> {
    let parts = [at.seconds(), i64::from(at.nanoseconds())];
    visitor.visit_seq(SeqDeserializer::<_, Error>::new(parts.into_iter()))
}

/// Passes the parts of the date in UTC.
#[cold]
pub(super) fn visit_date<'de, V: Visitor<'de>>(at: Timestamp, visitor: V) -> Result<V::Value> {
    if !at.has_rfc3339() {
        return Err(Error::new(ErrorKind::OutOfRange));
    }
    let (year, month, day) = at.date();
    let year_begins = days_from_date(year as u16, 1, 1);
    let day_of_year = days_from_date(year as u16, month, day) - year_begins + 1;
    let second = at.seconds().rem_euclid(86_400);
    let (hour, minute) = (second / 3600, second / 60 % 60);
    let nanosecond = i64::from(at.nanoseconds());
    let parts: [i64; DATE_PARTS] = [
        year,
        day_of_year,
        hour,
        minute,
        second % 60,
        nanosecond,
        0,
        0,
        0,
    ];
    visitor.visit_seq(SeqDeserializer::<_, Error>::new(parts.into_iter()))
}
