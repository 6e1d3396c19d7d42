//! Container files that are damaged, hostile, cut by a kill or by a full disk: a bounded answer, and no wrong row.

use crate::counting::measure;
use packord::container::{Codec, Comparison, OnBadBlock, Predicate, ReadOptions, Reader, WriteOptions, Writer};
use packord::{Error, ErrorKind, Value, value};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const SYNC: [u8; 16] = [7; 16];
const MARK: [u8; 18] = [0xd8, 0x5d, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7];

fn row(id: u32) -> Value {
    value!({"id": id, "text": (format!("the text of row {id}"))})
}

fn options() -> WriteOptions {
    WriteOptions::new().sync(SYNC).block_rows(10)
}

fn file_of(count: u32, options: &WriteOptions) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    (0..count).for_each(|id| writer.write_value(&row(id)).unwrap());
    writer.finish().unwrap()
}

/// The rows up to the first fault, and the fault.
fn read<R: io::Read>(reader: Result<Reader<R>, Error>) -> (Vec<Value>, Option<Error>) {
    let mut rows = Vec::new();
    let mut reader = match reader {
        Ok(reader) => reader,
        Err(error) => return (rows, Some(error)),
    };
    for value in reader.values() {
        match value {
            Ok(row) => rows.push(row),
            Err(error) => return (rows, Some(error)),
        }
    }
    (rows, None)
}

fn seekable(file: &[u8]) -> Result<Reader<Cursor<&[u8]>>, Error> {
    Reader::seekable(Cursor::new(file), &ReadOptions::new())
}

#[test]
fn damage_at_each_byte_of_a_block_is_found() {
    for codec in [Codec::None, Codec::Deflate] {
        let file = file_of(30, &options().codec(codec));
        let mut reader = Reader::new(&file[..]).unwrap();
        let begin = reader.header().size() as usize;
        let mut end = begin;
        while let Some(block) = reader.next_stored().unwrap() {
            end = (block.offset() + block.size()) as usize;
        }
        for place in begin..end {
            for bits in [0x01, 0x80, 0xff] {
                let mut damaged = file.clone();
                damaged[place] ^= bits;
                for (rows, fault) in [read(Reader::new(&damaged[..])), read(seekable(&damaged))] {
                    let fault = fault.unwrap_or_else(|| panic!("{place}: {bits:x} was not found"));
                    assert_ne!(fault.kind(), ErrorKind::Io, "{place}: {fault}");
                    assert!(rows.iter().zip(0..).all(|(found, id)| *found == row(id)));
                }
                // Two blocks are there. One more, if a damaged number of elements only takes what follows the block.
                let skip = ReadOptions::new().on_bad_block(OnBadBlock::Skip);
                let (rows, fault) = read(Reader::with_options(&damaged[..], &skip));
                assert!(fault.is_none());
                assert!(rows.len() >= 20, "{place}: {bits:x}");
            }
        }
    }
}

#[test]
fn an_index_at_fault_is_as_none() {
    let file = file_of(30, &options());
    let (expected, _) = read(Reader::new(&file[..]));
    let index = index_of(&file);
    for place in index..file.len() {
        for bits in [0x01, 0x40, 0x80, 0xff] {
            let mut damaged = file.clone();
            damaged[place] ^= bits;
            let reader = seekable(&damaged).unwrap();
            assert!(reader.index().is_none(), "{place}");
            let (rows, fault) = read(Ok(reader));
            assert_eq!(rows, expected[..rows.len()], "{place}");
            match fault {
                None => assert_eq!(rows.len(), 30),
                Some(fault) => assert_ne!(fault.kind(), ErrorKind::Io),
            }
        }
    }
    // Offsets, sizes and counts at the ends of their types.
    for entry in [
        value!([[u64::MAX, 26, 10, (Value::Nil)]]),
        value!([[45, u64::MAX, 10, (Value::Nil)]]),
        value!([[45, 26, u64::MAX, (Value::Nil)]]),
        value!([[0, 26, 0, (Value::Nil)]]),
        value!([[45, 100, 5, (Value::Nil)], [46, 100, 5, (Value::Nil)]]),
    ] {
        for count in [0, 10, u64::MAX] {
            let mut hostile = file[..index].to_vec();
            hostile.extend(MARK);
            let array = value!(["index", 1, (entry.clone()), {"count": count}]);
            hostile.extend(packord::to_vec(&array).unwrap());
            put_trailer(&mut hostile, index);
            let (rows, fault) = read(seekable(&hostile));
            assert_eq!(rows, expected[..rows.len()]);
            assert!(fault.is_some() || rows.len() == 30);
        }
    }
}

