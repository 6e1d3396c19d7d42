//! The messages of errors are those of `spec/errors.md`, in all parts of the crate.

use packord::serde::{Config, Deserializer};
use packord::{DecodeOptions, Error, ErrorKind, Packable, Timestamp, Unpackable, Value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::num::NonZeroU8;
use std::path::Path;

/// The kinds that Rust adds, for what is outside the format.
const OWN_KINDS: [ErrorKind; 3] = [ErrorKind::BufferFull, ErrorKind::Io, ErrorKind::Custom];

/// The rows of the table of kinds in `spec/errors.md`: name and description.
fn specified_kinds() -> Vec<(String, String)> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let specification = std::fs::read_to_string(package.join("../../spec/errors.md")).unwrap();
    let (_, section) = specification.split_once("## 2. Kinds").unwrap();
    section
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let name = cells[1].trim_matches('`');
            (name.to_owned(), cells[4].to_owned())
        })
        .take_while(|(name, _)| ErrorKind::ALL.iter().any(|kind| kind.name() == name))
        .collect()
}

#[test]
fn each_kind_has_the_description_of_the_specification() {
    let known: Vec<(String, String)> = ErrorKind::ALL
        .iter()
        .filter(|kind| !OWN_KINDS.contains(kind))
        .map(|kind| (kind.name().to_owned(), kind.description().to_owned()))
        .collect();
    assert_eq!(known, specified_kinds());
}

#[test]
fn a_message_has_kind_place_description_and_detail() {
    let kind = ErrorKind::LengthLimit;
    let error = Error::at(kind, 7);
    assert_eq!(
        error.to_string(),
        "length_limit at byte 7: value exceeds a length limit"
    );
    let error = error.with_path("$.name").with_detail("max_str_len is 100");
    assert_eq!(
        error.to_string(),
        "length_limit at byte 7 ($.name): value exceeds a length limit: max_str_len is 100"
    );
    assert_eq!(
        Error::new(ErrorKind::Cycle).with_path("$.parent").to_string(),
        "cycle at $.parent: container contains itself"
    );
    assert_eq!(
        Error::new(ErrorKind::Custom).with_detail("no such colour").to_string(),
        "custom: type refused the value: no such colour"
    );
}

#[derive(Debug, Packable, Unpackable, Serialize, Deserialize)]
#[msgpacker(map, deny_unknown_fields)]
#[serde(deny_unknown_fields)]
struct Person {
    name: String,
    age: u8,
}

#[derive(Debug, Packable, Unpackable, Serialize, Deserialize)]
#[msgpacker(map)]
enum Shape {
    Empty,
    Circle { radius: f64 },
}

/// Both ways of reading report this.
#[track_caller]
fn both_say<T>(text: &str, message: &str)
where
    T: Debug + Unpackable + for<'de> Deserialize<'de>,
{
    let bytes = packord::notation::parse(text).unwrap();
    let derived = T::unpack(&bytes).unwrap_err();
    let serde = packord::serde::from_slice::<T>(&bytes).unwrap_err();
    assert_eq!(derived.to_string(), message, "derive");
    assert_eq!(serde.to_string(), message, "serde");
}

