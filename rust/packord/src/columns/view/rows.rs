//! Which rows of a column are nil, which maps have a key, and how long arrays and maps are.

use crate::columns::kind as k;
use crate::columns::read::{ColumnNode, Directory, Malformed, OrMalformed, extent, integers_of};
use crate::wire::marker as m;
use alloc::vec::Vec;

/// Returns whether each row of a STRUCT is of one of the shapes that are true.
pub(super) fn rows_of_shapes(
    directory: &Directory<'_>,
    node: &ColumnNode<'_>,
    shapes: &[bool],
) -> OrMalformed<Vec<bool>> {
    let indexes = integers_of(&directory.nodes[directory.child(node, 0) as usize])?;
    let row = |index: i64| {
        let index = usize::try_from(index).map_err(|_| Malformed)?;
        shapes.get(index).copied().ok_or(Malformed)
    };
    indexes.into_iter().map(row).collect()
}

/// Returns which rows of a column are nil; `None` if none can be. Nodes nest at most 128 deep, and so does
/// this function.
pub(super) fn nils_of(directory: &Directory<'_>, node: u32) -> OrMalformed<Option<Vec<bool>>> {
    let node = &directory.nodes[node as usize];
    let part = || integers_of(&directory.nodes[directory.child(node, 0) as usize]);
    match node.kind {
        k::PLAIN => {
            let (mut rest, mut open) = (node.section, Vec::new());
            let rows = (0..node.n).map(|_| {
                let size = extent(rest, &mut open)?.size;
                let (value, after) = rest.split_at(size);
                rest = after;
                Ok(value == [m::NIL])
            });
            let rows = rows.collect::<OrMalformed<Vec<bool>>>()?;
            if rest.is_empty() {
                Ok(Some(rows))
            } else {
                Err(Malformed)
            }
        }
        k::DICT => {
            let Some(entries) = nils_of(directory, directory.child(node, 1))? else {
                return Ok(None);
            };
            let row = |index: i64| {
                let index = usize::try_from(index).map_err(|_| Malformed)?;
                entries.get(index).copied().ok_or(Malformed)
            };
            part()?
                .into_iter()
                .map(row)
                .collect::<OrMalformed<_>>()
                .map(Some)
        }
        k::UNION => {
            let children = &directory.links[node.links.start + 1..node.links.end];
            let mut branches = Vec::with_capacity(children.len());
            for &child in children {
                let rows = nils_of(directory, child)?;
                let left = directory.nodes[child as usize].n;
                branches.push((rows.map(Vec::into_iter), left));
            }
            let row = |tag: i64| {
                let branch = usize::try_from(tag)
                    .ok()
                    .and_then(|tag| branches.get_mut(tag));
                let (rows, left) = branch.ok_or(Malformed)?;
                *left = left.checked_sub(1).ok_or(Malformed)?;
                Ok(rows.as_mut().and_then(Iterator::next).unwrap_or(false))
            };
            part()?
                .into_iter()
                .map(row)
                .collect::<OrMalformed<_>>()
                .map(Some)
        }
        _ => Ok(None),
    }
}

/// Returns the lengths of the arrays of a LIST or the maps of a MAP; `None` for other nodes.
pub(super) fn lengths_of(
    directory: &Directory<'_>,
    node: &ColumnNode<'_>,
) -> OrMalformed<Option<Vec<usize>>> {
    if !matches!(node.kind, k::LIST | k::MAP) {
        return Ok(None);
    }
    let part = |child| &directory.nodes[directory.child(node, child) as usize];
    let mut left = part(1).n;
    let length = |length: i64| {
        let length = usize::try_from(length).map_err(|_| Malformed)?;
        left = left.checked_sub(length).ok_or(Malformed)?;
        Ok(length)
    };
    let lengths = integers_of(part(0))?.into_iter().map(length);
    let lengths = lengths.collect::<OrMalformed<Vec<usize>>>()?;
    if left == 0 {
        Ok(Some(lengths))
    } else {
        Err(Malformed)
    }
}
