//! `packord validate` for container files: marks, checksums, bodies, counts, and the index.

use std::sync::Arc;

use packord::container::{BlockKind, RowList, StoredBlock};
use packord::{Token, Walker};

use super::index::{CheckedIndex, FoundBlock};
use crate::cli;
use crate::container::{Blocks, Unpacking};
use crate::failure::{Failure, Outcome, describe};
use crate::figures::units::counted;
use crate::limits::FAULTS;
use crate::threads::Threads;

/// What is in a block.
struct CheckedBlock {
    found: FoundBlock,
    kind: BlockKind,
    values: u64,
    depth: usize,
    /// What the index says wrongly of its values.
    faults: Vec<String>,
}

/// Checks all bytes of a file, and returns the summary. With `--all`, reports every damaged block, and all that the index
/// says wrongly.
pub fn check(command: &cli::Validate, blocks: Blocks, index: Option<CheckedIndex>) -> Outcome<String> {
    let threads = Threads::start(command.reading.container.threads)?;
    let index = index.map(Arc::new);
    let known = index.clone();
    let mut checking = Unpacking::new(blocks, &threads, move |block, rows| {
        checked(block, &rows, known.as_deref())
    });
    let (mut found, mut said) = (Vec::new(), Vec::new());
    let (mut rows, mut messages, mut values, mut bytes, mut depth) = (0, 0, 0, 0, 0);
    while let Some(block) = checking.next_result()? {
        match block.kind {
            BlockKind::Rows => rows += block.found.count,
            BlockKind::Messages => messages += block.found.count,
            _ => {}
        }
        values += block.values;
        bytes += block.found.size;
        depth = depth.max(block.depth);
        found.push(block.found);
        if said.len() < FAULTS {
            said.extend(block.faults);
        }
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
        let mut faults = index.faults(&found);
        faults.extend(said);
        of_index(&index, faults, command.all)?;
    }
    let count = match (rows, messages) {
        (rows, 0) => counted(rows, "row"),
        (0, messages) => counted(messages, "message"),
        (rows, messages) => format!("{} and {}", counted(rows, "row"), counted(messages, "message")),
    };
    Ok(format!(
        "valid: {count} in {}, {}, {}, depth {depth}",
        counted(found.len() as u64, "block"),
        counted(bytes, "byte"),
        counted(values, "value"),
    ))
}

/// Fails with what the index says wrongly: the first fault, or all that are shown.
fn of_index(index: &CheckedIndex, faults: Vec<String>, all: bool) -> Outcome {
    let count = counted(faults.len() as u64, "fault");
    let shown = faults.into_iter().take(if all { FAULTS } else { 1 });
    let mut lines: Vec<_> = shown.map(|fault| describe(&index.error(&fault))).collect();
    if lines.is_empty() {
        return Ok(());
    }
    lines.extend(all.then_some(count));
    Err(Failure::Invalid(lines.join("\n")))
}

fn checked(block: &StoredBlock, rows: &RowList<'static>, index: Option<&CheckedIndex>) -> CheckedBlock {
    let mut checked = CheckedBlock {
        found: FoundBlock {
            offset: block.offset(),
            size: block.size(),
            count: block.count(),
        },
        kind: block.kind(),
        values: 0,
        depth: 0,
        faults: index.map_or(Vec::new(), |index| index.faults_in(block, rows)),
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
