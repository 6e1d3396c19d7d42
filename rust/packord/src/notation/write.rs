//! From bytes to notation, one [`Event`] at a time.

#[cfg(feature = "columns")]
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use super::suffix;
use crate::value::{Quoted, float};
use crate::wire::header::Kind;
use crate::{Container, DecodeOptions, Event, Role, Timestamp, Token, Utf8, Walker};

/// Writes the notation of the events of a [`Walker`]. It takes memory in proportion to the depth
/// alone.
///
/// ```
/// use packord::{Walker, notation::NotationWriter};
///
/// let mut writer = NotationWriter::new(String::new());
/// let mut walker = Walker::new(b"\x92\x01\xa2hi");
/// while let Some(event) = walker.next()? {
///     writer.event(&event).unwrap();
/// }
/// assert_eq!(writer.into_inner(), r#"[1, "hi"]"#);
/// # Ok::<(), packord::Error>(())
/// ```
pub struct NotationWriter<W> {
    out: W,
    records: bool,
    pretty: bool,
    columns: bool,
    /// Whether a message has been written.
    begun: bool,
    open: Vec<WrittenContainer>,
}

struct WrittenContainer {
    empty: bool,
    suffix: Option<u8>,
}

impl<W: Write> NotationWriter<W> {
    /// Returns a writer that puts each message on one line, with records off.
    pub fn new(out: W) -> NotationWriter<W> {
        NotationWriter {
            out,
            records: false,
            pretty: false,
            columns: false,
            begun: false,
            open: Vec::new(),
        }
    }

    /// Whether records are on, which changes how integers 64 to 127 are written.
    #[must_use]
    pub fn records(mut self, on: bool) -> Self {
        self.records = on;
        self
    }

    /// Whether each element is on a line of its own, with two spaces a level.
    #[must_use]
    pub fn pretty(mut self, on: bool) -> Self {
        self.pretty = on;
        self
    }

    /// Whether values that are stored by column are written as `columns(…)`. Those that a reader with default
    /// limits refuses stay an ext. Each takes memory in proportion to what it stands for.
    ///
    /// ```
    /// use packord::{Walker, notation::{NotationWriter, parse}};
    ///
    /// let bytes = parse("columns([1, 2])").unwrap();
    /// let mut writer = NotationWriter::new(String::new()).columns(true);
    /// writer.event(&Walker::new(&bytes).next()?.unwrap()).unwrap();
    /// assert_eq!(writer.into_inner(), "columns([1, 2])");
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn columns(mut self, on: bool) -> Self {
        self.columns = on;
        self
    }

    /// Returns the destination.
    pub fn get_ref(&self) -> &W {
        &self.out
    }

    /// Returns the destination for writing to it.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Ends writing, and returns the destination.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Writes the notation of an event. The events must be those of whole messages.
    ///
    /// # Errors
    ///
    /// The errors of the destination.
    pub fn event(&mut self, event: &Event<'_>) -> fmt::Result {
        if let Token::End(kind) = &event.token {
            return self.end(*kind);
        }
        self.separate(event.role)?;
        self.value(event)?;
        if event.token.opens() {
            self.open.push(WrittenContainer {
                empty: true,
                suffix: container_suffix(event),
            });
        }
        Ok(())
    }

    fn separate(&mut self, role: Role) -> fmt::Result {
        if role == Role::Value {
            return self.out.write_str(": ");
        }
        let Some(open) = self.open.last_mut() else {
            let first = !core::mem::replace(&mut self.begun, true);
            return if first { Ok(()) } else { self.out.write_char('\n') };
        };
        let first = core::mem::replace(&mut open.empty, false);
        match (first, self.pretty) {
            (true, false) => Ok(()),
            (false, false) => self.out.write_str(", "),
            (true, true) => self.line(),
            (false, true) => {
                self.out.write_char(',')?;
                self.line()
            }
        }
    }

    fn line(&mut self) -> fmt::Result {
        let indent = 2 * self.open.len();
        write!(self.out, "\n{:indent$}", "")
    }

    fn end(&mut self, kind: Container) -> fmt::Result {
        let open = self.open.pop().unwrap_or(WrittenContainer {
            empty: true,
            suffix: None,
        });
        if self.pretty && !open.empty {
            self.line()?;
        }
        self.out.write_char(match kind {
            Container::Array => ']',
            Container::Map => '}',
            Container::Record => ')',
        })?;
        self.suffix(open.suffix)
    }

    fn suffix(&mut self, suffix: Option<u8>) -> fmt::Result {
        match suffix {
            None => Ok(()),
            Some(suffix) => write!(self.out, "_{}", suffix::name(suffix)),
        }
    }

