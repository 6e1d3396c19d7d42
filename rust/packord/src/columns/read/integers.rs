//! The integers of a node (`spec/columns.md` section 2.2).

use super::directory::ColumnNode;
use super::{Malformed, OrMalformed, need};
use crate::columns::kind as k;
use alloc::vec::{self, Vec};

/// The integers of a node that are still to be read.
#[derive(Debug)]
pub(super) enum Integers<'a> {
    /// A constant or an arithmetic series: nothing is stored.
    Series {
        next: i64,
        step: i64,
        left: usize,
    },
    Bits {
        bytes: &'a [u8],
        at: usize,
        n: usize,
        base: i64,
    },
    List(vec::IntoIter<i64>),
}

impl<'a> Integers<'a> {
    /// Decodes the integers of a node.
    pub fn of(node: &ColumnNode<'a>) -> OrMalformed<Integers<'a>> {
        let ColumnNode {
            n,
            base,
            first,
            section,
            ..
        } = *node;
        let delta = node.form & k::DELTA != 0;
        match node.form & 15 {
            k::NONE => Ok(Integers::Series {
                next: if delta { first } else { base },
                step: if delta { base } else { 0 },
                left: n,
            }),
            k::BIT => {
                let spare = n % 8;
                need(spare == 0 || section.last().is_some_and(|last| last >> spare == 0))?;
                Ok(Integers::Bits {
                    bytes: section,
                    at: 0,
                    n,
                    base,
                })
            }
            _ => Ok(Integers::List(list(node).into_iter())),
        }
    }

    #[inline(always)]
    pub fn next(&mut self) -> OrMalformed<i64> {
        match self {
            Integers::List(values) => values.next().ok_or(Malformed),
            Integers::Series { next, step, left } => {
                *left = left.checked_sub(1).ok_or(Malformed)?;
                let value = *next;
                *next = next.wrapping_add(*step);
                Ok(value)
            }
            Integers::Bits { bytes, at, n, base } => {
                need(*at < *n)?;
                let bit = bytes[*at / 8] >> (*at % 8) & 1;
                *at += 1;
                Ok(base.wrapping_add(i64::from(bit)))
            }
        }
    }

    #[inline(always)]
    fn for_each(self, mut take: impl FnMut(i64)) {
        match self {
            Integers::List(values) => values.for_each(take),
            Integers::Series { mut next, step, left } => {
                for _ in 0..left {
                    take(next);
                    next = next.wrapping_add(step);
                }
            }
            Integers::Bits { bytes, at, n, base } => {
                let bits = (at..n).map(|at| bytes[at / 8] >> (at % 8) & 1);
                bits.for_each(|bit| take(base.wrapping_add(i64::from(bit))));
            }
        }
    }

    /// Returns the next integer as an index, a length or a tag.
    #[inline(always)]
    pub fn next_index(&mut self) -> OrMalformed<usize> {
        usize::try_from(self.next()?).map_err(|_| Malformed)
    }
}

#[inline(always)]
pub(super) fn for_each(node: &ColumnNode<'_>, take: impl FnMut(i64)) -> OrMalformed<()> {
    Integers::of(node)?.for_each(take);
    Ok(())
}

/// Returns all integers of a node. Their number is within the budget of the directory.
pub(crate) fn integers_of(node: &ColumnNode<'_>) -> OrMalformed<Vec<i64>> {
    Ok(match Integers::of(node)? {
        Integers::List(values) => values.collect(),
        values => {
            let mut all = Vec::with_capacity(node.n);
            values.for_each(|value| all.push(value));
            all
        }
    })
}

/// Returns the integers of a node that has a section of whole bytes.
fn list(node: &ColumnNode<'_>) -> Vec<i64> {
    let delta = node.form & k::DELTA != 0;
    let mut values = Vec::with_capacity(node.n);
    if delta {
        values.push(node.first);
    }
    let (base, bytes) = (node.base, node.section);
    macro_rules! elements {
        ($type:ty) => {
            values.extend(bytes.chunks_exact(size_of::<$type>()).map(|chunk| {
                let element = chunk.try_into().map_or(0, <$type>::from_le_bytes);
                base.wrapping_add(element as i64)
            }))
        };
    }
    match node.form & 15 {
        k::U8 => elements!(u8),
        k::U16 => elements!(u16),
        k::U32 => elements!(u32),
        _ => elements!(u64),
    }
    if delta {
        let mut sum = node.first;
        for value in &mut values[1..] {
            sum = sum.wrapping_add(*value);
            *value = sum;
        }
    }
    values
}
