//! What happens with the values that were found: they are counted in groups, sorted and made into new maps.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use packord::document::Node;
use packord::{DecodeOptions, Map, Value, Walker};

use super::shown::Shown;
use crate::cli;
use crate::failure::{Failure, Outcome};
use crate::messages::{Checks, MessageFailure};
use crate::query::{Entries, Found, QueryPath};

/// The name of the number of values in a group.
const COUNT: &str = "count";
/// Bytes that a value takes at most in memory for each that it has in MessagePack, and those that it takes
/// besides.
const FACTOR: u64 = 40;
const OVERHEAD: u64 = 128;

/// The options that arrange, and what is held for them.
pub struct Arrangement {
    groups: Option<Entries>,
    sort: Option<QueryPath>,
    is_descending: bool,
    select: Option<Entries>,
    /// The number of values that may still be written.
    left: u64,
    /// Records are on: their definitions are not within the bytes of a value.
    pub has_records: bool,
    counts: BTreeMap<Vec<SortKey>, (Value, u64)>,
    options: DecodeOptions,
    rows: Vec<Row>,
    held: u64,
    max: u64,
}

/// A value that waits to be sorted, in MessagePack.
struct Row {
    key: Option<SortKey>,
    place: String,
    bytes: Vec<u8>,
}

impl Arrangement {
    /// Parses the options.
    pub fn new(command: &cli::Get) -> Outcome<Arrangement> {
        let choosing = &command.showing.choosing;
        let entries = |option, text: &Option<String>| {
            let entries = text.as_deref().map(Entries::parse).transpose();
            entries.map_err(|what| Failure::Usage(format!("{option}: {what}")))
        };
        let sort = choosing.sort_by.as_deref().map(QueryPath::parse);
        let groups = entries("--group-by", &command.group_by)?;
        if groups.iter().flat_map(Entries::names).any(|it| it == COUNT) {
            return Err(Failure::Usage(
                "--group-by: the number of values is named count: write number: count".to_owned(),
            ));
        }
        let arranges = choosing.select.is_some() || sort.is_some() || choosing.limit.is_some();
        if command.count && groups.is_none() && arranges {
            return Err(Failure::Usage(
                "--count takes --select, --sort-by and --limit with --group-by only".to_owned(),
            ));
        }
        Ok(Arrangement {
            groups,
            sort: sort
                .transpose()
                .map_err(|what| Failure::Usage(format!("--sort-by: {what}")))?,
            is_descending: choosing.descending,
            left: choosing.limit.unwrap_or(u64::MAX),
            select: entries("--select", &choosing.select)?,
            has_records: false,
            counts: BTreeMap::new(),
            options: command.reading.options(Checks::default())?.records(false),
            rows: Vec::new(),
            held: 0,
            max: command.reading.max_message,
        })
    }

    /// Returns whether all values that are written have the same keys.
    pub fn is_regular(&self) -> bool {
        self.select.is_some() || self.groups.is_some()
    }

    /// Returns whether no more values are written.
    pub fn is_done(&self) -> bool {
        self.left == 0
    }

    /// Takes a value that was found, and writes it unless it must wait for others.
    pub fn take(
        &mut self,
        found: Found<'_, '_>,
        place: &str,
        shown: &mut Shown,
        options: &DecodeOptions,
    ) -> Result<(), MessageFailure> {
        let packed;
        let bytes = match found {
            Found::Part(node) => {
                if let Some(groups) = &self.groups {
                    let row = groups.of(node);
                    return self.count(row);
                }
                if self.sort.is_some() || self.select.is_some() {
                    return self.row(node, place, shown, options);
                }
                if self.has_records {
                    packed = packord::to_vec(&node.to_value())?;
                    &packed
                } else {
                    node.bytes()
                }
            }
            Found::Made(value) => {
                packed = packord::to_vec(&value)?;
                if self.groups.is_some() || self.sort.is_some() || self.select.is_some() {
                    let document = options.document(&packed)?;
                    return self.take(Found::Part(document.root()), place, shown, options);
                }
                &packed
            }
        };
        self.show(bytes, place, shown, options)
    }

    /// Counts a value in the group of its row.
    fn count(&mut self, row: Value) -> Result<(), MessageFailure> {
        let values = row.as_map().into_iter().flat_map(Map::values);
        let key: Vec<_> = values.cloned().map(SortKey).collect();
        if let Some((_, count)) = self.counts.get_mut(&key) {
            *count += 1;
            return Ok(());
        }
        // The key, and the row that is shown.
        self.hold(2 * FACTOR * packord::to_vec(&row)?.len() as u64)?;
        self.counts.insert(key, (row, 1));
        Ok(())
    }

