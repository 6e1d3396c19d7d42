//! A repaired file is the one that a writer makes of the rows in its whole blocks.

use packord::container::{Codec, DEFAULT_MAX_BLOCK, ReadOptions, Reader, RepairReport, WriteOptions, Writer, repair};
use packord::{ErrorKind, Value};
use std::io::{self, Cursor, Write};

fn options() -> WriteOptions {
    let sync = core::array::from_fn(|at| at as u8);
    WriteOptions::new().codec(Codec::None).sync(sync).block_rows(5)
}

/// Every way to write rows whose blocks need no library for compression.
fn ways() -> Vec<WriteOptions> {
    vec![
        options(),
        options().columns(false),
        options().messages(true),
        options().stats(["at.x", "name", "none"]).meta([("from", "here")]),
        options().codec(Codec::Deflate),
    ]
}

fn row(id: i32) -> Value {
    Value::from([
        ("id", Value::from(id * 7 % 20)),
        ("name", format!("row {}", id % 3).into()),
        ("at", Value::from([("x", f64::from(id) / 4.0)])),
    ])
}

fn file_of(options: &WriteOptions, rows: impl IntoIterator<Item = i32>) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for id in rows {
        writer.write(&row(id)).unwrap();
    }
    writer.finish().unwrap()
}

fn repaired(file: &[u8]) -> (Vec<u8>, RepairReport) {
    repair(file, Vec::new(), DEFAULT_MAX_BLOCK).unwrap()
}

/// Where the blocks begin, and where the index does.
fn places(file: &[u8]) -> Vec<usize> {
    let reader = Reader::seekable(Cursor::new(file), &ReadOptions::new()).unwrap();
    let index = reader.index().unwrap();
    let begins = index.entries().iter().map(|entry| entry.offset() as usize);
    begins.chain([index.offset() as usize]).collect()
}

#[test]
fn a_cut_file_is_repaired_to_what_a_writer_writes() {
    for (way, options) in ways().iter().enumerate() {
        let file = file_of(options, 0..18);
        let places = places(&file);
        for end in places[0]..=file.len() {
            let whole = places[1..].iter().filter(|&&place| place <= end).count();
            let (bytes, report) = repaired(&file[..end]);
            let rows = (5 * whole as i32).min(18);
            assert_eq!(bytes, file_of(options, 0..rows), "{way}: {end}");
            assert_eq!((report.blocks, report.rows), (whole as u64, rows as u64));
            assert_eq!(report.bytes, (places[whole] - places[0]) as u64);
            for passed in &report.left_out {
                assert_eq!(passed.range.end, end as u64);
                assert_eq!(passed.error.kind(), ErrorKind::Eof, "{way}: {end}");
            }
            let at_end = places.contains(&end) || end == file.len() - 15 || end == file.len();
            assert_eq!(report.left_out.is_empty(), at_end, "{way}: {end}");
        }
    }
}

#[test]
fn damaged_blocks_are_left_out_and_the_others_keep_their_statistics() {
    for (way, options) in ways().iter().enumerate() {
        let file = file_of(options, 0..18);
        let places = places(&file);
        for block in 0..4 {
            for at in (places[block]..places[block + 1]).step_by(3) {
                let mut damaged = file.clone();
                damaged[at] ^= 0x55;
                let (bytes, report) = repaired(&damaged);
                let rows = (0..18).filter(|id| *id / 5 != block as i32);
                // Without the first block, statistics are those of the first row that is there.
                assert_eq!(bytes, file_of(options, rows), "{way}: {at}");
                let ranges: Vec<_> = report.left_out.iter().map(|passed| &passed.range).collect();
                let range = places[block] as u64..places[block + 1] as u64;
                assert_eq!(ranges, [&range], "{way}: {at}");
                assert_eq!(report.bytes_left_out(), range.end - range.start);
            }
        }
    }
}

