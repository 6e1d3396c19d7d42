//! Values from and to plain types.

use super::ext::Ext;
use super::integer::Integer;
use super::map::{Array, Map};
use super::{Tree, Value, ValueRef};
use crate::ext::{BIGINT, Timestamp, bigint_payload};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

macro_rules! from {
    ($($type:ty => $value:ident, $expr:expr;)*) => {$(
        impl<S, B> From<$type> for Tree<S, B> {
            fn from($value: $type) -> Self {
                $expr
            }
        }
    )*};
}

from! {
    () => _unit, Tree::Nil;
    bool => value, Tree::Bool(value);
    Integer => value, Tree::Int(value);
    i8 => value, Tree::Int(value.into());
    i16 => value, Tree::Int(value.into());
    i32 => value, Tree::Int(value.into());
    i64 => value, Tree::Int(value.into());
    isize => value, Tree::Int(value.into());
    u8 => value, Tree::Int(value.into());
    u16 => value, Tree::Int(value.into());
    u32 => value, Tree::Int(value.into());
    u64 => value, Tree::Int(value.into());
    usize => value, Tree::Int(value.into());
    f32 => value, Tree::F32(value);
    f64 => value, Tree::F64(value);
    Timestamp => at, Tree::Timestamp(at);
    Ext<B> => ext, Tree::Ext(ext);
    Array<S, B> => array, Tree::Array(array);
    Map<S, B> => map, Tree::Map(map);
    Vec<Tree<S, B>> => elements, Tree::Array(elements.into());
    Vec<(Tree<S, B>, Tree<S, B>)> => entries, Tree::Map(entries.into());
}

macro_rules! from_owned {
    ($($type:ty => $value:ident, $expr:expr;)*) => {$(
        impl From<$type> for Value {
            fn from($value: $type) -> Value {
                $expr
            }
        }
    )*};
}

from_owned! {
    &str => text, Tree::Str(text.into());
    &String => text, Tree::Str(text.as_str().into());
    Cow<'_, str> => text, Tree::Str(text.into());
    String => text, Tree::Str(text.into());
    Box<str> => text, Tree::Str(text);
    char => value, Tree::Str(String::from(value).into());
    &[u8] => bytes, Tree::Bin(bytes.into());
    Vec<u8> => bytes, Tree::Bin(bytes.into());
    Box<[u8]> => bytes, Tree::Bin(bytes);
    Cow<'_, [u8]> => bytes, Tree::Bin(bytes.into());
}

/// A number outside −2^63 to 2^64 − 1 is a bigint ext.
impl From<i128> for Value {
    fn from(value: i128) -> Value {
        match Integer::try_from(value) {
            Ok(value) => Tree::Int(value),
            Err(_) => {
                let (bytes, begin) = bigint_payload(value);
                Tree::Ext(Ext::new(BIGINT, &bytes[begin..]))
            }
        }
    }
}

/// As `i128`, up to 2^128 − 1.
impl From<u128> for Value {
    fn from(value: u128) -> Value {
        i128::try_from(value).map_or_else(
            |_| {
                let mut bytes = [0; 17];
                bytes[1..].copy_from_slice(&value.to_be_bytes());
                Tree::Ext(Ext::new(BIGINT, &bytes))
            },
            Value::from,
        )
    }
}

impl<'a> From<&'a str> for ValueRef<'a> {
    fn from(text: &'a str) -> ValueRef<'a> {
        Tree::Str(text)
    }
}

impl<'a> From<&'a [u8]> for ValueRef<'a> {
    fn from(bytes: &'a [u8]) -> ValueRef<'a> {
        Tree::Bin(bytes)
    }
}

impl From<ValueRef<'_>> for Value {
    fn from(value: ValueRef<'_>) -> Value {
        value.to_owned()
    }
}

/// `None` is nil.
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Tree::Nil, Into::into)
    }
}

impl<const N: usize> From<[Value; N]> for Value {
    fn from(elements: [Value; N]) -> Value {
        Vec::from(elements).into()
    }
}

macro_rules! from_elements {
    ($($type:ty)*) => {$(
        impl<const N: usize> From<[$type; N]> for Value {
            fn from(elements: [$type; N]) -> Value {
                elements.into_iter().collect()
            }
        }

        impl From<Vec<$type>> for Value {
            fn from(elements: Vec<$type>) -> Value {
                elements.into_iter().collect()
            }
        }
    )*};
}
from_elements!(bool i8 i16 i32 i64 u16 u32 u64 f32 f64 &str String);

