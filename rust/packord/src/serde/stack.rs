//! A bound on the stack: serde calls itself for each nesting, in frames of any size.

/// How much stack may be used from the first call on, whatever `max_depth` says: a thread has
/// 1 MB at least.
const MAX_STACK: usize = 512 << 10;

/// Where the stack was when reading or writing began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stack(usize);

impl Stack {
    #[inline(always)]
    pub fn here() -> Stack {
        let here = 0_u8;
        Stack(core::ptr::from_ref(core::hint::black_box(&here)).addr())
    }

    /// Whether one more nesting is safe.
    #[inline(always)]
    pub fn has_room(self) -> bool {
        Stack::here().0.abs_diff(self.0) < MAX_STACK
    }
}
