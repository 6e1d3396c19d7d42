//! The columns of a payload, each at its next value.

use super::directory::{ColumnNode, Directory};
use super::integers::{Integers, integers_of};
use super::plain::{extent, opens};
use super::walk::Rows;
use super::{Malformed, OrMalformed};
use crate::columns::kind as k;
use crate::ext::Timestamp;
use crate::wire::utf8;
use alloc::vec::Vec;
use core::ops::Range;

/// A column, and where its values are.
#[derive(Debug)]
pub(super) struct Column<'a> {
    /// Whether each of the columns of its elements or fields is a leaf, or a UNION of leaves.
    pub is_flat: bool,
    pub values: Values<'a>,
}

/// Where the next value of a column is.
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

/// The entries of a dictionary, each found by its index. They become values later, which take more memory.
#[derive(Debug)]
pub(super) enum DictEntries<'a> {
    Int(Vec<i64>),
    Unsigned(Vec<i64>),
    Float64(&'a [u8]),
    Float32(&'a [u8]),
    Scaled(Vec<i64>, f64),
    Time(Vec<i64>, Unit),
    /// The bytes, and where each entry ends in them.
    Plain(&'a [u8], Vec<usize>),
    Terminated(&'a str, Vec<usize>),
    Str(&'a str, Vec<usize>),
    Bin(&'a [u8], Vec<usize>),
    Ext(i8, &'a [u8], Vec<usize>),
}

impl<'a> DictEntries<'a> {
    fn of(directory: &Directory<'a>, node: &ColumnNode<'a>) -> OrMalformed<DictEntries<'a>> {
        let section = node.section;
        let part = || integers_of(directory.part(node));
        let ends = || {
            let mut end = 0_usize;
            let next = |size: i64| {
                let size = usize::try_from(size).map_err(|_| Malformed)?;
                end = end.checked_add(size).ok_or(Malformed)?;
                Ok(end)
            };
            let sizes = part()?.into_iter();
            sizes.map(next).collect::<OrMalformed<Vec<usize>>>()
        };
        Ok(match (node.kind, node.mode) {
            (k::PLAIN, _) => {
                let (mut ends, mut open) = (Vec::new(), Vec::new());
                let mut end = 0;
                for _ in 0..node.n {
                    end += extent(&section[end..], &mut open)?.size;
                    ends.push(end);
                }
                DictEntries::Plain(section, ends)
            }
            (k::INT, _) if node.form & k::UNSIGNED != 0 => DictEntries::Unsigned(integers_of(node)?),
            (k::INT, _) => DictEntries::Int(integers_of(node)?),
            (k::FLOAT, k::FLOAT32) => DictEntries::Float32(section),
            (k::FLOAT, _) => DictEntries::Float64(section),
            (k::SCALED, _) => DictEntries::Scaled(part()?, k::POWERS[usize::from(node.form)]),
            (k::TIME, _) => DictEntries::Time(part()?, Unit::new(node.form)),
            (_, k::TERMINATED) => {
                let zeros = section.iter().enumerate().filter(|&(_, &byte)| byte == 0);
                DictEntries::Terminated(text(section)?, zeros.map(|(at, _)| at + 1).collect())
            }
            (_, k::STR) => DictEntries::Str(text(section)?, ends()?),
            (_, k::BIN) => DictEntries::Bin(section, ends()?),
            _ => DictEntries::Ext(node.form as i8, section, ends()?),
        })
    }

    /// Passes on the entry with an index.
    #[inline(always)]
    pub fn pass<R: Rows<'a>>(&self, index: usize, out: &mut R, open: &mut Vec<u64>) -> OrMalformed<()> {
        let integer = |values: &[i64]| values.get(index).copied().ok_or(Malformed);
        let range = |ends: &[usize]| {
            let begin = index.checked_sub(1).map_or(Some(0), |before| ends.get(before).copied());
            Ok(begin.ok_or(Malformed)?..*ends.get(index).ok_or(Malformed)?)
        };
        match self {
            DictEntries::Int(values) => out.int(integer(values)?),
            DictEntries::Unsigned(values) => out.uint(integer(values)? as u64),
            DictEntries::Float64(section) => {
                out.f64(u64::from_le_bytes(element_at(section, index)?));
            }
            DictEntries::Float32(section) => {
                out.f32(u32::from_le_bytes(element_at(section, index)?));
            }
            DictEntries::Scaled(mantissas, power) => {
                out.f64((integer(mantissas)? as f64 / power).to_bits());
            }
            DictEntries::Time(values, unit) => out.timestamp(unit.timestamp(integer(values)?)?),
            DictEntries::Plain(section, ends) => {
                let value = section.get(range(ends)?).ok_or(Malformed)?;
                if opens(value) {
                    out.plain(value, extent(value, open)?.values)?;
                } else {
                    out.scalar(value)?;
                }
            }
            DictEntries::Terminated(text, ends) => {
                let text = text.get(range(ends)?).ok_or(Malformed)?;
                out.str(text.strip_suffix('\0').ok_or(Malformed)?);
            }
            DictEntries::Str(text, ends) => out.str(text.get(range(ends)?).ok_or(Malformed)?),
            DictEntries::Bin(section, ends) => out.bin(section.get(range(ends)?).ok_or(Malformed)?),
            DictEntries::Ext(kind, section, ends) => {
                out.ext(*kind, section.get(range(ends)?).ok_or(Malformed)?)?;
            }
        }
        Ok(())
    }
}

/// Returns the element of a section with an index.
#[inline(always)]
fn element_at<const N: usize>(section: &[u8], index: usize) -> OrMalformed<[u8; N]> {
    let begin = index.checked_mul(N).ok_or(Malformed)?;
    let rest = section.get(begin..).ok_or(Malformed)?;
    rest.first_chunk().copied().ok_or(Malformed)
}

/// The unit of timestamps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    per_second: i64,
    nanoseconds: i64,
}

impl Unit {
    pub fn new(digits: u8) -> Unit {
        let per_second = 10_i64.pow(u32::from(digits));
        Unit {
            per_second,
            nanoseconds: 1_000_000_000 / per_second,
        }
    }

    #[inline(always)]
    pub fn timestamp(self, value: i64) -> OrMalformed<Timestamp> {
        let seconds = value.div_euclid(self.per_second);
        let nanoseconds = value.rem_euclid(self.per_second) * self.nanoseconds;
        Timestamp::new(seconds, nanoseconds as u32).ok_or(Malformed)
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

/// Takes the next element of a section.
#[inline(always)]
pub(super) fn element<const N: usize>(section: &mut &[u8]) -> OrMalformed<[u8; N]> {
    let (element, rest) = section.split_first_chunk::<N>().ok_or(Malformed)?;
    *section = rest;
    Ok(*element)
}

/// Takes the next string, which ends with a byte 00.
#[inline(always)]
pub(super) fn terminated<'a>(section: &mut &'a str) -> OrMalformed<&'a str> {
    let end = zero_at(section.as_bytes()).ok_or(Malformed)?;
    let (text, rest) = section.split_at_checked(end).ok_or(Malformed)?;
    *section = rest.get(1..).ok_or(Malformed)?;
    Ok(text)
}

/// Returns the index of the first byte 00. Eight bytes at a time take half as long as one at a time.
#[inline(always)]
pub(crate) fn zero_at(bytes: &[u8]) -> Option<usize> {
    const LOW: u64 = u64::MAX / 0xff;
    let mut at = 0;
    while let Some(chunk) = bytes[at..].first_chunk::<8>() {
        let word = u64::from_le_bytes(*chunk);
        // The lowest bit that is set belongs to the first byte 00.
        let zeros = word.wrapping_sub(LOW) & !word & (LOW << 7);
        if zeros != 0 {
            return Some(at + (zeros.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let rest = bytes[at..].iter().position(|&byte| byte == 0)?;
    Some(at + rest)
}
