//! [`ReadAhead`]: blocks that are read before they are asked for, so that several threads unpack them.

use super::block::{Block, StoredBlock};
use super::blocks::{BlockCursor, CursorPlace};
use super::codec::BodyUnpacker;
use super::lanes::Lanes;
use super::options::OnBadBlock;
use crate::error::{Error, Result};
use alloc::collections::VecDeque;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use std::io::Read;
use std::sync::Mutex;

/// A block, and what was made of it.
type MadeOf<T> = (StoredBlock, Result<T>);

/// Blocks that are being unpacked, the oldest first.
pub(super) struct ReadAhead<T> {
    lanes: Lanes<MadeOf<T>>,
    /// The place after each of them.
    places: VecDeque<CursorPlace>,
    /// Unpackers that no thread uses.
    idle: Arc<Mutex<Vec<BodyUnpacker>>>,
    /// The fault after them.
    fault: Option<Error>,
    has_ended: bool,
}

impl<T> fmt::Debug for ReadAhead<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadAhead")
            .field("places", &self.places)
            .finish_non_exhaustive()
    }
}

impl<T: Send + 'static> ReadAhead<T> {
    /// Starts the threads of the options. `None` for a single one, or if the system has no more.
    pub fn new<R: Read>(blocks: &BlockCursor<R>) -> Option<ReadAhead<T>> {
        // To pass over a body at fault, the cursor goes back.
        let goes_back = blocks.options.on_bad_block == OnBadBlock::Skip;
        if goes_back && !blocks.input.is_seekable() {
            return None;
        }
        Some(ReadAhead {
            lanes: Lanes::new(blocks.options.threads)?,
            places: VecDeque::new(),
            idle: Arc::default(),
            fault: None,
            has_ended: false,
        })
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
            let place = self.places.pop_front();
            match result {
                Ok(value) => return Ok(Some(value)),
                Err(error) => self.reject(blocks, stored, place, error)?,
            }
        }
    }

    /// Returns the next block as it is in the file: one that was read ahead, if there is one.
    pub fn next_stored<R: Read>(
        &mut self,
        blocks: &mut BlockCursor<R>,
    ) -> Result<Option<StoredBlock>> {
        match self.lanes.pop() {
            Some((stored, _)) => {
                self.places.pop_front();
                Ok(Some(stored))
            }
            None if self.fault.is_some() => self.end(blocks),
            None => blocks.next_stored(),
        }
    }

    /// Returns the next block with its body unpacked. One that was read ahead is unpacked again.
    pub fn next_block<R: Read>(&mut self, blocks: &mut BlockCursor<R>) -> Result<Option<Block>> {
        while let Some((stored, _)) = self.lanes.pop() {
            let place = self.places.pop_front();
            match stored.unpack() {
                Ok(block) => return Ok(Some(block)),
                Err(error) => self.reject(blocks, stored, place, error)?,
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

    /// Reports a block at fault. What comes after it is read again.
    fn reject<R: Read>(
        &mut self,
        blocks: &mut BlockCursor<R>,
        stored: StoredBlock,
        place: Option<CursorPlace>,
        error: Error,
    ) -> Result<()> {
        while self.lanes.pop().is_some() {}
        self.places.clear();
        (self.fault, self.has_ended) = (None, false);
        if blocks.options.on_bad_block == OnBadBlock::Skip {
            if let Some(place) = place {
                blocks.return_to(place)?;
            }
        }
        blocks.reject_stored(stored, error)
    }

    /// Gives blocks to all threads.
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
            self.places.push_back(blocks.place());
            let (idle, make) = (Arc::clone(&self.idle), make.clone());
            self.lanes.push(move || {
                let known = idle.lock().ok().and_then(|mut idle| idle.pop());
                let mut unpacker = known.unwrap_or_default();
                let block = stored.unpack_by(&mut unpacker);
                if let Ok(mut idle) = idle.lock() {
                    idle.push(unpacker);
                }
                (stored, block.and_then(make))
            });
        }
    }
}
