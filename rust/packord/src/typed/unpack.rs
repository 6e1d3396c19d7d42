//! [`Unpackable`], [`UnpackableBorrowed`] and the calls around them.

#[cfg(feature = "alloc")]
use super::detail::Detail;
use super::state::{Failed, ReadState};
use super::{Cursor, Reader};
use crate::error::{Error, ErrorKind, Result};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

macro_rules! methods {
    ($reader:ty, $cursor:ty, $bytes:ty, |$from:ident, $name:ident, $at:ident| $from_name:expr) => {
        /// Whether the type opens no container. Implementations do not change it.
        #[doc(hidden)]
        const LEAF: bool = false;
        /// The minimum number of bytes of a value. Implementations do not change it.
        #[doc(hidden)]
        const MIN_LEN: usize = 1;

        /// Reads a value that is in a usual encoding of the type, and opens at most one container;
        /// `None` leaves it to `unpack_from`. Implementations do not change it.
        #[doc(hidden)]
        #[inline(always)]
        fn quick(cursor: &mut $cursor) -> Option<Self> {
            let _ = cursor;
            None
        }

        /// Whether `quick_four` reads any. Implementations do not change it.
        #[doc(hidden)]
        const FOUR: bool = false;

        /// Reads four values that are in the same encoding, as the elements of lists of numbers
        /// often are. Implementations do not change it.
        #[doc(hidden)]
        #[inline(always)]
        fn quick_four(cursor: &mut $cursor) -> Option<[Self; 4]> {
            let _ = cursor;
            None
        }

        /// Reads the value.
        ///
        /// # Errors
        ///
        /// The error of the [`Reader`].
        fn unpack_from(reader: &mut $reader) -> core::result::Result<Self, Failed>;

        /// Reads the other form of a struct: a map of the fields of one that is written as an array,
        /// an array of those of one that is written as a map. Only derived code calls it, and after
        /// it has seen that form.
        #[doc(hidden)]
        #[cold]
        fn unpack_other_form(reader: &mut $reader) -> core::result::Result<Self, Failed> {
            Err(reader.fail(ErrorKind::TypeMismatch))
        }

        /// Returns the value of a field that is missing in a map: `Some(None)` for options.
        #[doc(hidden)]
        fn absent() -> Option<Self> {
            None
        }

        /// Reads a key of a map from a name of the record that begins at `at`.
        #[doc(hidden)]
        #[cfg(feature = "alloc")]
        fn from_name($from: &mut $reader, $name: &str, $at: usize) -> core::result::Result<Self, Failed> {
            $from_name
        }

        /// Reads an array of values.
        #[doc(hidden)]
        #[cfg(feature = "alloc")]
        fn unpack_vec(reader: &mut $reader) -> core::result::Result<Vec<Self>, Failed> {
            super::collect::vec(
                reader,
                Self::LEAF,
                Self::MIN_LEN,
                (
                    Self::FOUR.then_some(|cursor: &mut $cursor| Self::quick_four(cursor)),
                    |cursor: &mut $cursor| Self::quick(cursor),
                ),
                Self::unpack_from,
            )
        }

        /// Reads an array of exactly N values.
        #[doc(hidden)]
        fn unpack_array<const N: usize>(reader: &mut $reader) -> core::result::Result<[Self; N], Failed> {
            super::array::read_array(
                reader,
                Self::LEAF,
                |cursor| Self::quick(cursor),
                Self::unpack_from,
            )
        }

        /// Reads the value at the start of the bytes, and returns its length in bytes and the value.
        /// Bytes after it are ignored.
        ///
        /// # Errors
        ///
        /// The first fault in the value, with its offset and path (`spec/errors.md`);
        /// `type_mismatch` or `out_of_range` if the value does not fit the type.
        #[inline]
        fn unpack_with_ofs(bytes: $bytes) -> Result<(usize, Self)> {
            // A lone number or string needs no state of containers and faults, which takes longer
            // to make than the value to read.
            let mut cursor = Cursor::of(bytes);
            if let Some(value) = Self::quick(&mut cursor) {
                return Ok((bytes.len() - cursor.left(), value));
            }
            if Self::LEAF {
                return unusual(|| read_first(bytes, Self::unpack_from));
            }
            read_first(bytes, Self::unpack_from)
        }

        /// Reads a value that takes all of the bytes.
        ///
        /// # Errors
        ///
        /// As for [`unpack_with_ofs`](Self::unpack_with_ofs), and `trailing_bytes` if anything
        /// follows the value.
        #[inline]
        fn unpack(bytes: $bytes) -> Result<Self> {
            let (len, value) = Self::unpack_with_ofs(bytes)?;
            if len < bytes.len() {
                return Err(Error::at(ErrorKind::TrailingBytes, len as u64));
            }
            Ok(value)
        }
    };
}

