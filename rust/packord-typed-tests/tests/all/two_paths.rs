//! The two typed paths read each other: the derives read what serde writes, and serde what the
//! derives write, in each form.

use packord::serde::Config;
use packord::{DecodeOptions, EncodeOptions, MsgPacker, MsgPackerBorrowed, Packable, Unpackable};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

macro_rules! forms {
    ($($name:ident $layout:ident)*) => {$(
        #[derive(Serialize, Deserialize, MsgPacker, PartialEq, Debug, Clone)]
        #[msgpacker($layout)]
        struct $name {
            id: u64,
            name: String,
            #[serde(default, skip_serializing_if = "is_zero")]
            #[msgpacker(default)]
            size: u8,
            #[serde(skip_serializing_if = "Option::is_none")]
            email: Option<String>,
            parts: Vec<$name>,
            shape: Shape,
            places: BTreeMap<String, (f64, f64)>,
        }

        impl $name {
            fn example(depth: u8) -> $name {
                $name {
                    id: 1 << depth,
                    name: "é".repeat(depth.into()),
                    size: depth / 2,
                    email: (depth % 2 == 0).then(|| "a@example.org".to_owned()),
                    parts: (0..depth).map($name::example).collect(),
                    shape: if depth == 1 { Shape::Dot } else { Shape::Circle(0.5) },
                    places: BTreeMap::from([("here".to_owned(), (1.5, -2.0))]),
                }
            }
        }

        impl Example for $name {
            fn example() -> $name {
                $name::example(3)
            }
        }
    )*};
}

forms! { Array array Map map Record record }

#[derive(Serialize, Deserialize, MsgPacker, PartialEq, Debug, Clone)]
enum Shape {
    Dot,
    Circle(f64),
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature of serde")]
fn is_zero(size: &u8) -> bool {
    *size == 0
}

trait Example: Sized {
    fn example() -> Self;
}

fn check<T>()
where
    T: Example + Serialize + for<'de> Deserialize<'de> + Packable + Unpackable,
    T: PartialEq + std::fmt::Debug,
{
    let example = T::example();
    let by_derive = [
        example.pack_to_vec(),
        EncodeOptions::new().canonical(true).pack(&example).unwrap(),
    ];
    let by_serde = [
        Config::new(),
        Config::new().structs_as_arrays(true),
        Config::new().canonical(true),
    ]
    .map(|config| config.to_vec(&example).unwrap());
    for bytes in by_derive.iter().chain(&by_serde) {
        assert_eq!(T::unpack(bytes).unwrap(), example);
        assert_eq!(T::unpack_iter(bytes.iter().copied()).unwrap().1, example);
        assert_eq!(packord::serde::from_slice::<T>(bytes).unwrap(), example);
    }
    let records = EncodeOptions::new().records(true);
    let reads = DecodeOptions::new().records(true);
    let bytes = records.pack(&example).unwrap();
    assert_eq!(reads.unpack::<T>(&bytes).unwrap(), example);
    let config = Config::new().records(true);
    assert_eq!(config.from_slice::<T>(&bytes).unwrap(), example);
}

#[test]
fn each_path_reads_each_form_that_the_other_writes() {
    check::<Array>();
    check::<Map>();
    check::<Record>();
}

#[test]
fn a_borrowed_struct_reads_both_forms() {
    #[derive(Serialize, MsgPackerBorrowed, PartialEq, Debug)]
    struct User<'a> {
        name: &'a str,
        id: u8,
    }
    let user = User { name: "Ann", id: 7 };
    for bytes in [&b"\x82\xa4name\xa3Ann\xa2id\x07"[..], b"\x92\xa3Ann\x07"] {
        let read = <User as packord::UnpackableBorrowed>::unpack(bytes).unwrap();
        assert_eq!(read, user);
    }
}

#[test]
fn faults_of_the_other_form_have_their_place() {
    #[derive(MsgPacker, Debug)]
    struct Point {
        #[allow(dead_code, reason = "only read")]
        x: u8,
        #[allow(dead_code, reason = "only read")]
        y: u8,
    }
    #[derive(MsgPacker, Debug)]
    #[msgpacker(map, deny_unknown_fields)]
    struct Named {
        #[allow(dead_code, reason = "only read")]
        x: u8,
    }
    fn fault<T: Unpackable>(bytes: &[u8]) -> (String, u64, String) {
        let error = T::unpack(bytes).err().unwrap();
        let path = error.path().unwrap().to_owned();
        let text = format!("{} {}", error.kind(), error.detail().unwrap_or_default());
        (text, error.offset().unwrap(), path)
    }
    let of = |text: &str, offset, path: &str| (text.to_owned(), offset, path.to_owned());
    assert_eq!(
        fault::<Point>(b"\x82\xa1x\x01\xa1y\xc0"),
        of("type_mismatch expected an integer, found nil", 6, "$.y")
    );
    assert_eq!(
        fault::<Point>(b"\x81\xa1x\x01"),
        of("type_mismatch missing field \"y\"", 0, "$")
    );
    assert_eq!(
        fault::<Point>(b"\xa1x"),
        of("type_mismatch expected an array, found str", 0, "$")
    );
    assert_eq!(
        fault::<Named>(b"\x92\x01\x02"),
        of("type_mismatch the array has more elements than the type", 0, "$")
    );
    assert_eq!(
        fault::<Named>(b"\x07"),
        of("type_mismatch expected a map, found integer", 0, "$")
    );
    // Neither form outgrows the input or the stack.
    assert_eq!(fault::<Point>(b"\xdf\xff\xff\xff\xff\xa1x").0, "eof ");
    assert_eq!(fault::<Named>(b"\xdd\xff\xff\xff\xff\x01").0, "eof ");
    let deep = [b"\x81\xa5parts\x91".repeat(5000), vec![0x80]].concat();
    assert_eq!(fault::<Array>(&deep).0, "depth_limit ");
}

