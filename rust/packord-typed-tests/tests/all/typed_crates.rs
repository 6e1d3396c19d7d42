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
        assert_eq!((read.unix_timestamp(), read.nanosecond()), (seconds, nanoseconds));
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
            chrono::DateTime::<chrono::Utc>::unpack(&bytes).unwrap_err().kind(),
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
    assert_eq!((error.kind().name(), error.offset()), ("out_of_range", Some(0)));
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

/// JavaScript's undefined is not a value of a type, so it is absent where a type may be.
#[test]
fn undefined_is_absent() {
    #[derive(Debug, PartialEq, packord::MsgPacker, serde::Deserialize)]
    #[msgpacker(map)]
    struct Row {
        id: Option<Vec<u8>>,
        size: Option<i64>,
    }
    let bytes = b"\x82\xa2id\xd4\0\0\xa4size\xc7\x01\0\0";
    let row = Row { id: None, size: None };
    assert_eq!(Row::unpack(bytes).unwrap(), row);
    assert_eq!(packord::serde::from_slice::<Row>(bytes).unwrap(), row);
    for bytes in [b"\xd4\0\0".to_vec(), b"\xc8\0\x01\0\0".to_vec()] {
        assert_eq!(Option::<u8>::unpack(&bytes), Ok(None));
        assert_eq!(packord::serde::from_slice(&bytes), Ok(None::<u8>));
        let strict = packord::DecodeOptions::new().unknown_ext(packord::UnknownExt::Error);
        assert_eq!(strict.unpack(&bytes), Ok(None::<String>));
        let config = packord::serde::Config::new().decode_options(strict);
        assert_eq!(config.from_slice(&bytes), Ok(None::<String>));
        assert_eq!(u8::unpack(&bytes).unwrap_err().kind(), ErrorKind::TypeMismatch);
    }
    let other = Option::<u8>::unpack(b"\xd4\0\x01").unwrap_err();
    assert_eq!(other.kind(), ErrorKind::TypeMismatch);
}

/// A field that has a default takes undefined as it takes a key that is missing.
#[test]
fn undefined_is_the_default_of_a_field() {
    #[derive(Debug, Default, PartialEq, packord::MsgPacker)]
    #[msgpacker(map)]
    struct Row {
        #[msgpacker(default)]
        size: u32,
        #[msgpacker(default)]
        names: Vec<String>,
        id: u8,
    }
    #[derive(Debug, PartialEq, packord::MsgPacker, serde::Deserialize)]
    struct Place {
        #[msgpacker(default)]
        #[serde(default)]
        x: u8,
        y: u8,
    }

    let row = Row {
        id: 7,
        ..Row::default()
    };
    let read = [
        &b"\x83\xa4size\xd4\0\0\xa5names\xc7\x01\0\0\xa2id\x07"[..],
        b"\x83\xa5names\xd4\0\0\xa2id\x07\xa4size\xd4\0\0",
        b"\x93\xd4\0\0\xd4\0\0\x07",
    ];
    for bytes in read {
        assert_eq!(Row::unpack(bytes).as_ref(), Ok(&row), "{bytes:x?}");
    }
    let record = b"\xd4\x72\x40\x93\xa4size\xa5names\xa2id\xd4\0\0\xd4\0\0\x07";
    let records = packord::DecodeOptions::new().records(true);
    assert_eq!(records.unpack::<Row>(record).as_ref(), Ok(&row));
    let twice = [&b"\x92"[..], record, b"\x40\xd4\0\0\xd4\0\0\x07"].concat();
    assert_eq!(records.unpack::<[Row; 2]>(&twice).unwrap()[1], row);
    assert!(Row::unpack(b"\x81\xa2id\xd4\0\0").is_err());
    assert!(Row::unpack(b"\x82\xa4size\xd4\0\x01\xa2id\x07").is_err());

    let bytes = b"\x92\xd4\0\0\x03";
    assert_eq!(Place::unpack(bytes), Ok(Place { x: 0, y: 3 }));
    assert_eq!(packord::serde::from_slice(bytes), Ok(Place { x: 0, y: 3 }));
    let bytes = b"\x92\x01\xd4\0\0";
    assert!(Place::unpack(bytes).is_err());
    assert!(packord::serde::from_slice::<Place>(bytes).is_err());
}

