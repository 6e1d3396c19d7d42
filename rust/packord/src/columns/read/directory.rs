//! The directory of a payload: its nodes, and where the section of each is (`spec/columns.md`
//! sections 1 and 2).

use super::PayloadHeader;
use super::header::DirectoryText;
use super::{Malformed, OrMalformed, need};
use crate::columns::kind as k;
use alloc::vec::Vec;
use core::ops::Range;

/// Maximum number of nodes around each other, the root included.
const MAX_NESTED: u32 = 128;
#[derive(Clone, Debug, Default)]
pub(crate) struct ColumnNode<'a> {
    pub kind: u8,
    pub mode: u8,
    /// The form of INT, k of SCALED, the unit of TIME, the type of an ext.
    pub form: u8,
    /// Number of values.
    pub n: usize,
    /// `base` and `first` of INT, as 64 bits.
    pub base: i64,
    pub first: i64,
    pub section: &'a [u8],
    /// Index of the section in the payload.
    pub at: usize,
    /// Whether the first child has integers of the node's own rows: sizes, tags, indexes and the like.
    pub has_part: bool,
    /// Where its children are in [`Directory::links`].
    pub(super) links: Range<usize>,
    /// Index of the keys and shapes of a STRUCT.
    pub layout: usize,
}

impl ColumnNode<'_> {
    /// Returns the elements of the section, which all have as many bytes.
    pub fn elements<const N: usize, T>(&self, read: impl Fn([u8; N]) -> T) -> impl ExactSizeIterator<Item = T> {
        let elements = self.section.chunks_exact(N);
        elements.map(move |element| read(element.first_chunk().copied().unwrap_or([0; N])))
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct StructLayout<'a> {
    pub keys: Vec<&'a str>,
    /// The indexes of keys in each shape. If there is one, it has all keys.
    pub shapes: Vec<Vec<u32>>,
}

impl StructLayout<'_> {
    /// Returns which rows have a key. `rows`: the shape of each.
    pub fn rows_with_key(&self, rows: &[i64], key: u32) -> OrMalformed<Vec<bool>> {
        let has: Vec<bool> = self.shapes.iter().map(|shape| shape.contains(&key)).collect();
        let has_key = |&shape: &i64| {
            let shape = usize::try_from(shape).map_err(|_| Malformed)?;
            has.get(shape).copied().ok_or(Malformed)
        };
        rows.iter().map(has_key).collect()
    }
}

/// The nodes of a payload in their order: children are after their parents.
#[derive(Debug, Default)]
pub(crate) struct Directory<'a> {
    pub nodes: Vec<ColumnNode<'a>>,
    /// Indexes of children.
    pub(super) links: Vec<u32>,
    pub layouts: Vec<StructLayout<'a>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum NodeRole {
    /// Integers of the parent's own rows.
    Part,
    /// The entries of a DICT.
    Entries,
    Column,
}

/// A node that is still to be read.
struct Expected {
    n: usize,
    nested: u32,
    link: usize,
    role: NodeRole,
}

impl<'a> Directory<'a> {
    /// Reads the directory of a payload.
    pub fn read(payload: &'a [u8], header: &PayloadHeader) -> OrMalformed<Directory<'a>> {
        need(header.values > 0 && header.values <= header.plain_size)?;
        let body = payload.get(header.begin..).ok_or(Malformed)?;
        let size = usize::try_from(header.directory).map_err(|_| Malformed)?;
        let (entries, sections) = body.split_at_checked(size).ok_or(Malformed)?;

        let mut found = Directory::default();
        found.links.push(0);
        let mut reader = DirectoryReader {
            entries: DirectoryText { rest: entries },
            sections,
            end: payload.len(),
            counts: header.plain_size.saturating_mul(8).saturating_add(64),
            expected: Vec::new(),
        };
        reader.expected.push(Expected {
            n: 1,
            nested: 1,
            link: 0,
            role: NodeRole::Column,
        });
        while let Some(expected) = reader.expected.pop() {
            reader.node(&mut found, &expected)?;
        }
        need(reader.entries.rest.is_empty() && reader.sections.iter().all(|&byte| byte == 0))?;
        Ok(found)
    }

    /// Returns the node with an index.
    pub fn node(&self, index: u32) -> &ColumnNode<'a> {
        &self.nodes[index as usize]
    }

