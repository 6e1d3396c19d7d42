//! Every form of type that serde knows is written to known bytes and read back.

use crate::round_trip::{bytes, configs, map_configs, round_trip, round_trip_of_bytes, round_trip_with};
use packord::serde::{Config, from_slice, to_vec};
use packord::{Ext, Timestamp, Value};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};

#[test]
fn scalars_read_back() {
    bytes(true, b"\xc3");
    bytes((), b"\xc0");
    bytes('é', b"\xa2\xc3\xa9");
    bytes(1.5_f32, b"\xca\x3f\xc0\0\0");
    bytes(1.5_f64, b"\xcb\x3f\xf8\0\0\0\0\0\0");
    bytes(String::from("hi"), b"\xa2hi");
    bytes(127_u8, b"\x7f");
    bytes(-32_i8, b"\xe0");
    bytes(i64::MIN, b"\xd3\x80\0\0\0\0\0\0\0");
    bytes(u64::MAX, b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff");
    for shift in 0..64 {
        for offset in [-1_i64, 0, 1] {
            let value = 1_i64.wrapping_shl(shift).wrapping_add(offset);
            round_trip(&value);
            round_trip(&value.wrapping_neg());
            round_trip(&(value as u64));
            round_trip(&(value as i32));
            round_trip(&(value as u16));
        }
    }
}

#[test]
fn integers_of_128_bits_read_back() {
    bytes(5_i128, b"\x05");
    bytes(u128::from(u64::MAX), b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff");
    let bigint = Config::new().bigint(true);
    assert_eq!(
        bigint.to_vec(&(1_i128 << 64)).unwrap(),
        b"\xc7\x09\x42\x01\0\0\0\0\0\0\0\0"
    );
    assert_eq!(
        bigint.to_vec(&(-(1_i128 << 63) - 1)).unwrap(),
        b"\xc7\x09\x42\xff\x7f\xff\xff\xff\xff\xff\xff\xff"
    );
    let wide = |config: Config| config.bigint(true);
    let configs: Vec<Config> = configs().into_iter().map(wide).collect();
    for value in [i128::MIN, i128::MAX, -(1 << 100), 0] {
        round_trip_of_bytes(&value, configs.clone());
    }
    for value in [u128::MAX, 1 << 127, (1 << 127) - 1, 1 << 64] {
        round_trip_of_bytes(&value, configs.clone());
    }
    let error = to_vec(&(0, u128::MAX)).unwrap_err();
    assert_eq!((error.kind().name(), error.path()), ("out_of_range", Some("$[1]")));
    let kind = |bytes: &[u8]| from_slice::<i128>(bytes).unwrap_err().kind().name();
    assert_eq!(kind(&bigint.to_vec(&u128::MAX).unwrap()), "out_of_range");
    assert_eq!(from_slice::<u128>(b"\xff").unwrap_err().kind().name(), "out_of_range");
    assert_eq!(kind(b"\xc7\0\x42"), "invalid_ext");
    assert_eq!(kind(b"\xa1a"), "type_mismatch");
}

#[test]
fn every_encoding_of_a_number_is_read() {
    for bytes in [
        &b"\x05"[..],
        b"\xcc\x05",
        b"\xcd\0\x05",
        b"\xd0\x05",
        b"\xd3\0\0\0\0\0\0\0\x05",
    ] {
        assert_eq!(from_slice::<u8>(bytes).unwrap(), 5);
        assert_eq!(from_slice::<i64>(bytes).unwrap(), 5);
        assert_eq!(from_slice::<f64>(bytes).unwrap(), 5.0);
        assert_eq!(from_slice::<f32>(bytes).unwrap(), 5.0);
        assert_eq!(from_slice::<u128>(bytes).unwrap(), 5);
    }
    assert_eq!(from_slice::<f64>(b"\xca\x3f\xc0\0\0").unwrap(), 1.5);
    let kind = |error: packord::Error| error.kind().name();
    assert_eq!(kind(from_slice::<u8>(b"\xcd\x01\0").unwrap_err()), "out_of_range");
    assert_eq!(kind(from_slice::<u8>(b"\xff").unwrap_err()), "out_of_range");
    assert_eq!(
        kind(from_slice::<f32>(b"\xce\x01\0\0\x01").unwrap_err()),
        "out_of_range"
    );
    assert_eq!(
        kind(from_slice::<f64>(&to_vec(&u64::MAX).unwrap()).unwrap_err()),
        "out_of_range"
    );
    assert_eq!(
        from_slice::<f64>(&to_vec(&(1_u64 << 63)).unwrap()).unwrap(),
        9_223_372_036_854_775_808.0
    );
    assert_eq!(
        kind(from_slice::<u8>(b"\xca\x3f\x80\0\0").unwrap_err()),
        "type_mismatch"
    );
    assert_eq!(kind(from_slice::<String>(b"\xc4\x01a").unwrap_err()), "type_mismatch");
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Default, Clone)]
struct Plain {
    id: u32,
    name: String,
    tags: Vec<String>,
    at: Option<i8>,
}

fn plain() -> Plain {
    Plain {
        id: 7,
        name: "n".into(),
        tags: vec!["a".into(), "b".into()],
        at: None,
    }
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Unit;
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct New(u16);
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Pair(u8, String);

#[test]
fn structs_are_read_from_maps_and_arrays() {
    bytes(Unit, b"\xc0");
    assert_eq!(from_slice::<Unit>(b"\x90").unwrap(), Unit);
    bytes(New(5), b"\x05");
    bytes(Pair(1, "a".into()), b"\x92\x01\xa1a");
    bytes(plain(), b"\x84\xa2id\x07\xa4name\xa1n\xa4tags\x92\xa1a\xa1b\xa2at\xc0");
    let arrays = Config::new().structs_as_arrays(true);
    assert_eq!(arrays.to_vec(&plain()).unwrap(), b"\x94\x07\xa1n\x92\xa1a\xa1b\xc0");
    // Either form is read whatever the configuration; more fields than known are skipped.
    assert_eq!(
        from_slice::<Plain>(b"\x95\x07\xa1n\x92\xa1a\xa1b\xc0\x81\x01\x02").unwrap(),
        plain()
    );
    assert_eq!(arrays.from_slice::<Plain>(&to_vec(&plain()).unwrap()).unwrap(), plain());
    let longer = b"\x85\xa3new\x92\xc0\x81\x01\x90\xa2id\x07\xa4name\xa1n\xa4tags\x92\xa1a\xa1b\xa2at\xc0";
    assert_eq!(from_slice::<Plain>(longer).unwrap(), plain());
    assert_eq!(
        from_slice::<(u8, u8)>(b"\x93\x01\x02\x03").unwrap_err().kind().name(),
        "type_mismatch"
    );
    assert_eq!(
        from_slice::<(u8, u8)>(b"\x91\x01").unwrap_err().kind().name(),
        "type_mismatch"
    );
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum External {
    Unit,
    New(u8),
    Tuple(u8, String),
    Struct { a: u8, b: Option<u8> },
    Nested(Box<External>),
}
#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "type")]
enum Internal {
    Unit,
    New(Plain),
    Struct { a: u8, at: Timestamp },
}
#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    New(u8),
    Tuple(u8, String),
    Struct { a: u8 },
}
#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(untagged)]
enum Untagged {
    Number(i64),
    Float(f64),
    Text(String),
    Struct { a: u8, at: Timestamp },
    Pair(u16, u16),
    Many(Vec<String>),
    Time(Timestamp),
    Other(Ext<Box<[u8]>>),
    Unit,
}

#[test]
fn enums_of_all_forms_read_back() {
    bytes(External::Unit, b"\xa4Unit");
    bytes(External::New(1), b"\x81\xa3New\x01");
    bytes(External::Tuple(1, "a".into()), b"\x81\xa5Tuple\x92\x01\xa1a");
    bytes(
        External::Struct { a: 1, b: None },
        b"\x81\xa6Struct\x82\xa1a\x01\xa1b\xc0",
    );
    bytes(External::Nested(External::Unit.into()), b"\x81\xa6Nested\xa4Unit");
    bytes(
        vec![External::Nested(Box::new(External::New(100))); 3],
        b"\x93\x81\xa6Nested\x81\xa3New\x64\x81\xa6Nested\x81\xa3New\x64\x81\xa6Nested\x81\xa3New\x64",
    );
    assert_eq!(from_slice::<External>(b"\0").unwrap(), External::Unit);
    assert_eq!(from_slice::<External>(b"\x81\xa4Unit\xc0").unwrap(), External::Unit);
    assert_eq!(from_slice::<External>(b"\x81\x01\x05").unwrap(), External::New(5));
    for wrong in [
        &b"\xa3New"[..],
        b"\x82\xa3New\x01\xa4Unit\xc0",
        b"\x80",
        b"\xa3Non",
        b"\xc0",
        b"\x90",
    ] {
        assert_eq!(
            from_slice::<External>(wrong).unwrap_err().kind().name(),
            "type_mismatch",
            "{wrong:x?}"
        );
    }

    let at = Timestamp::new(5, 6).unwrap();
    let map_bytes = |value: Internal, bytes: &[u8]| {
        assert_eq!(to_vec(&value).unwrap(), bytes);
        round_trip_with(&value, map_configs());
    };
    bytes(Internal::Unit, b"\x81\xa4type\xa4Unit");
    map_bytes(
        Internal::Struct {
            a: 1,
            at: Timestamp::new(5, 0).unwrap(),
        },
        b"\x83\xa4type\xa6Struct\xa1a\x01\xa2at\xd6\xff\0\0\0\x05",
    );
    round_trip(&Internal::New(plain()));
    bytes(Adjacent::Unit, b"\x81\xa1t\xa4Unit");
    bytes(Adjacent::New(1), b"\x82\xa1t\xa3New\xa1c\x01");
    bytes(Adjacent::Tuple(1, "a".into()), b"\x82\xa1t\xa5Tuple\xa1c\x92\x01\xa1a");
    round_trip_with(&Adjacent::Struct { a: 1 }, map_configs());
    assert_eq!(
        to_vec(&Adjacent::Struct { a: 1 }).unwrap(),
        b"\x82\xa1t\xa6Struct\xa1c\x81\xa1a\x01"
    );
    bytes(Untagged::Number(-1), b"\xff");
    bytes(Untagged::Float(0.5), b"\xcb\x3f\xe0\0\0\0\0\0\0");
    bytes(Untagged::Text("a".into()), b"\xa1a");
    bytes(Untagged::Pair(1, 2), b"\x92\x01\x02");
    bytes(Untagged::Many(vec!["a".into()]), b"\x91\xa1a");
    bytes(Untagged::Unit, b"\xc0");
    bytes(Untagged::Time(at), b"\xd7\xff\0\0\0\x18\0\0\0\x05");
    bytes(Untagged::Other(Ext::new(5, b"abc")), b"\xc7\x03\x05abc");
    round_trip_with(&Untagged::Struct { a: 1, at }, map_configs());
    assert_eq!(
        to_vec(&Untagged::Struct { a: 1, at }).unwrap(),
        b"\x82\xa1a\x01\xa2at\xd7\xff\0\0\0\x18\0\0\0\x05"
    );
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Outer {
    before: u8,
    #[serde(flatten)]
    plain: Plain,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[test]
fn flattened_structs_read_back() {
    let rest = BTreeMap::from([
        ("x".into(), Value::from(1.5)),
        ("at".into(), Value::from(Timestamp::new(-1, 5).unwrap())),
        ("ext".into(), Value::from(Ext::new(-5, b"xyz"))),
        ("bin".into(), Value::from(&b"\x01"[..])),
    ]);
    let mut plain = plain();
    plain.at = Some(-4);
    let mut rest_without_at = rest;
    rest_without_at.remove("at");
    rest_without_at.insert("when".into(), Value::from(Timestamp::new(-1, 5).unwrap()));
    round_trip(&Outer {
        before: 1,
        plain,
        rest: rest_without_at,
    });
    // serde does not know the length of a flattened map: 20 entries need another header than none.
    let rest: BTreeMap<_, _> = (0..20).map(|i| (format!("k{i}"), Value::from(i))).collect();
    let outer = Outer {
        before: 1,
        plain: Plain::default(),
        rest,
    };
    let bytes = to_vec(&outer).unwrap();
    assert_eq!(bytes[..3], [0xde, 0, 25]);
    round_trip(&outer);
    round_trip(&vec![outer]);
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Default)]
#[serde(default)]
struct Sparse {
    a: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u8>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    c: Vec<u8>,
    #[serde(skip)]
    d: u8,
    #[serde(skip_serializing_if = "String::is_empty")]
    e: String,
    f: u8,
}

#[test]
fn fields_that_are_left_out_read_as_their_default() {
    bytes(
        Sparse {
            a: 1,
            f: 2,
            ..Sparse::default()
        },
        b"\x82\xa1a\x01\xa1f\x02",
    );
    round_trip(&Sparse {
        b: Some(1),
        e: "e".into(),
        ..Sparse::default()
    });
    round_trip(&Sparse {
        c: vec![1],
        ..Sparse::default()
    });
    let arrays = Config::new().structs_as_arrays(true);
    let bytes = arrays
        .to_vec(&Sparse {
            a: 1,
            f: 2,
            ..Sparse::default()
        })
        .unwrap();
    assert_eq!(bytes, b"\x82\x00\x01\x04\x02");
    // A nil where the type has no default is the fault that is reported.
    let error = from_slice::<Plain>(b"\x94\x07\xc0\x90\xc0").unwrap_err();
    assert_eq!(
        (error.kind().name(), error.offset(), error.path()),
        ("type_mismatch", Some(2), Some("$[1]"))
    );
}

/// Announces no length, or a wrong one.
struct Announces<'a>(Option<usize>, &'a [u64]);

impl Serialize for Announces<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeSeq;
        let mut seq = serializer.serialize_seq(self.0)?;
        for number in self.1 {
            seq.serialize_element(number)?;
        }
        seq.end()
    }
}

