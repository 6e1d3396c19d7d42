//! Types and bytes of rmp-serde and rmpv, in both directions.

use packord::serde::Config;
use rmpv::Value;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(rename = "_ExtStruct")]
struct Tagged((i8, serde_bytes::ByteBuf));

#[test]
fn an_ext_of_rmpv_is_an_ext_in_both_directions() {
    for len in [0, 1, 2, 3, 4, 8, 16, 17, 255, 256, 70_000] {
        for kind in [-128, -2, 0, 5, 127] {
            let value = Value::Ext(kind, vec![7; len]);
            let ours = packord::serde::to_vec(&value).unwrap();
            assert_eq!(ours, rmp_serde::to_vec(&value).unwrap(), "{kind} {len}");
            let back: Value = packord::serde::from_slice(&ours).unwrap();
            assert_eq!(back, value, "{kind} {len}");
            let borrowed: rmpv::ValueRef = packord::serde::from_slice(&ours).unwrap();
            assert_eq!(borrowed.to_owned(), value, "{kind} {len}");
        }
    }
    let tree = Value::Array(vec![
        Value::Ext(5, vec![1, 2]),
        Value::Map(vec![(Value::Ext(9, vec![3]), Value::F64(0.5))]),
        Value::Nil,
    ]);
    let ours = packord::serde::to_vec(&tree).unwrap();
    assert_eq!(ours[..5], *b"\x93\xd5\x05\x01\x02");
    assert_eq!(packord::serde::from_slice::<Value>(&ours).unwrap(), tree);
}

#[test]
fn a_struct_that_rmp_takes_for_an_ext_is_one() {
    let tagged = Tagged((-7, serde_bytes::ByteBuf::from(vec![1, 2, 3])));
    let ours = packord::serde::to_vec(&tagged).unwrap();
    assert_eq!(ours, b"\xc7\x03\xf9\x01\x02\x03");
    assert_eq!(ours, rmp_serde::to_vec(&tagged).unwrap());
    assert_eq!(packord::serde::from_slice::<Tagged>(&ours).unwrap(), tagged);
    let mut space = [0; 6];
    assert_eq!(packord::serde::to_slice(&tagged, &mut space).unwrap(), 6);
    for options in [Config::new().canonical(true), Config::new().records(true)] {
        assert_eq!(options.to_vec(&tagged).unwrap(), ours);
    }
}

#[test]
fn a_wrong_ext_struct_is_an_error() {
    #[derive(Serialize)]
    #[serde(rename = "_ExtStruct")]
    struct Wrong<T>(T);
    for error in [
        packord::serde::to_vec(&Wrong((200, serde_bytes::Bytes::new(b"a")))),
        packord::serde::to_vec(&Wrong((1, 2))),
        packord::serde::to_vec(&Wrong((1, serde_bytes::Bytes::new(b"a"), 3))),
        packord::serde::to_vec(&Wrong("text")),
    ] {
        assert_eq!(error.unwrap_err().kind().name(), "invalid_ext");
    }
}

#[test]
fn wide_integers_of_rmp_are_read_and_by_option_written() {
    let like_rmp = Config::new().wide_as_bin(true);
    for value in [0, 1, u128::from(u64::MAX) + 1, u128::MAX] {
        let theirs = rmp_serde::to_vec(&value).unwrap();
        assert_eq!(packord::serde::from_slice::<u128>(&theirs).unwrap(), value);
        assert_eq!(like_rmp.to_vec(&value).unwrap(), theirs);
        let ours = Config::new().bigint(true).to_vec(&value).unwrap();
        assert_eq!(like_rmp.from_slice::<u128>(&ours).unwrap(), value);
    }
    for value in [0, -1, i128::MIN, i128::MAX] {
        let theirs = rmp_serde::to_vec(&value).unwrap();
        assert_eq!(packord::serde::from_slice::<i128>(&theirs).unwrap(), value);
        assert_eq!(like_rmp.to_vec(&value).unwrap(), theirs);
    }
    let short = packord::serde::from_slice::<u128>(b"\xc4\x01\x01").unwrap_err();
    assert_eq!(short.kind().name(), "type_mismatch");
}
