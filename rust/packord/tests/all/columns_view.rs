//! Views of columns: what they list, and each column read without the others.

use crate::support::cases;
use packord::columns::{ColumnKind, ColumnsView, EXT_TYPE, Numbers};
use packord::{DecodeOptions, EncodeOptions, ErrorKind, Ext, Timestamp, Value, from_slice, to_vec};

const N: u32 = 200;

fn row(i: u32) -> Value {
    let mut row = vec![
        ("id", (i * i).into()),
        ("price", (f64::from(i).sqrt() + 0.5).into()),
        ("name", format!("n{}é", i % 50).repeat(i as usize % 3).into()),
        ("city", ["Oslo", "Rome", "Lima"][i as usize % 3].into()),
        ("ok", (i % 3 == 0).into()),
        ("at", Timestamp::new(1_700_000_000 + i64::from(i), 0).unwrap().into()),
        (
            "place",
            [Value::from(f64::from(i) / 4.0), i.into()].into_iter().collect(),
        ),
        ("tags", (0..i % 4).map(|j| Value::from(i + j)).collect()),
        (
            "user",
            Value::from([("age", Value::from(i % 90)), ("city", format!("c{i}").into())]),
        ),
    ];
    if i % 5 != 0 {
        row.push(("note", if i % 2 == 0 { Value::Nil } else { (i * 7).into() }));
    }
    let entry = |(key, value): (&str, Value)| (key.into(), value);
    Value::Map(row.into_iter().map(entry).collect())
}

fn rows() -> Value {
    (0..N).map(row).collect()
}

/// The rows, by column.
fn message() -> Vec<u8> {
    EncodeOptions::new().columns(true).encode(&rows()).unwrap()
}

fn expanded(view: &ColumnsView<'_>, path: &str) -> Vec<Value> {
    let mut plain = Vec::new();
    view.column(path).unwrap().expand_into(&mut plain).unwrap();
    from_slice(&plain).unwrap()
}