/// A value that is kept as it is reads a bigint as the decoder of values does.
#[test]
fn bigints_within_values() {
    use packord::{DecodeOptions, Value};
    let bytes = b"\x91\xc7\x02\x42\0\x05";
    for on in [false, true] {
        let options = DecodeOptions::new().bigint(on);
        let decoded = options.decode(bytes).unwrap();
        assert_eq!(options.unpack::<Value>(bytes), Ok(decoded.clone()));
        assert_eq!(
            options.unpack::<Vec<Value>>(bytes).unwrap(),
            decoded.as_array().unwrap()
        );
        let records = options.records(true);
        assert_eq!(records.unpack::<Value>(bytes), Ok(decoded));
    }
}

/// The depth of a set in columns is that which it has outside of them.
#[test]
fn sets_in_columns_are_as_deep_as_outside() {
    use std::collections::BTreeSet;
    // Two arrays around [{1}, {1, 2}].
    let bytes =
        b"\x91\x91\xc7\x16\x5c\x01\x0a\x03\x01\x0a\x07\x02\x01\x20\x02\x25\x56\x05\x01\x02\x91\x01\x92\x01\x02\x02\x03";
    let read = |depth| {
        let options = packord::DecodeOptions::new().columns(true).max_depth(depth);
        options.unpack::<Vec<Vec<Vec<BTreeSet<u8>>>>>(bytes)
    };
    assert_eq!(read(5).unwrap()[0][0], [BTreeSet::from([1]), BTreeSet::from([1, 2])]);
    for depth in [3, 4] {
        let error = read(depth).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::InvalidExt, Some(2)));
    }
    let error = read(2).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::DepthLimit, Some(2)));
}

/// Sets in sets are read once, however deep a payload is: many bytes in the innermost take as long as those in
/// the outermost.
#[test]
fn deep_sets_take_linear_time() {
    use std::collections::BTreeSet;
    use std::time::{Duration, Instant};
    #[derive(PartialEq, Eq, PartialOrd, Ord, packord::MsgPacker)]
    #[msgpacker(untagged)]
    enum Tree {
        Leaf(u32),
        Node(BTreeSet<Tree>),
    }
    let around = |payload: Vec<u8>| {
        let len = u32::try_from(payload.len()).unwrap().to_be_bytes();
        [&b"\xc9"[..], &len, b"\x56", &payload].concat()
    };
    let numbers: Vec<u8> = (0..20_000_u32)
        .flat_map(|i| [&b"\xce"[..], &(i + 70_000).to_be_bytes()].concat())
        .collect();
    let wide = around([&b"\xdc\x4e\x20"[..], &numbers].concat());
    let nested = |levels| (0..levels).fold(wide.clone(), |inner, _| around([&b"\x91"[..], &inner].concat()));
    let time = |bytes: &[u8]| {
        let run = || {
            let begin = Instant::now();
            assert!(BTreeSet::<Tree>::unpack(bytes).is_ok());
            begin.elapsed()
        };
        (0..5).map(|_| run()).min().unwrap()
    };
    let (flat, deep) = (time(&nested(1)), time(&nested(200)));
    // Some milliseconds for what else the machine does.
    assert!(
        deep < flat * 10 + Duration::from_millis(50),
        "{deep:?} for 200 levels, {flat:?} for one"
    );
}

