//! Records of derived types behave like records of values, for any bytes.

use packord::{
    DecodeOptions, DuplicateKey, EncodeOptions, MsgPacker, Packable, RecordDecoder, RecordEncoder, Structures,
    Unpackable, Value, from_slice,
};

#[derive(Clone, Debug, PartialEq, MsgPacker)]
#[msgpacker(record)]
struct Point {
    x: u8,
    y: i16,
}

/// The keys of a point in a type of its own.
#[derive(Clone, Debug, PartialEq, MsgPacker)]
#[msgpacker(record)]
struct Size {
    x: u8,
    y: i16,
}

#[derive(Clone, Debug, PartialEq, MsgPacker)]
#[msgpacker(record)]
struct Shape {
    name: String,
    points: Vec<Point>,
    size: Option<Size>,
    within: Option<Box<Shape>>,
}

#[derive(Clone, Debug, PartialEq, MsgPacker)]
#[msgpacker(record)]
struct Empty {}

type Drawing = (Vec<Shape>, Vec<Point>, Empty, u8);

fn point(x: u8) -> Point {
    Point { x, y: -i16::from(x) }
}

fn drawing() -> Drawing {
    let shape = |name: &str, within: Option<Box<Shape>>| Shape {
        name: name.into(),
        points: (60..60 + name.len() as u8).map(point).collect(),
        size: name.contains('t').then_some(Size { x: 64, y: 127 }),
        within,
    };
    let inner = shape("dot", Some(Box::new(shape("", None))));
    let shapes = vec![shape("triangle", Some(Box::new(inner))), shape("box", None)];
    (shapes, vec![point(0), point(0x40)], Empty {}, 0x41)
}

/// The same as a value, through plain maps.
fn value_of<T: Packable>(typed: &T) -> Value {
    from_slice::<Value>(&typed.pack_to_vec()).unwrap()
}

#[test]
fn bytes_are_those_of_the_writer_of_values() {
    let drawing = drawing();
    let value = value_of(&drawing);
    for max_own in [0, 1, 2, 3, 64, 100] {
        for max_keys in [1, 2, 1024] {
            let options = EncodeOptions::new()
                .records(true)
                .max_own_structures(max_own)
                .max_record_keys(max_keys);
            let bytes = options.pack(&drawing).unwrap();
            let name = format!("{max_own} structures of {max_keys} keys");
            assert_eq!(bytes, options.encode(&value).unwrap(), "{name}");
            let read = DecodeOptions::new().records(true);
            assert_eq!(read.unpack::<Drawing>(&bytes).unwrap(), drawing, "{name}");
        }
    }
}

#[test]
fn structures_outlast_messages_as_those_of_values_do() {
    let drawing = drawing();
    let value = value_of(&drawing);
    let options = EncodeOptions::new().sequential(true);
    let both = || {
        [
            RecordEncoder::new(options.max_own_structures(1)),
            RecordEncoder::new(options),
            RecordEncoder::with_shared(EncodeOptions::new(), Structures::new()),
        ]
    };
    for (mut typed, mut values) in both().into_iter().zip(both()) {
        for _ in 0..3 {
            assert_eq!(typed.pack(&drawing).unwrap(), values.encode(&value).unwrap());
        }
    }
    // Definitions of typed values and of others reach each other's messages.
    let mut encoder = RecordEncoder::new(options);
    let mut decoder = RecordDecoder::new(&DecodeOptions::new().sequential(true));
    for _ in 0..2 {
        let bytes = encoder.pack(&drawing).unwrap();
        assert_eq!(decoder.unpack::<Drawing>(&bytes).unwrap(), drawing);
        let bytes = encoder.encode(&value).unwrap();
        assert_eq!(decoder.decode(&bytes).unwrap(), value);
        // A message that fails defines nothing.
        assert!(decoder.unpack::<Point>(b"\xd4\x72\x7f\x92\xa1x\xa1y\x01").is_err());
        assert_eq!(decoder.decode(b"\x7f").unwrap(), 0x7f);
    }
}

/// Checks that typed reading accepts what the decoder of values accepts, with the same result.
fn agree(bytes: &[u8]) {
    let options = DecodeOptions::new().records(true);
    let typed = options.unpack::<Drawing>(bytes);
    match options.decode(bytes) {
        Ok(value) => {
            let plain = Drawing::unpack(&packord::to_vec(&value).unwrap());
            assert_eq!(typed.ok(), plain.ok(), "{bytes:02x?}");
        }
        Err(error) => {
            let typed = typed.expect_err("bytes that are not MessagePack are not a drawing");
            if typed.offset() == error.offset() {
                let kinds = (typed.kind(), error.kind());
                assert!(
                    kinds.0 == kinds.1 || kinds.0 == packord::ErrorKind::TypeMismatch,
                    "{kinds:?} for {bytes:02x?}"
                );
            }
        }
    }
}

