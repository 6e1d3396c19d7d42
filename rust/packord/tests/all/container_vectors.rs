//! The vectors of container files, with the checks that their README derives from them.

use crate::support::{Case, cases, expand_hex, value};
use packord::container::{
    Codec, FileIndex, OnBadBlock, Predicate, ReadOptions, Reader, SchemaEntry, Statistics, WriteOptions, Writer,
};
use packord::{Error, MessageScanner, Value};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::io::{Cursor, Read};
use std::ops::Range;

/// The messages of a stream, each packed.
fn messages(stream: &[u8]) -> Vec<Vec<u8>> {
    let mut scanner = MessageScanner::new();
    scanner.feed(stream);
    let mut found = Vec::new();
    while let Some(message) = scanner.next_message().unwrap() {
        found.push(message.bytes.to_vec());
    }
    scanner.finish().unwrap();
    found
}

/// Kind, offset, and the offset within the body.
type Fault = (String, Option<u64>, Option<u64>);

fn fault(error: &Error) -> Fault {
    let inside = error.detail().and_then(|detail| {
        let at = detail.strip_prefix("at byte ")?;
        at.strip_suffix(" of the body")?.parse().ok()
    });
    (error.kind().name().to_owned(), error.offset(), inside)
}

fn expected(json: &Json) -> Fault {
    let kind = json["kind"].as_str().unwrap().to_owned();
    (kind, json["offset"].as_u64(), json["inside"].as_u64())
}

/// What a reading returned.
#[derive(Debug, PartialEq)]
struct Reading {
    rows: Vec<Value>,
    end: Option<Fault>,
    ranges: Vec<(Range<u64>, Fault)>,
}

fn read_all<R: Read>(mut reader: Reader<R>) -> Reading {
    let (mut rows, mut end) = (Vec::new(), None);
    loop {
        match reader.next_value() {
            Ok(Some(row)) => rows.push(row),
            Ok(None) => break,
            Err(error) => {
                end = Some(fault(&error));
                // It is reported again.
                assert_eq!(reader.next_value().unwrap_err(), error);
                break;
            }
        }
    }
    let passed = reader.passed().iter();
    let ranges = passed.map(|passed| (passed.range.clone(), fault(&passed.error)));
    Reading {
        rows,
        end,
        ranges: ranges.collect(),
    }
}

/// Returns one byte at a time.
struct Drop1<'b>(&'b [u8]);

impl Read for Drop1<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let count = out.len().min(1);
        self.0.read(&mut out[..count])
    }
}

/// Reads a file from the front in several ways, or by its index.
fn read(bytes: &[u8], options: &ReadOptions, by_index: bool) -> Result<Reading, Error> {
    let seekable = || Reader::seekable(Cursor::new(bytes), options);
    if by_index {
        return seekable().map(read_all);
    }
    let outcome = Reader::with_options(bytes, options).map(read_all);
    let slow = Reader::with_options(Drop1(bytes), options).map(read_all);
    match (&outcome, slow) {
        (Ok(a), Ok(b)) => assert_eq!(*a, b),
        (Err(a), Err(b)) => assert_eq!(fault(a), fault(&b)),
        (a, b) => panic!("{a:?} {b:?}"),
    }
    if let Ok(reader) = seekable() {
        if reader.index().is_none() {
            assert_eq!(outcome.as_ref().unwrap(), &read_all(reader));
        }
    }
    outcome
}

fn predicate(json: &Json) -> Predicate {
    let conditions = json.as_array().unwrap().iter();
    conditions.fold(Predicate::new(), |predicate, condition| {
        let [path, op, constant] = &condition.as_array().unwrap()[..] else {
            panic!("{condition}");
        };
        let (path, op) = (path.as_str().unwrap(), op.as_str().unwrap());
        predicate.and_op(path, op, value(constant)).unwrap()
    })
}

fn options_of(case: &Case, reading: &Json) -> ReadOptions {
    let mut options = ReadOptions::new();
    for (name, option) in case.json["options"].as_object().into_iter().flatten() {
        assert_eq!(name, "max_block");
        options = options.max_block(option.as_u64().unwrap());
    }
    for (name, member) in reading.as_object().unwrap() {
        options = match name.as_str() {
            "on_bad_block" => {
                assert_eq!(member, "skip");
                options.on_bad_block(OnBadBlock::Skip)
            }
            "split" => options.split(range(member)),
            "where" => options.filter(predicate(member)),
            "prune" => options.prune(predicate(member)),
            "select" => {
                let keys = member.as_array().unwrap().iter();
                options.select(keys.map(|key| key.as_str().unwrap()))
            }
            "index" | "take" | "returned" | "end" | "ranges" => options,
            other => panic!("{}: {other}", case.name),
        };
    }
    options
}

