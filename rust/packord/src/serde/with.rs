//! Modules for `#[serde(with = "…")]`.

/// Points in time as timestamps, for each type that converts to [`Timestamp`](crate::Timestamp)
/// and back, such as [`SystemTime`](std::time::SystemTime). [`option`](timestamp::option) is for
/// an `Option` of them.
///
/// ```
/// use std::time::SystemTime;
/// # use serde::{Deserialize, Serialize};
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Event {
///     #[serde(with = "packord::serde::timestamp")]
///     at: SystemTime,
/// }
/// let event = Event { at: SystemTime::UNIX_EPOCH };
/// let bytes = packord::serde::to_vec(&event)?;
/// assert_eq!(bytes, b"\x81\xa2at\xd6\xff\0\0\0\0");
/// assert_eq!(packord::serde::from_slice::<Event>(&bytes)?, event);
/// # Ok::<(), packord::Error>(())
/// ```
pub mod timestamp {
    use crate::ext::Timestamp;
    use ::serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
    use core::fmt::Display;

    /// Writes a point in time.
    ///
    /// # Errors
    ///
    /// The error of the conversion to a timestamp.
    pub fn serialize<T, S>(value: &T, serializer: S) -> Result<S::Ok, S::Error>
    where
        T: Clone + TryInto<Timestamp, Error: Display>,
        S: Serializer,
    {
        value
            .clone()
            .try_into()
            .map_err(ser::Error::custom)?
            .serialize(serializer)
    }

    /// Reads a point in time.
    ///
    /// # Errors
    ///
    /// The error of the conversion from a timestamp.
    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: TryFrom<Timestamp, Error: Display>,
        D: Deserializer<'de>,
    {
        Timestamp::deserialize(deserializer)?
            .try_into()
            .map_err(de::Error::custom)
    }

    /// The same for an `Option`.
    pub mod option {
        use super::{Deserialize, Deserializer, Display, Serialize, Serializer, Timestamp, de, ser};

        /// Writes a point in time, or nil.
        ///
        /// # Errors
        ///
        /// The error of the conversion to a timestamp.
        pub fn serialize<T, S>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error>
        where
            T: Clone + TryInto<Timestamp, Error: Display>,
            S: Serializer,
        {
            let at = value.clone().map(TryInto::try_into).transpose();
            at.map_err(ser::Error::custom)?.serialize(serializer)
        }

        /// Reads a point in time, or nil.
        ///
        /// # Errors
        ///
        /// The error of the conversion from a timestamp.
        pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
        where
            T: TryFrom<Timestamp, Error: Display>,
            D: Deserializer<'de>,
        {
            let at = Option::<Timestamp>::deserialize(deserializer)?;
            at.map(TryInto::try_into).transpose().map_err(de::Error::custom)
        }
    }
}

/// Bytes as an ext of a fixed type, which [`Kind`](ext::Kind) names. If the type is part of the
/// data, use [`Ext`](crate::Ext), which needs no module.
///
/// ```
/// # use serde::{Deserialize, Serialize};
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Colour {
///     #[serde(with = "packord::serde::ext::Kind::<5>")]
///     rgb: [u8; 3],
/// }
/// let colour = Colour { rgb: [1, 2, 3] };
/// let bytes = packord::serde::to_vec(&colour)?;
/// assert_eq!(bytes, b"\x81\xa3rgb\xc7\x03\x05\x01\x02\x03");
/// assert_eq!(packord::serde::from_slice::<Colour>(&bytes)?, colour);
/// # Ok::<(), packord::Error>(())
/// ```
pub mod ext {
    use super::bin::Owned;
    use crate::value::Ext;
    use ::serde::de::{Deserializer, Error as _, Unexpected};
    use ::serde::{Deserialize, Serialize, Serializer};
    use alloc::boxed::Box;
    use alloc::vec::Vec;

    /// The ext type `TYPE`.
    #[derive(Clone, Copy, Debug)]
    pub struct Kind<const TYPE: i8>;

    impl<const TYPE: i8> Kind<TYPE> {
        /// Writes bytes as an ext.
        ///
        /// # Errors
        ///
        /// None of its own.
        pub fn serialize<T, S>(value: &T, serializer: S) -> Result<S::Ok, S::Error>
        where
            T: AsRef<[u8]> + ?Sized,
            S: Serializer,
        {
            Ext::new(TYPE, value.as_ref()).serialize(serializer)
        }

        /// Reads the bytes of an ext.
        ///
        /// # Errors
        ///
        /// `type_mismatch` for another ext type, or a length that does not fit.
        pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
        where
            T: TryFrom<Vec<u8>>,
            D: Deserializer<'de>,
        {
            let ext = Ext::<Box<[u8]>>::deserialize(deserializer)?;
            if ext.kind() != TYPE {
                let found = alloc::format!("ext of type {}", ext.kind());
                return Err(D::Error::invalid_type(Unexpected::Other(&found), &"another ext type"));
            }
            Owned(ext.payload().to_vec()).convert()
        }
    }
}

/// Bytes as bin, which serde would write as an array of integers: `Vec<u8>`, `Box<[u8]>`,
/// `[u8; N]`. Arrays are read too. [`option`](bin::option) is for an `Option` of them; for
/// borrowed bytes, use `#[serde(borrow)]` on a `&[u8]` for reading, or `serde_bytes` for both.
///
/// ```
/// # use serde::{Deserialize, Serialize};
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Key {
///     #[serde(with = "packord::serde::bin")]
///     key: [u8; 4],
/// }
/// let key = Key { key: [1, 2, 3, 4] };
/// let bytes = packord::serde::to_vec(&key)?;
/// assert_eq!(bytes, b"\x81\xa3key\xc4\x04\x01\x02\x03\x04");
/// assert_eq!(packord::serde::from_slice::<Key>(&bytes)?, key);
/// # Ok::<(), packord::Error>(())
/// ```
pub mod bin {
    use ::serde::de::{Deserializer, Error, SeqAccess, Visitor};
    use ::serde::{Deserialize, Serialize, Serializer};
    use alloc::vec::Vec;
    use core::fmt;

    /// Writes bytes as a bin.
    ///
    /// # Errors
    ///
    /// None of its own.
    pub fn serialize<T, S>(value: &T, serializer: S) -> Result<S::Ok, S::Error>
    where
        T: AsRef<[u8]> + ?Sized,
        S: Serializer,
    {
        serializer.serialize_bytes(value.as_ref())
    }

    /// Reads the bytes of a bin, or an array of integers that are bytes.
    ///
    /// # Errors
    ///
    /// `type_mismatch` for a length that does not fit.
    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: TryFrom<Vec<u8>>,
        D: Deserializer<'de>,
    {
        Owned::deserialize(deserializer)?.convert()
    }

    /// The same for an `Option`.
    pub mod option {
        use super::{Deserialize, Deserializer, Owned, Serialize, Serializer, Vec};
        use crate::serde::newtype::PlainBytes;

        /// Writes bytes as a bin, or nil.
        ///
        /// # Errors
        ///
        /// None of its own.
        pub fn serialize<T, S>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error>
        where
            T: AsRef<[u8]>,
            S: Serializer,
        {
            let bytes = value.as_ref().map(|bytes| PlainBytes(bytes.as_ref()));
            bytes.serialize(serializer)
        }

        /// Reads the bytes of a bin, or nil.
        ///
        /// # Errors
        ///
        /// `type_mismatch` for a length that does not fit.
        pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
        where
            T: TryFrom<Vec<u8>>,
            D: Deserializer<'de>,
        {
            let bytes = Option::<Owned>::deserialize(deserializer)?;
            bytes.map(Owned::convert).transpose()
        }
    }

    pub(super) struct Owned(pub Vec<u8>);

    impl Owned {
        /// Returns the type that is made from bytes of its length.
        pub fn convert<T: TryFrom<Vec<u8>>, E: Error>(self) -> Result<T, E> {
            let len = self.0.len();
            let made = self.0.try_into();
            made.map_err(|_| E::invalid_length(len, &"another length"))
        }
    }

    impl<'de> Deserialize<'de> for Owned {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Owned, D::Error> {
            deserializer.deserialize_byte_buf(BytesVisitor).map(Owned)
        }
    }

    struct BytesVisitor;

    impl<'de> Visitor<'de> for BytesVisitor {
        type Value = Vec<u8>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("bytes")
        }

        fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
            Ok(bytes.to_vec())
        }

        fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
            Ok(bytes)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Vec<u8>, A::Error> {
            let mut bytes = Vec::with_capacity(elements.size_hint().unwrap_or(0).min(1 << 20));
            while let Some(byte) = elements.next_element()? {
                bytes.push(byte);
            }
            Ok(bytes)
        }
    }
}

/// Tells a field that is nil from one that is absent. serde reads both as the outer `None` of an
/// `Option<Option<T>>`, as MessagePack has only nil for `None` and `Some(None)`.
///
/// ```
/// # use serde::{Deserialize, Serialize};
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Patch {
///     #[serde(default, skip_serializing_if = "Option::is_none", with = "packord::serde::double_option")]
///     name: Option<Option<String>>,
/// }
/// for (name, bytes) in [(None, &b"\x80"[..]), (Some(None), b"\x81\xa4name\xc0")] {
///     let patch = Patch { name };
///     assert_eq!(packord::serde::to_vec(&patch)?, bytes);
///     assert_eq!(packord::serde::from_slice::<Patch>(bytes)?, patch);
/// }
/// # Ok::<(), packord::Error>(())
/// ```
pub mod double_option {
    use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes the inner option; the outer one is for `skip_serializing_if`.
    ///
    /// # Errors
    ///
    /// None of its own.
    pub fn serialize<T, S>(value: &Option<Option<T>>, serializer: S) -> Result<S::Ok, S::Error>
    where
        T: Serialize,
        S: Serializer,
    {
        value.as_ref().and_then(Option::as_ref).serialize(serializer)
    }

    /// Reads the inner option of a field that is present.
    ///
    /// # Errors
    ///
    /// None of its own.
    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
    where
        T: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Option::deserialize(deserializer).map(Some)
    }
}
