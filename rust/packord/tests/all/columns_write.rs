//! Columns are written as `spec/columns.md` section 6 says, and read back as the same values.

use crate::small_stacks::on_stack;
use crate::support::{cases, expand_hex, hex, structures, unhex};
use crate::tables::{Source, check, table};
use packord::notation::{self, ParseOptions};
use packord::serde::Config;
use packord::{DecodeOptions, EncodeOptions, ErrorKind, Ext, RecordEncoder, Structures, Value, to_vec, value};
use proptest::prelude::*;

fn columns() -> EncodeOptions {
    EncodeOptions::new().columns(true)
}

/// Rows of a table, each of some 40 bytes.
fn rows(count: u64) -> Value {
    (0..count)
        .map(|row| value!({"id": row, "name": format!("name {row}"), "size": row * row % 977}))
        .collect()
}

#[test]
fn options_are_shown_without_addresses() {
    let reading = DecodeOptions::new().columns(true);
    let config = Config::new().encode_options(columns()).decode_options(&reading);
    let shown = format!("{:?} {reading:?} {config:?}", columns());
    assert!(shown.contains("columns") && !shown.contains("0x"), "{shown}");
}

/// The example of 12 rows in section 8.
const EXAMPLE: &str = "
    c7a45c01cd025c6d0242070c01200c08 04aa6f70656e5f746f646179a474696d
    65a463697479ab74656d706572617475 726501000c01300acd03e845370a0202
    0a0101000203020123d1fea2c3c2c3c2 c3c3c3c3c3c2c3c34f736c6f00477261
    7a21004f736c6f00426f6e6e00506f00 526f6d6500004c696d61005769656e00
    4d65747a004e696365004261726900fb 0dc0c000000703c201580271029001b6
    034c047e048a02";

#[test]
fn vectors_are_written() {
    let mut count = 0;
    for case in cases("columns") {
        if !case.has("plain") {
            continue;
        }
        count += 1;
        let (bytes, plain, name) = (case.bytes(), expand_hex(&case.json["plain"]), &case.name);
        let options = case.options();
        let value = DecodeOptions::new().decode(&plain).unwrap();
        let mut read = options.decode.clone();
        if let Some(shared) = &options.shared {
            let mut encoder = RecordEncoder::with_shared(options.encode, shared.clone());
            assert_eq!(hex(&encoder.encode(&value).unwrap()), hex(&bytes), "{name}");
            assert_eq!(*encoder.structures(), structures(&case.json["shared_after"]));
            read = read.shared_structures(encoder.into_structures());
        } else {
            let written = options.encode.encode(&value).unwrap();
            assert!(written == bytes, "{name}: {} {}", hex(&written), hex(&bytes));
            assert_eq!(options.encode.pack(&value).unwrap(), bytes, "{name}");
        }
        let back = read.decode(&bytes).unwrap();
        assert!(to_vec(&back).unwrap() == plain, "{name}");
    }
    assert!(count > 240, "{count}");
}

#[test]
fn the_example_of_the_specification_is_written() {
    let bytes = unhex(&EXAMPLE.split_whitespace().collect::<String>());
    let value = DecodeOptions::new().columns(true).decode(&bytes).unwrap();
    assert_eq!(to_vec(&value).unwrap().len(), 604);
    assert_eq!(columns().encode(&value).unwrap(), bytes);
    assert!(check(&value) < 604);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn tables_are_read_back(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        check(&table(&mut Source::new(&bytes), 0));
    }
}

#[test]
fn most_tables_are_columns() {
    let seeds = (0..200_u32).map(|seed| seed.wrapping_mul(0x9e37_79b9).to_be_bytes());
    let tables = seeds.map(|seed| table(&mut Source::new(&seed), 0));
    let large: Vec<Value> = tables.filter(|table| to_vec(table).unwrap().len() >= 512).collect();
    let taken = large.iter().filter(|table| check(table) < to_vec(table).unwrap().len());
    let (taken, count) = (taken.count(), large.len());
    assert!(count > 50 && taken > count / 2, "{taken} of {count}");
}

#[test]
fn canonical_has_no_columns() {
    let rows = rows(100);
    let canonical = EncodeOptions::new().canonical(true);
    assert_eq!(
        canonical.columns(true).encode(&rows).unwrap(),
        canonical.encode(&rows).unwrap()
    );
}

#[test]
fn floats_are_narrow_in_columns_too() {
    let floats: Value = (0..300).map(|i| f64::from(i) / 4.0).collect();
    let options = columns().float32(true);
    let bytes = options.encode(&floats).unwrap();
    assert!(bytes.len() < to_vec(&floats).unwrap().len());
    assert_eq!(options.pack(&floats).unwrap(), bytes);
    let config = packord::serde::Config::new().encode_options(options);
    assert_eq!(config.to_vec(&floats).unwrap(), bytes);
    let back = DecodeOptions::new().columns(true).decode(&bytes).unwrap();
    assert!(back.elements().all(|float| matches!(float, Value::F32(_))));
}

