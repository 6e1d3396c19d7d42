//! The rows of files of Arrow and Parquet as MessagePack.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, SchemaRef};
use packord::columns::arrow::from_arrow;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::bridge;
use super::format::TableFormat;
use super::sizes::{check_file, check_stream};
use crate::failure::{Failure, Outcome};
use crate::source::input::Input;

/// The first bytes of a file of Arrow; a stream of Arrow has none.
const FILE: &[u8] = b"ARROW1";
/// Rows of Parquet that are decoded together.
const BATCH: usize = 8192;

/// Reads the rows of a file, a batch at a time.
pub struct TableReader {
    name: String,
    format: TableFormat,
    batches: GuardedBatches,
}

impl TableReader {
    /// Opens a file or a stream of Arrow, or a file of Parquet.
    ///
    /// # Errors
    ///
    /// The input is not one, and what is wrong with it.
    pub fn open(mut input: Input, format: TableFormat) -> Outcome<TableReader> {
        let name = input.name.clone();
        let start = input.peek()?;
        let opened = match format {
            TableFormat::Parquet => {
                let file = input.into_file()?;
                guarded(|| {
                    let builder = ParquetRecordBatchReaderBuilder::try_new(file)?;
                    let reader = builder.with_batch_size(BATCH).build()?;
                    Ok(Box::new(reader) as Box<dyn RecordBatchReader + Send>)
                })
            }
            TableFormat::Arrow if start.starts_with(FILE) => {
                let mut file = input.into_file()?;
                guarded(|| {
                    check_file(&mut file)?;
                    let reader = FileReader::try_new_buffered(file, None)?;
                    Ok(Box::new(reader) as Box<dyn RecordBatchReader + Send>)
                })
            }
            TableFormat::Arrow => {
                let mut file = input.into_file()?;
                guarded(|| {
                    check_stream(&mut file)?;
                    let reader = StreamReader::try_new_buffered(file, None)?;
                    Ok(Box::new(reader) as Box<dyn RecordBatchReader + Send>)
                })
            }
        };
        match opened {
            Ok(inner) => Ok(TableReader {
                batches: GuardedBatches {
                    schema: inner.schema(),
                    inner: Some(inner),
                },
                name,
                format,
            }),
            Err(error) => Err(failure(&name, format, &error)),
        }
    }

    /// Returns all rows as one message: an array of maps, by column where that is smaller.
    ///
    /// # Errors
    ///
    /// What is wrong with the file; a type that has no value in MessagePack.
    pub fn all(self) -> Outcome<Vec<u8>> {
        let stream = bridge::to_packord(Box::new(self.batches));
        from_arrow(stream).map_err(|error| of_packord(&self.name, self.format, &error))
    }

    /// Returns the next rows as such a message, or `None` at the end.
    ///
    /// # Errors
    ///
    /// As for [`TableReader::all`].
    pub fn next_rows(&mut self) -> Outcome<Option<Vec<u8>>> {
        let Some(batch) = self.batches.next() else {
            return Ok(None);
        };
        let batch = batch.map_err(|error| failure(&self.name, self.format, &error))?;
        let schema = batch.schema();
        let one = RecordBatchIterator::new([Ok(batch)], schema);
        let rows = from_arrow(bridge::to_packord(Box::new(one)));
        let rows = rows.map_err(|error| of_packord(&self.name, self.format, &error))?;
        Ok(Some(rows))
    }
}

/// Calls a reader of a library that may panic when a file is damaged.
fn guarded<T>(read: impl FnOnce() -> Result<T, ArrowError>) -> Result<T, ArrowError> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let read = catch_unwind(AssertUnwindSafe(read));
    std::panic::set_hook(hook);
    read.unwrap_or_else(|_| Err(ArrowError::ParseError("the file is damaged".to_owned())))
}

/// Batches of a library that may panic, which must not go through a C interface.
struct GuardedBatches {
    schema: SchemaRef,
    /// `None` after an error.
    inner: Option<Box<dyn RecordBatchReader + Send>>,
}

impl Iterator for GuardedBatches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut inner = self.inner.take()?;
        let next = guarded(|| inner.next().transpose()).transpose()?;
        if next.is_ok() {
            self.inner = Some(inner);
        }
        Some(next)
    }
}

impl RecordBatchReader for GuardedBatches {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }
}

fn failure(name: &str, format: TableFormat, error: &ArrowError) -> Failure {
    Failure::Invalid(format!("{name}: {format}: {error}"))
}

/// The failure of rows that packord did not take.
fn of_packord(name: &str, format: TableFormat, error: &packord::Error) -> Failure {
    Failure::Invalid(format!("{name}: {format}: {error}"))
}
