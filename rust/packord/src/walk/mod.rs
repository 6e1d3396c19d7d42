//! Reading without building: [`Walker`] returns one [`Event`] for each value and each end of a
//! container; [`validate`] and [`skip_value`] only check.
//!
//! No recursion and, for plain data of moderate depth, no allocation.

mod event;
#[cfg(feature = "alloc")]
mod expanded;
#[cfg(feature = "alloc")]
mod path;
#[cfg(feature = "alloc")]
mod raw_message;

#[cfg(feature = "std")]
pub(crate) use event::PlaceSink;
pub(crate) use event::TokenSink;
pub use event::{Event, Token};
#[cfg(feature = "columns")]
pub(crate) use expanded::Expanded;
#[cfg(feature = "alloc")]
pub use path::path_at;
#[cfg(feature = "serde")]
pub(crate) use path::{Counted, plain_path_at};
#[cfg(feature = "alloc")]
pub(crate) use path::{path_of_message, plain_path, push_key, push_packed_key, root_path};
#[cfg(feature = "alloc")]
pub use raw_message::RawMessage;

use crate::error::{Error, Result};
#[cfg(feature = "alloc")]
use crate::options::DEFAULT_MAX_DEPTH;
use crate::options::{DecodeOptions, Rules, Trailing};
#[cfg(feature = "alloc")]
use crate::read::FastDecoder;
#[cfg(feature = "alloc")]
use crate::read::RecordState;
#[cfg(feature = "alloc")]
use crate::read::check_depth;
use crate::read::{Fault, Pull, ValueDecoder, check_trailing};
#[cfg(feature = "alloc")]
use alloc::{boxed::Box, string::String, vec::Vec};

/// A pull parser over one or more messages. Each event has its offset and its bytes.
///
/// ```
/// use packord::{Token, Walker};
///
/// let mut walker = Walker::new(b"\x92\x01\xa2hi");
/// while let Some(event) = walker.next()? {
///     match event.token {
///         Token::Array(2) => assert_eq!((event.offset, event.depth), (0, 0)),
///         Token::Int(int) => assert_eq!((event.offset, int.as_i64()), (1, Some(1))),
///         Token::Str("hi") => assert_eq!((event.offset, event.bytes), (2, &b"\xa2hi"[..])),
///         Token::End(_) => assert_eq!(event.depth, 0),
///         other => panic!("{other:?}"),
///     }
/// }
/// walker.finish()?;
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Debug)]
pub struct Walker<'a> {
    input: &'a [u8],
    base: u64,
    rules: Rules,
    trailing: Trailing,
    pull: Pull,
    /// Number of messages that have begun.
    messages: u64,
}

