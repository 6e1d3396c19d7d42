//! Calls of a writer with a buffer.

use super::Writer;
use super::state::{Failed, WriteState};
use crate::error::Result;
use crate::typed::raw::ByteSink;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// Returns a vector with room for a bound. The bound may be wrong, so a failed allocation is not an
/// error here.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn reserved(bound: usize) -> Vec<u8> {
    /// If an allocation of at most this size fails, the bound is not the reason.
    const USUAL: usize = 1 << 16;
    if bound <= USUAL {
        return Vec::with_capacity(bound);
    }
    let mut bytes = Vec::new();
    let _ = bytes.try_reserve(bound);
    bytes
}

/// Calls `write` with a new writer, and returns the error that it reports.
#[inline]
pub(crate) fn run<S: ByteSink>(
    sink: &mut S,
    write: impl FnOnce(&mut Writer<'_>) -> core::result::Result<(), Failed>,
) -> Result<()> {
    run_with(sink, WriteState::new(), write)
}

#[inline]
pub(crate) fn run_with<S: ByteSink>(
    sink: &mut S,
    state: WriteState<'_>,
    write: impl FnOnce(&mut Writer<'_>) -> core::result::Result<(), Failed>,
) -> Result<()> {
    Writer::fill(sink, state, |writer| {
        write(writer).map_err(|failed| writer.error(failed))
    })
}
