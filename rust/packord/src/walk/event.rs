//! The events of a [`Walker`](super::Walker).

use crate::ext::Timestamp;
use crate::read::{Container, PullStep, Role, ValueSink, makes};
#[cfg(feature = "alloc")]
use crate::record::RecordHead;
use crate::value::Integer;
use crate::wire::header::Header;

/// One value, or the end of a container.
///
/// ```
/// use packord::{Role, Token, Walker};
/// let mut walker = Walker::new(b"\x91\xc3");
/// walker.next()?;
/// let event = walker.next()?.unwrap();
/// assert_eq!((event.offset, event.depth, event.role), (1, 1, Role::Element));
/// assert_eq!((event.bytes, event.token), (&b"\xc3"[..], Token::Bool(true)));
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Event<'a> {
    /// Offset of the first byte, from the start of the input or stream.
    pub offset: u64,
    /// The bytes of the value: header and payload; of a container its header only; of a record
    /// its id, or its whole definition; of an end nothing.
    pub bytes: &'a [u8],
    /// Number of containers around the value. A container's end has the depth of its start.
    pub depth: usize,
    /// The place of the value in its container.
    pub role: Role,
    /// The type and content.
    pub token: Token<'a>,
}

impl<'a> Event<'a> {
    /// Returns the event of a step, after which `depth` containers are open.
    #[inline(always)]
    pub(crate) fn of(offset: u64, bytes: &'a [u8], step: PullStep<Token<'a>>, depth: usize) -> Event<'a> {
        let (token, role) = match step {
            PullStep::Value(token, role) => (token, role),
            PullStep::End(kind, role) => (Token::End(kind), role),
        };
        Event {
            offset,
            bytes,
            depth: depth - usize::from(token.opens()),
            role,
            token,
        }
    }

    /// Returns the first byte, or `None` at an end.
    #[must_use]
    pub fn marker(&self) -> Option<u8> {
        self.bytes.first().copied()
    }

    /// Returns the length of the header: marker, length or count, ext type. The header of a record
    /// is its id, or the ext header and the id of a definition; the keys follow.
    ///
    /// ```
    /// let event = packord::Walker::new(b"\xd9\x02hi").next()?.unwrap();
    /// assert_eq!((event.header_len(), event.payload()), (2, &b"hi"[..]));
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn header_len(&self) -> usize {
        #[cfg(feature = "alloc")]
        if let Token::Record(head) = &self.token {
            return 1 + usize::from(head.two_byte) + if head.defined { 2 } else { 0 };
        }
        self.marker().map_or(0, |marker| Header::of(marker).len())
    }

    /// Returns the bytes after the header: those of a number, the payload of a str, bin or ext, the
    /// keys of a definition.
    #[must_use]
    pub fn payload(&self) -> &'a [u8] {
        &self.bytes[self.header_len()..]
    }
}

