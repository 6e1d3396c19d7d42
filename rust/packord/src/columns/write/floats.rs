//! FLOAT and SCALED (`spec/columns.md` section 2.3).

use super::ints::{Purpose, byte_count, extent, put_all, write_ints};
use super::sections::{Sections, Zone};
use crate::columns::kind::{self as k, POWERS};
use alloc::vec::Vec;

/// Mantissas are below this.
const MANTISSAS: u64 = 1 << 53;
/// Powers of ten that the residual form uses.
const RESIDUAL_POWERS: usize = 12;
/// The rows that choose the power of the residual form.
const SAMPLE: usize = 64;
/// The bytes that a mantissa with its residual may take.
const MOST_BYTES: usize = 6;

/// Room for a column of floats.
#[derive(Debug, Default)]
pub(super) struct FloatScratch {
    /// The floats of the column.
    pub floats: Vec<f64>,
    mantissas: Vec<i64>,
    residuals: Vec<i64>,
    /// Rows that are stored as they are.
    exceptions: Vec<u32>,
    tags: Vec<i64>,
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

/// Returns the mantissa and what the bits of the value have above those of the quotient, if that
/// fits one byte.
#[inline(always)]
fn near(value: f64, power: f64) -> Option<(i64, i64)> {
    let mantissa = mantissa(value, power)?;
    let quotient = mantissa as f64 / power;
    let residual = (value.to_bits() as i64).wrapping_sub(quotient.to_bits() as i64);
    (-128..128)
        .contains(&residual)
        .then_some((mantissa, residual))
}

impl FloatScratch {
    /// Appends the column: as SCALED if it is smaller, with the floats that it cannot hold in a
    /// branch of their own; else as FLOAT.
    pub fn write(&mut self, out: &mut Sections, views: bool) {
        let power = if views { None } else { self.scale() };
        let Some(power) = power.filter(|_| self.is_narrow()) else {
            put_floats(out, &self.floats);
            return;
        };
        if !self.exceptions.is_empty() {
            self.tags.clear();
            self.tags.resize(self.floats.len(), 0);
            for &row in &self.exceptions {
                self.tags[row as usize] = 1;
            }
            out.node(k::UNION, 0);
            out.uint(2);
            out.uint(self.mantissas.len());
            out.uint(self.exceptions.len());
            write_ints(out, &self.tags, Purpose::Counts, false);
        }
        let has_residuals = !self.residuals.is_empty();
        out.node(k::SCALED, 0);
        out.byte(power as u8 | if has_residuals { k::RESIDUAL } else { 0 });
        write_ints(out, &self.mantissas, Purpose::Signed, false);
        if has_residuals {
            write_ints(out, &self.residuals, Purpose::Counts, false);
        }
        if !self.exceptions.is_empty() {
            let rows = self.exceptions.iter();
            let floats: Vec<f64> = rows.map(|&row| self.floats[row as usize]).collect();
            put_floats(out, &floats);
        }
    }

    /// Makes the mantissas, and returns the power of ten. Returns `None` if too many floats are not
    /// such quotients.
    fn scale(&mut self) -> Option<usize> {
        self.exact_power().or_else(|| self.near_power())
    }

    fn exact_power(&mut self) -> Option<usize> {
        self.mantissas.clear();
        self.residuals.clear();
        self.exceptions.clear();
        let most_exceptions = self.floats.len() / 16;
        // The rows before `settled` were made with a smaller power.
        let (mut power, mut settled) = (0, 0);
        for (row, &value) in self.floats.iter().enumerate() {
            if let Some(mantissa) = exact(value, POWERS[power]) {
                self.mantissas.push(mantissa);
                continue;
            }
            let larger =
                (power + 1..POWERS.len()).find(|&power| exact(value, POWERS[power]).is_some());
            match larger {
                Some(larger) => {
                    power = larger;
                    settled = row;
                    self.mantissas.clear();
                    self.mantissas.extend(exact(value, POWERS[power]));
                }
                None => self.exceptions.push(row as u32),
            }
            if self.exceptions.len() > most_exceptions {
                return None;
            }
        }
        if settled > 0 {
            self.mantissas.clear();
            self.exceptions.clear();
            for (row, &value) in self.floats.iter().enumerate() {
                match exact(value, POWERS[power]) {
                    Some(mantissa) => self.mantissas.push(mantissa),
                    None => self.exceptions.push(row as u32),
                }
            }
        }
        (self.exceptions.len() <= most_exceptions).then_some(power)
    }

    fn near_power(&mut self) -> Option<usize> {
        self.mantissas.clear();
        self.exceptions.clear();
        let most_exceptions = self.floats.len() / 16;
        let mut power = 0;
        for &value in self.floats.iter().take(SAMPLE) {
            let mut powers = power..=RESIDUAL_POWERS;
            power = powers
                .find(|&power| near(value, POWERS[power]).is_some())
                .unwrap_or(power);
        }
        for (row, &value) in self.floats.iter().enumerate() {
            match near(value, POWERS[power]) {
                Some((mantissa, residual)) => {
                    self.mantissas.push(mantissa);
                    self.residuals.push(residual);
                }
                None => {
                    self.exceptions.push(row as u32);
                    if self.exceptions.len() > most_exceptions {
                        return None;
                    }
                }
            }
        }
        Some(power)
    }

    /// Returns whether SCALED takes fewer bytes than FLOAT.
    fn is_narrow(&self) -> bool {
        let (least, most) = extent(&self.mantissas, false);
        let residual = usize::from(!self.residuals.is_empty());
        !self.mantissas.is_empty()
            && byte_count(most.wrapping_sub(least) as u64) + residual <= MOST_BYTES
    }
}

fn put_floats(out: &mut Sections, floats: &[f64]) {
    out.node(k::FLOAT, 0);
    put_all(out.zone(Zone::Eight), floats.iter(), |value| {
        value.to_bits().to_le_bytes()
    });
}
