//! Container files are read by column: only the chunks with the keys that are asked for, with the same rows as otherwise.

use crate::container::file_of;
use packord::container::{Codec, OnBadBlock, Predicate, ReadOptions, Reader, WriteOptions, Writer};
use packord::{DecodeOptions, EncodeOptions, ErrorKind, Value, value};
use std::cell::RefCell;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::rc::Rc;

const KEYS: [&str; 15] = [
    "id", "title", "city", "price", "rating", "start", "sold", "venue", "tags", "artist", "genre", "seats", "note",
    "x", "y",
];

/// A generator of numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }

    fn text(&mut self, len: u64) -> String {
        (0..len).map(|_| (b'a' + self.below(26) as u8) as char).collect()
    }
}

/// A row with fifteen keys, of which about as many bytes each are left when they are compressed.
fn event(random: &mut Random, id: u64) -> Value {
    let tags: Vec<Value> = (0..random.below(3)).map(|_| random.text(2).into()).collect();
    let fields = [
        Value::from(id * 1000 + random.below(1000)),
        random.text(6).into(),
        ["Oslo", "Graz", "Bonn"][random.below(3) as usize].into(),
        (random.below(100_000) as f64 / 100.0).into(),
        f64::from_bits(0x3ff0_0000_0000_0000 | random.below(1 << 50)).into(),
        (1_700_000_000 + random.below(1 << 24)).into(),
        (random.below(2) == 1).into(),
        random.below(60_000).into(),
        tags.into(),
        random.text(5).into(),
        random.text(1).into(),
        random.below(30_000).into(),
        random.text(4).into(),
        random.below(1 << 20).into(),
        random.below(1 << 20).into(),
    ];
    map_of(KEYS.into_iter().zip(fields))
}

fn map_of<'k>(entries: impl Iterator<Item = (&'k str, Value)>) -> Value {
    let entries = entries.map(|(key, value)| (Value::from(key), value));
    entries.collect::<Vec<_>>().into()
}

/// The entries of a map whose keys are str.
fn entries(map: &Value) -> impl Iterator<Item = (&str, Value)> {
    let entries = map.as_map().unwrap().iter();
    entries.map(|(key, value)| (key.as_str().unwrap(), value.clone()))
}

fn events(count: u64) -> Vec<Value> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    (0..count).map(|id| event(&mut random, id)).collect()
}

/// Notes which bytes are read.
struct NotedReads<'b> {
    file: Cursor<&'b [u8]>,
    reads: Rc<RefCell<Vec<Range<u64>>>>,
}

impl Read for NotedReads<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let begin = self.file.position();
        let count = self.file.read(out)?;
        self.reads.borrow_mut().push(begin..begin + count as u64);
        Ok(count)
    }
}

impl Seek for NotedReads<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// The bytes that are read of a file but for its index, and the number of requests: reads of bytes that do not follow the ones before.
fn reads_of(file: &[u8], options: &ReadOptions) -> (u64, usize, Vec<Value>) {
    let reads = Rc::new(RefCell::new(Vec::new()));
    let noted = NotedReads {
        file: Cursor::new(file),
        reads: Rc::clone(&reads),
    };
    let mut reader = Reader::seekable(noted, options).unwrap();
    reads.borrow_mut().clear();
    let rows = reader.values().collect::<Result<_, _>>().unwrap();
    let reads: Vec<_> = reads.borrow().iter().filter(|read| !read.is_empty()).cloned().collect();
    let bytes = reads.iter().map(|read| read.end - read.start).sum();
    let requests = 1 + reads.windows(2).filter(|pair| pair[0].end != pair[1].start).count();
    (bytes, requests, rows)
}

fn selected(row: &Value, keys: &[&str]) -> Value {
    if row.as_map().is_none() {
        return row.clone();
    }
    map_of(entries(row).filter(|(key, _)| keys.contains(key)))
}

#[test]
fn one_column_of_fifteen_is_less_than_15_percent_of_the_file() {
    let rows = events(120_000);
    for codec in [Codec::Deflate, Codec::default()] {
        let file = file_of(&rows, &WriteOptions::new().codec(codec));
        let stored = Reader::new(&file[..]).unwrap().next_stored().unwrap().unwrap();
        assert!(stored.chunks().len() > 10, "{}", stored.chunks().len());
        let blocks = Reader::seekable(Cursor::new(&file), &ReadOptions::new()).unwrap();
        let blocks = blocks.index().unwrap().entries().len();
        for key in ["id", "price", "venue", "seats", "x"] {
            let (bytes, requests, found) = reads_of(&file, &ReadOptions::new().select([key]));
            assert!(bytes * 100 < file.len() as u64 * 15, "{key}: {bytes} of {}", file.len());
            // The header with the directory, and the column.
            assert!(requests <= 2 * blocks, "{key}: {requests} for {blocks}");
            assert!(
                found
                    .iter()
                    .eq(rows.iter().map(|row| selected(row, &[key])).collect::<Vec<_>>().iter())
            );
        }
        // Neighbours are read at once.
        let (_, requests, _) = reads_of(&file, &ReadOptions::new().select(["x", "y"]));
        assert!(requests <= 2 * blocks, "{requests} for {blocks}");
        // Where no row matches, the selected keys are not read.
        let none = Predicate::new().and_op("x", "==", 0.5).unwrap();
        let options = ReadOptions::new().select(["title", "rating"]).filter(none);
        let (bytes, _, found) = reads_of(&file, &options);
        assert!(found.is_empty());
        assert!(bytes * 100 < file.len() as u64 * 15, "{bytes}");
        // The number of rows needs no block.
        let (bytes, _, _) = reads_of(&file, &ReadOptions::new().split(0..1));
        assert_eq!(bytes, 0);
    }
}

