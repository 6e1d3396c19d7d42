//! The columns of a payload: which kind each one is (`spec/columns.md`, "Writing").
//!
//! A column is a list of nodes, its rows. The rows of all open columns are in one list; a column's
//! children come after it. No function calls itself: columns that are still to be written are
//! tasks on a stack.

use super::dictionary::Dictionary;
use super::floats::FloatScratch;
use super::ints::{Purpose, put_all, write_ints};
use super::nodes::{NodeList, Wire};
use super::sections::{SectionMark, Sections};
use super::strings;
use super::structs::StructScratch;
use super::table::equal;
use crate::columns::kind as k;
use crate::wire::item::{Item, item};
use crate::wire::read;
use alloc::vec::Vec;
use core::ops::Range;

/// Containers that may be open around a column in the payload.
const MOST_CONTAINERS: u32 = 32;
/// The bytes from which a column is more than PLAIN.
const SMALLEST: usize = 24;
/// The rows from which scalars are more than PLAIN.
const FEWEST_SCALARS: usize = 4;
/// The rows from which several types are a UNION.
const FEWEST_ROWS: usize = 8;
/// The bytes by which a column is larger than PLAIN when it is dropped. A little larger, it compresses better.
const DROP: usize = 16;

#[derive(Debug)]
enum Task {
    Write {
        rows: Range<usize>,
        /// Containers that may still be opened.
        room: u32,
    },
    /// The node and its children are written.
    Close(OpenColumn),
}

/// A column whose node is being written.
#[derive(Debug)]
struct OpenColumn {
    rows: Range<usize>,
    size: usize,
    mark: SectionMark,
    /// The length of the list of rows before the children's.
    row_count: usize,
}

enum ColumnOutcome {
    /// Nothing: it is PLAIN.
    Nothing,
    /// All of it.
    Whole,
    /// All but its children, which are tasks.
    Parent,
}

/// Writes columns, one payload after another.
#[derive(Debug, Default)]
pub(super) struct ColumnBuilder<'p> {
    pub out: Sections,
    rows: Vec<u32>,
    tasks: Vec<Task>,
    numbers: Vec<i64>,
    floats: FloatScratch,
    dictionary: Dictionary<'p>,
    structs: StructScratch,
}

