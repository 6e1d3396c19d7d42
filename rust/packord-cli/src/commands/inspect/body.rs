//! The bodies of the blocks of a container file, which `inspect` shows below their data.

use packord::container::{EXT_TYPE, MAGIC, ReadOptions, Reader};
use packord::wire::marker;
use packord::{DecodeOptions, Error, Event, Token};

/// The bytes of marks.
const MARK_SIZE: usize = 16;
/// The elements of a block-array that are used.
const ELEMENTS: u8 = 5;

/// Finds the blocks in the events of a container file.
pub struct BodyFinder {
    max_block: u64,
    /// The bytes of the header.
    header: Vec<u8>,
    /// The last mark, up to the end of the message after it.
    mark: Vec<u8>,
    /// The offset of the block-array.
    block: u64,
    /// The elements of the block-array so far, and how many that are.
    elements: Vec<u8>,
    count: u8,
    state: BodyState,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum BodyState {
    /// The first message.
    #[default]
    Header,
    /// Not a container file.
    Foreign,
    Between,
    AfterMark,
    InBlock,
}

/// An unpacked body.
pub struct Body {
    /// The offset of its block's mark.
    pub block: u64,
    pub bytes: Vec<u8>,
}

impl Body {
    /// Returns the options to read it with. Columns stay an ext.
    pub fn options() -> DecodeOptions {
        DecodeOptions::new().max_buffer(u64::MAX)
    }
}

impl BodyFinder {
    /// Creates a finder that unpacks bodies up to a number of bytes.
    pub fn new(max_block: u64) -> BodyFinder {
        BodyFinder {
            max_block,
            header: Vec::new(),
            mark: Vec::new(),
            block: 0,
            elements: Vec::new(),
            count: 0,
            state: BodyState::default(),
        }
    }

    /// Takes the next event. Returns a body after its data, or why there is none.
    pub fn event(&mut self, event: &Event<'_>) -> Option<packord::Result<Body>> {
        let is_end = matches!(event.token, Token::End(_));
        match self.state {
            BodyState::Foreign => None,
            BodyState::Header => {
                self.header.extend_from_slice(event.bytes);
                let len = self.header.len().min(MAGIC.len());
                if self.header.get(..len) != MAGIC.get(..len) {
                    self.state = BodyState::Foreign;
                    self.header = Vec::new();
                } else if is_end && event.depth == 0 {
                    self.state = BodyState::Between;
                }
                None
            }
            BodyState::Between => {
                if let Token::Ext(EXT_TYPE, payload) = event.token
                    && payload.len() == MARK_SIZE
                    && event.depth == 0
                {
                    self.mark = event.bytes.to_vec();
                    self.state = BodyState::AfterMark;
                }
                None
            }
            BodyState::AfterMark => {
                let is_block = matches!(event.token, Token::Array(5..));
                self.state = if is_block {
                    BodyState::InBlock
                } else {
                    BodyState::Between
                };
                (self.elements, self.count) = (Vec::new(), 0);
                self.block = event.offset;
                None
            }
            BodyState::InBlock => {
                self.elements.extend_from_slice(event.bytes);
                // Those within the chunks are deeper.
                self.count += u8::from(event.depth == 1 && !is_end);
                if self.count < ELEMENTS {
                    return None;
                }
                self.state = BodyState::Between;
                Some(self.unpack())
            }
        }
    }

    /// Reads a file of this block alone.
    fn unpack(&mut self) -> packord::Result<Body> {
        let array = [marker::FIXARRAY | ELEMENTS];
        let elements = std::mem::take(&mut self.elements);
        let file = [&self.header[..], &self.mark, &array, &elements].concat();
        let options = ReadOptions::new().max_block(self.max_block);
        let start = (self.header.len() + self.mark.len()) as u64;
        // Of this file, the block-array is at another offset.
        let here = |error: Error| match error.offset() {
            Some(offset) if offset >= start => {
                let moved = Error::at(error.kind(), self.block + (offset - start));
                match error.detail() {
                    Some(detail) => moved.with_detail(detail),
                    None => moved,
                }
            }
            _ => error,
        };
        let mut reader = Reader::with_options(&file[..], &options)?;
        let bytes = match reader.next_stored().map_err(here)? {
            Some(block) => block.unpack().map_err(here)?.body().to_vec(),
            None => Vec::new(),
        };
        Ok(Body {
            block: self.block - self.mark.len() as u64,
            bytes,
        })
    }
}
