//! What must hold for any bytes as a container file, and for any bytes as the body of a block in one. Used by the tests
//! and by the fuzz target `container`.

use packord::container::{DEFAULT_MAX_BLOCK, OnBadBlock, Predicate, ReadOptions, Reader, repair};
use packord::{DecodeOptions, Error, ErrorKind, MessageScanner, Value, skip_value};
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::ops::Range;

/// How a file is read, out of two bytes.
#[derive(Clone, Copy, Debug)]
pub struct Choice([u8; 2]);

impl Choice {
    pub fn new(bytes: [u8; 2]) -> Choice {
        Choice(bytes)
    }

    /// Whether the bytes are the body of a block.
    fn is_body(self) -> bool {
        self.0[0] & 1 != 0
    }

    pub fn max_block(self) -> u64 {
        [DEFAULT_MAX_BLOCK, 100, 400, 5000][usize::from(self.0[0] >> 1 & 3)]
    }

    /// The most bytes that a stream returns at once.
    fn piece(self) -> usize {
        [1, 2, 3, 7, 18, 50, 1000, 100_000][usize::from(self.0[0] >> 3 & 7)]
    }

    /// What is wrong with the count of the block.
    fn surplus(self) -> u64 {
        [0, 0, 0, 1][usize::from(self.0[0] >> 6)]
    }

    fn predicate(self) -> Predicate {
        let (path, op, constant) = match self.0[1] & 7 {
            0 => ("id", ">=", Value::from(2)),
            1 => ("a", "==", Value::from(1)),
            2 => ("", "is_not_null", Value::Nil),
            3 => ("0", "<", Value::from(3)),
            4 => ("a.b", "is_null", Value::Nil),
            5 => ("name", "!=", Value::from("b")),
            6 => ("id", "in", Value::from(vec![1, 2])),
            _ => ("t", "<=", Value::from("m")),
        };
        Predicate::new().and_op(path, op, constant).unwrap()
    }

    fn splits(self) -> u64 {
        u64::from(self.0[1] >> 3 & 7) + 1
    }

    /// Whether the checksums of the file are made right before it is read.
    fn has_right_checksums(self) -> bool {
        self.0[1] & 0x40 != 0
    }

    /// Where the body is cut into two chunks.
    fn cut(self, size: usize) -> usize {
        usize::from(self.0[1] >> 3 & 15) * size / 15
    }

    fn has_rows(self) -> bool {
        self.0[1] & 0x80 == 0
    }

    pub fn options(self) -> ReadOptions {
        ReadOptions::new().max_block(self.max_block())
    }
}

/// Kind, offset and detail.
type Fault = (ErrorKind, Option<u64>, Option<String>);

fn fault(error: &Error) -> Fault {
    let detail = error.detail().map(ToString::to_string);
    (error.kind(), error.offset(), detail)
}

/// What a reading returned.
#[derive(Debug, Default, PartialEq)]
pub struct Reading {
    pub rows: Rows,
    pub end: Option<Fault>,
    pub ranges: Vec<(Range<u64>, Fault)>,
}

/// The rows of a file up to the first fault, or the fault of its header.
pub fn read<R: Read>(reader: Result<Reader<R>, Error>) -> Result<Reading, Fault> {
    let mut reader = reader.map_err(|error| fault(&error))?;
    let mut reading = Reading::default();
    loop {
        match reader.next_row() {
            Ok(Some(row)) => reading.rows.push(row.to_vec()),
            Ok(None) => break,
            Err(error) => {
                reading.end = Some(fault(&error));
                // It is reported again.
                assert_eq!(reader.next_row().map(|_| ()), Err(error));
                break;
            }
        }
    }
    let passed = reader.passed().iter();
    reading.ranges = passed
        .map(|passed| (passed.range.clone(), fault(&passed.error)))
        .collect();
    Ok(reading)
}

fn read_front(file: &[u8], options: &ReadOptions) -> Result<Reading, Fault> {
    read(Reader::with_options(file, options))
}

fn open<'f>(file: &'f [u8], options: &ReadOptions) -> Result<Reader<Cursor<&'f [u8]>>, Error> {
    Reader::seekable(Cursor::new(file), options)
}

