//! A sample of what depends on the width of pointers and the order of bytes, without files: an
//! interpreter checks it.

use packord::{MsgPacker, Packable, Timestamp, Unpackable, Value, from_slice, to_vec};
use serde::{Deserialize, Serialize};

#[derive(MsgPacker, Serialize, Deserialize, PartialEq, Debug)]
struct Row {
    id: u64,
    size: i64,
    ratio: f64,
    name: String,
    numbers: Vec<u16>,
    sizes: Vec<usize>,
    wide: Option<i32>,
}

fn rows() -> Vec<Row> {
    [0_u64, 0x7f, 0x80, 0x1234, 0x1234_5678, 0x1234_5678_9abc_def0]
        .into_iter()
        .map(|id| Row {
            id,
            size: -(id as i64 >> 1),
            ratio: id as f64 / 3.0,
            name: "é€".repeat((id % 50) as usize),
            numbers: (0..20).map(|n| n * 3001).collect(),
            sizes: vec![0, 255, 65_536],
            wide: i32::try_from(id).ok(),
        })
        .collect()
}

#[test]
fn numbers_have_the_bytes_of_the_format() {
    assert_eq!(0x1234_u16.pack_to_vec(), b"\xcd\x12\x34");
    assert_eq!(0x1234_5678_u32.pack_to_vec(), b"\xce\x12\x34\x56\x78");
    assert_eq!((-0x1234_i32).pack_to_vec(), b"\xd1\xed\xcc");
    assert_eq!(1.5_f64.pack_to_vec(), b"\xcb\x3f\xf8\0\0\0\0\0\0");
    let numbers = [1_u32, 0x80, 0x1234, 0x1234_5678];
    let bytes = b"\x94\x01\xcc\x80\xcd\x12\x34\xce\x12\x34\x56\x78";
    assert_eq!(numbers.pack_to_vec(), bytes);
    assert_eq!(packord::serde::to_vec(&numbers).unwrap(), bytes);
    assert_eq!(to_vec(&Value::from(numbers)).unwrap(), bytes);
    assert_eq!(<[u32; 4]>::unpack(bytes).unwrap(), numbers);
    let at = Timestamp::new(0x1_2345_6789, 5).unwrap();
    assert_eq!(at.pack_to_vec(), b"\xd7\xff\0\0\0\x15\x23\x45\x67\x89");
    assert_eq!(Timestamp::unpack(&at.pack_to_vec()).unwrap(), at);
}

#[test]
fn rows_are_read_back_in_each_way() {
    let rows = rows();
    let bytes = rows.pack_to_vec();
    assert_eq!(Vec::<Row>::unpack(&bytes).unwrap(), rows);
    assert_eq!(packord::serde::from_slice::<Vec<Row>>(&bytes).unwrap(), rows);
    let maps = packord::serde::to_vec(&rows).unwrap();
    assert_eq!(Vec::<Row>::unpack(&maps).unwrap(), rows);
    let value = from_slice::<Value>(&maps).unwrap();
    assert_eq!(to_vec(&value).unwrap(), maps);
    assert_eq!(value[5]["id"], 0x1234_5678_9abc_def0_u64);
}

#[test]
fn lengths_beyond_the_pointer_are_the_end_of_the_input() {
    for bytes in [
        &b"\xc6\xff\xff\xff\xff"[..],
        b"\xdb\xff\xff\xff\xff",
        b"\xc9\xff\xff\xff\xff\x05",
        b"\xdd\xff\xff\xff\xff",
        b"\xdf\xff\xff\xff\xff",
    ] {
        let error = from_slice::<Value>(bytes).unwrap_err();
        let place = (error.kind().name(), error.offset());
        assert_eq!(place, ("eof", Some(bytes.len() as u64)));
        assert!(Vec::<Row>::unpack(bytes).is_err());
        assert!(packord::serde::from_slice::<Vec<Row>>(bytes).is_err());
    }
    let wide = (u64::MAX, "x").pack_to_vec();
    let size = <(usize, String)>::unpack(&wide);
    assert_eq!(size.is_ok(), usize::BITS == 64);
}