    /// Returns the integers of a node's own rows.
    pub fn part(&self, node: &ColumnNode<'_>) -> &ColumnNode<'a> {
        self.node(self.links[node.links.start])
    }

    /// Returns the indexes of the children but for the integers of the node's own rows.
    pub fn columns(&self, node: &ColumnNode<'_>) -> &[u32] {
        &self.links[self.places(node)]
    }

    /// Returns where these indexes are in the links.
    pub fn places(&self, node: &ColumnNode<'_>) -> Range<usize> {
        node.links.start + usize::from(node.has_part)..node.links.end
    }

    /// Returns the indexes of a node and of all nodes in it.
    pub fn subtree(&self, index: u32) -> Range<usize> {
        let (first, mut end, mut left) = (index as usize, index as usize, 1);
        while left > 0 {
            left += self.nodes[end].links.len();
            left -= 1;
            end += 1;
        }
        first..end
    }

    /// Returns the directory with those of the keys of a STRUCT for which `is_wanted` holds. Nodes of other kinds keep
    /// what they have.
    #[cfg(feature = "container")]
    pub fn with_keys(&self, index: u32, is_wanted: impl Fn(&str) -> bool) -> Directory<'a> {
        let mut is_kept = alloc::vec![true; self.nodes.len()];
        let mut layouts = self.layouts.clone();
        let node = &self.nodes[index as usize];
        if node.kind == k::STRUCT {
            let layout = &mut layouts[node.layout];
            let wanted: Vec<bool> = layout.keys.iter().map(|key| is_wanted(key)).collect();
            for (&column, &is) in self.columns(node).iter().zip(&wanted) {
                is_kept[self.subtree(column)].fill(is);
            }
            let numbers = numbers_of(&wanted);
            layout.keys = kept(&layout.keys, &wanted).copied().collect();
            for shape in &mut layout.shapes {
                let keys = shape.iter().filter_map(|&key| numbers[key as usize]);
                *shape = keys.collect();
            }
        }
        let numbers = numbers_of(&is_kept);
        let mut links = Vec::new();
        let nodes = kept(&self.nodes, &is_kept).map(|node| {
            let begin = links.len();
            let children = self.links[node.links.clone()].iter();
            links.extend(children.filter_map(|&child| numbers[child as usize]));
            ColumnNode {
                links: begin..links.len(),
                ..node.clone()
            }
        });
        let nodes = nodes.collect();
        Directory { nodes, links, layouts }
    }
}

/// Returns the number of each thing that is kept, among those.
#[cfg(feature = "container")]
fn numbers_of(is_kept: &[bool]) -> Vec<Option<u32>> {
    let mut count = 0;
    let number = |&is: &bool| {
        count += u32::from(is);
        is.then(|| count - 1)
    };
    is_kept.iter().map(number).collect()
}

#[cfg(feature = "container")]
fn kept<'t, T>(things: &'t [T], is_kept: &'t [bool]) -> impl Iterator<Item = &'t T> {
    let things = things.iter().zip(is_kept);
    things.filter(|&(_, &is)| is).map(|(thing, _)| thing)
}

struct DirectoryReader<'a> {
    entries: DirectoryText<'a>,
    /// The sections of the nodes that follow, and where they end in the payload.
    sections: &'a [u8],
    end: usize,
    /// What the numbers of values of all nodes may still add.
    counts: u64,
    /// The nodes that follow, the next one last.
    expected: Vec<Expected>,
}

impl<'a> DirectoryReader<'a> {
    /// Reads an entry without its children, which are expected then.
    fn node(&mut self, found: &mut Directory<'a>, expected: &Expected) -> OrMalformed<()> {
        let n = expected.n;
        self.counts = self.counts.checked_sub(n as u64).ok_or(Malformed)?;
        need(expected.nested <= MAX_NESTED)?;
        let entry = self.entries.byte()?;
        let mut node = ColumnNode {
            kind: entry & 15,
            mode: entry >> 4,
            n,
            ..ColumnNode::default()
        };
        need(match node.kind {
            k::FLOAT => matches!(node.mode, 0 | k::FLOAT32),
            k::BYTES => matches!(node.mode, k::STR | k::BIN | k::EXT | k::TERMINATED),
            kind => kind <= k::UNION && node.mode == 0,
        })?;
        need(match expected.role {
            NodeRole::Part => node.kind == k::INT,
            NodeRole::Entries => node.kind < k::DICT,
            NodeRole::Column => true,
        })?;

        node.has_part = !matches!(node.kind, k::PLAIN | k::INT | k::FLOAT);
        let (mut size, mut children) = (0, Vec::new());
        match node.kind {
            k::PLAIN => {
                size = self.size()?;
                need(n > 0 || size == 0)?;
            }
            k::INT => size = self.integers(&mut node, expected.role)?,
            k::FLOAT => {
                let width = if node.mode == k::FLOAT32 { 4 } else { 8 };
                size = n.checked_mul(width).ok_or(Malformed)?;
            }
            k::SCALED => {
                node.form = self.entries.byte()?;
                need(node.form < 16)?;
            }
            k::TIME => {
                node.form = self.entries.byte()?;
                need(matches!(node.form, 0 | 3 | 6 | 9))?;
            }
            k::BYTES => {
                if node.mode == k::EXT {
                    node.form = self.entries.byte()?;
                }
                size = self.size()?;
                node.has_part = node.mode != k::TERMINATED;
            }
            k::DICT => {
                children.push(self.size()?);
                need(children[0] <= n)?;
            }
            k::LIST => children.push(self.size()?),
            k::MAP => children.resize(2, self.size()?),
            k::STRUCT => {
                node.layout = found.layouts.len();
                let layout = self.layout(n, &mut children)?;
                node.has_part = layout.shapes.len() > 1;
                found.layouts.push(layout);
            }
            _ => self.branches(n, &mut children)?,
        }
        node.at = self.end - self.sections.len();
        (node.section, self.sections) = self.sections.split_at_checked(size).ok_or(Malformed)?;

        let parts = usize::from(node.has_part);
        let count = parts + children.len();
        // Each takes a byte at least.
        need(self.expected.len() + count <= self.entries.rest.len())?;
        let first = found.links.len();
        node.links = first..first + count;
        found.links.resize(first + count, 0);
        let counts = core::iter::repeat_n(n, parts).chain(children);
        let after = self.expected.len();
        self.expected.extend(counts.enumerate().map(|(index, n)| Expected {
            n,
            nested: expected.nested + 1,
            link: first + index,
            role: match node.kind {
                _ if index < parts => NodeRole::Part,
                k::DICT => NodeRole::Entries,
                _ => NodeRole::Column,
            },
        }));
        self.expected[after..].reverse();
        found.links[expected.link] = found.nodes.len() as u32;
        found.nodes.push(node);
        Ok(())
    }

