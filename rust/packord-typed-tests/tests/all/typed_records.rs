//! Records by the traits: they are read where maps are, and other values there are refused.

use packord::io::UnpackReader;
use packord::serde::Config;
use packord::{DecodeOptions, Error, ErrorKind, MsgPacker, RecordDecoder, Unpackable, Value};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::collections::{BTreeMap, HashMap};
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
    // The type comes before the payload, which is wrong for a timestamp.
    assert_eq!(refused::<Pair>(b"\xd4\xff\0")[0], mismatch[0]);
    let two = [b"\x92\x41", &pair[..], b"\x82\xa1a\x05\xa1c\x06"].concat();
    assert_eq!(refused::<Vec<Pair>>(&two), [(ErrorKind::TypeMismatch, Some(1)); 2]);
    let mut decoder = RecordDecoder::new(&records());
    let error = decoder.unpack::<Pair>(&two[1..]).unwrap_err();
    assert_eq!(place(&error), mismatch[0]);
    assert!(records().unpack::<Untagged>(&two[1..]).is_err());
}

/// A type of map that is not of the standard library.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Entries(Vec<(String, u8)>);

impl FromIterator<(String, u8)> for Entries {
    fn from_iter<I: IntoIterator<Item = (String, u8)>>(entries: I) -> Entries {
        Entries(entries.into_iter().collect())
    }
}

impl<'e> IntoIterator for &'e Entries {
    type Item = &'e (String, u8);
    type IntoIter = std::slice::Iter<'e, (String, u8)>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[derive(Debug, PartialEq, MsgPacker)]
struct Marked {
    #[msgpacker(map)]
    entries: Entries,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, MsgPacker, Serialize, Deserialize)]
#[msgpacker(rename_all = "lowercase")]
#[serde(rename_all = "lowercase")]
enum Name {
    A,
    C,
}

fn both<T: Unpackable + DeserializeOwned + Debug + PartialEq>(bytes: &[u8]) -> T {
    let typed = records().unpack::<T>(bytes).unwrap();
    assert_eq!(Config::new().records(true).from_slice::<T>(bytes), Ok(typed));
    records().unpack::<T>(bytes).unwrap()
}

#[test]
fn maps_read_records() {
    let pair = b"\xd4\x72\x40\x92\xa1a\xa1c\x01\x02";
    let names = || ["a".to_owned(), "c".to_owned()].into_iter().zip([1, 2]);
    assert_eq!(both::<BTreeMap<String, u8>>(pair), names().collect());
    assert_eq!(
        both::<HashMap<Box<str>, u8>>(pair),
        names().map(|(name, of)| (name.into(), of)).collect()
    );
    assert_eq!(both::<BTreeMap<char, u8>>(pair), BTreeMap::from([('a', 1), ('c', 2)]));
    assert_eq!(
        both::<BTreeMap<Name, u8>>(pair),
        BTreeMap::from([(Name::A, 1), (Name::C, 2)])
    );
    assert_eq!(both::<Flat>(pair).rest, names().collect());
    let marked = records().unpack::<Marked>(&[b"\x91", &pair[..]].concat()).unwrap();
    assert_eq!(marked.entries.0, names().collect::<Vec<_>>());

    // Records within records, of which one defines the structure of the other again.
    let nested = b"\xd4\x72\x40\x92\xa1a\xa1c\xd4\x72\x40\x91\xa1b\x01\x40\x02";
    type Nested = BTreeMap<String, BTreeMap<String, u8>>;
    let inner = |of| BTreeMap::from([("b".to_owned(), of)]);
    assert_eq!(
        both::<Nested>(nested),
        BTreeMap::from([("a".to_owned(), inner(1)), ("c".to_owned(), inner(2))])
    );

    let duration = b"\xd4\x72\x40\x92\xa4secs\xa5nanos\x01\x02";
    assert_eq!(both::<Duration>(duration), Duration::new(1, 2));

    let mut decoder = RecordDecoder::new(&records().sequential(true));
    let one = |of| BTreeMap::from([("a".to_owned(), of)]);
    assert_eq!(
        decoder
            .unpack::<BTreeMap<String, u8>>(b"\xd4\x72\x40\x91\xa1a\x01")
            .unwrap(),
        one(1)
    );
    assert_eq!(decoder.unpack::<BTreeMap<String, u8>>(b"\x40\x02").unwrap(), one(2));
    let stream = b"\xd4\x72\x40\x91\xa1a\x01\xd4\x72\x40\x91\xa1a\x02";
    let mut reader = UnpackReader::with_options(&stream[..], &records());
    assert_eq!(reader.unpack::<BTreeMap<String, u8>>().unwrap(), Some(one(1)));
    assert_eq!(reader.unpack::<BTreeMap<String, u8>>().unwrap(), Some(one(2)));
    assert_eq!(reader.unpack::<BTreeMap<String, u8>>().unwrap(), None);
}

