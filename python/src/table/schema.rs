//! What values a table has, by column, and the type that holds them all.
//!
//! Known from the index of a container file, or by looking at every row.

use packord::container::Schema;
use std::collections::HashMap;
use std::ffi::CString;

use super::types::{Field, Type};
use crate::wire::item::{Item, item};
use crate::wire::marker::TIMESTAMP;
use crate::wire::skip::skip;

/// The kinds of values, in the order of the index.
pub const KINDS: [&str; 10] = [
    "bool",
    "int",
    "uint",
    "float",
    "str",
    "bin",
    "timestamp",
    "array",
    "map",
    "ext",
];
const BOOL: u16 = 1;
const INT: u16 = 1 << 1;
const UINT: u16 = 1 << 2;
const FLOAT: u16 = 1 << 3;
const STR: u16 = 1 << 4;
const BIN: u16 = 1 << 5;
const TIME: u16 = 1 << 6;
const ARRAY: u16 = 1 << 7;
const MAP: u16 = 1 << 8;
const EXT: u16 = 1 << 9;

/// Types nest at most this deep; what is deeper becomes JSON.
const MAX_DEPTH: usize = 32;
/// A map within a row with more keys than this becomes JSON.
const MAX_KEYS: usize = 1000;
/// All keys together, with those of rows.
const MAX_NODES: usize = 100_000;

/// The table has more columns than any reader would want; or a row is not a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTable {
    NotMaps,
    TooMany,
}

/// The values at one place of all rows.
#[derive(Debug, Default)]
pub struct Seen {
    kinds: u16,
    keys: Vec<(String, Seen)>,
    index: HashMap<String, usize>,
    elements: Option<Box<Seen>>,
    /// Not all keys are known, or a key is not a str.
    open: bool,
    /// Of the row: how many paths were added.
    paths: usize,
}

impl Seen {
    /// What an index says. `None` if it names more columns than any reader would want.
    pub fn of_index(schema: &Schema) -> Option<Seen> {
        let mut seen = Seen::default();
        let added = schema.entries().iter().all(|entry| {
            let kinds = entry.types.iter().map(|&name| name as usize);
            seen.add_path(&entry.path, kinds)
        });
        added.then_some(seen)
    }

    /// Adds what an index says of a path: `a.b[].c`. Returns `false` if there are too many.
    pub fn add_path(&mut self, path: &str, kinds: impl IntoIterator<Item = usize>) -> bool {
        let mut place = &mut *self;
        for (depth, part) in path.split('.').enumerate() {
            if depth > MAX_DEPTH {
                return true;
            }
            let name = part.trim_end_matches("[]");
            place = place.key(name);
            for _ in 0..((part.len() - name.len()) / 2).min(MAX_DEPTH) {
                place = place.elements.get_or_insert_default();
            }
        }
        for kind in kinds {
            place.kinds |= 1 << kind;
        }
        self.paths += 1;
        self.paths <= MAX_NODES
    }

    fn key(&mut self, name: &str) -> &mut Seen {
        let index = match self.index.get(name) {
            Some(&index) => index,
            None => {
                self.index.insert(name.to_owned(), self.keys.len());
                self.keys.push((name.to_owned(), Seen::default()));
                self.keys.len() - 1
            }
        };
        &mut self.keys[index].1
    }

    /// Adds a row. `nodes`: how many keys were seen in all.
    pub fn add_row(&mut self, row: &[u8], nodes: &mut usize) -> Result<(), NoTable> {
        let is_map = matches!(item(row, 0), Some((Item::Map(_), _)));
        if !is_map {
            return Err(NoTable::NotMaps);
        }
        self.add(row, 0, 0, nodes).map(drop).ok_or(NoTable::TooMany)
    }

    fn add(&mut self, bytes: &[u8], at: usize, depth: usize, nodes: &mut usize) -> Option<usize> {
        let (item, mut end) = item(bytes, at)?;
        self.kinds |= match item {
            Item::Nil => 0,
            Item::Bool(_) => BOOL,
            Item::Int(_) => INT,
            Item::Uint(_) => UINT,
            Item::Float(_) => FLOAT,
            Item::Str(_) => STR,
            Item::Bin(_) => BIN,
            Item::Ext(TIMESTAMP, _) => TIME,
            Item::Ext(..) => EXT,
            Item::Array(_) => ARRAY,
            Item::Map(_) => MAP,
        };
        match item {
            Item::Array(_) | Item::Map(_) if depth >= MAX_DEPTH => skip(bytes, at),
            Item::Array(count) => {
                let elements = self.elements.get_or_insert_default();
                for _ in 0..count {
                    end = elements.add(bytes, end, depth + 1, nodes)?;
                }
                Some(end)
            }
            Item::Map(count) => {
                for _ in 0..count {
                    end = self.add_entry(bytes, end, depth, nodes)?;
                }
                Some(end)
            }
            _ => Some(end),
        }
    }

    fn add_entry(
        &mut self,
        bytes: &[u8],
        at: usize,
        depth: usize,
        nodes: &mut usize,
    ) -> Option<usize> {
        let key = match item(bytes, at)? {
            (Item::Str(key), value) => std::str::from_utf8(key).ok().map(|key| (key, value)),
            _ => None,
        };
        let Some((key, value)) = key else {
            self.open = true;
            return skip(bytes, skip(bytes, at)?);
        };
        let is_new = !self.index.contains_key(key);
        if is_new && depth > 0 && self.keys.len() >= MAX_KEYS {
            self.open = true;
            return skip(bytes, value);
        }
        *nodes += usize::from(is_new);
        if *nodes > MAX_NODES {
            return None;
        }
        self.key(key).add(bytes, value, depth + 1, nodes)
    }

    /// The columns. `Err`: a name that no column of Arrow can have.
    pub fn fields(&self) -> Result<Vec<Field>, String> {
        self.fields_at(0)
    }

    fn fields_at(&self, depth: usize) -> Result<Vec<Field>, String> {
        let fields = self.keys.iter().map(|(name, seen)| {
            let c_name = CString::new(name.as_str()).map_err(|_| name.clone())?;
            Ok(Field::new(c_name, seen.ty(depth + 1)?))
        });
        fields.collect()
    }

    /// The type that holds all values.
    fn ty(&self, depth: usize) -> Result<Type, String> {
        Ok(match self.kinds {
            0 => Type::Null,
            BOOL => Type::Bool,
            INT => Type::INT64,
            UINT => Type::Int {
                bytes: 8,
                signed: false,
            },
            // All of 64 bits, with and without a sign.
            kinds if kinds == INT | UINT => Type::Decimal {
                precision: 20,
                scale: 0,
            },
            kinds if kinds & !(INT | UINT | FLOAT) == 0 => Type::FLOAT64,
            kinds if kinds & !(BIN | EXT) == 0 => Type::Bytes {
                text: false,
                large: true,
            },
            TIME => Type::Timestamp {
                digits: 6,
                zone: String::new(),
            },
            ARRAY if depth < MAX_DEPTH => {
                let ty = match &self.elements {
                    Some(elements) => elements.ty(depth + 1)?,
                    None => Type::Null,
                };
                let item = Box::new(Field::new(c"item".to_owned(), ty));
                Type::List { item, large: true }
            }
            MAP if depth < MAX_DEPTH && !self.open && !self.keys.is_empty() => {
                Type::Struct(self.fields_at(depth)?)
            }
            _ => Type::TEXT,
        })
    }
}
