//! What happens with the values that were found: they become totals of groups, are sorted and made into new maps.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use packord::{DecodeOptions, EncodeOptions, Map, Value, Walker};

use super::order::{FACTOR, SortKey, compare};
use super::shown::Shown;
use super::totals::{AskedTotals, Total};
use crate::cli;
use crate::failure::{Failure, Outcome};
use crate::messages::{Checks, MessageFailure};
use crate::query::{Entries, KeySet, Part, QueryPath};

/// Packs a value that was made of others: their depth was checked when they were read.
fn pack(value: &Value) -> packord::Result<Vec<u8>> {
    EncodeOptions::new().max_depth(u32::MAX).encode(value)
}

/// Bytes that a value takes in memory besides those of its MessagePack.
pub const OVERHEAD: u64 = 128;

/// Fails if more than `max` bytes are held in memory.
pub fn check_held(what: &str, held: u64, max: u64) -> Outcome {
    if held <= max {
        return Ok(());
    }
    Err(Failure::Invalid(format!(
        "what {what} hold in memory exceeds {max} bytes (--max-message)"
    )))
}

/// The options that arrange, and what is held for them.
pub struct Arrangement {
    groups: Option<Entries>,
    /// Empty if values are written as they are.
    totals: AskedTotals,
    /// Whether values are only counted or added up.
    gathers: bool,
    /// By what values are sorted, and whether from the greatest on.
    sort: Vec<(QueryPath, bool)>,
    select: Option<Entries>,
    /// The number of values that may still be written.
    left: u64,
    gathered: BTreeMap<Vec<SortKey>, (Value, Vec<Total>)>,
    options: DecodeOptions,
    rows: Vec<Row>,
    held: u64,
    max: u64,
}

