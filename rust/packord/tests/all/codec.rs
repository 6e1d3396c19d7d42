//! The codec over an asynchronous pipe, and over streams that are cut anywhere.

use bytes::BytesMut;
use futures::{SinkExt, StreamExt};
use packord::DecodeOptions;
use packord::codec::{MsgPackerCodec, PackordCodec};
use packord::serde::Config;
use serde::{Deserialize, Serialize};
use tokio::io::AsyncWriteExt;
use tokio_util::codec::{Decoder, Encoder, Framed};

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Message {
    id: u32,
    text: String,
}

fn messages() -> Vec<Message> {
    (0..50)
        .map(|id| Message {
            id,
            text: "x".repeat(id as usize * 7),
        })
        .collect()
}

fn fault(error: &std::io::Error) -> (&'static str, u64) {
    let inner = error.get_ref().unwrap().downcast_ref::<packord::Error>().unwrap();
    (inner.kind().name(), inner.offset().unwrap())
}

#[tokio::test(flavor = "current_thread")]
async fn messages_pass_through_a_pipe() {
    let (client, server) = tokio::io::duplex(64);
    let mut sender = Framed::new(client, PackordCodec::<Message>::new());
    let mut receiver = Framed::new(server, PackordCodec::<Message>::new());
    let echo = async {
        while let Some(message) = receiver.next().await {
            receiver.send(message.unwrap()).await.unwrap();
        }
    };
    let drive = async move {
        for message in messages() {
            sender.send(&message).await.unwrap();
            assert_eq!(sender.next().await.unwrap().unwrap(), message);
        }
    };
    tokio::join!(echo, drive);
}

#[test]
fn messages_are_the_same_however_the_stream_is_cut() {
    for config in [
        Config::new(),
        Config::new().records(true),
        Config::new().structs_as_arrays(true),
    ] {
        let mut stream = BytesMut::new();
        let mut codec = PackordCodec::<Message>::with_config(config.clone());
        for message in messages() {
            codec.encode(message, &mut stream).unwrap();
        }
        for size in [1, 2, 3, 7, 64, 100_000] {
            let mut codec = PackordCodec::<Message>::with_config(config.clone());
            let mut got = Vec::new();
            let mut source = BytesMut::new();
            for piece in stream.chunks(size) {
                source.extend_from_slice(piece);
                while let Some(message) = codec.decode(&mut source).unwrap() {
                    got.push(message);
                }
            }
            assert_eq!(codec.decode_eof(&mut source).unwrap(), None);
            assert_eq!(got, messages());
        }
    }
}

/// Protocols switch the codec after a message: what follows must be in the buffer still.
#[tokio::test(flavor = "current_thread")]
async fn a_codec_takes_only_its_message() {
    let mut source = BytesMut::from(&b"\x92\x01\x02GET / HTTP/1.1"[..]);
    let mut codec = PackordCodec::<(u8, u8)>::new();
    assert_eq!(codec.decode(&mut source).unwrap(), Some((1, 2)));
    assert_eq!(&source[..], b"GET / HTTP/1.1");
    let mut derived = MsgPackerCodec::<u8>::new();
    assert_eq!(derived.decode(&mut source).unwrap(), Some(b'G'));
    assert_eq!(&source[..], b"ET / HTTP/1.1");

    // Of an incomplete message nothing is taken, and it is found when the rest is there.
    let mut codec = PackordCodec::<(u8, String)>::new();
    let mut source = BytesMut::from(&b"\x92\x01\xa5he"[..]);
    assert_eq!(codec.decode(&mut source).unwrap(), None);
    assert_eq!(&source[..], b"\x92\x01\xa5he");
    source.extend_from_slice(b"llo\x07");
    let hello = (1, "hello".to_owned());
    assert_eq!(codec.decode(&mut source).unwrap(), Some(hello));
    assert_eq!(&source[..], b"\x07");
    // A caller who gives up an incomplete message begins another.
    let mut codec = PackordCodec::<(u8, String)>::new();
    let mut source = BytesMut::from(&b"\x92\x01\xa5hello"[..6]);
    assert_eq!(codec.decode(&mut source).unwrap(), None);
    source.clear();
    source.extend_from_slice(b"\xc1");
    assert_eq!(fault(&codec.decode(&mut source).unwrap_err()).0, "reserved_marker");

    let (client, mut server) = tokio::io::duplex(64);
    server.write_all(b"\x01\x02plain text").await.unwrap();
    let mut framed = Framed::new(client, PackordCodec::<u8>::new());
    for number in [1, 2] {
        assert_eq!(framed.next().await.unwrap().unwrap(), number);
    }
    assert_eq!(&framed.into_parts().read_buf[..], b"plain text");
}

