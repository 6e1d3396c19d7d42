//! The rows of a block as batches of columns.

use packord::columns::{ColumnKind, ColumnView, ColumnsView};
use packord::container::{Block, BlockKind, RowList};
use std::sync::Arc;

use super::column::Column;
use super::keyed::KeyedRows;
use super::misfit::{Misfit, Part};
use super::types::{Field, Type};
use crate::wire::item::{Item, item};

/// The most rows that the columns of a batch have together: columns that are mostly missing take no more memory than
/// others.
const MAX_SLOTS: usize = 1 << 22;

/// Why a block has no batches.
pub enum BatchError {
    /// The block is malformed.
    Block(packord::Error),
    /// A column of it is malformed; the offset is that of the mark of the block.
    Columns { offset: u64 },
    /// A value is none of its column.
    Misfit {
        misfit: Misfit,
        row: Option<usize>,
        offset: u64,
    },
}

impl BatchError {
    /// Whether the file is at fault, and not what was asked for.
    pub fn is_damage(&self) -> bool {
        !matches!(self, BatchError::Misfit { .. })
    }
}

/// The batches of a block that are still to come. They are made one at a time: columns that are mostly missing can
/// take much more memory than the block.
pub struct BlockBatches {
    /// The one that was made first.
    ready: Option<Arc<Column>>,
    rest: Option<RowsLeft>,
}

/// Rows that are in no batch yet.
struct RowsLeft {
    source: RowSource,
    /// The number of the row that comes next.
    next: usize,
    rows: Arc<Field>,
    offset: u64,
}

enum RowSource {
    /// Rows one by one.
    Listed(RowList<'static>),
    Keyed(KeyedRows),
}

impl BlockBatches {
    /// The rows of a block that match, as columns of a type: makes the first batch. Blocks of messages have none.
    pub fn of(
        block: Block,
        rows: &Arc<Field>,
        is_filtered: bool,
    ) -> Result<BlockBatches, BatchError> {
        let none = BlockBatches {
            ready: None,
            rest: None,
        };
        if block.kind() != BlockKind::Rows {
            return Ok(none);
        }
        let offset = block.offset();
        let by_column = match is_filtered {
            true => ByColumn::No,
            false => {
                let columns = block.columns().map_err(BatchError::Block)?;
                let found = columns.map_or(Ok(ByColumn::No), |view| by_column(&view, rows));
                found.map_err(|error| error.placed(offset))?
            }
        };
        let source = match by_column {
            ByColumn::Batch(batch) => {
                let ready = Some(Arc::new(batch));
                return Ok(BlockBatches { ready, ..none });
            }
            ByColumn::Keyed(rows) => RowSource::Keyed(rows),
            ByColumn::No => {
                let list = block.into_rows().map_err(BatchError::Block)?;
                RowSource::Listed(list)
            }
        };
        let mut batches = BlockBatches {
            rest: Some(RowsLeft {
                source,
                next: 0,
                rows: rows.clone(),
                offset,
            }),
            ..none
        };
        batches.ready = batches.next()?;
        Ok(batches)
    }

