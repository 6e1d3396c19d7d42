//! [`BlockPart`]: the chunks of a block that have the keys that are asked for (`spec/container.md` section 8).

use super::block::StoredBlock;
use super::body::{Body, Spares};
use super::codec::Codec;
#[cfg(all(feature = "arrow", feature = "notation"))]
use super::head::BlockKind;
use super::head::Chunk;
use super::header::{MARK, wrong, wrong_at};
use super::input::Input;
use super::predicate::Predicate;
#[cfg(all(feature = "arrow", feature = "notation"))]
use super::rows::rows_of;
use super::rows::{MAX_EXPANSION, RowList, expand_rows};
#[cfg(all(feature = "arrow", feature = "notation"))]
use crate::columns::arrow::typed::MadeColumns;
use crate::columns::rows::{MOST_HEADERS, RowColumns, directory_end};
use crate::error::{Error, Result};
#[cfg(all(feature = "arrow", feature = "notation"))]
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;
use std::io::Read;

/// The bytes between two chunks that are read with them rather than by another read.
const GAP: u64 = 4096;

#[derive(Clone)]
pub(super) struct BlockPart {
    codec: Codec,
    /// The body with the chunks that are unpacked, and those that are not.
    body: Body,
    packed: Vec<PartChunk>,
    /// Which rows match the filter and are needed, if that was asked. If none is, the other chunks were not read.
    pub matching: Option<Vec<bool>>,
    /// Columns of these rows that were made to find them.
    #[cfg(all(feature = "arrow", feature = "notation"))]
    pub made: Option<MadeColumns>,
}

/// A chunk with a right checksum, as it is in the file.
#[derive(Clone)]
struct PartChunk {
    /// Where it is in the body.
    place: Range<usize>,
    bytes: Vec<u8>,
}

pub(super) enum PartFault {
    /// Of the file: it could not be read, or a checksum is wrong.
    Chunk(Error),
    /// Of the body, within chunks that are right.
    Body(Error),
}

impl BlockPart {
    /// Reads the chunks of a block that are needed. Returns `None` if that is not known, and the body has to be read as a whole.
    pub fn read<R: Read>(
        input: &mut Input<R>,
        stored: &StoredBlock,
        codec: Codec,
    ) -> Result<Option<BlockPart>, PartFault> {
        let (head, asked) = (&stored.head, &stored.asked);
        #[cfg(all(feature = "arrow", feature = "notation"))]
        let needed = asked.needed.as_ref().filter(|needed| needed.is_asked());
        #[cfg(not(all(feature = "arrow", feature = "notation")))]
        let needed: Option<()> = None;
        if asked.select.is_none() && needed.is_none() {
            return Ok(None);
        }
        let is_selected = |key: &str| selects(asked.select.as_deref(), key);
        let mut chunks = ChunkReader::new(input, stored, codec);
        let size = chunks.body.len();
        chunks.load_to(MOST_HEADERS.min(size))?;
        let Some(end) = directory_end(&chunks.body, u64::MAX) else {
            return Ok(None);
        };
        let mut table = None;
        // The number of rows is in the directory, or in a section of that size after it.
        for missing in [8, 7, 6, 4, 0] {
            let end = end.saturating_sub(missing).min(size as u64);
            chunks.load_to(end as usize)?;
            table = chunks.table(head.count, is_selected)?;
            if table.is_some() {
                break;
            }
        }
        let Some(mut ranges) = table else {
            return Ok(None);
        };
        chunks.load_to(ranges.common.end)?;
        if ranges.has_shapes {
            check_common(&chunks.body)?;
        }
        let mut matching = None;
        if let Some(filter) = &asked.filter {
            let is_named = |key: &str| names(filter, key);
            let named = chunks.table(head.count, is_named)?;
            chunks.load(&named.map_or(Vec::new(), |named| named.keys))?;
            let rows = expand_keys(&chunks.body, is_named).map_err(PartFault::Body)?;
            matching = Some(rows.iter().map(|row| filter.matches(row)).collect());
        }
        let is_none = |rows: &Option<Vec<bool>>| rows.as_ref().is_some_and(|rows| !rows.contains(&true));
        #[cfg(all(feature = "arrow", feature = "notation"))]
        let mut made = None;
        #[cfg(all(feature = "arrow", feature = "notation"))]
        if let Some(needed) = needed.filter(|_| !is_none(&matching)) {
            let named = chunks.table(head.count, |key| needed.names(key))?;
            chunks.load(&named.map_or(Vec::new(), |named| named.keys))?;
            let found = needed.find(&chunks.body, matching.as_deref());
            if let Some(found) = found.map_err(PartFault::Chunk)? {
                (matching, made) = (Some(found.rows), Some(found.made));
            }
        }
        if is_none(&matching) {
            ranges.keys.clear();
        }
        let packed = chunks.fetch(&ranges.keys)?;
        Ok(Some(BlockPart {
            codec,
            body: chunks.body,
            packed,
            matching,
            #[cfg(all(feature = "arrow", feature = "notation"))]
            made,
        }))
    }

