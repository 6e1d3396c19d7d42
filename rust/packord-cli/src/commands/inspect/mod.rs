//! `packord inspect`: one line for each value, with its bytes.

mod body;

use std::fmt::{self, Write};
use std::path::Path;

use anstyle::Style;
use packord::columns::{self, ColumnKind, Columns, ColumnsView};
use packord::wire::marker;
use packord::{Event, Role, Token, Value, Walker};

use crate::cli;
use crate::failure::{Failure, Outcome, describe as describe_error};
use crate::limits::{self, CHUNK};
use crate::messages::{Checks, MessageFailure, Messages, Walk};
use crate::output::{Output, write_file};
use crate::path::{self, Trail};
use crate::progress::Progress;
use crate::registry;
use crate::report::bytes::{BytePage, ValueKind};
use crate::style::{self, Painted};
use crate::units::counted;
use body::{Body, BodyFinder};

/// Maximum bytes of a value that are shown.
const BYTES: usize = 8;
/// Maximum characters of a str that are shown.
const TEXT: usize = 60;

/// Shows all messages. Of invalid data, shows what is before the fault.
pub fn run(command: &cli::Inspect) -> Outcome {
    let mut output = Output::create(command.out.as_deref())?;
    let path = command.file.as_deref().unwrap_or(Path::new("-"));
    let progress = Progress::bytes(output.is_terminal());
    let (mut input, reading) = command
        .reading
        .with_columns()
        .with_blocks()
        .open(path, false, &progress)?;
    let is_live = input.is_live();
    input.before_read(output.flusher());
    let mut messages = Messages::new(input, &reading, Checks::default())?;
    let mut view = Inspector {
        page: (command.html.is_some()).then(|| BytePage::new(messages.name())),
        text: String::new(),
        colour: style::is_on(output.is_terminal()),
        depth: command.depth.unwrap_or(usize::MAX),
        range: match command.at {
            Some(at) => (at, at.saturating_add(1)),
            None => command.range.unwrap_or((0, u64::MAX)),
        },
        paths: command.at.is_some(),
        found: false,
        owner: reading.ext.map(cli::ExtFamily::owner),
        bodies: BodyFinder::default(),
    };
    let done = messages.for_each(|walk| {
        view.message(walk, &mut output)?;
        if is_live {
            output.put(view.text.as_bytes())?;
            view.text.clear();
        }
        Ok(())
    });
    output.put(view.text.as_bytes())?;
    if let (Some(path), Some(page)) = (&command.html, &mut view.page) {
        if let Err(MessageFailure::Data(error)) = &done {
            let description = describe_error(error);
            if let Some(offset) = error.offset().filter(|_| !page.is_full()) {
                let rest = messages.bytes_at(page.end().min(offset));
                page.fault(offset, description.clone(), rest);
            }
            page.note(description);
        } else if page.is_full() {
            let shown = limits::mebibytes(limits::PAGE as u64);
            let note = format!("{shown} shown; the next page: --range 0x{:x}..", page.end());
            style::warn(&note);
            page.note(note);
        }
        write_file(path, page.page().as_bytes())?;
    }
    if let Err(stop) = done {
        output.flush_now()?;
        return Err(Failure::from(stop));
    }
    output.commit()?;
    match command.at {
        Some(at) if !view.found => Err(Failure::No(format!(
            "no value at byte {at}: {} has {} bytes",
            messages.name(),
            messages.offset()
        ))),
        _ => Ok(()),
    }
}

struct Inspector {
    /// The page, with `--html`.
    page: Option<BytePage>,
    /// Lines that are not written yet.
    text: String,
    colour: bool,
    depth: usize,
    range: (u64, u64),
    /// Whether the path of each value is shown above it.
    paths: bool,
    /// Whether anything was shown.
    found: bool,
    /// Who wrote the ext values, with `--ext`.
    owner: Option<&'static str>,
    bodies: BodyFinder,
}

