//! What threads share, tried with threads: `src/cpython/shared.rs` knows nothing of Python.

#[path = "../src/cpython/shared.rs"]
#[allow(dead_code, unused_imports)]
mod shared;

use shared::{Cache, Guarded};
use std::sync::atomic::{AtomicUsize, Ordering};

const THREADS: usize = 8;
const ROUNDS: usize = 200_000;

/// Two numbers that are changed one after the other, so that a second thread would see them differ.
#[derive(Default)]
struct Pair(usize, usize);

impl Pair {
    fn step(&mut self) {
        assert_eq!(self.0, self.1, "two threads are in at once");
        self.0 += 1;
        std::hint::black_box(&mut *self);
        self.1 += 1;
    }
}

fn in_threads(work: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(&work);
        }
    });
}

#[test]
fn a_guarded_value_is_for_one_thread_at_a_time() {
    static VALUE: Guarded<Pair> = Guarded::new(Pair(0, 0));
    let done = AtomicUsize::new(0);
    in_threads(|| {
        for _ in 0..ROUNDS {
            if let Some(mut pair) = VALUE.get() {
                pair.step();
                assert!(VALUE.get().is_none(), "it was given twice");
                done.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    let pair = VALUE.get().expect("it is free again");
    assert_eq!((pair.0, pair.1), (done.load(Ordering::Relaxed), pair.0));
    assert!(pair.0 > 0);
}

#[test]
fn a_value_is_free_again_after_a_panic() {
    let value = Guarded::new(1);
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _held = value.get();
        panic!("on purpose");
    }));
    assert!(result.is_err() && value.get().is_some());
}

/// With the feature `free-threaded`; without it a cache relies on the GIL, which is not here.
#[test]
#[cfg(feature = "free-threaded")]
fn a_cache_is_for_one_thread_at_a_time() {
    static CACHE: Cache<[Pair; 4]> = Cache::new([const { Pair(0, 0) }; 4]);
    let done = AtomicUsize::new(0);
    in_threads(|| {
        for round in 0..ROUNDS {
            // SAFETY: nothing in here uses the cache again.
            if let Some(mut slots) = unsafe { CACHE.enter() } {
                slots[round % 4].step();
                done.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    // SAFETY: as above.
    let slots = unsafe { CACHE.enter() };
    let total = slots.map(|slots| slots.iter().map(|pair| pair.0).sum::<usize>());
    assert_eq!(total, Some(done.load(Ordering::Relaxed)));
    assert_ne!(total, Some(0));
}

#[test]
fn a_cache_serves_one_thread() {
    let cache = Cache::new(5);
    // SAFETY: nothing in here uses the cache again.
    assert_eq!(unsafe { cache.enter() }.map(|value| *value + 1), Some(6));
}
