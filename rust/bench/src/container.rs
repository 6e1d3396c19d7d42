//! Container files, compared with NDJSON, MessagePack of rmp-serde and Avro, all compressed by zstd at level 3: rows are written
//! and read, and one path of few rows is read.
//!
//! The documents are generated with a fixed seed. Prints the bytes of each file, the medians, and the ratio of the best peer
//! to packord.
//!
//! ```text
//! cargo run --release -p packord-bench --bin container -- [--quick] [--json FILE] [FILTER]
//! ```

mod measure;

use apache_avro::{Codec, Schema, ZstandardSettings};
use measure::{Report, contender as c};
use packord::container::{Comparison, Predicate, ReadOptions, Reader, WriteOptions, Writer};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::hint::black_box as bb;
use std::io::Cursor;

const ROWS: u64 = 10_000;
/// So that a file has several blocks, as large ones do.
const BLOCK_ROWS: u64 = 1000;
const LEVEL: i32 = 3;

/// A flat row of numbers and a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, packord::MsgPacker)]
#[msgpacker(map)]
struct Reading {
    id: u64,
    time: u64,
    degrees: f64,
    noise: f64,
    place: String,
}

/// A row with a list and another struct in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, packord::MsgPacker)]
#[msgpacker(map)]
struct Event {
    id: u64,
    at: u64,
    kind: String,
    user: String,
    amount: f64,
    tags: Vec<String>,
    place: Place,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, packord::MsgPacker)]
#[msgpacker(map)]
struct Place {
    country: String,
    east: f64,
    north: f64,
}

/// The one number of a row that a query asks for.
trait Row: Serialize + DeserializeOwned + packord::Packable + packord::Unpackable + PartialEq + Clone {
    const SCHEMA: &str;
    const PATH: &str;
    /// The row with two fields, for readers that pass over the others.
    type Part: DeserializeOwned;
    fn part(part: &Self::Part) -> (u64, f64);
    fn of(&self) -> (u64, f64);
}

#[derive(Deserialize)]
struct ReadingPart {
    id: u64,
    degrees: f64,
}

#[derive(Deserialize)]
struct EventPart {
    id: u64,
    amount: f64,
}

impl Row for Reading {
    const SCHEMA: &str = r#"{"type": "record", "name": "Reading", "fields": [{"name": "id", "type": "long"},
        {"name": "time", "type": "long"}, {"name": "degrees", "type": "double"}, {"name": "noise", "type": "double"},
        {"name": "place", "type": "string"}]}"#;
    const PATH: &str = "degrees";
    type Part = ReadingPart;
    fn part(part: &ReadingPart) -> (u64, f64) {
        (part.id, part.degrees)
    }
    fn of(&self) -> (u64, f64) {
        (self.id, self.degrees)
    }
}

impl Row for Event {
    const SCHEMA: &str = r#"{"type": "record", "name": "Event", "fields": [{"name": "id", "type": "long"},
        {"name": "at", "type": "long"}, {"name": "kind", "type": "string"}, {"name": "user", "type": "string"},
        {"name": "amount", "type": "double"}, {"name": "tags", "type": {"type": "array", "items": "string"}},
        {"name": "place", "type": {"type": "record", "name": "Place", "fields": [{"name": "country", "type": "string"},
        {"name": "east", "type": "double"}, {"name": "north", "type": "double"}]}}]}"#;
    const PATH: &str = "amount";
    type Part = EventPart;
    fn part(part: &EventPart) -> (u64, f64) {
        (part.id, part.amount)
    }
    fn of(&self) -> (u64, f64) {
        (self.id, self.amount)
    }
}

fn pick(random: &mut StdRng, from: &[&str]) -> String {
    from[random.random_range(0..from.len())].to_owned()
}

fn hundredths(random: &mut StdRng, range: std::ops::Range<i32>) -> f64 {
    f64::from(random.random_range(range)) / 100.0
}

fn readings() -> Vec<Reading> {
    let random = &mut StdRng::from_seed([11; 32]);
    let row = |id| Reading {
        id,
        time: 1_700_000_000_000 + id * 1000 + random.random_range(0..200),
        degrees: hundredths(random, -2000..4500),
        noise: random.random(),
        place: pick(random, &["Oslo", "Graz", "Bonn", "Nice", "Cork"]),
    };
    (0..ROWS).map(row).collect()
}

