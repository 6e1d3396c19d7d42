//! The rows of a block as batches of columns.

use packord::columns::ColumnKind;
use packord::container::{Block, BlockKind, RowList};
use std::sync::Arc;

use super::abi::ImportedStream;
use super::arrays::{self, BlockArray};
use super::column::Column;
use super::keyed::KeyedRows;
use super::misfit::Misfit;
use super::types::{Field, Type};
use crate::container::ReadBlock;

/// The most rows that the columns of a batch have together: columns that are mostly missing take no more memory than
/// others.
pub const MAX_SLOTS: usize = 1 << 22;

/// Why a block has no batches.
pub enum BatchError {
    /// The block is malformed.
    Block(packord::Error),
    /// A value is none of its column.
    Misfit {
        misfit: Misfit,
        row: usize,
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
        stored: &ReadBlock,
        rows: &Arc<Field>,
        is_filtered: bool,
    ) -> Result<BlockBatches, BatchError> {
        let none = BlockBatches {
            ready: None,
            rest: None,
        };
        let block = stored.unpack().map_err(BatchError::Block)?;
        if block.kind() != BlockKind::Rows {
            return Ok(none);
        }
        let offset = block.offset();
        let source = match Stored::of(&block, rows, is_filtered) {
            Stored::Keyed(rows) => RowSource::Keyed(rows),
            Stored::Listed => RowSource::Listed(block.into_rows().map_err(BatchError::Block)?),
            Stored::Table => match table(stored, block, rows)? {
                Some(batch) => {
                    let ready = (batch.len() > 0).then(|| Arc::new(batch));
                    return Ok(BlockBatches { ready, ..none });
                }
                None => {
                    let list = stored.unpack().and_then(Block::into_rows);
                    RowSource::Listed(list.map_err(BatchError::Block)?)
                }
            },
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
            row,
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

/// How the rows of a block are stored.
enum Stored {
    /// As columns of keys.
    Table,
    Keyed(KeyedRows),
    /// They must be read one by one.
    Listed,
}

impl Stored {
    fn of(block: &Block, rows: &Field, is_filtered: bool) -> Stored {
        // Faults are those that the rows have when they are read.
        let Ok(Some(view)) = block.columns() else {
            return Stored::Listed;
        };
        match view
            .column("[]")
            .map(|of_rows| (of_rows.kind(), of_rows.len()))
        {
            Some((ColumnKind::Struct, count))
                if count.saturating_mul(rows.ty.leaves()) <= MAX_SLOTS =>
            {
                Stored::Table
            }
            Some((ColumnKind::Map, _)) if !is_filtered => match KeyedRows::of(&view, rows) {
                Ok(Some(keyed)) => Stored::Keyed(keyed),
                _ => Stored::Listed,
            },
            _ => Stored::Listed,
        }
    }
}

/// The rows of a table as a batch, made of the sections. Columns whose type has these values in another form are read row by
/// row. `None` if all must be.
fn table(stored: &ReadBlock, block: Block, rows: &Field) -> Result<Option<Column>, BatchError> {
    let offset = block.offset();
    let Ok(table) = block.into_arrow() else {
        return Ok(None);
    };
    let mut stream = table.stream();
    // The structs of the crate have the same layout: that of the C data interface.
    let Some(mut stream) = (unsafe { ImportedStream::take((&raw mut stream).cast()) }) else {
        return Ok(None);
    };
    let (Ok(schema), Ok(Some(array))) = (stream.schema(), stream.next()) else {
        return Ok(None);
    };
    let source = unsafe { BlockArray::new(&schema, &array) };
    let count = source.len();
    let fields = rows.ty.children();
    let column = |field: &Field| match source.field(&field.name) {
        Some(found) => arrays::column(&field.ty, found),
        // No row has the key.
        None => Some(Column::of_nulls(&field.ty, count)),
    };
    let mut columns: Vec<Option<Column>> = fields.iter().map(column).collect();
    if columns.iter().any(Option::is_none) {
        let others = fields
            .iter()
            .zip(&columns)
            .filter(|(_, column)| column.is_none());
        let ty = Type::Struct(others.map(|(field, _)| field.clone()).collect());
        let list = stored.unpack().and_then(Block::into_rows);
        let list = list.map_err(BatchError::Block)?;
        let (others, next) = listed(&list, 0, &ty);
        let others = others.map_err(|(row, misfit)| BatchError::Misfit {
            misfit,
            row,
            offset,
        })?;
        if next < list.len() {
            return Ok(None);
        }
        let missing = columns.iter_mut().filter(|column| column.is_none());
        for (column, other) in missing.zip(others.into_children()) {
            *column = Some(other);
        }
    }
    let columns = columns.into_iter().flatten().collect();
    Ok(Some(Column::of_columns(&rows.ty, columns, count)))
}
