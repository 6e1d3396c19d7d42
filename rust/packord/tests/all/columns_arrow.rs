//! Tables of Arrow, from columns and back, and what is refused.

use crate::support::cases;
use packord::columns::arrow::{ArrowArrayStream, ArrowTable, from_arrow};
use packord::{DecodeOptions, EncodeOptions, ErrorKind, Timestamp, Value, from_slice, to_vec};

const ROWS: u32 = 120;

fn rows(make: impl Fn(u32) -> Value) -> Value {
    let row = |i: u32| {
        Value::from([
            ("v", make(i)),
            ("id", (1000 + i * i).into()),
            ("name", format!("n{}", i * 7).into()),
        ])
    };
    (0..ROWS).map(row).collect()
}

fn read(message: &[u8]) -> Value {
    DecodeOptions::new().columns(true).decode(message).unwrap()
}

/// Through Arrow and back, from each form in which a message can have the rows.
fn assert_comes_back(rows: &Value, wanted: &Value, name: &str) {
    let columns = EncodeOptions::new().columns(true);
    for options in [EncodeOptions::new(), columns] {
        let message = options.encode(rows).unwrap();
        let table = ArrowTable::read(message).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(table.rows(), rows.elements().count(), "{name}");
        let again = from_arrow(table.stream()).unwrap();
        assert_eq!(&read(&again), wanted, "{name}");
    }
}

fn list(items: impl IntoIterator<Item = Value>) -> Value {
    items.into_iter().collect()
}

#[test]
fn rows_of_every_type_come_back() {
    type Make = fn(u32) -> Value;
    let every: [(&str, Make); 21] = [
        ("small integers", |i| (i * 2).into()),
        ("negative integers", |i| ((i as i32 * 37) % 1000 - 500).into()),
        ("integers of 64 bits", |i| ((1_i64 << 60) + i64::from(i * i)).into()),
        ("integers from 2^63 up", |i| ((1_u64 << 63) + u64::from(i * i)).into()),
        ("floats", |i| (f64::from(i).sqrt() + 0.5).into()),
        ("decimal floats", |i| (f64::from(i) / 100.0 + 0.005).into()),
        ("short floats", |i| (i as f32 / 3.0 + 0.5).into()),
        ("strings", |i| format!("né{i}").repeat(i as usize % 3).into()),
        ("equal strings", |i| ["Oslo", "Rome", "Lima"][i as usize % 3].into()),
        ("booleans", |i| (i % 3 == 0).into()),
        ("bytes", |i| Value::from(&[i as u8, 255, 0][..=i as usize % 3])),
        ("seconds", |i| {
            Timestamp::new(1_700_000_000 + i64::from(i), 0).unwrap().into()
        }),
        ("milliseconds", |i| {
            Timestamp::new(i64::from(i) * 9, i * 1_000_000).unwrap().into()
        }),
        ("nanoseconds", |i| {
            Timestamp::new(i64::from(i) - 60, i * 7 + 1).unwrap().into()
        }),
        ("nil", |_| Value::Nil),
        ("lists", |i| list((0..i % 4).map(|j| (i + j).into()))),
        ("pairs", |i| {
            list([f64::from(i) / 4.0 + 0.1, f64::from(i * i) + 0.3].map(Value::from))
        }),
        ("mixed pairs", |i| list([format!("s{i}").into(), i.into()])),
        ("maps", |i| {
            Value::from([("x", Value::from(i)), ("y", format!("y{i}").into())])
        }),
        ("several types", |i| match i % 3 {
            0 => i.into(),
            1 => format!("s{i}").into(),
            _ => (i % 2 == 0).into(),
        }),
        ("lists of maps", |i| list([Value::from([("x", Value::from(i))])])),
    ];
    for (name, make) in every {
        let own = rows(make);
        assert_comes_back(&own, &own, name);
        let some = rows(|i| if i % 5 == 0 { Value::Nil } else { make(i) });
        assert_comes_back(&some, &some, &format!("{name} and nil"));
    }
}

#[test]
fn integers_beside_floats_become_floats_where_that_is_exact() {
    let mixed = |i: u32| {
        if i % 3 == 0 {
            i.into()
        } else {
            Value::from(f64::from(i) / 7.0)
        }
    };
    let floats = |i: u32| {
        if i % 3 == 0 {
            Value::from(f64::from(i))
        } else {
            mixed(i)
        }
    };
    assert_comes_back(&rows(mixed), &rows(floats), "floats");
    let large = |i: u32| {
        if i % 3 == 0 {
            Value::from((1_i64 << 60) + 1 + i64::from(i))
        } else {
            mixed(i)
        }
    };
    let kept = |i: u32| if i % 3 == 0 { large(i) } else { mixed(i) };
    assert_comes_back(&rows(large), &rows(kept), "integers beyond 2^53");
}

#[test]
fn missing_keys_and_nil_are_null() {
    let sparse = |i: u32| {
        let mut row = vec![("id", Value::from(i)), ("at", format!("a{}", i % 9).into())];
        match i % 4 {
            0 => {}
            1 => row.push(("note", Value::Nil)),
            _ => row.push(("note", format!("note {i}").into())),
        }
        Value::Map(row.into_iter().map(|(key, value)| (key.into(), value)).collect())
    };
    let filled = |i: u32| {
        let note = if i % 4 > 1 {
            format!("note {i}").into()
        } else {
            Value::Nil
        };
        let at = format!("a{}", i % 9);
        Value::from([("id", Value::from(i)), ("at", at.into()), ("note", note)])
    };
    let all = |make: &dyn Fn(u32) -> Value| (0..ROWS).map(make).collect::<Value>();
    assert_comes_back(&all(&sparse), &all(&filled), "missing");
}

