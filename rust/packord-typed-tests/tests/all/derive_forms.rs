//! Attributes of forms: adjacent tags, transparent types, keys that are integers.

use packord::serde::Config;
use packord::{DecodeOptions, EncodeOptions, ErrorKind, MsgPacker, Packable, Unpackable};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, MsgPacker, serde::Serialize, serde::Deserialize)]
#[msgpacker(map, tag = "t", content = "c")]
#[serde(tag = "t", content = "c")]
enum Shape {
    Empty,
    Circle(u8),
    Maybe(Option<u8>),
    Line(u8, u8),
    Square { side: u8 },
    Group(Vec<Shape>),
}

#[test]
fn adjacent_tags_have_the_bytes_of_serde() {
    let all = [
        (Shape::Empty, &b"\x81\xa1t\xa5Empty"[..]),
        (Shape::Circle(3), b"\x82\xa1t\xa6Circle\xa1c\x03"),
        (Shape::Maybe(None), b"\x82\xa1t\xa5Maybe\xa1c\xc0"),
        (Shape::Line(1, 2), b"\x82\xa1t\xa4Line\xa1c\x92\x01\x02"),
        (Shape::Square { side: 4 }, b"\x82\xa1t\xa6Square\xa1c\x81\xa4side\x04"),
    ];
    for (shape, bytes) in all {
        assert_eq!(shape.pack_to_vec(), bytes);
        assert_eq!(Shape::unpack(bytes).unwrap(), shape);
        for end in 0..bytes.len() {
            let error = Shape::unpack(&bytes[..end]).unwrap_err();
            assert_eq!((error.kind(), error.offset()), (ErrorKind::Eof, Some(end as u64)));
        }
        assert_eq!(packord::serde::from_slice::<Shape>(bytes).unwrap(), shape);
        let group = Shape::Group(vec![shape.clone(), Shape::Empty]);
        assert_eq!(Shape::unpack(&group.pack_to_vec()).unwrap(), group);
        assert_eq!(Config::new().to_vec(&shape).unwrap(), bytes);
    }
}

#[test]
fn tag_and_content_can_be_anywhere() {
    let read = |bytes: &[u8]| Shape::unpack(bytes);
    assert_eq!(
        read(b"\x83\xa1c\x03\xa1x\xc0\xa1t\xa6Circle").unwrap(),
        Shape::Circle(3)
    );
    assert_eq!(read(b"\x82\xa1t\xa5Empty\xa1c\xc0").unwrap(), Shape::Empty);
    assert_eq!(read(b"\x81\xa1t\xa5Maybe").unwrap(), Shape::Maybe(None));
    // The last content counts, as for every key.
    assert_eq!(
        read(b"\x83\xa1c\x03\xa1t\xa6Circle\xa1c\x04").unwrap(),
        Shape::Circle(4)
    );
    let shown = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    let mismatch = "value has an unexpected type";
    assert_eq!(
        shown(b"\x81\xa1t\xa6Circle"),
        format!("type_mismatch at byte 0 ($): {mismatch}: missing field \"c\"")
    );
    assert_eq!(
        shown(b"\x81\xa1c\x03"),
        format!("type_mismatch at byte 0 ($): {mismatch}: missing field \"t\"")
    );
    assert_eq!(
        shown(b"\x82\xa1t\xa4Line\xa1c\x92\x01\xa0"),
        format!("type_mismatch at byte 12 ($.c[1]): {mismatch}: expected an integer, found str")
    );
    assert_eq!(
        shown(b"\x82\xa1t\xa3Dot\xa1c\x01"),
        format!("type_mismatch at byte 0 ($): {mismatch}: unknown variant \"Dot\"")
    );
    assert_eq!(
        shown(b"\xdf\xff\xff\xff\xff"),
        "eof at byte 5 ($): input ends before the message does"
    );
}

