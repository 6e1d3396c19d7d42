//! [`TypedRows`]: the rows of a block, which are made into tables one at a time.

use super::MAX_SLOTS;
use super::cast::{cast, nulls};
use super::json::KeyText;
use super::values::{FieldKeys, Fitted, Misfit, NONE, NoColumn, TypedValues, columns_of};
use crate::columns::arrow::array::{ColumnArray, spread};
use crate::columns::arrow::build::ArrayBuilder;
use crate::columns::arrow::field::FieldType;
use crate::columns::arrow::raw::SharedBytes;
use crate::columns::arrow::slots::Slots;
use crate::columns::arrow::table::ArrowTable;
use crate::columns::arrow::take::take;
use crate::columns::arrow::types::{ArrowType, Offsets};
use crate::columns::kind as k;
use crate::columns::read::{Malformed, expand_elements, integers_of, strs_of};
use crate::columns::rows::RowColumns;
use crate::error::Result;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

/// Rows that are in no table yet. Columns that are mostly missing can take much more memory than the block, so there can be
/// several tables.
pub(crate) struct TypedRows {
    rows: Arc<FieldType>,
    source: RowSource,
    /// Of how many rows the next table is made, and the first one of it.
    most: usize,
    next: usize,
    keys: KeyText,
}

enum RowSource {
    /// A table that was made of the columns, or why there is none.
    Made(Option<core::result::Result<ColumnArray, Misfit>>),
    /// Plain rows, and where each begins.
    Listed(SharedBytes, Vec<u32>),
    Keyed(KeyedRows),
}

/// Rows whose keys are one column and whose values are another: those that have few of many keys.
struct KeyedRows {
    bytes: SharedBytes,
    /// Where the entries of each row end.
    ends: Vec<usize>,
    /// The field of each entry, if it is of one, and where its value begins.
    fields: Vec<u32>,
    places: Vec<u32>,
}

impl TypedRows {
    /// Returns plain rows, which begin at the places.
    pub fn of_plain(rows: &Arc<FieldType>, bytes: SharedBytes, places: Vec<u32>, keys: KeyText) -> TypedRows {
        TypedRows::new(rows, RowSource::Listed(bytes, places), keys)
    }

    fn new(rows: &Arc<FieldType>, source: RowSource, keys: KeyText) -> TypedRows {
        TypedRows {
            rows: rows.clone(),
            source,
            most: (MAX_SLOTS / rows.leaves()).max(1),
            next: 0,
            keys,
        }
    }

    /// Returns the rows of a message by column, those that are asked for, of which some columns may have
    /// been made. `None` if they are not stored as maps of strs. `message`: if arrays may keep it.
    ///
    /// # Errors
    ///
    /// `invalid_ext`, at 0.
    pub fn of_columns(
        rows: &Arc<FieldType>,
        message: Option<&SharedBytes>,
        columns: &RowColumns<'_>,
        wanted: Option<&[bool]>,
        made: Option<&MadeColumns>,
        keys: KeyText,
    ) -> Result<Option<TypedRows>> {
        let new = |source| Ok(Some(TypedRows::new(rows, source, keys)));
        if u32::try_from(columns.header.plain_size).is_err() {
            return Ok(None);
        }
        let node = columns.node();
        if node.kind == k::MAP && wanted.is_none() {
            columns.check()?;
            let keyed = KeyedRows::of(columns, rows);
            return keyed.map_or(Ok(None), |keyed| new(RowSource::Keyed(keyed)));
        }
        if node.kind != k::STRUCT {
            return Ok(None);
        }
        let names = rows.children.iter().map(|field| field.name.to_bytes());
        let names: std::collections::HashSet<&[u8]> = names.collect();
        let columns = columns.with_keys(|key| names.contains(key.as_bytes()));
        columns.check()?;
        let count = columns.count();
        if count.saturating_mul(rows.leaves()) <= MAX_SLOTS {
            let maker = TableMaker {
                columns: &columns,
                message,
                wanted,
                made,
                keys,
            };
            match maker.table(rows) {
                Ok(table) => return new(RowSource::Made(Some(Ok(table)))),
                Err(NoColumn::Misfit(misfit)) => return new(RowSource::Made(Some(Err(misfit)))),
                Err(NoColumn::Full) => {}
            }
        }
        let (mut bytes, mut places) = (Vec::new(), Vec::new());
        columns.expand_into(&mut bytes, &mut places)?;
        let places = taken(places, wanted);
        new(RowSource::Listed(SharedBytes::of(bytes), places))
    }

    /// Returns the rows if they are one table that was made of the columns.
    pub fn into_made(self) -> Option<ColumnArray> {
        match self.source {
            RowSource::Made(table) => table?.ok(),
            _ => None,
        }
    }

