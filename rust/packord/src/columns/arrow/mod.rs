//! Tables of Apache Arrow: columns as arrays, by the Arrow C data interface, and back. Nothing of Arrow's own
//! libraries is needed.
//!
//! [`ArrowTable`] reads a message, and gives it to every library that takes an `ArrowArrayStream`;
//! [`from_arrow`] packs what such a stream has. The types are those of `spec/columns.md` section 7:
//!
//! | MessagePack | Arrow | back from Arrow |
//! |---|---|---|
//! | integers | int8 … uint64 | integers |
//! | floats; floats and integers, where that is exact | float, double | float 32, float 64; float 16 as float 32 |
//! | timestamps | timestamp without a zone, which is UTC | timestamps, whatever the zone |
//! | str; bin, ext | utf8; binary | str; bin |
//! | booleans | bool | booleans |
//! | few different values | dictionary | its values |
//! | arrays; all of one length up to 8 | list; fixed-size list | arrays |
//! | maps of alike keys; other maps | struct; map | maps |
//! | nil, a missing key | null | nil |
//! | values of several types | dense union | the values |
//!
//! Dates, times of day, durations and decimals of Arrow become text: `2026-11-23`, `20:15:00`, `PT90.5S`,
//! `12.50`. Intervals have no value in MessagePack.
//!
//! | file | what it does |
//! |---|---|
//! | `raw` | the structs of the C data interface, and the only unsafe code |
//! | `types`, `array` | types, and arrays with their buffers |
//! | `slots` | the bound on what arrays take |
//! | `build`, `values`, `unions` | columns, plain values and values of several types as arrays |
//! | `take` | the rows of a struct of few different maps |
//! | `rows`, `text` | rows of arrays as MessagePack |

mod array;
mod build;
#[allow(unsafe_code)]
mod raw;
mod rows;
mod slots;
mod take;
mod text;
mod types;
mod unions;
mod values;

use self::array::ColumnArray;
use self::build::ArrayBuilder;
use self::raw::{ImportedStream, SharedBytes, exported_schema, exported_stream};
use self::rows::{BadRow, write_row};
use self::slots::{Slots, malformed};
use self::types::ArrowType;
use super::payload::{Columns, MAX_EXPANSION};
use super::read::{Directory, Malformed, check, expand};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::Store;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use self::raw::{ArrowArray, ArrowArrayStream, ArrowSchema};

/// A message of rows as a table of Arrow: an array of maps, a column for each key.
///
/// Where the array is stored by column, the bytes of strings are used in place, and so are numbers that
/// [`EncodeOptions::views`](crate::EncodeOptions::views) has written and that are aligned in memory. The
/// table has its message as long as a consumer has an array of it. Memory is bounded by the size of the
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
/// let again = from_arrow(table.stream(), false)?;
/// assert_eq!(DecodeOptions::new().columns(true).decode(&again)?, rows);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ArrowTable {
    rows: Arc<ColumnArray>,
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
    /// let sevens = b"\xc7\x12\x5c\x01\x23\x21\x01\x0b\0\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// let error = ArrowTable::read_bounded(sevens, 1).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::TypeMismatch); // an array, but not of maps
    /// ```
    pub fn read_bounded(
        message: impl AsRef<[u8]> + Send + Sync + 'static,
        max_expansion: u64,
    ) -> Result<ArrowTable> {
        let message = SharedBytes::of(message);
        let rows = match Columns::of_message(message.as_slice(), max_expansion) {
            Some(columns) => columns.and_then(|columns| rows_of_columns(&columns, &message)),
            None => rows_of_plain(message.as_slice()),
        };
        match rows.map_err(|error| error.placed(0))? {
            Some(rows) => Ok(ArrowTable {
                rows: Arc::new(rows),
            }),
            None => Err(Error::at(ErrorKind::TypeMismatch, 0)
                .with_detail("a table of Arrow needs an array of maps")),
        }
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
        exported_schema(&self.rows)
    }

    /// Returns the rows as a stream of one array. The stream may be used and released on any thread.
    ///
    /// ```
    /// # use packord::columns::arrow::{ArrowTable, from_arrow};
    /// let table = ArrowTable::read(b"\x91\x81\xa1a\x01")?;
    /// assert_eq!(from_arrow(table.stream(), false)?, b"\x91\x81\xa1a\x01");
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn stream(&self) -> ArrowArrayStream {
        exported_stream(Arc::clone(&self.rows))
    }
}

