//! Arrays that are filled element by element.

#[cfg(feature = "alloc")]
use crate::wire::copy::copy;
use core::mem::{ManuallyDrop, MaybeUninit};

/// The elements that were made so far; they are dropped if making the others fails.
struct PartialArray<T, const N: usize> {
    items: [MaybeUninit<T>; N],
    len: usize,
}

impl<T, const N: usize> Drop for PartialArray<T, N> {
    fn drop(&mut self) {
        let made = core::ptr::from_mut(&mut self.items[..self.len]) as *mut [T];
        // SAFETY: the first `len` items were written, and nobody else drops them. If dropping one
        // panics, `drop_in_place` goes on with the others.
        unsafe { made.drop_in_place() };
    }
}

/// Returns an array of the results of `make`, or its first error.
#[inline(always)]
pub(crate) fn try_array<T, E, const N: usize>(mut make: impl FnMut(usize) -> Result<T, E>) -> Result<[T; N], E> {
    let mut partial = PartialArray {
        items: [const { MaybeUninit::uninit() }; N],
        len: 0,
    };
    while let Some(place) = partial.items.get_mut(partial.len) {
        place.write(make(partial.len)?);
        partial.len += 1;
    }
    let whole = ManuallyDrop::new(partial);
    // SAFETY: all N items were written; `whole` is not dropped, so this is their only owner.
    Ok(unsafe { core::ptr::from_ref(&whole.items).cast::<[T; N]>().read() })
}

/// Appends `count` items to a vector that has room for them, up to the first that cannot be made. They are
/// made four at a time if `make_four` can.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn extend_within<S, T, E>(
    items: &mut alloc::vec::Vec<T>,
    count: usize,
    source: &mut S,
    make_four: Option<impl Fn(&mut S) -> Option<[T; 4]> + Copy>,
    mut make: impl FnMut(&mut S, usize) -> Result<T, E>,
) -> Result<(), E> {
    let begin = items.len();
    let end = begin + count.min(items.capacity() - begin);
    let mut index = begin;
    while index < end {
        let mut stop = end;
        if make_four.is_some() && end - index >= 4 {
            stop = index + 4;
            if let Some(four) = make_four.and_then(|make_four| make_four(source)) {
                // SAFETY: `index` is the length, at least 4 below the capacity; the items are written
                // before the length says that they are there.
                unsafe {
                    items.as_mut_ptr().add(index).cast::<[T; 4]>().write(four);
                    items.set_len(stop);
                }
                index = stop;
                continue;
            }
        }
        for index in index..stop {
            let item = make(source, index)?;
            // SAFETY: `index` is the length and below the capacity, and `make` cannot reach
            // `items`; the item is written before the length says that it is there.
            unsafe {
                items.as_mut_ptr().add(index).write(item);
                items.set_len(index + 1);
            }
        }
        index = stop;
    }
    Ok(())
}

/// Returns the bytes in a vector of exactly their length. Most are short, so `copy` is used.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn owned_bytes(bytes: &[u8]) -> alloc::vec::Vec<u8> {
    let mut owned = alloc::vec::Vec::with_capacity(bytes.len());
    // SAFETY: the capacity is at least the length, and that many bytes are stored.
    unsafe {
        copy(owned.as_mut_ptr(), bytes);
        owned.set_len(bytes.len());
    }
    owned
}

/// Copies a text into a string with a capacity of exactly its length.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn owned_text(text: &str) -> alloc::string::String {
    // SAFETY: the bytes are those of a `str`.
    unsafe { alloc::string::String::from_utf8_unchecked(owned_bytes(text.as_bytes())) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::cell::Cell;

    struct Counted<'a>(&'a Cell<usize>);
    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }

    #[test]
    fn whole_arrays_are_given_out_and_parts_dropped_once() {
        let dropped = Cell::new(0);
        for fails_at in 0..=4 {
            dropped.set(0);
            let made = try_array::<_, (), 3>(|index| {
                if index == fails_at {
                    Err(())
                } else {
                    Ok(Counted(&dropped))
                }
            });
            assert_eq!(made.is_ok(), fails_at >= 3);
            assert_eq!(dropped.get(), if fails_at < 3 { fails_at } else { 0 });
            drop(made);
            assert_eq!(dropped.get(), fails_at.min(3));
        }
    }

    #[test]
    fn arrays_of_nothing() {
        assert_eq!(try_array::<u8, (), 0>(|_| Err(())), Ok([]));
        assert_eq!(try_array::<(), (), 5>(|_| Ok(())), Ok([(); 5]));
    }
}