impl<'p> ColumnBuilder<'p> {
    /// Writes the column of one row, the root, to `out`.
    pub fn write(&mut self, nodes: &mut NodeList<'p>, root: u32) {
        self.out.clear();
        self.rows.clear();
        self.rows.push(root);
        self.tasks.clear();
        self.push(0..1, MOST_CONTAINERS);
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Write { rows, room } => self.column(nodes, rows, room),
                Task::Close(open) => self.close(nodes, open),
            }
        }
    }

    fn push(&mut self, rows: Range<usize>, room: u32) {
        self.tasks.push(Task::Write { rows, room });
    }

    fn column(&mut self, nodes: &mut NodeList<'p>, rows: Range<usize>, room: u32) {
        let list = &self.rows[rows.clone()];
        let mut types = 0_u32;
        let mut size = 0;
        for &row in list {
            types |= 1 << nodes.wire(row) as u32;
            size += nodes.size(row);
        }
        if size < SMALLEST || room == 0 {
            return self.out.plain(nodes, list, size);
        }
        let first = nodes.wire(list[0]);
        let bytes = nodes.bytes(list[0]);
        let is_constant = list.len() > 1
            && bytes.len() * list.len() == size
            && list.iter().all(|&row| equal(nodes.bytes(row), bytes));
        if is_constant {
            self.out.node(k::DICT, 0);
            self.out.uint(1);
            write_ints(&mut self.out, &[0], Purpose::Counts);
            return self.out.plain(nodes, &list[..1], bytes.len());
        }
        if first.is_scalar() && list.len() < FEWEST_SCALARS {
            return self.out.plain(nodes, list, size);
        }
        let open = OpenColumn {
            rows: rows.clone(),
            size,
            mark: self.out.mark(),
            row_count: self.rows.len(),
        };
        let tasks = self.tasks.len();
        let written = if types.is_power_of_two() {
            self.typed(nodes, rows, size, room)
        } else {
            self.union(nodes, rows, room)
        };
        match written {
            ColumnOutcome::Nothing => {
                self.rows.truncate(open.row_count);
                self.out.back(open.mark);
                let rows = &self.rows[open.rows];
                self.out.plain(nodes, rows, size);
            }
            ColumnOutcome::Whole => self.close(nodes, open),
            ColumnOutcome::Parent => {
                self.tasks.push(Task::Close(open));
                // The children were added in their order; the first task is the last on the stack.
                self.tasks[tasks..].reverse();
            }
        }
    }

    /// Ends a column: it becomes PLAIN if it is larger than that.
    fn close(&mut self, nodes: &NodeList<'p>, open: OpenColumn) {
        self.rows.truncate(open.row_count);
        let written = self.out.mark().total() - open.mark.total();
        if written >= open.size + DROP {
            self.out.back(open.mark);
            self.out.plain(nodes, &self.rows[open.rows], open.size);
        }
    }

    /// Writes values of several types: a branch for each.
    fn union(&mut self, nodes: &NodeList<'p>, rows: Range<usize>, room: u32) -> ColumnOutcome {
        if rows.len() < FEWEST_ROWS {
            return ColumnOutcome::Nothing;
        }
        let mut counts = [0_usize; Wire::ALL.len()];
        for &row in &self.rows[rows.clone()] {
            counts[nodes.wire(row) as usize] += 1;
        }
        let mut tags = [0; Wire::ALL.len()];
        let mut ends = [0; Wire::ALL.len()];
        let (mut branches, mut end) = (0, self.rows.len());
        for (place, &count) in counts.iter().enumerate() {
            tags[place] = branches;
            ends[place] = end;
            branches += i64::from(count > 0);
            end += count;
        }
        self.out.node(k::UNION, 0);
        self.out.uint(branches as usize);
        for count in counts.into_iter().filter(|&count| count > 0) {
            self.out.uint(count);
        }
        self.rows.resize(end, 0);
        self.numbers.clear();
        for place in rows {
            let row = self.rows[place];
            let wire = nodes.wire(row) as usize;
            self.numbers.push(tags[wire]);
            self.rows[ends[wire]] = row;
            ends[wire] += 1;
        }
        write_ints(&mut self.out, &self.numbers, Purpose::Counts);
        for (end, count) in ends.into_iter().zip(counts) {
            if count > 0 {
                self.push(end - count..end, room);
            }
        }
        ColumnOutcome::Parent
    }

    fn typed(&mut self, nodes: &mut NodeList<'p>, rows: Range<usize>, size: usize, room: u32) -> ColumnOutcome {
        match nodes.wire(self.rows[rows.start]) {
            Wire::Nil | Wire::Bool => ColumnOutcome::Nothing,
            Wire::Array => self.list(nodes, rows, room - 1),
            Wire::Map => self.map(nodes, rows, room - 1),
            _ if self.dictionary.choose(nodes, &self.rows[rows.clone()], size) => self.dict(room),
            Wire::Int => self.ints(nodes, rows),
            Wire::F32 => {
                self.out.node(k::FLOAT, k::FLOAT32);
                put_all(&mut self.out.data, self.rows[rows].iter(), |&row| {
                    let bits = read::uint::<4>(nodes.bytes(row), 1).unwrap_or_default();
                    (bits as u32).to_le_bytes()
                });
                ColumnOutcome::Whole
            }
            Wire::F64 => {
                self.floats.write(nodes, &self.rows[rows], &mut self.out);
                ColumnOutcome::Whole
            }
            wire @ (Wire::Str | Wire::Bin | Wire::Ext) => {
                let (rows, numbers) = (&self.rows[rows], &mut self.numbers);
                let is_written = if wire == Wire::Ext {
                    strings::write_exts(nodes, rows, &mut self.out, numbers)
                } else {
                    strings::write_strings(nodes, rows, &mut self.out, numbers)
                };
                if is_written {
                    ColumnOutcome::Whole
                } else {
                    ColumnOutcome::Nothing
                }
            }
        }
    }

    fn dict(&mut self, room: u32) -> ColumnOutcome {
        let begin = self.rows.len();
        self.rows.extend_from_slice(&self.dictionary.entries);
        self.out.node(k::DICT, 0);
        self.out.uint(self.rows.len() - begin);
        write_ints(&mut self.out, &self.dictionary.indexes, Purpose::Signed);
        self.push(begin..self.rows.len(), room);
        ColumnOutcome::Parent
    }

    fn ints(&mut self, nodes: &NodeList<'p>, rows: Range<usize>) -> ColumnOutcome {
        let (mut has_negative, mut has_large) = (false, false);
        self.numbers.clear();
        self.numbers.extend(self.rows[rows].iter().map(|&row| {
            let (number, is_large) = integer(nodes.bytes(row));
            has_large |= is_large;
            has_negative |= number < 0 && !is_large;
            number
        }));
        let purpose = match (has_negative, has_large) {
            (true, true) => return ColumnOutcome::Nothing,
            (false, true) => Purpose::Unsigned,
            _ => Purpose::Signed,
        };
        write_ints(&mut self.out, &self.numbers, purpose);
        ColumnOutcome::Whole
    }

    fn list(&mut self, nodes: &NodeList<'p>, rows: Range<usize>, room: u32) -> ColumnOutcome {
        let from = self.rows.len();
        self.numbers.clear();
        for place in rows {
            let before = self.rows.len();
            self.rows.extend(nodes.children(self.rows[place]));
            self.numbers.push((self.rows.len() - before) as i64);
        }
        let to = self.rows.len();
        self.out.node(k::LIST, 0);
        self.out.uint(to - from);
        write_ints(&mut self.out, &self.numbers, Purpose::Counts);
        self.push(from..to, room);
        ColumnOutcome::Parent
    }

    fn map(&mut self, nodes: &mut NodeList<'p>, rows: Range<usize>, room: u32) -> ColumnOutcome {
        let from = self.rows.len();
        let is_struct = self.structs.choose(nodes, &self.rows[rows.clone()]);
        if is_struct {
            let structs = &mut self.structs;
            structs.write(nodes, rows, &mut self.rows, &mut self.out);
            let columns = structs.columns.iter().cloned();
            self.tasks.extend(columns.map(|rows| Task::Write { rows, room }));
            return ColumnOutcome::Parent;
        }
        self.numbers.clear();
        let mut entries = 0;
        for place in rows.clone() {
            let count = nodes.child_count(self.rows[place]) / 2;
            self.numbers.push(count as i64);
            entries += count;
        }
        if rows.len() > 1 && entries < 2 * rows.len() {
            return ColumnOutcome::Nothing;
        }
        self.rows.resize(from + 2 * entries, 0);
        let (mut key, mut value) = (from, from + entries);
        for place in rows {
            let mut children = nodes.children(self.rows[place]);
            while let (Some(name), Some(item)) = (children.next(), children.next()) {
                self.rows[key] = name;
                self.rows[value] = item;
                (key, value) = (key + 1, value + 1);
            }
        }
        self.out.node(k::MAP, 0);
        self.out.uint(entries);
        write_ints(&mut self.out, &self.numbers, Purpose::Counts);
        self.push(from..key, room);
        self.push(key..value, room);
        ColumnOutcome::Parent
    }
}

/// Returns an integer modulo 2^64, and whether it is 2^63 or more.
#[inline(always)]
fn integer(bytes: &[u8]) -> (i64, bool) {
    match item(bytes, 0) {
        Some((Item::Int(number), _)) => (number, false),
        Some((Item::Uint(number), _)) => (number as i64, true),
        _ => (0, false),
    }
}