#[test]
fn few_different_rows_are_a_table() {
    let few = |i: u32| {
        let list = list([Value::from(i % 3)]);
        let inner = Value::from([("b", Value::from(i % 3 == 0)), ("s", format!("{}", i % 3).into())]);
        let nil = if i % 3 == 1 { Value::Nil } else { Value::from(i % 3) };
        Value::from([("n", Value::from(i % 3)), ("l", list), ("m", inner), ("o", nil)])
    };
    for kinds in [1, 3, 7] {
        let own: Value = (0..600).map(|i| few(i % kinds)).collect();
        assert_comes_back(&own, &own, "few");
    }
}

#[test]
fn integers_on_both_sides_of_2_63_are_decimals() {
    let wide = |i: u32| match i % 3 {
        0 => Value::from(-i64::from(i)),
        1 => Value::from(u64::MAX - u64::from(i)),
        _ => Value::Nil,
    };
    let text = |i: u32| match wide(i) {
        Value::Nil => Value::Nil,
        number => number.to_string().into(),
    };
    assert_comes_back(&rows(wide), &rows(text), "both sides");
    let large = |i: u32| match i % 3 {
        0 => Value::from(i),
        _ => Value::from(u64::MAX - u64::from(i)),
    };
    assert_comes_back(&rows(large), &rows(large), "unsigned");
}

#[test]
fn a_stream_and_its_arrays_outlive_the_table() {
    let own = rows(|i| (f64::from(i) + 0.1).into());
    let options = EncodeOptions::new().columns(true);
    let table = ArrowTable::read(options.encode(&own).unwrap()).unwrap();
    let (first, second) = (table.stream(), table.clone().stream());
    drop(table);
    drop(second);
    let again = std::thread::spawn(move || from_arrow(first).unwrap());
    assert_eq!(read(&again.join().unwrap()), own);
}

#[test]
fn other_values_are_refused() {
    for value in [
        Value::from(7),
        Value::from([1, 2]),
        Value::from([("a", 1)]),
        (0..300).map(Value::from).collect(),
        list([Value::from([("a", 1)]), Value::Nil]),
    ] {
        let message = EncodeOptions::new().columns(true).encode(&value).unwrap();
        let error = ArrowTable::read(message).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TypeMismatch, "{value}");
        assert_eq!(error.offset(), Some(0), "{value}");
    }
    let broken: [&[u8]; 6] = [
        b"",
        b"\xc1",
        b"\x91",
        b"\x91\x81\xa1a",
        b"\xc7\x05\x5c",
        b"\x91\xc0\xc0",
    ];
    for message in broken {
        let error = ArrowTable::read(message).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TypeMismatch, "{message:?}");
    }
    let zero = to_vec(&list([Value::from([("a\0b", 1)])])).unwrap();
    let table = ArrowTable::read(zero).unwrap_err();
    assert_eq!(table.kind(), ErrorKind::TypeMismatch);
    let released = from_arrow(ArrowArrayStream::released()).unwrap_err();
    assert_eq!(released.kind(), ErrorKind::Custom);
}

#[test]
fn vectors_are_tables_or_errors() {
    let (mut tables, mut errors) = (0, 0);
    for case in cases("columns") {
        let message = case.bytes();
        let wanted = DecodeOptions::new().columns(true).decode(&message);
        match ArrowTable::read(message) {
            Ok(table) => {
                tables += 1;
                let again = from_arrow(table.stream()).unwrap();
                let wanted = wanted.unwrap_or_else(|error| panic!("{}: {error}", case.name));
                assert_eq!(
                    read(&again).elements().count(),
                    wanted.elements().count(),
                    "{}",
                    case.name
                );
            }
            Err(error) => {
                errors += 1;
                assert_eq!(error.offset(), Some(0), "{}", case.name);
            }
        }
    }
    assert!(tables > 10 && errors > 100, "{tables} tables, {errors} errors");
}

#[test]
fn payloads_changed_in_a_bit_are_tables_or_errors() {
    let make = |i: u32| match i % 4 {
        0 => Value::Nil,
        1 => i.into(),
        _ => list([Value::from([("x", Value::from(i)), ("y", format!("y{i}").into())])]),
    };
    let options = EncodeOptions::new().columns(true);
    let message = options.encode(&rows(make)).unwrap();
    assert_eq!(from_slice::<Value>(&message).unwrap().as_ext().unwrap().kind(), 92);
    let (mut tables, mut errors) = (0, 0);
    for at in 4..message.len() {
        for bit in 0..8 {
            let mut changed = message.clone();
            changed[at] ^= 1 << bit;
            match ArrowTable::read(changed) {
                Ok(table) => {
                    tables += 1;
                    let _ = from_arrow(table.stream());
                }
                Err(_) => errors += 1,
            }
        }
    }
    assert!(tables > 100 && errors > 100, "{tables} tables, {errors} errors");
}

#[test]
fn a_table_of_many_columns_with_few_values_is_refused_or_kept_as_maps() {
    // Each map has a key of its own: a table would have a million cells for each thousand.
    let own: Value = (0..20_000)
        .map(|i| Value::Map([(format!("k{i}").into(), Value::from(i))].into_iter().collect()))
        .collect();
    for columns in [false, true] {
        let message = EncodeOptions::new().columns(columns).encode(&own).unwrap();
        let error = ArrowTable::read(message).unwrap_err();
        let kind = error.kind();
        assert!(
            matches!(kind, ErrorKind::TypeMismatch | ErrorKind::LengthLimit),
            "{error}"
        );
    }
}
