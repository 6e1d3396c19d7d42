//! Places where two ways do one job: what one writes the other reads, and both report the same faults.

use packord::serde::{Bytes, Config, from_slice, to_slice, to_vec};
use packord::{
    DecodeOptions, DuplicateKey, EncodeOptions, ErrorKind, MsgPacker, Packable, Timestamp, Unpackable, Value,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;

#[derive(Clone, Debug, PartialEq, MsgPacker, Serialize, Deserialize)]
#[msgpacker(tag = "t")]
#[serde(tag = "t")]
enum Tagged {
    Names(BTreeMap<String, String>),
    Numbers(BTreeMap<String, u8>),
    Flat(Flat),
    Strict(Strict),
}

#[derive(Clone, Debug, PartialEq, MsgPacker, Serialize, Deserialize)]
#[msgpacker(map)]
struct Flat {
    a: u8,
    #[msgpacker(flatten)]
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

#[derive(Clone, Debug, PartialEq, MsgPacker, Serialize, Deserialize)]
#[msgpacker(map, deny_unknown_fields)]
#[serde(deny_unknown_fields)]
struct Strict {
    a: u8,
}

#[test]
fn a_tag_is_no_entry_of_the_content() {
    let rest = BTreeMap::from([("x".to_owned(), 1)]);
    for value in [
        Tagged::Names(BTreeMap::from([("a".into(), "x".into())])),
        Tagged::Numbers(rest.clone()),
        Tagged::Flat(Flat { a: 1, rest }),
        Tagged::Strict(Strict { a: 1 }),
    ] {
        let packed = value.pack_to_vec();
        assert_eq!(Tagged::unpack(&packed).unwrap(), value);
        assert_eq!(to_vec(&value).unwrap(), packed);
        assert_eq!(from_slice::<Tagged>(&packed).unwrap(), value);
        let last = DecodeOptions::new().decode(&packed).unwrap();
        let mut entries = last.as_map().unwrap().clone().into_vec();
        entries.rotate_left(1);
        let turned = packord::to_vec(&Value::from(entries)).unwrap();
        assert_eq!(Tagged::unpack(&turned).unwrap(), value, "the tag at the end");
    }
    let error = Tagged::unpack(b"\x82\xa1t\xa7Numbers\xa1x\xa1y").unwrap_err();
    assert_eq!((error.path(), error.offset()), (Some("$.x"), Some(13)));
    let error = Tagged::unpack(b"\x83\xa1t\xa6Strict\xa1a\x01\xa1b\x02").unwrap_err();
    assert_eq!(error.detail(), Some("unknown field \"b\""));
}

#[allow(clippy::unnecessary_wraps, reason = "the type of the field")]
fn five() -> Option<u8> {
    Some(5)
}

fn is_five(value: &Option<u8>) -> bool {
    *value == Some(5)
}

#[derive(Clone, Debug, Default, PartialEq, MsgPacker, Serialize, Deserialize)]
struct LeftOut {
    first: u8,
    #[msgpacker(default = five)]
    #[serde(default = "five", skip_serializing_if = "is_five")]
    five: Option<u8>,
    #[msgpacker(default)]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    list: Vec<LeftOut>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::option_option, reason = "what double_option is for")]
struct Twice {
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "packord::serde::double_option"
    )]
    o: Option<Option<u8>>,
    #[serde(default, skip_serializing_if = "Value::is_nil")]
    v: Value,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Variant {
    Of {
        a: u8,
        #[serde(default = "five", skip_serializing_if = "is_five")]
        five: Option<u8>,
    },
}

/// Writes structs as arrays, and reads the same value in every way.
#[track_caller]
fn as_arrays<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> Vec<u8> {
    let arrays = Config::new().structs_as_arrays(true);
    let bytes = arrays.to_vec(value).unwrap();
    assert_eq!(arrays.from_slice::<T>(&bytes).unwrap(), *value);
    assert_eq!(rmp_serde::from_slice::<T>(&bytes).unwrap(), *value);
    let mut space = vec![0; bytes.len()];
    assert_eq!(arrays.to_slice(value, &mut space).unwrap(), bytes.len());
    assert_eq!(space, bytes);
    for config in [
        arrays.clone().canonical(true),
        arrays.clone().encode_options(EncodeOptions::new().columns(true)),
    ] {
        let written = config.to_vec(value).unwrap();
        let read = config.decode_options(DecodeOptions::new().columns(true));
        assert_eq!(read.from_slice::<T>(&written).unwrap(), *value);
    }
    bytes
}

#[test]
fn a_field_that_is_left_out_of_an_array_is_never_another_value() {
    let value = |five, list, name: Option<&str>| LeftOut {
        first: 1,
        five,
        list,
        name: name.map(str::to_owned),
    };
    for five in [None, Some(5), Some(6)] {
        for name in [None, Some("x")] {
            let inner = value(five, Vec::new(), name);
            for list in [Vec::new(), vec![inner.clone(), value(None, vec![inner], None)]] {
                let value = value(five, list, name);
                let bytes = as_arrays(&value);
                assert_eq!(LeftOut::unpack(&bytes).unwrap(), value);
            }
        }
    }
    assert_eq!(as_arrays(&value(None, Vec::new(), None)), b"\x82\x00\x01\x01\xc0");
    for o in [None, Some(None), Some(Some(1))] {
        for v in [Value::Nil, Value::from(1)] {
            as_arrays(&Twice { o, v });
        }
    }
    for five in [None, Some(5), Some(6)] {
        as_arrays(&Variant::Of { a: 1, five });
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Tuple(
    u8,
    #[serde(default, skip_serializing_if = "Option::is_none")] Option<u8>,
    #[serde(default)] u8,
);

#[test]
fn a_tuple_struct_without_a_field_is_an_error() {
    let bytes = to_vec(&Tuple(1, None, 3)).unwrap();
    assert_eq!(bytes, b"\x92\x01\x03");
    let error = from_slice::<Tuple>(&bytes).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::TypeMismatch, Some(0)));
    let whole = Tuple(1, Some(2), 3);
    assert_eq!(from_slice::<Tuple>(&to_vec(&whole).unwrap()).unwrap(), whole);
    // With a longer header.
    let error = from_slice::<Tuple>(b"\xdc\0\x02\x01\x03").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TypeMismatch);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "_ExtStruct")]