/// Returns the elements of an array if they are the rows of a table.
fn rows_of(value: ColumnArray) -> Option<ColumnArray> {
    let is_list = matches!(value.ty, ArrowType::List(_) | ArrowType::FixedList(_));
    // The entries of a map with a nil key are a list too, of what is never null.
    let items = value.children.into_iter().next().filter(|_| is_list);
    let rows = items.filter(|field| field.nullable)?.array;
    if rows.len == 0 {
        // No rows have no columns.
        return Some(ColumnArray::new(ArrowType::Struct, 0).with_buffers(None, []));
    }
    (rows.ty == ArrowType::Struct && rows.nulls == 0).then_some(rows)
}

fn rows_of_columns(
    &Columns { payload, header }: &Columns<'_>,
    message: &SharedBytes,
) -> Result<Option<ColumnArray>> {
    check(payload, &header).map_err(|Malformed| malformed())?;
    let directory = Directory::read(payload, &header).map_err(|Malformed| malformed())?;
    let mut builder = ArrayBuilder {
        directory,
        message,
        slots: Slots::new(header.plain_size),
    };
    let rows = rows_of(builder.array(0, None)?);
    if rows.is_some() {
        return Ok(rows);
    }
    // Maps that are all different are stored as maps, and few different rows as indexes of these.
    let mut plain = Vec::new();
    expand(payload, &header, &mut plain).map_err(|Malformed| malformed())?;
    rows_of_plain(&plain)
}

fn rows_of_plain(message: &[u8]) -> Result<Option<ColumnArray>> {
    let mut slots = Slots::new(message.len() as u64);
    let value = values::array_of_message(message, &mut slots).transpose()?;
    Ok(value.and_then(rows_of))
}

/// Packs the rows of a stream as one message: an array, by column where that is smaller, as
/// [`EncodeOptions::columns`](crate::EncodeOptions::columns) writes it. Rows of a table are maps. `views`
/// is that of [`EncodeOptions::views`](crate::EncodeOptions::views). Nulls are nil.
///
/// The stream is what another library gave, by [`ArrowArrayStream::take`], and is trusted as the C
/// interface must be. All rows are in memory as plain MessagePack meanwhile.
///
/// ```
/// use packord::columns::arrow::{ArrowArrayStream, from_arrow};
/// let error = from_arrow(ArrowArrayStream::released(), false).unwrap_err();
/// assert_eq!(error.detail(), Some("Arrow: the stream has no get_schema"));
/// ```
///
/// # Errors
///
/// `unsupported_type`, with the column as path and the format of Arrow in the detail, for a type that has no
/// value in MessagePack; `duplicate_key` for two columns of one name; `invalid_utf8`; `out_of_range` for
/// dates and instants beyond all timestamps; `depth_limit` for types that nest deeper than 64; `custom` for an
/// error of the stream, and for arrays that do not fit their types.
pub fn from_arrow(stream: ArrowArrayStream, views: bool) -> Result<Vec<u8>> {
    let mut stream = ImportedStream::open(stream)?;
    let (mut rows, mut count) = (Vec::new(), 0);
    while let Some(array) = stream.next()? {
        check_names(&array)?;
        for row in 0..array.len {
            write_row(&array, row, &mut rows).map_err(|fault| bad_row(&array, row, fault))?;
        }
        count += array.len;
    }
    let mut plain = Vec::with_capacity(rows.len() + 5);
    plain.put_array(count)?;
    plain.append(&mut rows);
    let mut out = Vec::new();
    if super::write_columns(&plain, views, None, &mut out) {
        Ok(out)
    } else {
        // The message is too large for a payload.
        Ok(plain)
    }
}

/// Fails for a name that several columns have.
fn check_names(array: &ColumnArray) -> Result<()> {
    let mut names: Vec<_> = array.children.iter().map(|field| &field.name).collect();
    names.sort_unstable();
    let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
    match twice {
        Some(pair) if array.ty == ArrowType::Struct => Err(Error::new(ErrorKind::DuplicateKey)
            .with_path(alloc::format!("$.{}", pair[0].to_string_lossy()))),
        _ => Ok(()),
    }
}

/// Returns the error of a row, with the column that it is about.
#[cold]
fn bad_row(array: &ColumnArray, row: usize, fault: BadRow) -> Error {
    let failing = array.children.iter().find(|field| {
        let at = array.offset.saturating_add(row);
        write_row(&field.array, at, &mut Vec::new()).is_err()
    });
    let column = match failing {
        Some(field) if array.ty == ArrowType::Struct => {
            alloc::format!("$[{row}].{}", field.name.to_string_lossy())
        }
        _ => alloc::format!("$[{row}]"),
    };
    match fault {
        BadRow::Outside => Error::new(ErrorKind::Custom)
            .with_detail("Arrow: the array refers to what it does not have"),
        BadRow::Utf8 => Error::new(ErrorKind::InvalidUtf8),
        BadRow::Time => Error::new(ErrorKind::OutOfRange),
    }
    .with_path(column)
}
