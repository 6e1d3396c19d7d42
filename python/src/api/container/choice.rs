//! Which rows of a block an engine needs, by its own expression.

use packord::columns::arrow::{ArrowArrayStream, ArrowTable, TableType};
use packord::container::ReadOptions;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::io;
use std::sync::{Arc, Once, PoisonError, RwLock};

use super::batches::Batch;
use crate::api::arrow::stream_of;
use crate::cpython::garbage::holds;

/// Whether the program ends. Held while a thread of an engine runs code of Python, which it must not begin then.
static ENDED: RwLock<bool> = RwLock::new(false);

/// A function of an engine, and the columns that it is called with.
pub struct RowChoice {
    ty: TableType,
    choose: Arc<Py<PyAny>>,
}

impl RowChoice {
    /// `named` are some of the columns of a table.
    pub fn new(py: Python<'_>, table: &TableType, named: &[String], choose: Py<PyAny>) -> PyResult<RowChoice> {
        static REGISTERED: Once = Once::new();
        if !REGISTERED.is_completed() {
            let end = wrap_pyfunction!(end_choices, py)?;
            py.import("atexit")?.call_method1("register", (end,))?;
            REGISTERED.call_once(|| ());
        }
        let ty = table.select(named);
        let text = "the columns of a choice are some of the table";
        Ok(RowChoice {
            ty: ty.ok_or_else(|| PyValueError::new_err(text))?,
            choose: Arc::new(choose),
        })
    }

    pub fn added_to(&self, read: ReadOptions) -> ReadOptions {
        let (ty, choose) = (self.ty.clone(), self.choose.clone());
        read.needed_rows(&self.ty, move |table| chosen(&choose, &ty, table))
    }
}

holds!(RowChoice: choose);

/// Calls the function. Its exception is the cause of the error.
fn chosen(choose: &Py<PyAny>, ty: &TableType, table: ArrowTable) -> io::Result<ArrowArrayStream> {
    let ended = ENDED.read().unwrap_or_else(PoisonError::into_inner);
    if *ended {
        return Err(io::Error::other("the program ends"));
    }
    let stream = Python::attach(|py| {
        let ty = ty.clone();
        let batch = Bound::new(py, Batch { ty, table })?;
        stream_of(&choose.bind(py).call1((batch,))?)
    });
    stream.map_err(io::Error::other)
}

/// Waits for the calls that threads of engines have begun: once the interpreter ends, they must not be in it.
#[pyfunction]
fn end_choices(py: Python<'_>) {
    py.detach(|| *ENDED.write().unwrap_or_else(PoisonError::into_inner) = true);
}
