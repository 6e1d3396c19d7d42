//! Reading of derived types by serde, from the tests of rmp-serde.

use super::support::{fault, read};
use super::{Promise, holds};
use packord::serde::IoDeserializer;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

/// Reads a value from a reader, which is then at the end.
fn whole<T: DeserializeOwned>(bytes: &[u8]) -> T {
    let mut from = IoDeserializer::new(bytes);
    let value = T::deserialize(&mut from).unwrap();
    assert_eq!(from.offset(), bytes.len() as u64);
    value
}

#[derive(Deserialize, PartialEq, Debug)]
struct Pair {
    first: u32,
    second: u32,
}

#[derive(Deserialize, PartialEq, Debug)]
enum Forms {
    Unit,
    New(u32),
    Tuple(u32, u32),
    Struct { id: u32 },
    Text(Name),
    List(Vec<u32>),
}

#[derive(Deserialize, PartialEq, Debug)]
struct Name(String);

#[derive(Deserialize, PartialEq, Debug)]
struct Holder {
    one: u32,
    own: Pair,
    #[serde(flatten)]
    flat: Pair,
}

pub fn promises() -> Vec<Promise> {
    let mut all = structs();
    all.extend(enums());
    all
}

fn structs() -> Vec<Promise> {
    vec![
        holds(1, "a newtype struct is its value", || {
            assert_eq!(read::<Name>(b"\xa1x"), Name("x".to_owned()));
        }),
        holds(1, "an array is a tuple struct", || {
            #[derive(Deserialize, PartialEq, Debug)]
            struct Two(u32, u32);
            assert_eq!(read::<Two>(b"\x92\x2a\xcd\x01\x02"), Two(42, 258));
        }),
        holds(1, "an array of one element is a struct of one field", || {
            #[derive(Deserialize, PartialEq, Debug)]
            struct One {
                inner: u32,
            }
            assert_eq!(read::<One>(b"\x91\x2a"), One { inner: 42 });
        }),
        holds(1, "an array is a struct", || {
            let pair = Pair { first: 42, second: 258 };
            assert_eq!(read::<Pair>(b"\x92\x2a\xcd\x01\x02"), pair);
        }),
        holds(1, "a map of its names is a struct", || {
            let pair = Pair { first: 1, second: 2 };
            assert_eq!(read::<Pair>(b"\x82\xa6second\x02\xa5first\x01"), pair);
        }),
        holds(
            1,
            "fields that are Options of Options are read from nil and from values",
            || {
                #[allow(clippy::option_option, reason = "what is tested")]
                #[derive(Deserialize, PartialEq, Debug)]
                struct Options {
                    first: Option<Option<u32>>,
                    second: Option<Option<u32>>,
                }
                let wanted = Options {
                    first: None,
                    second: Some(Some(13)),
                };
                assert_eq!(whole::<Options>(b"\x92\xc0\x0d"), wanted);
            },
        ),
        holds(1, "a flattened map takes the entries that no field has", || {
            #[derive(Deserialize, PartialEq, Debug)]
            struct Maps {
                one: u32,
                own: BTreeMap<String, String>,
                #[serde(flatten)]
                flat: BTreeMap<String, String>,
            }
            let maps: Maps = whole(b"\x83\xa3one\0\xa3own\x81\xa1a\xa1b\xa1c\xa1d");
            let map = |key: &str, text: &str| BTreeMap::from([(key.to_owned(), text.to_owned())]);
            assert_eq!(
                maps,
                Maps {
                    one: 0,
                    own: map("a", "b"),
                    flat: map("c", "d")
                }
            );
        }),
        holds(
            1,
            "a flattened struct takes its fields, beside one that is an array or a map",
            || {
                let wanted = Holder {
                    one: 0,
                    own: Pair { first: 8, second: 13 },
                    flat: Pair { first: 21, second: 34 },
                };
                let array = b"\x84\xa3one\0\xa3own\x92\x08\x0d\xa5first\x15\xa6second\x22";
                let map = b"\x84\xa3one\0\xa3own\x82\xa5first\x08\xa6second\x0d\xa5first\x15\xa6second\x22";
                assert_eq!(whole::<Holder>(array), wanted);
                assert_eq!(whole::<Holder>(map), wanted);
            },
        ),
        holds(2, "a struct can borrow strings from the input", || {
            #[derive(Deserialize, PartialEq, Debug)]
            struct Person<'a> {
                name: &'a str,
                age: u8,
            }
            let bytes = b"\x92\xa3Ada\x24";
            let person: Person = packord::from_slice(bytes).unwrap();
            assert_eq!(person, Person { name: "Ada", age: 36 });
            assert_eq!(person.name.as_ptr(), bytes[2..].as_ptr());
        }),
    ]
}

