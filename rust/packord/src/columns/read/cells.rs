//! The values of a column as cells, whatever its kind.

use super::cell::{CellValue, Unit, plain_cells, terminated, unsigned};
use super::directory::{ColumnNode, Directory};
use super::integers::integers_of;
use super::{Malformed, OrMalformed, need};
use crate::columns::kind as k;
use crate::wire::utf8;
use alloc::vec::Vec;

/// Returns the values of a column. Nodes nest at most 128 deep, and so does this function.
pub(crate) fn cells_of<'a>(directory: &Directory<'a>, node: &ColumnNode<'a>) -> OrMalformed<Vec<CellValue<'a>>> {
    let part = || integers_of(directory.part(node)).map(Vec::into_iter);
    let column = |index: &u32| cells_of(directory, &directory.nodes[*index as usize]);
    let columns = directory.columns(node);
    match node.kind {
        k::PLAIN => plain_cells(node.section, node.n),
        k::INT => {
            let integers = integers_of(node)?.into_iter();
            Ok(if node.form & k::UNSIGNED == 0 {
                integers.map(CellValue::Int).collect()
            } else {
                integers.map(|integer| unsigned(integer as u64)).collect()
            })
        }
        k::FLOAT if node.mode == k::FLOAT32 => Ok(node.elements(f32::from_le_bytes).map(CellValue::Float32).collect()),
        k::FLOAT => Ok(node.elements(f64::from_le_bytes).map(CellValue::Float).collect()),
        k::SCALED => Ok(scaled_of(directory, node)?.into_iter().map(CellValue::Float).collect()),
        k::TIME => {
            let unit = Unit::new(node.form);
            part()?.map(|time| unit.timestamp(time).map(CellValue::Time)).collect()
        }
        k::BYTES => payloads(directory, node),
        k::DICT => {
            let entries = column(&columns[0])?;
            let entry = |index: i64| {
                let entry = usize::try_from(index).ok().and_then(|at| entries.get(at));
                entry.copied().ok_or(Malformed)
            };
            part()?.map(entry).collect()
        }
        k::UNION => {
            let branches = columns.iter().map(column);
            let branches = branches.collect::<OrMalformed<Vec<_>>>()?.into_iter();
            let mut branches: Vec<_> = branches.map(Vec::into_iter).collect();
            let next = |tag: i64| {
                let branch = usize::try_from(tag).ok().and_then(|tag| branches.get_mut(tag));
                branch.and_then(Iterator::next).ok_or(Malformed)
            };
            part()?.map(next).collect()
        }
        _ => Ok(alloc::vec![CellValue::Row; node.n]),
    }
}

fn payloads<'a>(directory: &Directory<'a>, node: &ColumnNode<'a>) -> OrMalformed<Vec<CellValue<'a>>> {
    let section = node.section;
    let text = || utf8::check(section).map_err(|_| Malformed);
    if node.mode == k::TERMINATED {
        let mut rest = text()?;
        let strs = (0..node.n).map(|_| terminated(&mut rest).map(CellValue::Str));
        let strs = strs.collect::<OrMalformed<Vec<_>>>()?;
        need(rest.is_empty())?;
        return Ok(strs);
    }
    let text = if node.mode == k::STR { text()? } else { "" };
    let mut at = 0_usize;
    let next = |size: i64| {
        let end = usize::try_from(size).ok().and_then(|size| at.checked_add(size));
        let range = at..end.ok_or(Malformed)?;
        at = range.end;
        if node.mode == k::STR {
            return text.get(range).map(CellValue::Str).ok_or(Malformed);
        }
        let payload = section.get(range).ok_or(Malformed)?;
        Ok(match node.mode {
            k::BIN => CellValue::Bin(payload),
            _ => CellValue::Ext(node.form as i8, payload),
        })
    };
    let sizes = integers_of(directory.part(node))?.into_iter();
    let cells = sizes.map(next).collect::<OrMalformed<Vec<_>>>()?;
    need(at == section.len())?;
    Ok(cells)
}

pub(crate) fn scaled_of(directory: &Directory<'_>, node: &ColumnNode<'_>) -> OrMalformed<Vec<f64>> {
    let power = k::POWERS[usize::from(node.form)];
    let mantissas = integers_of(directory.part(node))?;
    let most = mantissas.iter().map(|mantissa| mantissa.unsigned_abs()).max();
    need(most.is_none_or(|most| most < k::MANTISSAS))?;
    Ok(mantissas.into_iter().map(|mantissa| mantissa as f64 / power).collect())
}

/// Returns the strings of a column that has strings and nil alone; `None` for other columns.
pub(crate) fn strs_of<'a>(
    directory: &Directory<'a>,
    node: &ColumnNode<'a>,
) -> OrMalformed<Option<Vec<Option<&'a str>>>> {
    let as_str = |cell| match cell {
        CellValue::Nil => Some(None),
        CellValue::Str(text) => Some(Some(text)),
        _ => None,
    };
    Ok(cells_of(directory, node)?.into_iter().map(as_str).collect())
}
