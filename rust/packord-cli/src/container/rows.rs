//! All rows as one stream of messages.

use std::io::{self, Read};

use packord::container::{RowList, StoredBlock};

use super::blocks::Blocks;
use super::unpack::Unpacking;
use crate::query::{Part, Test};
use crate::threads::Threads;

/// Returns a reader of all rows and messages, each as a message without records and columns. With a test, rows for
/// which it does not hold are left out.
pub fn rows_of(blocks: Blocks, threads: &Threads, test: Option<Test>) -> impl Read + 'static {
    let work = move |_: &StoredBlock, rows: RowList<'static>| match &test {
        None => rows.into_bytes(),
        Some(test) => matching(&rows, test),
    };
    RowsReader {
        unpacking: Unpacking::new(blocks, threads, work),
        rows: Vec::new(),
        at: 0,
    }
}

/// Returns the rows for which a test holds.
fn matching(rows: &RowList<'_>, test: &Test) -> Vec<u8> {
    let rows = rows.iter().filter(|row| test.holds(Part::of_message(row)));
    rows.flatten().copied().collect()
}

struct RowsReader {
    unpacking: Unpacking<Vec<u8>>,
    /// The rows of a block, which were read up to `at`.
    rows: Vec<u8>,
    at: usize,
}

impl Read for RowsReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.rows.len() {
            match self.unpacking.next_result() {
                Ok(Some(rows)) => (self.rows, self.at) = (rows, 0),
                Ok(None) => return Ok(0),
                Err(failure) => return Err(io::Error::other(failure)),
            }
        }
        let rest = self.rows.get(self.at..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        self.at += count;
        Ok(count)
    }
}
