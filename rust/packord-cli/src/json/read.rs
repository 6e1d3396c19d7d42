//! JSON text to values, one at a time and from a stream.

use std::collections::HashMap;
use std::io::{self, Cursor, Read};

use num_bigint::BigInt;
use packord::{Ext, Value};
use struson::reader::json_path::JsonPathPiece;
use struson::reader::{
    JsonReader, JsonReaderPosition, JsonStreamReader, ReaderError, ReaderSettings, SyntaxErrorKind,
    ValueType,
};

use super::conventions;
use crate::failure::{Failure, Outcome};

/// The ext type of integers beyond 64 bits.
pub const BIGINT: i8 = 0x42;
/// Longer integers are refused: converting them takes time that is quadratic in their length.
const MAX_DIGITS: usize = 20_000;
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// How JSON is taken.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Each element of a top-level array is a value of its own.
    pub each: bool,
    /// Objects of the conventions mean what they stand for.
    pub conventions: bool,
    /// Integers beyond 64 bits are ext 0x42.
    pub bigint: bool,
}

/// Reads the values of a text one after another, whatever white space is between them.
pub struct Values<R: Read> {
    name: String,
    reader: JsonStreamReader<io::Chain<Cursor<Vec<u8>>, R>>,
    style: Style,
    begun: bool,
    in_array: bool,
    base: Place,
}

/// A place in a text: how many lines are before it, and how many characters in its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    line: u64,
    column: u64,
}

impl Place {
    /// Goes on behind these bytes.
    pub fn pass(&mut self, bytes: &[u8]) {
        let own = match memchr::memrchr(b'\n', bytes) {
            Some(end) => {
                self.line += memchr::memchr_iter(b'\n', bytes).count() as u64;
                self.column = 0;
                &bytes[end + 1..]
            }
            None => bytes,
        };
        // Of a character only the first byte counts.
        self.column += own.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as u64;
    }

    /// Whether nothing is before it.
    #[must_use]
    pub fn is_start(self) -> bool {
        (self.line, self.column) == (0, 0)
    }
}

impl<R: Read> Values<R> {
    /// `name` is that of the input, for messages.
    pub fn new(name: &str, source: R, style: Style) -> Outcome<Values<R>> {
        Values::at(name, source, style, Place::default())
    }

    /// As [`new`](Values::new), for what begins at a place of the text.
    pub fn at(name: &str, mut source: R, style: Style, base: Place) -> Outcome<Values<R>> {
        let mut start = Vec::new();
        let read = source
            .by_ref()
            .take(BYTE_ORDER_MARK.len() as u64)
            .read_to_end(&mut start);
        read.map_err(|error| Failure::input(name, &error))?;
        if start == BYTE_ORDER_MARK {
            start.clear();
        }
        let settings = ReaderSettings {
            allow_multiple_top_level: true,
            max_nesting_depth: Some(packord::DEFAULT_MAX_DEPTH + u32::from(style.each)),
            restrict_number_values: false,
            ..ReaderSettings::default()
        };
        let reader = JsonStreamReader::new_custom(Cursor::new(start).chain(source), settings);
        Ok(Values {
            name: name.to_owned(),
            reader,
            style,
            begun: false,
            in_array: false,
            base,
        })
    }

    /// The next value, or `None` at the end.
    pub fn next_value(&mut self) -> Outcome<Option<Value>> {
        loop {
            let more = if self.begun {
                self.reader.has_next()
            } else {
                // Before the first value the reader can only say what comes, and fails at the end.
                match self.reader.peek() {
                    Err(error) if is_empty_input(&error) => Ok(false),
                    first => first.map(|_| true),
                }
            };
            match more {
                Ok(true) => self.begun = true,
                Ok(false) if self.in_array => {
                    self.reader
                        .end_array()
                        .map_err(|error| self.failure(error))?;
                    self.in_array = false;
                    continue;
                }
                Ok(false) => return Ok(None),
                Err(error) => return Err(self.failure(error)),
            }
            let kind = self.reader.peek().map_err(|error| self.failure(error))?;
            if self.style.each && !self.in_array && kind == ValueType::Array {
                self.reader
                    .begin_array()
                    .map_err(|error| self.failure(error))?;
                self.in_array = true;
                continue;
            }
            return match value(&mut self.reader, self.style) {
                Ok(value) => Ok(Some(value)),
                Err(Stop::Reader(error)) => Err(self.failure(error)),
                Err(Stop::Refused(message)) => {
                    let place = self.reader.current_position(true);
                    Err(Failure::Invalid(format!(
                        "{}: before {}: {message}",
                        self.name,
                        describe(&place, self.base)
                    )))
                }
            };
        }
    }

