//! Messages in asynchronous streams, over the traits of the crate `futures` and without tokio
//! (feature `futures`): [`MessageStream`] and [`MessageSink`].
//!
//! ```
//! use futures::{SinkExt, StreamExt};
//! use packord::futures::{MessageSink, MessageStream};
//!
//! # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
//! let mut file = Vec::new();
//! let mut sink = MessageSink::new(&mut file);
//! sink.send((7, "seven")).await?;
//! sink.send((8, "eight")).await?;
//!
//! let mut stream = MessageStream::<_, (u8, String)>::new(&file[..]);
//! assert_eq!(stream.next().await.transpose()?, Some((7, "seven".to_owned())));
//! assert_eq!(stream.next().await.transpose()?, Some((8, "eight".to_owned())));
//! assert!(stream.next().await.is_none());
//! # Ok::<(), packord::Error>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::error::{Error, Result};
use crate::io::believable;
use crate::serde::{Config, debug_fields};
use crate::stream::MessageScanner;
use crate::typed::{Packable, Unpackable};
use ::serde::Serialize;
use ::serde::de::DeserializeOwned;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use futures_core::Stream;
use futures_io::{AsyncRead, AsyncWrite};
use futures_sink::Sink;
use std::io::ErrorKind;
use std::vec::Vec;

/// Bytes to read at once, and to keep before writing. More are read, up to `LARGE`, where a message
/// is known to need them.
const CHUNK: usize = 64 << 10;
const LARGE: usize = 1 << 20;

type ReadMessage<T> = fn(&Config, &[u8]) -> Result<(T, usize)>;
type WriteMessage<T> = fn(&Config, &mut Vec<u8>, &T) -> Result<()>;

/// The messages of an [`AsyncRead`] as a [`Stream`] of values of the type `T`.
///
/// At most [`max_buffer`](crate::DecodeOptions::max_buffer) bytes of a message are kept. After a
/// message at fault, or of another type than `T`, the stream goes on. It ends after `io`, and after a
/// fault after which no message can be found ([`MessageScanner`]). A call that waits can be dropped without losing a byte.
pub struct MessageStream<R, T> {
    reader: R,
    config: Config,
    scanner: MessageScanner,
    read: ReadMessage<T>,
    over: bool,
}

impl<R, T: DeserializeOwned> MessageStream<R, T> {
    /// Returns a stream of a type of serde, with the default configuration.
    pub fn new(reader: R) -> MessageStream<R, T> {
        MessageStream::with_config(reader, Config::new())
    }

    /// Returns a stream of a type of serde, with a configuration.
    pub fn with_config(reader: R, config: Config) -> MessageStream<R, T> {
        MessageStream::with(reader, config, |config, bytes| config.from_prefix(bytes))
    }
}

impl<R, T: Unpackable> MessageStream<R, T> {
    /// Returns a stream of a type with [`Unpackable`], with the options of reading of the
    /// configuration.
    ///
    /// ```
    /// use packord::futures::MessageStream;
    /// use packord::{MsgPacker, serde::Config};
    ///
    /// #[derive(MsgPacker)]
    /// struct Point { x: i32, y: i32 }
    ///
    /// let stream = MessageStream::<_, Point>::unpacking(&b"\x92\x01\x02"[..], Config::new());
    /// # drop(stream);
    /// ```
    pub fn unpacking(reader: R, config: Config) -> MessageStream<R, T> {
        MessageStream::with(reader, config, |config, bytes| config.decoding().unpack_prefix(bytes))
    }
}

impl<R, T> MessageStream<R, T> {
    fn with(reader: R, config: Config, read: ReadMessage<T>) -> MessageStream<R, T> {
        let scanner = MessageScanner::with_options(config.decoding());
        MessageStream {
            reader,
            config,
            scanner,
            read,
            over: false,
        }
    }

    /// Returns the inner reader. Bytes that were read ahead are lost.
    pub fn into_inner(self) -> R {
        self.reader
    }

    fn take_message(&mut self) -> Result<Option<T>> {
        let (config, read) = (&self.config, self.read);
        let outcome = self.scanner.next_typed(|bytes: &[u8]| read(config, bytes));
        self.over = self.scanner.is_over();
        outcome
    }

