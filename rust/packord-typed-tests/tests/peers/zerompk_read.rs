//! Unpacking of the types of the standard library, from the tests of zerompk.

use super::support::refusal;
use super::{Promise, differs, holds};
use packord::io::UnpackReader;
use packord::{DecodeOptions, MsgPacker, Packable, Trailing, Unpackable, Value};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, LinkedList, VecDeque};
use std::fmt::Debug;
use std::io::{BufReader, Cursor};
use std::rc::Rc;

#[derive(MsgPacker, PartialEq, Debug)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(MsgPacker, PartialEq, Debug)]
struct Nested {
    name: String,
    one: Point,
    other: Option<Point>,
    numbers: Vec<i32>,
}

pub fn promises() -> Vec<Promise> {
    let mut all = structs();
    all.extend(scalars());
    all.extend(collections());
    all.extend(readers());
    all.extend(partial());
    all
}

fn reads<T: Unpackable + PartialEq + Debug>(bytes: &[u8], value: &T) {
    assert_eq!(T::unpack(bytes).unwrap(), *value);
}

fn structs() -> Vec<Promise> {
    vec![
        holds(2, "an array is a struct, whatever the format of its header", || {
            reads(b"\x92\x0a\x14", &Point { x: 10, y: 20 });
            reads(b"\xdc\0\x02\x0a\x14", &Point { x: 10, y: 20 });
        }),
        holds(
            2,
            "an array that is too short, and a header of another type, are errors",
            || {
                assert_eq!(refusal::<Point>(b"\x91\x0a"), "type_mismatch");
                assert_eq!(refusal::<Vec<i32>>(b"\x82\x01\x02\x03\x04"), "type_mismatch");
            },
        ),
        holds(
            2,
            "a struct of structs is read, with and without an optional one",
            || {
                let (one, other) = (Point { x: 10, y: 20 }, Some(Point { x: 30, y: 40 }));
                let full = Nested {
                    name: "X".to_owned(),
                    one,
                    other,
                    numbers: vec![1],
                };
                reads(b"\x94\xa1X\x92\x0a\x14\x92\x1e\x28\x91\x01", &full);
                let bare = Nested {
                    other: None,
                    numbers: vec![],
                    ..full
                };
                reads(b"\x94\xa1X\x92\x0a\x14\xc0\x90", &bare);
            },
        ),
        differs(
            2,
            "a Result is read from an array of a bool and the value",
            "It is read from a map of `Ok` or `Err`, as serde writes it.",
            || {
                reads(b"\x81\xa2Ok\x2a", &Ok::<i32, String>(42));
                reads(b"\x81\xa3Err\xa2ng", &Err::<i32, _>("ng".to_owned()));
                assert_eq!(refusal::<Result<i32, String>>(b"\x92\xc3\x2a"), "type_mismatch");
            },
        ),
    ]
}

fn scalars() -> Vec<Promise> {
    vec![
        holds(3, "booleans, the unit and Options are read", || {
            reads(b"\xc3", &true);
            reads(b"\xc2", &false);
            reads(b"\xc0", &());
            reads(b"\x2a", &Some(42));
            reads(b"\xc0", &None::<i32>);
        }),
        holds(2, "integers at the limits of each format are read", || {
            reads(b"\x7f", &127_u8);
            reads(b"\xcc\x80", &128_u8);
            reads(b"\xcd\x01\0", &256_u16);
            reads(b"\xcf\0\0\0\x01\0\0\0\0", &(1_u64 << 32));
            reads(b"\xe0", &-32_i8);
            reads(b"\xd1\xff\x7f", &-129_i16);
            reads(b"\xd3\xff\xff\xff\xff\x7f\xff\xff\xff", &-2_147_483_649_i64);
        }),
        differs(
            1,
            "an integer in a wider format than its type is an error",
            "It is read if the type holds it: other packages may write any format.",
            || {
                reads(b"\xcf\0\0\0\0\0\0\0\x01", &1_u32);
                assert_eq!(refusal::<u32>(b"\xcf\0\0\0\x01\0\0\0\0"), "out_of_range");
            },
        ),
        holds(1, "strings of each format are read", || {
            let text = "x".repeat(256);
            reads(&[&b"\xbf"[..], &[b'x'; 31]].concat(), &text[..31].to_owned());
            reads(&[&b"\xd9\x20"[..], &[b'x'; 32]].concat(), &text[..32].to_owned());
            reads(&[&b"\xda\x01\0"[..], text.as_bytes()].concat(), &text);
        }),
        holds(1, "a str that is not UTF-8 is an error", || {
            assert_eq!(refusal::<String>(b"\xa1\xff"), "invalid_utf8");
        }),
        holds(1, "a borrowed string points into the input", || {
            let bytes = b"\xa5hello";
            let text = <&str as packord::UnpackableBorrowed>::unpack(bytes).unwrap();
            assert_eq!((text, text.as_ptr()), ("hello", bytes[1..].as_ptr()));
        }),
    ]
}

