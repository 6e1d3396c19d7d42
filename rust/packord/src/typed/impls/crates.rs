//! Types of other crates, each with the feature of its name.
//!
//! Points in time are timestamps, also under `#[msgpacker(timestamp)]`, and convert from and to
//! `Timestamp`; dates, times of day, date-times without offset, durations and uuids are text of
//! `spec/defaults.md` section 1.1, or an ext with the option `rich`; `Bytes` are bins.

#[cfg(any(feature = "chrono", feature = "jiff"))]
use super::forms::from_text;
#[cfg(any(feature = "chrono", feature = "time", feature = "jiff"))]
use crate::typed::{Failed, Reader, TimestampLike};

#[cfg(any(feature = "chrono", feature = "time", feature = "jiff"))]
macro_rules! instant {
    ($type:ty, leaf $leaf:literal, $other:expr, |$value:ident| $to:expr, |$at:ident| $from:expr) => {
        impl TimestampLike for $type {
            fn to_timestamp(&self) -> Option<crate::Timestamp> {
                let $value = self;
                $to
            }

            fn from_timestamp($at: crate::Timestamp) -> Option<$type> {
                $from
            }

            /// Reads the form too that its crate writes through serde.
            fn read(reader: &mut Reader<'_>) -> Result<$type, Failed> {
                let start = reader.position();
                let other: Option<$type> = ($other)(reader)?;
                let time = match other {
                    Some(time) => Some(time),
                    None => TimestampLike::from_timestamp(reader.timestamp()?),
                };
                time.ok_or_else(|| reader.out_of_range("the type", start))
            }
        }

        /// Fails with `out_of_range` if no timestamp can hold the time.
        impl TryFrom<$type> for crate::Timestamp {
            type Error = crate::Error;

            fn try_from(value: $type) -> crate::Result<crate::Timestamp> {
                TimestampLike::to_timestamp(&value)
                    .ok_or(crate::Error::new(crate::ErrorKind::OutOfRange))
            }
        }

        /// Fails with `out_of_range` if the type cannot hold the time.
        impl TryFrom<crate::Timestamp> for $type {
            type Error = crate::Error;

            fn try_from(at: crate::Timestamp) -> crate::Result<$type> {
                TimestampLike::from_timestamp(at)
                    .ok_or(crate::Error::new(crate::ErrorKind::OutOfRange))
            }
        }

        /// An ext of type −1.
        impl crate::typed::Packable for $type {
            fn pack_into(&self, writer: &mut crate::typed::Writer<'_>) -> Result<(), Failed> {
                TimestampLike::write(self, writer)
            }
        }

        crate::typed::impls::unpackable!([] $type, leaf $leaf, min_len 6, |reader| {
            <$type as TimestampLike>::read(reader)
        });
    };
}

// In chrono a leap second has more than 999 999 999 nanoseconds. It is written as the next second.
#[cfg(feature = "chrono")]
instant!(
    chrono::DateTime<chrono::Utc>,
    leaf true,
    |reader| from_text(reader, "a timestamp", |text| text.parse().ok()),
    |value| {
        let nanoseconds = value.timestamp_subsec_nanos();
        crate::Timestamp::new(
            value.timestamp() + i64::from(nanoseconds / 1_000_000_000),
            nanoseconds % 1_000_000_000,
        )
    },
    |at| chrono::DateTime::from_timestamp(at.seconds(), at.nanoseconds())
);

// The offset is not written: the time is read back in UTC.
#[cfg(feature = "chrono")]
instant!(
    chrono::DateTime<chrono::FixedOffset>,
    leaf true,
    |reader| from_text(reader, "a timestamp", |text| text.parse().ok()),
    |value| value.to_utc().to_timestamp(),
    |at| <chrono::DateTime<chrono::Utc> as TimestampLike>::from_timestamp(at).map(Into::into)
);

/// Reads the nine parts of a date, if an array is next.
#[cfg(feature = "time")]
fn date_parts(reader: &mut Reader<'_>) -> Result<Option<time::OffsetDateTime>, Failed> {
    let start = reader.position();
    if !reader.at_array()? {
        return Ok(None);
    }
    let parts = <[i32; 9] as crate::typed::Unpackable>::unpack_from(reader)?;
    let [year, day, rest @ ..] = parts;
    let [hour, minute, second, nanosecond, hours, minutes, seconds] = rest;
    let made = || {
        let date = time::Date::from_ordinal_date(year, day.try_into().ok()?).ok()?;
        let (hour, minute) = (hour.try_into().ok()?, minute.try_into().ok()?);
        let (second, nanosecond) = (second.try_into().ok()?, nanosecond.try_into().ok()?);
        let time = date.with_hms_nano(hour, minute, second, nanosecond).ok()?;
        let (hours, minutes) = (hours.try_into().ok()?, minutes.try_into().ok()?);
        let offset = time::UtcOffset::from_hms(hours, minutes, seconds.try_into().ok()?);
        Some(time.assume_offset(offset.ok()?))
    };
    match made() {
        Some(time) => Ok(Some(time)),
        None => Err(reader.out_of_range("the type", start)),
    }
}

