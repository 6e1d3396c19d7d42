//! Errors through serde have kind, offset and path; limits hold; readers agree.

use crate::small_stacks::on_stack;
use crate::support;
use packord::serde::{Config, from_slice, to_slice, to_vec};
use packord::{DecodeOptions, DuplicateKey, Error, Value, ValueRef};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Team {
    users: Vec<User>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
struct User {
    name: String,
    #[serde(default)]
    age: Option<u8>,
    #[serde(default)]
    role: Role,
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Default)]
enum Role {
    #[default]
    Guest,
    Member(Level),
    Admin {
        level: Level,
        rights: (u8, u8),
    },
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(try_from = "u8", into = "u8")]
struct Level(u8);

impl TryFrom<u8> for Level {
    type Error = String;
    fn try_from(level: u8) -> Result<Level, String> {
        if level < 10 {
            Ok(Level(level))
        } else {
            Err(format!("level {level} is too high"))
        }
    }
}

impl From<Level> for u8 {
    fn from(level: Level) -> u8 {
        level.0
    }
}

impl Clone for Level {
    fn clone(&self) -> Level {
        Level(self.0)
    }
}

/// The bytes of the notation, and the offset of the marked value.
fn packed(text: &str) -> Vec<u8> {
    packord::notation::parse(text).unwrap()
}

#[track_caller]
fn team_fails(text: &str, kind: &str, path: &str, says: &str) -> Error {
    let bytes = packed(text);
    let error = from_slice::<Team>(&bytes).unwrap_err();
    assert_eq!((error.kind().name(), error.path()), (kind, Some(path)), "{error}");
    let offset = error.offset().unwrap();
    assert_eq!(
        packord::path_at(&bytes, offset, &DecodeOptions::new()),
        path,
        "the offset is at the path"
    );
    assert!(error.to_string().contains(says), "{error}");
    error
}