/// Returns few bytes at a time.
struct Pieces<'b>(&'b [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let count = out.len().min(self.1);
        self.0.read(&mut out[..count])
    }
}

/// Checks all that must hold for an input, whatever it is.
pub fn check(choice: Choice, bytes: &[u8]) {
    if choice.is_body() {
        check_body(choice, bytes);
    } else if choice.has_right_checksums() {
        check_file(choice, &with_right_checksums(bytes));
    } else {
        check_file(choice, bytes);
    }
}

/// Reads a file in every way.
pub fn check_file(choice: Choice, file: &[u8]) {
    let options = choice.options();
    let skip = options.clone().on_bad_block(OnBadBlock::Skip);
    let whole = read_front(file, &options);
    let kept = read_front(file, &skip);
    for (options, expected) in [(&options, &whole), (&skip, &kept)] {
        if is_beyond_limit(choice, file, expected) {
            continue;
        }
        let pieces = Pieces(file, choice.piece());
        assert_eq!(read(Reader::with_options(pieces, options)), *expected);
        if let Ok(reader) = open(file, options) {
            if reader.index().is_none() {
                assert_eq!(read(Ok(reader)), *expected);
            }
        } else {
            assert!(expected.is_err());
        }
    }
    let is_beyond = is_beyond_limit(choice, file, &kept);
    let (whole, kept) = match (whole, kept) {
        (Ok(whole), Ok(kept)) => (whole, kept),
        (Err(error), Err(again)) => {
            assert_eq!(error, again);
            let mut out = Vec::new();
            let refused = repair(file, &mut out, choice.max_block()).err().unwrap();
            assert_eq!((fault(&refused), out.len()), (error, 0));
            return;
        }
        outcomes => panic!("{outcomes:?}"),
    };
    check_ranges(file, &whole, &kept);
    check_repair(choice, file, &kept);
    for (options, expected) in [(&options, &whole), (&skip, &kept)] {
        check_filter(choice, file, options, expected);
        check_select(choice, file, options, expected);
        check_map(file, options, expected);
    }
    let found = FoundBlocks::new(file, &skip);
    check_index(choice, file, &found);
    if !found.has_inner_marks(file) && !is_beyond {
        check_splits(choice, file, &whole, &kept);
    }
}

/// Whether a block at fault may have more than `max_block` after its data: a reader that cannot seek need not come back
/// to what is between them.
fn is_beyond_limit(choice: Choice, file: &[u8], reading: &Result<Reading, Fault>) -> bool {
    let ranges = reading.iter().flat_map(|reading| &reading.ranges);
    let begins = ranges.map(|(range, _)| range.start as usize);
    choice.max_block() < DEFAULT_MAX_BLOCK
        && begins.into_iter().any(|begin| {
            let array = file.get(begin + 18);
            array.is_some_and(|&array| array > 0x95)
        })
}

/// Passing over faults begins where reading otherwise ends, and leaves nothing out twice.
fn check_ranges(file: &[u8], whole: &Reading, kept: &Reading) {
    assert!(kept.rows.starts_with(&whole.rows));
    assert_eq!(kept.end, None);
    let first = kept.ranges.first().map(|(_, fault)| fault);
    assert_eq!(first, whole.end.as_ref());
    let mut end = 0;
    for (range, _) in &kept.ranges {
        assert!(end <= range.start && range.start < range.end);
        end = range.end;
    }
    assert!(end <= file.len() as u64);
}

/// A repaired file has the rows that are read with faults passed over, with an index, and stays as it is.
fn check_repair(choice: Choice, file: &[u8], kept: &Reading) {
    let max = choice.max_block();
    let (repaired, report) = repair(file, Vec::new(), max).unwrap();
    let left_out = report.left_out.iter();
    let ranges: Vec<_> = left_out
        .map(|passed| (passed.range.clone(), fault(&passed.error)))
        .collect();
    assert_eq!(ranges, kept.ranges);
    assert_eq!(report.rows, kept.rows.len() as u64);
    let options = choice.options();
    for reading in [read_front(&repaired, &options), read(open(&repaired, &options))] {
        let reading = reading.unwrap();
        assert_eq!((reading.end, reading.ranges), (None, Vec::new()));
        assert_eq!(reading.rows, kept.rows);
    }
    let (again, report) = repair(&repaired[..], Vec::new(), max).unwrap();
    assert_eq!(again, repaired);
    assert!(report.left_out.is_empty());
}

