//! Writing and reading back by serde, from the tests of rmp-serde.

use super::support::{arrays, both_ways, fault, maps, read};
use super::{Promise, differs, holds};
use packord::serde::{Bytes, Config};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Debug;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

pub fn promises() -> Vec<Promise> {
    let mut all = options();
    all.extend(structs());
    all.extend(enums());
    all.extend(configurations());
    all
}

/// Writes and reads a value in every form that an option has.
fn each_form<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let base = Config::new();
    for form in [base.clone(), base.clone().human_readable(true)] {
        for form in [form.clone(), form.structs_as_arrays(true)] {
            for bytes in [Bytes::Typed, Bytes::ByType, Bytes::Detected] {
                let form = form.clone().bytes(bytes);
                let back: T = form.from_slice(&form.to_vec(value).unwrap()).unwrap();
                assert_eq!(back, *value, "{form:?}");
            }
        }
    }
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct One<T> {
    v: T,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum Fielded {
    A { data: u32 },
}

fn options() -> Vec<Promise> {
    vec![
        holds(1, "a field that is None comes back", || {
            both_ways(&One { v: None::<Vec<u8>> });
        }),
        holds(1, "fields that are Options of Options come back", || {
            both_ways(&One {
                v: [Some(Some(13_u32)), None],
            });
        }),
        holds(1, "an Option of a unit variant comes back", || {
            #[derive(Serialize, Deserialize, PartialEq, Debug)]
            enum Simple {
                Only,
            }
            both_ways(&Some(Simple::Only));
        }),
        holds(1, "a Cow of bytes comes back", || {
            both_ways(&One {
                v: Cow::<[u8]>::Borrowed(&[]),
            });
        }),
        holds(1, "an Option of a Cow comes back", || {
            both_ways(&One {
                v: None::<Cow<'static, [u8]>>,
            });
        }),
        holds(
            1,
            "a Some comes back, alone, in a newtype struct and around one",
            || {
                #[derive(Serialize, Deserialize, PartialEq, Debug)]
                struct New<T>(T);
                each_form(&Some(99));
                each_form(&New(Some(99)));
                each_form(&Some(New(99)));
                each_form(&Some("hi".to_owned()));
            },
        ),
        differs(
            1,
            "a Some of a None comes back (a test that rmp-serde ignores)",
            "Both are nil. For a field, `serde::double_option` keeps them apart.",
            || {
                assert_eq!(maps(&Some(None::<()>)), b"\xc0");
                assert_eq!(read::<Option<Option<()>>>(b"\xc0"), None);
            },
        ),
    ]
}

fn structs() -> Vec<Promise> {
    #[derive(Serialize)]
    struct NameFirst {
        name: &'static str,
        age: u16,
    }
    #[derive(Deserialize)]
    struct AgeFirst {
        age: u16,
        name: String,
    }
    const DOG: NameFirst = NameFirst { name: "Rex", age: 42 };

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Pair {
        a: u32,
        b: u32,
    }
    vec![
        holds(
            1,
            "a map is read into a struct with its fields in another order",
            || {
                let dog: AgeFirst = read(&maps(&DOG));
                assert_eq!((dog.age, &dog.name[..]), (42, "Rex"));
            },
        ),
        holds(1, "so is a map within an array", || {
            let dogs: Vec<AgeFirst> = read(&maps(&[DOG]));
            assert_eq!((dogs[0].age, &dogs[0].name[..]), (42, "Rex"));
        }),
        holds(1, "a unit struct within a variant comes back", || {
            #[derive(Serialize, Deserialize, PartialEq, Debug)]
            struct Unit;
            #[derive(Serialize, Deserialize, PartialEq, Debug)]
            enum Messages {
                Nothing(Unit),
                Something(One<u8>),
            }
            both_ways(&Messages::Nothing(Unit));
            both_ways(&Messages::Something(One { v: 5 }));
        }),
        holds(1, "a flattened map comes back", || {
            #[derive(Serialize, Deserialize, PartialEq, Debug)]
            struct Maps {
                own: BTreeMap<String, String>,
                #[serde(flatten)]
                flat: BTreeMap<String, String>,
            }
            let map = |key: &str| BTreeMap::from([(key.to_owned(), "text".to_owned())]);
            both_ways(&Maps {
                own: map("a"),
                flat: map("b"),
            });
        }),
        holds(1, "a flattened struct comes back", || {
            #[derive(Serialize, Deserialize, PartialEq, Debug)]
            struct Outer {
                own: Pair,
                #[serde(flatten)]
                flat: Pair,
            }
            both_ways(&Outer {
                own: Pair { a: 8, b: 13 },
                flat: Pair { a: 21, b: 34 },
            });
        }),
    ]
}

fn enums() -> Vec<Promise> {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Untagged {
        A(Inner),
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    enum Inner {
        B,
        C(String),
        D(u64, u64, u64),
        E { f: String },
    }
    vec![
        differs(
            1,
            "an adjacently tagged enum comes back where structs are arrays (a test that rmp-serde ignores)",
            "serde's derive cannot read an array into the fields of such a variant. Where structs are \
             maps it comes back.",
            || {
                #[derive(Serialize, Deserialize, PartialEq, Debug)]
                #[serde(tag = "type", content = "payload")]
                enum Adjacent {
                    Unit,
                    Fields { x: u32 },
                    Tuple(u32, u32),
                }
                for value in [Adjacent::Unit, Adjacent::Fields { x: 3 }, Adjacent::Tuple(1, 2)] {
                    assert_eq!(read::<Adjacent>(&maps(&value)), value);
                    let fields = matches!(value, Adjacent::Fields { .. });
                    let back = packord::from_slice::<Adjacent>(&arrays(&value));
                    assert_eq!(back.is_ok(), !fields, "{value:?}");
                }
            },
        ),
        holds(3, "a variant with fields comes back, in each form of structs", || {
            both_ways(&Fielded::A { data: 42 });
        }),
        holds(1, "a variant of a newtype struct comes back", || {
            #[derive(Serialize, Deserialize, PartialEq, Debug)]
            struct New(String);
            #[derive(Serialize, Deserialize, PartialEq, Debug)]
            enum Text {
                A(New),
            }
            both_ways(&Text::A(New("text".to_owned())));
        }),
        holds(
            1,
            "an untagged enum of an enum comes back, in each form of structs",
            || {
                both_ways(&Untagged::A(Inner::B));
                both_ways(&Untagged::A(Inner::C("text".to_owned())));
                both_ways(&Untagged::A(Inner::D(1, 2, 3)));
                both_ways(&Untagged::A(Inner::E { f: "text".to_owned() }));
            },
        ),
        holds(
            1,
            "an untagged struct with a unit struct comes back (a test that rmp-serde ignores)",
            || {
                #[derive(Serialize, Deserialize, PartialEq, Debug)]
                struct Unit;
                #[derive(Serialize, Deserialize, PartialEq, Debug)]
                struct Message {
                    number: i32,
                    unit: Unit,
                }
                #[derive(Serialize, Deserialize, PartialEq, Debug)]
                #[serde(untagged)]
                enum Messages {
                    A(Message),
                }
                both_ways(&Messages::A(Message { number: 32, unit: Unit }));
            },
        ),
        holds(1, "variants are found by name in an enum with another order", || {
            #[derive(Serialize)]
            enum Old {
                Dog { breed: String },
            }
            #[derive(Deserialize, PartialEq, Debug)]
            enum New {
                Emu,
                Dog { breed: String },
            }
            let old = Old::Dog {
                breed: "Pug".to_owned(),
            };
            let new = New::Dog {
                breed: "Pug".to_owned(),
            };
            assert_eq!(read::<New>(&arrays(&old)), new);
            assert_eq!(read::<New>(&maps(&old)), new);
            assert_eq!(read::<New>(b"\xa3Emu"), New::Emu);
        }),
    ]
}

fn configurations() -> Vec<Promise> {
    vec![
        holds(1, "tuples and arrays come back with every option", || {
            each_form(&Some(Some::<[u8; 0]>([])));
            each_form(&(1, 100, 1000, 10_000, 100_000, 10_000_000));
            each_form(&(0_u8, 1_u8, 11_u8, 111_u8, 255_u8));
            each_form(&(0_u8, 1_i8, 11_u16, 111_i32, 255_i64));
            each_form(&(0_i8, 1, 11, -1, -11, -111));
            each_form(&[(0_u128, 1_111_111_u128)]);
            each_form(&[0_u8, 1, 11, 111, 255]);
        }),
        holds(1, "Vecs come back with every option", || {
            each_form(&vec![1_i32, 100, 10_000, 10_000_000]);
            each_form(&vec![0_u8, 1, 11, 111, 255]);
            each_form(&vec![0_i8, 1, -1, -111]);
            each_form(&vec![(0_u8, 1_u8)]);
            each_form(&vec![(0_u8, 1_u32)]);
            each_form(&Vec::<String>::new());
            each_form(&Vec::<u8>::new());
            each_form(&Vec::<()>::new());
            each_form(&vec![vec![1_u128, 2, 3]]);
            each_form(&vec![vec![Some(3_u16), None, Some(10_000)]]);
        }),
        holds(1, "HashSets come back with every option", || {
            each_form(&HashSet::from([1_i32, 100, 10_000, 10_000_000]));
            each_form(&HashSet::from([0_u8, 1, 11, 111, 255]));
            each_form(&HashSet::from([0_i8, 1, -1, -111]));
        }),
        holds(4, "IP addresses come back with every option", || {
            let six = Ipv6Addr::new(1, 2, 3, 4, 5, 6, 7, 8);
            each_form(&Ipv4Addr::LOCALHOST);
            each_form(&six);
            each_form(&IpAddr::V4(Ipv4Addr::LOCALHOST));
            each_form(&IpAddr::V6(six));
        }),
        holds(2, "Results come back with every option", || {
            each_form(&Ok::<_, ()>(Ipv4Addr::LOCALHOST));
            each_form(&Ok::<u32, u32>(42));
            each_form(&Err::<(), u32>(222));
        }),
        holds(1, "newtype variants come back with every option", || {
            #[derive(Serialize, Deserialize, PartialEq, Debug)]
            enum Simple {
                Number(u32),
                Text(String),
            }
            each_form(&Simple::Number(42));
            each_form(&Simple::Text("text".to_owned()));
        }),
        holds(1, "elements that an array type leaves unread are an error", || {
            #[derive(Serialize)]
            struct Input {
                a: [&'static str; 4],
                d: &'static str,
            }
            #[derive(Deserialize, Debug)]
            #[allow(dead_code, reason = "only read")]
            struct Output {
                a: [String; 2],
                c: String,
            }
            let input = Input { a: ["b"; 4], d: "d" };
            assert_eq!(fault::<Output>(&maps(&input)), "type_mismatch");
        }),
        holds(1, "an array of bytes is read into an array and a tuple", || {
            let bytes = maps(&[1_u8, 128, 255][..]);
            assert_eq!(read::<[u8; 3]>(&bytes), [1, 128, 255]);
            assert_eq!(read::<(u8, u8, u8)>(&bytes), (1, 128, 255));
        }),
        holds(1, "small integers are read as i128", || {
            assert_eq!(read::<[i128; 4]>(&maps(&[0, 1_i8, -12, 119][..])), [0, 1, -12, 119]);
        }),
    ]
}
