//! Builds the index: one [`Cell`] for each value, in the order of the bytes.

use crate::ext::{BIGINT, Timestamp, bigint_value};
use crate::options::{Rules, Utf8};
use crate::read::FastDecoder;
use crate::read::check_depth;
use crate::read::tree::unkept;
use crate::read::{Fault, ValueDecoder, ValueSink, makes};
use crate::record::{RecordHead, Structure};
use crate::value::{Integer, Sign};
use alloc::vec::Vec;

/// The type of a cell's value. Containers come last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
#[repr(u8)]
pub(super) enum Tag {
    Nil,
    Bool,
    Negative,
    Positive,
    F32,
    F64,
    Str,
    Bin,
    Ext,
    Timestamp,
    Array,
    Map,
    Record,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// The number, or the length of the payload. For containers the low half is the count, or the
    /// index of a record's structure; the high half is the index of the cell after the container.
    pub data: u64,
    /// Offset of the value in the input.
    pub at: u32,
    pub tag: Tag,
}

const _: () = assert!(size_of::<Cell>() == 16);

impl Cell {
    pub const NIL: Cell = Cell {
        data: 0,
        at: 0,
        tag: Tag::Nil,
    };

    pub fn low(self) -> u32 {
        self.data as u32
    }

    /// Returns the index of the cell after this value, whose cell is at `index`.
    pub fn next(self, index: usize) -> usize {
        if self.tag >= Tag::Array {
            (self.data >> 32) as usize
        } else {
            index + 1
        }
    }
}

/// Number of cells in a chunk.
const CHUNK: usize = 4096;

/// The cells, in chunks. So building them takes at most the memory of the finished index and one
/// chunk, and only the first few cells are moved.
#[derive(Debug)]
pub(super) struct Cells {
    full: Vec<Vec<Cell>>,
    last: Vec<Cell>,
    /// Capacity of the last chunk, at most [`CHUNK`].
    room: usize,
}

impl Cells {
    fn for_input(len: usize) -> Cells {
        // Most values take five bytes or more.
        let room = (len / 5 + 1).min(CHUNK);
        Cells {
            full: Vec::new(),
            last: Vec::with_capacity(room),
            room,
        }
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.full.len() * CHUNK + self.last.len()
    }

    #[inline(always)]
    pub fn get(&self, index: usize) -> Option<Cell> {
        let chunk = match self.full.get(index / CHUNK) {
            Some(chunk) => chunk,
            None if index / CHUNK == self.full.len() => &self.last,
            None => return None,
        };
        chunk.get(index % CHUNK).copied()
    }

    #[inline(always)]
    fn push(&mut self, cell: Cell) {
        if self.last.len() == self.room {
            self.grow();
        }
        self.last.push(cell);
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        if self.room < CHUNK {
            let more = self.room.min(CHUNK - self.room);
            self.last.reserve_exact(more);
            self.room += more;
        } else {
            let next = Vec::with_capacity(CHUNK);
            self.full.push(core::mem::replace(&mut self.last, next));
        }
    }

    /// Notes that the container at `index` ends before the cell `end`.
    #[inline(always)]
    fn end(&mut self, index: usize, end: usize) {
        let chunk = self.full.get_mut(index / CHUNK).unwrap_or(&mut self.last);
        if let Some(cell) = chunk.get_mut(index % CHUNK) {
            cell.data |= (end as u64) << 32;
        }
    }

    fn fitted(mut self) -> Cells {
        self.last.shrink_to_fit();
        self
    }
}

struct CellSink<'a> {
    rules: &'a Rules,
    structures: Vec<Structure>,
    /// A string that cannot be borrowed.
    unkept: Option<&'a [u8]>,
}

type Made = (Tag, u64);

impl<'a> CellSink<'a> {
    fn new(rules: &'a Rules) -> Self {
        CellSink {
            rules,
            structures: Vec::new(),
            unkept: None,
        }
    }
}

