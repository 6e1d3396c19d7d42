//! [`FrameScanner`]: finds messages in a buffer that its owner keeps.

use super::StreamState;
use crate::error::Result;
use crate::options::DecodeOptions;

/// Finds messages at the start of a buffer of the caller, who drops what was taken, adds what
/// arrives, and owns the rest. Only the place within an incomplete message is kept here.
#[derive(Debug)]
pub(crate) struct FrameScanner {
    state: StreamState,
    /// The stream's offset of the buffer's first byte.
    offset: u64,
    /// Number of bytes of the incomplete message that were there at the last call.
    seen: usize,
}

impl FrameScanner {
    pub fn new(options: &DecodeOptions) -> FrameScanner {
        FrameScanner {
            state: StreamState::new(options),
            offset: 0,
            seen: 0,
        }
    }

    /// Reads the next message with `read`. The caller drops `taken` bytes, also after an error: a
    /// message that `read` refuses is taken all the same.
    pub fn next<T>(
        &mut self,
        input: &[u8],
        taken: &mut usize,
        read: impl Fn(&[u8]) -> Result<(T, usize)>,
    ) -> Result<Option<T>> {
        self.note(input);
        if self.state.passing.is_some() {
            *taken = self.state.pass(input, self.offset);
            self.offset += *taken as u64;
        }
        let input = &input[*taken..];
        self.seen = input.len();
        let Some((len, outcome)) = self.state.next_typed(input, self.offset, read)? else {
            return Ok(None);
        };
        *taken += len;
        self.offset += len as u64;
        self.seen = 0;
        outcome.map(Some)
    }

    /// Ends the stream, of which these bytes are left, after [`next`](FrameScanner::next) has found no
    /// message in them.
    pub fn finish(&mut self, input: &[u8]) -> Result<()> {
        self.note(input);
        self.state.finish(input, self.offset)
    }

    /// If the caller has dropped bytes of the incomplete message, another message begins.
    fn note(&mut self, input: &[u8]) {
        if input.len() < self.seen {
            self.state.start_again();
        }
        self.seen = input.len();
    }
}
