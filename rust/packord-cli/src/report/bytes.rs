//! The page of `inspect --html`: the values as a tree that folds, beside their bytes.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{PreEscaped, html};

use super::page_of;
use serde::Serialize;

use crate::figures::units::counted;
use crate::limits;

/// What the page shows.
#[derive(Serialize)]
pub struct BytePage {
    #[serde(skip)]
    name: String,
    /// The bytes, in the order in which they are shown.
    parts: Vec<BytePart>,
    /// The names of the formats in the data.
    formats: Vec<String>,
    rows: RowColumns,
    /// What values are for, by row.
    notes: BTreeMap<usize, Cow<'static, str>>,
    /// The number of the first message that begins on the page.
    first: u64,
    #[serde(skip)]
    note: Option<String>,
    /// The part with bytes of the file that ends last.
    #[serde(skip)]
    file: Option<usize>,
    /// The body whose rows are added.
    #[serde(skip)]
    body: Option<OpenBody>,
    /// The bytes of all parts.
    #[serde(skip)]
    size: usize,
    #[serde(skip)]
    faults: usize,
    /// Whether a row did not fit.
    #[serde(skip)]
    is_cut: bool,
}

/// Bytes that follow one another in the file or in a body.
#[derive(Serialize)]
struct BytePart {
    /// The offset of the first byte.
    base: u64,
    /// What the bytes are, above them. That of a file is empty.
    title: String,
    #[serde(serialize_with = "base64")]
    bytes: Vec<u8>,
    /// The bytes that it stands for, with those that are left out at its end.
    #[serde(skip)]
    len: u64,
}

struct OpenBody {
    title: String,
    /// The part with its last bytes.
    part: Option<usize>,
    /// The bytes of its parts.
    size: usize,
}

/// The rows by column: one row for each value, in the order of the bytes.
#[derive(Default, Serialize)]
struct RowColumns {
    /// The part with the bytes of each.
    parts: Vec<usize>,
    /// Where they begin in it.
    starts: Vec<usize>,
    lens: Vec<usize>,
    depths: Vec<usize>,
    formats: Vec<usize>,
    values: Vec<String>,
    kinds: Vec<ValueKind>,
}

/// What the colours of the page mean.
const LEGEND: [(&str, &str); 7] = [
    ("format", "format"),
    ("str", "k2"),
    ("number", "k3"),
    ("bin, ext", "k4"),
    ("own bytes", "own"),
    ("bytes of the content", "inner"),
    ("first byte of a message", "first"),
];

/// The style of a value.
#[derive(Clone, Copy, Serialize)]
#[serde(into = "u8")]
pub enum ValueKind {
    /// nil or a bool.
    Plain = 0,
    /// A container, which folds.
    Container = 1,
    /// A str.
    Text = 2,
    /// A number.
    Number = 3,
    /// Bin, ext values, timestamps.
    Special = 4,
    /// No value: what cannot be read.
    Fault = 5,
}

/// A value on the page, with its own bytes.
pub struct ByteRow<'a> {
    /// The offset of its first byte in the file, or in the open body.
    pub offset: u64,
    /// Its own bytes: of a container its header only.
    pub bytes: &'a [u8],
    /// The containers around it.
    pub depth: usize,
    /// The name of its format.
    pub format: String,
    /// The value.
    pub value: String,
    /// What it is for.
    pub note: Option<Cow<'static, str>>,
    /// Its style.
    pub kind: ValueKind,
}

impl From<ValueKind> for u8 {
    fn from(kind: ValueKind) -> u8 {
        kind as u8
    }
}

impl BytePage {
    /// Creates a page without rows.
    #[must_use]
    pub fn new(name: &str) -> BytePage {
        BytePage {
            name: name.to_owned(),
            parts: Vec::new(),
            formats: Vec::new(),
            rows: RowColumns::default(),
            notes: BTreeMap::new(),
            first: 0,
            note: None,
            file: None,
            body: None,
            size: 0,
            faults: 0,
            is_cut: false,
        }
    }

    /// Adds a value. Returns whether there was room for it.
    pub fn row(&mut self, row: ByteRow<'_>) -> bool {
        if self.is_full() {
            self.is_cut |= self.body.is_none();
            return false;
        }
        let (part, start, len) = self.put(row.offset, row.bytes);
        let known = self.formats.iter().position(|known| *known == row.format);
        let format = known.unwrap_or_else(|| {
            self.formats.push(row.format);
            self.formats.len() - 1
        });
        if let Some(note) = row.note {
            self.notes.insert(self.rows.starts.len(), note);
        }
        if let ValueKind::Fault = row.kind {
            self.faults += 1;
        }
        self.rows.parts.push(part);
        self.rows.starts.push(start);
        self.rows.lens.push(len);
        self.rows.depths.push(row.depth);
        self.rows.formats.push(format);
        self.rows.values.push(row.value);
        self.rows.kinds.push(row.kind);
        true
    }

