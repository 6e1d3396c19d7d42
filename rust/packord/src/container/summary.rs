//! The statistics of a block, and the types of its values: from its columns where it has them, which takes a fraction of the
//! time, else from its rows.

use super::collector::{ROW, SchemaCollector};
use super::path::{PathFinder, RowPath};
use super::plain::{after, array_of};
use super::schema::TypeName;
use super::statistics::{PathCollector, Statistics};
use crate::columns::kind as k;
use crate::columns::read::{ColumnNode, expand_column, integers_of, scaled_of, strs_of};
use crate::columns::rows::RowColumns;
use crate::ext::Timestamp;
use crate::value::{Tree, Value};
use alloc::vec::Vec;

/// Returns the statistics of rows, which are `count` plain messages and the body that was made of them, and adds their types
/// to the schema.
pub(super) fn summarize(
    rows: &[u8],
    count: u64,
    body: &[u8],
    paths: &[RowPath],
    schema: &mut SchemaCollector,
) -> Statistics {
    let columns = BodyColumns::read(body);
    let has_schema = columns.as_ref().is_some_and(|columns| {
        if !schema.is_given_up() {
            let added = columns.add_types(schema);
            schema.check(added);
        }
        true
    });
    let mut collected: Vec<Option<PathCollector>> = paths.iter().map(|path| columns.as_ref()?.collect(path)).collect();
    // What the columns do not say.
    let unknown = paths.iter().zip(&collected);
    let unknown = unknown.filter(|(_, known)| known.is_none());
    let finder = PathFinder::new(unknown.map(|(path, _)| path));
    let mut left: Vec<PathCollector> = Vec::new();
    left.resize_with(finder.len(), PathCollector::default);
    if !left.is_empty() || !has_schema {
        let (mut rest, mut found) = (rows, Vec::new());
        for _ in 0..count {
            let next = after(rest).unwrap_or_default();
            let row = &rest[..rest.len() - next.len()];
            finder.find(row, &mut found);
            for (column, &value) in left.iter_mut().zip(&found) {
                column.add(value);
            }
            if !has_schema {
                schema.add(row);
            }
            rest = next;
        }
    }
    let mut left = left.into_iter();
    let collected = collected
        .iter_mut()
        .map(|known| known.take().or_else(|| left.next()).unwrap_or_default());
    Statistics::of(paths, collected.collect())
}

/// A body that a writer of this crate made, in which the rows are a column.
pub(super) struct BodyColumns<'a> {
    pub columns: RowColumns<'a>,
}

impl<'a> BodyColumns<'a> {
    fn read(body: &'a [u8]) -> Option<BodyColumns<'a>> {
        let columns = RowColumns::of_message(body, u64::MAX).ok()??;
        Some(BodyColumns { columns })
    }

    fn node(&self, node: u32) -> &ColumnNode<'a> {
        &self.columns.directory.nodes[node as usize]
    }

    /// Returns the columns in a node, without the integers of its own rows.
    fn columns(&self, node: &ColumnNode<'_>) -> &[u32] {
        self.columns.directory.columns(node)
    }

    /// Adds the types of all values. `None` if a schema cannot say them.
    pub fn add_types(&self, schema: &mut SchemaCollector) -> Option<()> {
        // Nodes that are still to come, each with its place.
        let mut open = alloc::vec![(RowColumns::NODE, ROW)];
        while let Some((index, place)) = open.pop() {
            let node = self.node(index);
            let columns = self.columns(node);
            match node.kind {
                k::PLAIN => add_values(schema, place, node.section, node.n)?,
                k::INT => {
                    let mut large = 0;
                    if node.form & k::UNSIGNED != 0 {
                        let values = integers_of(node).ok()?;
                        large = values.iter().filter(|&&value| value < 0).count();
                    }
                    schema.note(place, TypeName::Uint, large);
                    schema.note(place, TypeName::Int, node.n - large);
                }
                k::FLOAT | k::SCALED => schema.note(place, TypeName::Float, node.n),
                k::TIME => schema.note(place, TypeName::Timestamp, node.n),
                k::BYTES => {
                    let kind = match node.mode {
                        k::BIN => TypeName::Bin,
                        k::EXT if node.form as i8 == Timestamp::EXT_TYPE => TypeName::Timestamp,
                        k::EXT => TypeName::Ext,
                        _ => TypeName::Str,
                    };
                    schema.note(place, kind, node.n);
                }
                // Every entry is the value of a row.
                k::DICT | k::UNION => open.extend(columns.iter().map(|&column| (column, place))),
                k::LIST => {
                    schema.note(place, TypeName::Array, node.n);
                    for &column in columns.iter().filter(|&&column| self.node(column).n > 0) {
                        open.push((column, schema.elements(place)?));
                    }
                }
                k::STRUCT => {
                    schema.note_maps(place, node.n);
                    let keys = &self.columns.directory.layouts[node.layout].keys;
                    for (key, &column) in keys.iter().zip(columns) {
                        match schema.note_key(place, key, self.node(column).n) {
                            Some(place) => open.push((column, place)),
                            None => schema.miss_key(place)?,
                        }
                    }
                }
                // Maps with many keys.
                _ => {
                    let mut plain = Vec::new();
                    expand_column(&self.columns.directory, &self.columns.header, index, &mut plain).ok()?;
                    let (count, values) = array_of(&plain)?;
                    add_values(schema, place, values, count)?;
                }
            }
        }
        Some(())
    }

