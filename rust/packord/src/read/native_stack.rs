//! A limit on the stack, for code that recurses through types of the program. serde's traits and
//! derived code do so at each level, with frames of any size, so a limit on the depth is not
//! enough.

/// Maximum stack size from the first call on, for any `max_depth`. A thread has at least 1 MB; this
/// leaves a quarter of it to the caller and to the innermost frames.
const MAX: usize = 768 << 10;

/// The stack address at which reading or writing began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NativeStack(usize);

impl NativeStack {
    #[inline(always)]
    pub fn here() -> NativeStack {
        let here = 0_u8;
        NativeStack(core::ptr::from_ref(core::hint::black_box(&here)).addr())
    }

    /// Returns whether one more level is safe.
    #[inline(always)]
    pub fn has_room(self) -> bool {
        NativeStack::here().0.abs_diff(self.0) < MAX
    }
}
