//! [`SerdeDecoder`]: reads values one by one, for visitors.

use super::access::{ArrayElements, MapEntries, RecordFields};
use super::by_option::ByOption;
use super::newtype::TaggedBytes;
use super::value::borrows_tree;
use crate::error::{Error, ErrorKind, Result, on_error};
use crate::ext::{BIGINT, bigint_value};
use crate::options::{DecodeOptions, Rules, SerdeForm, Utf8};
use crate::read::NativeStack;
use crate::read::Nothing;
use crate::read::check_depth;
use crate::read::tree::unkept;
use crate::read::{Container, FastDecoder, Fault, Passing, Pull, ValueDecoder};
use crate::record::{NamesLeft, RecordHead};
use crate::typed::Cursor;
use crate::value::{Integer, Sign};
use crate::walk::{Token, TokenSink};
use crate::wire::header::{Head, Header};
use crate::wire::item::{Item, item};
use crate::wire::{marker as m, utf8};
use ::serde::de::{DeserializeSeed, Visitor};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Reads the values of a message. Errors of visitors get the offset of the part of a container, or
/// of the message.
#[derive(Debug)]
pub(super) struct SerdeDecoder<'c, 'de> {
    pub input: &'de [u8],
    /// The same, or empty if there are more checks than the default ones. So one test covers both
    /// the bytes and the checks before a usual encoding is read.
    plain: &'de [u8],
    pub values: ValueDecoder,
    pub rules: &'c Rules,
    /// Present if there are more checks than the default ones.
    pub by_option: Option<&'static ByOption>,
    pub form: SerdeForm,
    /// Index of the last key.
    key: usize,
    pub names_left: NamesLeft,
    /// The names of the structure that was last defined for each index. A record within which its index is
    /// defined again keeps its own.
    defined: Vec<Arc<[&'de str]>>,
    /// The first error after which the position is within a value, or a value is known to be at fault. A
    /// type may drop such an error, but its message is not read then.
    failed: Option<Error>,
    stack: NativeStack,
}

pub(super) enum Wide<'de> {
    /// Whether it is negative, and its bits.
    Number(bool, u128),
    /// The 16 bytes of a bin, as which rmp-serde writes such integers: the type says the sign.
    Bits(u128),
    Other(Token<'de>),
}

/// A number that needed no further check.
enum Number {
    Unsigned(u64),
    Negative(i64),
    /// The bits of a float 64.
    Float(u64),
}

impl<'c, 'de> SerdeDecoder<'c, 'de> {
    #[inline(always)]
    pub fn new(
        input: &'de [u8],
        options: &'c DecodeOptions,
        form: SerdeForm,
        by_option: Option<&'static ByOption>,
    ) -> SerdeDecoder<'c, 'de> {
        let rules = &options.rules;
        let checked = rules.checked();
        debug_assert!(by_option.is_some() || !checked, "an option did not bring its code");
        let by_option = by_option.filter(|_| checked);
        SerdeDecoder {
            input,
            plain: if checked { &[] } else { input },
            values: ValueDecoder::new(by_option.and_then(|by| (by.records)(options))),
            rules,
            by_option,
            form,
            key: 0,
            names_left: NamesLeft::of_input(input.len()),
            defined: Vec::new(),
            failed: None,
            stack: NativeStack::UNKNOWN,
        }
    }

    /// Reads the next value; of a container only the header, which opens it.
    #[inline(never)]
    pub fn token(&mut self) -> Result<Token<'de>> {
        let token = match self.by_option {
            Some(by) => (by.token)(&mut self.values, self.input, self.rules),
            None => self.values.value::<false, _>(self.input, self.rules, &mut TokenSink),
        };
        token.map_err(|fault| self.broken(fault.into()))
    }

    /// Notes an error, and returns it.
    #[cold]
    #[inline(never)]
    pub fn broken(&mut self, error: Error) -> Error {
        self.unfinished(&error);
        error
    }

    /// Returns the outcome of a message, which is an error if a type has dropped one that matters.
    #[inline(always)]
    pub fn settled<T>(&mut self, outcome: Result<T>) -> Result<T> {
        match &self.failed {
            Some(failed) if outcome.is_ok() => Err(failed.duplicate()),
            _ => outcome,
        }
    }