    fn value(&mut self, event: &Event<'_>) -> fmt::Result {
        let marker = event.marker().unwrap_or_default();
        match &event.token {
            Token::Nil => self.out.write_str("nil"),
            Token::Bool(value) => write!(self.out, "{value}"),
            Token::Int(number) => {
                write!(self.out, "{number}")?;
                let minimal = suffix::integer(number.as_i128(), self.records);
                let is_minimal = minimal.is_some_and(|minimal| minimal.as_slice() == event.bytes);
                let named = if event.bytes.len() == 1 { suffix::FIX } else { marker };
                self.suffix((!is_minimal).then_some(named))
            }
            Token::F32(number) => float::float32(&mut self.out, *number),
            Token::F64(number) => float::float64(&mut self.out, *number),
            Token::Str(text) => self.str(text.as_bytes(), marker),
            Token::BrokenStr(bytes) => self.str(bytes, marker),
            Token::Bin(bytes) => {
                self.hex(bytes)?;
                self.suffix(suffix::needed(Kind::Bin, marker, length(bytes)))
            }
            Token::Ext(kind, payload) => match self.columns.then(|| text_of_columns(event.bytes)).flatten() {
                Some(text) => write!(self.out, "columns({text})"),
                None => self.ext(*kind, payload, marker),
            },
            Token::Timestamp(time) => self.timestamp(*time, event),
            Token::Array(_) => self.out.write_char('['),
            Token::Map(_) => self.out.write_char('{'),
            Token::Record(head) => {
                self.out.write_str(if head.two_byte { "##" } else { "#" })?;
                write!(self.out, "{}", 64 + u32::from(head.index))?;
                if head.defined {
                    self.keys(event.payload())?;
                }
                self.out.write_char('(')
            }
            Token::End(_) => Ok(()),
        }
    }

    fn str(&mut self, bytes: &[u8], marker: u8) -> fmt::Result {
        match core::str::from_utf8(bytes) {
            Ok(text) => write!(self.out, "{}", Quoted(text))?,
            Err(_) => {
                self.out.write_str("str(")?;
                self.hex(bytes)?;
                self.out.write_char(')')?;
            }
        }
        self.suffix(suffix::needed(Kind::Str, marker, length(bytes)))
    }

    /// Writes `h'00ff'`.
    fn hex(&mut self, bytes: &[u8]) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        self.out.write_str("h'")?;
        for part in bytes.chunks(32) {
            let mut text = [0; 64];
            for (pair, byte) in text.chunks_exact_mut(2).zip(part) {
                pair[0] = DIGITS[usize::from(byte >> 4)];
                pair[1] = DIGITS[usize::from(byte & 15)];
            }
            let text = core::str::from_utf8(&text[..2 * part.len()]);
            self.out.write_str(text.map_err(|_| fmt::Error)?)?;
        }
        self.out.write_char('\'')
    }

    fn ext(&mut self, kind: i8, payload: &[u8], marker: u8) -> fmt::Result {
        write!(self.out, "ext({kind}, ")?;
        self.hex(payload)?;
        self.out.write_char(')')?;
        self.suffix(suffix::needed(Kind::Ext, marker, length(payload)))
    }

    fn timestamp(&mut self, time: Timestamp, event: &Event<'_>) -> fmt::Result {
        let marker = event.marker().unwrap_or_default();
        let smallest = suffix::minimal(Kind::Ext, time.payload_len() as u32);
        let payload = event.payload();
        if marker != smallest || payload.len() != time.payload_len() {
            return self.ext(Timestamp::EXT_TYPE, payload, marker);
        }
        if time.has_rfc3339() {
            write!(self.out, "timestamp(\"{time}\")")
        } else {
            write!(self.out, "timestamp({}, {})", time.seconds(), time.nanoseconds())
        }
    }

    /// Writes the keys of a definition, always on one line.
    fn keys(&mut self, bytes: &[u8]) -> fmt::Result {
        let mut walker = Walker::with_options(bytes, &DecodeOptions::new().utf8(Utf8::Raw));
        let mut list = None;
        let mut first = true;
        while let Ok(Some(event)) = walker.next() {
            match event.token {
                Token::Array(_) => {
                    list = container_suffix(&event);
                    self.out.write_char('[')?;
                }
                Token::End(_) => {
                    self.out.write_char(']')?;
                    self.suffix(list)?;
                }
                _ => {
                    if !core::mem::replace(&mut first, false) {
                        self.out.write_str(", ")?;
                    }
                    self.value(&event)?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the notation of the value that an ext stands for, if it is columns.
#[cfg(feature = "columns")]
fn text_of_columns(ext: &[u8]) -> Option<String> {
    let plain = DecodeOptions::new().columns(true).expand_columns(ext).ok()?;
    match plain {
        Cow::Owned(plain) => super::to_text(&plain).ok(),
        Cow::Borrowed(_) => None,
    }
}

#[cfg(not(feature = "columns"))]
fn text_of_columns(_: &[u8]) -> Option<String> {
    None
}

fn container_suffix(event: &Event<'_>) -> Option<u8> {
    let marker = event.marker()?;
    match event.token {
        Token::Array(count) => suffix::needed(Kind::Array, marker, count as u32),
        Token::Map(count) => suffix::needed(Kind::Map, marker, count as u32),
        _ => None,
    }
}

/// Lengths on the wire fit in 32 bits.
fn length(bytes: &[u8]) -> u32 {
    bytes.len() as u32
}
