//! The vectors of typed targets, read by derived types and by serde.

use crate::support::{Case, cases, expected_fault, fault, value};
use packord::serde::Config;
use packord::{DecodeOptions, Error, Unpackable, Value};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Unpackable, Serialize, Deserialize)]
#[msgpacker(map)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(Unpackable, Serialize, Deserialize)]
#[msgpacker(map, deny_unknown_fields)]
#[serde(deny_unknown_fields)]
struct StrictPoint {
    x: i32,
    y: i32,
}

#[derive(Unpackable, Serialize, Deserialize)]
#[msgpacker(map)]
struct User {
    name: String,
    tags: Vec<String>,
    at: Option<Point>,
}

#[derive(Unpackable, Serialize, Deserialize)]
#[msgpacker(map)]
struct Holder {
    a: Value,
}

#[derive(Unpackable, Serialize, Deserialize)]
#[msgpacker(rename_all = "lowercase")]
#[serde(rename_all = "lowercase")]
enum Color {
    Red,
    Green,
}

#[derive(Unpackable, Serialize, Deserialize)]
#[msgpacker(rename_all = "lowercase")]
#[serde(rename_all = "lowercase")]
enum Letter {
    A,
}

#[derive(Unpackable, Serialize, Deserialize)]
struct Bytes(
    #[msgpacker(binary)]
    #[serde(with = "serde_bytes")]
    Vec<u8>,
);

/// The cases that a way of reading takes otherwise, and why.
const OTHERWISE: [&str; 7] = [
    // A list of u8 may be a bin, and a bin an array: `Vec<u8>` is one type for both.
    "derive, typed/scalars: array as bin",
    "serde, typed/scalars: array as bin",
    "serde, typed/scalars: bin as a list",
    // serde_bytes takes a str.
    "serde, typed/scalars: str as bin",
    // A struct is an array of its fields or a map, whichever its writer has chosen.
    "derive, typed/scalars: array as a struct",
    "serde, typed/scalars: array as a struct",
    // serde's derived code refuses it, before the format is asked.
    "serde, typed/structs: a field twice, the last wins",
];

/// What differs between what a case states and what was read, if anything does.
fn difference(case: &Case, read: Result<Value, Error>) -> Option<String> {
    let stated = &case.json["error"];
    let is_stated = match &read {
        Ok(found) => {
            let wanted = &case.json["value"];
            let narrow = |value: &Value| value.to_string().matches("_f32").count();
            stated.is_null() && {
                let wanted = value(wanted);
                *found == wanted && narrow(found) == narrow(&wanted)
            }
        }
        Err(error) => {
            let detail = stated["detail"].as_str();
            stated.is_object()
                && fault(error) == expected_fault(stated)
                && (detail.is_none() || error.detail() == detail)
        }
    };
    (!is_stated).then(|| format!("{}: {read:?}", case.name))
}

fn run<T>(case: &Case, options: &DecodeOptions) -> Vec<String>
where
    T: Unpackable + Serialize + DeserializeOwned,
{
    let bytes = case.bytes();
    let packed = |read: T| packord::serde::to_value(&read).unwrap();
    let derived = difference(case, options.unpack::<T>(&bytes).map(packed));
    let config = Config::new().decode_options(options.clone());
    let by_serde = difference(case, config.from_slice::<T>(&bytes).map(packed));
    let derived = derived.map(|found| format!("derive, {found}"));
    let by_serde = by_serde.map(|found| format!("serde, {found}"));
    derived.into_iter().chain(by_serde).collect()
}

