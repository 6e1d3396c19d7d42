//! Reads JSON text from a stream, one value at a time.

use std::collections::HashMap;
use std::io::{self, Cursor, Read};

use num_bigint::BigInt;
use packord::{Ext, Value};
use struson::reader::json_path::JsonPathPiece;
use struson::reader::{
    JsonReader, JsonReaderPosition, JsonStreamReader, ReaderError, ReaderSettings, SyntaxErrorKind,
    ValueType,
};

use super::conventions::{self, BIGINT};
use crate::failure::{Failure, Outcome};
use crate::limits::BIGINT_DIGITS;
use crate::path::{cut, push_name};

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// How JSON is read.
#[derive(Clone, Copy, Debug)]
pub struct JsonReadOptions {
    /// Each element of a top-level array is a separate value.
    pub each: bool,
    /// Objects of the conventions become the values that they stand for.
    pub conventions: bool,
    /// Integers beyond 64 bits become ext type 0x42.
    pub bigint: bool,
}

/// Reads JSON values one after another, with any white space between them.
pub struct JsonValues<R: Read> {
    name: String,
    reader: JsonStreamReader<io::Chain<Cursor<Vec<u8>>, R>>,
    style: JsonReadOptions,
    begun: bool,
    in_array: bool,
    base: TextPlace,
}

/// A place in the input: the number of lines before it, and of characters before it in its line.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextPlace {
    line: u64,
    column: u64,
}

impl TextPlace {
    /// Moves the place to the end of these bytes.
    pub fn pass(&mut self, bytes: &[u8]) {
        let own = match memchr::memrchr(b'\n', bytes) {
            Some(end) => {
                self.line += memchr::memchr_iter(b'\n', bytes).count() as u64;
                self.column = 0;
                &bytes[end + 1..]
            }
            None => bytes,
        };
        // Only the first byte of a character counts.
        self.column += own.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as u64;
    }

    /// Returns whether this is the start of the input.
    #[must_use]
    pub fn is_start(self) -> bool {
        (self.line, self.column) == (0, 0)
    }
}

impl<R: Read> JsonValues<R> {
    /// Creates a reader. `name` is the name of the input, for messages.
    pub fn new(name: &str, source: R, style: JsonReadOptions) -> Outcome<JsonValues<R>> {
        JsonValues::at(name, source, style, TextPlace::default())
    }

    /// Creates a reader for a part of the input that begins at a place.
    pub fn at(
        name: &str,
        mut source: R,
        style: JsonReadOptions,
        base: TextPlace,
    ) -> Outcome<JsonValues<R>> {
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
        Ok(JsonValues {
            name: name.to_owned(),
            reader,
            style,
            begun: false,
            in_array: false,
            base,
        })
    }

