//! The table of a container file as batches of Arrow, all with one schema.

use packord::columns::arrow::{ArrowSchema, ArrowTable, TableType};
use packord::container::{Block, BlockTables, FileIndex, TableTypes, TypeName};
use packord::{Error, ErrorKind};
use pyo3::exceptions::{PyStopIteration, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::pyclass::PyVisit;
use pyo3::types::{PyMapping, PyTuple};
use std::collections::{HashSet, VecDeque};

use super::choice::RowChoice;
use super::errors::{named, read_error};
use super::pass::BlockPass;
use super::reader::ContainerReader;
use crate::api::arrow::{SCHEMA, STREAM, capsule};
use crate::api::held;
use crate::container::wait;
use crate::cpython::garbage::{Holder, Visited};
use crate::cpython::shared::Guarded;
use crate::errors::Failure;

/// The name of the capsule of an array, by the protocol.
const ARRAY: &std::ffi::CStr = c"arrow_array";

/// Rows of a container file as a batch of Apache Arrow. Pass it to any library that takes objects with
/// `__arrow_c_array__` or `__arrow_c_stream__`, any number of times: `pyarrow.record_batch(batch)`,
/// `polars.DataFrame(batch)`.
#[pyclass(name = "Batch", module = "packord.container", frozen)]
pub struct Batch {
    pub ty: TableType,
    pub table: ArrowTable,
}

#[pymethods]
impl Batch {
    /// Number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.table.rows()
    }

    /// Number of columns.
    #[getter]
    fn num_columns(&self) -> usize {
        self.table.columns()
    }

    /// The type of the rows, a struct of all columns, as a `PyCapsule` named `"arrow_schema"`.
    fn __arrow_c_schema__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        capsule(py, self.ty.schema(), SCHEMA)
    }

    /// The rows as a pair of `PyCapsule`, of the type and of the array. The types are those of the batch: the protocol
    /// lets a producer pass over `requested_schema`.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        let schema = capsule(py, self.ty.schema(), SCHEMA)?;
        let array = capsule(py, self.table.array(), ARRAY)?;
        PyTuple::new(py, [schema, array])
    }

    /// The rows as a `PyCapsule` named `"arrow_array_stream"`.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__(&self, py: Python<'_>, requested_schema: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
        let _ = requested_schema;
        let mut table = Some(self.table.clone());
        capsule(py, self.ty.stream(move || Ok(table.take())), STREAM)
    }

    fn __repr__(&self) -> String {
        let (rows, columns) = (self.num_rows(), self.num_columns());
        format!("<packord.container.Batch of {rows} rows, {columns} columns>")
    }
}

/// The batches of a pass over a container file, made by `Reader.arrow_batches`: an iterator of `Batch`, or with
/// `__arrow_c_stream__` one stream of all that are left.
#[pyclass(name = "Batches", module = "packord.container", frozen)]
pub struct Batches {
    asked: Asked,
    passes: Guarded<Option<Passes>>,
}

impl Batches {
    pub fn begin(
        reader: &Bound<'_, ContainerReader>,
        asked: Asked,
        choice: Option<RowChoice>,
        numbers: Option<Vec<usize>>,
    ) -> PyResult<Batches> {
        let pass = BatchPass::begin(reader, &asked, choice.as_ref(), numbers)?;
        Ok(Batches {
            asked,
            passes: Guarded::new(Some(Passes {
                current: pass,
                rest: VecDeque::new(),
                choice,
            })),
        })
    }
}

#[pymethods]
impl Batches {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Batch> {
        let mut passes = held(&self.passes, "a pass")?;
        let Some(passes) = passes.as_mut() else {
            return Err(PyStopIteration::new_err(()));
        };
        let table = py.detach(|| passes.next_or_wait())?;
        let table = table.ok_or_else(|| PyStopIteration::new_err(()))?;
        let ty = self.asked.ty.clone();
        Ok(Batch { ty, table })
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Visited {
        self.passes.visit(&visit)
    }

