//! [`SchemaCollector`]: collects the types of rows (`spec/container.md` section 7.1).

use super::plain::{after, array_of, map_of, str_of};
use super::schema::{Schema, SchemaEntry, TypeName};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

const MAX_PATHS: usize = 1000;
const MAX_PATH: usize = 256;

#[derive(Debug, Default)]
pub(super) struct SchemaCollector {
    /// The places of a schema, the row first: those of a map's keys and of an array's elements.
    pub places: Vec<SchemaPlace>,
    /// The number of maps that were seen.
    maps: u64,
    /// Whether something cannot be said in a schema, so that there will be none.
    pub is_given_up: bool,
    /// The schema of rows that it did not see.
    before: Option<Schema>,
    /// Whether there are others that it did not see.
    pub misses_rows: bool,
    /// Whether it is for tables: any name will do, there are more places, and what has none is passed over.
    is_for_tables: bool,
}

#[derive(Debug, Default)]
pub(super) struct SchemaPlace {
    /// The types that occur, a bit for each.
    pub types: u16,
    has_nil: bool,
    /// In how many maps it has a value, nil included, if it is that of a key.
    count: u64,
    /// The last map in which it has one.
    map: u64,
    /// How often it is a map.
    maps: u64,
    pub elements: Option<usize>,
    /// The places of keys, in the order in which they were first seen.
    pub keys: Vec<(Box<str>, usize)>,
    /// Whether there are keys without a place.
    pub misses_keys: bool,
    /// The keys again, from the 16th on.
    by_key: BTreeMap<Box<str>, usize>,
    /// Bytes of the path.
    path: usize,
}

/// The most places of the rows of tables, and of the keys of a map within them.
const MAX_COLUMNS: usize = 100_000;
const MAX_KEYS: usize = 1000;
/// From how many keys on they are searched in a tree.
const MANY_KEYS: usize = 16;
pub(super) const ROW: usize = 0;

impl SchemaCollector {
    pub fn new() -> SchemaCollector {
        SchemaCollector {
            places: alloc::vec![SchemaPlace::default()],
            ..SchemaCollector::default()
        }
    }

    /// Returns a collector for the columns of tables.
    #[cfg(all(feature = "arrow", feature = "notation"))]
    pub fn of_tables() -> SchemaCollector {
        SchemaCollector {
            is_for_tables: true,
            ..SchemaCollector::new()
        }
    }

    /// Adds the schema of the rows that it did not see.
    pub fn add_schema(&mut self, schema: &Schema) {
        self.misses_rows = false;
        self.before = Some(match &self.before {
            Some(before) => before.merged(schema),
            None => schema.clone(),
        });
    }

    /// Adds what another collector has seen of rows that come later.
    pub fn absorb(&mut self, other: &SchemaCollector) {
        self.is_given_up |= other.is_given_up;
        if !self.is_given_up && other.places[ROW].types != 0 {
            let added = self.absorb_places(other);
            self.check(added);
        }
    }

    /// `None` if there are too many places.
    fn absorb_places(&mut self, other: &SchemaCollector) -> Option<()> {
        let mut open = alloc::vec![(ROW, ROW)];
        while let Some((place, from)) = open.pop() {
            let (found, new) = (&mut self.places[place], &other.places[from]);
            found.types |= new.types;
            found.has_nil |= new.has_nil;
            found.count += new.count;
            found.maps += new.maps;
            for (number, (key, from)) in new.keys.iter().enumerate() {
                open.push((self.key(place, key.as_bytes(), number)?, *from));
            }
            if let Some(from) = new.elements {
                open.push((self.elements(place)?, from));
            }
        }
        Some(())
    }

    /// Gives up unless a schema can say what was added. All rows have to be maps.
    pub fn check(&mut self, added: Option<()>) {
        self.is_given_up |= added.is_none() || !self.has_maps_alone();
    }

