//! The header of a payload (`spec/columns.md` section 1).

use super::{Malformed, OrMalformed, need};
use crate::wire::{marker as m, read};

/// The numbers at the start of a payload.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PayloadHeader {
    /// Bytes of the value as plain MessagePack.
    pub plain_size: u64,
    /// Number of values, keys included.
    pub values: u64,
    /// Number of containers that are open at once.
    pub depth: u64,
    /// Bytes of the directory.
    pub directory: u64,
    /// Bytes 00 after the directory.
    pub align: u64,
    /// Index of the directory in the payload.
    pub begin: usize,
}

impl PayloadHeader {
    /// Reads the header of a payload whose version is known.
    pub fn read(payload: &[u8]) -> OrMalformed<PayloadHeader> {
        let body = payload.get(1..).ok_or(Malformed)?;
        let mut numbers = DirectoryText { rest: body };
        let mut next = || numbers.uint();
        let (plain_size, values, depth) = (next()?, next()?, next()?);
        let (directory, align) = (next()?, next()?);
        Ok(PayloadHeader {
            plain_size,
            values,
            depth,
            directory,
            align,
            begin: payload.len() - numbers.rest.len(),
        })
    }
}

/// An integer: its 64 bits, and whether it is negative.
#[derive(Clone, Copy)]
pub(super) struct Int {
    pub bits: u64,
    pub negative: bool,
}

/// Reads the numbers and keys of a header or a directory.
pub(super) struct DirectoryText<'a> {
    pub rest: &'a [u8],
}

impl<'a> DirectoryText<'a> {
    pub fn byte(&mut self) -> OrMalformed<u8> {
        let (&byte, rest) = self.rest.split_first().ok_or(Malformed)?;
        self.rest = rest;
        Ok(byte)
    }

    fn big_endian<const N: usize>(&mut self) -> OrMalformed<u64> {
        let bits = read::uint::<N>(self.rest, 0).ok_or(Malformed)?;
        self.rest = self.rest.get(N..).ok_or(Malformed)?;
        Ok(bits)
    }

    fn signed<const N: usize>(&mut self) -> OrMalformed<Int> {
        let value = read::sign_extend::<N>(self.big_endian::<N>()?);
        Ok(Int {
            bits: value as u64,
            negative: value < 0,
        })
    }

    pub fn int(&mut self) -> OrMalformed<Int> {
        let unsigned = |bits| Int {
            bits,
            negative: false,
        };
        match self.byte()? {
            marker @ 0..=0x7f => Ok(unsigned(u64::from(marker))),
            marker @ m::NEGATIVE_FIXINT.. => Ok(Int {
                bits: i64::from(marker as i8) as u64,
                negative: true,
            }),
            m::UINT8 => self.big_endian::<1>().map(unsigned),
            m::UINT16 => self.big_endian::<2>().map(unsigned),
            m::UINT32 => self.big_endian::<4>().map(unsigned),
            m::UINT64 => self.big_endian::<8>().map(unsigned),
            m::INT8 => self.signed::<1>(),
            m::INT16 => self.signed::<2>(),
            m::INT32 => self.signed::<4>(),
            m::INT64 => self.signed::<8>(),
            _ => Err(Malformed),
        }
    }

    pub fn uint(&mut self) -> OrMalformed<u64> {
        let int = self.int()?;
        need(!int.negative)?;
        Ok(int.bits)
    }

    /// Reads a number of things of which each takes a byte of the rest at least.
    pub fn count(&mut self) -> OrMalformed<usize> {
        let count = self.uint()?;
        need(count <= self.rest.len() as u64)?;
        Ok(count as usize)
    }

    pub fn str(&mut self) -> OrMalformed<&'a str> {
        let len = match self.byte()? {
            marker @ m::FIXSTR..=0xbf => u64::from(marker & 0x1f),
            m::STR8 => self.big_endian::<1>()?,
            m::STR16 => self.big_endian::<2>()?,
            m::STR32 => self.big_endian::<4>()?,
            _ => return Err(Malformed),
        };
        need(len <= self.rest.len() as u64)?;
        let (text, rest) = self.rest.split_at(len as usize);
        self.rest = rest;
        core::str::from_utf8(text).map_err(|_| Malformed)
    }
}
