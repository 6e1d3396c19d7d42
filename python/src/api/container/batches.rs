//! The table of a container file as batches of Arrow, all with one schema.

use packord::container::{BlockKind, RowList};
use pyo3::exceptions::{PyRuntimeError, PyStopIteration, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::pyclass::PyVisit;
use pyo3::types::{PyMapping, PyTuple};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::errors::{batch_error, named, no_map_error, read_error};
use super::reader::ContainerReader;
use crate::api::arrow::{SCHEMA, STREAM, capsule};
use crate::container::{Blocks, ReadBlock, Work, wait};
use crate::garbage::{Holder, Visited};
use crate::shared::Guarded;
use crate::table::abi;
use crate::table::batch::{BatchError, BlockBatches};
use crate::table::column::Column;
use crate::table::schema::{KINDS, NoTable, Seen};
use crate::table::types::{Field, Type, imported};

/// The name of the capsule of an array, by the protocol.
const ARRAY: &std::ffi::CStr = c"arrow_array";

/// Rows of a container file as a batch of Apache Arrow. Pass it to any library that takes objects with
/// `__arrow_c_array__` or `__arrow_c_stream__`, any number of times: `pyarrow.record_batch(batch)`,
/// `polars.DataFrame(batch)`.
#[pyclass(name = "Batch", module = "packord.container", frozen)]
pub struct Batch {
    schema: Arc<Field>,
    rows: Arc<Column>,
}

#[pymethods]
impl Batch {
    /// Number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.rows.len()
    }

    /// Number of columns.
    #[getter]
    fn num_columns(&self) -> usize {
        self.rows.children().len()
    }

    /// The type of the rows, a struct of all columns, as a `PyCapsule` named `"arrow_schema"`.
    fn __arrow_c_schema__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        capsule(py, abi::schema(&self.schema), SCHEMA)
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
        let schema = capsule(py, abi::schema(&self.schema), SCHEMA)?;
        let array = capsule(py, abi::array(&self.rows), ARRAY)?;
        PyTuple::new(py, [schema, array])
    }

    /// The rows as a `PyCapsule` named `"arrow_array_stream"`.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__(
        &self,
        py: Python<'_>,
        requested_schema: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let _ = requested_schema;
        let mut rows = Some(self.rows.clone());
        let next = Box::new(move || Ok(rows.take()));
        capsule(py, abi::stream((*self.schema).clone(), next), STREAM)
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
        numbers: Option<Vec<usize>>,
    ) -> PyResult<Batches> {
        let pass = BatchPass::begin(reader, &asked, numbers)?;
        Ok(Batches {
            asked,
            passes: Guarded::new(Some(Passes {
                current: pass,
                rest: VecDeque::new(),
            })),
        })
    }

    fn in_use() -> PyErr {
        PyRuntimeError::new_err("the batches of a pass can't be used by two threads at once")
    }
}

#[pymethods]
impl Batches {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Batch> {
        let mut passes = self.passes.get().ok_or_else(Batches::in_use)?;
        let Some(passes) = passes.as_mut() else {
            return Err(PyStopIteration::new_err(()));
        };
        loop {
            let next = py.detach(|| passes.next());
            match (next, passes.reader().follow) {
                (Ok(Some(rows)), _) => {
                    let schema = self.asked.rows.clone();
                    return Ok(Batch { schema, rows });
                }
                (Ok(None), Some(pause)) => wait(py, pause)?,
                (Ok(None), None) => return Err(PyStopIteration::new_err(())),
                (Err(fault), _) => return Err(fault.raised(py, passes.reader())),
            }
        }
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
    fn _then(
        &self,
        reader: Bound<'_, ContainerReader>,
        blocks: Option<Vec<usize>>,
    ) -> PyResult<()> {
        let numbers = match blocks {
            Some(numbers) => reader.get().selected(numbers)?,
            None => None,
        };
        let mut passes = self.passes.get().ok_or_else(Batches::in_use)?;
        if let Some(passes) = passes.as_mut() {
            // Opened now: a thread of another library that asks for rows later must not wait for the GIL.
            let pass = BatchPass::begin(&reader, &self.asked, numbers)?;
            passes.rest.push_back(pass);
        }
        Ok(())
    }