    /// Reads more bytes; returns `false` at the end of the reader.
    fn poll_more(&mut self, context: &mut Context<'_>) -> Poll<Result<bool>>
    where
        R: AsyncRead + Unpin,
    {
        let room = self.scanner.lacks().clamp(CHUNK, LARGE);
        let reader = &mut self.reader;
        let read = self.scanner.feed_with(room, |space| {
            loop {
                match Pin::new(&mut *reader).poll_read(context, space) {
                    Poll::Ready(Err(error)) if error.kind() == ErrorKind::Interrupted => {}
                    Poll::Ready(outcome) => {
                        let outcome = outcome.and_then(|count| believable(count, space));
                        return outcome.map_err(Some);
                    }
                    Poll::Pending => return Err(None),
                }
            }
        });
        match read {
            Ok(count) => Poll::Ready(Ok(count > 0)),
            Err(None) => Poll::Pending,
            Err(Some(error)) => {
                let end = self.scanner.offset() + self.scanner.buffered() as u64;
                Poll::Ready(Err(Error::io(error, end)))
            }
        }
    }
}

impl<R: AsyncRead + Unpin, T> Stream for MessageStream<R, T> {
    type Item = Result<T>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<T>>> {
        let this = self.get_mut();
        while !this.over {
            if let Some(outcome) = this.take_message().transpose() {
                return Poll::Ready(Some(outcome));
            }
            match ready!(this.poll_more(context)) {
                Ok(true) => {}
                Ok(false) => {
                    this.over = true;
                    return Poll::Ready(this.scanner.finish().err().map(Err));
                }
                Err(error) => {
                    this.over = true;
                    return Poll::Ready(Some(Err(error)));
                }
            }
        }
        Poll::Ready(None)
    }
}

/// A [`Sink`] that writes values of the type `T` as messages to an [`AsyncWrite`].
///
/// Messages are kept until there are 64 KiB of them, or the sink is flushed, which `send` does. After
/// an error in a value nothing of it is written, and the next one can be.
pub struct MessageSink<W, T> {
    writer: W,
    config: Config,
    write: WriteMessage<T>,
    /// What is not yet written is from `sent` on.
    buffer: Vec<u8>,
    sent: usize,
    written: u64,
}

impl<W, T: Serialize> MessageSink<W, T> {
    /// Returns a sink of a type of serde, with the default configuration.
    pub fn new(writer: W) -> MessageSink<W, T> {
        MessageSink::with_config(writer, Config::new())
    }

    /// Returns a sink of a type of serde, with a configuration. Each message defines its records
    /// again.
    pub fn with_config(writer: W, config: Config) -> MessageSink<W, T> {
        MessageSink::with(writer, config, |config, buffer, value| {
            config.to_buffer(buffer, value).map(drop)
        })
    }
}

impl<W, T: Packable> MessageSink<W, T> {
    /// Returns a sink of a type with [`Packable`], with the options of writing of the configuration.
    pub fn packing(writer: W, config: Config) -> MessageSink<W, T> {
        MessageSink::with(writer, config, |config, buffer, value| {
            buffer.extend_from_slice(&config.encode.pack(value)?);
            Ok(())
        })
    }
}

impl<W, T> MessageSink<W, T> {
    fn with(writer: W, config: Config, write: WriteMessage<T>) -> MessageSink<W, T> {
        MessageSink {
            writer,
            config,
            write,
            buffer: Vec::new(),
            sent: 0,
            written: 0,
        }
    }

    /// Returns the inner writer. Messages that were not flushed are lost.
    pub fn into_inner(self) -> W {
        self.writer
    }

    fn poll_drain(&mut self, context: &mut Context<'_>) -> Poll<Result<()>>
    where
        W: AsyncWrite + Unpin,
    {
        while self.sent < self.buffer.len() {
            let rest = &self.buffer[self.sent..];
            match ready!(Pin::new(&mut self.writer).poll_write(context, rest)) {
                Ok(0) => return Poll::Ready(Err(self.fail(ErrorKind::WriteZero.into()))),
                Ok(count) => {
                    self.sent += count;
                    self.written += count as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Poll::Ready(Err(self.fail(error))),
            }
        }
        self.buffer.clear();
        self.sent = 0;
        Poll::Ready(Ok(()))
    }

    fn fail(&self, error: std::io::Error) -> Error {
        Error::io(error, self.written)
    }
}

impl<W: AsyncWrite + Unpin, T> Sink<T> for MessageSink<W, T> {
    type Error = Error;

    fn poll_ready(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let this = self.get_mut();
        if this.buffer.len() < CHUNK {
            return Poll::Ready(Ok(()));
        }
        this.poll_drain(context)
    }

    fn start_send(self: Pin<&mut Self>, value: T) -> Result<()> {
        let this = self.get_mut();
        (this.write)(&this.config, &mut this.buffer, &value)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let this = self.get_mut();
        ready!(this.poll_drain(context))?;
        let flushed = ready!(Pin::new(&mut this.writer).poll_flush(context));
        Poll::Ready(flushed.map_err(|error| this.fail(error)))
    }

    fn poll_close(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let this = self.get_mut();
        ready!(this.poll_drain(context))?;
        let closed = ready!(Pin::new(&mut this.writer).poll_close(context));
        Poll::Ready(closed.map_err(|error| this.fail(error)))
    }
}

debug_fields!([R, T] MessageStream: config);
debug_fields!([W, T] MessageSink: config);
