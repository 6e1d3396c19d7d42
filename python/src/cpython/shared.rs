//! State that several threads can reach.
//!
//! With a GIL no two threads are in this module at once, except that code of the user which it calls can
//! call it again. Free-threaded builds of CPython (feature `free-threaded`) have none.

/// A pointer that counts its owners, of whom several threads have some where there is no GIL.
#[cfg(not(feature = "free-threaded"))]
pub use std::rc::Rc as Counted;
#[cfg(feature = "free-threaded")]
pub use std::sync::Arc as Counted;

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};

/// State for one call at a time: a second one is refused, and never waits.
pub struct Guarded<T> {
    busy: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: `busy` gives the value to one thread at a time, and what it holds of Python may be used by any.
unsafe impl<T> Send for Guarded<T> {}
unsafe impl<T> Sync for Guarded<T> {}

/// The use of a value, until it is dropped. `LOCKED`: `busy` says that it is used.
pub struct Held<'a, T, const LOCKED: bool = true>(&'a Guarded<T>);

impl<T> Guarded<T> {
    pub const fn new(value: T) -> Guarded<T> {
        Guarded {
            busy: AtomicBool::new(false),
            value: UnsafeCell::new(value),
        }
    }

    /// `None` while another call uses it: one of a hook, or of another thread.
    pub fn get(&self) -> Option<Held<'_, T>> {
        let is_free = !self.busy.swap(true, Ordering::Acquire);
        // Not `then_some`: a `Held` that is dropped frees the value.
        is_free.then(|| Held(self))
    }
}

impl<T, const LOCKED: bool> Deref for Held<'_, T, LOCKED> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: another thread has no `Held` of this value, as `busy` or the GIL see to; this one has no second.
        unsafe { &*self.0.value.get() }
    }
}

impl<T, const LOCKED: bool> DerefMut for Held<'_, T, LOCKED> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above.
        unsafe { &mut *self.0.value.get() }
    }
}

impl<T, const LOCKED: bool> Drop for Held<'_, T, LOCKED> {
    #[inline(always)]
    fn drop(&mut self) {
        if LOCKED {
            self.0.busy.store(false, Ordering::Release);
        }
    }
}

const NO_GIL: bool = cfg!(feature = "free-threaded");

/// A cache for all calls of the process. Without a GIL it is for one thread at a time, and the others do
/// without it meanwhile: what is looked up takes no longer than waiting for it would.
pub struct Cache<T>(Guarded<T>);

impl<T> Cache<T> {
    pub const fn new(value: T) -> Cache<T> {
        Cache(Guarded::new(value))
    }

    /// `None` while another thread uses the cache.
    ///
    /// # Safety
    ///
    /// No code of the user may run until what is returned is dropped.
    #[inline(always)]
    pub unsafe fn enter(&self) -> Option<Held<'_, T, NO_GIL>> {
        let is_taken = NO_GIL && self.0.busy.swap(true, Ordering::Acquire);
        (!is_taken).then(|| Held(&self.0))
    }
}
