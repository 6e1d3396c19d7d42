//! The blocks of a file in their order, unpacked on one thread or on several.

use packord::container::{Block, Reader, StoredBlock};
use packord::{Error, Result};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::lanes::Lanes;
use super::source::OpenSource;

/// What is made of each block, on any thread.
pub type Work<T> = Arc<dyn Fn(Block) -> Result<T> + Send + Sync>;

/// Where a block is in the file, with its mark, and what was made of it.
type Worked<T> = (Range<u64>, Result<T>);

/// One pass over the blocks of a file.
pub struct Blocks<T> {
    pub reader: Reader<OpenSource>,
    /// The numbers of the blocks to be read, if not all.
    numbers: Option<VecDeque<usize>>,
    /// The number of the block that the reader reads next, if it reads only those.
    next_entry: usize,
    work: Work<T>,
    lanes: Option<Lanes<Worked<T>>>,
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
            numbers: None,
            next_entry: 0,
            work,
            lanes: (threads > 1).then(|| Lanes::start(threads).ok()).flatten(),
            ended: false,
            error: None,
            count: 0,
        }
    }

    /// The same pass over the blocks with these numbers alone.
    pub fn only(mut self, numbers: impl IntoIterator<Item = usize>) -> Blocks<T> {
        self.numbers = Some(numbers.into_iter().collect());
        self
    }

    /// The next block. `None` after the last one, or when a file that is followed has no more yet.
    pub fn next(&mut self) -> Result<Option<Worked<T>>> {
        if self.lanes.is_none() {
            return Ok(self.read()?.map(|block| worked(&block, &self.work)));
        }
        let mut waits = false;
        while !(self.ended || waits || self.lanes.as_ref().is_none_or(Lanes::is_full)) {
            match self.read() {
                Ok(Some(block)) => {
                    let work = self.work.clone();
                    if let Some(lanes) = &mut self.lanes {
                        lanes.push(move || worked(&block, &work));
                    }
                }
                // Of a file that is followed, there may be more the next time.
                Ok(None) => waits = true,
                Err(error) => {
                    self.ended = true;
                    self.error = Some(error);
                }
            }
        }
        if let Some(block) = self.lanes.as_mut().and_then(Lanes::pop) {
            return Ok(Some(block));
        }
        self.error.take().map_or(Ok(None), Err)
    }

    fn read(&mut self) -> Result<Option<StoredBlock>> {
        loop {
            if let Some(numbers) = &self.numbers {
                let Some(&number) = numbers.front() else {
                    return Ok(None);
                };
                for _ in self.next_entry..number {
                    self.reader.skip_entry();
                }
            }
            let Some(block) = self.reader.next_stored()? else {
                return Ok(None);
            };
            self.count += 1;
            let Some(numbers) = &mut self.numbers else {
                return Ok(Some(block));
            };
            let entries = self.reader.index().map_or(&[][..], |index| index.entries());
            let number = entries.partition_point(|entry| entry.offset() < block.offset());
            self.next_entry = number + 1;
            // One at fault may have been passed over, and this be one after it.
            while numbers.front().is_some_and(|&wanted| wanted < number) {
                numbers.pop_front();
            }
            if numbers.front() == Some(&number) {
                numbers.pop_front();
                return Ok(Some(block));
            }
        }
    }
}

fn worked<T>(block: &StoredBlock, work: &Work<T>) -> Worked<T> {
    let range = block.offset()..block.offset() + block.size();
    (range, block.unpack().and_then(|block| work(block)))
}
