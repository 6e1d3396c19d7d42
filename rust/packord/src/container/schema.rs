//! [`Schema`]: which types occur at which path of a table (`spec/container.md` section 3).

use super::comparable::Comparable;
use crate::value::{Tree, Value, ValueRef};
use crate::wire::header::Kind;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// A type in a schema.
#[non_exhaustive]
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
    pub const ALL: &'static [TypeName] = &[
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
        const NAMES: [&str; TypeName::ALL.len()] = [
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
        NAMES[self as usize]
    }

    /// Returns the type with a name.
    ///
    /// ```
    /// use packord::container::TypeName;
    /// assert_eq!(TypeName::from_name("uint"), Some(TypeName::Uint));
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<TypeName> {
        TypeName::ALL.iter().copied().find(|known| known.name() == name)
    }

    /// Returns the type of a packed value; `None` for nil.
    #[inline]
    pub(super) fn of(bytes: &[u8]) -> Option<TypeName> {
        Some(match Kind::at(bytes)? {
            Kind::Nil => return None,
            Kind::Bool => TypeName::Bool,
            Kind::Int => match Comparable::of(bytes) {
                Comparable::Int(int) if int.as_i64().is_none() => TypeName::Uint,
                _ => TypeName::Int,
            },
            Kind::F32 | Kind::F64 => TypeName::Float,
            Kind::Str => TypeName::Str,
            Kind::Bin => TypeName::Bin,
            Kind::Array => TypeName::Array,
            Kind::Map => TypeName::Map,
            Kind::Ext => match Comparable::of(bytes) {
                Comparable::Timestamp(_) => TypeName::Timestamp,
                _ => TypeName::Ext,
            },
        })
    }

    pub(super) const fn bit(self) -> u16 {
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
    pub(super) entries: Vec<SchemaEntry>,
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
                let is_missing = !is_known && array_around(&entry.path).is_none_or(|array| rest.get(array).is_some());
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

    /// Reads a schema, or returns `None` if it has another form.
    pub(super) fn from_value(value: &ValueRef<'_>) -> Option<Schema> {
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
            (Tree::Str(entry.path.clone()), Tree::Array(list.into_iter().collect()))
        };
        Tree::Map(self.entries.iter().map(entry).collect())
    }
}

/// Returns the path of the elements of the innermost array around a path, which can be the path itself.
fn array_around(path: &str) -> Option<&str> {
    let end = path.rfind("[]")?;
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