/// Values at fault in their payload, of which the marker tells the type.
const AT_FAULT: [&[u8]; 13] = [
    b"\xc4\x05a",
    b"\xc4\x05",
    b"\xc5\x00",
    b"\xa5a",
    b"\xa1\xff",
    b"\xd9\x20\xff",
    b"\x95\x01",
    b"\x85\x01",
    b"\xdc\x00",
    b"\xdc\x00\x05\x01",
    b"\xde\x00\x05\x01",
    b"\xcd\x01",
    b"\xcb\x01",
];

const TEXT: &[&[u8]] = &[b"\xa5a", b"\xa1\xff", b"\xd9\x20\xff"];
const BIGINT: &[u8] = b"\xc7\x09\x42\x01";
const UUID: &[u8] = b"\xd8\x55\x01";
const DATE: &[u8] = b"\xd6\x57\x01";
const TIME: &[u8] = b"\xd6\x58\x01";
const DURATION: &[u8] = b"\xd6\x59\x01";
const CUT_TIMESTAMP: &[u8] = b"\xd6\xff\x00";
const TIMESTAMP: &[u8] = b"\xd4\xff\x00";

#[test]
fn a_wrong_type_and_a_fault_are_told_in_one_order() {
    let mut differ = Vec::new();
    macro_rules! check {
        ($($values:expr => $($type:ty),*;)*) => {$($(
            for bytes in $values {
                let typed = <$type as Unpackable>::unpack(bytes).map_err(|error| (error.kind(), error.offset()));
                let read = packord::from_slice::<$type>(bytes).map_err(|error| (error.kind(), error.offset()));
                if typed != read {
                    differ.push(format!("{} {bytes:02x?}: typed {typed:?} serde {read:?}", stringify!($type)));
                }
            }
        )*)*};
    }
    check! {
        AT_FAULT => u8, i64, i128, u128, f32, f64, bool, char, (), String, Box<str>, std::path::PathBuf;
        AT_FAULT => Option<u8>, Option<String>, Vec<u8>, [u8; 2], BTreeMap<String, u8>, std::num::NonZeroU8;
        AT_FAULT => Array, Map, Shape, packord::Value, std::time::Duration, std::time::SystemTime;
        AT_FAULT => std::net::IpAddr, uuid::Uuid, std::ops::Range<u8>;
        // Types of which one path reads arrays or bins, and the other does not.
        TEXT => chrono::DateTime<chrono::Utc>, chrono::NaiveDate, chrono::NaiveTime, chrono::TimeDelta;
        TEXT => time::PrimitiveDateTime, time::Date, time::Time, time::Duration;
        TEXT => jiff::Timestamp, jiff::SignedDuration, jiff::civil::Date, jiff::civil::Time, packord::Timestamp;
        [BIGINT, UUID, DATE, TIME, DURATION, TIMESTAMP, CUT_TIMESTAMP] => u8, f64, String, Vec<u8>, Map, packord::Value;
        [BIGINT] => i128, u128;
        [UUID] => uuid::Uuid;
        [DATE] => chrono::NaiveDate, time::Date, jiff::civil::Date;
        [TIME] => chrono::NaiveTime, time::Time, jiff::civil::Time;
        [DURATION] => chrono::TimeDelta, time::Duration, jiff::SignedDuration, std::time::Duration;
        [TIMESTAMP, CUT_TIMESTAMP] => chrono::DateTime<chrono::Utc>, time::OffsetDateTime, jiff::Timestamp;
        [TIMESTAMP, CUT_TIMESTAMP] => std::time::SystemTime, packord::Timestamp;
        [TIMESTAMP, CUT_TIMESTAMP] => chrono::NaiveDate, jiff::civil::Time, jiff::SignedDuration, std::time::Duration;
    }
    assert_eq!(differ, Vec::<String>::new());
}
