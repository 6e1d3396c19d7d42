//! The page of `inspect --html`: the values as a tree that folds, beside their bytes.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, PreEscaped, html};
use serde::Serialize;

use crate::limits;

/// What the page shows.
#[derive(Serialize)]
pub struct BytePage {
    #[serde(skip)]
    name: String,
    /// The offset of the first byte.
    base: u64,
    #[serde(serialize_with = "base64")]
    bytes: Vec<u8>,
    /// The names of the formats in the data.
    formats: Vec<String>,
    rows: RowColumns,
    /// The number of the first message that begins on the page.
    first: u64,
    /// The offset of the fault.
    fault: Option<u64>,
    #[serde(skip)]
    note: Option<String>,
}

/// The rows by column: one row for each value, in the order of the bytes.
#[derive(Default, Serialize)]
struct RowColumns {
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
            base: 0,
            bytes: Vec::new(),
            formats: Vec::new(),
            rows: RowColumns::default(),
            first: 0,
            fault: None,
            note: None,
        }
    }

    /// Adds a value with its own bytes.
    pub fn row(
        &mut self,
        offset: u64,
        bytes: &[u8],
        depth: usize,
        format: &str,
        value: String,
        kind: ValueKind,
    ) {
        if self.rows.starts.is_empty() {
            self.base = offset;
        }
        let known = self.formats.iter().position(|known| known == format);
        let format = known.unwrap_or_else(|| {
            self.formats.push(format.to_owned());
            self.formats.len() - 1
        });
        // Bytes that are not shown between two values keep their place.
        let start = (offset - self.base) as usize;
        self.bytes.resize(start, 0);
        self.bytes.extend_from_slice(bytes);
        self.rows.starts.push(start);
        self.rows.lens.push(bytes.len());
        self.rows.depths.push(depth);
        self.rows.formats.push(format);
        self.rows.values.push(value);
        self.rows.kinds.push(kind);
    }

    /// Returns whether the page is full.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.bytes.len() >= limits::PAGE
    }

    /// Returns the offset of the first byte after those of the page.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.base + self.bytes.len() as u64
    }

    /// Says which message begins next, before its row is added.
    pub fn begin(&mut self, message: u64) {
        if !self.rows.depths.contains(&0) {
            self.first = message;
        }
    }

    /// Adds what cannot be read as the last row. `rest` are the bytes from the end of the page on.
    pub fn fault(&mut self, offset: u64, description: String, rest: &[u8]) {
        const SHOWN: usize = 16;
        if self.rows.starts.is_empty() {
            self.base = offset;
        }
        let before = offset.saturating_sub(self.end()) as usize;
        let (skipped, rest) = rest.split_at(before.min(rest.len()));
        self.bytes.extend_from_slice(skipped);
        let shown = &rest[..rest.len().min(SHOWN)];
        self.row(offset, shown, 1, "fault", description, ValueKind::Fault);
        self.fault = Some(offset);
    }

    /// Adds a note above the rows.
    pub fn note(&mut self, note: String) {
        self.note = Some(note);
    }

    /// Returns the whole page.
    #[must_use]
    pub fn page(&self) -> String {
        // A string of the data must not end the script element.
        let data = serde_json::to_string(self)
            .unwrap_or_default()
            .replace('<', "\\u003c");
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { "packord inspect: " (self.name) }
                    style { (PreEscaped(include_str!("page.css"))) (PreEscaped(include_str!("bytes.css"))) }
                }
                body {
                    header {
                        h1 { (self.name) }
                        input id="search" type="search" placeholder="value, format, 0x32c or @812, then Enter" aria-label="Search";
                        button id="fold" { "fold all" }
                        button id="unfold" { "unfold all" }
                        span id="status" { (self.rows.starts.len() - usize::from(self.fault.is_some())) " values, " (self.bytes.len()) " bytes" }
                        @if let Some(note) = &self.note {
                            strong { (note) }
                            @if self.fault.is_some() { button id="jump" { "go to the fault" } }
                        }
                        p.legend {
                            @for (name, class) in LEGEND { span class=(class) { (name) } }
                        }
                    }
                    div.panes {
                        div.pane id="tree" { div {} div {} }
                        div.pane id="hex" { div {} div {} }
                    }
                    script type="application/json" id="data" { (PreEscaped(data)) }
                    script { (PreEscaped(include_str!("bytes.js"))) }
                }
            }
        };
        page.into_string()
    }
}

fn base64<S: serde::Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&STANDARD.encode(bytes))
}
