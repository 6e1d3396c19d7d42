//! [`ReadAhead`]: blocks that are read before they are asked for, so that several threads unpack them.

use super::block::{Block, StoredBlock};
use super::blocks::BlockCursor;
use super::lanes::Lanes;
use crate::error::{Error, Result};
use std::io::Read;

type MadeOf<T> = (StoredBlock, Result<T>);

/// Blocks that are being unpacked, the oldest first.
#[derive(Debug)]
pub(super) struct ReadAhead<T> {
    lanes: Lanes<MadeOf<T>>,
    /// The fault after them.
    fault: Option<Error>,
    has_ended: bool,
}

impl<T: Send + 'static> ReadAhead<T> {
    /// Starts the threads of the options. `None` for a single one, or if the system has no more.
    pub fn new<R: Read>(blocks: &BlockCursor<R>) -> Option<ReadAhead<T>> {
        Some(ReadAhead {
            lanes: Lanes::new(blocks.options.threads)?,
            fault: None,
            has_ended: false,
        })
    }

    /// Returns whether blocks, or a fault after them, were read ahead.
    pub fn is_used(&self) -> bool {
        !self.lanes.is_empty() || self.fault.is_some()
    }

    /// Returns the result of `make` for the next block.
    pub fn next_made<R, F>(&mut self, blocks: &mut BlockCursor<R>, make: &F) -> Result<Option<T>>
    where
        R: Read,
        F: Fn(Block) -> Result<T> + Clone + Send + Sync + 'static,
    {
        loop {
            self.fill(blocks, make);
            let Some((stored, result)) = self.lanes.pop() else {
                return self.end(blocks);
            };
            match result {
                Ok(value) => return Ok(Some(value)),
                Err(error) => self.reject(blocks, &stored, error)?,
            }
        }
    }

    /// Returns the next block as it is in the file: one that was read ahead, if there is one.
    pub fn next_stored<R: Read>(&mut self, blocks: &mut BlockCursor<R>) -> Result<Option<StoredBlock>> {
        match self.lanes.pop() {
            Some((stored, _)) => Ok(Some(stored)),
            None if self.fault.is_some() => self.end(blocks),
            None => blocks.next_stored(),
        }
    }

    /// Returns the next block with its body unpacked. One that was read ahead is unpacked again.
    pub fn next_block<R: Read>(&mut self, blocks: &mut BlockCursor<R>) -> Result<Option<Block>> {
        while let Some((stored, _)) = self.lanes.pop() {
            match stored.unpack() {
                Ok(block) => return Ok(Some(block)),
                Err(error) => self.reject(blocks, &stored, error)?,
            }
        }
        if self.fault.is_some() {
            return self.end(blocks);
        }
        blocks.next_made(Ok)
    }

    /// Returns the fault after the blocks, or that there are no more.
    fn end<R: Read, U>(&mut self, blocks: &BlockCursor<R>) -> Result<Option<U>> {
        let fault = self.fault.take();
        // A fault is reported again by the cursor.
        self.has_ended = fault.is_none() && !blocks.options.follow;
        fault.map_or(Ok(None), Err)
    }

    /// Reports a block whose body is at fault. If that ends the reading, nothing after it is returned.
    fn reject<R: Read>(&mut self, blocks: &mut BlockCursor<R>, stored: &StoredBlock, error: Error) -> Result<()> {
        let outcome = blocks.reject_stored(stored, error);
        if outcome.is_err() {
            while self.lanes.pop().is_some() {}
            (self.fault, self.has_ended) = (None, false);
        }
        outcome
    }

    fn fill<R, F>(&mut self, blocks: &mut BlockCursor<R>, make: &F)
    where
        R: Read,
        F: Fn(Block) -> Result<T> + Clone + Send + Sync + 'static,
    {
        while !self.has_ended && !self.lanes.is_full() {
            let stored = match blocks.next_stored() {
                Ok(Some(stored)) => stored,
                Ok(None) => return,
                Err(error) => {
                    (self.fault, self.has_ended) = (Some(error), true);
                    return;
                }
            };
            let make = make.clone();
            self.lanes.push(move || {
                let result = stored.unpack().and_then(make);
                (stored, result)
            });
        }
    }
}
