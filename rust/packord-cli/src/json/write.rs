//! Writes the events of a walker as JSON text. Memory grows only with the depth.

use anstyle::Style;
use num_bigint::BigInt;
use packord::notation;
use packord::{Container, Event, Role, Structure, Timestamp, Token, Value};

use super::conventions::{self, BIGINT, BIN, EXT, FLOAT, KEY, TIMESTAMP};
use crate::limits::BIGINT_BYTES;
use crate::terminal::style;
use crate::values::path;
use crate::values::plain_maps::PlainMaps;
use crate::values::registry;

/// Up to this magnitude, every integer is exact as a float.
const MAX_SAFE: i128 = 1 << 53;

const USUAL_NAN: u64 = 0x7ff8_0000_0000_0000;

/// How JSON is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonWriteOptions {
    /// Each element and entry is on its own line.
    pub pretty: bool,
    /// Values that JSON does not have are refused.
    pub strict: bool,
    /// Ext type 0x42 is written as an integer.
    pub bigint: bool,
    /// Ext type 0 of 8 bytes is written as a time, which Fluentd writes so.
    pub event_time: bool,
    /// Diagnostic notation shows records.
    pub records: bool,
    /// Ill-formed UTF-8 in a str becomes U+FFFD; otherwise the str is written as bytes.
    pub replace: bool,
    /// Keys and values have colours.
    pub colours: bool,
}

/// A value that JSON does not have.
#[derive(Debug)]
pub struct NotJson {
    /// What it is.
    pub what: &'static str,
    /// Its path, without the `$`.
    pub path: String,
}

/// Writes JSON event by event.
pub struct JsonWriter {
    /// The text so far. The caller drains it between events.
    pub out: Vec<u8>,
    style: JsonWriteOptions,
    open: Vec<OpenBracket>,
    /// The key that is being read, if it is not a str.
    key: Option<NonStrKey>,
}

/// A key that is not a str, as far as it was read.
struct NonStrKey {
    text: notation::NotationWriter<String>,
    /// Records in a key are written as maps, because its reader has no definitions.
    plain: PlainMaps,
    depth: usize,
}

struct OpenBracket {
    /// The number of elements, entries or fields that have begun.
    begun: usize,
    /// The keys of a record.
    fields: Option<Structure>,
    /// The last key of a map, kept for the path with `strict`.
    key: Option<String>,
}

impl JsonWriter {
    /// Creates an empty writer.
    #[must_use]
    pub fn new(style: JsonWriteOptions) -> JsonWriter {
        JsonWriter {
            out: Vec::new(),
            style,
            open: Vec::new(),
            key: None,
        }
    }

    /// Writes an event. A line ends with each message.
    ///
    /// # Errors
    ///
    /// With `strict`, values that JSON does not have.
    pub fn event(&mut self, event: &Event<'_>) -> Result<(), NotJson> {
        let is_text = match event.token {
            Token::Str(_) => true,
            Token::BrokenStr(_) => self.style.replace,
            _ => false,
        };
        if self.key.is_some() || (event.role == Role::Key && !is_text) {
            return self.odd_key(event);
        }
        if let Token::End(kind) = event.token {
            self.end(kind);
        } else {
            self.separate(event.role);
            let style = self.style.colours.then(|| colour(event)).flatten();
            self.coloured(style, |writer| writer.token(event))?;
        }
        if self.open.is_empty() {
            self.out.push(b'\n');
        }
        Ok(())
    }

    fn separate(&mut self, role: Role) {
        if role == Role::Value {
            self.out.push(b':');
            if self.style.pretty {
                self.out.push(b' ');
            }
            return;
        }
        let Some(open) = self.open.last_mut() else {
            return;
        };
        if open.begun > 0 {
            self.out.push(b',');
        }
        let field = open.fields.clone();
        let index = open.begun;
        open.begun += 1;
        if self.style.pretty {
            self.line();
        }
        if let Some(structure) = field {
            let key = structure.key(index).unwrap_or_default();
            self.key(&conventions::escape(key));
            self.separate(Role::Value);
        }
    }

    fn key(&mut self, text: &str) {
        let style = self.style.colours.then_some(style::FORMAT);
        self.coloured(style, |writer| string(&mut writer.out, text));
    }