#[test]
fn faults_of_records_that_maps_read_are_told() {
    let told = |bytes: &[u8]| {
        let error = records()
            .unpack::<BTreeMap<String, BTreeMap<Name, u8>>>(bytes)
            .unwrap_err();
        let detail = error.detail().map(str::to_owned);
        (error.kind(), error.offset(), error.path().map(str::to_owned), detail)
    };
    let fault =
        |kind, at, path: &str, detail: Option<&str>| (kind, Some(at), Some(path.into()), detail.map(Into::into));
    let begin = b"\xd4\x72\x40\x91\xa1x\xd4\x72\x41\x91\xa1";
    let wrong_value = fault(
        ErrorKind::TypeMismatch,
        12,
        "$.x.a",
        Some("expected an integer, found nil"),
    );
    assert_eq!(told(&[&begin[..], b"a\xc0"].concat()), wrong_value);
    let wrong_name = fault(ErrorKind::TypeMismatch, 6, "$.x", Some("unknown variant \"b\""));
    assert_eq!(told(&[&begin[..], b"b\x01"].concat()), wrong_name);
    assert_eq!(
        told(&[&begin[..], b"a"].concat()),
        fault(ErrorKind::Eof, 12, "$.x", None)
    );
    let of_x = b"\xd4\x72\x40\x91\xa1x\x01";
    assert_eq!(
        refused::<BTreeMap<u8, u8>>(of_x),
        [(ErrorKind::TypeMismatch, Some(0)); 2]
    );
    assert_eq!(
        refused::<BTreeMap<Name, u8>>(of_x),
        [(ErrorKind::TypeMismatch, Some(0)); 2]
    );
    assert_eq!(
        refused::<BTreeMap<String, bool>>(of_x),
        [(ErrorKind::TypeMismatch, Some(6)); 2]
    );
}

/// Each record of one byte copies all names.
#[test]
fn names_are_copied_within_a_limit() {
    let name = "x".repeat(1 << 20);
    let definition = [
        b"\xd4\x72\x40\x91\xdb".as_slice(),
        &(1_u32 << 20).to_be_bytes(),
        name.as_bytes(),
    ]
    .concat();
    let many = |count: u16| {
        let head = [0xdc, count.to_be_bytes()[0], count.to_be_bytes()[1]];
        let rest = b"\x40\x01".repeat(usize::from(count) - 1);
        [&head[..], &definition, b"\x01", &rest].concat()
    };
    let read = |bytes: &[u8]| {
        let maps = records().unpack::<Vec<BTreeMap<String, u8>>>(bytes).map(drop);
        let flat = records().unpack::<Vec<Flat>>(bytes).map(drop);
        let serde = Config::new()
            .records(true)
            .from_slice::<Vec<BTreeMap<String, u8>>>(bytes)
            .map(drop);
        [maps, flat, serde].map(|outcome| outcome.map_err(|error| (error.kind(), error.detail().map(str::to_owned))))
    };
    assert_eq!(read(&many(33)), [Ok(()), Ok(()), Ok(())]);
    let words = Some("names of record fields are copied too often".to_owned());
    let refused = || Err((ErrorKind::LengthLimit, words.clone()));
    assert_eq!(read(&many(40)), [refused(), refused(), refused()]);
}

#[derive(Debug, PartialEq, MsgPacker, Serialize, Deserialize)]
#[msgpacker(map)]
struct Holds {
    v: Value,
}

/// The path of a fault within a value of any type is that of the message, as without records.
#[test]
fn faults_within_values_have_their_paths() {
    fn check<T: Unpackable + DeserializeOwned + Debug>(bytes: &[u8]) {
        let told = |error: Error| (place(&error), error.path().map(str::to_owned));
        let wanted = told(records().decode(bytes).unwrap_err());
        assert_eq!(told(records().unpack::<T>(bytes).unwrap_err()), wanted, "{bytes:02x?}");
        let mut decoder = RecordDecoder::new(&records());
        assert_eq!(told(decoder.unpack::<T>(bytes).unwrap_err()), wanted, "{bytes:02x?}");
        let serde = Config::new().records(true).from_slice::<T>(bytes);
        assert_eq!(told(serde.unwrap_err()), wanted, "{bytes:02x?}");
    }
    let whole = b"\xd4\x72\x40\x91\xa1v\x93\x40\x01\xd4\x72\x40\x92\xa1a\xa1b\x91\xc0\x81\x01\xa1x\x40\x05\x91\x06";
    assert!(records().decode(whole).is_ok());
    for at in 6..whole.len() {
        check::<Value>(&whole[..at]);
        check::<Holds>(&whole[..at]);
        check::<BTreeMap<String, Value>>(&whole[..at]);
        let damaged = [&whole[..at], b"\xc1", &whole[at + 1..]].concat();
        if records().decode(&damaged).is_err() {
            check::<Value>(&damaged);
            check::<Vec<Value>>(&[b"\x92\xc0", &damaged[..]].concat());
            check::<Holds>(&damaged);
            check::<BTreeMap<String, Value>>(&damaged);
        }
    }
    check::<Value>(b"\x91\xc1");
    check::<packord::RawMessage>(b"\x91\xc1");
    check::<Holds>(b"\x81\xa1v\x91\xc1");
    // An entry without a field is skipped.
    check::<Holds>(b"\xd4\x72\x40\x92\xa1x\xa1v\x91\xc1\xc0");
}
