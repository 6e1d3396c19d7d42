//! What can go wrong, and where: [`Error`] and [`ErrorKind`] (`spec/errors.md`).

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;

/// The result of every fallible call of this crate. With two parameters it is the one of the standard
/// library, which `use packord::*` therefore does not hide.
///
/// ```
/// fn first(bytes: &[u8]) -> packord::Result<usize> {
///     packord::skip_value(bytes)
/// }
/// assert_eq!(first(b"\xa1a\xc0").ok(), Some(2));
/// ```
pub type Result<T, E = Error> = core::result::Result<T, E>;

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident $name:literal $text:literal;)*) => {
        /// What went wrong. The names are those of `spec/errors.md` section 2, the same in every
        /// language.
        ///
        /// ```
        /// let error = packord::validate(b"\xc1").unwrap_err();
        /// assert_eq!(error.kind(), packord::ErrorKind::ReservedMarker);
        /// assert_eq!(error.kind().name(), "reserved_marker");
        /// ```
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ErrorKind { $($(#[$doc])* $variant,)* }

        impl ErrorKind {
            /// Every kind, in the order of the specification.
            pub const ALL: &'static [ErrorKind] = &[$(ErrorKind::$variant),*];

            /// Returns the name of the kind as the specification spells it: `invalid_utf8`.
            ///
            /// ```
            /// assert_eq!(packord::ErrorKind::InvalidUtf8.name(), "invalid_utf8");
            /// ```
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(ErrorKind::$variant => $name,)* }
            }

            /// Returns the sentence of `spec/errors.md` section 2 that describes the kind, the same
            /// in every language.
            ///
            /// ```
            /// assert_eq!(packord::ErrorKind::Cycle.description(), "container contains itself");
            /// ```
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self { $(ErrorKind::$variant => $text,)* }
            }
        }
    };
}

