//! `packord validate` for container files: marks, checksums, bodies, counts, and the index.

use std::path::Path;

use packord::container::{BlockKind, FileIndex, IndexEntry, RowList, StoredBlock};
use packord::{Token, Walker};

use crate::cli;
use crate::container::{Blocks, BlocksOptions, Unpacking};
use crate::failure::{Failure, Outcome};
use crate::limits::FAULTS;
use crate::progress::Progress;
use crate::threads::Threads;
use crate::units::counted;

/// What is in a block.
struct CheckedBlock {
    offset: u64,
    size: u64,
    count: u64,
    kind: BlockKind,
    values: u64,
    depth: usize,
}

/// Checks all bytes of a file, and returns the summary. With `--all`, reports every damaged block.
pub fn check(
    command: &cli::Validate,
    blocks: Blocks,
    index: Option<&FileIndex>,
) -> Outcome<String> {
    let threads = Threads::start(command.reading.container.threads)?;
    let mut checking = Unpacking::new(blocks, &threads, checked);
    let mut found: Vec<(u64, u64, u64)> = Vec::new();
    let (mut rows, mut messages, mut values, mut bytes, mut depth) = (0, 0, 0, 0, 0);
    while let Some(block) = checking.next_result()? {
        match block.kind {
            BlockKind::Rows => rows += block.count,
            BlockKind::Messages => messages += block.count,
        }
        values += block.values;
        bytes += block.size;
        depth = depth.max(block.depth);
        found.push((block.offset, block.size, block.count));
    }
    let mut faults = checking.blocks().faults().to_vec();
    faults.sort_by_key(|(range, _)| range.start);
    if !faults.is_empty() {
        let mut lines: Vec<String> = faults
            .iter()
            .take(FAULTS)
            .map(|(range, fault)| {
                let len = counted(range.end.saturating_sub(range.start), "byte");
                let place = format!("from byte {} to byte {}", range.start, range.end);
                format!("{fault}\n  passed over: {len} {place}")
            })
            .collect();
        lines.push(counted(faults.len() as u64, "fault"));
        return Err(Failure::Invalid(lines.join("\n")));
    }
    if let Some(index) = index {
        let entry = |entry: &IndexEntry| (entry.offset(), entry.size(), entry.count());
        let entries: Vec<_> = index.entries().iter().map(entry).collect();
        if let Some(wrong) =
            (0..found.len().max(entries.len())).find(|&at| found.get(at) != entries.get(at))
        {
            return Err(Failure::Invalid(format!(
                "invalid_ext at byte {}: the index says something else of block {wrong} than the file has",
                index.offset()
            )));
        }
    }
    let count = match (rows, messages) {
        (rows, 0) => counted(rows, "row"),
        (0, messages) => counted(messages, "message"),
        (rows, messages) => format!(
            "{} and {}",
            counted(rows, "row"),
            counted(messages, "message")
        ),
    };
    Ok(format!(
        "valid: {count} in {}, {}, {}, depth {depth}",
        counted(found.len() as u64, "block"),
        counted(bytes, "byte"),
        counted(values, "value"),
    ))
}

fn checked(block: &StoredBlock, rows: RowList<'static>) -> CheckedBlock {
    let mut checked = CheckedBlock {
        offset: block.offset(),
        size: block.size(),
        count: block.count(),
        kind: block.kind(),
        values: 0,
        depth: 0,
    };
    for row in rows.iter() {
        let mut walker = Walker::new(row);
        while let Ok(Some(event)) = walker.next() {
            if !matches!(event.token, Token::End(_)) {
                checked.values += 1;
                let depth = event.depth + usize::from(event.token.opens());
                checked.depth = checked.depth.max(depth);
            }
        }
    }
    checked
}

/// Returns the index of a file, if it has one that can be used.
pub fn index_of(path: &Path, options: &BlocksOptions) -> Option<FileIndex> {
    let progress = Progress::bytes(false);
    let blocks = Blocks::open(path, options, &progress).ok()?;
    blocks.index().cloned()
}
