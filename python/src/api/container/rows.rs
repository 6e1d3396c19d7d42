//! One pass over the rows of a container file.

use packord::container::{Block, RowList};
use pyo3::exceptions::PyStopIteration;
use pyo3::prelude::*;
use pyo3::pyclass::PyVisit;

use super::errors::{MARK, read_error};
use super::pass::BlockPass;
use super::reader::ContainerReader;
use crate::api::held;
use crate::container::wait;
use crate::cpython::garbage::{Holder, Visited, holds};
use crate::cpython::shared::Guarded;
use crate::decode::Decoder;
use crate::errors::{Failure, Raised, Step};

/// An iterator over the rows and messages of a container file, made by `iter(reader)`.
///
/// After a row that cannot be read as it was asked for, the next call returns the row after it. A fault of the file is
/// raised again by each later call.
#[pyclass(name = "Rows", module = "packord.container", frozen)]
pub struct Rows {
    pass: Guarded<Pass>,
}

/// The rows that are still to come.
struct Pass {
    blocks: BlockPass<BlockRows>,
    block: BlockRows,
    next: usize,
}

/// The rows of a block that are asked for.
#[derive(Default)]
struct BlockRows {
    rows: RowList<'static>,
    /// The offset of its mark.
    offset: u64,
}

holds!(Pass: blocks);

impl Rows {
    pub fn begin(reader: &Bound<'_, ContainerReader>) -> PyResult<Rows> {
        let of = reader.get();
        let make = |block: Block| {
            let offset = block.offset();
            let rows = block.into_rows()?;
            Ok(BlockRows { rows, offset })
        };
        Ok(Rows {
            pass: Guarded::new(Pass {
                blocks: BlockPass::new(reader, of.open(reader.py())?, None, make),
                block: BlockRows::default(),
                next: 0,
            }),
        })
    }
}

impl Pass {
    /// Reads the next block. `false` after the last one.
    fn next_block(&mut self, py: Python<'_>) -> PyResult<bool> {
        loop {
            let next = py.detach(|| self.blocks.next());
            let of = self.blocks.reader();
            match (next, of.follow) {
                (Ok(Some(block)), _) => {
                    (self.block, self.next) = (block, 0);
                    return Ok(true);
                }
                (Ok(None), Some(pause)) => wait(py, pause)?,
                (Ok(None), None) => return Ok(false),
                (Err(error), _) => return Err(read_error(py, &error, of.path())),
            }
        }
    }

    fn decode(&self, py: Python<'_>, row: &[u8], number: usize) -> PyResult<Py<PyAny>> {
        let of = self.blocks.reader();
        let mut decoder = Decoder::new(row, &of.decode, None, None);
        unsafe {
            match decoder.message(of.plan.as_ref()) {
                Ok(value) => Bound::from_owned_ptr_or_err(py, value).map(Bound::unbind),
                // It was read whole, and is not what was asked for: at the place of its block.
                Err(Raised) => {
                    let failure = decoder.failure.take();
                    let mut failure = failure.unwrap_or_else(|| Failure::transparent());
                    failure.step(Step::Index(number));
                    failure.offset = Some((self.block.offset + MARK) as usize);
                    Err(failure.into_error(py))
                }
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
        self.pass.visit(&visit)
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut pass = held(&self.pass, "a pass")?;
        loop {
            let number = pass.next;
            pass.next += 1;
            if let Some(row) = pass.block.rows.get(number) {
                return pass.decode(py, row, number);
            }
            if !pass.next_block(py)? {
                return Err(PyStopIteration::new_err(()));
            }
        }
    }
}
