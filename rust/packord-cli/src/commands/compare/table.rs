//! The figures as tables for a terminal.

use crate::figures::compare::{CompareFigures, Quartiles};
use crate::figures::units::{bytes, duration};

/// Returns the tables of sizes and speeds, the notes and the verdict.
pub fn render(figures: &CompareFigures) -> String {
    let mut text = format!(
        "{}, {}\n\nSize, and its share of JSON in the same column\n",
        figures.document,
        bytes(figures.input_bytes)
    );
    text.push_str(&table(&sizes(figures)));
    if figures.speeds.is_empty() {
        text.push('\n');
    } else {
        text.push_str(&format!(
            "\nSpeed: median and middle half of {} rounds\n",
            figures.rounds
        ));
        text.push_str(&table(&speeds(figures)));
    }
    for note in &figures.notes {
        text.push_str(&format!("Note: {note}\n"));
    }
    text.push('\n');
    for sentence in &figures.verdict {
        text.push_str(sentence);
        text.push('\n');
    }
    text
}

/// A row of a table. A cell can have several lines.
type Row = Vec<String>;

fn sizes(figures: &CompareFigures) -> Vec<Row> {
    let header = ["format", "raw"]
        .into_iter()
        .map(str::to_owned)
        .chain(figures.compressors.iter().cloned());
    let mut rows = vec![header.collect()];
    for format in &figures.formats {
        let cell = |size, by| format!("{}\n{:.3}", bytes(size), figures.ratio(format, by));
        let compressed = format
            .compressed
            .iter()
            .enumerate()
            .map(|(index, &size)| cell(size, Some(index)));
        let row = [format.name.clone(), cell(format.raw, None)]
            .into_iter()
            .chain(compressed);
        rows.push(row.collect());
    }
    rows
}

fn speeds(figures: &CompareFigures) -> Vec<Row> {
    let header = ["library", "format", "encode", "", "decode", "", "into"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for speed in &figures.speeds {
        let [encode, encode_spread] = speed.encode.as_ref().map(cells).unwrap_or_default();
        let [decode, decode_spread] = cells(&speed.decode);
        rows.push(vec![
            speed.library.clone(),
            speed.format.clone(),
            encode,
            encode_spread,
            decode,
            decode_spread,
            speed.makes.clone(),
        ]);
    }
    rows
}

fn cells(times: &Quartiles) -> [String; 2] {
    [
        duration(times.median_ns),
        format!("{} … {}", duration(times.low_ns), duration(times.high_ns)),
    ]
}

/// Returns a table with a header. All columns but the first are aligned to the right.
fn table(rows: &[Row]) -> String {
    let lines: Vec<Vec<&str>> = (rows.iter())
        .flat_map(|row| {
            let height = row.iter().map(|cell| cell.lines().count()).max();
            (0..height.unwrap_or_default()).map(|at| {
                let line = row.iter().map(|cell| cell.lines().nth(at));
                line.map(Option::unwrap_or_default).collect()
            })
        })
        .collect();
    let mut widths = vec![0; lines.first().map_or(0, Vec::len)];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    let total = (widths.iter().map(|width| width + 3).sum::<usize>()).saturating_sub(1);
    let rule = |letter: &str| format!("{}\n", letter.repeat(total));
    let mut text = rule("─");
    for (index, line) in lines.iter().enumerate() {
        let mut shown = String::new();
        for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
            shown.push_str(&match column {
                0 => format!(" {cell:width$}  "),
                _ => format!(" {cell:>width$}  "),
            });
        }
        text.push_str(&format!("{}\n", shown.trim_end()));
        if index == 0 {
            text.push_str(&rule("═"));
        }
    }
    text + &rule("─")
}
