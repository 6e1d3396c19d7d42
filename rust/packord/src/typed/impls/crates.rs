//! Types of other crates, each with the feature of its name.
//!
//! Points in time are timestamps, also under `#[msgpacker(timestamp)]`, and convert from and to
//! `Timestamp`; `Bytes` are bins; uuids are str by default, and ext type 85
//! (`spec/extensions.md` section 2) with `with = packord::typed::uuid_ext`.

#[cfg(any(feature = "chrono", feature = "time", feature = "jiff"))]
macro_rules! instant {
    ($type:ty, |$value:ident| $to:expr, |$at:ident| $from:expr) => {
        impl crate::typed::TimestampLike for $type {
            fn to_timestamp(&self) -> Option<crate::Timestamp> {
                let $value = self;
                $to
            }

            fn from_timestamp($at: crate::Timestamp) -> Option<$type> {
                $from
            }
        }

        /// Fails with `out_of_range` if no timestamp can hold the time.
        impl TryFrom<$type> for crate::Timestamp {
            type Error = crate::Error;

            fn try_from(value: $type) -> crate::Result<crate::Timestamp> {
                crate::typed::TimestampLike::to_timestamp(&value)
                    .ok_or(crate::Error::new(crate::ErrorKind::OutOfRange))
            }
        }

        /// Fails with `out_of_range` if the type cannot hold the time.
        impl TryFrom<crate::Timestamp> for $type {
            type Error = crate::Error;

            fn try_from(at: crate::Timestamp) -> crate::Result<$type> {
                crate::typed::TimestampLike::from_timestamp(at)
                    .ok_or(crate::Error::new(crate::ErrorKind::OutOfRange))
            }
        }

        /// An ext of type −1.
        impl crate::typed::Packable for $type {
            fn pack_into(&self, writer: &mut crate::typed::Writer<'_>) -> Result<(), crate::typed::Failed> {
                crate::typed::TimestampLike::write(self, writer)
            }
        }

        crate::typed::impls::unpackable!([] $type, leaf true, min_len 6, |reader| {
            <$type as crate::typed::TimestampLike>::read(reader)
        });
    };
}

// In chrono a leap second has more than 999 999 999 nanoseconds. It is written as the next second.
#[cfg(feature = "chrono")]
instant!(
    chrono::DateTime<chrono::Utc>,
    |value| {
        let nanoseconds = value.timestamp_subsec_nanos();
        crate::Timestamp::new(
            value.timestamp() + i64::from(nanoseconds / 1_000_000_000),
            nanoseconds % 1_000_000_000,
        )
    },
    |at| chrono::DateTime::from_timestamp(at.seconds(), at.nanoseconds())
);

#[cfg(feature = "time")]
instant!(
    time::OffsetDateTime,
    |value| crate::Timestamp::new(value.unix_timestamp(), value.nanosecond()),
    |at| time::OffsetDateTime::from_unix_timestamp(at.seconds())
        .ok()?
        .replace_nanosecond(at.nanoseconds())
        .ok()
);

#[cfg(feature = "jiff")]
instant!(
    jiff::Timestamp,
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
    use crate::typed::impls::unpackable;
    use crate::typed::{Failed, Packable, Writer};
    use uuid::Uuid;

    /// A str of 36 characters.
    impl Packable for Uuid {
        fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
            writer.str(self.hyphenated().encode_lower(&mut Uuid::encode_buffer()))
        }
    }

    // From a str in any of the usual forms, a bin of 16 bytes, or an ext of type 85.
    unpackable!([] Uuid, leaf true, min_len 18, |reader| {
        let start = reader.position();
        let uuid = if reader.at_str()? {
            Uuid::try_parse(reader.str()?).ok()
        } else if reader.at_bin()? {
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
