//! [`Reader`]: reads container files.

use super::block::{Block, StoredBlock};
use super::codec::BodyUnpacker;
use super::header::FileHeader;
use super::index::{FileIndex, IndexEntry};
use super::input::Input;
use super::options::{OnBadBlock, ReadOptions};
use super::rows::RowList;
use super::search::{FileItem, announced_block, find_mark, next_item};
use crate::error::{Error, ErrorKind, Result};
use crate::options::DecodeOptions;
use crate::typed::Unpackable;
use crate::value::Value;
use crate::whole::FromSlice;
use alloc::vec::Vec;
use core::ops::Range;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

/// A range of a file that was passed over with [`OnBadBlock::Skip`].
#[derive(Debug)]
#[non_exhaustive]
pub struct PassedRange {
    /// The offsets, from the mark of the block at fault, or where a mark was expected, to the next mark.
    pub range: Range<u64>,
    /// The fault.
    pub error: Error,
}

/// Reads a container file: block by block, or the rows and messages of all blocks in their order.
///
/// [`new`](Reader::new) reads from anything, from the beginning on. [`open`](Reader::open) and
/// [`seekable`](Reader::seekable) use the index at the end of the file, if there is one: blocks that
/// are not asked for are not read.
///
/// ```
/// use packord::Value;
/// use packord::container::{Reader, Writer};
///
/// let mut writer = Writer::new(Vec::new(), &Default::default())?;
/// for id in 0..3 {
///     writer.write(&Value::from([("id", id)]))?;
/// }
/// let file = writer.finish()?;
///
/// let mut reader = Reader::new(&file[..])?;
/// let mut ids = Vec::new();
/// while let Some(row) = reader.next_row()? {
///     ids.push(packord::from_slice::<Value>(row)?["id"].as_i64().unwrap());
/// }
/// assert_eq!(ids, [0, 1, 2]);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    input: Input<R>,
    header: FileHeader,
    options: ReadOptions,
    index: Option<FileIndex>,
    place: NextBlock,
    passed: Vec<PassedRange>,
    failed: Option<Error>,
    unpacker: BodyUnpacker,
    rows: RowCursor,
}

/// Where the next block is found.
#[derive(Debug)]
enum NextBlock {
    /// The number of the next entry of the index.
    Entry(usize),
    /// The beginning of a split, which has to be searched.
    Search(u64),
    /// The current place, and whether it was found by a search.
    Here(bool),
    End,
}

/// The rows of a block that are returned one by one.
#[derive(Debug)]
struct RowCursor {
    rows: RowList<'static>,
    next: usize,
}

impl Reader<File> {
    /// Opens a file by its name, with the default options.
    ///
    /// # Errors
    ///
    /// `io`, and those of [`seekable`](Reader::seekable).
    pub fn open(path: impl AsRef<Path>) -> Result<Reader<File>> {
        Reader::open_with(path, &ReadOptions::new())
    }

    /// Opens a file by its name.
    ///
    /// # Errors
    ///
    /// As for [`open`](Reader::open).
    pub fn open_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Reader<File>> {
        let file = File::open(path).map_err(|error| Error::io(error, 0))?;
        Reader::seekable(file, options)
    }
}

impl<R: Read> Reader<R> {
    /// Reads the header of a file, with the default options. The file begins where the reader is.
    ///
    /// # Errors
    ///
    /// `invalid_ext` at 0 if this is not a container file; other faults of the header; `eof` if the file ends in
    /// it; `io`.
    pub fn new(reader: R) -> Result<Reader<R>> {
        Reader::with_options(reader, &ReadOptions::new())
    }

    /// Reads the header of a file, which begins where the reader is.
    ///
    /// # Errors
    ///
    /// As for [`new`](Reader::new).
    pub fn with_options(reader: R, options: &ReadOptions) -> Result<Reader<R>> {
        Reader::of(Input::new(reader), options)
    }

