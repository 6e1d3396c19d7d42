//! The directory of a payload: its nodes, and where the section of each is (`spec/columns.md`
//! sections 1 and 2).

use super::header::{DirectoryText, Int, PayloadHeader};
use super::{Malformed, OrMalformed, need};
use crate::columns::kind as k;
use alloc::vec::Vec;
use core::ops::Range;

/// Maximum number of nodes around each other, the root included.
const MAX_NESTED: u32 = 128;
/// Sizes of the elements of INT, which are also their zones; `none` and `bit` are in zone 1.
const ELEMENTS: [u8; 10] = [1, 1, 1, 2, 4, 8, 1, 2, 4, 8];
/// The zones in their order, by the size of the elements.
const ZONES: [u8; 4] = [8, 4, 2, 1];

/// An entry of the directory.
#[derive(Debug, Default)]
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
    zone: u8,
    size: usize,
    /// Where its children are in [`Directory::links`].
    pub links: Range<usize>,
    /// Index of the keys and shapes of a STRUCT.
    pub layout: usize,
}

/// The keys and shapes of a STRUCT.
#[derive(Debug, Default)]
pub(crate) struct StructLayout<'a> {
    pub keys: Vec<&'a str>,
    /// The indexes of keys in each shape; empty if there is one shape, which has all keys.
    pub shapes: Vec<Vec<u32>>,
}

/// The nodes of a payload in their order: children are after their parents.
#[derive(Debug, Default)]
pub(crate) struct Directory<'a> {
    pub nodes: Vec<ColumnNode<'a>>,
    /// Indexes of children.
    pub links: Vec<u32>,
    pub layouts: Vec<StructLayout<'a>>,
}

/// A node that is still to be read.
struct Expected {
    n: usize,
    nested: u32,
    link: usize,
    /// Whether it belongs to the rows of its parent: it is an INT, and not unsigned.
    is_part: bool,
}

impl<'a> Directory<'a> {
    /// Reads the directory of a payload.
    pub fn read(payload: &'a [u8], header: &PayloadHeader) -> OrMalformed<Directory<'a>> {
        need(header.values > 0 && header.values <= header.plain_size && header.align < 8)?;
        let body = payload.get(header.begin..).ok_or(Malformed)?;
        let size = usize::try_from(header.directory).map_err(|_| Malformed)?;
        let (entries, rest) = body.split_at_checked(size).ok_or(Malformed)?;
        let (padding, sections) = rest
            .split_at_checked(header.align as usize)
            .ok_or(Malformed)?;
        need(is_zero(padding))?;

        let mut found = Directory::default();
        found.links.push(0);
        let mut reader = DirectoryReader {
            entries: DirectoryText { rest: entries },
            counts: header.plain_size.saturating_mul(8).saturating_add(64),
            expected: Vec::new(),
        };
        reader.expected.push(Expected {
            n: 1,
            nested: 1,
            link: 0,
            is_part: false,
        });
        while let Some(expected) = reader.expected.pop() {
            reader.node(&mut found, &expected)?;
        }
        need(reader.entries.rest.is_empty())?;
        found.place(sections)?;
        Ok(found)
    }

    /// Finds the section of each node.
    fn place(&mut self, sections: &'a [u8]) -> OrMalformed<()> {
        let mut rest = sections;
        for zone in ZONES {
            for node in self.nodes.iter_mut().filter(|node| node.zone == zone) {
                let (section, after) = rest.split_at_checked(node.size).ok_or(Malformed)?;
                (node.section, rest) = (section, after);
            }
        }
        need(is_zero(rest))
    }

    /// Returns the child of a node.
    pub fn child(&self, node: &ColumnNode<'_>, index: usize) -> u32 {
        self.links[node.links.start + index]
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
}

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte == 0)
}

