//! [`BlockHead`]: what a block says before its data (`spec/container.md` section 2).

use super::codec::Codec;
use super::header::MARK;
use super::input::Input;
use super::plain::{payload_of, str_of};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::Store;
use crate::wire::header::Header;
use crate::wire::{marker as m, read};
use alloc::boxed::Box;
use alloc::vec::Vec;
use std::io::Read;

/// The most bytes of the name of a codec.
const MAX_NAME: usize = 64;
/// The most bytes of padding.
const MAX_PADDING: usize = 7;

/// What the body of a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// Messages one after another. They are not part of the table.
    Messages,
    /// Rows: the body is one message, an array of them.
    Rows,
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

/// What a block says before its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BlockHead {
    pub kind: BlockKind,
    /// Whether there is padding, so that the body can be used in a mapped file.
    pub padded: bool,
    pub count: u64,
    /// Bytes of the body.
    pub raw: u64,
    pub crc: u32,
    pub codec: BlockCodec,
    /// Bytes of the data.
    pub data: u64,
    /// Elements after the data.
    pub others: u64,
    /// Bytes from the mark up to the data.
    pub size: usize,
}

impl BlockHead {
    /// Reads the head of the block whose mark is at the current place. Its array has a header of `header` bytes
    /// and `count` elements. Nothing is consumed.
    pub fn read<R: Read>(input: &mut Input<R>, header: usize, count: u64) -> Result<BlockHead> {
        let mut elements = HeadElements {
            offset: input.offset(),
            input,
            at: MARK + header,
        };
        if count < 6 {
            return Err(elements.wrong("a block has at least 6 elements"));
        }
        let kind = elements.uint()?;
        let (kind, padded) = match kind {
            0 => (BlockKind::Messages, false),
            1 => (BlockKind::Rows, false),
            2 => (BlockKind::Messages, true),
            3 => (BlockKind::Rows, true),
            _ => return Err(elements.wrong("the kind is not known")),
        };
        let before = 6 + u64::from(padded);
        if count < before {
            return Err(elements.wrong("a block with padding has at least 7 elements"));
        }
        let (rows, raw) = (elements.uint()?, elements.uint()?);
        let crc = elements.uint()?;
        let Ok(crc) = u32::try_from(crc) else {
            return Err(elements.wrong("the checksum has more than 32 bits"));
        };
        let codec = elements.codec()?;
        if padded {
            elements.padding()?;
        }
        let data = elements.bin_header()?;
        let size = elements.at;
        Ok(BlockHead {
            kind,
            padded,
            count: rows,
            raw,
            crc,
            codec,
            data,
            others: count - before,
            size,
        })
    }

    /// Appends the mark and the block-array up to its data. `place` is where the mark begins in the
    /// file.
    pub fn write(&self, mark: &[u8; MARK], place: u64, out: &mut Vec<u8>) -> Result<()> {
        let begin = out.len();
        out.extend_from_slice(mark);
        out.put_array(6 + usize::from(self.padded))?;
        let kind = match self.kind {
            BlockKind::Messages => 0,
            BlockKind::Rows => 1,
        };
        for number in [
            kind + 2 * u64::from(self.padded),
            self.count,
            self.raw,
            self.crc.into(),
        ] {
            out.put_uint(number)?;
        }
        match &self.codec {
            BlockCodec::OfFile => out.put([m::NIL])?,
            BlockCodec::Named(codec) => out.put_str(codec.name().as_bytes())?,
            BlockCodec::Unknown(name) => out.put_str(name.as_bytes())?,
        }
        let size = usize::try_from(self.data).unwrap_or(usize::MAX);
        if self.padded {
            let header = match size {
                0..=0xff => 2,
                0x100..=0xffff => 3,
                _ => 5,
            };
            // The header of the padding has 2 bytes.
            let body = place + (out.len() - begin + 2 + header) as u64;
            let padding = (body.wrapping_neg() % 8) as usize;
            out.put_bin(&[0; MAX_PADDING][..padding])?;
        }
        match size {
            0..=0xff => out.put([m::BIN8, size as u8]),
            0x100..=0xffff => {
                out.put([m::BIN16])?;
                out.put((size as u16).to_be_bytes())
            }
            _ => {
                out.put([m::BIN32])?;
                out.put((size as u32).to_be_bytes())
            }
        }
    }
}

