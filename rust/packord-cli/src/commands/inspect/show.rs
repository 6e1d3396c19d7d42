//! Values as lines, or as rows of a page; and those in the bodies of blocks.

use std::borrow::Cow;
use std::fmt::{self, Write};

use anstyle::Style;
use packord::{Event, Role, Token, Walker};

use super::body::{Body, BodyFinder};
use super::describe::{columns_of, cut, describe, length, quoted};
use super::explain::Explainer;
use crate::failure::describe as describe_error;
use crate::figures::units::counted;
use crate::limits::CHUNK;
use crate::messages::{MessageFailure, Walk};
use crate::output::Output;
use crate::report::bytes::{BytePage, ByteRow, ValueKind};
use crate::terminal::style::{self, Painted};
use crate::values::path::{self, Trail};

/// Maximum bytes of a value that are shown.
const BYTES: usize = 8;
/// Columns before a value without indentation.
const MARGIN: usize = 8 + 2 + 24 + 2;

/// What the offsets of values count.
#[derive(Clone, Copy)]
pub enum ValuePlace {
    File,
    /// The unpacked body of a block.
    Body,
}

/// The names of the fields of open records, the innermost last.
#[derive(Default)]
pub struct FieldStack(Vec<Option<FieldNames>>);

/// The keys of an open record.
struct FieldNames {
    structure: packord::Structure,
    next: usize,
}

impl FieldStack {
    /// Takes the next event. Returns the name of the field that its value has.
    pub fn event(&mut self, event: &Event<'_>) -> Option<String> {
        if let Token::End(_) = event.token {
            self.0.pop();
            return None;
        }
        let names = self.0.last_mut().and_then(Option::as_mut);
        let name = names.and_then(|names| {
            names.next += 1;
            names.structure.key(names.next - 1).map(str::to_owned)
        });
        match &event.token {
            Token::Record(head) => self.0.push(Some(FieldNames {
                structure: head.structure.clone(),
                next: 0,
            })),
            token if token.opens() => self.0.push(None),
            _ => {}
        }
        name
    }
}

/// Shows the values of an input.
pub struct Inspector {
    /// The page, with `--html`.
    pub page: Option<BytePage>,
    /// Lines that are not written yet.
    pub text: String,
    pub colour: bool,
    pub depth: usize,
    pub range: (u64, u64),
    /// Whether the path of each value is shown above it.
    pub paths: bool,
    /// Whether anything was shown.
    pub found: bool,
    /// Who wrote the ext values, with `--ext`.
    pub owner: Option<&'static str>,
    pub explainer: Explainer,
    pub bodies: BodyFinder,
    /// The number of blocks at fault, and what is wrong with the first.
    pub fault_count: u64,
    pub first_fault: String,
}

