//! [`from_slice`] and [`to_vec`]: one verb each for all that can be read and written whole.

use crate::error::Result;
use alloc::vec::Vec;

#[cfg(feature = "serde")]
use ::serde::{Deserialize, Serialize};

#[cfg(not(feature = "serde"))]
use crate::value::{Tree, Value, ValueRef};
use crate::{encode::EncodeOptions, options::DecodeOptions};

/// What [`from_slice`] reads: [`Value`](crate::Value) and [`ValueRef`](crate::ValueRef); with the
/// feature `serde`, every type that implements `Deserialize`.
#[diagnostic::on_unimplemented(
    message = "`from_slice` cannot read `{Self}`",
    note = "it reads `Value` and `ValueRef`, and every `Deserialize` with the feature `serde`",
    note = "a type that derives `MsgPacker` is read by its own `unpack`"
)]
pub trait FromSlice<'de>: Sized {
    #[doc(hidden)]
    fn read_whole(bytes: &'de [u8]) -> Result<Self>;
}

/// What [`to_vec`] writes: [`Value`](crate::Value) and [`ValueRef`](crate::ValueRef); with the feature
/// `serde`, every type that implements `Serialize`.
#[diagnostic::on_unimplemented(
    message = "`to_vec` cannot write `{Self}`",
    note = "it writes `Value` and `ValueRef`, and every `Serialize` with the feature `serde`",
    note = "a type that derives `MsgPacker` is written by its own `pack_to_vec`"
)]
pub trait ToVec {
    #[doc(hidden)]
    fn write_whole(&self) -> Result<Vec<u8>>;
}

#[cfg(feature = "serde")]
impl<'de, T: Deserialize<'de>> FromSlice<'de> for T {
    #[inline]
    fn read_whole(bytes: &'de [u8]) -> Result<T> {
        crate::serde::from_slice(bytes)
    }
}

#[cfg(feature = "serde")]
impl<T: Serialize + ?Sized> ToVec for T {
    #[inline]
    fn write_whole(&self) -> Result<Vec<u8>> {
        crate::serde::to_vec(self)
    }
}

#[cfg(not(feature = "serde"))]
impl FromSlice<'_> for Value {
    fn read_whole(bytes: &[u8]) -> Result<Value> {
        DecodeOptions::new().decode(bytes)
    }
}

#[cfg(not(feature = "serde"))]
impl<'de: 'a, 'a> FromSlice<'de> for ValueRef<'a> {
    fn read_whole(bytes: &'de [u8]) -> Result<ValueRef<'a>> {
        DecodeOptions::new().decode_ref(bytes)
    }
}

#[cfg(not(feature = "serde"))]
impl<S: AsRef<str>, B: AsRef<[u8]>> ToVec for Tree<S, B> {
    fn write_whole(&self) -> Result<Vec<u8>> {
        EncodeOptions::new().encode(self)
    }
}

/// Reads one message with the default options. The bytes must be exactly one message. Reads
/// [`Value`](crate::Value) and [`ValueRef`](crate::ValueRef); with the feature `serde`, every type that
/// derives `Deserialize`.
///
/// ```
/// use packord::Value;
/// let value: Value = packord::from_slice(b"\x93\x01\xc3\xa2hi")?;
/// assert_eq!(value[2], "hi");
/// # #[cfg(feature = "serde")] {
/// let (one, yes, text): (u8, bool, &str) = packord::from_slice(b"\x93\x01\xc3\xa2hi")?;
/// assert_eq!((one, yes, text), (1, true, "hi"));
/// # }
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// The first fault in the bytes, with its offset and path; for types of serde, also the first value
/// that does not fit.
#[inline]
pub fn from_slice<'de, T: FromSlice<'de>>(bytes: &'de [u8]) -> Result<T> {
    T::read_whole(bytes)
}

/// Writes one value with the default options (`spec/format.md` section 4.1):
/// [`Value`](crate::Value) and [`ValueRef`](crate::ValueRef); with the feature `serde`, every type that
/// derives `Serialize`.
///
/// ```
/// use packord::Value;
/// assert_eq!(packord::to_vec(&Value::from(["a", "b"]))?, b"\x92\xa1a\xa1b");
/// # #[cfg(feature = "serde")]
/// assert_eq!(packord::to_vec(&("a", [true]))?, b"\x92\xa1a\x91\xc3");
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// `depth_limit` for containers that nest deeper than 1024, `out_of_range` for lengths above
/// 2^32 − 1, `custom` if a type reports an error; with the path of the value.
#[inline]
pub fn to_vec<T: ToVec + ?Sized>(value: &T) -> Result<Vec<u8>> {
    value.write_whole()
}

impl EncodeOptions {
    /// Writes a message again with these options, for bytes that a [`Packer`](crate::encode::Packer)
    /// or another program has written. With the option `columns` no tree is made of it.
    ///
    /// The result is what [`encode`](EncodeOptions::encode) writes for the value, if the message has
    /// the smallest formats, as those of packord do. Of others, parts within columns may keep the formats that
    /// they have.
    ///
    /// ```
    /// use packord::EncodeOptions;
    /// use packord::encode::Packer;
    ///
    /// let mut packer = Packer::new(Vec::new());
    /// packer.array(1000)?;
    /// for number in 0..1000 {
    ///     packer.int(number)?;
    /// }
    /// let packed = packer.into_buffer();
    /// assert_eq!(EncodeOptions::new().repack(&packed)?, packed);
    /// # #[cfg(feature = "columns")]
    /// assert!(EncodeOptions::new().columns(true).repack(&packed)?.len() < 200);
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`DecodeOptions::decode`] with the maximum depth of these options, and as for
    /// [`encode`](EncodeOptions::encode).
    pub fn repack(&self, packed: &[u8]) -> Result<Vec<u8>> {
        let read = DecodeOptions::new().max_depth(self.max_depth);
        if self.has_columns() && !self.rewrites() {
            read.validate(packed)?;
            let mut records = self.records.then(|| self.own_ids());
            let mut bytes = Vec::new();
            if self.put_columns(packed, records.as_mut(), &mut bytes)? {
                return Ok(bytes);
            }
        }
        self.encode(&read.decode_ref(packed)?)
    }
}
