//! [`repair()`]: the whole blocks of a cut or damaged file.

use super::block::Block;
use super::blocks::{BlockCursor, PassedRange};
use super::codec::Codec;
use super::header::FileHeader;
use super::input::Input;
use super::options::{OnBadBlock, ReadOptions, WriteOptions};
use super::writer::Writer;
use crate::error::{Error, Result};
use alloc::vec::Vec;
use std::io::{Read, Write};

/// What [`repair()`] kept and what it left out.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct RepairReport {
    /// The blocks that were kept.
    pub blocks: u64,
    /// The rows and messages in them.
    pub rows: u64,
    /// The bytes that they had in the file, with their marks.
    pub bytes: u64,
    /// What was left out, in the order of the file, with the fault of each range.
    pub left_out: Vec<PassedRange>,
}

impl RepairReport {
    /// Returns the number of bytes that were left out.
    #[must_use]
    pub fn bytes_left_out(&self) -> u64 {
        let ranges = self.left_out.iter().map(|passed| &passed.range);
        ranges.map(|range| range.end - range.start).sum()
    }
}

/// Writes the whole blocks of a file to another one: with the same header, an index, and the statistics of
/// all rows. Blocks are kept as they are. A block is left out if its checksum or
/// anything in its body is wrong, or if this build does not have its codec. Indexes of the file are not used.
///
/// `max_block` bounds the memory, as in [`ReadOptions::max_block`]; a block with more is left out. The file is read from where the
/// reader is, from front to back, without seeking.
///
/// ```
/// use packord::Value;
/// use packord::container::{DEFAULT_MAX_BLOCK, Reader, WriteOptions, Writer, repair};
/// use std::io::Cursor;
///
/// let mut writer = Writer::new(Vec::new(), &WriteOptions::new().block_rows(10))?;
/// for id in 0..30 {
///     writer.write(&Value::from([("id", id)]))?;
/// }
/// let mut file = writer.finish()?;
/// // The second block is damaged, and the end is missing.
/// let second = Reader::seekable(Cursor::new(&file), &Default::default())?.index().unwrap().entries()[1].offset();
/// file[second as usize + 30] ^= 1;
/// file.truncate(file.len() - 20);
///
/// let (repaired, report) = repair(&file[..], Vec::new(), DEFAULT_MAX_BLOCK)?;
/// assert_eq!((report.blocks, report.rows), (2, 20));
/// assert_eq!(report.left_out.len(), 2);
/// assert_eq!(report.left_out[0].range.start, second);
/// assert_eq!(report.left_out[1].error.kind(), packord::ErrorKind::Eof);
/// let reader = Reader::seekable(Cursor::new(&repaired), &Default::default())?;
/// let last = reader.index().unwrap().entries()[1].statistics().unwrap().get("id").unwrap();
/// assert_eq!((&last.min, &last.max), (&Some(20.into()), &Some(29.into())));
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// A fault of the header, after which nothing was written; `io` of either side.
pub fn repair<R: Read, W: Write>(file: R, mut out: W, max_block: u64) -> Result<(W, RepairReport)> {
    let mut input = Input::new(file);
    let bytes = header_bytes(&mut input, max_block)?;
    let options = ReadOptions::new().max_block(max_block).on_bad_block(OnBadBlock::Skip);
    let mut blocks = BlockCursor::new(input, &options)?;
    out.write_all(&bytes).map_err(|error| Error::io(error, 0))?;
    let header = blocks.header.clone();
    let size = header.size();
    // No block is made here, so no codec is needed.
    let writing = WriteOptions::new().codec(Codec::None);
    let mut writer = Writer::of(out, header, &writing, size)?;
    let mut report = RepairReport::default();
    while let Some((block, rows)) = blocks.next_kept(Block::into_rows)? {
        report.blocks += 1;
        report.rows += rows.len() as u64;
        report.bytes += block.size();
        writer.keep_block(&block, rows)?;
    }
    report.left_out = blocks.passed;
    Ok((writer.finish()?, report))
}

/// Returns the bytes of the header, which come next again.
fn header_bytes<R: Read>(input: &mut Input<R>, max_block: u64) -> Result<Vec<u8>> {
    input.hold = Some(0);
    let header = FileHeader::read(input, max_block)?;
    input.go_to(0)?;
    input.hold = None;
    let size = usize::try_from(header.size()).unwrap_or(usize::MAX);
    Ok(input.rest().get(..size).unwrap_or_default().to_vec())
}
