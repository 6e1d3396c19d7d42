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
    /// As many ones.
    pub fn ones(count: usize) -> Bits {
        let mut bytes = vec![0xff; count / 8];
        if count % 8 > 0 {
            bytes.push((1 << (count % 8)) - 1);
        }
        Bits { bytes, len: count }
    }

    pub fn of(bits: &[bool]) -> Bits {
        let byte = |bits: &[bool]| {
            bits.iter()
                .rev()
                .fold(0, |byte, &bit| byte << 1 | u8::from(bit))
        };
        Bits {
            bytes: bits.chunks(8).map(byte).collect(),
            len: bits.len(),
        }
    }

    /// The same bits with zeros between them.
    pub fn spread(&self, present: &[bool]) -> Bits {
        let mut at = 0;
        let bits = present.iter().map(|&is_present| {
            let byte = self.bytes.get(at / 8).copied().unwrap_or_default();
            let bit = is_present && byte >> (at % 8) & 1 == 1;
            at += usize::from(is_present);
            bit
        });
        Bits::of(&bits.collect::<Vec<_>>())
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

    /// The same rows with empty ones between them.
    pub fn spread(&self, present: &[bool]) -> Offsets {
        let bytes = if self.large {
            repeated::<8>(&self.bytes, present)
        } else {
            repeated::<4>(&self.bytes, present)
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

/// The ends of rows, each of `N` bytes, with that of the row before where none is present.
fn repeated<const N: usize>(ends: &[u8], present: &[bool]) -> Vec<u8> {
    let mut ends = ends.chunks_exact(N);
    let mut end = ends.next().unwrap_or(&[0; N]);
    let mut out = Vec::with_capacity((present.len() + 1) * N);
    out.extend_from_slice(end);
    for &is_present in present {
        if is_present {
            end = ends.next().unwrap_or(end);
        }
        out.extend_from_slice(end);
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
