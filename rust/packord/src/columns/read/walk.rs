//! Going through the values of a payload in the order in which they are written plainly.

use super::PayloadHeader;
use super::cell::{CellValue, terminated};
use super::check::{check, check_column};
use super::column::{Column, Leaf, Values, element, open};
use super::directory::{Directory, StructLayout};
use super::integers::Integers;
use super::plain::{extent, opens};
use super::{Malformed, OrMalformed, need};
use alloc::vec::Vec;
use core::ops::Range;
use core::slice::Iter;

/// Receives values in their order. Containers come before what is in them, and say how much that is.
pub(crate) trait Rows<'a> {
    /// Prepares for the rows of these structs.
    fn layouts(&mut self, layouts: &[StructLayout<'a>]);
    /// Comes before each value of the column that is walked through.
    fn begin(&mut self) {}
    /// A value that is stored in another form than that of MessagePack. A timestamp in any of its formats is an ext. Fails
    /// where it cannot be kept.
    fn leaf(&mut self, value: CellValue<'a>) -> OrMalformed<()>;
    /// The value of MessagePack at the start of a section, which is not a container. Returns its size.
    fn scalar(&mut self, section: &'a [u8]) -> OrMalformed<usize>;
    /// A value of MessagePack, which is valid: its bytes, and how many values that is.
    fn plain(&mut self, bytes: &'a [u8], values: u64) -> OrMalformed<()>;
    fn array(&mut self, count: usize);
    fn map(&mut self, count: usize);
    /// A map with the keys of a shape of a layout; before each value comes its key.
    fn row(&mut self, layout: usize, shape: usize, count: usize);
    fn key(&mut self, layout: usize, key: usize);
}

/// A container that is not complete.
enum OpenRow<'d> {
    /// The column of the elements, and how many are left.
    List(u32, usize),
    /// The layout, the columns, and the keys that are left.
    Struct(u32, &'d [u32], Iter<'d, u32>),
    /// The columns of keys and values, entries left, and whether a key is next.
    Map(u32, u32, usize, bool),
}

/// A walk through one column, which was checked.
pub(super) struct Walk<'d, 'a> {
    directory: &'d Directory<'a>,
    columns: Vec<Column<'a>>,
    rows: Vec<OpenRow<'d>>,
    scratch: Vec<u64>,
}

/// Checks a payload, and walks through its value. After a fault, nothing that was received can be used.
pub(crate) fn walk<'a, R: Rows<'a>>(payload: &'a [u8], header: &PayloadHeader, out: &mut R) -> OrMalformed<()> {
    let directory = Directory::read(payload, header)?;
    check(&directory, header)?;
    Walk::column(&directory, 0, out)
}

/// Checks one column, and walks through its values and those in it.
pub(crate) fn walk_column<'a, R: Rows<'a>>(
    directory: &Directory<'a>,
    header: &PayloadHeader,
    node: u32,
    out: &mut R,
) -> OrMalformed<()> {
    check_column(directory, header, node, false)?;
    Walk::column(directory, node, out)
}

impl<'d, 'a> Walk<'d, 'a> {
    /// Walks through the values of a column.
    pub fn column<R: Rows<'a>>(directory: &'d Directory<'a>, node: u32, out: &mut R) -> OrMalformed<()> {
        out.layouts(&directory.layouts);
        let mut walk = Walk {
            columns: open(directory, directory.subtree(node))?,
            rows: Vec::new(),
            scratch: Vec::new(),
            directory,
        };
        for _ in 0..directory.nodes[node as usize].n {
            out.begin();
            walk.value(node, out)?;
        }
        Ok(())
    }

    /// Passes on the next value of a column, without a stack that grows with depth.
    fn value<R: Rows<'a>>(&mut self, column: u32, out: &mut R) -> OrMalformed<()> {
        let directory = self.directory;
        let mut column = column;
        loop {
            let next = &mut self.columns[column as usize];
            let is_flat = next.is_flat;
            match &mut next.values {
                Values::Leaf(leaf) => pass(leaf, &mut self.scratch, out)?,
                Values::Union(tags, branches) => {
                    column = branch(directory, tags, branches)?;
                    continue;
                }
                Values::List(sizes, child) => {
                    let (size, child) = (sizes.next_index()?, *child);
                    out.array(size);
                    if is_flat {
                        for _ in 0..size {
                            self.leaf(child, out)?;
                        }
                    } else {
                        self.rows.push(OpenRow::List(child, size));
                    }
                }
                Values::Struct(shapes, layout, columns) => {
                    let shape = match shapes {
                        Some(shapes) => shapes.next_index()?,
                        None => 0,
                    };
                    let (layout, columns) = (*layout, &directory.links[columns.clone()]);
                    let keys = directory.layouts[layout as usize].shapes.get(shape);
                    let keys = keys.ok_or(Malformed)?;
                    out.row(layout as usize, shape, keys.len());
                    if is_flat {
                        for &key in keys {
                            out.key(layout as usize, key as usize);
                            self.leaf(columns[key as usize], out)?;
                        }
                    } else {
                        self.rows.push(OpenRow::Struct(layout, columns, keys.iter()));
                    }
                }
                Values::Map(sizes, keys, values) => {
                    let (size, keys, values) = (sizes.next_index()?, *keys, *values);
                    out.map(size);
                    self.rows.push(OpenRow::Map(keys, values, size, true));
                }
                Values::Part => return Err(Malformed),
            }
            match self.next(out) {
                Some(next) => column = next,
                None => return Ok(()),
            }
        }
    }

    /// Passes on the next value of a column that is a leaf, or a UNION of leaves.
    #[inline(always)]
    fn leaf<R: Rows<'a>>(&mut self, column: u32, out: &mut R) -> OrMalformed<()> {
        let mut column = column;
        loop {
            match &mut self.columns[column as usize].values {
                Values::Leaf(leaf) => return pass(leaf, &mut self.scratch, out),
                Values::Union(tags, branches) => column = branch(self.directory, tags, branches)?,
                _ => return Err(Malformed),
            }
        }
    }

    /// Returns the column of the value that follows, if there is one.
    #[inline(always)]
    fn next<R: Rows<'a>>(&mut self, out: &mut R) -> Option<u32> {
        loop {
            match self.rows.last_mut()? {
                OpenRow::Struct(layout, columns, keys) => {
                    if let Some(&key) = keys.next() {
                        out.key(*layout as usize, key as usize);
                        return Some(columns[key as usize]);
                    }
                }
                OpenRow::List(child, left) => {
                    if *left > 0 {
                        *left -= 1;
                        return Some(*child);
                    }
                }
                OpenRow::Map(keys, values, left, at_key) => {
                    if !*at_key {
                        *at_key = true;
                        *left -= 1;
                        return Some(*values);
                    }
                    if *left > 0 {
                        *at_key = false;
                        return Some(*keys);
                    }
                }
            }
            self.rows.pop();
        }
    }
}

