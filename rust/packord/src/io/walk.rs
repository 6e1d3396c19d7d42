//! [`WalkReader`].

use super::window::{self, StreamWindow};
use crate::error::{Error, ErrorKind, Result};
use crate::options::{DecodeOptions, Rules};
use crate::read::{ENDLESS, Fault, Passing, ValueDecoder};
use crate::read::{Pull, PullStep};
use crate::walk::{Event, PlaceSink, TokenSink, Walker, path_of_message, root_path};
use crate::wire::{marker as m, utf8};
use std::io::{self, Read};

/// A [`Walker`] over a reader, which need not be buffered: it keeps a window of the stream, so
/// that a message may be larger than memory.
///
/// A value is checked when the walk reaches it, not before. So a fault may be reported after half
/// of the message has been returned, unlike with [`UnpackReader`](super::UnpackReader), which holds
/// each message whole. Faults and their offsets are the same; an error has a path if the message up
/// to the fault is at most 128 KiB long. The walk of a message ends with its fault; the walk of the
/// stream [goes on](WalkReader::next_message) after the message, as that of a
/// [`MessageScanner`](crate::MessageScanner) does.
///
/// The window is 256 KiB. It grows for a str, bin or ext of an event and for a value that
/// [`hold_value`](WalkReader::hold_value) returns, up to
/// [`max_buffer`](DecodeOptions::max_buffer); one whose header announces more is refused before its payload is
/// read. It holds whole messages if keys are compared
/// (`canonical`, `duplicate_key`).
///
/// ```
/// use packord::Token;
/// use packord::io::WalkReader;
///
/// let mut walker = WalkReader::new(&b"\x92\xa2hi\x07\xc0"[..]);
/// let mut texts = Vec::new();
/// while walker.next_message()? {
///     while let Some(event) = walker.next()? {
///         if let Token::Str(text) = event.token {
///             texts.push(text.to_owned());
///         }
///     }
/// }
/// assert_eq!((texts, walker.offset()), (vec!["hi".to_owned()], 6));
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Debug)]
pub struct WalkReader<R> {
    window: StreamWindow<R>,
    rules: Rules,
    max_buffer: u64,
    pull: Pull,
    /// Number of messages begun.
    messages: u64,
    /// Whether the window still has the message from its first byte on.
    is_whole: bool,
    /// The fault of the message, or of the stream.
    failed: Option<Error>,
    /// What is left of a message whose fault was reported.
    passing: Option<Passing>,
    /// A fault in what is left, which the next call reports.
    found: Option<Error>,
}

enum Halt {
    Fault(Fault),
    Io(io::Error),
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Halt {
        Halt::Fault(fault)
    }
}

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Halt {
        Halt::Io(error)
    }
}

type Tried<T> = core::result::Result<T, Halt>;
type Checked<T> = core::result::Result<T, Fault>;

impl<R: Read> WalkReader<R> {
    /// Returns a walker with the default options.
    pub fn new(reader: R) -> WalkReader<R> {
        WalkReader::with_options(reader, &DecodeOptions::new())
    }

    /// Returns a walker with options. The option `trailing` has no effect in a stream.
    pub fn with_options(reader: R, options: &DecodeOptions) -> WalkReader<R> {
        let rules = options.rules();
        let mut decoder = ValueDecoder::new(options.record_state());
        decoder.beyond = ENDLESS;
        WalkReader {
            window: StreamWindow::new(reader),
            rules,
            max_buffer: options.max_buffer,
            pull: Pull::new(decoder, &rules),
            messages: 0,
            is_whole: false,
            failed: None,
            passing: None,
            found: None,
        }
    }

