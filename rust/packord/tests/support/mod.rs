//! Reads the vectors of `spec/vectors` (schema: the README there).
#![allow(dead_code, reason = "each test binary uses its part")]

use packord::{
    DecodeOptions, DuplicateKey, EncodeOptions, Error, Ext, MessageScanner, Structures, Timestamp, Trailing,
    UndefinedRecord, UnknownExt, Utf8, Value, Walker,
};
use serde_json::Value as Json;
use std::path::PathBuf;

/// One case, with the file it is from.
pub struct Case {
    pub name: String,
    pub json: Json,
}

impl Case {
    pub fn bytes(&self) -> Vec<u8> {
        expand_hex(&self.json["bytes"])
    }

    pub fn options(&self) -> Options {
        Options::new(&self.json["options"])
    }

    pub fn has(&self, member: &str) -> bool {
        !self.json[member].is_null()
    }
}

/// All cases of a class. Panics where there are none, or members that are not known.
pub fn cases(class: &str) -> Vec<Case> {
    const MEMBERS: &[&str] = &[
        "name",
        "bytes",
        "options",
        "value",
        "values",
        "then",
        "default",
        "canonical",
        "notation",
        "error",
        "end",
        "encode",
        "shared_after",
        "class",
        "value_ok",
        "factor",
        "steps",
        "tag",
        "plain",
        "needs",
        "rows",
        "reads",
        "index",
        "splits",
        "ends",
        "blocks",
        "unpacked",
        "write",
        "text",
        "refused",
        "type",
        "languages",
        "again",
        "except",
        "instead",
        "kinds",
        "readers",
        "read",
    ];
    // Tests that are a crate of their own read those of the crate that they test.
    let folders = ["tests/vectors", "../packord/tests/vectors"];
    let folders = folders.map(|folder| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder));
    let folder = folders.iter().find(|folder| folder.exists());
    let folder = folder.expect("the vectors are in the folder of the tests").join(class);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let mut cases = Vec::new();
    for path in files {
        let file: Json = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(file["schema"], 1, "{}", path.display());
        let topic = path.file_stem().unwrap().to_string_lossy().into_owned();
        for json in file["cases"].as_array().unwrap() {
            for member in json.as_object().unwrap().keys() {
                assert!(
                    MEMBERS.contains(&member.as_str()),
                    "{}: unknown member {member}",
                    path.display()
                );
            }
            let name = format!("{class}/{topic}: {}", json["name"].as_str().unwrap());
            cases.push(Case {
                name,
                json: json.clone(),
            });
        }
    }
    assert!(!cases.is_empty(), "no cases in {}", folder.display());
    cases
}

/// The messages that every reader without handlers reads, with their options and names. Without optimisation, long ones
/// are left out.
pub fn messages(longest: usize) -> impl Iterator<Item = (Vec<u8>, DecodeOptions, String)> {
    let longest = if cfg!(debug_assertions) { 200_000 } else { longest };
    let classes = ["valid", "invalid", "records", "hostile"];
    classes.into_iter().flat_map(cases).filter_map(move |case| {
        let options = case.options();
        if options.handlers || case.has("values") || !case.has("bytes") {
            return None;
        }
        let decode = if case.name.starts_with("records/") {
            options.decode.records(true)
        } else {
            options.decode
        };
        Some((case.bytes(), decode, case.name)).filter(|(bytes, ..)| bytes.len() < longest)
    })
}

pub fn unhex(text: &str) -> Vec<u8> {
    assert!(text.len() & 1 == 0, "{text}");
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap())
        .collect()
}

pub fn hex(bytes: &[u8]) -> String {
    let shown: String = bytes.iter().take(64).map(|byte| format!("{byte:02x}")).collect();
    if bytes.len() > 64 {
        format!("{shown}… ({} bytes)", bytes.len())
    } else {
        shown
    }
}

/// Bytes in any form of the schema.
pub fn expand_hex(json: &Json) -> Vec<u8> {
    let mut out = Vec::new();
    expand(json, &mut out);
    out
}

fn expand(json: &Json, out: &mut Vec<u8>) {
    match json {
        Json::String(text) => out.extend(unhex(text)),
        Json::Array(parts) => parts.iter().for_each(|part| expand(part, out)),
        part => expand_part(part, out),
    }
}

