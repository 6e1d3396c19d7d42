//! Diagnostic notation against the vectors, and round trips of generated values.

use crate::support::{cases, hex};
use packord::notation::{ParseOptions, parse, parse_with, to_text, to_text_with};
use packord::{DecodeOptions, Utf8};
use proptest::prelude::*;

#[test]
fn vectors_print_as_their_notation() {
    let mut compared = 0;
    for case in cases("valid").into_iter().chain(cases("records")) {
        if !case.has("bytes") {
            continue;
        }
        let (bytes, options) = (case.bytes(), case.options());
        let Ok(text) = to_text_with(&bytes, &options.decode, false) else {
            continue;
        };
        if let Some(expected) = case.json["notation"].as_str() {
            assert_eq!(text, expected, "{}", case.name);
            compared += 1;
        }
    }
    assert!(compared > 1000, "only {compared} inputs");
}

#[test]
fn notation_of_vectors_parses_to_the_same_bytes() {
    let mut compared = 0;
    for class in ["valid", "records", "stream", "hostile"] {
        for case in cases(class) {
            if !case.has("bytes") {
                continue;
            }
            let (bytes, options) = (case.bytes(), case.options());
            if bytes.len() > 200_000 || case.name.contains("record-abuse") {
                continue;
            }
            // Only notation keeps strings that are not UTF-8.
            let reading = options.decode.clone().utf8(Utf8::Raw);
            for pretty in [false, true] {
                let Ok(text) = to_text_with(&bytes, &reading, pretty) else {
                    continue;
                };
                let canonical = case.json["options"]["canonical"] == true;
                let mut parsing = ParseOptions::new()
                    .records(options.records && !canonical)
                    .sequential(options.sequential);
                if let Some(shared) = options.shared.as_ref().filter(|_| !canonical) {
                    parsing = parsing.shared_structures(shared);
                }
                let back = parse_with(&text, &parsing).unwrap_or_else(|error| panic!("{}: {error}: {text}", case.name));
                assert!(
                    back == bytes,
                    "{}: {text}: {} is not {}",
                    case.name,
                    hex(&back),
                    hex(&bytes)
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 2000, "only {compared} inputs");
}

#[test]
fn parses_every_variation_of_notation() {
    for (text, bytes) in [
        ("null", &b"\xc0"[..]),
        (" // nothing\n", b""),
        ("1 2 [] /* three\nmessages */ {}", b"\x01\x02\x90\x80"),
        ("[1, 2,]", b"\x92\x01\x02"),
        ("{1: 2,}", b"\x81\x01\x02"),
        ("0x7F -0x20 0xffff_u64", b"\x7f\xe0\xcf\0\0\0\0\0\0\xff\xff"),
        ("5_fix [1]_array16 \"\"_str8", b"\x05\xdc\0\x01\x01\xd9\0"),
        ("h'0A fF\n'", b"\xc4\x02\x0a\xff"),
        (
            r#""\u00e9\ud83d\ude00\/""#,
            "\u{a7}\u{e9}😀/".replacen('\u{a7}', "", 1).as_bytes(),
        ),
        ("ext( 5 , h'00' )", b"\xd4\x05\0"),
        ("1e2 1.5e+1_f32", b"\xcb\x40\x59\0\0\0\0\0\0\xca\x41\x70\0\0"),
        ("str( h'61' )", b"\xa1a"),
        ("-0", b"\0"),
    ] {
        let mut expected = bytes.to_vec();
        if text.starts_with('"') {
            expected.insert(0, 0xa0 + bytes.len() as u8);
        }
        assert_eq!(parse(text), Ok(expected), "{text}");
    }
}

#[test]
fn refuses_invalid_notation_at_its_place() {
    for (text, column, message) in [
        ("[1", 3, "expected a comma or the closing bracket"),
        ("[1 2]", 4, "expected a comma or the closing bracket"),
        ("[,]", 2, "expected a value"),
        ("{1}", 3, "expected a colon and the value of this key"),
        ("{1:}", 4, "expected a value"),
        ("]", 1, "expected a value"),
        ("[1)", 3, "expected a comma or the closing bracket"),
        ("\"abc", 2, "this str does not end"),
        ("\"\\ud800\"", 2, "half of a surrogate pair"),
        ("\"\\ud800\\u0041\"", 2, "half of a surrogate pair"),
        ("\"\\x\"", 2, "no such escape"),
        ("\"a\nb\"", 3, "control characters are escaped in a str"),
        ("300_u8", 1, "too large for its suffix"),
        ("-1_u8", 1, "too large for its suffix"),
        ("128_fix", 1, "too large for its suffix"),
        ("5_str8", 1, "this suffix is for another type of value"),
        ("nil_u8", 1, "this suffix is for another type of value"),
        ("5_f32", 1, "this suffix is for another type of value"),
        ("5_u7", 2, "no such suffix"),
        ("5x", 2, "expected space between two messages"),
        ("truex", 1, "expected a value"),
        (
            "18446744073709551616",
            1,
            "outside the range of integers, -2^63 to 2^64 - 1",
        ),
        (
            "-9223372036854775809",
            1,
            "outside the range of integers, -2^63 to 2^64 - 1",
        ),
        ("1e999", 1, "too large for a float; write inf"),
        ("1.", 3, "expected a digit"),
        ("1e", 3, "expected a digit"),
        ("nan(0x1)", 1, "these bits are not those of a NaN"),
        ("h'0'", 3, "expected two hexadecimal digits"),
        ("h'zz'", 3, "expected two hexadecimal digits"),
        ("ext(128, h'')", 5, "an ext type is -128 to 127"),
        (
            "timestamp(\"1970-01-01T01:00:00+01:00\")",
            11,
            "not a date and time in the form 2026-01-02T03:04:05.5Z",
        ),
        (
            "timestamp(\"now\")",
            11,
            "not a date and time in the form 2026-01-02T03:04:05.5Z",
        ),
        ("timestamp(0, 1000000000)", 11, "outside the range of timestamps"),
        ("/* x", 1, "this comment does not end"),
        ("#64(1)", 1, "records are off"),
        ("é", 1, "expected a value"),
    ] {
        let error = parse(text).expect_err(text);
        assert_eq!(
            (error.line(), error.column(), error.message()),
            (1, column, message),
            "{text}"
        );
    }
}

#[test]
fn refuses_records_that_do_not_fit_their_structures() {
    let options = ParseOptions::new().records(true);
    for (text, message) in [
        ("#64(1)", "no record with this id is defined here"),
        ("#64[\"a\"](1, 2)", "not as many values as the record has keys"),
        ("#64[\"a\"](1) #64(2)", "no record with this id is defined here"),
        ("[#64[\"a\"](1), 64_fix]", "this id is that of a record"),
        (
            "##96[\"a\"](1, #96(2))",
            "the ids that begin with this byte have the other form here",
        ),
        ("#128[](1)", "a one-byte id is 64 to 127"),
        ("##95[](1)", "a two-byte id is 96 to 8255"),
        ("#64[1](1)", "a key of a record is a str"),
        ("ext(114, h'40')", "ext type 114 is that of records, which are on"),
    ] {
        assert_eq!(parse_with(text, &options).expect_err(text).message(), message, "{text}");
    }
    assert!(parse_with("#64[\"a\"](1) #64(2)", &options.sequential(true)).is_ok());
}

#[test]
fn deep_notation_does_not_overflow_the_stack() {
    let depth = 200_000;
    let text = "[".repeat(depth) + &"]".repeat(depth);
    let bytes = parse(&text).unwrap();
    assert_eq!(bytes.len(), depth);
    let options = DecodeOptions::new().max_depth(u32::MAX);
    assert!(to_text_with(&bytes, &options, false).unwrap() == text);
}

/// Generates valid bytes: any value in any format that can hold it.
fn message() -> impl Strategy<Value = Vec<u8>> {
    let sized = |marker: u8, width: usize, length: usize| {
        let mut bytes = vec![marker];
        bytes.extend_from_slice(&(length as u64).to_be_bytes()[8 - width..]);
        bytes
    };
    let number = (0xca_u8..=0xd3, any::<[u8; 8]>()).prop_map(|(marker, payload)| {
        let width = match marker {
            0xca => 4,
            0xcb => 8,
            _ => 1 << (marker & 3),
        };
        let mut bytes = vec![marker];
        bytes.extend_from_slice(&payload[..width]);
        bytes
    });
    let text = (".{0,40}", 0_usize..3).prop_map(move |(text, form)| {
        let mut bytes = sized(0xd9 + form as u8, 1 << form, text.len());
        if text.len() > 255 || (form == 0 && text.len() < 32) {
            bytes = if text.len() < 32 {
                vec![0xa0 + text.len() as u8]
            } else {
                sized(0xda, 2, text.len())
            };
        }
        bytes.extend_from_slice(text.as_bytes());
        bytes
    });
    let binary = (prop::collection::vec(any::<u8>(), 0..40), 0_usize..3).prop_map(move |(content, form)| {
        let mut bytes = sized(0xc4 + form as u8, 1 << form, content.len());
        bytes.extend_from_slice(&content);
        bytes
    });
    let ext =
        (any::<i8>(), prop::collection::vec(any::<u8>(), 0..20), 0_usize..3).prop_map(move |(kind, content, form)| {
            // Most payloads are not valid timestamps.
            let kind = if kind == -1 { 1 } else { kind };
            let mut bytes = sized(0xc7 + form as u8, 1 << form, content.len());
            bytes.push(kind as u8);
            bytes.extend_from_slice(&content);
            bytes
        });
    let timestamp = (any::<i64>(), 0_u32..1_000_000_000).prop_map(|(seconds, nanoseconds)| {
        let mut bytes = vec![0xc7, 12, 0xff];
        bytes.extend_from_slice(&nanoseconds.to_be_bytes());
        bytes.extend_from_slice(&seconds.to_be_bytes());
        bytes
    });
    let leaf = prop_oneof![
        prop_oneof![0_u8..=0x7f, 0xe0_u8..=0xff, Just(0xc0), Just(0xc2), Just(0xc3)].prop_map(|byte| vec![byte]),
        number,
        text,
        binary,
        ext,
        timestamp,
    ];
    leaf.prop_recursive(6, 60, 8, move |inner| {
        (prop::collection::vec((inner.clone(), inner), 0..8), 0_usize..5).prop_map(move |(pairs, form)| {
            let count = pairs.len();
            let mut bytes = match form {
                0 => vec![0x90 + count as u8],
                1 => vec![0x80 + count as u8],
                2 => sized(0xdc, 2, count),
                3 => sized(0xdf, 4, count),
                _ => sized(0xdd, 4, count),
            };
            for (key, value) in pairs {
                if matches!(bytes[0], 0x80..=0x8f | 0xdf) {
                    bytes.extend_from_slice(&key);
                }
                bytes.extend_from_slice(&value);
            }
            bytes
        })
    })
}

proptest! {
    #[test]
    fn any_message_survives_a_round_trip(bytes in message()) {
        let text = to_text(&bytes).unwrap();
        prop_assert_eq!(&parse(&text).unwrap(), &bytes, "{}", text);
        let pretty = to_text_with(&bytes, &DecodeOptions::new(), true).unwrap();
        prop_assert_eq!(&parse(&pretty).unwrap(), &bytes, "{}", pretty);
    }

    #[test]
    fn any_records_survive_a_round_trip(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let reading = DecodeOptions::new().records(true).utf8(Utf8::Raw);
        if let Ok(text) = to_text_with(&bytes, &reading, false) {
            let options = ParseOptions::new().records(true);
            prop_assert_eq!(&parse_with(&text, &options).unwrap(), &bytes, "{}", text);
        }
    }

    #[test]
    fn any_text_parses_or_is_refused(text in r#"[\[\]{}(),:#0-9a-z"'._ \\-]{0,40}|\PC{0,20}"#) {
        if let Ok(bytes) = parse(&text) {
            prop_assert!(bytes.is_empty() || to_text_with(&bytes, &DecodeOptions::new().utf8(Utf8::Raw), false).is_ok());
        }
    }
}
