//! Container files on small stacks: they are written, read and repaired, and hostile ones are an error, never the end of
//! the process. Each stack is that of a thread in a child process, as an overflow would end the tests too.

#[path = "support/small_stacks.rs"]
mod small_stacks;

use packord::container::{
    Codec, Comparison, DEFAULT_MAX_BLOCK, OnBadBlock, Predicate, ReadOptions, Reader, WriteOptions, Writer, repair,
};
use packord::{DecodeOptions, Error, ErrorKind, MsgPacker, Value, value};
use serde::{Deserialize, Serialize};
use small_stacks::{arrays, chain};
use std::io::Cursor;

const SYNC: [u8; 16] = [7; 16];

#[derive(Debug, PartialEq, Serialize, Deserialize, MsgPacker)]
#[msgpacker(map)]
struct Row {
    id: u64,
    name: String,
    at: Option<[f64; 2]>,
}

#[derive(Serialize, Deserialize, MsgPacker)]
#[msgpacker(map)]
struct Chain {
    numbers: [u64; 16],
    next: Option<Box<Chain>>,
}

fn row(id: u64) -> Row {
    Row {
        id,
        name: format!("the name of row {}", id % 7),
        at: (id % 3 > 0).then_some([0.5, id as f64]),
    }
}

fn ways() -> Vec<WriteOptions> {
    let options = WriteOptions::new().sync(SYNC).block_rows(100);
    let mut ways = vec![options.clone().messages(true)];
    for codec in Codec::ALL.iter().copied().filter(|codec| codec.is_supported()) {
        ways.push(options.clone().codec(codec));
        ways.push(options.clone().codec(codec).columns(false).level(19));
        ways.push(options.clone().codec(codec).level(1));
    }
    #[cfg(feature = "container-parallel")]
    ways.push(options.threads(2));
    ways
}

fn write_file(options: &WriteOptions) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for id in 0..300 {
        match id % 3 {
            0 => writer.write(&row(id)),
            1 => writer.pack(&row(id)),
            _ => writer.write_packed(&packord::Packable::pack_to_vec(&row(id))),
        }
        .unwrap();
    }
    writer.finish().unwrap()
}

fn open<'f>(file: &'f [u8], options: &ReadOptions) -> Reader<Cursor<&'f [u8]>> {
    Reader::seekable(Cursor::new(file), options).unwrap()
}

fn read_and_repair(file: &[u8]) {
    let options = ReadOptions::new();
    let mut reader = Reader::new(file).unwrap();
    for id in 0..300 {
        let found: Option<Row> = match id % 2 {
            0 => reader.next().unwrap(),
            _ => reader.unpack().unwrap(),
        };
        assert_eq!(found, Some(row(id)));
    }
    assert_eq!(reader.next_row().unwrap(), None);
    let predicate = Predicate::new()
        .and("name", Comparison::Equal, "the name of row 3")
        .and_then(|predicate| predicate.and("id", Comparison::GreaterOrEqual, 200))
        .unwrap();
    let filtered = options.clone().filter(predicate);
    assert_eq!(open(file, &filtered).values().count(), 14);
    assert_eq!(Reader::with_options(file, &filtered).unwrap().values().count(), 14);
    let selected = filtered.select(["at", "id"]);
    let rows: Vec<Value> = open(file, &selected).values().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 14);
    assert!(
        rows.iter()
            .all(|row| row["name"].is_nil() && row["id"].as_u64() >= Some(200))
    );
    #[cfg(feature = "container-parallel")]
    assert_eq!(open(file, &options.clone().threads(2)).values().count(), 300);
    let mut reader = open(file, &options);
    assert!((1..=3).contains(&reader.splits(3).unwrap().len()));
    let block = reader.block(1).unwrap();
    if let Some(view) = block.columns().unwrap() {
        for column in view.columns() {
            column.expand_into(&mut Vec::new()).unwrap();
        }
    }
    let second = reader.index().unwrap().entries()[1].offset() as usize;
    let mut damaged = file.to_vec();
    damaged[second + 40] ^= 1;
    damaged.truncate(file.len() - 5);
    let skip = options.on_bad_block(OnBadBlock::Skip);
    assert_eq!(open(&damaged, &skip).values().count(), 200);
    let (repaired, report) = repair(&damaged[..], Vec::new(), DEFAULT_MAX_BLOCK).unwrap();
    assert_eq!((report.rows, open(&repaired, &skip).values().count()), (200, 200));
}

/// A file with one block, whose checksum is right.
fn with_body(kind: u8, count: u64, body: &[u8]) -> Vec<u8> {
    let mut file = header(&[]);
    file.extend([0xd8, 0x5d]);
    file.extend(SYNC);
    let checksum = crc32c::crc32c(body);
    let data = Value::Bin(body.into());
    let chunks = value!([(body.len()), (body.len()), checksum]);
    let block = value!([kind, count, (Value::Nil), (chunks), (data)]);
    file.extend(packord::to_vec(&block).unwrap());
    file
}

