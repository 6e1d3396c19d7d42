//! The figures as lines.

use std::fmt::Write;

use crate::figures::container::ContainerFigures;
use crate::figures::units::{self, counted};
use crate::limits::FAULTS;
use crate::values::path;

/// Characters of a value that are shown.
const SHOWN: usize = 40;

/// Returns the lines.
pub fn render(figures: &ContainerFigures) -> String {
    let mut text = format!("{}: container file, {}\n", figures.name, units::bytes(figures.bytes));
    let mut line = |name: &str, value: &str| {
        // Writing to a String does not fail.
        let _ = writeln!(text, "  {name:8} {value}");
    };
    line("codec", &figures.codec);
    line("sync", &figures.sync);
    if let Some(paths) = &figures.stats {
        line("stats", &paths.join(", "));
    }
    if figures.meta.as_object().is_some_and(|meta| !meta.is_empty()) {
        line("meta", &figures.meta.to_string());
    }
    let blocks = counted(figures.blocks, "block");
    let count = match (figures.rows, figures.messages) {
        (rows, 0) => counted(rows, "row"),
        (0, messages) => counted(messages, "message"),
        (rows, messages) => format!("{}, {}", counted(rows, "row"), counted(messages, "message")),
    };
    line("content", &format!("{count} in {blocks}"));
    line("size", &size(figures));
    let index = match figures.index {
        Some(offset) => format!("at byte {offset}"),
        None if figures.stream => "not read: the input is compressed, or a pipe".to_owned(),
        None => "none: the file is read from the beginning".to_owned(),
    };
    line("index", &index);
    if let Some(dead) = figures.dead.filter(|dead| dead.indexes > 0) {
        let indexes = match dead.indexes {
            1 => "1 old index".to_owned(),
            count => format!("{count} old indexes"),
        };
        let size = units::bytes(dead.bytes);
        line(
            "unused",
            &format!("{indexes}, {size} (packord container compact leaves them out)"),
        );
    }
    if let Some(damage) = &figures.damage {
        if damage.is_empty() {
            line("damage", "none");
        }
        for range in damage.iter().take(FAULTS) {
            let len = counted(range.to.saturating_sub(range.from), "byte");
            let place = format!("{len} from byte {} to byte {}: {}", range.from, range.to, range.error);
            line("damage", &place);
        }
        if damage.len() > FAULTS {
            line("damage", &format!("{} in all", counted(damage.len() as u64, "range")));
        }
    }
    columns(figures, &mut text);
    blocks_of(figures, &mut text);
    text
}

fn size(figures: &ContainerFigures) -> String {
    let stored = units::bytes(figures.stored);
    match figures.body {
        Some(body) if body > 0 => {
            let share = figures.stored as f64 / body as f64 * 100.0;
            format!("{} of bodies, {stored} in the file ({share:.1} %)", units::bytes(body))
        }
        _ => format!("{stored} in the file"),
    }
}

/// Adds the paths with their types and statistics.
fn columns(figures: &ContainerFigures, text: &mut String) {
    let empty = serde_json::Map::new();
    let schema = figures.schema.as_ref().unwrap_or(&empty);
    let mut rows = vec![["path", "types", "nil", "least", "greatest"].map(str::to_owned)];
    let others = figures.statistics.keys().filter(|path| !schema.contains_key(*path));
    for path in schema.keys().chain(others) {
        let of = schema.get(path);
        let mut types: Vec<&str> = of
            .and_then(|of| of["types"].as_array())
            .into_iter()
            .flatten()
            .filter_map(|name| name.as_str())
            .collect();
        if of.is_some_and(|of| of["nullable"] == true) {
            types.push("nil");
        }
        let known = figures.statistics.get(path);
        let bound = |name: &str| match known.map(|known| &known[name]) {
            None | Some(serde_json::Value::Null) => String::new(),
            Some(value) => shortened(&value.to_string()),
        };
        let nulls = known.map(|known| known["nulls"].to_string());
        rows.push([
            shortened(&path::printable(path)),
            types.join(", "),
            nulls.unwrap_or_default(),
            bound("min"),
            bound("max"),
        ]);
    }
    if rows.len() > 1 {
        lines(&rows, text);
    }
}

/// Adds the blocks, if they are listed.
fn blocks_of(figures: &ContainerFigures, text: &mut String) {
    let Some(list) = &figures.block_list else {
        return;
    };
    let names = ["at byte", "in the file", "body", "chunks", "holds", "codec"];
    let mut rows = vec![names.map(str::to_owned)];
    rows.extend(list.iter().map(|block| {
        [
            block.offset.to_string(),
            block.stored.to_string(),
            block.body.to_string(),
            block.chunks.to_string(),
            format!("{} {}", block.count, block.kind),
            block.codec.clone(),
        ]
    }));
    lines(&rows, text);
}

/// Adds lines whose cells are below one another.
fn lines<const N: usize>(rows: &[[String; N]], text: &mut String) {
    text.push('\n');
    let width = |cell: usize| rows.iter().map(|row| row[cell].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    for row in rows {
        let mut line = String::from(" ");
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, " {cell:width$} ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

fn shortened(value: &str) -> String {
    match value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}