/// Rows of many forms: with missing keys, with values of several types, and some that are not maps.
fn mixed(random: &mut Random, id: u64, kind: u64) -> Value {
    match kind {
        0 => event(random, id),
        1 => {
            let event = event(random, id);
            map_of(entries(&event).filter(|_| random.below(3) > 0))
        }
        2 => {
            value!({"id": id, "x": {"a": (random.below(9)), "b": (random.text(2))}, "city": (Value::Nil)})
        }
        3 => value!([id, (random.below(9))]),
        _ => id.into(),
    }
}

fn condition(random: &mut Random) -> (&'static str, &'static str, Value) {
    let paths = [
        "id", "city", "price", "sold", "x", "x.a", "tags.0", "", "no", "tags", "genre",
    ];
    let path = paths[random.below(paths.len() as u64) as usize];
    let op = ["==", "!=", "<", "<=", ">", ">=", "is_null", "is_not_null", "in"][random.below(9) as usize];
    let constant = match random.below(5) {
        0 => Value::from(random.below(60_000)),
        1 => "Graz".into(),
        2 => (random.below(1000) as f64 / 2.0).into(),
        3 => random.text(1).into(),
        _ => true.into(),
    };
    let constant = if op == "in" {
        vec![constant, 5.into()].into()
    } else {
        constant
    };
    (path, op, constant)
}

#[test]
fn a_thousand_queries_return_what_a_loop_over_the_rows_returns() {
    let mut random = Random(0x0bad_cafe_dead_beef);
    let mut queries = 0;
    for number in 0..20 {
        let kind = |random: &mut Random| match number % 5 {
            4 => random.below(5),
            kind => kind,
        };
        let count = 300 + random.below(2500);
        let rows: Vec<Value> = (0..count)
            .map(|id| {
                let kind = kind(&mut random);
                mixed(&mut random, id, kind)
            })
            .collect();
        let codec = if random.below(2) == 0 {
            Codec::None
        } else {
            Codec::default()
        };
        let options = WriteOptions::new()
            .codec(codec)
            .columns(random.below(4) > 0)
            .messages(random.below(8) == 0)
            .block_rows(200 + random.below(1500));
        let file = file_of(&rows, &options);
        let packed: Vec<Vec<u8>> = rows
            .iter()
            .map(|row| EncodeOptions::new().encode(row).unwrap())
            .collect();
        for _ in 0..50 {
            queries += 1;
            let keys: Vec<&str> = ["id", "x", "city", "tags", "price", "no", "sold", "title"]
                .into_iter()
                .filter(|_| random.below(3) == 0)
                .collect();
            let mut predicate = Predicate::new();
            for _ in 0..random.below(3) {
                let (path, op, constant) = condition(&mut random);
                predicate = predicate.and_op(path, op, constant).unwrap();
            }
            let expected: Vec<Value> = rows
                .iter()
                .zip(&packed)
                .filter(|(_, packed)| predicate.matches(packed))
                .map(|(row, _)| selected(row, &keys))
                .collect();
            let options = ReadOptions::new().select(&keys).filter(predicate.clone());
            let pieces = io::BufReader::with_capacity(1000, &file[..]);
            let from_front = Reader::with_options(pieces, &options).unwrap().values().collect();
            let by_index = Reader::seekable(Cursor::new(&file), &options)
                .unwrap()
                .values()
                .collect();
            let all: [Result<Vec<Value>, _>; 2] = [from_front, by_index];
            for found in all {
                assert_eq!(found.unwrap(), expected, "{keys:?} where {predicate}");
            }
            let count = Reader::seekable(Cursor::new(&file), &options).unwrap().count();
            assert_eq!(count.unwrap(), expected.len() as u64);
            #[cfg(feature = "container-parallel")]
            {
                let options = options.threads(2);
                let mut reader = Reader::seekable(Cursor::new(&file), &options).unwrap();
                assert_eq!(reader.values().collect::<Result<Vec<_>, _>>().unwrap(), expected);
            }
        }
    }
    assert_eq!(queries, 1000);
}