#[test]
fn errors_have_the_offset_in_the_stream() {
    let mut codec = PackordCodec::<u8>::new();
    let error = codec.decode_eof(&mut BytesMut::from(&b"\x01"[..])).unwrap();
    assert_eq!(error, Some(1));
    assert_eq!(
        fault(&codec.decode_eof(&mut BytesMut::from(&b"\xcc"[..])).unwrap_err()),
        ("eof", 2)
    );

    // A message of another type is reported with its offset in the stream, and the next one is
    // read.
    let mut codec = PackordCodec::<[u8; 2]>::new();
    let mut source = BytesMut::from(&b"\x92\x01\x02\x92\x01\xc0\x92\x03\x04\xc1"[..]);
    assert_eq!(codec.decode(&mut source).unwrap(), Some([1, 2]));
    assert_eq!(fault(&codec.decode(&mut source).unwrap_err()), ("type_mismatch", 5));
    assert_eq!(codec.decode(&mut source).unwrap(), Some([3, 4]));
    assert_eq!(fault(&codec.decode(&mut source).unwrap_err()), ("reserved_marker", 9));
    assert_eq!(fault(&codec.decode(&mut source).unwrap_err()), ("reserved_marker", 9));

    let small = Config::new().decode_options(DecodeOptions::new().max_buffer(100));
    let mut codec = PackordCodec::<Vec<u8>>::with_config(small);
    let mut source = BytesMut::from(&b"\x01\xdd\xff\xff\xff\xff"[..]);
    let error = codec.decode(&mut source).unwrap_err();
    assert_eq!(fault(&error), ("type_mismatch", 0));
    let error = codec.decode(&mut source).unwrap_err();
    assert_eq!(fault(&error), ("length_limit", 1));
}

#[test]
fn a_frame_at_fault_is_passed_over_as_it_arrives() {
    let stream = b"\x01\x92\xa1\xff\x93\x05\xc4\x02ab\x06\x02\x91\xa1\xff\x03";
    let bad = |at| Err(("invalid_utf8", at));
    let expected = [Ok(1), bad(3), Ok(2), bad(14), Ok(3)];
    for size in 1..=stream.len() {
        let mut codec = PackordCodec::<u8>::new();
        let (mut source, mut got) = (BytesMut::new(), Vec::new());
        for chunk in stream.chunks(size) {
            source.extend_from_slice(chunk);
            while let Some(next) = codec.decode(&mut source).transpose() {
                got.push(next.map_err(|error| fault(&error)));
            }
        }
        assert_eq!(got, expected, "{size}");
        assert!(codec.decode_eof(&mut source).unwrap().is_none());
    }
}

/// Takes the first element of an array, or nothing of the message.
#[derive(Debug, PartialEq)]
struct Careless<const LOOKS: bool>(Option<u8>);

impl<'de, const LOOKS: bool> Deserialize<'de> for Careless<LOOKS> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct First;
        impl<'de> serde::de::Visitor<'de> for First {
            type Value = Option<u8>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an array")
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut elements: A) -> Result<Option<u8>, A::Error> {
                elements.next_element()
            }
        }
        if LOOKS {
            deserializer.deserialize_seq(First).map(Careless)
        } else {
            Ok(Careless(None))
        }
    }
}

#[test]
fn a_type_that_does_not_read_its_message_leaves_the_next_one_whole() {
    let mut codec = PackordCodec::<Careless<true>>::new();
    let mut source = BytesMut::from(&b"\x91\x01\x93\x02\xa1x\xc0\x91\x03"[..]);
    let mut got = Vec::new();
    for _ in 0..3 {
        got.push(codec.decode(&mut source).map_err(|error| fault(&error)));
    }
    assert_eq!(got[0], Ok(Some(Careless(Some(1)))));
    assert_eq!(got[1], Err(("type_mismatch", 2)));
    assert_eq!(got[2], Ok(Some(Careless(Some(3)))));

    let mut codec = PackordCodec::<Careless<false>>::new();
    let error = codec.decode(&mut BytesMut::from(&b"\x01"[..])).unwrap_err();
    assert_eq!(fault(&error), ("trailing_bytes", 0));
    assert_eq!(codec.decode(&mut BytesMut::new()).unwrap(), None);
}
