//! Reading of simple values by serde, from the tests of rmp-serde.

use super::support::{fault, read};
use super::{Promise, differs, holds};
use packord::serde::{Config, Deserializer, IoDeserializer};
use serde::Deserialize;
use serde::de::{self, Visitor};
use serde_bytes::ByteBuf;
use std::collections::HashMap;
use std::fmt;
use std::io::Cursor;

/// A str that is not UTF-8.
const NOT_TEXT: &[u8] = b"\xa3\xc3\x28\x90";

pub fn promises() -> Vec<Promise> {
    let mut all = scalars();
    all.extend(containers());
    all.extend(readers());
    all
}

fn scalars() -> Vec<Promise> {
    vec![
        holds(1, "nil is the unit", || read::<()>(b"\xc0")),
        holds(1, "the reserved marker is not a unit, and the error names it", || {
            assert_eq!(fault::<()>(b"\xc1"), "reserved_marker");
        }),
        holds(1, "two booleans in one input are read one after the other", || {
            let mut from = Deserializer::new(b"\xc3\xc2");
            assert!(bool::deserialize(&mut from).unwrap());
            assert!(!bool::deserialize(&mut from).unwrap());
        }),
        holds(1, "an integer is not a bool", || {
            assert_eq!(fault::<bool>(b"\x01"), "type_mismatch");
        }),
        holds(5, "the largest unsigned integer of each width is read", || {
            assert_eq!(read::<u8>(b"\xcc\xff"), u8::MAX);
            assert_eq!(read::<u16>(b"\xcd\xff\xff"), u16::MAX);
            assert_eq!(read::<u32>(b"\xce\xff\xff\xff\xff"), u32::MAX);
            assert_eq!(read::<u64>(&[[0xcf].as_slice(), &[0xff; 8]].concat()), u64::MAX);
            assert_eq!(read::<usize>(b"\xcc\xff"), 255);
        }),
        holds(1, "an integer that is too large for its type is an error", || {
            assert_eq!(fault::<u32>(&[[0xcf].as_slice(), &[0xff; 8]].concat()), "out_of_range");
        }),
        holds(1, "a small integer in a wide format is read into a narrow type", || {
            assert_eq!(read::<u8>(b"\xcf\0\0\0\0\0\0\0\x2a"), 42);
        }),
        holds(5, "the largest signed integer of each width is read", || {
            assert_eq!(read::<i8>(b"\xd0\x7f"), i8::MAX);
            assert_eq!(read::<i16>(b"\xd1\x7f\xff"), i16::MAX);
            assert_eq!(read::<i32>(b"\xd2\x7f\xff\xff\xff"), i32::MAX);
            assert_eq!(read::<i64>(&[[0xd3, 0x7f].as_slice(), &[0xff; 7]].concat()), i64::MAX);
            assert_eq!(read::<isize>(b"\xd0\x7f"), 127);
        }),
        holds(2, "floats of both widths are read", || {
            assert_eq!(read::<f32>(b"\xca\x7f\x7f\xff\xff"), f32::MAX);
            assert_eq!(read::<f64>(b"\xcb\x40\x45\0\0\0\0\0\0"), 42.0);
        }),
        holds(2, "integers that a float holds are read as one", || {
            assert_eq!(read::<f32>(b"\xd0\x7f"), 127.0);
            assert_eq!(read::<f64>(b"\xce\xff\xff\xff\xff"), f64::from(u32::MAX));
        }),
        holds(1, "a str is a String", || {
            assert_eq!(read::<String>(b"\xa5hello"), "hello");
        }),
        holds(2, "an Option is its value, or nil", || {
            assert_eq!(read::<Option<u8>>(b"\x1f"), Some(31));
            assert_eq!(read::<Option<u8>>(b"\xc0"), None);
        }),
        holds(2, "an Option of an Option is its value, or the outer None", || {
            assert_eq!(read::<Option<Option<u8>>>(b"\x1f"), Some(Some(31)));
            assert_eq!(read::<Option<Option<u8>>>(b"\xc0"), None);
        }),
        holds(1, "the reserved marker is not an Option", || {
            assert_eq!(fault::<Option<u8>>(b"\xc1"), "reserved_marker");
        }),
        holds(
            1,
            "a type that takes any number is given the kind that was written",
            any_number,
        ),
        holds(
            1,
            "a str that is not UTF-8 is not a String, and the error says so",
            || {
                assert_eq!(fault::<String>(NOT_TEXT), "invalid_utf8");
            },
        ),
        differs(
            4,
            "a type `Raw` takes a str, and the bytes of one that is not UTF-8",
            "There is no such type. A str that is UTF-8 is read into a `String` or into bytes; \
             with `Utf8::Raw`, one that is not is read as bytes.",
            || {
                assert_eq!(read::<ByteBuf>(b"\xa3key"), b"key");
                let raw = packord::DecodeOptions::new().utf8(packord::Utf8::Raw);
                let value = raw.decode(b"\xa2\xc3\x28").unwrap();
                assert_eq!(value.as_bin(), Some(&b"\xc3\x28"[..]));
            },
        ),
    ]
}

