//! A bound on the stack, for what calls itself through types of the program: serde's traits and
//! derived code do so for each nesting, in frames of any size, so that depth alone bounds nothing.

/// How much stack may be used from the first call on, whatever `max_depth` says: a thread has
/// 1 MB at least, of which this leaves a quarter to the caller and to the innermost frames.
const MAX: usize = 768 << 10;

/// Where the stack was when reading or writing began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NativeStack(usize);

impl NativeStack {
    #[inline(always)]
    pub fn here() -> NativeStack {
        let here = 0_u8;
        NativeStack(core::ptr::from_ref(core::hint::black_box(&here)).addr())
    }

    /// Whether one more nesting is safe.
    #[inline(always)]
    pub fn has_room(self) -> bool {
        NativeStack::here().0.abs_diff(self.0) < MAX
    }
}