    /// Returns the next value, or `None` at the end.
    pub fn next_value(&mut self) -> Outcome<Option<Value>> {
        loop {
            let more = if self.begun {
                self.reader.has_next()
            } else {
                // Before the first value `has_next` fails; `peek` fails at the end of the input.
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
                Err(JsonFault::Reader(error)) => Err(self.failure(error)),
                Err(JsonFault::Refused(message)) => {
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
            ReaderError::SyntaxError(error) => (explain(error.kind), error.location),
            ReaderError::MaxNestingDepthExceeded {
                max_nesting_depth,
                location,
            } => (
                format!("nesting exceeds {max_nesting_depth} levels"),
                location,
            ),
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
enum JsonFault {
    Reader(ReaderError),
    Refused(String),
}

impl From<ReaderError> for JsonFault {
    fn from(error: ReaderError) -> JsonFault {
        JsonFault::Reader(error)
    }
}

/// A container that is not complete.
enum OpenJson {
    Array(Vec<Value>),
    Object(JsonObject),
}

/// Reads one value without recursion.
fn value(reader: &mut impl JsonReader, style: JsonReadOptions) -> Result<Value, JsonFault> {
    let mut open: Vec<OpenJson> = Vec::new();
    loop {
        let value = if open.is_empty() || reader.has_next()? {
            if let Some(OpenJson::Object(object)) = open.last_mut() {
                object
                    .key(reader.next_name()?, style)
                    .map_err(JsonFault::Refused)?;
            }
            match reader.peek()? {
                ValueType::Array => {
                    reader.begin_array()?;
                    open.push(OpenJson::Array(Vec::new()));
                    continue;
                }
                ValueType::Object => {
                    reader.begin_object()?;
                    open.push(OpenJson::Object(JsonObject::default()));
                    continue;
                }
                kind => scalar(reader, kind, style)?,
            }
        } else {
            match open.pop() {
                Some(OpenJson::Array(elements)) => {
                    reader.end_array()?;
                    Value::Array(elements.into())
                }
                Some(OpenJson::Object(object)) => {
                    reader.end_object()?;
                    object.finish().map_err(JsonFault::Refused)?
                }
                None => continue,
            }
        };
        match open.last_mut() {
            None => return Ok(value),
            Some(OpenJson::Array(elements)) => elements.push(value),
            Some(OpenJson::Object(object)) => object.value(value),
        }
    }
}

fn scalar(
    reader: &mut impl JsonReader,
    kind: ValueType,
    style: JsonReadOptions,
) -> Result<Value, JsonFault> {
    match kind {
        ValueType::Boolean => Ok(Value::Bool(reader.next_bool()?)),
        ValueType::Number => {
            number(reader.next_number_as_str()?, style).map_err(JsonFault::Refused)
        }
        ValueType::String => Ok(Value::Str(reader.next_str()?.into())),
        _ => {
            reader.next_null()?;
            Ok(Value::Nil)
        }
    }
}

/// The entries of an object so far. A duplicate key keeps its place and gets the later value.
#[derive(Default)]
struct JsonObject {
    entries: Vec<(Value, Value)>,
    keys: ObjectKeys,
    /// The index of the entry that the next value belongs to.
    place: usize,
    /// The key of the only entry, if it may be one of the conventions.
    only: Option<String>,
}

impl JsonObject {
    fn key(&mut self, name: &str, style: JsonReadOptions) -> Result<(), String> {
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

/// Finds duplicate keys: by comparison in small objects, by hash in large ones.
#[derive(Default)]
struct ObjectKeys(HashMap<String, usize>);

impl ObjectKeys {
    const SMALL: usize = 16;

    fn place(&mut self, entries: &[(Value, Value)], key: &Value) -> Option<usize> {
        if entries.len() <= ObjectKeys::SMALL {
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
        // Different values have different notations.
        match self.0.entry(key.to_string()) {
            std::collections::hash_map::Entry::Occupied(known) => Some(*known.get()),
            std::collections::hash_map::Entry::Vacant(new) => {
                new.insert(entries.len());
                None
            }
        }
    }
}

/// Converts a number. Integers stay exact; with a point or an exponent, and for -0, it is a float.
fn number(text: &str, style: JsonReadOptions) -> Result<Value, String> {
    if text.contains(['.', 'e', 'E']) || text == "-0" {
        let number: f64 = text
            .parse()
            .map_err(|_| format!("{text} is not a number"))?;
        return if number.is_finite() {
            Ok(Value::F64(number))
        } else {
            Err(format!("number {text} is too large for a float"))
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
            "integer {shown} does not fit in 64 bits (--bigint keeps it)"
        ));
    }
    if text.len() > BIGINT_DIGITS {
        return Err(format!(
            "integer {shown}… has more than {BIGINT_DIGITS} digits"
        ));
    }
    let number: BigInt = text
        .parse()
        .map_err(|_| format!("{shown} is not a number"))?;
    Ok(Value::Ext(Ext::new(BIGINT, &number.to_signed_bytes_be())))
}

/// Returns line and column, from 1, and the path.
fn describe(place: &JsonReaderPosition, base: TextPlace) -> String {
    let mut text = match place.line_pos {
        Some(at) => {
            let before = if at.line == 0 { base.column } else { 0 };
            format!(
                "line {}, column {}",
                base.line + at.line + 1,
                before + at.column + 1
            )
        }
        None => "unknown place".to_owned(),
    };
    let mut path = String::from("$");
    for piece in place.path.iter().flatten() {
        match piece {
            JsonPathPiece::ArrayItem(item) => path.push_str(&format!("[{item}]")),
            // This stands for an object whose first key is not read yet.
            JsonPathPiece::ObjectMember(name) if name == "<?>" => {}
            JsonPathPiece::ObjectMember(name) => push_name(&mut path, name),
        }
    }
    text.push_str(&format!(" ({})", cut(&path)));
    text
}

fn explain(kind: SyntaxErrorKind) -> String {
    match kind {
        SyntaxErrorKind::IncompleteDocument => "input ends before the value does".to_owned(),
        SyntaxErrorKind::MissingComma => "missing comma".to_owned(),
        SyntaxErrorKind::MissingColon => "missing colon".to_owned(),
        SyntaxErrorKind::TrailingCommaNotEnabled => "comma before a closing bracket".to_owned(),
        SyntaxErrorKind::MalformedNumber => "malformed number".to_owned(),
        other => {
            // The names of the kinds are in camel case.
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
