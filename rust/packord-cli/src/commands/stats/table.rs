//! The figures as tables with bars for a terminal.

use std::fmt::Write;

use crate::cli;
use crate::figures::columns::ColumnsFigures;
use crate::figures::stats::StatsFigures;
use crate::figures::units::{bytes, counted, plural};
use crate::terminal::style::{self, Painted};
use crate::values::path;

/// The width if the terminal reports none.
const WIDTH: usize = 100;
const MIN_WIDTH: usize = 50;
const BAR: usize = 20;

/// Returns the tables: purposes, paths, types and other encodings.
pub fn render(figures: &StatsFigures, command: &cli::Stats, colour: bool) -> String {
    let page = TableLayout {
        width: width(),
        colour,
        total: figures.bytes.max(1),
    };
    // Among colours, an output leaves escapes as they are.
    let name = style::visible(figures.name.as_bytes(), false);
    let mut text = format!(
        "{}: {}, {}, {}, depth {}\n\n",
        String::from_utf8_lossy(&name),
        bytes(figures.bytes),
        counted(figures.messages, "message"),
        counted(figures.values, "value"),
        figures.depth
    );
    text.push_str("Bytes by purpose\n");
    for (name, count) in [
        ("keys", figures.parts.keys),
        ("values", figures.parts.values),
        ("headers", figures.parts.headers),
    ] {
        page.line(&mut text, count, name, "");
    }
    text.push_str("\nBytes by path, content included\n");
    let shown = figures
        .paths
        .iter()
        .filter(|path| command.depth.is_none_or(|depth| path.depth <= depth));
    let mut left = 0;
    for (index, path) in shown.enumerate() {
        if index >= command.top {
            left += 1;
            continue;
        }
        let note = format!("{} × {}", path.count, path.types);
        page.line(&mut text, path.bytes, &path.path, &note);
    }
    if left > 0 {
        let _ = writeln!(
            text,
            "{left} more {} with fewer bytes (--top shows more)",
            plural(left, "path")
        );
    }
    for sentence in &figures.merged {
        let _ = writeln!(text, "{sentence}");
    }
    text.push_str("\nBytes by type, containers with their headers only\n");
    for one in &figures.types {
        page.line(&mut text, one.bytes, one.name, &format!("{} ×", one.count));
    }
    if let Some(columns) = &figures.columns {
        columns_table(&mut text, columns, command.top);
    }
    if !figures.rewritten.is_empty() {
        text.push_str("\nSize in other encodings, measured\n");
        let mut known = Vec::new();
        for way in &figures.rewritten {
            // An encoding that changes nothing more gets no line.
            if known.contains(&way.bytes) {
                continue;
            }
            known.push(way.bytes);
            page.change(&mut text, way.bytes, way.how);
        }
    }
    text.push('\n');
    for (count, what, rest) in [
        (
            figures.wide_values,
            ["value is", "values are"],
            format!("not in the smallest encoding: {}", bytes(figures.wide_bytes)),
        ),
        (
            figures.duplicate_keys,
            ["key occurs twice in its map", "keys occur twice in their map"],
            "(packord validate --duplicates finds the first)".to_owned(),
        ),
    ] {
        if count > 0 {
            let _ = writeln!(text, "{count} {} {rest}", what[usize::from(count > 1)]);
        }
    }
    for note in &figures.notes {
        let _ = writeln!(text, "Note: {note}");
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// Adds the columns of values that are stored by column, the largest first.
fn columns_table(text: &mut String, columns: &ColumnsFigures, top: usize) {
    let verb = if columns.values == 1 { "is" } else { "are" };
    let _ = writeln!(
        text,
        "\n{} {verb} stored by column: {} for {} plainly",
        counted(columns.values, "value"),
        bytes(columns.bytes),
        bytes(columns.plain_bytes)
    );
    let mut sorted: Vec<_> = columns.columns.iter().collect();
    sorted.sort_by_key(|(_, column)| std::cmp::Reverse(column.bytes));
    for (path, column) in sorted.iter().take(top) {
        let path = if path.is_empty() { "the value" } else { path };
        let _ = writeln!(
            text,
            "{:>12}  {}  {} × {}",
            bytes(column.bytes),
            path::cut(&path::printable(path)),
            column.count,
            column.kinds.join(", ")
        );
    }
}

struct TableLayout {
    width: usize,
    colour: bool,
    total: u64,
}

impl TableLayout {
    /// Adds `12.3 kB  45.6 %  ████████  name  note`, cut at the width.
    fn line(&self, text: &mut String, count: u64, name: &str, note: &str) {
        let share = count as f64 / self.total as f64;
        let head = format!("{:>10} {:>6.1} %  ", bytes(count), share * 100.0);
        let bar = bar(share);
        let room = self.width.saturating_sub(head.chars().count() + BAR + 2);
        let _ = write!(text, "{head}{}  ", self.paint(style::BYTES, format!("{bar:BAR$}")));
        let name = cut(name, room);
        let used = name.chars().count();
        let _ = write!(text, "{name}");
        // The note is shown completely or not at all.
        if !note.is_empty() && used + 2 + note.chars().count() <= room {
            let _ = write!(text, "  {}", self.paint(style::FAINT, note));
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }

    /// Adds `12.3 kB  -45.6 %  how`.
    fn change(&self, text: &mut String, count: u64, how: &str) {
        let change = (count as f64 / self.total as f64 - 1.0) * 100.0;
        let _ = writeln!(text, "{:>10} {change:>+6.1} %  {how}", bytes(count));
    }

    fn paint<T: std::fmt::Display>(&self, style: anstyle::Style, text: T) -> Painted<T> {
        Painted(self.colour.then_some(style), text)
    }
}

/// Returns a bar of block characters, in eighths.
fn bar(share: f64) -> String {
    let eighths = (share.clamp(0.0, 1.0) * (8 * BAR) as f64).round() as usize;
    let mut bar = "█".repeat(eighths / 8);
    if let Some(part) = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"].get(eighths % 8) {
        bar.push_str(part);
    }
    bar
}

/// Keeps the beginning and the end of a string that is too long.
fn cut(text: &str, room: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= room {
        return text.to_owned();
    }
    let room = room.saturating_sub(1);
    let (start, end) = (room / 2, letters.len() - (room - room / 2));
    let (start, end): (String, String) = (letters[..start].iter().collect(), letters[end..].iter().collect());
    format!("{start}…{end}")
}

/// Returns the width of `COLUMNS`, or of the terminal.
fn width() -> usize {
    std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok())
        .or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)))
        .unwrap_or(WIDTH)
        .max(MIN_WIDTH)
}
