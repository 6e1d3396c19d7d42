//! Reads the values of JSON one after another, with any white space between them, in pieces that several
//! threads convert.
//!
//! A piece of lines is cut at the end of a line. Whether its lines hold whole values shows when they are
//! converted: if they do not, one piece is read at a time, and its last value goes to the next one.

use std::io::{ErrorKind, Read};

use super::parse::{JsonFault, JsonFaultKind, JsonParser, JsonReadOptions};
use super::scalar::skip_blanks;
use crate::failure::{Failure, Outcome};
use crate::limits;
use crate::source::input::Input;
use crate::threads::{Lanes, Threads};
use crate::values::packed::PackedValues;
use crate::values::path::cut;

/// Bytes of a piece.
const PIECE: usize = 1 << 20;
pub(super) const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads JSON.
pub struct JsonReader {
    name: String,
    input: Input,
    style: JsonReadOptions,
    /// Bytes that were read and are in no piece.
    buffer: Vec<u8>,
    part: TextPart,
    /// Whether there are several lines.
    has_lines: bool,
    /// Whether a value has several lines: they are not cut there any more.
    is_spread: bool,
    /// How much text the next step needs in the buffer, unless the input ends.
    wanted: usize,
    /// How far the buffer was searched.
    outline: Outline,
    /// Why the input ended.
    end: Option<Outcome>,
    /// The place of the oldest piece, and the number of elements before it.
    place: TextPlace,
    elements: u64,
    pieces: Lanes<(JsonPiece, PackedValues, Option<JsonFault>)>,
    /// What is wrong after the values that were returned last.
    fault: Option<Failure>,
}

/// Where in the input the next piece begins.
#[derive(Clone, Copy, PartialEq)]
enum TextPart {
    Start,
    /// At a top-level value.
    Values,
    /// At the value that is longer than the piece before.
    LongValue,
    /// In an array: at its bracket, or after a comma.
    Array {
        is_begun: bool,
    },
}

/// A piece of the input.
struct JsonPiece {
    text: Vec<u8>,
    part: TextPart,
    style: JsonReadOptions,
    /// Whether no more text belongs to its last value.
    is_whole: bool,
}

impl JsonReader {
    /// Creates a reader. Nothing is read yet.
    #[must_use]
    pub fn new(input: Input, style: JsonReadOptions, threads: &Threads) -> JsonReader {
        JsonReader {
            name: input.name.clone(),
            input,
            style,
            buffer: Vec::new(),
            part: TextPart::Start,
            has_lines: false,
            is_spread: false,
            wanted: 0,
            outline: Outline::default(),
            end: None,
            place: TextPlace::default(),
            elements: 0,
            pieces: Lanes::new(threads),
            fault: None,
        }
    }

    /// Returns the next values, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Invalid JSON, and read errors, after all values before them.
    pub fn next_values(&mut self) -> Outcome<Option<PackedValues>> {
        loop {
            if let Some(fault) = self.fault.take() {
                return Err(fault);
            }
            while self.buffer.len() < self.wanted && self.read_more() {}
            self.wanted = 0;
            // What a pipe brings late must not keep back what it brought before.
            while !self.pieces.is_full() && (self.pieces.is_empty() || !(self.is_spread || self.input_may_wait())) {
                let Some(piece) = self.next_piece()? else {
                    break;
                };
                self.pieces.push(move || {
                    let (packed, fault) = piece.pack();
                    (piece, packed, fault)
                });
            }
            let Some((piece, packed, fault)) = self.pieces.pop() else {
                return match self.end.take() {
                    Some(Err(failure)) => Err(failure),
                    _ => Ok(None),
                };
            };
            let count = packed.len() as u64;
            match fault {
                None => self.place.pass(&piece.text),
                Some(fault) if fault.kind == JsonFaultKind::Cut && !piece.is_whole => {
                    self.take_back(piece, fault.start);
                }
                Some(fault) => self.fault = Some(self.failure(&piece, fault, count)),
            }
            self.elements += count;
            if count > 0 {
                return Ok(Some(packed));
            }
        }
    }

