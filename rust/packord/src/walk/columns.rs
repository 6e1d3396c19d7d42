//! Messages without columns: each of them is replaced by the value that it stands for.

use super::Walker;
use crate::columns::read::OrMalformed;
use crate::error::{Error, ErrorKind, Result};
use crate::ext::Timestamp;
use crate::options::{DecodeOptions, Rules};
use crate::read::{ColumnsExt, RecordState, ValueSink};
use crate::record::RecordHead;
use crate::value::Integer;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

/// A message, and all bytes after it, with columns expanded.
pub(crate) struct Expanded {
    pub bytes: Vec<u8>,
    places: Vec<ExpandedExt>,
}

/// Where a value was expanded.
struct ExpandedExt {
    expanded: Range<usize>,
    /// The ext in the message.
    ext: Range<usize>,
}

impl Expanded {
    /// Expands the message at the start of the bytes; returns `None` if no columns are in it.
    fn of(
        bytes: &[u8],
        options: &DecodeOptions,
        records: Option<Box<RecordState>>,
    ) -> Result<Option<Expanded>> {
        let mut walker = Walker::with_records(bytes, options, records.clone());
        walker.begin();
        let mut sink = ExpandSink {
            input: bytes,
            expanded: Expanded {
                bytes: Vec::new(),
                places: Vec::new(),
            },
            copied: 0,
        };
        loop {
            let step = walker.pull.step(bytes, &walker.rules, &mut sink);
            match step {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(fault) => return Err(options.located_by(fault.into(), bytes, records)),
            }
        }
        let mut expanded = sink.expanded;
        if expanded.places.is_empty() {
            return Ok(None);
        }
        expanded.bytes.extend_from_slice(&bytes[sink.copied..]);
        Ok(Some(expanded))
    }

    /// Returns whether an ext that was expanded begins at an index of the message.
    fn begins_at(&self, index: usize) -> bool {
        let found = self
            .places
            .binary_search_by_key(&index, |place| place.ext.start);
        found.is_ok()
    }

    /// Returns the index in the message for an index in the expanded bytes. That of an expanded value
    /// is the marker of its ext.
    fn source(&self, index: usize) -> usize {
        let after = self
            .places
            .partition_point(|place| place.expanded.start <= index);
        match after.checked_sub(1).map(|last| &self.places[last]) {
            None => index,
            Some(place) if index < place.expanded.end => place.ext.start,
            Some(place) => place.ext.end + (index - place.expanded.end),
        }
    }
}

/// Copies a message; columns become plain values.
struct ExpandSink<'a> {
    input: &'a [u8],
    expanded: Expanded,
    /// The end of the bytes that were copied.
    copied: usize,
}

impl<'a> ValueSink<'a> for ExpandSink<'a> {
    type Out = ();
    fn nil(&mut self) {}
    fn bool(&mut self, _: bool) {}
    fn int(&mut self, _: Integer) {}
    fn f32(&mut self, _: u32) {}
    fn f64(&mut self, _: u64) {}
    fn str(&mut self, _: &str) {}
    fn broken_str(&mut self, _: &[u8]) {}
    fn bin(&mut self, _: &[u8]) {}
    fn ext(&mut self, _: &[u8]) {}
    fn timestamp(&mut self, _: Timestamp) {}
    fn array(&mut self, _: usize) {}
    fn map(&mut self, _: usize) {}
    fn record(&mut self, _: RecordHead) {}
    fn columns(&mut self, columns: &ColumnsExt<'a>, rules: &Rules) -> Option<OrMalformed<()>> {
        let out = &mut self.expanded.bytes;
        out.extend_from_slice(&self.input[self.copied..columns.place.start]);
        let begin = out.len();
        if let Err(malformed) = columns.expand(rules, out) {
            return Some(Err(malformed));
        }
        let expanded = begin..out.len();
        self.copied = columns.place.end;
        self.expanded.places.push(ExpandedExt {
            expanded,
            ext: columns.place.clone(),
        });
        Some(Ok(()))
    }
}

impl DecodeOptions {
    /// Returns one message with the values that are stored by column (`spec/columns.md`) written as
    /// plain MessagePack: the same bytes if there are none. All else stays as it is, records too.
    ///
    /// A program that borrows from its input, or walks through it, expands it first.
    ///
    /// ```
    /// use packord::{DecodeOptions, Document};
    /// // 32 times 7, by column, in an array.
    /// let bytes = b"\x91\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// let plain = DecodeOptions::new().expand_columns(bytes)?;
    /// assert_eq!(plain.len(), 36);
    /// assert_eq!(Document::parse(&plain)?.path("[0][31]").and_then(|node| node.as_i64()), Some(7));
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first fault in the bytes, at the marker of the ext if it is in columns; `trailing_bytes` if
    /// anything follows the message and [`trailing`](DecodeOptions::trailing) is not allowed.
    pub fn expand_columns<'a>(&self, bytes: &'a [u8]) -> Result<Cow<'a, [u8]>> {
        let options = self.clone().columns(true);
        match Expanded::of(bytes, &options, RecordState::new(self))? {
            Some(expanded) => {
                let plain = self.clone().columns(false);
                let valid = plain.validate(&expanded.bytes);
                valid.map_err(|error| expanded.error(error, &options, bytes))?;
                Ok(Cow::Owned(expanded.bytes))
            }
            None => self.validate(bytes).map(|()| Cow::Borrowed(bytes)),
        }
    }

    /// Reads the message at the start of the bytes with `read`, which gets it without columns and says
    /// how long it is.
    #[inline]
    pub(crate) fn without_columns<T>(
        &self,
        bytes: &[u8],
        records: Option<Box<RecordState>>,
        read: impl FnOnce(&DecodeOptions, &[u8]) -> Result<(T, usize)>,
    ) -> Result<(T, usize)> {
        if !self.rules.columns || self.rules.canonical {
            return read(self, bytes);
        }
        self.expanded(bytes, records, read)
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
            None => read(&self.clone().columns(false), bytes),
        }
    }

    /// Expands the message at the start of the bytes; returns `None` if no columns are in it, or they are
    /// not read.
    pub(crate) fn expand(
        &self,
        bytes: &[u8],
        records: Option<Box<RecordState>>,
    ) -> Result<Option<Expanded>> {
        if self.rules.columns && !self.rules.canonical {
            Expanded::of(bytes, self, records)
        } else {
            Ok(None)
        }
    }
}

impl Expanded {
    /// Reads the message with `read`, as [`DecodeOptions::without_columns`] does.
    pub(crate) fn read<T>(
        &self,
        options: &DecodeOptions,
        bytes: &[u8],
        read: impl FnOnce(&DecodeOptions, &[u8]) -> Result<(T, usize)>,
    ) -> Result<(T, usize)> {
        match read(&options.clone().columns(false), &self.bytes) {
            Ok((value, end)) => Ok((value, self.source(end))),
            Err(error) => Err(self.error(error, options, bytes)),
        }
    }

    /// Returns an error of the expanded bytes as one of the message.
    #[cold]
    fn error(&self, error: Error, options: &DecodeOptions, bytes: &[u8]) -> Error {
        let Some(offset) = error.offset() else {
            return error;
        };
        let source = self.source(offset as usize);
        let moved = error.moved(source as u64);
        // The plain containers fit, so that this one is in an ext.
        let moved = match moved.kind() {
            ErrorKind::DepthLimit if self.begins_at(source) => {
                Error::at(ErrorKind::InvalidExt, source as u64)
            }
            _ => moved,
        };
        options.located(moved, bytes)
    }
}
