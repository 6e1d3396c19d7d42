//! What is at a mark, and the search for marks (`spec/container.md` sections 2.2 and 5).

use super::block::StoredBlock;
use super::frame::{BlockReading, check_block, check_other, held_elements};
use super::header::{FileHeader, MARK, MARK_START, TRAILER, TRAILER_START, wrong_at};
use super::input::Input;
use super::options::{DEFAULT_MAX_BLOCK, ReadOptions};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::header::{Head, Kind};
use std::io::Read;

#[allow(clippy::large_enum_variant, reason = "most are blocks, and one is held at a time")]
pub(super) enum FileItem {
    Block(StoredBlock),
    /// An index or a trailer, which is passed.
    Other,
    End,
}

/// The elements of an index that are used.
const INDEX: u64 = 4;

/// Reads what is at the current place, and moves past it. After a fault the place is the same, but if values
/// after the data of a block, or an index, are at fault.
pub(super) fn next_item<R: Read>(input: &mut Input<R>, reading: &mut BlockReading<'_>) -> Result<FileItem> {
    let offset = input.offset();
    input.fill(MARK)?;
    let there = input.rest();
    if there.is_empty() {
        return Ok(FileItem::End);
    }
    if there.starts_with(&TRAILER_START) {
        if there.len() < TRAILER {
            return Err(input.eof());
        }
        input.consume(TRAILER);
        return Ok(FileItem::Other);
    }
    let mark = reading.header.mark();
    let common = there.len().min(MARK);
    if there[..common] != mark[..common] {
        if TRAILER_START.starts_with(there) {
            return Err(input.eof());
        }
        return Err(wrong_at(offset, "neither a mark nor a trailer"));
    }
    if common < MARK {
        return Err(input.eof());
    }
    let (array, is_index) = at_mark(input)?;
    if !is_index {
        let block = reading.read(input, array, None)?.map(FileItem::Block);
        // Nothing was announced.
        return block.ok_or_else(|| Error::at(ErrorKind::InvalidContainer, offset));
    }
    match index_end(input, array, reading.max_block)? {
        Some(end) => input.consume(end),
        // It is too large to be held.
        None => {
            input.consume(array.end);
            for number in 0..array.count {
                if number >= INDEX {
                    check_other(input, 0, offset)?;
                }
                input.skip_value()?;
            }
        }
    }
    Ok(FileItem::Other)
}

/// Returns where an index ends from the current place on. `None` if it is too large to be held.
fn index_end<R: Read>(input: &mut Input<R>, array: Head, max_block: u64) -> Result<Option<usize>> {
    held_elements(input, array.end, array.count, INDEX, max_block.max(DEFAULT_MAX_BLOCK))
}

/// Reads the block at the current place that an index announces. Returns `None` if it is another one.
pub(super) fn announced_block<R: Read>(
    input: &mut Input<R>,
    reading: &mut BlockReading<'_>,
    size: u64,
    count: u64,
) -> Result<Option<StoredBlock>> {
    input.limit = Some(input.offset().saturating_add(size));
    let outcome = block_within(input, reading, size, count);
    input.limit = None;
    match outcome {
        // It does not end where the index says.
        Err(error) if error.is_eof() => Ok(None),
        outcome => outcome,
    }
}

fn block_within<R: Read>(
    input: &mut Input<R>,
    reading: &mut BlockReading<'_>,
    size: u64,
    count: u64,
) -> Result<Option<StoredBlock>> {
    if !input.fill(MARK)? || input.rest()[..MARK] != reading.header.mark() {
        return Ok(None);
    }
    match at_mark(input) {
        Ok((array, false)) => reading.read(input, array, Some((size, count))),
        _ => Ok(None),
    }
}

/// Returns the array that follows the mark at the current place, and whether it is an index.
fn at_mark<R: Read>(input: &mut Input<R>) -> Result<(Head, bool)> {
    let offset = input.offset() + MARK as u64;
    let head = input.container(MARK, Kind::Array)?;
    let head = head.ok_or_else(|| wrong_at(offset, "an array is expected after a mark"))?;
    if head.count == 0 {
        return Ok((head, false));
    }
    input.need(head.end + 1)?;
    let is_index = Kind::of(input.rest()[head.end]) == Kind::Str;
    Ok((head, is_index))
}

/// The bytes that may be examined after marks that do not count, or whose block is at fault all the same, for each byte that
/// searches pass and each byte of a block that is returned.
const WORK_PER_BYTE: u64 = 64;
/// … and in addition, in largest blocks; for small ones it is at least these bytes.
const WORK_BLOCKS: u64 = 16;
const WORK_LEAST: u64 = 64 << 20;

