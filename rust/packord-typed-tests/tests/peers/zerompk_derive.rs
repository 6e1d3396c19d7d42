//! Derived types, from the tests of zerompk.

use super::support::{packs, read, refusal, round};
use super::{Promise, differs, holds};
use packord::{DecodeOptions, MsgPacker, MsgPackerBorrowed, Packable, Unpackable, UnpackableBorrowed};
use std::borrow::Cow;
use std::fmt::Debug;

pub fn promises() -> Vec<Promise> {
    let mut all = structs();
    all.extend(bytes());
    all.extend(enums());
    all.extend(depth());
    all
}

/// Packs and reads a value that borrows from the bytes.
fn borrows<'b, T>(value: &T, bytes: &'b [u8]) -> T
where
    T: Packable + UnpackableBorrowed<'b> + PartialEq + Debug,
{
    packs(value, bytes);
    let back = T::unpack(bytes).unwrap();
    assert_eq!(back, *value);
    back
}

#[derive(MsgPacker, PartialEq, Debug)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(MsgPacker, PartialEq, Debug)]
#[msgpacker(map)]
struct Named {
    #[msgpacker(rename = "px")]
    x: i32,
    #[msgpacker(rename = "py")]
    y: i32,
}

#[derive(MsgPacker, PartialEq, Debug)]
#[msgpacker(map, deny_unknown_fields)]
struct LongNames {
    abcdefgh_x: i32,
    zzzzzzzzzz: i32,
    #[msgpacker(default)]
    a_name_of_more_than_31_bytes_here: u8,
}

#[derive(MsgPacker, PartialEq, Debug, Default)]
struct Skips {
    x: i32,
    #[msgpacker(skip)]
    note: String,
    y: i32,
}

#[derive(MsgPacker, PartialEq, Debug, Default)]
#[msgpacker(map)]
struct SkipsNamed {
    x: i32,
    #[msgpacker(skip)]
    note: String,
    y: i32,
}

fn structs() -> Vec<Promise> {
    vec![
        holds(
            2,
            "a struct is an array of its fields, with the attribute and without",
            || {
                round(&Point { x: 10, y: 20 }, b"\x92\x0a\x14");
            },
        ),
        holds(1, "a generic struct can hold a borrowed string", || {
            #[derive(MsgPackerBorrowed, PartialEq, Debug)]
            struct Wrapper<T> {
                value: T,
                other: bool,
            }
            borrows(
                &Wrapper {
                    value: "text",
                    other: true,
                },
                b"\x92\xa4text\xc3",
            );
        }),
        holds(1, "a unit variant is its name", || {
            #[derive(MsgPacker, PartialEq, Debug)]
            enum Only {
                A,
            }
            round(&Only::A, b"\xa1A");
        }),
        holds(2, "a struct is a map, by its names or by names that are given", || {
            #[derive(MsgPacker, PartialEq, Debug)]
            #[msgpacker(map)]
            struct Map {
                x: i32,
                y: i32,
            }
            round(&Map { x: 10, y: 20 }, b"\x82\xa1x\x0a\xa1y\x14");
            round(&Named { x: 10, y: 20 }, b"\x82\xa2px\x0a\xa2py\x14");
        }),
        holds(1, "a struct as an array can have gaps, which are nil", || {
            #[derive(MsgPacker, PartialEq, Debug)]
            struct Gap {
                #[msgpacker(key = 0)]
                x: i32,
                #[msgpacker(key = 2)]
                y: i32,
            }
            round(&Gap { x: 10, y: 20 }, b"\x93\x0a\xc0\x14");
        }),
        holds(1, "a name of more than 31 bytes is a key", || {
            let bytes = LongNames {
                abcdefgh_x: 1,
                zzzzzzzzzz: 2,
                a_name_of_more_than_31_bytes_here: 3,
            };
            let packed = bytes.pack_to_vec();
            assert!(packed.windows(4).any(|part| part == b"\xd9\x21a_"));
            assert_eq!(LongNames::unpack(&packed).unwrap(), bytes);
        }),
        holds(1, "a key that differs from a name in its last byte is unknown", || {
            let bytes = b"\x82\xaaabcdefgh_y\x01\xaazzzzzzzzzz\x02";
            assert_eq!(refusal::<LongNames>(bytes), "type_mismatch");
        }),
        holds(1, "a unit struct is nil", || {
            #[derive(MsgPacker, PartialEq, Debug)]
            struct Unit;
            round(&Unit, b"\xc0");
        }),
        holds(3, "a struct without fields is an empty array or map", || {
            #[derive(MsgPacker, PartialEq, Debug)]
            struct Empty {}
            #[derive(MsgPacker, PartialEq, Debug)]
            #[msgpacker(map)]
            struct EmptyMap {}
            #[derive(MsgPacker, PartialEq, Debug)]
            struct EmptyTuple();
            round(&Empty {}, b"\x90");
            round(&EmptyMap {}, b"\x80");
            round(&EmptyTuple(), b"\x90");
        }),
        holds(2, "a tuple struct is an array, and with one field the field", || {
            #[derive(MsgPacker, PartialEq, Debug)]
            struct Two(i32, String);
            #[derive(MsgPacker, PartialEq, Debug)]
            struct New(i32);
            round(&Two(42, "hello".to_owned()), b"\x92\x2a\xa5hello");
            round(&New(42), b"\x2a");
        }),
        holds(
            2,
            "a field that is skipped is not written, and has its default when read",
            || {
                let (array, map) = (&b"\x92\x0a\x14"[..], &b"\x82\xa1x\x0a\xa1y\x14"[..]);
                let note = || "note".to_owned();
                packs(
                    &Skips {
                        x: 10,
                        note: note(),
                        y: 20,
                    },
                    array,
                );
                packs(
                    &SkipsNamed {
                        x: 10,
                        note: note(),
                        y: 20,
                    },
                    map,
                );
                let empty = String::new;
                assert_eq!(
                    Skips::unpack(array).unwrap(),
                    Skips {
                        x: 10,
                        note: empty(),
                        y: 20
                    }
                );
                assert_eq!(
                    SkipsNamed::unpack(map).unwrap(),
                    SkipsNamed {
                        x: 10,
                        note: empty(),
                        y: 20
                    }
                );
            },
        ),
    ]
}