fn events() -> Vec<Event> {
    let random = &mut StdRng::from_seed([12; 32]);
    let tags = ["new", "paid", "gift", "express", "returned"];
    let row = |id| Event {
        id,
        at: 1_700_000_000_000 + id * 700 + random.random_range(0..500),
        kind: pick(random, &["order.created", "order.paid", "order.sent"]),
        user: format!("user{}", random.random_range(0..2000)),
        amount: hundredths(random, 100..50_000),
        tags: (0..random.random_range(0..4)).map(|_| pick(random, &tags)).collect(),
        place: Place {
            country: pick(random, &["NO", "AT", "DE", "FR", "IE"]),
            east: hundredths(random, -18_000..18_000),
            north: hundredths(random, -9000..9000),
        },
    };
    (0..ROWS).map(row).collect()
}

fn writer() -> Writer<Vec<u8>> {
    let options = WriteOptions::new().block_rows(BLOCK_ROWS).level(LEVEL);
    Writer::new(Vec::new(), &options).unwrap()
}

fn write_serde<T: Row>(rows: &[T]) -> Vec<u8> {
    let mut writer = writer();
    for row in rows {
        writer.write(row).unwrap();
    }
    writer.finish().unwrap()
}

fn write_traits<T: Row>(rows: &[T]) -> Vec<u8> {
    let mut writer = writer();
    for row in rows {
        writer.pack(row).unwrap();
    }
    writer.finish().unwrap()
}

fn write_json<T: Row>(rows: &[T]) -> Vec<u8> {
    let mut lines = Vec::new();
    for row in rows {
        serde_json::to_writer(&mut lines, row).unwrap();
        lines.push(b'\n');
    }
    zstd::bulk::compress(&lines, LEVEL).unwrap()
}

fn write_rmp<T: Row>(rows: &[T]) -> Vec<u8> {
    let mut stream = Vec::new();
    for row in rows {
        rmp_serde::encode::write_named(&mut stream, row).unwrap();
    }
    zstd::bulk::compress(&stream, LEVEL).unwrap()
}

fn write_avro<T: Row>(schema: &Schema, rows: &[T]) -> Vec<u8> {
    let codec = Codec::Zstandard(ZstandardSettings::new(LEVEL as u8));
    let mut writer = apache_avro::Writer::with_codec(schema, Vec::new(), codec);
    for row in rows {
        writer.append_ser(row).unwrap();
    }
    writer.into_inner().unwrap()
}

/// Calls a function with each row.
fn each_json<T: DeserializeOwned>(file: &[u8], rows: impl FnMut(T)) {
    let lines = zstd::decode_all(file).unwrap();
    let found = serde_json::Deserializer::from_slice(&lines).into_iter();
    found.map(Result::unwrap).for_each(rows);
}

fn each_rmp<T: DeserializeOwned>(file: &[u8], mut rows: impl FnMut(T)) {
    let stream = zstd::decode_all(file).unwrap();
    let mut rest = &stream[..];
    while !rest.is_empty() {
        rows(rmp_serde::from_read(&mut rest).unwrap());
    }
}

fn each_avro<T: DeserializeOwned>(file: &[u8], mut rows: impl FnMut(T)) {
    for value in apache_avro::Reader::new(file).unwrap() {
        rows(apache_avro::from_value(&value.unwrap()).unwrap());
    }
}

fn all<T>(each: impl FnOnce(&mut dyn FnMut(T))) -> Vec<T> {
    let mut rows = Vec::new();
    each(&mut |row| rows.push(row));
    rows
}

/// The sum of one number of the rows from an id on.
fn sum<T: Row>(from: u64, each: impl FnOnce(&mut dyn FnMut(T::Part))) -> f64 {
    let mut sum = 0.0;
    each(&mut |row| {
        let (id, number) = T::part(&row);
        if id >= from {
            sum += number;
        }
    });
    sum
}

/// The same by the statistics of blocks, and with the rows that match.
fn sum_by_predicate<T: Row>(file: &[u8], from: u64) -> f64 {
    let predicate = Predicate::new().and("id", Comparison::GreaterOrEqual, from).unwrap();
    let options = ReadOptions::new().filter(predicate);
    let mut reader = Reader::seekable(Cursor::new(file), &options).unwrap();
    let mut sum = 0.0;
    while let Some(row) = reader.next::<T::Part>().unwrap() {
        sum += T::part(&row).1;
    }
    sum
}

/// The sum of one column, without the others.
fn sum_of_column<T: Row>(file: &[u8]) -> f64 {
    let mut reader = Reader::new(file).unwrap();
    let (path, mut sum) = (format!("[].{}", T::PATH), 0.0);
    while let Some(block) = reader.next_block().unwrap() {
        let view = block.columns().unwrap().unwrap();
        let numbers = view.column(&path).unwrap().numbers().unwrap();
        let Some(packord::columns::Numbers::F64(numbers)) = numbers else {
            panic!("the column has floats");
        };
        sum += numbers.iter().sum::<f64>();
    }
    sum
}