    /// Returns whether the next values may have to be waited for.
    #[must_use]
    pub fn may_wait(&self) -> bool {
        self.pieces.is_empty() && self.input_may_wait()
    }

    fn input_may_wait(&self) -> bool {
        self.end.is_none() && self.input.may_wait()
    }

    /// Puts a piece, from a value on that is cut at its end, and what follows it back into the buffer.
    fn take_back(&mut self, piece: JsonPiece, start: usize) {
        self.place.pass(&piece.text[..start]);
        let mut text = piece.text;
        text.drain(..start);
        let len = text.len();
        while let Some((next, ..)) = self.pieces.pop() {
            text.extend_from_slice(&next.text);
        }
        text.append(&mut self.buffer);
        self.buffer = text;
        self.outline = Outline::default();
        self.is_spread = true;
        self.part = TextPart::Values;
        if matches!(self.buffer.first(), Some(b'"' | b'[' | b'{')) {
            self.part = TextPart::LongValue;
        } else if len > limits::JSON_LINE {
            let text = format!("a number exceeds {} bytes", limits::JSON_LINE);
            self.fault = Some(Failure::Invalid(text).within(&self.name));
        } else if self.buffer.len() == len {
            // A number at the end, or a word. A long one is read again when there is twice as much.
            self.wanted = if len < 1 << 16 { len + 1 } else { 2 * len };
        }
    }

    fn failure(&mut self, piece: &JsonPiece, fault: JsonFault, index: u64) -> Failure {
        if let (JsonFaultKind::Cut, Some(Err(_))) = (&fault.kind, &self.end)
            && let Some(Err(failure)) = self.end.take()
        {
            return failure;
        }
        self.place.pass(&piece.text[..fault.at]);
        let base = match piece.part {
            TextPart::Array { .. } => format!("$[{}]", self.elements + index),
            _ => "$".to_owned(),
        };
        failure(&self.name, self.place, &base, fault)
    }

    fn next_piece(&mut self) -> Outcome<Option<JsonPiece>> {
        if self.part == TextPart::Start {
            self.part = TextPart::Values;
            let is_cut = |start: &[u8]| start != BYTE_ORDER_MARK && BYTE_ORDER_MARK.starts_with(start);
            while is_cut(&self.buffer) && self.read_more() {}
            if self.buffer.starts_with(BYTE_ORDER_MARK) {
                self.buffer.drain(..BYTE_ORDER_MARK.len());
            }
            while self.style.each {
                let start = skip_blanks(&self.buffer, 0);
                self.place.pass(&self.buffer[..start]);
                self.buffer.drain(..start);
                if !self.buffer.is_empty() || !self.read_more() {
                    break;
                }
            }
            if self.style.each && self.buffer.first() == Some(&b'[') {
                self.outline.at = 1;
                self.part = TextPart::Array { is_begun: false };
            }
        }
        loop {
            if let Some(end) = self.end_of_piece() {
                return Ok(Some(self.piece(end, false)));
            }
            if self.buffer.len() as u64 > limits::INPUT {
                let text = format!("a value exceeds {} bytes, and is held in memory", limits::INPUT);
                return Err(Failure::Invalid(text).within(&self.name));
            }
            if !self.read_more() {
                let len = self.buffer.len();
                let is_open = matches!(self.part, TextPart::Array { .. });
                return Ok((len > 0 || is_open).then(|| self.piece(len, true)));
            }
        }
    }

    /// Returns where a piece ends that can be cut off now.
    fn end_of_piece(&mut self) -> Option<usize> {
        match self.part {
            TextPart::Array { .. } => loop {
                match self.outline.next(&self.buffer) {
                    Some(Mark::Close) => return Some(self.outline.at),
                    Some(Mark::Comma) if self.outline.at >= PIECE => return Some(self.outline.at),
                    Some(_) => {}
                    None => return self.outline.comma.filter(|_| self.input_may_wait()),
                }
            },
            TextPart::LongValue => {
                self.outline.next(&self.buffer)?;
                Some(self.outline.at)
            }
            _ => {
                let len = self.buffer.len();
                let is_enough = len >= PIECE || (len > 0 && self.input_may_wait());
                if self.is_spread || !is_enough {
                    return Some(len).filter(|_| is_enough);
                }
                let line = memchr::memrchr(b'\n', &self.buffer).map(|end| end + 1);
                self.has_lines |= line.is_some();
                // The end of a line may come late, also after whole values.
                let is_late = self.has_lines && len < limits::JSON_LINE && self.end.is_none();
                if line.is_none() && is_late {
                    self.outline.next(&self.buffer)?;
                    return Some(self.outline.at);
                }
                line.or(Some(len))
            }
        }
    }