    /// Moves to the next message, after skipping the rest of the current one; returns `false` at the
    /// end of the stream. The rest of a message whose fault was reported is passed over by its headers.
    ///
    /// ```
    /// use packord::io::WalkReader;
    /// let mut walker = WalkReader::new(&b"\x92\xa1\xff\x01\x07"[..]);
    /// walker.next_message()?;
    /// assert!(walker.skip_message().is_err());
    /// assert!(walker.next_message()?);
    /// assert_eq!((walker.message(), walker.offset()), (1, 4));
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A fault in the rest of the current message; `io` if reading fails.
    pub fn next_message(&mut self) -> Result<bool> {
        if self.passing.is_some() || self.found.is_some() {
            self.pass_over()?;
        } else {
            self.skip_message()?;
        }
        let at = self.pull.decoder.pos;
        let mut fed = Ok(());
        if at == self.window.bytes().len() && !self.window.has_ended {
            self.drop_first(at);
            fed = self.window.read();
        } else if self.rules.checks_keys() && self.window.is_roomy_from(at) {
            self.drop_first(at);
        }
        fed.map_err(|error| self.fail(error.into()))?;
        let at = self.pull.decoder.pos;
        let more = at < self.window.bytes().len();
        if more {
            self.messages += 1;
            self.is_whole = true;
            self.pull.begin(at);
            self.pull.decoder.announced = 0;
        }
        Ok(more)
    }

