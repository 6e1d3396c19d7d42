//! The stack of the current thread.

use core::ops::Range;

/// Returns the addresses of the thread's stack, if the platform tells them. It is asked once in
/// each thread.
#[must_use]
pub fn thread_stack() -> Option<Range<usize>> {
    measured::stack()
}

#[cfg(all(
    feature = "std",
    not(miri),
    any(target_os = "linux", target_os = "android", target_os = "macos", windows)
))]
mod measured {
    use core::cell::RefCell;
    use core::ops::Range;

    type Stack = Option<Range<usize>>;

    pub fn stack() -> Stack {
        std::thread_local!(static STACK: RefCell<Option<Stack>> = const { RefCell::new(None) });
        STACK.with_borrow_mut(|stack| stack.get_or_insert_with(ask).clone())
    }

    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn ask() -> Stack {
        let mut attributes = core::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
        // SAFETY: the thread exists, as it is this one; the call fills the attributes if it succeeds.
        if unsafe { libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) } != 0 {
            return None;
        }
        let (mut lowest, mut size) = (core::ptr::null_mut(), 0);
        // SAFETY: the attributes were filled.
        let outcome = unsafe { libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut lowest, &raw mut size) };
        // SAFETY: the attributes were filled, and are not used after this.
        unsafe { libc::pthread_attr_destroy(attributes.as_mut_ptr()) };
        (outcome == 0).then(|| lowest.addr()..lowest.addr() + size)
    }

    #[cfg(target_os = "macos")]
    fn ask() -> Stack {
        // SAFETY: the thread exists, as it is this one.
        let (top, size) = unsafe {
            let this = libc::pthread_self();
            let top = libc::pthread_get_stackaddr_np(this);
            (top.addr(), libc::pthread_get_stacksize_np(this))
        };
        Some(top.checked_sub(size)?..top)
    }

    #[cfg(windows)]
    fn ask() -> Stack {
        // Every program is linked with the library.
        #[link(name = "kernel32")]
        unsafe extern "system" {
            fn GetCurrentThreadStackLimits(lowest: *mut usize, highest: *mut usize);
        }
        let (mut lowest, mut highest) = (0, 0);
        // SAFETY: the call writes both numbers, and cannot fail.
        unsafe { GetCurrentThreadStackLimits(&raw mut lowest, &raw mut highest) };
        Some(lowest..highest)
    }
}

#[cfg(not(all(
    feature = "std",
    not(miri),
    any(target_os = "linux", target_os = "android", target_os = "macos", windows)
)))]
mod measured {
    pub fn stack() -> Option<core::ops::Range<usize>> {
        None
    }
}
