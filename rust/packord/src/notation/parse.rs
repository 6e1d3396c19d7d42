//! From notation to bytes: one pass over the input, without recursion.

use alloc::vec::Vec;
use core::mem::take;

use super::ParseOptions;
use super::error::ParseError;
use super::lex::{Id, Lexer};
use super::suffix::{self, ShortHeader};
#[cfg(feature = "columns")]
use crate::columns::payload_of;
use crate::read::COLUMNS_EXT;
use crate::record::{EXT_TYPE, Reference, Structure, Table};
use crate::wire::Store;
use crate::wire::header::Kind;

const NOT_BY_COLUMN: &str = if cfg!(feature = "columns") {
    "this value cannot be stored by column"
} else {
    "columns need the feature columns of packord"
};
const ONE_SUFFIX: &str = "in columns, _f32 is the only suffix";

/// A container whose closing bracket has not been read yet.
struct ParsedContainer {
    kind: ParsedKind,
    /// The index of the hole for its header; records have none.
    hole: usize,
    count: u64,
    start: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum ParsedKind {
    Array,
    /// A map, and whether the value of the last key is still missing.
    Map {
        in_entry: bool,
    },
    Record {
        fields: u64,
    },
}

/// A place in the bytes for a header, which is known only when its container closes.
struct Hole {
    at: usize,
    header: ShortHeader,
}

/// The state of one call of [`super::parse_with`].
pub(super) struct Parser<'a> {
    lexer: Lexer<'a>,
    options: &'a ParseOptions,
    /// Of the structures only the numbers of keys count.
    structures: Table,
    body: Vec<u8>,
    holes: Vec<Hole>,
    open: Vec<ParsedContainer>,
    /// Whether the value is stored by column: its encoding is plain, without records.
    in_columns: bool,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, options: &'a ParseOptions) -> Parser<'a> {
        Parser {
            lexer: Lexer::new(text),
            options,
            structures: options.shared.clone(),
            body: Vec::new(),
            holes: Vec::new(),
            open: Vec::new(),
            in_columns: false,
        }
    }

    pub(super) fn run(mut self) -> Result<Vec<u8>, ParseError> {
        while self.message()? {}
        Ok(assemble(&self.body, &self.holes))
    }

    pub(super) fn one(mut self) -> Result<Vec<u8>, ParseError> {
        if !self.message()? {
            return Err(self.lexer.error("expected a value"));
        }
        self.lexer.space()?;
        if !self.lexer.at_end() {
            return Err(self.lexer.error("expected one value"));
        }
        Ok(assemble(&self.body, &self.holes))
    }

    /// Reads a message, and returns whether there was one.
    fn message(&mut self) -> Result<bool, ParseError> {
        let mut begun = false;
        loop {
            let end = self.lexer.at;
            self.lexer.space()?;
            match self.open.last() {
                None if begun => {
                    let apart = self.lexer.at > end || self.lexer.at_end();
                    if !apart && !self.in_columns {
                        return Err(self.lexer.error("expected space between two messages"));
                    }
                    return Ok(true);
                }
                None if self.lexer.at_end() => return Ok(false),
                None if !self.options.sequential && !self.in_columns => {
                    self.structures = self.options.shared.clone();
                }
                Some(top) if self.closes(top.kind) => {
                    self.close()?;
                    continue;
                }
                _ => {}
            }
            self.value()?;
            begun = true;
        }
    }

    /// Returns whether the next character is a closing bracket that is allowed here.
    fn closes(&self, kind: ParsedKind) -> bool {
        match kind {
            ParsedKind::Array => self.lexer.peek() == Some(b']'),
            ParsedKind::Map { in_entry } => !in_entry && self.lexer.peek() == Some(b'}'),
            ParsedKind::Record { .. } => self.lexer.peek() == Some(b')'),
        }
    }

    /// Reads a scalar, or the opening bracket of a container.
    fn value(&mut self) -> Result<(), ParseError> {
        let start = self.lexer.at;
        match self.lexer.peek() {
            Some(b'[') => self.container(ParsedKind::Array),
            Some(b'{') => self.container(ParsedKind::Map { in_entry: false }),
            Some(b'#') => return self.record(start),
            Some(b'c') if self.lexer.eat("columns") => return self.columns(start),
            _ => {
                let records = self.options.records && !self.in_columns;
                self.lexer.scalar(records, &mut self.body)?;
                self.check_fixint(start)?;
                if self.in_columns && !is_plain(self.lexer.since(start)) {
                    return Err(self.lexer.error_at(start, ONE_SUFFIX));
                }
                return self.after_value();
            }
        }
        Ok(())
    }

    fn container(&mut self, kind: ParsedKind) {
        let start = self.lexer.at;
        self.lexer.at += 1;
        self.open.push(ParsedContainer {
            kind,
            hole: self.holes.len(),
            count: 0,
            start,
        });
        self.holes.push(Hole {
            at: self.body.len(),
            header: ShortHeader::default(),
        });
    }

