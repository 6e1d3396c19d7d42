//! Borrowing, bytes, times, ext, and values of any shape through serde.

use crate::round_trip::{configs, round_trip};
use packord::serde::{Bytes, Config, from_slice, to_vec};
use packord::{DecodeOptions, Ext, Timestamp, Utf8, Value, ValueRef};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Borrowing<'a> {
    text: &'a str,
    #[serde(with = "serde_bytes")]
    bytes: &'a [u8],
    #[serde(borrow)]
    cow: Cow<'a, str>,
    #[serde(borrow)]
    value: ValueRef<'a>,
}

#[test]
fn strings_and_bytes_are_borrowed() {
    let value = Borrowing {
        text: "a",
        bytes: b"\x01\x02",
        cow: "c".into(),
        value: ValueRef::from("v"),
    };
    for config in configs() {
        let bytes = config.to_vec(&value).unwrap();
        let back: Borrowing<'_> = config.from_slice(&bytes).unwrap();
        assert_eq!(back, value);
        for part in [back.text, &back.cow, back.value.as_str().unwrap()] {
            assert!(bytes.as_ptr_range().contains(&part.as_ptr()));
        }
        assert!(bytes.as_ptr_range().contains(&back.bytes.as_ptr()));
    }
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct WithBytes {
    #[serde(with = "serde_bytes")]
    a: Vec<u8>,
    b: Vec<u8>,
    #[serde(with = "packord::serde::bin")]
    c: [u8; 2],
    #[serde(with = "packord::serde::bin::option", default)]
    d: Option<Vec<u8>>,
}

#[test]
fn bytes_are_read_from_bin_and_array() {
    let value = WithBytes {
        a: vec![1, 200],
        b: vec![1, 200],
        c: [3, 4],
        d: Some(vec![5]),
    };
    let written = to_vec(&value).unwrap();
    assert_eq!(
        written,
        b"\x84\xa1a\xc4\x02\x01\xc8\xa1b\x92\x01\xcc\xc8\xa1c\xc4\x02\x03\x04\xa1d\xc4\x01\x05"
    );
    round_trip(&value);
    round_trip(&WithBytes { d: None, ..value });
    let swapped = b"\x83\xa1a\x92\x01\xcc\xc8\xa1b\xc4\x02\x01\xc8\xa1c\x92\x03\x04";
    let read: WithBytes = from_slice(swapped).unwrap();
    assert_eq!(
        (read.a, read.b, read.c, read.d),
        (vec![1, 200], vec![1, 200], [3, 4], None)
    );
    let error = from_slice::<WithBytes>(b"\x83\xa1a\x90\xa1b\x90\xa1c\xc4\x01\x03").unwrap_err();
    assert_eq!((error.kind().name(), error.path()), ("type_mismatch", Some("$.c")));

    let detect = Config::new().bytes(Bytes::Detected);
    assert_eq!(detect.to_vec(&vec![1_u8, 200]).unwrap(), b"\xc4\x02\x01\xc8");
    assert_eq!(detect.to_vec(&vec![1_u16, 200]).unwrap(), b"\x92\x01\xcc\xc8");
    assert_eq!(detect.to_vec(&(1_u8, 200_u16)).unwrap(), b"\x92\x01\xcc\xc8");
    assert_eq!(detect.to_vec(&vec![Some(1_u8)]).unwrap(), b"\x91\x01");
    assert_eq!(
        detect.to_vec(&vec![vec![1_u8], vec![]]).unwrap(),
        b"\x92\xc4\x01\x01\x90"
    );
    assert_eq!(detect.to_vec(&vec![255_u8; 300]).unwrap()[..3], *b"\xc5\x01\x2c");
}

#[test]
fn bytes_are_bins_by_their_type() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Number {
        Small(u8),
        Text(String),
    }
    let by_type = Config::new().bytes(Bytes::ByType);
    let hex = |bytes: Vec<u8>| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    macro_rules! write {
        ($value:expr) => {
            hex(by_type.to_vec(&$value).unwrap())
        };
    }
    assert_eq!(write!(vec![1_u8, 200]), "c40201c8");
    assert_eq!(write!(Vec::<u8>::new()), "c400");
    assert_eq!(write!(&[7_u8][..]), "c40107");
    assert_eq!(write!(std::collections::VecDeque::from([9_u8])), "c40109");
    assert_eq!(write!(Some(vec![Vec::<u8>::new()])), "91c400");
    assert_eq!(write!(vec![255_u8; 300])[..6], *"c5012c");
    // The type decides, and not the elements.
    assert_eq!(write!(vec![Number::Small(1)]), "9101");
    assert_eq!(write!(vec![1_u16]), "9101");
    assert_eq!(write!((1_u8, 2_u8)), "920102");
    assert_eq!(write!([1_u8, 2]), "920102");
    assert_eq!(write!(vec![Number::Text("a".into())]), "91a161");
    for bytes in [&b"\xc4\x01\x07"[..], b"\x91\x07"] {
        assert_eq!(by_type.from_slice::<Vec<u8>>(bytes).unwrap(), [7]);
    }
    let rmp = rmp_serde::encode::to_vec_named(&vec![1_u8]).unwrap();
    assert_eq!(by_type.from_slice::<Vec<u8>>(&rmp).unwrap(), [1]);
    let mut forced = Vec::new();
    let mut serializer =
        rmp_serde::Serializer::new(&mut forced).with_bytes(rmp_serde::config::BytesMode::ForceIterables);
    (vec![1_u8, 200], [3_u8]).serialize(&mut serializer).unwrap();
    assert_eq!(by_type.to_vec(&(vec![1_u8, 200], [3_u8])).unwrap(), forced);
    let error = by_type.to_slice(&vec![1_u8, 2], &mut [0; 3]).unwrap_err();
    assert_eq!(error.kind().name(), "buffer_full");
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Times {
    a: Timestamp,
    #[serde(with = "packord::serde::timestamp")]
    b: std::time::SystemTime,
    #[serde(with = "packord::serde::timestamp::option")]
    c: Option<std::time::SystemTime>,
    d: Ext<Box<[u8]>>,
    #[serde(with = "packord::serde::ext::Kind::<-7>")]
    e: Vec<u8>,
}

#[test]
fn timestamps_and_ext_read_back() {
    for (seconds, nanoseconds) in [(0, 0), (1 << 32, 0), (-5, 999_999_999), (1 << 34, 1)] {
        let a = Timestamp::new(seconds, nanoseconds).unwrap();
        let b = std::time::SystemTime::try_from(a).unwrap();
        round_trip(&a);
        round_trip(&Times {
            a,
            b,
            c: Some(b),
            d: Ext::new(1, b""),
            e: vec![1; 16],
        });
        round_trip(&Times {
            a,
            b,
            c: None,
            d: Ext::new(1, &[7; 300]),
            e: vec![],
        });
    }
    assert_eq!(to_vec(&Ext::new(5, b"ab")).unwrap(), b"\xd5\x05ab");
    assert_eq!(from_slice::<Ext<&[u8]>>(b"\xd5\x05ab").unwrap().payload(), b"ab");
    // Text of RFC 3339 is a point in time too, and JSON gets it.
    let at = Timestamp::new(1, 500_000_000).unwrap();
    assert_eq!(
        from_slice::<Timestamp>(&to_vec("1970-01-01T00:00:01.5Z").unwrap()).unwrap(),
        at
    );
    assert_eq!(serde_json::to_string(&at).unwrap(), "\"1970-01-01T00:00:01.5Z\"");
    assert_eq!(
        serde_json::from_str::<Timestamp>("\"1970-01-01T00:00:01.5Z\"").unwrap(),
        at
    );
    let far = Timestamp::new(i64::MAX, 1).unwrap();
    assert_eq!(
        serde_json::from_str::<Timestamp>(&serde_json::to_string(&far).unwrap()).unwrap(),
        far
    );
    let ext = Ext::new(-5, b"xyz");
    assert_eq!(
        serde_json::from_str::<Ext<Box<[u8]>>>(&serde_json::to_string(&ext).unwrap()).unwrap(),
        ext
    );
    for wrong in [&b"\xd4\x05a"[..], b"\xa1a", b"\x05", b"\xc0", b"\x81\x01\x02"] {
        assert_eq!(
            from_slice::<Timestamp>(wrong).unwrap_err().kind().name(),
            "type_mismatch",
            "{wrong:x?}"
        );
    }
    assert_eq!(
        from_slice::<Timestamp>(b"\xd4\xffa").unwrap_err().kind().name(),
        "invalid_timestamp"
    );
    assert_eq!(
        from_slice::<Ext<Box<[u8]>>>(b"\xd6\xff\0\0\0\0")
            .unwrap_err()
            .kind()
            .name(),
        "type_mismatch"
    );
}

#[test]
fn values_of_any_type_read_back() {
    let value = Value::from(vec![
        Value::Nil,
        true.into(),
        1.into(),
        (-1).into(),
        u64::MAX.into(),
        1.5_f32.into(),
        f64::NAN.into(),
        "a".into(),
        (&b"\x01"[..]).into(),
        Value::from([("k", 1)]),
        Value::from([(1, "v")]),
        Timestamp::new(1, 1).unwrap().into(),
        Ext::new(99, b"x").into(),
        Value::from(1_i128 << 70),
    ]);
    let bytes = packord::to_vec(&value).unwrap();
    assert_eq!(to_vec(&value).unwrap(), bytes);
    assert_eq!(from_slice::<Value>(&bytes).unwrap(), value);
    assert_eq!(from_slice::<ValueRef<'_>>(&bytes).unwrap().to_owned(), value);
    assert_eq!(from_slice::<Value>(&bytes).unwrap().to_string(), value.to_string());
    for config in configs() {
        if config.to_vec(&0.5_f32).unwrap().len() == 5 {
            assert_eq!(
                config.from_slice::<Value>(&config.to_vec(&value).unwrap()).unwrap(),
                value
            );
        }
    }
    let json = serde_json::json!({"a": [1, -1, 1.5, null, true], "b": {"c": "d"}});
    assert_eq!(from_slice::<serde_json::Value>(&to_vec(&json).unwrap()).unwrap(), json);
}

#[test]
fn keys_of_records_are_borrowed_where_they_are_defined() {
    use packord::serde::Config;
    use packord::{DecodeOptions, EncodeOptions, ErrorKind, value};
    use std::collections::BTreeMap;
    let rows = value!([
        {"id": 1, "in": {"x": 2, "y": [{"id": 3, "in": nil}]}},
        {"id": 4, "in": {"x": 5, "y": 6}},
        {"id": 7}
    ]);
    let bytes = EncodeOptions::new().records(true).encode(&rows).unwrap();
    let config = Config::new().records(true);
    let borrowed: ValueRef<'_> = config.from_slice(&bytes).unwrap();
    let direct = DecodeOptions::new().records(true);
    assert_eq!(borrowed, direct.decode_ref(&bytes).unwrap());
    let keys: Vec<BTreeMap<&str, Value>> = config.from_slice(&bytes).unwrap();
    assert_eq!(keys[1]["id"], 4);
    // A definition within a value that is passed over takes the place of another: its names are not those.
    let bytes = b"\x93\xd4\x72\x40\x91\xa1a\x01\x91\xd4\x72\x40\x91\xa1b\x02\x40\x03";
    type Skipping<'a> = (BTreeMap<&'a str, u8>, serde::de::IgnoredAny, BTreeMap<String, u8>);
    let (first, _, last) = config.from_slice::<Skipping<'_>>(bytes).unwrap();
    assert_eq!((first["a"], last["b"]), (1, 3));
    let mut shared = packord::Structures::new();
    shared.push(["a"]);
    let options = DecodeOptions::new().shared_structures(shared);
    let error = Config::new()
        .decode_options(options)
        .from_slice::<ValueRef<'_>>(b"\x40\x07");
    assert_eq!(error.unwrap_err().kind(), ErrorKind::TypeMismatch);
}

#[test]
fn a_borrowed_value_has_all_that_the_message_has() {
    let options = DecodeOptions::new();
    let cases: [(DecodeOptions, &[u8]); 6] = [
        (options.clone().bigint(true), b"\xc7\x09\x42\x01\0\0\0\0\0\0\0\0"),
        (
            options.clone().bigint(true),
            b"\x92\xc7\x02\x42\x01\0\xc7\x0a\x42\x7f\xff\0\0\0\0\0\0\0\0",
        ),
        // The id is defined again within a record of it.
        (
            options.clone().records(true),
            b"\xd4\x72\x40\x92\xa1a\xa1b\xd4\x72\x40\x91\xa1c\x01\xc0",
        ),
        (
            options.clone().records(true),
            b"\x93\xd4\x72\x40\x92\xa1a\xa1b\x40\x01\x02\xd4\x72\x40\x90\x40\x40",
        ),
        // There are no columns.
        (options.clone().columns(true).utf8(Utf8::Raw), b"\xa1\x8a"),
        (options.columns(true).utf8(Utf8::Raw), b"\x92\xa1\x8a\xa1a"),
    ];
    for (options, bytes) in cases {
        let config = Config::new().decode_options(&options);
        let wanted = options.decode_ref(bytes).unwrap();
        assert_eq!(config.from_slice::<ValueRef>(bytes).unwrap(), wanted, "{bytes:02x?}");
        let owned = options.decode(bytes).unwrap();
        assert_eq!(config.from_slice::<Value>(bytes).unwrap(), owned, "{bytes:02x?}");
    }
}