fn range(json: &Json) -> Range<u64> {
    json[0].as_u64().unwrap()..json[1].as_u64().unwrap()
}

fn is_left_out(case: &Case) -> bool {
    let needs = case.json["needs"].as_array();
    needs.into_iter().flatten().any(|name| {
        let codec = Codec::from_name(name.as_str().unwrap()).unwrap();
        !codec.is_supported()
    })
}

/// The messages of a stream in the form of the vectors.
fn values(stream: &Json) -> Vec<Value> {
    let rows = messages(&expand_hex(stream));
    rows.iter()
        .map(|row| packord::DecodeOptions::new().decode(row).unwrap())
        .collect()
}

/// The rows of a file; where they are those that a writer was given, the case has them once.
fn rows_in(case: &Json) -> &Json {
    case.get("rows").unwrap_or(&case["write"]["rows"])
}

#[test]
fn every_way_of_reading_returns_what_the_vectors_say() {
    let mut readings = 0;
    for case in cases("container") {
        if is_left_out(&case) || case.has("write") && !case.has("reads") {
            continue;
        }
        let (bytes, name) = (case.bytes(), &case.name);
        if case.has("error") {
            let options = options_of(&case, &serde_json::json!({}));
            for by_index in [false, true] {
                let error = read(&bytes, &options, by_index).unwrap_err();
                assert_eq!(fault(&error), expected(&case.json["error"]), "{name}: {error}");
            }
            continue;
        }
        let all = values(rows_in(&case.json));
        for reading in case.json["reads"].as_array().unwrap() {
            readings += 1;
            let options = options_of(&case, reading);
            let by_index = reading["index"] == true;
            let got = read(&bytes, &options, by_index);
            let got = got.unwrap_or_else(|error| panic!("{name} {reading}: {error}"));
            let rows = match (reading["take"].as_array(), &reading["returned"]) {
                (None, Json::Null) => all.clone(),
                (None, returned) => values(returned),
                (Some(take), _) => {
                    let take = take.iter().map(|number| number.as_u64().unwrap() as usize);
                    take.map(|number| all[number].clone()).collect()
                }
            };
            let ranges = reading["ranges"].as_array().into_iter().flatten();
            let wanted = Reading {
                rows,
                end: (!reading["end"].is_null()).then(|| expected(&reading["end"])),
                ranges: ranges.map(|passed| (range(passed), expected(&passed[2]))).collect(),
            };
            assert_eq!(got, wanted, "{name}: {reading}");
        }
    }
    assert!(readings > 250, "{readings}");
}

/// Asserts that statistics are those of the vectors: null, or an object of the paths that say something.
fn assert_statistics(statistics: Option<&Statistics>, wanted: &Json, name: &str) {
    let (Some(statistics), Some(wanted)) = (statistics, wanted.as_object()) else {
        assert!(statistics.is_none() && wanted.is_null(), "{name}: {wanted}");
        return;
    };
    let paths: BTreeSet<&str> = statistics.iter().map(|(path, _)| path).collect();
    assert_eq!(paths, wanted.keys().map(String::as_str).collect(), "{name}");
    for (path, of) in statistics.iter() {
        let bound = |json: &Json| (!json.is_null()).then(|| value(json));
        let wanted = &wanted[path];
        assert_eq!(Some(of.nulls), wanted[0].as_u64(), "{name}: {path}");
        assert_eq!(of.min, bound(&wanted[1]), "{name}: {path}");
        assert_eq!(of.max, bound(&wanted[2]), "{name}: {path}");
    }
}

/// The schema as the vectors say it.
fn schema_of(index: &FileIndex) -> Option<Json> {
    let entry = |entry: &SchemaEntry| {
        let types: Vec<_> = entry.types.iter().map(|name| name.name()).collect();
        let description = serde_json::json!([types, entry.nullable]);
        (entry.path.to_string(), description)
    };
    let entries = index.schema()?.entries().iter().map(entry);
    Some(entries.collect())
}