#[test]
fn contents_before_tags_stay_linear() {
    let (mut bytes, mut levels) = (b"\x81\xa1t\xa5Empty".to_vec(), 0);
    while levels < 300 {
        bytes = [b"\x82\xa1c\x91", &bytes[..], b"\xa1t\xa5Group"].concat();
        levels += 1;
    }
    let began = std::time::Instant::now();
    assert_eq!(Shape::unpack(&bytes).unwrap_err().kind(), ErrorKind::LengthLimit);
    assert!(began.elapsed().as_secs() < 10);
}

#[derive(Debug, PartialEq, MsgPacker)]
#[msgpacker(transparent)]
struct Meters {
    value: Option<u32>,
    #[msgpacker(skip)]
    cached: bool,
}

#[derive(Debug, PartialEq, MsgPacker)]
#[msgpacker(map)]
struct Trip {
    far: Meters,
}

#[test]
fn a_transparent_struct_is_its_field() {
    let meters = Meters {
        value: Some(300),
        cached: false,
    };
    assert_eq!(meters.pack_to_vec(), b"\xcd\x01\x2c");
    assert_eq!(Meters::unpack(b"\xcd\x01\x2c").unwrap(), meters);
    let trip = Trip { far: meters };
    assert_eq!(trip.pack_to_vec(), b"\x81\xa3far\xcd\x01\x2c");
    assert_eq!(Trip::unpack(b"\x80").unwrap().far.value, None);
    let error = Trip::unpack(b"\x81\xa3far\xa0").unwrap_err();
    assert_eq!((error.path(), error.offset()), (Some("$.far"), Some(5)));
}

#[derive(Debug, Default, PartialEq, MsgPacker)]
#[msgpacker(map)]
struct Sparse {
    #[msgpacker(key = 3, alias = "size")]
    size: u32,
    #[msgpacker(key = -1, default)]
    low: u8,
    #[msgpacker(key = 0x1_0000_0000)]
    wide: Option<String>,
    named: bool,
}

#[test]
fn maps_have_integers_as_keys() {
    let sparse = Sparse {
        size: 7,
        low: 1,
        wide: Some("w".into()),
        named: true,
    };
    let bytes = sparse.pack_to_vec();
    assert_eq!(bytes, b"\x84\x03\x07\xff\x01\xcf\0\0\0\x01\0\0\0\0\xa1w\xa5named\xc3");
    assert_eq!(Sparse::unpack(&bytes).unwrap(), sparse);
    // In any order, in any encoding, beside keys that are not fields.
    let other = b"\x86\xa5named\xc3\xcd\x00\x05\xc0\xd1\xff\xff\x01\xc0\x01\xcf\0\0\0\x01\0\0\0\0\xa1w\xd3\0\0\0\0\0\0\0\x03\x07";
    assert_eq!(Sparse::unpack(other).unwrap(), sparse);
    let aliased = b"\x83\xcf\xff\xff\xff\xff\xff\xff\xff\xff\x01\xa4size\x09\xa5named\xc2";
    assert_eq!(
        Sparse::unpack(aliased).unwrap(),
        Sparse {
            size: 9,
            ..Sparse::default()
        }
    );
    for end in 0..other.len() {
        assert_eq!(Sparse::unpack(&other[..end]).unwrap_err().offset(), Some(end as u64));
    }
    let error = Sparse::unpack(b"\x81\x03\xa0").unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::TypeMismatch, Some("$.size")));
    let error = Sparse::unpack(b"\x81\xc1\xa0").unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::ReservedMarker, Some(1)));
    // A record has names, and never integers.
    let records = EncodeOptions::new().records(true);
    let record = records.encode(&packord::Value::from([("3", 1), ("size", 2)])).unwrap();
    let error = DecodeOptions::new()
        .records(true)
        .unpack::<Sparse>(&record)
        .unwrap_err();
    assert_eq!(error.path(), Some("$"));
    let packed = records.pack(&sparse).unwrap();
    assert_eq!(
        DecodeOptions::new().records(true).unpack::<Sparse>(&packed).unwrap(),
        sparse
    );
}

