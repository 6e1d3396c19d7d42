//! Pointers, options and other wrappers, which have the bytes of the value inside.

use super::{bound_of_levels, packable_as_inner, unpackable};
use crate::typed::raw::Bound;
use crate::typed::{Failed, Packable, Unpackable, Writer};
use core::cell::Cell;
use core::cmp::Reverse;
use core::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8, NonZeroU16, NonZeroU32,
    NonZeroU64, NonZeroU128, NonZeroUsize, Saturating, Wrapping,
};

#[cfg(feature = "alloc")]
use crate::typed::pack::pointee_bound;
#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, borrow::ToOwned, boxed::Box, rc::Rc, sync::Arc};

packable_as_inner!(['a, T: Packable + ?Sized] &'a T, T, |value| value);
packable_as_inner!(['a, T: Packable + ?Sized] &'a mut T, T, |value| value);

macro_rules! wrappers {
    ($($type:ident)*) => {$(
        packable_as_inner!([T: Packable] $type<T>, T, |value| &value.0);
        unpackable!([T] $type<T>, leaf T::LEAF, min_len T::MIN_LEN, quick |cursor| T::quick(cursor).map($type), |reader| {
            T::unpack_from(reader).map($type)
        });
    )*};
}
wrappers!(Wrapping Saturating Reverse);

unpackable!([T] Cell<T>, leaf T::LEAF, min_len T::MIN_LEN, quick |cursor| T::quick(cursor).map(Cell::new), |reader| {
    T::unpack_from(reader).map(Cell::new)
});

impl<T: Packable + Copy> Packable for Cell<T> {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        self.get().pack_into(writer)
    }
}

/// nil for `None`, the value itself for `Some`. So `Some(None)` of an `Option<Option<T>>` and
/// `Some(())` of an `Option<()>` are nil as well, and read back as `None`.
impl<T: Packable> Packable for Option<T> {
    const BOUND: Bound<Option<T>> = Bound::<Option<T>>::OPTION;

    #[inline]
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        match self {
            Some(value) => value.pack_into(writer),
            None => writer.nil(),
        }
    }

    bound_of_levels!();

    #[inline]
    fn packed_len_bound_within(&self, levels: u32) -> usize {
        if T::BOUND.is_fixed() {
            return T::BOUND.max();
        }
        self.as_ref().map_or(1, |value| value.packed_len_bound_within(levels))
    }
}

unpackable!([T] Option<T>, leaf T::LEAF, min_len 1,
quick |cursor| if T::LEAF && cursor.nil() { Some(None) } else { T::quick(cursor).map(Some) },
|reader| {
    if reader.none() { Ok(None) } else { T::unpack_from(reader).map(Some) }
},
    fn absent() -> Option<Self> {
        Some(None)
    }
);

macro_rules! non_zero {
    ($($type:ident of $int:ty;)*) => {$(
        impl Packable for $type {
            #[inline]
            fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
                self.get().pack_into(writer)
            }
        }

        unpackable!([] $type, leaf true, min_len 1, |reader| {
            let start = reader.position();
            let value = <$int as Unpackable>::unpack_from(reader);
            let value = value.map_err(|failed| reader.target(failed, stringify!($type)))?;
            $type::new(value).ok_or_else(|| reader.out_of_range(stringify!($type), start))
        });
    )*};
}

non_zero! {
    NonZeroU8 of u8; NonZeroU16 of u16; NonZeroU32 of u32; NonZeroU64 of u64;
    NonZeroU128 of u128; NonZeroUsize of usize;
    NonZeroI8 of i8; NonZeroI16 of i16; NonZeroI32 of i32; NonZeroI64 of i64;
    NonZeroI128 of i128; NonZeroIsize of isize;
}

#[cfg(feature = "alloc")]
mod pointers {
    use super::*;

    /// Each recursive type contains one of these pointers, so the stack is checked here. The minimum
    /// length is not that of the inner type, which may be the outer type.
    macro_rules! pointer {
        ($($pointer:ident)*) => {$(
            impl<T: Packable + ?Sized> Packable for $pointer<T> {
                #[inline]
                fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
                    writer.descend()?;
                    T::pack_into(self, writer)
                }

                bound_of_levels!();

                #[inline]
                fn packed_len_bound_within(&self, levels: u32) -> usize {
                    pointee_bound::<T>(self, levels)
                }
            }

            unpackable!([T] $pointer<T>, leaf false, min_len 1, |reader| {
                reader.descend()?;
                T::unpack_from(reader).map($pointer::new)
            });
            unpackable!([T] $pointer<[T]>, leaf false, min_len 1, |reader| T::unpack_vec(reader).map($pointer::from));
        )*};
    }

    pointer!(Box Rc Arc);

    impl<T: ToOwned + Packable + ?Sized> Packable for Cow<'_, T> {
        fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
            T::pack_into(self, writer)
        }

        bound_of_levels!();

        #[inline]
        fn packed_len_bound_within(&self, levels: u32) -> usize {
            pointee_bound::<T>(self, levels)
        }
    }
}