    /// Cuts a piece off the buffer.
    fn piece(&mut self, end: usize, is_last: bool) -> JsonPiece {
        let after = self.buffer.split_off(end);
        let text = std::mem::replace(&mut self.buffer, after);
        let part = self.part;
        self.outline = Outline::default();
        self.part = match part {
            TextPart::Array { .. } if !is_last && text.ends_with(b",") => TextPart::Array { is_begun: true },
            _ => TextPart::Values,
        };
        JsonPiece {
            text,
            part,
            style: self.style,
            is_whole: is_last || part == TextPart::LongValue || (self.buffer.is_empty() && self.end.is_some()),
        }
    }

    /// Reads what there is. Returns `false` at the end.
    fn read_more(&mut self) -> bool {
        if self.end.is_some() {
            return false;
        }
        let known = self.buffer.len();
        self.buffer.resize(known + PIECE, 0);
        let read = loop {
            match self.input.read(&mut self.buffer[known..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.buffer.truncate(known + *read.as_ref().unwrap_or(&0));
        self.end = match read {
            Ok(0) => Some(Ok(())),
            Ok(_) => None,
            Err(error) => Some(Err(Failure::input(&self.name, &error))),
        };
        self.end.is_none()
    }
}

impl JsonPiece {
    /// Converts the values, up to the first that is at fault.
    fn pack(&self) -> (PackedValues, Option<JsonFault>) {
        let mut packed = PackedValues::default();
        let fault = match self.part {
            TextPart::Array { is_begun } => self.elements(is_begun, &mut packed),
            _ => values(&self.text, self.style, self.is_whole, &mut packed),
        };
        (packed, fault.err())
    }

    /// Converts elements of an array. They end at a comma or bracket, or with the input.
    fn elements(&self, is_begun: bool, packed: &mut PackedValues) -> Result<(), JsonFault> {
        let style = JsonReadOptions {
            each: false,
            ..self.style
        };
        let (text, mut parser) = (&self.text[..], JsonParser::new(style));
        let mut at = skip_blanks(text, usize::from(!is_begun));
        if !is_begun && text.get(at) == Some(&b']') {
            return Ok(());
        }
        loop {
            let malformed = match text.get(at) {
                None if self.is_whole => return Err(JsonFault::new(at, JsonFaultKind::Cut)),
                None => return Ok(()),
                Some(b']' | b'}') => Some("comma before a closing bracket"),
                Some(_) => {
                    at = packed.add(|out| parser.value(text, at, true, out))?;
                    at = skip_blanks(text, at);
                    match text.get(at) {
                        None => return Err(JsonFault::new(at, JsonFaultKind::Cut)),
                        Some(b']') => return Ok(()),
                        Some(b'}') => Some("unexpected closing bracket"),
                        Some(b',') => None,
                        Some(_) => Some("missing comma"),
                    }
                }
            };
            if let Some(text) = malformed {
                return Err(JsonFault::new(at, JsonFaultKind::Malformed(text)));
            }
            at = skip_blanks(text, at + 1);
        }
    }
}

/// Reads all values of a JSON document or lines.
///
/// # Errors
///
/// Invalid JSON. `name` is the name of the text, for the message.
pub fn read_all(name: &str, text: &[u8], style: JsonReadOptions) -> Outcome<PackedValues> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    read_at(name, text, style, TextPlace::default())
}

/// Reads all values of a part of an input that begins at a place.
pub(super) fn read_at(name: &str, text: &[u8], style: JsonReadOptions, mut place: TextPlace) -> Outcome<PackedValues> {
    let mut packed = PackedValues::default();
    match values(text, style, true, &mut packed) {
        Ok(()) => Ok(packed),
        Err(fault) => {
            place.pass(&text[..fault.at]);
            Err(failure(name, place, "$", fault))
        }
    }
}

/// Converts the values of some JSON, up to the first that is at fault.
fn values(text: &[u8], style: JsonReadOptions, is_whole: bool, packed: &mut PackedValues) -> Result<(), JsonFault> {
    let (mut parser, mut array) = (JsonParser::new(style), Vec::new());
    let mut at = skip_blanks(text, 0);
    while at < text.len() {
        if style.each {
            array.clear();
            at = parser.value(text, at, is_whole, &mut array)?;
            packed.push_all(&array);
        } else {
            at = packed.add(|out| parser.value(text, at, is_whole, out))?;
        }
        at = skip_blanks(text, at);
    }
    Ok(())
}

/// Returns the failure of a fault. `base` is the path of the value.
fn failure(name: &str, place: TextPlace, base: &str, fault: JsonFault) -> Failure {
    let path = format!("{base}{}", fault.path);
    let (line, column) = (place.line + 1, place.column + 1);
    let place = format!("line {line}, column {column} ({})", cut(&path));
    Failure::Invalid(match fault.kind {
        JsonFaultKind::Refused(text) => format!("{name}: before {place}: {text}"),
        JsonFaultKind::Malformed(text) => format!("{name}: invalid JSON at {place}: {text}"),
        JsonFaultKind::Cut => {
            format!("{name}: invalid JSON at {place}: input ends before the value does")
        }
    })
}

/// A place in the input: the number of lines before it, and of characters before it in its line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TextPlace {
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
}

/// Where something ends that is in no bracket and in no string.
enum Mark {
    /// A string, an array or an object.
    Value,
    /// What a comma follows.
    Comma,
    /// The array around.
    Close,
}

/// Finds marks, and goes on where the input was cut.
#[derive(Default)]
struct Outline {
    at: usize,
    depth: usize,
    is_in_str: bool,
    /// After the last comma that was a mark.
    comma: Option<usize>,
}

impl Outline {
    /// Passes the next mark. `None` if there is none so far.
    fn next(&mut self, text: &[u8]) -> Option<Mark> {
        loop {
            if self.is_in_str {
                let rest = text.get(self.at..)?;
                let Some(len) = memchr::memchr2(b'"', b'\\', rest) else {
                    self.at = text.len();
                    return None;
                };
                if rest[len] == b'\\' {
                    // What is escaped may not be there yet.
                    self.at += len + 2;
                    continue;
                }
                self.at += len + 1;
                self.is_in_str = false;
                if self.depth == 0 {
                    return Some(Mark::Value);
                }
            }
            let byte = *text.get(self.at)?;
            self.at += 1;
            match byte {
                b'"' => self.is_in_str = true,
                b'[' | b'{' => self.depth += 1,
                b']' | b'}' if self.depth == 0 => return Some(Mark::Close),
                b']' | b'}' => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return Some(Mark::Value);
                    }
                }
                b',' if self.depth == 0 => {
                    self.comma = Some(self.at);
                    return Some(Mark::Comma);
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_end_of_a_value_wherever_it_is_cut() {
        for (text, len) in [
            (r#""a\"b" 1"#, 6),
            (r#""\\" "#, 4),
            (r#"{"a]":[1,{}]} []"#, 13),
            ("[]]", 2),
        ] {
            let mut outline = Outline::default();
            for end in 0..len {
                assert!(outline.next(&text.as_bytes()[..end]).is_none(), "{text} {end}");
            }
            assert!(matches!(outline.next(text.as_bytes()), Some(Mark::Value)), "{text}");
            assert_eq!(outline.at, len, "{text}");
        }
        let mut outline = Outline::default();
        let text = br#"1,[2,3],{"a":","}]"#;
        let mut ends = Vec::new();
        while let Some(mark) = outline.next(text) {
            if !matches!(mark, Mark::Value) {
                ends.push(outline.at);
            }
        }
        assert_eq!(ends, [2, 8, 18]);
    }
}
