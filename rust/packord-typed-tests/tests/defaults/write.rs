//! Cases with `write`: what values are packed as, without options and with those of the case.

use super::natives::natives;
use super::support::{Case, Options, cases, hex};
use super::types::Native;
use super::{FACES, Face, with_stack};
use packord::{Error, ErrorKind};

/// Whether what is written is a value of the type again. NaN is not equal to itself, and of what is
/// written with an option only that of its readers is meant.
fn is_read_back(face: Face, case: &Case, native: &Native) -> bool {
    let nan = matches!(native, Native::F32(value) if value.is_nan())
        || matches!(native, Native::F64(value) if value.is_nan());
    !nan && (!case.has("readers") || face.is_in(case, "readers"))
}

fn differs(face: Face, case: &Case, native: &Native, outcome: Result<Vec<u8>, Error>) -> Option<String> {
    let error = &case.json["error"];
    let found = match &outcome {
        Ok(bytes) if error.is_null() && *bytes == case.bytes() => {
            if !is_read_back(face, case, native) {
                return None;
            }
            match native.read_back(face, bytes)? {
                Ok(true) => return None,
                Ok(false) => "another value when read back".to_owned(),
                Err(error) => format!("when read back: {error}"),
            }
        }
        Ok(bytes) => hex(bytes),
        Err(found) if !error.is_null() => {
            let (kind, path) = (found.kind().name(), found.path().unwrap_or("$"));
            let kinds = [&error["kind"], &error["or"]];
            let path_ok = error["path"].is_null() || error["path"] == path;
            let option_ok = error["option"]
                .as_str()
                .is_none_or(|option| found.to_string().contains(option));
            if kinds.iter().any(|wanted| **wanted == kind) && path_ok && option_ok {
                return None;
            }
            found.to_string()
        }
        Err(found) => found.to_string(),
    };
    let mut shown = format!("{native:?}");
    shown.truncate(200);
    Some(format!("{} ({face:?}, {shown}): {found}", case.name))
}

#[test]
fn values_are_written_as_the_vectors_say() {
    with_stack(written);
}

fn written() {
    let (mut run, mut different) = (0, Vec::new());
    for case in cases("defaults") {
        for face in FACES {
            if case.json.get("write").is_none() || !face.is_in(&case, "languages") {
                continue;
            }
            let options = Options::new(&case.json["options"]).encode;
            for native in natives(&case.json["write"], face) {
                different.extend(differs(face, &case, &native, native.write(face, &options)));
                run += 1;
            }
        }
    }
    assert!(run > 900, "only {run} values");
    assert!(
        different.is_empty(),
        "{} of {run}:\n{}",
        different.len(),
        different.join("\n")
    );
}

/// An error, a set and a regular expression of msgpackr are an ext and an array that follows it:
/// without the type these are two messages.
const WITH_ARRAY: [u8; 3] = [0x65, 0x73, 0x78];

/// What a language with a type for an ext wrote is read into the type, and an ext in all others.
#[test]
fn values_with_types_are_read_with_the_option() {
    let mut run = 0;
    for case in cases("defaults") {
        if case.json["options"]["rich"] != true {
            continue;
        }
        let options = Options::new(&case.json["options"]);
        let bytes = case.bytes();
        let read = options.decode.decode(&bytes);
        if matches!(bytes[..], [0xd4, kind, ..] if WITH_ARRAY.contains(&kind)) {
            assert_eq!(read.unwrap_err().kind(), ErrorKind::TrailingBytes);
            continue;
        }
        let again = options.encode.encode(&read.unwrap()).unwrap();
        assert_eq!(hex(&again), hex(&bytes), "{}", case.name);
        if Face::Derive.is_in(&case, "readers") {
            for native in natives(&case.json["write"], Face::Derive) {
                let read = native.read_back(Face::Derive, &bytes);
                assert_eq!(read.map(Result::ok), Some(Some(true)), "{}", case.name);
                run += 1;
            }
        }
    }
    assert!(run > 40, "only {run} values");
}