    /// Returns the next event of the message, or `None` after its end.
    ///
    /// # Errors
    ///
    /// The first fault in the stream, `eof` if it ends within the message, `io` if reading fails.
    /// A repeated call returns the same error.
    #[allow(clippy::should_implement_trait, reason = "fallible, it lends, and the natural name")]
    pub fn next(&mut self) -> Result<Option<Event<'_>>> {
        let (start, step) = self.advance(|pull, input, rules| pull.step(input, rules, &mut PlaceSink))?;
        let Some(step) = step else { return Ok(None) };
        let bytes = &self.window.bytes()[start..self.pull.decoder.pos];
        let step = match step {
            PullStep::Value(placed, role) => PullStep::Value(placed.token(bytes), role),
            PullStep::End(kind, role) => PullStep::End(kind, role),
        };
        let offset = self.window.base + start as u64;
        Ok(Some(Event::of(offset, bytes, step, self.pull.depth())))
    }

    /// Passes the events of the next value, and of all values in it, to `take`: faster than
    /// [`next`](WalkReader::next). Returns `false` if the innermost container, or the message, has
    /// no more values.
    ///
    /// ```
    /// use packord::Error;
    /// use packord::io::WalkReader;
    ///
    /// let mut walker = WalkReader::new(&b"\x92\xa2hi\x91\x07"[..]);
    /// let mut offsets = Vec::new();
    /// while walker.next_message()? {
    ///     walker.each_event(|event| {
    ///         offsets.push(event.offset);
    ///         Ok::<(), Error>(())
    ///     })?;
    /// }
    /// assert_eq!(offsets, [0, 1, 4, 5, 6, 6]);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`next`](WalkReader::next) and of `take`.
    pub fn each_event<E: From<Error>>(
        &mut self,
        mut take: impl FnMut(Event<'_>) -> core::result::Result<(), E>,
    ) -> core::result::Result<bool, E> {
        self.check_failed()?;
        if self.pull.at_end() {
            return Ok(false);
        }
        let around = self.pull.depth();
        let mut start = self.pull.decoder.pos;
        loop {
            let input = self.window.bytes();
            let outcome = match self.pull.step(input, &self.rules, &mut TokenSink) {
                Ok(Some(step)) => {
                    let end = self.pull.decoder.pos;
                    let offset = self.window.base + start as u64;
                    let depth = self.pull.depth();
                    take(Event::of(offset, &input[start..end], step, depth))?;
                    if depth <= around {
                        return Ok(true);
                    }
                    start = end;
                    continue;
                }
                Ok(None) => return Ok(true),
                Err(fault) if self.goes_on(&fault) => self.feed_held(start),
                Err(fault) => Err(fault.into()),
            };
            start -= outcome.map_err(|halt| self.fail(halt))?;
        }
    }

    /// Skips and checks the next value, with all values in it. Returns `false` if the innermost
    /// container, or the message, has no more values.
    ///
    /// ```
    /// use packord::io::WalkReader;
    /// let mut walker = WalkReader::new(&b"\x92\x92\x01\x02\xc0"[..]);
    /// walker.next_message()?;
    /// walker.next()?;
    /// assert!(walker.skip_value()?);
    /// assert_eq!(walker.hold_value()?, Some(&b"\xc0"[..]));
    /// assert!(!walker.skip_value()?);
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`next`](WalkReader::next).
    pub fn skip_value(&mut self) -> Result<bool> {
        if self.pull.at_end() {
            return Ok(false);
        }
        self.skip_values(1)?;
        Ok(true)
    }

    /// Skips `count` values of the innermost container, or the rest of it if there are fewer.
    ///
    /// # Errors
    ///
    /// As for [`next`](WalkReader::next).
    pub fn skip_values(&mut self, count: usize) -> Result<()> {
        let left = self.pull.left().saturating_sub(count as u64);
        let depth = self.pull.depth();
        self.skip(|pull, input, rules| pull.skip(input, rules, depth, left))
    }

    /// Skips the next value like [`skip_value`](WalkReader::skip_value), and returns its bytes,
    /// which are held in memory.
    ///
    /// # Errors
    ///
    /// As for [`next`](WalkReader::next); `length_limit` if it is longer than `max_buffer`.
    pub fn hold_value(&mut self) -> Result<Option<&[u8]>> {
        if self.pull.at_end() {
            return Ok(None);
        }
        let depth = self.pull.depth();
        let left = self.pull.left() - 1;
        let (start, ()) = self.advance(|pull, input, rules| pull.skip(input, rules, depth, left))?;
        Ok(Some(&self.window.bytes()[start..self.pull.decoder.pos]))
    }

    /// Skips and checks the rest of the message.
    ///
    /// # Errors
    ///
    /// As for [`next`](WalkReader::next).
    pub fn skip_message(&mut self) -> Result<()> {
        self.skip(Pull::finish)
    }

    /// Returns the offset of the next byte, from the start of the stream.
    pub fn offset(&self) -> u64 {
        self.window.base + self.pull.decoder.pos as u64
    }

    /// Returns the number of open containers.
    pub fn depth(&self) -> usize {
        self.pull.depth()
    }

    /// Returns the number of the current message, from 0.
    pub fn message(&self) -> u64 {
        self.messages.saturating_sub(1)
    }

    /// Returns the bytes from an offset of the stream on, as far as the window has them.
    pub fn bytes_at(&self, offset: u64) -> &[u8] {
        let index = offset
            .checked_sub(self.window.base)
            .and_then(|index| usize::try_from(index).ok());
        index
            .and_then(|index| self.window.bytes().get(index..))
            .unwrap_or_default()
    }

    /// Makes a step whose bytes are not needed: only the value in which the window ends is kept.
    fn skip(&mut self, mut step: impl FnMut(&mut Pull, &[u8], &Rules) -> Checked<()>) -> Result<()> {
        self.check_failed()?;
        loop {
            let outcome = match step(&mut self.pull, self.window.bytes(), &self.rules) {
                Err(fault) if self.goes_on(&fault) => match self.long_payload() {
                    Some(len) => self.skip_payload(len),
                    None => self.feed(self.pull.decoder.kept()).map(drop),
                },
                Err(fault) => Err(fault.into()),
                Ok(()) => return Ok(()),
            };
            outcome.map_err(|halt| self.fail(halt))?;
        }
    }

    /// Makes a step, and keeps all bytes from its start on. Returns the index of that start.
    fn advance<T>(&mut self, mut step: impl FnMut(&mut Pull, &[u8], &Rules) -> Checked<T>) -> Result<(usize, T)> {
        self.check_failed()?;
        let mut start = self.pull.decoder.pos;
        loop {
            let outcome = match step(&mut self.pull, self.window.bytes(), &self.rules) {
                Err(fault) if self.goes_on(&fault) => self.feed_held(start),
                Err(fault) => Err(fault.into()),
                Ok(out) => return Ok((start, out)),
            };
            start -= outcome.map_err(|halt| self.fail(halt))?;
        }
    }

    fn goes_on(&self, fault: &Fault) -> bool {
        fault.kind == ErrorKind::Eof && !self.window.has_ended
    }

    /// Passes over the rest of a message whose fault was reported.
    #[cold]
    fn pass_over(&mut self) -> Result<()> {
        loop {
            if let Some(error) = self.found.take() {
                self.failed = Some(error.duplicate());
                return Err(error);
            }
            if let Err(fault) = self.pass_window() {
                self.note_found(fault);
            } else if self.passing.is_none_or(|passing| passing.is_done()) {
                (self.passing, self.failed) = (None, None);
                return Ok(());
            } else if self.window.has_ended {
                self.note_found(Fault::new(ErrorKind::Eof, self.window.bytes().len()));
            } else {
                self.make_room();
                if let Err(error) = self.window.read() {
                    self.passing = None;
                    return Err(self.fail(error.into()));
                }
            }
        }
    }

    fn pass_window(&mut self) -> Checked<()> {
        let decoder = &mut self.pull.decoder;
        let rules = Rules {
            buffer: self.max_buffer,
            ..self.rules
        };
        if let Some(passing) = &mut self.passing {
            let at = decoder.kept();
            let end = passing.take::<true>(self.window.bytes(), at, decoder, &rules)?;
            let records = decoder.records.as_ref();
            if !records.is_some_and(|records| records.is_defining()) {
                decoder.pos = end;
            }
        }
        Ok(())
    }

    /// Notes a fault in what is passed over, which ends the stream.
    fn note_found(&mut self, fault: Fault) {
        let error = Error::at(fault.kind, self.window.base + fault.at as u64);
        self.found = Some(error.with_path(root_path(self.message())));
        self.passing = None;
    }

    /// Makes room in a full window, of which only a part of a definition may be needed.
    fn make_room(&mut self) {
        if !self.window.is_full() {
            return;
        }
        self.is_whole = false;
        let there = self.window.bytes().len();
        let read = match self.passing {
            Some(_) => self.pull.decoder.kept(),
            None => there,
        };
        if read == 0 {
            self.window.grow(there + 1);
        } else {
            self.drop_first(read);
        }
    }

    /// Reads more of a value that is held from the index `start` on. Returns how many bytes were dropped.
    fn feed_held(&mut self, start: usize) -> Tried<usize> {
        self.needed(start)?;
        self.feed(start)
    }

    /// Returns up to which index the window must reach, unless that is too far from the index `start`: a header
    /// says it before its payload is read.
    fn needed(&self, start: usize) -> Checked<usize> {
        let there = self.window.bytes().len();
        let need = self.pull.decoder.need.max(there + 1);
        if (need - start) as u64 > self.max_buffer.max(window::SIZE as u64) {
            return Err(Fault::new(ErrorKind::LengthLimit, start).last());
        }
        Ok(need)
    }

    /// Reads more, and keeps the bytes from the index `start` on. Returns how many were dropped.
    fn feed(&mut self, start: usize) -> Tried<usize> {
        let mut dropped = 0;
        if self.window.is_full() {
            let begin = self.pull.decoder.message_start;
            let is_whole = self.is_whole && self.window.is_roomy_from(begin);
            self.is_whole &= is_whole || self.rules.checks_keys();
            dropped = if self.rules.checks_keys() {
                0
            } else if is_whole {
                begin
            } else {
                start
            };
            if dropped > 0 && self.window.is_roomy_from(dropped) {
                self.drop_first(dropped);
            } else {
                dropped = 0;
                self.grow(start)?;
            }
        }
        self.read()?;
        Ok(dropped)
    }

    /// Enlarges the window for a value that begins at the index `start`.
    fn grow(&mut self, start: usize) -> Tried<()> {
        let start = if self.rules.checks_keys() {
            self.pull.decoder.message_start
        } else {
            start
        };
        let need = self.needed(start)?;
        self.window.grow(need);
        Ok(())
    }

    fn read(&mut self) -> Tried<()> {
        self.window.read()?;
        if self.window.has_ended {
            self.pull.decoder.beyond = 0;
            let end = self.window.bytes().len();
            if self.pull.decoder.announced > end as u64 {
                return Err(Fault::new(ErrorKind::Eof, end).into());
            }
        }
        Ok(())
    }

    fn drop_first(&mut self, count: usize) {
        self.window.drop_first(count);
        self.pull.decoder.shift(count);
    }

    /// Returns the length of the payload of the next value, if it is a str or bin that is too long
    /// for the window, and UTF-8 is the only check.
    fn long_payload(&self) -> Option<usize> {
        let decoder = &self.pull.decoder;
        let marker = self.window.bytes().get(decoder.pos);
        let len = decoder.need.checked_sub(decoder.pos + 5)?;
        let is_long = matches!(marker, Some(&(m::STR32 | m::BIN32))) && len > window::SIZE / 2;
        (is_long && self.window.is_full() && !self.rules.checked()).then_some(len)
    }

    /// Checks a payload of `len` bytes, of which only the window is held.
    fn skip_payload(&mut self, len: usize) -> Tried<()> {
        let start = self.pull.decoder.pos;
        let is_text = self.window.bytes()[start] == m::STR32;
        self.is_whole = false;
        self.drop_first(start + 5);
        let mut left = len;
        loop {
            let there = self.window.bytes();
            let here = &there[..left.min(there.len())];
            let good = if is_text && here.len() < left {
                whole_letters(here)
            } else {
                here.len()
            };
            if let Some(bad) = is_text.then(|| utf8::check(&here[..good]).err()).flatten() {
                self.pull.decoder.pending -= 1;
                self.passing = Some(Passing::new(&self.pull.decoder, left as u64));
                return Err(Fault::new(ErrorKind::InvalidUtf8, bad).into());
            }
            left -= good;
            if left == 0 {
                self.pull.take(good);
                return Ok(());
            }
            self.drop_first(good);
            self.read()?;
            if self.window.has_ended {
                return Err(Fault::new(ErrorKind::Eof, self.window.bytes().len()).into());
            }
        }
    }

    fn check_failed(&self) -> Result<()> {
        match &self.failed {
            Some(error) => Err(error.duplicate()),
            None => Ok(()),
        }
    }

    /// Returns the error that has stopped the walk, and keeps it.
    #[cold]
    fn fail(&mut self, halt: Halt) -> Error {
        let error = match halt {
            Halt::Io(error) => Error::io(error, self.window.base + self.window.bytes().len() as u64),
            Halt::Fault(fault) => self.settle(fault),
        };
        self.failed = Some(error.duplicate());
        error
    }

    /// Returns the error of a fault. If a header before it announces more than the input has, that is
    /// the first fault; only reading on shows it.
    fn settle(&mut self, fault: Fault) -> Error {
        let mut offset = self.window.base + fault.at as u64;
        let mut kind = fault.kind;
        if !fault.ends_stream() && self.passing.is_none() {
            self.passing = Some(Passing::new(&self.pull.decoder, 0));
        }
        let announced = self.window.base + self.pull.decoder.announced;
        let end = |window: &StreamWindow<R>| window.base + window.bytes().len() as u64;
        // Read no more than this: an endless stream may announce any length.
        let max = announced.min(offset.saturating_add(self.max_buffer));
        while !self.window.has_ended && end(&self.window) < max {
            if self.window.is_full() {
                if let Err(fault) = self.pass_window() {
                    self.note_found(fault);
                }
                self.make_room();
            }
            if self.window.read().is_err() {
                break;
            }
        }
        if self.window.has_ended && announced > end(&self.window) {
            (kind, offset) = (ErrorKind::Eof, end(&self.window));
            (self.passing, self.found) = (None, None);
        }
        let error = Error::at(kind, offset);
        if !self.is_whole {
            return error;
        }
        let begin = self.pull.decoder.message_start;
        let (message, base) = (&self.window.bytes()[begin..], self.window.base + begin as u64);
        let records = self.pull.decoder.records.clone();
        let mut walker = Walker::resume(message, base, self.message(), self.rules, records);
        if !self.window.has_ended {
            walker.expect_more(ENDLESS);
        }
        match path_of_message(&mut walker, message, base, offset) {
            Some(path) => error.with_path(path),
            None => error,
        }
    }
}

/// Returns how many of the bytes are before a character that is cut off at their end.
fn whole_letters(bytes: &[u8]) -> usize {
    let last = bytes.iter().rev().take(4).position(|byte| byte & 0xc0 != 0x80);
    match last.map(|after| bytes.len() - 1 - after) {
        Some(at) => {
            let letter = match bytes[at] {
                0xf0.. => 4,
                0xe0.. => 3,
                0xc0.. => 2,
                _ => 1,
            };
            if bytes.len() - at < letter { at } else { bytes.len() }
        }
        None => bytes.len(),
    }
}
