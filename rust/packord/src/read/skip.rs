//! Skips plain values with the default options at full speed, and checks only that they are valid.
//! All other values are left to [`Pull::step`].

use super::check_depth;
use super::container::{Container, OpenContainer};
use super::decoder::ValueDecoder;
use super::fast::FastDecoder;
use super::fault::Fault;
use super::pull::Pull;
use super::rules::Rules;
use super::sink::Nothing;
use crate::wire::header::Header;
use crate::wire::{marker as m, read, utf8};
use core::borrow::BorrowMut;

/// The lengths of the values whose marker determines it; 0 for all others.
const LENGTHS: [u8; 256] = {
    let mut lengths = [0; 256];
    let mut marker = 0;
    while marker < 256 {
        let header = Header::of(marker as u8);
        let is_alone = header.len() == 1 && header.values == 0;
        let is_str = marker as u8 & 0xe0 == m::FIXSTR;
        if is_alone && !is_str && marker as u8 != m::RESERVED {
            lengths[marker] = 1 + header.fixed;
        }
        marker += 1;
    }
    lengths
};

/// Checks the value at the start of the bytes with the default options but for the depth, and returns its
/// length; the containers around it announce `after` more. It leads to nothing that other options need.
pub(crate) fn skip_plain(input: &[u8], after: u64, rules: &Rules) -> Result<usize, Fault> {
    let decoder = ValueDecoder::new(
        #[cfg(feature = "alloc")]
        None,
    );
    let mut pull = Pull::new(decoder, &Rules::DEFAULT);
    pull.begin(0);
    pull.decoder.pending += after;
    pull.finish_plain(input, rules)?;
    Ok(pull.decoder.pos)
}

impl<D: BorrowMut<ValueDecoder>> Pull<D> {
    /// Reads on until `floor` containers are open and the innermost (or the message, if that is 0) has
    /// `left` values left, or until the next value is one for `step`.
    ///
    /// The state is in local variables, and a table replaces the branches on the marker: that is
    /// more than twice as fast as `step` in a loop.
    pub(super) fn skip_plain(&mut self, input: &[u8], rules: &Rules, floor: usize, left: u64) {
        // A message is a container of one value.
        const MESSAGE: OpenContainer = OpenContainer::new(Container::Array, 1);
        if self.checked || !self.open {
            return;
        }
        let decoder = self.decoder.borrow_mut();
        let mut at = decoder.pos;
        let mut top = match self.stack.len() {
            0 => MESSAGE,
            _ => self.stack.top,
        };
        let mut pending = decoder.pending;
        let mut depth = decoder.depth;
        loop {
            if top.left() == 0 {
                self.stack.pop();
                top = match self.stack.len() {
                    0 => MESSAGE,
                    _ => self.stack.top,
                };
                depth -= 1;
            } else {
                let Some(&marker) = input.get(at) else {
                    break;
                };
                let length = usize::from(LENGTHS[usize::from(marker)]);
                if marker & 0xe0 == m::FIXSTR {
                    let payload = &input[at + 1..];
                    let len = usize::from(marker & 0x1f);
                    let is_good = is_short_ascii(payload, len)
                        || matches!(payload.get(..len), Some(text) if utf8::check(text).is_ok());
                    if !is_good {
                        break;
                    }
                    at += 1 + len;
                } else if length > 0 {
                    if length > input.len() - at {
                        break;
                    }
                    at += length;
                } else if let Some((header, kind, elements)) = container(input, at, marker) {
                    let first = at + header;
                    let announced = pending - 1 + elements;
                    if check_depth(u64::from(depth) + 1, rules.max_depth).is_err()
                        || !decoder.announce(input, first, announced)
                    {
                        break;
                    }
                    (pending, at) = (announced, first);
                    depth += 1;
                    self.stack.top = top;
                    top = OpenContainer::new(kind, elements);
                    self.stack.push(top);
                    continue;
                } else {
                    let mut cursor = FastDecoder::new(&input[at..]);
                    if cursor.value(&mut Nothing).is_none() {
                        break;
                    }
                    at = input.len() - cursor.rest.len();
                }
                pending -= 1;
            }
            top.take_one();
            if self.stack.len() <= floor && top.left() <= left {
                break;
            }
        }
        self.stack.top = top;
        self.open = self.stack.len() > 0 || top.left() > 0;
        (decoder.pos, decoder.pending, decoder.depth) = (at, pending, depth);
    }
}

/// Returns the length of a container's header, its kind, and the number of its values.
#[inline(always)]
fn container(input: &[u8], at: usize, marker: u8) -> Option<(usize, Container, u64)> {
    Some(match marker {
        m::FIXMAP..=0x8f => (1, Container::Map, 2 * u64::from(marker & 0x0f)),
        m::FIXARRAY..=0x9f => (1, Container::Array, u64::from(marker & 0x0f)),
        m::ARRAY16 => (3, Container::Array, read::uint::<2>(input, at + 1)?),
        m::ARRAY32 => (5, Container::Array, read::uint::<4>(input, at + 1)?),
        m::MAP16 => (3, Container::Map, 2 * read::uint::<2>(input, at + 1)?),
        m::MAP32 => (5, Container::Map, 2 * read::uint::<4>(input, at + 1)?),
        _ => return None,
    })
}

/// Masks with the highest bit of each of the first bytes, in four words, by the number of bytes.
const HIGH_BITS: [[u64; 4]; 32] = {
    let mut masks = [[0; 4]; 32];
    let mut len = 0;
    while len < 32 {
        let mut index = 0;
        while index < len {
            masks[len][index / 8] |= 0x80 << (8 * (index % 8));
            index += 1;
        }
        len += 1;
    }
    masks
};

/// Returns whether the string at the start of the bytes is ASCII; also `false` if a quick check
/// cannot tell. The code has no branch on the length: short lengths are hard to predict.
#[inline(always)]
fn is_short_ascii(bytes: &[u8], len: usize) -> bool {
    let Some(block) = bytes.first_chunk::<32>() else {
        return false;
    };
    let words = block.chunks_exact(8).zip(&HIGH_BITS[len]);
    let seen = words.fold(0, |seen, (word, mask)| {
        seen | u64::from_le_bytes(word.try_into().unwrap_or_default()) & mask
    });
    seen == 0
}