impl<'a> ValueSink<'a> for CellSink<'a> {
    type Out = Made;

    makes! {
        nil() => (Tag::Nil, 0);
        bool(value: bool) => (Tag::Bool, u64::from(value));
        int(value: Integer) => match value.sign() {
            Sign::Negative(value) => (Tag::Negative, value as u64),
            Sign::Positive(value) => (Tag::Positive, value),
        };
        f32(bits: u32) => (Tag::F32, u64::from(bits));
        f64(bits: u64) => (Tag::F64, bits);
        str(text: &'a str) => (Tag::Str, text.len() as u64);
        bin(bytes: &'a [u8]) => (Tag::Bin, bytes.len() as u64);
        timestamp(_at: Timestamp) => (Tag::Timestamp, 0);
        array(count: usize) => (Tag::Array, count as u64);
        map(count: usize) => (Tag::Map, count as u64);
    }
    #[cold]
    fn broken_str(&mut self, bytes: &'a [u8]) -> Made {
        if self.rules.utf8 != Utf8::Raw {
            self.unkept = Some(bytes);
        }
        (Tag::Bin, bytes.len() as u64)
    }
    fn ext(&mut self, tagged: &'a [u8]) -> Made {
        let (kind, payload) = (tagged[0] as i8, &tagged[1..]);
        let bigint = if self.rules.bigint && kind == BIGINT {
            bigint_value(payload)
        } else {
            None
        };
        match bigint.map(Integer::try_from) {
            Some(Ok(value)) => self.int(value),
            _ => (Tag::Ext, payload.len() as u64),
        }
    }
    fn record(&mut self, head: RecordHead) -> Made {
        let index = self.structures.len();
        self.structures.push(head.structure);
        (Tag::Record, index as u64)
    }
}

/// An open container that is not the innermost: the number of its values after the inner one, and
/// whether it is a map.
struct OuterCells {
    left: u64,
    is_map: bool,
    /// The cell of the container within it.
    inner: usize,
}

/// Reads the message at the start of the bytes with the default options, and returns its length as
/// well. Returns `None` for any fault, which [`read`] then finds.
// Not inlined: within its caller the decoder's fields do not stay in registers, and the index takes
// a fifth longer.
#[inline(never)]
pub(super) fn quick(input: &[u8], rules: &Rules) -> Option<(Cells, usize)> {
    let mut sink = CellSink::new(rules);
    let mut cells = Cells::for_input(input.len());
    let mut around: Vec<OuterCells> = Vec::new();
    let mut cursor = FastDecoder::new(input);
    let mut left = 1_u64;
    loop {
        let at = (input.len() - cursor.rest.len()) as u32;
        let (tag, data) = cursor.value(&mut sink)?;
        let index = cells.len();
        cells.push(Cell { data, at, tag });
        left -= 1;
        if tag >= Tag::Array {
            check_depth(around.len() as u64 + 1, rules.max_depth).ok()?;
            let is_map = tag == Tag::Map;
            around.push(OuterCells {
                left,
                is_map,
                inner: index,
            });
            left = data << u32::from(is_map);
        }
        while left == 0 {
            let Some(outer) = around.pop() else {
                return Some((cells.fitted(), input.len() - cursor.rest.len()));
            };
            let end = cells.len();
            cells.end(outer.inner, end);
            left = outer.left;
        }
    }
}

/// Reads the decoder's next message with all checks. It has its own loop for the same reason as
/// [`tree`](crate::read::tree::tree).
pub(super) fn read(decoder: &mut ValueDecoder, input: &[u8], rules: &Rules) -> Result<(Cells, Vec<Structure>), Fault> {
    let mut sink = CellSink::new(rules);
    let mut cells = Cells::for_input(input.len());
    let mut around: Vec<OuterCells> = Vec::new();
    let (mut left, mut is_map) = (1_u64, false);
    loop {
        let is_key = is_map && left % 2 == 0;
        if is_key {
            decoder.key_begins::<true>(rules);
        }
        let at = decoder.pos as u32;
        let (tag, data) = decoder.value::<true, _>(input, rules, &mut sink)?;
        if let Some(broken) = sink.unkept {
            return Err(unkept(decoder.pos, broken));
        }
        let index = cells.len();
        cells.push(Cell { data, at, tag });
        left -= 1;
        if tag >= Tag::Array {
            let elements = match tag {
                Tag::Array => data,
                Tag::Map => 2 * data,
                _ => sink.structures.last().map_or(0, |structure| structure.len() as u64),
            };
            around.push(OuterCells {
                left,
                is_map,
                inner: index,
            });
            (left, is_map) = (elements, tag == Tag::Map);
        } else if is_key {
            decoder.key_ends::<true>(input, rules)?;
        }
        while left == 0 {
            let Some(outer) = around.pop() else {
                return Ok((cells.fitted(), sink.structures));
            };
            let end = cells.len();
            cells.end(outer.inner, end);
            decoder.leave::<true>(rules);
            (left, is_map) = (outer.left, outer.is_map);
            if is_map && left % 2 == 1 {
                decoder.key_ends::<true>(input, rules)?;
            }
        }
    }
}
