//! The columns of a payload: which kind each one is (`spec/columns.md`, "Writing").
//!
//! A column is a list of nodes, its rows. The rows of all open columns are in one list; a column's
//! children come after it. No function calls itself: columns that are still to be written are
//! tasks on a stack.

use super::dictionary::Dictionary;
use super::floats::FloatScratch;
use super::ints::{Purpose, write_ints};
use super::nodes::{NodeList, Wire};
use super::sections::{SectionMark, Sections, Zone};
use super::strings;
use super::structs::StructScratch;
use super::table::equal;
use crate::columns::kind as k;
use crate::wire::read;
use alloc::vec::Vec;
use core::ops::Range;

/// Containers that may be open around a column in the payload.
const MOST_CONTAINERS: u32 = 32;
/// The bytes from which a column is more than PLAIN.
const SMALLEST: usize = 24;
/// The rows from which scalars are more than PLAIN.
const FEWEST_SCALARS: usize = 4;
/// The rows from which several types are a UNION, and arrays a TUPLE.
const FEWEST_ROWS: usize = 8;
/// The lengths of arrays that are a TUPLE.
const TUPLE_LENGTHS: core::ops::RangeInclusive<usize> = 2..=8;

/// What is still to be done.
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
    first: Wire,
    mark: SectionMark,
    /// The length of the list of rows before the children's.
    row_count: usize,
    in_dictionary: bool,
}

/// What became of a column.
enum ColumnOutcome {
    /// Nothing: it is PLAIN.
    Nothing,
    /// All of it.
    Whole,
    /// All but its children, which are tasks.
    Parent,
}

/// Writes columns, one payload after another.
#[derive(Debug)]
pub(super) struct ColumnBuilder<'p> {
    views: bool,
    pub out: Sections,
    rows: Vec<u32>,
    tasks: Vec<Task>,
    numbers: Vec<i64>,
    floats: FloatScratch,
    dictionary: Dictionary<'p>,
    /// Whether the rows are entries of a dictionary, which have none of their own.
    in_dictionary: bool,
    structs: StructScratch,
}