    /// The next batch; `None` after the last one.
    pub fn next(&mut self) -> Result<Option<Arc<Column>>, BatchError> {
        if let Some(batch) = self.ready.take() {
            return Ok(Some(batch));
        }
        let Some(rest) = &mut self.rest else {
            return Ok(None);
        };
        let batch = rest.batch();
        if !matches!(batch, Ok(Some(_))) {
            self.rest = None;
        }
        batch
    }
}

impl RowsLeft {
    /// As many rows as a batch takes.
    fn batch(&mut self) -> Result<Option<Arc<Column>>, BatchError> {
        let ty = &self.rows.ty;
        let (batch, next) = match &self.source {
            RowSource::Listed(list) => listed(list, self.next, ty),
            RowSource::Keyed(rows) => {
                let most = (MAX_SLOTS / ty.leaves()).max(1);
                let end = rows.count().min(self.next + most);
                (rows.batch(ty, self.next..end), end)
            }
        };
        self.next = next;
        let batch = batch.map_err(|(row, misfit)| BatchError::Misfit {
            misfit,
            row: Some(row),
            offset: self.offset,
        })?;
        Ok((batch.len() > 0).then(|| Arc::new(batch)))
    }
}

/// A batch of the rows from a number on, and the number of the row after it.
fn listed(
    list: &RowList<'_>,
    mut next: usize,
    ty: &Type,
) -> (Result<Column, (usize, Misfit)>, usize) {
    let mut batch = Column::new(ty);
    // So that counting costs little beside the rows.
    let often = (1 << 16) / ty.leaves() + 1;
    while let Some(row) = list.get(next) {
        let number = next;
        next += 1;
        if let Err(misfit) = batch.push(row, 0) {
            return (Err((number, misfit)), next);
        }
        if batch.len() % often == 0 && batch.slots() >= MAX_SLOTS {
            break;
        }
    }
    batch.finish();
    (Ok(batch), next)
}

/// What is made of rows that are stored by column.
enum ByColumn {
    Batch(Column),
    Keyed(KeyedRows),
    /// The rows must be read one by one.
    No,
}

enum ColumnError {
    /// The same fault whatever is wrong with it.
    Malformed,
    Misfit(Misfit),
}

impl ColumnError {
    fn placed(self, offset: u64) -> BatchError {
        match self {
            ColumnError::Malformed => BatchError::Columns { offset },
            ColumnError::Misfit(misfit) => BatchError::Misfit {
                misfit,
                row: None,
                offset,
            },
        }
    }
}

/// Reads the columns that are asked for, and no others.
fn by_column(view: &ColumnsView<'_>, rows: &Field) -> Result<ByColumn, ColumnError> {
    let Some(of_rows) = view.column("[]") else {
        return Ok(ByColumn::No);
    };
    let fields = rows.ty.children();
    let count = of_rows.len();
    match of_rows.kind() {
        ColumnKind::Struct if count.saturating_mul(rows.ty.leaves()) <= MAX_SLOTS => {}
        ColumnKind::Map => {
            let keyed = KeyedRows::of(view, rows).map_err(|_| ColumnError::Malformed)?;
            return Ok(keyed.map_or(ByColumn::No, ByColumn::Keyed));
        }
        _ => return Ok(ByColumn::No),
    }
    let mut columns = Vec::with_capacity(fields.len());
    for field in fields {
        match column_of(view, field, count)? {
            Some(column) => columns.push(column),
            None => return Ok(ByColumn::No),
        }
    }
    let batch = Column::of_columns(&rows.ty, columns, count);
    Ok(ByColumn::Batch(batch))
}

fn column_of(
    view: &ColumnsView<'_>,
    field: &Field,
    count: usize,
) -> Result<Option<Column>, ColumnError> {
    let Some(name) = field.name.to_str().ok().filter(|name| is_plain(name)) else {
        return Ok(None);
    };
    let Some(stored) = view.column(&format!("[].{name}")) else {
        // No row has the key.
        return Ok(Some(Column::of_nulls(&field.ty, count)));
    };
    if stored.len() + stored.missing() != count {
        return Ok(None);
    }
    let present = stored.present().map_err(|_| ColumnError::Malformed)?;
    let named = |misfit: Misfit| ColumnError::Misfit(misfit.within(|| Part::Key(name.into())));
    Ok(
        values_of(&stored, &field.ty, named)?.map(|column| match present {
            Some(present) => {
                let rows = (0..)
                    .zip(present)
                    .filter_map(|(row, is_present)| is_present.then_some(row));
                column.spread(&rows.collect::<Vec<_>>(), count)
            }
            None => column,
        }),
    )
}

/// The values of a stored column, without the rows that lack its key. `None` if the rows must be read one by one.
fn values_of(
    stored: &ColumnView<'_, '_>,
    ty: &Type,
    named: impl Fn(Misfit) -> ColumnError,
) -> Result<Option<Column>, ColumnError> {
    let mut column = Column::new(ty);
    if matches!(ty, Type::Int { .. } | Type::Float { .. }) {
        let numbers = stored.numbers().map_err(|_| ColumnError::Malformed)?;
        if numbers.is_some_and(|numbers| column.push_numbers(&numbers)) {
            return Ok(Some(column));
        }
    }
    if matches!(ty, Type::Bytes { text: true, .. }) {
        let strs = stored.strs().map_err(|_| ColumnError::Malformed)?;
        if let Some(strs) = strs {
            if column.push_strs(&strs).map_err(&named)? {
                return Ok(Some(column));
            }
        }
    }
    let mut plain = Vec::new();
    let expanded = stored.expand_into(&mut plain);
    expanded.map_err(|_| ColumnError::Malformed)?;
    let Some((Item::Array(found), mut at)) = item(&plain, 0) else {
        return Ok(None);
    };
    for _ in 0..found {
        at = column.push(&plain, at).map_err(&named)?;
    }
    column.finish();
    Ok((column.len() == stored.len()).then_some(column))
}

/// Whether a key is a path by itself.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.contains(['.', '[', '{'])
}
