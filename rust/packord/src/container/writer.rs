//! [`Writer`]: writes container files.

use super::block::StoredBlock;
use super::collector::SchemaCollector;
use super::head::{BlockCodec, BlockHead, BlockKind};
use super::header::{FileHeader, wrong_at};
use super::index::{FileIndex, IndexEntry};
use super::maker::{BlockMaker, BlockRows, MadeBlock, ROOM};
#[cfg(feature = "container-parallel")]
use super::maker_lanes::MakerLanes;
use super::options::{DEFAULT_MAX_BLOCK, WriteOptions};
use super::path::RowPath;
use super::plain::{PlainMap, str_of};
use super::rows::RowList;
use super::schema::Schema;
use super::statistics::Statistics;
use super::summary::summarize;
use crate::DEFAULT_MAX_DEPTH;
use crate::columns::read::extent;
use crate::encode::EncodeOptions;
use crate::error::{Error, ErrorKind, Result};
use crate::options::DecodeOptions;
use crate::read::check_depth;
use crate::typed::Packable;
use crate::value::Tree;
use crate::whole::ToVec;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{BuildHasher, Hasher};
use std::collections::hash_map::RandomState;
use std::io::Write;

/// The most bytes that are reserved for the rows of a block before they come.
const RESERVED: usize = 4 << 20;
/// The most paths and bytes of a path whose statistics are kept without the option `stats`.
const MAX_PATHS: usize = 32;
const MAX_PATH: usize = 256;

/// Writes a container file. Rows are collected, and written a block at a time.
///
/// [`finish`](Writer::finish) writes the last block and the index. A writer that is dropped without it leaves a file
/// that can be read, without an index and without the rows since the last block.
///
/// ```
/// use packord::Value;
/// use packord::container::{Reader, WriteOptions, Writer};
///
/// let mut writer = Writer::new(Vec::new(), &WriteOptions::new().stats(["id"]))?;
/// writer.write(&Value::from([("id", 1)]))?;
/// // Bytes that are packed already.
/// writer.write_packed(b"\x81\xa2id\x02")?;
/// let file = writer.finish()?;
/// let rows: Vec<Value> = Reader::new(&file[..])?.values().collect::<Result<_, _>>()?;
/// assert_eq!(rows, [1, 2].map(|id| Value::from([("id", id)])));
/// # Ok::<(), packord::Error>(())
/// ```
pub struct Writer<W: Write> {
    out: W,
    /// Where the next block begins in the file.
    position: u64,
    header: FileHeader,
    options: WriteOptions,
    maker: BlockMaker,
    /// Blocks that other threads make.
    #[cfg(feature = "container-parallel")]
    lanes: Option<MakerLanes>,
    /// The rows of the next block, after room for the header of their array.
    rows: Vec<u8>,
    count: u64,
    /// The paths of statistics; `None` before the first row.
    paths: Option<Arc<[RowPath]>>,
    pub(super) schema: SchemaCollector,
    pub(super) index: FileIndex,
    /// Whether the file ends with this index.
    pub(super) is_indexed: bool,
    failed: Option<Error>,
    open: Vec<u64>,
}

impl<W: Write> Writer<W> {
    /// Writes the header of a new file.
    ///
    /// # Errors
    ///
    /// `io`; `invalid_container` if this build does not have the codec.
    pub fn new(out: W, options: &WriteOptions) -> Result<Writer<W>> {
        Writer::begin(out, options, |_| Ok(()))
    }

    /// Writes the header of a new file, after it was prepared.
    pub(super) fn begin(
        out: W,
        options: &WriteOptions,
        prepare: impl FnOnce(&mut W) -> std::io::Result<()>,
    ) -> Result<Writer<W>> {
        let (header, bytes) = FileHeader::write(
            options.sync.unwrap_or_else(random_sync),
            options.codec,
            options.meta.as_ref(),
            options.stats.as_deref(),
        )?;
        let mut writer = Writer::of(out, header, options, bytes.len() as u64)?;
        let prepared = prepare(&mut writer.out);
        let written = prepared.and_then(|()| writer.out.write_all(&bytes));
        written.map_err(|error| Error::io(error, 0))?;
        Ok(writer)
    }