fn expand_part(part: &Json, out: &mut Vec<u8>) {
    if let Some(times) = part["times"].as_u64() {
        let mut unit = Vec::new();
        expand(&part["repeat"], &mut unit);
        out.extend(unit.repeat(times as usize));
        return;
    }
    let (prefix, suffix) = (
        unhex(part["prefix"].as_str().unwrap()),
        unhex(part["suffix"].as_str().unwrap()),
    );
    if let Some(count) = part["counter"].as_u64() {
        let digits = part["digits"].as_u64().unwrap() as usize;
        for number in 0..count {
            out.extend(&prefix);
            out.extend(format!("{number:0digits$}").into_bytes());
            out.extend(&suffix);
        }
        return;
    }
    let letters: Vec<_> = part["product"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hex| unhex(hex.as_str().unwrap()))
        .collect();
    let power = part["power"].as_u64().unwrap() as u32;
    for number in 0..letters.len().pow(power) {
        out.extend(&prefix);
        for place in (0..power).rev() {
            out.extend(&letters[number / letters.len().pow(place) % letters.len()]);
        }
        out.extend(&suffix);
    }
}

fn bits(json: &Json) -> u64 {
    u64::from_str_radix(json.as_str().unwrap(), 16).unwrap()
}

fn bytes_of(json: &Json) -> Vec<u8> {
    match json {
        Json::String(text) => unhex(text),
        part => unhex(part["repeat"].as_str().unwrap()).repeat(part["times"].as_u64().unwrap() as usize),
    }
}

/// An integer of any size: beyond the range of the format a bigint ext.
fn integer(decimal: &str) -> Value {
    if let Ok(small) = decimal.parse::<i128>() {
        return Value::from(small);
    }
    let digits = decimal.trim_start_matches('-');
    // Little-endian, with a byte to spare for the sign.
    let mut bytes = vec![0_u8; digits.len() / 2 + 2];
    for digit in digits.bytes() {
        let mut carry = u32::from(digit - b'0');
        for byte in &mut bytes {
            carry += u32::from(*byte) * 10;
            *byte = carry as u8;
            carry >>= 8;
        }
    }
    if decimal.starts_with('-') {
        let mut carry = true;
        for byte in &mut bytes {
            (*byte, carry) = (!*byte).overflowing_add(u8::from(carry));
        }
    }
    bytes.reverse();
    let spare = bytes
        .windows(2)
        .take_while(|w| matches!(w[0], 0 | 0xff) && w[0] & 0x80 == w[1] & 0x80)
        .count();
    Ext::new(packord::ext::BIGINT, &bytes[spare..]).into()
}

pub fn value(json: &Json) -> Value {
    match json {
        Json::Null => return Value::Nil,
        Json::Bool(value) => return Value::Bool(*value),
        _ => {}
    }
    let (kind, content) = json.as_object().unwrap().iter().next().unwrap();
    match kind.as_str() {
        "int" => integer(content.as_str().unwrap()),
        "f64" => Value::F64(f64::from_bits(bits(content))),
        "f32" => Value::F32(f32::from_bits(bits(content) as u32)),
        "str" => match content {
            Json::String(text) => Value::from(text.as_str()),
            part => Value::from(
                part["repeat"]
                    .as_str()
                    .unwrap()
                    .repeat(part["times"].as_u64().unwrap() as usize),
            ),
        },
        "bin" => Value::from(bytes_of(content)),
        "ext" => Ext::new(content[0].as_i64().unwrap() as i8, &bytes_of(&content[1])).into(),
        "timestamp" => {
            let seconds = content[0].as_str().unwrap().parse().unwrap();
            Timestamp::new(seconds, content[1].as_u64().unwrap() as u32)
                .unwrap()
                .into()
        }
        "array" => match content {
            Json::Array(elements) => elements.iter().map(value).collect(),
            part => vec![value(&part["repeat"]); part["times"].as_u64().unwrap() as usize].into(),
        },
        "map" => match content {
            Json::Array(entries) => entries
                .iter()
                .map(|entry| (value(&entry[0]), value(&entry[1])))
                .collect::<Vec<_>>()
                .into(),
            part => {
                let (each, digits) = (
                    value(&part["value"]),
                    part["digits"].as_u64().map(|digits| digits as usize),
                );
                let key = |number: u64| match digits {
                    Some(digits) => Value::from(format!("{number:0digits$}")),
                    None => Value::from(number),
                };
                (0..part["count"].as_u64().unwrap())
                    .map(|number| (key(number), each.clone()))
                    .collect::<Vec<_>>()
                    .into()
            }
        },
        "nest" => {
            let mut nested = value(&content["inner"]);
            for _ in 0..content["array"].as_u64().unwrap() {
                nested = vec![nested].into();
            }
            nested
        }
        other => panic!("unknown kind of value {other}"),
    }
}