#[test]
fn an_ext_of_the_type_of_columns_stays_as_it_is() {
    let ours = columns().encode(&rows(100)).unwrap();
    let ext = DecodeOptions::new().decode(&ours).unwrap();
    assert_eq!(ext.as_ext().unwrap().kind(), 92);
    let message = Value::from(vec![rows(100), ext.clone(), rows(100)]);
    let bytes = columns().encode(&message).unwrap();
    assert_eq!(bytes, [&b"\x93"[..], &ours, &ours, &ours].concat());

    let mut list: Vec<Value> = rows(100).elements().cloned().collect();
    list.push(ext);
    let list = Value::from(list);
    assert_eq!(columns().encode(&list).unwrap(), to_vec(&list).unwrap());
}

#[test]
fn errors_are_those_without_columns() {
    let message = value!({"rows": rows(100), "bad": [Value::from(Ext::new(0x72, b"\x40"))]});
    for options in [columns().records(true), EncodeOptions::new().records(true)] {
        let error = options.encode(&message).unwrap_err();
        let found = (error.kind(), error.path());
        assert_eq!(found, (ErrorKind::UnsupportedType, Some("$.bad[0]")));
    }
    let mut encoder = RecordEncoder::new(columns());
    let error = encoder.encode(&message).unwrap_err();
    assert_eq!(error.path(), Some("$.bad[0]"));
    assert!(columns().encode(&message).is_ok());

    let error = columns().max_depth(1).encode(&rows(100)).unwrap_err();
    let found = (error.kind(), error.path());
    assert_eq!(found, (ErrorKind::DepthLimit, Some("$[0]")));

    let mut space = [0; 100];
    let error = columns().encode_to_slice(&rows(100), &mut space);
    assert_eq!(error.unwrap_err().kind(), ErrorKind::BufferFull);
}

#[test]
fn columns_beside_records_use_no_structures() {
    let head = |n: u64| value!({"n": n, "at": 70});
    let message = |n: u64| value!([head(n), {"rows": rows(100)}, head(n + 1)]);
    let payload = columns().encode(&rows(100)).unwrap();

    let mut encoder = RecordEncoder::with_shared(columns(), Structures::new());
    let bytes = encoder.encode(&message(1)).unwrap();
    let expected = [&b"\x93\x40\x01\xcc\x46\x41"[..], &payload, b"\x40\x02\xcc\x46"];
    assert_eq!(bytes, expected.concat());
    assert_eq!(encoder.structures().len(), 2);
    let shared = encoder.into_structures();
    let read = DecodeOptions::new().columns(true).shared_structures(shared);
    assert_eq!(read.decode(&bytes).unwrap(), message(1));

    let options = columns().records(true).sequential(true);
    let mut encoder = RecordEncoder::new(options);
    let first = encoder.encode(&message(1)).unwrap();
    let second = encoder.encode(&message(2)).unwrap();
    assert!(first.starts_with(b"\x93\xd4\x72\x40\x92\xa1n\xa2at\x01\xcc\x46\xd4\x72\x41"));
    assert!(second.starts_with(b"\x93\x40\x02\xcc\x46\x41"));
}

#[test]
fn more_structures_than_ids() {
    // Each shape is defined again once its id was given to another.
    let shapes = |count: u64, from: u64| (0..count).map(move |i| Value::from([(format!("{}", (i + from) % 90), i)]));
    let outer: Value = shapes(7, 0).chain([rows(50)]).chain(shapes(7, 80)).collect();
    let message: Value = (0..7).map(|i| Value::from(vec![outer.clone(), i.into()])).collect();
    for own in [0, 1, 5, 64, 70] {
        let options = EncodeOptions::new().records(true).max_own_structures(own);
        let bytes = options.columns(true).encode(&message).unwrap();
        let read = DecodeOptions::new().records(true).columns(true);
        assert_eq!(to_vec(&read.decode(&bytes).unwrap()), to_vec(&message), "{own}");
        assert!(bytes.len() < options.encode(&message).unwrap().len());
    }
}

