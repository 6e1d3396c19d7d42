//! Finds where a message ends without building it, and goes on where the bytes ran out.
//!
//! It makes the checks of `spec/format.md` 5.2 that need no values: those of keys and of canonical
//! form are left to the reader proper. It uses no stack, and looks at each byte once however the
//! bytes arrive.

use std::collections::HashMap;

use crate::errors::{Failure, Kind};
use crate::ext::timestamp;
use crate::options::{self, DecodeOptions, Utf8};
use crate::record::{Structures, index_of};
use crate::wire::marker::*;
use crate::wire::text::first_ill_formed;

/// What the bytes at hand are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// A whole message, which ends here.
    Message(usize),
    /// The beginning of one.
    More,
    /// A fault, at this offset.
    Fault(Kind, usize),
}

/// A step that could not be made, and left everything as it was.
enum Stop {
    More,
    Fault(Kind, usize),
}

type Step<T = ()> = Result<T, Stop>;

/// Where the scan of one message stands. Offsets count from the message's first byte.
pub struct Scanner {
    at: usize,
    /// Values that are announced and have not begun.
    pending: usize,
    /// For each open container, how many of its values have not begun.
    open: Vec<usize>,
    /// The most that were open at once.
    deepest: usize,
    nodes: usize,
    /// A definition whose keys are being scanned.
    keys: Option<KeyList>,
    /// The counts of keys of structures that this message has defined.
    defined: HashMap<usize, usize>,
    two_byte: Option<u32>,
}

struct KeyList {
    definition: usize,
    low: u8,
    high: Option<u8>,
    count: usize,
    left: usize,
}

impl Default for Scanner {
    fn default() -> Scanner {
        Scanner {
            at: 0,
            pending: 1,
            open: Vec::new(),
            deepest: 0,
            nodes: 0,
            keys: None,
            defined: HashMap::new(),
            two_byte: None,
        }
    }
}

/// The bytes at hand, with what is needed to judge them.
struct Input<'a> {
    bytes: &'a [u8],
    options: &'a DecodeOptions,
    structures: Option<&'a Structures>,
    /// Whether `max_buffer` counts.
    buffered: bool,
}

impl Input<'_> {
    fn byte(&self, at: usize) -> Step<u8> {
        self.bytes.get(at).copied().ok_or(Stop::More)
    }

    /// Whether what ends at `end` fits into `max_buffer`; if not, `at` is at fault.
    fn within(&self, at: usize, end: usize) -> Step {
        if self.buffered && end > self.options.max_buffer {
            return Err(Stop::Fault(Kind::LengthLimit, at));
        }
        Ok(())
    }

    /// An unsigned number of 1, 2 or 4 bytes.
    fn uint(&self, at: usize, size: usize) -> Step<usize> {
        let bytes = self.bytes.get(at..at + size).ok_or(Stop::More)?;
        Ok(bytes
            .iter()
            .fold(0, |number, &byte| number << 8 | usize::from(byte)))
    }
}

impl Scanner {
    /// Goes on. `bytes` are those of the message at hand, from its first one on: each time at least
    /// as many as the last time.
    pub fn scan(
        &mut self,
        bytes: &[u8],
        options: &DecodeOptions,
        structures: Option<&Structures>,
    ) -> Found {
        self.run(&Input {
            bytes,
            options,
            structures,
            buffered: true,
        })
    }

    fn run(&mut self, input: &Input<'_>) -> Found {
        loop {
            let step = if self.keys.is_some() {
                self.key(input)
            } else if self.pending == 0 {
                return Found::Message(self.at);
            } else {
                self.value(input)
            };
            match step {
                Ok(()) => {}
                Err(Stop::More) => return Found::More,
                Err(Stop::Fault(kind, at)) => return Found::Fault(kind, at),
            }
        }
    }

