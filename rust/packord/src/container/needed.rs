//! [`NeededRows`]: which rows of a block a program needs, by some of their columns.

use super::rows::{MAX_EXPANSION, notation};
use crate::columns::arrow::typed::{MadeColumns, TypedRows};
use crate::columns::arrow::{ArrowArrayStream, ArrowTable, TableType, flags};
use crate::columns::rows::RowColumns;
use crate::error::{Error, Result};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::io;

type Choose = dyn Fn(ArrowTable) -> io::Result<ArrowArrayStream> + Send + Sync;

/// How many blocks are not asked about after one of which more than a quarter of the rows is needed:
/// taking them costs as much as it saves.
const PAUSE: usize = 7;

/// What a program says of tables with some columns: which rows it needs.
#[derive(Clone)]
pub(super) struct NeededRows {
    ty: TableType,
    choose: Arc<Choose>,
    pause: Arc<AtomicUsize>,
}

/// The rows of a block that are needed, and the columns by which that was found.
pub(super) struct FoundRows {
    pub rows: Vec<bool>,
    pub made: MadeColumns,
}

impl NeededRows {
    pub fn new(ty: &TableType, choose: Arc<Choose>) -> NeededRows {
        NeededRows {
            ty: ty.clone(),
            choose,
            pause: Arc::default(),
        }
    }

    /// Returns whether the next block is asked about.
    pub fn is_asked(&self) -> bool {
        let left = self.pause.load(Ordering::Relaxed);
        self.pause.store(left.saturating_sub(1), Ordering::Relaxed);
        left == 0
    }

    /// Returns whether a key is one of the columns.
    pub fn names(&self, key: &str) -> bool {
        self.ty.names().any(|name| name == key)
    }

    /// Asks which rows of a body are needed, of those that match. `None` if more than a quarter of them
    /// is, or if the columns are not one table: why not is what reading all of them says.
    ///
    /// # Errors
    ///
    /// `io` for what the program says, so that no block is at fault.
    pub fn find(&self, body: &[u8], matching: Option<&[bool]>) -> Result<Option<FoundRows>> {
        let Ok(Some(columns)) = RowColumns::of_message(body, MAX_EXPANSION) else {
            return Ok(None);
        };
        let rows = TypedRows::of_columns(&self.ty.rows, None, &columns, matching, None, notation);
        let Some(array) = rows.ok().flatten().and_then(TypedRows::into_made) else {
            return Ok(None);
        };
        let table = ArrowTable::of(array);
        let stream = (self.choose)(table.clone()).map_err(|error| Error::io(error, 0))?;
        let chosen = flags(stream).map_err(|error| other(&error))?;
        if chosen.len() != table.rows() {
            return Err(other(&"the choice has another number of rows"));
        }
        if 4 * chosen.iter().filter(|&&is| is).count() > chosen.len() {
            self.pause.store(PAUSE, Ordering::Relaxed);
            return Ok(None);
        }
        let made = MadeColumns::of(&self.ty.rows, &table, &chosen);
        let rows = match matching {
            Some(matching) => {
                let mut chosen = chosen.iter();
                let is_needed = |&is: &bool| is && chosen.next() == Some(&true);
                matching.iter().map(is_needed).collect()
            }
            None => chosen,
        };
        Ok(Some(FoundRows { rows, made }))
    }
}

#[cold]
fn other(error: &dyn fmt::Display) -> Error {
    Error::io(io::Error::other(alloc::format!("{error}")), 0)
}

impl fmt::Debug for NeededRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NeededRows")
            .field("ty", &self.ty)
            .finish_non_exhaustive()
    }
}
