//! Writing by serde, from the tests of rmp-serde.

use super::support::{arrays, maps};
use super::{Promise, differs, holds};
use packord::ErrorKind;
use packord::serde::{Bytes, Config, IoSerializer, Serializer, to_slice};
use serde::Serialize;
use serde_bytes::ByteBuf;
use std::collections::{BTreeMap, HashSet};

pub fn promises() -> Vec<Promise> {
    let mut all = scalars();
    all.extend(containers());
    all.extend(writers());
    all.extend(structs());
    all.extend(enums());
    all
}

fn scalars() -> Vec<Promise> {
    vec![
        holds(1, "the unit is nil", || {
            let mut space = [0; 1];
            to_slice(&(), &mut space).unwrap();
            assert_eq!(space, *b"\xc0");
        }),
        holds(1, "a slice that is full is an error", || {
            let error = to_slice(&(), &mut []).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::BufferFull);
        }),
        holds(1, "two booleans are written one after the other", || {
            let mut out = Vec::new();
            let mut serializer = Serializer::new(&mut out);
            true.serialize(&mut serializer).unwrap();
            false.serialize(&mut serializer).unwrap();
            assert_eq!(out, b"\xc3\xc2");
        }),
        holds(
            5,
            "the largest unsigned integer of each width has the format of this width",
            || {
                assert_eq!(maps(&u8::MAX), b"\xcc\xff");
                assert_eq!(maps(&255_usize), b"\xcc\xff");
                assert_eq!(maps(&u16::MAX), b"\xcd\xff\xff");
                assert_eq!(maps(&u32::MAX), b"\xce\xff\xff\xff\xff");
                assert_eq!(maps(&u64::MAX), b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff");
            },
        ),
        holds(
            5,
            "the smallest signed integer of each width has the format of this width",
            || {
                assert_eq!(maps(&i8::MIN), b"\xd0\x80");
                assert_eq!(maps(&-128_isize), b"\xd0\x80");
                assert_eq!(maps(&i16::MIN), b"\xd1\x80\0");
                assert_eq!(maps(&i32::MIN), b"\xd2\x80\0\0\0");
                assert_eq!(maps(&i64::MIN), b"\xd3\x80\0\0\0\0\0\0\0");
            },
        ),
        holds(
            1,
            "a small number of a wide type is written in the smallest format",
            || {
                assert_eq!(maps(&128_i64), b"\xcc\x80");
            },
        ),
        holds(2, "floats keep their width", || {
            assert_eq!(maps(&f32::MAX), b"\xca\x7f\x7f\xff\xff");
            assert_eq!(maps(&42_f64), b"\xcb\x40\x45\0\0\0\0\0\0");
        }),
        holds(1, "a char is a str", || assert_eq!(maps(&'!'), b"\xa1!")),
        holds(1, "a string is a str", || {
            assert_eq!(maps("hello"), b"\xa5hello");
        }),
        holds(2, "an Option is written as its value, or as nil", || {
            assert_eq!(maps(&Some(100_u32)), b"\x64");
            assert_eq!(maps(&None::<u32>), b"\xc0");
        }),
        holds(1, "typed bytes are a bin", || {
            assert_eq!(maps(&ByteBuf::from([0xcc, 0x80])), b"\xc4\x02\xcc\x80");
        }),
        differs(
            4,
            "a type `Raw` is written as a str, or as a bin where its bytes are not UTF-8",
            "There is no such type. A string is a str, and typed bytes are a bin, whatever they are.",
            || {
                assert_eq!(maps("key"), b"\xa3key");
                assert_eq!(maps(&ByteBuf::from(*b"\xc3\x28")), b"\xc4\x02\xc3\x28");
            },
        ),
    ]
}

/// With `BytesMode::ForceAll`, in packord's words.
fn detected<T: Serialize>(value: &T) -> Vec<u8> {
    Config::new().bytes(Bytes::Detected).to_vec(value).unwrap()
}

