//! Rows whose keys are one column and whose values are another: those that have few of many keys.

use packord::columns::ColumnsView;
use std::collections::HashMap;
use std::ops::Range;

use super::column::Column;
use super::misfit::{Misfit, Part};
use super::types::{Field, Type};
use crate::wire::item::{Item, item};
use crate::wire::skip::skip;

/// No field has the key.
const NONE: u32 = u32::MAX;

/// Such rows, with the values of each field together.
pub struct KeyedRows {
    count: usize,
    /// The values of all keys, one after another.
    plain: Vec<u8>,
    /// The row and the place of each value of a field, those of the first field first.
    rows: Vec<u32>,
    places: Vec<u32>,
    /// Where those of each field are.
    fields: Vec<Range<usize>>,
}

impl KeyedRows {
    /// The rows of a block. `None` if they are stored otherwise, or if a key is not a string.
    pub fn of(view: &ColumnsView<'_>, rows: &Field) -> packord::Result<Option<KeyedRows>> {
        let (of_rows, keys) = (view.column("[]"), view.column("[]{key}"));
        let (Some(of_rows), Some(keys), Some(values)) = (of_rows, keys, view.column("[]{}")) else {
            return Ok(None);
        };
        let (Some(lengths), Some(keys)) = (of_rows.lengths()?, keys.strs()?) else {
            return Ok(None);
        };
        let names = rows.ty.children().iter().map(|field| field.name.to_bytes());
        let Some(found) = fields_of(&keys, &names.collect::<Vec<_>>()) else {
            return Ok(None);
        };
        let mut plain = Vec::new();
        values.expand_into(&mut plain)?;
        if u32::try_from(plain.len().max(lengths.len())).is_err() {
            return Ok(None);
        }
        Ok(KeyedRows::sorted(
            &lengths,
            &found,
            plain,
            rows.ty.children().len(),
        ))
    }

    /// Puts the values of each field together; of a key that a row has twice the last one.
    fn sorted(
        lengths: &[usize],
        found: &[u32],
        plain: Vec<u8>,
        fields: usize,
    ) -> Option<KeyedRows> {
        let mut counts = vec![0; fields];
        for &field in found {
            if let Some(count) = counts.get_mut(field as usize) {
                *count += 1;
            }
        }
        let mut end = 0;
        let begin = |count: usize| {
            let begin = end;
            end += count;
            begin..begin
        };
        let mut fields: Vec<Range<usize>> = counts.into_iter().map(begin).collect();
        let (mut rows, mut places) = (vec![0; end], vec![0; end]);
        let (Item::Array(_), mut at) = item(&plain, 0)? else {
            return None;
        };
        let mut found = found.iter();
        for (row, &length) in (0..).zip(lengths) {
            for &field in found.by_ref().take(length) {
                if let Some(range) = fields.get_mut(field as usize) {
                    if range.start == range.end || rows[range.end - 1] != row {
                        range.end += 1;
                    }
                    rows[range.end - 1] = row;
                    places[range.end - 1] = at as u32;
                }
                at = skip(&plain, at)?;
            }
        }
        let count = lengths.len();
        Some(KeyedRows {
            count,
            plain,
            rows,
            places,
            fields,
        })
    }

    /// The number of rows.
    pub fn count(&self) -> usize {
        self.count
    }

    /// A batch of the rows in a range.
    ///
    /// # Errors
    ///
    /// The row of a value that is none of its column, and why.
    pub fn batch(&self, ty: &Type, range: Range<usize>) -> Result<Column, (usize, Misfit)> {
        let of_range = range.start as u32..range.end as u32;
        let mut columns = Vec::with_capacity(self.fields.len());
        for (field, all) in ty.children().iter().zip(&self.fields) {
            let rows = &self.rows[all.clone()];
            let first = rows.partition_point(|&row| row < of_range.start);
            let end = rows.partition_point(|&row| row < of_range.end);
            let places = &self.places[all.clone()][first..end];
            let mut column = Column::new(&field.ty);
            for (&row, &at) in rows[first..end].iter().zip(places) {
                let pushed = column.push(&self.plain, at as usize);
                pushed.map_err(|misfit| {
                    let key = || Part::Key(field.name.to_bytes().to_vec());
                    (row as usize, misfit.within(key))
                })?;
            }
            column.finish();
            let rows = rows[first..end].iter();
            let rows: Vec<usize> = rows.map(|row| (row - of_range.start) as usize).collect();
            columns.push(column.spread(&rows, range.len()));
        }
        Ok(Column::of_columns(ty, columns, range.len()))
    }
}

/// The field of each key. `None` if one is not a string.
fn fields_of(keys: &[Option<&str>], names: &[&[u8]]) -> Option<Vec<u32>> {
    let index: HashMap<&[u8], u32> = names.iter().copied().zip(0..).collect();
    // For each field the one that came after it, a guess at what comes next; the last is of no field.
    let mut after = vec![NONE; names.len() + 1];
    let mut before = names.len();
    let field = |key: Option<&str>| {
        let key = key?.as_bytes();
        let guess = after[before];
        if names.get(guess as usize).is_some_and(|name| *name == key) {
            before = guess as usize;
            return Some(guess);
        }
        let field = index.get(key).copied().unwrap_or(NONE);
        if field != NONE {
            after[before] = field;
            before = field as usize;
        }
        Some(field)
    };
    keys.iter().copied().map(field).collect()
}
