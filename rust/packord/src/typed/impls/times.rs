//! Durations and points in time.

use super::forms::read_pair;
use super::unpackable;
use crate::ext::Timestamp;
use crate::ext::iso::Span;
use crate::typed::detail::Found;
use crate::typed::{Failed, Packable, Unpackable, Writer};
use core::time::Duration;

/// An ext of type −1.
impl Packable for Timestamp {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        writer.timestamp(*self)
    }
}

unpackable!([] Timestamp, leaf true, min_len 6, |reader| reader.timestamp());

/// A str of ISO 8601; an ext with the option `rich`.
impl Packable for Duration {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        writer.duration(Span {
            negative: false,
            seconds: self.as_secs(),
            nanoseconds: self.subsec_nanos(),
        })
    }
}

// From the same; from an array of the seconds and the nanoseconds, or a map with the names that serde
// gives the two.
unpackable!([] Duration, leaf false, min_len 3, |reader| {
    let start = reader.position();
    let pair = matches!(Found::at(reader.rest()), Found::Array | Found::Map | Found::Integer);
    let (seconds, nanoseconds) = if pair {
        read_pair(reader, ["secs", "nanos"], <u64 as Unpackable>::unpack_from, <u32 as Unpackable>::unpack_from)?
    } else {
        let span = reader.duration()?;
        if span.negative {
            return Err(reader.out_of_range("Duration", start));
        }
        (span.seconds, span.nanoseconds)
    };
    if nanoseconds > 999_999_999 {
        return Err(reader.out_of_range("Duration", start));
    }
    Ok(Duration::new(seconds, nanoseconds))
});

/// An ext of type −1.
#[cfg(feature = "std")]
impl Packable for std::time::SystemTime {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        writer.timestamp(Timestamp::from(*self))
    }
}

#[cfg(feature = "std")]
unpackable!([] std::time::SystemTime, leaf true, min_len 6, |reader| {
    let start = reader.position();
    let at = reader.timestamp()?;
    at.try_into().map_err(|_| reader.out_of_range("SystemTime", start))
});
