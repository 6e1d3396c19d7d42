//! [`BlockHead`]: what a block says before its data (`spec/container.md` section 2).

use super::codec::{self, Codec};
use super::header::{FileHeader, MARK, wrong, wrong_at};
use super::input::Input;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::Store;
use crate::wire::header::{Head, Header, Kind};
use crate::wire::item::{Item, item};
use crate::wire::marker as m;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use std::io::Read;

const MAX_NAME: usize = 64;

const MAX_CHUNKS: u64 = 4096;

/// What the body of a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlockKind {
    /// Messages one after another. They are not part of the table.
    Messages,
    /// Rows: the body is one message, an array of them.
    Rows,
}

impl BlockKind {
    /// Returns the name: `messages` or `rows`.
    ///
    /// ```
    /// use packord::container::BlockKind;
    /// assert_eq!(BlockKind::Rows.name(), "rows");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            BlockKind::Messages => "messages",
            BlockKind::Rows => "rows",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BlockCodec {
    /// The one of the header.
    OfFile,
    Named(Codec),
    /// One that the specification does not have.
    Unknown(Box<str>),
}

/// What a block says of a chunk of its body, which is compressed by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Chunk {
    /// Bytes of the body.
    pub unpacked: u64,
    /// Bytes in the data of the block. If they are as many, the chunk is stored as it is.
    pub size: u64,
    /// The CRC-32C of its bytes in the data.
    pub crc: u32,
}

/// What a block says before its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BlockHead {
    pub kind: BlockKind,
    pub count: u64,
    pub codec: BlockCodec,
    pub chunks: Vec<Chunk>,
    /// Bytes of the data.
    pub data: u64,
    /// Elements after the data.
    pub others: u64,
    /// Bytes from the mark up to the data.
    pub size: usize,
}

impl BlockHead {
    /// Reads the head of the block whose mark is at the current place, with an array after it. Nothing is consumed.
    pub fn read<R: Read>(input: &mut Input<R>, array: Head, max_block: u64) -> Result<BlockHead> {
        let block = input.offset() + MARK as u64;
        let mut elements = HeadElements::new(input, array.end, block);
        if array.count < 5 {
            return Err(elements.wrong("a block has at least 5 elements"));
        }
        let kind = match elements.uint()? {
            0 => BlockKind::Messages,
            1 => BlockKind::Rows,
            _ => return Err(elements.wrong("the kind is not known")),
        };
        let rows = elements.uint()?;
        let codec = elements.codec()?;
        let chunks = elements.chunks()?;
        let data = elements.bin_header()?;
        let head = BlockHead {
            kind,
            count: rows,
            codec,
            chunks,
            data,
            others: array.count - 5,
            size: elements.at,
        };
        let sizes = head.sum(|chunk| chunk.size);
        let is_large = |size: u64| {
            let end = size.saturating_add(head.size as u64);
            size > max_block || usize::try_from(end).is_err()
        };
        if [head.unpacked(), sizes, data].into_iter().any(is_large) {
            let detail = format!("max_block is {max_block}");
            return Err(Error::at(ErrorKind::LengthLimit, block).with_detail(detail));
        }
        if sizes != data {
            return Err(elements.wrong("the data has another size than its chunks"));
        }
        Ok(head)
    }

    /// Returns where the data ends, from the mark on.
    pub fn end(&self) -> usize {
        self.size + self.data as usize
    }

    /// Returns the codec, if the specification has it. `header` is that of the file.
    pub fn codec_of(&self, header: &FileHeader) -> Option<Codec> {
        match self.codec {
            BlockCodec::OfFile => header.codec(),
            BlockCodec::Named(codec) => Some(codec),
            BlockCodec::Unknown(_) => None,
        }
    }

    /// Returns the codec, if this build has it.
    pub fn known_codec(&self, header: &FileHeader) -> Result<Codec> {
        let name = match &self.codec {
            BlockCodec::Unknown(name) => name,
            _ => header.codec_name(),
        };
        match self.codec_of(header) {
            None => Err(wrong(format!("codec {name} is not known"))),
            Some(codec) if !codec.is_supported() => Err(codec::unsupported(codec)),
            Some(codec) => Ok(codec),
        }
    }

    /// Returns the bytes of the body.
    pub fn unpacked(&self) -> u64 {
        self.sum(|chunk| chunk.unpacked)
    }

    fn sum(&self, size: impl Fn(&Chunk) -> u64) -> u64 {
        let sizes = self.chunks.iter().map(size);
        sizes.fold(0, u64::saturating_add)
    }

