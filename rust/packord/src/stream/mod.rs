//! [`StreamDecoder`]: messages out of bytes that come in chunks (`spec/format.md` section 6).

use crate::decode::tree::{Keep, quick, tree};
use crate::error::{Error, ErrorKind, Result};
use crate::options::{DecodeOptions, Rules};
use crate::record::RecordState;
use crate::value::{Tree, Value, ValueRef};
use crate::walk::pull::Pull;
use crate::walk::scan::{Fault, Scanner};
use crate::walk::{Walker, path_of_message};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// A buffer that has grown beyond this is given back once it is empty.
const KEEP_CAPACITY: usize = 1 << 20;

/// Reads a stream of messages from chunks, cut anywhere: [feed](StreamDecoder::feed) it, take
/// values until there are no more, and say when the stream has [ended](StreamDecoder::finish).
///
/// A message that is not whole is read up to the header that lacks bytes, and from there on when
/// more have come, so the work is linear in the length of the stream. Memory is bounded by
/// [`max_buffer`](DecodeOptions::max_buffer) and what is fed and not taken.
///
/// ```
/// use packord::StreamDecoder;
///
/// let mut decoder = StreamDecoder::new();
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
pub struct StreamDecoder {
    /// The rules with `max_buffer`, and without.
    rules: Rules,
    unbuffered: Rules,
    buffer: Vec<u8>,
    /// Where in the buffer the next message begins.
    head: usize,
    /// The stream's offset of the buffer's first byte.
    base: u64,
    /// Reads the next message to its end, without building it.
    pull: Pull,
    /// Messages given out.
    messages: u64,
    failed: Option<Error>,
}

/// The bytes of one message of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Message<'b> {
    /// The message's own bytes.
    pub bytes: &'b [u8],
    /// The stream's offset of its first byte.
    pub offset: u64,
    /// Its number in the stream, from 0.
    pub number: u64,
}

impl Default for StreamDecoder {
    fn default() -> StreamDecoder {
        StreamDecoder::new()
    }
}

impl StreamDecoder {
    /// A decoder with the default options.
    #[must_use]
    pub fn new() -> StreamDecoder {
        StreamDecoder::with_options(&DecodeOptions::new())
    }

    /// A decoder with options. The option `trailing` has no meaning in a stream.
    #[must_use]
    pub fn with_options(options: &DecodeOptions) -> StreamDecoder {
        let rules = options.stream_rules();
        let pull = Pull::new(Scanner::new(RecordState::new(options)), &rules);
        StreamDecoder {
            rules,
            unbuffered: options.rules(),
            buffer: Vec::new(),
            head: 0,
            base: 0,
            pull,
            messages: 0,
            failed: None,
        }
    }