impl Inspector {
    fn message(&mut self, walk: &mut Walk, output: &mut Output) -> Result<(), MessageFailure> {
        if walk.offset() >= self.range.1 {
            return Ok(());
        }
        let message = walk.message();
        let mut number = Some(message).filter(|&number| number > 0);
        // The names of the fields of open records, the innermost last.
        let mut fields: Vec<Option<FieldNames>> = Vec::new();
        let mut trail = self.paths.then(|| Trail::new(walk.message()));
        let walked = walk.each_event(|event| {
            if let Some(trail) = &mut trail {
                trail.event(&event);
            }
            let body = self.bodies.event(&event);
            if let Token::End(_) = event.token {
                fields.pop();
                return Ok(());
            }
            let end = event.offset + event.bytes.len() as u64;
            let shown =
                event.depth < self.depth && end > self.range.0 && event.offset < self.range.1;
            let field = fields
                .last_mut()
                .and_then(Option::as_mut)
                .and_then(FieldNames::next);
            if shown {
                self.found = true;
                if let Some(trail) = &trail {
                    let _ = writeln!(self.text, "{}", self.paint(style::TEXT, trail.path()));
                }
                if let Some(number) = number.take().filter(|_| self.page.is_none() && !self.paths) {
                    let _ = writeln!(
                        self.text,
                        "{}",
                        self.paint(style::FAINT, format_args!("message {number}"))
                    );
                }
                if let Some(page) = &mut self.page {
                    if !page.is_full() {
                        if event.depth == 0 {
                            page.begin(message);
                        }
                        let _ = row(page, &event, field.as_deref(), self.owner);
                    }
                } else {
                    // Writing to a String does not fail.
                    let offset = format!("{:08x}", event.offset);
                    let _ = self.line(&offset, &event, field.as_deref());
                    let _ = self.columns(&event);
                    if let Some(body) = body.filter(|_| self.depth > 2 && !self.paths) {
                        self.body(body, event.depth + 1, output)?;
                    }
                }
            }
            match &event.token {
                Token::Record(head) => fields.push(Some(FieldNames {
                    structure: head.structure.clone(),
                    next: 0,
                })),
                token if token.opens() => fields.push(None),
                _ => {}
            }
            if self.text.len() >= CHUNK {
                output.put(self.text.as_bytes())?;
                self.text.clear();
            }
            Ok(())
        });
        walked.map(drop)
    }

    /// Adds the values of a body. Their offsets count from its beginning.
    fn body(
        &mut self,
        body: packord::Result<Body>,
        depth: usize,
        output: &mut Output,
    ) -> Result<(), MessageFailure> {
        let margin = " ".repeat(8 + 2 + 24 + 2 + 2 * depth);
        let body = match body {
            Ok(body) => body,
            Err(error) => {
                let text = format_args!("not unpacked: {}", describe_error(&error));
                let _ = writeln!(self.text, "{margin}{}", self.paint(style::SPECIAL, text));
                return Ok(());
            }
        };
        let text = format!("body  {}", length(body.bytes.len()));
        let _ = writeln!(self.text, "{margin}{}", self.paint(style::FAINT, text));
        let options = body.options();
        let mut walker = Walker::with_options(&body.bytes, &options);
        let mut show = || -> Result<(), MessageFailure> {
            let mut fields: Vec<Option<FieldNames>> = Vec::new();
            while walker.next_message()? {
                while let Some(mut event) = walker.next()? {
                    if let Token::End(_) = event.token {
                        fields.pop();
                        continue;
                    }
                    let field = fields.last_mut().and_then(Option::as_mut);
                    let field = field.and_then(FieldNames::next);
                    match &event.token {
                        Token::Record(head) => fields.push(Some(FieldNames {
                            structure: head.structure.clone(),
                            next: 0,
                        })),
                        token if token.opens() => fields.push(None),
                        _ => {}
                    }
                    if event.depth + depth < self.depth {
                        event.depth += depth;
                        let offset = format!("+{:07x}", event.offset);
                        // Writing to a String does not fail.
                        let _ = self.line(&offset, &event, field.as_deref());
                        let _ = self.columns(&event);
                    }
                    if self.text.len() >= CHUNK {
                        output.put(self.text.as_bytes())?;
                        self.text.clear();
                    }
                }
            }
            Ok(())
        };
        match show() {
            Err(MessageFailure::Data(error)) => {
                let text = format_args!("malformed: {}", describe_error(&error));
                let _ = writeln!(self.text, "{margin}{}", self.paint(style::SPECIAL, text));
                Ok(())
            }
            done => done,
        }
    }

    fn line(&mut self, offset: &str, event: &Event<'_>, field: Option<&str>) -> fmt::Result {
        let mut bytes = String::new();
        let fits = event.bytes.len() <= BYTES;
        for byte in &event.bytes[..if fits { event.bytes.len() } else { BYTES - 1 }] {
            write!(bytes, "{byte:02x} ")?;
        }
        if !fits {
            bytes.push('…');
        }
        let (format, value, value_style) =
            describe(event.marker().unwrap_or_default(), &event.token, self.owner)?;
        let indent = 2 * event.depth;
        let mut line = String::new();
        write!(line, "{}  ", self.paint(style::FAINT, offset))?;
        write!(
            line,
            "{}  {:indent$}",
            self.paint(style::BYTES, format_args!("{bytes:24}")),
            ""
        )?;
        if let Some(field) = field {
            write!(line, "{}: ", self.paint(style::TEXT, quoted(field)))?;
        }
        write!(line, "{}", self.paint(style::FORMAT, format))?;
        if !value.is_empty() {
            write!(line, "  {}", self.paint(value_style, value))?;
        }
        if event.role == Role::Key {
            line.push(':');
        }
        self.text.push_str(line.trim_end());
        self.text.push('\n');
        Ok(())
    }

