//! The statistics of a block, and the types of its values: from its columns where it has them, which takes a fraction of the
//! time, else from its rows.

use super::collector::{ROW, SchemaCollector};
use super::path::{PathFinder, RowPath};
use super::plain::{after, array_of};
use super::schema::TypeName;
use super::statistics::{PathCollector, Statistics};
use crate::columns::kind as k;
use crate::columns::read::{ColumnNode, Directory, Unit, expand_column, integers_of, scaled_of, strs_of};
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
    let columns = RowColumns::of_message(body, u64::MAX).ok().flatten();
    let has_schema = columns.as_ref().is_some_and(|columns| {
        if !schema.is_given_up {
            let added = add_types(columns, schema);
            schema.check(added);
        }
        true
    });
    let known = |path| collect(columns.as_ref()?, path);
    let mut collected: Vec<Option<PathCollector>> = paths.iter().map(known).collect();
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

/// Adds the types of all values. `None` if a schema cannot say them.
pub(super) fn add_types(rows: &RowColumns<'_>, schema: &mut SchemaCollector) -> Option<()> {
    let directory = &rows.directory;
    // Nodes that are still to come, each with its place.
    let mut open = alloc::vec![(RowColumns::NODE, ROW)];
    while let Some((index, place)) = open.pop() {
        let node = directory.node(index);
        let columns = directory.columns(node);
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
                for &column in columns.iter().filter(|&&column| directory.node(column).n > 0) {
                    open.push((column, schema.elements(place)?));
                }
            }
            k::STRUCT => {
                schema.note_maps(place, node.n);
                let keys = &directory.layouts[node.layout].keys;
                for (key, &column) in keys.iter().zip(columns) {
                    match schema.note_key(place, key, directory.node(column).n) {
                        Some(place) => open.push((column, place)),
                        None => schema.miss_key(place)?,
                    }
                }
            }
            // Maps with many keys.
            _ => {
                let mut plain = Vec::new();
                expand_column(directory, &rows.header, index, &mut plain).ok()?;
                let (count, values) = array_of(&plain)?;
                add_values(schema, place, values, count)?;
            }
        }
    }
    Some(())
}

/// Collects the values at a path; `None` if the columns do not say it.
fn collect(rows: &RowColumns<'_>, path: &RowPath) -> Option<PathCollector> {
    let (directory, mut node) = (&rows.directory, rows.node());
    for part in path.parts() {
        if node.kind != k::STRUCT {
            return None;
        }
        let keys = &directory.layouts[node.layout].keys;
        match keys.iter().position(|key| *key == part && !part.is_empty()) {
            Some(key) => node = directory.node(directory.columns(node)[key]),
            None => {
                return Some(PathCollector {
                    nulls: rows.count() as u64,
                    ..PathCollector::default()
                });
            }
        }
    }
    let mut found = collect_column(directory, node)?;
    found.nulls += (rows.count() - node.n) as u64;
    Some(found)
}

/// Collects the values of a column. Nodes nest at most 128 deep, and so does this function.
fn collect_column(directory: &Directory<'_>, node: &ColumnNode<'_>) -> Option<PathCollector> {
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
            let values = node.elements(f32::from_le_bytes);
            add_floats(&mut found, values.map(|float| (f64::from(float), Tree::F32(float))));
        }
        k::FLOAT => {
            let values = node.elements(f64::from_le_bytes);
            add_floats(&mut found, values.map(|float| (float, Tree::F64(float))));
        }
        k::SCALED => {
            let values = scaled_of(directory, node).ok()?.into_iter();
            add_floats(&mut found, values.map(|float| (float, Tree::F64(float))));
        }
        k::TIME => {
            let values = integers_of(directory.part(node)).ok()?;
            let at = |value| Unit::new(node.form).timestamp(value).ok().map(Tree::Timestamp);
            let (min, max) = (values.iter().min()?, values.iter().max()?);
            found.bounds = Some((at(*min)?, at(*max)?));
        }
        k::BYTES if node.mode == k::EXT && node.form as i8 == Timestamp::EXT_TYPE => {
            return None;
        }
        k::BYTES => match strs_of(directory, node).ok()? {
            Some(values) => found.bounds = bounds(values.into_iter().flatten()),
            None => found.mix(),
        },
        k::DICT => {
            let entries = directory.node(directory.columns(node)[0]);
            found = collect_column(directory, entries)?;
            if found.nulls > 0 {
                // One entry, which is nil.
                found.nulls = (entries.n == 1).then_some(node.n as u64)?;
            }
        }
        k::UNION => {
            for &branch in directory.columns(node) {
                let branch = collect_column(directory, directory.node(branch))?;
                if !found.add_all(branch) {
                    return None;
                }
            }
        }
        _ => found.mix(),
    }
    Some(found)
}

fn add_values(schema: &mut SchemaCollector, place: usize, values: &[u8], count: usize) -> Option<()> {
    let mut rest = values;
    for _ in 0..count {
        rest = schema.value(place, rest)?;
    }
    Some(())
}

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