    /// Adds the next bytes of the stream.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.compact();
        self.buffer.extend_from_slice(bytes);
    }

    /// Room for `len` more bytes of the stream, of which `read` tells how many it has filled.
    #[cfg(feature = "std")]
    pub(crate) fn feed_with<E>(
        &mut self,
        len: usize,
        read: impl FnOnce(&mut [u8]) -> core::result::Result<usize, E>,
    ) -> core::result::Result<usize, E> {
        self.compact();
        let old = self.buffer.len();
        self.buffer.resize(old + len, 0);
        let outcome = read(&mut self.buffer[old..]);
        let filled = outcome.as_ref().map_or(0, |&filled| filled.min(len));
        self.buffer.truncate(old + filled);
        outcome
    }

    /// How many more bytes the message that has begun needs at least; 1 if none has begun.
    #[cfg(feature = "std")]
    pub(crate) fn lacks(&self) -> usize {
        let have = self.buffer.len() - self.head;
        self.pull.scanner.need.saturating_sub(have).max(1)
    }

    /// Drops the bytes of messages that were given out, once they are half of the buffer: so
    /// each byte is moved at most once on average.
    fn compact(&mut self) {
        if self.head == 0 || self.head * 2 < self.buffer.len() {
            return;
        }
        self.buffer.drain(..self.head);
        self.base += self.head as u64;
        self.head = 0;
        if self.buffer.is_empty() && self.buffer.capacity() > KEEP_CAPACITY {
            self.buffer = Vec::new();
        }
    }

    /// The next value, or `None` until more bytes have come.
    ///
    /// # Errors
    ///
    /// The first fault in the stream, other than that it goes on. It stays: every later call
    /// reports it again.
    pub fn next_value(&mut self) -> Result<Option<Value>> {
        self.next_tree::<Box<str>>()
    }

    /// The next value, with texts and bytes borrowed from the decoder.
    ///
    /// # Errors
    ///
    /// As for [`next_value`](StreamDecoder::next_value).
    pub fn next_ref(&mut self) -> Result<Option<ValueRef<'_>>> {
        self.next_tree::<&str>()
    }

    fn next_tree<'a, S: Keep<'a>>(&'a mut self) -> Result<Option<Tree<S, S::Bytes>>> {
        let Some(len) = self.next_len()? else {
            return Ok(None);
        };
        let begin = self.head;
        self.take(len);
        let message = &self.buffer[begin..begin + len];
        // The bytes were found good, so nothing can fail here but a text that cannot be borrowed.
        let rules = self.unbuffered;
        if !rules.full() {
            if let Some((value, _)) = quick::<S>(message, &rules) {
                return Ok(Some(value));
            }
        }
        if let Some(records) = &mut self.pull.scanner.records {
            records.rollback();
        }
        self.pull.scanner.begin(0);
        let outcome = tree::<S>(&mut self.pull.scanner, message, &rules);
        self.pull.scanner.pos = 0;
        match outcome {
            Ok(value) => Ok(Some(value)),
            Err(fault) => {
                let error = Error::at(fault.kind, self.base + (begin + fault.at) as u64);
                self.failed = Some(error.duplicate());
                Err(error)
            }
        }
    }

    /// The bytes of the next message, which were checked, or `None` until more have come.
    ///
    /// # Errors
    ///
    /// As for [`next_value`](StreamDecoder::next_value).
    pub fn next_message(&mut self) -> Result<Option<Message<'_>>> {
        let Some(len) = self.next_len()? else {
            return Ok(None);
        };
        let (begin, number) = (self.head, self.messages);
        self.take(len);
        let bytes = &self.buffer[begin..begin + len];
        Ok(Some(Message {
            bytes,
            offset: self.base + begin as u64,
            number,
        }))
    }

    /// A walker over the next message, which was checked, or `None` until more bytes have come.
    /// Its offsets are the stream's, and it knows the records that the message can use.
    ///
    /// ```
    /// use packord::{StreamDecoder, Token};
    /// let mut decoder = StreamDecoder::new();
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
    /// As for [`next_value`](StreamDecoder::next_value).
    pub fn next_walker(&mut self) -> Result<Option<Walker<'_>>> {
        let Some(len) = self.next_len()? else {
            return Ok(None);
        };
        let (begin, number) = (self.head, self.messages);
        self.take(len);
        Ok(Some(self.walk(begin, begin + len, number)))
    }

    /// A walker over the bytes that are there of a message which is not whole, or in which a
    /// fault was found: for showing what can be read of it.
    #[must_use]
    pub fn pending_walker(&self) -> Walker<'_> {
        self.walk(self.head, self.buffer.len(), self.messages)
    }

    fn walk(&self, begin: usize, end: usize, number: u64) -> Walker<'_> {
        let mut records = self.pull.scanner.records.clone();
        if let Some(records) = &mut records {
            records.rollback();
        }
        let base = self.base + begin as u64;
        Walker::resume(
            &self.buffer[begin..end],
            base,
            number,
            self.unbuffered,
            records,
        )
    }

    /// Says that the stream has ended. Take all values before.
    ///
    /// # Errors
    ///
    /// `eof` if it ends within a message, or the fault that was found.
    pub fn finish(&mut self) -> Result<()> {
        if self.next_len()?.is_some() || self.head == self.buffer.len() {
            return Ok(());
        }
        let end = self.buffer.len() - self.head;
        Err(self.fail(Fault::new(ErrorKind::Eof, end)))
    }

    /// The offset of the first byte that was not given out, from the start of the stream.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.base + self.head as u64
    }

    /// How many messages were given out.
    #[must_use]
    pub fn messages(&self) -> u64 {
        self.messages
    }

    /// How many bytes are kept that were not given out.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.buffer.len() - self.head
    }

    /// The bytes that are kept and were not given out, from [`offset`](StreamDecoder::offset) on.
    #[must_use]
    pub fn pending(&self) -> &[u8] {
        &self.buffer[self.head..]
    }

    /// Whether the next message is whole.
    #[cfg(feature = "std")]
    pub(crate) fn has_message(&mut self) -> Result<bool> {
        Ok(self.next_len()?.is_some())
    }

    /// The length of the next message if it is whole.
    fn next_len(&mut self) -> Result<Option<usize>> {
        if let Some(error) = &self.failed {
            return Err(error.duplicate());
        }
        let input = &self.buffer[self.head..];
        if !self.pull.open && self.pull.scanner.pos == 0 {
            if input.is_empty() {
                return Ok(None);
            }
            self.pull.begin(0);
        }
        if input.len() < self.pull.scanner.need {
            return Ok(None);
        }
        match self.pull.finish(input, &self.rules) {
            Ok(()) => Ok(Some(self.pull.scanner.pos)),
            Err(fault) if fault.kind == ErrorKind::Eof => Ok(None),
            Err(fault) => Err(self.fail(fault)),
        }
    }

    /// The message of this length is given out.
    fn take(&mut self, len: usize) {
        self.head += len;
        self.messages += 1;
        (self.pull.scanner.pos, self.pull.scanner.need) = (0, 0);
    }

    #[cold]
    fn fail(&mut self, fault: Fault) -> Error {
        let base = self.offset();
        let offset = base + fault.at as u64;
        let mut walker = self.pending_walker();
        let path = path_of_message(&mut walker, &self.buffer[self.head..], base, offset);
        let error =
            Error::at(fault.kind, offset).with_path(path.unwrap_or_else(|| String::from("$")));
        self.failed = Some(error.duplicate());
        error
    }
}