#[test]
fn indexes_and_splits_are_those_of_the_vectors() {
    for case in cases("container") {
        if is_left_out(&case) || !case.json.as_object().unwrap().contains_key("index") {
            continue;
        }
        let (bytes, name) = (case.bytes(), &case.name);
        let options = options_of(&case, &serde_json::json!({}));
        let mut reader = Reader::seekable(Cursor::new(&bytes), &options).unwrap();
        let wanted = &case.json["index"];
        let Some(index) = reader.index() else {
            assert!(wanted.is_null(), "{name}");
            continue;
        };
        assert_eq!(Some(index.offset()), wanted["mark"].as_u64(), "{name}");
        assert_eq!(Some(index.count()), wanted["count"].as_u64(), "{name}");
        let blocks = wanted["blocks"].as_array().unwrap();
        assert_eq!(index.entries().len(), blocks.len(), "{name}");
        for (entry, block) in index.entries().iter().zip(blocks) {
            let numbers = [entry.offset(), entry.size(), entry.count()];
            for (number, wanted) in numbers.into_iter().zip(block.as_array().unwrap()) {
                assert_eq!(Some(number), wanted.as_u64(), "{name}");
            }
            assert_statistics(entry.statistics(), &block[3], name);
        }
        assert_eq!(schema_of(index).unwrap_or_default(), wanted["schema"], "{name}");
        if case.has("splits") {
            for split in case.json["splits"].as_array().unwrap() {
                let [count, ranges] = &split.as_array().unwrap()[..] else {
                    panic!("{name}")
                };
                let count = count.as_u64().unwrap() as usize;
                let ranges: Vec<_> = ranges.as_array().unwrap().iter().map(range).collect();
                assert_eq!(reader.splits(count).unwrap(), ranges, "{name}");
            }
        }
    }
}

/// Reads the rows of a file by themselves, without an error.
fn rows_of(bytes: &[u8], options: &ReadOptions, by_index: bool) -> Vec<Value> {
    let reading = read(bytes, options, by_index).unwrap();
    assert_eq!((reading.end, reading.ranges.len()), (None, 0));
    reading.rows
}

#[test]
fn cuts_damage_and_splits_are_as_derived() {
    for case in cases("container") {
        if is_left_out(&case) || !case.has("ends") {
            continue;
        }
        let (bytes, name) = (case.bytes(), &case.name);
        let options = options_of(&case, &serde_json::json!({}));
        let numbers =
            |json: &Json| -> Vec<u64> { json.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect() };
        let ends = numbers(&case.json["ends"]);
        let blocks: Vec<Vec<u64>> = case.json["blocks"].as_array().unwrap().iter().map(numbers).collect();
        let whole = rows_of(&bytes, &options, false);
        let mut reader = Reader::with_options(&bytes[..], &options).unwrap();
        let mut counts = Vec::new();
        while let Some(block) = reader.next_stored().unwrap() {
            counts.push(block.count() as usize);
        }
        assert_eq!(counts.len(), blocks.len(), "{name}");

        let marked: BTreeSet<u64> = blocks.iter().flatten().chain(&ends).copied().collect();
        // Of a large file the places around those that mean something, and some others.
        let is_tried = |place: u64| {
            let near = place.saturating_sub(2)..place + 3;
            bytes.len() <= 300 || place % (bytes.len() as u64 / 50 + 1) == 0 || marked.range(near).next().is_some()
        };
        for cut in (0..bytes.len()).filter(|&cut| is_tried(cut as u64)) {
            let part = &bytes[..cut];
            let read = read(part, &options, false);
            let eof = ("eof".to_owned(), Some(cut as u64), None);
            if (cut as u64) < ends[0] {
                assert_eq!(fault(&read.unwrap_err()), eof, "{name}");
                continue;
            }
            let found = blocks.iter().zip(&counts).filter(|(block, _)| block[4] <= cut as u64);
            let found: usize = found.map(|(_, count)| count).sum();
            let reading = read.unwrap();
            assert_eq!(reading.rows, whole[..found], "{name} cut at {cut}");
            let end = (!ends.contains(&(cut as u64))).then_some(eof);
            assert_eq!(reading.end, end, "{name} cut at {cut}");
            let follow = options.clone().follow(true);
            let reading = read_all(Reader::with_options(part, &follow).unwrap());
            assert_eq!((reading.rows.len(), reading.end), (found, None), "{name} cut at {cut}");
        }
        for place in (0..ends[0]).filter(|&place| is_tried(place)) {
            let damaged = flipped(&bytes, place);
            for by_index in [false, true] {
                assert!(read(&damaged, &options, by_index).is_err(), "{name}, byte {place}");
            }
        }
        let mark = case.json["index"]["mark"].as_u64();
        for place in (mark.unwrap_or(bytes.len() as u64)..bytes.len() as u64).filter(|&place| is_tried(place)) {
            let damaged = flipped(&bytes, place);
            let reader = Reader::seekable(Cursor::new(&damaged), &options).unwrap();
            assert!(reader.index().is_none(), "{name}, byte {place}");
            assert_eq!(read_all(reader).rows, whole, "{name}, byte {place}");
        }
        let mut before = 0;
        for (block, count) in blocks.iter().zip(&counts) {
            for place in (block[2]..block[3]).filter(|&place| is_tried(place)) {
                let mut damaged = bytes.clone();
                damaged[place as usize] ^= 0x41;
                let wrong = ("invalid_container".to_owned(), Some(block[1]), None);
                let reading = read(&damaged, &options, false).unwrap();
                assert_eq!(reading.rows, whole[..before], "{name}, byte {place}");
                assert_eq!(reading.end, Some(wrong.clone()), "{name}, byte {place}");
                let skip = options.clone().on_bad_block(OnBadBlock::Skip);
                let others = [&whole[..before], &whole[before + count..]].concat();
                for by_index in [false, true] {
                    let reading = self::read(&damaged, &skip, by_index).unwrap();
                    assert_eq!(reading.rows, others, "{name}, byte {place}");
                    let ranges = vec![(block[0]..block[4], wrong.clone())];
                    assert_eq!(reading.ranges, ranges, "{name}, byte {place}");
                }
            }
            before += count;
        }
        for place in (0..=bytes.len() as u64).filter(|&place| is_tried(place)) {
            for by_index in [false, true] {
                let splits = [0..place, place..bytes.len() as u64];
                let parts = splits.map(|split| rows_of(&bytes, &options.clone().split(split), by_index));
                assert_eq!(parts.concat(), whole, "{name} split at {place}");
            }
        }
        let mut scanner = MessageScanner::new();
        scanner.feed(&bytes);
        let mut found = Vec::new();
        while scanner.next_message().unwrap().is_some() {
            found.push(scanner.offset());
        }
        assert!(ends.iter().all(|end| found.contains(end)), "{name}");
    }
}

