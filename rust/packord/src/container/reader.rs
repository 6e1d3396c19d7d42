//! [`Reader`]: reads container files.

#[cfg(feature = "container-parallel")]
use super::ahead::ReadAhead;
use super::block::{Block, StoredBlock};
use super::block_map::BlockMap;
use super::blocks::{BlockCursor, PassedRange};
use super::header::FileHeader;
use super::index::{FileIndex, IndexEntry};
use super::input::Input;
use super::options::ReadOptions;
use super::rows::RowList;
use crate::error::{Error, Result};
use crate::options::DecodeOptions;
use crate::typed::Unpackable;
use crate::value::Value;
use crate::whole::FromSlice;
#[cfg(feature = "container-parallel")]
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

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
    blocks: BlockCursor<R>,
    #[cfg(feature = "container-parallel")]
    ahead: Option<ReadAhead<RowList<'static>>>,
    /// The rows of a block that are returned one by one, and the number of the next one.
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
    /// `invalid_container` at 0 if this is not a container file; other faults of the header; `eof` if the file ends in
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
        BlockCursor::new(Input::new(reader), options).map(Reader::of)
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
    /// As for [`new`](Reader::new). An index at fault is ignored.
    pub fn seekable(reader: R, options: &ReadOptions) -> Result<Reader<R>>
    where
        R: Seek,
    {
        let mut input = Input::seekable(reader);
        input.go_to(0)?;
        let mut blocks = BlockCursor::new(input, options)?;
        blocks.read_index()?;
        Ok(Reader::of(blocks))
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
    /// assert!((1..=4).contains(&splits.len()));
    /// let mut rows = 0;
    /// for split in &splits {
    ///     let options = ReadOptions::new().split(split.clone());
    ///     rows += Reader::seekable(Cursor::new(&file), &options)?.values().count();
    /// }
    /// assert_eq!(rows, 100);
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
        self.blocks.splits(count)
    }

    /// Returns a block by its number in the [index](Reader::index). The place of reading stays.
    ///
    /// # Errors
    ///
    /// As for [`next_block`](Reader::next_block), whatever [`OnBadBlock`](super::OnBadBlock) says; `out_of_range` if there is no such
    /// entry.
    pub fn block(&mut self, number: usize) -> Result<Block> {
        self.blocks.entry_block(number)
    }

    fn of(blocks: BlockCursor<R>) -> Reader<R> {
        Reader {
            #[cfg(feature = "container-parallel")]
            ahead: ReadAhead::new(&blocks),
            blocks,
            rows: RowList::default(),
            next: 0,
        }
    }

    /// Returns the header of the file.
    #[must_use]
    pub fn header(&self) -> &FileHeader {
        &self.blocks.header
    }

    /// Returns the index of the file, if it has one and the reader can seek.
    #[must_use]
    pub fn index(&self) -> Option<&FileIndex> {
        self.blocks.index.as_ref()
    }

    /// Returns the ranges that were passed over with [`OnBadBlock::Skip`](super::OnBadBlock::Skip) so far.
    #[must_use]
    pub fn passed(&self) -> &[PassedRange] {
        &self.blocks.passed
    }

    /// Returns the underlying reader.
    pub fn get_ref(&self) -> &R {
        &self.blocks.input.reader
    }

    /// Returns the underlying reader. What was read of it is lost.
    #[must_use]
    pub fn into_inner(self) -> R {
        self.blocks.input.reader
    }

    /// Returns the next block as it is in the file, after its checksums were compared, or with
    /// [`select`](ReadOptions::select) those parts of it that are asked for; `None` after the last one, or if a [followed](ReadOptions::follow) file has no more yet.
    ///
    /// # Errors
    ///
    /// The first fault (`spec/container.md` section 2), at its offset in the file; `eof` at the size of a file that was
    /// cut; `io`. It is returned again by later calls. With [`OnBadBlock::Skip`](super::OnBadBlock::Skip) only `io`.
    pub fn next_stored(&mut self) -> Result<Option<StoredBlock>> {
        #[cfg(feature = "container-parallel")]
        if let Some(ahead) = &mut self.ahead {
            return ahead.next_stored(&mut self.blocks);
        }
        self.blocks.next_stored()
    }

    /// Returns what the index says of the next block; `None` after the last one, and without an index. With more than one
    /// [thread](ReadOptions::threads), blocks before it may not have been returned yet.
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
        self.blocks.next_entry()
    }

    /// Passes over the next block, if there is an index, without reading it.
    pub fn skip_entry(&mut self) {
        self.blocks.skip_entry();
    }

    /// Returns the next block with its body unpacked. The rows in it are checked when they are read.
    ///
    /// # Errors
    ///
    /// As for [`next_stored`](Reader::next_stored).
    pub fn next_block(&mut self) -> Result<Option<Block>> {
        #[cfg(feature = "container-parallel")]
        if let Some(ahead) = &mut self.ahead {
            return ahead.next_block(&mut self.blocks);
        }
        self.blocks.next_made(Ok)
    }

    /// Returns the rows or messages of the next block that the options ask for, each as one packed message.
    ///
    /// # Errors
    ///
    /// As for [`next_stored`](Reader::next_stored), and faults of bodies.
    pub fn next_rows(&mut self) -> Result<Option<RowList<'static>>> {
        #[cfg(feature = "container-parallel")]
        if let Some(ahead) = &mut self.ahead {
            return ahead.next_made(&mut self.blocks, &Block::into_rows);
        }
        self.blocks.next_made(Block::into_rows)
    }

    /// Returns what a function makes of each block that is left, in the order of the file. With
    /// [`threads`](ReadOptions::threads), the function is called on these threads. A block for which it returns an error is at fault:
    /// with [`OnBadBlock::Skip`](super::OnBadBlock::Skip) it is passed over.
    ///
    /// ```
    /// use packord::Value;
    /// use packord::container::{Reader, WriteOptions, Writer};
    ///
    /// let mut writer = Writer::new(Vec::new(), &WriteOptions::new().block_rows(10))?;
    /// for id in 0..25 {
    ///     writer.write(&Value::from([("id", id)]))?;
    /// }
    /// let file = writer.finish()?;
    /// let sizes = Reader::new(&file[..])?.map_blocks(|block| Ok(block.rows()?.len()));
    /// assert_eq!(sizes.collect::<Result<Vec<_>, _>>()?, [10, 10, 5]);
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn map_blocks<T, F>(self, make: F) -> BlockMap<R, T, F>
    where
        T: Send + 'static,
        F: Fn(Block) -> Result<T> + Clone + Send + Sync + 'static,
    {
        BlockMap::new(self.blocks, make)
    }

    /// As [`map_blocks`](Reader::map_blocks), on a number of threads, and of the blocks with these numbers in the index
    /// alone, which are in order. For the Python package.
    #[cfg(feature = "container-parallel")]
    #[doc(hidden)]
    pub fn map_some_blocks<T, F>(mut self, threads: usize, numbers: Option<Arc<[usize]>>, make: F) -> BlockMap<R, T, F>
    where
        T: Send + 'static,
        F: Fn(Block) -> Result<T> + Clone + Send + Sync + 'static,
    {
        self.blocks.options.threads = threads;
        if let Some(numbers) = numbers {
            self.blocks.read_only(numbers);
        }
        BlockMap::new(self.blocks, make)
    }

    /// Returns the next row or message as one packed message; `None` after the last one.
    ///
    /// # Errors
    ///
    /// As for [`next_rows`](Reader::next_rows).
    pub fn next_row(&mut self) -> Result<Option<&[u8]>> {
        while self.next >= self.rows.len() {
            let Some(rows) = self.next_rows()? else {
                return Ok(None);
            };
            (self.rows, self.next) = (rows, 0);
        }
        let number = self.next;
        self.next += 1;
        Ok(self.rows.get(number))
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

    /// Returns how many rows and messages are left. With an index and without a [`filter`](ReadOptions::filter), no block is
    /// read; without an index, no body is unpacked.
    ///
    /// ```
    /// use packord::Value;
    /// use packord::container::{Reader, Writer};
    /// use std::io::Cursor;
    ///
    /// let mut writer = Writer::new(Vec::new(), &Default::default())?;
    /// for id in 0..5 {
    ///     writer.write(&Value::from([("id", id)]))?;
    /// }
    /// let file = writer.finish()?;
    /// let reader = Reader::seekable(Cursor::new(file), &Default::default())?;
    /// assert_eq!(reader.count()?, 5);
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`next_stored`](Reader::next_stored), and with a filter those of [`next_rows`](Reader::next_rows).
    pub fn count(mut self) -> Result<u64> {
        let mut count = (self.rows.len() - self.next) as u64;
        if self.blocks.options.asked.filter.is_some() {
            while let Some(rows) = self.next_rows()? {
                count += rows.len() as u64;
            }
            return Ok(count);
        }
        loop {
            #[cfg(feature = "container-parallel")]
            let is_ahead = self.ahead.as_ref().is_some_and(ReadAhead::is_used);
            #[cfg(not(feature = "container-parallel"))]
            let is_ahead = false;
            if let Some(left) = self.blocks.count().filter(|_| !is_ahead) {
                return Ok(count + left);
            }
            let Some(block) = self.next_stored()? else {
                return Ok(count);
            };
            count = count.saturating_add(block.count());
        }
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
}
