//! Collections: arrays and maps.

use super::arrays::bound_of_all;
use super::{bound_of_levels, unpackable};
#[cfg(feature = "std")]
use crate::typed::collect::presize;
use crate::typed::collect::{each, entries};
use crate::typed::derived::write_entries;
use crate::typed::pack::UNKNOWN_BOUND;
use crate::typed::{Failed, Packable, Writer};
use alloc::collections::{BTreeMap, BTreeSet, BinaryHeap, LinkedList, VecDeque};

#[cfg(feature = "std")]
use core::hash::{BuildHasher, Hash};
#[cfg(feature = "std")]
use std::collections::{HashMap, HashSet};

/// `write` is the method of writers, `elements` or `set`.
macro_rules! sequence {
    ($write:ident: $([$($param:tt)*] $type:ty;)*) => {$(
        impl<$($param)*> Packable for $type {
            fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
                if !T::BOUND.exists() {
                    writer.descend()?;
                }
                writer.$write(self.iter())
            }

            bound_of_levels!();

            #[inline]
            fn packed_len_bound_within(&self, levels: u32) -> usize {
                let (Some(first), Some(levels)) = (self.iter().next(), levels.checked_sub(1)) else {
                    return UNKNOWN_BOUND;
                };
                bound_of_all(first.packed_len_bound_within(levels), self.len())
            }
        }
    )*};
}

sequence! { elements:
    [T: Packable] VecDeque<T>;
    [T: Packable] LinkedList<T>;
    [T: Packable] BinaryHeap<T>;
}
sequence! { set: [T: Packable] BTreeSet<T>; }

macro_rules! mapping {
    ($([$($param:tt)*] $type:ty;)*) => {$(
        impl<$($param)*> Packable for $type {
            #[inline]
            fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
                write_entries(self.iter(), writer)
            }

            bound_of_levels!();

            #[inline]
            fn packed_len_bound_within(&self, levels: u32) -> usize {
                let (Some((key, value)), Some(levels)) = (self.iter().next(), levels.checked_sub(1)) else {
                    return UNKNOWN_BOUND;
                };
                let value = value.packed_len_bound_within(levels);
                bound_of_all(key.packed_len_bound_within(levels).wrapping_add(value), self.len())
            }
        }
    )*};
}

mapping! { [K: Packable, V: Packable] BTreeMap<K, V>; }

#[cfg(feature = "std")]
mapping! { [K: Packable, V: Packable, S] HashMap<K, V, S>; }
#[cfg(feature = "std")]
sequence! { set: [T: Packable, S] HashSet<T, S>; }

unpackable!([T] VecDeque<T>, leaf false, min_len 1, |reader| T::unpack_vec(reader).map(VecDeque::from));
unpackable!([T {Ord}] BinaryHeap<T>, leaf false, min_len 1, |reader| T::unpack_vec(reader).map(BinaryHeap::from));
unpackable!([T] LinkedList<T>, leaf false, min_len 1, |reader| {
    each(reader, T::LEAF, |_, _| LinkedList::new(), T::quick, T::unpack_from, T::unpack_vec, LinkedList::push_back)
});
unpackable!([T {Ord}] BTreeSet<T>, leaf false, min_len 1, |reader| {
    let read = |reader: &mut _| {
        each(reader, T::LEAF, |_, _| BTreeSet::new(), T::quick, T::unpack_from, T::unpack_vec, |set, item| {
            set.insert(item);
        })
    };
    reader.set(read, BTreeSet::len)
});
unpackable!([K {Ord}, V] BTreeMap<K, V>, leaf false, min_len 1, quick |cursor| cursor.empty_map().then(BTreeMap::new), |reader| {
    let add = |map: &mut BTreeMap<K, V>, key, value| {
        map.insert(key, value);
    };
    entries(reader, K::LEAF && V::LEAF, |_, _| BTreeMap::new(), (K::quick, K::unpack_from, K::from_name), (V::quick, V::unpack_from), add)
});

#[cfg(feature = "std")]
unpackable!([T {Eq + Hash}; S {BuildHasher + Default}] HashSet<T, S>, leaf false, min_len 1, |reader| {
    let make = |count, remaining| {
        HashSet::with_capacity_and_hasher(presize::<T>(count, T::MIN_LEN, remaining), S::default())
    };
    let read = |reader: &mut _| {
        each(reader, T::LEAF, make, T::quick, T::unpack_from, T::unpack_vec, |set: &mut HashSet<T, S>, item| {
            set.insert(item);
        })
    };
    reader.set(read, HashSet::len)
});

#[cfg(feature = "std")]
unpackable!([K {Eq + Hash}, V; S {BuildHasher + Default}] HashMap<K, V, S>, leaf false, min_len 1, quick |cursor| cursor.empty_map().then(HashMap::default), |reader| {
    let make = |count, remaining| {
        let room = presize::<(K, V)>(count, K::MIN_LEN + V::MIN_LEN, remaining);
        HashMap::with_capacity_and_hasher(room, S::default())
    };
    let add = |map: &mut HashMap<K, V, S>, key, value| {
        map.insert(key, value);
    };
    entries(reader, K::LEAF && V::LEAF, make, (K::quick, K::unpack_from, K::from_name), (V::quick, V::unpack_from), add)
});