#[test]
fn another_type_is_named_beside_the_expected_one() {
    let found = [
        ("nil", "nil"),
        ("true", "bool"),
        ("5", "integer"),
        ("-200", "integer"),
        ("1.5", "float"),
        (r#""x""#, "str"),
        ("h'00'", "bin"),
        ("[]", "array"),
        ("{}", "map"),
        (r#"timestamp("2020-01-01T00:00:00Z")"#, "timestamp"),
        ("ext(5, h'00')", "ext"),
    ];
    for (text, name) in found {
        let message = |expected: &str| {
            format!("type_mismatch at byte 0 ($): value has an unexpected type: expected {expected}, found {name}")
        };
        if name != "bool" {
            both_say::<bool>(text, &message("a bool"));
        }
        if name != "integer" {
            both_say::<u8>(text, &message("an integer"));
            both_say::<i64>(text, &message("an integer"));
            both_say::<i128>(text, &message("an integer"));
            both_say::<u128>(text, &message("an integer"));
            both_say::<NonZeroU8>(text, &message("an integer"));
        }
        if !["integer", "float"].contains(&name) {
            both_say::<f64>(text, &message("a float"));
            both_say::<f32>(text, &message("a float"));
        }
        if name != "str" {
            both_say::<String>(text, &message("a str"));
        }
        if !["str", "integer"].contains(&name) {
            both_say::<char>(text, &message("a character"));
        }
        if name != "nil" {
            both_say::<()>(text, &message("nil"));
        }
        if !["array", "bin"].contains(&name) {
            both_say::<Vec<u32>>(text, &message("an array"));
        }
        if name != "map" {
            both_say::<BTreeMap<String, u8>>(text, &message("a map"));
        }
    }
}

#[test]
fn a_mismatch_deep_inside_has_its_path() {
    both_say::<Vec<Person>>(
        r#"[{"name": "a", "age": "b"}]"#,
        "type_mismatch at byte 13 ($[0].age): value has an unexpected type: expected an integer, found str",
    );
    both_say::<Vec<Person>>(
        r#"[{"age": 1, "name": nil}]"#,
        "type_mismatch at byte 12 ($[0].name): value has an unexpected type: expected a str, found nil",
    );
}

#[test]
fn a_number_that_does_not_fit_is_told_with_the_type() {
    let says = |detail: &str| format!("out_of_range at byte 0 ($): number is out of range: {detail}");
    both_say::<u8>("300", &says("300 does not fit u8"));
    both_say::<u8>("-1", &says("-1 does not fit u8"));
    both_say::<i16>("40000", &says("40000 does not fit i16"));
    both_say::<u64>("-5", &says("-5 does not fit u64"));
    both_say::<i64>("9223372036854775808", &says("9223372036854775808 does not fit i64"));
    both_say::<u128>("-1", &says("-1 does not fit u128"));
    both_say::<f64>("9007199254740993", &says("9007199254740993 does not fit f64"));
    both_say::<f32>("16777217", &says("16777217 does not fit f32"));
    both_say::<NonZeroU8>("0", &says("0 does not fit NonZeroU8"));
    both_say::<NonZeroU8>("256", &says("256 does not fit NonZeroU8"));
}

#[test]
fn an_integer_that_a_float_holds_is_read_as_one() {
    fn read<T: Unpackable>(text: &str) -> Option<T> {
        T::unpack(&packord::notation::parse(text).unwrap()).ok()
    }
    let held = [
        ("0", 0.0),
        ("-3", -3.0),
        ("9223372036854775808", 9_223_372_036_854_775_808.0),
        ("-9223372036854775808", -9_223_372_036_854_775_808.0),
        ("18446742974197923840", 18_446_742_974_197_923_840.0),
    ];
    for (text, float) in held {
        assert_eq!(read(text), Some(float), "{text}");
        assert_eq!(read(text), Some(float as f32), "{text}");
    }
    for text in [
        "-9007199254740993",
        "9223372036854775807",
        "-9223372036854775807",
        "18446744073709551615",
    ] {
        assert_eq!(read::<f64>(text), None, "{text}");
        assert_eq!(read::<f32>(text), None, "{text}");
    }
    assert_eq!(read::<f32>("-16777217"), None);
}

#[test]
fn fields_are_told_by_name() {
    both_say::<Person>(
        r#"{"name": "a", "age": 1, "size": 2}"#,
        r#"type_mismatch at byte 13 ($): value has an unexpected type: unknown field "size""#,
    );
    let bytes = packord::notation::parse(r#"[{"name": "a"}]"#).unwrap();
    let derived = Vec::<Person>::unpack(&bytes).unwrap_err();
    let serde = packord::serde::from_slice::<Vec<Person>>(&bytes).unwrap_err();
    for error in [derived, serde] {
        assert_eq!((error.kind(), error.offset()), (ErrorKind::TypeMismatch, Some(1)));
        assert_eq!(error.detail(), Some(r#"missing field "age""#));
    }
}

#[test]
fn variants_are_told_by_name() {
    let says = |detail: &str| format!("type_mismatch at byte 0 ($): value has an unexpected type: {detail}");
    both_say::<Shape>(r#""Square""#, &says(r#"unknown variant "Square""#));
    both_say::<Shape>(r#""Circle""#, &says("expected a map of one entry, found str"));
    both_say::<Shape>(
        r#"{"Circle": {"radius": 1.0}, "Empty": nil}"#,
        &says("expected a map of one entry, found map"),
    );
    both_say::<Shape>("1.5", &says("expected a variant, found float"));
    let bytes = packord::notation::parse(r#"{"Square": 1}"#).unwrap();
    let derived = Shape::unpack(&bytes).unwrap_err();
    let serde = packord::serde::from_slice::<Shape>(&bytes).unwrap_err();
    for error in [derived, serde] {
        assert_eq!(error.detail(), Some(r#"unknown variant "Square""#));
    }
}

#[test]
fn lengths_are_told() {
    let says = |detail: &str| format!("type_mismatch at byte 0 ($): value has an unexpected type: {detail}");
    both_say::<(u8, u8, u8)>("[1, 2]", &says("expected a tuple of size 3, found length 2"));
    both_say::<[u32; 3]>("[1]", &says("expected an array of length 3, found length 1"));
    assert_eq!(
        <[u8; 2]>::unpack(b"\xc4\x03abc").unwrap_err().detail(),
        Some("expected an array of length 2, found length 3")
    );
}

#[derive(Debug, Packable, Unpackable)]
#[msgpacker(record, deny_unknown_fields)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(Packable)]
#[msgpacker(record)]
struct Wide {
    x: i32,
    y: i32,
    z: i32,
}

#[test]
fn names_of_records_are_told() {
    let encode = packord::EncodeOptions::new().records(true);
    let decode = DecodeOptions::new().records(true);
    let wide = encode.pack(&Wide { x: 1, y: 2, z: 3 }).unwrap();
    let error = decode.unpack::<Point>(&wide).unwrap_err();
    assert_eq!(error.detail(), Some(r#"unknown field "z""#));
    let point = encode.pack(&[Point { x: 1, y: 2 }, Point { x: 3, y: 4 }]).unwrap();
    let error = decode.unpack::<Vec<u32>>(&point).unwrap_err();
    assert_eq!(error.detail(), Some("expected an integer, found map"));
    let error = decode.unpack::<(Point, u32)>(&point).unwrap_err();
    assert_eq!(error.detail(), Some("expected an integer, found map"));
}

#[derive(Debug, Packable, Unpackable)]
#[msgpacker(untagged)]
enum Either {
    Number(u8),
    Text(String),
}

#[derive(Clone, Copy, Debug, Packable, Unpackable)]
#[msgpacker(c_enum)]
enum Level {
    Low = 1,
    High = 5,
}

#[test]
fn enums_of_other_forms_say_what_is_wrong() {
    assert_eq!(
        Either::unpack(b"\xc3").unwrap_err().detail(),
        Some("no variant of the enum accepts the value")
    );
    assert_eq!(Level::unpack(b"\x07").unwrap_err().detail(), Some("unknown variant 7"));
    assert_eq!(
        Level::unpack(b"\xc3").unwrap_err().detail(),
        Some("expected an integer, found bool")
    );
    assert_eq!([Level::Low.pack_to_vec(), Level::High.pack_to_vec()], [[1], [5]]);
}

/// A map of one entry with this key, the value of which is the reserved marker.
fn faulty_entry(key: &str) -> Vec<u8> {
    let mut bytes = vec![0x81];
    bytes.extend(key.pack_to_vec());
    bytes.push(0xc1);
    bytes
}

#[test]
fn a_message_after_one_at_fault_has_its_own_path() {
    let bytes = b"\xa1\xff\xa1\xff\x91\xa1\xff\x92\x05\xc3\x81\xa1a\xa1\xff\x07";
    let places: [(u64, &str); 5] = [(1, "$"), (3, "$1"), (6, "$2[0]"), (8, "$3[0]"), (14, "$4.a")];
    let options = DecodeOptions::new();
    for config in [
        Config::new(),
        Config::new().decode_options(&options),
        Config::new().bigint(true),
        Config::new().records(true),
        Config::new().decode_options(options.records(true).sequential(true)),
        Config::new().decode_options(DecodeOptions::new().max_array_len(2)),
    ] {
        let mut all = Deserializer::with_config(bytes, &config);
        let mut reader = config.reader(&bytes[..]);
        for (number, (offset, path)) in places.into_iter().enumerate() {
            let (error, streamed) = if number == 3 {
                (all.next::<Vec<String>>().err(), reader.next::<Vec<String>>().err())
            } else {
                (all.next::<Value>().err(), reader.next::<Value>().err())
            };
            let error = error.unwrap();
            assert_eq!((error.offset(), error.path()), (Some(offset), Some(path)), "{config:?}");
            // A stream with records of earlier messages reads another form of the message, without its offsets.
            let streamed = streamed.unwrap();
            assert_eq!((error.kind(), error.path()), (streamed.kind(), streamed.path()));
        }
        assert_eq!(all.next::<u8>().unwrap(), Some(7));
    }
    // A record that an earlier message defines, and one of the message itself.
    let bytes = b"\xa1\xff\xd4\x72\x40\x91\xa1a\xa1\xff\x40\xa1\xff\xd4\x72\x41\x91\xa1b\xa1\xff";
    let config = Config::new().decode_options(DecodeOptions::new().records(true).sequential(true));
    let mut all = Deserializer::with_config(bytes, &config);
    for path in ["$", "$1.a", "$2.a", "$3.b"] {
        assert_eq!(all.next::<Value>().unwrap_err().path(), Some(path));
    }
}

#[test]
fn a_path_is_cut_after_256_bytes() {
    let long = "a".repeat(1 << 20);
    let bytes = faulty_entry(&long);
    let errors = [
        packord::from_slice::<packord::Value>(&bytes).unwrap_err(),
        packord::validate(&bytes).unwrap_err(),
        BTreeMap::<String, u8>::unpack(&bytes).unwrap_err(),
        packord::serde::from_slice::<BTreeMap<String, u8>>(&bytes).unwrap_err(),
    ];
    let path = format!("$.{}…", "a".repeat(254));
    for error in errors {
        assert_eq!(error.path(), Some(path.as_str()));
        assert_eq!(
            error.to_string(),
            format!(
                "reserved_marker at byte {} ({path}): marker c1 is reserved",
                bytes.len() - 1
            )
        );
    }
    let deep = Value::from([(long.as_str(), Value::from([(long.as_str(), 1)]))]);
    let error = packord::EncodeOptions::new().max_depth(1).encode(&deep).unwrap_err();
    assert_eq!(error.path(), Some(path.as_str()));
}

#[test]
fn a_path_is_cut_between_characters() {
    for ahead in 0..4 {
        let key = format!("{}{}", "a".repeat(ahead), "\u{1f980}".repeat(1000));
        let error = packord::from_slice::<packord::Value>(&faulty_entry(&key)).unwrap_err();
        let path = error.path().unwrap();
        let cut = path.strip_suffix('…').unwrap();
        assert!((253..=256).contains(&cut.len()), "{path}");
        assert!(format!("$[\"{key}\"]").starts_with(cut), "{path}");
        assert_eq!(Error::new(ErrorKind::Custom).with_path(path).path(), Some(path));
    }
    let fits = "b".repeat(254);
    let error = packord::from_slice::<packord::Value>(&faulty_entry(&fits)).unwrap_err();
    assert_eq!(error.path(), Some(format!("$.{fits}").as_str()));
}

#[test]
fn a_name_in_a_detail_is_cut_too() {
    let long = "a".repeat(1 << 20);
    let bytes = long.pack_to_vec();
    let detail = format!("unknown variant \"{}…\"", "a".repeat(256));
    let derived = Shape::unpack(&bytes).unwrap_err();
    let serde = packord::serde::from_slice::<Shape>(&bytes).unwrap_err();
    assert_eq!([derived.detail(), serde.detail()], [Some(detail.as_str()); 2]);
}

#[test]
fn a_value_that_fits_has_no_error() {
    let at = Timestamp::new(5, 0).unwrap();
    assert_eq!(Timestamp::unpack(&at.pack_to_vec()).unwrap(), at);
    assert_eq!(
        String::unpack(&at.pack_to_vec()).unwrap_err().detail(),
        Some("expected a str, found timestamp")
    );
    assert_eq!(
        Timestamp::unpack(b"\xc0").unwrap_err().detail(),
        Some("expected a timestamp, found nil")
    );
}
