//! The libraries that are compared, each with the document as its own values.

use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;

use packord::{DecodeOptions, EncodeOptions, RecordEncoder, Structures, Value};

/// Encodes or decodes all documents once.
type Work = Box<dyn Fn()>;

/// One library with the documents.
pub struct Contender {
    /// The library, and its mode.
    pub library: &'static str,
    /// The format.
    pub format: &'static str,
    /// The documents in that format.
    pub documents: Vec<Vec<u8>>,
    /// What `decode` builds.
    pub makes: &'static str,
    /// Values to bytes. `None` if what is decoded cannot be encoded.
    pub encode: Option<Work>,
    /// Bytes to values.
    pub decode: Work,
}

/// The name of the format JSON. The formats are shown in this order.
pub const JSON: &str = "JSON";
/// MessagePack without extensions.
pub const MESSAGEPACK: &str = "MessagePack";
/// MessagePack with record structures.
pub const RECORDS: &str = "MessagePack + records";
/// MessagePack with record structures that both sides share.
pub const SHARED: &str = "MessagePack + shared records";
/// MessagePack with values that are stored by column.
pub const COLUMNS: &str = "MessagePack + columns";
/// CBOR.
pub const CBOR: &str = "CBOR";
/// BSON.
pub const BSON: &str = "BSON";

/// The reference library for JSON.
pub const SERDE_JSON: &str = "serde_json";
/// The JSON library that uses SIMD instructions.
pub const SONIC: &str = "sonic-rs";
/// The crate `packord`.
pub const PACKORD: &str = "packord";
/// packord, which decodes into an index over the bytes.
pub const DOCUMENT: &str = "packord, Document";
/// packord with records.
pub const PACKORD_RECORDS: &str = "packord, records";
/// packord with columns.
pub const PACKORD_COLUMNS: &str = "packord, columns";

/// Values that own their memory, like `serde_json::Value` and `packord::Value`.
const OWNED: &str = "owned";
/// Values in an arena.
const ARENA: &str = "arena";
/// Values that borrow strings from the bytes.
const BORROWED: &str = "borrowed";
/// An index of the values in the bytes.
const INDEX: &str = "index";

type Json = Rc<Vec<serde_json::Value>>;