fn enums() -> Vec<Promise> {
    vec![
        holds(
            1,
            "a map from the number of a unit variant to nil is the variant",
            || {
                #[derive(Deserialize, PartialEq, Debug)]
                enum Letter {
                    A,
                    B,
                }
                let mut from = IoDeserializer::new(&b"\x81\0\xc0\x81\x01\xc0"[..]);
                assert_eq!(Letter::deserialize(&mut from).unwrap(), Letter::A);
                assert_eq!(Letter::deserialize(&mut from).unwrap(), Letter::B);
                assert_eq!(from.offset(), 6);
            },
        ),
        holds(1, "a map from a number to a value is a variant of one value", || {
            assert_eq!(whole::<Forms>(b"\x81\x01\x2a"), Forms::New(42));
        }),
        holds(
            1,
            "a map from a number to an array is a variant of several values",
            || {
                assert_eq!(whole::<Forms>(b"\x81\x02\x92\x2a\x3a"), Forms::Tuple(42, 58));
            },
        ),
        holds(1, "a map of two entries is not a variant", || {
            assert_eq!(fault::<Forms>(b"\x82\x01\x24\x02\x25"), "type_mismatch");
        }),
        holds(1, "the number of a variant that does not exist is an error", || {
            assert_eq!(fault::<Forms>(b"\x81\x09\x2a"), "type_mismatch");
        }),
        holds(1, "a map from a number to an array is a variant with fields", || {
            assert_eq!(whole::<Forms>(b"\x81\x03\x91\x2a"), Forms::Struct { id: 42 });
        }),
        holds(1, "a variant of a newtype struct is read", || {
            assert_eq!(whole::<Forms>(b"\x81\x04\xa1x"), Forms::Text(Name("x".to_owned())));
        }),
        holds(
            1,
            "of two variants with equal fields the number says which it is",
            || {
                #[derive(Deserialize, PartialEq, Debug)]
                enum Order {
                    First { data: u32 },
                    Second { data: u32 },
                }
                assert_eq!(read::<Order>(b"\x81\0\x91\x2a"), Order::First { data: 42 });
                assert_eq!(read::<Order>(b"\x81\x01\x91\x2a"), Order::Second { data: 42 });
            },
        ),
        holds(1, "an array of tag and content is an adjacently tagged enum", || {
            #[derive(Deserialize, PartialEq, Debug)]
            #[serde(tag = "t", content = "c")]
            enum Adjacent {
                Foo(i32),
                Bar(u32),
            }
            assert_eq!(read::<Adjacent>(b"\x92\xa3Foo\x7b"), Adjacent::Foo(123));
            assert_eq!(read::<Adjacent>(b"\x92\xa3Bar\x7b"), Adjacent::Bar(123));
        }),
        holds(1, "an array of tag and number is not an internally tagged enum", || {
            #[derive(Deserialize, Debug)]
            #[serde(tag = "t")]
            #[allow(dead_code, reason = "only read")]
            enum Internal {
                Foo(i32),
            }
            assert_eq!(fault::<Internal>(b"\x92\xa3Foo\x7b"), "type_mismatch");
        }),
        holds(1, "a map with a tag is an internally tagged enum", || {
            #[derive(Deserialize, PartialEq, Debug)]
            #[serde(tag = "t")]
            enum Internal {
                Foo { value: i32 },
                Bar { value: u32 },
            }
            assert_eq!(
                read::<Internal>(b"\x82\xa1t\xa3Foo\xa5value\xff"),
                Internal::Foo { value: -1 }
            );
            assert_eq!(
                read::<Internal>(b"\x82\xa5value\x01\xa1t\xa3Bar"),
                Internal::Bar { value: 1 }
            );
        }),
        holds(1, "a map from a number to an array is a variant of one Vec", || {
            assert_eq!(whole::<Forms>(b"\x81\x05\x92\x01\x02"), Forms::List(vec![1, 2]));
            assert_eq!(whole::<Forms>(b"\x81\0\xc0"), Forms::Unit);
        }),
    ]
}