fn bytes() -> Vec<Promise> {
    vec![
        holds(
            1,
            "Vecs of each number fit into a slice of exactly their length",
            || {
                #[derive(MsgPacker, PartialEq, Debug)]
                struct Vectors(Vec<bool>, Vec<u16>, Vec<u64>, Vec<i8>, Vec<i64>, Vec<f32>, Vec<f64>);
                let vectors = Vectors(
                    vec![true, false],
                    vec![0, 128, u16::MAX],
                    vec![0, 1 << 32, u64::MAX],
                    vec![i8::MIN, -32, i8::MAX],
                    vec![i64::MIN, -1, i64::MAX],
                    vec![f32::MIN, -0.0, f32::MAX],
                    vec![f64::MIN, -0.0, f64::MAX],
                );
                round(&vectors, &vectors.pack_to_vec());
            },
        ),
        holds(1, "slices, arrays and Cows of numbers are arrays", || {
            #[derive(Packable)]
            struct Sequences<'a> {
                slice: &'a [i32],
                array: [f64; 1],
                cow: Cow<'a, [u32]>,
            }
            let slice = &[i32::MIN, -1][..];
            let value = Sequences {
                slice,
                array: [0.5],
                cow: Cow::Borrowed(&[0, 128]),
            };
            let bytes = b"\x93\x92\xd2\x80\0\0\0\xff\x91\xcb\x3f\xe0\0\0\0\0\0\0\x92\0\xcc\x80";
            packs(&value, bytes);
        }),
        holds(
            1,
            "borrowed strings and bytes point into the input, and bytes are a bin",
            || {
                #[derive(MsgPackerBorrowed, PartialEq, Debug)]
                struct Parts<'a> {
                    text: &'a str,
                    data: &'a [u8],
                }
                let bytes = b"\x92\xa2hi\xc4\x03\x01\x02\x03";
                let back = borrows(
                    &Parts {
                        text: "hi",
                        data: &[1, 2, 3],
                    },
                    bytes,
                );
                assert_eq!(back.text.as_ptr(), bytes[2..].as_ptr());
                assert_eq!(back.data.as_ptr(), bytes[6..].as_ptr());
            },
        ),
        holds(1, "a Vec of borrowed strings points into the input", || {
            #[derive(MsgPackerBorrowed, PartialEq, Debug)]
            struct List<'a> {
                texts: Vec<&'a str>,
            }
            let bytes = b"\x91\x92\xa5hello\xa5world";
            let back = borrows(
                &List {
                    texts: vec!["hello", "world"],
                },
                bytes,
            );
            assert_eq!(back.texts[1].as_ptr(), bytes[9..].as_ptr());
        }),
        holds(2, "a Cow of bytes is a bin, with the attribute and without", || {
            #[derive(MsgPackerBorrowed, PartialEq, Debug)]
            struct Cows<'a> {
                data: Cow<'a, [u8]>,
                #[msgpacker(binary)]
                bin: Cow<'a, [u8]>,
            }
            let cow = || Cow::Borrowed(&[1, 2][..]);
            borrows(
                &Cows {
                    data: cow(),
                    bin: cow(),
                },
                b"\x92\xc4\x02\x01\x02\xc4\x02\x01\x02",
            );
        }),
        differs(
            1,
            "a Cow of bytes is an array of integers by an attribute",
            "`#[msgpacker(array)]` is for collections. A `Vec<u8>` can have it, and any type \
             `#[msgpacker(with = module)]`.",
            || packs(&Cow::Borrowed(&[1_u8, 2][..]), b"\xc4\x02\x01\x02"),
        ),
        holds(
            3,
            "a `Vec<u8>` is a bin, or an array of integers by an attribute",
            || {
                #[derive(MsgPacker, PartialEq, Debug)]
                struct Vecs {
                    data: Vec<u8>,
                    #[msgpacker(array)]
                    array: Vec<u8>,
                    #[msgpacker(binary)]
                    bin: Vec<u8>,
                }
                let vecs = Vecs {
                    data: vec![1],
                    array: vec![2],
                    bin: vec![3],
                };
                round(&vecs, b"\x93\xc4\x01\x01\x91\x02\xc4\x01\x03");
            },
        ),
    ]
}