struct AnnouncesMap<'a>(Option<usize>, &'a [u64]);

impl Serialize for AnnouncesMap<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(self.0)?;
        for number in self.1 {
            map.serialize_entry(number, &Announces(self.0, self.1))?;
        }
        map.end()
    }
}

#[test]
fn lengths_that_are_unknown_or_wrong_are_corrected() {
    let numbers: Vec<u64> = (0..70_000).map(|i| i * 3_000_000).collect();
    for len in [0, 1, 15, 16, 17, 300, 65_535, 65_536, 70_000] {
        let wanted = to_vec(&numbers[..len]).unwrap();
        for announced in [
            None,
            Some(0),
            Some(3),
            Some(15),
            Some(16),
            Some(65_535),
            Some(65_536),
            Some(100_000),
        ] {
            assert_eq!(
                to_vec(&Announces(announced, &numbers[..len])).unwrap(),
                wanted,
                "{len} {announced:?}"
            );
            let mut appended = vec![1, 2, 3];
            packord::serde::to_buffer(&mut appended, &Announces(announced, &numbers[..len])).unwrap();
            assert_eq!(appended[3..], wanted);
        }
    }
    let wanted: BTreeMap<u64, Vec<u64>> = numbers[..40].iter().map(|&n| (n, numbers[..40].to_vec())).collect();
    for announced in [None, Some(1), Some(40), Some(70_000)] {
        let bytes = to_vec(&AnnouncesMap(announced, &numbers[..40])).unwrap();
        assert_eq!(bytes, to_vec(&wanted).unwrap());
    }
    let mut space = [0; 20];
    let error = packord::serde::to_slice(&Announces(None, &[1; 20]), &mut space).unwrap_err();
    assert_eq!(error.kind().name(), "buffer_full");
    assert_eq!(
        packord::serde::to_slice(&Announces(Some(60_000), &[1; 15]), &mut space).unwrap(),
        16
    );
}

