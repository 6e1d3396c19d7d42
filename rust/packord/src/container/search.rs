//! What is at a mark, and the search for marks (`spec/container.md` sections 2.2 and 5).

use super::block::{BlockCheck, Mismatch, StoredBlock, read_block};
use super::header::{FileHeader, MARK, MARK_START, TRAILER, TRAILER_START};
use super::input::Input;
use super::options::DEFAULT_MAX_BLOCK;
use crate::DEFAULT_MAX_DEPTH;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::header::Header;
use crate::wire::{marker as m, read};
use std::io::Read;

/// What comes next in a file.
pub(super) enum FileItem {
    Block(StoredBlock),
    /// An index, which is passed.
    Index,
    /// A trailer, which is passed.
    Trailer,
    End,
}

/// What follows a mark.
enum AtMark {
    /// An array that is not an index: the bytes of its header and the number of its elements.
    Block(usize, u64),
    Index,
}

/// Reads what is at the current place, and moves past it. After a fault the place is the same, but if values
/// after the data of a block, or an index, are at fault. `knows_codec` says whether the codec of a block has to be known.
pub(super) fn next_item<R: Read>(
    input: &mut Input<R>,
    header: &FileHeader,
    max_block: u64,
    knows_codec: bool,
) -> Result<FileItem> {
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
        return Ok(FileItem::Trailer);
    }
    let mark = header.mark();
    let common = there.len().min(MARK);
    if there[..common] != mark[..common] {
        let is_begun = there.len() == 1 && there[0] == TRAILER_START[0];
        if is_begun {
            return Err(input.eof());
        }
        let error = Error::at(ErrorKind::InvalidExt, offset);
        return Err(error.with_detail("neither a mark nor a trailer"));
    }
    if common < MARK {
        return Err(input.eof());
    }
    match at_mark(input)? {
        AtMark::Index => {
            match index_end(input, max_block.max(DEFAULT_MAX_BLOCK))? {
                Some(end) => input.consume(end),
                None => {
                    input.consume(MARK);
                    input.skip_values(1)?;
                }
            }
            Ok(FileItem::Index)
        }
        AtMark::Block(array_header, count) => {
            let check = BlockCheck {
                max_block,
                knows_codec,
                announced: None,
            };
            match read_block(input, header, array_header, count, check)? {
                Ok(block) => Ok(FileItem::Block(block)),
                // Nothing was announced.
                Err(Mismatch) => Err(Error::at(ErrorKind::InvalidExt, offset)),
            }
        }
    }
}

/// Reads the block at the current place that an index announces. Returns `None` if it is another one.
pub(super) fn announced_block<R: Read>(
    input: &mut Input<R>,
    header: &FileHeader,
    max_block: u64,
    size: u64,
    count: u64,
) -> Result<Option<StoredBlock>> {
    if !input.fill(MARK)? || input.rest()[..MARK] != header.mark() {
        return Ok(None);
    }
    let Ok(AtMark::Block(array_header, elements)) = at_mark(input) else {
        return Ok(None);
    };
    let check = BlockCheck {
        max_block,
        knows_codec: true,
        announced: Some((size, count)),
    };
    Ok(read_block(input, header, array_header, elements, check)?.ok())
}

/// Returns where the index ends whose mark is at the current place; `None` if it has more than `max` bytes.
fn index_end<R: Read>(input: &mut Input<R>, max: u64) -> Result<Option<usize>> {
    let max = max.saturating_add(MARK as u64);
    match input.value(MARK, DEFAULT_MAX_DEPTH, max) {
        Ok(size) => Ok(Some(MARK + size)),
        Err(error) if error.kind() == ErrorKind::LengthLimit => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns what follows the mark at the current place.
fn at_mark<R: Read>(input: &mut Input<R>) -> Result<AtMark> {
    let offset = input.offset() + MARK as u64;
    if !input.fill(MARK + 1)? {
        return Err(input.eof());
    }
    let marker = input.rest()[MARK];
    let header = Header::of(marker);
    if header.values != 1 {
        let error = Error::at(ErrorKind::InvalidExt, offset);
        return Err(error.with_detail("an array is expected after a mark"));
    }
    let size = header.len();
    if !input.fill(MARK + size)? {
        return Err(input.eof());
    }
    let array = &input.rest()[MARK..];
    let count = match header.length {
        0 => Some(u64::from(header.fixed)),
        2 => read::uint::<2>(array, 1),
        _ => read::uint::<4>(array, 1),
    };
    let count = count.unwrap_or_default();
    if count > 0 {
        if !input.fill(MARK + size + 1)? {
            return Err(input.eof());
        }
        let first = input.rest()[MARK + size];
        if matches!(first, m::FIXSTR..=0xbf | m::STR8..=m::STR32) {
            return Ok(AtMark::Index);
        }
    }
    Ok(AtMark::Block(size, count))
}

/// Looks for the next mark that counts, from the current place on, and goes there. Returns `false` if there is
/// none before `end`, or before the end of the file; the place is then one of these.
pub(super) fn find_mark<R: Read>(
    input: &mut Input<R>,
    header: &FileHeader,
    max_block: u64,
    end: Option<u64>,
) -> Result<bool> {
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
        let found = there[..places]
            .iter()
            .zip(&there[1..])
            .position(|pair| pair == (&MARK_START[0], &MARK_START[1]));
        let step = found.unwrap_or(places);
        let is_mark = found.is_some_and(|at| there[at..at + MARK] == mark);
        input.consume(step);
        if end.is_some_and(|end| input.offset() >= end) {
            return Ok(false);
        }
        if found.is_none() {
            continue;
        }
        if is_mark && counts(input, header, max_block)? {
            return Ok(true);
        }
        input.consume(1);
    }
}

/// Returns whether the mark at the current place counts: a block with the right checksum or an index follows. The
/// place stays.
fn counts<R: Read>(input: &mut Input<R>, header: &FileHeader, max_block: u64) -> Result<bool> {
    let outcome = match at_mark(input) {
        Ok(AtMark::Index) => match index_end(input, max_block.max(DEFAULT_MAX_BLOCK)) {
            Ok(Some(_)) => Ok(()),
            Ok(None) => return Ok(false),
            Err(error) => Err(error),
        },
        Ok(AtMark::Block(array_header, count)) => {
            let check = BlockCheck {
                max_block,
                knows_codec: false,
                announced: None,
            };
            read_block(input, header, array_header, count, check).map(|block| {
                if let Ok(block) = block {
                    block.put_back(input);
                }
            })
        }
        Err(error) => Err(error),
    };
    match outcome {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::Io => Err(error),
        Err(_) => Ok(false),
    }
}