struct DirectoryReader<'a> {
    entries: DirectoryText<'a>,
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
            zone: 1,
            ..ColumnNode::default()
        };
        need(match node.kind {
            k::FLOAT => matches!(node.mode, 0 | k::FLOAT32),
            k::BYTES => matches!(node.mode, k::STR | k::BIN | k::EXT | k::TERMINATED),
            kind => kind <= k::UNION && node.mode == 0,
        })?;
        need(!expected.is_part || node.kind == k::INT)?;

        let mut parts = 0;
        let mut children = Vec::new();
        match node.kind {
            k::PLAIN => {
                node.size = self.size()?;
                need(n > 0 || node.size == 0)?;
            }
            k::INT => self.integers(&mut node, expected.is_part)?,
            k::FLOAT => {
                node.zone = if node.mode == k::FLOAT32 { 4 } else { 8 };
                node.size = n.checked_mul(usize::from(node.zone)).ok_or(Malformed)?;
            }
            k::SCALED => {
                node.form = self.entries.byte()?;
                need(node.form & 0x7f < 16)?;
                parts = 1 + usize::from(node.form >> 7);
            }
            k::TIME => {
                node.form = self.entries.byte()?;
                need(matches!(node.form, 0 | 3 | 6 | 9))?;
                parts = 1;
            }
            k::BYTES => {
                if node.mode == k::EXT {
                    node.form = self.entries.byte()?;
                }
                node.size = self.size()?;
                parts = usize::from(node.mode != k::TERMINATED);
            }
            k::DICT => {
                let entries = self.size()?;
                need(entries <= n)?;
                parts = 1;
                children.push(entries);
            }
            k::LIST | k::MAP => {
                let items = self.size()?;
                parts = 1;
                children.resize(if node.kind == k::LIST { 1 } else { 2 }, items);
            }
            k::TUPLE => {
                let length = self.entries.uint()?;
                need((1..=255).contains(&length))?;
                children.resize(length as usize, n);
            }
            k::STRUCT => {
                node.layout = found.layouts.len();
                let layout = self.layout(n, &mut children)?;
                parts = usize::from(!layout.shapes.is_empty());
                found.layouts.push(layout);
            }
            _ => {
                parts = 1;
                self.branches(n, &mut children)?;
            }
        }

        let count = parts + children.len();
        // Each takes a byte at least.
        need(self.expected.len() + count <= self.entries.rest.len())?;
        let first = found.links.len();
        node.links = first..first + count;
        found.links.resize(first + count, 0);
        let counts = core::iter::repeat_n(n, parts).chain(children);
        let after = self.expected.len();
        self.expected
            .extend(counts.enumerate().map(|(index, n)| Expected {
                n,
                nested: expected.nested + 1,
                link: first + index,
                is_part: index < parts,
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

    fn integers(&mut self, node: &mut ColumnNode<'a>, is_part: bool) -> OrMalformed<()> {
        let form = self.entries.byte()?;
        let element = form & 15;
        let (delta, unsigned) = (form & k::DELTA != 0, form & k::UNSIGNED != 0);
        let zone = *ELEMENTS.get(usize::from(element)).ok_or(Malformed)?;
        need(form < 0x80 && !(delta && (node.n == 0 || element == k::BIT)))?;
        need(!(is_part && unsigned))?;
        node.form = form;
        node.zone = zone;
        if form & k::BASE != 0 {
            node.base = in_range(self.entries.int()?, unsigned && !delta)?;
        }
        if delta {
            node.first = in_range(self.entries.int()?, unsigned)?;
        }
        node.size = match element {
            k::NONE => 0,
            k::BIT => node.n.div_ceil(8),
            _ => (node.n - usize::from(delta))
                .checked_mul(usize::from(zone))
                .ok_or(Malformed)?,
        };
        Ok(())
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
fn in_range(int: Int, unsigned: bool) -> OrMalformed<i64> {
    let is_in = if unsigned {
        !int.negative
    } else {
        int.negative || int.bits < 1 << 63
    };
    need(is_in)?;
    Ok(int.bits as i64)
}
