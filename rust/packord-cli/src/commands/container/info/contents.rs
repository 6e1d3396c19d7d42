//! What the header, the index and the blocks of a file say.

use std::io::{Read, Seek, SeekFrom};

use packord::container::{
    BlockKind, Codec, FileHeader, FileIndex, IndexEntry, PassedRange, Reader, Schema, StoredBlock,
};
use packord::{Token, Value, Walker};
use serde_json::{Map, json};

use super::values::to_json;
use crate::container::WholeStatistics;
use crate::failure::describe;
use crate::figures::container::{BlockFigures, ContainerFigures, DamagedRange, DeadIndexes};

/// Bytes of a mark.
const MARK: usize = 18;

/// What the header says.
pub fn of_header(header: &FileHeader, name: &str, bytes: u64) -> ContainerFigures {
    let paths = header.stats().map(<[_]>::iter);
    let stats = paths.map(|paths| paths.map(|path| path.as_str().to_owned()).collect());
    let meta = header.meta().map(|meta| to_json(&Value::Map(meta.clone())));
    ContainerFigures {
        name: name.to_owned(),
        bytes,
        stream: false,
        version: 1,
        sync: header.sync().iter().map(|byte| format!("{byte:02x}")).collect(),
        codec: header.codec_name().to_owned(),
        stats,
        meta: meta.unwrap_or_else(|| json!({})),
        index: None,
        rows: 0,
        messages: 0,
        blocks: 0,
        body: None,
        stored: 0,
        schema: None,
        statistics: Map::new(),
        dead: None,
        damage: None,
        block_list: None,
    }
}

/// Adds what the index says. Of blocks without statistics, the beginning is read: it says whether they have rows.
pub fn of_index(index: &FileIndex, file: &mut (impl Read + Seek), figures: &mut ContainerFigures) {
    figures.index = Some(index.offset());
    for entry in index.entries() {
        if entry.statistics().is_none() && has_messages(entry, file) {
            figures.messages += entry.count();
        } else {
            figures.rows += entry.count();
        }
    }
    figures.blocks = index.entries().len() as u64;
    figures.stored = index.entries().iter().map(IndexEntry::size).sum();
    figures.schema = index.schema().map(schema);
    let mut whole = WholeStatistics::default();
    for entry in index.entries() {
        whole.add(entry);
    }
    let json = |value: Option<&Value>| value.map_or(serde_json::Value::Null, to_json);
    let paths = whole.paths().map(|(path, nulls, min, max)| {
        let of = json!({"nulls": nulls, "min": json(min), "max": json(max)});
        (path.to_owned(), of)
    });
    figures.statistics = paths.collect();
}

/// Returns whether a block has messages that are not rows.
fn has_messages(entry: &IndexEntry, file: &mut (impl Read + Seek)) -> bool {
    let mut start = [0; MARK + 16];
    let is_read = file.seek(SeekFrom::Start(entry.offset()));
    if is_read.and_then(|_| file.read_exact(&mut start)).is_err() {
        return false;
    }
    let mut walker = Walker::new(&start[MARK..]);
    let mut next = || walker.next().ok()?.map(|event| event.token);
    let is_array = matches!(next(), Some(Token::Array(_)));
    is_array && matches!(next(), Some(Token::Int(kind)) if kind.as_u64() == Some(0))
}

fn schema(schema: &Schema) -> Map<String, serde_json::Value> {
    let entries = schema.entries().iter().map(|entry| {
        let types: Vec<&str> = entry.types.iter().map(|name| name.name()).collect();
        let figures = json!({"types": types, "nullable": entry.nullable});
        (entry.path.to_string(), figures)
    });
    entries.collect()
}

/// Adds what all blocks say, from the beginning of the file to its end. Between the last block and `bound`, if it is
/// known, there are old indexes only.
pub fn of_blocks<R: Read>(
    reader: &mut Reader<R>,
    bound: Option<u64>,
    lists: bool,
    figures: &mut ContainerFigures,
) -> packord::Result<()> {
    let (mut body, mut dead, mut list) = (0, DeadIndexes::default(), Vec::new());
    (figures.rows, figures.messages, figures.blocks, figures.stored) = (0, 0, 0, 0);
    // The end of the last block, and the ranges up to there that were passed over.
    let (mut end, mut seen) = (reader.header().size(), 0);
    let gap = |from: u64, to: u64, passed: &[PassedRange], dead: &mut DeadIndexes| {
        let damaged: u64 = passed.iter().map(|it| it.range.end - it.range.start).sum();
        let between = to.saturating_sub(from).saturating_sub(damaged);
        dead.indexes += u64::from(between > 0);
        dead.bytes += between;
    };
    while let Some(block) = reader.next_stored()? {
        gap(end, block.offset(), &reader.passed()[seen..], &mut dead);
        (end, seen) = (block.offset() + block.size(), reader.passed().len());
        figures.blocks += 1;
        figures.stored += block.size();
        body += block.body_size();
        match block.kind() {
            BlockKind::Rows => figures.rows += block.count(),
            BlockKind::Messages => figures.messages += block.count(),
            _ => {}
        }
        if lists {
            list.push(of_block(&block));
        }
    }
    if let Some(bound) = bound {
        gap(end, bound, &reader.passed()[seen..], &mut dead);
    }
    let damage = reader.passed().iter().map(|passed| DamagedRange {
        from: passed.range.start,
        to: passed.range.end,
        error: describe(&passed.error),
    });
    figures.body = Some(body);
    figures.dead = Some(dead);
    figures.damage = Some(damage.collect());
    figures.block_list = lists.then_some(list);
    Ok(())
}

fn of_block(block: &StoredBlock) -> BlockFigures {
    BlockFigures {
        offset: block.offset(),
        stored: block.size(),
        body: block.body_size(),
        chunks: block.chunks().len(),
        kind: block.kind().name(),
        count: block.count(),
        codec: block.codec().map_or("unknown", Codec::name).to_owned(),
    }
}