    /// Adds bytes, if they are not there yet. Returns their part, their start in it, and how many are shown.
    fn put(&mut self, offset: u64, bytes: &[u8]) -> (usize, usize, usize) {
        let at = self.part_for(offset, bytes.is_empty());
        let part = &mut self.parts[at];
        let known = part.bytes.len();
        let mut shown = &bytes[..bytes.len().min(limits::PAGE_VALUE)];
        let start = offset.saturating_sub(part.base) as usize;
        if part.len == known as u64 && !bytes.is_empty() {
            // Bytes that are not shown between two values keep their place.
            part.bytes.resize(start.max(known), 0);
            let others = shown.get(part.bytes.len() - start..);
            part.bytes.extend_from_slice(others.unwrap_or_default());
            part.len = part.len.max(start as u64 + bytes.len() as u64);
        }
        let start = start.min(part.bytes.len());
        shown = &shown[..shown.len().min(part.bytes.len() - start)];
        let added = part.bytes.len() - known;
        self.size += added;
        match &mut self.body {
            Some(body) => {
                body.part = Some(at);
                body.size += added;
            }
            None => self.file = Some(at),
        }
        (at, start, shown.len())
    }

    /// Returns the part for bytes at an offset: a new one after a value of which some are left out, and after many
    /// bytes that are not shown.
    fn part_for(&mut self, offset: u64, is_empty: bool) -> usize {
        let (current, title) = match &self.body {
            Some(body) => (body.part, body.title.as_str()),
            None => (self.file, ""),
        };
        let open = current.filter(|at| {
            self.parts.get(*at).is_some_and(|part| {
                let is_whole = part.len == part.bytes.len() as u64;
                let after = offset.saturating_sub(part.base + part.len);
                is_empty || offset < part.base + part.len || is_whole && after <= limits::PAGE_VALUE as u64
            })
        });
        open.unwrap_or_else(|| {
            self.parts.push(BytePart {
                base: offset,
                title: title.to_owned(),
                bytes: Vec::new(),
                len: 0,
            });
            self.parts.len() - 1
        })
    }

    /// Begins with the values of an unpacked body. Their offsets count from its start.
    pub fn open_body(&mut self, title: String) {
        self.body = Some(OpenBody {
            title,
            part: None,
            size: 0,
        });
    }

    /// Ends the body.
    pub fn close_body(&mut self) {
        self.body = None;
    }

    /// Returns whether the page, or the place of a body in it, is full.
    #[must_use]
    pub fn is_full(&self) -> bool {
        let is_full = |body: &OpenBody| body.size >= limits::PAGE_BODY;
        self.size >= limits::PAGE || self.body.as_ref().is_some_and(is_full)
    }

    /// Returns whether there was no room for a value.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Returns the offset of the first byte after those of the page.
    #[must_use]
    pub fn end(&self) -> u64 {
        let part = self.file.and_then(|at| self.parts.get(at));
        part.map_or(0, |part| part.base + part.len)
    }

    /// Returns the offset of the first byte of the open body after those of the page.
    #[must_use]
    pub fn body_end(&self) -> u64 {
        let part = self.body.as_ref().and_then(|body| body.part);
        let part = part.and_then(|at| self.parts.get(at));
        part.map_or(0, |part| part.base + part.len)
    }

    /// Says which message begins next, before its row is added.
    pub fn begin(&mut self, message: u64) {
        if !self.rows.depths.contains(&0) {
            self.first = message;
        }
    }

    /// Adds what cannot be read as a row. `rest` are the bytes from the end of the file's part, or of the body's, on.
    pub fn fault(&mut self, offset: u64, depth: usize, description: String, rest: &[u8]) {
        const SHOWN: usize = 16;
        let current = match &self.body {
            Some(body) => body.part,
            None => self.file,
        };
        let part = current.and_then(|at| self.parts.get_mut(at));
        let mut rest = rest;
        if let Some(part) = part.filter(|part| part.len == part.bytes.len() as u64) {
            let before = offset.saturating_sub(part.base + part.len) as usize;
            let (skipped, others) = rest.split_at(before.min(rest.len()));
            part.bytes.extend_from_slice(skipped);
            part.len += skipped.len() as u64;
            rest = others;
        }
        self.row(ByteRow {
            offset,
            bytes: &rest[..rest.len().min(SHOWN)],
            depth,
            format: "fault".to_owned(),
            value: description,
            note: None,
            kind: ValueKind::Fault,
        });
    }

    /// Adds a note above the rows.
    pub fn note(&mut self, note: String) {
        self.note = Some(note);
    }

    /// Returns the whole page.
    #[must_use]
    pub fn page(&self) -> String {
        // A string of the data must not end the script element.
        let data = serde_json::to_string(self).unwrap_or_default().replace('<', "\\u003c");
        let values = (self.rows.starts.len() - self.faults) as u64;
        let body = html! {
            header {
                h1 { (self.name) }
                input id="search" type="search" placeholder="value, format, 0x32c or @812, then Enter" aria-label="Search";
                button id="fold" { "fold all" }
                button id="unfold" { "unfold all" }
                span id="status" role="status" { (counted(values, "value")) ", " (counted(self.size as u64, "byte")) }
                @if let Some(note) = &self.note { strong { (note) } }
                @if self.faults > 0 { button id="jump" { "go to the fault" } }
                p.legend {
                    @for (name, class) in LEGEND { span class=(class) { (name) } }
                }
            }
            div.panes {
                div.pane id="tree" role="tree" aria-label="Values" tabindex="0" {
                    div role="none" {}
                    div role="none" {}
                }
                div.pane id="hex" role="region" aria-label="Bytes" tabindex="0" { div {} div {} }
            }
            script type="application/json" id="data" { (PreEscaped(data)) }
            script { (PreEscaped(include_str!("bytes.js"))) }
        };
        page_of("inspect", &self.name, include_str!("bytes.css"), body)
    }
}

fn base64<S: serde::Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&STANDARD.encode(bytes))
}
