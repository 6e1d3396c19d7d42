//! Messages of a stream as types of the program.

use super::{MessageScanner, StreamState};
use crate::encode::EncodeOptions;
use crate::error::{Error, ErrorKind, Result};
use crate::walk::root_path;
use alloc::boxed::Box;

impl MessageScanner {
    /// Returns the next message as `read` reads it, or `None` if more bytes are needed. A message
    /// that `read` refuses is taken all the same.
    pub(crate) fn next_typed<T>(&mut self, read: impl Fn(&[u8]) -> Result<(T, usize)>) -> Result<Option<T>> {
        self.pass();
        let offset = self.offset();
        let (input, taken) = self.buffer.split();
        let Some((len, outcome)) = self.state.next_typed(input, offset, read)? else {
            return Ok(None);
        };
        taken.add(len);
        outcome.map(Some)
    }

    /// Does the same with a `read` that can be called only once, when the message is whole.
    pub(crate) fn next_once<T>(&mut self, read: impl FnOnce(&[u8]) -> Result<(T, usize)>) -> Result<Option<T>> {
        self.pass();
        let offset = self.offset();
        let (input, taken) = self.buffer.split();
        let Some(len) = self.state.next_len(input, offset)? else {
            return Ok(None);
        };
        taken.add(len);
        self.state.typed(&input[..len], offset, read).map(Some)
    }
}

impl StreamState {
    /// Reads the next message with `read`, and returns its length and the outcome, or `None` if it
    /// is not whole.
    pub(super) fn next_typed<T>(
        &mut self,
        input: &[u8],
        offset: u64,
        read: impl Fn(&[u8]) -> Result<(T, usize)>,
    ) -> Result<Option<(usize, Result<T>)>> {
        if !self.unbuffered.checked() {
            let whole = self.read_at_once(input, |input, _| read(input).ok());
            if let Some((value, len)) = whole {
                return Ok(Some((len, Ok(value))));
            }
        }
        let Some(len) = self.next_len(input, offset)? else {
            return Ok(None);
        };
        let outcome = self.typed(&input[..len], offset, read);
        Ok(Some((len, outcome)))
    }

    fn typed<T>(&mut self, message: &[u8], offset: u64, read: impl FnOnce(&[u8]) -> Result<(T, usize)>) -> Result<T> {
        let number = self.messages;
        if self.is_sequential() {
            // `read` does not know what earlier messages defined.
            let value = self.read_again::<Box<str>>(message, offset)?;
            let bytes = EncodeOptions::new().encode(&value)?;
            read_whole(&bytes, read).map_err(|error| moved(error, number, |_| offset))
        } else {
            self.take(message.len());
            read_whole(message, read).map_err(|error| moved(error, number, |at| offset + at))
        }
    }
}

fn read_whole<T>(message: &[u8], read: impl FnOnce(&[u8]) -> Result<(T, usize)>) -> Result<T> {
    let (value, len) = read(message)?;
    if len < message.len() {
        return Err(Error::at(ErrorKind::TrailingBytes, len as u64));
    }
    Ok(value)
}

/// Returns the error of a message with another offset, and with the message's number in its path.
#[cold]
fn moved(error: Error, number: u64, to: impl FnOnce(u64) -> u64) -> Error {
    let mut placed = Error::at(error.kind(), to(error.offset().unwrap_or_default()));
    if let Some(inner) = error.path().and_then(|path| path.strip_prefix('$')) {
        placed = placed.with_path(root_path(number) + inner);
    }
    match error.detail() {
        Some(detail) => placed.with_detail(detail),
        None => placed,
    }
}
