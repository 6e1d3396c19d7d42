//! Work on several threads, whose results come in the order in which it was given.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

type Job = Box<dyn FnOnce() + Send>;

/// Threads, and pieces of work that are being done, the oldest first. The threads end when it is dropped.
pub struct Lanes<T> {
    jobs: Sender<Job>,
    waiting: VecDeque<Receiver<std::thread::Result<T>>>,
    /// The most pieces that have no result yet: one for each thread, and one that waits.
    most: usize,
}

impl<T: Send + 'static> Lanes<T> {
    /// Starts threads. Fails if the system has no more.
    pub fn start(threads: usize) -> std::io::Result<Lanes<T>> {
        let (jobs, queue) = channel::<Job>();
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..threads {
            let queue = queue.clone();
            let work = move || {
                loop {
                    // The lock is released before the work begins.
                    let job = match queue.lock() {
                        Ok(queue) => queue.recv(),
                        Err(_) => return,
                    };
                    match job {
                        Ok(job) => job(),
                        Err(_) => return,
                    }
                }
            };
            std::thread::Builder::new()
                .name("packord".to_owned())
                .spawn(work)?;
        }
        Ok(Lanes {
            jobs,
            waiting: VecDeque::new(),
            most: threads + 1,
        })
    }

    /// Whether all threads have work, and one piece waits.
    pub fn is_full(&self) -> bool {
        self.waiting.len() >= self.most
    }

    /// Adds a piece of work.
    pub fn push(&mut self, work: impl FnOnce() -> T + Send + 'static) {
        let (result, receiver) = channel();
        let job = move || {
            let outcome = catch_unwind(AssertUnwindSafe(work));
            // Nobody waits for the result of a pass that was dropped.
            drop(result.send(outcome));
        };
        if self.jobs.send(Box::new(job)).is_ok() {
            self.waiting.push_back(receiver);
        }
    }

    /// Waits for the oldest piece. `None` if there is none. A panic of its thread goes on in this one.
    pub fn pop(&mut self) -> Option<T> {
        let outcome = self.waiting.pop_front()?.recv();
        Some(
            outcome
                .expect("a thread answers")
                .unwrap_or_else(|panic| resume_unwind(panic)),
        )
    }
}
