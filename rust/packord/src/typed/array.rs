//! Reading arrays of a fixed number of elements.

use super::detail::Detail;
use super::reader::member;
use super::state::{Failed, Step};
use super::{Cursor, Reader};
use crate::error::ErrorKind;
use crate::typed::raw::try_array;

#[inline]
pub(crate) fn read_array<'de, T, const N: usize>(
    reader: &mut Reader<'de>,
    leaf: bool,
    quick: impl Fn(&mut Cursor<'de>) -> Option<T> + Copy,
    read: impl Fn(&mut Reader<'de>) -> Result<T, Failed> + Copy,
) -> Result<[T; N], Failed> {
    let start = reader.position();
    let open = reader.array()?;
    if open.count() != N {
        let detail = Detail::ArrayLength(N, open.count());
        return Err(reader.fail_with(ErrorKind::TypeMismatch, start, detail));
    }
    let mut cursor = reader.cursor();
    let items = try_array(|index| {
        member(
            reader,
            &mut cursor,
            &open,
            N - index - 1,
            leaf,
            || Step::Index(index),
            quick,
            read,
        )
    })?;
    reader.go_on(cursor);
    reader.close(open);
    Ok(items)
}
