//! Messages in the form that types of the program read: each value that is stored by column is replaced
//! by the value that it stands for, and each str that is not UTF-8 by what the option `utf8` makes of it.

use super::Walker;
use crate::error::{Error, ErrorKind, Result};
use crate::ext::Timestamp;
use crate::options::{DecodeOptions, Rules, Utf8};
use crate::read::{ColumnsExt, OrMalformed, RecordState, ValueSink};
use crate::record::RecordHead;
use crate::value::Integer;
use crate::wire::Store;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// A message, and all bytes after it, with columns expanded and strings mended.
pub(crate) struct Expanded {
    pub bytes: Vec<u8>,
    /// The last place. For all of them, those of short strings would take many times the memory of the message:
    /// another one is found by expanding again.
    last: Replaced,
    records: Option<Box<RecordState>>,
    utf8: Utf8,
    /// Whether there were columns.
    #[cfg_attr(
        not(feature = "serde"),
        allow(dead_code, reason = "only serde may borrow from the message")
    )]
    pub has_columns: bool,
}

struct Replaced {
    by: Range<usize>,
    /// In the message.
    source: Range<usize>,
}

impl Expanded {
    /// Expands the message at the start of the bytes; returns `None` if nothing in it is replaced.
    pub(crate) fn of(
        bytes: &[u8],
        options: &DecodeOptions,
        records: Option<Box<RecordState>>,
        utf8: Utf8,
    ) -> Result<Option<Expanded>> {
        Expanded::until(bytes, options, records, utf8, usize::MAX)
    }

    /// Does the same, with the last place that begins at this index of the expanded bytes or before it.
    fn until(
        bytes: &[u8],
        options: &DecodeOptions,
        records: Option<Box<RecordState>>,
        utf8: Utf8,
        until: usize,
    ) -> Result<Option<Expanded>> {
        let mut walker = Walker::with_records(bytes, options, records.clone());
        walker.begin();
        let mut sink = ExpandSink {
            input: bytes,
            bytes: Vec::new(),
            last: None,
            has_columns: false,
            until,
            copied: 0,
            begin: 0,
            utf8,
            too_long: false,
        };
        loop {
            sink.begin = walker.pull.decoder.pos;
            let step = walker.pull.step(bytes, &walker.rules, &mut sink);
            match step {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(fault) => return Err(options.located_by(fault.into(), bytes, records)),
            }
        }
        if sink.too_long {
            return Err(Error::new(ErrorKind::LengthLimit));
        }
        let Some(last) = sink.last else {
            return Ok(None);
        };
        sink.bytes.extend_from_slice(&bytes[sink.copied..]);
        Ok(Some(Expanded {
            bytes: sink.bytes,
            last,
            records,
            utf8,
            has_columns: sink.has_columns,
        }))
    }

    /// Returns the index in the message for an index in the expanded bytes that is not before the last place.
    /// That within a value that was put in is the marker of the one that it stands for.
    fn source(&self, index: usize) -> usize {
        let Replaced { by, source } = &self.last;
        if index < by.end {
            source.start
        } else {
            source.end + (index - by.end)
        }
    }
}

/// Copies a message; columns become plain values, and broken strings what the option makes of them.
struct ExpandSink<'a> {
    input: &'a [u8],
    bytes: Vec<u8>,
    /// The last place that begins at `until` or before it.
    last: Option<Replaced>,
    has_columns: bool,
    until: usize,
    /// The end of the bytes that were copied.
    copied: usize,
    /// Where the next value begins.
    begin: usize,
    /// What is made of broken strings; `Error` leaves them as they are.
    utf8: Utf8,
    /// Whether a string has become longer than a str can be.
    too_long: bool,
}

impl ExpandSink<'_> {
    /// Puts what `write` appends in the place of a value.
    fn replace<E>(
        &mut self,
        source: Range<usize>,
        write: impl FnOnce(&mut Vec<u8>) -> core::result::Result<(), E>,
    ) -> core::result::Result<(), E> {
        let out = &mut self.bytes;
        out.extend_from_slice(&self.input[self.copied..source.start]);
        let begin = out.len();
        write(out)?;
        let by = begin..out.len();
        self.copied = source.end;
        if begin <= self.until {
            self.last = Some(Replaced { by, source });
        }
        Ok(())
    }
}

