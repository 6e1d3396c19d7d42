//! [`MessageScanner`]: finds messages in bytes that come in chunks (`spec/format.md` section 6).

mod buffer;
#[cfg(feature = "tokio")]
mod frames;
#[cfg(feature = "std")]
mod typed;

use crate::error::{Error, ErrorKind, Result};
use crate::options::{DecodeOptions, Rules};
use crate::read::Pull;
use crate::read::tree::{Keep, quick, tree};
use crate::read::{Fault, Passing, ValueDecoder};
use crate::record::{RecordHead, Structures};
use crate::value::{Tree, Value, ValueRef};
use crate::walk::{Walker, path_of_message, root_path};
use alloc::boxed::Box;
use alloc::collections::TryReserveError;
use alloc::string::String;
use buffer::StreamBuffer;

#[cfg(feature = "tokio")]
pub(crate) use frames::FrameScanner;

/// Reads a stream of messages from chunks, cut anywhere: [feed](MessageScanner::feed) it, take
/// values until there are no more, and call [`finish`](MessageScanner::finish) at the end of the
/// stream.
///
/// A message that is not whole is read up to the incomplete header. With more bytes, reading
/// continues from there, so the work is linear in the length of the stream. The memory is at most
/// [`max_buffer`](DecodeOptions::max_buffer) and the bytes that were fed and not taken.
///
/// A fault is reported once: the next call reads the message after the one at fault, which is passed
/// over by its headers. It counts as a message. Only a fault that leaves the end of the message
/// unknown [ends](MessageScanner::is_over) the stream: `c1`, an end within a message, a malformed or
/// unknown record, and more than `max_buffer`.
///
/// ```
/// use packord::MessageScanner;
///
/// let mut decoder = MessageScanner::new();
/// let mut values = Vec::new();
/// for chunk in [&b"\x01\x92"[..], b"\xa2h", b"i\xc0"] {
///     decoder.feed(chunk);
///     while let Some(value) = decoder.next_value()? {
///         values.push(value.to_string());
///     }
/// }
/// decoder.finish()?;
/// assert_eq!(values, ["1", r#"["hi", nil]"#]);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Debug)]
pub struct MessageScanner {
    buffer: StreamBuffer,
    state: StreamState,
}

/// The state of the stream and of its next message. In the methods, `input` begins with that
/// message, and `offset` is the stream's offset of its first byte.
#[derive(Debug)]
struct StreamState {
    /// The rules with `max_buffer`, and without it.
    rules: Rules,
    unbuffered: Rules,
    /// Reads the next message to its end, without building it.
    pull: Pull,
    /// The length of the last message.
    last_len: usize,
    /// Number of messages returned or passed over.
    messages: u64,
    /// What is left of a message whose fault was reported.
    passing: Option<Passing>,
    /// The fault that has ended the stream.
    failed: Option<Error>,
}

/// The bytes of one message of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Message<'b> {
    /// The bytes of the message.
    pub bytes: &'b [u8],
    /// The stream's offset of its first byte.
    pub offset: u64,
    /// Its number in the stream, from 0.
    pub number: u64,
}

impl Default for MessageScanner {
    fn default() -> MessageScanner {
        MessageScanner::new()
    }
}

impl MessageScanner {
    /// Returns a scanner with the default options.
    #[must_use]
    pub fn new() -> MessageScanner {
        MessageScanner::with_options(&DecodeOptions::new())
    }

    /// Returns a scanner with options. The option `trailing` has no effect in a stream.
    #[must_use]
    pub fn with_options(options: &DecodeOptions) -> MessageScanner {
        MessageScanner {
            buffer: StreamBuffer::default(),
            state: StreamState::new(options),
        }
    }

    /// Adds the next bytes of the stream. They are dropped if the stream [is
    /// over](MessageScanner::is_over), until [`skip_bytes`](MessageScanner::skip_bytes) clears the
    /// fault.
    pub fn feed(&mut self, bytes: &[u8]) {
        if !self.is_over() {
            self.buffer.feed(bytes);
        }
    }

