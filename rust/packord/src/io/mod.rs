//! Messages from [`std::io::Read`] and to [`std::io::Write`].

mod reader;
mod walk;
mod window;
mod writer;

pub use reader::{Messages, UnpackReader};
pub use walk::WalkReader;
pub use writer::PackWriter;

use std::io::{Error, ErrorKind, Read, Result};

pub(crate) fn read_some(reader: &mut impl Read, space: &mut [u8]) -> Result<usize> {
    loop {
        match reader.read(space) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            outcome => return outcome.and_then(|count| believable(count, space)),
        }
    }
}

/// Returns the number of bytes that a reader says it has put into the space, or an error if there is
/// less room than that.
pub(crate) fn believable(count: usize, space: &[u8]) -> Result<usize> {
    if count <= space.len() {
        return Ok(count);
    }
    Err(Error::other("the reader says it has read more than it had room for"))
}