/// The type and content of a value.
///
/// ```
/// use packord::{Container, Token, Walker};
/// let mut walker = Walker::new(b"\x91\xa1a");
/// let mut tokens = Vec::new();
/// while let Some(event) = walker.next()? {
///     tokens.push(event.token);
/// }
/// assert_eq!(tokens, [Token::Array(1), Token::Str("a"), Token::End(Container::Array)]);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Token<'a> {
    /// nil.
    Nil,
    /// A boolean.
    Bool(bool),
    /// An integer in any format.
    Int(Integer),
    /// A float 32.
    F32(f32),
    /// A float 64.
    F64(f64),
    /// A str.
    Str(&'a str),
    /// A str that is not UTF-8, if [`Utf8`](crate::Utf8) accepts it.
    BrokenStr(&'a [u8]),
    /// A bin.
    Bin(&'a [u8]),
    /// An ext: type and payload.
    Ext(i8, &'a [u8]),
    /// A timestamp in any of its formats.
    Timestamp(Timestamp),
    /// The start of an array, with the number of its elements.
    Array(usize),
    /// The start of a map, with the number of its entries. Keys and values alternate.
    Map(usize),
    /// The start of a record. One value follows for each key of its structure.
    #[cfg(feature = "alloc")]
    Record(RecordHead),
    /// The end of the innermost container.
    End(Container),
}

impl Token<'_> {
    /// Returns whether a container begins.
    #[must_use]
    pub fn opens(&self) -> bool {
        #[cfg(feature = "alloc")]
        if let Token::Record(_) = self {
            return true;
        }
        matches!(self, Token::Array(_) | Token::Map(_))
    }
}

/// A token without the bytes that it borrows. They are the last bytes of the event; the token has
/// their number.
#[cfg(feature = "std")]
pub(crate) enum Placed {
    Owned(Token<'static>),
    Str(usize),
    BrokenStr(usize),
    Bin(usize),
    Ext(usize),
}

#[cfg(feature = "std")]
impl Placed {
    /// Returns the token with the bytes of the event.
    pub fn token(self, bytes: &[u8]) -> Token<'_> {
        let last = |len| &bytes[bytes.len() - len..];
        match self {
            Placed::Owned(token) => token,
            Placed::Str(len) => match crate::wire::utf8::check(last(len)) {
                Ok(text) => Token::Str(text),
                Err(_) => Token::BrokenStr(last(len)),
            },
            Placed::BrokenStr(len) => Token::BrokenStr(last(len)),
            Placed::Bin(len) => Token::Bin(last(len)),
            Placed::Ext(len) => TokenSink.ext(last(len)),
        }
    }
}

/// Returns [`Placed`] tokens, for input that may move while it is read.
#[cfg(feature = "std")]
pub(crate) struct PlaceSink;

#[cfg(feature = "std")]
impl ValueSink<'_> for PlaceSink {
    type Out = Placed;
    makes! {
        nil() => Placed::Owned(Token::Nil);
        bool(value: bool) => Placed::Owned(Token::Bool(value));
        int(value: Integer) => Placed::Owned(Token::Int(value));
        f32(bits: u32) => Placed::Owned(Token::F32(f32::from_bits(bits)));
        f64(bits: u64) => Placed::Owned(Token::F64(f64::from_bits(bits)));
        str(text: &str) => Placed::Str(text.len());
        broken_str(bytes: &[u8]) => Placed::BrokenStr(bytes.len());
        bin(bytes: &[u8]) => Placed::Bin(bytes.len());
        ext(tagged: &[u8]) => Placed::Ext(tagged.len());
        timestamp(at: Timestamp) => Placed::Owned(Token::Timestamp(at));
        array(count: usize) => Placed::Owned(Token::Array(count));
        map(count: usize) => Placed::Owned(Token::Map(count));
        record(head: RecordHead) => Placed::Owned(Token::Record(head));
    }
}

pub(crate) struct TokenSink;

impl<'a> ValueSink<'a> for TokenSink {
    type Out = Token<'a>;
    makes! {
        nil() => Token::Nil;
        bool(value: bool) => Token::Bool(value);
        int(value: Integer) => Token::Int(value);
        f32(bits: u32) => Token::F32(f32::from_bits(bits));
        f64(bits: u64) => Token::F64(f64::from_bits(bits));
        str(text: &'a str) => Token::Str(text);
        broken_str(bytes: &'a [u8]) => Token::BrokenStr(bytes);
        bin(bytes: &'a [u8]) => Token::Bin(bytes);
        timestamp(at: Timestamp) => Token::Timestamp(at);
        array(count: usize) => Token::Array(count);
        map(count: usize) => Token::Map(count);
        #[cfg(feature = "alloc")]
        record(head: RecordHead) => Token::Record(head);
    }
    fn ext(&mut self, tagged: &'a [u8]) -> Token<'a> {
        let (kind, payload) = tagged.split_first().unwrap_or((&0, tagged));
        Token::Ext(*kind as i8, payload)
    }
}