#[test]
fn messages_in_larger_formats_stay_the_same_values() {
    // Keys, lengths and integers in the largest formats.
    let mut row = b"\xdf\0\0\0\x02\xdb\0\0\0\x01a\xd3\0\0\0\0\0\0\0\x07".to_vec();
    row.extend(b"\xd9\x01b\xc9\0\0\0\x04\xff\0\0\0\x09");
    let mut message = b"\xdd\0\0\0\x40".to_vec();
    for i in 0..64 {
        if i % 2 == 0 {
            message.extend(b"\x82\xa1a\x08\xa1b\xd6\xff\0\0\0\x05");
        } else {
            message.extend(&row);
        }
    }
    let bytes = columns().repack(&message).unwrap();
    assert!(bytes.len() < message.len());
    let read = DecodeOptions::new().columns(true);
    let value = DecodeOptions::new().decode(&message).unwrap();
    assert_eq!(read.decode(&bytes).unwrap(), value);

    for end in 0..message.len() {
        let error = columns().repack(&message[..end]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Eof);
    }
    let options = columns().max_depth(1);
    let error = options.repack(&message).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::DepthLimit, Some(5)));
    let canonical = columns().canonical(true).repack(b"\x82\xa1b\x01\xa1a\x02");
    assert_eq!(canonical.unwrap(), b"\x82\xa1a\x02\xa1b\x01");
}

#[test]
fn a_small_stack_is_enough() {
    fn deep(levels: usize) -> Value {
        let mut value = rows(20);
        for _ in 0..levels {
            value = Value::from(vec![value.clone(), rows(2), 1.into(), "a".into(), value]);
        }
        value
    }
    let mut narrow = rows(100);
    for _ in 0..900 {
        narrow = Value::from(vec![narrow]);
    }
    let values = [deep(9), narrow];
    let bytes: usize = on_stack(128, move || {
        values.iter().map(|value| columns().encode(value).unwrap().len()).sum()
    });
    assert!(bytes > 0);
}

#[test]
fn many_different_keys_take_linear_time() {
    let wide: Value = (0..60_u64)
        .map(|row| {
            let key = |key: u64| Value::from(format!("{}", row * 3000 + key));
            let keys = (0..3000).map(|n| (key(n), Value::from(n)));
            Value::Map(keys.collect())
        })
        .collect();
    let plain = to_vec(&wide).unwrap();
    let bytes = columns().records(true).encode(&wide).unwrap();
    let read = DecodeOptions::new().columns(true).records(true);
    assert_eq!(to_vec(&read.decode(&bytes).unwrap()).unwrap(), plain);
}

#[test]
fn notation_of_columns_is_read_back_as_the_same_bytes() {
    let only_columns = serde_json::json!({"columns": true});
    let mut count = 0;
    for case in cases("columns") {
        if !case.has("plain") || case.json["options"] != only_columns {
            continue;
        }
        let bytes = case.bytes();
        let options = DecodeOptions::new().columns(true);
        let text = notation::to_text_with(&bytes, &options, false).unwrap();
        assert!(notation::parse(&text).unwrap() == bytes, "{}: {text}", case.name);
        count += usize::from(text.contains("columns("));
        let kept = notation::to_text(&bytes).unwrap();
        assert!(notation::parse(&kept).unwrap() == bytes, "{}", case.name);
    }
    assert!(count > 100, "{count}");
}

#[test]
fn notation_of_columns_has_plain_values_alone() {
    let written = notation::parse("columns([1, 2])").unwrap();
    assert_eq!(hex(&written), "c70a5c01030301020003920102");
    let floats = notation::parse("[columns({\"a\": 1.5_f32}), columns(ext(92, h'00'))]").unwrap();
    assert_eq!(floats[0], 0x92);
    let records = ParseOptions::new().records(true);
    let both = r#"[#64["a"](1), columns(100), #64(100)]"#;
    let bytes = notation::parse_with(both, &records).unwrap();
    assert!(bytes.ends_with(b"\x00\x01\x64\x40\xcc\x64"), "{}", hex(&bytes));
    for (text, column, why) in [
        ("columns(1_u16)", 9, "_f32 is the only suffix"),
        ("columns([1]_array16)", 9, "_f32 is the only suffix"),
        ("columns(\"a\"_str8)", 9, "_f32 is the only suffix"),
        ("columns(ext(5, h'00')_ext8)", 9, "_f32 is the only suffix"),
        ("columns(columns(1))", 9, "columns in columns"),
        ("columns(#64[\"a\"](1))", 9, "records are off"),
        ("columns()", 9, "expected a value"),
        ("columns(", 9, "expected a value"),
        ("columns(1, 2)", 10, "expected the closing round bracket"),
        ("columns([1)", 11, "expected a comma or the closing bracket"),
        ("columns(1)_ext8", 1, "suffix is for another type"),
        ("columns(str(h'ff'))", 1, "cannot be stored by column"),
        ("columns([ext(-1, h'00')])", 1, "cannot be stored by column"),
        ("columns", 8, "expected an opening round bracket"),
    ] {
        let error = notation::parse_with(text, &records).unwrap_err();
        assert_eq!((error.line(), error.column()), (1, column), "{text}: {error}");
        assert!(error.message().contains(why), "{text}: {error}");
    }
}