    /// Returns the number of values of a record with this id.
    fn fields(&self, id: Id) -> Result<u64, &'static str> {
        if self.structures.is_two_byte(id.bytes()[0]) != id.wide {
            return Err("the ids that begin with this byte have the other form here");
        }
        let structure = self.structures.get(id.index());
        let fields = structure.map(|structure| structure.len() as u64);
        fields.ok_or("no record with this id is defined here")
    }

    /// Checks a fixint, whose byte can be the id of a record while records are on.
    fn check_fixint(&self, start: usize) -> Result<(), ParseError> {
        let text_is_fix = self.lexer.since(start).ends_with("_fix");
        match self.body.last() {
            Some(&id @ 0x40..=0x7f) if self.options.records && text_is_fix => match self.structures.find(&[id]) {
                Reference::Int => Ok(()),
                _ => Err(self.lexer.error_at(start, "this id is that of a record")),
            },
            _ => Ok(()),
        }
    }

    /// Reads `(`, a value and `)`, and writes the value by column.
    fn columns(&mut self, start: usize) -> Result<(), ParseError> {
        self.lexer.open_round()?;
        if self.in_columns {
            return Err(self.lexer.error_at(start, "columns in columns"));
        }
        let outer = (take(&mut self.body), take(&mut self.holes), take(&mut self.open));
        self.in_columns = true;
        if !self.message()? {
            return Err(self.lexer.error("expected a value"));
        }
        self.in_columns = false;
        let plain = assemble(&self.body, &self.holes);
        (self.body, self.holes, self.open) = outer;
        self.lexer.expect(b')', "expected the closing round bracket")?;
        if self.lexer.suffix()?.is_some() {
            return Err(self.lexer.error_at(start, suffix::OTHER_KIND));
        }
        let payload = payload_of(&plain).ok_or_else(|| self.lexer.error_at(start, NOT_BY_COLUMN))?;
        // A vector takes every length that fits in 32 bits.
        let _ = self.body.put_ext(COLUMNS_EXT, &payload);
        self.after_value()
    }

    /// Reads `#64["a"](` or `##100(`: the id, the keys of a definition, and the opening bracket.
    fn record(&mut self, start: usize) -> Result<(), ParseError> {
        if !self.options.records || self.in_columns {
            return Err(self.lexer.error_at(start, "records are off"));
        }
        let id = self.lexer.record_id()?;
        self.lexer.space()?;
        let fields = if self.lexer.peek() == Some(b'[') {
            // A vector takes it.
            let _ = self.body.put_ext(EXT_TYPE, id.bytes());
            let fields = self.lexer.key_list(&mut self.body)?;
            let structure = Structure::new(core::iter::repeat_n("", fields as usize));
            self.structures.define(id.index(), id.wide, structure);
            fields
        } else {
            self.body.extend_from_slice(id.bytes());
            self.fields(id).map_err(|why| self.lexer.error_at(start, why))?
        };
        self.lexer.space()?;
        self.lexer
            .expect(b'(', "expected the values of the record in round brackets")?;
        self.open.push(ParsedContainer {
            kind: ParsedKind::Record { fields },
            hole: 0,
            count: 0,
            start,
        });
        Ok(())
    }

    /// Reads the closing bracket and the suffix of the innermost container.
    fn close(&mut self) -> Result<(), ParseError> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        self.lexer.at += 1;
        let suffix = self.lexer.suffix()?;
        if self.in_columns && suffix.is_some() {
            return Err(self.lexer.error_at(open.start, ONE_SUFFIX));
        }
        let header = match open.kind {
            ParsedKind::Array => suffix::header(Kind::Array, open.count, suffix),
            ParsedKind::Map { .. } => suffix::header(Kind::Map, open.count, suffix),
            ParsedKind::Record { .. } if suffix.is_some() => Err(suffix::OTHER_KIND),
            ParsedKind::Record { fields } if fields != open.count => Err("not as many values as the record has keys"),
            ParsedKind::Record { .. } => Ok(ShortHeader::default()),
        };
        let header = header.map_err(|why| self.lexer.error_at(open.start, why))?;
        if !matches!(open.kind, ParsedKind::Record { .. }) {
            self.holes[open.hole].header = header;
        }
        self.after_value()
    }

    /// Reads the colon or comma after a value.
    fn after_value(&mut self) -> Result<(), ParseError> {
        let Some(top) = self.open.last_mut() else {
            return Ok(());
        };
        if let ParsedKind::Map { in_entry } = &mut top.kind {
            *in_entry = !*in_entry;
            if *in_entry {
                self.lexer.space()?;
                return self.lexer.expect(b':', "expected a colon and the value of this key");
            }
        }
        top.count += 1;
        let kind = top.kind;
        self.lexer.space()?;
        if self.lexer.peek() == Some(b',') {
            self.lexer.at += 1;
            return Ok(());
        }
        if self.closes(kind) {
            return Ok(());
        }
        Err(self.lexer.error("expected a comma or the closing bracket"))
    }
}

/// Returns whether a scalar has no suffix but `_f32`.
fn is_plain(text: &str) -> bool {
    let after = text.rsplit(['"', '\'', ')']).next().unwrap_or(text);
    !after.contains('_') || after.ends_with("_f32")
}

/// Returns the bytes with the headers in their holes.
fn assemble(body: &[u8], holes: &[Hole]) -> Vec<u8> {
    let headers: usize = holes.iter().map(|hole| hole.header.as_slice().len()).sum();
    let mut bytes = Vec::with_capacity(body.len() + headers);
    let mut copied = 0;
    for hole in holes {
        bytes.extend_from_slice(&body[copied..hole.at]);
        bytes.extend_from_slice(hole.header.as_slice());
        copied = hole.at;
    }
    bytes.extend_from_slice(&body[copied..]);
    bytes
}

/// Without the feature `columns` no value can be stored by column.
#[cfg(not(feature = "columns"))]
fn payload_of(_: &[u8]) -> Option<Vec<u8>> {
    None
}