pub fn structures(json: &Json) -> Structures {
    let mut structures = Structures::new();
    for keys in json.as_array().into_iter().flatten() {
        structures.push(keys.as_array().unwrap().iter().map(|key| key.as_str().unwrap()));
    }
    structures
}

/// Options for reading and writing.
#[derive(Clone)]
pub struct Options {
    pub decode: DecodeOptions,
    pub encode: EncodeOptions,
    pub shared: Option<Structures>,
    pub sequential: bool,
    pub records: bool,
    /// The case is about handlers of ext types, of which the crate has none.
    pub handlers: bool,
}

impl Options {
    pub fn new(json: &Json) -> Options {
        let mut options = Options {
            decode: DecodeOptions::new(),
            encode: EncodeOptions::new(),
            shared: None,
            sequential: false,
            records: false,
            handlers: false,
        };
        for (name, value) in json.as_object().into_iter().flatten() {
            options.set(name, value);
        }
        options
    }

    fn set(&mut self, name: &str, json: &Json) {
        let (decode, encode) = (self.decode.clone(), self.encode);
        let number = || json.as_u64().unwrap();
        let small = || number() as u32;
        let expect = |text: &str| assert_eq!(json, text, "option {name}");
        let flag = || assert_eq!(json, true, "option {name}");
        match name {
            "records" => {
                flag();
                self.records = true;
                (self.decode, self.encode) = (decode.records(true), encode.records(true));
            }
            "sequential" => {
                flag();
                self.sequential = true;
                (self.decode, self.encode) = (decode.sequential(true), encode.sequential(true));
            }
            "shared_structures" => {
                self.shared = Some(structures(json));
                self.decode = decode.shared_structures(structures(json));
            }
            "max_shared_structures" => self.encode = encode.max_shared_structures(number() as u16),
            "max_own_structures" => self.encode = encode.max_own_structures(number() as u16),
            "undefined_record" => {
                expect("error");
                self.decode = decode.undefined_record(UndefinedRecord::Error);
            }
            "max_depth" => {
                (self.decode, self.encode) = (decode.max_depth(small()), encode.max_depth(small()));
            }
            "columns" => {
                let on = json == true;
                (self.decode, self.encode) = (decode.columns(on), encode.columns(on));
            }
            "max_expansion" => self.decode = decode.max_expansion(small()),
            "max_str_len" => self.decode = decode.max_str_len(small()),
            "max_bin_len" => self.decode = decode.max_bin_len(small()),
            "max_ext_len" => self.decode = decode.max_ext_len(small()),
            "max_array_len" => self.decode = decode.max_array_len(small()),
            "max_map_len" => self.decode = decode.max_map_len(small()),
            "max_record_keys" => {
                self.decode = decode.max_record_keys(small());
                self.encode = encode.max_record_keys(small());
            }
            "max_nodes" => self.decode = decode.max_nodes(number()),
            "max_buffer" => self.decode = decode.max_buffer(number()),
            "utf8" => {
                let mode = if json == "raw" { Utf8::Raw } else { Utf8::Replace };
                self.decode = decode.utf8(mode);
            }
            "trailing" => {
                expect("allow");
                self.decode = decode.trailing(Trailing::Allow);
            }
            "duplicate_key" => {
                expect("error");
                self.decode = decode.duplicate_key(DuplicateKey::Error);
            }
            "unknown_ext" => {
                expect("error");
                self.decode = decode.unknown_ext(UnknownExt::Error);
            }
            "canonical" => {
                flag();
                (self.decode, self.encode) = (decode.canonical(true), encode.canonical(true));
            }
            "bigint" => {
                flag();
                (self.decode, self.encode) = (decode.bigint(true), encode.bigint(true));
            }
            "rich" => {
                flag();
                (self.decode, self.encode) = (decode.rich(true), encode.rich(true));
            }
            "float32" => {
                flag();
                self.encode = encode.float32(true);
            }
            "sort_keys" => {
                flag();
                self.encode = encode.sort_keys(true);
            }
            "skip_nil" => {
                flag();
                self.encode = encode.skip_nil(true);
            }
            "ext_types" => {
                self.handlers = true;
                for kind in json.as_array().unwrap() {
                    self.decode = self.decode.clone().known_ext(kind.as_i64().unwrap() as i8);
                }
            }
            other => panic!("unknown option {other}"),
        }
    }
}

