//! The checks of columns, each column at once, and the budget (`spec/columns.md` sections 3 and 4). After them, the
//! values can be taken without any.

use super::PayloadHeader;
use super::directory::{ColumnNode, Directory};
use super::integers::{Integers, for_each};
use super::plain::{extent, is_value};
use super::{Malformed, OrMalformed, need};
use crate::columns::kind::{self as k, MANTISSAS};
use crate::ext::Timestamp;
use crate::wire::utf8;
use alloc::vec::Vec;

pub(crate) fn check(directory: &Directory<'_>, header: &PayloadHeader) -> OrMalformed<()> {
    let left = check_column(directory, header, 0, false)?;
    need(left == 0)
}

/// Checks a column and all in it: with `is_array`, the elements of the array that the payload stands for. Returns how
/// many of the announced values are left.
pub(crate) fn check_column(
    directory: &Directory<'_>,
    header: &PayloadHeader,
    node: u32,
    is_array: bool,
) -> OrMalformed<u64> {
    let mut checker = Checker {
        directory,
        announced_depth: usize::try_from(header.depth).unwrap_or(usize::MAX),
        dictionary_rows: header.plain_size,
        total: Cost::default(),
        costs: Vec::new(),
        open: Vec::new(),
        scratch: Vec::new(),
    };
    let mut depth = 0;
    if is_array {
        checker.total.add(1, 1)?;
        depth = 1;
        need(depth <= checker.announced_depth)?;
    }
    checker.open.push((node, depth));
    while let Some((node, depth)) = checker.open.pop() {
        checker.node(&directory.nodes[node as usize], depth)?;
        need(checker.total.bytes <= header.plain_size)?;
    }
    header.values.checked_sub(checker.total.values).ok_or(Malformed)
}

/// What values take of the budget.
#[derive(Clone, Copy, Default)]
struct Cost {
    bytes: u64,
    values: u64,
}

impl Cost {
    fn add(&mut self, bytes: u64, values: u64) -> OrMalformed<()> {
        self.bytes = self.bytes.checked_add(bytes).ok_or(Malformed)?;
        self.values = self.values.checked_add(values).ok_or(Malformed)?;
        Ok(())
    }

    /// Adds the cost of `n` similar values.
    fn add_all(&mut self, n: usize, bytes: u64) -> OrMalformed<()> {
        let bytes = (n as u64).checked_mul(bytes).ok_or(Malformed)?;
        self.add(bytes, n as u64)
    }
}

struct Checker<'d, 'a> {
    directory: &'d Directory<'a>,
    announced_depth: usize,
    /// How many rows dictionaries may still have: each takes a byte at least. There are not more entries.
    dictionary_rows: u64,
    total: Cost,
    /// The cost of each entry of a dictionary.
    costs: Vec<Cost>,
    /// Nodes that are still to be checked, with the number of containers around them.
    open: Vec<(u32, usize)>,
    scratch: Vec<u64>,
}

impl Checker<'_, '_> {
    fn node(&mut self, node: &ColumnNode<'_>, depth: usize) -> OrMalformed<()> {
        let directory = self.directory;
        let columns = directory.columns(node);
        let mut inner = depth;
        match node.kind {
            k::UNION => {
                // All that are not a branch are in the last place.
                let mut counts = [0; 17];
                for_each(directory.part(node), |tag| {
                    counts[(tag as u64).min(16) as usize] += 1;
                })?;
                for (branch, &count) in counts.iter().enumerate() {
                    let column = columns.get(branch);
                    need(count == column.map_or(0, |&column| directory.nodes[column as usize].n))?;
                }
            }
            k::LIST | k::MAP => {
                let mut sum = 0_u64;
                for_each(directory.part(node), |size| {
                    sum = sum.saturating_add(size as u64);
                })?;
                need(sum == directory.nodes[columns[0] as usize].n as u64)?;
                self.total.add_all(node.n, 1)?;
                inner += 1;
            }
            k::STRUCT => {
                self.rows(node)?;
                inner += 1;
            }
            k::DICT => return self.dictionary(node, depth),
            _ => {
                let cost = self.leaf(node, depth, false)?;
                return self.total.add(cost.bytes, cost.values);
            }
        }
        need(node.n == 0 || inner <= self.announced_depth)?;
        self.open.extend(columns.iter().map(|&column| (column, inner)));
        Ok(())
    }

    /// Checks the shapes of a STRUCT, and that each column has the values that they say.
    fn rows(&mut self, node: &ColumnNode<'_>) -> OrMalformed<()> {
        let directory = self.directory;
        let layout = &directory.layouts[node.layout];
        let last = layout.shapes.len();
        let mut rows = alloc::vec![0_usize; last + 1];
        if node.has_part {
            for_each(directory.part(node), |shape| {
                rows[(shape as u64).min(last as u64) as usize] += 1;
            })?;
        } else {
            rows[0] = node.n;
        }
        need(rows[last] == 0)?;
        let mut counts = alloc::vec![0_usize; layout.keys.len()];
        for (shape, &rows) in layout.shapes.iter().zip(&rows) {
            let mut size = 1;
            for &key in shape {
                counts[key as usize] += rows;
                size += 1 + layout.keys[key as usize].len() as u64;
            }
            self.total.add_all(rows, size)?;
            // Each key is a value.
            self.total.add(0, rows as u64 * shape.len() as u64)?;
        }
        let mut columns = directory.columns(node).iter().zip(counts);
        need(columns.all(|(&column, count)| directory.nodes[column as usize].n == count))
    }

