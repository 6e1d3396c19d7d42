//! DICT: columns whose values repeat.

use super::nodes::NodeList;
use super::table::{NumberTable, equal};
use alloc::vec::Vec;

/// The rows from which a column is a dictionary.
const FEWEST_ROWS: usize = 16;
/// The most numbers that a dictionary has.
const MOST_NUMBERS: usize = 4096;
/// The first rows, and the most different values in them: with more, the others are not looked at.
const SAMPLE: usize = 1024;
const SAMPLE_VALUES: usize = 896;

/// The choice of a dictionary for one column.
#[derive(Debug, Default)]
pub(super) struct Dictionary<'p> {
    values: NumberTable<&'p [u8]>,
    /// The first row with each value.
    pub entries: Vec<u32>,
    /// The index of each row's value.
    pub indexes: Vec<i64>,
}

fn index_width(values: usize) -> usize {
    match values {
        0..=256 => 1,
        257..=65536 => 2,
        _ => 4,
    }
}

impl<'p> Dictionary<'p> {
    /// Decides whether a column of one type, with rows of `size` bytes in all, is a dictionary.
    pub fn choose(&mut self, nodes: &NodeList<'p>, rows: &[u32], size: usize) -> bool {
        let n = rows.len();
        if n < FEWEST_ROWS {
            return false;
        }
        let (most_values, most_bytes) = if nodes.wire(rows[0]).is_number() {
            ((n / 8).min(MOST_NUMBERS), size * 5 / 8)
        } else {
            (n / 2, size * 7 / 8)
        };
        self.values.clear();
        self.entries.clear();
        self.indexes.clear();
        let (mut before, mut index): (&[u8], u32) = (&[], 0);
        let mut bytes = 0;
        for (seen, &row) in (1..).zip(rows) {
            let value = nodes.bytes(row);
            if !equal(value, before) {
                index = self.values.number(value);
                before = value;
                if index as usize == self.entries.len() {
                    self.entries.push(row);
                    bytes += value.len();
                    let count = self.entries.len();
                    if count > most_values
                        || seen <= SAMPLE && count > SAMPLE_VALUES
                        || bytes + n * index_width(count) + 16 > most_bytes
                    {
                        return false;
                    }
                }
            }
            self.indexes.push(i64::from(index));
        }
        true
    }
}
