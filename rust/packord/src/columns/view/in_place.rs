//! Bytes of a message as a slice of numbers.

/// Types of numbers of which any bytes are one.
pub(super) trait AnyBits: Copy {}
impl AnyBits for u8 {}
impl AnyBits for u16 {}
impl AnyBits for u32 {}
impl AnyBits for u64 {}
impl AnyBits for i64 {}
impl AnyBits for f32 {}
impl AnyBits for f64 {}

/// Returns little-endian numbers as a slice, if they are aligned and this machine has them so.
pub(super) fn in_place<T: AnyBits>(section: &[u8]) -> Option<&[T]> {
    if cfg!(target_endian = "big") && size_of::<T>() > 1 {
        return None;
    }
    // SAFETY: `AnyBits` is private, and its types are numbers without padding, of which any bytes are one.
    let (before, numbers, after) = unsafe { section.align_to::<T>() };
    (before.is_empty() && after.is_empty()).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::in_place;

    #[test]
    fn only_aligned_bytes_are_numbers_in_place() {
        let memory = [0x0102_0304_0506_0708_u64.to_le(); 3];
        let bytes: alloc::vec::Vec<u8> = memory.iter().flat_map(|n| n.to_le_bytes()).collect();
        assert_eq!(in_place::<u8>(&bytes).map(<[u8]>::len), Some(24));
        let at = bytes.as_ptr().align_offset(8);
        let aligned = &bytes[at..at + 16];
        if cfg!(target_endian = "little") {
            assert_eq!(in_place::<u64>(aligned).map(<[u64]>::len), Some(2));
        }
        assert_eq!(in_place::<u64>(&bytes[at + 1..at + 9]), None);
        assert_eq!(in_place::<u16>(&aligned[..3]), None);
        assert_eq!(in_place::<f64>(&[]), Some(&[][..]));
    }
}
