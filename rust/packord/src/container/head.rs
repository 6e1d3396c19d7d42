//! [`BlockHead`]: what a block says before its data (`spec/container.md` section 2).

use super::codec::{self, Codec};
use super::header::{FileHeader, MARK};
use super::input::Input;
use super::plain::str_of;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::Store;
use crate::wire::header::{Header, Kind};
use crate::wire::item::{Item, item};
use crate::wire::marker as m;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use std::io::Read;

/// The most bytes of the name of a codec.
const MAX_NAME: usize = 64;

/// The most chunks of a block.
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

/// The codec of a block.
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

/// The header of an array after a mark: its bytes, and how many elements it announces.
#[derive(Clone, Copy)]
pub(super) struct ArrayHeader {
    pub size: usize,
    pub count: u64,
}

impl BlockHead {
    /// Reads the head of the block whose mark is at the current place. Nothing is consumed.
    pub fn read<R: Read>(input: &mut Input<R>, array: ArrayHeader, max_block: u64) -> Result<BlockHead> {
        let block = input.offset() + MARK as u64;
        let mut elements = HeadElements::new(input, MARK + array.size, block);
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
            None => {
                let detail = format!("codec {name} is not known");
                Err(Error::new(ErrorKind::InvalidContainer).with_detail(detail))
            }
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
        Error::at(ErrorKind::InvalidContainer, self.place).with_detail(detail)
    }

    /// Returns the marker of the next element, whose header is whole: that of a number is all of it.
    fn marker(&mut self) -> Result<u8> {
        if !self.input.fill(self.at + 1)? {
            return Err(self.input.eof());
        }
        let marker = self.input.rest()[self.at];
        if marker == m::RESERVED {
            let offset = self.input.offset() + self.at as u64;
            return Err(Error::at(ErrorKind::ReservedMarker, offset));
        }
        let header = Header::of(marker);
        let number = match Kind::of(marker) {
            Kind::Int | Kind::F32 | Kind::F64 => header.fixed as usize,
            _ => 0,
        };
        self.bytes(header.len() + number)?;
        Ok(marker)
    }

    /// Returns the next `count` bytes.
    fn bytes(&mut self, count: usize) -> Result<&[u8]> {
        if !self.input.fill(self.at + count)? {
            return Err(self.input.eof());
        }
        Ok(&self.input.rest()[self.at..self.at + count])
    }

    pub fn uint(&mut self) -> Result<u64> {
        self.marker()?;
        let bytes = &self.input.rest()[self.at..];
        let (number, end) = match item(bytes, 0) {
            Some((Item::Int(number @ 0..), end)) => (number as u64, end),
            Some((Item::Uint(number), end)) => (number, end),
            _ => return Err(self.wrong("an element is not an integer from 0 up")),
        };
        self.at += end;
        Ok(number)
    }

    /// Returns the length of the header of the next str or bin, and that of its payload.
    fn length(&mut self, marker: u8) -> Result<(usize, u64)> {
        let header = Header::of(marker);
        let bytes = self.bytes(header.len())?;
        Ok((header.len(), header.number(bytes, 0).unwrap_or_default()))
    }

    fn codec(&mut self) -> Result<BlockCodec> {
        let marker = self.marker()?;
        match marker {
            m::NIL => {
                self.at += 1;
                return Ok(BlockCodec::OfFile);
            }
            _ if Kind::of(marker) == Kind::Str => {}
            _ => return Err(self.wrong("the codec is not a str")),
        }
        let (header, len) = self.length(marker)?;
        if len > MAX_NAME as u64 {
            return Err(self.wrong("the name of the codec is too long"));
        }
        let payload_at = self.input.offset() + (self.at + header) as u64;
        let whole = header + len as usize;
        let name = str_of(self.bytes(whole)?).unwrap_or_default();
        let codec = match core::str::from_utf8(name) {
            Ok(name) => match Codec::from_name(name) {
                Some(codec) => BlockCodec::Named(codec),
                None => BlockCodec::Unknown(name.into()),
            },
            Err(error) => {
                let offset = payload_at + error.valid_up_to() as u64;
                return Err(Error::at(ErrorKind::InvalidUtf8, offset));
            }
        };
        self.at += whole;
        Ok(codec)
    }

    /// Reads a checksum.
    pub fn crc(&mut self) -> Result<u32> {
        let crc = self.uint()?;
        u32::try_from(crc).map_err(|_| self.wrong("the checksum has more than 32 bits"))
    }

    fn chunks(&mut self) -> Result<Vec<Chunk>> {
        let marker = self.marker()?;
        if Header::of(marker).values != 1 {
            return Err(self.wrong("the chunks are not an array"));
        }
        let (header, count) = self.length(marker)?;
        if count % 3 != 0 || count > 3 * MAX_CHUNKS {
            return Err(self.wrong("chunks have three numbers each, and there are at most 4096"));
        }
        self.at += header;
        let mut chunks = Vec::new();
        for _ in 0..count / 3 {
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
        let marker = self.marker()?;
        if Kind::of(marker) != Kind::Bin {
            return Err(self.wrong("the data is not a bin"));
        }
        let (header, len) = self.length(marker)?;
        self.at += header;
        Ok(len)
    }
}