    fn failure(&self, error: ReaderError) -> Failure {
        let (message, place) = match error {
            ReaderError::IoError { error, location }
                if error.kind() == io::ErrorKind::InvalidData =>
            {
                (error.to_string(), location)
            }
            ReaderError::IoError { error, .. } => return Failure::input(&self.name, &error),
            ReaderError::SyntaxError(error) => (words(error.kind), error.location),
            ReaderError::MaxNestingDepthExceeded {
                max_nesting_depth,
                location,
            } => (format!("nested deeper than {max_nesting_depth}"), location),
            other => return Failure::Invalid(format!("{}: invalid JSON: {other}", self.name)),
        };
        Failure::Invalid(format!(
            "{}: invalid JSON at {}: {message}",
            self.name,
            describe(&place, self.base)
        ))
    }
}

/// Why a value was not read.
enum Stop {
    Reader(ReaderError),
    Refused(String),
}

impl From<ReaderError> for Stop {
    fn from(error: ReaderError) -> Stop {
        Stop::Reader(error)
    }
}

/// A container whose end has not come.
enum Open {
    Array(Vec<Value>),
    Object(Object),
}

/// Reads one value, without recursion.
fn value(reader: &mut impl JsonReader, style: Style) -> Result<Value, Stop> {
    let mut open: Vec<Open> = Vec::new();
    loop {
        let value = if open.is_empty() || reader.has_next()? {
            if let Some(Open::Object(object)) = open.last_mut() {
                object
                    .key(reader.next_name()?, style)
                    .map_err(Stop::Refused)?;
            }
            match reader.peek()? {
                ValueType::Array => {
                    reader.begin_array()?;
                    open.push(Open::Array(Vec::new()));
                    continue;
                }
                ValueType::Object => {
                    reader.begin_object()?;
                    open.push(Open::Object(Object::default()));
                    continue;
                }
                kind => scalar(reader, kind, style)?,
            }
        } else {
            match open.pop() {
                Some(Open::Array(elements)) => {
                    reader.end_array()?;
                    Value::Array(elements.into())
                }
                Some(Open::Object(object)) => {
                    reader.end_object()?;
                    object.finish().map_err(Stop::Refused)?
                }
                None => continue,
            }
        };
        match open.last_mut() {
            None => return Ok(value),
            Some(Open::Array(elements)) => elements.push(value),
            Some(Open::Object(object)) => object.value(value),
        }
    }
}

fn scalar(reader: &mut impl JsonReader, kind: ValueType, style: Style) -> Result<Value, Stop> {
    match kind {
        ValueType::Boolean => Ok(Value::Bool(reader.next_bool()?)),
        ValueType::Number => number(reader.next_number_as_str()?, style).map_err(Stop::Refused),
        ValueType::String => Ok(Value::Str(reader.next_str()?.into())),
        _ => {
            reader.next_null()?;
            Ok(Value::Nil)
        }
    }
}

/// The entries of an object so far. A key that is there already gets the later value.
#[derive(Default)]
struct Object {
    entries: Vec<(Value, Value)>,
    keys: Keys,
    /// Where the value that comes next belongs.
    place: usize,
    /// The key of the only entry, where it could be one of the conventions.
    only: Option<String>,
}

impl Object {
    fn key(&mut self, name: &str, style: Style) -> Result<(), String> {
        self.only = None;
        let key = if style.conventions && name.starts_with('$') {
            self.only = self.entries.is_empty().then(|| name.to_owned());
            conventions::read_key(name)?
        } else {
            Value::Str(name.into())
        };
        self.place = self
            .keys
            .place(&self.entries, &key)
            .unwrap_or(self.entries.len());
        if self.place == self.entries.len() {
            self.entries.push((key, Value::Nil));
        }
        Ok(())
    }

    fn value(&mut self, value: Value) {
        self.entries[self.place].1 = value;
    }

