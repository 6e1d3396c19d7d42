//! How much of a thread's stack is left: readers and writers call themselves for each container.

use packord::wire::thread_stack;

/// The depth that takes no look at the stack: it fits into the smallest that a thread is given.
pub const SHALLOW: usize = 128;
/// The deepest that an option allows.
pub const DEEPEST: usize = 1024;
/// The most bytes that a container takes while one within it is read or written.
const LEVEL: usize = 384;

/// Whether the thread has stack for containers as deep as any may be, from [`SHALLOW`] on. Where the platform does not
/// say it, it has.
#[cold]
#[inline(never)]
pub fn is_deep() -> bool {
    let here = 0_u8;
    let lowest = thread_stack().map_or(0, |stack| stack.start);
    let free = std::ptr::from_ref(&here).addr().saturating_sub(lowest);
    free > (DEEPEST - SHALLOW) * LEVEL
}