#[test]
fn typed_targets_report_kind_place_and_detail() {
    type List<T> = Vec<T>;
    type Map<T> = BTreeMap<String, T>;
    const POINT: &str = r#"{"struct":[["x","i32"],["y","i32"]]}"#;
    let mut different = Vec::new();
    for case in cases("typed") {
        let options = case.options().decode;
        let target = case.json["type"].to_string().replace(POINT, "Point");
        let target = target.replace(
            r#"{"struct":[["name","str"],["tags",{"list":"str"}],["at",{"option":Point}]]}"#,
            "User",
        );
        let run = match &*target {
            r#""any""# => run::<Value>,
            r#""bool""# => run::<bool>,
            r#""str""# => run::<String>,
            r#""bin""# => run::<Bytes>,
            r#""u8""# => run::<u8>,
            r#""u16""# => run::<u16>,
            r#""u32""# => run::<u32>,
            r#""u64""# => run::<u64>,
            r#""i8""# => run::<i8>,
            r#""i16""# => run::<i16>,
            r#""i32""# => run::<i32>,
            r#""i64""# => run::<i64>,
            r#""f32""# => run::<f32>,
            r#""f64""# => run::<f64>,
            r#"{"option":"bool"}"# => run::<Option<bool>>,
            r#"{"option":"u8"}"# => run::<Option<u8>>,
            r#"{"option":{"list":"u8"}}"# => run::<Option<List<u8>>>,
            r#"{"list":"any"}"# => run::<List<Value>>,
            r#"{"list":"str"}"# => run::<List<String>>,
            r#"{"list":"u8"}"# => run::<List<u8>>,
            r#"{"list":{"list":"u8"}}"# => run::<List<List<u8>>>,
            r#"{"list":{"option":"u8"}}"# => run::<List<Option<u8>>>,
            r#"{"list":{"enum":["red","green"]}}"# => run::<List<Color>>,
            r#"{"list":Point}"# => run::<List<Point>>,
            r#"{"map":"any"}"# => run::<Map<Value>>,
            r#"{"map":"str"}"# => run::<Map<String>>,
            r#"{"map":"u8"}"# => run::<Map<u8>>,
            r#"{"map":{"list":"bool"}}"# => run::<Map<List<bool>>>,
            r#"{"enum":["a"]}"# => run::<Letter>,
            r#"{"enum":["red","green"]}"# => run::<Color>,
            r#"{"struct":[["a","any"]]}"# => run::<Holder>,
            r#"{"struct":[["x","i32"],["y","i32"]],"unknown":"error"}"# => run::<StrictPoint>,
            "Point" => run::<Point>,
            "User" => run::<User>,
            other => panic!("{}: no type for {other}", case.name),
        };
        different.extend(run(&case, &options));
    }
    for known in OTHERWISE {
        let count = different.len();
        different.retain(|found| !found.starts_with(&format!("{known}: ")));
        assert_eq!(different.len(), count - 1, "{known}");
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn values_within_types_report_the_same_faults() {
    // Frames that are not optimised are large: 1,000 of them need more than a test's stack.
    let deep = std::thread::Builder::new().stack_size(32 << 20);
    let outcome = deep.spawn(faults_within_types).unwrap().join();
    outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

fn faults_within_types() {
    let mut run = 0;
    for case in cases("invalid") {
        // In a map, the limit of depth is reached one container earlier.
        if case.has("options") || case.json["error"]["kind"] == "depth_limit" {
            continue;
        }
        // The value of a key in a map of any values.
        let bytes = [b"\x81\xa1k", &case.bytes()[..]].concat();
        let (kind, offset, path) = expected_fault(&case.json["error"]);
        let path = match &*kind {
            "trailing_bytes" => path,
            _ => path.replacen('$', "$.k", 1),
        };
        // It is cut once more.
        let longer = Error::new(packord::ErrorKind::Eof).with_path(path.trim_end_matches('…'));
        let path = longer.path().unwrap().to_owned();
        let wanted = (kind, offset + 3, path);
        let derived = DecodeOptions::new().unpack::<BTreeMap<String, Value>>(&bytes);
        assert_eq!(fault(&derived.unwrap_err()), wanted, "{}", case.name);
        let by_serde = Config::new().from_slice::<BTreeMap<String, Value>>(&bytes);
        assert_eq!(fault(&by_serde.unwrap_err()), wanted, "{}", case.name);
        run += 1;
    }
    assert!(run > 200, "only {run} cases");
}
