//! One pass over the blocks of a container file, for rows and for batches.

use packord::Result;
use packord::container::{Block, BlockMap, PassedRange, Reader};
use pyo3::prelude::*;
use pyo3::pyclass::PyVisit;
use std::collections::HashSet;
use std::io::Read;
use std::sync::atomic::Ordering;

use super::errors::read_error;
use super::reader::ContainerReader;
use crate::container::source::OpenSource;
use crate::cpython::garbage::{Holder, Visited};

/// What is made of the blocks that are still to come.
pub struct BlockPass<T> {
    reader: Py<ContainerReader>,
    blocks: Box<dyn MadeBlocks<T>>,
    /// Where the ranges begin that the crate's reader has passed over and that are noted.
    noted: HashSet<u64>,
}

/// A [`BlockMap`] of any function.
trait MadeBlocks<T>: Send {
    fn next(&mut self) -> Result<Option<T>>;
    fn passed(&self) -> &[PassedRange];
}

impl<R, T, F> MadeBlocks<T> for BlockMap<R, T, F>
where
    R: Read + Send,
    T: Send + 'static,
    F: Fn(Block) -> Result<T> + Clone + Send + Sync + 'static,
{
    fn next(&mut self) -> Result<Option<T>> {
        self.next_made()
    }

    fn passed(&self) -> &[PassedRange] {
        BlockMap::passed(self)
    }
}

impl<T: Send + 'static> BlockPass<T> {
    /// A pass over all blocks that `opened` is about, or over those with the numbers given. `make` is called on the threads
    /// of the reader.
    pub fn new(
        reader: &Bound<'_, ContainerReader>,
        opened: Reader<OpenSource>,
        numbers: Option<Vec<usize>>,
        make: impl Fn(Block) -> Result<T> + Clone + Send + Sync + 'static,
    ) -> BlockPass<T> {
        let of = reader.get();
        of.forget_damage();
        let blocks = opened.map_some_blocks(of.threads, numbers.map(Into::into), make);
        BlockPass {
            reader: reader.clone().unbind(),
            blocks: Box::new(blocks),
            noted: HashSet::new(),
        }
    }

    pub fn reader(&self) -> &ContainerReader {
        self.reader.get()
    }

    /// What was made of the next block. `None` after the last one, or when a file that is followed has no more yet. Called
    /// without the GIL.
    pub fn next(&mut self) -> Result<Option<T>> {
        let next = self.blocks.next();
        let (of, passed) = (self.reader.get(), self.blocks.passed());
        if let Ok(Some(_)) = next {
            of.blocks_read.fetch_add(1, Ordering::Relaxed);
        }
        if passed.len() > self.noted.len() {
            Python::attach(|py| {
                for passed in passed {
                    if self.noted.insert(passed.range.start) {
                        let error = read_error(py, &passed.error, of.path());
                        of.note_damage(py, passed.range.clone(), error);
                    }
                }
            });
        }
        next
    }
}

impl<T> Holder for BlockPass<T> {
    fn visit(&self, visit: &PyVisit<'_>) -> Visited {
        self.reader.visit(visit)
    }
}