    /// Returns the body. What was not read of it is 00.
    pub fn unpack(&self, spares: &Spares) -> Result<Body> {
        let mut body = self.body.clone();
        unpack_into(&mut body, self.codec, &self.packed, spares)?;
        Ok(body)
    }
}

/// Unpacks chunks to their places in a body.
fn unpack_into(body: &mut Body, codec: Codec, chunks: &[PartChunk], spares: &Spares) -> Result<()> {
    spares.with_unpacker(|unpacker| {
        chunks
            .iter()
            .try_for_each(|chunk| unpacker.unpack_into(codec, &chunk.bytes, body.chunk(chunk.place.clone())))
    })
}

/// Returns the rows of a part with the selected keys.
pub(super) fn rows_of_part(
    body: &[u8],
    select: Option<&[Box<str>]>,
    matching: Option<&[bool]>,
) -> Result<RowList<'static>> {
    if matching.is_some_and(|matching| !matching.contains(&true)) {
        return Ok(RowList::default());
    }
    let rows = expand_keys(body, |key| selects(select, key))?;
    Ok(match matching {
        Some(matching) => rows.taking(matching),
        None => rows,
    })
}

/// Returns which rows of a whole body match a filter: from their columns that it names, where there are columns.
#[cfg(all(feature = "arrow", feature = "notation"))]
pub(super) fn matching_rows(body: &[u8], kind: BlockKind, count: u64, filter: &Predicate) -> Result<Vec<bool>> {
    let table = match kind {
        BlockKind::Rows => RowColumns::of_message(body, MAX_EXPANSION).ok().flatten(),
        BlockKind::Messages => None,
    };
    let rows = if table.is_some_and(|table| table.keys().is_some()) {
        expand_keys(body, |key| names(filter, key))?
    } else {
        rows_of(Cow::Borrowed(body), kind, count)?
    };
    Ok(rows.iter().map(|row| filter.matches(row)).collect())
}

/// Returns whether a key is selected, as all are without a selection.
fn selects(select: Option<&[Box<str>]>, key: &str) -> bool {
    select.is_none_or(|keys| keys.iter().any(|name| **name == *key))
}

/// Returns whether a filter is about the values of a key of the row.
fn names(filter: &Predicate, key: &str) -> bool {
    let mut conditions = filter.conditions().iter();
    conditions.any(|condition| {
        let first = condition.path().parts().next();
        first.is_none_or(|part| part == key)
    })
}

fn expand_keys(body: &[u8], is_wanted: impl Fn(&str) -> bool) -> Result<RowList<'static>> {
    // The directory was read before.
    let rows = RowColumns::of_message(body, MAX_EXPANSION)?;
    let rows = rows.ok_or_else(|| wrong("the body is not an array"))?;
    expand_rows(&rows.with_keys(is_wanted), 0)
}

/// Checks the sections that belong to no key.
fn check_common(body: &[u8]) -> Result<(), PartFault> {
    let Some(rows) = RowColumns::of_message(body, MAX_EXPANSION).ok().flatten() else {
        return Ok(());
    };
    rows.with_keys(|_| false).check().map_err(PartFault::Body)
}

/// Where sections of a table are in the body.
struct TableRanges {
    /// Those that belong to no key.
    common: Range<usize>,
    /// Whether there are shapes among them, to be checked.
    has_shapes: bool,
    /// Those of some keys, in their order; none is empty.
    keys: Vec<Range<usize>>,
}

/// Reads chunks of a block as they are needed.
struct ChunkReader<'i, R> {
    input: &'i mut Input<R>,
    /// The offset of the block-array.
    block: u64,
    codec: Codec,
    chunks: Vec<ChunkPlace>,
    body: Body,
    spares: &'i Spares,
}

struct ChunkPlace {
    chunk: Chunk,
    offset: u64,
    place: Range<usize>,
    is_unpacked: bool,
}

impl ChunkPlace {
    /// Returns whether a byte of these ranges of the body is in it. They are in their order, and none is empty.
    fn is_within(&self, ranges: &[Range<usize>]) -> bool {
        let first = ranges.partition_point(|range| range.end <= self.place.start);
        let first = ranges.get(first);
        first.is_some_and(|range| range.start < self.place.end && !self.place.is_empty())
    }
}

