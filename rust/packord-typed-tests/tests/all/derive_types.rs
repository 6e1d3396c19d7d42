//! Derived types are written and read back by every function.

use packord::typed::TimestampLike;
use packord::{
    DecodeOptions, EncodeOptions, MsgPacker, MsgPackerBorrowed, MsgUnpackerBorrowed, Packable, RecordDecoder,
    RecordEncoder, Structures, Timestamp, Unpackable, Value,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::fmt::Debug;
use std::time::{Duration, SystemTime};

/// Checks that every function reads the value, writes the same bytes, and reports each cut as
/// `eof`.
fn check<T: Packable + Unpackable + PartialEq + Debug>(value: &T) {
    let bytes = value.pack_to_vec();
    assert_eq!(&T::unpack(&bytes).unwrap(), value);
    let (len, again) = T::unpack_iter(bytes.iter().copied().chain([0xc1])).unwrap();
    assert_eq!((len, &again), (bytes.len(), value));
    let mut appended = vec![7];
    assert_eq!(value.pack(&mut appended), bytes.len());
    assert_eq!(appended[1..], bytes);
    let mut space = vec![0xee; bytes.len() + 3];
    for room in 0..=bytes.len() {
        let packed = value.pack_to_slice(&mut space[..room]);
        assert_eq!(packed.is_ok(), room == bytes.len(), "room {room}");
        assert!(space[room..].iter().all(|&byte| byte == 0xee));
    }
    assert_eq!(space[..bytes.len()], bytes);
    for end in 0..bytes.len() {
        let error = T::unpack(&bytes[..end]).unwrap_err();
        assert!(error.is_eof(), "{error} of {end}");
        assert_eq!(error.offset(), Some(end as u64));
    }
    let mut longer = bytes.clone();
    longer.push(0xc0);
    assert_eq!(T::unpack(&longer).unwrap_err().kind().name(), "trailing_bytes");
    // Wider encodings of the same value are the same value.
    assert_eq!(
        &T::unpack(&widen(&packord::from_slice::<packord::Value>(&bytes).unwrap())).unwrap(),
        value
    );
}

/// The widest encoding of everything.
fn widen(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    match value {
        Value::Int(int) => match int.as_i64() {
            Some(int) => out.extend([&[0xd3][..], &int.to_be_bytes()].concat()),
            None => out.extend([&[0xcf][..], &int.as_u64().unwrap().to_be_bytes()].concat()),
        },
        Value::Str(text) => {
            out.extend([&[0xdb][..], &(text.len() as u32).to_be_bytes(), text.as_bytes()].concat());
        }
        Value::Bin(bytes) => {
            out.extend([&[0xc6][..], &(bytes.len() as u32).to_be_bytes(), bytes].concat());
        }
        Value::Array(items) => {
            out.extend([&[0xdd][..], &(items.len() as u32).to_be_bytes()].concat());
            items.iter().for_each(|item| out.extend(widen(item)));
        }
        Value::Map(map) => {
            out.extend([&[0xdf][..], &(map.len() as u32).to_be_bytes()].concat());
            for (key, item) in map {
                out.extend(widen(&Value::from(
                    key.as_str().map_or_else(|| panic!("str keys"), str::to_owned),
                )));
                out.extend(widen(item));
            }
        }
        other => out = packord::to_vec(other).unwrap(),
    }
    out
}

#[derive(Clone, Debug, PartialEq, MsgPacker)]
struct All {
    a: Option<u8>,
    b: i16,
    c: f64,
    d: String,
    e: Vec<u8>,
    f: Vec<Option<String>>,
    g: (u64, bool),
    h: [i32; 3],
    i: BTreeMap<String, Vec<u16>>,
    j: Inner,
    k: Vec<Kind>,
    l: char,
    m: (),
}

#[derive(Clone, Debug, PartialEq, MsgPacker)]
#[msgpacker(map, rename_all = "SCREAMING_SNAKE_CASE")]
struct Inner {
    first_name: String,
    #[msgpacker(skip_if = Option::is_none)]
    age: Option<u32>,
    #[msgpacker(timestamp)]
    at: Option<i64>,
    #[msgpacker(flatten)]
    rest: BTreeMap<String, i64>,
}

#[derive(Clone, Debug, PartialEq, MsgPacker)]
enum Kind {
    Unit,
    New(u32),
    Tuple(i8, String),
    Struct { x: f32, next: Option<Box<Kind>> },
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{0,40}", "\\PC{0,12}"]
}

fn kind() -> impl Strategy<Value = Kind> {
    let leaf = prop_oneof![
        Just(Kind::Unit),
        any::<u32>().prop_map(Kind::New),
        (any::<i8>(), text()).prop_map(|(a, b)| Kind::Tuple(a, b)),
    ];
    leaf.prop_recursive(4, 8, 1, |inner| {
        (-1e9_f32..1e9, proptest::option::of(inner.prop_map(Box::new))).prop_map(|(x, next)| Kind::Struct { x, next })
    })
}

fn inner() -> impl Strategy<Value = Inner> {
    let rest = proptest::collection::btree_map("[a-z]{1,8}", any::<i64>(), 0..4);
    (text(), any::<Option<u32>>(), any::<Option<i64>>(), rest).prop_map(|(first_name, age, at, rest)| Inner {
        first_name,
        age,
        at,
        rest,
    })
}

prop_compose! {
    fn all()(
        (a, b, c, d, e) in (any::<Option<u8>>(), any::<i16>(), -1e300_f64..1e300, text(), any::<Vec<u8>>()),
        (f, g, h) in (proptest::collection::vec(proptest::option::of(text()), 0..20), any::<(u64, bool)>(), any::<[i32; 3]>()),
        i in proptest::collection::btree_map(text(), any::<Vec<u16>>(), 0..4),
        j in inner(),
        k in proptest::collection::vec(kind(), 0..4),
        l in any::<char>(),
    ) -> All {
        All { a, b, c, d, e, f, g, h, i, j, k, l, m: () }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn all_types_read_back_what_was_written(value in all()) {
        check(&value);
    }

    #[test]
    fn bytes_of_any_kind_do_no_harm(bytes in any::<Vec<u8>>()) {
        let _ = All::unpack(&bytes);
        let _ = Vec::<Inner>::unpack(&bytes);
        let _ = Vec::<Kind>::unpack_iter(bytes.iter().copied());
        let _ = DecodeOptions::new().records(true).unpack::<Vec<Tagged>>(&bytes);
        let _ = Vec::<Untagged>::unpack(&bytes);
    }

    #[test]
    fn mutated_bytes_do_no_harm(value in all(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = value.pack_to_vec();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(read) = All::unpack(&bytes) {
            prop_assert!(packord::validate(&bytes).is_ok());
            prop_assert_eq!(All::unpack(&read.pack_to_vec()).is_ok(), true);
        }
    }

    #[test]
    fn integers_of_128_bits_read_back(value in any::<i128>(), shift in 0_u32..128, other in any::<u128>()) {
        let options = EncodeOptions::new().bigint(true);
        let (value, other) = (value >> shift, other >> shift);
        prop_assert_eq!(i128::unpack(&options.pack(&value).unwrap()).unwrap(), value);
        prop_assert_eq!(u128::unpack(&options.pack(&other).unwrap()).unwrap(), other);
    }
}

#[derive(Clone, Debug, PartialEq, MsgPacker)]
#[msgpacker(tag = "type", rename_all = "lowercase")]
enum Tagged {
    Stop,
    Move { x: i8, y: i8 },
    Item(Item),
}

#[derive(Clone, Debug, PartialEq, MsgPacker)]
#[msgpacker(record)]
struct Item {
    id: u8,
    name: String,
}

#[derive(Clone, Debug, PartialEq, MsgPacker)]
#[msgpacker(untagged)]
enum Untagged {
    None,
    Number(i64),
    List(Vec<Untagged>),
    Item(Item),
}

fn items(count: u8) -> Vec<Item> {
    (0..count)
        .map(|id| Item {
            id: id + 60,
            name: format!("item {id}"),
        })
        .collect()
}

#[test]
fn enums_of_all_forms_read_back() {
    check(&vec![
        Tagged::Stop,
        Tagged::Move { x: 1, y: -1 },
        Tagged::Item(items(1).remove(0)),
    ]);
    check(&vec![
        Untagged::None,
        Untagged::Number(5),
        Untagged::List(vec![Untagged::Item(items(1).remove(0))]),
    ]);
    let late = b"\x83\xa1x\x01\xa1y\x02\xa4type\xa4move";
    assert_eq!(Tagged::unpack(late).unwrap(), Tagged::Move { x: 1, y: 2 });
    assert_eq!(
        Tagged::unpack(b"\x81\xa1x\x01").err().unwrap().detail(),
        Some("missing field \"type\"")
    );
}

#[test]
fn records_read_back_what_was_written() {
    let items = items(20);
    let (write, read) = (EncodeOptions::new().records(true), DecodeOptions::new().records(true));
    let bytes = write.pack(&items).unwrap();
    assert!(bytes.len() < items.pack_to_vec().len());
    assert_eq!(read.unpack::<Vec<Item>>(&bytes).unwrap(), items);
    // The bytes are those of the writer of values, which reads them as well.
    let value = packord::from_slice::<packord::Value>(&items.pack_to_vec()).unwrap();
    assert_eq!(write.encode(&value).unwrap(), bytes);
    assert_eq!(read.unpack::<Value>(&bytes).unwrap(), value);
    // Keys in another order are found by name, and plain maps are read too.
    let turned = b"\xd4\x72\x40\x92\xa4name\xa2id\xa1a\x05";
    assert_eq!(
        read.unpack::<Item>(turned).unwrap(),
        Item {
            id: 5,
            name: "a".into()
        }
    );
    assert_eq!(read.unpack::<Vec<Item>>(&items.pack_to_vec()).unwrap(), items);
    for end in 0..bytes.len() {
        assert!(read.unpack::<Vec<Item>>(&bytes[..end]).unwrap_err().is_eof());
    }
    let mut encoder = RecordEncoder::with_shared(EncodeOptions::new(), Structures::new());
    let first = encoder.pack(&items).unwrap();
    let shared = encoder.into_structures();
    assert_eq!(shared.len(), 1);
    let mut decoder = RecordDecoder::new(&DecodeOptions::new().shared_structures(shared));
    assert_eq!(decoder.unpack::<Vec<Item>>(&first).unwrap(), items);
    assert_eq!(decoder.unpack::<Vec<Item>>(&first).unwrap(), items);
}

#[derive(Debug, PartialEq, MsgPackerBorrowed)]
#[msgpacker(map)]
struct Borrowed<'a, T> {
    name: &'a str,
    #[msgpacker(binary)]
    bytes: &'a [u8],
    #[msgpacker(binary)]
    more: Option<&'a [u8]>,
    list: Vec<&'a str>,
    item: T,
}

#[derive(Debug, PartialEq, MsgPacker, MsgUnpackerBorrowed)]
struct Both(u8, String);

#[test]
fn borrowed_fields_lie_in_the_input() {
    let value = Borrowed {
        name: "x",
        bytes: b"12",
        more: None,
        list: vec!["a", "b"],
        item: Both(1, "q".into()),
    };
    let bytes = value.pack_to_vec();
    let read = <Borrowed<'_, Both> as packord::UnpackableBorrowed>::unpack(&bytes).unwrap();
    assert_eq!(read, value);
    assert!(bytes.as_ptr_range().contains(&read.name.as_ptr()));
}

#[test]
fn conversions_lose_nothing() {
    assert_eq!(i64::unpack(b"\xcc\xc8").unwrap(), 200);
    assert_eq!(u32::unpack(b"\xd0\x05").unwrap(), 5);
    assert_eq!(f64::unpack(b"\x01").unwrap(), 1.0);
    assert_eq!(f64::unpack(b"\xca\x3f\xc0\0\0").unwrap(), 1.5);
    assert_eq!(f32::unpack(b"\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a").unwrap(), 0.1);
    for (bytes, name) in [
        (&b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff"[..], "out_of_range"),
        (b"\xcb\0\0\0\0\0\0\0\0", "type_mismatch"),
        (b"\xc1", "reserved_marker"),
        (b"\xa1a", "type_mismatch"),
    ] {
        assert_eq!(i64::unpack(bytes).unwrap_err().kind().name(), name);
    }
    assert_eq!(u8::unpack(b"\xff").unwrap_err().kind().name(), "out_of_range");
    assert_eq!(
        f64::unpack(b"\xcf\x7f\xff\xff\xff\xff\xff\xff\xff")
            .unwrap_err()
            .kind()
            .name(),
        "out_of_range"
    );
    assert_eq!(String::unpack(b"\xa2a\xff").unwrap_err().offset(), Some(2));
    assert_eq!(
        Option::<Option<u8>>::unpack(&Some(None::<u8>).pack_to_vec()).unwrap(),
        None
    );
}

#[test]
fn types_of_the_standard_library_read_back() {
    check(&VecDeque::from([1, 2]));
    check(&BTreeSet::from(["a".to_owned()]));
    check(&HashMap::from([("k".to_owned(), vec![1.5_f32])]));
    check(&Duration::new(5, 7));
    check(&(SystemTime::UNIX_EPOCH - Duration::from_millis(500)));
    check(&Timestamp::new(-1, 5).unwrap());
    check(&std::num::Wrapping(5_u8));
    check(&std::num::NonZeroU16::new(500).unwrap());
    check(&Box::new([1_u8, 2]));
    check(&std::rc::Rc::<str>::from("x"));
    check(&Value::from([1, 2]));
    assert_eq!(
        std::num::NonZeroU16::unpack(b"\0").unwrap_err().kind().name(),
        "out_of_range"
    );
    assert_eq!(Duration::from_timestamp(Timestamp::new(-1, 0).unwrap()), None);
}