    fn finish(self) -> Result<Value, String> {
        if let (Some(name), [(_, value)]) = (&self.only, self.entries.as_slice()) {
            if let Some(meaning) = conventions::read_object(name, value) {
                return meaning;
            }
        }
        Ok(Value::Map(self.entries.into()))
    }
}

/// Finds keys that are there already: in small objects by looking, in large ones by hash.
#[derive(Default)]
struct Keys(HashMap<String, usize>);

impl Keys {
    const SMALL: usize = 16;

    fn place(&mut self, entries: &[(Value, Value)], key: &Value) -> Option<usize> {
        if entries.len() <= Keys::SMALL {
            return entries.iter().position(|(other, _)| other == key);
        }
        if self.0.is_empty() {
            self.0.extend(
                entries
                    .iter()
                    .enumerate()
                    .map(|(place, (key, _))| (key.to_string(), place)),
            );
        }
        // The notation of a value tells it from all others.
        match self.0.entry(key.to_string()) {
            std::collections::hash_map::Entry::Occupied(known) => Some(*known.get()),
            std::collections::hash_map::Entry::Vacant(new) => {
                new.insert(entries.len());
                None
            }
        }
    }
}

/// Integers stay exact; a number with a point or an exponent, and −0, is a float.
fn number(text: &str, style: Style) -> Result<Value, String> {
    if text.contains(['.', 'e', 'E']) || text == "-0" {
        let number: f64 = text
            .parse()
            .map_err(|_| format!("{text} is not a number"))?;
        return if number.is_finite() {
            Ok(Value::F64(number))
        } else {
            Err(format!("{text} is too large for a float"))
        };
    }
    if let Ok(number) = text.parse::<i64>() {
        return Ok(Value::from(number));
    }
    if let Ok(number) = text.parse::<u64>() {
        return Ok(Value::from(number));
    }
    let shown: String = text.chars().take(40).collect();
    if !style.bigint {
        return Err(format!(
            "the integer {shown} does not fit in 64 bits (--bigint keeps it)"
        ));
    }
    if text.len() > MAX_DIGITS {
        return Err(format!(
            "the integer {shown}… has more than {MAX_DIGITS} digits"
        ));
    }
    let number: BigInt = text
        .parse()
        .map_err(|_| format!("{shown} is not a number"))?;
    Ok(Value::Ext(Ext::new(BIGINT, &number.to_signed_bytes_be())))
}

/// Line and column from 1, and the path.
fn describe(place: &JsonReaderPosition, base: Place) -> String {
    let mut text = match place.line_pos {
        Some(at) => {
            let before = if at.line == 0 { base.column } else { 0 };
            format!(
                "line {}, column {}",
                base.line + at.line + 1,
                before + at.column + 1
            )
        }
        None => "an unknown place".to_owned(),
    };
    let mut path = String::from("$");
    for piece in place.path.iter().flatten() {
        match piece {
            JsonPathPiece::ArrayItem(item) => path.push_str(&format!("[{item}]")),
            // This stands for an object whose first key has not come.
            JsonPathPiece::ObjectMember(name) if name == "<?>" => {}
            JsonPathPiece::ObjectMember(name) => path.push_str(&format!(".{name}")),
        }
    }
    text.push_str(&format!(" ({path})"));
    text
}

fn words(kind: SyntaxErrorKind) -> String {
    match kind {
        SyntaxErrorKind::IncompleteDocument => "it ends too early".to_owned(),
        SyntaxErrorKind::MissingComma => "a comma is missing".to_owned(),
        SyntaxErrorKind::MissingColon => "a colon is missing".to_owned(),
        SyntaxErrorKind::TrailingCommaNotEnabled => "a comma before a closing bracket".to_owned(),
        SyntaxErrorKind::MalformedNumber => "a malformed number".to_owned(),
        other => {
            // The names of the kinds are words with a capital each.
            let name = format!("{other:?}");
            let mut text = String::new();
            for letter in name.chars() {
                if letter.is_ascii_uppercase() && !text.is_empty() {
                    text.push(' ');
                }
                text.push(letter.to_ascii_lowercase());
            }
            text
        }
    }
}

fn is_empty_input(error: &ReaderError) -> bool {
    matches!(error, ReaderError::SyntaxError(error) if error.kind == SyntaxErrorKind::IncompleteDocument)
}
