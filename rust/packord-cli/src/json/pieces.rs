//! JSON in pieces that hold whole values, which several threads convert.
//!
//! A piece of lines is cut at the end of a line. Whether its lines hold whole values shows when they are read: if
//! they do not, [`JsonSource`] reads the input from the start of this piece on.

use std::io::{Cursor, ErrorKind, Read};
use std::ops::Range;

use super::fast::Transcoder;
use super::read::{JsonReadOptions, JsonValues, TextPlace};
use super::source::{JsonItem, JsonSource, ValueLength, ValueScan, max_value};
use crate::failure::{Failure, Outcome};
use crate::input::Input;
use crate::packed::PackedValues;
use crate::threads::{Lanes, Threads};

/// Bytes of a piece.
const PIECE: usize = 1 << 20;
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads the values of JSON with several threads, in their order.
pub struct JsonPieces {
    name: String,
    /// `None` once a single reader reads the rest.
    input: Option<Input>,
    /// Whether bytes may come late.
    is_live: bool,
    max_value: usize,
    style: JsonReadOptions,
    /// Bytes that were read and are in no piece.
    buffer: Vec<u8>,
    /// The place of the oldest piece.
    place: TextPlace,
    part: TextPart,
    pieces: Lanes<(JsonPiece, Option<PackedValues>)>,
    rest: Option<JsonSource>,
    /// What is wrong after the values that were returned last.
    fault: Option<Failure>,
}

/// Where in the input the next piece begins.
#[derive(PartialEq)]
enum TextPart {
    Start,
    /// At a top-level value.
    Lines,
    /// In an array, at the bracket or comma before an element.
    Array,
    /// Nothing follows that can be cut into pieces.
    End,
}

/// A piece of the input.
struct JsonPiece {
    text: Vec<u8>,
    values: PieceValues,
    style: JsonReadOptions,
}

enum PieceValues {
    /// On lines.
    Lines,
    /// At these places.
    Places(Vec<Range<usize>>),
    /// The piece cannot be read by itself.
    Unknown,
}

impl JsonPieces {
    /// Creates a reader. Nothing is read yet.
    #[must_use]
    pub fn new(input: Input, style: JsonReadOptions, threads: &Threads) -> JsonPieces {
        JsonPieces {
            name: input.name.clone(),
            max_value: max_value(&input),
            is_live: input.is_live(),
            input: Some(input),
            style,
            buffer: Vec::new(),
            place: TextPlace::default(),
            part: TextPart::Start,
            pieces: Lanes::new(threads),
            rest: None,
            fault: None,
        }
    }