/// A filter only leaves rows out.
fn check_filter(choice: Choice, file: &[u8], options: &ReadOptions, expected: &Reading) {
    let predicate = choice.predicate();
    let filtered = options.clone().filter(predicate.clone());
    let reading = read_front(file, &filtered).unwrap();
    let rows = expected.rows.iter().filter(|row| predicate.matches(row));
    assert!(reading.rows.iter().eq(rows));
    assert_eq!((&reading.end, &reading.ranges), (&expected.end, &expected.ranges));
}

/// With some keys, the rows are those that are read otherwise, where nothing is at fault.
fn check_select(choice: Choice, file: &[u8], options: &ReadOptions, expected: &Reading) {
    let options = options.clone().select(["id", "a"]);
    let reading = read_front(file, &options);
    let pieces = Pieces(file, choice.piece());
    if !is_beyond_limit(choice, file, &reading) {
        assert_eq!(read(Reader::with_options(pieces, &options)), reading);
    }
    let reading = reading.unwrap();
    if expected.end.is_none() && expected.ranges.is_empty() {
        let rows = reading.rows.iter().map(|row| again(row));
        assert!(rows.eq(expected.rows.iter().map(|row| with_some_keys(row))));
        assert_eq!((&reading.end, &reading.ranges), (&None, &Vec::new()));
    }
    if let Ok(reader) = open(file, &options) {
        // By the index, other blocks may be read.
        let by_index = read(Ok(reader)).unwrap();
        let otherwise = read_by_index(file, choice).unwrap();
        if otherwise.end.is_none() {
            let rows = by_index.rows.iter().map(|row| again(row));
            assert!(rows.eq(otherwise.rows.iter().map(|row| with_some_keys(row))));
        }
    }
}

fn read_by_index(file: &[u8], choice: Choice) -> Result<Reading, Fault> {
    read(open(file, &choice.options()))
}

/// Returns a row with the keys `id` and `a`, if it is a map.
fn with_some_keys(row: &[u8]) -> Vec<u8> {
    let row = DecodeOptions::new().decode(row).unwrap();
    let Value::Map(map) = &row else {
        return packord::to_vec(&row).unwrap();
    };
    let entries = map.iter().filter_map(|(key, value)| {
        let key = key.as_str().filter(|key| ["id", "a"].contains(key))?;
        Some((Value::from(key), value.clone()))
    });
    packord::to_vec(&Value::from(entries.collect::<Vec<_>>())).unwrap()
}

/// What is made of each block is made of the rows that are read.
fn check_map(file: &[u8], options: &ReadOptions, expected: &Reading) {
    let reader = Reader::with_options(file, options).unwrap();
    let mut map = reader.map_blocks(|block| rows_of(&block));
    let mut reading = Reading::default();
    for rows in &mut map {
        match rows {
            Ok(rows) => reading.rows.extend(rows),
            Err(error) => {
                reading.end = Some(fault(&error));
                break;
            }
        }
    }
    let passed = map.passed().iter();
    reading.ranges = passed
        .map(|passed| (passed.range.clone(), fault(&passed.error)))
        .collect();
    assert_eq!(reading, *expected);
}

type Rows = Vec<Vec<u8>>;

/// What is at each place where a block was read from the front, or passed over.
struct FoundBlocks {
    /// The size, the count and the rows of each block, or the fault of its body.
    blocks: BTreeMap<u64, (u64, u64, Result<Rows, Fault>)>,
    /// Where each range ends that was passed over, and its fault.
    passed: BTreeMap<u64, (u64, Fault)>,
    header: u64,
    mark: [u8; 18],
}