    /// Returns whether a fault has ended the stream.
    ///
    /// ```
    /// use packord::MessageScanner;
    /// let mut scanner = MessageScanner::new();
    /// scanner.feed(b"\xa1\xff\x07\xc1");
    /// assert!(scanner.next_value().is_err() && !scanner.is_over());
    /// assert_eq!(scanner.next_value()?.unwrap(), 7);
    /// assert!(scanner.next_value().is_err() && scanner.is_over());
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.state.failed.is_some()
    }

    /// Lets `read` fill room for `len` more bytes of the stream; it returns how many it filled.
    #[cfg(feature = "std")]
    pub(crate) fn feed_with<E>(
        &mut self,
        len: usize,
        read: impl FnOnce(&mut [u8]) -> core::result::Result<usize, E>,
    ) -> core::result::Result<usize, E> {
        self.buffer.feed_with(len, read)
    }

    /// Returns a number of bytes that the incomplete message needs at least, for its next value and
    /// one for each that is announced after it; 1 if there is none.
    #[cfg(feature = "std")]
    pub(crate) fn lacks(&self) -> usize {
        let pull = &self.state.pull;
        let announced = if let Some(passing) = &self.state.passing {
            passing.needs()
        } else if pull.open && pull.decoder.records.is_none() {
            pull.decoder.pos as u64 + pull.decoder.pending
        } else {
            0
        };
        let announced = usize::try_from(announced).unwrap_or(usize::MAX);
        let need = pull.decoder.need.max(announced);
        need.saturating_sub(self.buffered()).max(1)
    }

    /// Returns the next value, or `None` if more bytes are needed.
    ///
    /// # Errors
    ///
    /// A fault in the next message, which is then passed over. A message that is not yet whole has none.
    /// Every later call reports a fault again that has [ended](MessageScanner::is_over) the
    /// stream.
    pub fn next_value(&mut self) -> Result<Option<Value>> {
        self.next_tree::<Box<str>>()
    }

    /// Returns the next value, with strings and bytes borrowed from the scanner.
    ///
    /// ```
    /// use packord::MessageScanner;
    /// let mut decoder = MessageScanner::new();
    /// decoder.feed(b"\xa2hi\xc3");
    /// assert_eq!(decoder.next_ref()?.unwrap().as_str(), Some("hi"));
    /// assert_eq!(decoder.next_ref()?.unwrap().as_bool(), Some(true));
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`next_value`](MessageScanner::next_value).
    pub fn next_ref(&mut self) -> Result<Option<ValueRef<'_>>> {
        self.next_tree::<&str>()
    }

    fn next_tree<'a, S: Keep<'a>>(&'a mut self) -> Result<Option<Tree<S, S::Bytes>>> {
        self.pass();
        let offset = self.offset();
        let (input, taken) = self.buffer.split();
        let state = &mut self.state;
        let whole = if state.unbuffered.checked() {
            None
        } else {
            state.read_at_once(input, |input, rules| {
                let (value, rest) = quick::<S>(input, rules)?;
                Some((value, input.len() - rest.len()))
            })
        };
        if let Some((value, len)) = whole {
            taken.add(len);
            return Ok(Some(value));
        }
        let Some(len) = state.next_len(input, offset)? else {
            return Ok(None);
        };
        taken.add(len);
        state.read_again::<S>(&input[..len], offset).map(Some)
    }

    /// Reads the next message with a function of the caller, in one pass. `read` gets the bytes
    /// from the message's first byte on. It returns its result and the message's length, or `None`
    /// if it failed or bytes are missing.
    ///
    /// `read` makes the checks of the options itself. The result is also `None` if `read` cannot be
    /// called: definitions of records last for the stream, the message was already read in part, or
    /// there are fewer bytes than the last message had. After `None`, call
    /// [`peek_message`](MessageScanner::peek_message), which reports the state.
    ///
    /// ```
    /// use packord::MessageScanner;
    /// let mut scanner = MessageScanner::new();
    /// scanner.feed(b"\x07\x08");
    /// let value = scanner.next_by(|bytes| Some((*bytes.first()?, 1)));
    /// assert_eq!((value, scanner.offset()), (Some(7), 1));
    /// ```
    pub fn next_by<T>(&mut self, read: impl FnOnce(&[u8]) -> Option<(T, usize)>) -> Option<T> {
        self.pass();
        if self.state.is_sequential() {
            return None;
        }
        let (input, taken) = self.buffer.split();
        let (value, len) = self.state.read_at_once(input, |input, _| read(input))?;
        taken.add(len);
        Some(value)
    }

    /// Checks the next message and returns its bytes, or `None` if more bytes are needed.
    ///
    /// ```
    /// use packord::MessageScanner;
    /// let mut decoder = MessageScanner::new();
    /// decoder.feed(b"\xc3\x92\x01\x02");
    /// decoder.next_message()?;
    /// let message = decoder.next_message()?.unwrap();
    /// assert_eq!((message.bytes, message.offset, message.number), (&b"\x92\x01\x02"[..], 1, 1));
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`next_value`](MessageScanner::next_value).
    pub fn next_message(&mut self) -> Result<Option<Message<'_>>> {
        Ok(self.take_message()?.map(|(message, _)| message))
    }

    fn take_message(&mut self) -> Result<Option<(Message<'_>, &StreamState)>> {
        self.pass();
        let (offset, number) = (self.offset(), self.messages());
        let (input, taken) = self.buffer.split();
        let Some(len) = self.state.next_len(input, offset)? else {
            return Ok(None);
        };
        taken.add(len);
        self.state.take(len);
        let message = Message {
            bytes: &input[..len],
            offset,
            number,
        };
        Ok(Some((message, &self.state)))
    }

    /// Returns the bytes of the next message as [`next_message`](MessageScanner::next_message)
    /// does, and does not take the message.
    ///
    /// ```
    /// use packord::MessageScanner;
    /// let mut scanner = MessageScanner::new();
    /// scanner.feed(b"\xa1a\xc0");
    /// assert_eq!(scanner.peek_message()?.unwrap().bytes, b"\xa1a");
    /// assert_eq!(scanner.next_message()?.unwrap().bytes, b"\xa1a");
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`next_value`](MessageScanner::next_value).
    pub fn peek_message(&mut self) -> Result<Option<Message<'_>>> {
        self.pass();
        let (offset, number) = (self.offset(), self.messages());
        let input = self.buffer.held();
        let len = self.state.next_len(input, offset)?;
        Ok(len.map(|len| Message {
            bytes: &input[..len],
            offset,
            number,
        }))
    }

    /// Drops the next `len` bytes unread, or all if fewer are kept. The next message begins after
    /// them. They do not count as a message, and a fault in them is cleared.
    ///
    /// ```
    /// use packord::MessageScanner;
    /// let mut scanner = MessageScanner::new();
    /// scanner.feed(b"\xc1\x07");
    /// assert!(scanner.next_value().is_err());
    /// scanner.skip_bytes(1);
    /// assert_eq!(scanner.next_value()?.unwrap(), 7);
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn skip_bytes(&mut self, len: usize) {
        let (input, taken) = self.buffer.split();
        taken.add(len.min(input.len()));
        self.state.start_again();
    }

    /// Replaces the list of shared structures by a longer one that begins with the old one.
    /// Structures that the stream has defined stay. Does nothing while records are off.
    ///
    /// ```
    /// use packord::{DecodeOptions, MessageScanner, Structures};
    /// let mut scanner = MessageScanner::with_options(&DecodeOptions::new().records(true));
    /// let mut structures = Structures::new();
    /// structures.push(["id"]);
    /// scanner.set_shared_structures(&structures);
    /// scanner.feed(b"\x40\x07");
    /// assert_eq!(scanner.next_value()?.unwrap()["id"], 7);
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn set_shared_structures(&mut self, structures: &Structures) {
        if let Some(records) = &mut self.state.pull.decoder.records {
            records.add_shared(structures);
        }
    }

    /// Returns the structures that the records of the next message can name, the shared ones too.
    ///
    /// ```
    /// use packord::{DecodeOptions, MessageScanner};
    /// let options = DecodeOptions::new().records(true).sequential(true);
    /// let mut scanner = MessageScanner::with_options(&options);
    /// scanner.feed(b"\xd4\x72\x40\x91\xa1a\x01");
    /// scanner.next_message()?;
    /// assert_eq!(scanner.structures().next().unwrap().structure.key(0), Some("a"));
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn structures(&self) -> impl Iterator<Item = RecordHead> {
        let records = self.state.pull.decoder.records.as_deref();
        let has_begun = self.state.has_begun();
        records
            .into_iter()
            .flat_map(move |records| records.at_message(has_begun).iter())
    }

    /// Makes room for `len` more bytes of the stream, so that [`feed`](MessageScanner::feed) of
    /// this number cannot fail.
    ///
    /// # Errors
    ///
    /// If the memory is exhausted. Nothing changes then.
    pub fn try_reserve(&mut self, len: usize) -> core::result::Result<(), TryReserveError> {
        self.buffer.try_reserve(len)
    }

    /// Checks the next message and returns a walker over it, or `None` if more bytes are needed.
    /// Its offsets are those of the stream, and it knows the records that the message can use.
    ///
    /// ```
    /// use packord::{MessageScanner, Token};
    /// let mut decoder = MessageScanner::new();
    /// decoder.feed(b"\x01\x02");
    /// decoder.next_value()?;
    /// let mut walker = decoder.next_walker()?.unwrap();
    /// let event = walker.next()?.unwrap();
    /// assert_eq!((event.offset, event.bytes), (1, &b"\x02"[..]));
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`next_value`](MessageScanner::next_value).
    pub fn next_walker(&mut self) -> Result<Option<Walker<'_>>> {
        let taken = self.take_message()?;
        Ok(taken.map(|(message, state)| state.walk(message.bytes, message.offset, message.number)))
    }

    /// Returns a walker over the available bytes of a message that is not whole or has a fault, to
    /// show what can be read of it.
    ///
    /// ```
    /// use packord::{ErrorKind, MessageScanner, Token};
    /// let mut decoder = MessageScanner::new();
    /// decoder.feed(b"\x92\x01\xa5he");
    /// assert!(decoder.next_value()?.is_none());
    /// let mut walker = decoder.pending_walker();
    /// assert_eq!(walker.next()?.unwrap().token, Token::Array(2));
    /// assert_eq!(walker.next()?.unwrap().bytes, b"\x01");
    /// assert_eq!(walker.next().unwrap_err().kind(), ErrorKind::Eof);
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn pending_walker(&self) -> Walker<'_> {
        self.state.walk(self.pending(), self.offset(), self.messages())
    }

    /// Ends the stream. Take all values before.
    ///
    /// ```
    /// use packord::{ErrorKind, MessageScanner};
    /// let mut decoder = MessageScanner::new();
    /// decoder.feed(b"\xc3\x91\xa5he");
    /// while let Some(value) = decoder.next_value()? {
    ///     assert_eq!(value, true);
    /// }
    /// let error = decoder.finish().unwrap_err();
    /// assert_eq!((error.kind(), error.offset(), error.path()), (ErrorKind::Eof, Some(5), Some("$1[0]")));
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `eof` if the stream ends within a message, or the fault that was found.
    pub fn finish(&mut self) -> Result<()> {
        self.pass();
        self.state.finish(self.buffer.held(), self.buffer.offset())
    }

    /// Returns the offset of the first byte that was not returned, from the start of the stream.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.buffer.offset()
    }

    /// Returns the number of messages that were returned or passed over.
    #[must_use]
    pub fn messages(&self) -> u64 {
        self.state.messages
    }

    /// Returns the number of bytes that are kept and were not returned.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.pending().len()
    }

    /// Returns the bytes that are kept and were not returned, from
    /// [`offset`](MessageScanner::offset) on.
    #[must_use]
    pub fn pending(&self) -> &[u8] {
        self.buffer.held()
    }

    /// Returns whether no byte of the next message is there, nor of one that is passed over.
    ///
    /// ```
    /// use packord::MessageScanner;
    /// let mut scanner = MessageScanner::new();
    /// scanner.feed(b"\x92\xa1\xff\x91");
    /// assert!(scanner.next_value().is_err());
    /// assert!(!scanner.at_boundary());
    /// scanner.feed(b"\xc0");
    /// assert!(scanner.at_boundary());
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn at_boundary(&mut self) -> bool {
        self.pass();
        self.state.passing.is_none() && !self.is_over() && self.buffered() == 0
    }

    #[cfg(feature = "std")]
    pub(crate) fn has_message(&mut self) -> Result<bool> {
        self.pass();
        let (input, offset) = (self.buffer.held(), self.buffer.offset());
        Ok(self.state.next_len(input, offset)?.is_some())
    }

    /// Drops what is there of a message whose fault was reported.
    #[inline]
    fn pass(&mut self) {
        if self.state.passing.is_some() {
            let offset = self.offset();
            let (input, taken) = self.buffer.split();
            taken.add(self.state.pass(input, offset));
        }
    }
}

