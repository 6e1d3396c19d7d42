//! All readers agree on every input.

#![no_main]

use libfuzzer_sys::fuzz_target;
use packord::columns::ColumnsView;
use packord::serde::Config;
use packord::{DecodeOptions, DuplicateKey, Error, ErrorKind, Value, ValueRef, Walker};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;

/// A type with many forms: its values are not compared; reading it must not panic.
#[derive(Deserialize)]
#[allow(dead_code, reason = "only read")]
struct Shape {
    a: Option<u8>,
    b: Vec<(i16, f32)>,
    c: BTreeMap<String, Variant>,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "only read")]
enum Variant {
    Unit,
    New(Box<Variant>),
    Tuple(u8, char),
    Struct {
        x: i128,
        #[allow(clippy::option_option, reason = "nil within and without")]
        y: Option<Option<bool>>,
    },
}

fn options(choice: u8) -> DecodeOptions {
    let mut options = DecodeOptions::new();
    if choice & 1 != 0 {
        options = options.records(true);
    }
    if choice & 2 != 0 {
        options = options.duplicate_key(DuplicateKey::Error);
    }
    if choice & 4 != 0 {
        options = options.canonical(true);
    }
    if choice & 8 != 0 {
        options = options.max_depth(5).max_nodes(100).max_len(20);
    }
    if choice & 16 != 0 {
        options = options.columns(true);
    }
    options
}

fn walk(bytes: &[u8], options: &DecodeOptions) -> Result<(), Error> {
    let mut walker = Walker::with_options(bytes, options);
    while walker.next()?.is_some() {}
    walker.finish()
}

fn fault(error: &Error) -> (ErrorKind, Option<u64>) {
    (error.kind(), error.offset())
}

/// Each column is read or refused by itself; with those of a value that was read, each is read, and the first
/// is the value.
fn read_columns(view: &ColumnsView<'_>, value: Option<&Value>) {
    for column in view.columns() {
        let mut plain = Vec::new();
        let read = (
            column.nils().is_ok(),
            column.numbers().is_ok(),
            column.strs().is_ok(),
            column.expand_into(&mut plain).is_ok(),
        );
        if let Some(value) = value {
            assert_eq!(read, (true, true, true, true));
            let values = DecodeOptions::new().decode(&plain);
            if column.path().is_empty() {
                assert_eq!(values, Ok(Value::from(vec![value.clone()])));
            }
        }
    }
}

fuzz_target!(|input: &[u8]| {
    let Some((&choice, bytes)) = input.split_first() else {
        return;
    };
    let options = options(choice);
    let config = Config::new().decode_options(options.clone());
    let value = options.decode(bytes);
    let refused = value.as_ref().err().map(fault);

    assert_eq!(options.validate(bytes).err().as_ref().map(fault), refused);
    assert_eq!(walk(bytes, &options).err().as_ref().map(fault), refused);
    assert_eq!(
        config.from_slice::<IgnoredAny>(bytes).err().as_ref().map(fault),
        refused
    );
    let borrowed = options.decode_ref(bytes);
    let document = options.document(bytes);
    assert_eq!(document.as_ref().err().map(fault), refused);
    let reads_columns = choice & 16 != 0;
    match (&value, &borrowed) {
        (Ok(value), Ok(borrowed)) => assert_eq!(borrowed.to_owned(), *value),
        // A column of exts cannot be borrowed.
        (_, Err(error)) if reads_columns && error.kind() == ErrorKind::InvalidExt => {}
        (_, borrowed) => assert_eq!(borrowed.as_ref().err().map(fault), refused),
    }
    if let (Ok(value), Ok(document)) = (&value, &document) {
        // A document shows columns as an ext.
        let shown = reads_columns.then(|| options.clone().columns(false).decode(bytes).unwrap());
        assert_eq!(document.to_value(), *shown.as_ref().unwrap_or(value));
    }
    // serde calls itself, and copies the names of records: both have bounds of their own.
    match config.from_slice::<Value>(bytes) {
        Ok(through_serde) => assert_eq!(Some(&through_serde), value.as_ref().ok()),
        Err(error) if matches!(error.kind(), ErrorKind::DepthLimit | ErrorKind::LengthLimit) => {}
        Err(error) => assert_eq!(Some(fault(&error)), refused),
    }
    if let Ok(view) = ColumnsView::read(bytes) {
        read_columns(&view, value.as_ref().ok().filter(|_| choice == 16));
    }
    let _ = config.from_slice::<ValueRef<'_>>(bytes);
    let _ = config.from_slice::<Shape>(bytes);
    let _ = config.from_slice::<Vec<Variant>>(bytes);
});
