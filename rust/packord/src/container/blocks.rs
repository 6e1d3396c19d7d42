//! [`BlockCursor`]: goes through the blocks of a file.

use super::block::{Block, StoredBlock};
use super::body::Spares;
use super::frame::BlockReading;
use super::header::{FileHeader, MARK, wrong_at};
use super::index::{FileIndex, IndexEntry};
use super::input::Input;
use super::options::{OnBadBlock, ReadOptions};
use super::search::{FileItem, MarkSearch, announced_block, check_mark, next_item};
use crate::error::{Error, ErrorKind, Result};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;
use std::io::{Read, Seek};

/// The most ranges that are kept, so that a hostile file cannot take much memory.
const MOST_RANGES: usize = 10_000;

/// A range of a file that was passed over with [`OnBadBlock::Skip`]. Of more than 10,000, the last one goes on to the end
/// of all others.
#[derive(Debug)]
#[non_exhaustive]
pub struct PassedRange {
    /// The offsets, from the mark of the block at fault, or where a mark was expected, to the end of the block if its
    /// checksums are right, else to the next mark.
    pub range: Range<u64>,
    /// The fault.
    pub error: Error,
}

/// A file, and where the next block is in it.
#[derive(Debug)]
pub(super) struct BlockCursor<R> {
    pub input: Input<R>,
    pub header: FileHeader,
    pub options: ReadOptions,
    pub index: Option<FileIndex>,
    pub passed: Vec<PassedRange>,
    search: MarkSearch,
    place: NextBlock,
    /// The numbers of the blocks of the index that are read, in order; all without it.
    only: Option<Arc<[usize]>>,
    failed: Option<Error>,
    spares: Spares,
}

#[derive(Clone, Copy, Debug)]
enum NextBlock {
    /// The number of the next entry of the index.
    Entry(usize),
    /// The beginning of a split, which has to be searched.
    Search(u64),
    /// The current place, and whether it was found by a search.
    Here(bool),
    End,
}

impl<R: Read> BlockCursor<R> {
    /// Reads the header, and the index if the input can seek.
    pub fn new(input: Input<R>, options: &ReadOptions) -> Result<BlockCursor<R>> {
        let mut input = input;
        let header = FileHeader::read(&mut input, options.max_block)?;
        let place = match &options.split {
            Some(split) if split.start > header.size() => NextBlock::Search(split.start),
            _ => NextBlock::Here(false),
        };
        Ok(BlockCursor {
            input,
            header,
            options: options.clone(),
            index: None,
            place,
            passed: Vec::new(),
            search: MarkSearch::default(),
            only: None,
            failed: None,
            spares: Spares::default(),
        })
    }

    /// Reads the index, unless the file is followed.
    pub fn read_index(&mut self) -> Result<()>
    where
        R: Seek,
    {
        if self.options.follow {
            return Ok(());
        }
        let max = self.options.max_block;
        self.index = FileIndex::read(&mut self.input, &self.header, max)?;
        self.input.go_to(self.header.size())?;
        if self.index.is_some() {
            self.place = NextBlock::Entry(0);
            if self.options.asked.is_part() {
                self.input.read_little();
            }
        }
        Ok(())
    }

    /// Reads the blocks with these numbers in the index alone, which are in order.
    #[cfg(feature = "container-parallel")]
    pub fn read_only(&mut self, numbers: Arc<[usize]>) {
        if numbers.is_empty() {
            self.place = NextBlock::End;
        }
        self.only = Some(numbers);
    }

    /// Returns what the index says of the next block.
    pub fn next_entry(&self) -> Option<&IndexEntry> {
        match self.place {
            NextBlock::Entry(number) => self.index.as_ref()?.entries.get(number),
            _ => None,
        }
    }

    /// Passes over the next block of the index.
    pub fn skip_entry(&mut self) {
        if let NextBlock::Entry(number) = &mut self.place {
            *number += 1;
        }
    }

