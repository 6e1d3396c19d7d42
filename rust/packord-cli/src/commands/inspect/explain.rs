//! What the values of a container file mean: those of its header, of the arrays of its blocks, and of its index.

use std::borrow::Cow;

use packord::container::EXT_TYPE;
use packord::{Event, Token};

/// The bytes of marks.
const MARK_SIZE: usize = 16;

/// Says of each event of a container file what the value is for.
#[derive(Default)]
pub struct Explainer {
    part: FilePart,
    /// The place of the last element in each open container, -1 before the first. Keys count too.
    places: Vec<i64>,
    /// The first element of a block-array.
    kind: Option<u64>,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum FilePart {
    #[default]
    Start,
    /// Not a container file.
    Foreign,
    Header,
    Between,
    AfterMark,
    Block,
    Index,
}

impl Explainer {
    /// Takes the next event. Returns what its value is for, if the event does not say it.
    pub fn event(&mut self, event: &Event<'_>) -> Option<Cow<'static, str>> {
        if self.part == FilePart::Foreign {
            return None;
        }
        if let Token::End(_) = event.token {
            self.places.pop();
            if event.depth == 0 {
                self.part = FilePart::Between;
            }
            return None;
        }
        let note = if event.depth == 0 {
            self.message(event)
        } else {
            if let Some(place) = self.places.last_mut() {
                *place += 1;
            }
            self.known(event)
        };
        if event.token.opens() {
            self.places.push(-1);
        }
        note
    }

    /// Takes the first event of a message.
    fn message(&mut self, event: &Event<'_>) -> Option<Cow<'static, str>> {
        let (part, note) = match (self.part, &event.token) {
            (FilePart::Start, Token::Array(4)) => (FilePart::Header, None),
            (FilePart::Start, _) => (FilePart::Foreign, None),
            (FilePart::AfterMark, Token::Array(4)) => (FilePart::Index, Some("index")),
            (FilePart::AfterMark, Token::Array(5..)) => (FilePart::Block, Some("block")),
            (_, Token::Ext(EXT_TYPE, payload)) if payload.len() == MARK_SIZE => (FilePart::AfterMark, None),
            (_, Token::Ext(EXT_TYPE, payload)) => {
                self.part = FilePart::Between;
                return trailer(payload).map(Cow::Owned);
            }
            _ => (FilePart::Between, None),
        };
        self.part = part;
        note.map(Cow::Borrowed)
    }

    /// Returns what the value at the current place is for.
    fn known(&mut self, event: &Event<'_>) -> Option<Cow<'static, str>> {
        if let (FilePart::Block, [3, number]) = (self.part, &self.places[..]) {
            let what = ["bytes of the body", "bytes in the data", "CRC-32C"];
            let what = what[number.rem_euclid(3) as usize];
            return Some(format!("chunk {}: {what}", number / 3).into());
        }
        let note = match (self.part, &self.places[..]) {
            (FilePart::Header, [0]) if !matches!(event.token, Token::Str("packord")) => {
                self.part = FilePart::Foreign;
                None
            }
            (FilePart::Header | FilePart::Index, [1]) => Some("version"),
            (FilePart::Header, [2]) => Some("options"),
            (FilePart::Header, [3]) => Some("CRC-32C of all bytes before it"),
            (FilePart::Block, [place]) => self.of_block(*place, event),
            (FilePart::Index, places) => of_index(places),
            _ => None,
        };
        note.map(Cow::Borrowed)
    }

    fn of_block(&mut self, place: i64, event: &Event<'_>) -> Option<&'static str> {
        if place == 0 {
            self.kind = match &event.token {
                Token::Int(kind) => kind.as_u64(),
                _ => None,
            };
        }
        Some(match (place, self.kind) {
            (0, Some(0)) => "kind: messages",
            (0, Some(1)) => "kind: rows",
            (1, Some(0)) => "messages",
            (1, Some(1)) => "rows",
            (2, _) if matches!(event.token, Token::Nil) => "codec: that of the header",
            (2, _) => "codec",
            (3, _) => "chunks",
            (4, _) => "data",
            _ => return None,
        })
    }
}

/// Says what is in a trailer.
fn trailer(payload: &[u8]) -> Option<String> {
    let (offset, crc) = payload.split_first_chunk()?;
    let crc = u32::from_be_bytes(crc.try_into().ok()?);
    let offset = u64::from_be_bytes(*offset);
    Some(format!(
        "the mark of the index is at byte {offset}, CRC-32C from there {crc:08x}"
    ))
}

fn of_index(places: &[i64]) -> Option<&'static str> {
    Some(match places {
        [2] => "blocks",
        [2, _] => "block",
        [2, _, 0] => "offset of its mark",
        [2, _, 1] => "bytes, with its mark",
        [2, _, 2] => "rows or messages",
        [2, _, 3] => "statistics",
        [2, _, 3, _, 0] => "nil or missing",
        [2, _, 3, _, 1] => "least",
        [2, _, 3, _, 2] => "greatest",
        [3] => "totals",
        // Those of the schema are the only ones at this depth.
        [3, _, _, 0] => "types",
        [3, _, _, 1] => "whether nil or missing",
        _ => return None,
    })
}