/// Returns the bytes with one bit of a byte changed.
fn flipped(bytes: &[u8], place: u64) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    damaged[place as usize] ^= 1 << (place % 8);
    damaged
}

fn write_options(json: &Json) -> WriteOptions {
    let sync = core::array::from_fn(|number| number as u8);
    let mut options = WriteOptions::new().codec(Codec::None).sync(sync);
    for (name, option) in json.as_object().into_iter().flatten() {
        let strings = || -> Vec<&str> {
            let list = option.as_array().unwrap().iter();
            list.map(|text| text.as_str().unwrap()).collect()
        };
        options = match name.as_str() {
            "sync" => {
                let sync = expand_hex(option);
                options.sync(sync[..].try_into().unwrap())
            }
            "codec" => {
                assert_eq!(option, "none");
                options
            }
            "block_size" => options.block_size(option.as_u64().unwrap() as usize),
            "block_rows" => options.block_rows(option.as_u64().unwrap()),
            "columns" => options.columns(option.as_bool().unwrap()),
            "messages" => options.messages(option.as_bool().unwrap()),
            "stats" => options.stats(strings()),
            "meta" => options.meta(value(option)),
            other => panic!("{other}"),
        };
    }
    options
}

#[test]
fn writers_make_the_bytes_of_the_vectors() {
    let (mut count, mut wrong) = (0, Vec::new());
    for case in cases("container") {
        if !case.has("write") {
            continue;
        }
        count += 1;
        let (write, name) = (&case.json["write"], &case.name);
        for member in write.as_object().unwrap().keys() {
            let known = ["options", "rows", "flush", "refused", "append"];
            assert!(known.contains(&member.as_str()), "{name}: {member}");
        }
        let options = write_options(&write["options"]);
        let rows = messages(&expand_hex(&write["rows"]));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.pkd");
        let mut writer = if write["append"].is_null() {
            Writer::create(&path, &options).unwrap()
        } else {
            std::fs::write(&path, expand_hex(&write["append"])).unwrap();
            Writer::append(&path, &options).unwrap()
        };
        let flushes = write["flush"].as_array().into_iter().flatten();
        let flushes: Vec<u64> = flushes.map(|number| number.as_u64().unwrap()).collect();
        let mut refused = Vec::new();
        for number in 0..=rows.len() {
            if flushes.contains(&(number as u64)) {
                writer.flush().unwrap();
            }
            let Some(row) = rows.get(number) else { break };
            if let Err(error) = writer.write_packed(row) {
                refused.push(serde_json::json!([number, error.kind().name()]));
            }
        }
        writer.finish().unwrap();
        let wanted = write["refused"].as_array().cloned().unwrap_or_default();
        assert_eq!(refused, wanted, "{name}");
        let written = std::fs::read(&path).unwrap();
        if written != case.bytes() {
            wrong.push(name.clone());
        }
    }
    assert!(wrong.is_empty(), "of {count}: {wrong:#?}");
}
