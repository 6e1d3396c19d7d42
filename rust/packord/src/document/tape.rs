//! Making the index: one [`Cell`] for each value, in the order of the bytes.

use crate::decode::tree::unkept;
use crate::ext::{BIGINT, Timestamp, bigint_value};
use crate::options::{Rules, Utf8};
use crate::record::{RecordHead, Structure};
use crate::value::{Integer, Sign};
use crate::walk::scan::{Fault, Scanner, Sink};
use alloc::vec::Vec;

/// What a cell stands for. Containers come last.
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

/// One value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// The number, or the length of the payload. Of a container the count in the low half, of a
    /// record the number of its structure; and in the high half the index of the cell behind it.
    pub data: u64,
    /// Where the value begins in the input.
    pub at: u32,
    pub tag: Tag,
}

const _: () = assert!(size_of::<Cell>() == 16);

impl Cell {
    pub fn low(self) -> u32 {
        self.data as u32
    }

    /// The index of the cell behind this value, which is at `index`.
    pub fn next(self, index: usize) -> usize {
        if self.tag >= Tag::Array {
            (self.data >> 32) as usize
        } else {
            index + 1
        }
    }
}

struct CellSink<'a> {
    rules: &'a Rules,
    structures: Vec<Structure>,
    /// A text that cannot be borrowed.
    unkept: Option<&'a [u8]>,
}

type Made = (Tag, u64);

impl<'a> Sink<'a> for CellSink<'a> {
    type Out = Made;

    #[inline(always)]
    fn nil(&mut self) -> Made {
        (Tag::Nil, 0)
    }
    #[inline(always)]
    fn bool(&mut self, value: bool) -> Made {
        (Tag::Bool, u64::from(value))
    }
    #[inline(always)]
    fn int(&mut self, value: Integer) -> Made {
        match value.sign() {
            Sign::Negative(value) => (Tag::Negative, value as u64),
            Sign::Positive(value) => (Tag::Positive, value),
        }
    }
    #[inline(always)]
    fn f32(&mut self, bits: u32) -> Made {
        (Tag::F32, u64::from(bits))
    }
    #[inline(always)]
    fn f64(&mut self, bits: u64) -> Made {
        (Tag::F64, bits)
    }
    #[inline(always)]
    fn str(&mut self, text: &'a str) -> Made {
        (Tag::Str, text.len() as u64)
    }
    #[cold]
    fn broken_str(&mut self, bytes: &'a [u8]) -> Made {
        if self.rules.utf8 != Utf8::Raw {
            self.unkept = Some(bytes);
        }
        (Tag::Bin, bytes.len() as u64)
    }
    #[inline(always)]
    fn bin(&mut self, bytes: &'a [u8]) -> Made {
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
    fn timestamp(&mut self, _: Timestamp) -> Made {
        (Tag::Timestamp, 0)
    }
    #[inline(always)]
    fn array(&mut self, count: usize) -> Made {
        (Tag::Array, count as u64)
    }
    #[inline(always)]
    fn map(&mut self, count: usize) -> Made {
        (Tag::Map, count as u64)
    }
    fn record(&mut self, head: RecordHead) -> Made {
        let index = self.structures.len();
        self.structures.push(head.structure);
        (Tag::Record, index as u64)
    }
}

/// An open container that is not the innermost: what is left of it behind the inner one, and
/// whether it is a map.
struct Around {
    left: u64,
    is_map: bool,
    /// The cell of the container within it.
    inner: usize,
}

/// Reads the message that the scanner stands before.
pub(super) fn read(
    scanner: &mut Scanner,
    input: &[u8],
    rules: &Rules,
) -> Result<(Vec<Cell>, Vec<Structure>), Fault> {
    if rules.full() {
        read_with::<true>(scanner, input, rules)
    } else {
        read_with::<false>(scanner, input, rules)
    }
}

fn read_with<const FULL: bool>(
    scanner: &mut Scanner,
    input: &[u8],
    rules: &Rules,
) -> Result<(Vec<Cell>, Vec<Structure>), Fault> {
    let mut sink = CellSink {
        rules,
        structures: Vec::new(),
        unkept: None,
    };
    // Most values take five bytes and more.
    let mut cells: Vec<Cell> = Vec::with_capacity(input.len() / 5 + 1);
    let mut around: Vec<Around> = Vec::new();
    let (mut left, mut is_map) = (1_u64, false);
    loop {
        let is_key = FULL && is_map && left % 2 == 0;
        if is_key {
            scanner.key_begins::<FULL>(rules);
        }
        let at = scanner.pos as u32;
        let (tag, data) = scanner.value::<FULL, _>(input, rules, &mut sink)?;
        if FULL && sink.unkept.is_some() {
            return Err(unkept(scanner.pos, sink.unkept.unwrap_or_default()));
        }
        let index = cells.len();
        cells.push(Cell { data, at, tag });
        left -= 1;
        if tag >= Tag::Array {
            let elements = match tag {
                Tag::Array => data,
                Tag::Map => 2 * data,
                _ => sink
                    .structures
                    .last()
                    .map_or(0, |structure| structure.len() as u64),
            };
            around.push(Around {
                left,
                is_map,
                inner: index,
            });
            (left, is_map) = (elements, tag == Tag::Map);
        } else if is_key {
            scanner.key_ends::<FULL>(input, rules)?;
        }
        while left == 0 {
            let behind = (cells.len() as u64) << 32;
            let Some(outer) = around.pop() else {
                return Ok((fitted(cells), sink.structures));
            };
            cells[outer.inner].data |= behind;
            scanner.leave::<FULL>(rules);
            (left, is_map) = (outer.left, outer.is_map);
            if FULL && is_map && left % 2 == 1 {
                scanner.key_ends::<FULL>(input, rules)?;
            }
        }
    }
}

/// Without much room to spare.
fn fitted(mut cells: Vec<Cell>) -> Vec<Cell> {
    if cells.capacity() - cells.len() > cells.len() / 16 {
        cells.shrink_to_fit();
    }
    cells
}