    /// One value's header, and its payload.
    fn value(&mut self, input: &Input<'_>) -> Step {
        let at = self.at;
        let marker = input.byte(at)?;
        if marker == RESERVED {
            return Err(Stop::Fault(Kind::ReservedMarker, at));
        }
        input.within(at, at + header_size(marker))?;
        if let (0x40..=0x7f, Some(structures)) = (marker, input.structures) {
            if let Some((length, count)) = self.record(input, structures, marker)? {
                return self.container(input, length, count, count, input.options.max_map_len);
            }
        }
        let options = input.options;
        match marker {
            0x80..=0x8f => self.map(input, 1, usize::from(marker & 0x0f)),
            0x90..=0x9f => self.array(input, 1, usize::from(marker & 0x0f)),
            ARRAY16 => self.array(input, 3, input.uint(at + 1, 2)?),
            ARRAY32 => self.array(input, 5, input.uint(at + 1, 4)?),
            MAP16 => self.map(input, 3, input.uint(at + 1, 2)?),
            MAP32 => self.map(input, 5, input.uint(at + 1, 4)?),
            0xa0..=0xbf => self.str(input, 1, usize::from(marker & 0x1f)),
            0xd9..=0xdb => {
                let size = 1 << (marker - STR8);
                self.str(input, 1 + size, input.uint(at + 1, size)?)
            }
            0xc4..=0xc6 => {
                let size = 1 << (marker - BIN8);
                let length = input.uint(at + 1, size)?;
                self.note(input)?;
                self.payload(input, 1 + size, length, options.max_bin_len)?;
                self.pass(1 + size + length);
                Ok(())
            }
            0xc7..=0xc9 => {
                let size = 1 << (marker - EXT8);
                self.ext(input, marker, 1 + size, input.uint(at + 1, size)?)
            }
            FIXEXT1..=0xd8 => self.ext(input, marker, 1, 1 << (marker - FIXEXT1)),
            _ => {
                let length = header_size(marker);
                if at + length > input.bytes.len() {
                    return Err(Stop::More);
                }
                self.note(input)?;
                self.pass(length);
                Ok(())
            }
        }
    }

    /// Whether one more value is allowed.
    fn note(&self, input: &Input<'_>) -> Step {
        if self.nodes >= input.options.max_nodes {
            return Err(Stop::Fault(Kind::LengthLimit, self.at));
        }
        Ok(())
    }

    /// A value without values in it has been scanned.
    fn pass(&mut self, length: usize) {
        self.at += length;
        self.nodes += 1;
        self.pending -= 1;
        self.began();
    }

    /// One of the innermost container's values has begun and, as a container, is not open yet.
    fn began(&mut self) {
        if let Some(last) = self.open.last_mut() {
            *last -= 1;
        }
        self.close();
    }

    /// Leaves the containers all of whose values have been scanned.
    fn close(&mut self) {
        while self.open.last() == Some(&0) {
            self.open.pop();
        }
    }

    fn array(&mut self, input: &Input<'_>, header: usize, count: usize) -> Step {
        self.container(input, header, count, count, input.options.max_array_len)
    }

    fn map(&mut self, input: &Input<'_>, header: usize, count: usize) -> Step {
        self.container(input, header, count, 2 * count, input.options.max_map_len)
    }

    fn container(
        &mut self,
        input: &Input<'_>,
        header: usize,
        count: usize,
        values: usize,
        limit: usize,
    ) -> Step {
        self.note(input)?;
        self.depth(input)?;
        if count > limit {
            return Err(Stop::Fault(Kind::LengthLimit, self.at));
        }
        let pending = self.pending - 1 + values;
        announce(input, self.at, self.at + header, pending)?;
        self.at += header;
        self.nodes += 1;
        self.pending = pending;
        self.enter(values);
        Ok(())
    }

    fn depth(&self, input: &Input<'_>) -> Step {
        if self.open.len() >= input.options.max_depth {
            return Err(Stop::Fault(Kind::DepthLimit, self.at));
        }
        Ok(())
    }

    fn enter(&mut self, values: usize) {
        // The container counts as begun in the one around it, which stays open until it is done.
        if let Some(last) = self.open.last_mut() {
            *last -= 1;
        }
        self.open.push(values);
        self.deepest = self.deepest.max(self.open.len());
        self.close();
    }

    /// The payload of a str, bin or ext must be whole.
    fn payload(&self, input: &Input<'_>, header: usize, length: usize, limit: usize) -> Step {
        let end = self.at + header + length;
        if length > limit {
            return Err(Stop::Fault(Kind::LengthLimit, self.at));
        }
        input.within(self.at, end)?;
        if end > input.bytes.len() {
            Err(Stop::More)
        } else {
            Ok(())
        }
    }

