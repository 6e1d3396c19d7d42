//! The columns of a payload, each at its next value.

use super::cell::{CellValue, Unit};
use super::cells::cells_of;
use super::directory::{ColumnNode, Directory};
use super::integers::{Integers, integers_of};
use super::plain::{extent, opens};
use super::walk::Rows;
use super::{Malformed, OrMalformed};
use crate::columns::kind as k;
use crate::wire::utf8;
use alloc::vec::Vec;
use core::ops::Range;

#[derive(Debug)]
pub(super) struct Column<'a> {
    /// Whether each of the columns of its elements or fields is a leaf, or a UNION of leaves.
    pub is_flat: bool,
    pub values: Values<'a>,
}

#[derive(Debug)]
pub(super) enum Values<'a> {
    /// Values that do not have rows of other columns.
    Leaf(Leaf<'a>),
    List(Integers<'a>, u32),
    /// The shapes if there are several, the layout, and where the columns are in the links.
    Struct(Option<Integers<'a>>, u32, Range<usize>),
    Map(Integers<'a>, u32, u32),
    Union(Integers<'a>, Range<usize>),
    /// The integers of another column's rows, which are in that column.
    Part,
}

#[derive(Debug)]
pub(super) enum Leaf<'a> {
    Plain(&'a [u8]),
    Int(Integers<'a>),
    Unsigned(Integers<'a>),
    Float64(&'a [u8]),
    Float32(&'a [u8]),
    Scaled(Integers<'a>, f64),
    Time(Integers<'a>, Unit),
    Terminated(&'a str),
    Str(Integers<'a>, &'a str),
    Bin(Integers<'a>, &'a [u8]),
    Ext(Integers<'a>, i8, &'a [u8]),
    Dict(Integers<'a>, DictEntries<'a>),
}

/// The entries of a dictionary, each found by its index. Those that may take no byte of the payload become values later,
/// which take more memory.
#[derive(Debug)]
pub(super) enum DictEntries<'a> {
    Cells(Vec<CellValue<'a>>),
    /// Values of MessagePack.
    Plain(Vec<&'a [u8]>),
    /// Integers, and the kind and form of what they stand for.
    Integers(Vec<i64>, u8, u8),
    /// Timestamps, and their unit.
    Times(Vec<i64>, Unit),
    /// Where each string ends.
    Strs(Vec<usize>, &'a str),
    /// Where each payload ends, and the type of exts.
    Payloads(Vec<usize>, &'a [u8], Option<i8>),
}

impl<'a> DictEntries<'a> {
    fn of(directory: &Directory<'a>, node: &ColumnNode<'a>) -> OrMalformed<DictEntries<'a>> {
        let ends = || {
            let mut end = 0_usize;
            let next = |size: i64| {
                let size = usize::try_from(size).map_err(|_| Malformed)?;
                end = end.checked_add(size).ok_or(Malformed)?;
                Ok(end)
            };
            let sizes = integers_of(directory.part(node))?.into_iter();
            sizes.map(next).collect::<OrMalformed<Vec<usize>>>()
        };
        Ok(match (node.kind, node.mode) {
            (k::INT, _) => DictEntries::Integers(integers_of(node)?, k::INT, node.form),
            (k::SCALED, _) => DictEntries::Integers(integers_of(directory.part(node))?, k::SCALED, node.form),
            (k::TIME, _) => DictEntries::Times(integers_of(directory.part(node))?, Unit::new(node.form)),
            (k::BYTES, k::STR) => DictEntries::Strs(ends()?, text(node.section)?),
            (k::BYTES, k::BIN) => DictEntries::Payloads(ends()?, node.section, None),
            (k::BYTES, k::EXT) => DictEntries::Payloads(ends()?, node.section, Some(node.form as i8)),
            (k::PLAIN, _) => {
                let (mut rest, mut open) = (node.section, Vec::new());
                let next = |_| {
                    let (value, after) = rest.split_at(extent(rest, u32::MAX, &mut open)?.size);
                    rest = after;
                    Ok(value)
                };
                DictEntries::Plain((0..node.n).map(next).collect::<OrMalformed<_>>()?)
            }
            _ => DictEntries::Cells(cells_of(directory, node)?),
        })
    }

    /// Passes on the entry with an index.
    #[inline(always)]
    pub fn pass<R: Rows<'a>>(&self, index: usize, out: &mut R, open: &mut Vec<u64>) -> OrMalformed<()> {
        let range = |ends: &[usize]| {
            let begin = index.checked_sub(1).map_or(Some(0), |before| ends.get(before).copied());
            Some(begin?..*ends.get(index)?)
        };
        out.leaf(match self {
            DictEntries::Cells(cells) => *cells.get(index).ok_or(Malformed)?,
            DictEntries::Plain(values) => {
                let value = *values.get(index).ok_or(Malformed)?;
                if opens(value) {
                    return out.plain(value, extent(value, u32::MAX, open)?.values);
                }
                return out.scalar(value).map(drop);
            }
            DictEntries::Integers(values, kind, form) => {
                let value = *values.get(index).ok_or(Malformed)?;
                match *kind {
                    k::INT if form & k::UNSIGNED != 0 => CellValue::Large(value as u64),
                    k::INT => CellValue::Int(value),
                    _ => CellValue::Float(value as f64 / k::POWERS[usize::from(*form)]),
                }
            }
            DictEntries::Times(values, unit) => CellValue::Time(unit.timestamp(*values.get(index).ok_or(Malformed)?)?),
            DictEntries::Strs(ends, text) => {
                CellValue::Str(range(ends).and_then(|range| text.get(range)).ok_or(Malformed)?)
            }
            DictEntries::Payloads(ends, section, ext) => {
                let payload = range(ends).and_then(|range| section.get(range)).ok_or(Malformed)?;
                ext.map_or(CellValue::Bin(payload), |kind| CellValue::Ext(kind, payload))
            }
        })
    }
}

/// Opens the columns of the nodes in a range.
pub(super) fn open<'a>(directory: &Directory<'a>, range: Range<usize>) -> OrMalformed<Vec<Column<'a>>> {
    let mut columns = Vec::with_capacity(directory.nodes.len());
    columns.resize_with(directory.nodes.len(), || Column {
        is_flat: false,
        values: Values::Part,
    });
    // The columns that are still to be opened, parents before children.
    let mut expected = alloc::vec![range.start as u32];
    while let Some(index) = expected.pop() {
        let node = &directory.nodes[index as usize];
        columns[index as usize].values = values(directory, node)?;
        // The entries of a dictionary are in its leaf.
        if node.kind != k::DICT {
            expected.extend(directory.columns(node));
        }
    }
    for index in range {
        let node = &directory.nodes[index];
        let is_leaf = |&child: &u32| matches!(columns[child as usize].values, Values::Leaf(_));
        let is_flat = |child: &u32| match &columns[*child as usize].values {
            Values::Union(_, links) => directory.links[links.clone()].iter().all(is_leaf),
            _ => is_leaf(child),
        };
        columns[index].is_flat = directory.columns(node).iter().all(is_flat);
    }
    Ok(columns)
}

fn values<'a>(directory: &Directory<'a>, node: &ColumnNode<'a>) -> OrMalformed<Values<'a>> {
    let part = || Integers::of(directory.part(node));
    let columns = directory.columns(node);
    let leaf = match node.kind {
        k::LIST => return Ok(Values::List(part()?, columns[0])),
        k::STRUCT => {
            let shapes = node.has_part.then(part).transpose()?;
            let (layout, columns) = (node.layout as u32, directory.places(node));
            return Ok(Values::Struct(shapes, layout, columns));
        }
        k::MAP => return Ok(Values::Map(part()?, columns[0], columns[1])),
        k::UNION => return Ok(Values::Union(part()?, directory.places(node))),
        k::PLAIN => Leaf::Plain(node.section),
        k::INT if node.form & k::UNSIGNED != 0 => Leaf::Unsigned(Integers::of(node)?),
        k::INT => Leaf::Int(Integers::of(node)?),
        k::FLOAT if node.mode == k::FLOAT32 => Leaf::Float32(node.section),
        k::FLOAT => Leaf::Float64(node.section),
        k::SCALED => Leaf::Scaled(part()?, k::POWERS[usize::from(node.form)]),
        k::TIME => Leaf::Time(part()?, Unit::new(node.form)),
        k::DICT => {
            let entries = &directory.nodes[columns[0] as usize];
            Leaf::Dict(part()?, DictEntries::of(directory, entries)?)
        }
        _ => match node.mode {
            k::TERMINATED => Leaf::Terminated(text(node.section)?),
            k::STR => Leaf::Str(part()?, text(node.section)?),
            k::BIN => Leaf::Bin(part()?, node.section),
            _ => Leaf::Ext(part()?, node.form as i8, node.section),
        },
    };
    Ok(Values::Leaf(leaf))
}

fn text(section: &[u8]) -> OrMalformed<&str> {
    utf8::check(section).map_err(|_| Malformed)
}

#[inline(always)]
pub(super) fn element<const N: usize>(section: &mut &[u8]) -> OrMalformed<[u8; N]> {
    let (element, rest) = section.split_first_chunk::<N>().ok_or(Malformed)?;
    *section = rest;
    Ok(*element)
}