/// Where the mark of the index is at the end of a file.
fn index_of(file: &[u8]) -> usize {
    seekable(file).unwrap().index().unwrap().offset() as usize
}

fn put_trailer(file: &mut Vec<u8>, index: usize) {
    file.extend([0xc7, 12, 0x5d]);
    file.extend((index as u64).to_be_bytes());
    file.extend(crc32c::crc32c(&file[index..]).to_be_bytes());
}

/// Every change of one bit in a small file is found, or changes no row.
#[test]
fn a_flipped_bit_is_found_or_changes_nothing() {
    for options in [options(), options().codec(Codec::None).columns(false)] {
        let file = file_of(30, &options.stats(["id", "text"]).meta([("from", "here")]));
        let (expected, _) = read(Reader::new(&file[..]));
        let query = Predicate::new().and("id", Comparison::Equal, 15).unwrap();
        let query = ReadOptions::new().filter(query);
        for bit in 0..8 * file.len() {
            let mut damaged = file.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            for reader in [seekable(&damaged).map(drop), Reader::new(&damaged[..]).map(drop)] {
                let is_header = bit / 8 < Reader::new(&file[..]).unwrap().header().size() as usize;
                assert_eq!(reader.is_err(), is_header, "{bit}");
            }
            for (rows, fault) in [read(Reader::new(&damaged[..])), read(seekable(&damaged))] {
                assert_eq!(rows, expected[..rows.len()], "{bit}");
                assert!(fault.is_some() || rows.len() == 30, "{bit}");
            }
            let found = read(Reader::seekable(Cursor::new(&damaged), &query));
            assert!(found.1.is_some() || found.0 == [row(15)], "{bit}");
        }
    }
}

/// What follows an index that announces more than the file has is not lost, also where the reader cannot go back.
#[test]
fn announced_elements_hide_no_block_after_them() {
    let file = file_of(30, &options().codec(Codec::None));
    let index = seekable(&file).unwrap().index().unwrap().clone();
    let [second, third] = [1, 2].map(|n| index.entries()[n].offset() as usize);
    let skip = ReadOptions::new().on_bad_block(OnBadBlock::Skip);
    for (announced, kind) in [
        // An index, and a block with further elements: of these, the next mark is none.
        (&b"\xdd\xff\xff\xff\xff\xa5index\x01"[..], ErrorKind::Eof),
        (
            b"\xdd\xff\xff\xff\xff\x01\x00\xc0\x93\x01\x01\x00\xc4\x01\x90",
            ErrorKind::InvalidContainer,
        ),
        (b"\x94\xa5index\x01\xdd\xff\xff\xff\xff", ErrorKind::Eof),
        (
            b"\x96\x01\x00\xc0\x93\x01\x01\x00\xc4\x01\x90\xdf\xff\xff\xff\xff",
            ErrorKind::Eof,
        ),
    ] {
        let hostile = [&file[..second], &MARK, announced, &file[second..third]].concat();
        for at_once in [1, 100, 1 << 20] {
            let pieces = BufReader::with_capacity(at_once, &hostile[..]);
            let mut reader = Reader::with_options(pieces, &skip).unwrap();
            let rows = reader.values().collect::<Result<Vec<_>, _>>().unwrap();
            assert_eq!(rows, (0..20).map(row).collect::<Vec<_>>());
            let passed = &reader.passed()[0];
            let end = second + MARK.len() + announced.len();
            assert_eq!(passed.range, second as u64..end as u64);
            assert_eq!(passed.error.kind(), kind);
        }
    }
}

