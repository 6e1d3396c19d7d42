//! Work on several threads, whose results come in the order in which it was given.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::failure::{Failure, Outcome};

/// The threads of a command. Clones share them.
#[derive(Clone)]
pub struct Threads {
    /// `None`: all work is done where it is given.
    pool: Option<Arc<ThreadPool>>,
    count: usize,
}

impl Threads {
    /// Starts a number of threads, by default one for each core.
    ///
    /// # Errors
    ///
    /// The number is 0; the system has no more threads.
    pub fn start(count: Option<usize>) -> Outcome<Threads> {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let count = count.unwrap_or_else(cores);
        if count == 0 {
            return Err(Failure::Usage("--threads: expected 1 or more".to_owned()));
        }
        if count == 1 {
            return Ok(Threads { pool: None, count });
        }
        let pool = ThreadPoolBuilder::new().num_threads(count).build();
        let pool = pool.map_err(|error| Failure::Invalid(format!("cannot start threads: {error}")))?;
        Ok(Threads {
            pool: Some(Arc::new(pool)),
            count,
        })
    }

    /// Returns their number.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }
}

/// Pieces of work that are being done, the oldest first.
pub struct Lanes<T> {
    threads: Threads,
    waiting: VecDeque<Piece<T>>,
}

enum Piece<T> {
    Done(T),
    Coming(Receiver<T>),
}

impl<T: Send + 'static> Lanes<T> {
    /// Creates an empty queue for threads.
    #[must_use]
    pub fn new(threads: &Threads) -> Lanes<T> {
        Lanes {
            threads: threads.clone(),
            waiting: VecDeque::new(),
        }
    }

    /// Returns whether all threads have work, and one piece waits: more would only take memory.
    #[must_use]
    pub fn is_full(&self) -> bool {
        let most = match self.threads.pool {
            Some(_) => self.threads.count + 1,
            None => 1,
        };
        self.waiting.len() >= most
    }

    /// Returns whether nothing was given whose result was not taken.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Hands a piece of work.
    pub fn push(&mut self, work: impl FnOnce() -> T + Send + 'static) {
        let piece = match &self.threads.pool {
            None => Piece::Done(work()),
            Some(pool) => {
                let (sender, receiver) = sync_channel(1);
                // Nobody waits for the result if the command has ended.
                pool.spawn_fifo(move || drop(sender.send(work())));
                Piece::Coming(receiver)
            }
        };
        self.waiting.push_back(piece);
    }

    /// Waits for the oldest piece, and returns its result. `None` if there is none.
    pub fn pop(&mut self) -> Option<T> {
        match self.waiting.pop_front()? {
            Piece::Done(result) => Some(result),
            Piece::Coming(receiver) => receiver.recv().ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn results_come_in_the_order_of_the_work() {
        for count in [1, 2, 5] {
            let threads = Threads::start(Some(count)).unwrap();
            let mut lanes = Lanes::new(&threads);
            let mut results = Vec::new();
            for number in 0..50_u64 {
                if lanes.is_full() {
                    results.extend(lanes.pop());
                }
                lanes.push(move || {
                    std::thread::sleep(Duration::from_micros(number * 37 % 500));
                    number
                });
            }
            while let Some(number) = lanes.pop() {
                results.push(number);
            }
            assert!(lanes.is_empty());
            assert_eq!(results, (0..50).collect::<Vec<_>>());
        }
    }

    #[test]
    fn no_threads_are_refused() {
        assert!(Threads::start(Some(0)).is_err());
    }
}
