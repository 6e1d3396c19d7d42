//! Types read the forms of serde's options that are not those of their own.

use packord::serde::{Bytes, Config};
use packord::{
    DecodeOptions, DuplicateKey, EncodeOptions, ErrorKind, MsgPacker, Packable, Unpackable, UnpackableBorrowed,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashSet, LinkedList, VecDeque};
use std::fmt::Debug;

#[track_caller]
fn reads<T>(config: &Config, value: &T)
where
    T: Serialize + Packable + Unpackable + for<'de> UnpackableBorrowed<'de> + PartialEq + Debug,
{
    let bytes = config.to_vec(value).unwrap();
    assert_ne!(Some(&bytes), value.try_pack_to_vec().ok().as_ref());
    assert_eq!(<T as Unpackable>::unpack(&bytes).unwrap(), *value);
    assert_eq!(<T as UnpackableBorrowed>::unpack(&bytes).unwrap(), *value);
}

#[derive(Debug, PartialEq, MsgPacker, Serialize)]
#[msgpacker(map)]
struct Listed {
    #[msgpacker(array)]
    bytes: Vec<u8>,
}

#[test]
fn every_collection_of_bytes_is_read_from_a_bin() {
    for bytes in [Bytes::ByType, Bytes::Detected] {
        let config = Config::new().bytes(bytes);
        reads(&config, &LinkedList::from([1_u8, 200]));
        reads(&config, &BTreeSet::from([1_u8, 200]));
        reads(&config, &HashSet::from([1_u8, 200]));
        let bytes = config.to_vec(&VecDeque::from([1_u8, 200])).unwrap();
        assert_eq!(<VecDeque<u8> as Unpackable>::unpack(&bytes).unwrap(), [1, 200]);
        let heap = <BinaryHeap<u8> as Unpackable>::unpack(&bytes).unwrap();
        assert_eq!(heap.into_sorted_vec(), [1, 200]);
        let listed = Listed { bytes: vec![1, 200] };
        assert_eq!(Listed::unpack(&config.to_vec(&listed).unwrap()).unwrap(), listed);
    }
    let error = <LinkedList<u16> as Unpackable>::unpack(b"\xc4\x01\x05").unwrap_err();
    assert_eq!(error.detail(), Some("expected an array, found bin"));
    let error = <BTreeSet<String> as Unpackable>::unpack(b"\xc4\x01\x05").unwrap_err();
    assert_eq!(error.detail(), Some("expected an array, found bin"));
}

#[test]
fn integers_of_128_bits_are_read_from_a_bin_of_all_their_bytes() {
    let config = Config::new().wide_as_bin(true);
    for value in [0, 5, -5, i128::MIN, i128::MAX] {
        reads(&config, &value);
    }
    for value in [0, 5, u128::MAX] {
        reads(&config, &value);
    }
    let error = <u128 as Unpackable>::unpack(b"\xc4\x01\x05").unwrap_err();
    assert_eq!(error.detail(), Some("expected an integer, found bin"));
}

#[test]
fn two_forms_of_serde_are_not_read() {
    #[derive(Debug, PartialEq, MsgPacker, Serialize)]
    #[msgpacker(map, tag = "t")]
    #[serde(tag = "t")]
    enum Tagged {
        Unit,
    }
    let found = |error: packord::Error| error.detail().map(str::to_owned);
    let bytes = Config::new().structs_as_arrays(true).to_vec(&Tagged::Unit).unwrap();
    let error = Tagged::unpack(&bytes).unwrap_err();
    assert_eq!(found(error).as_deref(), Some("expected a map, found array"));
    let bytes = Config::new().bytes(Bytes::Detected).to_vec(&(1_u8, 2_u8)).unwrap();
    let error = <(u8, u8) as Unpackable>::unpack(&bytes).unwrap_err();
    assert_eq!(found(error).as_deref(), Some("expected an array, found bin"));
}

#[test]
fn a_key_that_is_neither_a_name_nor_a_number_is_skipped_and_serde_refuses_it() {
    #[derive(Debug, PartialEq, MsgPacker, Deserialize)]
    #[msgpacker(map)]
    struct Named {
        a: u8,
    }
    for key in [
        &b"\xc0"[..],
        b"\xc3",
        b"\xca\0\0\0\0",
        b"\x91\x01",
        b"\x81\x01\x02",
        b"\xd4\x05\0",
    ] {
        let bytes = [b"\x82\xa1a\x01", key, b"\0"].concat();
        assert_eq!(Named::unpack(&bytes).unwrap(), Named { a: 1 });
        let error = packord::from_slice::<Named>(&bytes).unwrap_err();
        assert_eq!(
            (error.kind().name(), error.offset()),
            ("type_mismatch", Some(4)),
            "{key:02x?}"
        );
    }
    // A number that is the position of no field.
    let bytes = b"\x82\xa1a\x01\x07\0";
    assert_eq!(Named::unpack(bytes).unwrap(), Named { a: 1 });
    assert_eq!(packord::from_slice::<Named>(bytes).unwrap(), Named { a: 1 });
}

#[test]
fn a_key_that_a_map_has_beside_a_field_or_a_tag_is_found_by_option() {
    #[derive(Debug, PartialEq, MsgPacker)]
    #[msgpacker(map)]
    struct Flat {
        a: u8,
        #[msgpacker(flatten)]
        rest: BTreeMap<String, u8>,
    }
    #[derive(Debug, PartialEq, MsgPacker)]
    #[msgpacker(tag = "t")]
    enum Tagged {
        Map(BTreeMap<String, String>),
    }
    fn check<T: Packable + Unpackable + PartialEq + Debug>(value: &T) {
        let bytes = value.pack_to_vec();
        assert_ne!(T::unpack(&bytes).unwrap(), *value, "one of the two is lost");
        let error = EncodeOptions::new().canonical(true).pack(value).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DuplicateKey);
        let strict = DecodeOptions::new().duplicate_key(DuplicateKey::Error);
        assert_eq!(strict.unpack::<T>(&bytes).unwrap_err().kind(), ErrorKind::DuplicateKey);
    }
    check(&Flat {
        a: 1,
        rest: BTreeMap::from([("a".to_owned(), 2)]),
    });
    check(&Tagged::Map(BTreeMap::from([("t".to_owned(), "x".to_owned())])));
}