/// Reads the value at the start of the bytes with a reader.
#[inline]
pub(crate) fn read_first<'de, T>(
    bytes: &'de [u8],
    read: impl FnOnce(&mut Reader<'de>) -> core::result::Result<T, Failed>,
) -> Result<(usize, T)> {
    let mut reader = Reader::new(bytes, ReadState::new(bytes.len()));
    match read(&mut reader) {
        Ok(value) => Ok((reader.position(), value)),
        Err(failed) => Err(reader.error(failed)),
    }
}

/// Reads what is not in a usual encoding, out of the way of what is.
#[cold]
#[inline(never)]
fn unusual<T>(read: impl FnOnce() -> T) -> T {
    read()
}

/// A type that can be unpacked and owns what it holds.
///
/// Most implementations come from `#[derive(MsgPacker)]`; one by hand implements
/// [`unpack_from`](Unpackable::unpack_from), see [`Reader`].
///
/// ```
/// use packord::Unpackable;
///
/// let (len, value) = u32::unpack_with_ofs(&[0xcd, 1, 0x2c, 0xc0])?;
/// assert_eq!((len, value), (3, 300));
/// assert_eq!(Vec::<String>::unpack(b"\x91\xa1a")?, ["a"]);
/// # Ok::<(), packord::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be unpacked into a value that owns all it holds",
    label = "`Unpackable` is not implemented for this type",
    note = "derive `MsgPacker` for a type of your own",
    note = "a type that borrows from the input needs `MsgPackerBorrowed`, and so do types that contain it",
    note = "a field of another crate's type can have `#[msgpacker(with = module)]`"
)]
pub trait Unpackable: Sized {
    methods!(Reader<'_>, Cursor<'_>, &[u8], |reader, name, at| {
        reader.key_of_name(name, at, Self::unpack_from)
    });

    /// Reads the value from an iterator of bytes, of which it takes no byte after the value, and
    /// returns its length in bytes and the value. Slices are much faster.
    ///
    /// ```
    /// use packord::Unpackable;
    /// let mut bytes = [0x91, 1, 0xc0].into_iter();
    /// assert_eq!(Vec::<u8>::unpack_iter(&mut bytes)?, (2, vec![1]));
    /// assert_eq!(bytes.next(), Some(0xc0));
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`unpack_with_ofs`](Unpackable::unpack_with_ofs).
    #[cfg(feature = "alloc")]
    fn unpack_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Result<(usize, Self)> {
        super::iter::unpack_by(bytes.into_iter(), Self::unpack_from)
    }
}

/// A type that can be unpacked and may borrow strings and bytes from the input.
///
/// ```
/// use packord::UnpackableBorrowed;
///
/// let bytes = b"\x92\xa1a\xa1b".to_vec();
/// let texts: Vec<&str> = Vec::unpack(&bytes)?;
/// assert_eq!(texts, ["a", "b"]);
/// # Ok::<(), packord::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be unpacked by borrowing from the input",
    label = "`UnpackableBorrowed` is not implemented for this type",
    note = "derive `MsgPackerBorrowed` for a type of your own",
    note = "a field of another crate's type can have `#[msgpacker(with = module)]`"
)]
pub trait UnpackableBorrowed<'de>: Sized {
    // The name may be in no input. No call of this crate reads records into types that borrow.
    methods!(Reader<'de>, Cursor<'de>, &'de [u8], |reader, _name, at| {
        Err(reader.fail_with(ErrorKind::TypeMismatch, at, Detail::BORROWED_RECORD))
    });
}