impl FoundBlocks {
    fn new(file: &[u8], skip: &ReadOptions) -> FoundBlocks {
        let mut reader = Reader::with_options(file, skip).unwrap();
        let mut blocks = BTreeMap::new();
        while let Some(block) = reader.next_stored().unwrap() {
            let rows = block.unpack().and_then(|block| rows_of(&block));
            let rows = rows.map_err(|error| fault(&error));
            blocks.insert(block.offset(), (block.size(), block.count(), rows));
        }
        let passed = reader.passed().iter();
        let mut mark = [0; 18];
        mark[..2].copy_from_slice(&[0xd8, 0x5d]);
        mark[2..].copy_from_slice(reader.header().sync());
        FoundBlocks {
            passed: passed
                .map(|passed| (passed.range.start, (passed.range.end, fault(&passed.error))))
                .collect(),
            blocks,
            header: reader.header().size(),
            mark,
        }
    }

    /// Whether the bytes of a mark are within a block or an index.
    fn has_inner_marks(&self, file: &[u8]) -> bool {
        let mut at = self.header;
        let mut outer = Vec::new();
        let is_mark = |&place: &usize| file[place..].starts_with(&self.mark);
        while at < file.len() as u64 {
            let begin = at as usize;
            if let Some((size, ..)) = self.blocks.get(&at) {
                outer.push(begin);
                at += size;
            } else if let Some((end, _)) = self.passed.get(&at) {
                outer.extend((begin..*end as usize).filter(is_mark));
                at = *end;
            } else {
                outer.push(begin);
                at += skip_value(&file[begin..]).unwrap() as u64;
            }
        }
        (self.header as usize..file.len())
            .filter(is_mark)
            .any(|place| outer.binary_search(&place).is_err())
    }
}

fn rows_of(block: &packord::container::Block) -> Result<Rows, Error> {
    let rows = block.rows();
    let columns = block.columns();
    if rows.is_ok() {
        columns?;
    }
    Ok(rows?.iter().map(<[u8]>::to_vec).collect())
}

/// Reading by the index returns what is at its entries, each read by itself, and that is what reading from the front finds there.
fn check_index(choice: Choice, file: &[u8], found: &FoundBlocks) {
    let options = choice.options();
    let skip = options.clone().on_bad_block(OnBadBlock::Skip);
    let mut reader = open(file, &options).unwrap();
    let Some(index) = reader.index().cloned() else {
        return;
    };
    let predicate = choice.predicate();
    let [mut whole, mut kept, mut matching] = [0; 3].map(|_| Reading::default());
    for (number, entry) in index.entries().iter().enumerate() {
        let outcome = reader.block(number).and_then(|block| rows_of(&block));
        let outcome = outcome.map_err(|error| fault(&error));
        let is_wrong = outcome
            .as_ref()
            .err()
            .is_some_and(|(kind, offset, _)| (*kind, *offset) == (ErrorKind::InvalidContainer, Some(index.offset())));
        if let Some((size, count, rows)) = found.blocks.get(&entry.offset()) {
            if (*size, *count) == (entry.size(), entry.count()) {
                assert_eq!(outcome, *rows);
            } else {
                assert!(is_wrong);
            }
        } else if let Some((_, fault)) = found.passed.get(&entry.offset()) {
            assert!(is_wrong || outcome.as_ref().err() == Some(fault));
        }
        let rules_out = |statistics| predicate.rules_out(statistics, entry.count());
        let is_skipped = entry.statistics().is_some_and(rules_out);
        let range = entry.offset()..entry.offset() + entry.size();
        match outcome {
            Ok(rows) => {
                if whole.end.is_none() {
                    whole.rows.extend(rows.clone());
                }
                let matches = rows.iter().filter(|row| predicate.matches(row));
                matching.rows.extend(matches.filter(|_| !is_skipped).cloned());
                kept.rows.extend(rows);
            }
            Err(fault) => {
                if !is_skipped {
                    matching.ranges.push((range.clone(), fault.clone()));
                }
                whole.end.get_or_insert(fault.clone());
                kept.ranges.push((range, fault));
            }
        }
    }
    assert_eq!(read(open(file, &options)).unwrap(), whole);
    assert_eq!(read(open(file, &skip)).unwrap(), kept);
    let filtered = skip.clone().filter(predicate);
    assert_eq!(read(open(file, &filtered)).unwrap(), matching);
    let mut parts = Reading::default();
    for split in reader.splits(choice.splits() as usize).unwrap() {
        let part = read(open(file, &skip.clone().split(split))).unwrap();
        parts.rows.extend(part.rows);
        parts.ranges.extend(part.ranges);
    }
    assert_eq!(parts, kept);
}

