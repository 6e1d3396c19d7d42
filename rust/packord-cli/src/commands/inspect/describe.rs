//! A value in words: the name of its format, and what it is.

use std::fmt;

use anstyle::Style;
use packord::columns::{self, ColumnKind, Columns, ColumnsView};
use packord::wire::{Kind, marker};
use packord::{Token, Value};

use crate::figures::units::counted;
use crate::terminal::style;
use crate::values::registry;

/// Maximum characters of a str that are shown.
const TEXT: usize = 60;

/// A format, a value, and the style of the value.
pub type Described = (String, String, Style);

/// Returns the name of the format, the value, and the style of the value.
pub fn describe(marker: u8, token: &Token<'_>, owner: Option<&str>) -> Result<Described, fmt::Error> {
    let format = marker::name(marker).to_owned();
    Ok(match token {
        Token::Int(number) => (format, number.to_string(), style::PLAIN),
        Token::F32(number) => {
            let text = Value::F32(*number).to_string();
            // The name of the format says it.
            let digits = text.trim_end_matches("_f32").to_owned();
            (format, digits, style::PLAIN)
        }
        Token::F64(number) => (format, Value::F64(*number).to_string(), style::PLAIN),
        Token::Str(text) => (format, quoted(text), style::TEXT),
        Token::BrokenStr(bytes) => (format, format!("{}, not UTF-8", length(bytes.len())), style::SPECIAL),
        Token::Bin(bytes) => (format, length(bytes.len()), style::SPECIAL),
        Token::Ext(kind, payload) if columns_of(token).is_some() => {
            let text = columns_of(token).map(|view| table_size(&view, payload.len()));
            let text = format!("type {kind} columns, {}", text.unwrap_or_default());
            (format, text, style::SPECIAL)
        }
        Token::Ext(kind, payload) => {
            let name = registry::label(*kind, payload, owner)
                .map(|name| format!(" {name}"))
                .unwrap_or_default();
            (
                format,
                format!("type {kind}{name}, {}", length(payload.len())),
                style::SPECIAL,
            )
        }
        Token::Timestamp(time) => (format, format!("timestamp {time}"), style::SPECIAL),
        Token::Array(count) => (
            format,
            format!("{count} {}", plural(*count, "element", "elements")),
            style::FAINT,
        ),
        Token::Map(count) => (
            format,
            format!("{count} {}", plural(*count, "entry", "entries")),
            style::FAINT,
        ),
        Token::Record(head) => {
            let mut id = format!("#{}", 64 + u32::from(head.index));
            if head.two_byte {
                id.insert(0, '#');
            }
            let count = head.structure.len();
            if !head.defined {
                return Ok((
                    format!("record {id}"),
                    format!("{count} {}", plural(count, "field", "fields")),
                    style::FAINT,
                ));
            }
            let keys: Vec<String> = head.structure.keys().map(quoted).collect();
            (
                format!("record {id} defined"),
                cut(&format!("[{}]", keys.join(", "))),
                style::SPECIAL,
            )
        }
        // The format says everything about nil and bools.
        _ => (format, String::new(), style::PLAIN),
    })
}

/// Returns the columns of an ext that has some.
pub fn columns_of<'a>(token: &Token<'a>) -> Option<ColumnsView<'a>> {
    match token {
        Token::Ext(columns::EXT_TYPE, payload) => Columns::open(payload).ok()??.view().ok(),
        _ => None,
    }
}

/// Returns rows, columns, and what storing by column has saved.
fn table_size(view: &ColumnsView<'_>, payload: usize) -> String {
    let rows = view.columns().nth(1).map_or(1, |column| column.len());
    let has_columns = |kind| matches!(kind, ColumnKind::List | ColumnKind::Struct | ColumnKind::Map);
    let leaves = view.columns().filter(|column| !has_columns(column.kind()));
    format!(
        "{}, {}, {} → {}",
        counted(rows as u64, "row"),
        counted(leaves.count() as u64, "column"),
        view.plain_size(),
        length(payload)
    )
}

/// Returns the same for a long str, bin or ext, given its first bytes: the header and more.
pub fn describe_long(start: &[u8], header: usize, len: usize) -> Described {
    let marker = start.first().copied().unwrap_or_default();
    let format = marker::name(marker).to_owned();
    let (head, payload) = start.split_at_checked(header).unwrap_or((start, &[]));
    match Kind::of(marker) {
        Kind::Str => {
            let text = String::from_utf8_lossy(payload);
            let shown = text.chars().take(TEXT).collect();
            (format, shortened(shown, len), style::TEXT)
        }
        Kind::Ext => {
            let kind = head.last().copied().unwrap_or_default() as i8;
            (format, format!("type {kind}, {}", length(len)), style::SPECIAL)
        }
        _ => (format, length(len), style::SPECIAL),
    }
}

fn plural(count: usize, one: &'static str, many: &'static str) -> &'static str {
    if count == 1 { one } else { many }
}

/// Returns a number of bytes with its unit.
pub fn length(len: usize) -> String {
    format!("{len} {}", plural(len, "byte", "bytes"))
}

/// Quotes a string on one line, and cuts a long one.
pub fn quoted(text: &str) -> String {
    let mut letters = text.chars();
    let start: String = letters.by_ref().take(TEXT).collect();
    match letters.next() {
        None => serde_json::Value::from(start).to_string(),
        Some(_) => shortened(start, text.len()),
    }
}

/// Quotes the start of a string of `len` bytes.
fn shortened(start: String, len: usize) -> String {
    format!("{}… {}", serde_json::Value::from(start), length(len))
}

/// Cuts a long string.
pub fn cut(text: &str) -> String {
    let mut letters = text.chars();
    let start: String = letters.by_ref().take(2 * TEXT).collect();
    if letters.next().is_some() {
        format!("{start}…")
    } else {
        start
    }
}