fn containers() -> Vec<Promise> {
    vec![
        holds(1, "a tuple is an array", || {
            assert_eq!(maps(&(42_u32, 100_500_u32)), b"\x92\x2a\xce\0\x01\x88\x94");
        }),
        holds(
            1,
            "where every sequence of bytes is a bin, a tuple of other integers is an array",
            || {
                assert_eq!(detected(&(42_u32, 258_u32)), b"\x92\x2a\xcd\x01\x02");
            },
        ),
        holds(
            1,
            "where every sequence of bytes is a bin, a tuple of u8 is one",
            || {
                assert_eq!(detected(&(1_u8, 100_u8, 200_u8, 254_u8)), b"\xc4\x04\x01\x64\xc8\xfe");
            },
        ),
        holds(
            1,
            "where every sequence of bytes is a bin, a set of arrays of u8 can be written",
            || {
                let set = HashSet::from([[255_u8; 3], [1; 3]]);
                assert_eq!(detected(&set).len(), 11);
            },
        ),
        differs(
            1,
            "where every sequence of bytes is a bin, one of small numbers is an array, which is shorter",
            "`Bytes::Detected` writes a bin whatever the numbers are, so that the type of a value on \
             the wire does not depend on its numbers.",
            || {
                assert_eq!(detected(&(1_u8, 2_u8, 3_u8, 127_u8)), b"\xc4\x04\x01\x02\x03\x7f");
            },
        ),
        holds(1, "a Vec is an array", || {
            assert_eq!(maps(&["a", "bc"]), b"\x92\xa1a\xa2bc");
        }),
        holds(1, "a BTreeMap is a map", || {
            let map = BTreeMap::from([(0_u8, "a"), (1, "bc")]);
            assert_eq!(maps(&map), b"\x82\0\xa1a\x01\xa2bc");
        }),
        holds(1, "an empty map is a map", || {
            assert_eq!(maps(&BTreeMap::<u64, u64>::new()), b"\x80");
        }),
    ]
}

fn writers() -> Vec<Promise> {
    vec![
        holds(1, "a serializer writes to the end of a Vec", || {
            let mut out = Vec::new();
            (42_u8, "text").serialize(&mut Serializer::new(&mut out)).unwrap();
            assert_eq!(out, b"\x92\x2a\xa4text");
        }),
        holds(1, "one call writes a value to a new Vec", || {
            assert_eq!(packord::to_vec(&()).unwrap(), b"\xc0");
            assert_eq!(packord::to_vec("text").unwrap(), b"\xa4text");
        }),
        holds(
            1,
            "the writer of a serializer can be looked at, changed and taken out",
            || {
                let mut serializer = IoSerializer::new(Vec::new());
                true.serialize(&mut serializer).unwrap();
                assert_eq!(serializer.get_ref(), b"\xc3");
                serializer.get_mut().push(42);
                assert_eq!(serializer.into_inner(), b"\xc3\x2a");
            },
        ),
        holds(1, "the type of a serializer names the writer only", || {
            let mut out = Vec::new();
            let writer: &mut dyn std::io::Write = &mut out;
            let mut serializer: IoSerializer<&mut dyn std::io::Write> = IoSerializer::new(writer);
            1.serialize(&mut serializer).unwrap();
            assert_eq!(out, b"\x01");
        }),
    ]
}

#[derive(Serialize)]
struct Dog<'a> {
    name: &'a str,
    age: u16,
}

const DOG: Dog<'_> = Dog { name: "Rex", age: 8 };