fn collections() -> Vec<Promise> {
    vec![
        holds(
            3,
            "arrays are Vecs and Cows, whatever the format of their headers",
            || {
                reads(b"\x93\x01\x02\x03", &vec![1, 2, 3]);
                reads(b"\x93\x01\x02\x03", &Cow::<[i32]>::Owned(vec![1, 2, 3]));
                let bytes = [&b"\xdc\0\x10"[..], &[5; 16]].concat();
                reads(&bytes, &vec![5_u8; 16]);
            },
        ),
        holds(2, "an array is a tuple of its length, and no other", || {
            reads(b"\x93\x01\xc3\xa1a", &(1, true, "a".to_owned()));
            assert_eq!(refusal::<(i32, bool, String)>(b"\x92\x01\xc3"), "type_mismatch");
        }),
        holds(1, "a Box and an Rc are read", || {
            reads(b"\x7b", &Box::new(123));
            reads(b"\x64", &Rc::new(100));
        }),
        holds(
            4,
            "a VecDeque, a LinkedList, a BTreeSet and a BTreeMap are read",
            || {
                reads(b"\x93\x01\x02\x03", &VecDeque::from([1, 2, 3]));
                reads(b"\x92\x0a\x14", &LinkedList::from([10, 20]));
                reads(b"\x93\x03\x01\x02", &BTreeSet::from([1, 2, 3]));
                reads(b"\x81\xa1a\x01", &BTreeMap::from([("a".to_owned(), 1)]));
            },
        ),
        holds(1, "a BinaryHeap is read", || {
            let heap = BinaryHeap::<i32>::unpack(b"\x93\x05\x01\x03").unwrap();
            assert_eq!(heap.into_sorted_vec(), [1, 3, 5]);
        }),
        differs(
            1,
            "bytes after the value are ignored",
            "They are `trailing_bytes`, which finds messages that were put together wrongly. \
             `unpack_with_ofs` and `Trailing::Allow` ignore them.",
            || {
                let bytes = b"\x01\x02\x03";
                assert_eq!(refusal::<i32>(bytes), "trailing_bytes");
                assert_eq!(i32::unpack_with_ofs(bytes).unwrap(), (1, 1));
                let lax = DecodeOptions::new().trailing(Trailing::Allow);
                assert_eq!(lax.unpack::<i32>(bytes).unwrap(), 1);
            },
        ),
    ]
}

/// A reader whose buffer has one byte.
fn narrow(bytes: &[u8]) -> UnpackReader<BufReader<Cursor<Vec<u8>>>> {
    UnpackReader::new(BufReader::with_capacity(1, Cursor::new(bytes.to_vec())))
}

fn from_narrow<T: Packable + Unpackable + PartialEq + Debug>(value: &T) {
    let read = narrow(&value.pack_to_vec()).unpack::<T>();
    assert_eq!(read.unwrap().as_ref(), Some(value));
}