    /// The type of the rows, a struct of all columns, as a `PyCapsule` named `"arrow_schema"`.
    fn __arrow_c_schema__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        capsule(py, abi::schema(&self.asked.rows), SCHEMA)
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
        let mut passes = self.passes.get().ok_or_else(Batches::in_use)?.take();
        let next = move || match &mut passes {
            Some(passes) => passes.next_or_wait(),
            None => Ok(None),
        };
        let schema = (*self.asked.rows).clone();
        capsule(py, abi::stream(schema, Box::new(next)), STREAM)
    }
}

/// The columns that are asked for.
pub struct Asked {
    pub rows: Arc<Field>,
    /// Whether the table has no others.
    is_whole: bool,
}

/// The batches of a block, and the range of the block in the file.
struct BatchesOfBlock {
    batches: Result<BlockBatches, BatchError>,
    range: Range<u64>,
}

/// Why a pass has ended before the file.
enum Fault {
    Read(packord::Error),
    Batch(BatchError),
}

impl Fault {
    fn raised(self, py: Python<'_>, reader: &ContainerReader) -> PyErr {
        let error = match self {
            Fault::Read(error) => read_error(py, &error, reader.path()),
            Fault::Batch(error) => batch_error(py, error, reader.path()),
        };
        named(py, error, reader.path())
    }
}

/// The batches that are still to come.
struct BatchPass {
    reader: Py<ContainerReader>,
    blocks: Blocks<BatchesOfBlock>,
    rows: Arc<Field>,
    /// The sizes of batches without columns, which are made of the index alone, before those of blocks.
    counts: VecDeque<usize>,
    /// Those of the current block.
    ready: Option<BlockBatches>,
    /// How many ranges that the reader has passed over are noted.
    noted: usize,
}

impl BatchPass {
    /// A pass over the blocks of a reader, or over those with the numbers given, for the columns that are asked for.
    fn begin(
        reader: &Bound<'_, ContainerReader>,
        asked: &Asked,
        numbers: Option<Vec<usize>>,
    ) -> PyResult<BatchPass> {
        let (of, py) = (reader.get(), reader.py());
        let (is_filtered, rows) = (of.filter.is_some(), asked.rows.clone());
        let counts = match rows.ty.children() {
            [] => of.row_counts(py, numbers.as_deref()),
            _ => None,
        };
        let numbers = if counts.is_some() {
            Some(Vec::new())
        } else {
            numbers
        };
        let work: Work<BatchesOfBlock> = Arc::new(move |block: ReadBlock| BatchesOfBlock {
            range: block.range(),
            batches: BlockBatches::of(&block, &rows, is_filtered),
        });
        of.forget_damage();
        let opened = if asked.is_whole {
            of.open(py)?
        } else {
            of.open_keys(py, &asked.rows)?
        };
        let blocks = Blocks::new(opened, of.threads, work);
        Ok(BatchPass {
            reader: reader.clone().unbind(),
            blocks: match numbers {
                Some(numbers) => blocks.only(numbers),
                None => blocks,
            },
            rows: asked.rows.clone(),
            counts: counts.unwrap_or_default(),
            ready: None,
            noted: 0,
        })
    }

    /// The next batch. `None` after the last one, or when a file that is followed has no more yet. Called without the
    /// GIL.
    fn next(&mut self) -> Result<Option<Arc<Column>>, Fault> {
        if let Some(count) = self.counts.pop_front() {
            let rows = Column::of_columns(&self.rows.ty, Vec::new(), count);
            return Ok(Some(Arc::new(rows)));
        }
        loop {
            let batch = self.ready.as_mut().map_or(Ok(None), BlockBatches::next);
            if let Some(batch) = batch.map_err(Fault::Batch)? {
                return Ok(Some(batch));
            }
            let (of, before) = (self.reader.get(), self.blocks.count);
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
            let Some(block) = next.map_err(Fault::Read)? else {
                return Ok(None);
            };
            match block.batches {
                Ok(batches) => self.ready = Some(batches),
                Err(error) if of.skips && error.is_damage() => Python::attach(|py| {
                    of.note_damage(py, block.range, batch_error(py, error, of.path()));
                }),
                Err(error) => return Err(Fault::Batch(error)),
            }
        }
    }
}