impl<'a> ValueSink<'a> for ExpandSink<'a> {
    type Out = ();
    fn nil(&mut self) {}
    fn bool(&mut self, _: bool) {}
    fn int(&mut self, _: Integer) {}
    fn f32(&mut self, _: u32) {}
    fn f64(&mut self, _: u64) {}
    fn str(&mut self, _: &str) {}
    fn broken_str(&mut self, bytes: &'a [u8]) {
        // The bytes are the last ones of the value.
        let payload = bytes.as_ptr() as usize - self.input.as_ptr() as usize;
        let source = self.begin..payload + bytes.len();
        let written = match self.utf8 {
            Utf8::Error => return,
            Utf8::Replace => {
                let text = String::from_utf8_lossy(bytes);
                self.replace(source, |out| out.put_str(text.as_bytes()))
            }
            Utf8::Raw => self.replace(source, |out| out.put_bin(bytes)),
        };
        self.too_long |= written.is_err();
    }
    fn bin(&mut self, _: &[u8]) {}
    fn ext(&mut self, _: &[u8]) {}
    fn timestamp(&mut self, _: Timestamp) {}
    fn array(&mut self, _: usize) {}
    fn map(&mut self, _: usize) {}
    fn record(&mut self, _: RecordHead) {}
    fn columns(&mut self, columns: &ColumnsExt<'a>, rules: &Rules) -> Option<OrMalformed<()>> {
        let place = columns.place.clone();
        self.has_columns = true;
        Some(self.replace(place, |out| (columns.reader.expand)(columns, rules, out)))
    }
}

impl DecodeOptions {
    /// Returns whether a message is expanded before it is read into types.
    #[inline]
    fn expands(&self) -> bool {
        self.rules.utf8 != Utf8::Error || self.rules.has_columns()
    }

    /// Reads the message at the start of the bytes with `read`, which gets it expanded and says how long it
    /// is.
    #[inline]
    pub(crate) fn with_expanded<T>(
        &self,
        bytes: &[u8],
        records: Option<Box<RecordState>>,
        read: impl FnOnce(&DecodeOptions, &[u8]) -> Result<(T, usize)>,
    ) -> Result<(T, usize)> {
        if self.expands() {
            self.expanded(bytes, records, read)
        } else {
            read(self, bytes)
        }
    }

    #[cold]
    #[inline(never)]
    fn expanded<T>(
        &self,
        bytes: &[u8],
        records: Option<Box<RecordState>>,
        read: impl FnOnce(&DecodeOptions, &[u8]) -> Result<(T, usize)>,
    ) -> Result<(T, usize)> {
        match self.expand(bytes, records)? {
            Some(expanded) => expanded.read(self, bytes, read),
            None => read(&self.of_expanded(), bytes),
        }
    }

    /// Returns the options for a message that was expanded, whose strings and bins were checked.
    fn of_expanded(&self) -> DecodeOptions {
        let longest = self.clone().max_str_len(u32::MAX).max_bin_len(u32::MAX);
        // The keys of records stay as they are: reading their definition replaces what is broken.
        let utf8 = if self.rules.records {
            self.rules.utf8
        } else {
            Utf8::Error
        };
        longest.without_columns().utf8(utf8)
    }

    /// Expands the message at the start of the bytes; returns `None` if nothing in it is replaced.
    pub(crate) fn expand(&self, bytes: &[u8], records: Option<Box<RecordState>>) -> Result<Option<Expanded>> {
        if self.expands() {
            Expanded::of(bytes, self, records, self.rules.utf8)
        } else {
            Ok(None)
        }
    }
}

impl Expanded {
    /// Reads the message with `read`, as [`DecodeOptions::with_expanded`] does.
    pub(crate) fn read<T>(
        &self,
        options: &DecodeOptions,
        bytes: &[u8],
        read: impl FnOnce(&DecodeOptions, &[u8]) -> Result<(T, usize)>,
    ) -> Result<(T, usize)> {
        match read(&options.of_expanded(), &self.bytes) {
            Ok((value, end)) => Ok((value, self.source(end))),
            Err(error) => Err(self.error(error, options, bytes)),
        }
    }

    /// Returns an error of the expanded bytes as one of the message.
    #[cold]
    pub(crate) fn error(&self, error: Error, options: &DecodeOptions, bytes: &[u8]) -> Error {
        let Some(offset) = error.offset() else {
            return error;
        };
        let index = offset as usize;
        let around = Expanded::until(bytes, options, self.records.clone(), self.utf8, index);
        let around = around.ok().flatten();
        let source = around.as_ref().map_or(index, |expanded| expanded.source(index));
        let is_within = around.is_some_and(|expanded| index < expanded.last.by.end);
        let moved = error.moved(source as u64);
        // The plain containers fit, so that this one is in an ext.
        let moved = match moved.kind() {
            ErrorKind::DepthLimit if is_within => Error::at(ErrorKind::InvalidExt, source as u64),
            _ => moved,
        };
        options.located(moved, bytes)
    }
}