    /// Collects the values at a path; `None` if the columns do not say it.
    fn collect(&self, path: &RowPath) -> Option<PathCollector> {
        let rows = self.node(RowColumns::NODE).n;
        let mut column = RowColumns::NODE;
        for part in path.parts() {
            let node = self.node(column);
            if node.kind != k::STRUCT {
                return None;
            }
            let keys = &self.columns.directory.layouts[node.layout].keys;
            match keys.iter().position(|key| *key == part && !part.is_empty()) {
                Some(key) => column = self.columns(node)[key],
                None => {
                    return Some(PathCollector {
                        nulls: rows as u64,
                        ..PathCollector::default()
                    });
                }
            }
        }
        let mut found = self.collect_column(column)?;
        found.nulls += (rows - self.node(column).n) as u64;
        Some(found)
    }

    /// Collects the values of a column. Nodes nest at most 128 deep, and so does this function.
    fn collect_column(&self, column: u32) -> Option<PathCollector> {
        let node = self.node(column);
        let mut found = PathCollector::default();
        if node.n == 0 {
            return Some(found);
        }
        match node.kind {
            k::PLAIN => {
                let mut rest = node.section;
                for _ in 0..node.n {
                    let next = after(rest)?;
                    found.add(rest.get(..rest.len() - next.len()));
                    rest = next;
                }
            }
            k::INT => {
                let values = integers_of(node).ok()?;
                found.bounds = if node.form & k::UNSIGNED == 0 {
                    bounds(values)
                } else {
                    bounds(values.into_iter().map(|value| value as u64))
                };
            }
            k::FLOAT if node.mode == k::FLOAT32 => {
                let values = node.section.chunks_exact(4);
                let values = values.map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap_or_default()));
                add_floats(&mut found, values.map(|float| (f64::from(float), Tree::F32(float))));
            }
            k::FLOAT => {
                let values = node.section.chunks_exact(8);
                let values = values.map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap_or_default()));
                add_floats(&mut found, values.map(|float| (float, Tree::F64(float))));
            }
            k::SCALED => {
                let values = scaled_of(&self.columns.directory, node).ok()?.into_iter();
                add_floats(&mut found, values.map(|float| (float, Tree::F64(float))));
            }
            k::TIME => {
                let values = integers_of(self.columns.directory.part(node)).ok()?;
                let at = |value: i64| timestamp(value, node.form).map(Tree::Timestamp);
                let (min, max) = (values.iter().min()?, values.iter().max()?);
                found.bounds = Some((at(*min)?, at(*max)?));
            }
            k::BYTES if node.mode == k::EXT && node.form as i8 == Timestamp::EXT_TYPE => {
                return None;
            }
            k::BYTES => match strs_of(&self.columns.directory, node).ok()? {
                Some(values) => found.bounds = bounds(values.into_iter().flatten()),
                None => found.mix(),
            },
            k::DICT => {
                let entries = self.columns(node)[0];
                found = self.collect_column(entries)?;
                if found.nulls > 0 {
                    // One entry, which is nil.
                    let is_all = self.node(entries).n == 1;
                    found.nulls = is_all.then_some(node.n as u64)?;
                }
            }
            k::UNION => {
                for &branch in self.columns(node) {
                    let branch = self.collect_column(branch)?;
                    if !found.add_all(branch) {
                        return None;
                    }
                }
            }
            _ => found.mix(),
        }
        Some(found)
    }
}

/// Adds the types of plain values, one after another.
fn add_values(schema: &mut SchemaCollector, place: usize, values: &[u8], count: usize) -> Option<()> {
    let mut rest = values;
    for _ in 0..count {
        rest = schema.value(place, rest)?;
    }
    Some(())
}

/// Returns the smallest and the largest value.
fn bounds<T: Ord + Copy + Into<Value>>(values: impl IntoIterator<Item = T>) -> Option<(Value, Value)> {
    let mut values = values.into_iter();
    let first = values.next()?;
    let (min, max) = values.fold((first, first), |(min, max), value| (min.min(value), max.max(value)));
    Some((min.into(), max.into()))
}

/// Adds floats; of equal ones, the first is the bound.
fn add_floats(found: &mut PathCollector, mut values: impl Iterator<Item = (f64, Value)>) {
    let Some(first) = values.next() else { return };
    let (mut min, mut max) = (first.clone(), first);
    let mut has_nan = min.0.is_nan();
    for value in values {
        has_nan |= value.0.is_nan();
        if value.0 < min.0 {
            min = value;
        } else if value.0 > max.0 {
            max = value;
        }
    }
    if has_nan {
        found.mix();
    } else {
        found.bounds = Some((min.1, max.1));
    }
}

/// Returns the timestamp of a value in units of 10^-digits seconds.
fn timestamp(value: i64, digits: u8) -> Option<Timestamp> {
    let per_second = 10_i64.checked_pow(u32::from(digits))?;
    let nanoseconds = value.rem_euclid(per_second) * (1_000_000_000 / per_second);
    Timestamp::new(value.div_euclid(per_second), nanoseconds as u32)
}