struct RmpExt((i8, serde_bytes::ByteBuf));

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Buffered<T> {
    first: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, T>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged<T> {
    Number(u8),
    Of(T),
}

#[track_caller]
fn through_the_buffer<T>(value: &T)
where
    T: Serialize + DeserializeOwned + Clone + PartialEq + Debug,
{
    let rest = BTreeMap::from([("x".to_owned(), value.clone())]);
    let buffered = Buffered { first: 1, rest };
    let bytes = to_vec(&buffered).unwrap();
    assert_eq!(from_slice::<Buffered<T>>(&bytes).unwrap(), buffered);
    let untagged = [Untagged::Number(1), Untagged::Of(value.clone())];
    let bytes = to_vec(&untagged).unwrap();
    assert_eq!(from_slice::<[Untagged<T>; 2]>(&bytes).unwrap(), untagged);
}

#[test]
fn exts_pass_through_the_buffer_of_serde() {
    for payload in [&b""[..], b"a", b"abc", &[7; 300]] {
        for kind in [-128, -2, 5, 127] {
            through_the_buffer(&RmpExt((kind, payload.to_vec().into())));
            through_the_buffer(&rmpv::Value::Ext(kind, payload.to_vec()));
            through_the_buffer(&packord::Ext::new(kind, payload));
            through_the_buffer(&Value::from(packord::Ext::new(kind, payload)));
        }
    }
    for at in [Timestamp::new(1, 0), Timestamp::new(-1, 7)] {
        through_the_buffer(&at.unwrap());
        through_the_buffer(&Value::from(at.unwrap()));
    }
    // JSON has an array of the bytes.
    let ext = packord::Ext::new(-5, b"abc");
    let json = serde_json::to_string(&ext).unwrap();
    assert_eq!(serde_json::from_str::<packord::Ext>(&json).unwrap(), ext);
}

/// The table of the guide, row by row.
#[test]
fn what_the_buffer_of_serde_forbids_is_as_the_guide_says() {
    fn refused<T: Serialize + DeserializeOwned>(config: &Config, value: T) -> &'static str {
        let rest = BTreeMap::from([("x".to_owned(), value)]);
        let bytes = config.to_vec(&Buffered { first: 1, rest }).unwrap();
        match config.from_slice::<Buffered<T>>(&bytes) {
            Ok(_) => "read",
            Err(error) => error.kind().name(),
        }
    }
    let new = Config::new();
    for bytes in [Bytes::ByType, Bytes::Detected] {
        let config = Config::new().bytes(bytes);
        assert_eq!(refused(&config, b"hi".to_vec()), "type_mismatch");
        assert_eq!(refused(&config, serde_bytes::ByteBuf::from("hi")), "read");
        let taken = config.to_vec(&Untagged::Of(b"hi".to_vec())).unwrap();
        let text: Untagged<String> = config.from_slice(&taken).unwrap();
        assert_eq!(text, Untagged::Of("hi".to_owned()));
    }
    let whole = to_vec(&Untagged::Of(9_007_199_254_740_993_i64)).unwrap();
    let rounded: Untagged<f64> = from_slice(&whole).unwrap();
    assert_eq!(rounded, Untagged::Of(9_007_199_254_740_992.0));
    assert_eq!(refused(&new, 5_u128), "custom");
    let address = std::net::IpAddr::from([127, 0, 0, 1]);
    assert_eq!(refused(&new, address), "type_mismatch");
    assert_eq!(refused(&Config::new().human_readable(true), address), "read");
    let arrays = Config::new().structs_as_arrays(true);
    let variant = arrays.to_vec(&Structs::Of { a: 1 }).unwrap();
    let error = arrays.from_slice::<Structs>(&variant).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Custom);
    let raw = packord::RawMessage::new(b"\x01".to_vec()).unwrap();
    assert_eq!(refused(&new, raw), "type_mismatch");
    let ext = to_vec(&Untagged::Of(packord::Ext::new(5, b"abc"))).unwrap();
    assert!(from_slice::<Borrowed<'_>>(&ext).is_err());
    let at = BTreeMap::from([("x", Timestamp::new(5, 0).unwrap())]).pack_to_vec();
    type Flattened<T> = Buffered<T>;
    let with_first = [b"\x82\xa5first\x01", &at[1..]].concat();
    assert!(from_slice::<Flattened<Timestamp>>(&with_first).is_ok());
    let times = from_slice::<Flattened<chrono::DateTime<chrono::Utc>>>(&with_first);
    assert_eq!(times.unwrap_err().kind(), ErrorKind::TypeMismatch);
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Structs {
    Of { a: u8 },
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Borrowed<'a> {
    Of(
        #[serde(borrow)]
        #[allow(dead_code)]
        packord::ValueRef<'a>,
    ),
}

#[derive(Clone, Debug, PartialEq, MsgPacker, Serialize, Deserialize)]
enum Shape {
    Square { side: u8, name: Option<String> },
    Point,
    Line(u8, u8),
}

#[derive(Clone, Debug, PartialEq, MsgPacker, Serialize, Deserialize)]
struct Moments {
    system: std::time::SystemTime,
    chrono: chrono::DateTime<chrono::Utc>,
    offset: chrono::DateTime<chrono::FixedOffset>,
    time: time::OffsetDateTime,
    jiff: jiff::Timestamp,
    uuid: uuid::Uuid,
    lasts: std::time::Duration,
    maybe: Option<time::OffsetDateTime>,
}

#[track_caller]
fn both_ways<T>(value: &T)
where
    T: Packable + Unpackable + Serialize + DeserializeOwned + PartialEq + Debug,
{
    let packed = value.pack_to_vec();
    assert_eq!(
        from_slice::<T>(&packed).unwrap(),
        *value,
        "serde reads what derive writes"
    );
    let rich = EncodeOptions::new().rich(true).pack(value).unwrap();
    assert_eq!(from_slice::<T>(&rich).unwrap(), *value, "and with exts");
    for config in [
        Config::new(),
        Config::new().structs_as_arrays(true),
        Config::new().human_readable(true),
    ] {
        let bytes = config.to_vec(value).unwrap();
        let read = T::unpack(&bytes);
        if !matches!(&read, Ok(read) if read == value) {
            // A type in its human-readable form may have text of its own.
            let is_text = config.to_vec(&std::net::Ipv4Addr::LOCALHOST).unwrap()[0] == 0xa9;
            assert!(is_text, "{read:?}");
        }
    }
}

#[test]
fn derive_and_serde_read_each_other() {
    let shapes = [
        Shape::Square { side: 4, name: None },
        Shape::Square {
            side: 4,
            name: Some("x".into()),
        },
        Shape::Point,
        Shape::Line(1, 2),
    ];
    for shape in &shapes {
        both_ways(shape);
    }
    both_ways(&shapes.to_vec());
    for (seconds, nanoseconds) in [(0, 0), (1_767_323_045, 500_000_000), (1_709_164_800, 7)] {
        let at = Timestamp::new(seconds, nanoseconds).unwrap();
        both_ways(&Moments {
            system: at.try_into().unwrap(),
            chrono: at.try_into().unwrap(),
            offset: at.try_into().unwrap(),
            time: at.try_into().unwrap(),
            jiff: at.try_into().unwrap(),
            uuid: uuid::Uuid::from_u128(0x0011_2233_4455_6677_8899_aabb_ccdd_eeff),
            lasts: std::time::Duration::new(90, 5),
            maybe: Some(at.try_into().unwrap()),
        });
    }
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
    let addresses = [IpAddr::from([127, 0, 0, 200]), IpAddr::V6(Ipv6Addr::LOCALHOST)];
    for ip in addresses {
        both_ways(&ip);
        both_ways(&vec![(SocketAddr::new(ip, 80), Some(ip))]);
        both_ways(&BTreeMap::from([(ip, uuid::Uuid::from_u128(7))]));
    }
    both_ways(&(Ipv4Addr::LOCALHOST, Ipv6Addr::LOCALHOST));
    for day in [1, 60, 366] {
        let date = time::Date::from_ordinal_date(2024, day).unwrap();
        let moment = time::Time::from_hms_nano(12, 30, 5, 7).unwrap();
        both_ways(&(date, moment, time::PrimitiveDateTime::new(date, moment)));
    }
    for seconds in [-90, 0, 90] {
        let delta = chrono::TimeDelta::milliseconds(seconds * 1000 + 250);
        both_ways(&(
            time::Duration::new(seconds, 0),
            delta,
            jiff::SignedDuration::from_secs(seconds),
        ));
    }
    let (date, moment) = (jiff::civil::date(2024, 2, 29), jiff::civil::time(23, 59, 59, 7));
    both_ways(&(date, moment, date.at(1, 2, 3, 4)));
    let date = chrono::NaiveDate::from_ymd_opt(2024, 2, 29).unwrap();
    both_ways(&(date, chrono::NaiveTime::MIN, date.and_hms_opt(1, 2, 3).unwrap()));
    for [year, day] in [[2023, 366], [2024, 0], [i64::MAX, 1], [2024, i64::MIN]] {
        assert!(time::Date::unpack(&[year, day].pack_to_vec()).is_err());
    }
    let half = [-2_i64, 500_000_000].pack_to_vec();
    assert_eq!(
        chrono::TimeDelta::unpack(&half).unwrap(),
        chrono::TimeDelta::milliseconds(-1500)
    );
    assert_eq!(
        from_slice::<chrono::TimeDelta>(&half).unwrap(),
        chrono::TimeDelta::milliseconds(-1500)
    );
    let least = to_vec("-PT9223372036854775808.5S").unwrap();
    let error = from_slice::<chrono::TimeDelta>(&least).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfRange);
    assert!(chrono::TimeDelta::unpack(&[i64::MAX, i64::MAX].pack_to_vec()).is_err());
    // Other tuples do not read the string of a time, and no str reads as something else.
    assert!(from_slice::<(i64, u16)>(&to_vec("2024-02-29").unwrap()).is_err());
    assert!(from_slice::<[u8; 4]>(&to_vec("127.0.0.1").unwrap()).is_err());
    let negative = to_vec("-PT5S").unwrap();
    let error = from_slice::<std::time::Duration>(&negative).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfRange);
}

