//! [`with_room`]: codecs on threads with small stacks.

use crate::wire::thread_stack;
use std::thread;

/// The bytes of stack that a codec may need: a compressor of deflate is made on it, in builds without optimization
/// several times.
const NEEDED: usize = 512 << 10;
/// The stack of a thread that has room.
const ROOM: usize = 2 << 20;

/// Calls a function where there is enough stack for a codec: here, or if there is known to be less, on a thread of its own.
pub(super) fn with_room<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let here = (&raw const work).addr();
    let left = thread_stack().and_then(|stack| here.checked_sub(stack.start));
    if left.is_none_or(|left| left >= NEEDED) {
        return work();
    }
    let (mut waiting, mut result) = (Some(work), None);
    thread::scope(|scope| {
        let work = || result = waiting.take().map(|work| work());
        // Without a thread it is called here.
        let _ = thread::Builder::new().stack_size(ROOM).spawn_scoped(scope, work);
    });
    match (result, waiting) {
        (Some(result), _) => result,
        (None, Some(work)) => work(),
        (None, None) => unreachable!("the work was done"),
    }
}
