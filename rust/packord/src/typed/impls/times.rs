//! Durations and points in time.

use super::forms::read_pair;
use super::unpackable;
use crate::ext::Timestamp;
use crate::typed::{Failed, Packable, Unpackable, Writer};
use core::time::Duration;

/// An ext of type −1.
impl Packable for Timestamp {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        writer.timestamp(*self)
    }
}

unpackable!([] Timestamp, leaf true, min_len 6, |reader| reader.timestamp());

/// An array of the seconds and the nanoseconds.
impl Packable for Duration {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        (self.as_secs(), self.subsec_nanos()).pack_into(writer)
    }
}

// From the same, or from a map with the names that serde gives the two.
unpackable!([] Duration, leaf false, min_len 3, |reader| {
    let start = reader.position();
    let (seconds, nanoseconds) = read_pair(reader, ["secs", "nanos"], <u64 as Unpackable>::unpack_from, <u32 as Unpackable>::unpack_from)?;
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
