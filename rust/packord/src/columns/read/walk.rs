//! Going through the values of a payload in the order in which they are written plainly, within the
//! budget (`spec/columns.md` section 4).

use super::column::{Column, Leaf, Values, element, open, scaled, terminated};
use super::directory::{Directory, StructLayout};
use super::header::PayloadHeader;
use super::integers::Integers;
#[cfg(feature = "container")]
use super::integers::integers_of;
use super::plain::{extent, opens};
use super::{Malformed, OrMalformed, need};
#[cfg(feature = "container")]
use crate::columns::kind as k;
use crate::ext::Timestamp;
use alloc::vec::Vec;
use core::ops::Range;

/// Receives values in their order. Containers come before what is in them, and say how much that is.
pub(crate) trait Rows<'a> {
    /// An entry of a dictionary.
    type Entry;

    /// Prepares for the rows of these structs.
    fn layouts(&mut self, layouts: &[StructLayout<'a>]);
    /// Comes before each value of the column that is walked through.
    fn begin(&mut self) {}
    fn int(&mut self, value: i64);
    fn uint(&mut self, value: u64);
    fn f64(&mut self, bits: u64);
    fn f32(&mut self, bits: u32);
    fn timestamp(&mut self, at: Timestamp);
    fn str(&mut self, text: &'a str);
    fn bin(&mut self, bytes: &'a [u8]);
    /// A timestamp in any of its formats, or another ext. Fails where it cannot be kept.
    fn ext(&mut self, kind: i8, payload: &'a [u8]) -> OrMalformed<()>;
    /// The value of MessagePack at the start of a section, which is not a container. Returns its size.
    fn scalar(&mut self, section: &'a [u8]) -> OrMalformed<usize>;
    /// A value of MessagePack, which is valid: its bytes, and how many values that is.
    fn plain(&mut self, bytes: &'a [u8], values: u64) -> OrMalformed<()>;
    fn array(&mut self, count: usize);
    fn map(&mut self, count: usize);
    /// A map with the keys of a shape of a layout; before each value comes its key.
    fn row(&mut self, layout: usize, shape: usize, count: usize);
    fn key(&mut self, layout: usize, key: usize);
    fn entry(&mut self, entry: &Self::Entry);
    /// Takes the value since the last entry, or since the beginning, as an entry.
    fn take_entry(&mut self) -> OrMalformed<Self::Entry>;
}

/// What may still be made.
#[derive(Clone, Copy)]
struct Budget {
    bytes: u64,
    /// The values that were announced are taken off.
    values: u64,
}

impl Budget {
    #[inline(always)]
    fn take(&mut self, bytes: usize) -> OrMalformed<()> {
        self.bytes = self.bytes.checked_sub(bytes as u64).ok_or(Malformed)?;
        Ok(())
    }

    /// Takes the header of a container of `values` values, each of which takes a byte at least.
    #[inline(always)]
    fn announce(&mut self, values: usize) -> OrMalformed<()> {
        self.take(1)?;
        need(values as u64 <= self.bytes)?;
        self.more(values as u64)
    }

    /// Takes the header and the keys of a row.
    #[inline(always)]
    fn row(&mut self, bytes: usize, keys: usize) -> OrMalformed<()> {
        self.take(bytes)?;
        need(keys as u64 <= self.bytes)?;
        self.more(2 * keys as u64)
    }

    /// Takes values whose bytes are taken elsewhere.
    #[inline(always)]
    fn more(&mut self, values: u64) -> OrMalformed<()> {
        self.values = self.values.checked_sub(values).ok_or(Malformed)?;
        Ok(())
    }
}

/// A container that is not complete.
enum OpenRow {
    /// The column of the elements, and how many are left.
    List(u32, usize),
    /// Where the columns of the elements are in the links.
    Tuple(Range<u32>),
    /// Layout, columns, and the keys that are left.
    Struct(u32, u32, Range<u32>),
    /// Layout, columns, shape, and the fields of it that are left.
    Shaped(u32, u32, u32, Range<u32>),
    /// Columns of keys and values, entries left, and whether a key is next.
    Map(u32, u32, usize, bool),
}

struct DictEntry<E> {
    value: E,
    bytes: u64,
    /// Number of values but the entry itself.
    inner: u64,
}

/// What has been made, and what may still be.
struct Progress<E> {
    budget: Budget,
    /// Number of open containers, and the maximum of it.
    open: usize,
    max_depth: usize,
    /// The most containers that were open in the entries since the last dictionary began.
    deepest: usize,
    /// The entries of all dictionaries, and the depth of those of each column by its index.
    entries: Vec<DictEntry<E>>,
    depths: Vec<usize>,
    scratch: Vec<u64>,
}

/// A walk through one payload.
pub(crate) struct Walk<'d, 'a, E> {
    directory: &'d Directory<'a>,
    columns: Vec<Column<'a>>,
    rows: Vec<OpenRow>,
    progress: Progress<E>,
    /// What the keys of a row take, with its header: for each layout and shape.
    sizes: Vec<Vec<usize>>,
}

impl<'a, E> Walk<'_, 'a, E> {
    /// Walks through a payload. After a fault the values that were received are of no use.
    pub fn run<R: Rows<'a, Entry = E>>(
        payload: &'a [u8],
        header: &PayloadHeader,
        out: &mut R,
    ) -> OrMalformed<()> {
        let directory = Directory::read(payload, header)?;
        let all = 0..directory.nodes.len();
        let left = Walk::column(&directory, header, all, false, out)?;
        need(left == 0)
    }

    /// Walks through the elements of an array, which is what a payload stands for. Returns `false` if it stands for
    /// something else, or the array is not stored as elements by themselves.
    #[cfg(feature = "container")]
    pub fn run_elements<R: Rows<'a, Entry = E>>(
        payload: &'a [u8],
        header: &PayloadHeader,
        out: &mut R,
    ) -> OrMalformed<bool> {
        let directory = Directory::read(payload, header)?;
        let root = &directory.nodes[0];
        if root.kind != k::LIST {
            return Ok(false);
        }
        let [sizes, elements] = [0, 1].map(|index| directory.child(root, index));
        let size = integers_of(&directory.nodes[sizes as usize])?;
        let count = directory.nodes[elements as usize].n;
        need(usize::try_from(size[0]).is_ok_and(|size| size == count))?;
        let range = directory.subtree(elements);
        let left = Walk::column(&directory, header, range, true, out)?;
        need(left == 0)?;
        Ok(true)
    }
}

/// Walks through the values of one column, and of those in it.
pub(crate) fn walk_column<'a, R: Rows<'a>>(
    directory: &Directory<'a>,
    header: &PayloadHeader,
    node: u32,
    out: &mut R,
) -> OrMalformed<()> {
    Walk::column(directory, header, directory.subtree(node), false, out).map(|_| ())
}

impl<'d, 'a, E> Walk<'d, 'a, E> {
    /// Walks through the values of the first column of a range, which has all others: with `is_array`, the
    /// elements of the array that the payload stands for. Returns how many of the announced values are left.
    fn column<R: Rows<'a, Entry = E>>(
        directory: &'d Directory<'a>,
        header: &PayloadHeader,
        range: Range<usize>,
        is_array: bool,
        out: &mut R,
    ) -> OrMalformed<u64> {
        let columns = open(directory, range.clone())?;
        out.layouts(&directory.layouts);
        let sizes = directory.layouts.iter().map(sizes_of).collect();
        let mut walk = Walk {
            columns,
            rows: Vec::new(),
            progress: Progress {
                budget: Budget {
                    bytes: header.plain_size,
                    values: header.values,
                },
                open: 0,
                max_depth: usize::try_from(header.depth).unwrap_or(usize::MAX),
                deepest: 0,
                entries: Vec::new(),
                depths: Vec::new(),
                scratch: Vec::new(),
            },
            sizes,
            directory,
        };
        walk.dictionaries(header, range.clone(), out)?;
        let n = directory.nodes[range.start].n;
        if is_array {
            walk.progress.budget.more(1)?;
            walk.progress.budget.announce(n)?;
            walk.progress.open(1)?;
        } else {
            walk.progress.budget.more(n as u64)?;
        }
        for _ in 0..n {
            out.begin();
            walk.value(range.start as u32, out)?;
        }
        let mut columns = walk.columns[range].iter();
        need(columns.all(|column| column.left == 0 && column.values.is_used_up()))?;
        Ok(walk.progress.budget.values)
    }

    /// Makes the entries of all dictionaries, those of inner ones first.
    fn dictionaries<R: Rows<'a, Entry = E>>(
        &mut self,
        header: &PayloadHeader,
        range: Range<usize>,
        out: &mut R,
    ) -> OrMalformed<()> {
        let whole = self.progress.budget;
        let mut left = header.plain_size;
        self.progress.depths.resize(self.columns.len(), 0);
        for index in range.rev() {
            if !matches!(self.columns[index].values, Values::Leaf(Leaf::Dict(..))) {
                continue;
            }
            let column = self.directory.child(&self.directory.nodes[index], 1);
            let first = self.progress.entries.len();
            self.progress.deepest = 0;
            for _ in 0..self.directory.nodes[column as usize].n {
                self.progress.budget = Budget {
                    bytes: left,
                    values: left,
                };
                self.value(column, out)?;
                let Budget { bytes, values } = self.progress.budget;
                let value = out.take_entry()?;
                self.progress.entries.push(DictEntry {
                    value,
                    bytes: left - bytes,
                    inner: left - values,
                });
                left = bytes;
            }
            self.progress.depths[index] = self.progress.deepest;
            if let Values::Leaf(Leaf::Dict(_, entries)) = &mut self.columns[index].values {
                *entries = first..self.progress.entries.len();
            }
        }
        self.progress.budget = whole;
        Ok(())
    }

    /// Passes on the next value of a column.
    fn value<R: Rows<'a, Entry = E>>(&mut self, column: u32, out: &mut R) -> OrMalformed<()> {
        let mut column = column;
        loop {
            let next = &mut self.columns[column as usize];
            next.left = next.left.checked_sub(1).ok_or(Malformed)?;
            let is_flat = next.is_flat;
            match &mut next.values {
                Values::Leaf(leaf) => self.progress.leaf(leaf, column, out)?,
                Values::Union(tags, links) => {
                    column = self.directory.links[branch(tags, links)?];
                    continue;
                }
                Values::List(sizes, child) => {
                    let (size, child) = (sizes.next_index()?, *child);
                    need(size <= self.columns[child as usize].left)?;
                    self.progress.budget.announce(size)?;
                    self.progress.open(1)?;
                    out.array(size);
                    if is_flat {
                        self.flat(size, out, |_, _| child)?;
                    } else {
                        self.rows.push(OpenRow::List(child, size));
                    }
                }
                Values::Tuple(links) => {
                    let links = links.clone();
                    self.progress.budget.announce(links.len())?;
                    self.progress.open(1)?;
                    out.array(links.len());
                    if is_flat {
                        let first = links.start as usize;
                        self.flat(links.len(), out, |walk, at| {
                            walk.directory.links[first + at]
                        })?;
                    } else {
                        self.rows.push(OpenRow::Tuple(links));
                    }
                }
                Values::Struct(layout, links) => {
                    let (layout, first, count) = (*layout, links.start, links.len());
                    let size = self.sizes[layout as usize][0];
                    self.progress.budget.row(size, count)?;
                    self.progress.open(1)?;
                    out.row(layout as usize, 0, count);
                    if is_flat {
                        self.flat_row(layout, 0..count, first, None, out)?;
                    } else {
                        let keys = 0..count as u32;
                        self.rows.push(OpenRow::Struct(layout, first, keys));
                    }
                }
                Values::Shaped(shapes, layout, first) => {
                    let (shape, layout, first) = (shapes.next_index()?, *layout, *first);
                    let keys = self.directory.layouts[layout as usize].shapes.get(shape);
                    let count = keys.ok_or(Malformed)?.len();
                    let size = self.sizes[layout as usize][shape];
                    self.progress.budget.row(size, count)?;
                    self.progress.open(1)?;
                    out.row(layout as usize, shape, count);
                    if is_flat {
                        self.flat_row(layout, 0..count, first, Some(shape), out)?;
                    } else {
                        let fields = 0..count as u32;
                        let row = OpenRow::Shaped(layout, first, shape as u32, fields);
                        self.rows.push(row);
                    }
                }
                Values::Map(sizes, keys, values) => {
                    let (size, keys, values) = (sizes.next_index()?, *keys, *values);
                    need(size <= self.columns[keys as usize].left)?;
                    self.progress.budget.announce(size.saturating_mul(2))?;
                    self.progress.open(1)?;
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

    /// Passes on the values of a container, none of which has rows of other columns, and closes it.
    #[inline(always)]
    fn flat<R: Rows<'a, Entry = E>>(
        &mut self,
        count: usize,
        out: &mut R,
        column: impl Fn(&mut Self, usize) -> u32,
    ) -> OrMalformed<()> {
        for at in 0..count {
            let column = column(self, at);
            self.leaf(column, out)?;
        }
        self.progress.open -= 1;
        Ok(())
    }

    /// The same for a row of a struct.
    #[inline(always)]
    fn flat_row<R: Rows<'a, Entry = E>>(
        &mut self,
        layout: u32,
        fields: Range<usize>,
        first: u32,
        shape: Option<usize>,
        out: &mut R,
    ) -> OrMalformed<()> {
        for field in fields {
            let key = match shape {
                Some(shape) => {
                    self.directory.layouts[layout as usize].shapes[shape][field] as usize
                }
                None => field,
            };
            out.key(layout as usize, key);
            self.leaf(self.directory.links[first as usize + key], out)?;
        }
        self.progress.open -= 1;
        Ok(())
    }

    /// Passes on the next value of a column that is a leaf, or a UNION of leaves.
    #[inline(always)]
    fn leaf<R: Rows<'a, Entry = E>>(&mut self, column: u32, out: &mut R) -> OrMalformed<()> {
        let mut column = column;
        loop {
            let next = &mut self.columns[column as usize];
            next.left = next.left.checked_sub(1).ok_or(Malformed)?;
            match &mut next.values {
                Values::Leaf(leaf) => return self.progress.leaf(leaf, column, out),
                Values::Union(tags, links) => {
                    column = self.directory.links[branch(tags, links)?];
                }
                _ => return Err(Malformed),
            }
        }
    }

    /// Returns the column of the value that follows, if there is one.
    #[inline(always)]
    fn next<R: Rows<'a, Entry = E>>(&mut self, out: &mut R) -> Option<u32> {
        let directory = &self.directory;
        loop {
            match self.rows.last_mut()? {
                OpenRow::Struct(layout, first, keys) => {
                    if let Some(key) = keys.next() {
                        out.key(*layout as usize, key as usize);
                        return Some(directory.links[(*first + key) as usize]);
                    }
                }
                OpenRow::List(child, left) => {
                    if *left > 0 {
                        *left -= 1;
                        return Some(*child);
                    }
                }
                OpenRow::Tuple(links) => {
                    if let Some(link) = links.next() {
                        return Some(directory.links[link as usize]);
                    }
                }
                OpenRow::Shaped(layout, first, shape, fields) => {
                    if let Some(field) = fields.next() {
                        let layout = *layout as usize;
                        let shape = &directory.layouts[layout].shapes[*shape as usize];
                        let key = shape[field as usize];
                        out.key(layout, key as usize);
                        return Some(directory.links[(*first + key) as usize]);
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
            self.progress.open -= 1;
        }
    }
}

/// Returns where the column of the next value of a UNION is in the links.
#[inline(always)]
fn branch(tags: &mut Integers<'_>, links: &Range<u32>) -> OrMalformed<usize> {
    let tag = tags.next_index()?;
    need(tag < links.len())?;
    Ok(links.start as usize + tag)
}

impl<E> Progress<E> {
    /// Checks the depth of a value with `levels` of containers.
    #[inline(always)]
    fn check_depth(&mut self, levels: usize) -> OrMalformed<()> {
        let depth = self.open + levels;
        self.deepest = self.deepest.max(depth);
        need(depth <= self.max_depth)
    }

    /// Opens a container.
    #[inline(always)]
    fn open(&mut self, levels: usize) -> OrMalformed<()> {
        self.check_depth(levels)?;
        self.open += levels;
        Ok(())
    }

    /// Passes on the next value of a column that has no rows of others. It is large, and in several loops.
    #[inline(never)]
    fn leaf<'a, R: Rows<'a, Entry = E>>(
        &mut self,
        leaf: &mut Leaf<'a>,
        column: u32,
        out: &mut R,
    ) -> OrMalformed<()> {
        match leaf {
            Leaf::Int(values) => {
                self.budget.take(1)?;
                out.int(values.next()?);
            }
            Leaf::Terminated(section) => {
                let text = terminated(section)?;
                self.budget.take(1 + text.len())?;
                out.str(text);
            }
            Leaf::Plain(section) if !opens(section) => {
                let size = out.scalar(section)?;
                self.budget.take(size)?;
                *section = section.get(size..).ok_or(Malformed)?;
            }
            Leaf::Plain(section) => {
                let found = extent(section, &mut self.scratch)?;
                let (value, rest) = section.split_at(found.size);
                *section = rest;
                self.budget.take(found.size)?;
                self.budget.more(found.values - 1)?;
                self.check_depth(found.depth)?;
                out.plain(value, found.values)?;
            }
            Leaf::Scaled(mantissas, power) => {
                self.budget.take(9)?;
                out.f64(scaled(mantissas.next()?, *power)?.to_bits());
            }
            Leaf::Residual(mantissas, residuals, power) => {
                self.budget.take(9)?;
                let near = scaled(mantissas.next()?, *power)?.to_bits();
                out.f64(near.wrapping_add_signed(residuals.next()?));
            }
            Leaf::Float64(section) => {
                self.budget.take(9)?;
                out.f64(u64::from_le_bytes(element(section)?));
            }
            Leaf::Float32(section) => {
                self.budget.take(5)?;
                out.f32(u32::from_le_bytes(element(section)?));
            }
            Leaf::Unsigned(values) => {
                self.budget.take(1)?;
                out.uint(values.next()? as u64);
            }
            Leaf::Time(values, unit) => {
                self.budget.take(5)?;
                out.timestamp(unit.timestamp(values.next()?)?);
            }
            Leaf::Str(sizes, section) => {
                let size = sizes.next_index()?;
                let (text, rest) = section.split_at_checked(size).ok_or(Malformed)?;
                *section = rest;
                self.budget.take(1 + size)?;
                out.str(text);
            }
            Leaf::Bin(sizes, section) => {
                let size = sizes.next_index()?;
                let (bytes, rest) = section.split_at_checked(size).ok_or(Malformed)?;
                *section = rest;
                self.budget.take(2 + size)?;
                out.bin(bytes);
            }
            Leaf::Ext(sizes, kind, section) => {
                let size = sizes.next_index()?;
                let (bytes, rest) = section.split_at_checked(size).ok_or(Malformed)?;
                *section = rest;
                self.budget.take(2 + size)?;
                let is_timestamp = *kind == Timestamp::EXT_TYPE;
                need(!is_timestamp || Timestamp::from_payload(bytes).is_some())?;
                out.ext(*kind, bytes)?;
            }
            Leaf::Dict(indexes, range) => {
                let index = indexes.next_index()?;
                need(index < range.len())?;
                let entry = &self.entries[range.start + index];
                let bytes = &mut self.budget.bytes;
                *bytes = bytes.checked_sub(entry.bytes).ok_or(Malformed)?;
                self.budget.more(entry.inner)?;
                out.entry(&entry.value);
                self.check_depth(self.depths[column as usize])?;
            }
        }
        Ok(())
    }
}

/// Returns what a row of each shape takes but for its values.
fn sizes_of(layout: &StructLayout<'_>) -> Vec<usize> {
    let key = |key: &&str| 1 + key.len();
    if layout.shapes.is_empty() {
        return [1 + layout.keys.iter().map(key).sum::<usize>()].into();
    }
    let shapes = layout.shapes.iter();
    shapes
        .map(|shape| {
            1 + shape
                .iter()
                .map(|&index| key(&layout.keys[index as usize]))
                .sum::<usize>()
        })
        .collect()
}