    /// Reads the header and the index of a file, whose first byte has the position 0. Without an index that can be
    /// used, blocks are read from the beginning on.
    ///
    /// ```
    /// use packord::Value;
    /// use packord::container::{Reader, Writer};
    /// use std::io::Cursor;
    ///
    /// let mut writer = Writer::new(Vec::new(), &Default::default())?;
    /// writer.write(&Value::from([("id", 1)]))?;
    /// let file = Cursor::new(writer.finish()?);
    /// let reader = Reader::seekable(file, &Default::default())?;
    /// assert_eq!(reader.index().unwrap().count(), 1);
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`new`](Reader::new). An index at fault is as none.
    pub fn seekable(reader: R, options: &ReadOptions) -> Result<Reader<R>>
    where
        R: Seek,
    {
        let mut input = Input::seekable(reader);
        input.go_to(0)?;
        let mut reader = Reader::of(input, options)?;
        if !options.follow {
            let begin = reader.header.size();
            let input = &mut reader.input;
            reader.index = FileIndex::read(input, &reader.header, options.max_block)?;
            input.go_to(begin)?;
            if reader.index.is_some() {
                reader.place = NextBlock::Entry(0);
            }
        }
        Ok(reader)
    }

    /// Returns ranges of offsets for [`split`](ReadOptions::split), at most `count`, that together have every block once. They
    /// have about equal bytes, and with an index each has blocks.
    ///
    /// ```
    /// use packord::Value;
    /// use packord::container::{ReadOptions, Reader, WriteOptions, Writer};
    /// use std::io::Cursor;
    ///
    /// let mut writer = Writer::new(Vec::new(), &WriteOptions::new().block_rows(10))?;
    /// for id in 0..100 {
    ///     writer.write(&Value::from([("id", id)]))?;
    /// }
    /// let file = writer.finish()?;
    /// let splits = Reader::seekable(Cursor::new(&file), &Default::default())?.splits(4)?;
    /// let mut rows = 0;
    /// for split in &splits {
    ///     let options = ReadOptions::new().split(split.clone());
    ///     rows += Reader::seekable(Cursor::new(&file), &options)?.values().count();
    /// }
    /// assert_eq!((splits.len(), rows), (4, 100));
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `io`.
    pub fn splits(&mut self, count: usize) -> Result<Vec<Range<u64>>>
    where
        R: Seek,
    {
        let here = self.input.offset();
        let size = self.input.size()?;
        self.input.go_to(here)?;
        let place = |number: usize| (u128::from(size) * number as u128 / count as u128) as u64;
        let begin = |number: usize| match &self.index {
            Some(index) if number > 0 => index.first_from(place(number)).unwrap_or(size),
            _ => place(number),
        };
        let ranges = (0..count).map(|number| begin(number)..begin(number + 1));
        let has_blocks = |range: &Range<u64>| match &self.index {
            Some(index) => index
                .first_from(range.start)
                .is_some_and(|first| first < range.end),
            None => !range.is_empty(),
        };
        Ok(ranges.filter(has_blocks).collect())
    }

    /// Returns a block by its number in the [index](Reader::index). The place of reading stays.
    ///
    /// # Errors
    ///
    /// As for [`next_block`](Reader::next_block), whatever [`OnBadBlock`] says; `out_of_range` if there is no such
    /// entry.
    pub fn block(&mut self, number: usize) -> Result<Block> {
        let entries = self.index.as_ref().map_or(&[][..], |index| &index.entries);
        let Some(entry) = entries.get(number) else {
            return Err(Error::new(ErrorKind::OutOfRange));
        };
        let (offset, size, count) = (entry.offset, entry.size, entry.count);
        self.read_entry(offset, size, count)?
            .unpack_by(&mut self.unpacker)
    }

    fn of(mut input: Input<R>, options: &ReadOptions) -> Result<Reader<R>> {
        let header = FileHeader::read(&mut input, options.max_block)?;
        let place = match &options.split {
            Some(split) if split.start > header.size() => NextBlock::Search(split.start),
            _ => NextBlock::Here(false),
        };
        Ok(Reader {
            input,
            header,
            options: options.clone(),
            index: None,
            place,
            passed: Vec::new(),
            failed: None,
            unpacker: BodyUnpacker::default(),
            rows: RowCursor {
                rows: RowList::default(),
                next: 0,
            },
        })
    }

    /// Returns the header of the file.
    #[must_use]
    pub fn header(&self) -> &FileHeader {
        &self.header
    }

    /// Returns the index of the file, if it has one and the reader can seek.
    #[must_use]
    pub fn index(&self) -> Option<&FileIndex> {
        self.index.as_ref()
    }

    /// Returns the ranges that were passed over with [`OnBadBlock::Skip`] so far.
    #[must_use]
    pub fn passed(&self) -> &[PassedRange] {
        &self.passed
    }

    /// Returns the underlying reader.
    pub fn get_ref(&self) -> &R {
        self.input.reader()
    }

    /// Returns the underlying reader. What was read of it is lost.
    #[must_use]
    pub fn into_inner(self) -> R {
        self.input.into_reader()
    }

    /// Returns the next block as it is in the file, after its checksum was compared; `None` after the last
    /// one, or if a [followed](ReadOptions::follow) file has no more yet.
    ///
    /// # Errors
    ///
    /// The first fault (`spec/container.md` section 2), at its offset in the file; `eof` at the size of a file that was
    /// cut; `io`. It is returned again by later calls. With [`OnBadBlock::Skip`] only `io`.
    pub fn next_stored(&mut self) -> Result<Option<StoredBlock>> {
        if let Some(error) = &self.failed {
            return Err(error.duplicate());
        }
        let outcome = self.find_block();
        if let Err(error) = &outcome {
            self.failed = Some(error.duplicate());
        }
        outcome
    }

    /// Returns what the index says of the next block; `None` after the last one, and without an index.
    ///
    /// ```
    /// use packord::Value;
    /// use packord::container::{Reader, WriteOptions, Writer};
    /// use std::io::Cursor;
    ///
    /// let mut writer = Writer::new(Vec::new(), &WriteOptions::new().block_rows(2))?;
    /// for id in 0..6 {
    ///     writer.write(&Value::from([("id", id)]))?;
    /// }
    /// let mut reader = Reader::seekable(Cursor::new(writer.finish()?), &Default::default())?;
    /// // All but the second block.
    /// let mut ids = Vec::new();
    /// while let Some(entry) = reader.next_entry() {
    ///     if entry.statistics().unwrap().get("id").unwrap().min == Some(2.into()) {
    ///         reader.skip_entry();
    ///     } else {
    ///         let rows = reader.next_rows()?.unwrap();
    ///         ids.extend(rows.iter().map(|row| packord::from_slice::<Value>(row).unwrap()["id"].as_i64().unwrap()));
    ///     }
    /// }
    /// assert_eq!(ids, [0, 1, 4, 5]);
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn next_entry(&self) -> Option<&IndexEntry> {
        match self.place {
            NextBlock::Entry(number) => self.index.as_ref()?.entries.get(number),
            _ => None,
        }
    }

    /// Passes over the next block, if there is an index, without reading it.
    pub fn skip_entry(&mut self) {
        if let NextBlock::Entry(number) = &mut self.place {
            *number += 1;
        }
    }

    /// Returns the next block with its body unpacked. The rows in it are checked when they are read.
    ///
    /// # Errors
    ///
    /// As for [`next_stored`](Reader::next_stored).
    pub fn next_block(&mut self) -> Result<Option<Block>> {
        while let Some(stored) = self.next_stored()? {
            match stored.unpack_by(&mut self.unpacker) {
                Ok(block) => return Ok(Some(block)),
                Err(error) => self.reject_stored(stored, error)?,
            }
        }
        Ok(None)
    }

    /// Returns the rows or messages of the next block, each as one packed message. With
    /// [`filter`](ReadOptions::filter), only those that match.
    ///
    /// # Errors
    ///
    /// As for [`next_stored`](Reader::next_stored), and faults of bodies.
    pub fn next_rows(&mut self) -> Result<Option<RowList<'static>>> {
        while let Some(stored) = self.next_stored()? {
            let unpacked = stored.unpack_by(&mut self.unpacker);
            match unpacked.and_then(Block::into_rows) {
                Ok(rows) => {
                    return Ok(Some(match &self.options.filter {
                        Some(predicate) => rows.matching(predicate),
                        None => rows,
                    }));
                }
                Err(error) => self.reject_stored(stored, error)?,
            }
        }
        Ok(None)
    }

    /// Returns the next row or message as one packed message; `None` after the last one.
    ///
    /// # Errors
    ///
    /// As for [`next_rows`](Reader::next_rows).
    pub fn next_row(&mut self) -> Result<Option<&[u8]>> {
        while self.rows.next >= self.rows.rows.len() {
            let Some(rows) = self.next_rows()? else {
                return Ok(None);
            };
            self.rows = RowCursor { rows, next: 0 };
        }
        let number = self.rows.next;
        self.rows.next += 1;
        Ok(self.rows.rows.get(number))
    }

    /// Returns the next row or message as a value.
    ///
    /// # Errors
    ///
    /// As for [`next_rows`](Reader::next_rows).
    pub fn next_value(&mut self) -> Result<Option<Value>> {
        let row = self.next_row()?;
        row.map(|row| DecodeOptions::new().decode(row)).transpose()
    }

    /// Returns the next row or message as a [`Value`], or with the feature `serde` as a type that derives
    /// `Deserialize`.
    ///
    /// # Errors
    ///
    /// As for [`next_rows`](Reader::next_rows); those of [`from_slice`](crate::from_slice), whose offset is that within the
    /// row. Later calls go on after the row.
    #[allow(clippy::should_implement_trait, reason = "fallible, and of any type")]
    pub fn next<T: for<'de> FromSlice<'de>>(&mut self) -> Result<Option<T>> {
        self.next_row()?.map(T::read_whole).transpose()
    }

    /// Returns the next row or message as a type that derives `MsgPacker`.
    ///
    /// # Errors
    ///
    /// As for [`next`](Reader::next).
    pub fn unpack<T: Unpackable>(&mut self) -> Result<Option<T>> {
        self.next_row()?.map(T::unpack).transpose()
    }

    /// Returns all rows and messages that are left as values.
    pub fn values(&mut self) -> impl Iterator<Item = Result<Value>> + '_ {
        core::iter::from_fn(|| self.next_value().transpose())
    }

    /// Returns all rows and messages that are left, as [`next`](Reader::next) does.
    pub fn all<T: for<'de> FromSlice<'de>>(&mut self) -> impl Iterator<Item = Result<T>> + '_ {
        core::iter::from_fn(|| self.next().transpose())
    }

    /// Returns all rows and messages that are left, as [`unpack`](Reader::unpack) does.
    pub fn unpack_all<T: Unpackable>(&mut self) -> impl Iterator<Item = Result<T>> + '_ {
        core::iter::from_fn(|| self.unpack().transpose())
    }

    /// Reports the last block, whose body is at fault.
    fn reject_stored(&mut self, stored: StoredBlock, error: Error) -> Result<()> {
        let range = stored.offset()..stored.offset() + stored.size();
        stored.put_back(&mut self.input);
        self.reject(range, error)
    }

    /// Reports a block whose body is at fault: with [`OnBadBlock::Skip`] it is passed over, else the error is
    /// returned.
    fn reject(&mut self, range: Range<u64>, error: Error) -> Result<()> {
        let outcome = self
            .pass_over(range.start, Some(range.end), error)
            .map(drop);
        if let Err(error) = &outcome {
            self.failed = Some(error.duplicate());
        }
        outcome
    }

    fn find_block(&mut self) -> Result<Option<StoredBlock>> {
        loop {
            match self.place {
                NextBlock::End => return Ok(None),
                NextBlock::Entry(number) => {
                    let index = self.index.as_ref();
                    let Some(entry) = index.and_then(|index| index.entries.get(number)) else {
                        self.place = NextBlock::End;
                        return Ok(None);
                    };
                    self.place = NextBlock::Entry(number + 1);
                    if !self.asks_for(entry) {
                        continue;
                    }
                    let (begin, size, count) = (entry.offset, entry.size, entry.count);
                    match self.read_entry(begin, size, count) {
                        Ok(block) => return Ok(Some(block)),
                        Err(error) => self.pass_over(begin, Some(begin + size), error)?,
                    };
                }
                NextBlock::Search(from) => {
                    let end = self.options.split.as_ref().map(|split| split.end);
                    let max = self.options.max_block;
                    self.place = NextBlock::Here(true);
                    if !self.input.go_to(from)?
                        || !find_mark(&mut self.input, &self.header, max, end)?
                    {
                        self.place = NextBlock::End;
                    }
                }
                NextBlock::Here(is_searched) => {
                    let begin = self.input.offset();
                    let end = self.options.split.as_ref().map(|split| split.end);
                    let is_after = end.is_some_and(|end| begin >= end);
                    if is_after && is_searched {
                        self.place = NextBlock::End;
                        continue;
                    }
                    let max = self.options.max_block;
                    // What is after the split is only checked, as a search does it.
                    let item = next_item(&mut self.input, &self.header, max, !is_after);
                    match item {
                        Ok(FileItem::Block(_) | FileItem::Index) if is_after => {
                            self.place = NextBlock::End;
                        }
                        Ok(FileItem::Block(block)) => {
                            self.place = NextBlock::Here(false);
                            return Ok(Some(block));
                        }
                        Ok(FileItem::Index | FileItem::Trailer) => {
                            self.place = NextBlock::Here(false);
                        }
                        Ok(FileItem::End) => {
                            if !self.options.follow {
                                self.place = NextBlock::End;
                            }
                            return Ok(None);
                        }
                        Err(error) => {
                            if !self.pass_over(begin, None, error)? {
                                return Ok(None);
                            }
                        }
                    }
                }
            }
        }
    }

    /// Returns whether a block has to be read.
    fn asks_for(&self, entry: &IndexEntry) -> bool {
        let options = &self.options;
        let is_within = options
            .split
            .as_ref()
            .is_none_or(|split| split.contains(&entry.offset));
        let mut predicates = options.filter.iter().chain(&options.prune);
        let is_ruled_out =
            |statistics| predicates.any(|predicate| predicate.rules_out(statistics, entry.count));
        is_within && !entry.statistics.as_ref().is_some_and(is_ruled_out)
    }

    fn read_entry(&mut self, offset: u64, size: u64, count: u64) -> Result<StoredBlock> {
        self.input.go_to(offset)?;
        let max = self.options.max_block;
        let block = announced_block(&mut self.input, &self.header, max, size, count)?;
        block.ok_or_else(|| {
            let index = self.index.as_ref().map_or(0, |index| index.offset);
            let detail = alloc::format!("there is another block at {offset}");
            Error::at(ErrorKind::InvalidExt, index).with_detail(detail)
        })
    }

    /// Passes over a fault if the options say so: goes to the next mark after `begin`, or with an index to `end`.
    /// Returns `false` if the file is followed and the fault is its end.
    fn pass_over(&mut self, begin: u64, end: Option<u64>, error: Error) -> Result<bool> {
        let skips = self.options.on_bad_block == OnBadBlock::Skip && error.kind() != ErrorKind::Io;
        let waits = self.options.follow && error.is_eof();
        if !skips {
            if waits && self.input.go_to(begin)? {
                return Ok(false);
            }
            return Err(error);
        }
        let mut end = end;
        if !matches!(self.place, NextBlock::Entry(_)) {
            self.input.go_to(begin + 1)?;
            let max = self.options.max_block;
            let is_found = find_mark(&mut self.input, &self.header, max, None)?;
            if !is_found && waits && self.input.go_to(begin)? {
                return Ok(false);
            }
            end = Some(self.input.offset());
            self.place = NextBlock::Here(true);
        }
        let range = begin..end.unwrap_or(begin);
        self.passed.push(PassedRange { range, error });
        Ok(true)
    }
}
