//! The buffers that columns are made of, besides their values.

use super::misfit::{Fitted, Misfit};
use crate::errors::Kind;

/// The bits of a column, first one lowest.
#[derive(Debug, Default)]
pub struct Bits {
    pub bytes: Vec<u8>,
    len: usize,
}

impl Bits {
    /// Bits that are there.
    pub fn of(bytes: Vec<u8>, len: usize) -> Bits {
        Bits { bytes, len }
    }

    /// How many of them are ones.
    pub fn ones_in(&self) -> usize {
        let whole = &self.bytes[..self.len / 8];
        let ones: u32 = whole.iter().map(|byte| byte.count_ones()).sum();
        let rest = (self.len / 8 * 8..self.len).filter(|&at| self.get(at));
        ones as usize + rest.count()
    }

    pub fn get(&self, at: usize) -> bool {
        self.bytes[at / 8] >> (at % 8) & 1 == 1
    }

    /// As many ones.
    pub fn ones(count: usize) -> Bits {
        let mut bytes = vec![0xff; count / 8];
        if count % 8 > 0 {
            bytes.push((1 << (count % 8)) - 1);
        }
        Bits { bytes, len: count }
    }

    /// As many bits, of which those with the numbers in `rows` are these, and the others zeros.
    pub fn spread(&self, rows: &[usize], count: usize) -> Bits {
        let mut bytes = vec![0; count.div_ceil(8)];
        for (at, row) in rows.iter().enumerate() {
            bytes[row / 8] |= u8::from(self.get(at)) << (row % 8);
        }
        Bits { bytes, len: count }
    }

    /// Adds as many zeros.
    pub fn push_zeros(&mut self, count: usize) {
        self.len += count;
        self.bytes.resize(self.len.div_ceil(8), 0);
    }

    #[inline]
    pub fn push(&mut self, bit: bool) {
        if self.len % 8 == 0 {
            self.bytes.push(0);
        }
        if let (true, Some(last)) = (bit, self.bytes.last_mut()) {
            *last |= 1 << (self.len % 8);
        }
        self.len += 1;
    }
}

/// Where the parts of rows end, after a zero: of 32 or of 64 bits.
#[derive(Debug)]
pub struct Offsets {
    pub bytes: Vec<u8>,
    large: bool,
}

impl Offsets {
    pub fn new(large: bool) -> Offsets {
        let bytes = vec![0; if large { 8 } else { 4 }];
        Offsets { bytes, large }
    }

    /// Offsets that are there, from the first one on. `None` if they are too large.
    pub fn of(offsets: &[usize], large: bool) -> Option<Offsets> {
        let begin = offsets.first().copied().unwrap_or_default();
        let mut bytes = Vec::with_capacity(offsets.len() * if large { 8 } else { 4 });
        if large {
            for &offset in offsets {
                bytes.extend_from_slice(&((offset - begin) as u64).to_ne_bytes());
            }
        } else {
            for &offset in offsets {
                bytes.extend_from_slice(&i32::try_from(offset - begin).ok()?.to_ne_bytes());
            }
        }
        Some(Offsets { bytes, large })
    }

    /// The offset with a number.
    pub fn get(&self, at: usize) -> usize {
        if self.large {
            let bytes = self.bytes[at * 8..]
                .first_chunk()
                .copied()
                .unwrap_or_default();
            return u64::from_ne_bytes(bytes) as usize;
        }
        let bytes = self.bytes[at * 4..]
            .first_chunk()
            .copied()
            .unwrap_or_default();
        u32::from_ne_bytes(bytes) as usize
    }

    /// As many rows, of which those with the numbers in `rows` are these, and the others empty.
    pub fn spread(&self, rows: &[usize], count: usize) -> Offsets {
        let bytes = if self.large {
            repeated::<8>(&self.bytes, rows, count)
        } else {
            repeated::<4>(&self.bytes, rows, count)
        };
        Offsets {
            bytes,
            large: self.large,
        }
    }

    /// Adds as many empty rows.
    pub fn push_empty(&mut self, count: usize) {
        if self.large {
            repeat_last::<8>(&mut self.bytes, count);
        } else {
            repeat_last::<4>(&mut self.bytes, count);
        }
    }

    /// Adds the end of a row.
    #[inline]
    pub fn push(&mut self, end: usize) -> Fitted {
        if self.large {
            self.bytes.extend_from_slice(&(end as u64).to_ne_bytes());
            return Ok(());
        }
        match i32::try_from(end) {
            Ok(end) => {
                self.bytes.extend_from_slice(&end.to_ne_bytes());
                Ok(())
            }
            Err(_) => {
                let detail = "the column of a batch has more than 2 GB".to_owned();
                Err(Misfit::new(Kind::LengthLimit, detail))
            }
        }
    }
}

/// The ends of as many rows, each of `N` bytes, with that of the row before where there is none in `rows`.
fn repeated<const N: usize>(ends: &[u8], rows: &[usize], count: usize) -> Vec<u8> {
    let mut out = vec![0; (count + 1) * N];
    let mut slots = out.chunks_exact_mut(N);
    let mut next = 0;
    // Each end is there until the row of the next one ends.
    let stops = rows.iter().copied().chain([count]);
    for (end, stop) in ends.chunks_exact(N).zip(stops) {
        for slot in slots.by_ref().take(stop + 1 - next) {
            slot.copy_from_slice(end);
        }
        next = stop + 1;
    }
    out
}

/// Adds the last end as many times.
fn repeat_last<const N: usize>(ends: &mut Vec<u8>, count: usize) {
    let before = ends.len();
    let last: [u8; N] = ends.last_chunk().copied().unwrap_or([0; N]);
    ends.resize(before + count * N, 0);
    for end in ends[before..].chunks_exact_mut(N) {
        end.copy_from_slice(&last);
    }
}
