//! Which maps have a key, and how long arrays and maps are.

use crate::columns::kind as k;
use crate::columns::read::{ColumnNode, Directory, Malformed, OrMalformed, integers_of};
use alloc::vec::Vec;

/// Returns whether each row of a STRUCT is of one of the shapes that are true.
pub(super) fn rows_of_shapes(
    directory: &Directory<'_>,
    node: &ColumnNode<'_>,
    shapes: &[bool],
) -> OrMalformed<Vec<bool>> {
    let row = |index: i64| {
        let index = usize::try_from(index).map_err(|_| Malformed)?;
        shapes.get(index).copied().ok_or(Malformed)
    };
    let rows = integers_of(directory.part(node))?.into_iter();
    rows.map(row).collect()
}

/// Returns the lengths of the arrays of a LIST or the maps of a MAP; `None` for other nodes.
pub(super) fn lengths_of(directory: &Directory<'_>, node: &ColumnNode<'_>) -> OrMalformed<Option<Vec<usize>>> {
    if !matches!(node.kind, k::LIST | k::MAP) {
        return Ok(None);
    }
    let mut left = directory.nodes[directory.columns(node)[0] as usize].n;
    let length = |length: i64| {
        let length = usize::try_from(length).map_err(|_| Malformed)?;
        left = left.checked_sub(length).ok_or(Malformed)?;
        Ok(length)
    };
    let lengths = integers_of(directory.part(node))?.into_iter().map(length);
    let lengths = lengths.collect::<OrMalformed<Vec<usize>>>()?;
    if left == 0 { Ok(Some(lengths)) } else { Err(Malformed) }
}
