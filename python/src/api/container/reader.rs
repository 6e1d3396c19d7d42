//! `packord.container.Reader`: what a file says about itself, and passes over its rows.

use packord::Value;
use packord::columns::arrow::TableType;
use packord::container::{
    FileHeader, FileIndex, IndexEntry, OnBadBlock, Predicate, ReadOptions, Reader, RowPath, Statistics,
};
use pyo3::exceptions::{PyBaseException, PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::pyclass::PyVisit;
use pyo3::types::{PyBool, PyDict, PyList, PyTuple, PyType};
use std::collections::VecDeque;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::batches::{Batches, asked_for, joint_schema};
use super::choice::RowChoice;
use super::errors::{MARK, read_error};
use super::predicate::predicate;
use super::rows::Rows;
use super::settings::with;
use crate::api::arrow::{SCHEMA, capsule};
use crate::api::keywords::Keywords;
use crate::api::settings::generic_alias;
use crate::container::source::{FileSource, OpenSource, os_error};
use crate::cpython::garbage::{Holder, Visited};
use crate::cpython::shared::Guarded;
use crate::decode::plain_value;
use crate::options::{self, DecodeOptions};
use crate::typed::plan::TypePlan;
use crate::wire::marker::{FIXARRAY, LAST_FIXARRAY};

/// How often a file that is followed is looked at.
const POLL: Duration = Duration::from_millis(100);

/// Reads a container file: its rows and messages one by one, or its table in batches of Arrow.
///
/// `source`: a path, `bytes` or another buffer, or a binary file. With a path, a buffer or a file that can seek, the
/// index at the end of the file is used, and each `for` loop and each call of `arrow_batches` is a
/// pass of its own; other files are read once.
///
/// `type`: what each row is read into, as in `Decoder`; without it, rows become plain values. The keywords of `Decoder` for
/// hooks, types and limits of single rows are taken too.
/// `where`: conditions `(path, op, constant)` that rows have to meet; blocks whose statistics show that no row
/// meets them are not read.
/// `select`: the keys that rows have, as far as they have them, or the columns of tables. Other columns of the file are neither read
/// nor checked.
/// `prune`: conditions for skipping blocks alone; all rows of the other blocks are returned.
/// `split`: a pair of offsets; only blocks whose mark begins in this range are read.
/// `on_bad_block`: `"error"` ends the reading at the first fault, `"skip"` passes over the block and lists
/// it in `damaged`.
/// `max_block`: the most bytes of the data and of the body of a block, 64 MiB by default.
/// `threads`: on how many threads blocks are unpacked.
/// `follow`: at the end of a file that is still being written, waits for more; a number is the seconds after
/// which it looks again, 0.1 for `True`. No index is used.
///
/// Raises `MsgpackDecodeError`, whose offset is that in the file, for a file at fault, and `OSError` if it cannot be
/// read.
#[pyclass(name = "Reader", module = "packord.container", frozen, subclass)]
pub struct ContainerReader {
    pub source: FileSource,
    /// Without the keys that are selected.
    read: ReadOptions,
    pub select: Option<Vec<String>>,
    pub filter: Option<Arc<Predicate>>,
    prune: Option<Predicate>,
    split: Option<Range<u64>>,
    pub skips: bool,
    pub threads: usize,
    pub follow: Option<Duration>,
    pub decode: DecodeOptions,
    pub plan: Option<TypePlan>,
    header: FileHeader,
    index: Option<Arc<FileIndex>>,
    size: Option<u64>,
    /// The reader that was opened first, for the first pass.
    first: Guarded<Option<Reader<OpenSource>>>,
    /// The types of all columns, once they are known.
    pub schema: Guarded<Option<TableType>>,
    /// What the last pass has passed over: ranges of the file with their faults.
    damage: Mutex<Vec<(Range<u64>, Py<PyBaseException>)>>,
    pub blocks_read: AtomicU64,
}

impl ContainerReader {
    pub fn path(&self) -> Option<&PathBuf> {
        self.source.path()
    }

    /// Opens the file for a pass over the blocks that the reader is about.
    pub fn open(&self, py: Python<'_>) -> PyResult<Reader<OpenSource>> {
        let first = self.first.get().and_then(|mut first| first.take());
        first.map_or_else(|| self.open_again(py, &self.options()), Ok)
    }

    /// Opens the file for a pass over some keys of its rows, or over some rows. A source that can be read once has all.
    pub fn open_keys(
        &self,
        py: Python<'_>,
        ty: Option<&TableType>,
        choice: Option<&RowChoice>,
    ) -> PyResult<Reader<OpenSource>> {
        if !self.source.can_repeat() {
            return self.open(py);
        }
        let read = with(self.read.clone(), ty, |read, ty| read.select(ty.names()));
        let read = with(read, choice, |read, choice| choice.added_to(read));
        self.open_again(py, &read)
    }

    /// How many rows each block has that the reader is about, or of those with the numbers given, by the index and the first bytes of each: blocks
    /// of messages have none. `None` if that does not say it.
    pub fn row_counts(&self, py: Python<'_>, numbers: Option<&[usize]>) -> Option<VecDeque<usize>> {
        let index = self.index.clone()?;
        if self.filter.is_some() {
            return None;
        }
        let mut source = self.source.open(py).ok()?;
        let mut counts = VecDeque::new();
        py.detach(|| {
            for (number, entry) in index.entries().iter().enumerate() {
                let is_wanted = numbers.is_none_or(|wanted| wanted.binary_search(&number).is_ok());
                if is_wanted && self.is_about(entry) && has_rows(&mut source, entry)? {
                    counts.push_back(usize::try_from(entry.count()).ok()?);
                }
            }
            Some(counts)
        })
    }

    /// Whether the index leaves it open that a block has rows for the reader.
    fn is_about(&self, entry: &IndexEntry) -> bool {
        let split = self.split.as_ref();
        let mut predicates = self.filter.as_deref().into_iter().chain(&self.prune);
        split.is_none_or(|split| split.contains(&entry.offset()))
            && !entry
                .statistics()
                .is_some_and(|known| predicates.any(|predicate| predicate.rules_out(known, entry.count())))
    }

    /// The options of a pass over rows.
    fn options(&self) -> ReadOptions {
        with(self.read.clone(), self.select.as_ref(), ReadOptions::select)
    }

    /// Opens the file for a pass over all its blocks.
    pub fn open_whole(&self, py: Python<'_>) -> PyResult<Reader<OpenSource>> {
        let whole = self.read.clone().split(0..u64::MAX);
        let whole = whole.filter(Predicate::new()).prune(Predicate::new());
        self.open_again(py, &whole)
    }

    fn open_again(&self, py: Python<'_>, options: &ReadOptions) -> PyResult<Reader<OpenSource>> {
        if !self.source.can_repeat() {
            let text = "the source was read, and can't be read twice";
            return Err(PyValueError::new_err(text));
        }
        let source = self.source.open(py)?;
        open(py, source, options).map_err(|error| read_error(py, &error, self.path()))
    }

    pub fn index(&self) -> Option<&FileIndex> {
        self.index.as_deref()
    }

    pub fn note_damage(&self, py: Python<'_>, range: Range<u64>, error: PyErr) {
        let error = error.into_value(py);
        if let Ok(mut damage) = self.damage.lock() {
            damage.push((range, error));
        }
    }

    pub fn forget_damage(&self) {
        let old = self.damage.lock().map(|mut damage| std::mem::take(&mut *damage));
        drop(old);
    }

    /// Of the blocks with these numbers, those that the reader is about; `None` for all of the file.
    pub fn selected(&self, numbers: Option<Vec<usize>>) -> PyResult<Option<Vec<usize>>> {
        let Some(mut numbers) = numbers else {
            return Ok(None);
        };
        if numbers.is_empty() {
            return Ok(Some(numbers));
        }
        let Some(index) = self.index() else {
            let text = "the file has no index with its blocks";
            return Err(PyValueError::new_err(text));
        };
        numbers.sort_unstable();
        numbers.dedup();
        let entries = index.entries();
        if let Some(number) = numbers.iter().find(|&&number| number >= entries.len()) {
            return Err(PyIndexError::new_err(format!("there is no block {number}")));
        }
        if numbers.len() == entries.len() {
            return Ok(None);
        }
        numbers.retain(|&number| self.is_about(&entries[number]));
        Ok(Some(numbers))
    }
}

/// Whether a block has rows, by its first bytes; `None` if these are none of a block.
fn has_rows(source: &mut OpenSource, entry: &IndexEntry) -> Option<bool> {
    let mut head = [0; 32];
    let size = head.len().min(usize::try_from(entry.size()).ok()?);
    source.seek(SeekFrom::Start(entry.offset())).ok()?;
    source.read_exact(&mut head[..size]).ok()?;
    // As writers write them.
    match head[MARK as usize..] {
        [FIXARRAY..=LAST_FIXARRAY, kind @ 0..=1, ..] => Some(kind == 1),
        _ => None,
    }
}

fn open(py: Python<'_>, source: OpenSource, options: &ReadOptions) -> packord::Result<Reader<OpenSource>> {
    py.detach(|| {
        if source.can_seek() {
            Reader::seekable(source, options)
        } else {
            Reader::with_options(source, options)
        }
    })
}

#[pymethods]
impl ContainerReader {
    #[new]
    #[pyo3(signature = (source, /, *, r#where = None, select = None, prune = None, split = None, on_bad_block = None, max_block = None, threads = None, follow = None, **keywords))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        r#where: Option<&Bound<'_, PyAny>>,
        select: Option<Vec<String>>,
        prune: Option<&Bound<'_, PyAny>>,
        split: Option<(u64, u64)>,
        on_bad_block: Option<&str>,
        max_block: Option<u64>,
        threads: Option<usize>,
        follow: Option<&Bound<'_, PyAny>>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<ContainerReader> {
        let keywords = Keywords::new(py, keywords, "Reader", options::ROWS)?;
        let (decode, plan) = (keywords.decode_options()?, keywords.plan(None)?);
        let skips = match on_bad_block {
            None | Some("error") => false,
            Some("skip") => true,
            Some(on_bad_block) => {
                let text = format!("on_bad_block must be \"error\" or \"skip\", not {on_bad_block:?}");
                return Err(PyValueError::new_err(text));
            }
        };
        let threads = threads.unwrap_or(1);
        if threads == 0 {
            return Err(PyValueError::new_err("threads must be above 0"));
        }
        let follow = follow.map_or(Ok(None), poll)?;
        let split = split.map(|(from, to)| from..to);
        let filter = r#where.map(predicate).transpose()?;
        let prune = prune.map(predicate).transpose()?;
        let read = ReadOptions::new().follow(follow.is_some());
        let read = with(read, skips.then_some(OnBadBlock::Skip), ReadOptions::on_bad_block);
        let read = with(read, max_block, ReadOptions::max_block);
        let read = with(read, split.clone(), ReadOptions::split);
        let read = with(read, filter.clone(), ReadOptions::filter);
        let read = with(read, prune.clone(), ReadOptions::prune);
        let source = FileSource::of(source)?;
        let mut opened = source.open(py)?;
        let path = source.path();
        let size = py.detach(|| opened.size());
        let size = size.map_err(|error| os_error(py, &error, path))?;
        let first = open(py, opened, &with(read.clone(), select.as_ref(), ReadOptions::select));
        let first = first.map_err(|error| read_error(py, &error, path))?;
        Ok(ContainerReader {
            header: first.header().clone(),
            index: first.index().cloned().map(Arc::new),
            size,
            source,
            read,
            select,
            filter: filter.map(Arc::new),
            prune,
            split,
            skips,
            threads,
            follow,
            decode,
            plan,
            first: Guarded::new(Some(first)),
            schema: Guarded::new(None),
            damage: Mutex::new(Vec::new()),
            blocks_read: AtomicU64::new(0),
        })
    }

    /// `Reader[User]` in an annotation.
    #[classmethod]
    fn __class_getitem__<'py>(class: &Bound<'py, PyType>, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        generic_alias(class, item)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Visited {
        self.source.visit(&visit)?;
        self.decode.visit(&visit)?;
        self.plan.visit(&visit)?;
        // Locked only while it is used, as a `Guarded` value is.
        let damage = self.damage.try_lock();
        let mut errors = damage.iter().flat_map(|damage| damage.iter());
        errors.try_for_each(|(_, error)| error.visit(&visit))
    }

    /// Returns an iterator over all rows and messages in their order: a new pass.
    fn __iter__(slf: &Bound<'_, Self>) -> PyResult<Rows> {
        Rows::begin(slf)
    }

    /// Returns the table in batches of Apache Arrow, which all have the same schema: an iterator of `Batch`, in a new
    /// pass. Every block is a batch, or several if most of its columns are null. Messages are not part of the table.
    ///
    /// `columns`: the names of the columns wanted; all by default.
    /// `schema`: their types, as an object with `__arrow_c_schema__` (a schema of pyarrow, say) or as a mapping like
    /// `schema`. By default they are those of the index. Without one, all rows of the file are read once to find
    /// them.
    /// `blocks`: the numbers of the blocks wanted, as in the list `blocks`; all by default.
    ///
    /// With the types of the index, a column of booleans is `bool`, of integers `int64` (`uint64` if all are above, `decimal128(20, 0)`
    /// if some are), of floats, and of floats and integers, `double`, of timestamps `timestamp[us]` without a zone, which is UTC, of strings
    /// `large_string`, of bytes and ext values `large_binary`, of arrays `large_list`, of maps `struct`. Values of several
    /// types, and maps without keys or with more than 1,000, are strings with JSON. Both nil and a missing key are null. Integers
    /// beyond 2^53 among floats are rounded, and timestamps are cut to microseconds.
    ///
    /// Raises `MsgpackDecodeError` of kind `type_mismatch` or `out_of_range` for a value that a column of `schema` does not have.
    #[pyo3(signature = (columns=None, schema=None, *, blocks=None))]
    fn arrow_batches(
        slf: &Bound<'_, Self>,
        columns: Option<Vec<String>>,
        schema: Option<&Bound<'_, PyAny>>,
        blocks: Option<Vec<usize>>,
    ) -> PyResult<Batches> {
        let numbers = slf.get().selected(blocks)?;
        let asked = asked_for(slf, columns, schema)?;
        Batches::begin(slf, asked, None, numbers)
    }

    /// The same batches for an engine that filters them by itself: `choose` is called with a `Batch` of the columns `named` of
    /// a block, which are some of `columns`, and returns an object with `__arrow_c_stream__`, one column that says of each row whether it
    /// is needed. Others may be left out.
    fn _chosen_batches(
        slf: &Bound<'_, Self>,
        columns: Vec<String>,
        schema: Option<&Bound<'_, PyAny>>,
        blocks: Option<Vec<usize>>,
        named: Vec<String>,
        choose: Py<PyAny>,
    ) -> PyResult<Batches> {
        let numbers = slf.get().selected(blocks)?;
        let asked = asked_for(slf, Some(columns), schema)?;
        let choice = RowChoice::new(slf.py(), &asked.ty, &named, choose)?;
        Batches::begin(slf, asked, Some(choice), numbers)
    }

    /// Makes the columns those of a table that has the rows of other readers as well. An iterator is asked for one
    /// reader after another.
    fn _join(&self, py: Python<'_>, others: &Bound<'_, PyAny>) -> PyResult<()> {
        joint_schema(self, py, others.try_iter()?).map(drop)
    }

    /// The numbers of the blocks that the reader is about, or `None` without an index.
    fn _needed(&self) -> Option<Vec<usize>> {
        let entries = self.index()?.entries().iter().enumerate();
        let needed = entries.filter(|(_, entry)| self.is_about(entry));
        Some(needed.map(|(number, _)| number).collect())
    }

    /// Where the last whole block of a growing file ends, of those that begin at `begin` or later; `begin` if there is none. With
    /// `room`, blocks that would make more than this number of bytes are left for later, but not the first one.
    #[pyo3(signature = (begin, room=None))]
    fn _whole_end(&self, py: Python<'_>, begin: u64, room: Option<u64>) -> PyResult<u64> {
        let mut reader = self.open_again(py, &self.read.clone().split(begin..u64::MAX))?;
        let mut reached = begin;
        let limit = room.map_or(u64::MAX, |room| begin.max(self.header.size()).saturating_add(room));
        loop {
            let next = py.detach(|| reader.next_stored());
            let Some(block) = next.map_err(|error| read_error(py, &error, self.path()))? else {
                return Ok(reached);
            };
            let end = block.offset() + block.size();
            if end > limit && reached > begin {
                return Ok(reached);
            }
            reached = end;
            py.check_signals()?;
        }
    }

    /// The type of the rows of the table, a struct of all columns, as a `PyCapsule` named `"arrow_schema"`.
    fn __arrow_c_schema__(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let asked = asked_for(slf, None, None)?;
        capsule(slf.py(), asked.ty.schema(), SCHEMA)
    }

    /// The table, in a new pass, as a `PyCapsule` named `"arrow_array_stream"`. The protocol lets a producer pass over
    /// `requested_schema`.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__(slf: &Bound<'_, Self>, requested_schema: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
        let batches = Batches::begin(slf, asked_for(slf, None, None)?, None, None)?;
        batches.__arrow_c_stream__(slf.py(), requested_schema)
    }

    /// The codec of blocks that name none, as the header has it.
    #[getter]
    fn codec(&self) -> &str {
        self.header.codec_name()
    }

    /// The paths whose statistics are kept, as the header names them, or `None`.
    #[getter]
    fn stats(&self) -> Option<Vec<&str>> {
        let stats = self.header.stats()?.iter();
        Some(stats.map(RowPath::as_str).collect())
    }

    /// The map of the program's own in the header, or `None`.
    #[getter]
    fn meta<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let meta = self.header.meta();
        let meta = meta.map(|meta| object_of(py, &packord::Value::Map(meta.clone())));
        meta.transpose()
    }

    /// The number of all rows and messages, or `None` without an index.
    #[getter]
    fn count(&self) -> Option<u64> {
        self.index().map(FileIndex::count)
    }

    /// What the index says of the table's values, or `None`: a dict from each path to a pair, the types that
    /// occur and whether the value is nil or missing somewhere. `tags[]` are the elements of the arrays at `tags`.
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(schema) = self.index().and_then(FileIndex::schema) else {
            return Ok(None);
        };
        let paths = PyDict::new(py);
        for entry in schema.entries() {
            let types = entry.types.iter().map(|name| name.name());
            let types = PyTuple::new(py, types.collect::<Vec<_>>())?;
            paths.set_item(&*entry.path, (types, entry.nullable))?;
        }
        Ok(Some(paths))
    }

    /// The blocks of the file as the index has them, a list of `Block`; `None` without an index.
    #[getter]
    fn blocks<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(index) = self.index() else {
            return Ok(None);
        };
        let entries = index.entries().iter().map(|entry| {
            let statistics = entry.statistics().map_or_else(Value::default, of_statistics);
            let numbers = [entry.offset(), entry.size(), entry.count()].map(Value::from);
            numbers.into_iter().chain([statistics]).collect::<Value>()
        });
        let lists = object_of(py, &entries.collect())?;
        let blocks = py.import("packord._blocks")?.call_method1("blocks", (lists,))?;
        Ok(Some(blocks))
    }

    /// Returns about `n` pairs of offsets for the option `split`, which together have every block once: of about equal
    /// bytes, with an index at the beginnings of blocks.
    ///
    /// Raises `ValueError` for a file whose size is not known, as it cannot seek.
    fn splits(&self, py: Python<'_>, n: u64) -> PyResult<Vec<(u64, u64)>> {
        let Some(size) = self.size else {
            return Err(PyValueError::new_err("the size of the file is not known"));
        };
        if n == 0 {
            return Err(PyValueError::new_err("n must be above 0"));
        }
        // More than bytes make no others.
        let n = usize::try_from(n.min(size)).unwrap_or(usize::MAX);
        let mut reader = self.open_again(py, &self.read)?;
        let splits = py.detach(|| reader.splits(n));
        let splits = splits.map_err(|error| read_error(py, &error, self.path()))?;
        Ok(splits.into_iter().map(|split| (split.start, split.end)).collect())
    }

    /// What the last pass with `on_bad_block="skip"` has passed over, a list of `Damage` in the order of the file.
    #[getter]
    fn damaged<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let class = py.import("packord._blocks")?.getattr("Damage")?;
        let mut damage = Vec::new();
        if let Ok(known) = self.damage.lock() {
            damage.extend(known.iter().map(|(range, error)| (range.clone(), error.clone_ref(py))));
        }
        // Not locked here, where code of Python lets another thread run, which may note more.
        damage.sort_by_key(|(range, _)| range.start);
        let damaged = damage.into_iter();
        let damaged = damaged.map(|(range, error)| class.call1((range.start, range.end, error)));
        PyList::new(py, damaged.collect::<PyResult<Vec<_>>>()?)
    }

    /// How many blocks all passes so far have read: fewer than the file has, if conditions, a split or `blocks` left some
    /// out.
    #[getter]
    fn blocks_read(&self) -> u64 {
        self.blocks_read.load(Ordering::Relaxed)
    }
}

/// Statistics as a map from paths to `[nulls, min, max]`.
fn of_statistics(statistics: &Statistics) -> Value {
    let bound = |bound: &Option<Value>| bound.clone().unwrap_or_default();
    let paths = statistics.iter().map(|(path, of)| {
        let list = [Value::from(of.nulls), bound(&of.min), bound(&of.max)];
        (Value::from(path), list.into_iter().collect())
    });
    Value::Map(paths.collect())
}

/// The object of Python that a value is.
fn object_of<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    let packed = packord::to_vec(value).map_err(|error| read_error(py, &error, None))?;
    plain_value(py, &packed).map_err(|failure| failure.into_error(py))
}

fn poll(follow: &Bound<'_, PyAny>) -> PyResult<Option<Duration>> {
    if follow.is_none() || follow.is(PyBool::new(follow.py(), false)) {
        return Ok(None);
    }
    if follow.is(PyBool::new(follow.py(), true)) {
        return Ok(Some(POLL));
    }
    let seconds = Duration::try_from_secs_f64(follow.extract()?);
    let text = "follow must be a bool or a number of seconds";
    seconds.map(Some).map_err(|_| PyValueError::new_err(text))
}
