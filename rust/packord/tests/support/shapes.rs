//! Types of many forms, and checks that must hold for any bytes. Used by the tests and by the fuzz
//! target `typed`.

use packord::{EncodeOptions, ErrorKind, MsgPacker, MsgPackerBorrowed, Packable, Timestamp, Unpackable};
use packord::{UnpackableBorrowed, Value, from_slice};
use std::collections::BTreeMap;

/// Takes any message, as `Value` does.
#[derive(MsgPacker)]
#[msgpacker(untagged)]
enum Any {
    Nil(()),
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(String),
    Bytes(#[msgpacker(binary)] Vec<u8>),
    List(Vec<Any>),
    Map(#[msgpacker(map)] Vec<(Any, Any)>),
    Time(Timestamp),
    Ext(packord::Ext<Box<[u8]>>),
}

#[derive(MsgPacker)]
#[msgpacker(map)]
struct Row {
    id: u64,
    #[msgpacker(default)]
    name: String,
    delta: Option<i16>,
    parts: Vec<(i8, f32)>,
    #[msgpacker(flatten)]
    rest: BTreeMap<String, Shape>,
}

#[derive(MsgPacker)]
struct Line(u8, Option<i32>, [u16; 3], BTreeMap<u8, String>, char);

#[derive(MsgPacker)]
enum Shape {
    Unit,
    New(Box<Shape>),
    Tuple(u8, Vec<i64>),
    Struct { x: i128, y: Option<bool> },
}

#[derive(MsgPacker)]
#[msgpacker(tag = "type", deny_unknown_fields)]
enum Tagged {
    Circle { radius: f64 },
    Square { side: u32, filled: Option<bool> },
}

#[derive(MsgPackerBorrowed)]
#[msgpacker(map)]
struct Excerpt<'a> {
    text: &'a str,
    #[msgpacker(binary)]
    bytes: Option<&'a [u8]>,
    more: Vec<&'a str>,
}

/// Writes a value, and integers beyond 64 bits too.
fn packed<T: Packable>(value: &T) -> Vec<u8> {
    EncodeOptions::new().bigint(true).pack(value).unwrap()
}

/// Checks that a type accepts only valid messages, and that a value is read back as it was written.
fn owned<T: Packable + Unpackable>(bytes: &[u8], valid: bool) {
    if let Ok(value) = T::unpack(bytes) {
        assert!(valid, "{bytes:x?}");
        let bytes = packed(&value);
        let again = T::unpack(&bytes).unwrap_or_else(|error| panic!("{error}: {bytes:x?}"));
        assert_eq!(packed(&again), bytes);
    }
}

pub fn check(bytes: &[u8]) {
    let value = from_slice::<Value>(bytes);
    let valid = value.is_ok();
    match (&value, Any::unpack(bytes)) {
        (Ok(_), Ok(any)) => {
            let bytes = packed(&any);
            assert!(from_slice::<Value>(&bytes).is_ok());
            owned::<Any>(&bytes, true);
        }
        // An ext of type −1 is read unchanged.
        (Err(error), Ok(_)) => assert_eq!(error.kind(), ErrorKind::InvalidTimestamp, "{bytes:x?}"),
        // Trying variants has a budget, and frames without optimisation have little stack.
        (Ok(_), Err(error)) => assert!(
            matches!(error.kind(), ErrorKind::DepthLimit | ErrorKind::LengthLimit),
            "{error}: {bytes:x?}"
        ),
        (Err(_), Err(_)) => {}
    }
    owned::<Row>(bytes, valid);
    owned::<Line>(bytes, valid);
    owned::<Shape>(bytes, valid);
    owned::<Tagged>(bytes, valid);
    owned::<Vec<Option<f32>>>(bytes, valid);
    owned::<BTreeMap<String, Vec<u64>>>(bytes, valid);
    if let Ok(text) = <Excerpt as UnpackableBorrowed>::unpack(bytes) {
        assert!(valid, "{bytes:x?}");
        let packed = text.pack_to_vec();
        assert!(<Excerpt as UnpackableBorrowed>::unpack(&packed).is_ok());
    }
}

/// Messages that the types accept, to begin with.
pub fn seeds() -> Vec<Vec<u8>> {
    let row = Row {
        id: 1 << 40,
        name: "a name".to_owned(),
        delta: Some(-300),
        parts: vec![(-1, 0.5), (100, -0.0)],
        rest: BTreeMap::from([
            ("unit".to_owned(), Shape::Unit),
            (
                "new".to_owned(),
                Shape::New(Box::new(Shape::Tuple(200, vec![-1, 1 << 40]))),
            ),
        ]),
    };
    let line = Line(
        200,
        Some(70_000),
        [1, 2, 60_000],
        BTreeMap::from([(1, "é".to_owned())]),
        '€',
    );
    vec![
        row.pack_to_vec(),
        line.pack_to_vec(),
        packed(&Shape::Struct {
            x: 1 << 100,
            y: Some(true),
        }),
        Tagged::Circle { radius: 1.5 }.pack_to_vec(),
        Tagged::Square { side: 3, filled: None }.pack_to_vec(),
        Excerpt {
            text: "text",
            bytes: Some(b"\x00\xff"),
            more: vec!["", "x"],
        }
        .pack_to_vec(),
        vec![Some(1.5_f32), None].pack_to_vec(),
        vec![Timestamp::new(-1, 5).unwrap()].pack_to_vec(),
    ]
}
