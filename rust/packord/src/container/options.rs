//! The options of readers and writers. Their names are those of the specification.

use super::codec::Codec;
#[cfg(all(feature = "arrow", feature = "notation"))]
use super::needed::NeededRows;
use super::path::RowPath;
use super::predicate::Predicate;
#[cfg(all(feature = "arrow", feature = "notation"))]
use crate::columns::arrow::{ArrowArrayStream, ArrowTable, TableType};
use crate::value::{Map, Tree, Value};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

/// The most bytes of a block that readers allow by default, and of a plain body that writers write.
pub const DEFAULT_MAX_BLOCK: u64 = 64 << 20;
/// The size of a block that writers aim at by default, in bytes of plain MessagePack.
const BLOCK_SIZE: usize = 4 << 20;
const BLOCK_ROWS: u64 = 65_536;

/// What a reader does with a block at fault.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnBadBlock {
    /// The fault ends the reading, after the blocks before it.
    #[default]
    Error,
    /// The reader passes over the block, and goes on at the next mark. It reports the range.
    Skip,
}

/// Options of a [`Reader`](super::Reader).
///
/// ```
/// use packord::container::{OnBadBlock, ReadOptions};
/// let options = ReadOptions::new().max_block(1 << 20).on_bad_block(OnBadBlock::Skip);
/// ```
#[derive(Clone, Debug)]
pub struct ReadOptions {
    pub(super) max_block: u64,
    pub(super) on_bad_block: OnBadBlock,
    pub(super) asked: Asked,
    pub(super) prune: Option<Arc<Predicate>>,
    pub(super) split: Option<Range<u64>>,
    pub(super) follow: bool,
    #[cfg(feature = "container-parallel")]
    pub(super) threads: usize,
}

/// What is asked for of each block.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// The keys of rows; all without it.
    pub select: Option<Arc<[Box<str>]>>,
    pub filter: Option<Arc<Predicate>>,
    /// Which rows are needed, of those that the filter leaves.
    #[cfg(all(feature = "arrow", feature = "notation"))]
    pub needed: Option<NeededRows>,
}

impl Asked {
    /// All rows as they are.
    pub const ALL: Asked = Asked {
        select: None,
        filter: None,
        #[cfg(all(feature = "arrow", feature = "notation"))]
        needed: None,
    };

    /// Whether some chunks of a block may do.
    pub fn is_part(&self) -> bool {
        #[cfg(all(feature = "arrow", feature = "notation"))]
        if self.needed.is_some() {
            return true;
        }
        self.select.is_some()
    }
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions::new()
    }
}

impl ReadOptions {
    /// Returns the defaults of the specification.
    #[must_use]
    pub const fn new() -> ReadOptions {
        ReadOptions {
            max_block: DEFAULT_MAX_BLOCK,
            on_bad_block: OnBadBlock::Error,
            asked: Asked::ALL,
            prune: None,
            split: None,
            follow: false,
            #[cfg(feature = "container-parallel")]
            threads: 1,
        }
    }

    /// The most bytes of the data and of the body of a block, 64 MiB by default; a block with more is
    /// `length_limit`. It bounds the memory of a reader.
    #[must_use]
    pub const fn max_block(mut self, limit: u64) -> Self {
        self.max_block = limit;
        self
    }

    /// What to do with a block at fault.
    #[must_use]
    pub const fn on_bad_block(mut self, mode: OnBadBlock) -> Self {
        self.on_bad_block = mode;
        self
    }

    /// Only rows and messages that match are returned, and blocks are skipped whose statistics show that nothing
    /// in them matches.
    ///
    /// ```
    /// use packord::container::{Comparison, Predicate, ReadOptions, Reader, Writer};
    /// use packord::Value;
    ///
    /// let mut writer = Writer::new(Vec::new(), &Default::default())?;
    /// for id in 0..10 {
    ///     writer.write(&Value::from([("id", id)]))?;
    /// }
    /// let file = writer.finish()?;
    /// let predicate = Predicate::new().and("id", Comparison::GreaterOrEqual, 8)?;
    /// let mut reader = Reader::with_options(&file[..], &ReadOptions::new().filter(predicate))?;
    /// let ids: Vec<Value> = reader.values().collect::<Result<_, _>>()?;
    /// assert_eq!(ids, [8, 9].map(|id| Value::from([("id", id)])));
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn filter(mut self, predicate: Predicate) -> Self {
        self.asked.filter = Some(Arc::new(predicate));
        self
    }

