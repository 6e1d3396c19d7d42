//! `packord schema`, and `validate --schema`.

#[path = "../schema/mod.rs"]
mod users;

use std::fs;

use crate::tool::{fails, run, succeeds};
use packord::typed::Unpackable as _;
use users::user::User;

fn schema(options: &[&str], input: &[u8]) -> String {
    let arguments: Vec<_> = ["schema"].iter().chain(options).copied().collect();
    String::from_utf8(succeeds(&arguments, input)).unwrap()
}

fn pack(json: &str) -> Vec<u8> {
    succeeds(&["pack"], json.as_bytes())
}

/// The file is the tool's own output, and part of this program: so it compiles.
#[test]
fn structs_of_rust_read_the_data_by_serde_and_by_the_derive() {
    let packed = users::packed();
    let code = schema(&["--to", "rust", "--name", "User"], &packed);
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schema/user.rs");
    if std::env::var_os("PACKORD_BLESS").is_some() {
        fs::write(file, &code).unwrap();
    }
    assert_eq!(
        code,
        fs::read_to_string(file).unwrap(),
        "PACKORD_BLESS=1 writes the file"
    );
    let mut rest = &packed[..];
    let mut seen = 0;
    while !rest.is_empty() {
        let (message, after) = rest.split_at(packord::skip_value(rest).unwrap());
        let by_serde: User = packord::serde::from_slice(message).unwrap();
        assert_eq!(by_serde, User::unpack(message).unwrap());
        assert_eq!(by_serde.odd_key, format!("é {}", by_serde.type_));
        assert_eq!(by_serde.email.is_some(), by_serde.type_ % 3 != 0);
        assert_eq!(by_serde.photo, b"\0\xff");
        seen += 1;
        rest = after;
    }
    assert_eq!(seen, 30);
}

#[test]
fn a_json_schema_fits_its_own_data_and_finds_what_differs() {
    let packed = users::packed();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("users.json").display().to_string();
    for options in [&[][..], &["--ranges"]] {
        let arguments: Vec<_> = ["schema", "--to", "json-schema", "-o", &file]
            .iter()
            .chain(options)
            .copied()
            .collect();
        succeeds(&arguments, &packed);
        succeeds(&["validate", "--schema", &file], &packed);
        let records = succeeds(&["pack", "--records"], include_bytes!("../schema/users.ndjson"));
        succeeds(&["validate", "--schema", &file], &records);
    }
    succeeds(&["schema", "--to", "json-schema", "-o", &file], &packed);
    let users = include_str!("../schema/users.ndjson");
    for (from, to, place) in [
        (
            "\"n\": 2",
            "\"n\": \"2\"",
            "$1.list[1].n): \"2\" is not of type \"integer\"",
        ),
        (
            "\"role\": \"editor\"",
            "\"role\": \"owner\"",
            "$1.role): \"owner\" is not one of",
        ),
        ("\"boss\": null", "\"boss\": []", "$1.boss): [] is not of type"),
        (
            "{\"$bin\": \"AP8=\"}",
            "\"AP8=\"",
            "$1.photo): \"AP8=\" is not of type \"object\"",
        ),
        (
            "\"$key:2\": \"two\"",
            "\"$key:2\": 2",
            "$1.numbers[key 2]): 2 is not one of",
        ),
        ("\"city\": \"Rome\", ", "", "$1.home): \"city\" is a required property"),
        ("2026-01-02T03", "2026-02-30T03", "$1.created): "),
    ] {
        let mut lines: Vec<_> = users.lines().map(str::to_owned).collect();
        assert!(lines[1].contains(from), "{from}");
        lines[1] = lines[1].replacen(from, to, 1);
        let packed = pack(&lines.join("\n"));
        let output = run(&["validate", "--schema", &file], &packed);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains("the data does not match the schema"), "{message}");
        assert!(message.contains(place), "{message}");
        // The offset is that of the value.
        let offset: usize = message
            .split("byte ")
            .nth(1)
            .unwrap()
            .split(' ')
            .next()
            .unwrap()
            .parse()
            .unwrap();
        let path = &place[..place.find(')').unwrap()];
        let at = succeeds(&["inspect", "--at", &offset.to_string()], &packed);
        assert!(String::from_utf8(at).unwrap().starts_with(path), "{message}");
    }
}