/// Returns all libraries that can hold the documents, JSON first, and notes about those that cannot.
/// The arguments are the same documents, as values of `serde_json` and of packord.
pub fn all(json: Vec<serde_json::Value>, values: Vec<Value>) -> Result<(Vec<Contender>, Vec<String>), String> {
    let (json, values) = (Rc::new(json), Rc::new(values));
    let json = &json;
    let mut contenders = vec![
        serde(json)?,
        packord(&values, PACKORD, MESSAGEPACK)?,
        reading("packord, ValueRef", BORROWED, &values, |bytes| {
            DecodeOptions::new().decode_ref(bytes).map(used)
        })?,
        reading(DOCUMENT, INDEX, &values, |bytes| {
            packord::Document::parse(bytes).map(used)
        })?,
        packord(&values, PACKORD_RECORDS, RECORDS)?,
        shared(&values)?,
        packord(&values, PACKORD_COLUMNS, COLUMNS)?,
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
    count: usize,
    encode: impl Fn(usize) -> Result<Vec<u8>, String> + 'static,
    decode: impl Fn(&[u8]) -> Result<(), String> + 'static,
) -> Result<Contender, String> {
    let failed = |error: String| format!("{library} cannot hold this: {error}");
    let documents: Result<Vec<_>, _> = (0..count).map(&encode).collect();
    let documents = documents.map_err(failed)?;
    for document in &documents {
        decode(document).map_err(failed)?;
    }
    let copies = documents.clone();
    Ok(Contender {
        library,
        format,
        makes: OWNED,
        documents,
        encode: Some(Box::new(move || {
            for index in 0..count {
                let _ = black_box(encode(index));
            }
        })),
        decode: Box::new(move || {
            for copy in &copies {
                let _ = black_box(decode(black_box(copy)));
            }
        }),
    })
}

/// Returns the message of an error of a library.
fn message(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Keeps the compiler from removing the work of building and freeing a value.
fn used<T>(value: T) {
    black_box(&value);
}

fn serde(json: &Json) -> Result<Contender, String> {
    let json = json.clone();
    contender(
        SERDE_JSON,
        JSON,
        json.len(),
        move |index| serde_json::to_vec(&json[index]).map_err(message),
        |bytes| {
            serde_json::from_slice::<serde_json::Value>(bytes)
                .map(used)
                .map_err(message)
        },
    )
}

fn sonic(json: &Json) -> Result<Contender, String> {
    let value = |json| {
        let bytes = serde_json::to_vec(json).map_err(message)?;
        sonic_rs::from_slice(&bytes).map_err(message)
    };
    let values: Vec<sonic_rs::Value> = json.iter().map(value).collect::<Result<_, String>>()?;
    contender(
        SONIC,
        JSON,
        values.len(),
        move |index| sonic_rs::to_vec(&values[index]).map_err(message),
        |bytes| {
            sonic_rs::from_slice::<sonic_rs::Value>(bytes)
                .map(used)
                .map_err(message)
        },
    )
    .map(|contender| Contender {
        makes: ARENA,
        ..contender
    })
}

/// Returns a contender that decodes in another way what [`packord`] encodes.
fn reading(
    library: &'static str,
    makes: &'static str,
    values: &Rc<Vec<Value>>,
    decode: impl Fn(&[u8]) -> packord::Result<()> + 'static,
) -> Result<Contender, String> {
    let writing = EncodeOptions::new();
    let values = values.clone();
    let contender = contender(
        library,
        MESSAGEPACK,
        values.len(),
        move |index| writing.encode(&values[index]).map_err(message),
        move |bytes| decode(bytes).map_err(message),
    )?;
    Ok(Contender {
        makes,
        encode: None,
        ..contender
    })
}

fn packord(values: &Rc<Vec<Value>>, library: &'static str, format: &'static str) -> Result<Contender, String> {
    let (records, columns) = (format == RECORDS, format == COLUMNS);
    let writing = EncodeOptions::new().records(records).columns(columns);
    let reading = DecodeOptions::new().records(records).columns(columns);
    let values = values.clone();
    contender(
        library,
        format,
        values.len(),
        move |index| writing.encode(&values[index]).map_err(message),
        move |bytes| reading.decode(bytes).map(used).map_err(message),
    )
}

/// Returns packord with shared records, whose list of structures is that of all documents.
fn shared(values: &Rc<Vec<Value>>) -> Result<Contender, String> {
    let options = EncodeOptions::new().records(true);
    let mut encoder = RecordEncoder::with_shared(options, Structures::new());
    for value in values.iter() {
        encoder.encode(value).map_err(message)?;
    }
    let reading = DecodeOptions::new().shared_structures(encoder.structures().clone());
    let (encoder, values) = (RefCell::new(encoder), values.clone());
    contender(
        "packord, shared records",
        SHARED,
        values.len(),
        move |index| encoder.borrow_mut().encode(&values[index]).map_err(message),
        move |bytes| reading.decode(bytes).map(used).map_err(message),
    )
}

fn rmp(json: &Json) -> Result<Contender, String> {
    let json = json.clone();
    contender(
        "rmp-serde",
        MESSAGEPACK,
        json.len(),
        move |index| rmp_serde::to_vec_named(&json[index]).map_err(message),
        |bytes| {
            rmp_serde::from_slice::<serde_json::Value>(bytes)
                .map(used)
                .map_err(message)
        },
    )
}

fn cbor(json: &Json) -> Result<Contender, String> {
    let json = json.clone();
    contender(
        "ciborium",
        CBOR,
        json.len(),
        move |index| {
            let mut bytes = Vec::new();
            ciborium::into_writer(&json[index], &mut bytes)
                .map_err(message)
                .map(|()| bytes)
        },
        |bytes| {
            ciborium::from_reader::<serde_json::Value, _>(bytes)
                .map(used)
                .map_err(message)
        },
    )
}

/// Returns the contender for BSON. A BSON document is a map: other values are wrapped as `value`.
fn bson(json: &Json) -> Result<Contender, String> {
    let document = |json: &serde_json::Value| match json {
        serde_json::Value::Object(_) => bson::serialize_to_document(json),
        other => bson::serialize_to_document(&serde_json::json!({ "value": other })),
    };
    let documents: Vec<bson::Document> = json
        .iter()
        .map(document)
        .collect::<Result<_, _>>()
        .map_err(|error| format!("bson cannot hold this: {error}"))?;
    contender(
        "bson",
        BSON,
        documents.len(),
        move |index| documents[index].to_vec().map_err(message),
        |bytes| bson::Document::from_reader(bytes).map(used).map_err(message),
    )
}
