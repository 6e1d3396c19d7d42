//! Any rows, with any options, are read as they were written, and damage is found.

use packord::container::{Codec, OnBadBlock, Predicate, ReadOptions, Reader, WriteOptions, Writer};
use packord::{EncodeOptions, Ext, Timestamp, Value};
use proptest::collection::vec;
use proptest::prelude::*;
use std::io::Cursor;

fn scalar() -> BoxedStrategy<Value> {
    prop_oneof![
        3 => (0..40_i32).prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        2 => (0..8_i32).prop_map(|n| Value::from(f64::from(n) / 4.0 - 0.5)),
        1 => prop_oneof![Just(0.0), Just(-0.0), Just(f64::NAN), Just(f64::INFINITY), any::<f64>()]
            .prop_map(Value::from),
        1 => (0..3_i8).prop_map(|n| Value::from(f32::from(n))),
        2 => "[a-c]{0,3}".prop_map(|text| Value::from(text.as_str())),
        1 => "[a-cé\u{10ffff}]{60,70}".prop_map(|text| Value::from(text.as_str())),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Nil),
        1 => vec(any::<u8>(), 0..4).prop_map(|bytes| Value::Bin(bytes.into())),
        1 => (-2..3_i64, 0..3_u32).prop_map(|(s, n)| Timestamp::new(s, n).unwrap().into()),
        1 => vec(any::<u8>(), 0..4).prop_map(|bytes| Ext::new(7, &bytes).into()),
    ]
    .boxed()
}

/// A value of one of few kinds, so that columns have one type often.
fn field() -> BoxedStrategy<Value> {
    let inner = scalar();
    prop_oneof![
        8 => scalar(),
        1 => vec(inner.clone(), 0..4).prop_map(Value::from),
        1 => vec((prop_oneof![Just("x"), Just("y"), Just("z")], inner), 0..3)
            .prop_map(|entries| Value::from(entries.into_iter().map(|(k, v)| (k.into(), v)).collect::<Vec<(Value, Value)>>())),
    ]
    .boxed()
}

fn map_of(fields: Vec<Option<Value>>) -> Value {
    let keys = ["id", "a", "b", "c"];
    let entries = keys.iter().zip(fields);
    let entries = entries.filter_map(|(key, value)| Some((Value::from(*key), value?)));
    Value::from(entries.collect::<Vec<_>>())
}

/// Rows, in each of whose columns the values are of one strategy.
fn rows() -> impl Strategy<Value = Vec<Value>> {
    let int = (0..100_i32).prop_map(Value::from).boxed();
    let float = (0..1000_i32).prop_map(|n| Value::from(f64::from(n) / 10.0)).boxed();
    let text = "[a-d]{1,4}".prop_map(|text| Value::from(text.as_str())).boxed();
    let point = (0..9_i32, 0..9_i32)
        .prop_map(|(x, y)| Value::from([("x", x), ("y", y)]))
        .boxed();
    let time = (0..99_i64).prop_map(|s| Timestamp::new(s, 0).unwrap().into()).boxed();
    let kinds = prop::sample::select(vec![int, float, text, point, time, scalar(), field()]);
    let column = (kinds, 0..4_u8).prop_map(|(kind, missing)| match missing {
        0 => prop::option::weighted(0.8, kind).boxed(),
        1 => prop_oneof![9 => kind, 1 => Just(Value::Nil)].prop_map(Some).boxed(),
        _ => kind.prop_map(Some).boxed(),
    });
    let maps = vec(column, 4).prop_flat_map(|columns| vec(columns, 0..200));
    let maps = maps.prop_map(|rows| rows.into_iter().map(map_of).collect::<Vec<_>>());
    prop_oneof![9 => maps, 1 => vec(field(), 0..60)]
}

fn options() -> impl Strategy<Value = WriteOptions> {
    let codecs: Vec<Codec> = Codec::ALL
        .iter()
        .copied()
        .filter(|codec| codec.is_supported())
        .collect();
    let stats = prop::option::of(Just(["a.x", "b", "id", "c.0", "missing", "b"]));
    (
        prop::sample::select(codecs),
        any::<[bool; 2]>(),
        1..150_u64,
        30..9000_usize,
        stats,
    )
        .prop_map(|(codec, [columns, messages], rows, size, stats)| {
            let options = WriteOptions::new()
                .codec(codec)
                .columns(columns)
                .messages(messages)
                .block_rows(rows)
                .block_size(size)
                .sync([7; 16]);
            match stats {
                Some(stats) => options.stats(stats),
                None => options,
            }
        })
}

fn write(rows: &[Value], options: &WriteOptions) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for row in rows {
        writer.write_value(row).unwrap();
    }
    writer.finish().unwrap()
}

fn packed(value: &Value) -> Vec<u8> {
    EncodeOptions::new().encode(value).unwrap()
}

/// Values with their formats, as a NaN is not equal to itself.
fn read<R: std::io::Read>(mut reader: Reader<R>) -> Vec<Vec<u8>> {
    let mut rows = Vec::new();
    while let Some(row) = reader.next_row().unwrap() {
        rows.push(row.to_vec());
    }
    rows
}

fn seekable<'b>(file: &'b [u8], options: &ReadOptions) -> Reader<Cursor<&'b [u8]>> {
    Reader::seekable(Cursor::new(file), options).unwrap()
}

