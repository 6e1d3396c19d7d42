//! Container files are read as they were written.

use packord::container::{
    BlockKind, Codec, Comparison, OnBadBlock, Predicate, ReadOptions, Reader, WriteOptions, Writer,
};
use packord::{ErrorKind, Value, value};
use std::io::Cursor;

fn row(id: u32) -> Value {
    let town = ["Oslo", "Graz", "Bonn"][id as usize % 3];
    value!({"id": id, "town": town, "size": (f64::from(id) / 4.0), "tags": ["a", id]})
}

fn rows(count: u32) -> Vec<Value> {
    (0..count).map(row).collect()
}

pub(crate) fn file_of(rows: &[Value], options: &WriteOptions) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for row in rows {
        writer.write_value(row).unwrap();
    }
    writer.finish().unwrap()
}

fn codecs() -> impl Iterator<Item = Codec> {
    Codec::ALL.iter().copied().filter(|codec| codec.is_supported())
}

fn read(file: &[u8], options: &ReadOptions) -> Vec<Value> {
    let mut reader = Reader::with_options(file, options).unwrap();
    let sequential: Vec<Value> = reader.values().collect::<Result<_, _>>().unwrap();
    let mut reader = Reader::seekable(Cursor::new(file), options).unwrap();
    let indexed: Vec<Value> = reader.values().collect::<Result<_, _>>().unwrap();
    assert_eq!(sequential, indexed);
    indexed
}

#[test]
fn the_example_of_the_specification_has_its_bytes() {
    let sync: [u8; 16] = core::array::from_fn(|i| i as u8);
    let options = WriteOptions::new().sync(sync).codec(Codec::None);
    let file = file_of(&[1.into(), 2.into(), 3.into()], &options);
    let expected = "94a77061636b6f72640182a473796e63c410000102030405060708090a0b0c0d0e0fa5636f646563a46e6f6e65cedc8f4b58\
        d85d000102030405060708090a0b0c0d0e0f950103c0930404ce00d5eb98c40493010203\
        d85d000102030405060708090a0b0c0d0e0f94a5696e646578019194322403c081a5636f756e7403\
        c70c5d000000000000005652dc4f16";
    let hex: String = file.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, expected);
}

#[test]
fn rows_are_read_back_with_every_codec_and_form() {
    let rows = rows(3000);
    for codec in codecs() {
        for columns in [false, true] {
            for messages in [false, true] {
                let options = WriteOptions::new()
                    .codec(codec)
                    .columns(columns)
                    .messages(messages)
                    .block_rows(700);
                let file = file_of(&rows, &options);
                assert_eq!(read(&file, &ReadOptions::new()), rows, "{codec} {columns} {messages}");
                let mut reader = Reader::new(&file[..]).unwrap();
                let block = reader.next_block().unwrap().unwrap();
                let kind = if messages { BlockKind::Messages } else { BlockKind::Rows };
                assert_eq!((block.kind(), block.count()), (kind, 700));
                assert_eq!(block.columns().unwrap().is_some(), columns && !messages);
            }
        }
    }
}

#[test]
fn a_predicate_skips_blocks_and_filters_rows() {
    let rows = rows(3000);
    let file = file_of(&rows, &WriteOptions::new().block_rows(100));
    for (path, operator, constant) in [
        ("id", "==", Value::from(1234)),
        ("id", "!=", 7.into()),
        ("id", "<", 250.5.into()),
        ("id", ">=", 2900.into()),
        ("town", "in", ["Oslo", "Bonn"].into()),
        ("size", "<=", 12.into()),
        ("tags.1", ">", 2990.into()),
        ("tags", "is_null", Value::Nil),
        ("tags.0", "is_not_null", Value::Nil),
    ] {
        let predicate = Predicate::new().and_op(path, operator, constant).unwrap();
        let packed = |row: &Value| packord::EncodeOptions::new().encode(row).unwrap();
        let expected: Vec<Value> = rows
            .iter()
            .filter(|row| predicate.matches(&packed(row)))
            .cloned()
            .collect();
        assert_eq!(
            read(&file, &ReadOptions::new().filter(predicate.clone())),
            expected,
            "{predicate}"
        );
        let mut reader = Reader::seekable(Cursor::new(&file), &ReadOptions::new().prune(predicate)).unwrap();
        let pruned: Vec<Value> = reader.values().collect::<Result<_, _>>().unwrap();
        assert!(expected.iter().all(|row| pruned.contains(row)));
    }
    let one = Predicate::new().and("id", Comparison::Equal, 1234).unwrap();
    let options = ReadOptions::new().filter(one);
    let mut reader = Reader::seekable(Cursor::new(&file), &options).unwrap();
    let mut blocks = 0;
    while reader.next_stored().unwrap().is_some() {
        blocks += 1;
    }
    assert_eq!(blocks, 1);
}

