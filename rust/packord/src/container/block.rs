//! [`StoredBlock`] and [`Block`]: a block as it is in the file, and unpacked.

use super::codec::{self, ChunkUnpacker, Codec};
use super::head::{BlockCodec, BlockHead, BlockKind, Chunk};
use super::header::{FileHeader, MARK, MARK_START};
use super::input::Input;
use super::rows::{RowList, rows_of};
use crate::columns::ColumnsView;
use crate::error::{Error, ErrorKind, Result};
use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;
use std::io::Read;

/// A block as it is in the file, with right checksums, and its chunks still compressed: to copy it, or to
/// [unpack](StoredBlock::unpack) it in another thread.
///
/// ```
/// use packord::container::{BlockKind, Reader, Writer};
/// use packord::Value;
///
/// let mut writer = Writer::new(Vec::new(), &Default::default())?;
/// writer.write(&Value::from([("id", 7)]))?;
/// let file = writer.finish()?;
/// let mut reader = Reader::new(&file[..])?;
/// let stored = reader.next_stored()?.unwrap();
/// assert_eq!((stored.kind(), stored.count()), (BlockKind::Rows, 1));
/// let block = stored.unpack()?;
/// assert_eq!(block.rows()?.get(0), Some(&b"\x81\xa2id\x07"[..]));
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone)]
pub struct StoredBlock {
    header: FileHeader,
    head: BlockHead,
    /// The offset of the mark.
    offset: u64,
    size: u64,
    /// From the mark on.
    bytes: Vec<u8>,
    data: Range<usize>,
}

impl StoredBlock {
    /// Returns the offset of its mark in the file.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the bytes that it takes in the file, with its mark.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns what its body is.
    #[must_use]
    pub fn kind(&self) -> BlockKind {
        self.head.kind
    }

    /// Returns the number of its messages or rows, as it says.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.head.count
    }

    /// Returns the size of its body in bytes, as it says.
    #[must_use]
    pub fn body_size(&self) -> u64 {
        self.head.unpacked()
    }

    /// Returns what it says of its chunks.
    #[must_use]
    pub fn chunks(&self) -> &[Chunk] {
        &self.head.chunks
    }

    /// Returns its codec, that of the header if it names none; `None` if it is not known.
    #[must_use]
    pub fn codec(&self) -> Option<Codec> {
        codec_of(&self.head, &self.header)
    }

    /// Returns its data: the chunks one after another, each compressed by the codec or stored.
    #[must_use]
    pub fn data(&self) -> &[u8] {
        &self.bytes[self.data.clone()]
    }

    /// Returns the header of its file.
    #[must_use]
    pub fn header(&self) -> &FileHeader {
        &self.header
    }

    pub(super) fn head(&self) -> &BlockHead {
        &self.head
    }

    /// Returns all its bytes from the mark on, unless elements after the data are too large to be held.
    pub(super) fn whole_bytes(&self) -> Option<&[u8]> {
        (self.bytes.len() as u64 == self.size).then_some(&self.bytes)
    }

    /// Unpacks the body.
    ///
    /// # Errors
    ///
    /// `invalid_container` at the block-array: the codec is not known, or a chunk does not unpack to exactly the
    /// announced number of bytes.
    pub fn unpack(&self) -> Result<Block> {
        self.unpack_by(&mut ChunkUnpacker::default())
    }

    /// Unpacks the body with a context that is kept.
    pub(super) fn unpack_by(&self, unpacker: &mut ChunkUnpacker) -> Result<Block> {
        let body = known_codec(&self.head, &self.header)
            .and_then(|codec| unpacker.unpack(codec, &self.head.chunks, self.data()));
        let at = self.offset + MARK as u64;
        Ok(Block {
            body: body.map_err(|error| error.moved(at))?,
            kind: self.head.kind,
            count: self.head.count,
            offset: self.offset,
        })
    }
}

impl fmt::Debug for StoredBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredBlock")
            .field("offset", &self.offset)
            .field("size", &self.size)
            .field("head", &self.head)
            .finish_non_exhaustive()
    }
}

/// Returns the codec of a block, if the specification has it.
fn codec_of(head: &BlockHead, header: &FileHeader) -> Option<Codec> {
    match head.codec {
        BlockCodec::OfFile => header.codec(),
        BlockCodec::Named(codec) => Some(codec),
        BlockCodec::Unknown(_) => None,
    }
}

/// Returns the codec of a block, if this build has it.
fn known_codec(head: &BlockHead, header: &FileHeader) -> Result<Codec> {
    let name = match &head.codec {
        BlockCodec::Unknown(name) => name,
        _ => header.codec_name(),
    };
    match codec_of(head, header) {
        None => {
            let detail = format!("codec {name} is not known");
            Err(Error::new(ErrorKind::InvalidContainer).with_detail(detail))
        }
        Some(codec) if !codec.is_supported() => Err(codec::unsupported(codec)),
        Some(codec) => Ok(codec),
    }
}

