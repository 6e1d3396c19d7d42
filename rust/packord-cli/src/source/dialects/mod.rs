//! What some programs write between the values, turned into plain messages as it is read.

mod digits;

pub use digits::DigitsReader;

use std::cell::RefCell;
use std::io::{self, Cursor, Read};
use std::rc::Rc;

use packord::columns::{self, Columns};
use packord::io::WalkReader;
use packord::record;
use packord::wire::{Head, marker};
use packord::{DecodeOptions, Error, Token, Walker};

use crate::figures::columns::ColumnsFigures;
use crate::limits::{CHUNK, PEEK};
use crate::source::recognise::{Traits, is_mark};

/// The ext types of MessagePack-CSharp: lengths of LZ4 blocks, which follow as bins; one LZ4 block.
const LZ4_LENGTHS: i8 = 98;
const LZ4_BLOCK: i8 = 99;
/// What columns may stand for: this number of times their size, or [`ALWAYS_ALLOWED`] bytes if that is more.
const EXPANSION: u64 = 16;
const ALWAYS_ALLOWED: u64 = 4096;
/// LZ4 writes at most this many bytes for one.
const LZ4_RATIO: usize = 255;

/// What to do with the value at the start of the bytes.
pub enum Edit {
    /// It is passed on.
    Keep,
    /// More bytes are needed to say that.
    More,
    /// This number of bytes is replaced by others.
    Replace(usize, Vec<u8>),
    /// It is passed on, and so is everything after it.
    KeepAll,
}

/// Passes on the values of a source, of containers the headers, as `edit` says it for each.
pub struct EditReader<R, E> {
    source: R,
    edit: E,
    /// Bytes that are read and not passed on, from `at` on.
    bytes: Vec<u8>,
    at: usize,
    /// Bytes from `at` on that belong to what is passed on.
    keep: u64,
    /// What replaces a value.
    made: Cursor<Vec<u8>>,
    has_ended: bool,
}

impl<R: Read, E: FnMut(&[u8], &Head, bool) -> io::Result<Edit>> EditReader<R, E> {
    /// Reads from a source. `edit` gets the bytes of a value as far as they are there, its header, and
    /// whether no more will come.
    pub fn new(source: R, edit: E) -> EditReader<R, E> {
        EditReader {
            source,
            edit,
            bytes: Vec::new(),
            at: 0,
            keep: 0,
            made: Cursor::default(),
            has_ended: false,
        }
    }

    fn has_made(&self) -> bool {
        self.made.position() < self.made.get_ref().len() as u64
    }

    /// Moves on to bytes that are passed on. Returns `false` if more bytes are needed for that.
    fn step(&mut self) -> io::Result<bool> {
        while self.keep == 0 && !self.has_made() {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let Some(head) = Head::at(rest, 0) else {
                // A cut header is passed on, for its error.
                self.keep = if self.has_ended { rest.len() as u64 } else { 0 };
                return Ok(self.keep > 0);
            };
            match (self.edit)(rest, &head, self.has_ended)? {
                Edit::Keep => self.keep = head.end as u64 + head.payload,
                Edit::KeepAll => self.keep = u64::MAX,
                Edit::More => return Ok(false),
                Edit::Replace(len, made) => {
                    self.at += len.min(rest.len());
                    self.made = Cursor::new(made);
                }
            }
        }
        Ok(self.has_made() || self.at < self.bytes.len())
    }
}

impl<R: Read, E: FnMut(&[u8], &Head, bool) -> io::Result<Edit>> Read for EditReader<R, E> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !self.step()? {
            if self.has_ended || buffer.is_empty() {
                return Ok(0);
            }
            self.bytes.drain(..self.at);
            self.at = 0;
            let len = self.bytes.len();
            self.bytes.resize(len + CHUNK.max(len), 0);
            let count = self.source.read(self.bytes.get_mut(len..).unwrap_or_default());
            self.bytes.truncate(len + *count.as_ref().unwrap_or(&0));
            self.has_ended = count? == 0;
        }
        if self.has_made() {
            return self.made.read(buffer);
        }
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let keep = usize::try_from(self.keep).unwrap_or(usize::MAX);
        let count = rest.len().min(buffer.len()).min(keep);
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        self.at += count;
        self.keep -= count as u64;
        Ok(count)
    }
}

/// Leaves out the ext values of msgpackr that only mark the value after them.
pub fn without_companions(bytes: &[u8], head: &Head, has_ended: bool) -> io::Result<Edit> {
    if lacks_start(bytes, head) && !has_ended {
        return Ok(Edit::More);
    }
    Ok(if is_mark(bytes, head) {
        Edit::Replace(head.end + head.payload as usize, Vec::new())
    } else {
        Edit::Keep
    })
}

/// Returns whether of an ext the bytes are not there that tell what it stands for.
fn lacks_start(bytes: &[u8], head: &Head) -> bool {
    head.ext_type.is_some() && bytes.len() < head.end + head.payload.min(4) as usize
}

