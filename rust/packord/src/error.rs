//! What can go wrong, and where: [`Error`] and [`ErrorKind`] (`spec/errors.md`).

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;

/// The result of every fallible call of this crate.
///
/// ```
/// fn first(bytes: &[u8]) -> packord::Result<usize> {
///     packord::skip_value(bytes)
/// }
/// assert_eq!(first(b"\xa1a\xc0").ok(), Some(2));
/// ```
pub type Result<T> = core::result::Result<T, Error>;

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

            /// The name of the kind as the specification spells it: `invalid_utf8`.
            ///
            /// ```
            /// assert_eq!(packord::ErrorKind::InvalidUtf8.name(), "invalid_utf8");
            /// ```
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(ErrorKind::$variant => $name,)* }
            }

            /// One line that says what the kind means.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self { $(ErrorKind::$variant => $text,)* }
            }
        }
    };
}

kinds! {
    /// The input ends within a message, or a header announces more than the input can hold.
    Eof "eof" "the input ends within a message, or is too short for what a header announces";
    /// The marker `c1`, which is never valid.
    ReservedMarker "reserved_marker" "the marker c1 is never valid";
    /// A str, or a record's key, is not UTF-8.
    InvalidUtf8 "invalid_utf8" "a str is not UTF-8";
    /// Bytes after the message in a one-shot call.
    TrailingBytes "trailing_bytes" "there are bytes after the message";
    /// Containers nest deeper than `max_depth`.
    DepthLimit "depth_limit" "containers nest deeper than the limit";
    /// Something is longer than a limit allows.
    LengthLimit "length_limit" "longer than the limit";
    /// A key twice in a map or a record definition, where that is an error.
    DuplicateKey "duplicate_key" "the key is there already";
    /// A timestamp with a wrong length or more than 999 999 999 nanoseconds.
    InvalidTimestamp "invalid_timestamp" "not a valid timestamp";
    /// The payload of a registered ext type is malformed.
    InvalidExt "invalid_ext" "the payload of the ext is malformed";
    /// An ext type that is not registered, with the option `unknown_ext: error`.
    UnknownExt "unknown_ext" "the ext type is not registered";
    /// A record id without a definition.
    RecordUndefined "record_undefined" "the record id has no definition";
    /// A record definition that is not one.
    RecordMalformed "record_malformed" "not a valid record definition";
    /// A typed target wants another kind of value.
    TypeMismatch "type_mismatch" "another type of value is wanted here";
    /// An integer does not fit the target or the format.
    OutOfRange "out_of_range" "the number does not fit";
    /// Writing: a value of a type that has no encoding.
    UnsupportedType "unsupported_type" "values of this type have no encoding";
    /// Writing: a container contains itself.
    Cycle "cycle" "the container contains itself";
    /// Reading with `canonical`: an encoding that the canonical writer would not write.
    NotCanonical "not_canonical" "not the canonical encoding";
    /// Writing into a slice that is too short.
    BufferFull "buffer_full" "the value does not fit into the buffer";
    /// The underlying reader or writer failed; the cause is [`core::error::Error::source`].
    Io "io" "reading or writing failed";
    /// A type of the program refused the value; [`Error::message`] says why.
    Custom "custom" "the type refused the value";
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
/// use packord::{ErrorKind, from_slice};
///
/// let error = from_slice(b"\x81\xa4name\xa2\xc3\x28").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::InvalidUtf8);
/// assert_eq!(error.offset(), Some(7));
/// assert_eq!(error.path(), Some("$.name"));
/// assert_eq!(error.to_string(), "invalid_utf8 at byte 7 ($.name): a str is not UTF-8");
/// ```
pub struct Error(Stored);

/// One pointer where there is an allocator: results stay in registers, which small values are
/// read and written much faster for.
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
    message: Option<Box<str>>,
    #[cfg(feature = "std")]
    cause: Option<std::io::Error>,
}

impl Error {
    /// An error at a byte offset of the input, for decoders built upon this crate.
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

    /// An error without an offset, as writers report it.
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
            message: None,
            #[cfg(feature = "std")]
            cause: None,
        };
        #[cfg(feature = "alloc")]
        return Error(Box::new(content));
        #[cfg(not(feature = "alloc"))]
        Error(content)
    }

    /// The same error with a path, in the form of `spec/errors.md` section 1.
    ///
    /// ```
    /// use packord::{Error, ErrorKind};
    /// let error = Error::new(ErrorKind::OutOfRange).with_path("$.users[3]");
    /// assert_eq!(error.to_string(), "out_of_range at $.users[3]: the number does not fit");
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn with_path(mut self, path: impl Into<Box<str>>) -> Error {
        self.0.path = Some(path.into());
        self
    }

    /// The same error with words of its own in place of the kind's.
    ///
    /// ```
    /// use packord::{Error, ErrorKind};
    /// let error = Error::at(ErrorKind::TypeMismatch, 3).with_message("a colour is wanted");
    /// assert_eq!(error.to_string(), "type_mismatch at byte 3: a colour is wanted");
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn with_message(mut self, message: impl Into<Box<str>>) -> Error {
        self.0.message = Some(message.into());
        self
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The byte offset from the start of the input or stream; `None` when writing.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// The path to the value at fault, where it is known: `$.users[3].name`.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        #[cfg(feature = "alloc")]
        return self.0.path.as_deref();
        #[cfg(not(feature = "alloc"))]
        None
    }

    /// What a type of the program, or its derived code, says about the fault.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        #[cfg(feature = "alloc")]
        return self.0.message.as_deref();
        #[cfg(not(feature = "alloc"))]
        None
    }

    /// Whether the input ended too early, so that more bytes could help.
    ///
    /// ```
    /// assert!(packord::validate(b"\x92\x01").unwrap_err().is_eof());
    /// ```
    #[must_use]
    pub fn is_eof(&self) -> bool {
        self.kind() == ErrorKind::Eof
    }
}

#[cfg(feature = "alloc")]
impl Error {
    /// A copy without the cause, which cannot be copied.
    pub(crate) fn duplicate(&self) -> Error {
        let mut copy = Error::with_offset(self.kind(), self.offset());
        if let Some(path) = self.path() {
            copy = copy.with_path(path);
        }
        match self.message() {
            Some(message) => copy.with_message(message),
            None => copy,
        }
    }

    /// Gives the error an offset, unless it has one.
    #[cfg(feature = "serde")]
    #[cold]
    pub(crate) fn place(&mut self, offset: usize) {
        self.0.offset.get_or_insert(offset as u64);
    }

    /// The error with an offset.
    #[cfg(feature = "serde")]
    #[cold]
    pub(crate) fn placed(mut self, offset: usize) -> Error {
        self.place(offset);
        self
    }
}

#[cfg(feature = "std")]
impl Error {
    /// A failure of the underlying reader or writer.
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
        write!(
            f,
            ": {}",
            self.message().unwrap_or(self.kind().description())
        )?;
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
