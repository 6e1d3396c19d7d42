//! Headers, ext values, timestamps, trees and fields that come and go, from the tests of zerompk.

use super::support::{packs, round};
use super::{Promise, differs, holds};
use packord::encode::Packer;
use packord::io::UnpackReader;
use packord::wire::Fixed;
use packord::{
    DecodeOptions, Error, Ext, MsgPacker, Packable, Timestamp, Unpackable, Value, ValueRef, from_slice, to_vec, value,
};
use std::collections::BTreeMap;
use std::io::{BufReader, Cursor};

pub fn promises() -> Vec<Promise> {
    let mut all = everywhere();
    all.extend(headers());
    all.extend(times());
    all.extend(trees());
    all.extend(evolution());
    all
}

/// What is written has the same bytes in a vector, a slice and a writer.
fn everywhere() -> Vec<Promise> {
    vec![
        holds(3, "nil and booleans have one byte, wherever they go", || {
            packs(&(), b"\xc0");
            packs(&true, b"\xc3");
            packs(&false, b"\xc2");
        }),
        holds(
            4,
            "unsigned integers of each width have the smallest format, wherever they go",
            || {
                packs(&127_u8, b"\x7f");
                packs(&128_u8, b"\xcc\x80");
                packs(&255_u16, b"\xcc\xff");
                packs(&256_u16, b"\xcd\x01\0");
                packs(&65_535_u32, b"\xcd\xff\xff");
                packs(&65_536_u32, b"\xce\0\x01\0\0");
                packs(&u64::from(u32::MAX), b"\xce\xff\xff\xff\xff");
                packs(&(1_u64 << 32), b"\xcf\0\0\0\x01\0\0\0\0");
            },
        ),
        holds(
            4,
            "negative integers of each width have the smallest format, wherever they go",
            || {
                packs(&-32_i8, b"\xe0");
                packs(&-33_i8, b"\xd0\xdf");
                packs(&-128_i16, b"\xd0\x80");
                packs(&-129_i16, b"\xd1\xff\x7f");
                packs(&-32_768_i32, b"\xd1\x80\0");
                packs(&-32_769_i32, b"\xd2\xff\xff\x7f\xff");
                packs(&i64::from(i32::MIN), b"\xd2\x80\0\0\0");
                packs(&(i64::from(i32::MIN) - 1), b"\xd3\xff\xff\xff\xff\x7f\xff\xff\xff");
            },
        ),
        holds(2, "floats keep their width, wherever they go", || {
            packs(&-1.5_f32, b"\xca\xbf\xc0\0\0");
            packs(&0.0_f64, b"\xcb\0\0\0\0\0\0\0\0");
        }),
        holds(
            2,
            "strings and bytes have the smallest header, wherever they go",
            || {
                let text = "x".repeat(256);
                packs("", b"\xa0");
                packs(&text[..31], &[&b"\xbf"[..], &[b'x'; 31]].concat());
                packs(&text[..32], &[&b"\xd9\x20"[..], &[b'x'; 32]].concat());
                packs(&text[..], &[&b"\xda\x01\0"[..], text.as_bytes()].concat());
                packs(&[0_u8; 0][..], b"\xc4\0");
                packs(&[7_u8; 256][..], &[&b"\xc5\x01\0"[..], &[7; 256]].concat());
            },
        ),
        holds(
            1,
            "timestamps have the smallest of their three forms, wherever they go",
            || {
                packs(&Timestamp::new(1, 0).unwrap(), b"\xd6\xff\0\0\0\x01");
                packs(&Timestamp::new(1, 1).unwrap(), b"\xd7\xff\0\0\0\x04\0\0\0\x01");
                packs(
                    &Timestamp::new(-1, 0).unwrap(),
                    &[&b"\xc7\x0c\xff\0\0\0\0"[..], &[0xff; 8]].concat(),
                );
            },
        ),
        holds(
            2,
            "a struct within a struct, and a Vec, have the same bytes wherever they go",
            || {
                #[derive(Packable)]
                struct Point(i32, i32);
                #[derive(Packable)]
                struct Data {
                    name: &'static str,
                    point: Point,
                    values: Vec<i32>,
                }
                let data = Data {
                    name: "hi",
                    point: Point(1, 2),
                    values: vec![3, 4],
                };
                packs(&data, b"\x93\xa2hi\x92\x01\x02\x92\x03\x04");
                packs(&vec![1, 2, 3], b"\x93\x01\x02\x03");
            },
        ),
        holds(3, "an Option and a map have the same bytes wherever they go", || {
            packs(&Some(42), b"\x2a");
            packs(&None::<i32>, b"\xc0");
            packs(&BTreeMap::from([("a", 1)]), b"\x81\xa1a\x01");
        }),
    ]
}