#[test]
fn maps_and_sequences_read_back() {
    bytes(BTreeMap::from([(1_u8, true), (2, false)]), b"\x82\x01\xc3\x02\xc2");
    bytes(BTreeMap::from([((1_u8, 'a'), false)]), b"\x81\x92\x01\xa1a\xc2");
    bytes(
        BTreeMap::from([(vec![Some(1_u8), None], 1_u8)]),
        b"\x81\x92\x01\xc0\x01",
    );
    round_trip(&HashMap::from([(true, 1), (false, 2)]));
    round_trip(&(0..1000).collect::<HashSet<u32>>());
    bytes([1_u8, 2, 3], b"\x93\x01\x02\x03");
    bytes(vec![vec![0_u16; 2]; 20].len(), b"\x14");
    round_trip(&vec![vec![Some(0_u16), None]; 20]);
    bytes(Vec::<u8>::new(), b"\x90");
}

#[test]
fn options_are_nil_or_the_value() {
    bytes(Some(5_u8), b"\x05");
    bytes(None::<u8>, b"\xc0");
    bytes(Some(Some(5_u8)), b"\x05");
    bytes(None::<Option<u8>>, b"\xc0");
    // Both are nil: the outer one wins.
    assert_eq!(to_vec(&Some(None::<u8>)).unwrap(), b"\xc0");
    assert_eq!(from_slice::<Option<Option<u8>>>(b"\xc0").unwrap(), None);
    round_trip(&vec![Some(External::Unit), None, Some(External::New(1))]);
    round_trip(&Some(vec![Some("a".to_owned()), None]));
}