#[derive(Debug, PartialEq, MsgPacker)]
#[msgpacker(map)]
struct Aliased {
    #[msgpacker(alias = "b")]
    a: u8,
}

#[test]
fn a_name_beside_its_alias_is_a_key_twice() {
    let bytes = b"\x82\xa1a\x01\xa1b\x02";
    assert_eq!(Aliased::unpack(bytes).unwrap(), Aliased { a: 2 });
    let strict = DecodeOptions::new().duplicate_key(DuplicateKey::Error);
    for bytes in [bytes, b"\x82\xa1b\x01\xa1a\x02"] {
        let error = strict.unpack::<Aliased>(bytes).unwrap_err();
        assert_eq!(
            (error.kind(), error.offset(), error.path()),
            (ErrorKind::DuplicateKey, Some(4), Some("$"))
        );
    }
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, MsgPacker, Serialize, Deserialize)]
#[msgpacker(map)]
struct CompositeKey {
    of: Vec<u8>,
    #[msgpacker(default)]
    #[serde(default)]
    kind: Option<Tag>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, MsgPacker, Serialize, Deserialize)]
enum Tag {
    A,
}

#[test]
fn a_fault_within_a_key_has_the_path_of_the_map() {
    let within = |key: &[u8]| [b"\x92\x80\x81", key, b"\x07"].concat();
    for (bytes, at, detail) in [
        (within(b"\x81\xa2of\x92\x01\xc0"), 9, "expected an integer, found nil"),
        (within(b"\x80"), 3, "missing field \"of\""),
        (within(b"\x82\xa2of\x90\xa4kind\xa1B"), 13, "unknown variant \"B\""),
    ] {
        let typed = Vec::<BTreeMap<CompositeKey, u8>>::unpack(&bytes).unwrap_err();
        let records = DecodeOptions::new().records(true);
        let by_records = records.unpack::<Vec<BTreeMap<CompositeKey, u8>>>(&bytes).unwrap_err();
        let marked = Marked::unpack(&[b"\x91", &bytes[2..]].concat()).unwrap_err();
        assert_eq!((marked.path(), marked.detail()), (Some("$.entries"), Some(detail)));
        let serde = from_slice::<Vec<BTreeMap<CompositeKey, u8>>>(&bytes).unwrap_err();
        for error in [typed, by_records, serde] {
            assert_eq!(
                (error.path(), error.offset(), error.detail()),
                (Some("$[1]"), Some(at), Some(detail))
            );
        }
    }
}

