//! Durations and points in time.

use super::forms::read_pair;
use super::unpackable;
use crate::ext::Timestamp;
use crate::ext::iso::Span;
use crate::typed::detail::Found;
use crate::typed::{Failed, Packable, Unpackable, Writer};
use crate::wire::header::Kind;
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
    let pair = matches!(Found::at(reader.rest()), Found::Of(Kind::Array | Kind::Map | Kind::Int))
        || reader.begins_record(reader.rest());
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

#[cfg(feature = "std")]
mod system {
    use super::{Duration, Failed, Packable, Timestamp, Unpackable, Writer, read_pair, unpackable};
    use crate::typed::{Reader, TimestampLike};
    use std::time::SystemTime;

    impl TimestampLike for SystemTime {
        fn to_timestamp(&self) -> Option<Timestamp> {
            Some(Timestamp::from(*self))
        }

        fn from_timestamp(at: Timestamp) -> Option<SystemTime> {
            at.try_into().ok()
        }

        /// Reads the struct too that serde makes of it.
        fn read(reader: &mut Reader<'_>) -> Result<SystemTime, Failed> {
            let start = reader.position();
            let time = if reader.at_array()? || crate::typed::derived::at_fields(reader)? {
                let names = ["secs_since_epoch", "nanos_since_epoch"];
                let (seconds, nanoseconds) = read_pair(
                    reader,
                    names,
                    <u64 as Unpackable>::unpack_from,
                    <u32 as Unpackable>::unpack_from,
                )?;
                let since = Duration::from_nanos(nanoseconds.into()).checked_add(Duration::from_secs(seconds));
                since.and_then(|since| SystemTime::UNIX_EPOCH.checked_add(since))
            } else {
                reader.timestamp()?.try_into().ok()
            };
            time.ok_or_else(|| reader.out_of_range("SystemTime", start))
        }
    }

    /// An ext of type −1.
    impl Packable for SystemTime {
        fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
            writer.timestamp(Timestamp::from(*self))
        }
    }

    unpackable!([] SystemTime, leaf false, min_len 3, |reader| TimestampLike::read(reader));
}