/// Reads the elements of a block-array one by one.
struct HeadElements<'i, R> {
    input: &'i mut Input<R>,
    /// The offset of the mark.
    offset: u64,
    /// Where the next element is, from there on.
    at: usize,
}

impl<R: Read> HeadElements<'_, R> {
    #[cold]
    fn wrong(&self, detail: &str) -> Error {
        Error::at(ErrorKind::InvalidExt, self.offset + MARK as u64).with_detail(detail)
    }

    /// Returns the marker of the next element, whose header is whole: that of a number is all of it.
    fn marker(&mut self) -> Result<u8> {
        if !self.input.fill(self.at + 1)? {
            return Err(self.input.eof());
        }
        let marker = self.input.rest()[self.at];
        if marker == m::RESERVED {
            let offset = self.offset + self.at as u64;
            return Err(Error::at(ErrorKind::ReservedMarker, offset));
        }
        let header = Header::of(marker);
        let number = match marker {
            m::FLOAT32..=m::INT64 => header.fixed as usize,
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

    fn uint(&mut self) -> Result<u64> {
        let marker = self.marker()?;
        let width = match marker {
            0..=0x7f => {
                self.at += 1;
                return Ok(u64::from(marker));
            }
            m::UINT8..=m::UINT64 => 1 << (marker - m::UINT8),
            m::INT8..=m::INT64 => 1 << (marker - m::INT8),
            _ => return Err(self.wrong("an element is not an integer from 0 up")),
        };
        let bytes = self.bytes(1 + width)?;
        let number = match width {
            1 => read::uint::<1>(bytes, 1),
            2 => read::uint::<2>(bytes, 1),
            4 => read::uint::<4>(bytes, 1),
            _ => read::uint::<8>(bytes, 1),
        };
        let number = number.unwrap_or_default();
        let sign = 8 * width as u32 - 1;
        if marker >= m::INT8 && number >> sign & 1 == 1 {
            return Err(self.wrong("an element is not an integer from 0 up"));
        }
        self.at += 1 + width;
        Ok(number)
    }

    /// Returns the length of the header of the next str or bin, and that of its payload.
    fn length(&mut self, marker: u8) -> Result<(usize, u64)> {
        let header = Header::of(marker);
        let bytes = self.bytes(header.len())?;
        let number = match header.length {
            0 => Some(u64::from(header.fixed)),
            1 => read::uint::<1>(bytes, 1),
            2 => read::uint::<2>(bytes, 1),
            _ => read::uint::<4>(bytes, 1),
        };
        Ok((header.len(), number.unwrap_or_default()))
    }

    fn codec(&mut self) -> Result<BlockCodec> {
        let marker = self.marker()?;
        match marker {
            m::NIL => {
                self.at += 1;
                return Ok(BlockCodec::OfFile);
            }
            m::FIXSTR..=0xbf | m::STR8..=m::STR32 => {}
            _ => return Err(self.wrong("the codec is not a str")),
        }
        let (header, len) = self.length(marker)?;
        if len > MAX_NAME as u64 {
            return Err(self.wrong("the name of the codec is too long"));
        }
        let payload_at = self.offset + (self.at + header) as u64;
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

    fn padding(&mut self) -> Result<()> {
        let marker = self.marker()?;
        if !matches!(marker, m::BIN8..=m::BIN32) {
            return Err(self.wrong("the padding is not a bin"));
        }
        let (header, len) = self.length(marker)?;
        if len > MAX_PADDING as u64 {
            return Err(self.wrong("the padding is too long"));
        }
        let whole = header + len as usize;
        let padding = payload_of(self.bytes(whole)?).unwrap_or_default();
        if padding.iter().any(|&byte| byte != 0) {
            return Err(self.wrong("the padding is not 00"));
        }
        self.at += whole;
        Ok(())
    }

    /// Moves past the header of the data, and returns the size of the data.
    fn bin_header(&mut self) -> Result<u64> {
        let marker = self.marker()?;
        if !matches!(marker, m::BIN8..=m::BIN32) {
            return Err(self.wrong("the data is not a bin"));
        }
        let (header, len) = self.length(marker)?;
        self.at += header;
        Ok(len)
    }
}
