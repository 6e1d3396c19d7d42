//! Work on the rows of each block, on several threads.

use std::ops::Range;
use std::sync::Arc;

use packord::Error;
use packord::container::{RowList, StoredBlock};

use super::blocks::Blocks;
use crate::failure::Outcome;
use crate::threads::{Lanes, Threads};

type BlockWork<T> = Arc<dyn Fn(&StoredBlock, RowList<'static>) -> T + Send + Sync>;

/// Unpacks blocks, does some work on the rows of each, and returns the results in the order of the file.
pub struct Unpacking<T> {
    blocks: Blocks,
    lanes: Lanes<(Range<u64>, Result<T, Error>)>,
    work: BlockWork<T>,
    /// The fault after the blocks in the lanes, or the end.
    end: Option<Result<(), Error>>,
}

impl<T: Send + 'static> Unpacking<T> {
    /// Begins.
    pub fn new(
        blocks: Blocks,
        threads: &Threads,
        work: impl Fn(&StoredBlock, RowList<'static>) -> T + Send + Sync + 'static,
    ) -> Unpacking<T> {
        Unpacking {
            blocks,
            lanes: Lanes::new(threads),
            work: Arc::new(work),
            end: None,
        }
    }

    /// Returns the blocks that are read.
    #[must_use]
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// Returns the result for the next block, or `None` after the last one.
    ///
    /// # Errors
    ///
    /// The first fault of the file, after the results of all blocks before it.
    pub fn next_result(&mut self) -> Outcome<Option<T>> {
        loop {
            // What comes late must not keep back what is there.
            while self.end.is_none() && !self.lanes.is_full() && (self.lanes.is_empty() || !self.blocks.may_wait()) {
                match self.blocks.next_block() {
                    Ok(Some(block)) => self.begin(block),
                    Ok(None) => self.end = Some(Ok(())),
                    Err(error) => self.end = Some(Err(error)),
                }
            }
            match (self.lanes.pop(), &self.end) {
                (Some((_, Ok(result))), _) => return Ok(Some(result)),
                (Some((range, Err(error))), _) => {
                    if let Some(error) = self.blocks.pass_over(range, error) {
                        return Err(self.blocks.failure(&error));
                    }
                }
                (None, Some(Err(error))) => return Err(self.blocks.failure(error)),
                (None, _) => return Ok(None),
            }
        }
    }

    fn begin(&mut self, block: StoredBlock) {
        let work = Arc::clone(&self.work);
        self.lanes.push(move || {
            let range = block.offset()..block.offset() + block.size();
            let rows = block.unpack().and_then(packord::container::Block::into_rows);
            (range, rows.map(|rows| work(&block, rows)))
        });
    }
}