#[derive(Debug, PartialEq, MsgPacker)]
struct Marked {
    #[msgpacker(map)]
    entries: BTreeMap<CompositeKey, u8>,
}

/// Some of these types are tuples of as many numbers in serde.
#[test]
fn a_time_of_one_kind_is_not_read_as_another() {
    fn check<T: Unpackable + Packable + DeserializeOwned + Debug>(values: &[Vec<u8>], own: usize) {
        for (index, bytes) in values.iter().enumerate() {
            let typed = T::unpack(bytes).map_err(|error| (error.kind(), error.offset()));
            // With the feature `parsing` of the crate `time`, its types look at text themselves.
            let kind = |kind| {
                if kind == ErrorKind::Custom {
                    ErrorKind::TypeMismatch
                } else {
                    kind
                }
            };
            let serde = from_slice::<T>(bytes).map_err(|error| (kind(error.kind()), error.offset()));
            let mismatch = (ErrorKind::TypeMismatch, Some(0));
            for outcome in [typed, serde] {
                assert_eq!(outcome.err(), (index % 4 != own).then_some(mismatch), "{bytes:02x?}");
            }
        }
    }
    let date = time::Date::from_ordinal_date(2024, 5).unwrap();
    let time = time::Time::from_hms_nano(12, 30, 5, 7).unwrap();
    let duration = time::Duration::new(90, 5);
    let both = time::PrimitiveDateTime::new(date, time);
    let of = |options: EncodeOptions| {
        let (date, time) = (options.pack(&date).unwrap(), options.pack(&time).unwrap());
        [
            date,
            time,
            options.pack(&duration).unwrap(),
            options.pack(&both).unwrap(),
        ]
    };
    let values = [of(EncodeOptions::new()), of(EncodeOptions::new().rich(true))].concat();
    check::<time::Date>(&values, 0);
    check::<time::Time>(&values, 1);
    check::<time::Duration>(&values, 2);
    check::<chrono::TimeDelta>(&values, 2);
    check::<time::PrimitiveDateTime>(&values, 3);
}