kinds! {
    /// The input ends within a message, or a header announces more than the input can hold.
    Eof "eof" "input ends before the message does";
    /// The marker `c1`, which is never valid.
    ReservedMarker "reserved_marker" "marker c1 is reserved";
    /// A str, or a record's key, is not UTF-8.
    InvalidUtf8 "invalid_utf8" "str is not valid UTF-8";
    /// Bytes after the message in a one-shot call.
    TrailingBytes "trailing_bytes" "bytes follow the message";
    /// Containers nest deeper than `max_depth`.
    DepthLimit "depth_limit" "nesting exceeds the depth limit";
    /// A value is longer than a limit allows.
    LengthLimit "length_limit" "value exceeds a length limit";
    /// A key twice in a map or a record definition, where that is an error.
    DuplicateKey "duplicate_key" "key occurs twice";
    /// A timestamp with a wrong length or more than 999 999 999 nanoseconds.
    InvalidTimestamp "invalid_timestamp" "timestamp is malformed";
    /// The payload of a registered ext type is malformed.
    InvalidExt "invalid_ext" "ext payload is malformed";
    /// A container file (`spec/container.md`) breaks a rule of its own: its beginning, marks, checksums, counts or chunks.
    InvalidContainer "invalid_container" "container file is malformed";
    /// An ext type that is not registered, with the option `unknown_ext: error`.
    UnknownExt "unknown_ext" "ext type is not registered";
    /// A record id without a definition.
    RecordUndefined "record_undefined" "record id has no definition";
    /// A malformed record definition.
    RecordMalformed "record_malformed" "record definition is malformed";
    /// A typed target expects another type of value.
    TypeMismatch "type_mismatch" "value has an unexpected type";
    /// An integer does not fit the target or the format.
    OutOfRange "out_of_range" "number is out of range";
    /// Writing: a value of a type that has no encoding.
    UnsupportedType "unsupported_type" "type has no encoding";
    /// Writing: a container contains itself.
    Cycle "cycle" "container contains itself";
    /// Reading with `canonical`: an encoding that the canonical writer would not write.
    NotCanonical "not_canonical" "encoding is not canonical";
    /// Writing into a slice that is too short.
    BufferFull "buffer_full" "buffer is too short for the value";
    /// The underlying reader or writer failed; the cause is [`core::error::Error::source`].
    Io "io" "reading or writing failed";
    /// A type of the program refused the value; [`Error::detail`] says why.
    Custom "custom" "type refused the value";
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A failure: its [kind](Error::kind), the byte [offset](Error::offset) when reading, and the
/// [path](Error::path) to the value at fault where it is known.
///
/// ```
/// use packord::{ErrorKind, Value, from_slice};
///
/// let error = from_slice::<Value>(b"\x81\xa4name\xa2\xc3\x28").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::InvalidUtf8);
/// assert_eq!(error.offset(), Some(7));
/// assert_eq!(error.path(), Some("$.name"));
/// assert_eq!(error.to_string(), "invalid_utf8 at byte 7 ($.name): str is not valid UTF-8");
/// ```
pub struct Error(Stored);

/// One pointer where there is an allocator: results then stay in registers, which makes reading and
/// writing small values much faster.
#[cfg(feature = "alloc")]
type Stored = Box<Content>;
#[cfg(not(feature = "alloc"))]
type Stored = Content;

struct Content {
    kind: ErrorKind,
    offset: Option<u64>,
    #[cfg(feature = "alloc")]
    path: Option<Box<str>>,
    #[cfg(feature = "alloc")]
    detail: Option<Box<str>>,
    #[cfg(feature = "std")]
    cause: Option<std::io::Error>,
}

impl Error {
    /// Returns an error at a byte offset of the input, for decoders built on this crate.
    ///
    /// ```
    /// use packord::{Error, ErrorKind};
    /// let error = Error::at(ErrorKind::TypeMismatch, 12);
    /// assert_eq!(error.offset(), Some(12));
    /// ```
    #[cold]
    #[must_use]
    pub fn at(kind: ErrorKind, offset: u64) -> Error {
        Error::with_offset(kind, Some(offset))
    }

    /// Returns an error without an offset, as writers report it.
    #[cold]
    #[must_use]
    pub fn new(kind: ErrorKind) -> Error {
        Error::with_offset(kind, None)
    }

    fn with_offset(kind: ErrorKind, offset: Option<u64>) -> Error {
        let content = Content {
            kind,
            offset,
            #[cfg(feature = "alloc")]
            path: None,
            #[cfg(feature = "alloc")]
            detail: None,
            #[cfg(feature = "std")]
            cause: None,
        };
        #[cfg(feature = "alloc")]
        return Error(Box::new(content));
        #[cfg(not(feature = "alloc"))]
        Error(content)
    }

    /// Returns the error with a path, in the form of `spec/errors.md` section 1. A path of more
    /// than 256 bytes is cut, and `…` is added.
    ///
    /// ```
    /// use packord::{Error, ErrorKind};
    /// let error = Error::new(ErrorKind::OutOfRange).with_path("$.users[3]");
    /// assert_eq!(error.to_string(), "out_of_range at $.users[3]: number is out of range");
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn with_path(mut self, path: impl Into<Box<str>>) -> Error {
        let path = path.into();
        self.0.path = Some(match shortened(&path) {
            Some(short) => short.into(),
            None => path,
        });
        self
    }

    /// Returns the error with a detail, which follows the kind's description in the message.
    ///
    /// ```
    /// use packord::{Error, ErrorKind};
    /// let error = Error::new(ErrorKind::LengthLimit).with_detail("max_str_len is 100");
    /// assert_eq!(
    ///     error.to_string(),
    ///     "length_limit: value exceeds a length limit: max_str_len is 100"
    /// );
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<Box<str>>) -> Error {
        self.0.detail = Some(detail.into());
        self
    }

    /// Returns what went wrong.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the byte offset from the start of the input or stream; `None` when writing.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// Returns the path of the value at fault, where it is known: `$.users[3].name`. It is at most
    /// 256 bytes long; a longer one is cut, and `…` is added.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        #[cfg(feature = "alloc")]
        return self.0.path.as_deref();
        #[cfg(not(feature = "alloc"))]
        None
    }

    /// Returns the details: what a typed target expected and
    /// found, or what a type of the program says.
    ///
    /// ```
    /// use packord::Unpackable;
    /// let error = u8::unpack(b"\xa1a").unwrap_err();
    /// assert_eq!(error.detail(), Some("expected an integer, found str"));
    /// ```
    #[must_use]
    pub fn detail(&self) -> Option<&str> {
        #[cfg(feature = "alloc")]
        return self.0.detail.as_deref();
        #[cfg(not(feature = "alloc"))]
        None
    }

    /// Returns whether the input ended too early, so that more bytes could help.
    ///
    /// ```
    /// assert!(packord::validate(b"\x92\x01").unwrap_err().is_eof());
    /// ```
    #[must_use]
    pub fn is_eof(&self) -> bool {
        self.kind() == ErrorKind::Eof
    }
}