/// Fails where values after the first bytes, which ended before 64 KiB, ask to be read otherwise: an input that is
/// there at once is read so. `known` is what the first bytes have, or what is read in any case.
pub fn refuse_late(known: Traits) -> impl FnMut(&[u8], &Head, bool) -> io::Result<Edit> {
    let (mut traits, mut seen) = (Traits::default(), 0_u64);
    move |bytes, head, has_ended| {
        if lacks_start(bytes, head) && !has_ended {
            return Ok(Edit::More);
        }
        traits.add(bytes, head);
        let found = match traits {
            Traits { records: true, .. } if !known.records => "records (--records reads them)",
            Traits { columns: true, .. } if !known.columns => "values that are stored by column (--columns reads them)",
            Traits {
                of_msgpackr: Some(what),
                ..
            } if known.of_msgpackr.is_none() => what,
            _ => {
                seen = seen.saturating_add(head.end as u64 + head.payload);
                return Ok(if seen < PEEK as u64 { Edit::Keep } else { Edit::KeepAll });
            }
        };
        Err(io::Error::other(format!("after its first bytes, it has {found}")))
    }
}

/// Writes values that are stored by column plainly, and counts them. Payloads of more than `max` bytes are
/// left to the reader, which refuses them. In such values records are off, whether they are on around them or not.
pub fn without_columns(
    max: u64,
    has_records: bool,
    seen: Option<Rc<RefCell<ColumnsFigures>>>,
) -> impl FnMut(&[u8], &Head, bool) -> io::Result<Edit> {
    move |bytes, head, has_ended| {
        if head.ext_type != Some(columns::EXT_TYPE) || head.payload > max {
            return Ok(Edit::Keep);
        }
        let len = head.end + head.payload as usize;
        let Some(payload) = bytes.get(head.end..len) else {
            return Ok(if has_ended { Edit::Keep } else { Edit::More });
        };
        let malformed = |what| io::Error::other(format!("a value that is stored by column {what}"));
        let Some(found) = Columns::open(payload).map_err(|_| malformed("is malformed"))? else {
            return Ok(Edit::Keep);
        };
        let allowed = EXPANSION * head.payload + ALWAYS_ALLOWED;
        if found.plain_size() > allowed {
            return Err(malformed("claims to be more than 16 times its size"));
        }
        let mut plain = Vec::new();
        found.expand_into(&mut plain).map_err(|_| malformed("is malformed"))?;
        if has_records {
            plain = without_ids(&plain).ok_or_else(|| malformed("has an ext of the type that records use"))?;
        }
        if let Some(seen) = &seen {
            seen.borrow_mut().add(&found, head.payload);
        }
        Ok(Edit::Replace(len, plain))
    }
}

/// Writes valid values again so that nothing in them is read as a record. `None` if there is an ext that would be.
fn without_ids(plain: &[u8]) -> Option<Vec<u8>> {
    let (mut written, mut rest) = (Vec::with_capacity(plain.len()), plain);
    while let Some(head) = Head::at(rest, 0) {
        if head.ext_type == Some(record::EXT_TYPE) {
            return None;
        }
        // Else an integer of one byte is the id of a record.
        if rest.first().is_some_and(|byte| record::is_id(*byte)) {
            written.push(marker::UINT8);
        }
        let (value, others) = rest.split_at_checked(head.end + head.payload as usize)?;
        written.extend_from_slice(value);
        rest = others;
    }
    Some(written)
}

/// Decompresses the messages that MessagePack-CSharp has compressed with LZ4, and passes on the others.
pub struct Lz4Reader<R> {
    walk: WalkReader<R>,
    max: u64,
    message: Cursor<Vec<u8>>,
}

impl<R: Read> Lz4Reader<R> {
    /// Reads from a source, in which no message is longer than `max`, compressed or not.
    pub fn new(source: R, max: u64) -> Lz4Reader<R> {
        Lz4Reader {
            walk: WalkReader::with_options(source, &DecodeOptions::new().max_buffer(max)),
            max,
            message: Cursor::default(),
        }
    }
}

impl<R: Read> Read for Lz4Reader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.message.read(buffer)?;
            if count > 0 || buffer.is_empty() || !self.walk.next_message().map_err(io::Error::other)? {
                return Ok(count);
            }
            let held = self.walk.hold_value().map_err(io::Error::other)?;
            let held = held.unwrap_or_default();
            let message = match decompressed(held, self.max) {
                Ok(message) => message.unwrap_or_else(|| held.to_vec()),
                Err(what) => {
                    let number = self.walk.message();
                    return Err(io::Error::other(format!("{what} in message {number}")));
                }
            };
            self.message = Cursor::new(message);
        }
    }
}