    fn dictionary(&mut self, node: &ColumnNode<'_>, depth: usize) -> OrMalformed<()> {
        let rows = self.dictionary_rows.checked_sub(node.n as u64);
        self.dictionary_rows = rows.ok_or(Malformed)?;
        let entries = &self.directory.nodes[self.directory.columns(node)[0] as usize];
        self.leaf(entries, depth, true)?;
        let (costs, mut is_valid) = (&self.costs, true);
        let mut total = Cost::default();
        for_each(self.directory.part(node), |index| {
            let cost = usize::try_from(index).ok().and_then(|index| costs.get(index));
            is_valid &= cost.is_some();
            let cost = cost.copied().unwrap_or_default();
            total.bytes = total.bytes.saturating_add(cost.bytes);
            total.values = total.values.saturating_add(cost.values);
        })?;
        need(is_valid)?;
        self.total.add(total.bytes, total.values)
    }

    /// Checks a column that has no rows of others, and returns what its values take. Of those of a dictionary, what each takes
    /// is kept.
    fn leaf(&mut self, node: &ColumnNode<'_>, depth: usize, is_dictionary: bool) -> OrMalformed<Cost> {
        self.costs.clear();
        let bytes = match (node.kind, node.mode) {
            (k::PLAIN, _) if are_bytes(node) => 1,
            (k::PLAIN, _) => return self.plain(node, depth, is_dictionary),
            (k::BYTES, k::TERMINATED) => return self.terminated(node, is_dictionary),
            (k::BYTES, _) => return self.sized(node, is_dictionary),
            (k::INT, _) => Integers::of(node).map(|_| 1)?,
            (k::FLOAT, k::FLOAT32) => 5,
            (k::FLOAT, _) => 9,
            (k::TIME, _) => Integers::of(self.directory.part(node)).map(|_| 5)?,
            _ => {
                let mut most = 0;
                for_each(self.directory.part(node), |mantissa| {
                    most = most.max(mantissa.unsigned_abs());
                })?;
                need(most < MANTISSAS)?;
                9
            }
        };
        if is_dictionary {
            self.costs.resize(node.n, Cost { bytes, values: 1 });
        }
        let mut cost = Cost::default();
        cost.add_all(node.n, bytes)?;
        Ok(cost)
    }

    fn plain(&mut self, node: &ColumnNode<'_>, depth: usize, is_dictionary: bool) -> OrMalformed<Cost> {
        let mut rest = node.section;
        let most = u32::try_from(self.announced_depth.saturating_sub(depth)).unwrap_or(u32::MAX);
        let mut values = 0;
        for _ in 0..node.n {
            let found = extent(rest, most, &mut self.scratch)?;
            rest = &rest[found.size..];
            values += found.values;
            if is_dictionary {
                self.costs.push(Cost {
                    bytes: found.size as u64,
                    values: found.values,
                });
            }
        }
        need(rest.is_empty())?;
        let bytes = node.section.len() as u64;
        Ok(Cost { bytes, values })
    }

    fn terminated(&mut self, node: &ColumnNode<'_>, is_dictionary: bool) -> OrMalformed<Cost> {
        let section = node.section;
        utf8::check(section).map_err(|_| Malformed)?;
        // Sums of few bytes are themselves bytes, of which a processor adds many at once.
        let zeros = section.chunks(255).map(|bytes| {
            let zeros = bytes.iter().map(|&byte| u8::from(byte == 0));
            usize::from(zeros.sum::<u8>())
        });
        need(zeros.sum::<usize>() == node.n && section.last().is_none_or(|&last| last == 0))?;
        if is_dictionary {
            let texts = section.split_inclusive(|&byte| byte == 0);
            self.costs.extend(texts.map(|text| Cost {
                bytes: text.len() as u64,
                values: 1,
            }));
        }
        let (bytes, values) = (section.len() as u64, node.n as u64);
        Ok(Cost { bytes, values })
    }

    fn sized(&mut self, node: &ColumnNode<'_>, is_dictionary: bool) -> OrMalformed<Cost> {
        let section = node.section;
        let text = match node.mode {
            k::STR => Some(utf8::check(section).map_err(|_| Malformed)?),
            _ => None,
        };
        // A character begins at each byte of ASCII.
        let header: u64 = if text.is_some() { 1 } else { 2 };
        let text = text.filter(|text| !text.is_ascii());
        let is_time = node.mode == k::EXT && node.form as i8 == Timestamp::EXT_TYPE;
        let (mut at, mut is_valid) = (0_usize, true);
        let end_of = |at: usize, size| at.saturating_add(usize::try_from(size).unwrap_or(usize::MAX));
        if text.is_none() && !is_time && !is_dictionary {
            for_each(self.directory.part(node), |size| at = end_of(at, size))?;
        } else {
            for_each(self.directory.part(node), |size| {
                let end = end_of(at, size);
                is_valid &= text.is_none_or(|text| text.is_char_boundary(end));
                if is_time {
                    let time = section.get(at..end).and_then(Timestamp::from_payload);
                    is_valid &= time.is_some();
                }
                if is_dictionary {
                    // A negative length ends after all bytes, and is refused below.
                    self.costs.push(Cost {
                        bytes: header.saturating_add((end - at) as u64),
                        values: 1,
                    });
                }
                at = end;
            })?;
        }
        need(is_valid && at == section.len())?;
        let mut cost = Cost::default();
        cost.add_all(node.n, header)?;
        cost.add(section.len() as u64, 0)?;
        Ok(cost)
    }
}

fn are_bytes(node: &ColumnNode<'_>) -> bool {
    let is = |all, &byte: &u8| all & is_value(byte);
    node.section.len() == node.n && node.section.iter().fold(true, is)
}