    /// Returns the next table; `None` after the last one.
    pub fn next(&mut self) -> core::result::Result<Option<ColumnArray>, Misfit> {
        let count = match &mut self.source {
            RowSource::Made(table) => {
                let table = table.take().transpose()?;
                return Ok(table.filter(|table| table.len > 0));
            }
            RowSource::Listed(_, places) => places.len(),
            RowSource::Keyed(rows) => rows.ends.len(),
        };
        loop {
            let end = count.min(self.next.saturating_add(self.most));
            let range = self.next..end;
            if range.is_empty() {
                return Ok(None);
            }
            // A row can't be divided.
            let slots = match range.len() {
                1 => usize::MAX,
                _ => 2 * MAX_SLOTS,
            };
            match self.table(range.clone(), slots) {
                Ok(table) => {
                    self.next = end;
                    return Ok(Some(table));
                }
                Err(NoColumn::Full) => self.most = range.len() / 2,
                Err(NoColumn::Misfit(misfit)) => {
                    let row = range.start + misfit.row;
                    return Err(Misfit { row, ..misfit });
                }
            }
        }
    }

    fn table(&self, range: Range<usize>, slots: usize) -> Fitted<ColumnArray> {
        match &self.source {
            RowSource::Listed(bytes, places) => {
                TypedValues::new(bytes.as_slice(), slots, self.keys).column(&self.rows, &places[range])
            }
            RowSource::Keyed(keyed) => {
                let (rows, fields) = (range.len(), &self.rows.children);
                let mut values = TypedValues::new(keyed.bytes.as_slice(), slots, self.keys);
                let columns = values.columns(fields, &keyed.places(range, fields.len()))?;
                Ok(ColumnArray::of_fields(rows, columns, None))
            }
            RowSource::Made(_) => Err(NoColumn::Full),
        }
    }
}

/// Returns what is asked for of the rows.
fn taken<T>(rows: Vec<T>, wanted: Option<&[bool]>) -> Vec<T> {
    let Some(wanted) = wanted else { return rows };
    let rows = rows.into_iter().zip(wanted);
    rows.filter(|&(_, &is)| is).map(|(row, _)| row).collect()
}

impl KeyedRows {
    /// Returns rows that were checked. `None` if a key is not a str.
    fn of(columns: &RowColumns<'_>, rows: &FieldType) -> Option<KeyedRows> {
        let directory = &columns.directory;
        let node = columns.node();
        let [keys, values] = *directory.columns(node) else {
            return None;
        };
        let mut end = 0;
        let sizes = integers_of(directory.part(node)).ok()?.into_iter();
        let ends = sizes.map(|size| {
            end += size as usize;
            end
        });
        let ends = ends.collect();
        let names = FieldKeys::of(&rows.children);
        let mut expected = 0;
        let mut field = |key: Option<&str>| {
            let found = names.find(key?.as_bytes(), expected);
            expected = found.map_or(expected, |place| place + 1);
            Some(found.map_or(NONE, |place| place as u32))
        };
        let mut fields_of = |node| -> Option<Vec<u32>> {
            let keys = strs_of(directory, node).ok()??;
            keys.into_iter().map(&mut field).collect()
        };
        let keys = directory.node(keys);
        let fields = if keys.kind == k::DICT {
            // Each key is looked for once.
            let entries = fields_of(directory.node(directory.columns(keys)[0]))?;
            let indexes = integers_of(directory.part(keys)).ok()?.into_iter();
            let entry = |index: i64| entries.get(index as usize).copied();
            indexes.map(entry).collect::<Option<_>>()?
        } else {
            fields_of(keys)?
        };
        let (mut bytes, mut places) = (Vec::new(), Vec::new());
        expand_elements(directory, values, &mut bytes, &mut places).ok()?;
        Some(KeyedRows {
            bytes: SharedBytes::of(bytes),
            ends,
            fields,
            places,
        })
    }

    /// Returns for each field where the values of some rows are. Of a key that a row has twice, the last one.
    fn places(&self, range: Range<usize>, fields: usize) -> Vec<Vec<u32>> {
        let mut places = alloc::vec![alloc::vec![NONE; range.len()]; fields];
        let mut entry = range.start.checked_sub(1).map_or(0, |row| self.ends[row]);
        for (row, &end) in self.ends[range].iter().enumerate() {
            let fields = self.fields.get(entry..end).unwrap_or_default();
            let values = self.places.get(entry..end).unwrap_or_default();
            for (&field, &place) in fields.iter().zip(values) {
                if let Some(field) = places.get_mut(field as usize) {
                    field[row] = place;
                }
            }
            entry = end;
        }
        places
    }
}

