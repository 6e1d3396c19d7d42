//! Streams and sinks over the traits of `futures`, with readers and writers that take pieces and
//! wait in between.

use futures::io::{AsyncRead, AsyncWrite};
use futures::{SinkExt, StreamExt, TryStreamExt};
use packord::futures::{MessageSink, MessageStream};
use packord::serde::Config;
use packord::typed::{Failed, Writer};
use packord::{DecodeOptions, EncodeOptions, ErrorKind, MsgPacker, Packable};
use serde::{Deserialize, Serialize};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

#[derive(Serialize, Deserialize, MsgPacker, PartialEq, Debug, Clone)]
#[msgpacker(record)]
struct Event {
    id: u32,
    name: String,
}

fn events() -> Vec<Event> {
    (0..60)
        .map(|id| Event {
            id,
            name: "é".repeat(id as usize * 30),
        })
        .collect()
}

/// Reads and writes at most `piece` bytes at once, and lets the caller wait before each.
struct Slow {
    bytes: Vec<u8>,
    at: usize,
    piece: usize,
    waits: bool,
    closed: bool,
}

impl Slow {
    fn new(bytes: Vec<u8>, piece: usize) -> Slow {
        Slow {
            bytes,
            at: 0,
            piece,
            waits: false,
            closed: false,
        }
    }

    fn wait(&mut self, context: &mut Context<'_>) -> bool {
        self.waits = !self.waits;
        if self.waits {
            context.waker().wake_by_ref();
        }
        self.waits
    }
}

impl AsyncRead for Slow {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, space: &mut [u8]) -> Poll<io::Result<usize>> {
        if self.wait(context) {
            return Poll::Pending;
        }
        let len = self.piece.min(space.len()).min(self.bytes.len() - self.at);
        space[..len].copy_from_slice(&self.bytes[self.at..self.at + len]);
        self.at += len;
        Poll::Ready(Ok(len))
    }
}

impl AsyncWrite for Slow {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.wait(context) {
            return Poll::Pending;
        }
        let len = self.piece.min(bytes.len());
        self.bytes.extend_from_slice(&bytes[..len]);
        Poll::Ready(Ok(len))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.closed = true;
        Poll::Ready(Ok(()))
    }
}

#[tokio::test(flavor = "current_thread")]
async fn both_paths_write_and_read_in_pieces() {
    for config in [
        Config::new(),
        Config::new().structs_as_arrays(true),
        Config::new().records(true),
    ] {
        for piece in [1, 100, 1 << 20] {
            let mut by_serde = MessageSink::with_config(Slow::new(Vec::new(), piece), config.clone());
            let mut by_traits = MessageSink::packing(Slow::new(Vec::new(), piece), config.clone());
            for event in events() {
                by_serde.feed(event.clone()).await.unwrap();
                by_traits.send(event).await.unwrap();
            }
            by_serde.close().await.unwrap();
            by_traits.close().await.unwrap();
            for slow in [by_serde.into_inner(), by_traits.into_inner()] {
                assert!(slow.closed);
                let reader = || Slow::new(slow.bytes.clone(), piece);
                let stream = MessageStream::with_config(reader(), config.clone());
                let read: Vec<Event> = stream.try_collect().await.unwrap();
                assert_eq!(read, events());
                let stream = MessageStream::unpacking(reader(), config.clone());
                let read: Vec<Event> = stream.try_collect().await.unwrap();
                assert_eq!(read, events());
            }
        }
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_stream_goes_on_after_another_type_and_ends_after_a_fault() {
    async fn read(bytes: &[u8]) -> Vec<Result<u8, (&'static str, u64)>> {
        let stream = MessageStream::<_, u8>::new(Slow::new(bytes.to_vec(), 2));
        let got: Vec<_> = stream.collect().await;
        let place = |error: packord::Error| (error.kind().name(), error.offset().unwrap());
        got.into_iter().map(|value| value.map_err(place)).collect()
    }
    let wrong = Err(("type_mismatch", 1));
    assert_eq!(read(b"\x01\xa1a\x02").await, [Ok(1), wrong, Ok(2)]);
    let bad = Err(("invalid_utf8", 3));
    let stream = b"\x01\x92\xa1\xff\x91\x05\x02";
    assert_eq!(read(stream).await, [Ok(1), bad, Ok(2)]);
    let ends = |kind| [Ok(1), bad, Err((kind, 5))];
    assert_eq!(read(&stream[..5]).await, ends("eof"));
    let reserved = b"\x01\x92\xa1\xff\x91\xc1\x02";
    assert_eq!(read(reserved).await, ends("reserved_marker"));
    let fault = Err(("reserved_marker", 1));
    assert_eq!(read(b"\x01\xc1\x02").await, [Ok(1), fault]);
    assert_eq!(read(b"\x01\xcc").await, [Ok(1), Err(("eof", 2))]);
    assert_eq!(read(b"").await, []);

    let short = Config::new().decode_options(DecodeOptions::new().max_buffer(10));
    let long = "x".repeat(100).pack_to_vec();
    let mut stream = MessageStream::<_, String>::with_config(Slow::new(long, 7), short);
    let error = stream.next().await.unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LengthLimit);
    assert!(stream.next().await.is_none());
}

#[tokio::test(flavor = "current_thread")]
async fn a_value_that_cannot_be_written_leaves_no_bytes() {
    struct Odd(u8);
    impl Packable for Odd {
        fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
            if self.0 % 2 == 0 {
                return Err(writer.fail(ErrorKind::UnsupportedType));
            }
            self.0.pack_into(writer)
        }
    }
    let config = Config::new().encode_options(EncodeOptions::new());
    let mut sink = MessageSink::packing(Slow::new(Vec::new(), 1), config);
    for number in 1..5 {
        assert_eq!(sink.send(Odd(number)).await.is_ok(), number % 2 == 1);
    }
    sink.flush().await.unwrap();
    assert_eq!(sink.into_inner().bytes, [1, 3]);
}