impl<'i, R: Read> ChunkReader<'i, R> {
    fn new(input: &'i mut Input<R>, stored: &'i StoredBlock, codec: Codec) -> ChunkReader<'i, R> {
        let (mut at, mut end) = (stored.offset + stored.head.size as u64, 0);
        let place = |&chunk: &Chunk| {
            let (offset, begin) = (at, end);
            at += chunk.size;
            end += chunk.unpacked as usize;
            ChunkPlace {
                chunk,
                offset,
                place: begin..end,
                is_unpacked: false,
            }
        };
        let chunks = stored.chunks().iter().map(place).collect();
        ChunkReader {
            input,
            block: stored.offset + MARK as u64,
            codec,
            chunks,
            body: stored.spares.body(end),
            spares: &stored.spares,
        }
    }

    /// Returns where the sections of some keys are. `None` if the rows are not a table by column, or the directory is at fault.
    fn table(&self, count: u64, is_wanted: impl Fn(&str) -> bool) -> Result<Option<TableRanges>, PartFault> {
        let Ok(Some(rows)) = RowColumns::of_message(&self.body, MAX_EXPANSION) else {
            return Ok(None);
        };
        let Some(keys) = rows.keys() else {
            return Ok(None);
        };
        let is_small = u32::try_from(rows.header.plain_size).is_ok();
        if rows.count() as u64 != count {
            return Err(PartFault::Body(wrong("the count is wrong")));
        }
        let wanted = keys.iter().enumerate().filter(|(_, key)| is_wanted(key));
        let sections = wanted.map(|(key, _)| rows.key_sections(key));
        Ok(is_small.then(|| TableRanges {
            common: rows.common_sections(),
            has_shapes: rows.node().has_part,
            keys: sections.filter(|range| !range.is_empty()).collect(),
        }))
    }

    /// Reads and unpacks the chunks that have a byte of the body before an index.
    fn load_to(&mut self, end: usize) -> Result<(), PartFault> {
        self.load(core::slice::from_ref(&(0..end)))
    }

    /// Reads and unpacks the chunks that have a byte of these ranges of the body.
    fn load(&mut self, ranges: &[Range<usize>]) -> Result<(), PartFault> {
        let packed = self.fetch(ranges)?;
        unpack_into(&mut self.body, self.codec, &packed, self.spares).map_err(PartFault::Body)?;
        for chunk in &mut self.chunks {
            chunk.is_unpacked |= chunk.is_within(ranges);
        }
        Ok(())
    }

    /// Reads the chunks that have a byte of these ranges of the body, and are not unpacked. All have right checksums.
    fn fetch(&mut self, ranges: &[Range<usize>]) -> Result<Vec<PartChunk>, PartFault> {
        let is_wanted = |chunk: &ChunkPlace| !chunk.is_unpacked && chunk.is_within(ranges);
        let wanted: Vec<usize> = (0..self.chunks.len())
            .filter(|&number| is_wanted(&self.chunks[number]))
            .collect();
        let mut packed = Vec::with_capacity(wanted.len());
        let is_near = |&a: &usize, &b: &usize| {
            let end = self.chunks[a].offset + self.chunks[a].chunk.size;
            self.chunks[b].offset - end <= GAP
        };
        for near in wanted.chunk_by(is_near) {
            let (first, last) = (&self.chunks[near[0]], &self.chunks[near[near.len() - 1]]);
            let size = last.offset + last.chunk.size - first.offset;
            let is_there = self.input.go_to(first.offset);
            let is_there = is_there.and_then(|_| self.input.need(size as usize));
            is_there.map_err(PartFault::Chunk)?;
            for &number in near {
                let chunk = &self.chunks[number];
                let begin = (chunk.offset - first.offset) as usize;
                self.input.examined += chunk.chunk.size;
                let bytes = &self.input.rest()[begin..begin + chunk.chunk.size as usize];
                if crc32c::crc32c(bytes) != chunk.chunk.crc {
                    return Err(PartFault::Chunk(wrong_crc(number, self.block)));
                }
                packed.push(PartChunk {
                    place: chunk.place.clone(),
                    bytes: bytes.to_vec(),
                });
            }
        }
        Ok(packed)
    }
}

/// The error of a chunk with a wrong checksum, of the block-array at an offset.
#[cold]
pub(super) fn wrong_crc(chunk: usize, block: u64) -> Error {
    wrong_at(block, format!("the checksum of chunk {chunk} is wrong"))
}