fn structs() -> Vec<Promise> {
    vec![
        differs(
            1,
            "a unit struct is an empty array",
            "It is nil, as serde's data model has it and other languages expect. Both forms are read.",
            || {
                #[derive(Serialize, serde::Deserialize)]
                struct Unit;
                assert_eq!(arrays(&Unit), b"\xc0");
                assert!(packord::from_slice::<Unit>(b"\x90").is_ok());
            },
        ),
        holds(1, "a newtype struct is written as its value", || {
            #[derive(Serialize)]
            struct New(u64);
            assert_eq!(arrays(&New(42)), b"\x2a");
        }),
        holds(1, "a tuple struct is an array", || {
            #[derive(Serialize)]
            struct Two(u32, u64);
            assert_eq!(arrays(&Two(42, 258)), b"\x92\x2a\xcd\x01\x02");
        }),
        holds(1, "a struct is an array, where structs are arrays", || {
            assert_eq!(arrays(&DOG), b"\x92\xa3Rex\x08");
        }),
        holds(
            1,
            "a struct with a flattened map is a map, where structs are arrays too",
            || {
                #[derive(Serialize)]
                struct Maps {
                    one: u32,
                    own: BTreeMap<String, String>,
                    #[serde(flatten)]
                    flat: BTreeMap<String, String>,
                }
                let map = |key: &str, text: &str| BTreeMap::from([(key.to_owned(), text.to_owned())]);
                let maps = Maps {
                    one: 0,
                    own: map("a", "b"),
                    flat: map("c", "d"),
                };
                assert_eq!(arrays(&maps), b"\x83\xa3one\0\xa3own\x81\xa1a\xa1b\xa1c\xa1d");
            },
        ),
        holds(
            1,
            "a struct beside a flattened one is an array or a map, as structs are",
            || {
                #[derive(Serialize)]
                struct Inner {
                    a: u32,
                    b: u32,
                }
                #[derive(Serialize)]
                struct Outer {
                    own: Inner,
                    #[serde(flatten)]
                    flat: Inner,
                }
                let outer = Outer {
                    own: Inner { a: 8, b: 13 },
                    flat: Inner { a: 21, b: 34 },
                };
                assert_eq!(arrays(&outer), b"\x83\xa3own\x92\x08\x0d\xa1a\x15\xa1b\x22");
                assert_eq!(maps(&outer), b"\x83\xa3own\x82\xa1a\x08\xa1b\x0d\xa1a\x15\xa1b\x22");
            },
        ),
        holds(
            4,
            "the last option counts that says whether structs are maps or arrays",
            || {
                let (map, array) = (&b"\x82\xa4name\xa3Rex\xa3age\x08"[..], &b"\x92\xa3Rex\x08"[..]);
                let config = Config::new().structs_as_arrays(false);
                assert_eq!(config.to_vec(&DOG).unwrap(), map);
                let config = config.structs_as_arrays(true);
                assert_eq!(config.to_vec(&DOG).unwrap(), array);
                let config = config.structs_as_arrays(false);
                assert_eq!(config.to_vec(&DOG).unwrap(), map);
                let config = config.structs_as_arrays(false).structs_as_arrays(false);
                assert_eq!(config.to_vec(&DOG).unwrap(), map);
            },
        ),
    ]
}

#[derive(Serialize)]
enum Forms {
    Unit,
    New(u64),
    Tuple(u32, u64),
    One { f: u32 },
    Two { f: u32 },
}

fn enums() -> Vec<Promise> {
    vec![
        holds(1, "a unit variant is its name", || {
            assert_eq!(arrays(&Forms::Unit), b"\xa4Unit");
        }),
        holds(1, "a newtype variant is a map from its name to its value", || {
            assert_eq!(arrays(&Forms::New(42)), b"\x81\xa3New\x2a");
        }),
        holds(1, "an untagged variant is its value, or the variant within", || {
            #[derive(Serialize)]
            #[serde(untagged)]
            enum Untagged {
                Number(u64),
                Inner(Inner),
            }
            #[derive(Serialize)]
            enum Inner {
                C,
            }
            assert_eq!(arrays(&Untagged::Number(123)), b"\x7b");
            assert_eq!(arrays(&Untagged::Inner(Inner::C)), b"\xa1C");
        }),
        holds(1, "a tuple variant is a map from its name to an array", || {
            assert_eq!(arrays(&Forms::Tuple(42, 258)), b"\x81\xa5Tuple\x92\x2a\xcd\x01\x02");
        }),
        holds(1, "a variant with fields is a map from its name to an array", || {
            assert_eq!(arrays(&Forms::One { f: 42 }), b"\x81\xa3One\x91\x2a");
            assert_eq!(arrays(&Forms::Two { f: 43 }), b"\x81\xa3Two\x91\x2b");
        }),
        holds(
            1,
            "a variant with fields is a map from its name to a map, where structs are maps",
            || {
                assert_eq!(maps(&Forms::One { f: 42 }), b"\x81\xa3One\x81\xa1f\x2a");
            },
        ),
    ]
}