#[test]
fn false_marks_take_bounded_time() {
    let mut hostile = file_of(0, &options());
    let header = Reader::new(&hostile[..]).unwrap().header().size();
    hostile.truncate(header as usize);
    // Each mark has a block after it that begins well and has the whole rest of the file as data.
    let size = 4_u32 << 20;
    while hostile.len() < 4 << 20 {
        hostile.extend(MARK);
        let data = (size - hostile.len().min(4 << 20) as u32 / 2).to_be_bytes();
        hostile.extend(b"\x95\x01\x01\xc0\x93\xce\x00\x10\x00\x00\xce");
        hostile.extend(data);
        hostile.extend(b"\x01\xc6");
        hostile.extend(data);
    }
    hostile.extend(vec![0; 4 << 20]);
    let skip = ReadOptions::new().on_bad_block(OnBadBlock::Skip);
    let started = Instant::now();
    let (rows, _) = read(Reader::with_options(&hostile[..], &skip));
    let (split, _) = read(Reader::seekable(Cursor::new(&hostile), &skip.split(100..1 << 22)));
    assert!(rows.is_empty() && split.is_empty());
    // Checking each of them would read 400 GB.
    assert!(started.elapsed() < Duration::from_secs(100), "{:?}", started.elapsed());
}

/// Counts the bytes that were read.
struct CountedReads<'b>(Cursor<&'b [u8]>, u64);

impl io::Read for CountedReads<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read(out)?;
        self.1 += count as u64;
        Ok(count)
    }
}

impl Seek for CountedReads<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

/// A header, then this many marks with the same bytes after each.
fn marks(count: usize, after: &[u8]) -> Vec<u8> {
    let mut file = file_of(0, &options());
    let header = Reader::new(&file[..]).unwrap().header().size();
    file.truncate(header as usize);
    for _ in 0..count {
        file.extend(MARK);
        file.extend(after);
    }
    file
}

#[test]
fn with_a_small_limit_false_marks_are_read_once() {
    for after in [
        // Data of 1000 bytes with a wrong checksum, a block that is too large, and one with further elements.
        &b"\x95\x01\x01\xc0\x93\xcd\x03\xe8\xcd\x03\xe8\x00\xc5\x03\xe8"[..],
        b"\x95\x01\x01\xc0\x93\xcd\x03\xe9\xcd\x03\xe9\x00\xc5\x03\xe9",
        b"\xdd\xff\xff\xff\xff\x01\x00\xc0\x90\xc4\x00",
        // An array that is too short, and an index that announces more than there is.
        b"\x91\x01",
        b"\xdd\xff\xff\xff\xff\xa5index",
        // A block without an array as its body, whose checksum is right.
        b"\x95\x01\x00\xc0\x90\xc4\x00",
    ] {
        let file = marks(20_000, after);
        let size = file.len() as u64;
        let skip = ReadOptions::new().max_block(1000).on_bad_block(OnBadBlock::Skip);
        for split in [0..size, 100..size, 100..101, size / 2..size / 2 + 50_000] {
            let length = split.end - split.start;
            let counted = CountedReads(Cursor::new(&file), 0);
            let options = skip.clone().split(split);
            let mut reader = Reader::seekable(counted, &options).unwrap();
            assert!(reader.values().next().is_none());
            let most = 2 * length + (256 << 10);
            assert!(
                reader.get_ref().1 < most,
                "{} for {length}: {after:?}",
                reader.get_ref().1
            );
        }
    }
}

/// Blocks, each of which has the next one in its data.
fn nested_blocks(codec: &[u8]) -> Vec<u8> {
    let mut inner: Vec<u8> = Vec::new();
    for _ in 0..3000 {
        // Not a body of rows.
        inner.push(0xc1);
        let size = (inner.len() as u32).to_be_bytes();
        let checksum = crc32c::crc32c(&inner).to_be_bytes();
        let chunk = [b"\xce", &size[..], b"\xce", &size, b"\xce", &checksum].concat();
        let head = [&MARK[..], b"\x95\x01\x01", codec, b"\x93", &chunk, b"\xc6", &size];
        inner.splice(..0, head.concat());
    }
    inner
}

