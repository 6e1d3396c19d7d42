//! A limit on the stack, for code that recurses through types of the program. serde's traits and
//! derived code do so at each level, with frames of any size, so a limit on the depth is not
//! enough.

use crate::error::ErrorKind;
use crate::wire::thread_stack;

/// What is left to the frames after the last check, and to what they call: as much as a level of
/// large types needs without optimisation.
const RESERVE: usize = 64 << 10;

/// What may be used where the platform does not tell the end of the stack: it holds on a thread of
/// 256 KiB.
const UNMEASURED: usize = 128 << 10;

/// The lowest address of the stack that reading or writing may reach. Before the second check it is not
/// known, as flat values do not need it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NativeStack(usize);

impl NativeStack {
    pub const UNKNOWN: NativeStack = NativeStack(usize::MAX);
    const ASKED_ONCE: NativeStack = NativeStack(usize::MAX - 1);

    /// Checks that one more level is safe.
    #[inline(always)]
    pub fn check(&mut self) -> Result<(), ErrorKind> {
        if self.0 == Self::UNKNOWN.0 {
            *self = Self::ASKED_ONCE;
            return Ok(());
        }
        if address() > self.0 || self.measure() {
            return Ok(());
        }
        Err(ErrorKind::DepthLimit)
    }

    #[cold]
    #[inline(never)]
    fn measure(&mut self) -> bool {
        let here = address();
        if self.0 == Self::ASKED_ONCE.0 {
            self.0 = match thread_stack() {
                // A caller that has used nearly all of its stack still reads a few levels.
                Some(stack) if stack.contains(&here) => stack.start + RESERVE.min((here - stack.start) / 2),
                // A stack of the program's own, such as a coroutine's, is not the thread's.
                _ => here.saturating_sub(UNMEASURED),
            };
        }
        here > self.0
    }
}

#[inline(always)]
fn address() -> usize {
    let here = 0_u8;
    core::ptr::from_ref(core::hint::black_box(&here)).addr()
}