/// Returns the message in LZ4 blocks, or `None` if it is not compressed.
fn decompressed(message: &[u8], max: u64) -> Result<Option<Vec<u8>>, String> {
    let malformed = |error: Error| error.to_string();
    let mut walker = Walker::new(message);
    let token = walker.next().map_err(malformed)?.map(|event| event.token);
    let mut whole = Vec::new();
    match token {
        Some(Token::Ext(LZ4_BLOCK, payload)) => {
            let mut inner = Walker::new(payload);
            let len = inner.next().map_err(malformed)?.map(|event| event.token);
            let start = inner.offset() as usize;
            block(len, payload.get(start..).unwrap_or_default(), &mut whole, max)?;
        }
        Some(Token::Array(_)) => {
            let Some(Token::Ext(LZ4_LENGTHS, lengths)) = walker.next().map_err(malformed)?.map(|event| event.token)
            else {
                return Ok(None);
            };
            let mut lengths = Walker::new(lengths);
            while let Some(event) = walker.next().map_err(malformed)? {
                let Token::Bin(bytes) = event.token else {
                    continue;
                };
                lengths.next_message().map_err(malformed)?;
                let len = lengths.next().map_err(malformed)?.map(|event| event.token);
                block(len, bytes, &mut whole, max)?;
            }
        }
        _ => return Ok(None),
    }
    Ok(Some(whole))
}

/// Decompresses a block of a declared length.
fn block(len: Option<Token<'_>>, bytes: &[u8], whole: &mut Vec<u8>, max: u64) -> Result<(), String> {
    let malformed = || "an LZ4 block of MessagePack-CSharp is malformed".to_owned();
    let Some(Token::Int(len)) = len else {
        return Err(malformed());
    };
    let len = len.as_u64().and_then(|len| usize::try_from(len).ok());
    let len = len.filter(|len| *len <= bytes.len().saturating_mul(LZ4_RATIO));
    let len = len.ok_or_else(malformed)?;
    if (whole.len() + len) as u64 > max {
        return Err(format!("its LZ4 blocks exceed {max} bytes (--max-message)"));
    }
    let block = lz4_flex::block::decompress(bytes, len).map_err(|_| malformed())?;
    whole.extend_from_slice(&block);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a piece at each call.
    struct Pieces<'a>(std::slice::Chunks<'a, u8>);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let piece = self.0.next().unwrap_or_default();
            buffer[..piece.len()].copy_from_slice(piece);
            Ok(piece.len())
        }
    }

    #[test]
    fn companions_are_left_out_wherever_the_input_is_cut() {
        // A Set, what looks like one within a str, an identity, and an ext of another length.
        // The last Set has a longer header than it needs.
        let bytes = b"\x84\xa1s\xd4\x73\x00\x92\x01\x02\xa1t\xa3\xd4\x73\x00\xa1i\xd6\x69\0\0\0\x01\x90\xa1e\xd4\x73\x01\xc7\x01\x73\0\xd9";
        let expected = b"\x84\xa1s\x92\x01\x02\xa1t\xa3\xd4\x73\x00\xa1i\x90\xa1e\xd4\x73\x01\xd9";
        for size in 1..bytes.len() {
            let mut whole = Vec::new();
            let mut reader = EditReader::new(Pieces(bytes.chunks(size)), without_companions);
            reader.read_to_end(&mut whole).unwrap();
            assert_eq!(whole, expected, "{size}");
        }
    }

    #[test]
    fn columns_become_their_value_wherever_the_input_is_cut() {
        let sevens = b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
        // A str and a bin that look like one, and another version.
        let around: [&[u8]; 2] = [b"\x94\xa3\xd4\x5c\x00", b"\xc4\x02\xc7\x00\xd4\x5c\x02\xd9"];
        let bytes = [around[0], sevens, around[1]].concat();
        let expected = [around[0], b"\xdc\0\x20", &[7; 32], around[1]].concat();
        for size in 1..bytes.len() {
            let mut whole = Vec::new();
            let mut reader = EditReader::new(Pieces(bytes.chunks(size)), without_columns(1000, false, None));
            reader.read_to_end(&mut whole).unwrap();
            assert_eq!(whole, expected, "{size}");
        }
        for damaged in [b"\xc7\0\x5c".to_vec(), [&sevens[..19], b"\xc1"].concat()] {
            let mut reader = EditReader::new(&damaged[..], without_columns(1000, false, None));
            let error = reader.read_to_end(&mut Vec::new()).unwrap_err();
            assert!(error.to_string().contains("column"), "{error}");
        }
    }

    #[test]
    fn lz4_blocks_become_their_message() {
        let plain = packord::to_vec(&packord::Value::from("text ".repeat(200))).unwrap();
        let pressed = lz4_flex::block::compress(&plain);
        let mut payload = vec![0xd2];
        payload.extend((plain.len() as u32).to_be_bytes());
        payload.extend(&pressed);
        let mut message = vec![0xc8, 0, payload.len() as u8, 99];
        message.extend(&payload);
        assert_eq!(decompressed(&message, 1 << 20), Ok(Some(plain.clone())));
        assert!(decompressed(&message, 100).unwrap_err().contains("--max-message"));
        message[5] = 0x7f;
        assert!(decompressed(&message, 1 << 40).unwrap_err().contains("malformed"));
        let mut blocks = vec![0x92, 0xc7, 5, 98];
        blocks.extend(&payload[..5]);
        blocks.extend([0xc4, pressed.len() as u8]);
        blocks.extend(&pressed);
        assert_eq!(decompressed(&blocks, 1 << 20), Ok(Some(plain)));
        assert_eq!(decompressed(b"\x92\x01\x02", 100), Ok(None));
    }
}