    fn str(&mut self, input: &Input<'_>, header: usize, length: usize) -> Step {
        self.note(input)?;
        self.text(input, header, length, input.options.utf8 == Utf8::Error)?;
        self.pass(header + length);
        Ok(())
    }

    /// `strict`: ill-formed UTF-8 is a fault.
    fn text(&self, input: &Input<'_>, header: usize, length: usize, strict: bool) -> Step {
        self.payload(input, header, length, input.options.max_str_len)?;
        let start = self.at + header;
        if strict {
            if let Some(place) = first_ill_formed(&input.bytes[start..start + length]) {
                return Err(Stop::Fault(Kind::InvalidUtf8, start + place));
            }
        }
        Ok(())
    }

    /// `header`: up to the ext type.
    fn ext(&mut self, input: &Input<'_>, marker: u8, header: usize, length: usize) -> Step {
        let code = input.byte(self.at + header)? as i8;
        if code == RECORD && input.structures.is_some() {
            return self.definition(input, marker);
        }
        let header = header + 1;
        self.note(input)?;
        self.payload(input, header, length, input.options.max_ext_len)?;
        let start = self.at + header;
        if code == TIMESTAMP && timestamp::unpack(&input.bytes[start..start + length]).is_none() {
            return Err(Stop::Fault(Kind::InvalidTimestamp, self.at));
        }
        self.pass(header + length);
        Ok(())
    }

    /// Header length and count of fields of the record that an id begins; `None` for an integer.
    fn record(
        &self,
        input: &Input<'_>,
        structures: &Structures,
        low: u8,
    ) -> Step<Option<(usize, usize)>> {
        let two_byte = match self.two_byte {
            Some(flags) => low >= 0x60 && flags & 1 << (low - 0x60) != 0,
            None => structures.is_two_byte(low),
        };
        let undefined = Stop::Fault(Kind::RecordUndefined, self.at);
        if two_byte {
            input.within(self.at, self.at + 2)?;
            let high = input.byte(self.at + 1)?;
            let count = if high == 0xff {
                None
            } else {
                self.count(structures, index_of(low, high))
            };
            return Ok(Some((2, count.ok_or(undefined)?)));
        }
        match self.count(structures, index_of(low, 0)) {
            Some(count) => Ok(Some((1, count))),
            None if input.options.undefined_record_error => Err(undefined),
            None => Ok(None),
        }
    }

    fn count(&self, structures: &Structures, index: usize) -> Option<usize> {
        let own = self.defined.get(&index).copied();
        own.or_else(|| structures.get(index).map(|keys| keys.names.len()))
    }

    /// Up to the list of keys.
    fn definition(&mut self, input: &Input<'_>, marker: u8) -> Step {
        let malformed = || Stop::Fault(Kind::RecordMalformed, self.at);
        if !matches!(marker, FIXEXT1 | FIXEXT2) {
            return Err(malformed());
        }
        input.within(self.at, self.at + if marker == FIXEXT1 { 3 } else { 4 })?;
        let low = input.byte(self.at + 2)?;
        let (high, header) = if marker == FIXEXT2 {
            (Some(input.byte(self.at + 3)?), 4)
        } else {
            (None, 3)
        };
        let valid = match high {
            None => (0x40..0x80).contains(&low),
            Some(high) => (0x60..0x80).contains(&low) && high != 0xff,
        };
        if !valid {
            return Err(malformed());
        }
        self.note(input)?;
        self.depth(input)?;
        let list = self.at + header;
        let list_marker = input.byte(list)?;
        if matches!(list_marker, ARRAY16 | ARRAY32) {
            input.within(list, list + header_size(list_marker))?;
        }
        let (count, length) = match list_marker {
            0x90..=0x9f => (usize::from(list_marker & 0x0f), 1),
            ARRAY16 => (input.uint(list + 1, 2)?, 3),
            ARRAY32 => (input.uint(list + 1, 4)?, 5),
            _ => return Err(malformed()),
        };
        if count > input.options.max_record_keys {
            return Err(Stop::Fault(Kind::LengthLimit, list));
        }
        if count > input.options.max_map_len {
            return Err(Stop::Fault(Kind::LengthLimit, self.at));
        }
        let pending = self.pending - 1 + count;
        announce(input, list, list + length, pending)?;
        self.keys = Some(KeyList {
            definition: self.at,
            low,
            high,
            count,
            left: count,
        });
        self.at = list + length;
        self.nodes += 1;
        self.pending = pending;
        Ok(())
    }