    /// Whether all rows are maps.
    pub fn has_maps_alone(&self) -> bool {
        let row = &self.places[ROW];
        row.types & !TypeName::Map.bit() == 0 && !row.has_nil
    }

    /// Notes that maps at a place have a key without a place of its own. `None` if it must have one.
    pub fn miss_key(&mut self, place: usize) -> Option<()> {
        self.places[place].misses_keys = true;
        (self.is_for_tables && self.places.len() <= MAX_COLUMNS).then_some(())
    }

    /// Adds a row, which is one plain message.
    pub fn add(&mut self, row: &[u8]) {
        if !self.is_given_up {
            let added = self.value(ROW, row).map(drop);
            self.check(added);
        }
    }

    /// Notes that `count` values at a place have a type.
    pub fn note(&mut self, place: usize, kind: TypeName, count: usize) {
        if count > 0 {
            self.places[place].types |= kind.bit();
        }
    }

    /// Notes that `count` values at a place are maps. Their keys follow.
    pub fn note_maps(&mut self, place: usize, count: usize) {
        self.note(place, TypeName::Map, count);
        self.places[place].maps += count as u64;
    }

    /// Returns the place of a key that `count` of the maps at a place have. `None` if a schema cannot say
    /// it.
    pub fn note_key(&mut self, place: usize, key: &str, count: usize) -> Option<usize> {
        let expected = self.places[place].keys.len();
        let found = self.key(place, key.as_bytes(), expected)?;
        self.places[found].count += count as u64;
        Some(found)
    }