    /// Returns a writer whose next block begins at an offset.
    pub(super) fn of(out: W, header: FileHeader, options: &WriteOptions, position: u64) -> Result<Writer<W>> {
        Ok(Writer {
            out,
            position,
            paths: header.stats().map(Arc::from),
            maker: BlockMaker::new(options)?,
            #[cfg(feature = "container-parallel")]
            lanes: MakerLanes::new(options),
            header,
            options: options.clone(),
            rows: alloc::vec![0; ROOM],
            count: 0,
            schema: SchemaCollector::new(),
            index: FileIndex::default(),
            is_indexed: false,
            failed: None,
            open: Vec::new(),
        })
    }

    /// Returns the header of the file.
    #[must_use]
    pub fn header(&self) -> &FileHeader {
        &self.header
    }

    /// Returns the number of bytes of the file so far. Rows that are not in a block yet are not counted, and neither are
    /// blocks that other threads make.
    #[must_use]
    pub fn written(&self) -> u64 {
        self.position
    }

    /// Returns the underlying writer.
    pub fn get_ref(&self) -> &W {
        &self.out
    }

    /// Adds a row or message that is one packed message. Its formats are kept; columns in it are expanded.
    ///
    /// # Errors
    ///
    /// The fault of the row, with its offset in it; `depth_limit` if there is no room for the array of the
    /// rows around it; `length_limit` if it is larger than 64 MiB. The writer can go on then. `io` if a block could not be
    /// written: later calls fail as well.
    pub fn write_packed(&mut self, row: &[u8]) -> Result<()> {
        self.check_failed()?;
        let mut open = core::mem::take(&mut self.open);
        let found = extent(row, DEFAULT_MAX_DEPTH, &mut open);
        self.open = open;
        let around = usize::from(!self.options.messages);
        match found {
            Ok(found) if found.size == row.len() => {
                check_depth((found.depth + around) as u64, DEFAULT_MAX_DEPTH).map_err(Error::new)?;
                if found.has_columns {
                    let plain = DecodeOptions::new().columns(true).expand_columns(row)?;
                    return self.add(&plain);
                }
                self.add(row)
            }
            _ => {
                DecodeOptions::new().validate(row)?;
                Err(Error::new(ErrorKind::Custom))
            }
        }
    }

    /// Adds a value as a row or message.
    ///
    /// # Errors
    ///
    /// As for [`EncodeOptions::encode`] and [`write_packed`](Writer::write_packed).
    pub fn write_value<S, B>(&mut self, value: &Tree<S, B>) -> Result<()>
    where
        S: AsRef<str>,
        B: AsRef<[u8]>,
    {
        let packed = EncodeOptions::new().encode(value)?;
        self.write_packed(&packed)
    }

    /// Adds a [`Value`](crate::Value), or with the feature `serde` any type that derives `Serialize`, as a row or message.
    ///
    /// # Errors
    ///
    /// As for [`to_vec`](crate::to_vec) and [`write_packed`](Writer::write_packed).
    pub fn write<T: ToVec + ?Sized>(&mut self, value: &T) -> Result<()> {
        let packed = value.write_whole()?;
        self.write_packed(&packed)
    }

