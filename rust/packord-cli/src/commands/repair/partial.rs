//! A message that was read in part, and how to end it early.

use std::ops::Range;

use packord::encode::Packer;
use packord::{Event, Role, Token};

/// A message as far as it was read, and what is needed to end its containers early.
#[derive(Default)]
pub struct PartialMessage {
    /// The bytes so far.
    pub bytes: Vec<u8>,
    /// The containers that have not ended, the outermost first.
    pub open: Vec<CutContainer>,
    /// The number of open containers of a record or of a key. These are kept as a whole or not at
    /// all: a record has as many fields as its structure has keys.
    indivisible: usize,
    /// The complete values.
    pub values: u64,
    /// Where the last complete element or entry ends.
    pub end: usize,
}

/// A container that has not ended.
pub struct CutContainer {
    is_map: bool,
    header: Range<usize>,
    /// The complete elements or entries.
    count: usize,
    /// Where the last of them ends.
    end: usize,
}

impl PartialMessage {
    /// Takes the next event.
    pub fn event(&mut self, event: &Event<'_>) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(event.bytes);
        let is_end = matches!(event.token, Token::End(_));
        if self.indivisible > 0 || (event.token.opens() && !is_divisible(event)) {
            self.indivisible += usize::from(event.token.opens());
            self.indivisible -= usize::from(is_end);
            if self.indivisible > 0 {
                return;
            }
        } else if event.token.opens() {
            let header = start..self.bytes.len();
            self.open.push(CutContainer {
                is_map: matches!(event.token, Token::Map(_)),
                count: 0,
                end: header.end,
                header,
            });
            return;
        } else if is_end {
            self.open.pop();
        }
        // A value is complete. An entry is complete with its value.
        let Some(around) = self.open.last_mut().filter(|_| event.role != Role::Key) else {
            return;
        };
        around.count += 1;
        around.end = self.bytes.len();
        self.values += 1;
        self.end = self.bytes.len();
    }

    /// Returns a message of the complete values: each open container has a lower count, and ends
    /// after its last complete element or entry.
    #[must_use]
    pub fn closed(&self) -> Vec<u8> {
        let mut packer = Packer::new(Vec::new());
        for (index, container) in self.open.iter().enumerate() {
            let inner = self.open.get(index + 1);
            let count = container.count + usize::from(inner.is_some());
            // The count is at most the one that was read.
            let _ = if container.is_map {
                packer.map(count)
            } else {
                packer.array(count)
            };
            let end = inner.map_or(container.end, |inner| inner.header.start);
            let mut bytes = packer.into_buffer();
            bytes.extend_from_slice(&self.bytes[container.header.end..end]);
            packer = Packer::new(bytes);
        }
        packer.into_buffer()
    }
}

/// Returns whether a container can end early.
fn is_divisible(event: &Event<'_>) -> bool {
    event.role != Role::Key && matches!(event.token, Token::Array(_) | Token::Map(_))
}