#[test]
fn damaged_records_are_read_as_values_are() {
    let drawing = drawing();
    for max_own in [1, 64] {
        let options = EncodeOptions::new().records(true).max_own_structures(max_own);
        let whole = options.pack(&drawing).unwrap();
        agree(&whole);
        for at in 0..whole.len() {
            agree(&whole[..at]);
            let mut bytes = whole.clone();
            let others = *b"\x00\x3f\x40\x41\x5f\x60\x7f\x80\x81\x92\xa1\xc0\xc1\xcc\xd4\xd5\xd6\xff";
            for byte in others {
                bytes[at] = byte;
                agree(&bytes);
            }
            let mut bytes = whole.clone();
            bytes.remove(at);
            agree(&bytes);
            bytes.insert(at, whole[at]);
            bytes.insert(at, 0x40);
            agree(&bytes);
        }
    }
}

#[test]
fn limits_of_definitions_hold() {
    let bytes = EncodeOptions::new().records(true).pack(&point(1)).unwrap();
    let error = DecodeOptions::new().records(true).max_record_keys(1);
    let error = error.unpack::<Point>(&bytes).unwrap_err();
    assert_eq!((error.kind().name(), error.offset()), ("length_limit", Some(3)));
    let error = DecodeOptions::new().records(true).max_depth(0);
    let error = error.unpack::<Point>(&bytes).unwrap_err();
    assert_eq!((error.kind().name(), error.offset()), ("depth_limit", Some(0)));
}

#[derive(Debug, PartialEq, MsgPacker)]
#[msgpacker(untagged)]
enum Either {
    Flag(u8, Point, bool),
    Number(u8, Point, u8),
}

#[derive(Debug, PartialEq, MsgPacker)]
#[msgpacker(tag = "kind")]
enum Tagged {
    Dot { number: u8, point: Point },
}

#[test]
fn what_is_read_twice_defines_no_record_for_its_own_start() {
    let options = DecodeOptions::new().records(true);
    // The 0x40 is an integer, as the definition follows it.
    let define = b"\xd4\x72\x40\x92\xa1x\xa1y\x01\x02";
    let point = Point { x: 1, y: 2 };
    let bytes = [&b"\x93\x40"[..], define, b"\x05"].concat();
    let either: Either = options.unpack(&bytes).unwrap();
    assert_eq!(either, Either::Number(0x40, point.clone(), 5));

    let entries = [&b"\x83\xa6number\x40\xa5point"[..], define, b"\xa4kind\xa3Dot"];
    let tagged: Tagged = options.unpack(&entries.concat()).unwrap();
    let number = 0x40;
    assert_eq!(tagged, Tagged::Dot { number, point });
}

#[test]
fn checks_before_reading_know_the_structures() {
    let strict = DecodeOptions::new().sequential(true).duplicate_key(DuplicateKey::Error);
    let mut decoder = RecordDecoder::new(&strict);
    let define = b"\xd4\x72\x40\x92\xa1x\xa1y\x01\x02";
    let first: Point = decoder.unpack(define).unwrap();
    assert_eq!(first, Point { x: 1, y: 2 });
    let second: Point = decoder.unpack(b"\x40\x03\x04").unwrap();
    assert_eq!(second, Point { x: 3, y: 4 });
    let error = decoder.unpack::<Value>(b"\x40\x03\x82\xa1a\x01\xa1a\x02").unwrap_err();
    assert_eq!(
        (error.kind().name(), error.offset(), error.path()),
        ("duplicate_key", Some(6), Some("$.y"))
    );
}

#[test]
fn without_a_shared_list_all_structures_are_in_the_message() {
    let options = EncodeOptions::new().records(true).max_shared_structures(2);
    let point = point(1);
    let typed = options.pack(&point).unwrap();
    assert_eq!(typed, options.encode(&value_of(&point)).unwrap());
    let read = DecodeOptions::new().records(true);
    assert_eq!(read.unpack::<Point>(&typed).unwrap(), point);
    let mut encoder = RecordEncoder::new(options);
    assert_eq!(encoder.pack(&point).unwrap(), typed);
    assert!(encoder.structures().is_empty());
}

/// Ids of two bytes have indexes whose low byte is any.
#[test]
fn records_with_ids_of_two_bytes_are_read() {
    #[derive(Debug, PartialEq, MsgPacker)]
    #[msgpacker(record)]
    struct One {
        a: u8,
    }
    let options = DecodeOptions::new().records(true);
    for id in [[0x61, 2], [0x60, 0xfe], [0x7f, 0xbf], [0x7f, 0xfe]] {
        let bytes = [&b"\x92\xd5\x72"[..], &id, b"\x91\xa1a\x01", &id, b"\x02"].concat();
        let read = options.unpack::<Vec<One>>(&bytes);
        assert_eq!(read.unwrap(), [One { a: 1 }, One { a: 2 }], "{id:?}");
    }
}
