//! The libraries that are compared, each with the document as values of its own.

use std::hint::black_box;

use packord::{DecodeOptions, EncodeOptions, Value};

/// Packs the document once, or unpacks it once.
type Work = Box<dyn Fn()>;

/// One library with the document.
pub struct Contender {
    /// The library, and which of its ways.
    pub library: &'static str,
    /// The format that it writes.
    pub format: &'static str,
    /// The document in that format.
    pub bytes: Vec<u8>,
    /// Values to bytes.
    pub encode: Work,
    /// Bytes to values.
    pub decode: Work,
}

/// The formats by name, in the order in which they are shown.
pub const JSON: &str = "JSON";
/// MessagePack without extensions.
pub const MESSAGEPACK: &str = "MessagePack";
/// MessagePack with record structures.
pub const RECORDS: &str = "MessagePack + records";
/// CBOR.
pub const CBOR: &str = "CBOR";
/// BSON.
pub const BSON: &str = "BSON";

/// The library that stands for JSON.
pub const SERDE_JSON: &str = "serde_json";
/// The JSON library that uses SIMD instructions.
pub const SONIC: &str = "sonic-rs";
/// Ours.
pub const PACKORD: &str = "packord";
/// Ours, with records.
pub const PACKORD_RECORDS: &str = "packord, records";

/// All libraries that can hold the document, JSON first, and notes about those that cannot.
pub fn all(
    json: &serde_json::Value,
    value: Value,
) -> Result<(Vec<Contender>, Vec<String>), String> {
    let mut contenders = vec![
        serde(json)?,
        packord(&value, MESSAGEPACK)?,
        packord(&value, RECORDS)?,
    ];
    let mut notes = Vec::new();
    for made in [sonic(json), rmp(json), cbor(json), bson(json)] {
        match made {
            Ok(contender) => contenders.push(contender),
            Err(note) => notes.push(note),
        }
    }
    Ok((contenders, notes))
}

fn contender(
    library: &'static str,
    format: &'static str,
    encode: impl Fn() -> Result<Vec<u8>, String> + 'static,
    decode: impl Fn(&[u8]) -> Result<(), String> + 'static,
) -> Result<Contender, String> {
    let failed = |error: String| format!("{library} cannot hold this document: {error}");
    let bytes = encode().map_err(failed)?;
    decode(&bytes).map_err(failed)?;
    let copy = bytes.clone();
    Ok(Contender {
        library,
        format,
        bytes,
        encode: Box::new(move || {
            let _ = black_box(encode());
        }),
        decode: Box::new(move || {
            let _ = black_box(decode(black_box(&copy)));
        }),
    })
}

/// The message of a library's error, on one line.
fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Keeps the work of making a value, and of freeing it, from being left out.
fn used<T>(value: T) {
    black_box(&value);
}

fn serde(json: &serde_json::Value) -> Result<Contender, String> {
    let json = json.clone();
    contender(
        SERDE_JSON,
        JSON,
        move || serde_json::to_vec(&json).map_err(text),
        |bytes| {
            serde_json::from_slice::<serde_json::Value>(bytes)
                .map(used)
                .map_err(text)
        },
    )
}

fn sonic(json: &serde_json::Value) -> Result<Contender, String> {
    let bytes = serde_json::to_vec(json).map_err(text)?;
    let value: sonic_rs::Value = sonic_rs::from_slice(&bytes).map_err(text)?;
    contender(
        SONIC,
        JSON,
        move || sonic_rs::to_vec(&value).map_err(text),
        |bytes| {
            sonic_rs::from_slice::<sonic_rs::Value>(bytes)
                .map(used)
                .map_err(text)
        },
    )
}

fn packord(value: &Value, format: &'static str) -> Result<Contender, String> {
    let (library, records) = if format == RECORDS {
        (PACKORD_RECORDS, true)
    } else {
        (PACKORD, false)
    };
    let writing = EncodeOptions::new().records(records);
    let reading = DecodeOptions::new().records(records);
    let value = value.clone();
    contender(
        library,
        format,
        move || writing.encode(&value).map_err(text),
        move |bytes| reading.decode(bytes).map(used).map_err(text),
    )
}

fn rmp(json: &serde_json::Value) -> Result<Contender, String> {
    let json = json.clone();
    contender(
        "rmp-serde",
        MESSAGEPACK,
        move || rmp_serde::to_vec_named(&json).map_err(text),
        |bytes| {
            rmp_serde::from_slice::<serde_json::Value>(bytes)
                .map(used)
                .map_err(text)
        },
    )
}

fn cbor(json: &serde_json::Value) -> Result<Contender, String> {
    let json = json.clone();
    contender(
        "ciborium",
        CBOR,
        move || {
            let mut bytes = Vec::new();
            ciborium::into_writer(&json, &mut bytes)
                .map_err(text)
                .map(|()| bytes)
        },
        |bytes| {
            ciborium::from_reader::<serde_json::Value, _>(bytes)
                .map(used)
                .map_err(text)
        },
    )
}

/// A document of BSON is a map; anything else stands in one as `value`.
fn bson(json: &serde_json::Value) -> Result<Contender, String> {
    let document = match json {
        serde_json::Value::Object(_) => json.clone(),
        other => serde_json::json!({ "value": other }),
    };
    let document: bson::Document = bson::serialize_to_document(&document)
        .map_err(|error| format!("bson cannot hold this document: {error}"))?;
    contender(
        "bson",
        BSON,
        move || document.to_vec().map_err(text),
        |bytes| bson::Document::from_reader(bytes).map(used).map_err(text),
    )
}
