//! Reads blocks from a file, with the checks of `spec/container.md` section 2.1 in their order.

use super::block::{BlockContent, StoredBlock};
use super::body::Spares;
use super::head::{BlockHead, BlockKind};
use super::header::{FileHeader, MARK, MARK_START, wrong_at};
use super::input::Input;
use super::options::Asked;
use super::part::{BlockPart, PartFault, wrong_crc};
use crate::DEFAULT_MAX_DEPTH;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::header::Head;
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::io::Read;

pub(super) struct BlockReading<'c> {
    pub header: &'c FileHeader,
    pub max_block: u64,
    pub asked: &'c Asked,
    pub spares: &'c Spares,
}

/// The size and count that an index says of a block.
pub(super) type Announced = Option<(u64, u64)>;

impl BlockReading<'_> {
    /// Reads the block whose mark is at the current place, and moves past it. After a fault the place is not specified; what is held can
    /// be read again. Returns `None` for a block that is not the one that the index says.
    pub fn read<R: Read>(
        &mut self,
        input: &mut Input<R>,
        array: Head,
        announced: Announced,
    ) -> Result<Option<StoredBlock>> {
        let offset = input.offset();
        let held = input.hold;
        // Parts of the block are read, and then all of it, or what follows the mark.
        input.hold = Some(held.unwrap_or(offset).min(offset));
        let outcome = self.read_held(input, array, announced);
        input.hold = held;
        outcome
    }

    fn read_held<R: Read>(
        &mut self,
        input: &mut Input<R>,
        array: Head,
        announced: Announced,
    ) -> Result<Option<StoredBlock>> {
        let offset = input.offset();
        let begin = offset + MARK as u64;
        let head = BlockHead::read(input, array, self.max_block)?;
        let codec = head.known_codec(self.header);
        let codec = codec.map_err(|error| error.moved(begin))?;
        let end = head.end();
        // With an index, the data need not be read to find the end of the file.
        let is_apart = announced.is_some() && head.others == 0;
        let (size, is_held) = if is_apart {
            (end as u64, true)
        } else {
            let whole = block_end(input, &head, self.max_block)?;
            (whole.unwrap_or(end) as u64, whole.is_some())
        };
        let count = head.count;
        let is_announced = |size| announced.is_none_or(|found| found == (size, count));
        if is_held && !is_announced(size) {
            return Ok(None);
        }
        let mut stored = StoredBlock {
            header: self.header.clone(),
            head,
            offset,
            size,
            content: BlockContent::Whole(Vec::new(), 0..0),
            asked: self.asked.clone(),
            spares: self.spares.clone(),
        };
        if is_held && stored.head.kind == BlockKind::Rows {
            stored.content = match BlockPart::read(input, &stored, codec) {
                Ok(Some(part)) => BlockContent::Part(part),
                Err(PartFault::Body(error)) => BlockContent::Fault(Arc::new(error)),
                Err(PartFault::Chunk(error)) => return Err(error),
                Ok(None) => stored.content,
            };
            input.go_to(offset)?;
            if !matches!(stored.content, BlockContent::Whole(..)) {
                input.go_to(offset + size)?;
                return Ok(Some(stored));
            }
        }
        input.need(end)?;
        let data = stored.head.size..end;
        let checked = check_chunks(input, &stored.head);
        let bytes = if is_held {
            checked?;
            input.take(size as usize)
        } else {
            let bytes = input.rest()[..end].to_vec();
            input.hold = None;
            input.consume(end);
            for _ in 0..stored.head.others {
                check_other(input, 0, offset)?;
                input.skip_value()?;
            }
            stored.size = input.offset() - offset;
            if !is_announced(stored.size) {
                return Ok(None);
            }
            checked?;
            bytes
        };
        stored.content = BlockContent::Whole(bytes, data);
        Ok(Some(stored))
    }
}

/// Makes the checks of a search on the block whose mark is at the current place, and consumes nothing.
///
/// # Errors
///
/// The fault; `length_limit` also if the elements after the data are larger than `max_block`.
pub(super) fn check_block<R: Read>(input: &mut Input<R>, array: Head, max_block: u64) -> Result<()> {
    let begin = input.offset() + MARK as u64;
    let head = BlockHead::read(input, array, max_block)?;
    let end = block_end(input, &head, max_block)?;
    end.ok_or_else(|| Error::at(ErrorKind::LengthLimit, begin))?;
    check_chunks(input, &head)
}

/// Compares the checksums of the chunks of the block whose mark is at the current place. All are in the window.
fn check_chunks<R: Read>(input: &mut Input<R>, head: &BlockHead) -> Result<()> {
    input.examined += head.data;
    let mut rest = &input.rest()[head.size..];
    for (number, chunk) in head.chunks.iter().enumerate() {
        let (bytes, after) = rest.split_at(chunk.size as usize);
        rest = after;
        if crc32c::crc32c(bytes) != chunk.crc {
            return Err(wrong_crc(number, input.offset() + MARK as u64));
        }
    }
    Ok(())
}

/// Reads a block up to its end, and returns where that is from the current place on. `None` if the elements after the data are
/// too large to be held.
fn block_end<R: Read>(input: &mut Input<R>, head: &BlockHead, max_block: u64) -> Result<Option<usize>> {
    let end = head.end();
    input.need(end)?;
    let max = max_block.saturating_add(end as u64);
    held_elements(input, end, head.others, 0, max)
}

/// Returns where elements of an array end that begin at an index from the current place on, if they fit into `max` bytes from there on. Those
/// after the first `known` are not used, and are not the mark of the next block: a damaged number of elements would take it
/// in.
pub(super) fn held_elements<R: Read>(
    input: &mut Input<R>,
    begin: usize,
    count: u64,
    known: u64,
    max: u64,
) -> Result<Option<usize>> {
    let (mark, mut end) = (input.offset(), begin);
    // Depth counts from an element of a block, and from an index itself.
    let max_depth = DEFAULT_MAX_DEPTH - u32::from(known != 0);
    for number in 0..count {
        if number >= known {
            check_other(input, end, mark)?;
        }
        match input.value(end, max_depth, max, u64::MAX) {
            Ok(size) => end += size,
            Err(error) if error.kind() == ErrorKind::LengthLimit => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    Ok(Some(end))
}

/// Checks that an element at an index from the current place on is not a mark. `mark` is the offset of the one before the
/// array.
pub(super) fn check_other<R: Read>(input: &mut Input<R>, at: usize, mark: u64) -> Result<()> {
    let [first, second] = MARK_START;
    let is_mark =
        input.fill(at + 1)? && input.rest()[at] == first && input.fill(at + 2)? && input.rest()[at + 1] == second;
    if !is_mark {
        return Ok(());
    }
    Err(wrong_at(mark + MARK as u64, "a mark is within the array"))
}
