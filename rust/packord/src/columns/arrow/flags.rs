//! A column of booleans that another library made.

use super::array::bit;
use super::raw::{ArrowArrayStream, ImportedStream};
use super::types::ArrowType;
use crate::error::{Error, ErrorKind, Result};
use alloc::vec::Vec;

/// Returns the values of a stream of one column of booleans, of which nulls are false.
///
/// # Errors
///
/// `custom` for an error of the stream, and for another table.
pub(crate) fn flags(stream: ArrowArrayStream) -> Result<Vec<bool>> {
    let mut stream = ImportedStream::open(stream)?;
    let mut flags = Vec::new();
    while let Some(rows) = stream.next()? {
        let column = match &rows.children[..] {
            [field] if field.array.ty == ArrowType::Bool => &field.array,
            _ => return Err(wrong("one column of booleans is expected")),
        };
        let begin = column.offset.saturating_add(rows.offset);
        for at in (0..rows.len).map(|row| begin.saturating_add(row)) {
            let flag = bit(column.buffer(1), at).zip(column.is_valid(at));
            let (is, has) = flag.ok_or_else(|| wrong("the column is too short"))?;
            flags.push(is && has);
        }
    }
    Ok(flags)
}

#[cold]
fn wrong(detail: &str) -> Error {
    Error::new(ErrorKind::Custom).with_detail(alloc::format!("Arrow: {detail}"))
}
