//! What `get` computes of values: their number, and the sum, average, least and greatest at a path.

use num_bigint::BigInt;
use packord::container::Comparable;
use packord::document::Node;
use packord::{Ext, Value};

use super::order::{FACTOR, SortKey};
use crate::cli;
use crate::failure::{Failure, Outcome};
use crate::json::conventions::BIGINT;
use crate::query::{Part, QueryPath};

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

    /// Adds a value to the totals of its group, of which there are none at first. Returns by how many bytes they have
    /// grown in memory.
    pub fn add(&self, totals: &mut Vec<Total>, node: Node<'_, '_>) -> u64 {
        totals.resize_with(self.0.len(), Total::default);
        let pairs = self.0.iter().zip(totals);
        let grown = pairs.map(|((kind, path), total)| {
            let value = path.first(node);
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
    /// The sum of the floats, and what was lost by rounding it.
    floats: Option<(f64, f64)>,
    extreme: Option<SortKey>,
    /// The size of `extreme` in MessagePack.
    size: u64,
}

impl Total {
    fn add(&mut self, kind: TotalKind, value: Node<'_, '_>) -> u64 {
        match (kind, Part::comparable(&value)) {
            (TotalKind::Count, _) => self.count += 1,
            (TotalKind::Sum | TotalKind::Avg, Comparable::Int(number)) => {
                self.integers += number.as_i128();
                self.count += 1;
            }
            (TotalKind::Sum | TotalKind::Avg, Comparable::Float(number)) => {
                let (sum, lost) = self.floats.unwrap_or_default();
                self.floats = Some(add_floats(sum, lost, number));
                self.count += 1;
            }
            (TotalKind::Sum | TotalKind::Avg, _) | (_, Comparable::Nil) => {}
            (TotalKind::Min | TotalKind::Max, _) => return self.add_extreme(kind, value),
        }
        0
    }

    fn add_extreme(&mut self, kind: TotalKind, value: Node<'_, '_>) -> u64 {
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
            TotalKind::Sum => Value::from(self.sum()),
            TotalKind::Avg => Value::from(self.sum() / self.count as f64),
        }
    }

    fn sum(&self) -> f64 {
        let (sum, lost) = self.floats.unwrap_or_default();
        let high = self.integers as f64;
        let low = (self.integers - high as i128) as f64;
        let (sum, lost) = add_floats(sum, lost, high);
        let (sum, lost) = add_floats(sum, lost, low);
        if sum.is_finite() { sum + lost } else { sum }
    }
}

/// Adds a number to a sum, and keeps what rounding loses (Neumaier's sum): the order of many numbers hardly matters.
fn add_floats(sum: f64, lost: f64, number: f64) -> (f64, f64) {
    let more = sum + number;
    let rounded_off = if sum.abs() >= number.abs() {
        (sum - more) + number
    } else {
        (number - more) + sum
    };
    (more, lost + rounded_off)
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