#[test]
fn errors_of_reading_have_kind_path_and_detail() {
    let users = |third: &str| format!(r#"{{"users": [{{"name": "a"}}, {{"name": "b"}}, {{"name": "c"}}, {third}]}}"#);
    let fails = |third: &str, kind, path, says| team_fails(&users(third), kind, path, says);
    let error = fails(
        r#"{"name": 5}"#,
        "type_mismatch",
        "$.users[3].name",
        "expected a str, found integer",
    );
    assert_eq!(
        error.to_string(),
        "type_mismatch at byte 38 ($.users[3].name): value has an unexpected type: expected a str, found integer"
    );
    fails(
        r#"{"name": "d", "age": 300}"#,
        "out_of_range",
        "$.users[3].age",
        "number is out of range: 300 does not fit u8",
    );
    fails(
        r#"{"name": "d", "age": "x"}"#,
        "type_mismatch",
        "$.users[3].age",
        "expected an integer, found str",
    );
    fails(r#"{"age": 3}"#, "type_mismatch", "$.users[3]", "missing field \"name\"");
    fails("nil", "type_mismatch", "$.users[3]", "expected a map, found nil");
    fails(
        r#"{"name": "d", "more": 1}"#,
        "type_mismatch",
        "$.users[3]",
        "unknown field \"more\"",
    );
    fails(
        r#"{"name": "d", "name": "e"}"#,
        "duplicate_key",
        "$.users[3]",
        "key occurs twice: field \"name\"",
    );
    fails(r#"{"name": str(h'61ff')}"#, "invalid_utf8", "$.users[3].name", "UTF-8");
    fails(
        r#"{"name": "d", "role": "Boss"}"#,
        "type_mismatch",
        "$.users[3].role",
        "unknown variant \"Boss\"",
    );
    fails(
        r#"{"name": "d", "role": {"Member": 10}}"#,
        "custom",
        "$.users[3].role.Member",
        "level 10 is too high",
    );
    fails(
        r#"{"name": "d", "role": {"Member": "x"}}"#,
        "type_mismatch",
        "$.users[3].role.Member",
        "expected an integer, found str",
    );
    fails(
        r#"{"name": "d", "role": {"Admin": {"level": 1}}}"#,
        "type_mismatch",
        "$.users[3].role.Admin",
        "missing",
    );
    fails(
        r#"{"name": "d", "role": {"Admin": {"level": 1, "rights": [1, nil]}}}"#,
        "type_mismatch",
        "$.users[3].role.Admin.rights[1]",
        "expected an integer, found nil",
    );
    fails(
        r#"{"name": "d", "role": {"Admin": {"level": 1, "rights": [1]}}}"#,
        "type_mismatch",
        "$.users[3].role.Admin.rights",
        "length 1",
    );
    fails(
        r#"{"name": "d", "role": {"Admin": {"level": 1, "rights": [1, 2, 3]}}}"#,
        "type_mismatch",
        "$.users[3].role.Admin.rights",
        "more elements",
    );

    let duplicate = packed(r#"{"users": [], "users": []}"#);
    let error = from_slice::<Team>(&duplicate).unwrap_err();
    assert_eq!((error.kind().name(), error.offset()), ("duplicate_key", Some(8)));

    let error = from_slice::<Level>(b"\x0b").unwrap_err();
    assert_eq!(
        (error.kind().name(), error.offset(), error.path()),
        ("custom", Some(0), Some("$"))
    );
    let error = from_slice::<BTreeMap<u8, BTreeMap<String, bool>>>(&packed(r#"{7: {"a b": 1}}"#)).unwrap_err();
    assert_eq!(error.path(), Some(r#"$[key 7]["a b"]"#));
    assert_eq!(
        from_slice::<u8>(b"\x01\x02").unwrap_err().kind().name(),
        "trailing_bytes"
    );
    assert_eq!(from_slice::<u8>(b"").unwrap_err().offset(), Some(0));
    assert_eq!(
        packord::serde::from_reader::<_, u8>(&b"\x01\x02"[..])
            .unwrap_err()
            .kind()
            .name(),
        "trailing_bytes"
    );
    assert_eq!(
        packord::serde::from_reader::<_, u8>(&b""[..])
            .unwrap_err()
            .kind()
            .name(),
        "eof"
    );
    assert_eq!(
        packord::serde::from_reader::<_, [u8; 2]>(&b"\x92\x01"[..])
            .unwrap_err()
            .offset(),
        Some(2)
    );
}

/// Cannot be written.
#[derive(Clone)]
struct Refuses;

impl Serialize for Refuses {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("no such value"))
    }
}

#[derive(Serialize)]
enum Holder<T> {
    New(T),
    Tuple(u8, T),
    Struct { field: T },
}

#[track_caller]
fn write_fails<T: Serialize>(value: &T, path: &str) {
    let mut out = vec![1, 2, 3];
    let error = packord::serde::to_buffer(&mut out, value).unwrap_err();
    assert_eq!(
        (error.kind().name(), error.offset(), error.path()),
        ("custom", None, Some(path))
    );
    assert_eq!(
        error.to_string(),
        format!("custom at {path}: type refused the value: no such value")
    );
    assert_eq!(out, [1, 2, 3], "the buffer is as it was");
    assert_eq!(to_slice(value, &mut [0; 100]).unwrap_err(), error);
    assert_eq!(Config::new().records(true).to_vec(value).unwrap_err(), error);
    let mut written = Vec::new();
    assert_eq!(packord::serde::to_writer(&mut written, value).unwrap_err(), error);
    assert!(written.is_empty());
}

#[test]
fn errors_of_writing_have_a_path_and_leave_the_buffer() {
    write_fails(&Refuses, "$");
    write_fails(&[Refuses], "$[0]");
    write_fails(&(1, [Some(Holder::New(Refuses))]), "$[1][0].New");
    write_fails(&Holder::Tuple(1, Refuses), "$.Tuple[1]");
    write_fails(&Holder::Struct { field: [Refuses] }, "$.Struct.field[0]");
    write_fails(
        &BTreeMap::from([("a", Ok(1)), ("b c", Err(Refuses))]),
        r#"$["b c"].Err"#,
    );
    write_fails(&BTreeMap::from([((1, true), vec![Refuses])]), "$[key [1, true]][0]");
    #[derive(Serialize)]
    struct Flat {
        a: u8,
        #[serde(flatten)]
        holder: Holder<[Refuses; 1]>,
    }
    write_fails(
        &Flat {
            a: 1,
            holder: Holder::New([Refuses]),
        },
        "$.New[0]",
    );
    let key_fails = Announced(vec![(Refuses, 1)]);
    write_fails(&[key_fails], "$[0]");
    let odd = KeyAlone;
    assert_eq!(
        to_vec(&odd).unwrap_err().detail(),
        Some("a map has a key without a value")
    );
    let canonical = Config::new().canonical(true);
    let twice = Announced(vec![(1, 1), (1, 2)]);
    assert_eq!(canonical.to_vec(&twice).unwrap_err().kind().name(), "duplicate_key");
}

struct Announced<K>(Vec<(K, u8)>);

impl<K: Serialize> Serialize for Announced<K> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

struct KeyAlone;

impl Serialize for KeyAlone {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_key("a")?;
        map.end()
    }
}

#[derive(Serialize, Deserialize, Debug)]
struct Nested(Vec<Nested>);

#[derive(Serialize, Deserialize, Debug)]
#[serde(untagged)]
enum Loose {
    Leaf(u8),
    Many(Vec<Loose>),
}

#[test]
fn the_depth_limit_holds_on_a_small_stack() {
    on_stack(1024, || {
        let deep = |depth: usize| [&vec![0x91; depth - 1][..], &[0x90]].concat();
        let outcome = |result: Result<(), Error>| result.map_err(|error| (error.kind().name(), error.offset()));
        let limit = Err(("depth_limit", Some(1024)));
        assert!(from_slice::<IgnoredAny>(&deep(1024)).is_ok());
        assert_eq!(outcome(from_slice::<IgnoredAny>(&deep(1025)).map(drop)), limit);
        // Frames are large without optimisation.
        let held = if cfg!(debug_assertions) { 200 } else { 1024 };
        let nested = from_slice::<Nested>(&deep(held)).unwrap();
        assert_eq!(to_vec(&nested).unwrap(), deep(held));
        let limit_or_less = |result: Result<(), Error>| {
            let error = result.unwrap_err();
            assert!(error.kind().name() == "depth_limit" && (held as u64..=1024).contains(&error.offset().unwrap()));
        };
        limit_or_less(from_slice::<Nested>(&deep(1025)).map(drop));
        // Values of any type take no stack for depth.
        let value = from_slice::<Value>(&deep(1024)).unwrap();
        assert_eq!(packord::EncodeOptions::new().encode(&value).unwrap(), deep(1024));
        assert_eq!(outcome(from_slice::<Value>(&deep(1025)).map(drop)), limit);
        let deeper = DecodeOptions::new().max_depth(2000).decode(&deep(1025)).unwrap();
        assert_eq!(to_vec(&deeper).unwrap_err().kind().name(), "depth_limit");
        // The stack never overflows, for any limit and any size of frames.
        let config = Config::new().max_depth(u32::MAX);
        for depth in [100_000, 1_000_000] {
            assert!(config.from_slice::<IgnoredAny>(&deep(depth)).is_ok());
            assert_eq!(
                config.from_slice::<Nested>(&deep(depth)).unwrap_err().kind().name(),
                "depth_limit"
            );
            assert!(config.from_slice::<Value>(&deep(depth)).is_ok());
            assert_eq!(
                config
                    .from_slice::<serde_json::Value>(&deep(depth))
                    .unwrap_err()
                    .kind()
                    .name(),
                "depth_limit"
            );
            assert_eq!(
                config.from_slice::<Loose>(&deep(depth)).unwrap_err().kind().name(),
                "depth_limit"
            );
            let tree = DecodeOptions::new().max_depth(u32::MAX).decode(&deep(depth)).unwrap();
            assert_eq!(config.to_vec(&tree).unwrap_err().kind().name(), "depth_limit");
        }
    });
}

#[test]
fn limits_and_strictness_hold() {
    let kind = |options: DecodeOptions, bytes: &[u8]| {
        let config = Config::new().decode_options(options);
        let error = config.from_slice::<BTreeMap<String, Vec<u8>>>(bytes).unwrap_err();
        let value = config.from_slice::<Value>(bytes).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (value.kind(), value.offset()));
        (error.kind().name(), error.offset().unwrap())
    };
    let twice = packed(r#"{"a": [], "a": []}"#);
    assert_eq!(
        kind(DecodeOptions::new().duplicate_key(DuplicateKey::Error), &twice),
        ("duplicate_key", 4)
    );
    let wide = packed(r#"{"a": [1_u16]}"#);
    assert_eq!(kind(DecodeOptions::new().canonical(true), &wide), ("not_canonical", 4));
    assert_eq!(kind(DecodeOptions::new().max_array_len(0), &wide), ("length_limit", 3));
    assert_eq!(kind(DecodeOptions::new().max_nodes(3), &wide), ("length_limit", 4));
    // Unknown fields are skipped, and checked like all others.
    #[derive(Deserialize, Debug)]
    struct Empty {}
    let strict = Config::new().decode_options(DecodeOptions::new().duplicate_key(DuplicateKey::Error));
    let error = strict
        .from_slice::<Empty>(&packed(r#"{"x": [{1: {}, 2: [{}], 1: 0}]}"#))
        .unwrap_err();
    assert_eq!((error.kind().name(), error.offset()), ("duplicate_key", Some(10)));
    assert_eq!(from_slice::<Empty>(b"\x81\xa1x\xc1").unwrap_err().offset(), Some(3));
    // Five bytes that announce 2^32 elements cost nothing.
    let (array, map) = (b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff");
    for bytes in [&array[..], b"\x92\xdc\xff\xff"] {
        assert!(from_slice::<Vec<IgnoredAny>>(bytes).unwrap_err().is_eof());
    }
    type Map = HashMap<u8, bool>;
    assert!(from_slice::<Map>(map).unwrap_err().is_eof());
    assert!(from_slice::<Vec<()>>(array).unwrap_err().is_eof());
    // The type is checked before the budget.
    for error in [
        from_slice::<Map>(array).unwrap_err(),
        from_slice::<Vec<IgnoredAny>>(map).unwrap_err(),
    ] {
        assert_eq!((error.kind().name(), error.offset()), ("type_mismatch", Some(0)));
    }
}

/// Checks that serde reads the same values and errors as the other decoders.
fn agree(bytes: &[u8], options: &DecodeOptions, name: &str) {
    let config = Config::new().decode_options(options.clone());
    let direct = options.decode(bytes).map_err(|error| support::fault(&error));
    let value = config
        .from_slice::<Value>(bytes)
        .map_err(|error| support::fault(&error));
    let ignored = config
        .from_slice::<IgnoredAny>(bytes)
        .map_err(|error| support::fault(&error));
    assert_eq!(ignored.err(), direct.as_ref().err().cloned(), "{name}");
    match (&direct, &value) {
        (_, Err((kind, ..))) if kind == "depth_limit" => {}
        // The names of records are shared by `decode` alone.
        (Ok(_), Err((kind, ..))) if kind == "length_limit" => {}
        _ => assert_eq!(value, direct, "{name}"),
    }
    let borrowed = config.from_slice::<ValueRef<'_>>(bytes);
    let wanted = options.decode_ref(bytes);
    if let (Ok(borrowed), Ok(wanted)) = (borrowed, wanted) {
        assert_eq!(borrowed, wanted, "{name}");
    }
}

#[test]
fn serde_agrees_with_values_on_every_vector() {
    let mut run = 0;
    for (bytes, options, name) in support::messages(4 << 20) {
        agree(&bytes, &options, &name);
        run += 1;
    }
    assert!(run > 1000, "only {run} cases");
}

#[test]
fn serde_agrees_with_values_on_every_short_input() {
    let options = DecodeOptions::new();
    for first in 0..=255 {
        agree(&[first], &options, "one byte");
        for second in 0..=255 {
            agree(&[first, second], &options, "two bytes");
            agree(&[first, second, 0xa1, second, first], &options, "five bytes");
        }
    }
}

/// Reads elements, entries and the content of a variant as numbers, and drops each error.
#[derive(Debug)]
struct Drops;

impl<'de> Deserialize<'de> for Drops {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Drops, D::Error> {
        struct DropsVisitor;

        impl<'de> serde::de::Visitor<'de> for DropsVisitor {
            type Value = Drops;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a container")
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut elements: A) -> Result<Drops, A::Error> {
                for _ in 0..4 {
                    let _ = elements.next_element::<u8>();
                }
                Ok(Drops)
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut entries: A) -> Result<Drops, A::Error> {
                for _ in 0..4 {
                    if entries.next_key::<String>().is_ok_and(|key| key.is_some()) {
                        let _ = entries.next_value::<u8>();
                    }
                }
                Ok(Drops)
            }
        }

        deserializer.deserialize_any(DropsVisitor)
    }
}

#[test]
fn an_error_that_a_type_drops_has_its_place() {
    for (bytes, offset, path) in [
        (&b"\x93\x01\x91\x05\x06"[..], 2, "$[1]"),
        (b"\x82\xa1a\x05\xa1b\x91\x05", 6, "$.b"),
        (b"\x92\x91\x07\x93\x01\x81\x05\x06\x06", 1, "$[0]"),
    ] {
        let error = from_slice::<Drops>(bytes).unwrap_err();
        assert_eq!(
            (error.kind().name(), error.offset(), error.path()),
            ("type_mismatch", Some(offset), Some(path))
        );
    }
    let error = from_slice::<Vec<Drops>>(b"\x92\x91\x07\x93\x01\x81\x05\x06\x06").unwrap_err();
    assert_eq!((error.offset(), error.path()), (Some(5), Some("$[1][1]")));
}