/// A number of either kind.
#[derive(PartialEq, Debug)]
enum Number {
    Float(f64),
    Whole(u64),
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: de::Deserializer<'de>>(from: D) -> Result<Number, D::Error> {
        struct Either;

        impl Visitor<'_> for Either {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }

            fn visit_u64<E>(self, number: u64) -> Result<Number, E> {
                Ok(Number::Whole(number))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Number, E> {
                Ok(Number::Float(number))
            }
        }

        from.deserialize_any(Either)
    }
}

fn any_number() {
    assert_eq!(read::<Number>(b"\xcb\x3f\xf8\0\0\0\0\0\0"), Number::Float(1.5));
    assert_eq!(read::<Number>(b"\x24"), Number::Whole(36));
}

fn containers() -> Vec<Promise> {
    vec![
        holds(1, "an array is a tuple", || {
            assert_eq!(read::<(u32, u32)>(b"\x92\x2a\xce\0\x01\x88\x94"), (42, 100_500));
        }),
        holds(1, "an array of another length than the tuple is an error", || {
            assert_eq!(fault::<(u32,)>(b"\x92\x2a\x05"), "type_mismatch");
        }),
        holds(1, "an array of integers is a Vec of u8", || {
            assert_eq!(read::<Vec<u8>>(b"\x92\0\xcc\x80"), [0, 128]);
        }),
        holds(1, "a map is a HashMap", || {
            let map: HashMap<String, u8> = read(b"\x82\xa1a\xcc\x80\xa1b\x2a");
            assert_eq!(map, HashMap::from([("a".to_owned(), 128), ("b".to_owned(), 42)]));
        }),
        holds(3, "a bin of each format is a ByteBuf", || {
            for bytes in [&b"\xc4\x02ab"[..], b"\xc5\0\x02ab", b"\xc6\0\0\0\x02ab"] {
                assert_eq!(read::<ByteBuf>(bytes), b"ab");
            }
        }),
        holds(1, "a short bin after a long one has its own bytes only", || {
            let (long, short): (ByteBuf, ByteBuf) = read(b"\x92\xc4\x04long\xc4\x01s");
            assert_eq!((&long[..], &short[..]), (&b"long"[..], &b"s"[..]));
        }),
        differs(
            1,
            "with a depth limit of 100, a hundred open arrays are too many",
            "The limit is the number of containers that may be open: 100 are read, and 101 are \
             `depth_limit`. rmp-serde counts one more.",
            || {
                #[derive(Deserialize, Debug)]
                struct Nested(#[allow(dead_code, reason = "only read")] Vec<Nested>);

                let limit = Config::new().max_depth(100);
                let kind = |depth| {
                    let outcome = limit.from_slice::<Nested>(&vec![0x91; depth]);
                    outcome.unwrap_err().kind().name()
                };
                assert_eq!((kind(100), kind(101)), ("eof", "depth_limit"));
            },
        ),
    ]
}

fn readers() -> Vec<Promise> {
    vec![
        holds(
            3,
            "the reader of a deserializer can be looked at, moved and taken out",
            || {
                let mut from = IoDeserializer::new(Cursor::new([0xc0]));
                <()>::deserialize(&mut from).unwrap();
                assert_eq!(from.get_ref().position(), 1);
                from.get_mut().set_position(0);
                <()>::deserialize(&mut from).unwrap();
                assert_eq!(from.into_inner().position(), 1);
            },
        ),
        holds(1, "a deserializer says how many bytes it has read", || {
            let mut from = IoDeserializer::new(Cursor::new(b"\xce\xff\xff\xff\xff\xc0"));
            assert_eq!(u32::deserialize(&mut from).unwrap(), u32::MAX);
            assert_eq!(from.offset(), 5);
        }),
        holds(1, "a value is read from a reader by one call", || {
            let number: i32 = packord::serde::from_read(&b"\xd2\x7f\xff\xff\xff"[..]).unwrap();
            assert_eq!(number, i32::MAX);
        }),
    ]
}