#[cfg(feature = "time")]
instant!(
    time::OffsetDateTime,
    leaf false,
    date_parts,
    |value| crate::Timestamp::new(value.unix_timestamp(), value.nanosecond()),
    |at| time::OffsetDateTime::from_unix_timestamp(at.seconds())
        .ok()?
        .replace_nanosecond(at.nanoseconds())
        .ok()
);

#[cfg(feature = "jiff")]
instant!(
    jiff::Timestamp,
    leaf true,
    |reader| from_text(reader, "a timestamp", |text| text.parse().ok()),
    |value| {
        let seconds = value.as_nanosecond().div_euclid(1_000_000_000);
        let nanoseconds = value.as_nanosecond().rem_euclid(1_000_000_000);
        crate::Timestamp::new(
            i64::try_from(seconds).ok()?,
            u32::try_from(nanoseconds).ok()?,
        )
    },
    |at| {
        let nanoseconds = i128::from(at.seconds()) * 1_000_000_000 + i128::from(at.nanoseconds());
        jiff::Timestamp::from_nanosecond(nanoseconds).ok()
    }
);

// As that of chrono with its offset.
#[cfg(feature = "jiff")]
instant!(
    jiff::Zoned,
    leaf true,
    |reader| from_text(reader, "a timestamp", |text| {
        // The time zone's name follows the offset.
        let at = text.split('[').next()?.parse::<jiff::Timestamp>().ok()?;
        Some(at.to_zoned(jiff::tz::TimeZone::UTC))
    }),
    |value| value.timestamp().to_timestamp(),
    |at| jiff::Timestamp::from_timestamp(at).map(|at| at.to_zoned(jiff::tz::TimeZone::UTC))
);

#[cfg(feature = "bytes")]
mod bytes {
    use crate::typed::impls::unpackable;
    use crate::typed::{Failed, Packable, Unpackable, Writer};
    use alloc::vec::Vec;
    use bytes::{Bytes, BytesMut};

    macro_rules! shared {
        ($($type:ty)*) => {$(
            /// A bin.
            impl Packable for $type {
                fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
                    writer.bin(self)
                }

                fn packed_len_bound(&self) -> usize {
                    self.len() + 5
                }
            }

            // From a bin, or an array of numbers.
            unpackable!([] $type, leaf true, min_len 1, |reader| {
                let bytes = <Vec<u8> as Unpackable>::unpack_from(reader)?;
                Ok(Bytes::from(bytes).into())
            });
        )*};
    }

    shared!(Bytes BytesMut);
}

#[cfg(feature = "uuid")]
mod uuid {
    use crate::error::ErrorKind;
    use crate::typed::detail::Found;
    use crate::typed::impls::unpackable;
    use crate::typed::{Failed, Packable, Writer};
    use crate::wire::header::Kind;
    use uuid::Uuid;

    /// A str of 36 characters; an ext with the option `rich`.
    impl Packable for Uuid {
        fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
            if writer.state.forms.rich {
                return writer.ext(crate::ext::UUID, self.as_bytes());
            }
            writer.str(self.hyphenated().encode_lower(&mut Uuid::encode_buffer()))
        }
    }

    // From a str in any of the usual forms, a bin of 16 bytes, or an ext of type 85.
    unpackable!([] Uuid, leaf true, min_len 18, |reader| {
        let start = reader.position();
        let uuid = if reader.at_str()? {
            Uuid::try_parse(reader.str()?).ok()
        } else if Found::at(reader.rest()) == Found::Of(Kind::Bin) {
            Uuid::from_slice(reader.bin()?).ok()
        } else {
            let ext = reader.ext();
            match ext.map_err(|failed| reader.expecting(failed, "a uuid"))? {
                (crate::ext::UUID, bytes) => match Uuid::from_slice(bytes) {
                    Ok(uuid) => Some(uuid),
                    Err(_) => return Err(reader.fail_at(ErrorKind::InvalidExt, start)),
                },
                _ => None,
            }
        };
        uuid.ok_or_else(|| reader.unexpected("a uuid", start))
    });
}