    /// Adds a line for each column of an ext with columns: its path, and how it is stored.
    fn columns(&mut self, event: &Event<'_>) -> fmt::Result {
        let Some(view) = columns_of(&event.token) else {
            return Ok(());
        };
        let indent = 8 + 2 + 24 + 2 + 2 * (event.depth + 1);
        let mut shown = 0;
        for (index, column) in view.columns().enumerate() {
            let path = match column.path() {
                path if path.is_empty() => "the value".to_owned(),
                path => path,
            };
            // Those in a long key could take thousands of times the payload.
            shown += path.len();
            if shown > CHUNK {
                let left = counted((view.columns().len() - index) as u64, "more column");
                return writeln!(self.text, "{:indent$}{left}", "");
            }
            let path = cut(&path::printable(&path));
            let (kind, size) = (column.kind().name(), column.stored_size());
            let values = counted(column.len() as u64, "value");
            writeln!(
                self.text,
                "{:indent$}{}  {}  {}",
                "",
                self.paint(style::TEXT, path),
                self.paint(style::FORMAT, kind),
                self.paint(style::FAINT, format_args!("{values}, {}", length(size)))
            )?;
        }
        Ok(())
    }

    fn paint<T: fmt::Display>(&self, style: Style, text: T) -> Painted<T> {
        Painted(self.colour.then_some(style), text)
    }
}

/// Adds a value to the page.
fn row(
    page: &mut BytePage,
    event: &Event<'_>,
    field: Option<&str>,
    owner: Option<&str>,
) -> fmt::Result {
    let (format, mut value, _) = describe(event.marker().unwrap_or_default(), &event.token, owner)?;
    let kind = match &event.token {
        token if token.opens() => ValueKind::Container,
        Token::Str(_) => ValueKind::Text,
        Token::Int(_) | Token::F32(_) | Token::F64(_) => ValueKind::Number,
        Token::Nil | Token::Bool(_) => ValueKind::Plain,
        _ => ValueKind::Special,
    };
    if event.role == Role::Key {
        value.push(':');
    }
    if let Some(field) = field {
        value = format!("{}: {value}", quoted(field));
    }
    page.row(event.offset, event.bytes, event.depth, &format, value, kind);
    Ok(())
}

/// The keys of an open record.
struct FieldNames {
    structure: packord::Structure,
    next: usize,
}

impl FieldNames {
    fn next(&mut self) -> Option<String> {
        self.next += 1;
        self.structure.key(self.next - 1).map(str::to_owned)
    }
}

/// A format, a value, and the style of the value.
pub type Described = (String, String, Style);

/// Returns the name of the format, the value, and the style of the value.
pub fn describe(
    marker: u8,
    token: &Token<'_>,
    owner: Option<&str>,
) -> Result<Described, fmt::Error> {
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
        Token::BrokenStr(bytes) => (
            format,
            format!("{}, not UTF-8", length(bytes.len())),
            style::SPECIAL,
        ),
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
fn columns_of<'a>(token: &Token<'a>) -> Option<ColumnsView<'a>> {
    match token {
        Token::Ext(columns::EXT_TYPE, payload) => Columns::open(payload).ok()??.view().ok(),
        _ => None,
    }
}

/// Returns rows, columns, and what storing by column has saved.
fn table_size(view: &ColumnsView<'_>, payload: usize) -> String {
    let rows = view.columns().nth(1).map_or(1, |column| column.len());
    let has_columns = |kind| {
        matches!(
            kind,
            ColumnKind::List | ColumnKind::Tuple | ColumnKind::Struct | ColumnKind::Map
        )
    };
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
    match marker {
        0xd9..=0xdb => {
            let text = String::from_utf8_lossy(payload);
            let shown = text.chars().take(TEXT).collect();
            (format, shortened(shown, len), style::TEXT)
        }
        0xc7..=0xc9 => {
            let kind = head.last().copied().unwrap_or_default() as i8;
            (
                format,
                format!("type {kind}, {}", length(len)),
                style::SPECIAL,
            )
        }
        _ => (format, length(len), style::SPECIAL),
    }
}

fn plural(count: usize, one: &'static str, many: &'static str) -> &'static str {
    if count == 1 { one } else { many }
}

fn length(len: usize) -> String {
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

fn cut(text: &str) -> String {
    let mut letters = text.chars();
    let start: String = letters.by_ref().take(2 * TEXT).collect();
    if letters.next().is_some() {
        format!("{start}…")
    } else {
        start
    }
}
