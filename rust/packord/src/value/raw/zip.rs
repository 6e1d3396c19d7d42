//! Shared keys with the same number of owned values, in two words.
//!
//! A record refers to its structure, which many records share, and holds one value for each of the
//! structure's keys. The number of values is that of the keys and is not stored again. So a record
//! costs its values and nothing more, as the memory bound of `spec/limits.md` section 3 requires (a
//! record of one field can be one byte of input).

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ptr::{NonNull, slice_from_raw_parts_mut};

/// One value for each key. The length is `keys.len()`, which never changes: the `Arc` of the keys
/// is never handed out mutably.
pub(crate) struct Zip<K, V> {
    keys: Arc<Box<[K]>>,
    /// The first of `keys.len()` values, from a `Box<[V]>`.
    values: NonNull<V>,
    owns: PhantomData<Box<[V]>>,
}

impl<K, V> Zip<K, V> {
    /// Returns the pairs of keys and values, or `None` if their numbers differ.
    pub(crate) fn new(keys: Arc<Box<[K]>>, values: Box<[V]>) -> Option<Zip<K, V>> {
        if keys.len() != values.len() {
            return None;
        }
        let values = NonNull::from(Box::leak(values)).cast::<V>();
        Some(Zip {
            keys,
            values,
            owns: PhantomData,
        })
    }

    pub(crate) fn keys(&self) -> &Arc<Box<[K]>> {
        &self.keys
    }

    pub(crate) fn values(&self) -> &[V] {
        // SAFETY: `values` came from a boxed slice of `keys.len()` elements that `self` owns.
        unsafe { NonNull::slice_from_raw_parts(self.values, self.keys.len()).as_ref() }
    }

    pub(crate) fn values_mut(&mut self) -> &mut [V] {
        // SAFETY: as in `values`; `&mut self` makes the access exclusive.
        unsafe { NonNull::slice_from_raw_parts(self.values, self.keys.len()).as_mut() }
    }

    pub(crate) fn into_parts(self) -> (Arc<Box<[K]>>, Vec<V>) {
        let zip = core::mem::ManuallyDrop::new(self);
        // SAFETY: `zip` is neither used nor dropped after this, so the keys have one owner.
        let keys = unsafe { core::ptr::read(&raw const zip.keys) };
        let values = slice_from_raw_parts_mut(zip.values.as_ptr(), keys.len());
        // SAFETY: the pointer and the length are those of the box that `new` leaked, and `zip`,
        // which owned it, is not dropped.
        let values = unsafe { Box::from_raw(values) };
        (keys, values.into_vec())
    }
}

impl<K, V> Drop for Zip<K, V> {
    fn drop(&mut self) {
        let values = slice_from_raw_parts_mut(self.values.as_ptr(), self.keys.len());
        // SAFETY: the pointer and the length are those of the box that `new` leaked.
        drop(unsafe { Box::from_raw(values) });
    }
}

// SAFETY: a `Zip` is an `Arc<Box<[K]>>` and a `Box<[V]>`, and can be sent where both can.
unsafe impl<K: Send + Sync, V: Send> Send for Zip<K, V> {}
// SAFETY: a shared `Zip` gives out `&K` and `&V` only.
unsafe impl<K: Send + Sync, V: Sync> Sync for Zip<K, V> {}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};
    use alloc::vec;

    fn keys(count: usize) -> Arc<Box<[String]>> {
        Arc::new((0..count).map(|i| i.to_string()).collect())
    }

    #[test]
    fn owns_its_values_and_shares_its_keys() {
        for count in [0, 1, 3] {
            let keys = keys(count);
            let values: Vec<String> = (0..count).map(|i| i.to_string()).collect();
            let mut zip = Zip::new(Arc::clone(&keys), values.clone().into_boxed_slice()).unwrap();
            assert_eq!(zip.values(), values);
            for value in zip.values_mut() {
                value.push('!');
            }
            assert_eq!(Arc::strong_count(zip.keys()), 2);
            let (same, values) = zip.into_parts();
            assert_eq!(values.len(), count);
            assert!(values.iter().all(|value| value.ends_with('!')));
            drop(same);
            assert_eq!(Arc::strong_count(&keys), 1);
        }
    }

    #[test]
    fn drops_both_parts_once() {
        let keys = keys(2);
        let value = Arc::new(());
        let zip = Zip::new(Arc::clone(&keys), vec![Arc::clone(&value), Arc::clone(&value)].into()).unwrap();
        drop(zip);
        assert_eq!((Arc::strong_count(&keys), Arc::strong_count(&value)), (1, 1));
    }

    #[test]
    fn refuses_unequal_lengths() {
        assert!(Zip::new(keys(2), vec![1].into()).is_none());
    }
}
