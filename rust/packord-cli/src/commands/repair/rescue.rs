//! The messages after a fault.

use std::ops::Range;

use packord::wire::marker;
use packord::{DecodeOptions, Error, Walker};

use super::partial::PartialMessage;
use crate::commands::validate::faults;
use crate::limits::FAULTS;

/// Messages that must follow one another where a search goes on.
const CHAIN: usize = 3;
/// A message that is this number of times as long as those before usually are may be one that damage makes of many.
const LONGER: usize = 32;
/// How often each byte may be read in searches.
const EFFORT: usize = 32;

/// Bytes that begin with a damaged message.
pub struct Rescue<'o> {
    bytes: Vec<u8>,
    at: usize,
    /// The first bytes of complete messages.
    starts: [bool; 256],
    options: &'o DecodeOptions,
    /// The usual length of a message, if it is known.
    usual: Option<usize>,
    /// Bytes that searches may still read.
    effort: usize,
    /// The fault of the message at `at`, which was cut off rather than damaged.
    is_cut: bool,
    fault: Option<Error>,
}

impl<'o> Rescue<'o> {
    /// Takes the bytes from the damaged message on, and the first bytes of the messages before.
    pub fn new(bytes: Vec<u8>, starts: [bool; 256], options: &'o DecodeOptions, is_cut: bool) -> Rescue<'o> {
        Rescue {
            at: 0,
            starts,
            options,
            usual: None,
            effort: bytes.len().saturating_mul(EFFORT),
            is_cut,
            fault: None,
            bytes,
        }
    }

    /// Sets the usual length of a message, if it is known.
    #[must_use]
    pub fn with_usual(mut self, len: Option<u64>) -> Rescue<'o> {
        self.usual = len.and_then(|len| usize::try_from(len).ok());
        self
    }

    /// Returns the number of bytes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the bytes of a message.
    pub fn bytes(&self, message: Range<usize>) -> &[u8] {
        &self.bytes[message]
    }

    /// Returns the fault of the damaged message.
    pub fn fault(&mut self) -> Option<Error> {
        self.fault.take()
    }

    /// Returns the message after those that were returned, if it is complete.
    pub fn next_message(&mut self) -> Option<Range<usize>> {
        self.fault = None;
        if self.at == self.bytes.len() {
            return None;
        }
        match self.options.skip_value(&self.bytes[self.at..]) {
            Ok(len) => {
                let mut message = self.at..self.at + len;
                if self.is_long(len) {
                    // Messages that follow one another in it are rather messages than its elements.
                    if let Some(at) = self.search(message.end) {
                        let len = self.options.skip_value(&self.bytes[at..]).ok()?;
                        message = at..at + len;
                    }
                }
                self.starts[usize::from(self.bytes[message.start])] = true;
                self.at = message.end;
                Some(message)
            }
            Err(error) => {
                self.is_cut = error.is_eof();
                self.fault = Some(error);
                None
            }
        }
    }

    fn is_long(&self, len: usize) -> bool {
        self.usual.is_some_and(|usual| len / LONGER > usual)
    }

    /// Returns the complete values of the damaged message.
    pub fn partial(&self) -> PartialMessage {
        let mut partial = PartialMessage::default();
        let mut walker = Walker::with_options(&self.bytes[self.at..], self.options);
        while let Ok(Some(event)) = walker.next() {
            partial.event(&event);
        }
        partial
    }

    /// Returns the first message after the damaged one.
    pub fn next_range(&mut self) -> Option<Range<usize>> {
        if self.at == self.bytes.len() {
            return None;
        }
        let end = self.bytes.len();
        let mut next = self.end_of_damaged().or_else(|| self.search(end));
        if next.is_none() && self.usual.take().is_some() {
            // All that follow are longer than those before.
            next = self.search(end);
        }
        self.at = next?;
        self.next_message()
    }

    /// Returns where the damaged message ends if its faults do not change its length.
    fn end_of_damaged(&mut self) -> Option<usize> {
        let mut before = Vec::new();
        let mut end = None;
        while before.len() < FAULTS {
            match self.options.skip_value(&self.bytes[self.at..]) {
                Ok(len) => {
                    end = Some(self.at + len);
                    break;
                }
                Err(error) => {
                    let at = self.at + usize::try_from(error.offset()?).ok()?;
                    self.effort = self.effort.saturating_sub(at - self.at);
                    let found = self.bytes.get(at..).unwrap_or_default();
                    let Some((skip, byte)) = faults::replace(error.kind(), found) else {
                        break;
                    };
                    before.push((at + skip, self.bytes[at + skip]));
                    self.bytes[at + skip] = byte;
                }
            }
        }
        for (at, byte) in before.into_iter().rev() {
            self.bytes[at] = byte;
        }
        // A fault may have moved everything after it. The next message shows that it did not.
        end.filter(|&end| !self.is_long(end - self.at) && self.follow(end, 1, true) == Some(()))
    }

    /// Returns where, up to an index, a message begins like one before it, and others follow.
    fn search(&mut self, end: usize) -> Option<usize> {
        for at in self.at + 1..end {
            if self.effort == 0 {
                return None;
            }
            if self.begins(self.bytes[at]) && self.follow(at, CHAIN, !self.is_cut) == Some(()) {
                return Some(at);
            }
        }
        None
    }

    /// Returns whether a message before begins with the byte. Scalars of one byte are everywhere.
    fn begins(&self, byte: u8) -> bool {
        self.starts[usize::from(byte)]
            && !matches!(byte, ..marker::FIXMAP | marker::NIL..=marker::TRUE | marker::NEGATIVE_FIXINT..)
    }

    /// Checks that this number of messages follow one another, or, if that is allowed, fewer up to the
    /// end. Each begins like one before it, unless only scalars of one byte are known.
    fn follow(&mut self, start: usize, count: usize, may_end: bool) -> Option<()> {
        let is_known = (0..=u8::MAX).any(|byte| self.begins(byte));
        let mut at = start;
        for _ in 0..count {
            let Some(&first) = self.bytes.get(at) else {
                return may_end.then_some(());
            };
            if is_known && !self.begins(first) {
                return None;
            }
            let (read, is_valid) = match self.options.skip_value(&self.bytes[at..]) {
                Ok(len) => (len, !self.is_long(len)),
                Err(error) => (error.offset().map_or(1, |offset| offset as usize + 1), false),
            };
            self.effort = self.effort.saturating_sub(read);
            if !is_valid {
                return None;
            }
            at += read;
        }
        Some(())
    }
}