/// The batches of files one after another.
struct Passes {
    current: BatchPass,
    /// Those after it.
    rest: VecDeque<BatchPass>,
}

impl Holder for Passes {
    fn visit(&self, visit: &PyVisit<'_>) -> Visited {
        let mut passes = [&self.current].into_iter().chain(&self.rest);
        passes.try_for_each(|pass| pass.reader.visit(visit))
    }
}

impl Passes {
    /// The reader of the current file.
    fn reader(&self) -> &ContainerReader {
        self.current.reader.get()
    }

    /// The next batch, as that of a pass.
    fn next(&mut self) -> Result<Option<Arc<Column>>, Fault> {
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

    /// The next batch for a program that knows nothing of Python. `Err`: what it is told.
    fn next_or_wait(&mut self) -> Result<Option<Arc<Column>>, String> {
        loop {
            match (self.next(), self.reader().follow) {
                (Ok(None), Some(pause)) => {
                    let waited = Python::attach(|py| wait(py, pause));
                    waited.map_err(|error| error.to_string())?;
                }
                (Ok(batch), _) => return Ok(batch),
                (Err(fault), _) => {
                    let of = self.reader();
                    return Err(Python::attach(|py| fault.raised(py, of).to_string()));
                }
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
        None => table_schema(reader.get(), reader.py())?,
    };
    let Some(columns) = columns else {
        let selected = reader.get().select.as_ref().filter(|_| schema.is_none());
        let Some(keys) = selected else {
            return Ok(Asked {
                rows: Arc::new(whole),
                is_whole: schema.is_none(),
            });
        };
        let is_selected = |field: &&Field| {
            keys.iter()
                .any(|key| key.as_bytes() == field.name.to_bytes())
        };
        let fields = whole.ty.children().iter().filter(is_selected);
        return Ok(Asked {
            rows: Arc::new(Field::rows(fields.cloned().collect())),
            is_whole: false,
        });
    };
    let fields = columns.iter().map(|name| {
        let mut fields = whole.ty.children().iter();
        let field = fields.find(|field| field.name.to_bytes() == name.as_bytes());
        field
            .cloned()
            .ok_or_else(|| PyValueError::new_err(format!("the table has no column {name:?}")))
    });
    let fields: Vec<Field> = fields.collect::<PyResult<_>>()?;
    Ok(Asked {
        is_whole: schema.is_none() && fields.len() == whole.ty.children().len(),
        rows: Arc::new(Field::rows(fields)),
    })
}

/// The columns that an object describes: one with `__arrow_c_schema__`, or a mapping as `Reader.schema` returns it.
fn given_schema(schema: &Bound<'_, PyAny>) -> PyResult<Field> {
    let py = schema.py();
    if let Ok(method) = schema.getattr("__arrow_c_schema__") {
        let capsule = method.call0()?;
        let field = unsafe {
            let found = ffi::PyCapsule_GetPointer(capsule.as_ptr(), SCHEMA.as_ptr());
            let Some(found) = found.cast::<abi::CSchema>().as_ref() else {
                return Err(PyErr::fetch(py));
            };
            imported(found)
        };
        let field = field.map_err(|(name, format)| {
            let text = format!("no column can be of Arrow's type {format:?}: {name:?}");
            PyValueError::new_err(text)
        })?;
        return match field.ty {
            Type::Struct(fields) => Ok(Field::rows(fields)),
            _ => Err(PyTypeError::new_err(
                "schema must be that of a table, a struct",
            )),
        };
    }
    let Ok(paths) = schema.cast::<PyMapping>() else {
        let name = schema.get_type().name()?;
        let text = format!("schema must have __arrow_c_schema__ or be a mapping, not {name}");
        return Err(PyTypeError::new_err(text));
    };
    let mut seen = Seen::default();
    for item in paths.items()?.try_iter()? {
        let (path, (names, _)): (String, (Vec<String>, Bound<'_, PyAny>)) = item?.extract()?;
        let mut kinds = Vec::new();
        for name in &names {
            let kind = KINDS.iter().position(|kind| kind == name);
            kinds.push(
                kind.ok_or_else(|| {
                    PyValueError::new_err(format!("a schema has no type {name:?}"))
                })?,
            );
        }
        if !seen.add_path(&path, kinds) {
            return Err(too_many());
        }
    }
    fields_of(&seen)
}

/// The columns of the whole file, whatever the reader is about: those of the index, or else of all rows, which are
/// read for that once.
fn table_schema(reader: &ContainerReader, py: Python<'_>) -> PyResult<Field> {
    if let Some(known) = reader.schema.get().and_then(|known| known.clone()) {
        return Ok(known);
    }
    let in_index = reader.index().and_then(|index| index.schema());
    let found = match in_index.map(Seen::of_index) {
        Some(Some(seen)) => fields_of(&seen)?,
        _ => fields_of(&seen_in_rows(reader, py)?)?,
    };
    if let Some(mut known) = reader.schema.get() {
        *known = Some(found.clone());
    }
    Ok(found)
}

fn fields_of(seen: &Seen) -> PyResult<Field> {
    let fields = seen.fields().map_err(|name| {
        PyValueError::new_err(format!("no column of Arrow can have the name {name:?}"))
    });
    Ok(Field::rows(fields?))
}

fn too_many() -> PyErr {
    PyValueError::new_err("the table has more than 100,000 columns: give a schema")
}

/// Looks at the values of every row of the file.
fn seen_in_rows(reader: &ContainerReader, py: Python<'_>) -> PyResult<Seen> {
    if reader.follow.is_some() || !reader.source.can_repeat() {
        let text = "the file has no schema that can be read ahead of its rows: give a schema";
        return Err(PyValueError::new_err(text));
    }
    let opened = reader.open_whole(py)?;
    let work: Work<packord::Result<RowsOfTable>> = Arc::new(|block: ReadBlock| {
        let block = block.unpack()?;
        let offset = block.offset();
        Ok(match block.kind() {
            BlockKind::Rows => RowsOfTable(Some(block.into_rows()?), offset),
            BlockKind::Messages => RowsOfTable(None, offset),
        })
    });
    let mut blocks = Blocks::new(opened, reader.threads, work);
    let (mut seen, mut nodes) = (Seen::default(), 0);
    loop {
        let next = py.detach(|| -> packord::Result<_> {
            let Some(block) = blocks.next()? else {
                return Ok(None);
            };
            let RowsOfTable(rows, offset) = match block {
                Ok(block) => block,
                Err(_) if reader.skips => return Ok(Some(Ok(()))),
                Err(error) => return Err(error),
            };
            let rows = rows.unwrap_or_default();
            let added = rows.iter().enumerate().try_for_each(|(number, row)| {
                let added = seen.add_row(row, &mut nodes);
                added.map_err(|fault| (fault, number, offset))
            });
            Ok(Some(added))
        });
        let of_file = |error| named(py, error, reader.path());
        match next.map_err(|error| of_file(read_error(py, &error, reader.path())))? {
            None => return Ok(seen),
            Some(Ok(())) => py.check_signals()?,
            Some(Err((NoTable::TooMany, ..))) => return Err(too_many()),
            Some(Err((NoTable::NotMaps, number, offset))) => {
                return Err(of_file(no_map_error(py, number, offset)));
            }
        }
    }
}

/// The rows of a block that are part of the table, and the offset of its mark.
struct RowsOfTable(Option<RowList<'static>>, u64);
