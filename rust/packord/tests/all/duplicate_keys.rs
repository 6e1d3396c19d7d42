//! `duplicate_key: error` for keys of any type: the fault is the one that comparing the values of
//! all keys finds, in time that does not grow with the depth of keys within keys.

use packord::{DecodeOptions, DuplicateKey, ErrorKind, Role, Token, Utf8, Value, Walker};
use proptest::prelude::*;
use std::time::{Duration, Instant};

fn strict() -> DecodeOptions {
    DecodeOptions::new().records(true).duplicate_key(DuplicateKey::Error)
}

/// Returns the end and the start of the first key that its map already has, by decoding each key on
/// its own.
fn first_twice(bytes: &[u8]) -> Option<(usize, usize)> {
    let options = DecodeOptions::new();
    let mut walker = Walker::with_options(bytes, &options);
    let mut open: Vec<Vec<Value>> = Vec::new();
    let mut found: Option<(usize, usize)> = None;
    while let Some(event) = walker.next().unwrap() {
        if let Token::End(_) = event.token {
            open.pop();
            continue;
        }
        let at = event.offset as usize;
        if event.role == Role::Key {
            let (key, len) = options.decode_prefix(&bytes[at..]).unwrap();
            let keys = open.last_mut().unwrap();
            // A key that contains a key twice is a fault itself, at an earlier offset.
            if keys.contains(&key) && found.is_none_or(|(end, _)| at + len < end) {
                found = Some((at + len, at));
            }
            keys.push(key);
        }
        if let Token::Array(_) | Token::Map(_) = event.token {
            open.push(Vec::new());
        }
    }
    found
}

/// Messages with few different scalars in many formats, so that keys are often equal.
fn message() -> impl Strategy<Value = Vec<u8>> {
    let scalars: &[&[u8]] = &[
        b"\x01",
        b"\xcc\x01",
        b"\xd3\0\0\0\0\0\0\0\x01",
        b"\xff",
        b"\xd0\xff",
        b"\xc0",
        b"\xa1a",
        b"\xd9\x01a",
        b"\xc4\x01a",
        b"\xca\x3f\x80\0\0",
        b"\xcb\x3f\xf0\0\0\0\0\0\0",
        b"\xd4\x05a",
        b"\xc7\x01\x05a",
        b"\xd6\xff\0\0\0\x01",
        b"\xd7\xff\0\0\0\0\0\0\0\x01",
    ];
    let scalar = prop::sample::select(scalars.iter().map(|bytes| bytes.to_vec()).collect::<Vec<_>>());
    scalar.prop_recursive(6, 60, 4, |inner| {
        let parts = prop::collection::vec(inner, 0..6);
        (parts, 0..5_u8).prop_map(|(mut parts, shape)| {
            let header = match (shape, parts.len() as u8) {
                (0, count) => vec![0x90 | count],
                (1, count) => vec![0xdc, 0, count],
                (2, _) => {
                    parts.truncate(parts.len() / 2 * 2);
                    vec![0xde, 0, parts.len() as u8 / 2]
                }
                _ => {
                    parts.truncate(parts.len() / 2 * 2);
                    vec![0x80 | (parts.len() as u8 / 2)]
                }
            };
            [header, parts.concat()].concat()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]
    #[test]
    fn keys_are_the_same_if_their_values_are(bytes in message()) {
        let found = strict().validate(&bytes);
        match first_twice(&bytes) {
            None => prop_assert_eq!(found, Ok(())),
            Some((_, at)) => {
                let error = found.unwrap_err();
                prop_assert_eq!(error.kind(), ErrorKind::DuplicateKey);
                prop_assert_eq!(error.offset(), Some(at as u64));
            }
        }
    }
}

#[test]
fn strs_that_are_not_utf8_are_compared_as_they_are_read() {
    let twice = |utf8, bytes: &[u8]| {
        let options = strict().utf8(utf8);
        let error = options.validate(bytes).err()?;
        assert_eq!(error.kind(), ErrorKind::DuplicateKey);
        error.offset()
    };
    let both_replaced = b"\x82\xa1\xff\x01\xa1\xfe\x02";
    assert_eq!(twice(Utf8::Replace, both_replaced), Some(4));
    assert_eq!(twice(Utf8::Raw, both_replaced), None);
    let str_and_bin = b"\x82\xa1\xff\x01\xc4\x01\xff\x02";
    assert_eq!(twice(Utf8::Raw, str_and_bin), Some(4));
    assert_eq!(twice(Utf8::Replace, str_and_bin), None);
}

#[test]
fn records_in_keys_are_compared_as_maps() {
    let define = b"\xd4\x72\x40\x92\xa1a\xa1b\x01\x02";
    let other = b"\xd4\x72\x41\x92\xa1b\xa1a\x02\x01";
    for (second, same) in [
        (&b"\x40\x01\x02"[..], true),
        (b"\x40\x01\x03", false),
        (other, true),
        (b"\x82\xa1b\x02\xa1a\x01", true),
        (b"\x82\xa1b\x02\xa1c\x01", false),
        (b"\x92\x01\x02", false),
    ] {
        // Two keys that are arrays of one record.
        let bytes = [&b"\x82\x91"[..], define, b"\xc0\x91", second, b"\xc0"].concat();
        let outcome = strict().decode(&bytes).map(drop);
        let expected = same.then_some((ErrorKind::DuplicateKey, Some(13)));
        let found = outcome.err().map(|error| (error.kind(), error.offset()));
        assert_eq!(found, expected, "{second:x?}");
    }
}

/// A map of two entries, the first key of which is such a map, and so on to an array.
fn keys_in_keys(depth: usize, elements: usize) -> Vec<u8> {
    let mut bytes = b"\x82".repeat(depth);
    bytes.push(0xdd);
    bytes.extend((elements as u32).to_be_bytes());
    bytes.extend((0..elements).map(|index| index as u8 & 0x7f));
    bytes.extend(b"\xc0\xc3\xc0".repeat(depth));
    bytes
}

#[test]
fn deep_keys_take_no_more_time_than_flat_ones() {
    let options = DecodeOptions::new().duplicate_key(DuplicateKey::Error);
    let time = |depth| {
        let bytes = keys_in_keys(depth, 200_000);
        let run = || {
            let begin = Instant::now();
            options.validate(&bytes).unwrap();
            begin.elapsed()
        };
        (0..3).map(|_| run()).min().unwrap()
    };
    let (flat, deep) = (time(1), time(1000));
    assert!(
        deep < flat * 8 + Duration::from_millis(50),
        "{deep:?} for keys in keys, {flat:?} for one"
    );
}
