//! [`Packable`] and the calls around it.

use super::Writer;
use super::buf::BufMut;
use super::state::{Failed, WriteState};
use crate::error::Result;
#[cfg(feature = "alloc")]
use crate::wire::VecSink;
use crate::wire::{AsBytes, Shape, Sink, SliceSink};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// A type that can be packed.
///
/// Most implementations come from `#[derive(MsgPacker)]`; one by hand writes
/// [`pack_into`](Packable::pack_into):
///
/// ```
/// use packord::typed::{Failed, Writer};
/// use packord::Packable;
///
/// struct Celsius(f64);
///
/// impl Packable for Celsius {
///     fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
///         self.0.pack_into(writer)
///     }
/// }
///
/// assert_eq!(Celsius(0.5).pack_to_vec(), 0.5.pack_to_vec());
/// ```
pub trait Packable {
    /// How the value is stored without checks, if it can be. Implementations leave it as it is.
    #[doc(hidden)]
    const SHAPE: Shape<Self> = Shape::NONE;
    /// Whether slices of the type are bytes. Implementations leave it as it is.
    #[doc(hidden)]
    const AS_BYTES: AsBytes<Self> = AsBytes::NO;

    /// Writes the value: one MessagePack value, whatever the type is.
    ///
    /// # Errors
    ///
    /// What the [`Writer`] reports.
    fn pack_into(&self, writer: &mut Writer<'_>) -> core::result::Result<(), Failed>;

    /// As many bytes as the value is likely to take at most, for the capacity of a buffer: of
    /// collections a few elements stand for all. A wrong bound costs time and nothing else.
    ///
    /// ```
    /// use packord::Packable;
    /// assert!("hello".packed_len_bound() >= 6);
    /// ```
    #[inline]
    fn packed_len_bound(&self) -> usize {
        if Self::SHAPE.exists() {
            Self::SHAPE.bound(self)
        } else {
            UNKNOWN_BOUND
        }
    }

    /// The same, where no more than so many containers and pointers within each other are looked
    /// into: a value may be deeper than the stack, which is not looked at before it is written.
    /// Implementations leave it as it is.
    #[doc(hidden)]
    #[inline]
    fn packed_len_bound_within(&self, levels: u32) -> usize {
        let _ = levels;
        self.packed_len_bound()
    }

    /// Appends the value to a buffer and returns how many bytes it took.
    ///
    /// ```
    /// use packord::Packable;
    /// let mut buffer = vec![0xc0];
    /// assert_eq!(300.pack(&mut buffer), 3);
    /// assert_eq!(buffer, [0xc0, 0xcd, 1, 0x2c]);
    /// ```
    ///
    /// # Panics
    ///
    /// Where [`try_pack`](Packable::try_pack) reports an error.
    fn pack<B: BufMut>(&self, buffer: &mut B) -> usize {
        match self.try_pack(buffer) {
            Ok(len) => len,
            Err(error) => panic!("{error}"),
        }
    }

    /// Appends the value to a buffer and returns how many bytes it took.
    ///
    /// After an error, the first bytes of the value may have been written.
    ///
    /// # Errors
    ///
    /// `buffer_full` if the buffer cannot hold it, `depth_limit` for more than 1024 containers
    /// within each other, `out_of_range` for lengths above 2^32 − 1; with the path.
    fn try_pack<B: BufMut>(&self, buffer: &mut B) -> Result<usize> {
        super::buf::pack(buffer, |writer| self.pack_into(writer))
    }

    /// Packs into the start of a slice, and returns how many bytes it took.
    ///
    /// ```
    /// use packord::{ErrorKind, Packable};
    /// let mut space = [0; 4];
    /// assert_eq!("abc".pack_to_slice(&mut space)?, 4);
    /// let error = "abcd".pack_to_slice(&mut space).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::BufferFull);
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`try_pack`](Packable::try_pack).
    fn pack_to_slice(&self, space: &mut [u8]) -> Result<usize> {
        let mut sink = SliceSink::new(space);
        run(&mut sink, |writer| self.pack_into(writer))?;
        Ok(sink.len)
    }

    /// Packs into a new vector.
    ///
    /// ```
    /// use packord::Packable;
    /// assert_eq!([1, 2].pack_to_vec(), [0x92, 1, 2]);
    /// ```
    ///
    /// # Panics
    ///
    /// Where [`try_pack_to_vec`](Packable::try_pack_to_vec) reports an error.
    #[cfg(feature = "alloc")]
    fn pack_to_vec(&self) -> Vec<u8> {
        match self.try_pack_to_vec() {
            Ok(bytes) => bytes,
            Err(error) => panic!("{error}"),
        }
    }

    /// Packs into a new vector.
    ///
    /// # Errors
    ///
    /// `depth_limit` for more than 1024 containers within each other, `out_of_range` for lengths
    /// above 2^32 − 1; with the path.
    #[cfg(feature = "alloc")]
    fn try_pack_to_vec(&self) -> Result<Vec<u8>> {
        let mut bytes = reserved(self.packed_len_bound());
        run(&mut VecSink(&mut bytes), |writer| self.pack_into(writer))?;
        Ok(bytes)
    }
}

/// How many containers and pointers within each other are looked into for a bound.
#[doc(hidden)]
pub const BOUND_LEVELS: u32 = 32;

/// The bound of what is not looked into.
pub(crate) const UNKNOWN_BOUND: usize = 64;

/// The bound of what a pointer points to.
#[inline]
pub(crate) fn bound_behind<T: Packable + ?Sized>(value: &T, levels: u32) -> usize {
    if T::SHAPE.exists() {
        // Nothing of the kind holds others; known when compiled.
        return value.packed_len_bound();
    }
    levels.checked_sub(1).map_or(UNKNOWN_BOUND, |levels| {
        value.packed_len_bound_within(levels)
    })
}

/// A vector with room for a bound, which may be wrong: what cannot be had is not asked for twice.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn reserved(bound: usize) -> Vec<u8> {
    /// Up to here, that there is no memory is not the fault of the bound.
    const USUAL: usize = 1 << 16;
    if bound <= USUAL {
        return Vec::with_capacity(bound);
    }
    let mut bytes = Vec::new();
    let _ = bytes.try_reserve(bound);
    bytes
}

/// Makes a writer, lets it be used, and takes what it wrote.
#[inline]
pub(crate) fn run<S: Sink>(
    sink: &mut S,
    write: impl FnOnce(&mut Writer<'_>) -> core::result::Result<(), Failed>,
) -> Result<()> {
    run_with(sink, WriteState::new(), write)
}

/// The same with given books.
#[inline]
pub(crate) fn run_with<S: Sink>(
    sink: &mut S,
    state: WriteState<'_>,
    write: impl FnOnce(&mut Writer<'_>) -> core::result::Result<(), Failed>,
) -> Result<()> {
    Writer::fill(sink, state, |writer| {
        write(writer).map_err(|failed| writer.error(failed))
    })
}
