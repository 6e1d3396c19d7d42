//! One pass over the rows of a container file.

use packord::container::{Block, BlockMap, PassedRange, RowList};
use pyo3::exceptions::{PyRuntimeError, PyStopIteration};
use pyo3::prelude::*;
use pyo3::pyclass::PyVisit;
use std::sync::Arc;

use super::errors::{read_error, row_error};
use super::reader::ContainerReader;
use crate::container::source::OpenSource;
use crate::container::{Blocks, ReadBlock, Work, wait};
use crate::cpython::garbage::{Holder, Visited};
use crate::cpython::shared::Guarded;
use crate::decode::Decoder;
use crate::errors::{Failure, Raised};

/// An iterator over the rows and messages of a container file, made by `iter(reader)`.
///
/// After a row that cannot be read as it was asked for, the next call returns the row after it. A fault of the file is
/// raised again by each later call.
#[pyclass(name = "Rows", module = "packord.container", frozen)]
pub struct Rows {
    reader: Py<ContainerReader>,
    pass: Guarded<Pass>,
}

/// The rows that are still to come.
struct Pass {
    feed: Feed,
    block: BlockRows,
    next: usize,
    /// How many ranges that were passed over are noted.
    noted: usize,
}

/// Where the rows of blocks come from.
enum Feed {
    /// The crate's reader, which passes over blocks at fault, and how many blocks it has read.
    Skipping(Box<dyn Skipping>, u64),
    Blocks(Box<Blocks<packord::Result<BlockRows>>>),
}

/// The crate's map of blocks, whatever its function is.
trait Skipping: Send {
    /// The next block. `None` after the last one, or when a file that is followed has no more yet.
    fn next_block(&mut self) -> packord::Result<Option<BlockRows>>;

    fn passed(&self) -> &[PassedRange];
}

impl<F> Skipping for BlockMap<OpenSource, BlockRows, F>
where
    F: Fn(Block) -> packord::Result<BlockRows> + Clone + Send + Sync + 'static,
{
    fn next_block(&mut self) -> packord::Result<Option<BlockRows>> {
        self.next().transpose()
    }

    fn passed(&self) -> &[PassedRange] {
        BlockMap::passed(self)
    }
}

/// The rows of a block that are asked for.
#[derive(Default)]
struct BlockRows {
    rows: RowList<'static>,
    /// The offset of its mark.
    offset: u64,
}

impl BlockRows {
    fn of(block: Block) -> packord::Result<BlockRows> {
        let offset = block.offset();
        let rows = block.into_rows()?;
        Ok(BlockRows { rows, offset })
    }
}

impl Feed {
    fn next(&mut self) -> packord::Result<Option<BlockRows>> {
        match self {
            Feed::Skipping(blocks, count) => {
                let block = blocks.next_block()?;
                *count += u64::from(block.is_some());
                Ok(block)
            }
            Feed::Blocks(blocks) => blocks.next()?.transpose(),
        }
    }

    fn count(&self) -> u64 {
        match self {
            Feed::Skipping(_, count) => *count,
            Feed::Blocks(blocks) => blocks.count,
        }
    }
}

impl Rows {
    pub fn begin(reader: &Bound<'_, ContainerReader>) -> PyResult<Rows> {
        let of = reader.get();
        let opened = of.open(reader.py())?;
        of.forget_damage();
        let feed = if of.skips {
            Feed::Skipping(Box::new(opened.map_blocks(BlockRows::of)), 0)
        } else {
            let work: Work<packord::Result<BlockRows>> =
                Arc::new(|block: ReadBlock| block.unpack().and_then(BlockRows::of));
            Feed::Blocks(Box::new(Blocks::new(opened, of.threads, work)))
        };
        Ok(Rows {
            reader: reader.clone().unbind(),
            pass: Guarded::new(Pass {
                feed,
                block: BlockRows::default(),
                next: 0,
                noted: 0,
            }),
        })
    }

    /// Reads the next block that has rows. `false` after the last one.
    fn next_block(&self, py: Python<'_>, pass: &mut Pass) -> PyResult<bool> {
        let of = self.reader.get();
        loop {
            let before = pass.feed.count();
            let next = py.detach(|| pass.feed.next());
            of.note_blocks(pass.feed.count() - before);
            if let Feed::Skipping(blocks, _) = &pass.feed {
                for range in &blocks.passed()[pass.noted..] {
                    let error = read_error(py, &range.error, of.path());
                    of.note_damage(py, range.range.clone(), error);
                }
                pass.noted = blocks.passed().len();
            }
            match next {
                Ok(Some(block)) => {
                    (pass.block, pass.next) = (block, 0);
                    return Ok(true);
                }
                Ok(None) => match of.follow {
                    Some(pause) => wait(py, pause)?,
                    None => return Ok(false),
                },
                Err(error) => return Err(read_error(py, &error, of.path())),
            }
        }
    }
}

#[pymethods]
impl Rows {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Visited {
        self.reader.visit(&visit)
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut pass = self.pass.get().ok_or_else(|| {
            let text = "the rows of a pass can't be used within their own hooks, or by two threads at once";
            PyRuntimeError::new_err(text)
        })?;
        let pass = &mut *pass;
        loop {
            let number = pass.next;
            if let Some(row) = pass.block.rows.get(number) {
                pass.next += 1;
                return self.decode(py, row, pass.block.offset, number);
            }
            if !self.next_block(py, pass)? {
                return Err(PyStopIteration::new_err(()));
            }
        }
    }
}

impl Rows {
    fn decode(&self, py: Python<'_>, row: &[u8], block: u64, number: usize) -> PyResult<Py<PyAny>> {
        let of = self.reader.get();
        let mut decoder = Decoder::new(row, &of.decode, None, None);
        unsafe {
            let value = match &of.plan {
                Some(plan) => decoder.typed_message(plan),
                None => decoder.message(),
            };
            match value {
                Ok(value) => Bound::from_owned_ptr_or_err(py, value).map(Bound::unbind),
                Err(Raised) => {
                    let failure = decoder
                        .failure
                        .take()
                        .unwrap_or_else(|| Failure::transparent());
                    Err(row_error(py, *failure, block, number))
                }
            }
        }
    }
}
