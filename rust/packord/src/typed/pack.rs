//! [`Packable`] and the calls around it.

use super::Writer;
use super::buf::BufMut;
#[cfg(feature = "alloc")]
use super::run::reserved;
use super::run::run;
use super::state::Failed;
use crate::error::Result;
#[cfg(feature = "alloc")]
use crate::typed::raw::VecSink;
use crate::typed::raw::{AsBytes, Bound, SliceSink};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// A type that can be packed.
///
/// Most implementations come from `#[derive(MsgPacker)]`; one by hand implements
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
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be packed",
    label = "`Packable` is not implemented for this type",
    note = "derive `MsgPacker` for a type of your own",
    note = "a field of another crate's type can have `#[msgpacker(with = module)]`"
)]
pub trait Packable {
    /// How the value is stored without checks, if it can be. Implementations do not change it.
    #[doc(hidden)]
    const BOUND: Bound<Self> = Bound::NONE;
    /// Whether slices of the type are bytes. Implementations do not change it.
    #[doc(hidden)]
    const AS_BYTES: AsBytes<Self> = AsBytes::NO;

    /// Writes the value, as exactly one MessagePack value.
    ///
    /// # Errors
    ///
    /// The error of the [`Writer`].
    fn pack_into(&self, writer: &mut Writer<'_>) -> core::result::Result<(), Failed>;

    /// Returns the most bytes that the value is likely to take, for the capacity of a buffer. In a
    /// large collection, only a few elements are measured. A wrong bound costs only time.
    ///
    /// ```
    /// use packord::Packable;
    /// assert!("hello".packed_len_bound() >= 6);
    /// ```
    #[inline]
    fn packed_len_bound(&self) -> usize {
        if Self::BOUND.exists() {
            Self::BOUND.bound(self)
        } else {
            UNKNOWN_BOUND
        }
    }

    /// Returns the bound, counting at most `levels` nested containers and pointers: a value may be
    /// too deep for the stack, which is not checked before writing. Implementations do not change
    /// it.
    #[doc(hidden)]
    #[inline]
    fn packed_len_bound_within(&self, levels: u32) -> usize {
        let _ = levels;
        self.packed_len_bound()
    }

    /// Appends the value to a buffer and returns the number of bytes.
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
    /// If [`try_pack`](Packable::try_pack) returns an error.
    fn pack<B: BufMut>(&self, buffer: &mut B) -> usize {
        match self.try_pack(buffer) {
            Ok(len) => len,
            Err(error) => panic!("{error}"),
        }
    }

    /// Appends the value to a buffer and returns the number of bytes.
    ///
    /// After an error, the first bytes of the value may have been written.
    ///
    /// # Errors
    ///
    /// `buffer_full` if the buffer cannot hold it, `depth_limit` for a depth above 1024,
    /// `out_of_range` for a length above 2^32 − 1 and for an integer beyond 64 bits; with the path.
    fn try_pack<B: BufMut>(&self, buffer: &mut B) -> Result<usize> {
        super::buf::pack(buffer, |writer| self.pack_into(writer))
    }

    /// Packs into the start of a slice, and returns the number of bytes.
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
    /// If [`try_pack_to_vec`](Packable::try_pack_to_vec) returns an error.
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
    /// `depth_limit` for a depth above 1024, `out_of_range` for a length above 2^32 − 1 and for an
    /// integer beyond 64 bits; with the path.
    #[cfg(feature = "alloc")]
    fn try_pack_to_vec(&self) -> Result<Vec<u8>> {
        let mut bytes = reserved(self.packed_len_bound());
        run(&mut VecSink(&mut bytes), |writer| self.pack_into(writer))?;
        Ok(bytes)
    }
}

/// Number of nested containers and pointers that a bound looks into.
pub const BOUND_LEVELS: u32 = 32;

/// The bound of a value that is not looked into.
pub(crate) const UNKNOWN_BOUND: usize = 64;

/// Returns the bound of the target of a pointer.
#[inline]
pub(crate) fn pointee_bound<T: Packable + ?Sized>(value: &T, levels: u32) -> usize {
    if T::BOUND.exists() {
        // The type holds no other values, which is known at compile time.
        return value.packed_len_bound();
    }
    levels
        .checked_sub(1)
        .map_or(UNKNOWN_BOUND, |levels| value.packed_len_bound_within(levels))
}
