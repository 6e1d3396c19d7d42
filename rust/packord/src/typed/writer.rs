//! The checks of writing: headers, lengths, depth, faults.

#[cfg(feature = "alloc")]
use super::Packable;
use super::Writer;
use super::detail::Detail;
#[cfg(feature = "alloc")]
use super::state::Faults;
use super::state::{Failed, Step};
use crate::error::{Error, ErrorKind};
use crate::ext::{NEEDS_BIGINT, Timestamp};
use crate::typed::raw::Bound;
use crate::wire::marker as m;

impl Writer<'_> {
    /// Reports a failure.
    #[cold]
    #[inline(never)]
    pub fn fail(&mut self, kind: ErrorKind) -> Failed {
        self.state.faults.set(kind, None)
    }

    /// Reports a failure with its reason.
    #[cold]
    #[inline(never)]
    pub(crate) fn fail_with(&mut self, kind: ErrorKind, detail: Detail) -> Failed {
        self.state.faults.set_with(kind, None, detail)
    }

    /// Reports the failure of another writer.
    #[cfg(feature = "alloc")]
    #[cold]
    pub(super) fn take_over(&mut self, faults: Faults) -> Failed {
        self.state.faults = faults;
        Failed(())
    }

    /// Adds a step to the path of a failure.
    #[cold]
    #[inline(never)]
    pub fn within(&mut self, step: Step, failed: Failed) -> Failed {
        self.state.faults.within(step, failed)
    }

    /// Adds the entry of a key to the path of a failure.
    #[cfg(feature = "alloc")]
    #[cold]
    #[inline(never)]
    pub(crate) fn within_key<K: Packable + ?Sized>(&mut self, key: &K, failed: Failed) -> Failed {
        if let Ok(key) = key.try_pack_to_vec() {
            self.state.faults.within_key(&key);
        }
        failed
    }

    #[cold]
    pub(crate) fn error(&self, _: Failed) -> Error {
        self.state.faults.error(&[])
    }

    /// Writes nil.
    ///
    /// # Errors
    ///
    /// `buffer_full`, as for every method that writes.
    pub fn nil(&mut self) -> Result<(), Failed> {
        self.raw(&[m::NIL])
    }

    /// Writes a str.
    ///
    /// # Errors
    ///
    /// `out_of_range` for more than 2^32 − 1 bytes.
    #[inline(always)]
    pub fn str(&mut self, text: &str) -> Result<(), Failed> {
        self.bounded(text, Bound::STR)
    }

    /// Writes a bin.
    ///
    /// # Errors
    ///
    /// `out_of_range` for more than 2^32 − 1 bytes.
    #[inline(always)]
    pub fn bin(&mut self, bytes: &[u8]) -> Result<(), Failed> {
        self.bounded(bytes, Bound::BIN)
    }

    /// Writes an ext.
    ///
    /// # Errors
    ///
    /// `out_of_range` for more than 2^32 − 1 bytes; `unsupported_type` for type 0x72 while records
    /// are on, as it would be read as a definition.
    pub fn ext(&mut self, kind: i8, bytes: &[u8]) -> Result<(), Failed> {
        #[cfg(feature = "alloc")]
        if kind == crate::record::EXT_TYPE && self.state.records.is_some() {
            return Err(self.fail(ErrorKind::UnsupportedType));
        }
        self.any_ext(kind, bytes)
    }

    /// Writes an ext, or a definition of a record.
    pub(super) fn any_ext(&mut self, kind: i8, bytes: &[u8]) -> Result<(), Failed> {
        let kind = kind as u8;
        let [a, b, c, d] = self.length(bytes.len())?.to_be_bytes();
        match bytes.len() {
            1 => self.raw(&[m::FIXEXT1, kind])?,
            2 => self.raw(&[m::FIXEXT2, kind])?,
            4 => self.raw(&[m::FIXEXT4, kind])?,
            8 => self.raw(&[m::FIXEXT8, kind])?,
            16 => self.raw(&[m::FIXEXT16, kind])?,
            0..=0xff => self.raw(&[m::EXT8, d, kind])?,
            0x100..=0xffff => self.raw(&[m::EXT16, c, d, kind])?,
            _ => self.raw(&[m::EXT32, a, b, c, d, kind])?,
        }
        self.raw(bytes)
    }

    /// Writes a timestamp in the smallest of its formats.
    ///
    /// # Errors
    ///
    /// `buffer_full`.
    pub fn timestamp(&mut self, at: Timestamp) -> Result<(), Failed> {
        let (bytes, len) = at.payload();
        self.ext(Timestamp::EXT_TYPE, &bytes[..len])
    }

    /// Writes the header of an array. Write as many values as announced after it.
    ///
    /// # Errors
    ///
    /// `out_of_range` for more than 2^32 − 1 elements.
    #[inline(always)]
    pub fn array(&mut self, count: usize) -> Result<(), Failed> {
        self.header(m::FIXARRAY, m::ARRAY16, m::ARRAY32, count)
    }

    /// Writes the header of a map. Write a key and a value for each entry after it.
    ///
    /// # Errors
    ///
    /// `out_of_range` for more than 2^32 − 1 entries.
    #[inline(always)]
    pub fn map(&mut self, count: usize) -> Result<(), Failed> {
        self.header(m::FIXMAP, m::MAP16, m::MAP32, count)
    }

    #[inline(always)]
    fn header(&mut self, fix: u8, short: u8, long: u8, count: usize) -> Result<(), Failed> {
        if count < 16 {
            return self.raw(&[fix | count as u8]);
        }
        let [a, b, c, d] = self.length(count)?.to_be_bytes();
        if count <= 0xffff {
            self.raw(&[short, c, d])
        } else {
            self.raw(&[long, a, b, c, d])
        }
    }

    #[inline(always)]
    fn length(&mut self, len: usize) -> Result<u32, Failed> {
        u32::try_from(len).map_err(|_| self.fail(ErrorKind::OutOfRange))
    }

    /// Writes the content of a container.
    ///
    /// # Errors
    ///
    /// `depth_limit` if too many containers are open, or the error of `write`.
    #[inline(always)]
    pub fn nested(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        if self.state.depth.left == 0 {
            return Err(self.fail(ErrorKind::DepthLimit));
        }
        self.state.depth.left -= 1;
        write(self)?;
        self.state.depth.left += 1;
        Ok(())
    }

    /// Writes a part of a container; a failure gets the step in its path.
    ///
    /// # Errors
    ///
    /// The error of `write`.
    #[inline(always)]
    pub fn part(
        &mut self,
        step: Step,
        write: impl FnOnce(&mut Self) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        match write(self) {
            Ok(()) => Ok(()),
            Err(failed) => Err(self.within(step, failed)),
        }
    }

    /// Writes an integer beyond 64 bits.
    #[cold]
    #[inline(never)]
    pub(crate) fn bigint(&mut self, payload: &[u8]) -> Result<(), Failed> {
        if !self.state.forms.bigint {
            return Err(self.fail_with(ErrorKind::OutOfRange, Detail::Words(NEEDS_BIGINT)));
        }
        self.ext(crate::ext::BIGINT, payload)
    }

    /// Writes an array of values.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn elements<T: Packable>(
        &mut self,
        values: impl ExactSizeIterator<Item = T>,
    ) -> Result<(), Failed> {
        self.nested(|writer| {
            let len = values.len();
            writer.array(len)?;
            let mut index = 0;
            for value in values {
                if index == len {
                    return Err(writer.miscounted());
                }
                if let Err(failed) = value.pack_into(writer) {
                    return Err(writer.within(Step::Index(index), failed));
                }
                index += 1;
            }
            if index < len {
                return Err(writer.miscounted());
            }
            Ok(())
        })
    }

    /// Reports an iterator that has another number of items than it says: the header is written
    /// before the first of them.
    #[cfg(feature = "alloc")]
    #[cold]
    #[inline(never)]
    pub(crate) fn miscounted(&mut self) -> Failed {
        let detail = Detail::Words("the iterator's length is wrong");
        self.state.faults.set_with(ErrorKind::Custom, None, detail)
    }

    /// Checks that a recursive type has enough stack to write on; otherwise `depth_limit`.
    #[inline(always)]
    pub(crate) fn descend(&mut self) -> Result<(), Failed> {
        if self.state.depth.has_stack() {
            Ok(())
        } else {
            Err(self.fail(ErrorKind::DepthLimit))
        }
    }
}
