//! The rows of a block as batches of columns.

use packord::columns::{ColumnView, ColumnsView};
use packord::container::{Block, BlockKind, Predicate, RowList};
use std::sync::Arc;

use super::column::Column;
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
    list: RowList<'static>,
    next: usize,
    rows: Arc<Field>,
    filter: Option<Arc<Predicate>>,
    offset: u64,
}

impl BlockBatches {
    /// The rows of a block that match, as columns of a type: makes the first batch. Blocks of messages have none.
    pub fn of(
        block: Block,
        rows: &Arc<Field>,
        filter: Option<&Arc<Predicate>>,
    ) -> Result<BlockBatches, BatchError> {
        let none = BlockBatches {
            ready: None,
            rest: None,
        };
        if block.kind() != BlockKind::Rows {
            return Ok(none);
        }
        let offset = block.offset();
        if filter.is_none() {
            let columns = block.columns().map_err(BatchError::Block)?;
            let batch = columns.map_or(Ok(None), |view| by_column(&view, rows));
            match batch {
                Ok(Some(batch)) => {
                    let ready = Some(Arc::new(batch));
                    return Ok(BlockBatches { ready, ..none });
                }
                Ok(None) => {}
                Err(ColumnError::Malformed) => return Err(BatchError::Columns { offset }),
                Err(ColumnError::Misfit(misfit)) => {
                    let row = None;
                    return Err(BatchError::Misfit {
                        misfit,
                        row,
                        offset,
                    });
                }
            }
        }
        let mut batches = BlockBatches {
            rest: Some(RowsLeft {
                list: block.into_rows().map_err(BatchError::Block)?,
                next: 0,
                rows: rows.clone(),
                filter: filter.cloned(),
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
        let mut batch = Column::new(ty);
        // So that counting costs little beside the rows.
        let often = (1 << 16) / ty.leaves() + 1;
        while let Some(row) = self.list.get(self.next) {
            let number = self.next;
            self.next += 1;
            if self
                .filter
                .as_ref()
                .is_some_and(|filter| !filter.matches(row))
            {
                continue;
            }
            batch.push(row, 0).map_err(|misfit| BatchError::Misfit {
                misfit,
                row: Some(number),
                offset: self.offset,
            })?;
            if batch.len() % often == 0 && batch.slots() >= MAX_SLOTS {
                break;
            }
        }
        batch.finish();
        Ok((batch.len() > 0).then(|| Arc::new(batch)))
    }
}

enum ColumnError {
    /// The same fault whatever is wrong with it.
    Malformed,
    Misfit(Misfit),
}

/// Rows that are stored by column, without those that are not asked for. `None` if the rows must be read one by one.
fn by_column(view: &ColumnsView<'_>, rows: &Field) -> Result<Option<Column>, ColumnError> {
    let Some(of_rows) = view.column("[]") else {
        return Ok(None);
    };
    let is_struct = of_rows.kind() == packord::columns::ColumnKind::Struct;
    let fields = rows.ty.children();
    let count = of_rows.len();
    if !is_struct || count.saturating_mul(rows.ty.leaves()) > MAX_SLOTS {
        return Ok(None);
    }
    let mut columns = Vec::with_capacity(fields.len());
    for field in fields {
        match column_of(view, field, count)? {
            Some(column) => columns.push(column),
            None => return Ok(None),
        }
    }
    Ok(Some(Column::of_columns(&rows.ty, columns, count)))
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
            Some(present) => column.spread(&present),
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
