//! [`ArrowTable`]: the rows of a message as arrays.

use super::array::ColumnArray;
use super::build::ArrayBuilder;
use super::field::FieldType;
use super::raw::{
    ArrowArray, ArrowArrayStream, ArrowSchema, SharedBytes, exported_array, exported_field, exported_stream,
};
use super::slots::Slots;
use super::types::ArrowType;
use super::values::array_of;
use crate::columns::payload::{Columns, MAX_EXPANSION};
use crate::columns::read::{CellValue, plain_cells};
use crate::columns::rows::RowColumns;
use crate::error::{Error, ErrorKind, Result};
use alloc::ffi::CString;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// A message of rows as a table of Arrow: an array of maps, a column for each key.
///
/// Where the array is stored by column, the bytes of strings are used in place, and so are numbers that happen to be
/// aligned in memory. The table has its message as long as a consumer has an array of it. Memory is bounded by the size of the
/// value: all arrays of a table together have at most 16 rows for each byte of it as plain MessagePack, and
/// 65 536 more.
///
/// ```
/// use packord::columns::arrow::{ArrowTable, from_arrow};
/// use packord::{DecodeOptions, EncodeOptions, Value};
///
/// let rows: Value = (0..500).map(|id| Value::from([("id", id), ("level", id % 7)])).collect();
/// let message = EncodeOptions::new().columns(true).encode(&rows)?;
/// let table = ArrowTable::read(message)?;
/// assert_eq!((table.rows(), table.columns()), (500, 2));
///
/// let again = from_arrow(table.stream())?;
/// assert_eq!(DecodeOptions::new().columns(true).decode(&again)?, rows);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ArrowTable {
    pub(super) rows: Arc<ColumnArray>,
}

impl ArrowTable {
    /// Reads a message: an array of maps, by column (`spec/columns.md`) or plain. An empty array is a table
    /// without rows and columns.
    ///
    /// # Errors
    ///
    /// `type_mismatch` for any other value, also for a plain message that is not valid, of which
    /// [`validate`](crate::validate) says more; `invalid_ext` for columns that are malformed; `length_limit` for a payload that stands for
    /// more than 16 times its size, and for a table of very many columns with very few values;
    /// `depth_limit`; `unsupported_type` for a key with a byte 00, `out_of_range` for a timestamp that
    /// does not fit 64 bits.
    pub fn read(message: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<ArrowTable> {
        ArrowTable::read_bounded(message, MAX_EXPANSION)
    }

    /// As [`ArrowTable::read`], with another
    /// [`max_expansion`](crate::DecodeOptions::max_expansion).
    ///
    /// # Errors
    ///
    /// As for [`ArrowTable::read`].
    ///
    /// ```
    /// use packord::ErrorKind;
    /// use packord::columns::arrow::ArrowTable;
    /// let sevens = b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// let error = ArrowTable::read_bounded(sevens, 1).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::TypeMismatch); // an array, but not of maps
    /// ```
    pub fn read_bounded(message: impl AsRef<[u8]> + Send + Sync + 'static, max_expansion: u64) -> Result<ArrowTable> {
        let rows = rows_of(&SharedBytes::of(message), max_expansion);
        let rows = rows.map_err(|error| error.placed(0))?;
        let rows = rows.filter(|rows| rows.ty == ArrowType::Struct && rows.nulls == 0);
        rows.map(ArrowTable::of)
            .ok_or_else(|| Error::at(ErrorKind::TypeMismatch, 0).with_detail("a table of Arrow needs an array of maps"))
    }

    /// Returns a table of a number of rows, without columns.
    ///
    /// ```
    /// use packord::columns::arrow::ArrowTable;
    /// let table = ArrowTable::without_columns(5);
    /// assert_eq!((table.rows(), table.columns()), (5, 0));
    /// ```
    #[must_use]
    pub fn without_columns(rows: usize) -> ArrowTable {
        ArrowTable::of(ColumnArray::of_fields(rows, Vec::new(), None))
    }

    pub(crate) fn of(rows: ColumnArray) -> ArrowTable {
        ArrowTable { rows: Arc::new(rows) }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows.len
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.rows.children.len()
    }

    /// Returns the type of the rows, a struct of all columns.
    ///
    /// ```
    /// # use packord::columns::arrow::ArrowTable;
    /// let table = ArrowTable::read(b"\x91\x81\xa1a\x01")?;
    /// assert!(!table.schema().is_released());
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn schema(&self) -> ArrowSchema {
        exported_field(&FieldType::of(&self.rows, CString::default(), true))
    }

    /// Returns the rows as an array, a struct of all columns.
    ///
    /// ```
    /// # use packord::columns::arrow::ArrowTable;
    /// let table = ArrowTable::read(b"\x91\x81\xa1a\x01")?;
    /// assert!(!table.array().is_released());
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn array(&self) -> ArrowArray {
        exported_array(&self.rows)
    }

    /// Returns the rows as a stream of one array. The stream may be used and released on any thread.
    ///
    /// ```
    /// # use packord::columns::arrow::{ArrowTable, from_arrow};
    /// let table = ArrowTable::read(b"\x91\x81\xa1a\x01")?;
    /// assert_eq!(from_arrow(table.stream())?, b"\x91\x81\xa1a\x01");
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn stream(&self) -> ArrowArrayStream {
        exported_stream(Arc::clone(&self.rows))
    }
}

/// Returns the elements of an array, and `None` for another value.
fn rows_of(message: &SharedBytes, max_expansion: u64) -> Result<Option<ColumnArray>> {
    let bytes = message.as_slice();
    if let Some(rows) = RowColumns::of_message(bytes, max_expansion)? {
        rows.check()?;
        let mut builder = ArrayBuilder {
            directory: &rows.directory,
            message: Some(message),
            slots: Slots::new(rows.header.plain_size),
            texts: None,
        };
        let array = builder.array(RowColumns::NODE, None)?;
        if array.ty == ArrowType::Struct {
            return Ok(Some(array));
        }
    }
    // Maps that are all different are stored as maps.
    let Some(columns) = Columns::of_message(bytes, max_expansion) else {
        return rows_of_plain(bytes);
    };
    let mut plain = Vec::new();
    columns?.expand_into(&mut plain)?;
    rows_of_plain(&plain)
}

fn rows_of_plain(message: &[u8]) -> Result<Option<ColumnArray>> {
    let (count, values) = match plain_cells(message, 1).as_deref() {
        Ok([CellValue::Array(count, values)]) => (*count, *values),
        _ => return Ok(None),
    };
    if count == 0 {
        // No rows have no columns.
        return Ok(Some(ColumnArray::of_fields(0, Vec::new(), None)));
    }
    let mut slots = Slots::new(values.len() as u64);
    array_of(&plain_cells(values, count)?, None, &mut slots, 1).map(Some)
}
