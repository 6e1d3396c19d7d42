//! STRUCT (`spec/columns.md` section 2.6): maps with the same keys, a column for each key.

use super::ints::{Purpose, write_ints};
use super::nodes::NodeList;
use super::sections::Sections;
use super::shapes::NO_SHAPE;
use crate::columns::kind as k;
use crate::wire::Store;
use alloc::vec::Vec;
use core::ops::Range;

const MOST_SHAPES: usize = 2048;
const MOST_KEYS: usize = 2048;
/// The least values for each key.
const VALUES_PER_KEY: usize = 8;

/// Gives things that have numbers other numbers, in the order of their first sight in one column.
#[derive(Debug, Default)]
struct Renumbering {
    /// For each thing the column in which it was seen last, and its number there.
    seen: Vec<(u32, u32)>,
    column: u32,
    count: u32,
}

impl Renumbering {
    /// Begins a column with things below `things`.
    fn begin(&mut self, things: usize) {
        if self.seen.len() < things {
            self.seen.resize(things, (0, 0));
        }
        // A message has fewer columns than numbers.
        self.column += 1;
        self.count = 0;
    }

    /// Returns the number of a thing, and whether it is new.
    #[inline(always)]
    fn number(&mut self, thing: u32) -> (u32, bool) {
        let (column, number) = &mut self.seen[thing as usize];
        let is_new = *column != self.column;
        if is_new {
            (*column, *number) = (self.column, self.count);
            self.count += 1;
        }
        (*number, is_new)
    }
}

/// The shapes of a column of maps.
#[derive(Debug, Default)]
pub(super) struct StructScratch {
    shapes: Renumbering,
    keys: Renumbering,
    /// The keys of the trie, in the order of the column's.
    names: Vec<u32>,
    /// The keys of all shapes, one after another, and where those of each are.
    lists: Vec<u32>,
    places: Vec<Range<usize>>,
    /// The shape of each row.
    row_shapes: Vec<i64>,
    rows_of_shape: Vec<usize>,
    /// The values of each key in the list of rows.
    pub columns: Vec<Range<usize>>,
    /// The place of the next value of each key.
    free: Vec<usize>,
}

impl StructScratch {
    /// Decides whether maps are a STRUCT.
    pub fn choose(&mut self, nodes: &mut NodeList<'_>, rows: &[u32]) -> bool {
        self.shapes.begin(nodes.shapes.len());
        self.keys.begin(nodes.shapes.keys().len());
        self.names.clear();
        self.lists.clear();
        self.places.clear();
        self.row_shapes.clear();
        let mut values = 0;
        for &row in rows {
            let shape = nodes.shape(row);
            if shape == NO_SHAPE {
                return false;
            }
            let (number, is_new) = self.shapes.number(shape);
            values += nodes.shapes.key_count(shape);
            self.row_shapes.push(i64::from(number));
            if !is_new {
                continue;
            }
            if nodes.shapes.repeats(shape) {
                return false;
            }
            let begin = self.lists.len();
            nodes.shapes.keys_of(shape, &mut self.lists);
            for key in &mut self.lists[begin..] {
                let (number, is_new) = self.keys.number(*key);
                if is_new {
                    self.names.push(*key);
                }
                *key = number;
            }
            self.places.push(begin..self.lists.len());
            if self.places.len() > MOST_SHAPES || self.names.len() > MOST_KEYS {
                return false;
            }
        }
        values >= VALUES_PER_KEY * self.names.len() && 3 * self.lists.len() <= values
    }

    /// Writes the STRUCT that was chosen, without its columns. Their values are appended to the list
    /// of rows; `columns` says where.
    pub fn write(&mut self, nodes: &NodeList<'_>, rows: Range<usize>, list: &mut Vec<u32>, out: &mut Sections) {
        out.node(k::STRUCT, 0);
        out.uint(self.names.len());
        for &name in &self.names {
            // A vector takes every str.
            let _ = out.directory.put_str(nodes.shapes.keys()[name as usize]);
        }
        out.uint(self.places.len());
        self.count_values(list.len());
        if self.places.len() > 1 {
            for keys in &self.places {
                let keys = &self.lists[keys.clone()];
                out.uint(keys.len());
                for &key in keys {
                    out.uint(key as usize);
                }
            }
            for column in &self.columns {
                out.uint(column.len());
            }
            write_ints(out, &self.row_shapes, Purpose::Signed);
        }
        let end = self.columns.last().map_or(list.len(), |last| last.end);
        list.resize(end, 0);
        for (place, &shape) in rows.zip(&self.row_shapes) {
            let mut key = list[place] + 1;
            let keys = self.places[shape as usize].clone();
            for &column in &self.lists[keys] {
                let value = key + 1;
                let free = &mut self.free[column as usize];
                list[*free] = value;
                *free += 1;
                key = nodes.next(value);
            }
        }
    }

    /// Finds the place of each column's values, from `from` on.
    fn count_values(&mut self, from: usize) {
        self.rows_of_shape.clear();
        self.rows_of_shape.resize(self.places.len(), 0);
        for &shape in &self.row_shapes {
            self.rows_of_shape[shape as usize] += 1;
        }
        self.free.clear();
        self.free.resize(self.names.len(), 0);
        for (keys, rows) in self.places.iter().zip(&self.rows_of_shape) {
            for &key in &self.lists[keys.clone()] {
                self.free[key as usize] += rows;
            }
        }
        self.columns.clear();
        let mut begin = from;
        for free in &mut self.free {
            let end = begin + *free;
            self.columns.push(begin..end);
            *free = begin;
            begin = end;
        }
    }
}
