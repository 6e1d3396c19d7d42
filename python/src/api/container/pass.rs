//! One pass over the blocks of a container file, for rows and for batches.

use packord::Result;
use pyo3::prelude::*;
use pyo3::pyclass::PyVisit;

use super::errors::read_error;
use super::reader::ContainerReader;
use crate::container::Blocks;
use crate::cpython::garbage::{Holder, Visited};

/// What is made of the blocks that are still to come.
pub struct BlockPass<T> {
    reader: Py<ContainerReader>,
    blocks: Blocks<T>,
    /// How many ranges that the crate's reader has passed over are noted.
    noted: usize,
}

impl<T: Send + 'static> BlockPass<T> {
    pub fn new(reader: &Bound<'_, ContainerReader>, blocks: Blocks<T>) -> BlockPass<T> {
        reader.get().forget_damage();
        BlockPass {
            reader: reader.clone().unbind(),
            blocks,
            noted: 0,
        }
    }

    pub fn reader(&self) -> &ContainerReader {
        self.reader.get()
    }

    /// What was made of the next block. `None` after the last one, or when a file that is followed has no more yet. Called
    /// without the GIL.
    pub fn next(&mut self) -> Result<Option<T>> {
        let of = self.reader.get();
        loop {
            let before = self.blocks.count;
            let next = self.blocks.next();
            of.note_blocks(self.blocks.count - before);
            let passed = &self.blocks.reader.passed()[self.noted..];
            if !passed.is_empty() {
                self.noted += passed.len();
                Python::attach(|py| {
                    for range in passed {
                        let error = read_error(py, &range.error, of.path());
                        of.note_damage(py, range.range.clone(), error);
                    }
                });
            }
            match next? {
                None => return Ok(None),
                Some((_, Ok(value))) => return Ok(Some(value)),
                Some((range, Err(error))) if of.skips => Python::attach(|py| {
                    of.note_damage(py, range, read_error(py, &error, of.path()));
                }),
                Some((_, Err(error))) => return Err(error),
            }
        }
    }
}

impl<T> Holder for BlockPass<T> {
    fn visit(&self, visit: &PyVisit<'_>) -> Visited {
        self.reader.visit(visit)
    }
}