/// Splits together have the rows of the whole, and the first fault.
fn check_splits(choice: Choice, file: &[u8], whole: &Reading, kept: &Reading) {
    let (size, count) = (file.len() as u64, choice.splits());
    let [mut until, mut all] = [0; 2].map(|_| Reading::default());
    for number in 0..count {
        let split = size * number / count..size * (number + 1) / count;
        let options = choice.options().split(split);
        let part = read_front(file, &options).unwrap();
        if until.end.is_none() {
            until.rows.extend(part.rows);
            until.end = part.end;
        }
        let skip = options.on_bad_block(OnBadBlock::Skip);
        all.rows.extend(read_front(file, &skip).unwrap().rows);
    }
    assert_eq!(all.rows, kept.rows);
    // A search looks no further than the limit, and at no codec.
    match (&until.end, &whole.end) {
        (Some((ErrorKind::LengthLimit, ..)), _) => assert!(whole.rows.starts_with(&until.rows)),
        (Some(_), Some((ErrorKind::InvalidContainer, _, Some(detail)))) if detail.starts_with("codec ") => {
            assert_eq!(until.rows, whole.rows);
        }
        _ => assert_eq!(until, *whole),
    }
}

/// The bytes as the body of a block, between two others, are read as a decoder reads them.
fn check_body(choice: Choice, body: &[u8]) {
    let decoding = DecodeOptions::new().columns(true).max_buffer(u64::MAX);
    let decoded = decode(choice, body, &decoding);
    let rows = decoded.as_ref().map_or(3, Vec::len) as u64;
    let count = rows + choice.surplus();
    let expected = match decoded {
        Ok(_) if count != rows => Err((ErrorKind::InvalidContainer, None)),
        outcome => outcome,
    };

    let mut file = b"\x94\xa7packord\x01\x81\xa4sync\xc4\x10".to_vec();
    file.extend([7; 16]);
    let checksum = crc32c::crc32c(&file);
    file.extend(packord::to_vec(&Value::from(checksum)).unwrap());
    put_block(&mut file, 1, 2, [b"\x92\x81\xa2id\x01\x81\xa2id\x02"]);
    let (begin, end) = body.split_at(choice.cut(body.len()));
    put_block(&mut file, u8::from(choice.has_rows()), count, [begin, end]);
    put_block(&mut file, 0, 1, [b"\x81\xa1a\x01"]);
    check_file(choice, &file);

    let options = ReadOptions::new();
    let mut reader = Reader::with_options(&file[..], &options).unwrap();
    assert_eq!(reader.next_rows().unwrap().unwrap().len(), 2);
    let got = reader.next_rows().map(Option::unwrap);
    let got = got
        .map(|rows| rows.iter().map(again).collect::<Vec<_>>())
        .map_err(|error| {
            let detail = error.detail().unwrap_or_default();
            let inside = detail.strip_prefix("at byte ");
            let inside = inside.and_then(|rest| rest.strip_suffix(" of the body"));
            (error.kind(), inside.map(|text| text.parse().unwrap()))
        });
    assert_eq!(got, expected);
}

/// Reads and writes a row again, so that rows are compared by their values.
fn again(row: &[u8]) -> Vec<u8> {
    packord::to_vec(&DecodeOptions::new().decode(row).unwrap()).unwrap()
}