#[test]
fn a_cut_file_returns_its_whole_blocks_and_eof() {
    let rows = rows(60);
    let file = file_of(&rows, &WriteOptions::new().block_rows(10));
    let mut ends = Vec::new();
    let mut reader = Reader::new(&file[..]).unwrap();
    while let Some(block) = reader.next_stored().unwrap() {
        ends.push(block.offset() + block.size());
    }
    for cut in 0..file.len() {
        let part = &file[..cut];
        let mut reader = match Reader::new(part) {
            Ok(reader) => reader,
            Err(error) => {
                assert_eq!((error.kind(), error.offset()), (ErrorKind::Eof, Some(cut as u64)));
                continue;
            }
        };
        let whole = ends.iter().filter(|&&end| end <= cut as u64).count();
        let mut found = 0;
        let outcome = loop {
            match reader.next_value() {
                Ok(Some(value)) => {
                    assert_eq!(value, rows[found]);
                    found += 1;
                }
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        assert_eq!(found, 10 * whole, "{cut}");
        if let Some(error) = outcome {
            assert_eq!((error.kind(), error.offset()), (ErrorKind::Eof, Some(cut as u64)));
        }
    }
}

#[test]
fn a_damaged_block_is_passed_over_if_the_options_say_so() {
    let rows = rows(60);
    let file = file_of(&rows, &WriteOptions::new().block_rows(10));
    let mut blocks = Vec::new();
    let mut reader = Reader::new(&file[..]).unwrap();
    while let Some(block) = reader.next_stored().unwrap() {
        blocks.push(block.offset()..block.offset() + block.size());
    }
    for place in blocks[2].start as usize..blocks[2].end as usize {
        let mut damaged = file.clone();
        damaged[place] ^= 0x10;
        let options = ReadOptions::new().on_bad_block(OnBadBlock::Skip);
        let mut reader = Reader::with_options(&damaged[..], &options).unwrap();
        let found: Vec<Value> = reader.values().collect::<Result<_, _>>().unwrap();
        let expected = [&rows[..20], &rows[30..]].concat();
        assert_eq!(found, expected, "{place}");
        assert_eq!(reader.passed().len(), 1);
        assert_eq!(reader.passed()[0].range, blocks[2], "{place}");
        let mut strict = Reader::new(&damaged[..]).unwrap();
        let before = strict.values().take_while(Result::is_ok).count();
        assert_eq!(before, 20);
    }
}

#[test]
fn a_second_writer_is_refused_and_appending_keeps_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pkd");
    let options = WriteOptions::new().block_rows(10);
    let mut writer = Writer::create(&path, &options).unwrap();
    assert_eq!(Writer::append(&path, &options).unwrap_err().kind(), ErrorKind::Io);
    assert_eq!(Writer::create(&path, &options).unwrap_err().kind(), ErrorKind::Io);
    for row in &rows(25) {
        writer.write_value(row).unwrap();
    }
    writer.finish().unwrap();
    let before = std::fs::read(&path).unwrap();
    Writer::append(&path, &options).unwrap().finish().unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let mut writer = Writer::append(&path, &options).unwrap();
    for id in 25..40 {
        writer.write_value(&row(id)).unwrap();
    }
    writer.finish().unwrap();
    let after = std::fs::read(&path).unwrap();
    assert_eq!(after[..before.len()], before);
    assert_eq!(read(&after, &ReadOptions::new()), rows(40));
    let reader = Reader::open(&path).unwrap();
    let index = reader.index().unwrap();
    assert_eq!((index.count(), index.entries().len()), (40, 5));
    assert_eq!(index.schema().unwrap().entries().len(), 5);
}