/// Measures the rows of a document.
fn document<T: Row>(report: &mut Report, name: &str, rows: &[T]) {
    let schema = &Schema::parse_str(T::SCHEMA).unwrap();
    let packord = &write_serde(rows)[..];
    let json = &write_json(rows)[..];
    let rmp = &write_rmp(rows)[..];
    let avro = &write_avro(schema, rows)[..];
    println!(
        "# {name}: {} rows, {} bytes packord, {} NDJSON, {} rmp-serde, {} Avro",
        rows.len(),
        packord.len(),
        json.len(),
        rmp.len(),
        avro.len()
    );
    let mut reader = Reader::new(packord).unwrap();
    let found = reader.all::<T>().collect::<Result<Vec<T>, _>>().unwrap();
    assert!(found == rows);
    // serde_json does not read the last bit of every float.
    let lines = all(|each| each_json::<T>(json, each));
    assert!(lines.iter().map(T::of).eq(rows.iter().map(T::of)));
    assert!(all(|each| each_rmp::<T>(rmp, each)) == rows);
    assert!(all(|each| each_avro::<T>(avro, each)) == rows);
    let json_row = || c("NDJSON, zstd", || write_json(bb(rows)));
    let rmp_row = || c("rmp-serde, zstd", || write_rmp(bb(rows)));
    let avro_row = || c("Avro, zstd", || write_avro(schema, bb(rows)));
    let ours = c("packord", || write_serde(bb(rows)));
    report.row(
        &format!("{name}: write, serde"),
        vec![ours, json_row(), rmp_row(), avro_row()],
    );
    let ours = c("packord", || write_traits(bb(rows)));
    report.row(
        &format!("{name}: write, traits"),
        vec![ours, json_row(), rmp_row(), avro_row()],
    );

    report.row(
        &format!("{name}: read, values"),
        vec![
            c("packord", || {
                let mut reader = Reader::new(bb(packord)).unwrap();
                reader.values().collect::<Result<Vec<_>, _>>().unwrap()
            }),
            c("NDJSON, zstd", || {
                all(|each| each_json::<serde_json::Value>(bb(json), each))
            }),
            c("rmpv, zstd", || {
                let stream = zstd::decode_all(bb(rmp)).unwrap();
                let (mut rest, mut values) = (&stream[..], Vec::new());
                while !rest.is_empty() {
                    values.push(rmpv::decode::read_value(&mut rest).unwrap());
                }
                values
            }),
            c("Avro, zstd", || {
                let reader = apache_avro::Reader::new(bb(avro)).unwrap();
                reader.collect::<Result<Vec<_>, _>>().unwrap()
            }),
        ],
    );
    let peers = || {
        vec![
            c("NDJSON, zstd", || all(|each| each_json::<T>(bb(json), each))),
            c("rmp-serde, zstd", || all(|each| each_rmp::<T>(bb(rmp), each))),
            c("Avro, zstd", || all(|each| each_avro::<T>(bb(avro), each))),
        ]
    };
    let mut contenders = vec![c("packord", || {
        let mut reader = Reader::new(bb(packord)).unwrap();
        reader.all::<T>().collect::<Result<Vec<_>, _>>().unwrap()
    })];
    contenders.extend(peers());
    report.row(&format!("{name}: read, serde"), contenders);
    let mut contenders = vec![c("packord", || {
        let mut reader = Reader::new(bb(packord)).unwrap();
        reader.unpack_all::<T>().collect::<Result<Vec<_>, _>>().unwrap()
    })];
    contenders.extend(peers());
    report.row(&format!("{name}: read, traits"), contenders);

    let from = ROWS - 100;
    let expected: f64 = rows[from as usize..].iter().map(|row| row.of().1).sum();
    assert!((sum_by_predicate::<T>(packord, from) - expected).abs() < 1e-6);
    let sums = |from| {
        vec![
            c("NDJSON, zstd", move || sum::<T>(from, |each| each_json(bb(json), each))),
            c("rmp-serde, zstd", move || {
                sum::<T>(from, |each| each_rmp(bb(rmp), each))
            }),
            c("Avro, zstd", move || sum::<T>(from, |each| each_avro(bb(avro), each))),
        ]
    };
    let mut contenders = vec![c("packord", || sum_by_predicate::<T>(bb(packord), bb(from)))];
    contenders.extend(sums(from));
    report.row(&format!("{name}: a hundred rows"), contenders);
    let mut contenders = vec![c("packord", || sum_of_column::<T>(bb(packord)))];
    contenders.extend(sums(0));
    report.row(&format!("{name}: one column"), contenders);
}

fn main() -> std::io::Result<()> {
    let mut report = Report::from_arguments();
    document(&mut report, "readings", &readings());
    document(&mut report, "events", &events());
    report.save()
}
