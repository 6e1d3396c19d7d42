//! The types that code and schemas are written from.

use std::collections::HashSet;

use super::infer::{ANY, Inference, ROOT};
use super::shape::{Maps, ShapeId};

/// A type of values.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// Any value: none was seen, or the limits do not tell them apart.
    Any,
    /// Nil only.
    Nil,
    /// A bool.
    Bool,
    /// An integer, and the range that was seen.
    Int(i128, i128),
    /// A number, and the range that was seen; whether one was not finite.
    Float(f64, f64, bool),
    /// A str.
    Str {
        /// The format, named as in JSON Schema.
        format: Option<&'static str>,
        /// All strings that were seen, if they are few.
        choices: Vec<String>,
        /// The lengths in characters that were seen.
        lens: (u64, u64),
    },
    /// A bin.
    Bin,
    /// A timestamp.
    Time,
    /// An ext of these types.
    Ext(Vec<i8>),
    /// An array of elements of one type, and the lengths that were seen.
    List(Box<Type>, (u64, u64)),
    /// A map with values of one type, and whether all keys are str.
    Dictionary(Box<Type>, bool),
    /// A map with known keys: the index of its type.
    Named(usize),
    /// One of several types.
    Union(Vec<Type>),
    /// Nil or another type.
    Nullable(Box<Type>),
}

/// A map with known keys.
#[derive(Debug)]
pub struct NamedType {
    /// The name, which no other type has, in the form `UserAddress`.
    pub name: String,
    /// The entries, in the order in which their keys were seen first.
    pub fields: Vec<Field>,
}

/// An entry of a map.
#[derive(Debug)]
pub struct Field {
    /// The key.
    pub key: String,
    /// Whether some maps do not have it.
    pub is_optional: bool,
    /// How many maps have it, and how many there are.
    pub present: (u64, u64),
    /// The type of its values.
    pub ty: Type,
}

/// All types of an input.
#[derive(Debug)]
pub struct Types {
    /// The maps with known keys. A type comes after those that it contains.
    pub named: Vec<NamedType>,
    /// The type of the messages.
    pub root: Type,
}

impl Types {
    /// Returns the name of the type with this index.
    #[must_use]
    pub fn name(&self, index: usize) -> &str {
        self.named.get(index).map_or("", |named| &named.name)
    }
}

impl Inference {
    /// Returns the types, of which that of the messages has a name.
    #[must_use]
    pub fn types(&self, root: &str) -> Types {
        let shape = self.shape(ROOT);
        let is_map = |maps: &Maps| maps.rest.is_none() && maps.count == shape.seen;
        let mut naming = Naming {
            shapes: self,
            named: Vec::new(),
            names: HashSet::new(),
        };
        if !shape.maps.as_deref().is_some_and(is_map) {
            naming.names.insert(root.to_ascii_lowercase());
        }
        let ty = naming.of(ROOT, root, "");
        Types {
            named: naming.named,
            root: ty,
        }
    }
}

struct Naming<'i> {
    shapes: &'i Inference,
    named: Vec<NamedType>,
    /// The names so far, in small letters: some languages do not tell them apart.
    names: HashSet<String>,
}