/// Writes a part into a vector and into a slice, which get the same bytes.
macro_rules! part {
    ($method:ident($($argument:expr),*), $bytes:expr) => {{
        let bytes: &[u8] = &$bytes[..];
        let mut packer = Packer::new(Vec::new());
        packer.$method($($argument),*).unwrap();
        assert_eq!(packer.into_buffer(), bytes);
        let mut space = vec![0; bytes.len()];
        let mut packer = Packer::new(Fixed::new(&mut space));
        packer.$method($($argument),*).unwrap();
        assert_eq!(packer.buffer().written(), bytes);
    }};
}

fn ext(len: usize, header: &[u8]) {
    let payload = vec![0xab; len];
    let bytes = [header, &[5], &payload].concat();
    part!(ext(5, &payload), bytes);
    packs(&Ext::new(5, &payload), &bytes);
}

fn headers() -> Vec<Promise> {
    vec![
        holds(2, "the header of an array and of a map has the smallest format", || {
            part!(array(15), b"\x9f");
            part!(array(16), b"\xdc\0\x10");
            part!(array(65_536), b"\xdd\0\x01\0\0");
            part!(map(15), b"\x8f");
            part!(map(16), b"\xde\0\x10");
            part!(map(65_536), b"\xdf\0\x01\0\0");
        }),
        holds(16, "an ext of 1, 2, 4, 8 or 16 bytes has a format of its own", || {
            ext(1, b"\xd4");
            ext(2, b"\xd5");
            ext(4, b"\xd6");
            ext(8, b"\xd7");
            ext(16, b"\xd8");
        }),
        holds(9, "an ext of another length has the smallest header", || {
            ext(7, b"\xc7\x07");
            ext(256, b"\xc8\x01\0");
            ext(65_536, b"\xc9\0\x01\0\0");
        }),
    ]
}

fn times() -> Vec<Promise> {
    vec![
        holds(3, "a timestamp of each form comes back", || {
            let at = |seconds, nanoseconds| Timestamp::new(seconds, nanoseconds).unwrap();
            round(&at(1_700_000_000, 0), b"\xd6\xff\x65\x53\xf1\0");
            round(&at(1 << 32, 1), b"\xd7\xff\0\0\0\x05\0\0\0\0");
            let before = [&b"\xc7\x0c\xff\x07\x5b\xcd\x15"[..], &[0xff; 8]].concat();
            round(&at(-1, 123_456_789), &before);
        }),
        holds(
            1,
            "a timestamp of more than 999,999,999 nanoseconds cannot be written",
            || {
                assert_eq!(Timestamp::new(1, 1_000_000_000), None);
            },
        ),
        holds(
            1,
            "a timestamp of more than 999,999,999 nanoseconds cannot be read",
            || {
                let bytes = [&b"\xc7\x0c\xff\x3b\x9a\xca\0"[..], &[0; 8]].concat();
                let error = Timestamp::unpack(&bytes).unwrap_err();
                assert_eq!(error.kind().name(), "invalid_timestamp");
            },
        ),
        holds(1, "a `DateTime` of chrono is a timestamp", || {
            let at = chrono::DateTime::<chrono::Utc>::from_timestamp(1_700_000_000, 0).unwrap();
            round(&at, b"\xd6\xff\x65\x53\xf1\0");
        }),
        differs(
            1,
            "a `NaiveDateTime` of chrono is a timestamp",
            "A timestamp is a point in time, and a `NaiveDateTime` has no time zone: say which by \
             `and_utc`.",
            || {
                let at = chrono::DateTime::from_timestamp(-1, 42).unwrap().naive_utc();
                let bytes = at.and_utc().pack_to_vec();
                let back = chrono::DateTime::<chrono::Utc>::unpack(&bytes).unwrap();
                assert_eq!(back.naive_utc(), at);
            },
        ),
    ]
}

fn sample() -> Value {
    let ext = Value::from(Ext::new(42, &[1, 2, 3]));
    value!({
        "scalars": [nil, true, u64::MAX, i64::MIN, 1.5, -2.5],
        "data": ["hello", ext]
    })
}

