//! Values whose entries are part of the map of another value: `#[msgpacker(flatten)]`.

use super::Fields;
#[cfg(feature = "alloc")]
use super::other_field;
#[cfg(feature = "alloc")]
use crate::typed::raw::{Field, write_fields};
use crate::typed::{Failed, Reader, Writer};
#[cfg(feature = "alloc")]
use crate::typed::{Packable, Step, Unpackable, UnpackableBorrowed};
#[cfg(feature = "alloc")]
use alloc::{collections::BTreeMap, string::String};

/// A type whose entries can be part of the map of another. Derived for structs that are maps.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be flattened into another type",
    note = "derive it with `#[msgpacker(map)]` and names as keys, or use a map from `String`"
)]
pub trait PackFields {
    fn field_count(&self) -> usize;

    /// Writes the entries.
    ///
    /// # Errors
    ///
    /// The error of the [`Writer`].
    fn pack_fields(&self, writer: &mut Writer<'_>) -> Result<(), Failed>;
}

impl<T: PackFields + ?Sized> PackFields for &T {
    fn field_count(&self) -> usize {
        T::field_count(self)
    }

    fn pack_fields(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        T::pack_fields(self, writer)
    }
}

macro_rules! unpack_fields {
    ($(#[$doc:meta])* $name:ident $(, $de:lifetime)?; $reader:ty) => {
        $(#[$doc])*
        #[diagnostic::on_unimplemented(
            message = "`{Self}` cannot be flattened into another type",
            note = "derive it with `#[msgpacker(map)]` and names as keys, or use a map from `String`"
        )]
        pub trait $name$(<$de>)?: Sized {
            /// The part of the value that has been read.
            type Partial: Default;
            /// Whether keys that the value does not have are errors.
            const DENY: bool = false;

            /// Reads the entry of the key at `key_at` if it belongs to the value; returns whether it does.
            ///
            /// # Errors
            ///
            /// The error of the [`Reader`].
            fn offer(
                partial: &mut Self::Partial,
                key: &str,
                fields: &Fields,
                index: usize,
                key_at: usize,
                reader: &mut $reader,
            ) -> Result<bool, Failed>;

            /// Returns the value; `start` is the offset of the map.
            ///
            /// # Errors
            ///
            /// `type_mismatch` if a field is missing.
            fn finish(partial: Self::Partial, start: usize, reader: &mut $reader) -> Result<Self, Failed>;
        }
    };
}

unpack_fields! {
    /// A type that can be made from entries of the map of another.
    UnpackFields; Reader<'_>
}
unpack_fields! {
    /// The same as [`UnpackFields`], borrowing from the input.
    UnpackFieldsBorrowed, 'de; Reader<'de>
}

#[cfg(feature = "alloc")]
macro_rules! map {
    ($map:ident $(, $s:ident: $bound:path)?) => {
        impl<K: Packable, V: Packable $(, $s)?> PackFields for $map<K, V $(, $s)?> {
            fn field_count(&self) -> usize {
                self.len()
            }

            fn pack_fields(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
                for (key, value) in self {
                    if let Err(failed) = write_fields!(writer, (Field(key), (Field(value), ())), &[]) {
                        return Err(writer.within_key(key, failed));
                    }
                }
                Ok(())
            }
        }

        rest!($map $(, $s: $bound)?; Unpackable; UnpackFields; Reader<'_>);
        rest!($map $(, $s: $bound)?; 'de UnpackableBorrowed<'de>; UnpackFieldsBorrowed<'de>; Reader<'de>);
    };
}

#[cfg(feature = "alloc")]
macro_rules! rest {
    ($map:ident $(, $s:ident: $bound:path)?; $($de:lifetime)? $part:path; $flat:path; $reader:ty) => {
        /// Takes every key that is not a field.
        impl<$($de,)? V: $part $(, $s: $bound + Default)?> $flat for $map<String, V $(, $s)?> {
            type Partial = Self;

            fn offer(
                partial: &mut Self,
                key: &str,
                fields: &Fields,
                index: usize,
                _: usize,
                reader: &mut $reader,
            ) -> Result<bool, Failed> {
                let value = other_field(reader, fields, index, Step::Same, V::unpack_from);
                let value = value.map_err(|failed| reader.within_name(key, failed))?;
                fields.copies_key(reader, key)?;
                partial.insert(String::from(key), value);
                Ok(true)
            }

            fn finish(partial: Self, _: usize, _: &mut $reader) -> Result<Self, Failed> {
                Ok(partial)
            }
        }
    };
}

#[cfg(feature = "alloc")]
map!(BTreeMap);
#[cfg(feature = "std")]
use std::collections::HashMap;
#[cfg(feature = "std")]
map!(HashMap, S: core::hash::BuildHasher);
