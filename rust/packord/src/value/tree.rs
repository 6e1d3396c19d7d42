//! [`Value`] and its two forms.

use super::Integer;
use super::ext::Ext;
use super::map::{Array, Key, Map};
use crate::ext::{BIGINT, Timestamp, bigint_value};
use alloc::boxed::Box;
use core::ops::Index;

/// A value that borrows its strings and bytes from the input.
///
/// ```
/// use packord::{DecodeOptions, Value, ValueRef};
///
/// let bytes = b"\x81\xa4name\xa5Alice".to_vec();
/// let value: ValueRef<'_> = DecodeOptions::new().decode_ref(&bytes)?;
/// let name: &str = value["name"].as_str().unwrap();
/// assert!(bytes.as_ptr_range().contains(&name.as_ptr()));
/// let owned: Value = value.to_owned();
/// assert_eq!(owned["name"], "Alice");
/// # Ok::<(), packord::Error>(())
/// ```
pub type ValueRef<'a> = Value<&'a str, &'a [u8]>;

/// A value of the format (`spec/format.md` section 3), with strings of type `S` and bytes of type
/// `B`. Programs use it under two names, [`Value`](crate::Value) and [`ValueRef`](crate::ValueRef).
///
/// Values are equal as the specification says: integers by their number, floats by their bits as
/// a float 64 (so a NaN equals itself, and `0.0` is not `-0.0`), maps in any order of their
/// entries. An integer never equals a float, a str never a bin.
///
/// A value takes 24 bytes. It is read, written, cloned, compared, printed and dropped without
/// recursion, so no depth can overflow the stack.
///
/// ```
/// use packord::Value;
///
/// let value: Value = packord::from_slice(b"\x82\xa2id\x07\xa4tags\x92\xa1a\xa1b")?;
/// assert_eq!(value["id"], 7);
/// assert_eq!(value["tags"][1], "b");
/// assert_eq!(value["none"], Value::Nil);
/// assert_eq!(value.to_string(), r#"{"id": 7, "tags": ["a", "b"]}"#);
///
/// let built = Value::from([("id", Value::from(7)), ("tags", Value::from(["a", "b"]))]);
/// assert_eq!(built, value);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Default)]
#[non_exhaustive]
pub enum Value<S = Box<str>, B = Box<[u8]>> {
    /// nil.
    #[default]
    Nil,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(Integer),
    /// A float 32, which is written as one.
    F32(f32),
    /// A float 64.
    F64(f64),
    /// A string.
    Str(S),
    /// Bytes.
    Bin(B),
    /// An array.
    Array(Array<S, B>),
    /// A map, or a record.
    Map(Map<S, B>),
    /// An ext other than a timestamp.
    Ext(Ext<B>),
    /// A timestamp.
    Timestamp(Timestamp),
}

const _: () = assert!(cfg!(not(target_pointer_width = "64")) || size_of::<Value>() == 24);
const _: () = assert!(cfg!(not(target_pointer_width = "64")) || size_of::<ValueRef<'_>>() == 24);

macro_rules! is {
    ($($name:ident, $pattern:pat, $what:literal;)*) => {$(
        #[doc = concat!("Returns whether the value is ", $what, ".")]
        #[must_use]
        pub const fn $name(&self) -> bool {
            matches!(self, $pattern)
        }
    )*};
}

macro_rules! variant {
    ($self:ident, $variant:ident($value:ident) => $content:expr) => {
        if let Value::$variant($value) = $self {
            Some($content)
        } else {
            None
        }
    };
}

impl<S, B> Value<S, B> {
    pub(crate) const NIL: Value<S, B> = Value::Nil;

    is! {
        is_nil, Value::Nil, "nil";
        is_bool, Value::Bool(_), "a boolean";
        is_int, Value::Int(_), "an integer";
        is_float, Value::F32(_) | Value::F64(_), "a float";
        is_number, Value::Int(_) | Value::F32(_) | Value::F64(_), "an integer or a float";
        is_str, Value::Str(_), "a str";
        is_bin, Value::Bin(_), "a bin";
        is_array, Value::Array(_), "an array";
        is_map, Value::Map(_), "a map or a record";
        is_ext, Value::Ext(_), "an ext, other than a timestamp";
        is_timestamp, Value::Timestamp(_), "a timestamp";
    }

    /// Returns the boolean.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        variant!(self, Bool(value) => *value)
    }

    /// Returns the integer.
    #[must_use]
    pub const fn as_int(&self) -> Option<Integer> {
        variant!(self, Int(value) => *value)
    }

    /// Returns the integer if it is at most 2^63 − 1.
    #[must_use]
    pub const fn as_i64(&self) -> Option<i64> {
        if let Value::Int(value) = self {
            value.as_i64()
        } else {
            None
        }
    }

    /// Returns the integer if it is not negative.
    #[must_use]
    pub const fn as_u64(&self) -> Option<u64> {
        if let Value::Int(value) = self {
            value.as_u64()
        } else {
            None
        }
    }

    /// Returns the float as 64 bits, or an integer that a float can hold exactly.
    ///
    /// ```
    /// use packord::Value;
    /// assert_eq!(Value::from(1.5_f32).as_f64(), Some(1.5));
    /// assert_eq!(Value::from(3).as_f64(), Some(3.0));
    /// assert_eq!(Value::from(u64::MAX).as_f64(), None);
    /// ```
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::F32(value) => Some(f64::from(*value)),
            Value::F64(value) => Some(*value),
            Value::Int(value) => {
                let float = value.as_f64();
                (float as i128 == value.as_i128()).then_some(float)
            }
            _ => None,
        }
    }

    /// Returns the timestamp.
    #[must_use]
    pub const fn as_timestamp(&self) -> Option<Timestamp> {
        variant!(self, Timestamp(at) => *at)
    }

    /// Returns the ext, if it is not a timestamp.
    #[must_use]
    pub const fn as_ext(&self) -> Option<&Ext<B>> {
        variant!(self, Ext(ext) => ext)
    }

    /// Returns the elements of an array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Value<S, B>]> {
        variant!(self, Array(array) => array)
    }

    /// Returns the elements of an array for changing them.
    #[must_use]
    pub fn as_array_mut(&mut self) -> Option<&mut [Value<S, B>]> {
        variant!(self, Array(array) => array)
    }

    /// Returns the map.
    #[must_use]
    pub const fn as_map(&self) -> Option<&Map<S, B>> {
        variant!(self, Map(map) => map)
    }

    /// Returns the map for changing its values.
    #[must_use]
    pub const fn as_map_mut(&mut self) -> Option<&mut Map<S, B>> {
        variant!(self, Map(map) => map)
    }

    /// Returns the value and leaves nil in its place.
    ///
    /// ```
    /// use packord::Value;
    /// let mut value = Value::from([1, 2]);
    /// let first = value.as_array_mut().unwrap()[0].take();
    /// assert_eq!((first, value.to_string()), (Value::from(1), "[nil, 2]".to_owned()));
    /// ```
    #[must_use]
    pub fn take(&mut self) -> Value<S, B> {
        core::mem::take(self)
    }

    /// Returns the type of the value in one word: `nil`, `bool`, `int`, `float`, `str`, `bin`, `array`,
    /// `map`, `ext`, `timestamp`.
    #[must_use]
    pub const fn type_name(&self) -> &'static str {
        match self {
            Value::Nil => "nil",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::F32(_) | Value::F64(_) => "float",
            Value::Str(_) => "str",
            Value::Bin(_) => "bin",
            Value::Array(_) => "array",
            Value::Map(_) => "map",
            Value::Ext(_) => "ext",
            Value::Timestamp(_) => "timestamp",
        }
    }
}

