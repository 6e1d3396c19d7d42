//! [`SharedBytes`]: memory that stays where it is for as long as somebody has a use for it.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// What keeps memory. It is dropped and nothing else.
trait Owner: Send + Sync {}
impl<T: Send + Sync> Owner for T {}

/// Bytes and their owner.
#[derive(Clone)]
pub(in super::super) struct SharedBytes {
    start: *const u8,
    len: usize,
    owner: Arc<dyn Owner>,
}

// SAFETY: the bytes are only read, as a `&[u8]` would be, and the owner is `Send` and `Sync`.
unsafe impl Send for SharedBytes {}
// SAFETY: as above.
unsafe impl Sync for SharedBytes {}

impl SharedBytes {
    /// Returns the bytes of an owner.
    pub fn of(owner: impl AsRef<[u8]> + Send + Sync + 'static) -> SharedBytes {
        let owner = Arc::new(owner);
        // Asked once: another call might return other bytes.
        let bytes: &[u8] = (*owner).as_ref();
        let (start, len) = (bytes.as_ptr(), bytes.len());
        SharedBytes { start, len, owner }
    }

    /// Returns bytes of another producer.
    ///
    /// # Safety
    ///
    /// `start` points to `len` bytes that do not change and are not freed before the owner is dropped.
    pub unsafe fn from_raw(
        start: *const u8,
        len: usize,
        owner: Arc<impl Send + Sync + 'static>,
    ) -> SharedBytes {
        SharedBytes { start, len, owner }
    }

    /// Returns `len` new bytes, 0 at first, at an address that is a multiple of eight.
    pub fn aligned(len: usize, fill: impl FnOnce(&mut [u8])) -> SharedBytes {
        let mut words: Vec<u64> = alloc::vec![0; len.div_ceil(8)];
        // SAFETY: the vector has at least `len` bytes, all initialized, and any bytes are valid for u64.
        let bytes = unsafe { core::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), len) };
        fill(bytes);
        let owner = Arc::new(words);
        let start = owner.as_ptr().cast();
        SharedBytes { start, len, owner }
    }

    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: whoever made `self` had these bytes from `owner`, which is not dropped and of which
        // nobody has a mutable reference, so the borrow that it gave still holds.
        unsafe { core::slice::from_raw_parts(self.start, self.len) }
    }

    /// Returns a part of the bytes.
    pub fn part(&self, range: Range<usize>) -> Option<SharedBytes> {
        let part = self.as_slice().get(range)?;
        Some(SharedBytes {
            start: part.as_ptr(),
            len: part.len(),
            owner: Arc::clone(&self.owner),
        })
    }
}

impl fmt::Debug for SharedBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SharedBytes({})", self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_outlive_the_whole() {
        let whole = SharedBytes::of(alloc::vec![1, 2, 3, 4]);
        let part = whole.part(1..3).unwrap();
        assert!(whole.part(3..5).is_none());
        drop(whole);
        assert_eq!(part.clone().as_slice(), [2, 3]);
    }

    #[test]
    fn new_memory_is_aligned() {
        let bytes = SharedBytes::aligned(11, |out| out[10] = 7);
        assert_eq!(bytes.as_slice(), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]);
        assert_eq!(bytes.as_slice().as_ptr() as usize % 8, 0);
        assert!(SharedBytes::aligned(0, |_| ()).as_slice().is_empty());
    }
}