    /// Sorts a value, or writes it.
    fn row(
        &mut self,
        node: Node<'_, '_>,
        place: &str,
        shown: &mut Shown,
        options: &DecodeOptions,
    ) -> Result<(), MessageFailure> {
        let bytes = match &self.select {
            Some(entries) => packord::to_vec(&entries.of(node))?,
            None if self.has_records => packord::to_vec(&node.to_value())?,
            None => node.bytes().to_vec(),
        };
        let Some(sort) = &self.sort else {
            return self.show(&bytes, place, shown, options);
        };
        let key = sort.first(node);
        let key_size = key.map_or(0, |key| {
            let factor = if key.is_map() || key.is_array() {
                FACTOR
            } else {
                1
            };
            factor * key.bytes().len() as u64
        });
        let key = key.map(|key| SortKey(key.to_value()));
        self.hold(key_size + (bytes.len() + place.len()) as u64)?;
        self.rows.push(Row {
            key,
            place: place.to_owned(),
            bytes,
        });
        Ok(())
    }

    fn hold(&mut self, size: u64) -> Outcome {
        self.held = self.held.saturating_add(size).saturating_add(OVERHEAD);
        if self.held <= self.max {
            return Ok(());
        }
        Err(Failure::Invalid(format!(
            "what --sort-by and --group-by hold in memory exceeds {} bytes (--max-message)",
            self.max
        )))
    }

    /// Writes what waits, at the end of all inputs. `between` is called after each value.
    pub fn end(
        &mut self,
        shown: &mut Shown,
        mut between: impl FnMut(&mut Shown) -> Outcome,
    ) -> Result<(), MessageFailure> {
        let options = self.options.clone();
        self.groups = None;
        for (_, (row, count)) in std::mem::take(&mut self.counts) {
            let Value::Map(row) = row else { continue };
            if self.is_done() {
                break;
            }
            let mut entries = row.into_vec();
            entries.push((Value::from(COUNT), Value::from(count)));
            let made = Value::Map(entries.into());
            self.take(Found::Made(made), "", shown, &options)?;
            between(shown)?;
        }
        let mut rows = std::mem::take(&mut self.rows);
        // Values without a key come last in both directions.
        rows.sort_by(|a, b| match (&a.key, &b.key) {
            (Some(a), Some(b)) if self.is_descending => b.cmp(a),
            (Some(a), Some(b)) => a.cmp(b),
            (a, b) => a.is_none().cmp(&b.is_none()),
        });
        for row in rows {
            if self.is_done() {
                break;
            }
            self.show(&row.bytes, &row.place, shown, &options)?;
            between(shown)?;
        }
        Ok(())
    }

    /// Writes a value, with its path unless that is empty.
    fn show(
        &mut self,
        bytes: &[u8],
        place: &str,
        shown: &mut Shown,
        options: &DecodeOptions,
    ) -> Result<(), MessageFailure> {
        self.left = self.left.saturating_sub(1);
        if !place.is_empty() {
            shown.prefix(&format!("{place}\t"));
        }
        shown.packed(Walker::with_options(bytes, options))
    }
}

/// A value in the order of `--sort-by`: that of values, but that numbers have one order, and 1 equals 1.0.
struct SortKey(Value);

impl Ord for SortKey {
    fn cmp(&self, other: &SortKey) -> Ordering {
        match (number(&self.0), number(&other.0)) {
            (Some((a, exact_a)), Some((b, exact_b))) => a.total_cmp(&b).then(exact_a.cmp(&exact_b)),
            _ => self.0.cmp(&other.0),
        }
    }
}

/// Returns a number as a float, and, of two that are the same float, what tells them apart. Minus zero is zero,
/// and all NaN are one, after the other numbers.
fn number(value: &Value) -> Option<(f64, i128)> {
    match value {
        Value::Int(number) => {
            let exact = number.as_i128();
            Some((exact as f64, exact))
        }
        Value::F32(_) | Value::F64(_) => {
            let number = value.as_f64()?;
            let number = if number.is_nan() {
                f64::NAN
            } else {
                number + 0.0
            };
            Some((number, number as i128))
        }
        _ => None,
    }
}

impl PartialOrd for SortKey {
    fn partial_cmp(&self, other: &SortKey) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SortKey {
    fn eq(&self, other: &SortKey) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for SortKey {}