impl StreamState {
    fn new(options: &DecodeOptions) -> StreamState {
        let rules = options.stream_rules();
        StreamState {
            rules,
            unbuffered: options.rules(),
            pull: Pull::new(ValueDecoder::new(options.record_state()), &rules),
            last_len: 0,
            messages: 0,
            passing: None,
            failed: None,
        }
    }

    /// Returns whether definitions of records last for the stream.
    fn is_sequential(&self) -> bool {
        let records = self.pull.decoder.records.as_ref();
        records.is_some_and(|records| records.is_sequential())
    }

    /// Reads the next message in one pass if it is whole and valid; otherwise
    /// [`next_len`](StreamState::next_len) finds the reason. This is tried once for each message,
    /// so that the work is linear, and only with at least as many bytes as the last message had:
    /// with fewer, the next message is probably not whole, and the work would be lost.
    fn read_at_once<'a, T>(
        &mut self,
        input: &'a [u8],
        read: impl FnOnce(&'a [u8], &Rules) -> Option<(T, usize)>,
    ) -> Option<(T, usize)> {
        if self.has_begun() || input.len() < self.last_len {
            return None;
        }
        let (value, len) = read(input, &self.unbuffered)?;
        if len == 0 || len as u64 > self.rules.buffer {
            return None;
        }
        self.take(len);
        Some((value, len))
    }