#[derive(Debug, PartialEq, MsgPacker)]
#[msgpacker(map)]
struct Flattened {
    q: u8,
    #[msgpacker(flatten)]
    al: Several,
}

#[derive(Debug, PartialEq, MsgPacker)]
#[msgpacker(map)]
struct Several {
    #[msgpacker(alias = "x", alias = "y")]
    a: u8,
}

#[derive(Debug, PartialEq, MsgPacker)]
#[msgpacker(tag = "t")]
enum Inner {
    One(Several),
}

#[test]
fn a_flattened_name_beside_its_alias_is_a_key_twice() {
    let options = DecodeOptions::new().records(true);
    let strict = options.clone().duplicate_key(DuplicateKey::Error);
    let told = |error: packord::Error| (error.kind(), error.offset(), error.path().map(str::to_owned));
    let twice = |at| (ErrorKind::DuplicateKey, Some(at), Some("$".to_owned()));
    let record = b"\xd4\x72\x40\x93\xa1a\xa1x\xa1q\x01\x02\x01";
    for (bytes, at) in [
        (&b"\x83\xa1a\x01\xa1x\x02\xa1q\x01"[..], 4),
        (b"\x83\xa1q\x01\xa1y\x01\xa1x\x02", 7),
        (record, 0),
    ] {
        let (q, al) = (1, Several { a: 2 });
        assert_eq!(options.unpack::<Flattened>(bytes).unwrap(), Flattened { q, al });
        assert_eq!(told(strict.unpack::<Flattened>(bytes).unwrap_err()), twice(at));
    }
    let tagged = b"\x83\xa1t\xa3One\xa1a\x01\xa1x\x02";
    assert_eq!(options.unpack::<Inner>(tagged).unwrap(), Inner::One(Several { a: 2 }));
    assert_eq!(told(strict.unpack::<Inner>(tagged).unwrap_err()), twice(10));
}

