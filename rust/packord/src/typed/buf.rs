//! The buffers that values are packed into.

use super::Writer;
use super::state::Failed;
use crate::error::Result;

#[cfg(feature = "bytes")]
pub use bytes::{Buf, BufMut};

/// A buffer that values are packed into.
///
/// With the feature `bytes` this is the trait of the crate `bytes`. Without it, it is a trait with
/// the same methods that only vectors and slices implement.
#[cfg(not(feature = "bytes"))]
pub trait BufMut: sealed::SealedBuf {
    /// Returns the number of bytes that can still be written.
    fn remaining_mut(&self) -> usize;

    /// Appends bytes.
    ///
    /// # Panics
    ///
    /// If there is no room for them.
    fn put_slice(&mut self, bytes: &[u8]);

    /// Appends a byte.
    ///
    /// # Panics
    ///
    /// If there is no room for it.
    fn put_u8(&mut self, byte: u8) {
        self.put_slice(&[byte]);
    }

    #[doc(hidden)]
    fn write_by(&mut self, write: &mut dyn FnMut(&mut Writer<'_>) -> core::result::Result<(), Failed>)
    -> Result<usize>;
}

#[cfg(feature = "bytes")]
#[inline]
pub(crate) fn pack<B: BufMut + ?Sized>(
    buffer: &mut B,
    write: impl FnOnce(&mut Writer<'_>) -> core::result::Result<(), Failed>,
) -> Result<usize> {
    let mut sink = crate::typed::raw::BufSink { buffer, written: 0 };
    super::run::run(&mut sink, write)?;
    Ok(sink.written)
}

#[cfg(not(feature = "bytes"))]
pub(crate) fn pack<B: BufMut + ?Sized>(
    buffer: &mut B,
    write: impl FnOnce(&mut Writer<'_>) -> core::result::Result<(), Failed>,
) -> Result<usize> {
    let mut write = Some(write);
    buffer.write_by(&mut |writer| write.take().map_or(Ok(()), |write| write(writer)))
}

#[cfg(not(feature = "bytes"))]
mod sealed {
    pub trait SealedBuf {}
    #[cfg(feature = "alloc")]
    impl SealedBuf for alloc::vec::Vec<u8> {}
    impl SealedBuf for &mut [u8] {}
}

#[cfg(all(feature = "alloc", not(feature = "bytes")))]
impl BufMut for alloc::vec::Vec<u8> {
    fn remaining_mut(&self) -> usize {
        isize::MAX as usize - self.len()
    }

    fn put_slice(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }

    fn write_by(
        &mut self,
        write: &mut dyn FnMut(&mut Writer<'_>) -> core::result::Result<(), Failed>,
    ) -> Result<usize> {
        let before = self.len();
        super::run::run(&mut crate::typed::raw::VecSink(self), write)?;
        Ok(self.len() - before)
    }
}

#[cfg(not(feature = "bytes"))]
impl BufMut for &mut [u8] {
    fn remaining_mut(&self) -> usize {
        self.len()
    }

    fn put_slice(&mut self, bytes: &[u8]) {
        let (space, rest) = core::mem::take(self).split_at_mut(bytes.len());
        space.copy_from_slice(bytes);
        *self = rest;
    }

    fn write_by(
        &mut self,
        write: &mut dyn FnMut(&mut Writer<'_>) -> core::result::Result<(), Failed>,
    ) -> Result<usize> {
        let mut sink = crate::typed::raw::SliceSink::new(self);
        super::run::run(&mut sink, write)?;
        let len = sink.len;
        let space = core::mem::take(self);
        *self = &mut space[len..];
        Ok(len)
    }
}