    /// Reads and takes a message that was checked whole. It can fail only at a string that cannot
    /// be borrowed.
    fn read_again<'a, S: Keep<'a>>(&mut self, message: &'a [u8], offset: u64) -> Result<Tree<S, S::Bytes>> {
        self.take(message.len());
        let rules = self.unbuffered;
        if !rules.checked() {
            if let Some((value, _)) = quick::<S>(message, &rules) {
                return Ok(value);
            }
        }
        let decoder = &mut self.pull.decoder;
        if let Some(records) = &mut decoder.records {
            records.rollback();
        }
        decoder.begin(0);
        let outcome = tree::<S>(decoder, message, &rules);
        decoder.pos = 0;
        outcome.map_err(|fault| Error::at(fault.kind, offset + fault.at as u64))
    }

    /// Returns whether reading the next message has begun, or a fault was found.
    fn has_begun(&self) -> bool {
        self.pull.open || self.pull.decoder.pos > 0 || self.failed.is_some()
    }

    fn next_len(&mut self, input: &[u8], offset: u64) -> Result<Option<usize>> {
        if let Some(error) = &self.failed {
            return Err(error.duplicate());
        }
        if self.passing.is_some() {
            return Ok(None);
        }
        if !self.has_begun() {
            if input.is_empty() {
                return Ok(None);
            }
            self.pull.begin(0);
        }
        if input.len() < self.pull.decoder.need {
            return Ok(None);
        }
        match self.pull.finish(input, &self.rules) {
            Ok(()) => Ok(Some(self.pull.decoder.pos)),
            Err(fault) if fault.kind == ErrorKind::Eof => Ok(None),
            Err(fault) => Err(self.fail(fault, input, offset)),
        }
    }

