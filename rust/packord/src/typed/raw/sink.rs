//! What takes the bytes of a [`Writer`](super::Writer): vectors, slices, buffers.

/// What takes the bytes of a [`Writer`], a window at a time.
///
/// # Safety
///
/// A window's pointer must be valid for writes of its length until the next call.
pub(crate) unsafe trait ByteSink {
    /// Takes the first `used` bytes of the last window as written, and returns a window of at least
    /// `room` bytes, or of all that are left if there are fewer.
    ///
    /// # Safety
    ///
    /// The caller has written `used` bytes of the last window.
    unsafe fn window(&mut self, used: usize, room: usize) -> FreeBytes;

    /// Appends bytes that do not fit the last window. Returns `false` if there is no room for them.
    fn append(&mut self, bytes: &[u8]) -> bool;
}

pub(crate) struct FreeBytes {
    pub(super) start: *mut u8,
    pub(super) len: usize,
}

#[cfg(feature = "alloc")]
pub(crate) struct VecSink<'v>(pub &'v mut alloc::vec::Vec<u8>);

// SAFETY: the window is the vector's spare capacity, which does not move until the vector is used
// again, at the next call.
#[cfg(feature = "alloc")]
unsafe impl ByteSink for VecSink<'_> {
    #[inline]
    unsafe fn window(&mut self, used: usize, room: usize) -> FreeBytes {
        let len = self.0.len() + used;
        // SAFETY: the caller wrote `used` bytes of the spare capacity.
        unsafe { self.0.set_len(len) };
        // A wrong bound may request more memory than there is. What fits is written nevertheless.
        let _ = self.0.try_reserve(room);
        let spare = self.0.spare_capacity_mut();
        FreeBytes {
            start: spare.as_mut_ptr().cast(),
            len: spare.len(),
        }
    }

    fn append(&mut self, bytes: &[u8]) -> bool {
        self.0.extend_from_slice(bytes);
        true
    }
}

pub(crate) struct SliceSink<'s> {
    space: &'s mut [u8],
    pub len: usize,
}

impl<'s> SliceSink<'s> {
    pub fn new(space: &'s mut [u8]) -> SliceSink<'s> {
        SliceSink { space, len: 0 }
    }
}

// SAFETY: the window is what is left of the slice, which is exclusively borrowed.
unsafe impl ByteSink for SliceSink<'_> {
    #[inline]
    unsafe fn window(&mut self, used: usize, _: usize) -> FreeBytes {
        self.len += used;
        let left = &mut self.space[self.len..];
        FreeBytes {
            start: left.as_mut_ptr(),
            len: left.len(),
        }
    }

    fn append(&mut self, _: &[u8]) -> bool {
        false
    }
}

/// A [`bytes::BufMut`] as a sink.
#[cfg(feature = "bytes")]
pub(crate) struct BufSink<'s, B: bytes::BufMut + ?Sized> {
    pub buffer: &'s mut B,
    pub written: usize,
}

// SAFETY: the window is `chunk_mut` of the buffer, an unsafe trait that promises that it is valid.
#[cfg(feature = "bytes")]
unsafe impl<B: bytes::BufMut + ?Sized> ByteSink for BufSink<'_, B> {
    #[inline]
    unsafe fn window(&mut self, used: usize, _: usize) -> FreeBytes {
        if used > 0 {
            // SAFETY: the caller wrote `used` bytes of the last chunk.
            unsafe { self.buffer.advance_mut(used) };
            self.written += used;
        }
        if !self.buffer.has_remaining_mut() {
            return FreeBytes {
                start: core::ptr::NonNull::dangling().as_ptr(),
                len: 0,
            };
        }
        let chunk = self.buffer.chunk_mut();
        FreeBytes {
            start: chunk.as_mut_ptr(),
            len: chunk.len(),
        }
    }

    fn append(&mut self, bytes: &[u8]) -> bool {
        if self.buffer.remaining_mut() < bytes.len() {
            return false;
        }
        self.buffer.put_slice(bytes);
        self.written += bytes.len();
        true
    }
}
