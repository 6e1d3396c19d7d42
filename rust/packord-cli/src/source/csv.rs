//! Reads CSV, one value per row.

use std::io::{Read, Take};

use csv::{ErrorKind, Reader, ReaderBuilder, StringRecord};
use packord::Value;

use crate::cli::CsvOptions;
use crate::failure::{Failure, Outcome};
use crate::limits::{self, CSV_ROW};
use crate::terminal::style;

/// Rows and lines that cannot be read, where these are left out.
#[derive(Default)]
pub struct LeftOut {
    count: u64,
    /// Why the first one was.
    first: String,
}

impl LeftOut {
    /// Counts one.
    pub fn add(&mut self, fault: &Failure) {
        self.count += 1;
        if self.count == 1 {
            self.first = fault.to_string();
        }
    }

    /// Says at the end how many there are.
    pub fn report(&self) {
        match self.count {
            0 => {}
            1 => style::warn(&format!("1 line was left out: {}", self.first)),
            count => style::warn(&format!("{count} lines were left out, the first: {}", self.first)),
        }
    }
}

/// Reads the rows one after another.
pub struct CsvRows<R> {
    name: String,
    reader: Reader<Take<R>>,
    names: Vec<String>,
    row: StringRecord,
    options: CsvOptions,
    left_out: Option<LeftOut>,
}

impl<R: Read> CsvRows<R> {
    /// Creates a reader. Reads the names in the first row, unless there are none.
    ///
    /// # Errors
    ///
    /// What is wrong with the first row. A duplicate name is an error.
    pub fn new(name: &str, source: R, options: CsvOptions) -> Outcome<CsvRows<R>> {
        let mut reader = ReaderBuilder::new()
            .delimiter(options.delimiter)
            .has_headers(!options.no_header)
            .from_reader(source.take(CSV_ROW));
        let mut names = Vec::new();
        if !options.no_header {
            let first = reader.headers().map_err(|error| failure(name, error))?;
            names.extend(first.iter().map(str::to_owned));
            check_length(&reader, name, 1)?;
            if let Some(first) = names.first_mut()
                && let Some(rest) = first.strip_prefix('\u{feff}')
            {
                *first = rest.to_owned();
            }
            let mut sorted: Vec<&String> = names.iter().collect();
            sorted.sort();
            if let Some((twice, _)) = sorted.iter().zip(sorted.iter().skip(1)).find(|(a, b)| a == b) {
                return Err(Failure::Invalid(format!(
                    "{name}: line 1: two columns are named {twice:?}"
                )));
            }
        }
        Ok(CsvRows {
            name: name.to_owned(),
            reader,
            names,
            row: StringRecord::new(),
            options,
            left_out: None,
        })
    }

    /// Leaves out rows that cannot be read, and says at the end how many.
    #[must_use]
    pub fn skip_bad(mut self, is_on: bool) -> CsvRows<R> {
        self.left_out = is_on.then(LeftOut::default);
        self
    }

    /// Returns the next row, or `None` at the end.
    ///
    /// # Errors
    ///
    /// What is wrong with the row, and on which line.
    pub fn next_row(&mut self) -> Outcome<Option<Value>> {
        loop {
            self.reader.get_mut().set_limit(CSV_ROW);
            let line = self.reader.position().line();
            let more = self.reader.read_record(&mut self.row);
            check_length(&self.reader, &self.name, line)?;
            match (more, &mut self.left_out) {
                (Ok(true), _) => break,
                (Ok(false), left_out) => {
                    left_out.iter().for_each(LeftOut::report);
                    return Ok(None);
                }
                (Err(error), Some(left_out)) if !error.is_io_error() => {
                    left_out.add(&failure(&self.name, error));
                }
                (Err(error), _) => return Err(failure(&self.name, error)),
            }
        }
        let cells = self.row.iter().map(|cell| value(cell, self.options));
        Ok(Some(if self.options.no_header {
            Value::Array(cells.collect::<Vec<_>>().into())
        } else {
            let keys = self.names.iter().map(|name| Value::from(name.as_str()));
            Value::Map(keys.zip(cells).collect::<Vec<_>>().into())
        }))
    }
}

/// Fails if the row at this line, which has been read, did not end within the limit.
fn check_length<R: Read>(reader: &Reader<Take<R>>, name: &str, line: u64) -> Outcome {
    if reader.get_ref().limit() > 0 {
        return Ok(());
    }
    Err(Failure::Invalid(format!(
        "{name}: line {line}: row exceeds {}",
        limits::mebibytes(CSV_ROW)
    )))
}

/// Converts a cell: a number in the syntax of JSON, a bool, nil if empty, or else a str.
fn value(cell: &str, options: CsvOptions) -> Value {
    match cell {
        _ if options.cells_as_text => Value::from(cell),
        "" => Value::Nil,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => number(cell).unwrap_or_else(|| Value::from(cell)),
    }
}

fn number(cell: &str) -> Option<Value> {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    let starts = digits.bytes().next()?;
    // `007`, `inf` and `.5` are strings.
    let padded = starts == b'0' && digits.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    if !starts.is_ascii_digit() || padded || digits.ends_with('.') {
        return None;
    }
    if let Ok(number) = cell.parse::<i64>() {
        return (cell != "-0").then(|| Value::from(number));
    }
    if let Ok(number) = cell.parse::<u64>() {
        return Some(Value::from(number));
    }
    // A float would not hold a longer integer exactly.
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: f64 = cell.parse().ok()?;
    number.is_finite().then_some(Value::F64(number))
}

fn failure(name: &str, error: csv::Error) -> Failure {
    let line = error
        .position()
        .map(|place| format!("line {}: ", place.line()))
        .unwrap_or_default();
    match error.into_kind() {
        ErrorKind::Io(error) => Failure::input(name, &error),
        ErrorKind::Utf8 { err, .. } => {
            Failure::Invalid(format!("{name}: {line}column {} is not UTF-8", err.field() + 1))
        }
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            Failure::Invalid(format!("{name}: {line}expected {expected_len} cells, found {len}"))
        }
        _ => Failure::Invalid(format!("{name}: {line}invalid CSV")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_in_the_syntax_of_json_numbers_become_numbers() {
        let options = CsvOptions {
            delimiter: b',',
            no_header: false,
            cells_as_text: false,
        };
        for (cell, expected) in [
            ("", Value::Nil),
            ("true", Value::Bool(true)),
            ("7", Value::from(7_i64)),
            ("-7", Value::from(-7_i64)),
            ("18446744073709551615", Value::from(u64::MAX)),
            ("1.50", Value::F64(1.5)),
            ("1e3", Value::F64(1000.0)),
            ("0.5", Value::F64(0.5)),
        ] {
            assert_eq!(value(cell, options), expected, "{cell}");
        }
        for text in [
            "007",
            "inf",
            "nan",
            ".5",
            "5.",
            "-",
            "+1",
            "1e999",
            "-0",
            "True",
            " 1",
            "0x10",
            "18446744073709551616",
            "2024-01-02",
        ] {
            assert_eq!(value(text, options), Value::from(text));
        }
        let strings = CsvOptions {
            cells_as_text: true,
            ..options
        };
        assert_eq!(value("7", strings), Value::from("7"));
    }
}
