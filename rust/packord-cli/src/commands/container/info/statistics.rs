//! The statistics of all blocks together.

use std::cmp::Ordering;

use packord::Value;
use packord::container::{IndexEntry, PathStatistics};
use serde_json::{Map, json};

use super::values::to_json;

/// What is known of the values at each path in all blocks.
#[derive(Default)]
pub struct WholeStatistics {
    paths: Vec<(String, WholePath)>,
    /// The number of blocks so far.
    blocks: u64,
}

/// What is known of one path. A bound is `None` if a block with values says nothing of it.
struct WholePath {
    blocks: u64,
    nulls: u64,
    min: Option<Option<Value>>,
    max: Option<Option<Value>>,
}

impl WholeStatistics {
    /// Adds a block.
    pub fn add(&mut self, entry: &IndexEntry) {
        self.blocks += 1;
        for (path, of) in entry
            .statistics()
            .into_iter()
            .flat_map(|known| known.iter())
        {
            let known = self.paths.iter_mut().find(|(name, _)| name == path);
            match known {
                Some((_, whole)) => whole.add(of, entry.count()),
                None => {
                    let mut whole = WholePath {
                        blocks: 0,
                        nulls: 0,
                        min: None,
                        max: None,
                    };
                    whole.add(of, entry.count());
                    self.paths.push((path.to_owned(), whole));
                }
            }
        }
    }

    /// Returns what is known of the paths that all blocks say something of.
    pub fn figures(&self) -> Map<String, serde_json::Value> {
        let paths = self
            .paths
            .iter()
            .filter(|(_, whole)| whole.blocks == self.blocks);
        let figures = paths.map(|(path, whole)| {
            let bound = |bound: &Option<Option<Value>>| {
                let value = bound.as_ref().and_then(Option::as_ref);
                value.map_or(serde_json::Value::Null, to_json)
            };
            let (min, max) = (bound(&whole.min), bound(&whole.max));
            (
                path.clone(),
                json!({"nulls": whole.nulls, "min": min, "max": max}),
            )
        });
        figures.collect()
    }
}

impl WholePath {
    fn add(&mut self, of: &PathStatistics, count: u64) {
        self.blocks += 1;
        self.nulls += of.nulls;
        if of.nulls < count {
            merge(&mut self.min, of.min.as_ref(), Ordering::Less);
            merge(&mut self.max, of.max.as_ref(), Ordering::Greater);
        }
    }
}

/// Replaces a bound by one that compares so with it. The bounds of values of several types are not known.
fn merge(known: &mut Option<Option<Value>>, bound: Option<&Value>, wanted: Ordering) {
    match (known.as_mut(), bound) {
        (None, bound) => *known = Some(bound.cloned()),
        (Some(None), _) => {}
        (Some(known), None) => *known = None,
        (Some(known), Some(bound)) => {
            let order = known.as_ref().and_then(|known| compare(bound, known));
            match order {
                None => *known = None,
                Some(order) if order == wanted => *known = Some(bound.clone()),
                Some(_) => {}
            }
        }
    }
}

fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.as_i128().cmp(&b.as_i128())),
        (Value::Str(a), Value::Str(b)) => Some(a.cmp(b)),
        (Value::Timestamp(a), Value::Timestamp(b)) => Some(a.cmp(b)),
        _ => number(a)?.partial_cmp(&number(b)?),
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => Some(number.as_i128() as f64),
        other => other.as_f64(),
    }
}
