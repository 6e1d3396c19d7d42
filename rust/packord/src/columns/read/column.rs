//! The columns of a payload, each at its next value.

use super::directory::{ColumnNode, Directory};
use super::integers::{Integers, integers_of};
use super::plain::{CellValue, cell_of, opens};
use super::{Malformed, OrMalformed, need};
use crate::columns::kind as k;
use crate::ext::Timestamp;
use crate::wire::utf8;
use alloc::vec::Vec;
use core::ops::Range;

/// A column: how many values are left, and where they are.
#[derive(Debug)]
pub(super) struct Column<'a> {
    pub left: usize,
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
    /// Where the columns are in the links.
    Tuple(Range<u32>),
    /// The layout, and where the columns are in the links.
    Struct(u32, Range<u32>),
    Shaped(Integers<'a>, u32, u32),
    Map(Integers<'a>, u32, u32),
    Union(Integers<'a>, Range<u32>),
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
    Residual(Integers<'a>, Integers<'a>, f64),
    Time(Integers<'a>, Unit),
    Terminated(&'a str),
    Str(Integers<'a>, &'a str),
    Bin(Integers<'a>, &'a [u8]),
    Ext(Integers<'a>, i8, &'a [u8]),
    /// The indexes, and where the entries are among those of all dictionaries.
    Dict(Integers<'a>, Range<usize>),
}

/// The unit of timestamps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    per_second: i64,
    nanoseconds: i64,
}

impl Unit {
    fn new(digits: u8) -> Unit {
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

/// Opens the columns of the nodes in a range. Entries of dictionaries are not made yet.
pub(super) fn open<'a>(
    directory: &Directory<'a>,
    range: Range<usize>,
) -> OrMalformed<Vec<Column<'a>>> {
    let mut columns = Vec::with_capacity(directory.nodes.len());
    for node in &directory.nodes {
        columns.push(Column {
            left: node.n,
            is_flat: false,
            values: Values::Part,
        });
    }
    // Parts are after their parents, which take them.
    let mut is_part = Vec::new();
    is_part.resize(directory.nodes.len(), false);
    for index in range.clone() {
        let node = &directory.nodes[index];
        if is_part[index] {
            columns[index].left = 0;
            continue;
        }
        let parts = parts_of(directory, node);
        for &part in &directory.links[node.links.start..node.links.start + parts] {
            is_part[part as usize] = true;
        }
        columns[index].values = values(directory, node)?;
    }
    for index in range {
        let node = &directory.nodes[index];
        let children =
            &directory.links[node.links.start + parts_of(directory, node)..node.links.end];
        let is_leaf = |&child: &u32| matches!(columns[child as usize].values, Values::Leaf(_));
        let is_flat = |child: &u32| match &columns[*child as usize].values {
            Values::Union(_, links) => {
                let branches = links.start as usize..links.end as usize;
                directory.links[branches].iter().all(is_leaf)
            }
            _ => is_leaf(child),
        };
        columns[index].is_flat = children.iter().all(is_flat);
    }
    Ok(columns)
}

/// Returns how many of the children are integers of the node's own rows.
fn parts_of(directory: &Directory<'_>, node: &ColumnNode<'_>) -> usize {
    match node.kind {
        k::DICT | k::LIST | k::MAP | k::UNION => 1,
        k::SCALED | k::TIME | k::BYTES => node.links.len(),
        k::STRUCT => usize::from(!directory.layouts[node.layout].shapes.is_empty()),
        _ => 0,
    }
}

fn values<'a>(directory: &Directory<'a>, node: &ColumnNode<'a>) -> OrMalformed<Values<'a>> {
    let part = |index| {
        let child = directory.child(node, index);
        Integers::of(&directory.nodes[child as usize])
    };
    let first = (node.links.start + parts_of(directory, node)) as u32;
    let columns = first..node.links.end as u32;
    let layout = node.layout as u32;
    let leaf = match node.kind {
        k::LIST => return Ok(Values::List(part(0)?, directory.child(node, 1))),
        k::TUPLE => return Ok(Values::Tuple(columns)),
        k::STRUCT if columns.len() == node.links.len() => {
            return Ok(Values::Struct(layout, columns));
        }
        k::STRUCT => return Ok(Values::Shaped(part(0)?, layout, first)),
        k::MAP => {
            let (keys, values) = (directory.child(node, 1), directory.child(node, 2));
            return Ok(Values::Map(part(0)?, keys, values));
        }
        k::UNION => return Ok(Values::Union(part(0)?, columns)),
        k::PLAIN => Leaf::Plain(node.section),
        k::INT if node.form & k::UNSIGNED != 0 => Leaf::Unsigned(Integers::of(node)?),
        k::INT => Leaf::Int(Integers::of(node)?),
        k::FLOAT if node.mode == k::FLOAT32 => Leaf::Float32(node.section),
        k::FLOAT => Leaf::Float64(node.section),
        k::SCALED => {
            let power = k::POWERS[usize::from(node.form & 0x7f)];
            match node.links.len() {
                1 => Leaf::Scaled(part(0)?, power),
                _ => Leaf::Residual(part(0)?, part(1)?, power),
            }
        }
        k::TIME => Leaf::Time(part(0)?, Unit::new(node.form)),
        k::DICT => Leaf::Dict(part(0)?, 0..0),
        _ => match node.mode {
            k::TERMINATED => {
                need(node.section.last().is_none_or(|&last| last == 0))?;
                Leaf::Terminated(text(node.section)?)
            }
            k::STR => Leaf::Str(part(0)?, text(node.section)?),
            k::BIN => Leaf::Bin(part(0)?, node.section),
            _ => Leaf::Ext(part(0)?, node.form as i8, node.section),
        },
    };
    Ok(Values::Leaf(leaf))
}

fn text(section: &[u8]) -> OrMalformed<&str> {
    utf8::check(section).map_err(|_| Malformed)
}

impl Values<'_> {
    /// Returns whether nothing is left of the section, after the last value.
    pub fn is_used_up(&self) -> bool {
        let Values::Leaf(leaf) = self else {
            return true;
        };
        match leaf {
            Leaf::Plain(rest) | Leaf::Bin(_, rest) | Leaf::Ext(_, _, rest) => rest.is_empty(),
            Leaf::Terminated(rest) | Leaf::Str(_, rest) => rest.is_empty(),
            _ => true,
        }
    }
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
fn zero_at(bytes: &[u8]) -> Option<usize> {
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

/// Returns the float of a mantissa, divided by a power of ten.
#[inline(always)]
pub(super) fn scaled(mantissa: i64, power: f64) -> OrMalformed<f64> {
    need(mantissa.unsigned_abs() < 1 << 53)?;
    Ok(mantissa as f64 / power)
}

/// Returns the floats of a SCALED node.
pub(crate) fn scaled_of(directory: &Directory<'_>, node: &ColumnNode<'_>) -> OrMalformed<Vec<f64>> {
    let power = k::POWERS[usize::from(node.form & 0x7f)];
    let part = |index| integers_of(&directory.nodes[directory.child(node, index) as usize]);
    let mantissas = part(0)?.into_iter().map(|mantissa| scaled(mantissa, power));
    if node.links.len() == 1 {
        return mantissas.collect();
    }
    let residuals = part(1)?.into_iter();
    let floats = mantissas.zip(residuals).map(|(near, residual)| {
        let bits = near?.to_bits().wrapping_add_signed(residual);
        Ok(f64::from_bits(bits))
    });
    floats.collect()
}

/// Returns the strings of a BYTES node of str, or of a DICT of such; `None` for other nodes, and where a dictionary has
/// something else.
pub(crate) fn strs_of<'a>(
    directory: &Directory<'a>,
    node: &ColumnNode<'a>,
) -> OrMalformed<Option<Vec<Option<&'a str>>>> {
    match node.kind {
        k::BYTES => texts_of(directory, node),
        k::DICT => {
            let part = |child| &directory.nodes[directory.child(node, child) as usize];
            let entries = match part(1).kind {
                k::PLAIN => plain_texts(part(1)),
                k::BYTES => texts_of(directory, part(1)),
                _ => Ok(None),
            };
            let Some(entries) = entries? else {
                return Ok(None);
            };
            let entry = |index: i64| {
                let entry = usize::try_from(index).ok().and_then(|at| entries.get(at));
                entry.copied().ok_or(Malformed)
            };
            let rows = integers_of(part(0))?.into_iter().map(entry);
            rows.collect::<OrMalformed<_>>().map(Some)
        }
        _ => Ok(None),
    }
}

fn texts_of<'a>(
    directory: &Directory<'a>,
    node: &ColumnNode<'a>,
) -> OrMalformed<Option<Vec<Option<&'a str>>>> {
    if !matches!(node.mode, k::STR | k::TERMINATED) {
        return Ok(None);
    }
    let mut rest = text(node.section)?;
    let strs: OrMalformed<Vec<_>> = if node.mode == k::TERMINATED {
        (0..node.n)
            .map(|_| terminated(&mut rest).map(Some))
            .collect()
    } else {
        let sizes = integers_of(&directory.nodes[directory.child(node, 0) as usize])?;
        let take = |size: i64| {
            let size = usize::try_from(size).map_err(|_| Malformed)?;
            let (text, after) = rest.split_at_checked(size).ok_or(Malformed)?;
            rest = after;
            Ok(Some(text))
        };
        sizes.into_iter().map(take).collect()
    };
    let strs = strs?;
    need(rest.is_empty())?;
    Ok(Some(strs))
}

/// Returns the values of a PLAIN node that has strings and nil alone.
fn plain_texts<'a>(node: &ColumnNode<'a>) -> OrMalformed<Option<Vec<Option<&'a str>>>> {
    let mut rest = node.section;
    let mut strs = Vec::new();
    for _ in 0..node.n {
        if opens(rest) {
            return Ok(None);
        }
        let (size, cell) = cell_of(rest)?;
        strs.push(match cell {
            CellValue::Str(text) => Some(text),
            CellValue::Nil => None,
            _ => return Ok(None),
        });
        rest = &rest[size..];
    }
    need(rest.is_empty())?;
    Ok(Some(strs))
}
