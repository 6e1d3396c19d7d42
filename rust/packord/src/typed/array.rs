//! Reading arrays of a fixed number of elements.

use super::Reader;
use super::state::{Failed, Step};
use crate::error::ErrorKind;
use crate::wire::try_array;

/// An array of exactly N elements.
#[inline]
pub(crate) fn exact<'de, T, const N: usize>(
    reader: &mut Reader<'de>,
    leaf: bool,
    mut read: impl FnMut(&mut Reader<'de>) -> Result<T, Failed>,
) -> Result<[T; N], Failed> {
    let start = reader.position();
    let open = reader.array()?;
    if open.count() != N {
        return Err(reader.fail_at(ErrorKind::TypeMismatch, start));
    }
    let items =
        try_array(|index| reader.part(&open, N - index - 1, leaf, Step::Index(index), &mut read))?;
    reader.close(open);
    Ok(items)
}