    /// Ends the pass: files that were added may lead back to it.
    fn __clear__(&self) {
        let passes = self.passes.get().and_then(|mut passes| passes.take());
        drop(passes);
    }

    /// Adds the rows of another file, which have the same columns, or of its blocks with these numbers.
    #[pyo3(signature = (reader, blocks=None))]
    fn _then(&self, reader: Bound<'_, ContainerReader>, blocks: Option<Vec<usize>>) -> PyResult<()> {
        let numbers = reader.get().selected(blocks)?;
        let mut passes = held(&self.passes, "a pass")?;
        if let Some(passes) = passes.as_mut() {
            // Opened now: a thread of another library that asks for rows later must not wait for the GIL.
            let choice = passes.choice.as_ref();
            let pass = BatchPass::begin(&reader, &self.asked, choice, numbers)?;
            passes.rest.push_back(pass);
        }
        Ok(())
    }

    /// The type of the rows, a struct of all columns, as a `PyCapsule` named `"arrow_schema"`.
    fn __arrow_c_schema__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        capsule(py, self.asked.ty.schema(), SCHEMA)
    }

    /// The batches that are left as a `PyCapsule` named `"arrow_array_stream"`. They are in the stream alone then. The
    /// protocol lets a producer pass over `requested_schema`.
    #[pyo3(signature = (requested_schema=None))]
    pub fn __arrow_c_stream__(
        &self,
        py: Python<'_>,
        requested_schema: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let _ = requested_schema;
        let mut passes = held(&self.passes, "a pass")?.take();
        let next = move || match &mut passes {
            Some(passes) => {
                let next = passes.next_or_wait();
                // The error goes while this thread is attached, else pyo3 keeps it until another is.
                next.map_err(|error| Python::attach(move |_| error.to_string()))
            }
            None => Ok(None),
        };
        capsule(py, self.asked.ty.stream(next), STREAM)
    }
}

/// The columns that are asked for.
pub struct Asked {
    pub ty: TableType,
    /// Whether the table has no others.
    is_whole: bool,
}

/// The batches of a block, of which the first one is made. `Err`: a value that is none of its column; the file itself is well.
type BatchesOfBlock = packord::Result<(Option<ArrowTable>, BlockTables)>;

fn batches_of(block: Block, ty: &TableType) -> packord::Result<BatchesOfBlock> {
    let tables = block.into_tables(ty).and_then(|mut tables| {
        let first = tables.next().transpose()?;
        Ok((first, tables))
    });
    match tables {
        // A path is that of a value.
        Err(error) if error.path().is_none() => Err(error),
        tables => Ok(tables),
    }
}

/// The exception of why a pass has ended before the file.
fn raised(py: Python<'_>, error: &Error, reader: &ContainerReader) -> PyErr {
    let raised = match error.path() {
        // A value is none of its column.
        Some(_) => Failure::of(error).into_error(py),
        None => read_error(py, error, reader.path()),
    };
    named(py, raised, reader.path())
}

/// The batches that are still to come.
struct BatchPass {
    blocks: BlockPass<BatchesOfBlock>,
    /// The sizes of batches without columns, which are made of the index alone, before those of blocks.
    counts: VecDeque<usize>,
    /// Those of the current block.
    ready: Option<BlockTables>,
}

impl BatchPass {
    /// A pass over the blocks of a reader, or over those with the numbers given, for the columns that are asked for.
    fn begin(
        reader: &Bound<'_, ContainerReader>,
        asked: &Asked,
        choice: Option<&RowChoice>,
        numbers: Option<Vec<usize>>,
    ) -> PyResult<BatchPass> {
        let (of, py) = (reader.get(), reader.py());
        let ty = asked.ty.clone();
        let counts = match ty.names().len() {
            0 => of.row_counts(py, numbers.as_deref()),
            _ => None,
        };
        let numbers = if counts.is_some() { Some(Vec::new()) } else { numbers };
        let opened = if asked.is_whole && choice.is_none() {
            of.open(py)?
        } else {
            let keys = (!asked.is_whole).then_some(&asked.ty);
            of.open_keys(py, keys, choice)?
        };
        let make = move |block| batches_of(block, &ty);
        Ok(BatchPass {
            blocks: BlockPass::new(reader, opened, numbers, make),
            counts: counts.unwrap_or_default(),
            ready: None,
        })
    }

