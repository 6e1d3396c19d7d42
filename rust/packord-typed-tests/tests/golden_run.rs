//! What all readers and writers do, as one hash for each: a change of the code that is meant to change
//! nothing is held to it. `make golden-rust` runs damaged inputs and generated values, always the same
//! ones, and names the ways whose hash differs from `golden_run.txt`; `WRITE=1` writes that file.

#[path = "support/damage.rs"]
mod damage;
mod support;

use damage::{Random, corpus, damage};
use packord::columns::ColumnsView;
use packord::container::{ReadOptions, Reader};
use packord::io::{UnpackReader, WalkReader};
use packord::serde::{Bytes, Config};
use packord::{
    DecodeOptions, DuplicateKey, EncodeOptions, Error, MessageScanner, MsgPacker, Packable, RecordDecoder, Timestamp,
    Unpackable, Utf8, Value, ValueRef, Walker,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::hash::{Hash, Hasher};

const INPUTS: usize = 100_000;
const VALUES: usize = 20_000;
/// Of these, one is read as a container file: to open one takes longer.
const FILES: usize = 50;

#[derive(Clone, Debug, PartialEq, MsgPacker, Serialize, Deserialize)]
#[msgpacker(map)]
struct Row {
    #[msgpacker(default)]
    #[serde(default)]
    a: Option<u64>,
    #[msgpacker(default, alias = "c")]
    #[serde(default, alias = "c")]
    b: Vec<Shape>,
    #[msgpacker(flatten)]
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Clone, Debug, PartialEq, MsgPacker, Serialize, Deserialize)]
enum Shape {
    Unit,
    Text(String),
    Pair(i32, Option<bool>),
    Named { x: f64, y: [u16; 2] },
}