impl<'a> Walker<'a> {
    /// Returns a walker with the default options.
    #[must_use]
    pub fn new(input: &'a [u8]) -> Walker<'a> {
        Walker::with_options(input, &DecodeOptions::new())
    }

    /// Returns a walker with options.
    ///
    /// ```
    /// use packord::{DecodeOptions, Token, Walker};
    /// let options = DecodeOptions::new().records(true);
    /// let mut walker = Walker::with_options(b"\xd4\x72\x40\x91\xa1a\x07", &options);
    /// let Some(Token::Record(head)) = walker.next()?.map(|event| event.token) else {
    ///     panic!("a record");
    /// };
    /// assert_eq!(head.structure.key(0), Some("a"));
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn with_options(input: &'a [u8], options: &DecodeOptions) -> Walker<'a> {
        #[cfg(feature = "alloc")]
        return Walker::with_records(input, options, options.record_state());
        #[cfg(not(feature = "alloc"))]
        Walker::with_decoder(input, options.rules(), options.trailing, ValueDecoder::new())
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn with_records(
        input: &'a [u8],
        options: &DecodeOptions,
        records: Option<Box<RecordState>>,
    ) -> Walker<'a> {
        Walker::with_decoder(input, options.rules(), options.trailing, ValueDecoder::new(records))
    }

    fn with_decoder(input: &'a [u8], rules: Rules, trailing: Trailing, decoder: ValueDecoder) -> Walker<'a> {
        Walker {
            input,
            base: 0,
            rules,
            trailing,
            pull: Pull::new(decoder, &rules),
            messages: 0,
        }
    }

    /// Returns a walker that begins a message of a stream, with the records that are known there.
    #[cfg(feature = "alloc")]
    pub(crate) fn resume(
        input: &'a [u8],
        base: u64,
        messages: u64,
        rules: Rules,
        mut records: Option<Box<RecordState>>,
    ) -> Walker<'a> {
        if let Some(records) = &mut records {
            records.rollback();
        }
        let decoder = ValueDecoder::new(records);
        let mut walker = Walker {
            base,
            messages,
            ..Walker::with_decoder(input, rules, Trailing::Allow, decoder)
        };
        walker.begin();
        walker
    }

    #[cfg(feature = "std")]
    pub(crate) fn expect_more(&mut self, count: u64) {
        self.pull.decoder.beyond = count;
    }

    /// Returns the next event of the message, or `None` after its end. The first call begins the
    /// first message.
    ///
    /// # Errors
    ///
    /// The first fault in the bytes, with its offset. Later calls return it again.
    #[allow(clippy::should_implement_trait, reason = "fallible, and the natural name")]
    pub fn next(&mut self) -> Result<Option<Event<'a>>> {
        if self.messages == 0 {
            self.begin();
        }
        let start = self.pull.decoder.pos;
        let step = self.pull.step(self.input, &self.rules, &mut TokenSink);
        let Some(step) = step.map_err(|fault| self.error(fault))? else {
            return Ok(None);
        };
        let (offset, bytes) = (self.base + start as u64, &self.input[start..self.pull.decoder.pos]);
        Ok(Some(Event::of(offset, bytes, step, self.pull.depth())))
    }

    fn begin(&mut self) {
        self.messages += 1;
        self.pull.begin(self.pull.decoder.pos);
    }

    /// Goes to the next message of a stream, and returns `false` at the end of the input. The rest
    /// of the current message is skipped.
    ///
    /// ```
    /// use packord::Walker;
    /// let mut walker = Walker::new(b"\x01\x92\x02\x03\xc0");
    /// let mut offsets = Vec::new();
    /// while walker.next_message()? {
    ///     offsets.push(walker.offset());
    /// }
    /// assert_eq!(offsets, [0, 1, 4]);
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A fault in the rest of the current message.
    pub fn next_message(&mut self) -> Result<bool> {
        self.skip_message()?;
        let more = self.pull.decoder.pos < self.input.len();
        if more {
            self.begin();
        }
        Ok(more)
    }

    /// Skips and checks the rest of the message.
    ///
    /// # Errors
    ///
    /// The first fault in the bytes.
    pub fn skip_message(&mut self) -> Result<()> {
        self.pull
            .finish(self.input, &self.rules)
            .map_err(|fault| self.error(fault))
    }

    /// Skips and checks the next value with everything in it, and returns its bytes. Returns `None`
    /// if the innermost container, or the message, has no more values.
    ///
    /// ```
    /// use packord::Walker;
    /// let mut walker = Walker::new(b"\x92\x92\x01\x02\xc0");
    /// walker.next()?;
    /// assert_eq!(walker.skip_value()?, Some(&b"\x92\x01\x02"[..]));
    /// assert_eq!(walker.skip_value()?, Some(&b"\xc0"[..]));
    /// assert_eq!(walker.skip_value()?, None);
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first fault in the value.
    pub fn skip_value(&mut self) -> Result<Option<&'a [u8]>> {
        if self.messages == 0 {
            self.begin();
        }
        if self.pull.at_end() {
            return Ok(None);
        }
        let (start, depth) = (self.pull.decoder.pos, self.pull.depth());
        self.pull
            .skip(self.input, &self.rules, depth, self.pull.left() - 1)
            .map_err(|fault| self.error(fault))?;
        Ok(Some(&self.input[start..self.pull.decoder.pos]))
    }

    /// Returns the offset of the next byte, from the start of the input or stream.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.base + self.pull.decoder.pos as u64
    }

    /// Returns the number of open containers.
    ///
    /// ```
    /// use packord::Walker;
    /// let mut walker = Walker::new(b"\x91\x91\x01");
    /// walker.next()?;
    /// walker.next()?;
    /// assert_eq!(walker.depth(), 2);
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn depth(&self) -> usize {
        self.pull.depth()
    }

    /// Returns the number of the current message, from 0.
    #[must_use]
    pub fn message(&self) -> u64 {
        self.messages.saturating_sub(1)
    }

    /// Skips and checks the rest of the message, and checks that nothing follows it.
    ///
    /// # Errors
    ///
    /// The first fault in the bytes; `trailing_bytes` unless allowed.
    pub fn finish(mut self) -> Result<()> {
        if self.messages == 0 {
            self.begin();
        }
        self.skip_message()?;
        let end = self.pull.decoder.pos;
        check_trailing(self.input, end, self.trailing == Trailing::Allow).map_err(|fault| self.error(fault))
    }

    #[cold]
    fn error(&self, fault: Fault) -> Error {
        Error::at(fault.kind, self.base + fault.at as u64)
    }
}

