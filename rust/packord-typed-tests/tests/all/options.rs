//! Every option of reading works in every reader: a table of what each does, which is
//! `site/generated/rust-options.md`. `WRITE=1` writes it.

use packord::io::UnpackReader;
use packord::serde::{Config, IoDeserializer};
use packord::{
    DecodeOptions, DuplicateKey, Error, Ext, MessageScanner, MsgPacker, RawMessage, RecordDecoder, Structures,
    Trailing, UndefinedRecord, UnknownExt, Unpackable, Utf8, Value, ValueRef,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::Path;

/// What a reader has made of a message: plain bytes of the value, or kind and offset of the error.
type Outcome = Result<Vec<u8>, (&'static str, Option<u64>)>;

fn outcome(read: Result<Value, Error>) -> Outcome {
    read.map(|value| packord::to_vec(&value).unwrap())
        .map_err(|error| (error.kind().name(), error.offset()))
}

fn owned(value: &ValueRef<'_>) -> Value {
    DecodeOptions::new()
        .max_depth(u32::MAX)
        .decode(&packord::to_vec(value).unwrap())
        .unwrap()
}

/// The readers of values of any type.
fn values(bytes: &[u8], options: &DecodeOptions) -> Vec<(&'static str, Outcome)> {
    let config = Config::new().decode_options(options.clone());
    let some = |read: Result<Option<Value>, Error>| outcome(read.map(Option::unwrap));
    let mut scanner = MessageScanner::with_options(options);
    scanner.feed(bytes);
    let borrowed = some(scanner.next_ref().map(|value| value.map(|value| owned(&value))));
    let raw = |read: Result<RawMessage, Error>| {
        outcome(read.map(|raw| packord::from_slice::<Value>(raw.as_bytes()).unwrap()))
    };
    vec![
        ("decode", outcome(options.decode(bytes))),
        (
            "decode_ref",
            outcome(options.decode_ref(bytes).map(|value| owned(&value))),
        ),
        (
            "Document",
            outcome(options.document(bytes).map(|document| document.to_value())),
        ),
        ("MessageScanner", borrowed),
        (
            "UnpackReader::next_value",
            some(UnpackReader::with_options(bytes, options).next_value()),
        ),
        (
            "RecordDecoder::decode",
            outcome(RecordDecoder::new(options).decode(bytes)),
        ),
        ("unpack, Value", outcome(options.unpack::<Value>(bytes))),
        ("unpack, RawMessage", raw(options.unpack(bytes))),
        ("serde, Value", outcome(config.from_slice(bytes))),
        (
            "serde, ValueRef",
            outcome(config.from_slice::<ValueRef<'_>>(bytes).map(|value| owned(&value))),
        ),
        ("serde, RawMessage", raw(config.from_slice(bytes))),
    ]
}

/// The readers of a type of the program. `Ok` holds the bytes of the reference if the values are equal.
fn types<T>(bytes: &[u8], options: &DecodeOptions, reference: &Outcome) -> Vec<(&'static str, Outcome)>
where
    T: Unpackable + DeserializeOwned + PartialEq + Debug,
{
    let config = Config::new().decode_options(options.clone());
    let checked = |read: Result<T, Error>| match read {
        Ok(read) => {
            let packed = reference.clone().unwrap_or_default();
            let is_equal = T::unpack(&packed).is_ok_and(|wanted| wanted == read);
            Ok(if is_equal { packed } else { Vec::new() })
        }
        Err(error) => Err((error.kind().name(), error.offset())),
    };
    let some = |read: Result<Option<T>, Error>| checked(read.map(Option::unwrap));
    vec![
        ("unpack", checked(options.unpack(bytes))),
        (
            "RecordDecoder::unpack",
            checked(RecordDecoder::new(options).unpack(bytes)),
        ),
        (
            "UnpackReader::unpack",
            some(UnpackReader::with_options(bytes, options).unpack()),
        ),
        ("serde from_slice", checked(config.from_slice(bytes))),
        ("serde from_reader", checked(config.from_reader(bytes))),
        ("UnpackReader::next", some(config.reader(bytes).next())),
        (
            "IoDeserializer",
            checked(T::deserialize(&mut IoDeserializer::with_config(bytes, &config))),
        ),
    ]
}

struct Row {
    option: &'static str,
    cells: Vec<(&'static str, String)>,
}

/// Reads the message, which shows the option, in every way. The decoder of values tells what is right.
fn row<T>(option: &'static str, options: &DecodeOptions, bytes: &[u8]) -> Row
where
    T: Unpackable + DeserializeOwned + PartialEq + Debug,
{
    let reference = outcome(options.decode(bytes));
    let without = outcome(DecodeOptions::new().decode(bytes));
    assert_ne!(reference, without, "{option} makes a difference");
    let mut cells = values(bytes, options);
    cells.extend(types::<T>(bytes, options, &reference));
    let cells = cells.into_iter().map(|(reader, outcome)| {
        let cell = match &outcome {
            _ if outcome == reference => "yes".to_owned(),
            Ok(_) => "another value".to_owned(),
            Err((kind, _)) => format!("`{kind}`"),
        };
        (reader, cell)
    });
    Row {
        option,
        cells: cells.collect(),
    }
}

#[derive(Debug, PartialEq, MsgPacker, Serialize, Deserialize)]
#[msgpacker(record)]
struct Keyed {
    a: u8,
}

fn rows() -> Vec<Row> {
    let new = DecodeOptions::new;
    let records = || new().records(true);
    let definition = b"\xd4\x72\x40\x91\xa1a\x01";
    let columns = b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    let mut shared = Structures::new();
    shared.push(["a"]);
    vec![
        row::<Vec<Vec<u8>>>("max_depth", &new().max_depth(1), b"\x91\x91\x01"),
        row::<String>("max_str_len", &new().max_str_len(1), b"\xa2hi"),
        row::<Vec<u8>>("max_bin_len", &new().max_bin_len(1), b"\xc4\x02hi"),
        row::<Ext>("max_ext_len", &new().max_ext_len(1), b"\xd5\x05hi"),
        row::<Vec<u8>>("max_array_len", &new().max_array_len(1), b"\x92\x01\x02"),
        row::<BTreeMap<u8, u8>>("max_map_len", &new().max_map_len(0), b"\x81\x01\x02"),
        row::<Vec<u8>>("max_nodes", &new().max_nodes(2), b"\x92\x01\x02"),
        row::<String>("utf8: replace", &new().utf8(Utf8::Replace), b"\xa2a\xff"),
        row::<Vec<u8>>("utf8: raw", &new().utf8(Utf8::Raw), b"\xa2a\xff"),
        row::<u8>("canonical", &new().canonical(true), b"\xcc\x01"),
        row::<BTreeMap<String, u8>>(
            "duplicate_key",
            &new().duplicate_key(DuplicateKey::Error),
            b"\x82\xa1a\x01\xa1a\x02",
        ),
        row::<Ext>("unknown_ext", &new().unknown_ext(UnknownExt::Error), b"\xd4\x05\0"),
        row::<i128>("bigint", &new().bigint(true), b"\xd4\x42\x07"),
        row::<Keyed>("records", &records(), definition),
        row::<Keyed>("shared_structures", &new().shared_structures(shared), b"\x40\x07"),
        row::<Keyed>("max_record_keys", &records().max_record_keys(0), definition),
        row::<u8>(
            "undefined_record",
            &records().undefined_record(UndefinedRecord::Error),
            b"\x40",
        ),
        row::<Vec<u8>>("columns", &new().columns(true), columns),
        row::<Vec<u8>>(
            "max_expansion",
            &new().columns(true).max_expansion(0),
            b"\xc7\x0a\x5c\x01\xcd\x13\x88\x01\0\x02\0\x01\xc0",
        ),
    ]
}

#[test]
fn bytes_after_a_message_are_allowed_by_every_reader_of_one() {
    let options = DecodeOptions::new().trailing(Trailing::Allow);
    let config = Config::new().decode_options(options.clone());
    let bytes = b"\x07\xc1";
    assert_eq!(options.decode(bytes).unwrap(), 7);
    assert_eq!(options.decode_ref(bytes).unwrap(), 7);
    assert_eq!(options.unpack::<u8>(bytes).unwrap(), 7);
    assert_eq!(RecordDecoder::new(&options).decode(bytes).unwrap(), 7);
    assert_eq!(RecordDecoder::new(&options).unpack::<u8>(bytes).unwrap(), 7);
    assert_eq!(config.from_slice::<u8>(bytes).unwrap(), 7);
    assert_eq!(config.from_slice::<Value>(bytes).unwrap(), 7);
    assert_eq!(config.from_reader::<_, u8>(&bytes[..]).unwrap(), 7);
    options.validate(bytes).unwrap();
}

#[test]
fn a_broken_key_of_a_record_is_replaced_by_every_reader_of_types() {
    let options = DecodeOptions::new().records(true).utf8(Utf8::Replace);
    // With a definition alone, and with a str that is replaced before it.
    for bytes in [
        &b"\xd4\x72\x40\x91\xa1\xff\xc3"[..],
        b"\x92\xa1\xff\xd4\x72\x40\x91\xa1\xff\xc3",
    ] {
        let reference = outcome(options.decode(bytes));
        assert!(reference.is_ok());
        for (reader, outcome) in types::<Value>(bytes, &options, &reference) {
            assert_eq!(outcome, reference, "{reader}");
        }
        let raw = options.clone().utf8(Utf8::Raw);
        let reference = outcome(raw.decode(bytes));
        assert_eq!(outcome(raw.unpack::<Value>(bytes)), reference);
    }
}

#[test]
fn every_option_works_in_every_reader() {
    let rows = rows();
    let mut table = String::from("| reader |");
    for row in &rows {
        table += &format!(" {} |", row.option);
    }
    table += &format!("\n|{}\n", "---|".repeat(rows.len() + 1));
    for (index, (reader, _)) in rows[0].cells.iter().enumerate() {
        table += &format!("| {reader} |");
        for row in &rows {
            table += &format!(" {} |", row.cells[index].1);
        }
        table.push('\n');
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../site/generated/rust-options.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once("<!-- table -->\n").unwrap();
    let (written, after) = rest.split_once("<!-- /table -->").unwrap();
    if std::env::var_os("WRITE").is_some() {
        let page = format!("{before}<!-- table -->\n{table}<!-- /table -->{after}");
        std::fs::write(&path, page).unwrap();
    } else {
        assert_eq!(written, table);
    }
}