    /// The next batch. `None` after the last one, or when a file that is followed has no more yet. Called without the
    /// GIL.
    fn next(&mut self) -> packord::Result<Option<ArrowTable>> {
        if let Some(count) = self.counts.pop_front() {
            return Ok(Some(ArrowTable::without_columns(count)));
        }
        loop {
            if let Some(table) = self.ready.as_mut().and_then(BlockTables::next) {
                return table.map(Some);
            }
            let Some(batches) = self.blocks.next()? else {
                return Ok(None);
            };
            let (first, rest) = batches?;
            self.ready = Some(rest);
            if first.is_some() {
                return Ok(first);
            }
        }
    }
}

/// The batches of files one after another.
struct Passes {
    current: BatchPass,
    /// Those after it.
    rest: VecDeque<BatchPass>,
    /// Of which rows all of them are.
    choice: Option<RowChoice>,
}

impl Holder for Passes {
    fn visit(&self, visit: &PyVisit<'_>) -> Visited {
        let mut passes = [&self.current].into_iter().chain(&self.rest);
        passes.try_for_each(|pass| pass.blocks.visit(visit))?;
        self.choice.visit(visit)
    }
}

impl Passes {
    fn reader(&self) -> &ContainerReader {
        self.current.blocks.reader()
    }

    /// The next batch, as that of a pass.
    fn next(&mut self) -> packord::Result<Option<ArrowTable>> {
        loop {
            let batch = self.current.next()?;
            if batch.is_some() || self.reader().follow.is_some() {
                return Ok(batch);
            }
            match self.rest.pop_front() {
                Some(pass) => self.current = pass,
                None => return Ok(None),
            }
        }
    }

    /// The next batch, which is waited for in a file that is followed. Called without the GIL.
    fn next_or_wait(&mut self) -> PyResult<Option<ArrowTable>> {
        loop {
            match (self.next(), self.reader().follow) {
                (Ok(None), Some(pause)) => Python::attach(|py| wait(py, pause))?,
                (Ok(batch), _) => return Ok(batch),
                (Err(error), _) => return Err(Python::attach(|py| raised(py, &error, self.reader()))),
            }
        }
    }
}

/// The columns that a call asks for: of the table, or of `schema` if it is given; all of them, or those in `columns`.
pub fn asked_for(
    reader: &Bound<'_, ContainerReader>,
    columns: Option<Vec<String>>,
    schema: Option<&Bound<'_, PyAny>>,
) -> PyResult<Asked> {
    let whole = match schema {
        Some(schema) => given_schema(schema)?,
        // Of the whole file, whatever the reader is about: looked for once.
        None => match reader.get().schema.get().and_then(|known| known.clone()) {
            Some(known) => known,
            None => joint_schema(reader.get(), reader.py(), std::iter::empty())?,
        },
    };
    let selected = reader.get().select.as_ref().filter(|_| schema.is_none());
    let of_selected = |keys: &Vec<String>| {
        let names = whole.names().map(str::to_owned);
        names.filter(|name| keys.contains(name)).collect()
    };
    let names: Option<Vec<String>> = columns.or_else(|| selected.map(of_selected));
    let is_known = |name: &&String| whole.names().any(|known| known == **name);
    if let Some(name) = names.iter().flatten().find(|name| !is_known(name)) {
        let text = format!("the table has no column {name:?}");
        return Err(PyValueError::new_err(text));
    }
    let are_all = names.as_ref().is_none_or(|names| names.len() == whole.names().len());
    Ok(Asked {
        is_whole: are_all && has_all(&whole, reader.get(), schema),
        ty: names.and_then(|names| whole.select(&names)).unwrap_or(whole),
    })
}