/// Returns the column of the next value of a UNION.
#[inline(always)]
fn branch(directory: &Directory<'_>, tags: &mut Integers<'_>, branches: &Range<usize>) -> OrMalformed<u32> {
    let tag = tags.next_index()?;
    need(tag < branches.len())?;
    Ok(directory.links[branches.start + tag])
}

/// Passes on the next value of a column that has no rows of others. It is large, and in several loops.
#[inline(never)]
fn pass<'a, R: Rows<'a>>(leaf: &mut Leaf<'a>, scratch: &mut Vec<u64>, out: &mut R) -> OrMalformed<()> {
    match leaf {
        Leaf::Int(values) => out.leaf(CellValue::Int(values.next()?)),
        Leaf::Terminated(section) => out.leaf(CellValue::Str(terminated(section)?)),
        Leaf::Plain(section) if !opens(section) => {
            let size = out.scalar(section)?;
            *section = section.get(size..).ok_or(Malformed)?;
            Ok(())
        }
        Leaf::Plain(section) => {
            let found = extent(section, u32::MAX, scratch)?;
            let (value, rest) = section.split_at(found.size);
            *section = rest;
            out.plain(value, found.values)
        }
        Leaf::Scaled(mantissas, power) => out.leaf(CellValue::Float(mantissas.next()? as f64 / *power)),
        Leaf::Float64(section) => out.leaf(CellValue::Float(f64::from_le_bytes(element(section)?))),
        Leaf::Float32(section) => out.leaf(CellValue::Float32(f32::from_le_bytes(element(section)?))),
        Leaf::Unsigned(values) => out.leaf(CellValue::Large(values.next()? as u64)),
        Leaf::Time(values, unit) => out.leaf(CellValue::Time(unit.timestamp(values.next()?)?)),
        Leaf::Str(sizes, section) => {
            let size = sizes.next_index()?;
            let (text, rest) = section.split_at_checked(size).ok_or(Malformed)?;
            *section = rest;
            out.leaf(CellValue::Str(text))
        }
        Leaf::Bin(sizes, section) => out.leaf(CellValue::Bin(sized(sizes, section)?)),
        Leaf::Ext(sizes, kind, section) => out.leaf(CellValue::Ext(*kind, sized(sizes, section)?)),
        Leaf::Dict(indexes, entries) => entries.pass(indexes.next_index()?, out, scratch),
    }
}

#[inline(always)]
fn sized<'a>(sizes: &mut Integers<'_>, section: &mut &'a [u8]) -> OrMalformed<&'a [u8]> {
    let size = sizes.next_index()?;
    let (bytes, rest) = section.split_at_checked(size).ok_or(Malformed)?;
    *section = rest;
    Ok(bytes)
}
