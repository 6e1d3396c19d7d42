//! Types of serde through a deserializer over any reader.

use packord::serde::{Config, IoDeserializer};
use packord::{DecodeOptions, EncodeOptions, ErrorKind, Ext, RecordEncoder, Timestamp, Value, value};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::io::{Cursor, Read};

#[derive(serde::Serialize, Deserialize, PartialEq, Debug)]
enum Kind {
    Unit,
    Newtype(String),
    Tuple(u8, i8),
    Struct { a: Option<u8>, b: () },
}

#[derive(serde::Serialize, Deserialize, PartialEq, Debug)]
struct All {
    kinds: Vec<Kind>,
    map: BTreeMap<String, f64>,
    at: Timestamp,
    ext: Ext,
    any: Value,
    wide: i128,
    letter: char,
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
    #[serde(flatten)]
    rest: BTreeMap<String, f32>,
}

fn all() -> All {
    All {
        kinds: vec![
            Kind::Unit,
            Kind::Newtype("é".to_owned()),
            Kind::Tuple(200, -3),
            Kind::Struct { a: Some(1), b: () },
        ],
        map: [("x".to_owned(), 0.1)].into(),
        at: Timestamp::new(-5, 7).unwrap(),
        ext: Ext::new(9, &[1, 2, 3]),
        any: value!({"a": [1, nil, "text"], "b": 1.5}),
        wide: i128::MIN,
        letter: '€',
        bytes: vec![0, 255],
        rest: [("y".to_owned(), 2.5)].into(),
    }
}

/// Gives one byte with each call.
struct Slow<R>(R);

impl<R: Read> Read for Slow<R> {
    fn read(&mut self, space: &mut [u8]) -> std::io::Result<usize> {
        let len = space.len().min(1);
        self.0.read(&mut space[..len])
    }
}

fn next<T: DeserializeOwned>(from: &mut IoDeserializer<impl Read>) -> T {
    T::deserialize(from).unwrap()
}

#[test]
fn every_shape_is_read_from_a_reader() {
    for arrays in [false, true] {
        let config = Config::new().bigint(true).structs_as_arrays(arrays);
        let mut bytes = config.to_vec(&all()).unwrap();
        bytes.extend(config.to_vec("between").unwrap());
        bytes.extend(config.to_vec(&all()).unwrap());
        bytes.push(0xc1);
        let mut fast = IoDeserializer::with_config(&bytes[..], &config);
        let mut slow = IoDeserializer::with_config(Slow(&bytes[..]), &config);
        assert_eq!((next::<All>(&mut fast), next::<All>(&mut slow)), (all(), all()));
        assert_eq!((next::<String>(&mut fast), next::<String>(&mut slow)).0, "between");
        assert_eq!((next::<All>(&mut fast), next::<All>(&mut slow)), (all(), all()));
        assert_eq!(fast.offset(), bytes.len() as u64 - 1);
        assert_eq!((fast.into_inner(), slow.into_inner().0), (&b"\xc1"[..], &b"\xc1"[..]));
    }
}

#[test]
fn errors_have_their_offset_in_the_stream_and_their_path() {
    let mut from = IoDeserializer::new(&b"\xa2ok\x91\x81\xa1a\xc3\x07\x92\x01"[..]);
    assert_eq!(next::<String>(&mut from), "ok");
    let error = Vec::<BTreeMap<String, u8>>::deserialize(&mut from).unwrap_err();
    let place = (error.kind().name(), error.offset(), error.path());
    assert_eq!(place, ("type_mismatch", Some(7), Some("$1[0].a")));
    // The message after one of another type can be read.
    assert_eq!(next::<u8>(&mut from), 7);
    let error = <[u8; 2]>::deserialize(&mut from).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Eof, Some(11)));

    let mut empty = IoDeserializer::new(std::io::empty());
    let error = u8::deserialize(&mut empty).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Eof, Some(0)));
}

#[test]
fn nothing_can_be_borrowed_from_a_reader() {
    let mut from = IoDeserializer::new(&b"\xa2hi\xa2ho"[..]);
    let error = <&str>::deserialize(&mut from).unwrap_err();
    assert_eq!((error.kind().name(), error.offset()), ("type_mismatch", Some(0)));
    assert_eq!(next::<std::borrow::Cow<str>>(&mut from), "ho");
}

#[test]
fn the_reader_can_be_moved() {
    let mut from = IoDeserializer::new(Cursor::new(b"\x01\x02\x03".to_vec()));
    assert_eq!((next::<u8>(&mut from), next::<u8>(&mut from)), (1, 2));
    assert_eq!(from.get_ref().position(), 2);
    from.get_mut().set_position(0);
    assert_eq!(next::<u8>(&mut from), 1);
}

#[test]
fn options_of_the_configuration_hold() {
    let strict = Config::new().decode_options(DecodeOptions::new().max_len(2));
    let mut from = IoDeserializer::with_config(&b"\x93\x01\x02\x03"[..], &strict);
    let error = Vec::<u8>::deserialize(&mut from).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LengthLimit);
    let text = Config::new().human_readable(true);
    let mut from = IoDeserializer::with_config(&b"\xa9127.0.0.1"[..], &text);
    assert_eq!(next::<std::net::Ipv4Addr>(&mut from), std::net::Ipv4Addr::LOCALHOST);

    let rows = value!([{"id": 1, "n": 2}, {"id": 3, "n": 4}]);
    let bytes = EncodeOptions::new().records(true).encode(&rows).unwrap();
    let records = Config::new().records(true);
    let mut from = IoDeserializer::with_config(&bytes[..], &records);
    let read: Vec<BTreeMap<String, u8>> = next(&mut from);
    assert_eq!((read[1]["id"], read[1]["n"]), (3, 4));
    let mut encoder = RecordEncoder::new(EncodeOptions::new().records(true));
    let bytes = encoder.encode(&rows).unwrap();
    let mut from = IoDeserializer::with_config(&bytes[..], &records);
    assert_eq!(next::<Value>(&mut from), rows);
}
