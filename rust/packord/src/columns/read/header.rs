//! The header of a payload (`spec/columns.md` section 1).

use super::cell::{CellValue, cell_of};
use super::plain::scalar_size;
use super::{Malformed, OrMalformed, PayloadHeader, need};

/// Reads the header of a payload whose version is known.
pub(crate) fn header(payload: &[u8]) -> OrMalformed<PayloadHeader> {
    let body = payload.get(1..).ok_or(Malformed)?;
    let mut numbers = DirectoryText { rest: body };
    let mut next = || numbers.uint();
    let (plain_size, values, depth, directory) = (next()?, next()?, next()?, next()?);
    Ok(PayloadHeader {
        plain_size,
        values,
        depth,
        directory,
        begin: payload.len() - numbers.rest.len(),
    })
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

    /// Takes the next value, which is not a container.
    fn cell(&mut self) -> OrMalformed<CellValue<'a>> {
        let (value, rest) = self.rest.split_at(scalar_size(self.rest)?);
        self.rest = rest;
        cell_of(value).ok_or(Malformed)
    }

    pub fn int(&mut self) -> OrMalformed<i128> {
        match self.cell()? {
            CellValue::Int(value) => Ok(value.into()),
            CellValue::Large(value) => Ok(value.into()),
            _ => Err(Malformed),
        }
    }

    pub fn uint(&mut self) -> OrMalformed<u64> {
        u64::try_from(self.int()?).map_err(|_| Malformed)
    }

    /// Reads a number of things of which each takes a byte of the rest at least.
    pub fn count(&mut self) -> OrMalformed<usize> {
        let count = self.uint()?;
        need(count <= self.rest.len() as u64)?;
        Ok(count as usize)
    }

    pub fn str(&mut self) -> OrMalformed<&'a str> {
        match self.cell()? {
            CellValue::Str(text) => Ok(text),
            _ => Err(Malformed),
        }
    }
}