    /// Each row that is a map has only these keys, as far as it has them, in its own order. Rows that are not maps stay as they
    /// are. Of blocks that are stored by column, only the chunks with these keys are read, if the reader can seek and there is an
    /// index; a fault in another chunk is not seen. With a [`filter`](ReadOptions::filter), the keys that it names are read first, and the
    /// others only in blocks where a row matches.
    ///
    /// ```
    /// use packord::container::{ReadOptions, Reader, Writer};
    /// use packord::value;
    ///
    /// let mut writer = Writer::new(Vec::new(), &Default::default())?;
    /// writer.write(&value!({"id": 1, "town": "Graz", "size": 2}))?;
    /// writer.write(&value!({"size": 3, "id": 2}))?;
    /// let file = writer.finish()?;
    /// let options = ReadOptions::new().select(["size", "id"]);
    /// let mut reader = Reader::with_options(&file[..], &options)?;
    /// assert_eq!(reader.next_value()?, Some(value!({"id": 1, "size": 2})));
    /// assert_eq!(reader.next_value()?, Some(value!({"size": 3, "id": 2})));
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn select<K: AsRef<str>>(mut self, keys: impl IntoIterator<Item = K>) -> Self {
        let mut select: Vec<Box<str>> = Vec::new();
        for key in keys {
            if !select.iter().any(|known| **known == *key.as_ref()) {
                select.push(key.as_ref().into());
            }
        }
        self.asked.select = Some(select.into());
        self
    }

    /// Blocks are skipped whose statistics show that nothing in them matches. The rows of the others all are
    /// returned: for programs that compare them by themselves.
    #[must_use]
    pub fn prune(mut self, predicate: Predicate) -> Self {
        self.prune = Some(Arc::new(predicate));
        self
    }

    /// For tables: `choose` is called with the columns of `ty` of a block and returns a stream of one
    /// column of booleans, which says of each row whether it is needed. The others may be left out, and
    /// where no row is needed, the other columns of the block are neither read nor unpacked: for
    /// programs that compare rows by themselves, and do it again for those that they get.
    ///
    /// After a block of which more than a quarter of the rows is needed, it is not called for some. It
    /// is only called for blocks of which chunks can be read, as [`select`](ReadOptions::select) says,
    /// which has to name these columns too. An error of it ends the reading.
    ///
    /// ```
    /// use packord::columns::arrow::{ArrowTable, from_arrow};
    /// use packord::container::{ReadOptions, Reader, TableTypes, Writer};
    /// use packord::value;
    ///
    /// let mut writer = Writer::new(Vec::new(), &Default::default())?;
    /// for id in 0..4000 {
    ///     writer.write(&value!({"name": (format!("Event {id}")), "id": id}))?;
    /// }
    /// let file = std::io::Cursor::new(writer.finish()?);
    /// let mut types = TableTypes::new();
    /// types.add_block(&Reader::seekable(file.clone(), &ReadOptions::new())?.next_block()?.unwrap())?;
    /// let ty = types.table_type()?;
    ///
    /// // A real program gives the columns to a library that compares them.
    /// let rows: Vec<_> = (0..4000).map(|id| value!({"is": (id == 7)})).collect();
    /// let only_seven = ArrowTable::read(packord::to_vec(&rows)?)?;
    /// let ids = ty.select(&["id"]).unwrap();
    /// let options = ReadOptions::new().select(ty.names()).needed_rows(&ids, move |columns| {
    ///     assert_eq!((columns.rows(), columns.columns()), (4000, 1));
    ///     Ok(only_seven.stream())
    /// });
    /// let block = Reader::seekable(file, &options)?.next_block()?.unwrap();
    /// let table = block.into_tables(&ty)?.next().unwrap()?;
    /// let rows = from_arrow(table.stream())?;
    /// assert_eq!(rows, packord::to_vec(&value!([{"name": "Event 7", "id": 7}]))?);
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[cfg(all(feature = "arrow", feature = "notation"))]
    #[must_use]
    pub fn needed_rows(
        mut self,
        ty: &TableType,
        choose: impl Fn(ArrowTable) -> std::io::Result<ArrowArrayStream> + Send + Sync + 'static,
    ) -> Self {
        self.asked.needed = Some(NeededRows::new(ty, Arc::new(choose)));
        self
    }

    /// Only blocks are read whose mark begins in this range of offsets.
    #[must_use]
    pub fn split(mut self, range: Range<u64>) -> Self {
        self.split = Some(range);
        self
    }

    /// Whether the file is still being written. At its end, and within a block that is not whole yet, the reader
    /// returns nothing, and goes on when it is called again. It uses no index.
    #[must_use]
    pub const fn follow(mut self, on: bool) -> Self {
        self.follow = on;
        self
    }