impl<S: AsRef<str>, B: AsRef<[u8]>> Value<S, B> {
    /// Returns the string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        variant!(self, Str(text) => text.as_ref())
    }

    /// Returns the bytes of a bin.
    #[must_use]
    pub fn as_bin(&self) -> Option<&[u8]> {
        variant!(self, Bin(bytes) => bytes.as_ref())
    }

    /// Returns the integer, or the number of a bigint ext (type 0x42) within the range of `i128`.
    ///
    /// ```
    /// use packord::Value;
    /// assert_eq!(Value::from(1_i128 << 64).as_i128(), Some(1 << 64));
    /// ```
    #[must_use]
    pub fn as_i128(&self) -> Option<i128> {
        match self {
            Value::Int(value) => Some(value.as_i128()),
            Value::Ext(ext) if ext.kind() == BIGINT => bigint_value(ext.payload()),
            _ => None,
        }
    }

    /// Returns the value of the last entry of a map whose key is this string.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value<S, B>> {
        self.as_map()?.get(key)
    }

    /// Returns the value of the last entry of a map whose key is this string, for changing it.
    #[must_use]
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value<S, B>> {
        self.as_map_mut()?.get_mut(key)
    }

    /// Returns the value of the last entry of a map whose key is this value.
    #[must_use]
    pub fn get_key(&self, key: &Value<S, B>) -> Option<&Value<S, B>> {
        self.as_map()?.get_key(key)
    }

    /// Returns the element of an array at a position.
    #[must_use]
    pub fn at(&self, index: usize) -> Option<&Value<S, B>> {
        self.as_array()?.get(index)
    }

    /// Returns the element of an array at a position, for changing it.
    #[must_use]
    pub fn at_mut(&mut self, index: usize) -> Option<&mut Value<S, B>> {
        self.as_array_mut()?.get_mut(index)
    }

    /// Returns the entries of a map, and none for another type.
    pub fn entries(&self) -> impl Iterator<Item = (Key<'_, S, B>, &Value<S, B>)> {
        self.as_map().into_iter().flat_map(Map::iter)
    }

    /// Returns the elements of an array, and none for another type.
    pub fn elements(&self) -> impl Iterator<Item = &Value<S, B>> {
        self.as_array().into_iter().flatten()
    }
}

/// Returns the value of the last entry with the key, or nil if there is none or the value is not a
/// map.
impl<S: AsRef<str>, B: AsRef<[u8]>> Index<&str> for Value<S, B> {
    type Output = Value<S, B>;
    fn index(&self, key: &str) -> &Value<S, B> {
        self.get(key).unwrap_or(&const { Value::NIL })
    }
}

/// Returns the element at the position, or nil if there is none or the value is not an array.
impl<S: AsRef<str>, B: AsRef<[u8]>> Index<usize> for Value<S, B> {
    type Output = Value<S, B>;
    fn index(&self, index: usize) -> &Value<S, B> {
        self.at(index).unwrap_or(&const { Value::NIL })
    }
}