#[test]
fn a_schema_that_cannot_be_used_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("schema.json");
    let name = file.display().to_string();
    for schema in [
        "{",
        r#"{"type": "nothing"}"#,
        r#"{"$ref": "other.json"}"#,
        r#"{"$ref": "https://example.org/schema.json"}"#,
    ] {
        fs::write(&file, schema).unwrap();
        fails(&["validate", "--schema", &name], b"\x01", 2, "--schema: ");
    }
    fails(
        &["validate", "--schema", "none.json"],
        b"\x01",
        3,
        "cannot read none.json",
    );
    fs::write(&file, "{}").unwrap();
    let deep = [&[0x91; 500][..], &[1]].concat();
    fails(
        &["validate", "--schema", &name],
        &deep,
        3,
        "cannot be compared with a schema",
    );
    fs::write(&file, r#"{"type": "string"}"#).unwrap();
    let output = run(&["validate", "--schema", &name], &[1; 1000]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(message.lines().count(), 102);
}

#[test]
fn types_are_those_of_all_messages() {
    let table = |json: &str| schema(&[], &pack(json));
    assert_eq!(
        table("{\"a\": 1}\n{\"a\": null, \"b\": 1.5}\n{\"a\": \"xy\", \"b\": 2}\n{}"),
        "  $    map\n  \
         $.a  int or str or nil  75.0 %  1; 2 characters\n  \
         $.b  float              50.0 %  1.5 to 2.0\n"
    );
    assert_eq!(table("[]"), "  $     array    0 elements\n  $[*]  any\n");
    // A map with many keys is a dictionary, and what it had before is kept.
    let many: Vec<_> = (0..300)
        .map(|n| format!("\"k{n}\": {{\"n\": {n}, \"s{}\": true}}", n % 2))
        .collect();
    let table = table(&format!("{{{}}}", many.join(",")));
    for line in [
        "$       map of any keys",
        "$.*     map",
        "$.*.n   int                      0 to 299",
        "$.*.s0  bool             50.0 %",
    ] {
        assert!(table.contains(line), "{line}\n{table}");
    }
}

#[test]
fn a_sample_has_the_types_of_the_whole() {
    let json = succeeds(&["sample", "--lines", "--size", "2m"], b"");
    let packed = succeeds(&["pack"], &json);
    for to in ["rust", "typescript", "python", "java", "clojure", "json-schema"] {
        let whole = schema(&["--to", to], &packed);
        let sample = schema(&["--to", to, "--sample", "1000"], &packed);
        assert_eq!(whole, sample, "{to}");
        assert_eq!(sample, schema(&["--to", to, "--sample", "1000"], &packed));
    }
    assert_eq!(schema(&["--sample", "9999999"], &packed), schema(&[], &packed));
}

#[test]
fn hostile_data_takes_little_memory_and_no_stack() {
    // Levels and keys without end.
    let mut deep = vec![0x91; 100_000];
    deep.push(1);
    let code = schema(&["--to", "json-schema", "--max-depth", "1000000"], &deep);
    assert!(code.matches("\"array\"").count() <= 65);
    let mut wide = Vec::new();
    for message in 0..3000 {
        wide.extend(b"\xde\x00\xc8");
        for key in 0..200 {
            wide.extend(packord::to_vec(&packord::Value::from(format!("{message} {key}"))).unwrap());
            wide.extend(b"\x81\xa1a\x01");
        }
    }
    let code = schema(&["--to", "typescript"], &wide);
    assert_eq!(
        code,
        "export interface RootItem {\n  a: number;\n}\n\nexport type Root = Record<string, RootItem>;\n"
    );
    fails(&["schema"], b"\xc1", 3, "reserved_marker");
    fails(&["schema"], b"", 1, "there is no message");
}

#[test]
fn names_are_those_of_the_language() {
    let packed = pack(
        r#"{"type": 1, "Type": 2, "type_": 3, "a b": 4, "a-b": 5, "": 6, "é": 7, "5": 8, "self": 9, "map": {"x": 1},
            "list": [{"y": 1}], "root": {"z": 1}, "class": 1, "def": 1, "import \"\\u000a\n": 1}"#,
    );
    let rust = schema(&["--to", "rust"], &packed);
    for line in [
        "pub type__2: i64",
        "pub type_: i64",
        "pub a_b: i64",
        "pub a_b_2: i64",
        "pub field: i64",
        "pub field_5: i64",
        "pub self_: i64",
        "pub struct RootMap",
        "pub struct RootRoot",
        "pub root: RootRoot",
    ] {
        assert!(rust.contains(line), "{line}\n{rust}");
    }
    let python = schema(&["--to", "python"], &pack(r#"{"AWG": {"rate": 1}}"#));
    let field = "    AWG_: typing.Annotated[AWG, packord.Field(name=\"AWG\")]\n";
    assert!(python.contains(field), "{python}");
    let java = schema(&["--to", "java"], &packed);
    assert!(
        java.contains("Left out, because it is not a name of Java: \"a b\""),
        "{java}"
    );
    let typescript = schema(&["--to", "typescript"], &packed);
    assert!(typescript.contains("  \"a b\": number;"), "{typescript}");
    fails(&["schema", "--name", "user"], &packed, 2, "expected a name like User");
    fails(&["schema", "--name", "Map"], &packed, 2, "the name of another type");
}