macro_rules! from_entries {
    ($($(#[$attr:meta])* [$($param:tt)*] $type:ty;)*) => {$(
        $(#[$attr])*
        impl<K: Into<Value>, V: Into<Value> $($param)*> From<$type> for Value {
            fn from(entries: $type) -> Value {
                let entries = entries.into_iter().map(|(key, value)| (key.into(), value.into()));
                Tree::Map(entries.collect())
            }
        }
    )*};
}

from_entries! {
    /// A map in the order of the keys.
    [] BTreeMap<K, V>;
    /// A map in any order.
    #[cfg(feature = "std")]
    [, H] std::collections::HashMap<K, V, H>;
    /// A map.
    [, const N: usize] [(K, V); N];
}

/// An array.
impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Value {
        elements.into_iter().map(Into::into).collect::<Vec<_>>().into()
    }
}

/// The value has another type than the requested one, or does not fit.
///
/// ```
/// use packord::Value;
/// assert_eq!(u8::try_from(Value::from(7)), Ok(7));
/// assert!(u8::try_from(Value::from("7")).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueTypeError {
    wanted: &'static str,
    found: &'static str,
}

impl fmt::Display for ValueTypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "value of type {} does not fit {}", self.found, self.wanted)
    }
}

impl core::error::Error for ValueTypeError {}

impl ValueTypeError {
    pub(super) fn new(wanted: &'static str, value: &Value) -> ValueTypeError {
        let found = value.type_name();
        ValueTypeError { wanted, found }
    }
}

macro_rules! try_into {
    ($($type:ty, $name:literal => $value:ident, $expr:expr;)*) => {$(
        impl TryFrom<Value> for $type {
            type Error = ValueTypeError;
            fn try_from($value: Value) -> Result<$type, ValueTypeError> {
                let found = $value.type_name();
                $expr.ok_or(ValueTypeError { wanted: $name, found })
            }
        }
    )*};
}

fn integer<T: TryFrom<Integer>>(value: &Value) -> Option<T> {
    T::try_from(value.as_int()?).ok()
}

try_into! {
    bool, "bool" => value, value.as_bool();
    i8, "i8" => value, integer(&value);
    i16, "i16" => value, integer(&value);
    i32, "i32" => value, integer(&value);
    i64, "i64" => value, integer(&value);
    isize, "isize" => value, integer(&value);
    u8, "u8" => value, integer(&value);
    u16, "u16" => value, integer(&value);
    u32, "u32" => value, integer(&value);
    u64, "u64" => value, integer(&value);
    usize, "usize" => value, integer(&value);
    i128, "i128" => value, value.as_i128();
    f64, "f64" => value, value.as_f64();
    Timestamp, "Timestamp" => value, value.as_timestamp();
    String, "String" => value, if let Tree::Str(text) = value { Some(text.into()) } else { None };
    Box<str>, "Box<str>" => value, if let Tree::Str(text) = value { Some(text) } else { None };
    Vec<u8>, "Vec<u8>" => value, if let Tree::Bin(bytes) = value { Some(bytes.into()) } else { None };
    Map, "Map" => value, if let Tree::Map(map) = value { Some(map) } else { None };
    Vec<Value>, "Vec<Value>" => value, if let Tree::Array(array) = value { Some(array.into_vec()) } else { None };
}

macro_rules! compare {
    ($($type:ty)*) => {$(
        impl<S, B> PartialEq<$type> for Tree<S, B> {
            fn eq(&self, other: &$type) -> bool {
                self.as_int().is_some_and(|value| value == *other)
            }
        }
    )*};
}
compare!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

impl<S, B> PartialEq<bool> for Tree<S, B> {
    fn eq(&self, other: &bool) -> bool {
        self.as_bool() == Some(*other)
    }
}

impl<S: AsRef<str>, B: AsRef<[u8]>> PartialEq<str> for Tree<S, B> {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == Some(other)
    }
}

impl<S: AsRef<str>, B: AsRef<[u8]>> PartialEq<&str> for Tree<S, B> {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == Some(*other)
    }
}
