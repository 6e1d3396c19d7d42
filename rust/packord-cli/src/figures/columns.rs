//! The figures of values that are stored by column.

use std::collections::BTreeMap;

use packord::columns::Columns;
use serde::Serialize;

use crate::limits::STATS_PATHS;

/// Values that are stored by column, and their columns.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ColumnsFigures {
    /// The number of values.
    pub values: u64,
    /// The bytes of their payloads.
    pub bytes: u64,
    /// The bytes that they would have plainly.
    pub plain_bytes: u64,
    /// The columns by path.
    pub columns: BTreeMap<String, ColumnFigures>,
}

/// The columns with one path.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ColumnFigures {
    /// How they are stored, in the order in which that was seen.
    pub kinds: Vec<&'static str>,
    /// The number of values.
    pub count: u64,
    /// The bytes that store them, without those of columns in them.
    pub bytes: u64,
}

impl ColumnsFigures {
    /// Counts a payload. Beyond a number of paths, further ones are left out.
    pub fn add(&mut self, columns: &Columns<'_>, payload: u64) {
        self.values += 1;
        self.bytes += payload;
        self.plain_bytes += columns.plain_size();
        let Ok(view) = columns.view() else { return };
        let mut paths = 0;
        for column in view.columns() {
            let path = column.path();
            // Those in a long key could take thousands of times the payload.
            paths += path.len() as u64;
            let is_known = self.columns.contains_key(&path);
            if paths > columns.plain_size() || !is_known && self.columns.len() >= STATS_PATHS {
                return;
            }
            let (kind, found) = (column.kind().name(), self.columns.entry(path).or_default());
            if !found.kinds.contains(&kind) {
                found.kinds.push(kind);
            }
            found.count += column.len() as u64;
            found.bytes += column.stored_size() as u64;
        }
    }
}
