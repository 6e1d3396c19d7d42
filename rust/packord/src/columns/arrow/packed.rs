//! [`ArrowRows`]: the rows of a stream as packed messages; and the flags of one of booleans.

use super::array::ColumnArray;
use super::raw::{ArrowArrayStream, ImportedStream};
use super::rows::{BadRow, write_row};
use super::types::ArrowType;
use crate::error::{Error, ErrorKind, Result};
use alloc::vec::Vec;

/// The rows of a stream, each as one message without columns. Rows of a table are maps, and nulls are nil.
///
/// ```
/// use packord::columns::arrow::{ArrowRows, ArrowTable};
/// let table = ArrowTable::read(b"\x92\x81\xa1a\x01\x81\xa1a\x02")?;
/// let (mut rows, mut row) = (ArrowRows::new(table.stream())?, Vec::new());
/// assert!(rows.next_into(&mut row)?);
/// assert_eq!(row, b"\x81\xa1a\x01");
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Debug)]
pub struct ArrowRows {
    stream: ImportedStream,
    batch: Option<ColumnArray>,
    next: usize,
}

impl ArrowRows {
    /// Returns the rows of a stream, which is trusted as the C interface must be.
    ///
    /// # Errors
    ///
    /// As for [`from_arrow`](super::from_arrow).
    pub fn new(stream: ArrowArrayStream) -> Result<ArrowRows> {
        Ok(ArrowRows {
            stream: ImportedStream::open(stream)?,
            batch: None,
            next: 0,
        })
    }

    /// Appends the next row. Returns `false` after the last one.
    ///
    /// # Errors
    ///
    /// As for [`from_arrow`](super::from_arrow).
    pub fn next_into(&mut self, out: &mut Vec<u8>) -> Result<bool> {
        loop {
            if let Some(array) = self.batch.as_ref().filter(|array| self.next < array.len) {
                let row = self.next;
                self.next += 1;
                write_row(array, row, out).map_err(|fault| bad_row(array, row, fault))?;
                return Ok(true);
            }
            (self.batch, self.next) = (self.stream.next()?, 0);
            match &self.batch {
                Some(array) => check_names(array)?,
                None => return Ok(false),
            }
        }
    }
}

/// Fails for a name that several columns have.
fn check_names(array: &ColumnArray) -> Result<()> {
    let mut names: Vec<_> = array.children.iter().map(|field| &field.name).collect();
    names.sort_unstable();
    let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
    match twice {
        Some(pair) if array.ty == ArrowType::Struct => {
            Err(Error::new(ErrorKind::DuplicateKey).with_path(alloc::format!("$.{}", pair[0].to_string_lossy())))
        }
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
        BadRow::Outside => {
            Error::new(ErrorKind::Custom).with_detail("Arrow: the array refers to what it does not have")
        }
        BadRow::Utf8 => Error::new(ErrorKind::InvalidUtf8),
        BadRow::Time => Error::new(ErrorKind::OutOfRange),
    }
    .with_path(column)
}

/// Returns the values of a stream of one column of booleans, of which nulls are false.
///
/// # Errors
///
/// `custom` for an error of the stream, and for another table.
#[cfg(all(feature = "container", feature = "notation"))]
pub(crate) fn flags(stream: ArrowArrayStream) -> Result<Vec<bool>> {
    let wrong = |detail| Error::new(ErrorKind::Custom).with_detail(alloc::format!("Arrow: {detail}"));
    let mut stream = ImportedStream::open(stream)?;
    let mut flags = Vec::new();
    while let Some(rows) = stream.next()? {
        let column = match &rows.children[..] {
            [field] if field.array.ty == ArrowType::Bool => &field.array,
            _ => return Err(wrong("one column of booleans is expected")),
        };
        let begin = column.offset.saturating_add(rows.offset);
        for at in (0..rows.len).map(|row| begin.saturating_add(row)) {
            let flag = super::array::bit(column.buffer(1), at).zip(column.is_valid(at));
            let (is, has) = flag.ok_or_else(|| wrong("the column is too short"))?;
            flags.push(is && has);
        }
    }
    Ok(flags)
}