    /// The next key of a definition; behind the last one, the structure is defined.
    fn key(&mut self, input: &Input<'_>) -> Step {
        let Some(list) = &self.keys else {
            return Ok(());
        };
        if list.left == 0 {
            let (low, high, count) = (list.low, list.high, list.count);
            let pending = self.pending + count;
            announce(input, list.definition, self.at, pending)?;
            self.define(input, low, high, count);
            self.keys = None;
            self.pending = pending;
            self.enter(count);
            return Ok(());
        }
        let (header, length) = match input.byte(self.at)? {
            marker @ 0xa0..=0xbf => (1, usize::from(marker & 0x1f)),
            marker @ 0xd9..=0xdb => {
                let size = 1 << (marker - STR8);
                input.within(self.at, self.at + 1 + size)?;
                (1 + size, input.uint(self.at + 1, size)?)
            }
            _ => return Err(Stop::Fault(Kind::RecordMalformed, list.definition)),
        };
        self.text(input, header, length, input.options.utf8 != Utf8::Replace)?;
        self.at += header + length;
        self.pending -= 1;
        if let Some(list) = &mut self.keys {
            list.left -= 1;
        }
        Ok(())
    }

    fn define(&mut self, input: &Input<'_>, low: u8, high: Option<u8>, count: usize) {
        self.defined.insert(index_of(low, high.unwrap_or(0)), count);
        if let (0x60.., Some(structures)) = (low, input.structures) {
            let flag = 1 << (low - 0x60);
            let flags = self.two_byte.unwrap_or(structures.two_byte());
            self.two_byte = Some(if high.is_some() {
                flags | flag
            } else {
                flags & !flag
            });
        }
    }
}

/// Checks that the bytes are one message, and says how many containers are open in it at most.
pub fn depth_of(bytes: &[u8]) -> Result<usize, Box<Failure>> {
    let options = DecodeOptions {
        flags: options::NON_STR_KEYS,
        ..DecodeOptions::default()
    };
    let mut scanner = Scanner::default();
    let found = scanner.run(&Input {
        bytes,
        options: &options,
        structures: None,
        buffered: false,
    });
    match found {
        Found::Message(end) if end == bytes.len() => Ok(scanner.deepest),
        Found::Message(end) => Err(Failure::at(
            Kind::TrailingBytes,
            end,
            "bytes after the message",
        )),
        Found::More => Err(Failure::at(
            Kind::Eof,
            bytes.len(),
            "unexpected end of file",
        )),
        Found::Fault(kind, at) => Err(Failure::at(kind, at, describe(kind))),
    }
}

/// Where `count` values end; `None` when something is wrong with them.
pub fn end_of(
    bytes: &[u8],
    count: usize,
    options: &DecodeOptions,
    structures: Option<&Structures>,
) -> Option<usize> {
    let mut scanner = Scanner {
        pending: count,
        ..Scanner::default()
    };
    let found = scanner.run(&Input {
        bytes,
        options,
        structures,
        buffered: false,
    });
    match found {
        Found::Message(end) => Some(end),
        Found::More | Found::Fault(..) => None,
    }
}

/// The message of a fault that the scanner has found.
pub fn describe(kind: Kind) -> &'static str {
    match kind {
        Kind::ReservedMarker => "invalid type Reserved",
        Kind::DepthLimit => "Recursion limit reached",
        Kind::InvalidUtf8 => "invalid UTF-8 string",
        Kind::InvalidTimestamp => "invalid timestamp",
        Kind::RecordUndefined => "a record id without a definition",
        Kind::RecordMalformed => "not a valid record definition",
        _ => "longer than the limit",
    }
}

/// The pending-element budget behind a header that ends at `end`.
fn announce(input: &Input<'_>, at: usize, end: usize, pending: usize) -> Step {
    input.within(at, end + pending)?;
    if end + pending > input.bytes.len() {
        Err(Stop::More)
    } else {
        Ok(())
    }
}
