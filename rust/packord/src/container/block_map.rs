//! [`BlockMap`]: what a function makes of each block.

#[cfg(feature = "container-parallel")]
use super::ahead::ReadAhead;
use super::block::Block;
use super::blocks::{BlockCursor, PassedRange};
use super::header::FileHeader;
use crate::error::Result;
use core::marker::PhantomData;
use std::io::Read;

/// What a function makes of each block of a file, in the order of the file: of
/// [`Reader::map_blocks`](super::Reader::map_blocks). It ends after the first error.
#[derive(Debug)]
pub struct BlockMap<R, T, F> {
    blocks: BlockCursor<R>,
    #[cfg(feature = "container-parallel")]
    ahead: Option<ReadAhead<T>>,
    make: F,
    has_ended: bool,
    made: PhantomData<fn() -> T>,
}

impl<R, T, F> BlockMap<R, T, F>
where
    R: Read,
    T: Send + 'static,
    F: Fn(Block) -> Result<T> + Clone + Send + Sync + 'static,
{
    pub(super) fn new(blocks: BlockCursor<R>, make: F) -> BlockMap<R, T, F> {
        BlockMap {
            #[cfg(feature = "container-parallel")]
            ahead: ReadAhead::new(&blocks),
            blocks,
            make,
            has_ended: false,
            made: PhantomData,
        }
    }

    /// Returns the header of the file.
    pub fn header(&self) -> &FileHeader {
        &self.blocks.header
    }

    /// Returns the ranges that were passed over with [`OnBadBlock::Skip`](super::OnBadBlock::Skip) so far. With more than one
    /// thread, they can be ahead of the blocks.
    pub fn passed(&self) -> &[PassedRange] {
        &self.blocks.passed
    }

    /// As an iterator, but an error is returned again by later calls. For the Python package.
    #[doc(hidden)]
    pub fn next_made(&mut self) -> Result<Option<T>> {
        #[cfg(feature = "container-parallel")]
        if let Some(ahead) = &mut self.ahead {
            return ahead.next_made(&mut self.blocks, &self.make);
        }
        self.blocks.next_made(&self.make)
    }
}

impl<R, T, F> Iterator for BlockMap<R, T, F>
where
    R: Read,
    T: Send + 'static,
    F: Fn(Block) -> Result<T> + Clone + Send + Sync + 'static,
{
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.has_ended {
            return None;
        }
        let made = self.next_made().transpose();
        self.has_ended = matches!(made, Some(Err(_)));
        made
    }
}