fn readers() -> Vec<Promise> {
    vec![
        holds(1, "a struct is read from a reader", || {
            let read = UnpackReader::new(&b"\x92\x0a\x14"[..]).unpack();
            assert_eq!(read.unwrap(), Some(Point { x: 10, y: 20 }));
        }),
        holds(
            2,
            "a wrong header, and the end within a value, are errors of a reader too",
            || {
                let kind = |bytes: &[u8]| UnpackReader::new(bytes).unpack::<Vec<u8>>().unwrap_err().kind().name();
                assert_eq!((kind(b"\x81\0\0"), kind(b"\x92\x01")), ("type_mismatch", "eof"));
            },
        ),
        holds(
            2,
            "values are read from a buffered reader one after another, up to its end",
            || {
                let mut reader = UnpackReader::new(BufReader::new(&b"\x01\xcd\x01\0\x92\x01\x02"[..]));
                assert_eq!(reader.unpack::<u8>().unwrap(), Some(1));
                assert_eq!(reader.unpack::<u16>().unwrap(), Some(256));
                assert_eq!(reader.unpack().unwrap(), Some(Point { x: 1, y: 2 }));
                assert_eq!(reader.unpack::<u8>().unwrap(), None);
            },
        ),
        holds(2, "values of each type are read across the ends of a buffer", || {
            from_narrow(&(0x0102_0304, "foo".to_owned()));
            from_narrow(&(u8::MAX, u16::MAX, u32::MAX, u64::MAX));
            from_narrow(&(i8::MIN, i16::MIN, i32::MIN, i64::MIN));
            from_narrow(&(1.25_f32, -2.5_f64));
            from_narrow(&vec![1, -33, 32_768]);
            from_narrow(&BTreeMap::from([("key".to_owned(), 42)]));
        }),
        holds(
            1,
            "an unknown field that nests is skipped across the ends of a buffer",
            || {
                #[derive(MsgPacker, PartialEq, Debug)]
                #[msgpacker(map)]
                struct Known {
                    value: i32,
                }
                let bytes = b"\x82\xa5value\x2a\xa5other\x92\x81\xa1x\xd2\0\0\x01\0\xa3foo";
                assert_eq!(narrow(bytes).unpack().unwrap(), Some(Known { value: 42 }));
            },
        ),
        holds(
            2,
            "lengths of four billion that are cut are the end of the input",
            || {
                for bytes in [
                    &b"\xdb\xff\xff\xff\xff"[..],
                    b"\xc6\xff\xff\xff\xff",
                    b"\xc9\xff\xff\xff\xff\x01",
                    b"\xdd\xff\xff\xff\xff",
                ] {
                    let limit = DecodeOptions::new().max_buffer(1 << 40);
                    let mut reader = UnpackReader::with_options(bytes, &limit);
                    assert!(reader.unpack::<Value>().unwrap_err().is_eof());
                    assert!(Vec::<u64>::unpack(bytes).is_err());
                }
            },
        ),
    ]
}

/// Counts how many of its kind there are.
#[derive(Debug)]
struct Counted(Rc<()>);

thread_local! {
    static ALIVE: Rc<()> = Rc::new(());
}

impl Unpackable for Counted {
    fn unpack_from(reader: &mut packord::typed::Reader<'_>) -> Result<Self, packord::typed::Failed> {
        i32::unpack_from(reader)?;
        Ok(Counted(ALIVE.with(Rc::clone)))
    }
}

fn alive() -> usize {
    ALIVE.with(Rc::strong_count) - 1
}

const NO_REUSE: &str = "There is no call that reads into a Vec which exists.";

fn partial() -> Vec<Promise> {
    vec![
        differs(1, "reading into a Vec keeps its capacity", NO_REUSE, || {
            reads(b"\x93\x01\x02\x03", &vec![1, 2, 3]);
        }),
        differs(1, "reading into a Vec leaves it empty after an error", NO_REUSE, || {
            assert_eq!(refusal::<Vec<i32>>(b"\x93\x01\xc1\0"), "reserved_marker");
        }),
        holds(
            1,
            "a length that the input cannot have is an error before memory is taken",
            || {
                assert_eq!(refusal::<Vec<i32>>(b"\xdc\xff\xff"), "eof");
            },
        ),
        holds(2, "elements that were read before an error are dropped", || {
            assert!(Vec::<Counted>::unpack(b"\x92\x01\xc1").is_err());
            assert!(<[Counted; 2]>::unpack(b"\x92\x01\xc1").is_err());
            assert_eq!(alive(), 0);
            let both = <[Counted; 2]>::unpack(b"\x92\x01\x02").unwrap();
            assert_eq!((alive(), Rc::strong_count(&both[0].0)), (2, 3));
        }),
    ]
}