#[derive(Debug, MsgPacker)]
#[msgpacker(map, deny_unknown_fields)]
struct Exact {
    #[msgpacker(key = 1)]
    a: u8,
    #[msgpacker(flatten)]
    rest: BTreeMap<String, u8>,
}

#[test]
fn integers_without_a_field_can_be_denied() {
    assert_eq!(Exact::unpack(b"\x82\x01\x05\xa1x\x06").unwrap().rest["x"], 6);
    let error = Exact::unpack(b"\x82\x01\x05\x02\x06").unwrap_err();
    assert_eq!(error.detail(), Some("unknown field 2"));
    assert_eq!(error.offset(), Some(3));
}

#[derive(Debug, PartialEq, MsgPacker)]
struct Gaps {
    #[msgpacker(key = 4)]
    last: Option<u8>,
    #[msgpacker(key = 1, default = seven)]
    early: u8,
    #[msgpacker(skip)]
    skipped: u8,
    #[msgpacker(key = 2)]
    middle: u8,
}

fn seven() -> u8 {
    7
}

#[test]
fn arrays_have_positions() {
    let gaps = Gaps {
        last: Some(5),
        early: 1,
        skipped: 0,
        middle: 2,
    };
    let bytes = b"\x95\xc0\x01\x02\xc0\x05";
    assert_eq!(gaps.pack_to_vec(), bytes);
    assert_eq!(Gaps::unpack(bytes).unwrap(), gaps);
    for end in 0..bytes.len() {
        assert_eq!(Gaps::unpack(&bytes[..end]).unwrap_err().offset(), Some(end as u64));
    }
    // What is in the gaps, and after the end, is skipped; nil is the default of a field that has one.
    let other = Gaps::unpack(b"\x96\x92\x01\x02\xc0\x02\x80\xc0\x01").unwrap();
    assert_eq!(
        other,
        Gaps {
            last: None,
            early: 7,
            skipped: 0,
            middle: 2
        }
    );
    assert_eq!(Gaps::unpack(b"\x93\xc0\x01\x02").unwrap().last, None);
    let error = Gaps::unpack(b"\x92\xc0\x01").unwrap_err();
    assert_eq!(
        (error.path(), error.detail()),
        (Some("$"), Some("missing field \"middle\""))
    );
    let error = Gaps::unpack(b"\x93\xc0\x01\xc0").unwrap_err();
    assert_eq!((error.path(), error.offset()), (Some("$.middle"), Some(3)));
    let error = Gaps::unpack(b"\x93\xc1\x01\xc0").unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::ReservedMarker, Some(1)));
    for header in [&b"\x95\xdd\xff\xff\xff\xff\0\0\0\0\0"[..], b"\xdd\xff\xff\xff\xff"] {
        assert_eq!(Gaps::unpack(header).unwrap_err().kind(), ErrorKind::Eof);
    }
}

/// One unnamed field with a key is an array, as its position says something.
#[derive(Debug, PartialEq, MsgPacker)]
struct Second(#[msgpacker(key = 1)] u8);

#[derive(Debug, PartialEq, MsgPacker)]
enum Command {
    Move(#[msgpacker(key = 2)] i8, #[msgpacker(key = 0)] i8),
}

#[test]
fn tuples_have_positions() {
    assert_eq!(Second(5).pack_to_vec(), b"\x92\xc0\x05");
    assert_eq!(Second::unpack(b"\x92\xc0\x05").unwrap(), Second(5));
    let bytes = Command::Move(1, 2).pack_to_vec();
    assert_eq!(bytes, b"\x81\xa4Move\x93\x02\xc0\x01");
    assert_eq!(Command::unpack(&bytes).unwrap(), Command::Move(1, 2));
}