impl Inspector {
    /// Shows the values of a message.
    pub fn message(&mut self, walk: &mut Walk, output: &mut Output) -> Result<(), MessageFailure> {
        if walk.offset() >= self.range.1 {
            return Ok(());
        }
        let message = walk.message();
        let mut number = Some(message).filter(|&number| number > 0);
        let mut fields = FieldStack::default();
        let mut trail = self.paths.then(|| Trail::new(walk.message()));
        let walked = walk.each_event(|event| {
            if let Some(trail) = &mut trail {
                trail.event(&event);
            }
            let note = self.explainer.event(&event);
            let body = self.bodies.event(&event);
            if let Some(Err(error)) = &body {
                self.count_fault(describe_error(error));
            }
            let field = fields.event(&event);
            if let Token::End(_) = event.token {
                return Ok(());
            }
            let end = event.offset + event.bytes.len() as u64;
            let shown = event.depth < self.depth && end > self.range.0 && event.offset < self.range.1;
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
                if let Some(page) = self.page.as_mut().filter(|_| event.depth == 0) {
                    page.begin(message);
                }
                self.value(&event, ValuePlace::File, field.as_deref(), note);
                if let Some(body) = body.filter(|_| self.depth > 2 && !self.paths) {
                    self.body(body, event.depth + 1, output)?;
                }
            }
            if self.text.len() >= CHUNK {
                output.put(self.text.as_bytes())?;
                self.text.clear();
            }
            Ok(())
        });
        walked.map(drop)
    }

    /// Shows a value, and its columns.
    pub fn value(
        &mut self,
        event: &Event<'_>,
        place: ValuePlace,
        field: Option<&str>,
        note: Option<Cow<'static, str>>,
    ) {
        // Writing to a String does not fail.
        let _ = if self.page.is_some() {
            self.row(event, field, note)
        } else {
            let offset = match place {
                ValuePlace::File => format!("{:08x}", event.offset),
                ValuePlace::Body => format!("+{:07x}", event.offset),
            };
            self.line(&offset, event, field, note.as_deref())
        };
        self.columns(event);
    }

    /// Shows the values of a body. Their offsets count from its beginning.
    pub fn body(
        &mut self,
        body: packord::Result<Body>,
        depth: usize,
        output: &mut Output,
    ) -> Result<(), MessageFailure> {
        let body = match body {
            Ok(body) => body,
            Err(error) => {
                self.fault("not unpacked", &error, depth, &[]);
                return Ok(());
            }
        };
        let size = length(body.bytes.len());
        match &mut self.page {
            Some(page) => {
                page.open_body(format!("body of the block at byte {}, {size}", body.block));
            }
            None => self.aside(depth, style::FAINT, &format!("body  {size}")),
        }
        let shown = self.values_of(&body, depth, output);
        if let Err(MessageFailure::Data(error)) = &shown {
            let text = describe_error(error);
            let place = format!("body of the block at byte {}", body.block);
            self.count_fault(format!("{place}: {text}"));
            self.fault("malformed", error, depth, &body.bytes);
        }
        if let Some(page) = &mut self.page {
            page.close_body();
        }
        match shown {
            Err(MessageFailure::Data(_)) => Ok(()),
            shown => shown,
        }
    }

    fn values_of(&mut self, body: &Body, depth: usize, output: &mut Output) -> Result<(), MessageFailure> {
        let options = Body::options();
        let mut walker = Walker::with_options(&body.bytes, &options);
        let mut fields = FieldStack::default();
        while walker.next_message()? {
            while let Some(mut event) = walker.next()? {
                let field = fields.event(&event);
                if matches!(event.token, Token::End(_)) || event.depth + depth >= self.depth {
                    continue;
                }
                if self.page.as_ref().is_some_and(BytePage::is_full) {
                    self.leave_out(body, event.offset, depth);
                    return Ok(());
                }
                event.depth += depth;
                self.value(&event, ValuePlace::Body, field.as_deref(), None);
                if self.text.len() >= CHUNK {
                    output.put(self.text.as_bytes())?;
                    self.text.clear();
                }
            }
        }
        Ok(())
    }

    /// Says on the page which bytes of a body it does not have, and what shows them.
    fn leave_out(&mut self, body: &Body, offset: u64, depth: usize) {
        let Some(page) = &mut self.page else { return };
        page.close_body();
        let left = length(body.bytes.len() - offset as usize);
        let range = format!("{}..{}", body.block, body.block + 1);
        page.row(ByteRow {
            offset: page.end(),
            bytes: &[],
            depth,
            format: "…".to_owned(),
            value: format!("{left} more of the body: packord unpack --range {range} --to msgpack"),
            note: None,
            kind: ValueKind::Plain,
        });
    }

    fn count_fault(&mut self, text: String) {
        if self.fault_count == 0 {
            self.first_fault = text;
        }
        self.fault_count += 1;
    }

    /// Shows what is wrong with a body.
    fn fault(&mut self, what: &str, error: &packord::Error, depth: usize, body: &[u8]) {
        let text = format!("{what}: {}", describe_error(error));
        match &mut self.page {
            None => self.aside(depth, style::SPECIAL, &text),
            Some(page) => {
                let offset = error.offset().unwrap_or_default();
                let rest = body.get(page.body_end().min(offset) as usize..);
                page.fault(offset, depth, text, rest.unwrap_or_default());
            }
        }
    }

    /// Adds a line of its own, without a value.
    fn aside(&mut self, depth: usize, style: Style, text: &str) {
        let indent = MARGIN + 2 * depth;
        let _ = writeln!(self.text, "{:indent$}{}", "", self.paint(style, text));
    }

    fn line(&mut self, offset: &str, event: &Event<'_>, field: Option<&str>, note: Option<&str>) -> fmt::Result {
        let mut bytes = String::new();
        let fits = event.bytes.len() <= BYTES;
        for byte in &event.bytes[..if fits { event.bytes.len() } else { BYTES - 1 }] {
            write!(bytes, "{byte:02x} ")?;
        }
        if !fits {
            bytes.push('…');
        }
        let (format, value, value_style) = describe(event.marker().unwrap_or_default(), &event.token, self.owner)?;
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
        if let Some(note) = note {
            write!(line, "  {}", self.paint(style::FAINT, note))?;
        }
        self.text.push_str(line.trim_end());
        self.text.push('\n');
        Ok(())
    }

    fn row(&mut self, event: &Event<'_>, field: Option<&str>, note: Option<Cow<'static, str>>) -> fmt::Result {
        let (format, mut value, _) = describe(event.marker().unwrap_or_default(), &event.token, self.owner)?;
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
            let end = if value.is_empty() { "" } else { ": " };
            value = format!("{}{end}{value}", quoted(field));
        }
        if let Some(page) = &mut self.page {
            page.row(ByteRow {
                offset: event.offset,
                bytes: event.bytes,
                depth: event.depth,
                format,
                value,
                note,
                kind,
            });
        }
        Ok(())
    }

    /// Adds a line or row for each column of an ext with columns: its path, and how it is stored.
    fn columns(&mut self, event: &Event<'_>) {
        let Some(view) = columns_of(&event.token) else {
            return;
        };
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
                self.column(event, "…", &left, "");
                return;
            }
            let path = cut(&path::printable(&path));
            let values = counted(column.len() as u64, "value");
            let size = format!("{values}, {}", length(column.stored_size()));
            self.column(event, &path, column.kind().name(), &size);
        }
    }

    fn column(&mut self, event: &Event<'_>, path: &str, kind: &str, size: &str) {
        let depth = event.depth + 1;
        let Some(page) = &mut self.page else {
            let indent = MARGIN + 2 * depth;
            let (path, kind) = (self.paint(style::TEXT, path), self.paint(style::FORMAT, kind));
            let line = format!("{:indent$}{path}  {kind}  {}", "", self.paint(style::FAINT, size));
            self.text.push_str(line.trim_end());
            self.text.push('\n');
            return;
        };
        page.row(ByteRow {
            offset: event.offset + event.bytes.len() as u64,
            bytes: &[],
            depth,
            format: kind.to_owned(),
            value: path.to_owned(),
            note: Some(size.to_owned().into()),
            kind: ValueKind::Text,
        });
    }

    /// Returns something in a style, if there is colour.
    pub fn paint<T: fmt::Display>(&self, style: Style, text: T) -> Painted<T> {
        Painted(self.colour.then_some(style), text)
    }
}
