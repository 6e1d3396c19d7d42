//! Rows of MessagePack as a file of Arrow or Parquet.

use arrow_array::RecordBatchReader;
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, DataType};
use packord::columns::arrow::ArrowTable;
use packord::wire::{Kind, marker};
use packord::{Token, Walker};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::bridge;
use super::format::TableFormat;
use crate::failure::{Failure, Outcome, describe};

/// Rows that are collected until they are written: the types of the columns are known at the end.
pub struct TableRows {
    format: TableFormat,
    /// The plain bytes of the values, and their number.
    values: Vec<u8>,
    count: u32,
}

impl TableRows {
    /// Creates an empty table.
    ///
    /// # Errors
    ///
    /// A build without the feature `arrow`.
    #[allow(clippy::unnecessary_wraps, reason = "without the feature it fails")]
    pub fn new(format: TableFormat) -> Outcome<TableRows> {
        Ok(TableRows {
            format,
            values: Vec::new(),
            count: 0,
        })
    }

    /// Adds bytes of plain MessagePack.
    pub fn extend(&mut self, bytes: &[u8]) {
        self.values.extend_from_slice(bytes);
    }

    /// Returns the file with all rows. Each value is a map, or an array of maps.
    ///
    /// # Errors
    ///
    /// Another value; a type of a column that the format does not have.
    pub fn file(&mut self) -> Outcome<Vec<u8>> {
        let rows = self.rows()?;
        let table =
            ArrowTable::read(rows).map_err(|error| Failure::No(format!("{}: {}", self.format, describe(&error))))?;
        let written = bridge::from_packord(table.stream()).and_then(|batches| match self.format {
            TableFormat::Arrow => arrow(batches),
            TableFormat::Parquet => {
                let schema = batches.schema();
                let mut fields = schema.fields().iter();
                match fields.find(|field| has_union(field.data_type())) {
                    None => parquet(batches),
                    Some(field) => Err(ArrowError::SchemaError(format!(
                        "column {:?} has values of several types",
                        field.name()
                    ))),
                }
            }
        });
        written.map_err(|error| Failure::No(format!("{}: {error}", self.format)))
    }

    /// Returns the rows as one array.
    fn rows(&mut self) -> Outcome<Vec<u8>> {
        let values = std::mem::take(&mut self.values);
        let (mut at, mut value) = (0, 0_u64);
        let mut rows = Vec::with_capacity(values.len() + 5);
        rows.extend_from_slice(&[marker::ARRAY32, 0, 0, 0, 0]);
        while at < values.len() {
            let mut walker = Walker::new(&values[at..]);
            let top = walker.next()?.map(|event| (event.token, event.bytes.len()));
            let len = packord::skip_value(&values[at..])?;
            let (body, count) = match top {
                Some((Token::Map(_), _)) => (at, 1),
                Some((Token::Array(count), header)) => (at + header, count),
                _ => return Err(self.no_row(value)),
            };
            let mut row = body;
            for _ in 0..count {
                if Kind::at(&values[row..]) != Some(Kind::Map) {
                    return Err(self.no_row(value));
                }
                row += packord::skip_value(&values[row..])?;
            }
            rows.extend_from_slice(&values[body..at + len]);
            let count = u32::try_from(count).ok().and_then(|more| self.count.checked_add(more));
            self.count = count.ok_or_else(|| Failure::No("too many rows".to_owned()))?;
            at += len;
            value += 1;
        }
        rows[1..5].copy_from_slice(&self.count.to_be_bytes());
        Ok(rows)
    }

    fn no_row(&self, value: u64) -> Failure {
        let format = self.format;
        Failure::No(format!(
            "{format} has rows of named columns: value {value} is neither a map nor an array of maps"
        ))
    }
}

/// Returns whether values of several types are in a type, which Parquet does not have.
fn has_union(ty: &DataType) -> bool {
    match ty {
        DataType::Union(..) => true,
        DataType::List(field) | DataType::FixedSizeList(field, _) | DataType::Map(field, _) => {
            has_union(field.data_type())
        }
        DataType::Struct(fields) => fields.iter().any(|field| has_union(field.data_type())),
        DataType::Dictionary(_, values) => has_union(values),
        _ => false,
    }
}

fn arrow(batches: impl RecordBatchReader) -> Result<Vec<u8>, ArrowError> {
    let mut writer = FileWriter::try_new(Vec::new(), &batches.schema())?;
    for batch in batches {
        writer.write(&batch?)?;
    }
    writer.into_inner()
}

fn parquet(batches: impl RecordBatchReader) -> Result<Vec<u8>, ArrowError> {
    let compression = Compression::ZSTD(ZstdLevel::try_new(3)?);
    let properties = WriterProperties::builder().set_compression(compression);
    let mut writer = ArrowWriter::try_new(Vec::new(), batches.schema(), Some(properties.build()))?;
    for batch in batches {
        writer.write(&batch?)?;
    }
    Ok(writer.into_inner()?)
}