/// What an ext of packord holds is checked, and so is text.
#[test]
fn values_of_exts_are_checked() {
    use std::collections::{BTreeSet, HashSet};
    fn fault<T: Unpackable>(bytes: &[u8]) -> (&'static str, Option<u64>) {
        let error = T::unpack(bytes).err().expect("an error");
        (error.kind().name(), error.offset())
    }
    let invalid = ("invalid_ext", Some(0));
    assert_eq!(fault::<char>(b"\xd5\x52ab"), invalid);
    assert_eq!(fault::<char>(b"\xd4\x52\xff"), invalid);
    assert_eq!(fault::<uuid::Uuid>(b"\xd4\x55\0"), invalid);
    assert_eq!(fault::<chrono::NaiveDate>(b"\xd5\x57\0\0"), invalid);
    assert_eq!(fault::<jiff::civil::Time>(b"\xd7\x58\x80\0\0\0\0\0\0\0"), invalid);
    assert_eq!(fault::<std::time::Duration>(b"\xd4\x59\0"), invalid);
    let sets: [&[u8]; 5] = [
        b"\xd4\x56\x01",
        b"\xd5\x56\x91\xc1",
        b"\xd5\x56\x90\x90",
        b"\xc7\x03\x56\x92\x01\x01",
        b"\xc7\x00\x56",
    ];
    for bytes in sets {
        assert_eq!(fault::<BTreeSet<u8>>(bytes), invalid, "{bytes:x?}");
        assert_eq!(fault::<HashSet<u8>>(bytes), invalid, "{bytes:x?}");
    }
    let mismatch = ("type_mismatch", Some(0));
    assert_eq!(fault::<chrono::NaiveDate>(b"\xa2hi"), mismatch);
    assert_eq!(fault::<chrono::NaiveDate>(b"\xd4\x55\0"), mismatch);
    assert_eq!(fault::<time::Duration>(b"\x05"), mismatch);
    assert_eq!(fault::<BTreeSet<u8>>(b"\xd4\x55\0"), mismatch);
    // The element is read where it is, so the fault has its place.
    let error = BTreeSet::<u8>::unpack(b"\xc7\x03\x56\x92\x01\xc0").unwrap_err();
    assert_eq!(
        (error.kind(), error.offset(), error.path()),
        (ErrorKind::TypeMismatch, Some(5), Some("$[1]"))
    );
    // Records are off within a payload, and on after it.
    let records = packord::DecodeOptions::new().records(true);
    let pair: (BTreeSet<u8>, u8) = records.unpack(b"\x92\xd5\x56\x91\x40\x01").unwrap();
    assert_eq!(pair, (BTreeSet::from([0x40]), 1));
}

/// Values at the ends of their ranges, and leap seconds, which only text holds.
#[test]
fn dates_times_and_durations_at_their_ends_come_back() {
    fn round<T: Packable + Unpackable + PartialEq + std::fmt::Debug>(value: &T) {
        assert_eq!(T::unpack(&value.pack_to_vec()).unwrap(), *value);
        let rich = packord::EncodeOptions::new().rich(true).pack(value).unwrap();
        assert_eq!(T::unpack(&rich).unwrap(), *value);
    }
    round(&chrono::NaiveDate::MIN);
    round(&chrono::NaiveDate::MAX);
    round(&chrono::NaiveDateTime::MIN);
    round(&chrono::TimeDelta::MIN);
    round(&chrono::TimeDelta::MAX);
    let leap = chrono::NaiveTime::from_hms_nano_opt(23, 59, 59, 1_500_000_000).unwrap();
    assert_eq!(leap.pack_to_vec(), b"\xac23:59:60.500");
    round(&leap);
    round(&jiff::civil::DateTime::MIN);
    round(&jiff::civil::DateTime::MAX);
    round(&jiff::SignedDuration::MIN);
    round(&jiff::SignedDuration::MAX);
    round(&time::Date::MIN);
    round(&time::Date::MAX);
    round(&time::Time::MAX);
    round(&time::Duration::MIN);
    round(&time::Duration::MAX);
    round(&std::time::Duration::MAX);
    let leap = jiff::civil::Time::unpack(&leap.pack_to_vec()).unwrap_err();
    assert_eq!(leap.kind(), ErrorKind::OutOfRange);
}

/// Canonical sets are sorted within exts too, where equal elements are found.
#[test]
fn sets_in_canonical_form_are_sorted() {
    use std::collections::BTreeSet;
    let canonical = packord::EncodeOptions::new().canonical(true);
    let set = BTreeSet::from([-1, 1, 2]);
    assert_eq!(canonical.pack(&set).unwrap(), b"\x93\x01\x02\xff");
    let rich = canonical.rich(true).pack(&[set]).unwrap();
    assert_eq!(rich, b"\x91\xd6\x56\x93\x01\x02\xff");
    let deep = packord::EncodeOptions::new().rich(true).max_depth(1);
    let error = deep.pack(&BTreeSet::from([1])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit);
    let wide = BTreeSet::from([vec![0, u128::MAX]]);
    let error = canonical.pack(&wide).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::OutOfRange, Some("$[0][1]")));
}
