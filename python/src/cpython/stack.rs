//! How much of a thread's stack is left: readers and writers call themselves for each container.
//!
//! # Safety
//!
//! The attributes of the running thread are asked for and freed again.

/// The depth that takes no look at the stack: it fits into the smallest that a thread is given.
pub const SHALLOW: usize = 128;
/// The deepest that an option allows.
pub const DEEPEST: usize = 1024;
/// The most bytes that a container takes while one within it is read or written.
const LEVEL: usize = 384;

/// Whether the thread has stack for containers as deep as any may be, from [`SHALLOW`] on.
#[cold]
#[inline(never)]
pub fn is_deep() -> bool {
    thread_local! {
        static LOWEST: usize = lowest();
    }
    let here = 0_u8;
    let free = std::ptr::from_ref(&here)
        .addr()
        .saturating_sub(LOWEST.with(|lowest| *lowest));
    free > (DEEPEST - SHALLOW) * LEVEL
}

/// The lowest address of the thread's stack; 0 where it is not known, so that it is never short.
#[cfg(target_os = "linux")]
fn lowest() -> usize {
    // SAFETY: the attributes are filled by the first call, and not used after they are freed.
    unsafe {
        let mut attributes = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &raw mut attributes) != 0 {
            return 0;
        }
        let (mut address, mut size) = (std::ptr::null_mut(), 0);
        let found =
            libc::pthread_attr_getstack(&raw const attributes, &raw mut address, &raw mut size);
        libc::pthread_attr_destroy(&raw mut attributes);
        if found == 0 { address.addr() } else { 0 }
    }
}

#[cfg(target_os = "macos")]
fn lowest() -> usize {
    // SAFETY: both take the running thread, and change nothing.
    unsafe {
        let thread = libc::pthread_self();
        let highest = libc::pthread_get_stackaddr_np(thread).addr();
        highest.saturating_sub(libc::pthread_get_stacksize_np(thread))
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn lowest() -> usize {
    0
}