impl Naming<'_> {
    /// Returns the type of a shape, whose maps are named after their key, and after what is around them if
    /// that is taken.
    fn of(&mut self, id: ShapeId, name: &str, around: &str) -> Type {
        let shape = self.shapes.shape(id);
        if id == ANY || shape.seen == 0 {
            return Type::Any;
        }
        let mut kinds = Vec::new();
        if shape.bools > 0 {
            kinds.push(Type::Bool);
        }
        match (shape.ints, shape.floats) {
            (ints, Some(floats)) => {
                let (mut low, mut high) = floats.range;
                if let Some(ints) = ints {
                    (low, high) = (low.min(ints.range.0 as f64), high.max(ints.range.1 as f64));
                }
                kinds.push(Type::Float(low, high, floats.is_infinite));
            }
            (Some(ints), None) => kinds.push(Type::Int(ints.range.0, ints.range.1)),
            (None, None) => {}
        }
        if let Some(texts) = &shape.texts {
            kinds.push(Type::Str {
                format: texts.format(),
                choices: texts.choices().unwrap_or_default(),
                lens: texts.lens,
            });
        }
        if shape.bins > 0 {
            kinds.push(Type::Bin);
        }
        if shape.times > 0 {
            kinds.push(Type::Time);
        }
        if !shape.exts.is_empty() {
            kinds.push(Type::Ext(shape.exts.iter().copied().collect()));
        }
        if let Some(arrays) = shape.arrays {
            let element = self.of(arrays.element, &element_name(name, around), around);
            kinds.push(Type::List(Box::new(element), arrays.lens));
        }
        if let Some(maps) = &shape.maps {
            kinds.push(self.of_maps(maps, name, around));
        }
        let ty = match (kinds.pop(), kinds.is_empty()) {
            (None, _) => return Type::Nil,
            (Some(only), true) => only,
            (Some(last), false) => {
                kinds.push(last);
                Type::Union(kinds)
            }
        };
        if shape.nils > 0 {
            Type::Nullable(Box::new(ty))
        } else {
            ty
        }
    }

    fn of_maps(&mut self, maps: &Maps, name: &str, around: &str) -> Type {
        if let Some(rest) = maps.rest {
            let values = self.of(rest, &element_name(name, around), around);
            return Type::Dictionary(Box::new(values), !maps.has_odd_keys);
        }
        let name = self.unused(name, around);
        let fields = maps.fields.iter().map(|field| Field {
            key: field.key.clone(),
            is_optional: field.present < maps.count,
            present: (field.present, maps.count),
            ty: self.of(field.shape, &pascal(&field.key), &name),
        });
        let fields = fields.collect();
        self.named.push(NamedType { name, fields });
        Type::Named(self.named.len() - 1)
    }

    /// Returns a name that no other type has.
    fn unused(&mut self, name: &str, around: &str) -> String {
        let long = match around {
            "" => format!("{name}Item"),
            around => format!("{around}{name}"),
        };
        let numbered = (2..).map(|number| format!("{long}{number}"));
        let name = [name.to_owned(), long.clone()]
            .into_iter()
            .chain(numbered)
            .find(|name| !is_reserved(name) && !self.names.contains(&name.to_ascii_lowercase()))
            .unwrap_or(long);
        self.names.insert(name.to_ascii_lowercase());
        name
    }
}

/// Returns whether code in one of the languages has a type of this name already.
#[must_use]
pub fn is_reserved(name: &str) -> bool {
    const NAMES: &str = "\
        Any Array Boolean Character Clone Date Debug Deserialize Double Err Float Instant \
        Integer List Long Map MsgPacker None Number Object Ok Option Override PartialEq Record \
        Result Self Serialize Some String Symbol True False Uint8Array Vec";
    NAMES.split(' ').any(|other| other == name)
}

/// Returns a name for a type in the form `UserAddress`, of ASCII letters and digits.
#[must_use]
pub fn pascal(key: &str) -> String {
    let mut name = String::new();
    for word in key.split(|letter: char| !letter.is_ascii_alphanumeric()) {
        let mut letters = word.chars();
        name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    if name.is_empty() || name.starts_with(|letter: char| letter.is_ascii_digit()) {
        name.insert_str(0, "Item");
    }
    name
}

/// Returns the name of an element, which differs from that of the messages.
fn element_name(name: &str, around: &str) -> String {
    match singular(name) {
        same if same == name && around.is_empty() => format!("{name}Item"),
        element => element,
    }
}

/// Returns the name of an element, by the name of the list.
fn singular(name: &str) -> String {
    let stem = name
        .strip_suffix("ies")
        .filter(|stem| stem.len() > 1)
        .map(|stem| format!("{stem}y"));
    let plain = || {
        name.strip_suffix('s')
            .filter(|stem| stem.len() > 1 && !stem.ends_with(['s', 'u', 'i']))
    };
    stem.or_else(|| plain().map(str::to_owned))
        .unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_types_are_made_of_keys() {
        for (key, name) in [
            ("user", "User"),
            ("user_address", "UserAddress"),
            ("userAddress", "UserAddress"),
            ("odd key!", "OddKey"),
            ("2nd", "Item2nd"),
            ("é", "Item"),
            ("", "Item"),
        ] {
            assert_eq!(pascal(key), name);
        }
        for (list, element) in [
            ("Users", "User"),
            ("Cities", "City"),
            ("Address", "Address"),
            ("Status", "Status"),
            ("News", "New"),
            ("S", "S"),
        ] {
            assert_eq!(singular(list), element);
        }
    }
}