/// Columns of the rows that are asked for.
#[derive(Clone, Debug)]
pub(crate) struct MadeColumns {
    columns: Vec<(FieldType, ColumnArray)>,
}

impl MadeColumns {
    /// Returns the chosen rows of a table of a type.
    pub fn of(rows: &FieldType, table: &ArrowTable, chosen: &[bool]) -> MadeColumns {
        let indexes = taken((0..chosen.len()).collect(), Some(chosen));
        let columns = rows.children.iter().zip(&table.rows.children);
        let columns = columns.filter_map(|(field, made)| {
            let array = taken_of(made.array.clone(), &indexes, field)?;
            Some((field.clone(), array))
        });
        MadeColumns {
            columns: columns.collect(),
        }
    }

    fn column(&self, field: &FieldType) -> Option<ColumnArray> {
        let mut columns = self.columns.iter();
        let found = columns.find(|(made, _)| made == field);
        found.map(|(_, array)| array.clone())
    }
}

/// Returns some rows of a column, with the type of a field.
fn taken_of(array: ColumnArray, rows: &[usize], field: &FieldType) -> Option<ColumnArray> {
    let array = take(array, rows, &mut Slots::new(u64::MAX)).ok()?;
    cast(array, field)
}

struct TableMaker<'m, 'a> {
    columns: &'m RowColumns<'a>,
    message: Option<&'m SharedBytes>,
    wanted: Option<&'m [bool]>,
    made: Option<&'m MadeColumns>,
    keys: KeyText,
}

impl TableMaker<'_, '_> {
    fn table(&self, rows: &FieldType) -> Fitted<ColumnArray> {
        let directory = &self.columns.directory;
        let node = self.columns.node();
        let layout = &directory.layouts[node.layout];
        let shapes = node.has_part.then(|| integers_of(directory.part(node)));
        let shapes = shapes.transpose().map_err(|Malformed| NoColumn::Full)?;
        let taken = self.wanted.map(|_| taken((0..node.n).collect(), self.wanted));
        let count = taken.as_ref().map_or(node.n, Vec::len);
        let columns = columns_of(&rows.children, |field| {
            if let Some(column) = self.made.and_then(|made| made.column(field)) {
                return Ok(column);
            }
            let name = field.name.to_bytes();
            let place = layout.keys.iter().position(|key| key.as_bytes() == name);
            let Some(place) = place else {
                // No row has the key.
                return nulls(field, count).ok_or(NoColumn::Full);
            };
            let has = shapes.as_ref().map(|shapes| layout.rows_with_key(shapes, place as u32));
            let has = has.transpose().map_err(|Malformed| NoColumn::Full)?;
            let index = directory.columns(node)[place];
            match self.by_column(field, index, has.as_deref(), taken.as_deref()) {
                Some(column) => Ok(column),
                None => self.by_value(field, index, has.as_deref()),
            }
        })?;
        Ok(ColumnArray::of_fields(count, columns, None))
    }

    /// Returns the values of a column, if their type there suits the field.
    fn by_column(
        &self,
        field: &FieldType,
        index: u32,
        has: Option<&[bool]>,
        taken: Option<&[usize]>,
    ) -> Option<ColumnArray> {
        let directory = &self.columns.directory;
        let node = directory.node(index);
        if matches!(field.ty, ArrowType::Utf8(_)) && node.kind == k::UNION && directory.columns(node).len() > 2 {
            return None;
        }
        let mut builder = ArrayBuilder {
            directory,
            message: self.message,
            slots: Slots::new(self.columns.header.plain_size),
            // With `wanted`, rows are taken first, and only their values are cast.
            texts: match self.wanted {
                Some(_) => None,
                None => Some(field.texts().unwrap_or(Offsets::Large)),
            },
        };
        let array = builder.array(index, has).ok()?;
        match taken {
            Some(rows) => taken_of(array, rows, field),
            None => cast(array, field),
        }
    }

    /// Returns the values of a column, read one by one.
    fn by_value(&self, field: &FieldType, index: u32, has: Option<&[bool]>) -> Fitted<ColumnArray> {
        let (mut bytes, mut places) = (Vec::new(), Vec::new());
        let directory = &self.columns.directory;
        expand_elements(directory, index, &mut bytes, &mut places).map_err(|Malformed| NoColumn::Full)?;
        let mut values = TypedValues::new(&bytes, 2 * MAX_SLOTS, self.keys);
        let places = taken(spread(places, has, NONE), self.wanted);
        let mut columns = values.columns(core::slice::from_ref(field), &[places])?;
        columns.pop().map(|field| field.array).ok_or(NoColumn::Full)
    }
}
