//! The figures as tables for a terminal.

use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{CellAlignment, Table, TableComponent};

use crate::figures::compare::{CompareFigures, Quartiles};
use crate::units::{bytes, duration};

/// Returns the tables of sizes and speeds, the notes and the verdict.
pub fn render(figures: &CompareFigures) -> String {
    let mut text = format!(
        "{}, {}\n\nSize, and its share of JSON in the same column\n",
        figures.document,
        bytes(figures.input_bytes)
    );
    text.push_str(&lines(&sizes(figures)));
    if figures.speeds.is_empty() {
        text.push('\n');
    } else {
        text.push_str(&format!(
            "\nSpeed: median and middle half of {} rounds\n",
            figures.rounds
        ));
        text.push_str(&lines(&speeds(figures)));
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

fn sizes(figures: &CompareFigures) -> Table {
    let header = ["format", "raw"]
        .into_iter()
        .map(str::to_owned)
        .chain(figures.compressors.iter().cloned());
    let mut table = table(header.collect());
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
        table.add_row(row.collect::<Vec<_>>());
    }
    table
}

fn speeds(figures: &CompareFigures) -> Table {
    let mut table = table(
        ["library", "format", "encode", "", "decode", "", "into"]
            .map(str::to_owned)
            .to_vec(),
    );
    for speed in &figures.speeds {
        let [encode, encode_spread] = speed.encode.as_ref().map(cells).unwrap_or_default();
        let [decode, decode_spread] = cells(&speed.decode);
        table.add_row(vec![
            speed.library.clone(),
            speed.format.clone(),
            encode,
            encode_spread,
            decode,
            decode_spread,
            speed.makes.clone(),
        ]);
    }
    table
}

fn cells(times: &Quartiles) -> [String; 2] {
    [
        duration(times.median_ns),
        format!("{} … {}", duration(times.low_ns), duration(times.high_ns)),
    ]
}

fn table(header: Vec<String>) -> Table {
    let mut table = Table::new();
    table.load_preset(UTF8_HORIZONTAL_ONLY).set_header(header);
    for between_rows in [
        TableComponent::HorizontalLines,
        TableComponent::MiddleIntersections,
    ] {
        table.remove_style(between_rows);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Returns the lines of a table without trailing spaces.
fn lines(table: &Table) -> String {
    table
        .lines()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect()
}
