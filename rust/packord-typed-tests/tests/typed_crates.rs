//! Types of other crates are written and read back, at the ends of their ranges.

use packord::{ErrorKind, Packable, Timestamp, Unpackable};

fn packed(seconds: i64, nanoseconds: u32) -> Vec<u8> {
    Timestamp::new(seconds, nanoseconds).unwrap().pack_to_vec()
}

#[test]
fn points_in_time_are_timestamps() {
    for (seconds, nanoseconds) in [
        (0, 0),
        (1_767_323_045, 500_000_000),
        (-1, 999_999_999),
        (-62_135_596_800, 1),
        (1 << 34, 7),
    ] {
        let bytes = packed(seconds, nanoseconds);
        let read = chrono::DateTime::<chrono::Utc>::unpack(&bytes).unwrap();
        assert_eq!(
            (read.timestamp(), read.timestamp_subsec_nanos()),
            (seconds, nanoseconds)
        );
        assert_eq!(read.pack_to_vec(), bytes);
        let read = time::OffsetDateTime::unpack(&bytes).unwrap();
        assert_eq!(
            (read.unix_timestamp(), read.nanosecond()),
            (seconds, nanoseconds)
        );
        assert_eq!(read.pack_to_vec(), bytes);
        let read = jiff::Timestamp::unpack(&bytes).unwrap();
        assert_eq!(
            read.as_nanosecond(),
            i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds)
        );
        assert_eq!(read.pack_to_vec(), bytes);
    }
    for (seconds, nanoseconds) in [(i64::MAX, 999_999_999), (i64::MIN, 0)] {
        let bytes = packed(seconds, nanoseconds);
        let kinds = [
            chrono::DateTime::<chrono::Utc>::unpack(&bytes)
                .unwrap_err()
                .kind(),
            time::OffsetDateTime::unpack(&bytes).unwrap_err().kind(),
            jiff::Timestamp::unpack(&bytes).unwrap_err().kind(),
        ];
        assert_eq!(kinds, [ErrorKind::OutOfRange; 3]);
    }
}

/// The conversions are what `packord::serde::timestamp` needs.
#[test]
fn points_in_time_are_timestamps_through_serde() {
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Times {
        #[serde(with = "packord::serde::timestamp")]
        chrono: chrono::DateTime<chrono::Utc>,
        #[serde(with = "packord::serde::timestamp::option")]
        time: Option<time::OffsetDateTime>,
        #[serde(with = "packord::serde::timestamp")]
        jiff: jiff::Timestamp,
    }
    let at = Timestamp::new(-1, 999_999_999).unwrap();
    let times = Times {
        chrono: at.try_into().unwrap(),
        time: Some(at.try_into().unwrap()),
        jiff: at.try_into().unwrap(),
    };
    let bytes = packord::serde::to_vec(&times).unwrap();
    let value = packord::from_slice::<packord::Value>(&bytes).unwrap();
    for name in ["chrono", "time", "jiff"] {
        assert_eq!(value[name].as_timestamp(), Some(at));
    }
    assert_eq!(packord::serde::from_slice::<Times>(&bytes).unwrap(), times);
    let late = Timestamp::new(i64::MAX, 0).unwrap();
    let error = time::OffsetDateTime::try_from(late).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfRange);
}

#[test]
fn shared_bytes_are_bins() {
    let value = bytes::Bytes::from_static(b"ab");
    assert_eq!(value.pack_to_vec(), b"\xc4\x02ab");
    assert_eq!(bytes::Bytes::unpack(b"\xc4\x02ab").unwrap(), value);
    assert_eq!(bytes::BytesMut::unpack(b"\x92ab").unwrap(), value);
    assert!(bytes::Bytes::unpack(b"\xc4\x03ab").unwrap_err().is_eof());
}

#[test]
fn uuids_are_read_in_every_form() {
    let uuid = uuid::Uuid::from_u128(0x0011_2233_4455_6677_8899_aabb_ccdd_eeff);
    let text = uuid.pack_to_vec();
    assert_eq!(text, "00112233-4455-6677-8899-aabbccddeeff".pack_to_vec());
    let ext = [&[0xd8, 85][..], uuid.as_bytes()].concat();
    for bytes in [text, ext, uuid.as_bytes().pack_to_vec()] {
        assert_eq!(uuid::Uuid::unpack(&bytes).unwrap(), uuid);
    }
    assert_eq!(
        uuid::Uuid::unpack(b"\xa1x").unwrap_err().kind(),
        ErrorKind::TypeMismatch
    );
    assert_eq!(
        uuid::Uuid::unpack(&[0xd4, 85, 0]).unwrap_err().kind(),
        ErrorKind::InvalidExt
    );
}

/// A field of a type that packs times reads the timestamps of the other path without `with`.
#[test]
fn serde_reads_timestamps_into_types_of_times() {
    #[derive(serde::Deserialize, PartialEq, Debug)]
    struct Times {
        chrono: chrono::DateTime<chrono::Utc>,
        time: time::OffsetDateTime,
        jiff: jiff::Timestamp,
        system: Option<std::time::SystemTime>,
    }
    for (seconds, nanoseconds) in [
        (0, 0),
        (1_767_323_045, 500_000_000),
        (1_709_164_800, 7),
        (253_402_207_200, 999_999_999),
    ] {
        let at = Timestamp::new(seconds, nanoseconds).unwrap();
        let fields = ["chrono", "time", "jiff", "system"].map(|name| (name, at));
        let times = Times {
            chrono: at.try_into().unwrap(),
            time: at.try_into().unwrap(),
            jiff: at.try_into().unwrap(),
            system: Some(at.try_into().unwrap()),
        };
        let map = std::collections::BTreeMap::from(fields).pack_to_vec();
        assert_eq!(packord::serde::from_slice::<Times>(&map).unwrap(), times);
        let array = (times.chrono, times.time, times.jiff, times.system).pack_to_vec();
        assert_eq!(packord::serde::from_slice::<Times>(&array).unwrap(), times);
    }
    let before = packed(-1, 999_999_999);
    let read: time::OffsetDateTime = packord::serde::from_slice(&before).unwrap();
    assert_eq!((read.year(), read.second()), (1969, 59));
    let error = packord::serde::from_slice::<std::time::SystemTime>(&before).unwrap_err();
    assert_eq!(
        (error.kind().name(), error.offset()),
        ("out_of_range", Some(0))
    );
    let far = packed(i64::MAX, 0);
    for kind in [
        packord::serde::from_slice::<time::OffsetDateTime>(&far).map(drop),
        packord::serde::from_slice::<jiff::Timestamp>(&far).map(drop),
        packord::serde::from_slice::<chrono::DateTime<chrono::Utc>>(&far).map(drop),
    ] {
        assert_eq!(kind.unwrap_err().kind(), ErrorKind::OutOfRange);
    }
    // A type that wants a str gets no time.
    let error = packord::serde::from_slice::<String>(&before).unwrap_err();
    assert_eq!(error.detail(), Some("expected a str, found timestamp"));
    let error = packord::serde::from_slice::<&str>(&before).unwrap_err();
    assert_eq!(error.detail(), Some("expected a str, found timestamp"));
}
