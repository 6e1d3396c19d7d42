//! DICT: columns whose values repeat.

use super::ints::{Purpose, byte_count, extent};
use super::nodes::{NodeList, Wire};
use super::table::{NumberTable, equal};
use alloc::vec::Vec;
use core::ops::Range;

/// The rows from which a column is a dictionary.
const FEWEST_ROWS: usize = 16;
/// The most numbers that a dictionary has.
const MOST_NUMBERS: usize = 4096;
/// The rows that show early that values differ.
const SAMPLE: usize = 2048;
/// The values that are different by chance.
const SAMPLE_VALUES: usize = 32;

/// The choice of a dictionary for one column, and the index of each row.
#[derive(Debug, Default)]
pub(super) struct Dictionary<'p> {
    indexes: Vec<i64>,
    strings: NumberTable<&'p [u8]>,
    numbers: NumberTable<u64>,
    is_bool: bool,
}

/// What a dictionary may cost.
struct Limits {
    /// The most distinct values.
    values: usize,
    /// The most bytes: a fraction of the size of the column.
    bytes: usize,
}

impl Limits {
    fn new(first: Wire, rows: usize, size: usize) -> Limits {
        let (values, bytes) = match first {
            Wire::Nil => (0, 0),
            Wire::Bool => (2, usize::MAX),
            Wire::Int => ((rows / 8).min(MOST_NUMBERS), size * 5 / 8),
            Wire::F32 | Wire::F64 => ((rows / 8).min(MOST_NUMBERS), size / 3),
            Wire::Str | Wire::Bin | Wire::Ext => (rows / 2, size * 7 / 8),
            Wire::Array | Wire::Map => (rows / 4, size * 7 / 8),
        };
        Limits { values, bytes }
    }

    /// Returns whether `values` values are too many, after `seen` rows.
    #[inline(always)]
    fn exceeded(&self, values: usize, seen: usize) -> bool {
        values > self.values || seen <= SAMPLE && values > SAMPLE_VALUES && values > seen * 7 / 8
    }
}

/// The bytes of a dictionary beside those of its values.
fn overhead(rows: usize, values: usize) -> usize {
    rows * index_width(values) + 16
}

fn index_width(values: usize) -> usize {
    match values {
        0..=256 => 1,
        257..=65536 => 2,
        _ => 4,
    }
}

impl<'p> Dictionary<'p> {
    /// Returns the index of each row.
    pub fn indexes(&self) -> &[i64] {
        &self.indexes
    }

    pub fn purpose(&self) -> Purpose {
        if self.is_bool {
            Purpose::Counts
        } else {
            Purpose::Signed
        }
    }

    /// Decides whether a column is a dictionary. If so, the rows of its values are appended.
    pub fn choose(
        &mut self,
        nodes: &NodeList<'p>,
        list: &mut Vec<u32>,
        rows: Range<usize>,
        size: usize,
    ) -> bool {
        if rows.len() < FEWEST_ROWS {
            return false;
        }
        let first = nodes.wire(list[rows.start]);
        self.is_bool = first == Wire::Bool;
        if self.is_bool {
            return self.bools(nodes, list, rows);
        }
        if first == Wire::Int && size <= rows.len() + rows.len() / 8 {
            return false;
        }
        let limits = Limits::new(first, rows.len(), size);
        let (begin, count) = (list.len(), rows.len());
        self.strings.clear();
        let (mut before, mut index): (&[u8], _) = (&[], 0);
        let mut bytes = 0;
        self.indexes.clear();
        for (seen, place) in (1..).zip(rows) {
            let row = list[place];
            let value = nodes.bytes(row);
            if !equal(value, before) {
                index = self.strings.number(value);
                before = value;
                if index as usize == list.len() - begin {
                    list.push(row);
                    bytes += value.len();
                    let values = list.len() - begin;
                    if limits.exceeded(values, seen)
                        || bytes + overhead(count, values) > limits.bytes
                    {
                        list.truncate(begin);
                        return false;
                    }
                }
            }
            self.indexes.push(i64::from(index));
        }
        true
    }

    /// Decides whether a column of integers is a dictionary. They are given modulo 2^64.
    pub fn choose_numbers(
        &mut self,
        nodes: &NodeList<'p>,
        list: &mut Vec<u32>,
        rows: Range<usize>,
        (numbers, is_unsigned): (&[i64], bool),
        size: usize,
    ) -> bool {
        let count = numbers.len();
        if count < FEWEST_ROWS || size <= count + count / 8 {
            return false;
        }
        let (least, most) = extent(numbers, is_unsigned);
        let range_bytes = byte_count(most.wrapping_sub(least) as u64);
        let limits = Limits::new(Wire::Int, count, size);
        if range_bytes <= 1 || overhead(count, 1) > limits.bytes {
            return false;
        }
        self.is_bool = false;
        let begin = list.len();
        self.numbers.clear();
        let mut bytes = 0;
        self.indexes.clear();
        for (seen, (&number, place)) in (1..).zip(numbers.iter().zip(rows)) {
            let index = self.numbers.number(number as u64);
            if index as usize == list.len() - begin {
                let row = list[place];
                list.push(row);
                bytes += nodes.size(row);
                let values = list.len() - begin;
                if limits.exceeded(values, seen)
                    || index_width(values) >= range_bytes
                    || bytes + overhead(count, values) > limits.bytes
                {
                    list.truncate(begin);
                    return false;
                }
            }
            self.indexes.push(i64::from(index));
        }
        true
    }

    /// Booleans have the index 0 for false.
    fn bools(&mut self, nodes: &NodeList<'p>, list: &mut Vec<u32>, rows: Range<usize>) -> bool {
        let is_true = |row| nodes.bytes(row) == [crate::wire::marker::TRUE];
        self.indexes.clear();
        let mut examples = [0; 2];
        for &row in &list[rows] {
            let index = i64::from(is_true(row));
            examples[index as usize] = row;
            self.indexes.push(index);
        }
        list.extend(examples);
        true
    }
}