    /// Returns how many rows and messages the blocks have that are left, if an index says it.
    pub fn count(&self) -> Option<u64> {
        let NextBlock::Entry(number) = self.place else {
            return None;
        };
        let entries = self.index.as_ref()?.entries.get(number..)?;
        let counts = entries.iter().filter(|entry| self.asks_for(entry));
        Some(counts.map(|entry| entry.count).sum())
    }

    /// Returns the next block as it is in the file.
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

    /// Returns the result of `make` for the next block. A block for which it is an error is at fault.
    pub fn next_made<T>(&mut self, make: impl Fn(Block) -> Result<T>) -> Result<Option<T>> {
        Ok(self.next_kept(make)?.map(|(_, value)| value))
    }

    /// Returns the next block as it is in the file, and the result of `make` for it. A block for which that is an error is at fault.
    pub fn next_kept<T>(&mut self, make: impl Fn(Block) -> Result<T>) -> Result<Option<(StoredBlock, T)>> {
        while let Some(stored) = self.next_stored()? {
            let block = stored.unpack();
            match block.and_then(&make) {
                Ok(value) => return Ok(Some((stored, value))),
                Err(error) => self.reject_stored(&stored, error)?,
            }
        }
        Ok(None)
    }

    /// Returns a block of the index.
    pub fn entry_block(&mut self, number: usize) -> Result<Block> {
        let entries = self.index.as_ref().map_or(&[][..], |index| &index.entries);
        let Some(entry) = entries.get(number) else {
            return Err(Error::new(ErrorKind::OutOfRange));
        };
        let (offset, size, count) = (entry.offset, entry.size, entry.count);
        let stored = self.read_entry(offset, size, count)?;
        stored.unpack()
    }

