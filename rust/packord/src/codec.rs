//! Messages in asynchronous streams, for [`tokio_util::codec`] (feature `tokio`): [`PackordCodec`]
//! for types of serde, [`MsgPackerCodec`] for types with the typed traits.

use crate::encode::EncodeOptions;
use crate::options::DecodeOptions;
use crate::serde::{Config, debug_fields};
use crate::stream::FrameScanner;
use crate::typed::{Packable, Unpackable};
use ::serde::Serialize;
use ::serde::de::DeserializeOwned;
use bytes::{Buf, BufMut, BytesMut};
use core::marker::PhantomData;
use std::vec::Vec;
use tokio_util::codec::{Decoder, Encoder};

/// Reads frames of a stream as values of the type `T`, and writes any type that serde supports.
/// Each message is a frame, as MessagePack needs no other framing.
///
/// A message that is not whole stays in the buffer of the caller, and so do the bytes after a
/// message. It may have [`max_buffer`](DecodeOptions::max_buffer) bytes (64 MiB by default); a longer
/// one is `length_limit`. The work is linear in the length of the stream, for any chunks. After a message
/// at fault, or of another type than `T`, the next message can be read, unless its beginning is
/// unknown ([`MessageScanner`](crate::MessageScanner)).
///
/// ```
/// use bytes::BytesMut;
/// use packord::codec::PackordCodec;
/// use tokio_util::codec::{Decoder, Encoder};
///
/// let mut codec = PackordCodec::<(u8, String)>::new();
/// let mut stream = BytesMut::new();
/// codec.encode((7, "seven"), &mut stream)?;
/// codec.encode((8, "eight"), &mut stream)?;
/// assert_eq!(codec.decode(&mut stream)?, Some((7, "seven".into())));
/// assert_eq!(&stream[..], b"\x92\x08\xa5eight");
/// assert_eq!(codec.decode(&mut stream)?, Some((8, "eight".into())));
/// assert_eq!(codec.decode(&mut stream)?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct PackordCodec<T> {
    config: Config,
    scanner: FrameScanner,
    message: Vec<u8>,
    types: PhantomData<fn() -> T>,
}

impl<T> PackordCodec<T> {
    /// Returns a codec with the default configuration.
    #[must_use]
    pub fn new() -> PackordCodec<T> {
        PackordCodec::with_config(Config::new())
    }

    /// Returns a codec with a configuration. Each message that it writes defines its records again.
    #[must_use]
    pub fn with_config(config: Config) -> PackordCodec<T> {
        let scanner = FrameScanner::new(config.decoding());
        PackordCodec {
            config,
            scanner,
            message: Vec::new(),
            types: PhantomData,
        }
    }
}

impl<T> Default for PackordCodec<T> {
    fn default() -> PackordCodec<T> {
        PackordCodec::new()
    }
}

debug_fields!([T] PackordCodec: config);

/// Errors come as [`std::io::Error`], which holds the [`Error`](crate::Error) with its kind and its
/// offset in the stream.
impl<T: DeserializeOwned> Decoder for PackordCodec<T> {
    type Item = T;
    type Error = std::io::Error;

    fn decode(&mut self, source: &mut BytesMut) -> std::io::Result<Option<T>> {
        let config = &self.config;
        decode(&mut self.scanner, source, |bytes: &[u8]| config.from_prefix(bytes))
    }

    fn decode_eof(&mut self, source: &mut BytesMut) -> std::io::Result<Option<T>> {
        let value = self.decode(source)?;
        if value.is_none() {
            self.scanner.finish(source)?;
        }
        Ok(value)
    }
}

impl<T, U: Serialize> Encoder<U> for PackordCodec<T> {
    type Error = std::io::Error;

    fn encode(&mut self, value: U, target: &mut BytesMut) -> std::io::Result<()> {
        self.message.clear();
        self.config.to_buffer(&mut self.message, &value)?;
        target.put_slice(&self.message);
        Ok(())
    }
}

/// Reads frames of a stream as values of the type `T`, and writes any type with [`Packable`]: as
/// [`PackordCodec`], without serde.
///
/// ```
/// use bytes::BytesMut;
/// use packord::MsgPacker;
/// use packord::codec::MsgPackerCodec;
/// use tokio_util::codec::{Decoder, Encoder};
///
/// #[derive(MsgPacker, PartialEq, Debug)]
/// struct Point { x: i32, y: i32 }
///
/// let mut codec = MsgPackerCodec::<Point>::new();
/// let mut stream = BytesMut::new();
/// codec.encode(Point { x: 1, y: 2 }, &mut stream)?;
/// assert_eq!(&stream[..], b"\x92\x01\x02");
/// assert_eq!(codec.decode(&mut stream)?, Some(Point { x: 1, y: 2 }));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct MsgPackerCodec<T> {
    encode: EncodeOptions,
    decode: DecodeOptions,
    scanner: FrameScanner,
    types: PhantomData<fn() -> T>,
}

impl<T> MsgPackerCodec<T> {
    /// Returns a codec with the default options.
    #[must_use]
    pub fn new() -> MsgPackerCodec<T> {
        MsgPackerCodec::with_options(EncodeOptions::new(), DecodeOptions::new())
    }

    /// Returns a codec with options. Each message that it writes defines its records again.
    #[must_use]
    pub fn with_options(encode: EncodeOptions, decode: DecodeOptions) -> MsgPackerCodec<T> {
        let scanner = FrameScanner::new(&decode);
        MsgPackerCodec {
            encode,
            decode,
            scanner,
            types: PhantomData,
        }
    }
}

impl<T> Default for MsgPackerCodec<T> {
    fn default() -> MsgPackerCodec<T> {
        MsgPackerCodec::new()
    }
}

debug_fields!([T] MsgPackerCodec: encode decode);

/// Errors are those of [`PackordCodec`].
impl<T: Unpackable> Decoder for MsgPackerCodec<T> {
    type Item = T;
    type Error = std::io::Error;

    fn decode(&mut self, source: &mut BytesMut) -> std::io::Result<Option<T>> {
        let options = &self.decode;
        decode(&mut self.scanner, source, |bytes: &[u8]| options.unpack_prefix(bytes))
    }

    fn decode_eof(&mut self, source: &mut BytesMut) -> std::io::Result<Option<T>> {
        let value = self.decode(source)?;
        if value.is_none() {
            self.scanner.finish(source)?;
        }
        Ok(value)
    }
}

impl<T, U: Packable> Encoder<U> for MsgPackerCodec<T> {
    type Error = std::io::Error;

    fn encode(&mut self, value: U, target: &mut BytesMut) -> std::io::Result<()> {
        let message = self.encode.pack(&value)?;
        target.put_slice(&message);
        Ok(())
    }
}

fn decode<T>(
    scanner: &mut FrameScanner,
    source: &mut BytesMut,
    read: impl Fn(&[u8]) -> crate::Result<(T, usize)>,
) -> std::io::Result<Option<T>> {
    let mut taken = 0;
    let outcome = scanner.next(source, &mut taken, read);
    source.advance(taken);
    Ok(outcome?)
}
