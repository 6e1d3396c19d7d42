//! Values that are stored by column: the vectors of `spec/vectors/columns`, read in every way.

use crate::support::{Case, Fault, cases, expected_fault, fault, hex, place, read_all_ways, read_parts, value};
use packord::io::UnpackReader;
use packord::serde::Config;
use packord::{DecodeOptions, ErrorKind, Value, from_slice, to_vec};

fn expected(case: &Case) -> Result<Value, Fault> {
    if case.has("error") {
        return Err(expected_fault(&case.json["error"]));
    }
    Ok(value(&case.json["value"]))
}

/// Whether a case is about the payload of an ext, which a `Value` keeps; derived types read it.
fn is_only_read_into_types(case: &Case) -> bool {
    case.options().handlers && case.has("error")
}

/// Equal, and of the same types: float 32 and float 64 of the same number are equal.
fn assert_same(got: &Result<Value, Fault>, wanted: &Result<Value, Fault>, name: &str) {
    assert_eq!(got, wanted, "{name}");
    if let (Ok(got), Ok(wanted)) = (got, wanted) {
        let narrow = |value: &Value| value.to_string().matches("_f32").count();
        assert_eq!(narrow(got), narrow(wanted), "{name}");
    }
}

#[test]
fn vectors_are_read_alike_as_values_streams_and_types() {
    let mut count = 0;
    for case in cases("columns") {
        let (bytes, options, name) = (case.bytes(), case.options(), &case.name);
        if !case.has("bytes") || case.has("plain") || is_only_read_into_types(&case) {
            continue;
        }
        count += 1;
        let wanted = expected(&case);
        let read = &options.decode;
        assert_same(&read_all_ways(&bytes, read), &wanted, name);

        let typed = read.unpack::<Value>(&bytes).map_err(|error| fault(&error));
        assert_same(&typed, &wanted, name);
        let config = Config::new().decode_options(read.clone());
        let by_serde = config.from_slice::<Value>(&bytes).map_err(|error| fault(&error));
        assert_same(&by_serde, &wanted, name);

        for cut in [0, bytes.len() / 2, bytes.len().saturating_sub(1)] {
            let (values, end) = read_parts(&bytes, read, [cut]).remove(0);
            let streamed = end.map(|()| values.first().cloned().unwrap());
            assert_same(&streamed, &wanted, name);
        }
        let mut reader = UnpackReader::with_options(&bytes[..], read);
        let streamed = reader.next::<Value>().map_err(|error| fault(&error));
        assert_same(&streamed.map(Option::unwrap), &wanted, name);
    }
    assert!(count > 170, "{count}");
}

#[test]
fn expanded_messages_are_plain_and_the_same() {
    for case in cases("columns") {
        let (bytes, options, name) = (case.bytes(), case.options(), &case.name);
        if case.json["options"]["columns"] != true || case.json["options"]["canonical"] == true {
            continue;
        }
        if case.has("plain") || is_only_read_into_types(&case) {
            continue;
        }
        let expanded = options.decode.expand_columns(&bytes);
        match (expected(&case), expanded) {
            (Ok(wanted), Ok(plain)) => {
                let plain_options = options.decode.clone().columns(false);
                assert_same(&read_all_ways(&plain, &plain_options), &Ok(wanted), name);
            }
            (Err(wanted), Err(error)) => assert_eq!(fault(&error), wanted, "{name}"),
            (wanted, got) => panic!("{name}: {wanted:?}, {got:?}"),
        }
    }
}

/// 32 times 7, by column.
const SEVENS: &[u8] = b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";

#[test]
fn columns_are_an_ext_unless_they_are_switched_on() {
    let ext = from_slice::<Value>(SEVENS).unwrap();
    assert_eq!(ext.as_ext().unwrap().kind(), 92);
    assert_eq!(to_vec(&ext).unwrap(), SEVENS);
    let options = DecodeOptions::new().columns(true);
    assert_eq!(options.decode(SEVENS).unwrap(), Value::from([7; 32]));
    assert_eq!(options.unpack::<Vec<u8>>(SEVENS).unwrap(), [7; 32]);
    let ext = options.document(SEVENS).unwrap();
    assert_eq!(ext.root().to_value(), from_slice::<Value>(SEVENS).unwrap());
}

