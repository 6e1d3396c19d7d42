//! The types of columns, and their names in Arrow.

use std::ffi::{CStr, CString};

use super::abi;

/// Structs, lists and maps nest at most this deep, as in what the crate reads of Arrow.
const MAX_DEPTH: usize = 64;

/// The type of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    Null,
    Bool,
    Int {
        bytes: u8,
        signed: bool,
    },
    Float {
        bytes: u8,
    },
    /// `str` or bin. `large`: offsets of 64 bits.
    Bytes {
        text: bool,
        large: bool,
    },
    /// Since 1970, in units of 10^-digits seconds.
    Timestamp {
        digits: u8,
        zone: String,
    },
    /// Days since 1970.
    Date,
    /// Integers of 128 bits, times 10^-scale.
    Decimal {
        precision: u8,
        scale: i8,
    },
    List {
        item: Box<Field>,
        large: bool,
    },
    Struct(Vec<Field>),
    /// The field is a struct of key and value.
    Map {
        entries: Box<Field>,
        sorted: bool,
    },
}

/// A column or a part of one: a name and a type.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: CString,
    pub ty: Type,
    pub nullable: bool,
}

impl Field {
    /// A field that can be null.
    pub fn new(name: CString, ty: Type) -> Field {
        Field {
            name,
            ty,
            nullable: true,
        }
    }

    /// The rows of a table.
    pub fn rows(fields: Vec<Field>) -> Field {
        Field {
            nullable: false,
            ..Field::new(CString::default(), Type::Struct(fields))
        }
    }
}

impl Type {
    pub const INT64: Type = Type::Int {
        bytes: 8,
        signed: true,
    };
    pub const FLOAT64: Type = Type::Float { bytes: 8 };
    pub const TEXT: Type = Type::Bytes {
        text: true,
        large: true,
    };

    /// The format of the C data interface.
    pub fn format(&self) -> String {
        let fixed = match *self {
            Type::Null => "n",
            Type::Bool => "b",
            Type::Int { bytes, signed } => match (bytes, signed) {
                (1, true) => "c",
                (1, false) => "C",
                (2, true) => "s",
                (2, false) => "S",
                (4, true) => "i",
                (4, false) => "I",
                (_, true) => "l",
                (_, false) => "L",
            },
            Type::Float { bytes: 4 } => "f",
            Type::Float { .. } => "g",
            Type::Bytes { text, large } => match (text, large) {
                (true, false) => "u",
                (true, true) => "U",
                (false, false) => "z",
                (false, true) => "Z",
            },
            Type::Timestamp { digits, ref zone } => {
                let unit = ["s", "m", "u", "n"][usize::from(digits / 3)];
                return format!("ts{unit}:{zone}");
            }
            Type::Date => "tdD",
            Type::Decimal { precision, scale } => return format!("d:{precision},{scale}"),
            Type::List { large: false, .. } => "+l",
            Type::List { large: true, .. } => "+L",
            Type::Struct(_) => "+s",
            Type::Map { .. } => "+m",
        };
        fixed.to_owned()
    }

    /// The fields within.
    pub fn children(&self) -> &[Field] {
        match self {
            Type::List { item, .. } => std::slice::from_ref(item),
            Type::Map { entries, .. } => std::slice::from_ref(entries),
            Type::Struct(fields) => fields,
            _ => &[],
        }
    }

    pub fn is_sorted(&self) -> bool {
        matches!(self, Type::Map { sorted: true, .. })
    }

    /// How many columns it has that have no others within, at least 1.
    pub fn leaves(&self) -> usize {
        let within = self.children().iter().map(|child| child.ty.leaves());
        within.sum::<usize>().max(1)
    }

    /// The bytes of a value, for types whose values have all the same.
    pub fn width(&self) -> usize {
        match *self {
            Type::Int { bytes, .. } | Type::Float { bytes } => bytes.into(),
            Type::Timestamp { .. } => 8,
            Type::Date => 4,
            Type::Decimal { .. } => 16,
            _ => 0,
        }
    }

