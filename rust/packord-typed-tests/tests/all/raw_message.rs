//! Messages within others that are passed on as they are, by both typed paths.

use packord::serde::Config;
use packord::{
    DecodeOptions, EncodeOptions, ErrorKind, MsgPacker, MsgPackerBorrowed, Packable, RawMessage, Unpackable, Value,
    value,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, MsgPacker, Serialize, Deserialize)]
#[msgpacker(map)]
struct Envelope {
    id: u8,
    body: RawMessage,
}

#[derive(Debug, PartialEq, MsgPackerBorrowed, Serialize, Deserialize)]
#[msgpacker(map)]
struct View<'a> {
    id: u8,
    #[serde(borrow)]
    body: RawMessage<&'a [u8]>,
}

/// Not the minimal encoding, so that a copy shows.
const BODY: &[u8] = b"\x92\xcd\x00\x07\xd6\xff\0\0\0\x01";

fn packed() -> Vec<u8> {
    [b"\x82\xa2id\x01\xa4body", BODY].concat()
}

#[test]
fn bytes_are_passed_on() {
    let envelope = Envelope {
        id: 1,
        body: RawMessage::new(BODY.to_vec()).unwrap(),
    };
    let view = View {
        id: 1,
        body: RawMessage::new(BODY).unwrap(),
    };
    assert_eq!(envelope.pack_to_vec(), packed());
    assert_eq!(view.pack_to_vec(), packed());
    assert_eq!(packord::to_vec(&envelope).unwrap(), packed());
    assert_eq!(packord::to_vec(&view).unwrap(), packed());
    let bytes = packed();
    assert_eq!(<Envelope as Unpackable>::unpack(&bytes).unwrap(), envelope);
    assert_eq!(packord::UnpackableBorrowed::unpack(&bytes), Ok(View { ..view }));
    assert_eq!(packord::from_slice::<Envelope>(&bytes).unwrap(), envelope);
    assert_eq!(packord::from_slice::<View<'_>>(&bytes).unwrap(), view);
    for end in 0..bytes.len() {
        let errors = [
            <Envelope as Unpackable>::unpack(&bytes[..end]).unwrap_err(),
            packord::from_slice::<Envelope>(&bytes[..end]).unwrap_err(),
        ];
        for error in errors {
            assert_eq!((error.kind(), error.offset()), (ErrorKind::Eof, Some(end as u64)));
        }
    }
}

#[test]
fn faulty_bytes_are_refused() {
    for wrong in [
        &b""[..],
        b"\xc1",
        b"\x92\x01",
        b"\x01\x02",
        b"\xa1\xff",
        b"\xdd\xff\xff\xff\xff",
    ] {
        assert_eq!(
            RawMessage::new(wrong).unwrap_err().kind(),
            packord::validate(wrong).unwrap_err().kind()
        );
        // serde_json passes bytes as an array of numbers, which can be any.
        let json = serde_json::to_string(wrong).unwrap();
        assert!(serde_json::from_str::<RawMessage>(&json).is_err());
    }
    let bytes = b"\x82\xa2id\x01\xa4body\x92\x01\xa1\xff";
    for error in [
        <Envelope as Unpackable>::unpack(bytes).unwrap_err(),
        packord::from_slice::<Envelope>(bytes).unwrap_err(),
    ] {
        assert_eq!((error.kind(), error.offset()), (ErrorKind::InvalidUtf8, Some(13)));
    }
    // The containers around a message count for its depth.
    let deep = RawMessage::new([&[0x91; 1023][..], &[0xc0]].concat()).unwrap();
    assert!([&deep].try_pack_to_vec().is_ok() && packord::to_vec(&[&deep]).is_ok());
    assert_eq!([[&deep]].try_pack_to_vec().unwrap_err().kind(), ErrorKind::DepthLimit);
    assert_eq!(packord::to_vec(&[[&deep]]).unwrap_err().kind(), ErrorKind::DepthLimit);
}

#[test]
fn records_are_read_as_values() {
    let rows = vec![
        Envelope {
            id: 1,
            body: RawMessage::new(vec![100]).unwrap(),
        },
        Envelope {
            id: 2,
            body: RawMessage::new(b"\x81\xa1a\x50".to_vec()).unwrap(),
        },
    ];
    let bytes = EncodeOptions::new().records(true).pack(&rows).unwrap();
    let options = DecodeOptions::new().records(true);
    assert_eq!(options.decode(&bytes).unwrap()[1]["body"], value!({"a": 0x50}));
    assert_eq!(options.unpack::<Vec<Envelope>>(&bytes).unwrap(), rows);
    let records = EncodeOptions::new()
        .records(true)
        .encode(&value!([{"id": 1, "body": 2}, {"id": 1, "body": 2}]))
        .unwrap();
    assert_eq!(
        options.unpack::<Vec<Envelope>>(&records).unwrap()[1].body.as_bytes(),
        [2]
    );
    let config = Config::new().records(true);
    assert_eq!(
        config.to_vec(&rows).unwrap(),
        EncodeOptions::new()
            .records(true)
            .encode(&packord::from_slice::<Value>(&packord::to_vec(&rows).unwrap()).unwrap())
            .unwrap()
    );
    let plain = packord::to_vec(&rows).unwrap();
    assert_eq!(config.from_slice::<Vec<Envelope>>(&plain).unwrap(), rows);
    for bytes in [&bytes, &records] {
        let read: Vec<Envelope> = config.from_slice(bytes).unwrap();
        assert_eq!(read, options.unpack::<Vec<Envelope>>(bytes).unwrap());
    }
}

#[test]
fn other_formats_hold_the_bytes() {
    let raw = RawMessage::new(BODY.to_vec()).unwrap();
    let json = serde_json::to_string(&raw).unwrap();
    assert_eq!(serde_json::from_str::<RawMessage>(&json).unwrap(), raw);
}