/// Hands on the views of a message with one byte changed, as far as there are any.
fn each_damaged(message: &[u8], mut test: impl FnMut(&ColumnsView<'_>)) {
    for at in 0..message.len() {
        for flip in [1, 2, 64, 255] {
            let mut damaged = message.to_vec();
            damaged[at] ^= flip;
            if let Ok(view) = ColumnsView::read(&damaged) {
                test(&view);
            }
        }
    }
}

#[test]
fn columns_are_listed_with_paths_kinds_and_counts() {
    let paths = [
        "",
        "[]",
        "[].id",
        "[].price",
        "[].name",
        "[].city",
        "[].ok",
        "[].at",
        "[].place",
        "[].place[]",
        "[].tags",
        "[].tags[]",
        "[].user",
        "[].user.age",
        "[].user.city",
        "[].note",
    ];
    let message = message();
    let view = ColumnsView::read(&message).unwrap();
    assert_eq!(view.plain_size(), to_vec(&rows()).unwrap().len() as u64);
    let listed: Vec<String> = view.columns().map(|column| column.path()).collect();
    assert_eq!(listed, paths);
    for (at, path) in paths.iter().enumerate() {
        let found = view.column(path).unwrap();
        assert_eq!(found.path(), *path);
        assert_eq!(found.len(), view.columns().nth(at).unwrap().len());
    }
    for path in ["[].", "[].i", "[].idx", "[].place.0", "[]x", ".id", "{}"] {
        let found = view.column(path);
        assert!(found.is_none(), "{path}");
    }
    let kind = |path| view.column(path).unwrap().kind();
    assert_eq!((kind(""), kind("[]")), (ColumnKind::List, ColumnKind::Struct));
    assert_eq!((kind("[].id"), kind("[].city")), (ColumnKind::Int, ColumnKind::Dict));
    let note = view.column("[].note").unwrap();
    assert_eq!((note.len(), note.missing(), note.nils().unwrap()), (160, 40, 80));
    let id = view.column("[].id").unwrap();
    assert_eq!((id.missing(), id.nils().unwrap()), (0, 0));
    assert_eq!(view.column("[].tags[]").unwrap().len(), 300);
}

#[test]
fn a_column_tells_which_rows_have_its_key() {
    let all = rows();
    let message = message();
    let view = ColumnsView::read(&message).unwrap();
    let present = view.column("[].note").unwrap().present().unwrap().unwrap();
    let wanted: Vec<bool> = all.elements().map(|row| row.get("note").is_some()).collect();
    assert_eq!(present, wanted);
    for path in ["", "[]", "[].id", "[].place[]", "[].tags[]"] {
        assert_eq!(view.column(path).unwrap().present().unwrap(), None, "{path}");
    }
}

#[test]
fn a_column_tells_how_long_its_arrays_and_maps_are() {
    let entry = |i: u32| move |k: u32| (format!("k{}", (7 * i * i + 11 * k) % 300).into(), (i * k).into());
    let keyed = |i| Value::Map((0..3 + i % 9).map(entry(i)).collect());
    let row = |i: u32| {
        let tags: Value = (0..i % 4).map(|tag| Value::from(i * i + tag)).collect();
        Value::from([("tags", tags), ("of", keyed(i)), ("id", i.into())])
    };
    let all: Value = (0..N).map(row).collect();
    let message = EncodeOptions::new().columns(true).encode(&all).unwrap();
    let view = ColumnsView::read(&message).unwrap();
    let lengths = |path| view.column(path).unwrap().lengths().unwrap();
    assert_eq!(view.column("[].of").unwrap().kind(), ColumnKind::Map);
    assert_eq!(lengths(""), Some(vec![N as usize]));
    assert_eq!(lengths("[].tags"), Some((0..N as usize).map(|i| i % 4).collect()));
    assert_eq!(lengths("[].of"), Some((0..N as usize).map(|i| 3 + i % 9).collect()));
    for path in ["[]", "[].id", "[].of{key}", "[].tags[]"] {
        assert_eq!(lengths(path), None, "{path}");
    }
    let (mut refused, mut read) = (0, 0);
    each_damaged(&message, |view| {
        for path in ["[].tags", "[].of"] {
            match view.column(path).map(|column| column.lengths()) {
                Some(Ok(Some(lengths))) => {
                    read += 1;
                    let inner = if path == "[].of" { "{}" } else { "[]" };
                    let inner = view.column(&format!("{path}{inner}")).unwrap();
                    assert_eq!(lengths.iter().sum::<usize>(), inner.len());
                }
                Some(Err(error)) => {
                    refused += 1;
                    assert_eq!(error.kind(), ErrorKind::InvalidExt);
                }
                _ => {}
            }
        }
    });
    assert!(refused > 0 && read > 0);
}

#[test]
fn shapes_that_do_not_fit_the_rows_are_refused() {
    let row = |i: u32| {
        let keys = ["a", "b", "c"].into_iter().enumerate();
        let kept = keys.filter(|(bit, _)| (i % 7) >> bit & 1 == 1);
        Value::Map(kept.map(|(_, key)| (key.into(), i.into())).collect())
    };
    let all: Value = (0..300).map(|i| row(i * i)).collect();
    let message = EncodeOptions::new().columns(true).encode(&all).unwrap();
    let (mut refused, mut read) = (0, 0);
    each_damaged(&message, |view| {
        for column in view.columns() {
            match column.present() {
                Ok(None) => {}
                Ok(Some(rows)) => {
                    read += 1;
                    let count = rows.iter().filter(|&&is_present| is_present).count();
                    assert_eq!(count, column.len());
                    assert_eq!(rows.len(), column.len() + column.missing());
                }
                Err(error) => {
                    refused += 1;
                    assert_eq!(error.kind(), ErrorKind::InvalidExt);
                }
            }
        }
    });
    assert!(refused > 0 && read > 0, "{refused} and {read}");
}

#[test]
fn each_column_is_read_by_itself() {
    let all = rows();
    let of = |key: &str| {
        all.elements()
            .filter_map(|row| row.get(key).cloned())
            .collect::<Vec<_>>()
    };
    let message = message();
    let view = ColumnsView::read(&message).unwrap();
    for key in [
        "id", "price", "name", "city", "ok", "at", "place", "tags", "user", "note",
    ] {
        assert_eq!(expanded(&view, &format!("[].{key}")), of(key), "{key}");
    }
    assert_eq!(expanded(&view, ""), std::slice::from_ref(&all));
    let ages: Vec<Value> = of("user").iter().map(|user| user["age"].clone()).collect();
    assert_eq!(expanded(&view, "[].user.age"), ages);

    let numbers = |path| view.column(path).unwrap().numbers().unwrap();
    let ids = numbers("[].id").unwrap();
    assert_eq!(ids.to_i64().unwrap()[199], 199 * 199);
    assert_eq!(numbers("[].price").unwrap().to_f64()[4], 2.5);
    for path in ["[].note", "[].name", "[].ok", "[].user", "", "[].place"] {
        assert_eq!(numbers(path), None, "{path}");
    }
    let strs = |path: &str| view.column(path).unwrap().strs().unwrap();
    for key in ["name", "city"] {
        let path = format!("[].{key}");
        let found = strs(&path).unwrap();
        let wanted: Vec<Value> = found.iter().map(|text| text.unwrap().into()).collect();
        assert_eq!(wanted, of(key));
        // They are where the message has them.
        assert!(message.as_ptr_range().contains(&found[1].unwrap().as_ptr()));
    }
    for path in ["[].id", "[].note", "[].tags", "[].at"] {
        assert_eq!(strs(path), None, "{path}");
    }
}

/// A message with columns, at an address that is a multiple of 8.
fn aligned(message: &[u8], with: impl FnOnce(&[u8])) {
    let memory = vec![0_u8; message.len() + 8];
    let at = memory.as_ptr().align_offset(8);
    let mut memory = memory;
    memory[at..at + message.len()].copy_from_slice(message);
    with(&memory[at..at + message.len()]);
}

#[test]
fn numbers_that_are_aligned_are_in_place() {
    let message = message();
    let root = 2.5_f64.to_le_bytes();
    let prices = message.windows(8).position(|word| word == root).unwrap();
    for shift in 0..8 {
        aligned(&[&vec![0; shift][..], &message].concat(), |shifted| {
            let view = ColumnsView::read(&shifted[shift..]).unwrap();
            let prices_at = (prices + shift) % 8;
            let numbers = view.column("[].price").unwrap().numbers().unwrap().unwrap();
            let is_aligned = cfg!(target_endian = "little") && prices_at == 0;
            assert_eq!(numbers.is_in_place(), is_aligned, "{shift}");
            assert_eq!(numbers.to_f64()[4], 2.5);
        });
    }
    let view = ColumnsView::read(&message).unwrap();
    let ids = view.column("[].id").unwrap().numbers().unwrap().unwrap();
    assert!(matches!(ids, Numbers::I64(_)) && !ids.is_in_place());
}

/// A table of one column, `v`.
fn table_of(n: u32, value: impl Fn(u32) -> Value) -> Value {
    let row = |i| Value::from([("i", Value::from(i)), ("v", value(i))]);
    (0..n).map(row).collect()
}

/// The name of the type of numbers in a column.
fn type_of(value: fn(u32) -> Value) -> String {
    let options = EncodeOptions::new().columns(true);
    let message = options.encode(&table_of(600, value)).unwrap();
    let view = ColumnsView::read(&message).unwrap();
    let values: Vec<Value> = (0..600).map(value).collect();
    assert_eq!(expanded(&view, "[].v"), values);
    let numbers = view.column("[].v").unwrap().numbers().unwrap();
    let Some(numbers) = numbers else {
        return "none".into();
    };
    format!("{numbers:?}").split('(').next().unwrap().to_owned()
}

#[test]
fn numbers_have_the_type_that_holds_all() {
    assert_eq!(type_of(|i| (i * i % 251).into()), "U8");
    assert_eq!(type_of(|i| (i64::from(i * i % 251) - 100).into()), "I64");
    assert_eq!(type_of(|i| (i * i * i).into()), "U32");
    assert_eq!(type_of(|i| (u64::MAX - u64::from(i * i)).into()), "U64");
    assert_eq!(type_of(|i| (i as f32).sqrt().into()), "F32");
    assert_eq!(type_of(|i| (f64::from(i) / 8.0 + 0.1).into()), "F64");
    // A dictionary, of which the numbers are those of the entries.
    assert_eq!(type_of(|i| (f64::from(i % 3) * 1e300).into()), "F64");
    assert_eq!(type_of(|i| if i % 9 == 0 { Value::Nil } else { i.into() }), "none");
    assert_eq!(type_of(|i| if i % 9 == 0 { 0.5.into() } else { i.into() }), "none");
}

#[test]
fn strings_with_nil_and_of_every_length_are_slices() {
    let value = |i: u32| match i % 5 {
        0 => Value::Nil,
        1 => "with\0zero".into(),
        _ => "x".repeat(i as usize).into(),
    };
    let options = EncodeOptions::new().columns(true);
    let message = options.encode(&table_of(100, value)).unwrap();
    let view = ColumnsView::read(&message).unwrap();
    let column = view.column("[].v").unwrap();
    let strs = column.strs().unwrap().unwrap();
    assert_eq!(column.nils().unwrap(), 20);
    for (i, text) in (0..).zip(strs) {
        assert_eq!(text.map_or(Value::Nil, Value::from), value(i));
    }
}

fn message_of(payload: &[u8]) -> Vec<u8> {
    to_vec(&Value::from(Ext::new(EXT_TYPE, payload))).unwrap()
}

/// Reads all that a view has. Faults are `invalid_ext` at the ext.
fn read_all(message: &[u8]) -> bool {
    let view = match ColumnsView::read(message) {
        Ok(view) => view,
        Err(error) => {
            assert_eq!(error.offset(), Some(0));
            return false;
        }
    };
    let mut is_whole = true;
    for column in view.columns() {
        let mut plain = Vec::new();
        let read = [
            column.nils().map(drop),
            column.numbers().map(drop),
            column.strs().map(drop),
            column.expand_into(&mut plain),
        ];
        for error in read.iter().filter_map(|read| read.as_ref().err()) {
            assert_eq!(error.kind(), ErrorKind::InvalidExt);
            assert_eq!(error.offset(), Some(0));
            is_whole = false;
        }
        if read[3].is_ok() {
            let read = DecodeOptions::new().validate(&plain);
            assert!(read.is_ok(), "{}: {read:?}", column.path());
        }
    }
    is_whole
}

#[test]
fn every_valid_payload_has_its_value_as_the_first_column() {
    let mut count = 0;
    for case in cases("columns") {
        let options = DecodeOptions::new().columns(true);
        let bytes = case.bytes();
        let Ok(view) = ColumnsView::read(&bytes) else {
            continue;
        };
        let Ok(value) = options.decode(&bytes) else {
            continue;
        };
        assert_eq!(expanded(&view, ""), [value], "{}", case.name);
        assert!(read_all(&bytes), "{}", case.name);
        count += 1;
    }
    assert!(count > 50, "{count}");
}

#[test]
fn damaged_payloads_are_refused_and_nothing_else() {
    let message = message();
    let begin = message.len() - 3 - payload_size(&message);
    let payload = &message[begin + 3..];
    for at in (1..payload.len()).step_by(7) {
        let mut damaged = payload.to_vec();
        damaged[at] ^= 1 << (at % 8);
        let message = message_of(&damaged);
        let is_valid = DecodeOptions::new().columns(true).validate(&message).is_ok();
        let is_whole = read_all(&message);
        assert!(is_whole || !is_valid, "byte {at}");
        read_all(&message_of(&payload[..at]));
    }
}

fn payload_size(message: &[u8]) -> usize {
    match message[0] {
        0xc7 => message[1].into(),
        0xc8 => u16::from_be_bytes([message[1], message[2]]).into(),
        marker => panic!("{marker:x}"),
    }
}

#[test]
fn other_messages_are_not_columns() {
    let of = |message: &[u8]| ColumnsView::read(message).unwrap_err().kind();
    let message = message();
    assert_eq!(of(b""), ErrorKind::Eof);
    assert_eq!(of(b"\xc1"), ErrorKind::ReservedMarker);
    for cut in 1..message.len() {
        let error = ColumnsView::read(&message[..cut]).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Eof, Some(cut as u64)));
    }
    let error = ColumnsView::read(&[&message[..], &[0]].concat()).unwrap_err();
    assert_eq!(
        (error.kind(), error.offset()),
        (ErrorKind::TrailingBytes, Some(message.len() as u64))
    );
    assert_eq!(of(b"\x91\x01"), ErrorKind::TypeMismatch);
    assert_eq!(of(b"\xd4\x5d\x01"), ErrorKind::TypeMismatch);
    assert_eq!(of(b"\xd4\x5c\x02"), ErrorKind::TypeMismatch); // a version of another time
    assert_eq!(of(b"\xc7\x00\x5c"), ErrorKind::InvalidExt);
    let large = b"\xc7\x09\x5c\x01\xcd\xff\xff\x01\x00\x01\x00\x01";
    assert_eq!(of(large), ErrorKind::LengthLimit);
    let error = ColumnsView::read_bounded(large, 1 << 20).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidExt);
}