/// All have right checksums, and none can be read, as its codec is not known.
#[test]
fn blocks_within_blocks_at_fault_take_bounded_work() {
    let skip = ReadOptions::new().on_bad_block(OnBadBlock::Skip);
    let file = [marks(0, &[]), nested_blocks(b"\xa6brotli")].concat();
    let small = skip.clone().max_block(1 << 20);
    let (rows, fault) = read(Reader::with_options(&file[..], &small));
    assert_eq!((rows.len(), fault.unwrap().kind()), (0, ErrorKind::LengthLimit));
    // With a larger limit, all of them may be looked at.
    let (rows, fault) = read(Reader::with_options(&file[..], &skip));
    assert_eq!((rows.len(), fault), (0, None));
}

/// Nothing is looked for in a block whose checksums are right, however it is read.
#[test]
fn a_body_at_fault_is_passed_over_to_its_end() {
    let (rows, block) = (file_of(30, &options()), nested_blocks(b"\xc0"));
    let (begin, end) = (index_of(&rows), index_of(&rows) + block.len());
    let [first, second] = [0, 1].map(|number| {
        let index = seekable(&rows).unwrap().index().unwrap().clone();
        index.entries()[number].offset() as usize
    });
    let file = [&rows[..begin], &block, &rows[first..second]].concat();
    let skip = ReadOptions::new().on_bad_block(OnBadBlock::Skip);
    let all = [
        &skip,
        #[cfg(feature = "container-parallel")]
        &skip.clone().threads(2),
    ];
    for options in all {
        for pieces in [1, 1 << 20] {
            let input = BufReader::with_capacity(pieces, &file[..]);
            let mut reader = Reader::with_options(input, options).unwrap();
            let rows = reader.values().collect::<Result<Vec<_>, _>>().unwrap();
            assert_eq!(rows, (0..30).chain(0..10).map(row).collect::<Vec<_>>());
            assert_eq!(reader.passed().len(), 1);
            assert_eq!(reader.passed()[0].range, begin as u64..end as u64);
        }
    }
}

#[test]
fn memory_is_that_of_one_block() {
    let options = options().codec(Codec::Deflate).block_rows(2000);
    let file = file_of(200_000, &options);
    let (_, peak) = measure(|| {
        let mut reader = Reader::new(&file[..]).unwrap();
        let mut count = 0;
        while reader.next_row().unwrap().is_some() {
            count += 1;
        }
        assert_eq!(count, 200_000);
    });
    assert!(peak < 1 << 20, "{peak}");
    // A block that unpacks to a thousand times of what it says.
    let mut bomb = Writer::new(Vec::new(), &options.clone().block_rows(1)).unwrap();
    bomb.write_value(&Value::from(vec![0_u8; 32 << 20].as_slice())).unwrap();
    let mut file = bomb.finish().unwrap();
    let size = (32_u32 << 20) + 6;
    let places: Vec<usize> = (0..200)
        .filter(|&at| file[at..].starts_with(&size.to_be_bytes()))
        .collect();
    assert_eq!(places.len(), 1);
    file[places[0]..places[0] + 4].copy_from_slice(&1000_u32.to_be_bytes());
    let (_, peak) = measure(|| {
        let (rows, fault) = read(Reader::new(&file[..]));
        assert_eq!((rows.len(), fault.unwrap().kind()), (0, ErrorKind::InvalidContainer));
    });
    assert!(peak < 1 << 20, "{peak}");
}

