//! The checks of writing: headers, lengths, depth, faults.

use super::detail::Detail;
use super::state::{Failed, Step};
use super::{Packable, Writer};
use crate::error::{Error, ErrorKind};
use crate::ext::{NEEDS_BIGINT, Timestamp};
use crate::typed::raw::Bound;
use crate::wire::marker as m;

impl Writer<'_> {
    /// Reports a failure.
    #[cold]
    #[inline(never)]
    pub fn fail(&mut self, kind: ErrorKind) -> Failed {
        self.state.faults.set(kind, None, Detail::None)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn fail_with(&mut self, kind: ErrorKind, detail: Detail) -> Failed {
        self.state.faults.set(kind, None, detail)
    }

    /// Adds a step to the path of a failure.
    #[cold]
    #[inline(never)]
    pub fn within(&mut self, step: Step, failed: Failed) -> Failed {
        self.state.faults.within(step, failed)
    }

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

    /// Writes an array of `count` elements.
    ///
    /// ```
    /// use packord::typed::{Failed, Writer};
    /// use packord::Packable;
    ///
    /// struct Pair(u8, String);
    /// impl Packable for Pair {
    ///     fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
    ///         writer.array(2, |array| {
    ///             array.element(&self.0)?;
    ///             array.element(&self.1)
    ///         })
    ///     }
    /// }
    /// assert_eq!(Pair(7, "a".into()).pack_to_vec(), b"\x92\x07\xa1a");
    /// ```
    ///
    /// # Errors
    ///
    /// The error of `write`; `custom` if it writes more or fewer elements; `depth_limit`; `out_of_range` for
    /// more than 2^32 − 1 elements.
    pub fn array(
        &mut self,
        count: usize,
        write: impl FnOnce(&mut ArrayWriter<'_, '_>) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        self.array_header(count)?;
        self.parts(count, |writer, left| write(&mut ArrayWriter { writer, left, index: 0 }))
    }

    /// Writes a map of `count` entries.
    ///
    /// ```
    /// use packord::typed::{Failed, Writer};
    /// use packord::Packable;
    ///
    /// struct Point(i8, i8);
    /// impl Packable for Point {
    ///     fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
    ///         writer.map(2, |map| {
    ///             map.entry("x", &self.0)?;
    ///             map.entry("y", &self.1)
    ///         })
    ///     }
    /// }
    /// assert_eq!(Point(1, -1).pack_to_vec(), b"\x82\xa1x\x01\xa1y\xff");
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`array`](Writer::array).
    pub fn map(
        &mut self,
        count: usize,
        write: impl FnOnce(&mut MapWriter<'_, '_>) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        self.map_header(count)?;
        self.parts(count, |writer, left| write(&mut MapWriter { writer, left }))
    }

    /// Writes the content of a container, of which no part may be left at the end. It may be that of a
    /// recursive type.
    fn parts(
        &mut self,
        count: usize,
        write: impl FnOnce(&mut Self, &mut usize) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        self.descend()?;
        self.nested(|writer| {
            let mut left = count;
            write(writer, &mut left)?;
            if left > 0 {
                return Err(writer.miscounted());
            }
            Ok(())
        })
    }

    /// Writes the header of an array. As many values follow.
    #[inline(always)]
    pub(crate) fn array_header(&mut self, count: usize) -> Result<(), Failed> {
        self.header(m::FIXARRAY, m::ARRAY16, m::ARRAY32, count)
    }

    /// Writes the header of a map. A key and a value for each entry follow.
    #[inline(always)]
    pub(crate) fn map_header(&mut self, count: usize) -> Result<(), Failed> {
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
    pub fn nested(&mut self, write: impl FnOnce(&mut Self) -> Result<(), Failed>) -> Result<(), Failed> {
        if let Err(kind) = self.state.depth.enter() {
            return Err(self.fail(kind));
        }
        write(self)?;
        self.state.depth.leave();
        Ok(())
    }

    /// Writes a part of a container; a failure gets the step in its path.
    ///
    /// # Errors
    ///
    /// The error of `write`.
    #[inline(always)]
    pub fn part(&mut self, step: Step, write: impl FnOnce(&mut Self) -> Result<(), Failed>) -> Result<(), Failed> {
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

    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn elements<T: Packable>(&mut self, values: impl ExactSizeIterator<Item = T>) -> Result<(), Failed> {
        self.nested(|writer| {
            let len = values.len();
            writer.array_header(len)?;
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

    /// Reports a container with another number of parts than its header says, which is written before the
    /// first of them.
    #[cold]
    #[inline(never)]
    pub(crate) fn miscounted(&mut self) -> Failed {
        self.fail_with(ErrorKind::Custom, Detail::Words("the announced length is wrong"))
    }

    /// Checks that a recursive type has enough stack to write on; otherwise `depth_limit`.
    #[inline(always)]
    pub(crate) fn descend(&mut self) -> Result<(), Failed> {
        self.state.depth.descend().map_err(|kind| self.fail(kind))
    }
}

/// The elements of an array that is being written.
pub struct ArrayWriter<'w, 'b> {
    writer: &'w mut Writer<'b>,
    left: &'w mut usize,
    /// Of the next element.
    index: usize,
}

impl ArrayWriter<'_, '_> {
    /// Writes the next element.
    ///
    /// # Errors
    ///
    /// The error of the element, with its path; `custom` if the array has no more elements.
    pub fn element<T: Packable + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
        let step = Step::Index(self.index);
        self.index += 1;
        one(self.writer, self.left, |writer| {
            writer.part(step, |writer| value.pack_into(writer))
        })
    }
}

/// The entries of a map that is being written.
pub struct MapWriter<'w, 'b> {
    writer: &'w mut Writer<'b>,
    left: &'w mut usize,
}

impl MapWriter<'_, '_> {
    /// Writes the next entry.
    ///
    /// # Errors
    ///
    /// The error of the key or the value; `custom` if the map has no more entries.
    pub fn entry<K, V>(&mut self, key: &K, value: &V) -> Result<(), Failed>
    where
        K: Packable + ?Sized,
        V: Packable + ?Sized,
    {
        one(self.writer, self.left, |writer| {
            key.pack_into(writer)?;
            let outcome = value.pack_into(writer);
            #[cfg(feature = "alloc")]
            return outcome.map_err(|failed| writer.within_key(key, failed));
            #[cfg(not(feature = "alloc"))]
            outcome
        })
    }
}

/// Writes a part of a container. If it fails, the container does too, though the program may drop the error.
fn one<'b>(
    writer: &mut Writer<'b>,
    left: &mut usize,
    write: impl FnOnce(&mut Writer<'b>) -> Result<(), Failed>,
) -> Result<(), Failed> {
    if *left == 0 {
        return Err(writer.miscounted());
    }
    *left -= 1;
    write(writer).inspect_err(|_| *left = usize::MAX)
}
