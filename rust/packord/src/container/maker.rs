//! [`BlockMaker`]: rows as a block.

use super::codec::{BodyPacker, Codec};
use super::collector::SchemaCollector;
use super::head::{BlockCodec, BlockHead, BlockKind};
use super::header::FileHeader;
use super::options::WriteOptions;
use super::path::RowPath;
use super::statistics::Statistics;
use super::summary::summarize;
use crate::columns::write_columns;
use crate::encode::{EncodeOptions, RecordEncoder};
use crate::error::Result;
use crate::options::DecodeOptions;
use crate::record::RecordIds;
use crate::wire::marker as m;
use alloc::vec::Vec;

/// The room for the header of the array of rows, before the rows.
pub(super) const ROOM: usize = 5;

/// The rows of a block, one after another, after room for the header of their array.
pub(super) struct BlockRows {
    pub kind: BlockKind,
    pub bytes: Vec<u8>,
    pub count: u64,
}

/// A block that was made.
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
    header: FileHeader,
    codec: Codec,
    columns: bool,
    views: bool,
    packer: BodyPacker,
}

impl BlockMaker {
    pub fn new(header: &FileHeader, options: &WriteOptions) -> Result<BlockMaker> {
        Ok(BlockMaker {
            header: header.clone(),
            codec: options.codec,
            columns: options.columns,
            views: options.views,
            packer: BodyPacker::new(options.codec, options.level, header.dictionary())?,
        })
    }

    /// Makes a block of rows, with the statistics of these paths.
    pub fn make(&mut self, mut rows: BlockRows, paths: &[RowPath]) -> Result<MadeBlock> {
        let (mut body, mut data) = (Vec::new(), Vec::new());
        let begin = self.pack_body(&mut rows, &mut body)?;
        let (mut statistics, mut schema) = (None, SchemaCollector::new());
        if rows.kind == BlockKind::Rows {
            let plain = &rows.bytes[ROOM..];
            let found = summarize(plain, rows.count, &body, paths, &mut schema);
            statistics = Some(found).filter(|found| !found.is_empty());
        }
        let (body, begin) = match begin {
            Some(begin) => (rows.bytes, begin),
            None => (body, 0),
        };
        let raw = body.len() - begin;
        let is_packed = !self.views && self.packer.pack(&body[begin..], &mut data)?;
        let (bytes, begin) = if is_packed { (data, 0) } else { (body, begin) };
        let head = BlockHead {
            kind: rows.kind,
            padded: self.views,
            count: rows.count,
            raw: raw as u64,
            crc: crc32c::crc32c(&bytes[begin..]),
            codec: if is_packed || self.codec == Codec::None {
                BlockCodec::OfFile
            } else {
                BlockCodec::Named(Codec::None)
            },
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

    /// Makes the body. Returns where it begins in the rows, if they are the body.
    fn pack_body(&self, rows: &mut BlockRows, body: &mut Vec<u8>) -> Result<Option<usize>> {
        let begin = match rows.kind {
            BlockKind::Messages => ROOM,
            BlockKind::Rows => put_array(&mut rows.bytes, rows.count),
        };
        let plain = &rows.bytes[begin..];
        let has_columns = self.columns && rows.kind == BlockKind::Rows;
        let Some(structures) = self.header.structures() else {
            let is_written = has_columns && write_columns(plain, None, body);
            return Ok((!is_written).then_some(begin));
        };
        let encode = EncodeOptions::new()
            .sequential(true)
            .max_shared_structures(structures.len() as u16);
        if has_columns {
            let mut ids = RecordIds::new(encode.id_space(true), Some(structures.clone()));
            ids.begin();
            if write_columns(plain, Some(&mut ids), body) {
                return Ok(None);
            }
            body.clear();
        }
        let mut encoder = RecordEncoder::with_shared(encode, structures.clone());
        let mut rest = plain;
        while !rest.is_empty() {
            let (value, size) = DecodeOptions::new().decode_ref_prefix(rest)?;
            encoder.encode_into(&value, body)?;
            rest = &rest[size..];
        }
        Ok(None)
    }
}

/// Writes the header of the array of rows before them. Returns where it begins.
fn put_array(rows: &mut [u8], count: u64) -> usize {
    let [.., a, b, c, d] = count.to_be_bytes();
    let (begin, header): (usize, &[u8]) = match count {
        0..=15 => (4, &[m::FIXARRAY | d]),
        16..=0xffff => (2, &[m::ARRAY16, c, d]),
        _ => (0, &[m::ARRAY32, a, b, c, d]),
    };
    rows[begin..ROOM].copy_from_slice(header);
    begin
}
