//! What the header, the index and the blocks of a file say.

use std::io::Read;

use packord::container::{
    BlockKind, Codec, FileHeader, FileIndex, IndexEntry, PassedRange, Reader, Schema, StoredBlock,
};
use packord::{Structures, Value};
use serde_json::{Map, json};

use super::statistics::WholeStatistics;
use super::values::to_json;
use crate::failure::describe;
use crate::figures::container::{BlockFigures, ContainerFigures, DamagedRange, DeadIndexes};

/// What the header says.
pub fn of_header(header: &FileHeader, name: &str, bytes: u64) -> ContainerFigures {
    let key = header
        .key()
        .map(|key| key.iter().map(|path| path.as_str().to_owned()).collect());
    let meta = header.meta().map(|meta| to_json(&Value::Map(meta.clone())));
    ContainerFigures {
        name: name.to_owned(),
        bytes,
        stream: false,
        version: 1,
        sync: header
            .sync()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect(),
        codec: header.codec_name().to_owned(),
        key,
        meta: meta.unwrap_or_else(|| json!({})),
        structures: header.structures().map_or(0, Structures::len),
        dictionary: header.dictionary().len(),
        index: None,
        rows: 0,
        messages: 0,
        blocks: 0,
        raw: None,
        stored: 0,
        schema: None,
        statistics: Map::new(),
        dead: None,
        damage: None,
        block_list: None,
    }
}

/// Adds what the index says.
pub fn of_index(index: &FileIndex, figures: &mut ContainerFigures) {
    figures.index = Some(index.offset());
    figures.rows = index.count();
    figures.blocks = index.entries().len() as u64;
    figures.stored = index.entries().iter().map(IndexEntry::size).sum();
    figures.schema = index.schema().map(schema);
    let mut whole = WholeStatistics::default();
    for entry in index.entries() {
        whole.add(entry);
    }
    figures.statistics = whole.figures();
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
    let (mut raw, mut dead, mut list) = (0, DeadIndexes::default(), Vec::new());
    (
        figures.rows,
        figures.messages,
        figures.blocks,
        figures.stored,
    ) = (0, 0, 0, 0);
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
        raw += block.raw_size();
        match block.kind() {
            BlockKind::Rows => figures.rows += block.count(),
            BlockKind::Messages => figures.messages += block.count(),
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
    figures.raw = Some(raw);
    figures.dead = Some(dead);
    figures.damage = Some(damage.collect());
    figures.block_list = lists.then_some(list);
    Ok(())
}

fn of_block(block: &StoredBlock) -> BlockFigures {
    BlockFigures {
        offset: block.offset(),
        stored: block.size(),
        raw: block.raw_size(),
        kind: match block.kind() {
            BlockKind::Rows => "rows",
            BlockKind::Messages => "messages",
        },
        count: block.count(),
        codec: block.codec().map_or("unknown", Codec::name).to_owned(),
    }
}