/// The longest path or name in an error, in bytes.
#[cfg(feature = "alloc")]
const MAX_SHOWN: usize = 256;

/// Returns the string cut after the last whole character within 256 bytes, with `…` added, or `None`
/// if it is not longer. So a message is short whatever the keys of the input are.
#[cfg(feature = "alloc")]
#[cold]
pub(crate) fn shortened(text: &str) -> Option<alloc::string::String> {
    if text.len() <= MAX_SHOWN {
        return None;
    }
    let mut end = MAX_SHOWN;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut short = alloc::string::String::with_capacity(end + '…'.len_utf8());
    short.push_str(&text[..end]);
    short.push('…');
    Some(short)
}

#[cfg(feature = "alloc")]
impl Error {
    /// Returns a copy without the cause, which cannot be copied.
    pub(crate) fn duplicate(&self) -> Error {
        let mut copy = Error::with_offset(self.kind(), self.offset());
        copy.0.path.clone_from(&self.0.path);
        copy.0.detail.clone_from(&self.0.detail);
        copy
    }

    /// Returns the error at another offset, without its path.
    #[cold]
    pub(crate) fn moved(mut self, offset: u64) -> Error {
        self.0.offset = Some(offset);
        self.0.path = None;
        self
    }

    /// Sets the offset, unless the error has one.
    #[cfg(any(feature = "columns", feature = "serde"))]
    #[cold]
    pub(crate) fn place(&mut self, offset: usize) {
        self.0.offset.get_or_insert(offset as u64);
    }

    /// Returns the error with an offset: its own, or this one.
    #[cfg(any(feature = "columns", feature = "serde"))]
    #[cold]
    pub(crate) fn placed(mut self, offset: usize) -> Error {
        self.place(offset);
        self
    }
}

/// Changes the error of an outcome. A small value is moved, so that it can stay in registers: to load
/// it again in another width than it was stored in would wait for the store. A large one is not, as it
/// would be copied at each level.
#[cfg(feature = "serde")]
#[inline(always)]
pub(crate) fn on_error<T>(outcome: Result<T>, change: impl FnOnce(Error) -> Error) -> Result<T> {
    if size_of::<T>() <= 32 {
        return outcome.map_err(change);
    }
    let mut outcome = outcome;
    if let Err(error) = &mut outcome {
        let taken = core::mem::replace(error, Error::new(error.kind()));
        *error = change(taken);
    }
    outcome
}

#[cfg(feature = "std")]
impl Error {
    pub(crate) fn io(cause: std::io::Error, offset: u64) -> Error {
        let mut error = Error::at(ErrorKind::Io, offset);
        error.0.cause = Some(cause);
        error
    }
}

/// An I/O error keeps its own kind; the end of the input is `UnexpectedEof`, all else
/// `InvalidData`.
#[cfg(feature = "std")]
impl From<Error> for std::io::Error {
    fn from(mut error: Error) -> std::io::Error {
        use std::io::ErrorKind as Kind;
        if let Some(cause) = error.0.cause.take() {
            return cause;
        }
        let kind = if error.is_eof() {
            Kind::UnexpectedEof
        } else {
            Kind::InvalidData
        };
        std::io::Error::new(kind, error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind().name())?;
        match (self.offset(), self.path()) {
            (Some(offset), Some(path)) => write!(f, " at byte {offset} ({path})")?,
            (Some(offset), None) => write!(f, " at byte {offset}")?,
            (None, Some(path)) => write!(f, " at {path}")?,
            (None, None) => {}
        }
        write!(f, ": {}", self.kind().description())?;
        if let Some(detail) = self.detail() {
            write!(f, ": {detail}")?;
        }
        #[cfg(feature = "std")]
        if let Some(cause) = &self.0.cause {
            write!(f, ": {cause}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

/// Kind, offset and path are compared.
impl PartialEq for Error {
    fn eq(&self, other: &Error) -> bool {
        (self.kind(), self.offset(), self.path()) == (other.kind(), other.offset(), other.path())
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        #[cfg(feature = "std")]
        return self.0.cause.as_ref().map(|cause| cause as _);
        #[cfg(not(feature = "std"))]
        None
    }
}