const MARK: &[u8] = b"\xd8\x5d\0\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f";
/// The rows 1, 2 and 3 in a chunk that is stored.
const BLOCK: &[u8] = b"\x95\x01\x03\xc0\x93\x04\x04\xce\x00\xd5\xeb\x98\xc4\x04\x93\x01\x02\x03";

#[test]
fn the_header_and_the_blocks_stay_as_they_are() {
    // An option that is not known, a codec that is not known, and long forms of numbers.
    let mut file = b"\x94\xa7packord\x01\x83\xa3own\xcd\x00\x01\xa4sync\xc4\x10".to_vec();
    file.extend(0..16);
    file.extend(b"\xa5codec\xa6brotli");
    let checksum = u64::from(crc32c::crc32c(&file));
    file.push(0xcf);
    file.extend(checksum.to_be_bytes());
    let begin = file.len();
    file.extend(MARK);
    // An element more than a block needs.
    file.extend(b"\xdc\x00\x06\x01\xcc\x03\xa4none\xdc\x00\x03\x04\xcc\x04\xce\x00\xd5\xeb\x98\xc4\x04\x93\x01\x02\x03\xa5later");
    let end = file.len();
    // The codec of this one is that of the header.
    file.extend([MARK, BLOCK].concat());
    let (bytes, report) = repaired(&file);
    assert_eq!(bytes[..end], file[..end]);
    assert_eq!((report.blocks, report.bytes), (1, (end - begin) as u64));
    assert_eq!(report.left_out[0].error.kind(), ErrorKind::InvalidContainer);
    assert_eq!(report.left_out[0].range, end as u64..file.len() as u64);
    let reader = Reader::seekable(Cursor::new(&bytes), &ReadOptions::new()).unwrap();
    assert_eq!(reader.index().unwrap().count(), 3);
}

#[test]
fn a_body_at_fault_is_left_out() {
    let mut file = file_of(&options(), []);
    let header = places(&file)[0];
    file.truncate(header);
    file.extend(MARK);
    // Three rows are announced, and the checksum is right, but there is one. A whole block within the same data is not
    // looked for.
    let body = [&b"\x91\xc4\x24"[..], MARK, BLOCK].concat();
    assert_eq!(body.len(), 39);
    file.extend(b"\x95\x01\x03\xc0\x93\x27\x27\xce");
    file.extend(crc32c::crc32c(&body).to_be_bytes());
    file.extend(b"\xc4\x27");
    file.extend(body);
    let begin = file.len();
    file.extend([MARK, BLOCK].concat());
    let (bytes, report) = repaired(&file);
    assert_eq!((report.blocks, report.rows), (1, 3));
    assert_eq!(report.left_out.len(), 1);
    assert_eq!(report.left_out[0].range, header as u64..begin as u64);
    assert_eq!(bytes[header..][..36], file[begin..]);
}

#[test]
fn a_fault_of_the_header_is_an_error_and_nothing_is_written() {
    struct Never;
    impl Write for Never {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            panic!("something is written")
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let file = file_of(&options(), 0..3);
    for end in 0..places(&file)[0] {
        let error = repair(&file[..end], Never, DEFAULT_MAX_BLOCK).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Eof, "{end}");
    }
    let error = repair(&b"\x92\x01\x02"[..], Never, DEFAULT_MAX_BLOCK).err().unwrap();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::InvalidContainer, Some(0)));
}

#[test]
fn max_block_leaves_large_blocks_out() {
    let mut writer = Writer::new(Vec::new(), &options().block_rows(1)).unwrap();
    for size in [10, 2000, 10] {
        writer.write(&Value::from("x".repeat(size))).unwrap();
    }
    let file = writer.finish().unwrap();
    let (_, report) = repair(&file[..], Vec::new(), 1000).unwrap();
    assert_eq!((report.blocks, report.left_out.len()), (2, 1));
    assert_eq!(report.left_out[0].error.kind(), ErrorKind::LengthLimit);
}
