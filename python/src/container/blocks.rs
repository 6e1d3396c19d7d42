//! The blocks of a file in their order, unpacked on one thread or on several.

use packord::container::{Reader, StoredBlock};
use packord::{Error, Result};
use std::sync::Arc;

use super::lanes::Lanes;
use super::source::OpenSource;

/// What is made of each block, on any thread.
pub type Work<T> = Arc<dyn Fn(StoredBlock) -> T + Send + Sync>;

/// One pass over the blocks of a file.
pub struct Blocks<T> {
    pub reader: Reader<OpenSource>,
    work: Work<T>,
    lanes: Option<Lanes<T>>,
    /// The reader has come to its end, or to an error that is reported after what is in work.
    ended: bool,
    error: Option<Error>,
    /// How many blocks were read.
    pub count: u64,
}

impl<T: Send + 'static> Blocks<T> {
    /// `threads`: 1 for the thread that calls. More are started if the system has them.
    pub fn new(reader: Reader<OpenSource>, threads: usize, work: Work<T>) -> Blocks<T> {
        Blocks {
            reader,
            work,
            lanes: (threads > 1).then(|| Lanes::start(threads).ok()).flatten(),
            ended: false,
            error: None,
            count: 0,
        }
    }

    /// What was made of the next block. `None` after the last one, or when a file that is followed has no more yet.
    pub fn next(&mut self) -> Result<Option<T>> {
        let Some(lanes) = &mut self.lanes else {
            let stored = self.reader.next_stored()?;
            self.count += u64::from(stored.is_some());
            return Ok(stored.map(|stored| (self.work)(stored)));
        };
        let mut waits = false;
        while !(self.ended || waits || lanes.is_full()) {
            match self.reader.next_stored() {
                Ok(Some(stored)) => {
                    self.count += 1;
                    let work = self.work.clone();
                    lanes.push(move || work(stored));
                }
                // Of a file that is followed, there may be more the next time.
                Ok(None) => waits = true,
                Err(error) => {
                    self.ended = true;
                    self.error = Some(error);
                }
            }
        }
        if !lanes.is_empty() {
            return Ok(lanes.pop());
        }
        match self.error.take() {
            Some(error) => Err(error),
            None => Ok(None),
        }
    }
}