#[test]
fn a_slice_of_the_exact_length_is_enough() {
    let numbers: Vec<u8> = vec![200; 32];
    for config in [
        Config::new().bytes(Bytes::Detected),
        Config::new().bytes(Bytes::ByType),
        Config::new(),
    ] {
        let bytes = config.to_vec(&numbers).unwrap();
        let mut space = vec![0; bytes.len()];
        assert_eq!(config.to_slice(&numbers, &mut space).unwrap(), bytes.len());
        assert_eq!(space, bytes);
        let error = config.to_slice(&numbers, &mut space[1..]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BufferFull);
    }
    let _ = to_slice(&1, &mut [0]).unwrap();
}

macro_rules! many {
    ($($field:ident)*) => {
        #[derive(Debug, PartialEq, MsgPacker)]
        #[msgpacker(map)]
        struct Many { $($field: u8,)* }

        #[derive(Debug, PartialEq, MsgPacker)]
        #[msgpacker(map)]
        struct Around {
            #[msgpacker(flatten)]
            many: Many,
        }

        fn many() -> Many {
            Many { $($field: 7,)* }
        }
    };
}
many!(f0 f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24 f25 f26 f27 f28 f29 f30 f31 f32 f33 f34 f35 f36 f37 f38 f39 f40 f41 f42 f43 f44 f45 f46 f47 f48 f49 f50 f51 f52 f53 f54 f55 f56 f57 f58 f59 f60 f61 f62 f63 f64 f65 f66 f67 f68 f69 f70 f71 f72 f73 f74 f75 f76 f77 f78 f79 f80 f81 f82 f83 f84 f85 f86 f87 f88 f89 f90 f91 f92 f93 f94 f95 f96 f97 f98 f99 f100 f101 f102 f103 f104 f105 f106 f107 f108 f109 f110 f111 f112 f113 f114 f115 f116 f117 f118 f119 f120 f121 f122 f123 f124 f125 f126 f127 f128 f129 f130 f131 f132 f133 f134 f135 f136 f137 f138 f139 f140 f141 f142 f143 f144 f145 f146 f147 f148 f149);

#[test]
fn a_map_may_have_many_fields() {
    let bytes = many().pack_to_vec();
    assert_eq!(bytes[..3], [0xde, 0, 150]);
    assert_eq!(Many::unpack(&bytes).unwrap(), many());
    assert_eq!(Around { many: many() }.pack_to_vec(), bytes);
    assert_eq!(Around::unpack(&bytes).unwrap(), Around { many: many() });
}
