//! [`ParseError`].

use core::fmt;

/// The input is not diagnostic notation; the error has the place of the fault.
///
/// ```
/// let error = packord::notation::parse("[1,\n 300_u8]").unwrap_err();
/// assert_eq!((error.line(), error.column()), (2, 2));
/// assert_eq!(error.to_string(), "line 2, column 2: too large for its suffix");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    offset: usize,
    line: usize,
    column: usize,
    message: &'static str,
}

impl ParseError {
    /// `offset` must be that of a character of `text`, or its end.
    pub(super) fn new(text: &str, offset: usize, message: &'static str) -> ParseError {
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        ParseError {
            offset,
            line: 1 + before.bytes().filter(|&byte| byte == b'\n').count(),
            column: 1 + before[line_start..].chars().count(),
            message,
        }
    }

    /// Returns the offset of the fault in bytes.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the line of the fault, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// Returns the column of the fault in characters, from 1.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }

    /// Returns a sentence that says what is wrong.
    #[must_use]
    pub fn message(&self) -> &'static str {
        self.message
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl core::error::Error for ParseError {}