/// How a block is checked.
#[derive(Clone, Copy)]
pub(super) struct BlockCheck {
    pub max_block: u64,
    /// Whether the codec has to be one of this build. Not in a search.
    pub knows_codec: bool,
    /// The size and count that an index says.
    pub announced: Option<(u64, u64)>,
}

/// A block that does not match the index.
pub(super) struct Mismatch;

/// What a block says, and where its data is from the current place on.
struct BlockFrame {
    head: BlockHead,
    data: Range<usize>,
    /// The first chunk with a wrong checksum.
    wrong: Option<usize>,
}

impl BlockFrame {
    fn check_crc(&self, mark: u64) -> Result<()> {
        let Some(chunk) = self.wrong else {
            return Ok(());
        };
        let error = Error::at(ErrorKind::InvalidContainer, mark + MARK as u64);
        Err(error.with_detail(format!("the checksum of chunk {chunk} is wrong")))
    }
}

/// Reads up to the end of the data of the block whose mark is at the current place. Nothing is consumed.
fn block_frame<R: Read>(
    input: &mut Input<R>,
    header: &FileHeader,
    array_header: usize,
    count: u64,
    check: BlockCheck,
) -> Result<Result<BlockFrame, Mismatch>> {
    let begin = input.offset() + MARK as u64;
    let head = BlockHead::read(input, array_header, count, check.max_block)?;
    if check.knows_codec {
        known_codec(&head, header).map_err(|error| error.moved(begin))?;
    }
    let end = usize::try_from(head.data)
        .ok()
        .and_then(|data| data.checked_add(head.size))
        .ok_or_else(|| Error::at(ErrorKind::LengthLimit, begin))?;
    if let Some((size, count)) = check.announced {
        // Elements after the data make the block larger.
        let fits = if head.others == 0 {
            size == end as u64
        } else {
            size > end as u64
        };
        if count != head.count || !fits {
            return Ok(Err(Mismatch));
        }
    }
    if !input.fill(end)? {
        return Err(input.eof());
    }
    let data = head.size..end;
    let mut rest = &input.rest()[data.clone()];
    let wrong = head.chunks.iter().position(|chunk| {
        let (bytes, after) = rest.split_at(chunk.size as usize);
        rest = after;
        crc32c::crc32c(bytes) != chunk.crc
    });
    input.examined += head.data;
    Ok(Ok(BlockFrame { head, data, wrong }))
}

/// Reads the block whose mark is at the current place. Its array has a header of `array_header` bytes and `count`
/// elements. The block is consumed; after a fault nothing is, but elements after the data.
pub(super) fn read_block<R: Read>(
    input: &mut Input<R>,
    header: &FileHeader,
    array_header: usize,
    count: u64,
    check: BlockCheck,
) -> Result<Result<StoredBlock, Mismatch>> {
    let offset = input.offset();
    let frame = match block_frame(input, header, array_header, count, check)? {
        Ok(frame) => frame,
        Err(mismatch) => return Ok(Err(mismatch)),
    };
    let end = frame.data.end;
    let bytes = match others_of(input, end, frame.head.others, check.max_block)? {
        Some(whole) => {
            frame.check_crc(offset)?;
            input.take(whole)
        }
        None => {
            let bytes = input.rest()[..end].to_vec();
            input.consume(end);
            for _ in 0..frame.head.others {
                check_other(input, 0, offset)?;
                input.skip_value()?;
            }
            frame.check_crc(offset)?;
            bytes
        }
    };
    let size = input.offset() - offset;
    if check
        .announced
        .is_some_and(|(announced, _)| announced != size)
    {
        return Ok(Err(Mismatch));
    }
    Ok(Ok(StoredBlock {
        header: header.clone(),
        head: frame.head,
        offset,
        size,
        bytes,
        data: frame.data,
    }))
}

/// Makes the checks of a search on the block whose mark is at the current place, and consumes nothing.
///
/// # Errors
///
/// The fault; `length_limit` also if the elements after the data are larger than `max_block`.
pub(super) fn check_block<R: Read>(
    input: &mut Input<R>,
    header: &FileHeader,
    array_header: usize,
    count: u64,
    max_block: u64,
) -> Result<()> {
    let offset = input.offset();
    let check = BlockCheck {
        max_block,
        knows_codec: false,
        announced: None,
    };
    let limit = || Error::at(ErrorKind::LengthLimit, offset + MARK as u64);
    let Ok(frame) = block_frame(input, header, array_header, count, check)? else {
        return Err(limit());
    };
    let others = others_of(input, frame.data.end, frame.head.others, max_block)?;
    others.ok_or_else(limit)?;
    frame.check_crc(offset)
}