    /// Adds a value of a type that derives `MsgPacker` as a row or message.
    ///
    /// # Errors
    ///
    /// As for [`Packable::pack_to_vec`] and [`write_packed`](Writer::write_packed).
    pub fn pack<T: Packable + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.write_packed(&value.pack_to_vec())
    }

    /// Adds a block of another file as it is, after the rows so far, with another mark. Nothing is unpacked.
    ///
    /// The statistics are those that the other file's index has; without them the block has none.
    /// The schema of the file is unknown after that, unless [`add_schema`](Writer::add_schema) says it.
    ///
    /// # Errors
    ///
    /// `invalid_container` for a block whose codec is not known; `custom` for one that was read with
    /// [`select`](super::ReadOptions::select); `io`.
    ///
    /// ```
    /// use packord::Value;
    /// use packord::container::{Reader, Writer};
    ///
    /// let mut writer = Writer::new(Vec::new(), &Default::default())?;
    /// writer.write(&Value::from([("id", 1)]))?;
    /// let file = writer.finish()?;
    /// let mut copy = Writer::new(Vec::new(), &Default::default())?;
    /// let mut reader = Reader::new(&file[..])?;
    /// while let Some(block) = reader.next_stored()? {
    ///     copy.copy_block(&block, None)?;
    /// }
    /// let copy = copy.finish()?;
    /// assert_eq!(Reader::new(&copy[..])?.next_value()?, Some(Value::from([("id", 1)])));
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn copy_block(&mut self, block: &StoredBlock, statistics: Option<&Statistics>) -> Result<()> {
        self.check_failed()?;
        let codec = block.codec();
        let codec = codec.ok_or_else(|| wrong_at(block.offset(), "the codec is not known"))?;
        let data = block.data().ok_or_else(|| {
            let error = Error::at(ErrorKind::Custom, block.offset());
            error.with_detail("not all chunks of the block were read")
        })?;
        self.end_block()?;
        self.put_made(true)?;
        let head = BlockHead {
            codec: if Some(codec) == self.header.codec() {
                BlockCodec::OfFile
            } else {
                BlockCodec::Named(codec)
            },
            others: 0,
            ..block.head.clone()
        };
        if head.kind == BlockKind::Rows && head.count > 0 {
            self.schema.misses_rows = true;
        }
        let statistics = statistics.filter(|statistics| !statistics.is_empty());
        self.put_block(&head, data, statistics.cloned())
    }

    /// Writes a block of a file with the same header as it is, with the statistics and types of its rows.
    pub(super) fn keep_block(&mut self, block: &StoredBlock, rows: RowList<'_>) -> Result<()> {
        let mut statistics = None;
        if block.kind() == BlockKind::Rows {
            if let (None, Some(first)) = (&self.paths, rows.get(0)) {
                self.paths = Some(paths_of(first).into());
            }
            let paths = self.paths.clone().unwrap_or_default();
            let (count, mut schema) = (rows.len() as u64, SchemaCollector::new());
            // The rows count: another writer may have made columns of another form.
            let found = summarize(&rows.into_bytes(), count, &[], &paths, &mut schema);
            self.schema.absorb(&schema);
            statistics = Some(found).filter(|found| !found.is_empty());
        }
        let place = self.position;
        let Some(bytes) = block.whole_bytes() else {
            let head = BlockHead {
                others: 0,
                ..block.head.clone()
            };
            return self.put_block(&head, block.data().unwrap_or_default(), statistics);
        };
        self.put(bytes)?;
        self.list_block(place, block.count(), statistics);
        Ok(())
    }

    /// Says the schema of the rows that were copied by [`copy_block`](Writer::copy_block), together with those of
    /// before it: that of the other file's index.
    pub fn add_schema(&mut self, schema: &Schema) {
        self.schema.add_schema(schema);
    }

    /// Writes the blocks that are full: waits for those that other threads make. Without
    /// [`threads`](WriteOptions::threads) they are written when they are full.
    ///
    /// # Errors
    ///
    /// `io`. Later calls fail as well.
    #[cfg(feature = "container-parallel")]
    pub fn write_full(&mut self) -> Result<()> {
        self.check_failed()?;
        self.put_made(true)
    }

    /// Ends the block, if it has rows, and flushes the underlying writer.
    ///
    /// # Errors
    ///
    /// `io`. Later calls fail as well.
    pub fn flush(&mut self) -> Result<()> {
        self.check_failed()?;
        self.end_block()?;
        self.put_made(true)?;
        let flushed = self.out.flush();
        flushed.map_err(|error| self.fail(error))
    }

    /// Ends the last block, and writes the index.
    ///
    /// # Errors
    ///
    /// `io`.
    pub fn finish(mut self) -> Result<W> {
        self.check_failed()?;
        self.end_block()?;
        self.put_made(true)?;
        if !self.is_indexed {
            self.index.schema = self.schema.finish();
            if let Some(bytes) = self.index.write(&self.header.mark(), self.position)? {
                self.put(&bytes)?;
            }
        }
        let flushed = self.out.flush();
        flushed.map_err(|error| self.fail(error))?;
        Ok(self.out)
    }

    fn check_failed(&self) -> Result<()> {
        match &self.failed {
            Some(error) => Err(error.duplicate()),
            None => Ok(()),
        }
    }

    #[cold]
    fn fail(&mut self, cause: std::io::Error) -> Error {
        let error = Error::io(cause, self.position);
        self.failed = Some(error.duplicate());
        error
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        match self.out.write_all(bytes) {
            Ok(()) => {
                self.position += bytes.len() as u64;
                Ok(())
            }
            Err(error) => Err(self.fail(error)),
        }
    }

    /// Returns the bytes of the plain body with this number of rows and bytes of them.
    fn body_size(&self, count: u64, rows: usize) -> usize {
        let header = match count {
            _ if self.options.messages => 0,
            0..=15 => 1,
            16..=0xffff => 3,
            _ => 5,
        };
        header + rows
    }

    fn add(&mut self, row: &[u8]) -> Result<()> {
        let (count, size) = (self.count + 1, self.rows.len() - ROOM + row.len());
        if self.body_size(1, row.len()) as u64 > DEFAULT_MAX_BLOCK {
            return Err(Error::new(ErrorKind::LengthLimit).with_detail("a row has more than 64 MiB"));
        }
        if self.count > 0 && self.body_size(count, size) > self.options.block_size {
            self.end_block()?;
        }
        if self.paths.is_none() {
            self.paths = Some(if self.options.messages {
                Arc::default()
            } else {
                paths_of(row).into()
            });
        }
        self.rows.extend_from_slice(row);
        self.count += 1;
        if self.count >= self.options.block_rows {
            self.end_block()?;
        }
        Ok(())
    }

    fn end_block(&mut self) -> Result<()> {
        if self.count == 0 {
            return Ok(());
        }
        let kind = if self.options.messages {
            BlockKind::Messages
        } else {
            BlockKind::Rows
        };
        let room = alloc::vec![0; ROOM];
        let rows = BlockRows {
            kind,
            bytes: core::mem::replace(&mut self.rows, room),
            count: core::mem::take(&mut self.count),
        };
        let paths = self.paths.clone().unwrap_or_default();
        #[cfg(feature = "container-parallel")]
        if let Some(lanes) = &mut self.lanes {
            lanes.push(rows, paths);
            return self.put_made(false);
        }
        let made = self.maker.make(rows, &paths);
        self.rows.reserve(self.options.block_size.min(RESERVED));
        self.add_made(made)
    }

    /// Writes the blocks that other threads have made: all of them, or those for which there is no room.
    #[allow(clippy::unnecessary_wraps, reason = "without threads there are none")]
    fn put_made(&mut self, all: bool) -> Result<()> {
        #[cfg(feature = "container-parallel")]
        while let Some(made) = self.lanes.as_mut().and_then(|lanes| lanes.pop(all)) {
            self.add_made(made)?;
        }
        let _ = all;
        Ok(())
    }

    fn add_made(&mut self, made: Result<MadeBlock>) -> Result<()> {
        let outcome = made.and_then(|made| {
            self.schema.absorb(&made.schema);
            self.put_block(&made.head, &made.bytes[made.begin..], made.statistics)
        });
        if let Err(error) = &outcome {
            self.failed.get_or_insert(error.duplicate());
        }
        outcome
    }

    fn put_block(&mut self, head: &BlockHead, data: &[u8], statistics: Option<Statistics>) -> Result<()> {
        let (mut bytes, position) = (Vec::new(), self.position);
        head.write(&self.header.mark(), &mut bytes)?;
        self.put(&bytes)?;
        self.put(data)?;
        self.list_block(position, head.count, statistics);
        Ok(())
    }

    fn list_block(&mut self, offset: u64, count: u64, statistics: Option<Statistics>) {
        self.index.entries.push(IndexEntry {
            offset,
            size: self.position - offset,
            count,
            statistics,
        });
        self.index.count += count;
        self.is_indexed = false;
    }
}