/// The rows of a body, or its fault with the offset in it.
fn decode(choice: Choice, body: &[u8], options: &DecodeOptions) -> Result<Rows, (ErrorKind, Option<u64>)> {
    let inside = |error: Error| (error.kind(), error.offset());
    let packed = |row: &Value| packord::to_vec(row).unwrap();
    if choice.has_rows() {
        return match options.decode(body).map_err(inside)? {
            Value::Array(rows) => Ok(rows.iter().map(packed).collect()),
            _ => Err((ErrorKind::InvalidContainer, None)),
        };
    }
    let mut scanner = MessageScanner::with_options(options);
    scanner.feed(body);
    let mut rows = Vec::new();
    while let Some(message) = scanner.next_value().map_err(inside)? {
        rows.push(packed(&message));
    }
    scanner.finish().map_err(inside)?;
    Ok(rows)
}

/// Appends a block whose chunks are stored.
fn put_block<const N: usize>(file: &mut Vec<u8>, kind: u8, count: u64, chunks: [&[u8]; N]) {
    file.extend([0xd8, 0x5d]);
    file.extend([7; 16]);
    let list = chunks.iter().flat_map(|chunk| {
        let numbers = [chunk.len() as u64, chunk.len() as u64];
        let crc = u64::from(crc32c::crc32c(chunk));
        numbers.into_iter().chain([crc])
    });
    let block = vec![
        Value::from(kind),
        Value::from(count),
        Value::Nil,
        list.map(Value::from).collect(),
        Value::Bin(chunks.concat().into()),
    ];
    file.extend(packord::to_vec(&Value::from(block)).unwrap());
}

/// Makes the checksums right that have four bytes: those of the header, of the chunks of all blocks, and of the index at the end.
pub fn with_right_checksums(file: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    if let Some(map) = file.get(10..).and_then(|map| skip_value(map).ok()) {
        set_checksum(&mut file, 10 + map, 0..10 + map);
    }
    for place in 0..file.len() {
        if file[place..].starts_with(&[0xd8, 0x5d]) {
            for (at, chunk) in chunks_at(&file, place + 18).unwrap_or_default() {
                set_checksum(&mut file, at, chunk);
            }
        }
    }
    if let Some((before, trailer)) = file.split_last_chunk::<15>() {
        let offset = trailer[3..11].try_into().map(u64::from_be_bytes).unwrap();
        if let Some(checked) = file.get(offset as usize..before.len() + 11) {
            let checksum = crc32c::crc32c(checked).to_be_bytes();
            let at = before.len() + 11;
            file[at..].copy_from_slice(&checksum);
        }
    }
    file
}

/// Writes the checksum of bytes at a place, if there is one of four bytes.
fn set_checksum(file: &mut [u8], at: usize, of: Range<usize>) {
    if file.get(at) == Some(&0xce) && file.len() > at + 4 {
        let checksum = crc32c::crc32c(&file[of]).to_be_bytes();
        file[at + 1..at + 5].copy_from_slice(&checksum);
    }
}

/// Returns where the checksum of each chunk of a block-array is, and where the chunk is.
fn chunks_at(file: &[u8], array: usize) -> Option<Vec<(usize, Range<usize>)>> {
    let mut at = array
        + match file.get(array)? {
            0x95..=0x9f => 1,
            0xdc => 3,
            _ => return None,
        };
    for _ in 0..3 {
        at += skip_value(file.get(at..)?).ok()?;
    }
    let chunks = DecodeOptions::new().decode_prefix(file.get(at..)?).ok()?;
    let (Value::Array(numbers), mut data) = (chunks.0, at + chunks.1) else {
        return None;
    };
    at += match file[at] {
        0xdc => 3,
        0xdd => 5,
        _ => 1,
    };
    data += match file.get(data)? {
        0xc4 => 2,
        0xc5 => 3,
        0xc6 => 5,
        _ => return None,
    };
    let mut found = Vec::new();
    for chunk in numbers.chunks_exact(3) {
        for _ in 0..2 {
            at += skip_value(&file[at..]).ok()?;
        }
        let end = data.checked_add(usize::try_from(chunk[1].as_u64()?).ok()?)?;
        file.get(data..end)?;
        found.push((at, data..end));
        at += skip_value(&file[at..]).ok()?;
        data = end;
    }
    Some(found)
}
