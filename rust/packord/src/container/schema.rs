//! [`Schema`]: which types occur at which path of a table (`spec/container.md` section 3).

use super::comparable::Comparable;
use super::plain::{after, array_of, map_of, str_of};
use crate::ext::Timestamp;
use crate::value::{Tree, Value};
use crate::wire::header::Header;
use crate::wire::marker as m;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// The most paths of a schema.
const MAX_PATHS: usize = 1000;
/// The most bytes of a path.
const MAX_PATH: usize = 256;

/// A type in a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TypeName {
    /// A boolean.
    Bool,
    /// An integer from −2^63 to 2^63 − 1.
    Int,
    /// An integer from 2^63 up.
    Uint,
    /// A float of 32 or 64 bits.
    Float,
    /// A string.
    Str,
    /// Bytes.
    Bin,
    /// A timestamp.
    Timestamp,
    /// An array.
    Array,
    /// A map.
    Map,
    /// Another ext.
    Ext,
}

impl TypeName {
    /// All of them, in the order of a schema.
    pub const ALL: [TypeName; 10] = [
        TypeName::Bool,
        TypeName::Int,
        TypeName::Uint,
        TypeName::Float,
        TypeName::Str,
        TypeName::Bin,
        TypeName::Timestamp,
        TypeName::Array,
        TypeName::Map,
        TypeName::Ext,
    ];

    /// Returns the name.
    ///
    /// ```
    /// assert_eq!(packord::container::TypeName::Uint.name(), "uint");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            TypeName::Bool => "bool",
            TypeName::Int => "int",
            TypeName::Uint => "uint",
            TypeName::Float => "float",
            TypeName::Str => "str",
            TypeName::Bin => "bin",
            TypeName::Timestamp => "timestamp",
            TypeName::Array => "array",
            TypeName::Map => "map",
            TypeName::Ext => "ext",
        }
    }

    fn from_name(name: &str) -> Option<TypeName> {
        TypeName::ALL.into_iter().find(|known| known.name() == name)
    }

    /// Returns the type of a packed value; `None` for nil.
    #[inline]
    fn of(bytes: &[u8]) -> Option<TypeName> {
        let marker = *bytes.first()?;
        Some(match marker {
            m::NIL | m::RESERVED => return None,
            m::FALSE | m::TRUE => TypeName::Bool,
            m::UINT64 => match Comparable::of(bytes) {
                Comparable::Int(int) if int.as_i64().is_none() => TypeName::Uint,
                _ => TypeName::Int,
            },
            0..=0x7f | m::UINT8..=m::INT64 | m::NEGATIVE_FIXINT.. => TypeName::Int,
            m::FLOAT32 | m::FLOAT64 => TypeName::Float,
            m::FIXSTR..=0xbf | m::STR8..=m::STR32 => TypeName::Str,
            m::BIN8..=m::BIN32 => TypeName::Bin,
            m::FIXARRAY..=0x9f | m::ARRAY16 | m::ARRAY32 => TypeName::Array,
            m::FIXMAP..=0x8f | m::MAP16 | m::MAP32 => TypeName::Map,
            m::EXT8..=m::EXT32 | m::FIXEXT1..=m::FIXEXT16 => {
                let kind = bytes.get(Header::of(marker).len() - 1)?;
                if *kind as i8 == Timestamp::EXT_TYPE {
                    TypeName::Timestamp
                } else {
                    TypeName::Ext
                }
            }
        })
    }

    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// What a schema says of one path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaEntry {
    /// The path: as [`RowPath`](super::RowPath), with `[]` after the path of an array for its elements.
    pub path: Box<str>,
    /// The types that occur, in their order. None if the value is always nil.
    pub types: Vec<TypeName>,
    /// Whether the value is nil or missing in a row, or in an element of the innermost array around it.
    pub nullable: bool,
}

/// Which types occur at which path of the table of a file.
///
/// ```
/// use packord::container::{Reader, TypeName, Writer};
/// use packord::value;
/// use std::io::Cursor;
///
/// let mut writer = Writer::new(Vec::new(), &Default::default())?;
/// writer.write(&value!({"id": 1, "tags": ["a"]}))?;
/// writer.write(&value!({"id": 2.5}))?;
/// let file = writer.finish()?;
/// let reader = Reader::seekable(Cursor::new(file), &Default::default())?;
/// let schema = reader.index().unwrap().schema().unwrap();
/// let paths: Vec<_> = schema.entries().iter().map(|entry| &*entry.path).collect();
/// assert_eq!(paths, ["id", "tags", "tags[]"]);
/// assert_eq!(schema.get("id").unwrap().types, [TypeName::Int, TypeName::Float]);
/// assert!(schema.get("tags").unwrap().nullable);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    entries: Vec<SchemaEntry>,
}