/// Whether the table is known to have no other columns than these.
fn has_all(ty: &TableType, reader: &ContainerReader, given: Option<&Bound<'_, PyAny>>) -> bool {
    if given.is_none() {
        return true;
    }
    let Some(known) = reader.index().and_then(FileIndex::schema) else {
        return false;
    };
    let names: HashSet<&str> = ty.names().collect();
    let paths = known.entries().iter().map(|entry| &*entry.path);
    let mut keys = paths.filter(|path| !path.contains('.') && !path.contains("[]"));
    keys.all(|key| names.contains(key))
}

/// The columns that an object describes: one with `__arrow_c_schema__`, or a mapping as `Reader.schema` returns it.
fn given_schema(schema: &Bound<'_, PyAny>) -> PyResult<TableType> {
    let py = schema.py();
    if let Ok(method) = schema.getattr("__arrow_c_schema__") {
        let capsule = method.call0()?;
        let ty = unsafe {
            let found = ffi::PyCapsule_GetPointer(capsule.as_ptr(), SCHEMA.as_ptr());
            // The capsule has a valid schema, by the protocol.
            let Some(found) = found.cast::<ArrowSchema>().as_ref() else {
                return Err(PyErr::fetch(py));
            };
            TableType::read(found)
        };
        return ty.map_err(|error| type_error(&error));
    }
    let Ok(paths) = schema.cast::<PyMapping>() else {
        let name = schema.get_type().name()?;
        let text = format!("schema must have __arrow_c_schema__ or be a mapping, not {name}");
        return Err(PyTypeError::new_err(text));
    };
    let mut types = TableTypes::new();
    for item in paths.items()?.try_iter()? {
        let (path, (names, _)): (String, (Vec<String>, Bound<'_, PyAny>)) = item?.extract()?;
        let known = names.iter().map(|name| {
            TypeName::from_name(name).ok_or_else(|| PyValueError::new_err(format!("a schema has no type {name:?}")))
        });
        types.add_path(&path, &known.collect::<PyResult<Vec<_>>>()?);
    }
    types.table_type().map_err(|error| type_error(&error))
}

/// The exception of columns that are not those of a table.
fn type_error(error: &Error) -> PyErr {
    let detail = error.detail().unwrap_or_default();
    match error.kind() {
        ErrorKind::TypeMismatch => PyTypeError::new_err(detail.to_owned()),
        ErrorKind::LengthLimit => PyValueError::new_err(format!("{detail}: give a schema")),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// The columns of the whole file and of others, which the reader then takes for its own.
pub fn joint_schema<'py>(
    reader: &ContainerReader,
    py: Python<'py>,
    others: impl Iterator<Item = PyResult<Bound<'py, PyAny>>>,
) -> PyResult<TableType> {
    let mut types = TableTypes::new();
    add_types(reader, py, &mut types)?;
    for other in others {
        add_types(other?.cast::<ContainerReader>()?.get(), py, &mut types)?;
    }
    let found = types.table_type().map_err(|error| type_error(&error))?;
    if let Some(mut known) = reader.schema.get() {
        *known = Some(found.clone());
    }
    Ok(found)
}

/// Adds the types of the index, or looks at the values of every block of the file.
fn add_types(reader: &ContainerReader, py: Python<'_>, types: &mut TableTypes) -> PyResult<()> {
    if let Some(schema) = reader.index().and_then(|index| index.schema()) {
        types.add_schema(schema);
        return Ok(());
    }
    if reader.follow.is_some() || !reader.source.can_repeat() {
        let text = "the file has no schema that can be read ahead of its rows: give a schema";
        return Err(PyValueError::new_err(text));
    }
    let opened = reader.open_whole(py)?;
    let mut blocks = opened.map_some_blocks(reader.threads, None, Ok);
    loop {
        let next = py.detach(|| {
            let Some(block) = blocks.next_made()? else {
                return Ok(false);
            };
            match types.add_block(&block) {
                // A path is that of a row.
                Err(error) if error.path().is_some() || !reader.skips => Err(error),
                _ => Ok(true),
            }
        });
        if !next.map_err(|error| raised(py, &error, reader))? {
            return Ok(());
        }
        py.check_signals()?;
    }
}