/// A header, with an option of these bytes.
fn header(other: &[u8]) -> Vec<u8> {
    let mut file = b"\x94\xa7packord\x01".to_vec();
    file.push(if other.is_empty() { 0x81 } else { 0x82 });
    file.extend(b"\xa4sync\xc4\x10");
    file.extend(SYNC);
    if !other.is_empty() {
        file.extend(b"\xa4meta");
        file.extend(other);
    }
    let checksum = crc32c::crc32c(&file);
    file.extend(packord::to_vec(&Value::from(checksum)).unwrap());
    file
}

fn maps(levels: usize) -> Vec<u8> {
    let mut bytes = b"\x81\xa1a".repeat(levels);
    bytes.push(0x07);
    bytes
}

fn decode(row: &[u8]) -> Value {
    DecodeOptions::new().decode(row).unwrap()
}

fn read_kind(file: &[u8], options: &ReadOptions) -> Option<ErrorKind> {
    let reader = Reader::with_options(file, options);
    let outcome = reader.and_then(|mut reader| reader.values().try_for_each(|row| row.map(drop)));
    outcome.err().map(|error| error.kind())
}

/// Rows of as many levels as there may be.
fn deep_rows(options: &WriteOptions) {
    let rows = [arrays(1023), maps(1023), chain(500)];
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for row in rows.iter().chain(&rows) {
        writer.write_packed(row).unwrap();
        let value = decode(row);
        writer.write_value(&value).unwrap();
    }
    for row in [arrays(1025), maps(20_000)] {
        let error = writer.write_packed(&row).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DepthLimit);
    }
    let file = writer.finish().unwrap();
    assert_eq!(open(&file, &ReadOptions::new()).values().count(), 12);
    let path = ["a"; 200].join(".");
    let deep = decode(&maps(823));
    let whole = decode(&arrays(1023));
    for predicate in [
        Predicate::new().and(&path, Comparison::Equal, deep),
        Predicate::new().and("", Comparison::Equal, whole),
        Predicate::new().and(&["0"; 1023].join("."), Comparison::IsNull, Value::Nil),
    ] {
        let filtered = ReadOptions::new().filter(predicate.unwrap());
        assert!(open(&file, &filtered).values().count() > 0);
    }
    let mut reader = open(&file, &ReadOptions::new());
    let is_bounded = |outcome: Result<(), Error>| {
        let kind = outcome.err().map(|error| error.kind());
        assert!(
            matches!(
                kind,
                None | Some(ErrorKind::DepthLimit | ErrorKind::TypeMismatch | ErrorKind::Custom)
            ),
            "{kind:?}"
        );
    };
    for _ in 0..6 {
        is_bounded(reader.next::<Chain>().map(drop));
        is_bounded(reader.unpack::<Chain>().map(drop));
    }
    let (repaired, _) = repair(&file[..], Vec::new(), DEFAULT_MAX_BLOCK).unwrap();
    assert_eq!(repaired.len(), file.len());
}

fn hostile() {
    let options = ReadOptions::new();
    for (body, kind) in [
        (arrays(20_000), ErrorKind::DepthLimit),
        (maps(20_000), ErrorKind::DepthLimit),
    ] {
        for block in [0, 1] {
            let file = with_body(block, 1, &body);
            let found = read_kind(&file, &options);
            assert!(
                found == Some(kind) || block == 0 && found.is_some(),
                "{kind:?} {found:?}"
            );
            let (_, report) = repair(&file[..], Vec::new(), DEFAULT_MAX_BLOCK).unwrap();
            assert_eq!(report.left_out.len(), 1);
        }
        let mut file = with_body(1, 0, b"\x90");
        let at = file.len();
        file.extend([0xd8, 0x5d]);
        file.extend(SYNC);
        // An index, and elements after the data of a block.
        for start in [&b"\x94\xa5index\x01"[..], b"\x96\x01\x00\xc0\x90\xc4\x00"] {
            let mut file = [&file, start, &body].concat();
            read_kind(&file, &options);
            file.extend([0xc7, 12, 0x5d]);
            file.extend((at as u64).to_be_bytes());
            file.extend(crc32c::crc32c(&file[at..]).to_be_bytes());
            open(&file, &options.clone().on_bad_block(OnBadBlock::Skip))
                .values()
                .count();
        }
        assert!(read_kind(&header(&body), &options).is_some());
    }
    assert_eq!(read_kind(&header(&maps(1000)), &options), None);
}

fn check() {
    for options in ways() {
        let file = write_file(&options);
        read_and_repair(&file);
        deep_rows(&options);
    }
    hostile();
}

#[test]
fn containers_need_no_large_stack() {
    let name = "containers_need_no_large_stack";
    small_stacks::check_on_stacks(name, &[128, 1024], check);
}
