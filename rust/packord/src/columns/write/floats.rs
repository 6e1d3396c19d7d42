//! FLOAT and SCALED (`spec/columns.md` section 2.3).

use super::ints::{Purpose, byte_count, extent, put_all, write_ints};
use super::nodes::NodeList;
use super::sections::Sections;
use crate::columns::kind::{self as k, MANTISSAS, POWERS};
use crate::wire::read;
use alloc::vec::Vec;

/// The bytes that a mantissa may take.
const MOST_BYTES: usize = 6;

/// Room for a column of floats.
#[derive(Debug, Default)]
pub(super) struct FloatScratch {
    floats: Vec<f64>,
    mantissas: Vec<i64>,
}

/// Returns the integer next to v × 10^k, halves away from zero.
#[inline(always)]
fn mantissa(value: f64, power: f64) -> Option<i64> {
    let scaled = value * power;
    let half = if value < 0.0 { -0.5 } else { 0.5 };
    let mantissa = (scaled + half) as i64;
    // The sum can round up to 2^53, and a NaN is in no range.
    let is_small = scaled.abs() < MANTISSAS as f64 && mantissa.unsigned_abs() < MANTISSAS;
    is_small.then_some(mantissa)
}

/// Returns the mantissa if the quotient has the bits of the value.
#[inline(always)]
fn exact(value: f64, power: f64) -> Option<i64> {
    let mantissa = mantissa(value, power)?;
    let is_exact = (mantissa as f64 / power).to_bits() == value.to_bits();
    is_exact.then_some(mantissa)
}

impl FloatScratch {
    /// Appends the column: as SCALED if that holds all floats and is smaller, else as FLOAT.
    pub fn write(&mut self, nodes: &NodeList<'_>, rows: &[u32], out: &mut Sections) {
        let bits = |&row: &u32| read::uint::<8>(nodes.bytes(row), 1).unwrap_or_default();
        self.floats.clear();
        self.floats.extend(rows.iter().map(bits).map(f64::from_bits));
        match self.scale() {
            Some(power) if self.is_narrow() => {
                out.node(k::SCALED, 0);
                out.directory.push(power as u8);
                write_ints(out, &self.mantissas, Purpose::Signed);
            }
            _ => {
                out.node(k::FLOAT, 0);
                put_all(&mut out.data, self.floats.iter(), |value| value.to_bits().to_le_bytes());
            }
        }
    }

    /// Makes the mantissas, and returns the power of ten; `None` if a float is no such quotient.
    fn scale(&mut self) -> Option<usize> {
        self.mantissas.clear();
        let mut power = 0;
        for &value in &self.floats {
            // Mostly the power stays.
            let mantissa = exact(value, POWERS[power]).or_else(|| {
                let is_exact = |&power: &usize| exact(value, POWERS[power]).is_some();
                power = (power + 1..POWERS.len()).find(is_exact)?;
                self.mantissas.clear();
                exact(value, POWERS[power])
            });
            self.mantissas.push(mantissa?);
        }
        if self.mantissas.len() < self.floats.len() {
            // Those before the last change of the power were made with another one.
            let floats = self.floats[..self.floats.len() - self.mantissas.len()].iter();
            let earlier = floats.map(|&value| exact(value, POWERS[power]));
            let earlier = earlier.collect::<Option<Vec<i64>>>()?;
            self.mantissas.splice(0..0, earlier);
        }
        Some(power)
    }

    /// Returns whether SCALED takes fewer bytes than FLOAT.
    fn is_narrow(&self) -> bool {
        let (least, most) = extent(&self.mantissas, false);
        byte_count(most.wrapping_sub(least) as u64) <= MOST_BYTES
    }
}