/// Kind, offset and path of an error of reading.
pub type Fault = (String, u64, String);

pub fn fault(error: &Error) -> Fault {
    let (kind, offset) = place(error);
    (kind, offset, error.path().unwrap_or("$").to_owned())
}

/// Kind and offset of an error, for the ways of reading that know no paths.
pub fn place(error: &Error) -> (String, u64) {
    (
        error.kind().name().to_owned(),
        error.offset().expect("reading tells an offset"),
    )
}

/// The error that a case or a step of it states.
pub fn expected_fault(error: &Json) -> Fault {
    (
        error["kind"].as_str().unwrap().to_owned(),
        error["offset"].as_u64().unwrap(),
        error["path"].as_str().unwrap().to_owned(),
    )
}

/// Reads with every decoder and checks that they agree.
pub fn read_all_ways(bytes: &[u8], options: &DecodeOptions) -> Result<Value, Fault> {
    let owned = options.decode(bytes).map_err(|error| {
        assert!(
            error.path().is_some() || error.kind().name() == "trailing_bytes",
            "{error}"
        );
        fault(&error)
    });
    let validated = options.validate(bytes).map_err(|error| fault(&error));
    assert_eq!(
        owned.as_ref().err(),
        validated.as_ref().err(),
        "decode and validate, {}",
        hex(bytes)
    );
    let borrowed = options.decode_ref(bytes);
    let mut walker = Walker::with_options(bytes, options);
    let seen = loop {
        match walker.next() {
            Ok(Some(event)) => assert!(event.bytes.len() >= event.header_len()),
            Ok(None) => break walker.finish().map_err(|error| place(&error)),
            Err(error) => break Err(place(&error)),
        }
    };
    let placed = owned.as_ref().err();
    assert_eq!(
        placed.map(|(kind, at, _)| (kind.clone(), *at)),
        seen.err(),
        "decode and walk, {}",
        hex(bytes)
    );
    match (&owned, borrowed) {
        (Ok(owned), Ok(borrowed)) => {
            // Only an owned value can hold the shortest form of a bigint.
            let is_bigint = owned.as_ext().is_some_and(|ext| ext.kind() == packord::ext::BIGINT);
            assert!(*owned == borrowed.to_owned() || is_bigint, "{}", hex(bytes));
        }
        // `replace` cannot be borrowed.
        (Err(found), Err(other)) => {
            let other = fault(&other);
            assert!(
                other == *found || other.0 == "invalid_utf8" && other.1 < found.1,
                "{}",
                hex(bytes)
            );
        }
        // Nor can a column of exts.
        (Ok(owned), Err(error)) => {
            let sign = match error.kind().name() {
                "invalid_utf8" => "\u{fffd}",
                "invalid_ext" => "ext(",
                kind => panic!("{kind}: {}", hex(bytes)),
            };
            assert!(owned.to_string().contains(sign), "{}", hex(bytes));
        }
        (Err(fault), Ok(_)) => panic!("only the borrowing reader accepts {}: {fault:?}", hex(bytes)),
    }
    owned
}

/// Values, and the fault after them if it is not the end of the stream's bytes.
pub type Part = (Vec<Value>, Result<(), Fault>);

/// Returns the parts of a stream that is fed in chunks that end at `cuts`: up to each fault, and after
/// the last one that does not end the stream.
pub fn read_parts(bytes: &[u8], options: &DecodeOptions, cuts: impl IntoIterator<Item = usize>) -> Vec<Part> {
    let mut decoder = MessageScanner::with_options(options);
    let (mut parts, mut values, mut begin) = (Vec::new(), Vec::new(), 0);
    for end in cuts.into_iter().chain([bytes.len()]) {
        decoder.feed(&bytes[begin..end]);
        begin = end;
        loop {
            match decoder.next_value() {
                Ok(Some(value)) => values.push(value),
                Ok(None) => break,
                Err(error) => {
                    parts.push((std::mem::take(&mut values), Err(fault(&error))));
                    if decoder.is_over() {
                        let held = decoder.buffered();
                        decoder.feed(b"\x01");
                        assert_eq!(decoder.buffered(), held, "no byte is kept");
                        assert_eq!(decoder.next_value().unwrap_err(), error, "the fault stays");
                        assert_eq!(decoder.finish().unwrap_err(), error, "the fault stays");
                        return parts;
                    }
                }
            }
        }
    }
    parts.push((values, decoder.finish().map_err(|error| fault(&error))));
    parts
}