impl Schema {
    /// Returns what is known of each path: a path is followed by those of its elements and of its keys.
    #[must_use]
    pub fn entries(&self) -> &[SchemaEntry] {
        &self.entries
    }

    /// Returns what is known of a path.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&SchemaEntry> {
        self.entries.iter().find(|entry| *entry.path == *path)
    }

    /// Returns the schema of a table of which two parts have these schemas.
    ///
    /// ```
    /// use packord::container::{Reader, Writer};
    /// use packord::value;
    /// use std::io::Cursor;
    ///
    /// let schema = |row| {
    ///     let mut writer = Writer::new(Vec::new(), &Default::default())?;
    ///     writer.write(&row)?;
    ///     let file = Cursor::new(writer.finish()?);
    ///     let reader = Reader::seekable(file, &Default::default())?;
    ///     Ok::<_, packord::Error>(reader.index().unwrap().schema().unwrap().clone())
    /// };
    /// let both = schema(value!({"a": 1}))?.merged(&schema(value!({"a": 2, "b": nil}))?);
    /// assert!(!both.get("a").unwrap().nullable && both.get("b").unwrap().nullable);
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn merged(&self, other: &Schema) -> Schema {
        let mut tree = PathTree::default();
        for (part, rest) in [(self, other), (other, self)] {
            for entry in &part.entries {
                let is_known = rest.get(&entry.path).is_some();
                let is_missing = !is_known
                    && array_around(&entry.path).is_none_or(|array| rest.get(array).is_some());
                let merged = tree.entry(&entry.path);
                merged.nullable |= entry.nullable || is_missing;
                merged.types.extend(&entry.types);
                merged.types.sort_unstable();
                merged.types.dedup();
            }
        }
        Schema {
            entries: tree.into_entries(),
        }
    }

    /// Reads a schema. One of another form is as none.
    pub(super) fn from_value(value: &Value) -> Option<Schema> {
        let mut entries = Vec::new();
        for (path, of) in value.as_map()? {
            let [types, nullable, ..] = of.as_array()? else {
                return None;
            };
            let names = types.as_array()?.iter();
            let types = names.map(|name| TypeName::from_name(name.as_str()?));
            entries.push(SchemaEntry {
                path: path.as_str()?.into(),
                types: types.collect::<Option<_>>()?,
                nullable: nullable.as_bool()?,
            });
        }
        Some(Schema { entries })
    }

    /// Returns the value that is written.
    pub(super) fn to_value(&self) -> Value {
        let entry = |entry: &SchemaEntry| {
            let types: Value = entry.types.iter().map(|name| name.name()).collect();
            let list = [types, entry.nullable.into()];
            (
                Tree::Str(entry.path.clone()),
                Tree::Array(list.into_iter().collect()),
            )
        };
        Tree::Map(self.entries.iter().map(entry).collect())
    }
}

/// Returns the path of the elements of the innermost array around a path.
fn array_around(path: &str) -> Option<&str> {
    let within = path.strip_suffix("[]").unwrap_or(path);
    let end = within.rfind("[]")?;
    Some(&path[..end + 2])
}

/// Returns the path around a path: that of its array or map.
fn path_around(path: &str) -> &str {
    match path.strip_suffix("[]") {
        Some(array) => array,
        None => path.rfind('.').map_or("", |end| &path[..end]),
    }
}

/// Puts the paths of schemas into their order.
#[derive(Debug, Default)]
struct PathTree {
    entries: Vec<SchemaEntry>,
    by_path: BTreeMap<Box<str>, usize>,
    /// For each path, those in it: its elements, and its keys.
    within: BTreeMap<Box<str>, (Option<usize>, Vec<usize>)>,
}

impl PathTree {
    /// Returns the entry of a path, which is added if it is new.
    fn entry(&mut self, path: &str) -> &mut SchemaEntry {
        let new = self.entries.len();
        let number = *self.by_path.entry(path.into()).or_insert(new);
        if number == new {
            self.entries.push(SchemaEntry {
                path: path.into(),
                types: Vec::new(),
                nullable: false,
            });
            let (elements, keys) = self.within.entry(path_around(path).into()).or_default();
            if path.ends_with("[]") {
                *elements = Some(new);
            } else {
                keys.push(new);
            }
        }
        &mut self.entries[number]
    }

