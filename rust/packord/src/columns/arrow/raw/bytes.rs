//! [`SharedBytes`]: memory that stays where it is for as long as somebody has a use for it.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

/// What keeps memory. It is dropped and nothing else.
trait Owner: Send + Sync {}
impl<T: Send + Sync> Owner for T {}

/// Types of numbers, which are all of their bytes.
pub(crate) trait ArrowNumber: Copy + Default + Send + Sync + 'static {}

macro_rules! numbers {
    ($($type:ty)*) => {$(impl ArrowNumber for $type {})*};
}
numbers!(u8 u16 u32 u64 i8 i16 i32 i64 i128 f32 f64);

#[derive(Clone)]
pub(crate) struct SharedBytes {
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
    pub unsafe fn from_raw(start: *const u8, len: usize, owner: Arc<impl Send + Sync + 'static>) -> SharedBytes {
        SharedBytes { start, len, owner }
    }

    /// Returns the bytes of numbers, in the order of this machine. They are aligned to the numbers.
    pub fn of_numbers<T: ArrowNumber>(mut numbers: Vec<T>) -> SharedBytes {
        if numbers.is_empty() {
            // There is memory too: some readers look at its address.
            numbers.reserve_exact(1);
        }
        let len = size_of_val(&numbers[..]);
        let owner = Arc::new(numbers);
        // `ArrowNumber` is private, and its types have no padding, so all bytes are initialized.
        let start = owner.as_ptr().cast();
        SharedBytes { start, len, owner }
    }

    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: whoever made `self` had these bytes from `owner`, which is not dropped and of which
        // nobody has a mutable reference, so the borrow that it gave still holds.
        unsafe { core::slice::from_raw_parts(self.start, self.len) }
    }

    /// Returns a slice of the bytes with their owner; `None` for a slice of other memory.
    pub fn part_of(&self, part: &[u8]) -> Option<SharedBytes> {
        let begin = (part.as_ptr() as usize).checked_sub(self.start as usize)?;
        let part = self.as_slice().get(begin..begin.checked_add(part.len())?)?;
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
        let part = whole.part_of(&whole.as_slice()[1..3]).unwrap();
        assert!(part.part_of(whole.as_slice()).is_none());
        drop(whole);
        assert_eq!(part.clone().as_slice(), [2, 3]);
    }

    #[test]
    fn numbers_are_in_the_order_of_this_machine() {
        let bytes = SharedBytes::of_numbers(alloc::vec![7_u32, 8]);
        assert_eq!(bytes.as_slice(), [7_u32, 8].map(u32::to_ne_bytes).concat());
        assert_eq!(bytes.as_slice().as_ptr() as usize % 4, 0);
        assert!(SharedBytes::of_numbers::<i64>(Vec::new()).as_slice().is_empty());
    }
}