    #[inline]
    fn coloured<T>(&mut self, style: Option<Style>, write: impl FnOnce(&mut Self) -> T) -> T {
        let Some(style) = style else {
            return write(self);
        };
        self.out.extend_from_slice(style.render().to_string().as_bytes());
        let done = write(self);
        let end = style.render_reset().to_string();
        self.out.extend_from_slice(end.as_bytes());
        done
    }

    fn line(&mut self) {
        self.out.push(b'\n');
        self.out.resize(self.out.len() + 2 * self.open.len(), b' ');
    }

    fn end(&mut self, kind: Container) {
        let empty = self.open.pop().is_none_or(|open| open.begun == 0);
        if self.style.pretty && !empty {
            self.line();
        }
        self.out.push(if kind == Container::Array { b']' } else { b'}' });
    }

    fn token(&mut self, event: &Event<'_>) -> Result<(), NotJson> {
        match &event.token {
            Token::Nil => self.out.extend_from_slice(b"null"),
            Token::Bool(value) => {
                self.out.extend_from_slice(if *value { b"true" } else { b"false" });
            }
            Token::Int(number) => {
                let number = number.as_i128();
                self.allow((-MAX_SAFE..=MAX_SAFE).contains(&number), "an integer beyond 2^53")?;
                self.integer(number);
            }
            Token::F32(number) => self.float(f64::from(*number))?,
            Token::F64(number) => self.float(*number)?,
            Token::Str(text) => self.text(text, event.role),
            Token::BrokenStr(bytes) if self.style.replace => {
                self.text(&String::from_utf8_lossy(bytes), event.role);
            }
            Token::BrokenStr(bytes) | Token::Bin(bytes) => self.bytes(bytes)?,
            Token::Ext(kind, payload) => self.ext(*kind, payload)?,
            Token::Timestamp(time) => self.timestamp(*time)?,
            Token::Array(_) => self.start(b'[', None),
            Token::Map(_) => self.start(b'{', None),
            Token::Record(head) => self.start(b'{', Some(head.structure.clone())),
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str, role: Role) {
        if role != Role::Key {
            return string(&mut self.out, text);
        }
        string(&mut self.out, &conventions::escape(text));
        if let (true, Some(open)) = (self.style.strict, self.open.last_mut()) {
            open.key = Some(text.to_owned());
        }
    }

    fn start(&mut self, bracket: u8, fields: Option<Structure>) {
        self.out.push(bracket);
        self.open.push(OpenBracket {
            begun: 0,
            fields,
            key: None,
        });
    }

    fn allow(&self, plain: bool, what: &'static str) -> Result<(), NotJson> {
        if self.style.strict && !plain {
            Err(NotJson {
                what,
                path: self.path(self.open.len()),
            })
        } else {
            Ok(())
        }
    }

    /// Returns the path of the value that is being written, or of a container around it.
    fn path(&self, depth: usize) -> String {
        let mut path = String::new();
        for open in &self.open[..depth] {
            let index = open.begun.saturating_sub(1);
            match open
                .fields
                .as_ref()
                .map_or(open.key.as_deref(), |structure| structure.key(index))
            {
                Some(key) => path::push_name(&mut path, key),
                None => path.push_str(&format!("[{index}]")),
            }
        }
        path
    }

    fn integer(&mut self, number: i128) {
        let mut buffer = itoa::Buffer::new();
        // Formatting 64 bits is much faster than 128.
        let text = match i64::try_from(number) {
            Ok(number) => buffer.format(number),
            Err(_) => buffer.format(number),
        };
        self.out.extend_from_slice(text.as_bytes());
    }

    fn float(&mut self, number: f64) -> Result<(), NotJson> {
        if number.is_finite() {
            let size = number.abs();
            if size == 0.0 || (1e-4..1e16).contains(&size) {
                // Fast, and these are the digits of the notation.
                self.out
                    .extend_from_slice(zmij::Buffer::new().format_finite(number).as_bytes());
            } else {
                // It has another form of exponents.
                let text = Value::F64(number).to_string();
                self.out.extend_from_slice(text.as_bytes());
            }
            return Ok(());
        }
        self.allow(false, "a float that is not finite")?;
        let text = match number.to_bits() {
            bits if number.is_nan() && bits != USUAL_NAN => format!("nan({bits:#x})"),
            _ if number.is_nan() => "nan".to_owned(),
            _ => number.to_string(),
        };
        self.wrapped(FLOAT, |out| string(out, &text));
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), NotJson> {
        self.allow(false, "a bin")?;
        self.wrapped(BIN, |out| string(out, &conventions::base64(bytes)));
        Ok(())
    }

    fn ext(&mut self, kind: i8, payload: &[u8]) -> Result<(), NotJson> {
        if self.style.bigint && kind == BIGINT && payload.len() <= BIGINT_BYTES {
            self.allow(false, "an integer beyond 2^53")?;
            self.out
                .extend_from_slice(BigInt::from_signed_bytes_be(payload).to_string().as_bytes());
            return Ok(());
        }
        if let Some(time) = registry::event_time(kind, payload).filter(|_| self.style.event_time) {
            return self.timestamp(time);
        }
        self.allow(false, "an ext")?;
        self.wrapped(EXT, |out| {
            out.push(b'[');
            out.extend_from_slice(itoa::Buffer::new().format(kind).as_bytes());
            out.push(b',');
            string(out, &conventions::base64(payload));
            out.push(b']');
        });
        Ok(())
    }

    fn timestamp(&mut self, time: Timestamp) -> Result<(), NotJson> {
        self.allow(false, "a timestamp")?;
        self.wrapped(TIMESTAMP, |out| {
            if time.has_rfc3339() {
                string(out, &time.to_string());
            } else {
                out.extend_from_slice(format!("[{},{}]", time.seconds(), time.nanoseconds()).as_bytes());
            }
        });
        Ok(())
    }

    /// Writes an object with one entry.
    fn wrapped(&mut self, key: &str, value: impl FnOnce(&mut Vec<u8>)) {
        self.out.push(b'{');
        string(&mut self.out, key);
        self.out.push(b':');
        value(&mut self.out);
        self.out.push(b'}');
    }

    /// Collects the notation of a key until it is complete.
    fn odd_key(&mut self, event: &Event<'_>) -> Result<(), NotJson> {
        if self.style.strict {
            // A fault in a key is reported at the path of its map.
            let path = self.path(self.open.len().saturating_sub(1));
            return Err(NotJson {
                what: "a key that is not a str",
                path,
            });
        }
        if let Token::BrokenStr(bytes) = event.token
            && self.key.is_none()
        {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            self.separate(Role::Key);
            self.key(&format!("{KEY}h'{hex}'"));
            return Ok(());
        }
        let mut key = self.key.take().unwrap_or_else(|| NonStrKey {
            text: notation::NotationWriter::new(String::from(KEY)),
            plain: PlainMaps::default(),
            depth: event.depth,
        });
        key.plain.event(event, |event| {
            // Writing to a String does not fail.
            let _ = key.text.event(event);
        });
        if event.depth == key.depth && !event.token.opens() {
            self.separate(Role::Key);
            self.key(&key.text.into_inner());
        } else {
            self.key = Some(key);
        }
        Ok(())
    }
}

/// Returns the colour of a value, or a key.
fn colour(event: &Event<'_>) -> Option<Style> {
    match event.token {
        Token::Array(_) | Token::Map(_) | Token::Record(_) => None,
        _ if event.role == Role::Key => Some(style::FORMAT),
        Token::Str(_) => Some(style::TEXT),
        Token::Nil | Token::Bool(_) | Token::Int(_) | Token::F32(_) | Token::F64(_) => Some(style::PLAIN),
        _ => Some(style::SPECIAL),
    }
}

/// Writes a JSON string.
fn string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    let mut plain = 0;
    for (at, &byte) in text.as_bytes().iter().enumerate() {
        if byte >= b' ' && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.extend_from_slice(&text.as_bytes()[plain..at]);
        plain = at + 1;
        let short = match byte {
            b'"' | b'\\' => byte,
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0x08 => b'b',
            0x0c => b'f',
            _ => {
                out.extend_from_slice(format!("\\u{byte:04x}").as_bytes());
                continue;
            }
        };
        out.extend_from_slice(&[b'\\', short]);
    }
    out.extend_from_slice(&text.as_bytes()[plain..]);
    out.push(b'"');
}