/// The hash FNV-1a: that of the standard library may change.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A hash of all that each way of reading or writing did.
#[derive(Default)]
struct Golden(BTreeMap<&'static str, Fnv>);

impl Golden {
    fn note(&mut self, way: &'static str, outcome: impl Hash) {
        outcome.hash(self.0.entry(way).or_default());
    }

    fn read<T: Serialize>(&mut self, way: &'static str, read: Result<T, Error>) {
        match read {
            Ok(value) => self.note(way, packord::to_vec(&value).map_err(|error| error.kind())),
            Err(error) => self.note(way, fault(&error)),
        }
    }

    fn written(&mut self, way: &'static str, written: Result<Vec<u8>, Error>) {
        self.note(
            way,
            written.map_err(|error| (error.kind(), error.path().map(str::to_owned))),
        );
    }
}

fn fault(error: &Error) -> (&'static str, Option<u64>, Option<String>, Option<String>) {
    let words = |words: Option<&str>| words.map(str::to_owned);
    (
        error.kind().name(),
        error.offset(),
        words(error.path()),
        words(error.detail()),
    )
}

fn options() -> [DecodeOptions; 6] {
    let new = DecodeOptions::new;
    let mut shared = packord::Structures::new();
    shared.push(["a", "b"]);
    [
        new(),
        new().records(true).duplicate_key(DuplicateKey::Error),
        new().canonical(true).bigint(true),
        new().columns(true),
        new().shared_structures(shared).max_len(9).max_nodes(40).max_depth(5),
        new().utf8(Utf8::Replace).max_buffer(300),
    ]
}

fn read_all(golden: &mut Golden, bytes: &[u8], options: &DecodeOptions, cut: usize) {
    let config = Config::new().decode_options(options.clone());
    golden.read("decode", options.decode(bytes));
    golden.read("decode_ref", options.decode_ref(bytes));
    golden.read("document", options.document(bytes).map(|document| document.to_value()));
    golden.note("skip_value", options.skip_value(bytes).map_err(|error| fault(&error)));
    golden.read("records", RecordDecoder::new(options).decode(bytes));
    golden.read("unpack Value", options.unpack::<Value>(bytes));
    golden.read("unpack Row", options.unpack::<Row>(bytes));
    golden.read("unpack Shape", options.unpack::<Vec<Shape>>(bytes));
    golden.read("T::unpack", Row::unpack(bytes));
    golden.read("serde Value", config.from_slice::<Value>(bytes));
    golden.read("serde ValueRef", config.from_slice::<ValueRef<'_>>(bytes));
    golden.read("serde Row", config.from_slice::<Row>(bytes));
    golden.read("serde Shape", config.from_slice::<Vec<Shape>>(bytes));
    golden.read(
        "serde json",
        config
            .from_slice::<serde_json::Value>(bytes)
            .map(|json| json.to_string()),
    );

    let mut walker = Walker::with_options(bytes, options);
    loop {
        match walker.next() {
            Ok(Some(event)) => golden.note("walker", (event.offset, event.bytes, event.depth)),
            Ok(None) => break,
            Err(error) => {
                golden.note("walker", fault(&error));
                break;
            }
        }
    }
    let mut walker = WalkReader::with_options(bytes, options);
    loop {
        match walker.next_message().and_then(|more| Ok(more && walker.skip_value()?)) {
            Ok(true) => golden.note("walk reader", walker.offset()),
            Ok(false) => break,
            Err(error) => {
                golden.note("walk reader", fault(&error));
                break;
            }
        }
    }
    let mut scanner = MessageScanner::with_options(options);
    for chunk in [&bytes[..cut], &bytes[cut..]] {
        scanner.feed(chunk);
        while let Some(read) = scanner.next_value().transpose() {
            golden.read("scanner", read);
            if scanner.is_over() {
                break;
            }
        }
    }
    golden.note("scanner", scanner.finish().map_err(|error| fault(&error)));
    let mut reader = UnpackReader::with_options(bytes, options);
    let read = |reader: &mut UnpackReader<_>| reader.unpack::<Row>();
    for _ in 0..3 {
        golden.read("reader of types", read(&mut reader));
    }
    let columns = ColumnsView::read(bytes);
    golden.note(
        "columns view",
        columns
            .map(|view| (view.values(), view.plain_size(), view.columns().len()))
            .map_err(|error| fault(&error)),
    );
    golden.read(
        "columns expanded",
        options.expand_columns(bytes).map(std::borrow::Cow::into_owned),
    );
    golden.note(
        "notation",
        packord::notation::to_text(bytes).map_err(|error| fault(&error)),
    );
}

fn read_file(golden: &mut Golden, bytes: &[u8]) {
    let options = ReadOptions::new();
    let mut reader = match Reader::seekable(std::io::Cursor::new(bytes), &options) {
        Ok(reader) => reader,
        Err(error) => return golden.note("container", fault(&error)),
    };
    loop {
        match reader.next_row() {
            Ok(Some(row)) => golden.note("container", row),
            Ok(None) => break,
            Err(error) => {
                golden.note("container", fault(&error));
                break;
            }
        }
    }
}

/// A value of any kind, in which repetition is likely.
fn value(random: &mut Random, depth: usize) -> Value {
    let text = |random: &mut Random| {
        [
            "",
            "a",
            "id",
            "name",
            "größer",
            "a string of more than thirty-two bytes",
        ][random.below(6)]
    };
    match random.below(if depth == 0 { 9 } else { 13 }) {
        0 => Value::Nil,
        1 => Value::from(random.below(2) == 1),
        2 => Value::from(random.below(300) as i64 - 100),
        3 => Value::from((random.below(usize::MAX) as u64) >> random.below(64)),
        4 => Value::from(-(random.below(1 << 40) as i64)),
        5 => Value::F64(random.below(1000) as f64 / 8.0),
        6 => Value::F32(random.below(100) as f32),
        7 => Value::from(text(random)),
        8 if random.below(2) == 0 => Timestamp::new(random.below(1 << 40) as i64, 5).unwrap().into(),
        8 => Value::from(vec![random.below(256) as u8; random.below(40)]),
        9 => (0..random.below(20))
            .map(|_| value(random, depth - 1))
            .collect::<Vec<_>>()
            .into(),
        10 => {
            let count = random.below(4);
            let entries = (0..count).map(|_| (value(random, 0), value(random, depth - 1)));
            entries.collect::<Vec<_>>().into()
        }
        _ => {
            // Rows that have keys in common.
            let keys: Vec<&str> = (0..random.below(4)).map(|_| text(random)).collect();
            let row = |random: &mut Random| {
                let entries = keys
                    .iter()
                    .map(|key| (Value::from(*key), value(random, depth.min(2) - 1)));
                Value::from(entries.collect::<Vec<_>>())
            };
            (0..random.below(40)).map(|_| row(random)).collect::<Vec<_>>().into()
        }
    }
}

fn write_all(golden: &mut Golden, value: &Value) {
    let new = EncodeOptions::new;
    for (way, options) in [
        ("encode", new()),
        ("encode records", new().records(true)),
        ("encode columns", new().columns(true)),
        ("encode columns, records", new().columns(true).records(true)),
        ("encode canonical", new().canonical(true)),
        ("encode sorted", new().sort_keys(true).skip_nil(true).float32(true)),
    ] {
        golden.written(way, options.encode(value));
    }
    golden.written("pack", new().pack(value));
    golden.written("pack records", new().records(true).pack(value));
    golden.written("serde", Config::new().to_vec(value));
    golden.written("serde detected", Config::new().bytes(Bytes::Detected).to_vec(value));
    golden.note("text", value.to_string());
    // Types of the program, where the value is one.
    let plain = packord::to_vec(value).unwrap();
    if let Ok(numbers) = Vec::<Option<u64>>::unpack(&plain) {
        golden.written("pack numbers", numbers.try_pack_to_vec());
    }
    let row = Row {
        a: value.as_u64(),
        b: vec![
            Shape::Unit,
            Shape::Pair(plain.len() as i32, None),
            Shape::Text(value.to_string()),
        ],
        rest: BTreeMap::from([("value".to_owned(), value.clone())]),
    };
    golden.written("pack Row", row.try_pack_to_vec());
    golden.written("pack Row, records", new().records(true).pack(&row));
    golden.written("serde Row", Config::new().to_vec(&row));
    golden.written("serde Row, arrays", Config::new().structs_as_arrays(true).to_vec(&row));
}

#[test]
#[ignore = "takes minutes; `make golden-rust` runs it"]
fn all_ways_do_what_they_did() {
    let mut golden = Golden::default();
    let mut random = Random(0x601d);
    let classes = ["valid", "invalid", "stream", "records", "hostile", "columns", "typed"];
    let messages = corpus(&classes, 600);
    let files = corpus(&["container"], 2000);
    let options = options();
    for number in 0..INPUTS {
        let mut bytes = messages[random.below(messages.len())].clone();
        damage(&mut bytes, &messages, &mut random);
        let cut = random.below(bytes.len());
        read_all(&mut golden, &bytes, &options[number % options.len()], cut);
        if number % FILES == 0 {
            let mut file = files[random.below(files.len())].clone();
            damage(&mut file, &files, &mut random);
            read_file(&mut golden, &file);
        }
    }
    for _ in 0..VALUES {
        write_all(&mut golden, &value(&mut random, 3));
    }
    let mut found = String::new();
    for (way, hasher) in &golden.0 {
        writeln!(found, "{way}: {:016x}", hasher.finish()).unwrap();
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden_run.txt");
    if std::env::var_os("WRITE").is_some() {
        std::fs::write(&path, &found).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    let differ: Vec<&str> = found
        .lines()
        .filter(|line| !kept.lines().any(|known| known == *line))
        .collect();
    assert!(
        differ.is_empty() && found.lines().count() == kept.lines().count(),
        "{differ:#?}"
    );
}
