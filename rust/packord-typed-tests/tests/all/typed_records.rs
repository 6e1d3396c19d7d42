//! Records by the traits: where maps are read, and what is no record.

use packord::serde::Config;
use packord::{DecodeOptions, Error, ErrorKind, MsgPacker, Unpackable};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::ops::Range;
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, MsgPacker, Serialize, Deserialize)]
#[msgpacker(map)]
struct Pair {
    a: u8,
    c: u8,
}

#[derive(Debug, PartialEq, MsgPacker, Serialize, Deserialize)]
enum External {
    Pair { a: u8 },
}

#[derive(Debug, PartialEq, MsgPacker, Serialize, Deserialize)]
#[msgpacker(tag = "t")]
#[serde(tag = "t")]
enum Tagged {
    Pair { a: u8 },
}

#[derive(Debug, PartialEq, MsgPacker, Serialize, Deserialize)]
#[msgpacker(untagged)]
#[serde(untagged)]
enum Untagged {
    Pair(Pair),
}

#[derive(Debug, PartialEq, MsgPacker, Serialize, Deserialize)]
#[msgpacker(map)]
struct Flat {
    #[msgpacker(flatten)]
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

fn records() -> DecodeOptions {
    DecodeOptions::new().records(true)
}

fn place(error: &Error) -> (ErrorKind, Option<u64>) {
    (error.kind(), error.offset())
}

/// Returns where typed reading and serde fail.
fn refused<T: Unpackable + DeserializeOwned + Debug>(bytes: &[u8]) -> [(ErrorKind, Option<u64>); 2] {
    let typed = records().unpack::<T>(bytes).unwrap_err();
    let serde = Config::new().records(true).from_slice::<T>(bytes).unwrap_err();
    [place(&typed), place(&serde)]
}

#[test]
fn a_wrong_value_where_a_record_may_be_is_not_passed_over() {
    let mismatch = [(ErrorKind::TypeMismatch, Some(0)); 2];
    let pair = b"\x82\xa1a\x01\xa1c\x02";
    for wrong in [&b"\x41"[..], b"\xd4\x05\0", b"\xd6\xff\0\0\0\x05", b"\xc7\x01\x05\0"] {
        for bytes in [wrong.to_vec(), [wrong, pair].concat()] {
            let name = format!("{bytes:02x?}");
            assert_eq!(refused::<Pair>(&bytes), mismatch, "{name}");
            assert_eq!(refused::<Option<Pair>>(&bytes), mismatch, "{name}");
            assert_eq!(refused::<External>(&bytes), mismatch, "{name}");
            assert_eq!(refused::<Tagged>(&bytes)[0], mismatch[0], "{name}");
            assert_eq!(refused::<Flat>(&bytes)[0], mismatch[0], "{name}");
            assert_eq!(refused::<Range<u8>>(&bytes), mismatch, "{name}");
            // serde reads the number of a variant too.
            assert_eq!(refused::<Result<u8, u8>>(&bytes)[0], mismatch[0], "{name}");
            assert_eq!(refused::<Duration>(&bytes), mismatch, "{name}");
        }
    }
    // The type comes before the payload, which is no timestamp's.
    assert_eq!(refused::<Pair>(b"\xd4\xff\0")[0], mismatch[0]);
    let two = [b"\x92\x41", &pair[..], b"\x82\xa1a\x05\xa1c\x06"].concat();
    assert_eq!(refused::<Vec<Pair>>(&two), [(ErrorKind::TypeMismatch, Some(1)); 2]);
    let mut decoder = packord::RecordDecoder::new(&records());
    let error = decoder.unpack::<Pair>(&two[1..]).unwrap_err();
    assert_eq!(place(&error), mismatch[0]);
    assert!(records().unpack::<Untagged>(&two[1..]).is_err());
}