    /// What errors call it.
    pub fn name(&self) -> &'static str {
        match self {
            Type::Null => "null",
            Type::Bool => "bool",
            Type::Int { .. } => "an integer type",
            Type::Float { .. } => "a float type",
            Type::Bytes { text: true, .. } => "string",
            Type::Bytes { text: false, .. } => "binary",
            Type::Timestamp { .. } => "timestamp",
            Type::Date => "date",
            Type::Decimal { .. } => "decimal",
            Type::List { .. } => "list",
            Type::Struct(_) => "struct",
            Type::Map { .. } => "map",
        }
    }
}

/// Reads the type that another library shows. `Err`: the name of the column and the format that no column is
/// read as.
///
/// # Safety
///
/// The struct is valid and not released.
pub unsafe fn imported(schema: &abi::CSchema) -> Result<Field, (String, String)> {
    field_of(schema, 0)
}

unsafe fn field_of(schema: &abi::CSchema, depth: usize) -> Result<Field, (String, String)> {
    let name = if schema.name.is_null() {
        CString::default()
    } else {
        CStr::from_ptr(schema.name).to_owned()
    };
    let format = CStr::from_ptr(schema.format).to_string_lossy().into_owned();
    let refused = || (name.to_string_lossy().into_owned(), format.clone());
    if depth > MAX_DEPTH || !schema.dictionary.is_null() {
        return Err(refused());
    }
    let mut children = Vec::new();
    for index in 0..usize::try_from(schema.n_children).unwrap_or(0) {
        children.push(field_of(&**schema.children.add(index), depth + 1)?);
    }
    let ty = of_format(&format, children, schema.flags & abi::SORTED != 0);
    Ok(Field {
        ty: ty.ok_or_else(refused)?,
        nullable: schema.flags & abi::NULLABLE != 0,
        name,
    })
}

fn of_format(format: &str, mut children: Vec<Field>, sorted: bool) -> Option<Type> {
    let int = |bytes, signed| Type::Int { bytes, signed };
    let bytes = |text, large| Type::Bytes { text, large };
    if let Some(of) = format.strip_prefix("ts") {
        let (unit, zone) = of.split_once(':')?;
        let digits = match unit {
            "s" => 0,
            "m" => 3,
            "u" => 6,
            "n" => 9,
            _ => return None,
        };
        let zone = zone.to_owned();
        return Some(Type::Timestamp { digits, zone });
    }
    if let Some(of) = format.strip_prefix("d:") {
        let mut numbers = of.split(',');
        let precision = numbers.next()?.parse().ok().filter(|of| *of <= 38)?;
        let scale = numbers
            .next()?
            .parse()
            .ok()
            .filter(|of| (0..=38).contains(of))?;
        let bits = numbers.next().is_none_or(|bits| bits == "128");
        return bits.then_some(Type::Decimal { precision, scale });
    }
    Some(match format {
        "n" => Type::Null,
        "b" => Type::Bool,
        "c" => int(1, true),
        "C" => int(1, false),
        "s" => int(2, true),
        "S" => int(2, false),
        "i" => int(4, true),
        "I" => int(4, false),
        "l" => int(8, true),
        "L" => int(8, false),
        "f" => Type::Float { bytes: 4 },
        "g" => Type::Float { bytes: 8 },
        "u" => bytes(true, false),
        "U" => bytes(true, true),
        "z" => bytes(false, false),
        "Z" => bytes(false, true),
        "tdD" => Type::Date,
        "+l" | "+L" => Type::List {
            item: Box::new(children.pop()?),
            large: format == "+L",
        },
        "+s" => Type::Struct(children),
        "+m" => {
            let entries = Box::new(children.pop()?);
            let pair = matches!(&entries.ty, Type::Struct(fields) if fields.len() == 2);
            return pair.then_some(Type::Map { entries, sorted });
        }
        _ => return None,
    })
}
