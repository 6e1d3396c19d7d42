//! Cells, locks and atomics, which have the bytes of the value inside.

use super::{bound_of_levels, unpackable};
use crate::error::ErrorKind;
use crate::typed::detail::Detail;
use crate::typed::pack::UNKNOWN_BOUND;
use crate::typed::{Failed, Packable, Unpackable, Writer};
use core::cell::RefCell;
use core::sync::atomic::Ordering;

macro_rules! shared {
    ($type:ident, |$value:ident| $access:expr, $fault:literal, $try:ident) => {
        /// Fails with `unsupported_type` if the value cannot be seen.
        impl<T: Packable + ?Sized> Packable for $type<T> {
            fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
                let $value = self;
                match $access {
                    Ok(value) => value.pack_into(writer),
                    Err(_) => Err(writer
                        .fail_with(ErrorKind::UnsupportedType, Detail::Words($fault))),
                }
            }

            bound_of_levels!();

            fn packed_len_bound_within(&self, levels: u32) -> usize {
                self.$try()
                    .map_or(UNKNOWN_BOUND, |value| value.packed_len_bound_within(levels))
            }
        }

        unpackable!([T] $type<T>, leaf T::LEAF, min_len T::MIN_LEN, quick |cursor| T::quick(cursor).map($type::new), |reader| {
            T::unpack_from(reader).map($type::new)
        });
    };
}

shared!(
    RefCell,
    |cell| cell.try_borrow(),
    "the RefCell is borrowed for a change",
    try_borrow
);

#[cfg(feature = "std")]
mod locks {
    use super::*;
    use std::sync::{Mutex, RwLock};

    shared!(Mutex, |lock| lock.lock(), "the lock is poisoned", try_lock);
    shared!(RwLock, |lock| lock.read(), "the lock is poisoned", try_read);
}

macro_rules! atomics {
    ($($size:literal: $($type:ident of $inner:ty),*;)*) => {$($(
        /// Loaded with relaxed ordering.
        #[cfg(target_has_atomic = $size)]
        impl Packable for core::sync::atomic::$type {
            fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
                self.load(Ordering::Relaxed).pack_into(writer)
            }

            fn packed_len_bound(&self) -> usize {
                9
            }
        }

        #[cfg(target_has_atomic = $size)]
        unpackable!([] core::sync::atomic::$type, leaf true, min_len 1, |reader| {
            <$inner as Unpackable>::unpack_from(reader).map(Into::into)
        });
    )*)*};
}

atomics! {
    "8": AtomicBool of bool, AtomicI8 of i8, AtomicU8 of u8;
    "16": AtomicI16 of i16, AtomicU16 of u16;
    "32": AtomicI32 of i32, AtomicU32 of u32;
    "64": AtomicI64 of i64, AtomicU64 of u64;
    "ptr": AtomicIsize of isize, AtomicUsize of usize;
}