#[derive(MsgPacker, PartialEq, Debug)]
enum Event {
    A,
    #[msgpacker(rename = "p")]
    Point {
        x: i32,
        y: i32,
    },
}

#[derive(MsgPacker, PartialEq, Debug)]
#[msgpacker(map)]
enum Mapped {
    #[msgpacker(rename = "m")]
    Map {
        #[msgpacker(rename = "x1")]
        x: i32,
        #[msgpacker(skip)]
        note: String,
        y: i32,
    },
}

const PAIRS: &str = "Variants are written as serde writes them: a map from the name to the content. That is \
                     zerompk's form with `map`, and other packages read it.";

fn enums() -> Vec<Promise> {
    vec![
        holds(2, "a unit variant is its name, whatever the form of the others", || {
            round(&Event::A, b"\xa1A");
        }),
        differs(4, "a variant is an array of its name and its content", PAIRS, || {
            round(&Event::Point { x: 10, y: 20 }, b"\x81\xa1p\x92\x0a\x14");
        }),
        differs(
            2,
            "a variant can have an integer in place of its name, and gaps in its fields",
            "Variants have names; `c_enum` is for enums of numbers alone. Fields of structs can have \
             integers and gaps.",
            || {
                #[derive(MsgPacker, PartialEq, Debug)]
                #[msgpacker(c_enum)]
                enum Numbers {
                    Two = 2,
                }
                round(&Numbers::Two, b"\x02");
            },
        ),
        holds(
            1,
            "a variant is a map from its name, as serde has it, and can be read from a reader",
            || {
                #[derive(MsgPacker, serde::Deserialize, PartialEq, Debug)]
                enum Data {
                    Header,
                    Page([u16; 2]),
                }
                let bytes = Data::Page([7; 2]).pack_to_vec();
                assert_eq!(read::<Data>(&bytes), Data::Page([7; 2]));
                assert_eq!(read::<Data>(&Data::Header.pack_to_vec()), Data::Header);
                let mut reader = packord::io::UnpackReader::new(&bytes[..]);
                assert_eq!(reader.unpack::<Data>().unwrap(), Some(Data::Page([7; 2])));
            },
        ),
        holds(
            2,
            "a variant with fields is a map from its name to an array or a map",
            || {
                round(&Event::Point { x: 10, y: 20 }, b"\x81\xa1p\x92\x0a\x14");
                let mapped = Mapped::Map {
                    x: 10,
                    note: String::new(),
                    y: 20,
                };
                round(&mapped, b"\x81\xa1m\x82\xa2x1\x0a\xa1y\x14");
            },
        ),
        holds(3, "an enum of numbers has the number of its variant", || {
            #[derive(MsgPacker, PartialEq, Debug)]
            #[msgpacker(c_enum)]
            #[repr(i8)]
            enum Level {
                Below = -1,
                Low,
                High = 5,
            }
            round(&Level::Below, b"\xff");
            round(&Level::Low, b"\0");
            round(&Level::High, b"\x05");
        }),
        holds(1, "a number that no variant has is an error", || {
            #[derive(MsgPacker, PartialEq, Debug)]
            #[msgpacker(c_enum)]
            enum Status {
                Good = 0,
                Missing = 4,
            }
            assert_eq!(refusal::<Status>(b"\x03"), "type_mismatch");
        }),
    ]
}

fn depth() -> Vec<Promise> {
    vec![holds(
        2,
        "a limit of 500 levels reads 500, and refuses one more",
        || {
            #[derive(MsgPacker, Debug)]
            struct Node {
                next: Option<Box<Node>>,
            }
            let limit = DecodeOptions::new().max_depth(500);
            let bytes = [vec![0x91; 501], vec![0xc0]].concat();
            let mut node = limit.unpack::<Node>(&bytes[1..]).unwrap();
            let mut depth = 1;
            while let Some(next) = node.next {
                node = *next;
                depth += 1;
            }
            assert_eq!(depth, 500);
            let error = limit.unpack::<Node>(&bytes).unwrap_err();
            assert_eq!(error.kind().name(), "depth_limit");
        },
    )]
}
