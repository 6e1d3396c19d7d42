//! Sets: arrays, in canonical form with sorted elements, or exts that hold such an array.

use super::raw::VecSink;
use super::state::{Failed, Step, WriteState};
use super::{Packable, Reader, Writer};
use crate::encode::EncodeOptions;
use crate::error::{Error, ErrorKind, Result};
use crate::ext::SET;
use crate::options::DecodeOptions;
use crate::typed::detail::ext_type;
use crate::wire::canonical::compare_canonical;
use alloc::vec::Vec;

impl Writer<'_> {
    #[inline]
    pub(crate) fn set<T: Packable>(
        &mut self,
        values: impl ExactSizeIterator<Item = T>,
    ) -> core::result::Result<(), Failed> {
        if self.state.forms.rich || self.state.forms.canonical {
            self.arranged_set(values)
        } else {
            self.elements(values)
        }
    }

    /// Writes a set whose elements must be known before its first byte.
    #[inline(never)]
    fn arranged_set<T: Packable>(
        &mut self,
        values: impl ExactSizeIterator<Item = T>,
    ) -> core::result::Result<(), Failed> {
        let forms = self.state.forms;
        // As an ext, the set is a container around its array.
        let levels = if forms.rich { 2 } else { 1 };
        let mut depth = self.state.depth;
        for _ in 0..levels {
            depth.enter().map_err(|kind| self.fail(kind))?;
        }
        let mut elements = Vec::with_capacity(values.len());
        for (index, value) in values.enumerate() {
            let state = WriteState {
                depth,
                forms,
                ..WriteState::new()
            };
            let mut bytes = Vec::new();
            Writer::fill(&mut VecSink(&mut bytes), state, |writer| {
                value
                    .pack_into(writer)
                    .map_err(|_| core::mem::take(&mut writer.state.faults))
            })
            .map_err(|faults| {
                self.state.faults = faults;
                self.within(Step::Index(index), Failed(()))
            })?;
            elements.push(bytes);
        }
        if forms.canonical {
            sort(&mut elements, forms.bigint).map_err(|error| self.fail(error.kind()))?;
        }
        if forms.rich {
            let mut payload = Vec::new();
            let state = WriteState::new();
            Writer::fill(&mut VecSink(&mut payload), state, |writer| {
                writer.array_header(elements.len())?;
                elements.iter().try_for_each(|element| writer.raw(element))
            })?;
            return self.ext(SET, &payload);
        }
        self.array_header(elements.len())?;
        elements.iter().try_for_each(|element| self.raw(element))
    }
}

/// Brings each element into its canonical encoding, sorts them as canonical keys, and refuses one that occurs twice.
fn sort(elements: &mut [Vec<u8>], bigint: bool) -> Result<()> {
    let canonical = EncodeOptions::new().canonical(true).bigint(bigint).max_depth(u32::MAX);
    let read = DecodeOptions::new().max_depth(u32::MAX);
    for element in elements.iter_mut() {
        let bytes = canonical.encode(&read.decode_ref(element)?)?;
        *element = bytes;
    }
    elements.sort_by(|a, b| compare_canonical(a, b));
    if elements.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Error::new(ErrorKind::DuplicateKey));
    }
    Ok(())
}

impl Reader<'_> {
    /// Reads a set: an array, or an ext with one. `len` is how many elements it has then.
    #[inline]
    pub(crate) fn set<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> core::result::Result<T, Failed>,
        len: impl FnOnce(&T) -> usize,
    ) -> core::result::Result<T, Failed> {
        if self.at_array()? || ext_type(self.rest()) != Some(SET) {
            return read(self);
        }
        self.set_in_ext(read, len)
    }

    #[inline(never)]
    fn set_in_ext<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> core::result::Result<T, Failed>,
        len: impl FnOnce(&T) -> usize,
    ) -> core::result::Result<T, Failed> {
        let start = self.position();
        let (_, payload) = self.ext()?;
        let end = self.position();
        let mut depth = self.state.depth;
        depth.enter().map_err(|kind| self.fail_at(kind, start))?;
        // The payload is checked as a whole, so that reading it where it is ends where it does.
        let options = DecodeOptions::new().max_depth(depth.left());
        if options.validate(payload).is_err() {
            return Err(self.fail_at(ErrorKind::InvalidExt, start));
        }
        self.go_to(end - payload.len());
        if !self.at_array()? {
            return Err(self.fail_at(ErrorKind::InvalidExt, start));
        }
        let place = self.place();
        let count = self.array()?.count();
        self.restore(place);
        // Records are off within an ext.
        let records = self.state.records.take();
        let limit = core::mem::replace(&mut self.state.limit, 0x80);
        let around = core::mem::replace(&mut self.state.depth, depth);
        let outcome = read(self);
        self.state.depth = around;
        self.state.limit = limit;
        self.state.records = records;
        let set = outcome?;
        if len(&set) != count {
            return Err(self.fail_at(ErrorKind::InvalidExt, start));
        }
        Ok(set)
    }
}