impl<W: Write + fmt::Debug> fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer")
            .field("out", &self.out)
            .field("position", &self.position)
            .field("header", &self.header)
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}

/// Returns the paths whose statistics are kept without the option `stats`: those of the keys of the first row whose
/// values are scalars.
fn paths_of(row: &[u8]) -> Vec<RowPath> {
    let Some(mut map) = PlainMap::of(row) else {
        return Vec::new();
    };
    let mut paths: Vec<RowPath> = Vec::new();
    while let Some((key, value)) = map.next() {
        let key = str_of(key).and_then(|key| core::str::from_utf8(key).ok());
        let Some(key) = key.filter(|key| !key.is_empty() && key.len() <= MAX_PATH && !key.contains('.')) else {
            continue;
        };
        let is_known = paths.iter().any(|path| path.as_str() == key);
        if paths.len() < MAX_PATHS && !is_known && is_scalar(value) {
            paths.push(RowPath::new(key));
        }
    }
    paths
}

fn is_scalar(value: &[u8]) -> bool {
    use super::comparable::Comparable;
    !matches!(Comparable::of(value), Comparable::Bin(_) | Comparable::Other(_))
}

/// Returns 16 random bytes: two hashes with keys that the standard library takes from the operating
/// system.
fn random_sync() -> [u8; 16] {
    let half = || RandomState::new().build_hasher().finish().to_be_bytes();
    let mut sync = [0; 16];
    sync[..8].copy_from_slice(&half());
    sync[8..].copy_from_slice(&half());
    sync
}
