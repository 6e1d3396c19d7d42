//! Messages in asynchronous streams (feature `tokio`): [`PackordCodec`] for [`tokio_util::codec`].

use crate::error::Error;
use crate::serde::Config;
use crate::stream::MessageScanner;
use ::serde::Serialize;
use ::serde::de::DeserializeOwned;
use bytes::{Buf, BufMut, BytesMut};
use core::fmt;
use core::marker::PhantomData;
use std::vec::Vec;
use tokio_util::codec::{Decoder, Encoder};

/// Reads frames of a stream as values of the type `T`, and writes any type that serde supports.
/// Each message is a frame, as MessagePack needs no other framing.
///
/// At most [`max_buffer`](crate::DecodeOptions::max_buffer) bytes of a message are kept (64 MiB by
/// default); a longer message is `length_limit`. The work is linear in the length of the stream,
/// for any chunks. An error in the bytes ends the stream; after a message of another type than `T`
/// the next message can be read.
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
/// let mut half = stream.split_to(10);
/// assert_eq!(codec.decode(&mut half)?, Some((7, "seven".into())));
/// assert_eq!(codec.decode(&mut half)?, None);
/// assert_eq!(codec.decode(&mut stream)?, Some((8, "eight".into())));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct PackordCodec<T> {
    config: Config,
    decoder: MessageScanner,
    message: Vec<u8>,
    types: PhantomData<fn() -> T>,
}

impl<T> PackordCodec<T> {
    /// Returns a codec with the default configuration.
    #[must_use]
    pub fn new() -> PackordCodec<T> {
        PackordCodec::with_config(Config::new())
    }

    /// Returns a codec with a configuration. Each message defines its records again.
    #[must_use]
    pub fn with_config(config: Config) -> PackordCodec<T> {
        let decoder = MessageScanner::with_options(config.decoding());
        PackordCodec {
            config,
            decoder,
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

impl<T> fmt::Debug for PackordCodec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PackordCodec")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}

/// Returns the error with its offset in the stream.
#[cold]
fn in_stream(error: Error, message: u64) -> Error {
    let mut placed = Error::at(error.kind(), message + error.offset().unwrap_or_default());
    if let Some(path) = error.path() {
        placed = placed.with_path(path);
    }
    match error.detail() {
        Some(detail) => placed.with_detail(detail),
        None => placed,
    }
}

/// Errors come as [`std::io::Error`], which holds the [`Error`] with its kind and its offset in
/// the stream.
impl<T: DeserializeOwned> Decoder for PackordCodec<T> {
    type Item = T;
    type Error = std::io::Error;

    fn decode(&mut self, source: &mut BytesMut) -> std::io::Result<Option<T>> {
        if source.has_remaining() {
            self.decoder.feed(source);
            source.clear();
        }
        if self.decoder.is_plain() {
            let config = &self.config;
            if let Some(value) = self.decoder.next_by(|bytes| config.from_prefix(bytes).ok()) {
                return Ok(Some(value));
            }
        }
        let Some(message) = self.decoder.next_message()? else {
            return Ok(None);
        };
        let offset = message.offset;
        let value = self
            .config
            .from_slice(message.bytes)
            .map_err(|error| in_stream(error, offset))?;
        Ok(Some(value))
    }

    fn decode_eof(&mut self, source: &mut BytesMut) -> std::io::Result<Option<T>> {
        if let Some(value) = self.decode(source)? {
            return Ok(Some(value));
        }
        self.decoder.finish()?;
        Ok(None)
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
