//! The blocks of a file in their order, unpacked on one thread or on several.

use packord::container::{Block, Reader, StoredBlock};
use packord::{Error, ErrorKind, Result};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::lanes::Lanes;
use super::source::OpenSource;

/// What is made of each block, on any thread.
pub type Work<T> = Arc<dyn Fn(ReadBlock) -> T + Send + Sync>;

/// A block that was read.
pub struct ReadBlock {
    /// Where it is in the file, with its mark.
    pub range: Range<u64>,
    body: Body,
}

enum Body {
    Stored(StoredBlock),
    Unpacked(Result<Block>),
}

impl ReadBlock {
    /// Its body.
    pub fn unpack(self) -> Result<Block> {
        match self.body {
            Body::Stored(block) => block.unpack(),
            Body::Unpacked(block) => block,
        }
    }
}

/// One pass over the blocks of a file.
pub struct Blocks<T> {
    pub reader: Reader<OpenSource>,
    /// The numbers of the blocks to be read, if not all.
    numbers: Option<VecDeque<usize>>,
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
            numbers: None,
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

    /// What was made of the next block. `None` after the last one, or when a file that is followed has no more yet.
    pub fn next(&mut self) -> Result<Option<T>> {
        if self.lanes.is_none() {
            let block = self.read()?;
            return Ok(block.map(|block| (self.work)(block)));
        }
        let mut waits = false;
        while !(self.ended || waits || self.lanes.as_ref().is_none_or(Lanes::is_full)) {
            match self.read() {
                Ok(Some(block)) => {
                    let work = self.work.clone();
                    if let Some(lanes) = &mut self.lanes {
                        lanes.push(move || work(block));
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
        if let Some(made) = self.lanes.as_mut().and_then(Lanes::pop) {
            return Ok(Some(made));
        }
        self.error.take().map_or(Ok(None), Err)
    }

    fn read(&mut self) -> Result<Option<ReadBlock>> {
        let block = match &mut self.numbers {
            None => self.reader.next_stored()?.map(|block| ReadBlock {
                range: block.offset()..block.offset() + block.size(),
                body: Body::Stored(block),
            }),
            Some(numbers) => match numbers.pop_front() {
                None => None,
                Some(number) => Some(self.block(number)?),
            },
        };
        self.count += u64::from(block.is_some());
        Ok(block)
    }

    fn block(&mut self, number: usize) -> Result<ReadBlock> {
        let entries = self.reader.index().map_or(&[][..], |index| index.entries());
        let entry = entries.get(number);
        let entry = entry.ok_or_else(|| Error::new(ErrorKind::OutOfRange))?;
        let range = entry.offset()..entry.offset() + entry.size();
        let block = self.reader.block(number);
        match block {
            Err(error) if error.kind() == ErrorKind::Io => Err(error),
            block => Ok(ReadBlock {
                range,
                body: Body::Unpacked(block),
            }),
        }
    }
}