#[derive(Debug, Default)]
pub(super) struct MarkSearch {
    /// The bytes that searches have passed, with those of blocks that were returned, and the bytes that were examined to find
    /// marks and blocks at fault.
    pub passed: u64,
    pub spent: u64,
    /// Where a search began that found no mark that counts up to the end of the file.
    none_from: Option<u64>,
}

/// What follows a mark, for a search.
enum Verdict {
    Counts,
    /// A block that spans the end of the file.
    IsCut,
    DoesNotCount,
}

impl MarkSearch {
    /// Looks for the next mark that counts, or else for the first block that the end of the file cuts, from the
    /// current place on, and goes there. Returns `false` if there is none before `end`, or before the end of the file;
    /// the place is then one of these. Another place can be held after it.
    ///
    /// # Errors
    ///
    /// `io`; `length_limit` at a mark if marks that do not count take too long.
    pub fn find<R: Read>(
        &mut self,
        input: &mut Input<R>,
        header: &FileHeader,
        options: &ReadOptions,
        end: Option<u64>,
    ) -> Result<bool> {
        let begin = input.offset();
        // A file that is followed grows.
        let knows_none = !options.follow && self.none_from.is_some_and(|from| begin >= from);
        let mut cut = None;
        loop {
            let before = input.offset();
            let is_found = next_mark(input, header)?;
            if is_found || cut.is_none() {
                self.passed += input.offset() - before;
            }
            if cut.is_none() && end.is_some_and(|end| input.offset() >= end) {
                return Ok(false);
            }
            if !is_found {
                self.none_from = Some(begin);
                return match cut {
                    Some(cut) => input.go_to(cut),
                    None => Ok(false),
                };
            }
            let examined = input.examined;
            let verdict = verdict(input, options.max_block)?;
            self.spent += input.examined - examined;
            self.check_work(input.offset(), options)?;
            match verdict {
                Verdict::Counts => return Ok(true),
                Verdict::IsCut if cut.is_none() => {
                    if knows_none {
                        return Ok(true);
                    }
                    // The rest of the file is in the window, where the search goes on.
                    let offset = input.offset();
                    cut = Some(offset);
                    input.hold.get_or_insert(offset);
                }
                Verdict::IsCut | Verdict::DoesNotCount => {}
            }
            input.consume(1);
        }
    }

    fn check_work(&self, mark: u64, options: &ReadOptions) -> Result<()> {
        let blocks = options.max_block.saturating_mul(WORK_BLOCKS);
        let most = WORK_PER_BYTE
            .saturating_mul(self.passed)
            .saturating_add(blocks.max(WORK_LEAST));
        if self.spent <= most {
            return Ok(());
        }
        let error = Error::at(ErrorKind::LengthLimit, mark);
        Err(error.with_detail("too many marks that no block follows"))
    }
}

/// Goes to the next mark from the current place on. Returns `false` if there is none; the place is then the end of the file.
fn next_mark<R: Read>(input: &mut Input<R>, header: &FileHeader) -> Result<bool> {
    let mark = header.mark();
    loop {
        let whole = input.fill(MARK)?;
        let there = input.rest();
        if !whole {
            let all = there.len();
            input.consume(all);
            return Ok(false);
        }
        // The places at which a whole mark fits.
        let places = there.len() - MARK + 1;
        let pairs = there[..places].iter().zip(&there[1..]);
        let found = pairs
            .enumerate()
            .find(|(at, pair)| *pair == (&MARK_START[0], &MARK_START[1]) && there[*at..].starts_with(&mark))
            .map(|(at, _)| at);
        input.consume(found.unwrap_or(places));
        if found.is_some() {
            return Ok(true);
        }
    }
}

/// Makes the checks of a search on what follows the mark at the current place. The place stays.
pub(super) fn check_mark<R: Read>(input: &mut Input<R>, max_block: u64) -> Result<()> {
    let (array, is_index) = at_mark(input)?;
    if !is_index {
        return check_block(input, array, max_block);
    }
    let end = index_end(input, array, max_block)?;
    let limit = || Error::at(ErrorKind::LengthLimit, input.offset() + MARK as u64);
    end.map(drop).ok_or_else(limit)
}

fn verdict<R: Read>(input: &mut Input<R>, max_block: u64) -> Result<Verdict> {
    match check_mark(input, max_block) {
        Ok(()) => Ok(Verdict::Counts),
        Err(error) if error.kind() == ErrorKind::Io => Err(error),
        Err(error) if error.is_eof() => Ok(match at_mark(input) {
            Ok((_, true)) => Verdict::DoesNotCount,
            _ => Verdict::IsCut,
        }),
        Err(_) => Ok(Verdict::DoesNotCount),
    }
}