fn predicates() -> Vec<Predicate> {
    let conditions: Vec<(&str, &str, Value)> = vec![
        ("id", "==", 7.into()),
        ("id", "!=", 7.into()),
        ("a", "<", 0.25.into()),
        ("b", "<=", "b".into()),
        ("c", ">", 3.into()),
        ("id", ">=", Value::from(f64::NAN)),
        ("a", "in", vec![Value::from(1), "a".into(), Value::Nil].into()),
        ("b", "in", Value::from(Vec::<Value>::new())),
        ("a.x", "is_null", Value::Nil),
        ("b", "is_not_null", Value::Nil),
        ("c", "==", Value::Nil),
        ("c", "!=", Value::from([("x", 1)])),
        ("", "==", Value::from([("x", 1)])),
        ("a", ">", Value::from(Timestamp::new(1, 0).unwrap())),
        ("id", "==", "c".repeat(64).as_str().into()),
        ("id", ">", "c".repeat(64).as_str().into()),
    ];
    let one = |(path, op, constant): (&str, &str, Value)| Predicate::new().and_op(path, op, constant).unwrap();
    conditions.into_iter().map(one).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn rows_are_read_back(rows in rows(), options in options()) {
        let file = write(&rows, &options);
        let expected: Vec<Vec<u8>> = rows.iter().map(packed).collect();
        prop_assert_eq!(&read(Reader::new(&file[..]).unwrap()), &expected);
        prop_assert_eq!(&read(seekable(&file, &ReadOptions::new())), &expected);
        // A file of one size is the same twice.
        prop_assert_eq!(write(&rows, &options), file);
    }

    #[test]
    fn columns_and_rows_have_the_same_statistics_and_schema(rows in rows(), options in options()) {
        let options = options.messages(false);
        let [columns, plain] = [true, false].map(|on| write(&rows, &options.clone().columns(on)));
        let [columns, plain] = [&columns, &plain].map(|file| seekable(file, &ReadOptions::new()));
        let (columns, plain) = (columns.index().unwrap(), plain.index().unwrap());
        prop_assert_eq!(columns.schema(), plain.schema());
        prop_assert_eq!(columns.entries().len(), plain.entries().len());
        for (a, b) in columns.entries().iter().zip(plain.entries()) {
            // As text, so that the formats of floats and the signs of zeros are compared.
            prop_assert_eq!(format!("{:?}", a.statistics()), format!("{:?}", b.statistics()));
        }
    }

    #[test]
    fn skipping_changes_no_result(rows in rows(), options in options()) {
        let file = write(&rows, &options);
        for predicate in predicates() {
            let expected: Vec<Vec<u8>> =
                rows.iter().map(packed).filter(|row| predicate.matches(row)).collect();
            let read_options = ReadOptions::new().filter(predicate.clone());
            prop_assert_eq!(&read(seekable(&file, &read_options)), &expected, "{}", predicate);
            prop_assert_eq!(&read(Reader::with_options(&file[..], &read_options).unwrap()), &expected);
        }
    }

    #[test]
    fn splits_have_every_row_once(rows in rows(), options in options(), count in 1..9_usize) {
        let file = write(&rows, &options);
        let expected: Vec<Vec<u8>> = rows.iter().map(packed).collect();
        let cut = file.len() - 11;
        for part in [&file[..], &file[..cut]] {
            let splits = seekable(part, &ReadOptions::new()).splits(count).unwrap();
            let mut found = Vec::new();
            for split in splits {
                let options = ReadOptions::new().split(split).on_bad_block(OnBadBlock::Skip);
                found.extend(read(seekable(part, &options)));
            }
            prop_assert_eq!(&found, &expected);
        }
    }

    #[test]
    fn damage_costs_the_blocks_that_have_it(
        rows in rows(),
        options in options(),
        places in vec((any::<prop::sample::Index>(), 1..=255_u8), 1..4),
    ) {
        let file = write(&rows, &options);
        let whole: Vec<Vec<u8>> = rows.iter().map(packed).collect();
        let mut reader = Reader::new(&file[..]).unwrap();
        let begin = reader.header().size() as usize;
        let mut blocks = Vec::new();
        let mut first = 0;
        while let Some(block) = reader.next_stored().unwrap() {
            let range = block.offset() as usize..(block.offset() + block.size()) as usize;
            blocks.push((range, first..first + block.count() as usize));
            first += block.count() as usize;
        }
        let index = blocks.last().map_or(begin, |(range, _)| range.end);
        let mut damaged = file.clone();
        let mut hit = vec![false; blocks.len()];
        for (place, bits) in places {
            let place = begin + place.index(file.len() - begin);
            damaged[place] ^= bits;
            for (number, (range, _)) in blocks.iter().enumerate() {
                // A second change can undo the first.
                hit[number] |= range.contains(&place);
            }
        }
        let mut least = Vec::new();
        for ((range, rows), hit) in blocks.iter().zip(hit) {
            if !hit || damaged[range.clone()] == file[range.clone()] {
                least.extend_from_slice(&whole[rows.clone()]);
            }
        }
        // An integer below 2^7 is the same one with the marker of a signed format: the block is as it was.
        let is_same = (begin..index).any(|at| {
            let markers = [file[at], damaged[at]];
            matches!(markers.iter().min(), Some(0xcc..=0xcf)) && file[at].abs_diff(damaged[at]) == 4
        });
        let skip = ReadOptions::new().on_bad_block(OnBadBlock::Skip);
        let streamed = read(Reader::with_options(&damaged[..], &skip).unwrap());
        let found = read(seekable(&damaged, &skip));
        if is_same {
            for found in [&streamed, &found] {
                let mut rest = whole.iter();
                prop_assert!(found.iter().all(|row| rest.any(|other| other == row)));
            }
            return Ok(());
        }
        prop_assert_eq!(&streamed, &least);
        if damaged[index..] == file[index..] {
            prop_assert_eq!(&found, &least);
        } else {
            // A block that the index names wrongly is lost, and nothing else is read in its place.
            let mut rest = least.iter();
            prop_assert!(found.iter().all(|row| rest.any(|other| other == row)));
        }
    }
}
