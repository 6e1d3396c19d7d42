//! What `get` computes of values: their number, and the sum, average, least and greatest at a path.

use num_bigint::BigInt;
use packord::container::Comparable;
use packord::{Ext, Value};

use super::order::{FACTOR, SortKey};
use crate::cli;
use crate::failure::{Failure, Outcome};
use crate::json::conventions::BIGINT;
use crate::query::{KeySet, Part, QueryPath};

/// The totals that the command line asks for, in the order in which they are written.
#[derive(Default)]
pub struct AskedTotals(Vec<(TotalKind, QueryPath)>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum TotalKind {
    Count,
    Sum,
    Avg,
    Min,
    Max,
}

impl AskedTotals {
    /// Parses the options.
    pub fn new(command: &cli::Get) -> Outcome<AskedTotals> {
        let every = (command.count && !command.only_counts()).then(|| "@".to_owned());
        let asked = [
            (TotalKind::Count, &every),
            (TotalKind::Sum, &command.totals.sum),
            (TotalKind::Avg, &command.totals.avg),
            (TotalKind::Min, &command.totals.min),
            (TotalKind::Max, &command.totals.max),
        ];
        let asked = asked.into_iter().filter_map(|(kind, path)| {
            let path = QueryPath::parse(path.as_deref()?);
            let usage = |what| Failure::Usage(format!("--{}: {what}", kind.name()));
            Some(path.map(|path| (kind, path)).map_err(usage))
        });
        asked.collect::<Outcome<_>>().map(AskedTotals)
    }

    /// Returns whether none is asked for.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns their names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|(kind, _)| kind.name())
    }

    /// Adds the keys of messages that are needed.
    pub fn add_keys(&self, keys: &mut KeySet) {
        let counted = self.0.iter().filter(|(kind, _)| *kind != TotalKind::Count);
        counted.for_each(|(_, path)| keys.add_path(path));
    }

    /// Adds a value to the totals of its group, of which there are none at first. Returns by how many bytes they have
    /// grown in memory.
    pub fn add(&self, totals: &mut Vec<Total>, part: Part<'_>) -> u64 {
        totals.resize_with(self.0.len(), Total::default);
        let pairs = self.0.iter().zip(totals);
        let grown = pairs.map(|((kind, path), total)| {
            let value = path.first(part);
            value.map_or(0, |value| total.add(*kind, value))
        });
        grown.sum()
    }

    /// Returns the totals of a group as entries.
    pub fn entries(&self, mut totals: Vec<Total>) -> Vec<(Value, Value)> {
        totals.resize_with(self.0.len(), Total::default);
        let pairs = self.0.iter().zip(totals);
        pairs
            .map(|((kind, _), total)| (Value::from(kind.name()), total.into_value(*kind)))
            .collect()
    }
}

impl TotalKind {
    fn name(self) -> &'static str {
        match self {
            TotalKind::Count => "count",
            TotalKind::Sum => "sum",
            TotalKind::Avg => "avg",
            TotalKind::Min => "min",
            TotalKind::Max => "max",
        }
    }
}

/// One total, of the values that were added.
#[derive(Default)]
pub struct Total {
    count: u64,
    /// The exact sum of the integers: 2^63 of them fit.
    integers: i128,
    /// The sum of the floats, and that of the largest, each by `LARGE` smaller: it overflows no more than its result.
    floats: Option<(FloatSum, FloatSum)>,
    extreme: Option<SortKey>,
    /// The size of `extreme` in MessagePack.
    size: u64,
}

impl Total {
    fn add(&mut self, kind: TotalKind, value: Part<'_>) -> u64 {
        match (kind, value.comparable()) {
            (TotalKind::Count, _) => self.count += 1,
            (TotalKind::Sum | TotalKind::Avg, Comparable::Int(number)) => {
                self.integers += number.as_i128();
                self.count += 1;
            }
            (TotalKind::Sum | TotalKind::Avg, Comparable::Float(number)) => {
                let (small, large) = self.floats.get_or_insert_default();
                if number.abs() < f64::MAX / LARGE {
                    small.add(number);
                } else {
                    large.add(number / LARGE);
                }
                self.count += 1;
            }
            (TotalKind::Sum | TotalKind::Avg, _) | (_, Comparable::Nil) => {}
            (TotalKind::Min | TotalKind::Max, _) => return self.add_extreme(kind, value),
        }
        0
    }

    fn add_extreme(&mut self, kind: TotalKind, value: Part<'_>) -> u64 {
        let key = SortKey(value.to_value());
        let is_further = self.extreme.as_ref().is_none_or(|extreme| match kind {
            TotalKind::Min => key < *extreme,
            _ => key > *extreme,
        });
        if !is_further {
            return 0;
        }
        self.extreme = Some(key);
        let size = value.bytes().len() as u64;
        let grown = size.saturating_sub(self.size);
        self.size += grown;
        FACTOR * grown
    }

    /// Returns the total; nil if there was no value for it.
    fn into_value(self, kind: TotalKind) -> Value {
        match kind {
            TotalKind::Count => Value::from(self.count),
            TotalKind::Min | TotalKind::Max => self.extreme.map_or(Value::Nil, |key| key.0),
            TotalKind::Sum | TotalKind::Avg if self.count == 0 => Value::Nil,
            TotalKind::Sum if self.floats.is_none() => integer(self.integers),
            TotalKind::Sum => Value::from(self.sum_of(1)),
            TotalKind::Avg => Value::from(self.sum_of(self.count)),
        }
    }

    /// Returns the sum divided by a number.
    fn sum_of(&self, count: u64) -> f64 {
        let (mut small, mut large) = self.floats.unwrap_or_default();
        let high = self.integers as f64;
        small.add(high);
        small.add((self.integers - high as i128) as f64);
        if large.get() == 0.0 {
            return small.get() / count as f64;
        }
        large.add(small.sum / LARGE);
        large.add(small.lost / LARGE);
        large.get() / count as f64 * LARGE
    }
}

/// 2^128: no number of values, each smaller than the largest float by this, has a sum beyond it.
const LARGE: f64 = (1_u128 << 127) as f64 * 2.0;

/// A sum, and what rounding has lost of it (Neumaier's sum): the order of many numbers hardly matters.
#[derive(Clone, Copy, Default)]
struct FloatSum {
    sum: f64,
    lost: f64,
}

impl FloatSum {
    fn add(&mut self, number: f64) {
        let more = self.sum + number;
        self.lost += if self.sum.abs() >= number.abs() {
            (self.sum - more) + number
        } else {
            (number - more) + self.sum
        };
        self.sum = more;
    }

    fn get(self) -> f64 {
        // Of an infinity or a NaN, what is lost is a NaN. The bits of a NaN that is computed are the machine's.
        if self.sum.is_finite() {
            self.sum + self.lost
        } else if self.sum.is_nan() {
            f64::NAN
        } else {
            self.sum
        }
    }
}

/// Returns an integer; beyond 64 bits, it is an ext as `--bigint` reads it.
fn integer(number: i128) -> Value {
    let small = i64::try_from(number).map(Value::from);
    let small = small.or_else(|_| u64::try_from(number).map(Value::from));
    small.unwrap_or_else(|_| {
        let bytes = BigInt::from(number).to_signed_bytes_be();
        Value::Ext(Ext::new(BIGINT, &bytes))
    })
}