    /// Moves to the end of the message that begins at `start` and could not be read, or to its start if
    /// that end is unknown.
    #[cold]
    #[inline(never)]
    pub fn pass_over(&mut self, start: usize) {
        self.values.begin(start);
        let mut passing = Passing::new(&self.values, 0);
        let outcome = match self.by_option {
            Some(by) => (by.pass)(&mut passing, self.input, start, &mut self.values, self.rules),
            None => passing.take::<false>(self.input, start, &mut self.values, self.rules),
        };
        let end = outcome.ok().filter(|_| passing.is_done());
        self.values.begin(end.unwrap_or(start));
        self.failed = None;
    }

    /// Returns the next value's marker.
    #[inline(always)]
    pub fn marker(&mut self) -> Result<u8> {
        match self.input.get(self.values.pos) {
            Some(&marker) => Ok(marker),
            None => Err(self.broken(Error::at(ErrorKind::Eof, self.input.len() as u64))),
        }
    }

    /// Reads the next value if it is in a usual encoding of its type, and only the default checks
    /// are on.
    #[inline(always)]
    pub fn quick<T>(&mut self, read: impl FnOnce(&mut Cursor<'de>) -> Option<T>) -> Option<T> {
        let mut cursor = Cursor::of(self.plain.get(self.values.pos..)?);
        let value = read(&mut cursor)?;
        self.values.take::<false>(self.plain.len() - cursor.left());
        Some(value)
    }

    /// Reads a str of up to 65,535 bytes if one is next, and only the default checks are on.
    #[inline(always)]
    pub fn short_str(&mut self) -> Result<Option<&'de str>> {
        let start = self.values.pos;
        let (header, len) = match self.plain.get(start..) {
            Some(&[marker, ..]) if marker & 0xe0 == m::FIXSTR => (1, usize::from(marker & 0x1f)),
            Some(&[m::STR8, len, ..]) => (2, usize::from(len)),
            Some(&[m::STR16, a, b, ..]) => (3, usize::from(u16::from_be_bytes([a, b]))),
            _ => return Ok(None),
        };
        let (values, input, rules) = (&mut self.values, self.input, self.rules);
        let outcome = match values.payload::<false>(input, rules, header, len, u32::MAX) {
            Ok(bytes) => utf8::check(bytes).map_err(|bad| Fault::new(ErrorKind::InvalidUtf8, start + header + bad)),
            Err(fault) => Err(fault),
        };
        outcome.map(Some).map_err(|fault| self.broken(fault.into()))
    }

