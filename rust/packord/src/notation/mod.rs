//! Diagnostic notation: packed data as text, and back to the same bytes
//! (`spec/diagnostic-notation.md`).
//!
//! The notation is JSON for every value that JSON has, and marks what JSON cannot express.
//!
//! ```
//! use packord::notation;
//!
//! let bytes = b"\x83\xa4name\xa3ada\xa2id\xcd\x00\x07\xa3raw\xc4\x02\x00\xff";
//! let text = notation::to_text(bytes)?;
//! assert_eq!(text, r#"{"name": "ada", "id": 7_u16, "raw": h'00ff'}"#);
//! assert_eq!(notation::parse(&text).unwrap(), bytes);
//! # Ok::<(), packord::Error>(())
//! ```

mod error;
mod lex;
mod parse;
mod scalar;
mod suffix;
mod write;

use alloc::string::String;
use alloc::vec::Vec;

pub use error::ParseError;
pub use write::NotationWriter;

use crate::record::Table;
use crate::{DecodeOptions, Result, Structures, Value, Walker};

/// Returns the notation of a message, or of a stream with each message on a line of its own.
///
/// ```
/// assert_eq!(packord::notation::to_text(b"\x01\x91\xc0")?, "1\n[nil]");
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// The first fault in the bytes.
pub fn to_text(bytes: &[u8]) -> Result<String> {
    to_text_with(bytes, &DecodeOptions::new(), false)
}

/// Returns the notation like [`to_text`], with options of reading; `pretty` puts each element on a
/// line of its own. With the feature and the option `columns`, values that are stored by column are `columns(…)`.
///
/// ```
/// use packord::{DecodeOptions, notation};
///
/// let bytes = b"\x92\xd4\x72\x40\x91\xa1a\x01\x40\x02";
/// let text = notation::to_text_with(bytes, &DecodeOptions::new().records(true), false)?;
/// assert_eq!(text, r##"[#64["a"](1), #64(2)]"##);
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// The first fault in the bytes.
pub fn to_text_with(bytes: &[u8], options: &DecodeOptions, pretty: bool) -> Result<String> {
    let mut writer = NotationWriter::new(String::new())
        .records(options.rules().records)
        .columns(options.rules().has_columns())
        .pretty(pretty);
    let mut walker = Walker::with_options(bytes, options);
    while walker.next_message()? {
        while let Some(event) = walker.next()? {
            // Writing to a String cannot fail.
            let _ = writer.event(&event);
        }
    }
    Ok(writer.into_inner())
}

/// Returns the bytes of any number of messages in the notation.
///
/// ```
/// use packord::notation::parse;
/// assert_eq!(parse("[1, 2_u16,] // trailing commas and comments are fine").unwrap(), b"\x92\x01\xcd\x00\x02");
/// assert_eq!(parse("[1, oops]").unwrap_err().to_string(), "line 1, column 5: expected a value");
/// ```
///
/// # Errors
///
/// The first fault, with its place.
pub fn parse(text: &str) -> core::result::Result<Vec<u8>, ParseError> {
    parse_with(text, &ParseOptions::new())
}

/// Reads one value in the notation, as [`Display`](core::fmt::Display) of a value writes it.
///
/// ```
/// use packord::{Value, value};
/// let value: Value = r#"{"id": 7, "raw": h'00ff', "tags": [nil]}"#.parse()?;
/// assert_eq!(value["id"], 7);
/// assert_eq!(value.to_string().parse::<Value>()?, value);
/// assert_eq!("1 2".parse::<Value>().unwrap_err().to_string(), "line 1, column 3: expected one value");
/// # Ok::<(), packord::notation::ParseError>(())
/// ```
impl core::str::FromStr for Value {
    type Err = ParseError;

    fn from_str(text: &str) -> core::result::Result<Value, ParseError> {
        let bytes = parse::Parser::new(text, &ParseOptions::new()).one()?;
        // What can be written and not read: a str that is not UTF-8, a malformed timestamp.
        let options = DecodeOptions::new().max_depth(u32::MAX);
        let value = options.decode(&bytes);
        value.map_err(|error| ParseError::new(text, 0, error.kind().description()))
    }
}

/// Returns the bytes like [`parse`], with options for records.
///
/// ```
/// use packord::notation::{ParseOptions, parse_with};
/// let bytes = parse_with(r##"#64["a"](100)"##, &ParseOptions::new().records(true)).unwrap();
/// assert_eq!(bytes, b"\xd4\x72\x40\x91\xa1a\xcc\x64");
/// ```
///
/// # Errors
///
/// The first fault, with its place.
pub fn parse_with(text: &str, options: &ParseOptions) -> core::result::Result<Vec<u8>, ParseError> {
    parse::Parser::new(text, options).run()
}

/// Options of parsing: those with which the bytes will be read.
///
/// ```
/// use packord::notation::{ParseOptions, parse_with};
/// // While records are on, 64 to 127 are not written as fixints.
/// assert_eq!(parse_with("100", &ParseOptions::new()).unwrap(), b"\x64");
/// assert_eq!(parse_with("100", &ParseOptions::new().records(true)).unwrap(), b"\xcc\x64");
/// ```
#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    records: bool,
    sequential: bool,
    shared: Table,
}

impl ParseOptions {
    /// Returns the default options: records are off.
    #[must_use]
    pub fn new() -> ParseOptions {
        ParseOptions::default()
    }

    /// Whether records are on.
    #[must_use]
    pub fn records(mut self, on: bool) -> Self {
        self.records = on;
        self
    }

    /// Whether definitions are kept until the end of the stream.
    #[must_use]
    pub fn sequential(mut self, on: bool) -> Self {
        self.sequential = on;
        self
    }

    /// The structures that both sides know. This turns records on.
    #[must_use]
    pub fn shared_structures(mut self, structures: &Structures) -> Self {
        self.shared = Table::new(structures);
        self.records(true)
    }
}