    fn into_entries(mut self) -> Vec<SchemaEntry> {
        let mut ordered = Vec::with_capacity(self.entries.len());
        let mut open = self.take_within("");
        while let Some(number) = open.pop() {
            let entry = self.entries[number].clone();
            open.extend(self.take_within(&entry.path));
            ordered.push(entry);
        }
        ordered
    }

    /// Returns the numbers of the paths in a path, the first one last.
    fn take_within(&mut self, path: &str) -> Vec<usize> {
        let (elements, keys) = self.within.remove(path).unwrap_or_default();
        keys.into_iter().rev().chain(elements).collect()
    }
}

/// Collects the types of the rows of a table.
#[derive(Debug, Default)]
pub(super) struct SchemaCollector {
    /// The places of a schema, the row first: those of a map's keys and of an array's elements.
    places: Vec<SchemaPlace>,
    /// The number of maps that were seen.
    maps: u64,
    /// Whether something cannot be said in a schema.
    is_given_up: bool,
    /// The schema of rows that it did not see.
    before: Option<Schema>,
    misses_rows: bool,
}

/// A place in rows.
#[derive(Debug, Default)]
struct SchemaPlace {
    /// The types that occur, a bit for each.
    types: u16,
    has_nil: bool,
    /// In how many maps it has a value, nil included, if it is that of a key.
    count: u64,
    /// The last map in which it has one.
    map: u64,
    /// How often it is a map.
    maps: u64,
    elements: Option<usize>,
    /// The places of keys, in the order in which they were first seen.
    keys: Vec<(Box<str>, usize)>,
    /// The keys again, from the 16th on.
    by_key: BTreeMap<Box<str>, usize>,
    /// Bytes of the path.
    path: usize,
}

/// From how many keys on they are searched in a tree.
const MANY_KEYS: usize = 16;
/// The place of the row.
pub(super) const ROW: usize = 0;

impl SchemaCollector {
    pub fn new() -> SchemaCollector {
        SchemaCollector {
            places: alloc::vec![SchemaPlace::default()],
            ..SchemaCollector::default()
        }
    }

    /// Returns a collector for rows whose schema is not known.
    pub fn given_up() -> SchemaCollector {
        SchemaCollector {
            is_given_up: true,
            ..SchemaCollector::new()
        }
    }

    /// Returns a collector for rows that are added to those of a schema.
    pub fn after(schema: &Schema) -> SchemaCollector {
        SchemaCollector {
            before: Some(schema.clone()),
            ..SchemaCollector::new()
        }
    }

    /// Notes that there are rows that it does not see.
    pub fn miss_rows(&mut self) {
        self.misses_rows = true;
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

    /// Returns whether there will be no schema.
    pub fn is_given_up(&self) -> bool {
        self.is_given_up
    }

    /// Gives up unless a schema can say what was added. All rows have to be maps.
    pub fn check(&mut self, added: Option<()>) {
        let row = &self.places[ROW];
        let is_map = row.types & !TypeName::Map.bit() == 0 && !row.has_nil;
        self.is_given_up |= added.is_none() || !is_map;
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
                        place = self.key(map, str_of(rest)?, expected)?;
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
            keys.find(|(known, _)| known.as_bytes() == key)
                .map(|(_, place)| *place)
        } else {
            found.by_key.get(core::str::from_utf8(key).ok()?).copied()
        };
        known.or_else(|| self.new_key(place, key))
    }

    #[cold]
    fn new_key(&mut self, place: usize, key: &[u8]) -> Option<usize> {
        let text = core::str::from_utf8(key).ok()?;
        if text.is_empty() || text.contains('.') || text.contains("[]") {
            return None;
        }
        let around = &self.places[place];
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
        if path > MAX_PATH || self.places.len() > MAX_PATHS {
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
                let types = TypeName::ALL.into_iter();
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
                let is_missing =
                    self.places[*place].count < found.maps || is_other || is_within && is_missing;
                open.push((*place, path, is_missing));
            }
            if let Some(elements) = found.elements {
                open.push((elements, alloc::format!("{path}[]"), false));
            }
        }
        Schema { entries }
    }
}