    /// Returns ranges of offsets that together have every block once.
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
            Some(index) => index.first_from(range.start).is_some_and(|first| first < range.end),
            None => !range.is_empty(),
        };
        Ok(ranges.filter(has_blocks).collect())
    }

    /// Reports a block that was returned, and whose body is at fault: with [`OnBadBlock::Skip`] it is passed over, else the
    /// error is returned.
    pub fn reject_stored(&mut self, stored: &StoredBlock, error: Error) -> Result<()> {
        if self.skips(&error) {
            self.pass(stored.offset()..stored.offset() + stored.size(), error);
            return Ok(());
        }
        self.failed = Some(error.duplicate());
        Err(error)
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
                    let only = self.only.as_ref();
                    let is_read = only.is_none_or(|only| only.binary_search(&number).is_ok());
                    if !is_read || !self.asks_for(entry) {
                        continue;
                    }
                    let (begin, size, count) = (entry.offset, entry.size, entry.count);
                    match self.read_entry(begin, size, count) {
                        Ok(block) => return Ok(Some(block)),
                        Err(error) => self.pass_over(begin, Some(begin + size), error, false)?,
                    };
                }
                NextBlock::Search(from) => {
                    let end = self.options.split.as_ref().map(|split| split.end);
                    let is_found = self.input.go_to(from)? && self.find_mark(end)?;
                    self.place = if is_found {
                        NextBlock::Here(true)
                    } else {
                        NextBlock::End
                    };
                }
                NextBlock::Here(is_searched) => {
                    let begin = self.input.offset();
                    let end = self.options.split.as_ref().map(|split| split.end);
                    let is_after = end.is_some_and(|end| begin >= end);
                    if is_after && is_searched {
                        self.place = NextBlock::End;
                        continue;
                    }
                    let (max, examined) = (self.options.max_block, self.input.examined);
                    // A whole mark.
                    let ends = is_after && self.input.fill(MARK)? && self.input.rest().starts_with(&self.header.mark());
                    let outcome = if ends {
                        check_mark(&mut self.input, max).map(|()| None)
                    } else {
                        let (input, mut reading) = self.reading();
                        next_item(input, &mut reading).map(Some)
                    };
                    match outcome {
                        Ok(None) => self.place = NextBlock::End,
                        Ok(Some(FileItem::Block(block))) => {
                            self.place = NextBlock::Here(false);
                            self.search.passed += block.size();
                            return Ok(Some(block));
                        }
                        Ok(Some(FileItem::Other)) => {
                            self.place = NextBlock::Here(false);
                        }
                        Ok(Some(FileItem::End)) => {
                            if !self.options.follow {
                                self.place = NextBlock::End;
                            }
                            return Ok(None);
                        }
                        Err(error) => {
                            self.search.spent += self.input.examined - examined;
                            if !self.pass_over(begin, None, error, true)? {
                                return Ok(None);
                            }
                        }
                    }
                }
            }
        }
    }

    fn asks_for(&self, entry: &IndexEntry) -> bool {
        let options = &self.options;
        let is_within = options.split.as_ref().is_none_or(|split| split.contains(&entry.offset));
        let mut predicates = options.asked.filter.iter().chain(&options.prune);
        let is_ruled_out = |statistics| predicates.any(|predicate| predicate.rules_out(statistics, entry.count));
        is_within && !entry.statistics.as_ref().is_some_and(is_ruled_out)
    }

    fn reading(&mut self) -> (&mut Input<R>, BlockReading<'_>) {
        let reading = BlockReading {
            header: &self.header,
            max_block: self.options.max_block,
            asked: &self.options.asked,
            spares: &self.spares,
        };
        (&mut self.input, reading)
    }

    fn read_entry(&mut self, offset: u64, size: u64, count: u64) -> Result<StoredBlock> {
        self.input.go_to(offset)?;
        let (input, mut reading) = self.reading();
        let block = announced_block(input, &mut reading, size, count)?;
        block.ok_or_else(|| {
            let index = self.index.as_ref().map_or(0, |index| index.offset);
            wrong_at(index, alloc::format!("there is another block at {offset}"))
        })
    }

    /// Passes over a fault if the options say so: goes to the next mark after `begin`, or with an index to `end`.
    /// Returns `false` if the file is followed, and `can_wait` for what has not come yet.
    fn pass_over(&mut self, begin: u64, end: Option<u64>, error: Error, can_wait: bool) -> Result<bool> {
        let waits = can_wait && self.options.follow && error.is_eof();
        if !self.skips(&error) {
            if waits && self.input.go_to(begin)? {
                return Ok(false);
            }
            return Err(error);
        }
        let mut end = end;
        if !matches!(self.place, NextBlock::Entry(_)) {
            self.input.go_to(begin + 1)?;
            self.input.hold = waits.then_some(begin);
            let is_found = self.find_mark(None);
            self.input.hold = None;
            if !is_found? && waits && self.input.go_to(begin)? {
                return Ok(false);
            }
            end = Some(self.input.offset());
            self.place = NextBlock::Here(true);
        }
        self.pass(begin..end.unwrap_or(begin), error);
        Ok(true)
    }

    /// Returns whether the options say that a fault is passed over.
    fn skips(&self, error: &Error) -> bool {
        self.options.on_bad_block == OnBadBlock::Skip && error.kind() != ErrorKind::Io
    }

    /// Adds a range, which may be before others: of a block that was read ahead of its body.
    fn pass(&mut self, range: Range<u64>, error: Error) {
        let begins = |passed: &PassedRange| passed.range.start < range.start;
        let place = self.passed.partition_point(begins);
        self.passed.insert(place, PassedRange { range, error });
        if self.passed.len() > MOST_RANGES {
            let end = self.passed.pop().map_or(0, |passed| passed.range.end);
            if let Some(last) = self.passed.last_mut() {
                last.range.end = end;
            }
        }
    }

    fn find_mark(&mut self, end: Option<u64>) -> Result<bool> {
        let held = self.input.hold;
        let outcome = self.search.find(&mut self.input, &self.header, &self.options, end);
        self.input.hold = held;
        outcome
    }
}
