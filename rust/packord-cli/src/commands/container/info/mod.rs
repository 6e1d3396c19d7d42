//! `packord container info`: what is in a file.

mod statistics;
mod stream;
mod table;
mod values;

use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};
use std::path::Path;

use packord::container::{
    BlockKind, FileHeader, FileIndex, OnBadBlock, ReadOptions, Reader, Schema, StoredBlock,
};
use packord::{Structures, Value};
use serde_json::{Map, json};

use crate::cli;
use crate::container::header_failure;
use crate::failure::{Failure, Outcome, describe, name_of};
use crate::figures::container::{BlockFigures, ContainerFigures, DamagedRange, DeadIndexes};
use crate::input::Input;
use crate::output::Output;
use crate::progress::Progress;
use crate::style;
use statistics::WholeStatistics;
use values::to_json;

/// Shows all files.
pub fn run(command: &cli::ContainerInfo) -> Outcome {
    let mut output = Output::create(None)?;
    let progress = Progress::bytes(output.is_terminal());
    let mut is_damaged = false;
    for (number, path) in command.files.iter().enumerate() {
        let figures = figures(path, command, &progress)?;
        is_damaged |= figures
            .damage
            .as_ref()
            .is_some_and(|damage| !damage.is_empty());
        let text = if command.json {
            let text = serde_json::to_string(&figures);
            text.map_err(|error| Failure::Invalid(error.to_string()))? + "\n"
        } else {
            let separator = if number > 0 { "\n" } else { "" };
            format!("{separator}{}", table::render(&figures))
        };
        output.put(text.as_bytes())?;
    }
    output.commit()?;
    if is_damaged {
        return Err(Failure::AlreadyReported(3));
    }
    Ok(())
}

fn figures(
    path: &Path,
    command: &cli::ContainerInfo,
    progress: &Progress,
) -> Outcome<ContainerFigures> {
    let input = Input::open(path, false, progress)?;
    let options = ReadOptions::new()
        .max_block(command.max_block)
        .on_bad_block(OnBadBlock::Skip);
    if input.plain_file().is_none() {
        return stream::figures(input, command, &options);
    }
    let name = name_of(path);
    let failure = |error: packord::Error| header_failure(&name, &error);
    let open = || {
        let file = File::open(path)?;
        let size = (&file).seek(SeekFrom::End(0))?;
        (&file).seek(SeekFrom::Start(0))?;
        Ok((file, size))
    };
    let open = || open().map_err(|error| Failure::input(&name, &error));
    let (file, size) = open()?;
    let indexed = Reader::seekable(file, &options).map_err(failure)?;
    let mut figures = of_header(indexed.header(), &name, size);
    if let Some(index) = indexed.index() {
        of_index(index, &mut figures);
    }
    if command.quick {
        if indexed.index().is_none() {
            style::warn(&format!(
                "{name} has no index: without --quick its blocks are read"
            ));
        }
        return Ok(figures);
    }
    let (file, _) = open()?;
    let source = BufReader::with_capacity(1 << 20, progress.count(file));
    let mut reader = Reader::with_options(source, &options).map_err(failure)?;
    let bound = indexed.index().map_or(size, FileIndex::offset);
    of_blocks(&mut reader, Some(bound), command.blocks, &mut figures).map_err(failure)?;
    Ok(figures)
}

fn of_header(header: &FileHeader, name: &str, bytes: u64) -> ContainerFigures {
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
fn of_index(index: &FileIndex, figures: &mut ContainerFigures) {
    figures.index = Some(index.offset());
    figures.rows = index.count();
    figures.blocks = index.entries().len() as u64;
    figures.stored = index
        .entries()
        .iter()
        .map(packord::container::IndexEntry::size)
        .sum();
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
fn of_blocks<R: std::io::Read>(
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
    let gap =
        |from: u64, to: u64, passed: &[packord::container::PassedRange], dead: &mut DeadIndexes| {
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
        codec: block
            .codec()
            .map_or("unknown", packord::container::Codec::name)
            .to_owned(),
    }
}