    /// Reads a bin of up to 255 bytes if one is next, and only the default checks are on.
    #[inline(always)]
    pub fn short_bin(&mut self) -> Result<Option<&'de [u8]>> {
        match self.plain.get(self.values.pos..) {
            Some(&[m::BIN8, len, ..]) => {
                let (values, input, rules) = (&mut self.values, self.input, self.rules);
                let len = usize::from(len);
                match values.payload::<false>(input, rules, 2, len, u32::MAX) {
                    Ok(bytes) => Ok(Some(bytes)),
                    Err(fault) => Err(self.broken(fault.into())),
                }
            }
            _ => Ok(None),
        }
    }

    /// Takes nil if it is next. The end of the input, or an error in taking it, is reported by the
    /// next read.
    #[inline(always)]
    pub fn take_nil(&mut self) -> bool {
        match self.plain.get(self.values.pos) {
            Some(&marker) => {
                marker == m::NIL && {
                    self.values.take::<false>(self.values.pos + 1);
                    true
                }
            }
            None => self.take_nil_checked(),
        }
    }

    /// Takes nil or JavaScript's undefined if one is next. One place calls the checked reader, so that this
    /// stays small enough to be inlined with what reads the value.
    #[inline(always)]
    pub fn take_none(&mut self) -> bool {
        let at = self.values.pos;
        // Where `plain` has no marker, the checked reader decides, as for an ext.
        let marker = self.plain.get(at).copied().unwrap_or(m::FIXEXT1);
        if marker == m::NIL {
            self.values.take::<false>(at + 1);
            return true;
        }
        matches!(marker, m::EXT8..=m::EXT32 | m::FIXEXT1) && self.take_absent()
    }

    /// Takes the same with all checks.
    #[cold]
    #[inline(never)]
    fn take_absent(&mut self) -> bool {
        let rest = self.input.get(self.values.pos..).unwrap_or_default();
        let is_none = rest.first() == Some(&m::NIL) || crate::ext::at_undefined(rest);
        is_none && self.token().is_ok()
    }

    #[inline(never)]
    fn take_nil_checked(&mut self) -> bool {
        self.input.get(self.values.pos) == Some(&m::NIL) && self.token().is_ok()
    }

    /// Reads a number that is negative or has more bytes than its marker, if one is next, only the
    /// default checks are on, and at least 9 bytes are left. The code has no branch on the width of
    /// an integer, which is hard to predict.
    #[inline(always)]
    fn number(&mut self) -> Option<Number> {
        let start = self.values.pos;
        let (&marker, rest) = self.plain.get(start..)?.split_first()?;
        if marker >= m::NEGATIVE_FIXINT {
            self.values.take::<false>(start + 1);
            return Some(Number::Negative(i64::from(marker as i8)));
        }
        let word = u64::from_be_bytes(*rest.first_chunk()?);
        // The int markers are 4 above the uint markers.
        let format = marker.wrapping_sub(m::UINT8);
        if format < 8 {
            let width = 1 << (format & 3);
            let unused = 64 - 8 * width as u32;
            self.values.take::<false>(start + 1 + width);
            let signed = (word as i64) >> unused;
            return Some(if format < 4 || signed >= 0 {
                Number::Unsigned(word >> unused)
            } else {
                Number::Negative(signed)
            });
        }
        if marker == m::FLOAT64 {
            self.values.take::<false>(start + 9);
            return Some(Number::Float(word));
        }
        None
    }

    /// Opens a container with a header of one byte if one is next, and only the default checks are
    /// on. Returns its count.
    #[inline(always)]
    pub fn short_count(&mut self, fix: u8, kind: Container) -> Result<Option<usize>> {
        match self.plain.get(self.values.pos) {
            Some(&marker) if marker & 0xf0 == fix => {
                let count = u64::from(marker & 0x0f);
                let opened = self
                    .values
                    .open::<false>(self.input, self.rules, 1, kind, count, u32::MAX);
                match opened {
                    Ok(()) => Ok(Some(count as usize)),
                    Err(fault) => Err(self.broken(fault.into())),
                }
            }
            _ => Ok(None),
        }
    }

    /// Takes an empty container with a header of one byte if it is next and within the limits, and
    /// only the default checks are on.
    #[inline(always)]
    pub fn take_empty(&mut self, marker: u8) -> bool {
        let values = &mut self.values;
        let is = match self.plain.get(values.pos..) {
            Some([first, rest @ ..]) => {
                let fits = values.pending - 1 <= rest.len() as u64;
                let depth = u64::from(values.depth) + 1;
                *first == marker && fits && check_depth(depth, self.rules.max_depth).is_ok()
            }
            _ => false,
        };
        if is {
            values.take::<false>(values.pos + 1);
        }
        is
    }

    /// Passes any value to the visitor.
    #[inline(never)]
    pub fn any<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.values.pos;
        match self.plain.get(start).copied() {
            Some(0x00..=0x7f) => {
                if let Some(value) = self.quick(Cursor::uint::<1>) {
                    return visitor.visit_u64(value);
                }
            }
            Some(m::FIXSTR..=0xbf | m::STR8 | m::STR16) => match self.short_str() {
                Ok(Some(text)) => return visitor.visit_borrowed_str(text),
                Ok(None) => {}
                Err(fault) => return Err(self.refusal(fault, start, visitor)),
            },
            Some(m::FIXMAP..=0x8f) => match self.short_count(m::FIXMAP, Container::Map) {
                Ok(Some(count)) => return self.map(count, visitor),
                Ok(None) => {}
                Err(fault) => return Err(self.refusal(fault, start, visitor)),
            },
            Some(m::FIXARRAY..=0x9f) => match self.short_count(m::FIXARRAY, Container::Array) {
                Ok(Some(count)) => return self.array(count, None, visitor),
                Ok(None) => {}
                Err(fault) => return Err(self.refusal(fault, start, visitor)),
            },
            Some(m::NIL) => {
                self.values.take::<false>(start + 1);
                return visitor.visit_unit();
            }
            Some(m::FLOAT64 | m::UINT8..=m::INT64 | m::NEGATIVE_FIXINT..) => match self.number() {
                Some(Number::Unsigned(value)) => return visitor.visit_u64(value),
                Some(Number::Negative(value)) => return visitor.visit_i64(value),
                Some(Number::Float(bits)) => return visitor.visit_f64(f64::from_bits(bits)),
                None => {}
            },
            _ => {}
        }
        self.any_token(visitor)
    }

    /// Passes any value in any encoding, with all checks.
    #[inline(never)]
    fn any_token<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.values.pos;
        let (token, visitor) = self.token_for(visitor, |_| None)?;
        self.give(start, token, visitor)
    }

    pub fn give<V: Visitor<'de>>(&mut self, start: usize, token: Token<'de>, visitor: V) -> Result<V::Value> {
        match token {
            Token::Nil => visitor.visit_unit(),
            Token::Bool(value) => visitor.visit_bool(value),
            Token::Int(value) => give_int(value, visitor),
            Token::F32(value) => visitor.visit_f32(value),
            Token::F64(value) => visitor.visit_f64(value),
            Token::Str(text) => visitor.visit_borrowed_str(text),
            Token::BrokenStr(bytes) if self.rules.utf8 == Utf8::Raw => visitor.visit_borrowed_bytes(bytes),
            Token::BrokenStr(bytes) => {
                let end = self.values.pos;
                let outcome = visitor.visit_string(String::from_utf8_lossy(bytes).into());
                // A type that takes a str, but only from the input.
                on_error(outcome, |error: Error| match error.detail() {
                    Some(words) if words.starts_with("expected a str") && words.ends_with("found str") => {
                        unkept(end, bytes).into()
                    }
                    _ => error,
                })
            }
            Token::Bin(bytes) => visitor.visit_borrowed_bytes(bytes),
            Token::Ext(BIGINT, payload) if self.rules.bigint && bigint_value(payload).is_some() => {
                let value = bigint_value(payload).unwrap_or_default();
                match Integer::try_from(value) {
                    Ok(value) => give_int(value, visitor),
                    Err(_) if borrows_tree::<V>() => {
                        visitor.visit_newtype_struct(TaggedBytes::<Error>::new(self.tagged(start)))
                    }
                    Err(_) => visitor.visit_i128(value),
                }
            }
            Token::Ext(..) | Token::Timestamp(_) => {
                visitor.visit_newtype_struct(TaggedBytes::<Error>::new(self.tagged(start)))
            }
            Token::Array(count) => self.array(count, None, visitor),
            Token::Map(count) => self.map(count, visitor),
            Token::Record(head) => self.record(start, head, visitor),
            Token::End(_) => Err(Error::new(ErrorKind::TypeMismatch)),
        }
    }

    /// Returns the type and payload of the ext at `start`, which was read.
    fn tagged(&self, start: usize) -> &'de [u8] {
        let header = Header::of(self.input[start]).len();
        &self.input[start + header - 1..self.values.pos]
    }

    /// Reads an array. For a struct, `fields` is the number of its fields; further elements are
    /// then skipped, as unknown fields are, unless that is denied. For any other type they are an
    /// error.
    ///
    /// The outcome is changed in place and not destructured. Otherwise large types would be copied at each
    /// level. Small ones would be slow too: a load of another width than the store waits for it.
    pub fn array<V: Visitor<'de>>(&mut self, count: usize, fields: Option<usize>, visitor: V) -> Result<V::Value> {
        self.has_room()?;
        let mut elements = ArrayElements {
            decoder: self,
            left: count,
            nil: None,
            fields: fields.is_some(),
            lacks_second: count == 1 && fields == Some(2),
        };
        let mut outcome = visitor.visit_seq(&mut elements);
        let ArrayElements { left, nil, .. } = elements;
        if let Err(error) = &mut outcome {
            // The missing field is the one that was nil.
            if let (None, Some(nil)) = (error.offset(), nil) {
                *error = nil;
            }
            self.unfinished(error);
        } else if left == 0 {
            self.leave();
        } else if let Err(error) = self.surplus(left, fields.is_some()) {
            outcome = Err(error);
        } else {
            self.leave();
        }
        outcome
    }

    /// Reads the elements of an array other than a struct's, inlined: a tuple of two numbers then stays in
    /// registers.
    #[inline(always)]
    pub fn items<V: Visitor<'de>>(&mut self, count: usize, visitor: V) -> Result<V::Value> {
        self.has_room()?;
        let mut elements = ArrayElements {
            decoder: self,
            left: count,
            nil: None,
            fields: false,
            lacks_second: false,
        };
        let outcome = visitor.visit_seq(&mut elements);
        let left = elements.left;
        let value = match outcome {
            Ok(value) => value,
            Err(error) => return Err(self.broken(error)),
        };
        if left > 0 {
            self.surplus(left, false)?;
        }
        self.leave();
        Ok(value)
    }

    /// Notes the error of a container that was not read to its end.
    #[cold]
    #[inline(never)]
    pub fn unfinished(&mut self, error: &Error) {
        if self.failed.is_none() {
            self.failed = Some(error.duplicate());
        }
    }

    #[cold]
    fn surplus(&mut self, left: usize, fields: bool) -> Result<()> {
        if !fields || self.form.deny_surplus {
            let error = Error::new(ErrorKind::TypeMismatch);
            let error = error.with_detail("the array has more elements than the type");
            return Err(self.broken(error));
        }
        (0..left).try_for_each(|_| self.skip())
    }

    pub fn map<V: Visitor<'de>>(&mut self, count: usize, visitor: V) -> Result<V::Value> {
        self.has_room()?;
        let mut entries = MapEntries {
            decoder: self,
            left: count,
        };
        let mut outcome = visitor.visit_map(&mut entries);
        let left = entries.left;
        if let Err(error) = &mut outcome {
            // A field that occurs twice is reported at its second key.
            if error.kind() == ErrorKind::DuplicateKey {
                error.place(self.key);
            }
            self.unfinished(error);
        } else if left == 0 {
            self.leave();
        } else if let Err(error) = self.surplus_entries(left) {
            outcome = Err(error);
        } else {
            self.leave();
        }
        outcome
    }

    #[cold]
    fn surplus_entries(&mut self, left: usize) -> Result<()> {
        for _ in 0..left {
            self.key_begins();
            self.skip()?;
            self.key_ends()?;
            self.skip()?;
        }
        Ok(())
    }

    /// Returns the names of a definition that begins at `start`, as far as they are strs.
    fn names(&self, start: usize) -> Arc<[&'de str]> {
        let after = Head::at(self.input, start).map(|id| id.end + id.payload as usize);
        let list = after.and_then(|after| item(self.input, after));
        let (count, mut at) = match list {
            Some((Item::Array(count), at)) => (count, at),
            _ => (0, 0),
        };
        let names = (0..count).map_while(|_| {
            let (Item::Str(name), end) = item(self.input, at)? else {
                return None;
            };
            at = end;
            core::str::from_utf8(name).ok()
        });
        names.collect()
    }

    fn record<V: Visitor<'de>>(&mut self, start: usize, head: RecordHead, visitor: V) -> Result<V::Value> {
        self.has_room()?;
        let index = usize::from(head.index);
        if head.defined {
            if self.defined.len() <= index {
                self.defined.resize(index + 1, Arc::default());
            }
            self.defined[index] = self.names(start);
        }
        let count = head.structure.len();
        let mut fields = RecordFields {
            names: self.defined.get(index).cloned(),
            decoder: self,
            structure: head.structure,
            next: 0,
        };
        let outcome = visitor.visit_map(&mut fields);
        let next = fields.next;
        let value = outcome.map_err(|error| self.broken(error))?;
        for _ in next..count {
            self.skip()?;
        }
        self.leave();
        Ok(value)
    }

    /// Returns an error unless one more level of a recursive type is safe.
    #[inline(always)]
    pub fn has_room(&mut self) -> Result<()> {
        let room = self.stack.check();
        room.map_err(|kind| self.broken(Error::new(kind)))
    }

    pub fn leave(&mut self) {
        match self.by_option {
            Some(by) => (by.leave)(&mut self.values, self.rules),
            None => self.values.leave::<false>(self.rules),
        }
    }

    #[inline(always)]
    pub fn key_begins(&mut self) {
        self.key = self.values.pos;
        if let Some(by) = self.by_option {
            (by.key_begins)(&mut self.values, self.rules);
        }
    }

    #[inline(always)]
    pub fn key_ends(&mut self) -> Result<()> {
        match self.by_option {
            Some(by) => Ok((by.key_ends)(&mut self.values, self.input, self.rules)?),
            None => Ok(()),
        }
    }

    /// Reads a part of a container. Errors without an offset get that of the part.
    #[inline(always)]
    pub fn part<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let start = self.values.pos;
        let outcome = seed.deserialize(&mut *self);
        on_error(outcome, |error| self.placed(error, start))
    }

    /// Returns the error of the part at `start` with an offset, which the one that was noted gets too.
    #[cold]
    #[inline(never)]
    pub fn placed(&mut self, error: Error, start: usize) -> Error {
        if let Some(failed) = &mut self.failed {
            failed.place(start);
        }
        error.placed(start)
    }

    /// Skips and checks a whole value, without recursion.
    #[inline(never)]
    pub fn skip(&mut self) -> Result<()> {
        if let Some(rest) = self.plain.get(self.values.pos..) {
            let is_container = matches!(rest.first(), Some(m::FIXMAP..=0x9f | m::ARRAY16..=m::MAP32));
            let mut fast = FastDecoder::new(rest);
            if !is_container && fast.value(&mut Nothing).is_some() {
                let end = self.plain.len() - fast.rest.len();
                self.values.take::<false>(end);
                return Ok(());
            }
        }
        let outcome = match self.by_option {
            Some(by) => (by.skip)(&mut self.values, self.input, self.rules),
            None => Pull::within(&mut self.values, self.rules).finish_plain(self.input, self.rules),
        };
        outcome.map_err(|fault| self.broken(fault.into()))
    }

    /// Returns an integer of 128 bits: a plain one, or a bigint ext.
    pub fn wide(token: Token<'de>) -> Result<Wide<'de>> {
        match token {
            Token::Int(value) => Ok(Wide::Number(value.as_i128() < 0, value.as_i128() as u128)),
            Token::Ext(BIGINT, payload) => {
                let payload = crate::ext::shorten(payload);
                if let Some(value) = bigint_value(payload) {
                    return Ok(Wide::Number(value < 0, value as u128));
                }
                match payload {
                    [0, bits @ ..] if bits.len() == 16 => Ok(Wide::Number(
                        false,
                        bits.iter().fold(0, |sum, &byte| sum << 8 | u128::from(byte)),
                    )),
                    [] => Err(Error::new(ErrorKind::InvalidExt)),
                    _ => Err(Error::new(ErrorKind::OutOfRange)),
                }
            }
            Token::Bin(bytes) => match bytes.try_into() {
                Ok(bytes) => Ok(Wide::Bits(u128::from_be_bytes(bytes))),
                Err(_) => Ok(Wide::Other(Token::Bin(bytes))),
            },
            other => Ok(Wide::Other(other)),
        }
    }
}

#[inline(always)]
fn give_int<'de, V: Visitor<'de>>(value: Integer, visitor: V) -> Result<V::Value> {
    match value.sign() {
        Sign::Negative(value) => visitor.visit_i64(value),
        Sign::Positive(value) => visitor.visit_u64(value),
    }
}