#[test]
fn a_type_that_does_not_fit_is_reported_at_the_ext() {
    let message = [b"\x92\x01", SEVENS, b"\x03"].concat();
    let options = DecodeOptions::new().columns(true).trailing(packord::Trailing::Allow);
    type Pair<T> = (u8, Vec<T>);
    assert_eq!(options.unpack::<Pair<u8>>(&message).unwrap().1, [7; 32]);
    let error = options.unpack::<Pair<String>>(&message).unwrap_err();
    assert_eq!(
        (error.kind(), error.offset(), error.path()),
        (ErrorKind::TypeMismatch, Some(2), Some("$[1]"))
    );
    let mut reader = UnpackReader::with_options(&message[..], &options);
    let error = reader.next::<Pair<bool>>().unwrap_err();
    assert_eq!(
        (error.kind(), error.offset(), error.path()),
        (ErrorKind::TypeMismatch, Some(2), Some("$[1]"))
    );
    assert_eq!(reader.next::<u8>().unwrap(), Some(3));
}

#[test]
fn payloads_cut_anywhere_or_changed_in_a_byte_are_values_or_faults_at_the_ext() {
    let options = DecodeOptions::new().columns(true);
    let mut changed = 0;
    for case in cases("columns") {
        let bytes = case.bytes();
        // An ext 8 that is the whole message: its size is a byte.
        let is_ext = bytes.first() == Some(&0xc7) && bytes.get(2) == Some(&92);
        if !is_ext || bytes.len() != 3 + usize::from(bytes[1]) {
            continue;
        }
        for end in 3..bytes.len() {
            let mut cut = bytes[..end].to_vec();
            cut[1] = (end - 3) as u8;
            assert_verdict(&cut, &options);
        }
        for at in 3..bytes.len() {
            for bit in 0..8 {
                let mut other = bytes.clone();
                other[at] ^= 1 << bit;
                assert_verdict(&other, &options);
                changed += 1;
            }
        }
    }
    assert!(changed > 10_000, "{changed}");
}

/// All ways agree, and a value has the bytes of the expanded message.
fn assert_verdict(message: &[u8], options: &DecodeOptions) {
    let read = read_all_ways(message, options);
    match options.expand_columns(message) {
        Ok(plain) => {
            let value = from_slice::<Value>(&plain).unwrap();
            assert_eq!(read.as_ref(), Ok(&value), "{}", hex(message));
        }
        Err(error) => assert_eq!(read, Err(fault(&error)), "{}", hex(message)),
    }
    if let Err((_, at, _)) = read {
        assert_eq!(at, 0, "{}", hex(message));
    }
}

#[derive(Debug, PartialEq, serde::Deserialize)]
struct Town<T> {
    id: u32,
    town: T,
}

#[test]
fn serde_reads_the_value_that_columns_stand_for() {
    let row = |i: u32| Value::from([("id", Value::from(i)), ("town", "Graz".into())]);
    let rows: Value = (0..300).map(row).collect();
    let bytes = packord::EncodeOptions::new().columns(true).encode(&rows).unwrap();
    assert_eq!(bytes[2], 0x5c);
    let config = Config::new().decode_options(DecodeOptions::new().columns(true));
    let town = |id| Town {
        id,
        town: "Graz".to_owned(),
    };
    let towns: Vec<Town<String>> = config.from_slice(&bytes).unwrap();
    assert_eq!(towns, (0..300).map(town).collect::<Vec<_>>());

    let followed = [&bytes[..], b"\x01"].concat();
    let (towns, end) = config.from_prefix::<Vec<Town<String>>>(&followed).unwrap();
    assert_eq!((towns.len(), end), (300, bytes.len()));
    let error = config.from_slice::<Vec<Town<String>>>(&followed).unwrap_err();
    assert_eq!(place(&error), ("trailing_bytes".to_owned(), end as u64));

    // Nothing is borrowed from columns; from other messages it is.
    let error = config.from_slice::<Vec<Town<&str>>>(&bytes).unwrap_err();
    assert_eq!(place(&error), ("type_mismatch".to_owned(), 0));
    let plain = packord::to_vec(&rows).unwrap();
    let towns: Vec<Town<&str>> = config.from_slice(&plain).unwrap();
    assert!(plain.as_ptr_range().contains(&towns[7].town.as_ptr()));

    // An element that does not fit is reported at the ext.
    let error = config.from_slice::<Vec<Town<u8>>>(&bytes).unwrap_err();
    assert_eq!(place(&error), ("type_mismatch".to_owned(), 0));
}