    /// Adds the value at the start of the bytes, with all that is in it. Returns the bytes after it; `None` if a schema
    /// cannot say it.
    pub fn value<'b>(&mut self, place: usize, bytes: &'b [u8]) -> Option<&'b [u8]> {
        // What is still to come: the place of its values, and how many there are; of a map its number, too, and the number of
        // the entry.
        enum Open {
            Elements(usize, usize),
            Entries(usize, usize, u64, usize),
        }
        let mut open: Vec<Open> = Vec::new();
        let (mut place, mut rest) = (place, bytes);
        loop {
            let found = &mut self.places[place];
            let kind = TypeName::of(rest);
            match kind {
                None => found.has_nil = true,
                Some(kind) => found.types |= kind.bit(),
            }
            match kind {
                Some(TypeName::Array) => {
                    let (count, first) = array_of(rest)?;
                    rest = first;
                    if count > 0 {
                        open.push(Open::Elements(self.elements(place)?, count));
                    }
                }
                Some(TypeName::Map) => {
                    let (count, first) = map_of(rest)?;
                    rest = first;
                    found.maps += 1;
                    self.maps += 1;
                    open.push(Open::Entries(place, count, self.maps, 0));
                }
                _ => rest = after(rest)?,
            }
            // The next value.
            loop {
                match open.last_mut() {
                    None => return Some(rest),
                    Some(Open::Elements(_, 0) | Open::Entries(_, 0, ..)) => {
                        open.pop();
                    }
                    Some(Open::Elements(elements, left)) => {
                        *left -= 1;
                        place = *elements;
                        break;
                    }
                    Some(Open::Entries(map, left, id, number)) => {
                        *left -= 1;
                        let (map, id, expected) = (*map, *id, *number);
                        *number += 1;
                        let key = str_of(rest);
                        let Some(key) = key.and_then(|key| self.key(map, key, expected)) else {
                            self.miss_key(map)?;
                            rest = after(after(rest)?)?;
                            continue;
                        };
                        place = key;
                        // A key that occurs twice in a map is there once.
                        let found = &mut self.places[place];
                        found.count += u64::from(found.map != id);
                        found.map = id;
                        rest = after(rest)?;
                        break;
                    }
                }
            }
        }
    }

    /// Returns the place of the elements of arrays at a place. `None` if there are too many places.
    pub fn elements(&mut self, place: usize) -> Option<usize> {
        if let Some(elements) = self.places[place].elements {
            return Some(elements);
        }
        let path = self.places[place].path + 2;
        let new = self.add_place(path)?;
        self.places[place].elements = Some(new);
        Some(new)
    }

    /// Returns the place of a key of maps at a place. `expected` is its number among the keys, as a guess.
    #[inline]
    fn key(&mut self, place: usize, key: &[u8], expected: usize) -> Option<usize> {
        let found = &self.places[place];
        if let Some((known, place)) = found.keys.get(expected) {
            if known.as_bytes() == key {
                return Some(*place);
            }
        }
        let known = if found.keys.len() < MANY_KEYS {
            let mut keys = found.keys.iter();
            keys.find(|(known, _)| known.as_bytes() == key).map(|(_, place)| *place)
        } else {
            found.by_key.get(core::str::from_utf8(key).ok()?).copied()
        };
        known.or_else(|| self.new_key(place, key))
    }

    #[cold]
    fn new_key(&mut self, place: usize, key: &[u8]) -> Option<usize> {
        let text = core::str::from_utf8(key).ok()?;
        let around = &self.places[place];
        let is_refused = if self.is_for_tables {
            place != ROW && around.keys.len() >= MAX_KEYS
        } else {
            text.is_empty() || text.contains('.') || text.contains("[]")
        };
        if is_refused {
            return None;
        }
        let dot = usize::from(around.path > 0);
        let new = self.add_place(around.path + dot + key.len())?;
        let around = &mut self.places[place];
        around.keys.push((text.into(), new));
        if around.keys.len() == MANY_KEYS {
            around.by_key = around.keys.iter().cloned().collect();
        } else if around.keys.len() > MANY_KEYS {
            around.by_key.insert(text.into(), new);
        }
        Some(new)
    }

    fn add_place(&mut self, path: usize) -> Option<usize> {
        // The row itself is a place without a path.
        let is_full = if self.is_for_tables {
            self.places.len() > MAX_COLUMNS
        } else {
            path > MAX_PATH || self.places.len() > MAX_PATHS
        };
        if is_full {
            return None;
        }
        self.places.push(SchemaPlace {
            path,
            ..SchemaPlace::default()
        });
        Some(self.places.len() - 1)
    }

    /// Returns the schema of the rows; `None` if there are none, or a schema cannot say it.
    pub fn finish(&self) -> Option<Schema> {
        if self.is_given_up || self.misses_rows {
            return None;
        }
        let found = (self.places[ROW].types != 0).then(|| self.found());
        let schema = match (&self.before, found) {
            (Some(before), Some(found)) => before.merged(&found),
            (Some(before), None) => before.clone(),
            (None, found) => found?,
        };
        (schema.entries.len() <= MAX_PATHS).then_some(schema)
    }

    /// Returns the schema of the rows that were added.
    fn found(&self) -> Schema {
        let mut entries = Vec::new();
        // Places that are still to be listed, with their paths, and whether they are missing where something else is in place
        // of the map around them; the next one last.
        let mut open = alloc::vec![(ROW, String::new(), false)];
        while let Some((place, path, is_missing)) = open.pop() {
            let found = &self.places[place];
            if place != ROW {
                let types = TypeName::ALL.iter().copied();
                entries.push(SchemaEntry {
                    path: path.clone().into(),
                    types: types.filter(|name| found.types & name.bit() != 0).collect(),
                    nullable: found.has_nil || is_missing,
                });
            }
            // In the row, or in an element, there can be something else than a map.
            let is_other = found.has_nil || found.types != TypeName::Map.bit();
            let is_within = place != ROW && !path.ends_with("[]");
            for (key, place) in found.keys.iter().rev() {
                let path = if path.is_empty() {
                    String::from(&**key)
                } else {
                    alloc::format!("{path}.{key}")
                };
                let is_missing = self.places[*place].count < found.maps || is_other || is_within && is_missing;
                open.push((*place, path, is_missing));
            }
            if let Some(elements) = found.elements {
                open.push((elements, alloc::format!("{path}[]"), false));
            }
        }
        Schema { entries }
    }
}
