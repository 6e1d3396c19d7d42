//! [`StoredBlock`] and [`Block`]: a block as it is in the file, and unpacked.

use super::body::{Body, Spares};
use super::codec::Codec;
use super::head::{BlockHead, BlockKind, Chunk};
use super::header::{FileHeader, MARK};
use super::options::Asked;
use super::part::{BlockPart, rows_of_part};
use super::rows::{RowList, rows_of};
use crate::columns::ColumnsView;
#[cfg(all(feature = "arrow", feature = "notation"))]
use crate::columns::arrow::typed::MadeColumns;
use crate::error::{Error, ErrorKind, Result};
use alloc::borrow::Cow;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

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
    pub(super) header: FileHeader,
    pub(super) head: BlockHead,
    /// The offset of the mark.
    pub(super) offset: u64,
    pub(super) size: u64,
    pub(super) content: BlockContent,
    pub(super) asked: Asked,
    pub(super) spares: Spares,
}

#[derive(Clone)]
pub(super) enum BlockContent {
    /// Its bytes from the mark on, and where the data is in them.
    Whole(Vec<u8>, Range<usize>),
    /// Chunks of it.
    Part(BlockPart),
    /// Chunks of it, up to a fault of the body.
    Fault(Arc<Error>),
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
        self.head.codec_of(&self.header)
    }

    /// Returns its data: the chunks one after another, each compressed by the codec or stored. `None` if only some of them were
    /// read, for [`select`](super::ReadOptions::select).
    #[must_use]
    pub fn data(&self) -> Option<&[u8]> {
        match &self.content {
            BlockContent::Whole(bytes, data) => bytes.get(data.clone()),
            _ => None,
        }
    }

    /// Returns the header of its file.
    #[must_use]
    pub fn header(&self) -> &FileHeader {
        &self.header
    }

    /// Returns all its bytes from the mark on, unless elements after the data are too large to be held.
    pub(super) fn whole_bytes(&self) -> Option<&[u8]> {
        match &self.content {
            BlockContent::Whole(bytes, _) if bytes.len() as u64 == self.size => Some(bytes),
            _ => None,
        }
    }

    /// Unpacks the body.
    ///
    /// # Errors
    ///
    /// `invalid_container` at the block-array: the codec is not known, or a chunk does not unpack to exactly the
    /// announced number of bytes. With [`select`](super::ReadOptions::select), also faults of the body.
    pub fn unpack(&self) -> Result<Block> {
        let (body, matching) = match &self.content {
            BlockContent::Whole(bytes, data) => (self.body_of(&bytes[data.clone()]), None),
            BlockContent::Part(part) => (part.unpack(&self.spares), part.matching.clone()),
            BlockContent::Fault(error) => (Err(error.duplicate()), None),
        };
        Ok(Block {
            body: body.map_err(|error| placed(error, self.offset))?,
            kind: self.head.kind,
            count: self.head.count,
            offset: self.offset,
            asked: self.asked.clone(),
            is_whole: self.data().is_some(),
            matching,
            #[cfg(all(feature = "arrow", feature = "notation"))]
            made: match &self.content {
                BlockContent::Part(part) => part.made.clone(),
                _ => None,
            },
        })
    }

    fn body_of(&self, data: &[u8]) -> Result<Body> {
        let codec = self.head.known_codec(&self.header)?;
        let mut body = alloc::vec![0; self.body_size() as usize];
        self.spares.with_unpacker(|unpacker| {
            let (mut data, mut rest) = (data, &mut body[..]);
            for chunk in self.chunks() {
                let (packed, others) = data.split_at(chunk.size as usize);
                let (out, after) = rest.split_at_mut(chunk.unpacked as usize);
                (data, rest) = (others, after);
                unpacker.unpack_into(codec, packed, out)?;
            }
            Ok(body.into())
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
    pub(super) kind: BlockKind,
    pub(super) count: u64,
    pub(super) offset: u64,
    pub(super) body: Body,
    pub(super) asked: Asked,
    /// Whether all of the body was read, and which rows match, if that was found out already.
    pub(super) is_whole: bool,
    pub(super) matching: Option<Vec<bool>>,
    #[cfg(all(feature = "arrow", feature = "notation"))]
    pub(super) made: Option<MadeColumns>,
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

    /// Returns the body: messages one after another, or one message with all rows. Both can have columns. With
    /// [`select`](super::ReadOptions::select), what was not read of it is 00.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Returns the rows or messages that the options of the reader ask for, each as one packed message without columns.
    ///
    /// # Errors
    ///
    /// A fault of the body: its kind, at the offset of the block-array, and where it is in the body as the detail.
    /// `invalid_container` if the count is wrong, or the body of rows is not an array.
    pub fn rows(&self) -> Result<RowList<'_>> {
        self.rows_in(Cow::Borrowed(&self.body))
    }

    /// Returns the rows or messages as [`rows`](Block::rows) does. The body is not copied.
    ///
    /// # Errors
    ///
    /// As for [`rows`](Block::rows).
    pub fn into_rows(mut self) -> Result<RowList<'static>> {
        if !self.is_whole {
            return self.rows_in(Cow::Borrowed(&self.body)).map(RowList::into_owned);
        }
        let body = core::mem::take(&mut self.body).into_bytes();
        self.rows_in(Cow::Owned(body))
    }

    fn rows_in<'b>(&self, body: Cow<'b, [u8]>) -> Result<RowList<'b>> {
        let Asked { select, filter, .. } = &self.asked;
        if !self.is_whole {
            // The body has some chunks alone.
            let rows = rows_of_part(&body, select.as_deref(), self.matching.as_deref());
            return rows.map_err(|error| placed(error, self.offset));
        }
        let rows = rows_of(body, self.kind, self.count);
        let rows = rows.map_err(|error| placed(error, self.offset))?;
        let rows = match filter {
            Some(filter) => rows.matching(filter),
            None => rows,
        };
        Ok(match select {
            Some(keys) => rows.selecting(keys),
            None => rows,
        })
    }

    /// Returns the columns of the body, to read some of them without the others; `None` if the rows are
    /// not stored by column. With [`select`](super::ReadOptions::select), only the selected keys can be read.
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
pub(super) fn placed(error: Error, offset: u64) -> Error {
    let begin = offset + MARK as u64;
    match error.offset() {
        Some(within) => {
            let detail = format!("at byte {within} of the body");
            error.with_detail(detail).moved(begin)
        }
        None => error.moved(begin),
    }
}
