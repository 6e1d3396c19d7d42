//! The rows of any input that becomes a container file, in plain MessagePack.

use std::path::Path;

use crate::arrow::{TableFormat, TableReader};
use crate::cli::{CsvOptions, Reading, RowFormat, TextReading};
use crate::failure::{Failure, Outcome};
use crate::json::lines::JsonLines;
use crate::json::parse::JsonReadOptions;
use crate::json::read::JsonReader;
use crate::messages::{Checks, Messages, RowsOptions};
use crate::source::csv::CsvRows;
use crate::source::input::Input;
use crate::source::recognise;
use crate::terminal::progress::Progress;
use crate::threads::Threads;
use crate::values::packed::PackedValues;

/// Bytes of rows that are collected.
const BATCH: usize = 1 << 20;

/// How rows are read.
pub struct RowOptions {
    /// The format of the input.
    pub format: RowFormat,
    /// How CSV and JSON are read.
    pub text: TextReading,
    /// JSON: an array is one row.
    pub whole: bool,
    /// How MessagePack is read.
    pub reading: Reading,
}

/// Reads the rows of an input, and calls `take` with some at a time, and with whether the next ones may have to be
/// waited for.
///
/// # Errors
///
/// The input cannot be read or is not in its format, and what `take` reports.
pub fn read_rows(
    mut input: Input,
    path: &Path,
    options: &RowOptions,
    threads: &Threads,
    progress: &Progress,
    mut take: impl FnMut(&PackedValues, bool) -> Outcome,
) -> Outcome {
    let (format, csv) = match options.format {
        RowFormat::Auto => recognised(path, &mut input, options.text.csv)?,
        format => (format, options.text.csv),
    };
    let name = input.name.clone();
    match format {
        RowFormat::Auto | RowFormat::Json | RowFormat::Ndjson => {
            let style = JsonReadOptions {
                each: format != RowFormat::Ndjson && !options.whole,
                conventions: !options.text.plain,
                bigint: options.text.bigint,
            };
            if options.text.skip_bad {
                let is_live = input.is_live();
                let mut lines = JsonLines::new(input, style);
                while let Some(rows) = lines.next_values()? {
                    take(&rows, is_live)?;
                }
                return Ok(());
            }
            let mut pieces = JsonReader::new(input, style, threads);
            while let Some(rows) = pieces.next_values()? {
                take(&rows, pieces.may_wait())?;
            }
            Ok(())
        }
        RowFormat::Csv => {
            let is_live = input.is_live();
            let mut batch = Batch::new(&mut take, is_live);
            let mut rows = CsvRows::new(&name, input, csv)?.skip_bad(options.text.skip_bad);
            let mut add = || -> Outcome {
                while let Some(row) = rows.next_row()? {
                    let packed = batch.rows.pack(&row);
                    packed.map_err(|error| Failure::from(error).within(&name))?;
                    batch.pass_on(if is_live { 1 } else { BATCH })?;
                }
                Ok(())
            };
            let done = add();
            // The rows before a fault are kept.
            batch.pass_on(1)?;
            done
        }
        RowFormat::Arrow => tables(TableReader::open(input, TableFormat::Arrow)?, &name, take),
        RowFormat::Parquet => tables(TableReader::open(input, TableFormat::Parquet)?, &name, take),
        RowFormat::Msgpack => messages(input, options, progress, take),
    }
}

/// Returns the format of an input, and the character between the cells of CSV.
fn recognised(path: &Path, input: &mut Input, csv: CsvOptions) -> Outcome<(RowFormat, CsvOptions)> {
    let name = path.to_string_lossy().to_ascii_lowercase();
    let name = [".gz", ".zst", ".br"]
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(&name);
    match name.rsplit_once('.') {
        Some((_, "csv")) => return Ok((RowFormat::Csv, csv)),
        Some((_, "tsv")) => {
            let delimiter = b'\t';
            return Ok((RowFormat::Csv, CsvOptions { delimiter, ..csv }));
        }
        _ => {}
    }
    let start = input.peek()?;
    let format = if start.starts_with(b"PAR1") {
        RowFormat::Parquet
    } else if start.starts_with(b"ARROW1") || recognise::is_arrow_stream(&start) {
        RowFormat::Arrow
    } else if start.is_empty() || recognise::is_text(&start) || recognise::is_json(&start) {
        RowFormat::Json
    } else {
        RowFormat::Msgpack
    };
    Ok((format, csv))
}

fn tables(mut table: TableReader, name: &str, mut take: impl FnMut(&PackedValues, bool) -> Outcome) -> Outcome {
    while let Some(rows) = table.next_rows()? {
        let rows = PackedValues::of_array(rows);
        take(&rows.map_err(|error| Failure::from(error).within(name))?, false)?;
    }
    Ok(())
}

fn messages(
    input: Input,
    options: &RowOptions,
    progress: &Progress,
    mut take: impl FnMut(&PackedValues, bool) -> Outcome,
) -> Outcome {
    let (input, reading) = options.reading.rows_of(input, &RowsOptions::default(), progress)?;
    let name = input.name.clone();
    let is_live = input.is_live();
    let decoding = reading.options(Checks::default())?;
    let mut messages = Messages::new(input, &reading, Checks::default())?;
    let mut batch = Batch::new(&mut take, is_live);
    let done = messages.for_each(|walk| {
        let bytes = walk.hold_value()?.unwrap_or_default();
        if reading.has_records() {
            batch.rows.pack(&decoding.decode(bytes)?)?;
        } else {
            batch.rows.push(bytes);
        }
        batch.pass_on(if is_live { 1 } else { BATCH })?;
        Ok(())
    });
    let done = done.map_err(|stop| stop.within(&name));
    // The rows before a fault are kept.
    batch.pass_on(1)?;
    done
}

/// Rows that are collected.
struct Batch<'t, T> {
    rows: PackedValues,
    take: &'t mut T,
    /// Whether the rows after them may come late.
    is_live: bool,
}

impl<T: FnMut(&PackedValues, bool) -> Outcome> Batch<'_, T> {
    fn new(take: &mut T, is_live: bool) -> Batch<'_, T> {
        Batch {
            rows: PackedValues::default(),
            take,
            is_live,
        }
    }

    /// Passes the rows on if they have this number of bytes.
    fn pass_on(&mut self, size: usize) -> Outcome {
        if self.rows.size() < size {
            return Ok(());
        }
        (self.take)(&std::mem::take(&mut self.rows), self.is_live)
    }
}
