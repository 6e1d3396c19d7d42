//! [`BlockMaker`]: rows as a block.

use super::codec::BodyPacker;
use super::collector::SchemaCollector;
use super::head::{BlockCodec, BlockHead, BlockKind};
use super::options::WriteOptions;
use super::path::RowPath;
use super::statistics::Statistics;
use super::summary::summarize;
use crate::columns::rows::RowColumns;
use crate::columns::write_columns;
use crate::error::Result;
use crate::wire::Store;
use alloc::vec::Vec;

/// The room for the header of the array of rows, before the rows.
pub(super) const ROOM: usize = 5;

/// The rows of a block, one after another, after room for the header of their array.
pub(super) struct BlockRows {
    pub kind: BlockKind,
    pub bytes: Vec<u8>,
    pub count: u64,
}

pub(super) struct MadeBlock {
    pub head: BlockHead,
    /// The data, from an index on.
    pub bytes: Vec<u8>,
    pub begin: usize,
    pub statistics: Option<Statistics>,
    /// The types in the rows.
    pub schema: SchemaCollector,
}

/// Makes blocks of rows. Nothing in it depends on the blocks before.
pub(super) struct BlockMaker {
    columns: bool,
    packer: BodyPacker,
}

impl BlockMaker {
    pub fn new(options: &WriteOptions) -> Result<BlockMaker> {
        Ok(BlockMaker {
            columns: options.columns,
            packer: BodyPacker::new(options.codec, options.level)?,
        })
    }

    /// Makes a block of rows, with the statistics of these paths.
    pub fn make(&mut self, mut rows: BlockRows, paths: &[RowPath]) -> Result<MadeBlock> {
        let begin = match rows.kind {
            BlockKind::Messages => ROOM,
            BlockKind::Rows => put_array(&mut rows.bytes, rows.count)?,
        };
        let mut columns = Vec::new();
        let has_columns =
            self.columns && rows.kind == BlockKind::Rows && write_columns(&rows.bytes[begin..], None, &mut columns);
        let (mut statistics, mut schema) = (None, SchemaCollector::new());
        if rows.kind == BlockKind::Rows {
            let plain = &rows.bytes[ROOM..];
            let found = summarize(plain, rows.count, &columns, paths, &mut schema);
            statistics = Some(found).filter(|found| !found.is_empty());
        }
        let (body, begin, sizes) = if has_columns {
            let sizes = chunk_sizes(&columns);
            (columns, 0, sizes)
        } else {
            let size = rows.bytes.len() - begin;
            (rows.bytes, begin, Vec::from([size]))
        };
        let mut data = Vec::new();
        let (chunks, is_packed) = self.packer.pack(&body[begin..], &sizes, &mut data)?;
        let (bytes, begin) = if is_packed { (data, 0) } else { (body, begin) };
        let head = BlockHead {
            kind: rows.kind,
            count: rows.count,
            codec: BlockCodec::OfFile,
            chunks,
            data: (bytes.len() - begin) as u64,
            others: 0,
            size: 0,
        };
        Ok(MadeBlock {
            head,
            bytes,
            begin,
            statistics,
            schema,
        })
    }
}

/// The bytes from which on a chunk ends before a key.
const LEAST_CHUNK: usize = 8192;

/// Returns the sizes of the chunks into which rows in columns are cut: before a key each, if they are a table.
fn chunk_sizes(body: &[u8]) -> Vec<usize> {
    let (mut sizes, mut begin) = (Vec::new(), 0);
    if let Ok(Some(rows)) = RowColumns::of_message(body, u64::MAX) {
        for key in 0..rows.keys().map_or(0, <[&str]>::len) {
            let cut = rows.key_sections(key).start;
            if cut - begin >= LEAST_CHUNK {
                sizes.push(cut - begin);
                begin = cut;
            }
        }
    }
    if begin < body.len() {
        sizes.push(body.len() - begin);
    }
    sizes
}

/// Writes the header of the array of rows before them. Returns where it begins.
fn put_array(rows: &mut [u8], count: u64) -> Result<usize> {
    let mut header = Vec::with_capacity(ROOM);
    header.put_array(count as usize)?;
    let begin = ROOM - header.len();
    rows[begin..ROOM].copy_from_slice(&header);
    Ok(begin)
}
