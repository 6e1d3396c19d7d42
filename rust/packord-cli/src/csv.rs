//! CSV to values: one for each row.

use std::io::{Read, Take};

use csv::{ErrorKind, Reader, ReaderBuilder, StringRecord};
use packord::Value;

use crate::failure::{Failure, Outcome};

/// Longer rows are refused: a quote that is never closed would make the rest of the input one.
const MAX_ROW: u64 = 32 << 20;

/// How CSV is taken.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// What is between cells.
    pub delimiter: u8,
    /// The first row has no names: rows are arrays.
    pub headless: bool,
    /// Cells are texts, whatever they look like.
    pub texts: bool,
}

/// Reads the rows one after another.
pub struct Rows<R> {
    name: String,
    reader: Reader<Take<R>>,
    names: Vec<String>,
    row: StringRecord,
    style: Style,
}

impl<R: Read> Rows<R> {
    /// Reads the names in the first row, if there are any.
    ///
    /// # Errors
    ///
    /// What is wrong with the first row: the same name twice too.
    pub fn new(name: &str, source: R, style: Style) -> Outcome<Rows<R>> {
        let mut reader = ReaderBuilder::new()
            .delimiter(style.delimiter)
            .has_headers(!style.headless)
            .from_reader(source.take(MAX_ROW));
        let mut names = Vec::new();
        if !style.headless {
            let first = reader.headers().map_err(|error| failure(name, error))?;
            names.extend(first.iter().map(str::to_owned));
            check_length(&reader, name, 1)?;
            if let Some(first) = names.first_mut() {
                if let Some(rest) = first.strip_prefix('\u{feff}') {
                    *first = rest.to_owned();
                }
            }
            let mut sorted: Vec<&String> = names.iter().collect();
            sorted.sort();
            if let Some((twice, _)) = sorted
                .iter()
                .zip(sorted.iter().skip(1))
                .find(|(a, b)| a == b)
            {
                return Err(Failure::Invalid(format!(
                    "{name}: line 1: two columns have the name {twice:?}"
                )));
            }
        }
        Ok(Rows {
            name: name.to_owned(),
            reader,
            names,
            row: StringRecord::new(),
            style,
        })
    }

    /// The next row, or `None` at the end.
    ///
    /// # Errors
    ///
    /// What is wrong with the row, and on which line.
    pub fn next_row(&mut self) -> Outcome<Option<Value>> {
        self.reader.get_mut().set_limit(MAX_ROW);
        let line = self.reader.position().line();
        let more = self.reader.read_record(&mut self.row);
        check_length(&self.reader, &self.name, line)?;
        if !more.map_err(|error| failure(&self.name, error))? {
            return Ok(None);
        }
        let cells = self.row.iter().map(|cell| value(cell, self.style));
        Ok(Some(if self.style.headless {
            Value::Array(cells.collect::<Vec<_>>().into())
        } else {
            let keys = self.names.iter().map(|name| Value::from(name.as_str()));
            Value::Map(keys.zip(cells).collect::<Vec<_>>().into())
        }))
    }
}

/// An error when the row at this line, which has been read, did not end within the limit.
fn check_length<R: Read>(reader: &Reader<Take<R>>, name: &str, line: u64) -> Outcome {
    if reader.get_ref().limit() > 0 {
        return Ok(());
    }
    Err(Failure::Invalid(format!(
        "{name}: line {line}: a row of more than {} MB",
        MAX_ROW >> 20
    )))
}

/// A number if JSON would write it so, a boolean, nil for nothing, else the text.
fn value(cell: &str, style: Style) -> Value {
    match cell {
        _ if style.texts => Value::from(cell),
        "" => Value::Nil,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => number(cell).unwrap_or_else(|| Value::from(cell)),
    }
}

fn number(cell: &str) -> Option<Value> {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    let starts = digits.bytes().next()?;
    // `007` is a name, and so are `inf` and `.5`.
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
    // A longer integer would not come back.
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
        ErrorKind::Utf8 { err, .. } => Failure::Invalid(format!(
            "{name}: {line}column {} is not UTF-8",
            err.field() + 1
        )),
        ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => Failure::Invalid(format!(
            "{name}: {line}{len} cells where the first row has {expected_len}"
        )),
        _ => Failure::Invalid(format!("{name}: {line}invalid CSV")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_what_they_look_like() {
        let style = Style {
            delimiter: b',',
            headless: false,
            texts: false,
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
            assert_eq!(value(cell, style), expected, "{cell}");
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
            assert_eq!(value(text, style), Value::from(text));
        }
        let texts = Style {
            texts: true,
            ..style
        };
        assert_eq!(value("7", texts), Value::from("7"));
    }
}