    fn finish(&mut self, input: &[u8], offset: u64) -> Result<()> {
        let is_whole = self.next_len(input, offset)?.is_some();
        let fault = Fault::new(ErrorKind::Eof, input.len());
        if self.passing.is_some() {
            return Err(self.end(fault, offset, root_path(self.messages)));
        }
        if is_whole || input.is_empty() {
            return Ok(());
        }
        Err(self.fail(fault, input, offset))
    }

    /// Passes over what is there of a message whose fault was reported. Returns the number of bytes,
    /// which the caller drops.
    #[cold]
    fn pass(&mut self, input: &[u8], offset: u64) -> usize {
        let Some(passing) = &mut self.passing else {
            return 0;
        };
        let pull = &mut self.pull;
        match passing.take::<true>(input, 0, &mut pull.decoder, &self.rules) {
            Ok(len) => {
                pull.decoder.shift(len);
                if passing.is_done() {
                    self.passing = None;
                    self.messages += 1;
                    pull.open = false;
                    (pull.decoder.pos, pull.decoder.need) = (0, 0);
                }
                len
            }
            Err(fault) => {
                self.end(fault, offset, root_path(self.messages));
                0
            }
        }
    }

    fn take(&mut self, len: usize) {
        self.messages += 1;
        self.last_len = len;
        (self.pull.decoder.pos, self.pull.decoder.need) = (0, 0);
    }