fn trees() -> Vec<Promise> {
    vec![
        holds(
            1,
            "each value of Rust becomes the value of its type, and borrows what it can",
            || {
                assert_eq!(Value::from(()), Value::Nil);
                assert_eq!(Value::from(-42_i16).to_string(), "-42");
                assert_eq!(Value::from(1.5_f32).as_f64(), Some(1.5));
                assert_eq!(Value::from(None::<bool>), Value::Nil);
                assert_eq!(Value::from(Some(7)), 7);
                assert_eq!(
                    Value::from(vec![Value::from(1), Value::from(false)]),
                    value!([1, false])
                );
                let text = "borrowed".to_owned();
                assert_eq!(ValueRef::from(&text[..]).as_str(), Some("borrowed"));
                assert_eq!(ValueRef::from(&[1_u8, 2][..]).as_bin(), Some(&[1, 2][..]));
            },
        ),
        holds(1, "containers have as many elements as their headers say", || {
            let value: Value = from_slice(b"\x82\xa1a\x93\x01\x02\x03\xa1b\x81\xa1c\xc3").unwrap();
            assert_eq!(value, value!({"a": [1, 2, 3], "b": {"c": true}}));
        }),
        holds(1, "a tree comes back from a slice, with borrowed strings", || {
            let bytes = to_vec(&sample()).unwrap();
            assert_eq!(from_slice::<Value>(&bytes).unwrap(), sample());
            let tree: ValueRef = from_slice(&bytes).unwrap();
            let text = tree["data"][0].as_str().unwrap();
            assert!(bytes.as_ptr_range().contains(&text.as_ptr()));
        }),
        holds(2, "a tree comes back from a reader, buffered or not", || {
            let bytes = to_vec(&sample()).unwrap();
            let read = UnpackReader::new(&bytes[..]).next_value();
            assert_eq!(read.unwrap(), Some(sample()));
            let buffered = BufReader::with_capacity(1, Cursor::new(bytes));
            assert_eq!(UnpackReader::new(buffered).next_value().unwrap(), Some(sample()));
        }),
        holds(1, "an ext of each length comes back in a tree", || {
            for len in [1, 2, 3, 4, 8, 16, 255, 256, 65_536] {
                let value = Value::from(Ext::new(-42, &vec![0x5a; len]));
                let bytes = to_vec(&value).unwrap();
                assert_eq!(from_slice::<Value>(&bytes).unwrap(), value);
            }
        }),
        differs(
            1,
            "a timestamp in a tree is an ext of the type -1",
            "It is a `Timestamp`, which has the same bytes when it is written.",
            || {
                let bytes = b"\xd6\xff\x65\x53\xf1\0";
                let value: Value = from_slice(bytes).unwrap();
                assert_eq!(value, Value::from(Timestamp::new(1_700_000_000, 0).unwrap()));
                assert_eq!(to_vec(&value).unwrap(), bytes);
            },
        ),
        holds(1, "a limit of depth holds for trees", || {
            let bytes = [vec![0x91; 501], vec![0xc0]].concat();
            let limit = DecodeOptions::new().max_depth(500);
            assert_eq!(limit.decode(&bytes).unwrap_err().kind().name(), "depth_limit");
            assert!(limit.decode(&bytes[1..]).is_ok());
        }),
        holds(
            2,
            "an ext that is cut, and containers of four billion elements, are the end of the input",
            || {
                for bytes in [
                    &b"\xc7\x03\x2a\x01\x02"[..],
                    b"\xdd\xff\xff\xff\xff",
                    b"\xdf\xff\xff\xff\xff",
                ] {
                    assert!(from_slice::<Value>(bytes).unwrap_err().is_eof());
                }
            },
        ),
    ]
}

#[derive(MsgPacker, PartialEq, Debug)]
#[msgpacker(map)]
struct Two {
    a: i32,
    b: i32,
}

const TWO: &[u8] = b"\x82\xa1a\x01\xa1b\x02";

fn forty_two() -> i32 {
    42
}

#[derive(MsgPacker, PartialEq, Debug)]
#[msgpacker(map, deny_unknown_fields)]
struct Newer {
    a: i32,
    b: i32,
    #[msgpacker(default = forty_two)]
    c: i32,
    #[msgpacker(default)]
    d: i32,
}

#[derive(MsgPacker, PartialEq, Debug)]
#[msgpacker(map)]
struct Other {
    a: i32,
    #[msgpacker(default)]
    new: i32,
}

fn type_mismatch<T>(outcome: Result<T, Error>) {
    assert_eq!(outcome.err().unwrap().kind().name(), "type_mismatch");
}

fn evolution() -> Vec<Promise> {
    vec![
        holds(
            2,
            "a field that is missing has its default, or that of a function",
            || {
                let newer = Newer {
                    a: 1,
                    b: 2,
                    c: 42,
                    d: 0,
                };
                assert_eq!(Newer::unpack(TWO).unwrap(), newer);
            },
        ),
        holds(1, "a default does not allow unknown fields", || {
            type_mismatch(Newer::unpack(b"\x83\xa1a\x01\xa1b\x02\xa1z\x63"));
        }),
        holds(2, "unknown fields are skipped, beside missing ones too", || {
            assert_eq!(Other::unpack(TWO).unwrap(), Other { a: 1, new: 0 });
        }),
        holds(2, "a field without a default must be there", || {
            type_mismatch(Other::unpack(b"\x81\xa1b\x05"));
            type_mismatch(Two::unpack(b"\x81\xa1a\x01"));
        }),
        differs(
            1,
            "an unknown field is an error where nothing is said",
            "It is skipped, so that older programs read what newer ones write; with \
             `#[msgpacker(deny_unknown_fields)]` it is an error.",
            || assert!(Two::unpack(b"\x83\xa1a\x01\xa1b\x02\xa1c\x03").is_ok()),
        ),
        holds(1, "a type with defaults comes back", || {
            let other = Other { a: 10, new: 20 };
            assert_eq!(Other::unpack(&other.pack_to_vec()).unwrap(), other);
        }),
    ]
}