/// Checks that an element after the data, at an index from the current place on, is not the mark of the next block, which a damaged
/// number of elements would take in. `mark` is the offset of the block's own.
fn check_other<R: Read>(input: &mut Input<R>, at: usize, mark: u64) -> Result<()> {
    let [first, second] = MARK_START;
    let is_mark = input.fill(at + 1)?
        && input.rest()[at] == first
        && input.fill(at + 2)?
        && input.rest()[at + 1] == second;
    if !is_mark {
        return Ok(());
    }
    let error = Error::at(ErrorKind::InvalidContainer, mark + MARK as u64);
    Err(error.with_detail("a mark is within the block"))
}

/// Returns where the elements after the data end, if they are small enough to be held.
fn others_of<R: Read>(
    input: &mut Input<R>,
    end: usize,
    count: u64,
    max: u64,
) -> Result<Option<usize>> {
    let mut whole = end;
    for _ in 0..count {
        check_other(input, whole, input.offset())?;
        match input.held_value(whole, MAX_DEPTH, max.saturating_add(end as u64)) {
            Ok(size) => whole += size,
            Err(error) if error.kind() == ErrorKind::LengthLimit => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    Ok(Some(whole))
}

/// The containers that may be open in an element of a block-array.
const MAX_DEPTH: u32 = crate::DEFAULT_MAX_DEPTH;

/// A block whose body is unpacked.
///
/// ```
/// use packord::container::{Reader, Writer};
/// use packord::Value;
///
/// let mut writer = Writer::new(Vec::new(), &Default::default())?;
/// for id in 0..1000 {
///     writer.write(&Value::from([("id", id), ("size", 10 * id)]))?;
/// }
/// let file = writer.finish()?;
/// let block = Reader::new(&file[..])?.next_block()?.unwrap();
/// // All rows, packed plainly.
/// let rows = block.rows()?;
/// assert_eq!(packord::from_slice::<Value>(&rows[999])?["size"], 9990);
/// // One column, without the others.
/// let columns = block.columns()?.unwrap();
/// assert_eq!(columns.column("[].id").unwrap().numbers()?.unwrap().len(), 1000);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Block {
    kind: BlockKind,
    count: u64,
    offset: u64,
    body: Vec<u8>,
}

impl Block {
    /// Returns the offset of its mark in the file.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns what the body is.
    #[must_use]
    pub fn kind(&self) -> BlockKind {
        self.kind
    }

    /// Returns the number of messages or rows, as the block says.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the body: messages one after another, or one message with all rows. Both can have columns.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Returns the rows or messages, each as one packed message without columns.
    ///
    /// # Errors
    ///
    /// A fault of the body: its kind, at the offset of the block-array, and where it is in the body as the detail.
    /// `invalid_container` if the count is wrong, or the body of rows is not an array.
    pub fn rows(&self) -> Result<RowList<'_>> {
        let body = Cow::Borrowed(&self.body[..]);
        rows_of(body, self.kind, self.count).map_err(|error| placed(error, self.offset))
    }

    /// Returns the rows or messages as [`rows`](Block::rows) does. The body is not copied.
    ///
    /// # Errors
    ///
    /// As for [`rows`](Block::rows).
    pub fn into_rows(self) -> Result<RowList<'static>> {
        let body = Cow::Owned(self.body);
        rows_of(body, self.kind, self.count).map_err(|error| placed(error, self.offset))
    }

    /// Returns the columns of the body, to read some of them without the others; `None` if the rows are
    /// not stored by column.
    ///
    /// # Errors
    ///
    /// A fault of the directory, as for [`rows`](Block::rows). A fault in a column is found when it is read.
    pub fn columns(&self) -> Result<Option<ColumnsView<'_>>> {
        if self.kind == BlockKind::Messages {
            return Ok(None);
        }
        match ColumnsView::read(&self.body) {
            Ok(view) => Ok(Some(view)),
            Err(error) if error.kind() == ErrorKind::TypeMismatch => Ok(None),
            Err(error) => Err(placed(error, self.offset)),
        }
    }
}

/// Returns an error in the body of a block at the place of the block. `offset` is that of its mark.
#[cold]
fn placed(error: Error, offset: u64) -> Error {
    let begin = offset + MARK as u64;
    match error.offset() {
        Some(within) => {
            let detail = format!("at byte {within} of the body");
            error.with_detail(detail).moved(begin)
        }
        None => error.moved(begin),
    }
}
