//! [`FileIndex`]: where the blocks of a file are (`spec/container.md` section 3).

use super::header::{FileHeader, MARK, TRAILER, TRAILER_START};
use super::input::Input;
use super::schema::Schema;
use super::statistics::Statistics;
use crate::encode::EncodeOptions;
use crate::error::Result;
use crate::options::DecodeOptions;
use crate::value::{Tree, Value, ValueRef};
use crate::wire::Store;
use alloc::boxed::Box;
use alloc::vec::Vec;
use std::io::{Read, Seek};

/// The first element of an index-array.
const NAME: &str = "index";
const VERSION: u64 = 1;
/// Bytes of the checksum at the end of a trailer.
const CRC: usize = 4;
/// The fewest bytes of a block with its mark.
const SMALLEST: u64 = 25;
/// The largest index that is written.
const MAX_WRITTEN: usize = 64 << 20;
/// From here on a count is not whole in every language.
const MAX_COUNT: u64 = 1 << 53;

/// What an index says of one block.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexEntry {
    pub(super) offset: u64,
    pub(super) size: u64,
    pub(super) count: u64,
    pub(super) statistics: Option<Statistics>,
}

impl IndexEntry {
    /// Returns the offset of the block's mark in the file.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the bytes of the mark and the block-array together.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the number of its rows or messages.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns what is known of the values in its rows.
    #[must_use]
    pub fn statistics(&self) -> Option<&Statistics> {
        self.statistics.as_ref()
    }
}

/// The last index of a file: where its blocks are, with statistics, and totals.
///
/// An index is what the writer says. A reader that uses it finds an entry that is wrong when it reads that
/// block.
#[derive(Clone, Debug, Default)]
pub struct FileIndex {
    pub(super) entries: Vec<IndexEntry>,
    pub(super) count: u64,
    pub(super) schema: Option<Schema>,
    /// The offset of its mark.
    pub(super) offset: u64,
}

impl FileIndex {
    /// Returns an entry for each block, in the order of the file.
    #[must_use]
    pub fn entries(&self) -> &[IndexEntry] {
        &self.entries
    }

    /// Returns the number of all rows and messages.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the types of the table's values, if the writer knew all of them.
    #[must_use]
    pub fn schema(&self) -> Option<&Schema> {
        self.schema.as_ref()
    }

    /// Returns the offset of its mark in the file.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the offset of the first block at or after an offset.
    pub(super) fn first_from(&self, offset: u64) -> Option<u64> {
        let number = self.entries.partition_point(|entry| entry.offset < offset);
        self.entries.get(number).map(|entry| entry.offset)
    }

    /// Reads the index at the end of a file. `None` if there is none that can be used. The place of the input is
    /// not specified after that.
    pub(super) fn read<R: Read + Seek>(
        input: &mut Input<R>,
        header: &FileHeader,
        max: u64,
    ) -> Result<Option<FileIndex>> {
        let end = input.size()?;
        let Some(trailer) = end.checked_sub(TRAILER as u64) else {
            return Ok(None);
        };
        input.go_to(trailer)?;
        if trailer < header.size() || !input.fill(TRAILER)? {
            return Ok(None);
        }
        let Some((offset, crc)) = trailer_of(&input.rest()[..TRAILER]) else {
            return Ok(None);
        };
        let begin = offset.saturating_add(MARK as u64);
        if offset < header.size() || begin >= trailer || trailer - begin > max {
            return Ok(None);
        }
        let size = (end - offset) as usize;
        input.go_to(offset)?;
        if !input.fill(size)? {
            return Ok(None);
        }
        let checked = &input.rest()[..size - CRC];
        if crc32c::crc32c(checked) != crc || !checked.starts_with(&header.mark()) {
            return Ok(None);
        }
        let bytes = &checked[MARK..checked.len() + CRC - TRAILER];
        let Ok(value) = DecodeOptions::new().decode_ref(bytes) else {
            return Ok(None);
        };
        Ok(FileIndex::from_value(&value, offset, header.size()))
    }

    fn from_value(value: &ValueRef<'_>, offset: u64, begin: u64) -> Option<FileIndex> {
        let [name, version, blocks, totals, ..] = value.as_array()? else {
            return None;
        };
        if name.as_str() != Some(NAME) || version.as_u64() != Some(VERSION) {
            return None;
        }
        let (blocks, totals) = (blocks.as_array()?, totals.as_map()?);
        let mut entries = Vec::with_capacity(blocks.len());
        let (mut end, mut sum) = (begin, 0_u64);
        for block in blocks {
            let [at, size, count, statistics, ..] = block.as_array()? else {
                return None;
            };
            let (at, size, count) = (at.as_u64()?, size.as_u64()?, count.as_u64()?);
            if at < end || size < SMALLEST {
                return None;
            }
            end = at.checked_add(size).filter(|&end| end <= offset)?;
            sum = sum.checked_add(count)?;
            let statistics = match statistics {
                Tree::Nil => None,
                Tree::Map(_) => Statistics::from_value(statistics),
                _ => return None,
            };
            entries.push(IndexEntry {
                offset: at,
                size,
                count,
                statistics,
            });
        }
        if totals.get("count")?.as_u64()? != sum || sum >= MAX_COUNT {
            return None;
        }
        let schema = totals.get("schema");
        Some(FileIndex {
            entries,
            count: sum,
            schema: schema.and_then(Schema::from_value),
            offset,
        })
    }

    /// Returns the bytes of the index with its mark and trailer. `offset` is where it begins in the file. `None` if it
    /// is too large to be written.
    pub(super) fn write(&self, mark: &[u8; MARK], offset: u64) -> Result<Option<Vec<u8>>> {
        for with_statistics in [true, false] {
            let mut bytes = mark.to_vec();
            self.put(with_statistics, &mut bytes)?;
            if bytes.len() - MARK <= MAX_WRITTEN {
                bytes.extend_from_slice(&TRAILER_START);
                bytes.extend_from_slice(&offset.to_be_bytes());
                bytes.extend_from_slice(&crc32c::crc32c(&bytes).to_be_bytes());
                return Ok(Some(bytes));
            }
        }
        Ok(None)
    }

    fn put(&self, with_statistics: bool, out: &mut Vec<u8>) -> Result<()> {
        out.put_array(4)?;
        out.put_str(NAME.as_bytes())?;
        out.put_uint(VERSION)?;
        out.put_array(self.entries.len())?;
        let encode = EncodeOptions::new();
        for entry in &self.entries {
            out.put_array(4)?;
            for number in [entry.offset, entry.size, entry.count] {
                out.put_uint(number)?;
            }
            let statistics = entry.statistics.as_ref().filter(|_| with_statistics);
            let statistics = statistics.map_or(Tree::Nil, Statistics::to_value);
            encode.encode_into(&statistics, out)?;
        }
        let mut totals: Vec<(Value, Value)> = Vec::new();
        let key = |key: &str| Tree::Str(Box::from(key));
        totals.push((key("count"), self.count.into()));
        if let Some(schema) = &self.schema {
            totals.push((key("schema"), schema.to_value()));
        }
        encode.encode_into(&Value::from(totals), out)
    }
}

/// Returns the offset and the checksum in a trailer.
fn trailer_of(bytes: &[u8]) -> Option<(u64, u32)> {
    let (offset, crc) = bytes.strip_prefix(&TRAILER_START)?.split_first_chunk()?;
    let crc = crc.try_into().ok()?;
    Some((u64::from_be_bytes(*offset), u32::from_be_bytes(crc)))
}