    /// Appends the mark and the block-array up to its data.
    pub fn write(&self, mark: &[u8; MARK], out: &mut Vec<u8>) -> Result<()> {
        out.extend_from_slice(mark);
        out.put_array(5)?;
        out.put_uint(match self.kind {
            BlockKind::Messages => 0,
            BlockKind::Rows => 1,
        })?;
        out.put_uint(self.count)?;
        match &self.codec {
            BlockCodec::OfFile => out.put([m::NIL])?,
            BlockCodec::Named(codec) => out.put_str(codec.name().as_bytes())?,
            BlockCodec::Unknown(name) => out.put_str(name.as_bytes())?,
        }
        out.put_array(3 * self.chunks.len())?;
        for chunk in &self.chunks {
            for number in [chunk.unpacked, chunk.size, chunk.crc.into()] {
                out.put_uint(number)?;
            }
        }
        match self.data {
            size @ 0..=0xff => out.put([m::BIN8, size as u8]),
            size @ 0x100..=0xffff => {
                out.put([m::BIN16])?;
                out.put((size as u16).to_be_bytes())
            }
            size => {
                out.put([m::BIN32])?;
                out.put((size as u32).to_be_bytes())
            }
        }
    }
}

/// Reads elements of an array one by one. Nothing is consumed.
pub(super) struct HeadElements<'i, R> {
    input: &'i mut Input<R>,
    /// Where the next element is, from the current place on.
    pub at: usize,
    /// The offset of an error of the type of an element.
    place: u64,
}

impl<'i, R: Read> HeadElements<'i, R> {
    pub fn new(input: &'i mut Input<R>, at: usize, place: u64) -> HeadElements<'i, R> {
        HeadElements { input, at, place }
    }

    #[cold]
    fn wrong(&self, detail: &str) -> Error {
        wrong_at(self.place, detail)
    }

    /// Returns the head of the next element, which is whole: that of a number is all of it.
    fn head(&mut self) -> Result<Head> {
        self.input.need(self.at + 1)?;
        let marker = self.input.rest()[self.at];
        let header = Header::of(marker);
        let number = if Kind::of(marker).is_number() { header.fixed } else { 0 };
        self.input.need(self.at + header.len() + usize::from(number))?;
        let head = Head::checked(self.input.rest(), self.at);
        head.map_err(|kind| Error::at(kind, self.input.offset() + self.at as u64))
    }

    pub fn uint(&mut self) -> Result<u64> {
        self.head()?;
        let bytes = &self.input.rest()[self.at..];
        let (number, end) = match item(bytes, 0) {
            Some((Item::Int(number @ 0..), end)) => (number as u64, end),
            Some((Item::Uint(number), end)) => (number, end),
            _ => return Err(self.wrong("an element is not an integer from 0 up")),
        };
        self.at += end;
        Ok(number)
    }

    fn codec(&mut self) -> Result<BlockCodec> {
        let head = self.head()?;
        match head.kind {
            Kind::Nil => {
                self.at += 1;
                return Ok(BlockCodec::OfFile);
            }
            Kind::Str => {}
            _ => return Err(self.wrong("the codec is not a str")),
        }
        if head.payload > MAX_NAME as u64 {
            return Err(self.wrong("the name of the codec is too long"));
        }
        let end = head.end + head.payload as usize;
        self.input.need(end)?;
        let name = &self.input.rest()[head.end..end];
        let name = core::str::from_utf8(name).map_err(|error| {
            let place = head.end + error.valid_up_to();
            Error::at(ErrorKind::InvalidUtf8, self.input.offset() + place as u64)
        })?;
        self.at = end;
        Ok(match Codec::from_name(name) {
            Some(codec) => BlockCodec::Named(codec),
            None => BlockCodec::Unknown(name.into()),
        })
    }

    /// Reads a checksum.
    pub fn crc(&mut self) -> Result<u32> {
        let crc = self.uint()?;
        u32::try_from(crc).map_err(|_| self.wrong("the checksum has more than 32 bits"))
    }

    fn chunks(&mut self) -> Result<Vec<Chunk>> {
        let head = self.head()?;
        if head.kind != Kind::Array {
            return Err(self.wrong("the chunks are not an array"));
        }
        if head.count % 3 != 0 || head.count > 3 * MAX_CHUNKS {
            return Err(self.wrong("chunks have three numbers each, and there are at most 4096"));
        }
        self.at = head.end;
        let mut chunks = Vec::new();
        for _ in 0..head.count / 3 {
            chunks.push(Chunk {
                unpacked: self.uint()?,
                size: self.uint()?,
                crc: self.crc()?,
            });
        }
        Ok(chunks)
    }

    /// Moves past the header of the data, and returns the size of the data.
    fn bin_header(&mut self) -> Result<u64> {
        let head = self.head()?;
        if head.kind != Kind::Bin {
            return Err(self.wrong("the data is not a bin"));
        }
        self.at = head.end;
        Ok(head.payload)
    }
}