#[test]
fn records_read_back() {
    let users: Vec<Plain> = (0..100).map(|id| Plain { id, ..plain() }).collect();
    let config = Config::new().records(true);
    let (with, without) = (config.to_vec(&users).unwrap(), to_vec(&users).unwrap());
    assert!(with.len() * 2 < without.len());
    assert_eq!(config.from_slice::<Vec<Plain>>(&with).unwrap(), users);
    assert_eq!(config.from_slice::<Vec<Plain>>(&without).unwrap(), users);
    let tree = packord::DecodeOptions::new().records(true).decode(&with).unwrap();
    assert_eq!(tree, packord::from_slice::<packord::Value>(&without).unwrap());
    // Unknown fields of records are skipped, and a fault in a field has its path.
    #[derive(Deserialize, Debug, PartialEq)]
    struct Id {
        id: u32,
    }
    assert_eq!(config.from_slice::<Vec<Id>>(&with).unwrap()[99], Id { id: 99 });
    let error = config
        .from_slice::<Vec<Plain>>(b"\x92\xd4\x72\x40\x91\xa2id\x01\x40\xc0")
        .unwrap_err();
    assert_eq!(error.path(), Some("$[0]"), "{error}");
    let error = config
        .from_slice::<Vec<Id>>(b"\x92\xd4\x72\x40\x91\xa2id\x01\x40\xc0")
        .unwrap_err();
    assert_eq!((error.path(), error.offset()), (Some("$[1].id"), Some(10)));
    // With records on, 0x40 is a record if its id is defined, otherwise the integer.
    assert_eq!(config.from_slice::<Vec<u8>>(b"\x92\x40\xcc\x41").unwrap(), [64, 65]);
    assert_eq!(
        config.from_slice::<External>(b"\xd4\x72\x40\x91\xa3New\x01").unwrap(),
        External::New(1)
    );
}