/// A value that waits to be sorted, in MessagePack.
struct Row {
    keys: Vec<Option<SortKey>>,
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
        let sort = choosing.sort_by.as_deref().map(QueryPath::parse_order);
        let sort = sort.transpose();
        let sort = sort.map_err(|what| Failure::Usage(format!("--sort-by: {what}")))?;
        let groups = entries("--group-by", &command.group_by)?;
        let totals = AskedTotals::new(command)?;
        let usage = |text: String| Err(Failure::Usage(text));
        if groups.is_some() && totals.is_empty() {
            let text = "--group-by needs --count, --sum, --avg, --min or --max";
            return usage(text.to_owned());
        }
        let is_taken = |name: &&str| groups.iter().flat_map(Entries::names).any(|it| it == *name);
        if let Some(name) = totals.names().find(is_taken) {
            let text = format!("--group-by: the total is named {name}: write other: {name}");
            return usage(text);
        }
        let arranges = choosing.select.is_some() || sort.is_some() || choosing.limit.is_some();
        let gathers = command.count || !totals.is_empty();
        if gathers && groups.is_none() && arranges {
            let text = "--count, --sum, --avg, --min and --max take --select, --sort-by and --limit with \
                        --group-by only";
            return usage(text.to_owned());
        }
        let direction = |(path, own): (_, Option<bool>)| (path, own.unwrap_or(choosing.descending));
        Ok(Arrangement {
            groups,
            gathers,
            totals,
            sort: sort.into_iter().flatten().map(direction).collect(),
            left: choosing.limit.unwrap_or(u64::MAX),
            select: entries("--select", &choosing.select)?,
            gathered: BTreeMap::new(),
            options: command
                .reading
                .options(Checks::default())?
                .records(false)
                .columns(false)
                .max_depth(u32::MAX),
            rows: Vec::new(),
            held: 0,
            max: command.reading.max_message,
        })
    }

    /// Returns whether all values that are written have the same keys.
    pub fn is_regular(&self) -> bool {
        self.select.is_some() || !self.totals.is_empty()
    }

    /// Returns whether no more values are written.
    pub fn is_done(&self) -> bool {
        self.left == 0
    }

    /// Returns whether values are not written as they are found.
    pub fn is_used(&self) -> bool {
        self.is_regular() || !self.sort.is_empty() || self.left < u64::MAX
    }

    /// Adds the keys of messages that are needed to write them.
    pub fn add_keys(&self, keys: &mut KeySet) {
        match self.groups.as_ref().or(self.select.as_ref()) {
            Some(entries) => keys.add_entries(entries),
            None if self.gathers => {}
            None => *keys = KeySet::All,
        }
        self.totals.add_keys(keys);
        self.sort.iter().for_each(|(path, _)| keys.add_path(path));
    }

    /// Takes a value that was found, and writes it unless it must wait for others.
    pub fn take(&mut self, part: Part<'_>, place: &str, shown: &mut Shown) -> Result<(), MessageFailure> {
        if !self.totals.is_empty() {
            return Ok(self.gather(part)?);
        }
        let selected = self.select.as_ref().map(|entries| entries.of(part));
        let bytes = selected.as_deref().unwrap_or_else(|| part.bytes());
        if self.sort.is_empty() {
            return self.show(bytes, place, shown);
        }
        let mut size = (bytes.len() + place.len()) as u64;
        let keys = self.sort.iter().map(|(path, _)| {
            let key = path.first(part)?;
            let factor = if key.count().is_some() { FACTOR } else { 1 };
            size += factor * key.bytes().len() as u64;
            Some(SortKey(key.to_value()))
        });
        let row = Row {
            keys: keys.collect(),
            place: place.to_owned(),
            bytes: bytes.to_vec(),
        };
        self.hold(size)?;
        self.rows.push(row);
        Ok(())
    }

    /// Adds a value to the totals of its group.
    fn gather(&mut self, part: Part<'_>) -> Outcome {
        let row = self.groups.as_ref().map(|groups| groups.of(part));
        let size = row.as_ref().map_or(1, Vec::len);
        let row = row.map_or_else(|| Value::Map(Map::default()), |row| Part::of_message(&row).to_value());
        let values = row.as_map().into_iter().flat_map(Map::values);
        let key = values.cloned().map(SortKey).collect();
        let (new, (_, totals)) = match self.gathered.entry(key) {
            Entry::Occupied(entry) => (0, entry.into_mut()),
            // The key, and the row that is shown.
            Entry::Vacant(entry) => (2 * FACTOR * size as u64, entry.insert((row, Vec::new()))),
        };
        match new + self.totals.add(totals, part) {
            0 => Ok(()),
            size => self.hold(size),
        }
    }

    fn hold(&mut self, size: u64) -> Outcome {
        self.held = self.held.saturating_add(size).saturating_add(OVERHEAD);
        check_held("--sort-by and --group-by", self.held, self.max)
    }

    /// Writes what waits, at the end of all inputs. `between` is called after each value.
    pub fn end(
        &mut self,
        shown: &mut Shown,
        mut between: impl FnMut(&mut Shown) -> Outcome,
    ) -> Result<(), MessageFailure> {
        let totals = std::mem::take(&mut self.totals);
        let mut gathered = std::mem::take(&mut self.gathered);
        if self.groups.is_none() && !totals.is_empty() {
            // No value has totals, too.
            let no_value = || (Value::Map(Map::default()), Vec::new());
            gathered.entry(Vec::new()).or_insert_with(no_value);
        }
        for (_, (row, of_group)) in gathered {
            let Value::Map(row) = row else { continue };
            if self.is_done() {
                break;
            }
            let (mut entries, mut more) = (row.into_vec(), totals.entries(of_group));
            let is_alone = self.groups.is_none() && more.len() == 1;
            let made = match more.pop() {
                Some((_, value)) if is_alone => value,
                last => {
                    entries.extend(more.into_iter().chain(last));
                    Value::Map(entries.into())
                }
            };
            self.take(Part::of_message(&pack(&made)?), "", shown)?;
            between(shown)?;
        }
        let mut rows = std::mem::take(&mut self.rows);
        rows.sort_by(|a, b| {
            let keys = a.keys.iter().zip(&b.keys).zip(&self.sort);
            let mut orders = keys.map(|((a, b), (_, is_descending))| compare(a, b, *is_descending));
            orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        });
        for row in rows {
            if self.is_done() {
                break;
            }
            self.show(&row.bytes, &row.place, shown)?;
            between(shown)?;
        }
        Ok(())
    }

    /// Writes a value, with its path unless that is empty.
    fn show(&mut self, bytes: &[u8], place: &str, shown: &mut Shown) -> Result<(), MessageFailure> {
        self.left = self.left.saturating_sub(1);
        shown.prefix(place);
        shown.packed(Walker::with_options(bytes, &self.options))
    }
}
