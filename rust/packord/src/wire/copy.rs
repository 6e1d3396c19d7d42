//! Copies short strings, inline.

/// Copies bytes: up to 32 of them by overlapping words, which is faster than a call of `memcpy`.
///
/// From 8 bytes on, four words cover every length. The lengths of strings are predicted badly, and
/// a wrong prediction costs more than two words that copy some bytes twice.
///
/// # Safety
///
/// `to` is valid for writes of `from.len()` bytes that do not overlap `from`.
#[inline(always)]
pub(crate) unsafe fn copy(to: *mut u8, from: &[u8]) {
    let len = from.len();
    if len > 32 {
        // SAFETY: by the caller, `to` is valid for `len` bytes and does not overlap.
        unsafe { to.copy_from_nonoverlapping(from.as_ptr(), len) };
    } else if let (Some(first), Some(last)) = (from.first_chunk::<8>(), from.last_chunk::<8>()) {
        let at = len - 8;
        // With the first and the last word they cover up to 32 bytes: each begins at most 8 bytes
        // after the one before.
        let second = at.min(8);
        let third = at - second;
        // SAFETY: no word begins after `at`, so all are within the `len` bytes of both sides.
        unsafe {
            let [b, c] = [second, third].map(|at| from.as_ptr().add(at).cast::<[u8; 8]>().read());
            to.cast::<[u8; 8]>().write(*first);
            to.add(second).cast::<[u8; 8]>().write(b);
            to.add(third).cast::<[u8; 8]>().write(c);
            to.add(at).cast::<[u8; 8]>().write(*last);
        }
    } else if let (Some(first), Some(last)) = (from.first_chunk::<4>(), from.last_chunk::<4>()) {
        // SAFETY: `len` is at least 4, so both words are within the `len` bytes of `to`.
        unsafe {
            to.cast::<[u8; 4]>().write(*first);
            to.add(len - 4).cast::<[u8; 4]>().write(*last);
        }
    } else if let (Some(&first), Some(&last)) = (from.first(), from.last()) {
        // SAFETY: all three indexes are below `len`.
        unsafe {
            to.write(first);
            to.add(len / 2).write(from[len / 2]);
            to.add(len - 1).write(last);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_every_short_length_and_no_more() {
        let from: [u8; 40] = core::array::from_fn(|index| index as u8);
        for len in 0..=from.len() {
            let mut to = [0xee; 48];
            // SAFETY: `to` has more than `len` bytes.
            unsafe { copy(to.as_mut_ptr(), &from[..len]) };
            assert_eq!(to[..len], from[..len]);
            assert!(to[len..].iter().all(|&byte| byte == 0xee), "{len}");
        }
    }
}