impl<'p> ColumnBuilder<'p> {
    pub fn new(views: bool) -> ColumnBuilder<'p> {
        ColumnBuilder {
            views,
            out: Sections::default(),
            rows: Vec::new(),
            tasks: Vec::new(),
            numbers: Vec::new(),
            floats: FloatScratch::default(),
            dictionary: Dictionary::default(),
            in_dictionary: false,
            structs: StructScratch::default(),
        }
    }

    /// Writes the column of one row, the root, to `out`.
    pub fn write(&mut self, nodes: &mut NodeList<'p>, root: u32) {
        self.out.clear();
        self.rows.clear();
        self.rows.push(root);
        self.tasks.clear();
        self.in_dictionary = false;
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
            && !self.in_dictionary
            && !(self.views && first.is_number())
            && bytes.len() * list.len() == size
            && list.iter().all(|&row| equal(nodes.bytes(row), bytes));
        if is_constant {
            self.out.node(k::DICT, 0);
            self.out.uint(1);
            write_ints(&mut self.out, &[0], Purpose::Counts, false);
            return self.out.plain(nodes, &list[..1], bytes.len());
        }
        if first.is_scalar() && list.len() < FEWEST_SCALARS {
            return self.out.plain(nodes, list, size);
        }
        let open = OpenColumn {
            rows: rows.clone(),
            size,
            first,
            mark: self.out.mark(),
            row_count: self.rows.len(),
            in_dictionary: self.in_dictionary,
        };
        let tasks = self.tasks.len();
        let written = if types.is_power_of_two() {
            self.typed(nodes, &open, room)
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

    /// Ends a column: it becomes PLAIN if that is not much larger.
    fn close(&mut self, nodes: &NodeList<'p>, open: OpenColumn) {
        self.rows.truncate(open.row_count);
        self.in_dictionary = open.in_dictionary;
        if self.views && open.first.is_number() {
            return;
        }
        let written = self.out.mark().total() - open.mark.total();
        let margin = match open.first {
            Wire::Str => 8,
            Wire::Int => open.size * 6 / 10 + 2,
            _ => 2,
        };
        if written >= open.size + margin {
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
        write_ints(&mut self.out, &self.numbers, Purpose::Counts, false);
        for (end, count) in ends.into_iter().zip(counts) {
            if count > 0 {
                self.push(end - count..end, room);
            }
        }
        ColumnOutcome::Parent
    }

    /// Writes values of one type.
    fn typed(&mut self, nodes: &mut NodeList<'p>, open: &OpenColumn, room: u32) -> ColumnOutcome {
        let rows = open.rows.clone();
        match open.first {
            Wire::Nil => ColumnOutcome::Nothing,
            Wire::Int => self.ints(nodes, open, room),
            Wire::F32 | Wire::F64 => self.floats(nodes, open, room),
            _ if self.is_dictionary(nodes, open) => self.dict(open.row_count, room),
            Wire::Bool => ColumnOutcome::Nothing,
            Wire::Str | Wire::Bin => {
                let rows = &self.rows[rows];
                let (out, numbers) = (&mut self.out, &mut self.numbers);
                whole(strings::write_strings(
                    nodes, rows, out, numbers, self.views,
                ))
            }
            Wire::Ext => {
                let rows = &self.rows[rows];
                let (out, numbers) = (&mut self.out, &mut self.numbers);
                whole(strings::write_exts(nodes, rows, out, numbers, self.views))
            }
            Wire::Array => self.list(nodes, rows, room - 1),
            Wire::Map => self.map(nodes, rows, room - 1),
        }
    }

    /// Writes the dictionary that was chosen, whose rows are the last.
    fn dict(&mut self, from: usize, room: u32) -> ColumnOutcome {
        let rows = from..self.rows.len();
        self.out.node(k::DICT, 0);
        self.out.uint(rows.len());
        let purpose = self.dictionary.purpose();
        write_ints(
            &mut self.out,
            self.dictionary.indexes(),
            purpose,
            self.views,
        );
        self.in_dictionary = true;
        self.push(rows, room);
        ColumnOutcome::Parent
    }

    /// Decides whether a column that is not of integers is a dictionary.
    fn is_dictionary(&mut self, nodes: &NodeList<'p>, open: &OpenColumn) -> bool {
        let (dictionary, list) = (&mut self.dictionary, &mut self.rows);
        !self.in_dictionary && dictionary.choose(nodes, list, open.rows.clone(), open.size)
    }

    fn ints(&mut self, nodes: &NodeList<'p>, open: &OpenColumn, room: u32) -> ColumnOutcome {
        let (mut has_negative, mut has_large) = (false, false);
        self.numbers.clear();
        self.numbers
            .extend(self.rows[open.rows.clone()].iter().map(|&row| {
                let (number, is_large) = integer(nodes.bytes(row));
                has_large |= is_large;
                has_negative |= number < 0 && !is_large;
                number
            }));
        let rows = open.rows.clone();
        let (dictionary, list) = (&mut self.dictionary, &mut self.rows);
        let is_wide = has_negative && has_large;
        let is_dict = !self.views
            && !self.in_dictionary
            && if is_wide {
                // Modulo 2^64 different numbers can be equal; their bytes are not.
                dictionary.choose(nodes, list, rows, open.size)
            } else {
                let numbers = (&self.numbers[..], has_large);
                dictionary.choose_numbers(nodes, list, rows, numbers, open.size)
            };
        if is_dict {
            return self.dict(open.row_count, room);
        }
        if is_wide {
            return ColumnOutcome::Nothing;
        }
        let purpose = if has_large {
            Purpose::Unsigned
        } else {
            Purpose::Signed
        };
        write_ints(&mut self.out, &self.numbers, purpose, self.views);
        ColumnOutcome::Whole
    }

    fn floats(&mut self, nodes: &mut NodeList<'p>, open: &OpenColumn, room: u32) -> ColumnOutcome {
        let rows = open.rows.clone();
        if !self.views && self.is_dictionary(nodes, open) {
            return self.dict(open.row_count, room);
        }
        let rows = &self.rows[rows];
        if open.first == Wire::F64 {
            let floats = &mut self.floats.floats;
            floats.clear();
            floats.extend(rows.iter().map(|&row| {
                f64::from_bits(read::uint::<8>(nodes.bytes(row), 1).unwrap_or_default())
            }));
            self.floats.write(&mut self.out, self.views);
        } else {
            self.out.node(k::FLOAT, k::FLOAT32);
            let zone = self.out.zone(Zone::Four);
            for &row in rows {
                let bits = read::uint::<4>(nodes.bytes(row), 1).unwrap_or_default();
                zone.extend_from_slice(&(bits as u32).to_le_bytes());
            }
        }
        ColumnOutcome::Whole
    }

    fn list(&mut self, nodes: &NodeList<'p>, rows: Range<usize>, room: u32) -> ColumnOutcome {
        let from = self.rows.len();
        self.numbers.clear();
        for place in rows.clone() {
            let before = self.rows.len();
            self.rows.extend(nodes.children(self.rows[place]));
            self.numbers.push((self.rows.len() - before) as i64);
        }
        let to = self.rows.len();
        let length = self.numbers[0] as usize;
        if rows.len() >= FEWEST_ROWS
            && TUPLE_LENGTHS.contains(&length)
            && self.numbers.iter().all(|&other| other as usize == length)
            && is_tuple(nodes, &self.rows[from..], length)
        {
            self.out.node(k::TUPLE, 0);
            self.out.uint(length);
            for position in 0..length {
                let begin = self.rows.len();
                let column = (from + position..to).step_by(length);
                for place in column {
                    self.rows.push(self.rows[place]);
                }
                self.push(begin..self.rows.len(), room);
            }
            return ColumnOutcome::Parent;
        }
        self.out.node(k::LIST, 0);
        self.out.uint(to - from);
        write_ints(&mut self.out, &self.numbers, Purpose::Counts, false);
        self.push(from..to, room);
        ColumnOutcome::Parent
    }

    fn map(&mut self, nodes: &mut NodeList<'p>, rows: Range<usize>, room: u32) -> ColumnOutcome {
        let from = self.rows.len();
        let is_struct = self.structs.choose(nodes, &self.rows[rows.clone()]);
        if is_struct {
            let structs = &mut self.structs;
            structs.write(nodes, rows, &mut self.rows, &mut self.out, self.views);
            let columns = structs.columns.iter().cloned();
            self.tasks
                .extend(columns.map(|rows| Task::Write { rows, room }));
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
        write_ints(&mut self.out, &self.numbers, Purpose::Counts, false);
        self.push(from..key, room);
        self.push(key..value, room);
        ColumnOutcome::Parent
    }
}

fn whole(is_written: bool) -> ColumnOutcome {
    if is_written {
        ColumnOutcome::Whole
    } else {
        ColumnOutcome::Nothing
    }
}

/// Returns an integer modulo 2^64, and whether it is 2^63 or more.
#[inline(always)]
fn integer(bytes: &[u8]) -> (i64, bool) {
    let sign = |bits: u64, width: u32| ((bits << (64 - width)) as i64) >> (64 - width);
    let number = match bytes {
        &[byte] => i64::from(byte as i8),
        &[marker, low] => match marker {
            0xcc => i64::from(low),
            _ => i64::from(low as i8),
        },
        &[marker, ref rest @ ..] => {
            let bits = rest
                .iter()
                .fold(0, |bits, &byte| bits << 8 | u64::from(byte));
            if (0xcc..=0xcf).contains(&marker) {
                return (bits as i64, bits >> 63 == 1);
            }
            sign(bits, 8 * rest.len() as u32)
        }
        [] => 0,
    };
    (number, false)
}

/// Returns whether the values at each position of arrays of this length have one scalar type. Int and
/// float 64 beside each other are one type.
fn is_tuple(nodes: &NodeList<'_>, values: &[u32], length: usize) -> bool {
    let is_number = |wire| matches!(wire, Wire::Int | Wire::F64);
    (0..length).all(|position| {
        let first = nodes.wire(values[position]);
        let column = values.iter().skip(position).step_by(length);
        first.is_scalar()
            && column.clone().all(|&value| {
                let wire = nodes.wire(value);
                wire == first || is_number(wire) && is_number(first)
            })
    })
}