    /// Returns the next values, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Invalid JSON, and read errors, after all values before them.
    pub fn next_values(&mut self) -> Outcome<Option<PackedValues>> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        if self.rest.is_none() {
            // What a pipe brings late must not keep back what it brought before.
            while !self.pieces.is_full() && (self.pieces.is_empty() || !self.input_may_wait()) {
                let Some(piece) = self.next_piece()? else {
                    break;
                };
                self.pieces.push(move || {
                    let packed = piece.pack();
                    (piece, packed)
                });
            }
            match self.pieces.pop() {
                None => return Ok(None),
                Some((piece, Some(packed))) => {
                    self.place.pass(&piece.text);
                    return Ok(Some(packed));
                }
                Some((piece, None)) => self.read_alone_from(piece),
            }
        }
        let Some(rest) = &mut self.rest else {
            return Ok(None);
        };
        let mut packed = PackedValues::default();
        let most = if self.is_live { 1 } else { PIECE };
        while packed.size() < most {
            let item = rest.next_item().and_then(|item| match item {
                Some(JsonItem::Value(value)) => {
                    let done = packed.pack(&value);
                    done.map(|()| true)
                        .map_err(|error| Failure::from(error).within(&self.name))
                }
                Some(JsonItem::Packed(bytes)) => {
                    packed.push(bytes);
                    Ok(true)
                }
                None => Ok(false),
            });
            match item {
                Ok(true) => {}
                Ok(false) => break,
                Err(fault) if packed.size() > 0 => {
                    self.fault = Some(fault);
                    break;
                }
                Err(fault) => return Err(fault),
            }
        }
        Ok(Some(packed).filter(|packed| packed.size() > 0))
    }

    /// Returns whether the next values may have to be waited for.
    #[must_use]
    pub fn may_wait(&self) -> bool {
        self.pieces.is_empty() && (self.input_may_wait() || self.rest.is_some())
    }

    fn input_may_wait(&self) -> bool {
        self.input.as_ref().is_some_and(Input::may_wait)
    }

    /// Leaves the rest of the input, from a piece on, to a single reader.
    fn read_alone_from(&mut self, piece: JsonPiece) {
        let mut text = piece.text;
        if text.first() == Some(&b',') {
            // The rest of an array.
            text[0] = b'[';
        }
        while let Some((piece, _)) = self.pieces.pop() {
            text.extend_from_slice(&piece.text);
        }
        text.append(&mut self.buffer);
        let text = Cursor::new(text);
        let rest: Box<dyn Read> = match self.input.take() {
            Some(input) => Box::new(text.chain(input)),
            None => Box::new(text),
        };
        let name = self.name.clone();
        self.rest = Some(JsonSource::at(
            name,
            rest,
            self.max_value,
            self.style,
            self.place,
        ));
    }

    fn next_piece(&mut self) -> Outcome<Option<JsonPiece>> {
        if self.part == TextPart::Start {
            self.part = TextPart::Lines;
            while self.buffer.len() <= BYTE_ORDER_MARK.len() && self.read_more(1)? {}
            if self.buffer.starts_with(BYTE_ORDER_MARK) {
                self.buffer.drain(..BYTE_ORDER_MARK.len());
            }
            let blank = blanks(&self.buffer);
            if self.style.each && self.buffer.get(blank) == Some(&b'[') {
                self.place.pass(&self.buffer[..blank]);
                self.buffer.drain(..blank);
                self.part = TextPart::Array;
            }
        }
        match self.part {
            TextPart::Array => self.elements().map(Some),
            TextPart::End => Ok(None),
            _ => self.lines(),
        }
    }

    /// Returns a piece of lines.
    fn lines(&mut self) -> Outcome<Option<JsonPiece>> {
        let mut wanted = PIECE;
        loop {
            let is_long = self.buffer.len() >= wanted || self.input_may_wait();
            let end = memchr::memrchr(b'\n', &self.buffer).filter(|_| is_long);
            if let Some(end) = end {
                let after = self.buffer.split_off(end + 1);
                let text = std::mem::replace(&mut self.buffer, after);
                return Ok(Some(self.piece(text, PieceValues::Lines)));
            }
            if self.buffer.len() > self.max_value {
                return Ok(Some(self.unknown()));
            }
            wanted = wanted.max(self.buffer.len() + 1);
            if !self.read_more(self.buffer.len().max(PIECE))? {
                self.part = TextPart::End;
                let text = std::mem::take(&mut self.buffer);
                let piece = self.piece(text, PieceValues::Lines);
                return Ok(Some(piece).filter(|piece| !piece.text.is_empty()));
            }
        }
    }

    /// Returns a piece with elements of an array.
    fn elements(&mut self) -> Outcome<JsonPiece> {
        let mut places = Vec::new();
        let (mut at, mut scan) = (1, ValueScan::default());
        loop {
            let start = at + blanks(&self.buffer[at..]);
            let is_empty = self.buffer[0] == b'[' && places.is_empty();
            if is_empty && self.buffer.get(start) == Some(&b']') {
                return Ok(self.end_of_array(start, places));
            }
            let found = match self.buffer.get(start) {
                None => ValueLength::Cut,
                Some(_) => scan.run(&self.buffer[start..]),
            };
            let next = match found {
                ValueLength::Malformed => return Ok(self.unknown()),
                ValueLength::Cut => None,
                ValueLength::Whole(len) => {
                    scan = ValueScan::default();
                    let after = start + len + blanks(&self.buffer[start + len..]);
                    self.buffer
                        .get(after)
                        .map(|byte| (start + len, after, *byte))
                }
            };
            match next {
                Some((end, comma, b',')) => {
                    places.push(start..end);
                    at = comma + 1;
                    if comma >= PIECE {
                        let after = self.buffer.split_off(comma);
                        let text = std::mem::replace(&mut self.buffer, after);
                        return Ok(self.piece(text, PieceValues::Places(places)));
                    }
                }
                Some((end, bracket, b']')) => {
                    places.push(start..end);
                    return Ok(self.end_of_array(bracket, places));
                }
                Some(_) => return Ok(self.unknown()),
                None => {
                    let left = self.buffer.len() - start;
                    if left > self.max_value || !self.read_more(left.max(PIECE))? {
                        return Ok(self.unknown());
                    }
                }
            }
        }
    }

    fn end_of_array(&mut self, bracket: usize, places: Vec<Range<usize>>) -> JsonPiece {
        self.part = TextPart::Lines;
        let after = self.buffer.split_off(bracket + 1);
        let text = std::mem::replace(&mut self.buffer, after);
        self.piece(text, PieceValues::Places(places))
    }

    /// Returns what was read as a piece that cannot be read by itself.
    fn unknown(&mut self) -> JsonPiece {
        self.part = TextPart::End;
        let text = std::mem::take(&mut self.buffer);
        self.piece(text, PieceValues::Unknown)
    }

    fn piece(&self, text: Vec<u8>, values: PieceValues) -> JsonPiece {
        JsonPiece {
            text,
            values,
            style: self.style,
        }
    }

    /// Reads at most this number of bytes. Returns `false` at the end.
    fn read_more(&mut self, wanted: usize) -> Outcome<bool> {
        let Some(input) = &mut self.input else {
            return Ok(false);
        };
        let known = self.buffer.len();
        self.buffer.resize(known + wanted, 0);
        let read = loop {
            match input.read(&mut self.buffer[known..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        let count = *read.as_ref().unwrap_or(&0);
        self.buffer.truncate(known + count);
        read.map_err(|error| Failure::input(&self.name, &error))?;
        Ok(count > 0)
    }
}

impl JsonPiece {
    /// Converts the values. `None` if the piece cannot be read by itself.
    fn pack(&self) -> Option<PackedValues> {
        let text = std::str::from_utf8(&self.text).ok()?;
        let mut values = PieceReader::new(self.style);
        match &self.values {
            PieceValues::Unknown => return None,
            PieceValues::Places(places) => {
                values.style.each = false;
                for place in places {
                    values.read(text.get(place.clone())?)?;
                }
            }
            PieceValues::Lines => {
                let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1);
                let mut start = 0;
                for end in ends.chain([text.len()]) {
                    let line = text.get(start..end)?;
                    if blanks(line.as_bytes()) < line.len() {
                        values.read(line)?;
                    }
                    start = end;
                }
            }
        }
        Some(values.take())
    }
}

/// Converts strings that hold whole values.
pub(super) struct PieceReader {
    transcoder: Transcoder,
    style: JsonReadOptions,
    packed: PackedValues,
}

impl PieceReader {
    pub fn new(style: JsonReadOptions) -> PieceReader {
        PieceReader {
            transcoder: Transcoder::new(style.conventions),
            style,
            packed: PackedValues::default(),
        }
    }

    /// Returns what was converted since the last call.
    pub fn take(&mut self) -> PackedValues {
        std::mem::take(&mut self.packed)
    }

    /// Converts a string.
    fn read(&mut self, text: &str) -> Option<()> {
        if self.read_one(text) {
            return Some(());
        }
        self.read_all("", text.as_bytes(), TextPlace::default())
            .ok()
    }

    /// Converts a string that is one value. Returns `false` if another reader is needed.
    pub fn read_one(&mut self, text: &str) -> bool {
        let message = self.transcoder.message(text);
        match message {
            Some(message) if self.style.each => self.packed.push_all(message),
            Some(message) => self.packed.push(message),
            None => {}
        }
        message.is_some()
    }

    /// Converts bytes that begin at a place of the input.
    pub fn read_all(&mut self, name: &str, bytes: &[u8], place: TextPlace) -> Outcome {
        let mut values = JsonValues::at(name, bytes, self.style, place)?;
        while let Some(value) = values.next_value()? {
            self.packed.pack(&value)?;
        }
        Ok(())
    }
}

/// Returns the number of bytes of white space at the start.
fn blanks(bytes: &[u8]) -> usize {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    bytes.iter().take_while(is_blank).count()
}
