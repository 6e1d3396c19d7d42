//! What derived types write of points in time, durations and uuids, for the types of other crates that
//! read another form through serde: chrono and jiff a str of RFC 3339, time the parts of a date, the
//! standard library a struct, uuid bytes.

use crate::error::{Error, ErrorKind, Result};
use crate::ext::iso::Span;
use crate::ext::{Timestamp, days_from_date};
use crate::walk::Token;
use ::serde::de::Visitor;
use ::serde::de::value::SeqDeserializer;
use alloc::string::ToString;

/// The names of the structs that types of the standard library are in serde.
pub(super) const SYSTEM_TIME: &str = "SystemTime";
pub(super) const DURATION: &str = "Duration";

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
pub(super) fn visit_time<'de, V: Visitor<'de>>(at: Timestamp, visitor: V) -> Result<V::Value> {
    let parts = [at.seconds(), i64::from(at.nanoseconds())];
    visitor.visit_seq(SeqDeserializer::<_, Error>::new(parts.into_iter()))
}

/// Returns the duration that a derived type has written.
#[cold]
pub(super) fn duration(token: &Token<'_>) -> Option<Span> {
    match *token {
        Token::Str(text) => Span::parse(text.as_bytes()),
        Token::Ext(crate::ext::DURATION, payload) => Span::from_payload(payload),
        _ => None,
    }
}

/// Passes the seconds and the nanoseconds of a duration.
#[cold]
pub(super) fn visit_duration<'de, V: Visitor<'de>>(span: Span, visitor: V) -> Result<V::Value> {
    if span.negative {
        return Err(Error::new(ErrorKind::OutOfRange));
    }
    let parts = [span.seconds, u64::from(span.nanoseconds)];
    visitor.visit_seq(SeqDeserializer::<_, Error>::new(parts.into_iter()))
}

/// Returns whether a type is the uuid of the crate `uuid`, which asks for bytes. Were its name to
/// change, it would be read from bytes alone.
#[inline(always)]
pub(super) fn is_uuid<T>() -> bool {
    core::any::type_name::<T>() == "uuid::Uuid"
}

/// Returns the bytes of a uuid in text of 36 characters.
#[cold]
pub(super) fn uuid(text: &str) -> Option<[u8; 16]> {
    let parts = [8, 13, 18, 23];
    let is_place = |(at, byte): (usize, u8)| (byte == b'-') == parts.contains(&at);
    if text.len() != 36 || !text.bytes().enumerate().all(is_place) {
        return None;
    }
    let mut digits = text.bytes().filter(|&byte| byte != b'-');
    let mut digit = || char::from(digits.next()?).to_digit(16);
    let mut bytes = [0; 16];
    for byte in &mut bytes {
        *byte = (digit()? << 4 | digit()?) as u8;
    }
    Some(bytes)
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
