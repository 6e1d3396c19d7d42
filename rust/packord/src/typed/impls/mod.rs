//! The types of the standard library and of this crate.

mod arrays;
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
mod civil;
#[cfg(feature = "alloc")]
mod collections;
mod crates;
mod forms;
mod net;
#[cfg(feature = "alloc")]
mod owned;
#[cfg(feature = "std")]
mod paths;
mod ranges;
#[cfg(feature = "alloc")]
mod raw_message;
mod scalars;
mod shared;
mod texts;
mod times;
mod tuples;
#[cfg(feature = "alloc")]
mod values;
mod wrappers;

/// Implements both traits of reading with one body.
///
/// `X` in `[X]` is a type parameter that is read too, and `{..}` after it are further bounds; a
/// parameter after `;` is not read. `quick` is the body of the method of that name.
macro_rules! unpackable {
    (
        [$($read:ident $({$($bound:tt)+})?),* $(; $other:ident {$($only:tt)+})?] $type:ty,
        leaf $leaf:expr, min_len $min_len:expr, $(quick |$cursor:ident| $quick:expr,)?
        |$reader:ident| $body:expr $(, $item:item)*
    ) => {
        impl<$($read: $crate::typed::Unpackable $(+ $($bound)+)?,)* $($other: $($only)+)?>
            $crate::typed::Unpackable for $type
        {
            const LEAF: bool = $leaf;
            const MIN_LEN: usize = $min_len;

            $(#[inline(always)]
            fn quick($cursor: &mut $crate::typed::Cursor<'_>) -> Option<Self> {
                $quick
            })?

            #[inline(always)]
            fn unpack_from($reader: &mut $crate::typed::Reader<'_>) -> Result<Self, $crate::typed::Failed> {
                $body
            }

            $($item)*
        }

        impl<'de, $($read: $crate::typed::UnpackableBorrowed<'de> $(+ $($bound)+)?,)* $($other: $($only)+)?>
            $crate::typed::UnpackableBorrowed<'de> for $type
        {
            const LEAF: bool = $leaf;
            const MIN_LEN: usize = $min_len;

            $(#[inline(always)]
            fn quick($cursor: &mut $crate::typed::Cursor<'de>) -> Option<Self> {
                $quick
            })?

            #[inline(always)]
            fn unpack_from($reader: &mut $crate::typed::Reader<'de>) -> Result<Self, $crate::typed::Failed> {
                $body
            }

            $($item)*
        }
    };
}
pub(crate) use unpackable;

/// Implements reading for a type that borrows from the input: what `$read` returns, made into the type by `$make`.
macro_rules! unpackable_borrowed {
    ($(#[$doc:meta])* $type:ty, min_len $min_len:literal, $read:ident $make:expr) => {
        $(#[$doc])*
        impl<'a, 'de: 'a> $crate::typed::UnpackableBorrowed<'de> for $type {
            const LEAF: bool = true;
            const MIN_LEN: usize = $min_len;

            #[inline(always)]
            fn quick(cursor: &mut $crate::typed::Cursor<'de>) -> Option<Self> {
                cursor.$read().map($make)
            }

            #[inline(always)]
            fn unpack_from(reader: &mut $crate::typed::Reader<'de>) -> Result<Self, $crate::typed::Failed> {
                reader.$read().map($make)
            }
        }
    };
}
pub(crate) use unpackable_borrowed;

/// Implements packing for a type that points to another or wraps it.
macro_rules! packable_as_inner {
    ([$($params:tt)*] $type:ty, $inner:ty, |$value:ident| $access:expr) => {
        impl<$($params)*> $crate::typed::raw::Inner for $type {
            type Inner = $inner;

            #[inline(always)]
            fn inner(&self) -> &$inner {
                let $value = self;
                $access
            }
        }

        impl<$($params)*> $crate::typed::Packable for $type {
            const BOUND: $crate::typed::raw::Bound<Self> = $crate::typed::raw::Bound::<Self>::OF_INNER;

            #[inline]
            fn pack_into(&self, writer: &mut $crate::typed::Writer<'_>) -> Result<(), $crate::typed::Failed> {
                $crate::typed::raw::Inner::inner(self).pack_into(writer)
            }

            #[inline]
            fn packed_len_bound(&self) -> usize {
                $crate::typed::raw::Inner::inner(self).packed_len_bound()
            }

            #[inline]
            fn packed_len_bound_within(&self, levels: u32) -> usize {
                $crate::typed::pack::pointee_bound($crate::typed::raw::Inner::inner(self), levels)
            }
        }
    };
}
pub(crate) use packable_as_inner;

/// The bound of a type that asks what is in it, down to a number of levels.
macro_rules! bound_of_levels {
    () => {
        #[inline]
        fn packed_len_bound(&self) -> usize {
            self.packed_len_bound_within($crate::typed::pack::BOUND_LEVELS)
        }
    };
}
pub(crate) use bound_of_levels;
