//! The traits and serde, from the tests of msgpacker.

use super::support::with_lengths;
use super::{Promise, differs, holds};
use packord::compat::msgpacker::{pack_array, pack_map, unpack_array, unpack_array_iter, unpack_map, unpack_map_iter};
use packord::serde::Config;
use packord::{EncodeOptions, MsgPacker, Packable, Unpackable};
use proptest::collection::{hash_map, vec};
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt::Debug;
use std::marker::PhantomData;

pub fn promises() -> Vec<Promise> {
    let mut all = bytes();
    all.extend(values());
    all.extend(both_paths());
    all
}

/// Runs a check with many generated values.
fn any_of<S: Strategy>(strategy: S, check: impl Fn(S::Value)) {
    let config = ProptestConfig {
        cases: 64,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let outcome = runner.run(&strategy, |value| {
        check(value);
        Ok(())
    });
    outcome.unwrap();
}

fn any_round<T>()
where
    T: Arbitrary + Packable + Unpackable + PartialEq,
{
    any_of(any::<T>(), |value| with_lengths(&value));
}

#[derive(MsgPacker, PartialEq, Debug)]
struct Bytes {
    data: Vec<u8>,
}

#[derive(MsgPacker, PartialEq, Debug)]
struct Texts {
    data: Vec<String>,
}

const HEADER: &str = "A struct has a header, so that other packages can read it: the same comes after \
                      `91`. With `#[msgpacker(headerless)]` it is the bytes of msgpacker.";

fn bytes() -> Vec<Promise> {
    vec![
        differs(1, "a struct of one `Vec<u8>` is a bin", HEADER, || {
            #[derive(MsgPacker)]
            #[msgpacker(headerless)]
            struct Old {
                data: Vec<u8>,
            }
            let data = vec![1, 2, 3];
            assert_eq!(Bytes { data: data.clone() }.pack_to_vec(), b"\x91\xc4\x03\x01\x02\x03");
            assert_eq!(Old { data: data.clone() }.pack_to_vec(), b"\xc4\x03\x01\x02\x03");
            with_lengths(&Bytes { data });
        }),
        differs(1, "a struct of one `Vec<String>` is an array", HEADER, || {
            let texts = Texts {
                data: vec!["a".to_owned()],
            };
            assert_eq!(texts.pack_to_vec(), b"\x91\x91\xa1a");
            with_lengths(&texts);
        }),
        holds(2, "an empty Vec and an empty string come back", || {
            with_lengths(&Vec::<u8>::new());
            with_lengths(&String::new());
        }),
        holds(2, "any bytes and any string come back", || {
            any_round::<Vec<u8>>();
            any_round::<String>();
        }),
        holds(2, "bytes and strings of 130,000 elements come back", || {
            with_lengths(&vec![0xab_u8; 131_070]);
            with_lengths(&"aé€😀".repeat(32_767));
        }),
    ]
}

#[derive(MsgPacker, PartialEq, Eq, Hash, Clone, Debug)]
struct Row {
    a: Option<u8>,
    b: Option<u64>,
    c: Option<i16>,
    d: (),
    e: PhantomData<String>,
    f: Option<bool>,
    g: Option<Vec<u8>>,
    h: Option<String>,
}

fn row() -> impl Strategy<Value = Row> {
    any::<(
        Option<u8>,
        Option<u64>,
        Option<i16>,
        Option<bool>,
        Option<Vec<u8>>,
        Option<String>,
    )>()
    .prop_map(|(a, b, c, f, g, h)| Row {
        a,
        b,
        c,
        d: (),
        e: PhantomData,
        f,
        g,
        h,
    })
}

#[derive(MsgPacker, Serialize, Deserialize, PartialEq, Debug)]
enum Forms {
    Unit,
    Tuple(u32, String),
    Fields {
        #[serde(with = "serde_bytes")]
        a: Vec<u8>,
        b: u64,
    },
}

fn values() -> Vec<Promise> {
    vec![
        holds(1, "an array of any rows is written and read by functions", || {
            any_of(vec(row(), 0..20), |rows| {
                let mut bytes = Vec::new();
                let len = pack_array(&mut bytes, &rows);
                let read: (usize, Vec<Row>) = unpack_array(&bytes).unwrap();
                assert_eq!((read.0, &read.1), (bytes.len(), &rows));
                let read: (usize, Vec<Row>) = unpack_array_iter(bytes).unwrap();
                assert_eq!((read.0, &read.1), (len, &rows));
            });
        }),
        holds(1, "a map of any rows is written and read by functions", || {
            any_of(hash_map(row(), row(), 0..10), |map| {
                let mut bytes = Vec::new();
                let len = pack_map(&mut bytes, &map);
                let read: (usize, HashMap<Row, Row>) = unpack_map(&bytes).unwrap();
                assert_eq!((read.0, &read.1), (bytes.len(), &map));
                let read: (usize, HashMap<Row, Row>) = unpack_map_iter(bytes).unwrap();
                assert_eq!((read.0, &read.1), (len, &map));
            });
        }),
        holds(2, "the unit and booleans come back", || {
            with_lengths(&());
            with_lengths(&true);
            with_lengths(&false);
        }),
        holds(3, "any array, tuple and enum come back", || {
            any_round::<[i32; 4]>();
            any_round::<(i32, String, bool, usize)>();
            with_lengths(&Forms::Unit);
            any_of(any::<(u32, String)>(), |(a, b)| {
                with_lengths(&Forms::Tuple(a, b));
            });
            any_of(any::<(Vec<u8>, u64)>(), |(a, b)| {
                with_lengths(&Forms::Fields { a, b });
            });
        }),
        holds(2, "any float comes back", || {
            any_round::<f32>();
            any_round::<f64>();
        }),
        holds(12, "any integer of each width comes back", || {
            any_round::<(u8, u16, u32, u64, usize)>();
            any_round::<(i8, i16, i32, i64, isize)>();
            let options = EncodeOptions::new().bigint(true);
            any_of(any::<(u128, i128)>(), |wide| {
                let bytes = options.pack(&wide).unwrap();
                assert_eq!(Unpackable::unpack(&bytes), Ok(wide));
            });
        }),
    ]
}

/// Both paths write the same bytes, where structs are arrays, and serde reads them.
fn agree<T: Packable + Serialize + DeserializeOwned + PartialEq + Debug>(value: T) {
    let config = Config::new().structs_as_arrays(true);
    let bytes = config.to_vec(&value).unwrap();
    assert_eq!(value.pack_to_vec(), bytes);
    assert_eq!(config.from_slice::<T>(&bytes).unwrap(), value);
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    use serde_json::Value;
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e9..1e9_f64).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::from),
            hash_map(any::<String>(), inner, 0..6).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn both_paths() -> Vec<Promise> {
    vec![
        holds(
            15,
            "serde writes booleans and numbers as the traits do, and reads them",
            || {
                agree(true);
                agree((i8::MAX - 3, i16::MAX - 3, i32::MAX - 3, i64::MAX - 3, isize::MAX - 3));
                agree((u8::MAX - 3, u16::MAX - 3, u32::MAX - 3, u64::MAX - 3, usize::MAX - 3));
                agree(i128::from(i64::MAX) - 3);
                agree(u128::from(u64::MAX) - 3);
                agree((f32::MAX - 3.0, f64::MAX - 3.0));
            },
        ),
        holds(2, "serde writes a char and a string as the traits do", || {
            agree('x');
            agree("text".to_owned());
        }),
        holds(1, "serde writes typed bytes as the traits write a `Vec<u8>`", || {
            #[derive(MsgPacker, Serialize, Deserialize, PartialEq, Debug)]
            struct Wrapper(#[serde(with = "serde_bytes")] Vec<u8>);
            agree(Wrapper(b"foo".to_vec()));
        }),
        holds(4, "serde writes Options, the unit and tuples as the traits do", || {
            agree(Some("text".to_owned()));
            agree(None::<f64>);
            agree(());
            agree((18, u64::MAX, false, "zz".to_owned()));
        }),
        holds(
            1,
            "serde writes a struct as the derive does, where structs are arrays",
            || {
                #[derive(MsgPacker, Serialize, Deserialize, PartialEq, Debug)]
                struct Mixed {
                    #[serde(with = "serde_bytes")]
                    b: Vec<u8>,
                    s: String,
                    t: (u64, u64, bool, String),
                    u: (),
                    p: PhantomData<u64>,
                }
                agree(Mixed {
                    b: b"xxxx".to_vec(),
                    s: "yyy".to_owned(),
                    t: (18, u64::MAX, false, "zz".to_owned()),
                    u: (),
                    p: PhantomData,
                });
            },
        ),
        holds(3, "serde writes each kind of variant as the derive does", || {
            agree(Forms::Unit);
            agree(Forms::Tuple(15, "xxx".to_owned()));
            agree(Forms::Fields {
                a: vec![1, 2, 3],
                b: 42,
            });
        }),
        holds(1, "an array of an integer and a float is read as JSON's value", || {
            let value: serde_json::Value = packord::from_slice(b"\x92\0\xcb\x40\x59\x20\0\0\0\0\0").unwrap();
            assert_eq!(value, serde_json::json!([0, 100.5]));
        }),
        holds(1, "any value of JSON comes back by serde", || {
            any_of(json(), |value| {
                let bytes = packord::to_vec(&value).unwrap();
                assert_eq!(packord::from_slice::<serde_json::Value>(&bytes).unwrap(), value);
            });
        }),
    ]
}