    fn start_again(&mut self) {
        let begun = self.has_begun();
        (self.passing, self.failed) = (None, None);
        let pull = &mut self.pull;
        if let Some(records) = pull.decoder.records.as_mut().filter(|_| begun) {
            records.rollback();
        }
        pull.open = false;
        (pull.decoder.pos, pull.decoder.need) = (0, 0);
    }

    fn walk<'b>(&self, bytes: &'b [u8], offset: u64, number: u64) -> Walker<'b> {
        let records = self.pull.decoder.records.clone();
        Walker::resume(bytes, offset, number, self.unbuffered, records)
    }

    #[cold]
    fn fail(&mut self, fault: Fault, input: &[u8], offset: u64) -> Error {
        let at = offset + fault.at as u64;
        let mut walker = self.walk(input, offset, self.messages);
        let path = path_of_message(&mut walker, input, offset, at);
        let path = path.unwrap_or_else(|| String::from("$"));
        if fault.ends_stream() {
            return self.end(fault, offset, path);
        }
        let decoder = &self.pull.decoder;
        self.passing = Some(Passing::new(decoder, decoder.pos as u64));
        self.pull.open = true;
        Error::at(fault.kind, at).with_path(path)
    }

    #[cold]
    fn end(&mut self, fault: Fault, offset: u64, path: String) -> Error {
        self.passing = None;
        let error = Error::at(fault.kind, offset + fault.at as u64).with_path(path);
        self.failed = Some(error.duplicate());
        error
    }
}
