//! After an error, or code of the program that fails: where each reader is, and what it keeps.

use packord::io::{UnpackReader, WalkReader};
use packord::serde::{Config, Deserializer, from_slice};
use packord::{DecodeOptions, ErrorKind, MessageScanner, Value};
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

#[test]
fn after_an_error_a_deserializer_is_at_the_next_message() {
    let mut deserializer = Deserializer::new(b"\x93\x01\x02\x03\x07\x92\xc1\x01");
    let error = deserializer.next::<Vec<String>>().unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::TypeMismatch, Some("$[0]")));
    assert_eq!(deserializer.next::<u8>().unwrap(), Some(7));
    // After a fault that leaves the end of the message unknown, it stays.
    for _ in 0..2 {
        let error = deserializer.next::<Vec<u8>>().unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::ReservedMarker, Some(6)));
        assert_eq!(deserializer.offset(), 5);
    }
    let mut deserializer = Deserializer::new(b"\x92\xa1\xff\x91\x01\x07");
    let error = deserializer.next::<Vec<String>>().unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::InvalidUtf8, Some(2)));
    assert_eq!(deserializer.next::<u8>().unwrap(), Some(7));
    let mut deserializer = Deserializer::new(b"\x93\x01\x02\x03\x07");
    assert!(String::deserialize(&mut deserializer).is_err());
    assert_eq!(u8::deserialize(&mut deserializer).unwrap(), 7);
}

/// Keeps what can be read of an array.
#[derive(Debug, PartialEq)]
struct Lossy(Vec<Option<u8>>);

impl<'de> Deserialize<'de> for Lossy {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Lossy, D::Error> {
        struct Elements;
        impl<'de> Visitor<'de> for Elements {
            type Value = Lossy;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Lossy, A::Error> {
                let mut found = Vec::new();
                loop {
                    match elements.next_element() {
                        Ok(Some(element)) => found.push(Some(element)),
                        Ok(None) => return Ok(Lossy(found)),
                        Err(_) => found.push(None),
                    }
                }
            }
        }
        deserializer.deserialize_seq(Elements)
    }
}

/// Drops the error of its content.
#[derive(Debug, PartialEq)]
struct Maybe(Option<u8>);

impl<'de> Deserialize<'de> for Maybe {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Maybe, D::Error> {
        Ok(Maybe(u8::deserialize(deserializer).ok()))
    }
}

#[test]
fn an_error_that_a_type_drops_does_not_put_a_reader_out_of_step() {
    // Scalars of another type are passed over.
    let scalars = b"\x93\x01\xa1x\x06\x07";
    let mut reader = UnpackReader::new(&scalars[..]);
    assert_eq!(reader.next().unwrap(), Some(Lossy(vec![Some(1), None, Some(6)])));
    assert_eq!(reader.next::<u8>().unwrap(), Some(7));
    for nested in [
        &b"\x93\x01\x91\x05\x06\x07"[..],
        b"\x93\x01\x81\xa1a\x05\x06\x07",
        b"\x93\x01\xdc\0\x01\x05\x06\x07",
    ] {
        let message = nested.len() - 1;
        assert_eq!(
            from_slice::<Lossy>(&nested[..message]).unwrap_err().kind(),
            ErrorKind::TypeMismatch
        );
        assert!(from_slice::<Vec<Maybe>>(&nested[..message]).is_err());
        assert!(Config::new().from_prefix::<Lossy>(nested).is_err());
        let mut reader = UnpackReader::new(nested);
        assert!(reader.next::<Lossy>().is_err());
        assert_eq!(reader.next::<u8>().unwrap(), Some(7));
        let mut deserializer = Deserializer::new(nested);
        assert!(deserializer.next::<Lossy>().is_err());
        assert_eq!(deserializer.next::<u8>().unwrap(), Some(7));
    }
    // A fault in the bytes is not dropped either.
    for bytes in [&b"\x92\x01\xa1\xff"[..], b"\x92\x01\xc1", b"\x92\x01\xa2x"] {
        assert!(from_slice::<Lossy>(bytes).is_err());
        assert!(from_slice::<Vec<Maybe>>(bytes).is_err());
    }
}

#[test]
fn paths_in_streams_have_the_number_of_the_message() {
    let bytes = b"\x91\x01\x91\xa1x\x91\xa1x";
    let mut reader = UnpackReader::new(&bytes[..]);
    reader.next::<Vec<u8>>().unwrap();
    let error = reader.next::<Vec<u8>>().unwrap_err();
    assert_eq!((error.path(), error.offset()), (Some("$1[0]"), Some(3)));
    let error = reader.unpack::<Vec<u8>>().unwrap_err();
    assert_eq!((error.path(), error.offset()), (Some("$2[0]"), Some(6)));
    let mut reader = packord::serde::IoDeserializer::new(&bytes[..]);
    assert!(Vec::<String>::deserialize(&mut reader).unwrap_err().path() == Some("$[0]"));
    assert!(Vec::<u8>::deserialize(&mut reader).unwrap_err().path() == Some("$1[0]"));
}

/// Were the messages before counted again for each error, this would take minutes.
#[test]
fn the_paths_of_many_messages_at_fault_take_linear_time() {
    const MESSAGES: usize = 100_000;
    let bytes = b"\xa1\xff".repeat(MESSAGES);
    for config in [Config::new(), Config::new().records(true)] {
        let begin = std::time::Instant::now();
        let mut all = Deserializer::with_config(&bytes, &config);
        for number in 0..MESSAGES {
            let error = all.next::<String>().unwrap_err();
            if number == MESSAGES - 1 {
                assert_eq!(error.path(), Some("$99999"));
            }
        }
        assert!(all.next::<String>().unwrap().is_none());
        assert!(begin.elapsed().as_secs() < 20);
    }
}

struct Panics;

impl Serialize for Panics {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        panic!("a type of the program")
    }
}

#[test]
fn a_type_that_panics_leaves_no_bytes() {
    let mut out = vec![0xc0];
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        packord::serde::to_buffer(&mut out, &("text", Panics))
    }));
    assert!(outcome.is_err());
    assert_eq!(out, [0xc0]);
}

/// Says that it has read more than it has.
struct Liar;

impl std::io::Read for Liar {
    fn read(&mut self, space: &mut [u8]) -> std::io::Result<usize> {
        Ok(space.len() + 1)
    }
}

#[test]
fn a_reader_that_lies_is_an_error() {
    let kind = WalkReader::new(Liar).next_message().unwrap_err().kind();
    assert_eq!(kind, ErrorKind::Io);
    let kind = UnpackReader::new(Liar).next_value().unwrap_err().kind();
    assert_eq!(kind, ErrorKind::Io);
}

#[test]
fn a_scanner_keeps_nothing_after_an_error() {
    let mut scanner = MessageScanner::with_options(&DecodeOptions::new().max_buffer(1000));
    scanner.feed(b"\xc1");
    assert!(scanner.next_value().is_err());
    for _ in 0..100 {
        scanner.feed(&[0; 1000]);
        assert!(scanner.next_value().is_err());
    }
    assert_eq!(scanner.pending(), b"\xc1");
    scanner.skip_bytes(1);
    scanner.feed(b"\x07");
    assert_eq!(scanner.next_value().unwrap(), Some(Value::from(7)));
}