#[test]
fn a_file_of_a_terabyte_opens_in_constant_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sparse.pkd");
    let whole = file_of(30, &options());
    let index = index_of(&whole);
    let end = 1_u64 << 40;
    // The blocks at the beginning, a hole, and the index at the end.
    let mut file = File::create(&path).unwrap();
    file.write_all(&whole[..index]).unwrap();
    file.seek(SeekFrom::Start(end)).unwrap();
    let mut last = whole[index..whole.len() - 12].to_vec();
    last.extend(end.to_be_bytes());
    last.extend(crc32c::crc32c(&last).to_be_bytes());
    file.write_all(&last).unwrap();
    drop(file);
    let (_, peak) = measure(|| {
        let mut reader = Reader::open(&path).unwrap();
        assert_eq!(reader.index().unwrap().count(), 30);
        assert_eq!(reader.values().collect::<Result<Vec<_>, _>>().unwrap().len(), 30);
    });
    assert!(peak < 1 << 20, "{peak}");
    let file = File::options().write(true).open(&path).unwrap();
    file.set_len(end).unwrap();
    let (_, peak) = measure(|| {
        let (rows, fault) = read(Reader::open(&path));
        assert_eq!((rows.len(), fault.unwrap().kind()), (30, ErrorKind::InvalidContainer));
    });
    assert!(peak < 1 << 20, "{peak}");
}

/// Takes a number of bytes, then reports that the disk is full.
struct SmallDisk(Vec<u8>, usize);

impl Write for SmallDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(self.1 - self.0.len());
        if count == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.0.extend(&bytes[..count]);
        Ok(count)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_an_io_error_and_the_blocks_before_it_stay() {
    let whole = file_of(50, &options());
    for size in 0..whole.len() {
        let mut disk = SmallDisk(Vec::new(), size);
        let written = (|| {
            let mut writer = Writer::new(&mut disk, &options())?;
            (0..50).try_for_each(|id| writer.write_value(&row(id)))?;
            writer.finish().map(|_| ())
        })();
        assert_eq!(written.unwrap_err().kind(), ErrorKind::Io, "{size}");
        assert_eq!(disk.0, whole[..disk.0.len()], "{size}");
    }
    #[cfg(target_os = "linux")]
    {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let written = Writer::new(full, &options()).and_then(Writer::finish);
        assert_eq!(written.unwrap_err().kind(), ErrorKind::Io);
    }
}

/// The name of the file that a child of this test writes until it is killed.
const FILE: &str = "PACKORD_KILLED_WRITER";

#[test]
fn a_writer_that_is_killed_leaves_every_block_that_it_flushed() {
    if let Some(path) = std::env::var_os(FILE) {
        return write_until_killed(Path::new(&path));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("killed.pkd");
    let mut most = 0;
    for kill in 0..200_u64 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "container_hostile::a_writer_that_is_killed_leaves_every_block_that_it_flushed",
                "--nocapture",
            ])
            .env(FILE, &path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut flushed = 0;
        let mut line = String::new();
        let mut next = |lines: &mut BufReader<_>| {
            line.clear();
            lines.read_line(&mut line).unwrap();
            line.trim_start_matches("flushed ").trim().parse::<u32>().ok()
        };
        // From the first rows on, for up to four milliseconds.
        while flushed == 0 {
            flushed = next(&mut lines).unwrap_or(0);
        }
        std::thread::sleep(Duration::from_micros(kill * 37 % 4000));
        child.kill().unwrap();
        child.wait().unwrap();
        while let Some(more) = next(&mut lines) {
            flushed = more;
        }
        let (rows, fault) = read(Reader::open(&path));
        assert!(rows.len() as u32 >= flushed, "{} of {flushed}", rows.len());
        assert!(rows.iter().zip(0..).all(|(found, id)| *found == row(id)));
        assert!(fault.is_none_or(|fault| fault.is_eof()));
        most = most.max(rows.len());
    }
    assert!(most > 100);
}

fn write_until_killed(path: &Path) {
    std::fs::remove_file(path).ok();
    let mut writer = Writer::create(path, &options().block_rows(7)).unwrap();
    for id in 0.. {
        writer.write_value(&row(id)).unwrap();
        if id % 20 == 19 {
            writer.flush().unwrap();
            println!("flushed {}", id + 1);
        }
    }
}