    /// The number of threads that unpack blocks and check their rows, 1 by default: the one that reads. With more, blocks are
    /// read ahead, one for each thread and one that waits, and are returned in the order of the file. This is for
    /// [`next_rows`](super::Reader::next_rows) and all that reads rows, and for [`map_blocks`](super::Reader::map_blocks).
    ///
    /// ```
    /// use packord::Value;
    /// use packord::container::{ReadOptions, Reader, WriteOptions, Writer};
    ///
    /// let mut writer = Writer::new(Vec::new(), &WriteOptions::new().block_rows(100))?;
    /// for id in 0..1000 {
    ///     writer.write(&Value::from([("id", id)]))?;
    /// }
    /// let file = writer.finish()?;
    /// let mut reader = Reader::with_options(&file[..], &ReadOptions::new().threads(2))?;
    /// for (id, row) in (0..1000).zip(reader.values()) {
    ///     assert_eq!(row?["id"], id);
    /// }
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[cfg(feature = "container-parallel")]
    #[must_use]
    pub const fn threads(mut self, count: usize) -> Self {
        self.threads = count;
        self
    }
}

/// Options of a [`Writer`](super::Writer).
///
/// ```
/// use packord::container::{Codec, WriteOptions};
/// let options = WriteOptions::new().codec(Codec::Deflate).level(9).block_rows(10_000);
/// ```
#[derive(Clone, Debug)]
pub struct WriteOptions {
    pub(super) codec: Codec,
    pub(super) level: Option<i32>,
    pub(super) block_size: usize,
    pub(super) block_rows: u64,
    pub(super) columns: bool,
    pub(super) messages: bool,
    pub(super) stats: Option<Vec<RowPath>>,
    pub(super) meta: Option<Map<Box<str>, Box<[u8]>>>,
    pub(super) sync: Option<[u8; 16]>,
    #[cfg(feature = "container-parallel")]
    pub(super) threads: usize,
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions::new()
    }
}

impl WriteOptions {
    /// Returns the defaults of the specification.
    #[must_use]
    pub fn new() -> WriteOptions {
        WriteOptions {
            codec: Codec::default(),
            level: None,
            block_size: BLOCK_SIZE,
            block_rows: BLOCK_ROWS,
            columns: true,
            messages: false,
            stats: None,
            meta: None,
            sync: None,
            #[cfg(feature = "container-parallel")]
            threads: 1,
        }
    }

    /// The codec of blocks: zstd by default if this build has it, else deflate.
    #[must_use]
    pub fn codec(mut self, codec: Codec) -> Self {
        self.codec = codec;
        self
    }

    /// The level of the codec, 3 for zstd and 6 for deflate by default. A level beyond those of the codec is
    /// the nearest one.
    #[must_use]
    pub fn level(mut self, level: i32) -> Self {
        self.level = Some(level);
        self
    }

    /// The size of a block in bytes of plain MessagePack, 4 MiB by default and at most 64 MiB. A block ends before a
    /// row with which it would be larger.
    #[must_use]
    pub fn block_size(mut self, size: usize) -> Self {
        self.block_size = size.min(DEFAULT_MAX_BLOCK as usize);
        self
    }

    /// The most rows or messages of a block, 65,536 by default and 1 at least.
    #[must_use]
    pub fn block_rows(mut self, count: u64) -> Self {
        self.block_rows = count.max(1);
        self
    }

    /// Whether rows are stored by column (`spec/columns.md`), true by default. Messages never are.
    #[must_use]
    pub fn columns(mut self, on: bool) -> Self {
        self.columns = on;
        self
    }

    /// Whether the file has messages, which are not part of a table, in place of rows.
    #[must_use]
    pub fn messages(mut self, on: bool) -> Self {
        self.messages = on;
        self
    }

    /// The paths whose statistics are kept. Without it, they are kept for the first 32 keys of the first row
    /// whose values are scalars; with an empty list for none.
    #[must_use]
    pub fn stats<P: AsRef<str>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        let paths = paths.into_iter().map(|path| RowPath::new(path.as_ref()));
        self.stats = Some(paths.collect());
        self
    }

    /// A map of the program's own in the header.
    #[must_use]
    pub fn meta(mut self, meta: impl Into<Value>) -> Self {
        self.meta = match meta.into() {
            Tree::Map(map) => Some(map),
            _ => None,
        };
        self
    }

    /// The sync bytes, random by default: for files that must be the same twice.
    #[must_use]
    pub fn sync(mut self, sync: [u8; 16]) -> Self {
        self.sync = Some(sync);
        self
    }

    /// The number of threads that pack blocks, 1 by default: the one that writes. With more, the file is the same,
    /// and each thread takes memory for its block. Errors of the underlying writer come later.
    ///
    /// ```
    /// use packord::Value;
    /// use packord::container::{WriteOptions, Writer};
    ///
    /// let file = |threads| {
    ///     let options = WriteOptions::new().sync([7; 16]).block_rows(100).threads(threads);
    ///     let mut writer = Writer::new(Vec::new(), &options)?;
    ///     for id in 0..1000 {
    ///         writer.write(&Value::from([("id", id)]))?;
    ///     }
    ///     writer.finish()
    /// };
    /// assert_eq!(file(1)?, file(3)?);
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[cfg(feature = "container-parallel")]
    #[must_use]
    pub fn threads(mut self, count: usize) -> Self {
        self.threads = count;
        self
    }
}
