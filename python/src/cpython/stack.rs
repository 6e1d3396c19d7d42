//! How much of a thread's stack is left: readers and writers call themselves for each container.

use packord::wire::thread_stack;

/// The depth that takes no look at the stack: it fits into the smallest that a thread is given.
pub const SHALLOW: usize = 16;
/// The deepest that an option allows.
pub const DEEPEST: usize = 1024;
/// The most bytes that a container takes while one within it is read or written, without code of Python.
const LEVEL: usize = 1280;
/// What is left to the functions that are called for a value, and to code of Python.
const RESERVE: usize = 16 << 10;

/// How many containers more the thread has stack for, at least. Where the platform does not say it, it has.
#[cold]
#[inline(never)]
pub fn levels() -> usize {
    let here = 0_u8;
    let lowest = thread_stack().map_or(0, |stack| stack.start);
    let free = std::ptr::from_ref(&here).addr().saturating_sub(lowest);
    free.saturating_sub(RESERVE) / LEVEL
}