/// Each byte of a block is damaged: what is read of it is right, or it is passed over.
#[test]
fn damage_is_found_where_it_is_read() {
    let rows = events(3000);
    let file = file_of(&rows, &WriteOptions::new().block_rows(1000).codec(Codec::Deflate));
    let mut reader = Reader::new(&file[..]).unwrap();
    reader.next_stored().unwrap();
    let second = reader.next_stored().unwrap().unwrap();
    let (begin, end) = (second.offset() as usize, (second.offset() + second.size()) as usize);
    let data = end - second.data().unwrap().len();
    let options = ReadOptions::new().select(["price", "id"]);
    let expected: Vec<Value> = rows.iter().map(|row| selected(row, &["id", "price"])).collect();
    let others: Vec<Value> = [&expected[..1000], &expected[2000..]].concat();
    let (mut seen, mut unseen) = (0, 0);
    for place in (begin..data).chain((data..end).step_by(97)) {
        let mut damaged = file.clone();
        damaged[place] ^= 0x41;
        let skip = options.clone().on_bad_block(OnBadBlock::Skip);
        let mut reader = Reader::seekable(Cursor::new(&damaged), &skip).unwrap();
        let found: Vec<Value> = reader.values().collect::<Result<_, _>>().unwrap();
        let is_found = !reader.passed().is_empty();
        assert_eq!(found, if is_found { &others[..] } else { &expected }, "{place}");
        let range = begin as u64..end as u64;
        assert!(reader.passed().iter().all(|passed| passed.range == range));
        let mut reader = Reader::with_options(&damaged[..], &skip).unwrap();
        let again: Vec<Value> = reader.values().collect::<Result<_, _>>().unwrap();
        if place >= data {
            assert_eq!(again, found);
            *(if is_found { &mut seen } else { &mut unseen }) += 1;
            let strict = Reader::with_options(&damaged[..], &options)
                .unwrap()
                .values()
                .find_map(Result::err);
            assert_eq!(
                strict.map(|error| error.kind()),
                is_found.then_some(ErrorKind::InvalidContainer)
            );
        }
    }
    assert!(seen > 10 && unseen > 100, "{seen} {unseen}");
}

/// Tables of Arrow have the rows that are returned otherwise.
#[cfg(all(feature = "arrow", feature = "notation"))]
#[test]
fn tables_of_arrow_have_the_rows_that_are_asked_for() {
    use packord::columns::arrow::{ArrowRows, TableType};
    use packord::container::{BlockTables, TableTypes};
    let rows = events(4000);
    for columns in [true, false] {
        let options = WriteOptions::new().block_rows(1000).columns(columns);
        let file = file_of(&rows, &options);
        let mut types = TableTypes::new();
        for block in Reader::new(&file[..]).unwrap().map_blocks(Ok) {
            types.add_block(&block.unwrap()).unwrap();
        }
        let whole = types.table_type().unwrap();
        let keys = ["id", "title", "tags", "rating"];
        let some = whole.select(&keys).unwrap();
        let tables = |options: &ReadOptions, ty: &TableType| -> Vec<Value> {
            let reader = Reader::seekable(Cursor::new(&file), options).unwrap();
            let (mut found, ty) = (Vec::new(), ty.clone());
            for tables in reader.map_blocks(move |block| block.into_tables(&ty)) {
                let tables: BlockTables = tables.unwrap();
                for table in tables {
                    let mut rows = ArrowRows::new(table.unwrap().stream()).unwrap();
                    let mut row = Vec::new();
                    while rows.next_into(&mut row).unwrap() {
                        found.push(packord::from_slice(&row).unwrap());
                        row.clear();
                    }
                }
            }
            found
        };
        for (path, op, constant) in [
            ("id", ">=", Value::from(0)),
            ("x", "<", (1 << 19).into()),
            ("city", "==", "Graz".into()),
            ("id", "<", 0.5.into()),
        ] {
            let predicate = Predicate::new().and_op(path, op, constant).unwrap();
            let all = ReadOptions::new().filter(predicate);
            for (options, ty) in [(all.clone(), &whole), (all.select(keys), &some)] {
                let expected: Vec<Value> = Reader::seekable(Cursor::new(&file), &options)
                    .unwrap()
                    .values()
                    .collect::<Result<_, _>>()
                    .unwrap();
                assert_eq!(tables(&options, ty), expected, "{path} {op}");
            }
        }
    }
}

/// A block that was read in part cannot be copied, and its rows are those that are asked for.
#[test]
fn a_part_of_a_block_is_no_block() {
    let rows = events(500);
    let file = file_of(&rows, &WriteOptions::new());
    let options = ReadOptions::new().select(["city"]);
    let mut reader = Reader::with_options(&file[..], &options).unwrap();
    let stored = reader.next_stored().unwrap().unwrap();
    assert!(stored.data().is_none());
    let mut copy = Writer::new(Vec::new(), &WriteOptions::new()).unwrap();
    let error = copy.copy_block(&stored, None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Custom);
    let block = stored.unpack().unwrap();
    let found = block.rows().unwrap();
    let first = DecodeOptions::new().decode(&found[0]).unwrap();
    assert_eq!(first, selected(&rows[0], &["city"]));
}
