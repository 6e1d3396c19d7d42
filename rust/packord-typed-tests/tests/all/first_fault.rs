//! Types report the first fault of the bytes, as reading a value of any type does.

use packord::{DecodeOptions, Error, Ext, MsgPacker, RawMessage, Unpackable, Value, ValueRef};
use serde::Deserialize;
use std::fmt::Debug;

#[derive(Debug, PartialEq, MsgPacker, Deserialize)]
#[msgpacker(map)]
struct Named {
    a: u8,
}

#[derive(Debug, PartialEq, MsgPacker, Deserialize)]
struct Placed {
    a: u8,
    b: String,
}

fn place<T: Debug>(outcome: Result<T, Error>) -> String {
    let error = outcome.unwrap_err();
    format!("{} at {:?} {:?}", error.kind(), error.offset(), error.path())
}

#[test]
fn what_is_passed_over_is_read_to_its_first_fault() {
    type Holder = (u8, Value, u8, u8);
    fn passed<T: Unpackable + Debug>(bytes: &[u8]) {
        let value = DecodeOptions::new().decode(bytes);
        assert_eq!(place(T::unpack(bytes)), place(value), "{bytes:02x?}");
    }
    // Not as many bytes follow as values are announced.
    for fault in [
        &b"\xc1\0"[..],
        b"\xd4\xff\0",
        b"\xa1\xff",
        b"\xd9\x02\xff\xff",
        b"\x92\x01\xc1",
        b"\x92\xa1a\x05",
        b"\x92\xa3abc\xa5x",
        b"\xa5ab",
        b"\x81\xa1k\x92\x01\x02",
        b"\xcd\x01",
    ] {
        passed::<Named>(&[b"\x84\xa1a\x01\xa1x", fault].concat());
        passed::<Named>(&[b"\x83\xa1a\x01", fault].concat());
        passed::<Placed>(&[b"\x95\x01\xa1b", fault].concat());
        passed::<Holder>(&[b"\x94\x01", fault].concat());
        passed::<(u8, RawMessage, u8, u8)>(&[b"\x94\x01", fault].concat());
        let borrowed = [b"\x94\x01", fault].concat();
        let borrowed = <(u8, ValueRef, u8, u8) as packord::UnpackableBorrowed>::unpack(&borrowed);
        assert_eq!(place(borrowed), place(Holder::unpack(&[b"\x94\x01", fault].concat())));
    }
}

#[test]
fn a_timestamp_is_no_ext_and_a_malformed_one_is_a_fault() {
    let both = |bytes: &[u8]| {
        let typed = <Ext as Unpackable>::unpack(bytes).unwrap_err().to_string();
        let by_serde = packord::from_slice::<Ext>(bytes).unwrap_err().to_string();
        assert_eq!(typed, by_serde);
        typed
    };
    for malformed in [&b"\xd4\xff\0"[..], b"\xc7\x0c\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\0"] {
        assert!(both(malformed).starts_with("invalid_timestamp at byte 0"));
    }
    let found = both(b"\xd6\xff\0\0\0\x05");
    assert!(found.ends_with("expected another ext, found timestamp"), "{found}");
    assert_eq!(<Ext as Unpackable>::unpack(b"\xd4\x05\0").unwrap(), Ext::new(5, b"\0"));
}