/// Checks the whole message at the start of the bytes and returns its length. The bytes after it
/// are ignored.
///
/// ```
/// assert_eq!(packord::skip_value(b"\x92\x01\x02\xc0")?, 3);
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// The first fault in the message.
pub fn skip_value(bytes: &[u8]) -> Result<usize> {
    DecodeOptions::new().skip_value(bytes)
}

/// Checks that the bytes are exactly one message.
///
/// ```
/// assert!(packord::validate(b"\x92\x01\x02").is_ok());
/// assert_eq!(packord::validate(b"\x92\x01").unwrap_err().offset(), Some(2));
/// ```
///
/// # Errors
///
/// The first fault in the bytes.
pub fn validate(bytes: &[u8]) -> Result<()> {
    DecodeOptions::new().validate(bytes)
}

/// Checks that the bytes are one message and nothing more, and returns how many containers are open
/// in it at most.
///
/// ```
/// assert_eq!(packord::depth_of(b"\x92\x90\x81\x01\x90")?, 3);
/// assert_eq!(packord::depth_of(b"\x07")?, 0);
/// assert_eq!(packord::depth_of(b"\x92\x01").unwrap_err().offset(), Some(2));
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// The first fault in the bytes.
#[cfg(feature = "alloc")]
pub fn depth_of(bytes: &[u8]) -> Result<usize> {
    if let Some(depth) = plain_depth(bytes) {
        return Ok(depth);
    }
    let mut walker = Walker::new(bytes);
    let mut deepest = 0;
    while walker.next()?.is_some() {
        deepest = deepest.max(walker.depth());
    }
    walker.finish()?;
    Ok(deepest)
}

/// The depth of a message in which nothing is wrong.
#[cfg(feature = "alloc")]
fn plain_depth(bytes: &[u8]) -> Option<usize> {
    let mut decoder = FastDecoder::new(bytes);
    // For each open container, how many values are pending once it has ended.
    let mut open = Vec::new();
    let mut deepest = 0;
    loop {
        let pending_after = decoder.pending.checked_sub(1)?;
        if decoder.value(&mut TokenSink)?.opens() {
            open.push(pending_after);
            deepest = deepest.max(open.len());
        }
        while open.last() == Some(&decoder.pending) {
            open.pop();
        }
        if decoder.pending == 0 {
            check_depth(deepest as u64, DEFAULT_MAX_DEPTH).ok()?;
            return decoder.rest.is_empty().then_some(deepest);
        }
    }
}

impl DecodeOptions {
    /// Returns the length of the message at the start of the bytes; see [`skip_value`].
    ///
    /// # Errors
    ///
    /// The first fault in the message.
    pub fn skip_value(&self, bytes: &[u8]) -> Result<usize> {
        let mut walker = Walker::with_options(bytes, self);
        walker.begin();
        walker.skip_message().map_err(|error| self.located(error, bytes))?;
        Ok(walker.pull.decoder.pos)
    }

    /// Checks that the bytes are exactly one message; see [`validate`].
    ///
    /// # Errors
    ///
    /// The first fault in the bytes.
    pub fn validate(&self, bytes: &[u8]) -> Result<()> {
        Walker::with_options(bytes, self)
            .finish()
            .map_err(|error| self.located(error, bytes))
    }

    /// Returns the error with the path of the faulty value, in a message that begins with these
    /// records.
    #[cfg(feature = "alloc")]
    #[cold]
    pub(crate) fn located_by(&self, error: Error, bytes: &[u8], records: Option<Box<RecordState>>) -> Error {
        let Some(offset) = error.offset() else {
            return error;
        };
        if error.kind() == crate::ErrorKind::TrailingBytes {
            return error;
        }
        let mut walker = Walker::with_records(bytes, self, records);
        let path = path_of_message(&mut walker, bytes, 0, offset);
        error.with_path(path.unwrap_or_else(|| String::from("$")))
    }

    /// Returns the error with the path of the faulty value.
    #[cold]
    pub(crate) fn located(&self, error: Error, bytes: &[u8]) -> Error {
        #[cfg(feature = "alloc")]
        if let Some(offset) = error.offset() {
            if error.kind() != crate::ErrorKind::TrailingBytes {
                return error.with_path(path_at(bytes, offset, self));
            }
        }
        let _ = bytes;
        error
    }
}
