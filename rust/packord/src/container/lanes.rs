//! [`Lanes`]: work on several threads, whose results come in the order in which it was given.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use core::any::Any;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, RecvError, sync_channel};

/// A result, or the panic of the work.
type LaneOutcome<T> = Result<T, Box<dyn Any + Send>>;

/// Threads, and pieces of work that have no result yet or one that was not taken, the oldest first.
#[derive(Debug)]
pub(super) struct Lanes<T> {
    pool: ThreadPool,
    threads: usize,
    waiting: VecDeque<Receiver<LaneOutcome<T>>>,
}

impl<T: Send + 'static> Lanes<T> {
    /// Starts threads. `None` for a single one, or if the system has no more.
    pub fn new(threads: usize) -> Option<Lanes<T>> {
        if threads < 2 {
            return None;
        }
        let pool = ThreadPoolBuilder::new().num_threads(threads);
        Some(Lanes {
            pool: pool.thread_name(|_| "packord".into()).build().ok()?,
            threads,
            waiting: VecDeque::new(),
        })
    }

    /// Returns whether there is no work.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Returns whether each thread has a piece of work, and one more waits.
    pub fn is_full(&self) -> bool {
        self.waiting.len() > self.threads
    }

    /// Hands a piece of work to a thread.
    pub fn push(&mut self, work: impl FnOnce() -> T + Send + 'static) {
        let (sender, receiver) = sync_channel(1);
        self.pool.spawn_fifo(move || {
            let outcome = catch_unwind(AssertUnwindSafe(work));
            // Whoever waited for it may be gone.
            let _ = sender.send(outcome);
        });
        self.waiting.push_back(receiver);
    }

    /// Returns the oldest result, after it was made; `None` if there is no work. A panic of the work goes on here.
    pub fn pop(&mut self) -> Option<T> {
        match self.waiting.pop_front()?.recv() {
            Ok(Ok(result)) => Some(result),
            Ok(Err(panic)) => resume_unwind(panic),
            // The thread sends something in any case.
            Err(RecvError) => None,
        }
    }
}