    /// Reads a size or a number of values. Those are compared with what there is when it is known.
    fn size(&mut self) -> OrMalformed<usize> {
        usize::try_from(self.entries.uint()?).map_err(|_| Malformed)
    }

    /// Reads the form of an INT, and returns the size of its section.
    fn integers(&mut self, node: &mut ColumnNode<'a>, role: NodeRole) -> OrMalformed<usize> {
        let form = self.entries.byte()?;
        let element = form & 15;
        let (delta, unsigned) = (form & k::DELTA != 0, form & k::UNSIGNED != 0);
        need(form < 0x80 && !(delta && (node.n == 0 || element == k::BIT)))?;
        need(role != NodeRole::Part || !unsigned)?;
        node.form = form;
        if form & k::BASE != 0 {
            node.base = in_range(self.entries.int()?, unsigned && !delta)?;
        }
        if delta {
            node.first = in_range(self.entries.int()?, unsigned)?;
        }
        let count = node.n - usize::from(delta);
        match element {
            k::NONE => Ok(0),
            k::BIT => Ok(node.n.div_ceil(8)),
            k::U8..=k::U64 => count.checked_mul(1 << (element - k::U8)).ok_or(Malformed),
            _ => Err(Malformed),
        }
    }

    /// Reads the keys and shapes of a STRUCT, and the number of values of each column.
    fn layout(&mut self, n: usize, columns: &mut Vec<usize>) -> OrMalformed<StructLayout<'a>> {
        let count = self.entries.count()?;
        let mut layout = StructLayout::default();
        for _ in 0..count {
            layout.keys.push(self.entries.str()?);
        }
        let mut sorted = layout.keys.clone();
        sorted.sort_unstable();
        need(sorted.windows(2).all(|pair| pair[0] != pair[1]))?;
        let shapes = self.entries.uint()?;
        need(shapes >= 1)?;
        if shapes == 1 {
            layout.shapes.push((0..count as u32).collect());
            columns.resize(count, n);
            return Ok(layout);
        }
        need(shapes <= self.entries.rest.len() as u64)?;
        // The shape in which each key was seen last.
        let mut seen = alloc::vec![0; count];
        for shape in 1..=shapes {
            let fields = self.entries.count()?;
            let mut keys = Vec::with_capacity(fields);
            for _ in 0..fields {
                let key = self.entries.uint()?;
                let last = seen.get_mut(key as usize).ok_or(Malformed)?;
                need(key < count as u64 && *last != shape)?;
                *last = shape;
                keys.push(key as u32);
            }
            layout.shapes.push(keys);
        }
        for _ in 0..count {
            let rows = self.size()?;
            need(rows <= n)?;
            columns.push(rows);
        }
        Ok(layout)
    }

    fn branches(&mut self, n: usize, counts: &mut Vec<usize>) -> OrMalformed<()> {
        let branches = self.entries.byte()?;
        need((2..=16).contains(&branches))?;
        let mut left = n;
        for _ in 0..branches {
            let count = self.size()?;
            left = left.checked_sub(count).ok_or(Malformed)?;
            counts.push(count);
        }
        need(left == 0)
    }
}

/// Returns the bits of an integer that is not negative, or below 2^63.
fn in_range(int: i128, unsigned: bool) -> OrMalformed<i64> {
    let bits = if unsigned {
        u64::try_from(int).map(|bits| bits as i64)
    } else {
        i64::try_from(int)
    };
    bits.map_err(|_| Malformed)
}
