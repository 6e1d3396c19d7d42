//! All rows as one stream of messages.

use std::io::{self, Cursor, Read};

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
        rows: Cursor::default(),
    }
}

/// Returns the rows for which a test holds.
fn matching(rows: &RowList<'_>, test: &Test) -> Vec<u8> {
    let rows = rows.iter().filter(|row| test.holds(Part::of_message(row)));
    rows.flatten().copied().collect()
}

struct RowsReader {
    unpacking: Unpacking<Vec<u8>>,
    /// The rows of a block.
    rows: Cursor<Vec<u8>>,
}

impl Read for RowsReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.rows.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            match self.unpacking.next_result() {
                Ok(Some(rows)) => self.rows = Cursor::new(rows),
                Ok(None) => return Ok(0),
                Err(failure) => return Err(io::Error::other(failure)),
            }
        }
    }
}
