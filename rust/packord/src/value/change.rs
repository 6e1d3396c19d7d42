//! Changing values in place: [`Array`] and [`Map`] are as long as what they hold, so each of these
//! calls may copy the container. Many elements at once are added by `extend`.

use super::{Array, Map, MapStorage, Tree, Value, ValueTypeError};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::IndexMut;

impl<S, B> Array<S, B> {
    /// Adds an element at the end.
    ///
    /// ```
    /// use packord::{Array, value};
    /// let mut array = Array::from(vec![value!(1)]);
    /// array.push(value!("two"));
    /// array.extend([value!(3), value!(nil)]);
    /// assert_eq!(array.to_string(), r#"[1, "two", 3, nil]"#);
    /// ```
    pub fn push(&mut self, element: Tree<S, B>) {
        self.extend([element]);
    }

    /// Takes the element at a position out of the array, if there is one.
    pub fn remove(&mut self, index: usize) -> Option<Tree<S, B>> {
        if index >= self.len() {
            return None;
        }
        let mut elements = core::mem::take(&mut self.0).into_vec();
        let removed = elements.remove(index);
        self.0 = elements.into();
        Some(removed)
    }
}

impl<S, B> Extend<Tree<S, B>> for Array<S, B> {
    fn extend<I: IntoIterator<Item = Tree<S, B>>>(&mut self, elements: I) {
        let (mut all, added) = (core::mem::take(&mut self.0).into_vec(), elements.into_iter());
        all.reserve_exact(added.size_hint().0);
        all.extend(added);
        self.0 = all.into();
    }
}

impl<S, B> FromIterator<Tree<S, B>> for Array<S, B> {
    fn from_iter<I: IntoIterator<Item = Tree<S, B>>>(elements: I) -> Array<S, B> {
        elements.into_iter().collect::<Vec<_>>().into()
    }
}

impl<'t, S, B> IntoIterator for &'t mut Array<S, B> {
    type Item = &'t mut Tree<S, B>;
    type IntoIter = core::slice::IterMut<'t, Tree<S, B>>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl Map {
    /// Sets the value of a key. The last entry with this key gets the value, and its old one is
    /// returned; otherwise an entry is added at the end.
    ///
    /// ```
    /// use packord::{Map, Value};
    /// let mut map = Map::default();
    /// assert_eq!(map.insert("id", 7), None);
    /// assert_eq!(map.insert("id", 8), Some(Value::from(7)));
    /// assert_eq!(map.to_string(), r#"{"id": 8}"#);
    /// ```
    pub fn insert(&mut self, key: impl Into<Value>, value: impl Into<Value>) -> Option<Value> {
        let (key, value) = (key.into(), value.into());
        if let Some(index) = self.position(&key) {
            return Some(core::mem::replace(self.value_mut(index), value));
        }
        self.extend([(key, value)]);
        None
    }

    /// Takes the last entry with this key out of the map and returns its value. The others keep
    /// their order.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        let index = self.position_of(key)?;
        self.remove_at(index).map(|(_, value)| value)
    }

    /// Takes the last entry whose key is this value out of the map and returns its value.
    pub fn remove_key(&mut self, key: &Value) -> Option<Value> {
        let index = self.position(key)?;
        self.remove_at(index).map(|(_, value)| value)
    }

    /// Takes the entry at a position out of the map.
    pub fn remove_at(&mut self, index: usize) -> Option<(Value, Value)> {
        if index >= self.len() {
            return None;
        }
        let mut pairs = self.take_pairs();
        let removed = pairs.remove(index);
        self.0 = MapStorage::Pairs(pairs.into());
        Some(removed.into())
    }
}

/// Adds entries at the end, also of keys that the map has.
impl Extend<(Value, Value)> for Map {
    fn extend<I: IntoIterator<Item = (Value, Value)>>(&mut self, entries: I) {
        let (mut all, added) = (self.take_pairs(), entries.into_iter());
        all.reserve_exact(added.size_hint().0);
        all.extend(added.map(<[Value; 2]>::from));
        self.0 = MapStorage::Pairs(all.into());
    }
}

impl IntoIterator for Map {
    type Item = (Value, Value);
    type IntoIter = alloc::vec::IntoIter<(Value, Value)>;
    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

impl Value {
    /// Adds an element at the end of an array. A nil becomes an array of one element.
    ///
    /// ```
    /// use packord::{Value, value};
    /// let mut value = value!({"tags": nil});
    /// value.get_mut("tags").unwrap().push("new")?;
    /// assert_eq!(value, value!({"tags": ["new"]}));
    /// assert!(value.push(1).is_err());
    /// # Ok::<(), packord::ValueTypeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the value is of another type.
    pub fn push(&mut self, element: impl Into<Value>) -> Result<(), ValueTypeError> {
        if self.is_nil() {
            *self = Value::Array(Array::default());
        }
        match self {
            Value::Array(array) => {
                array.push(element.into());
                Ok(())
            }
            other => Err(ValueTypeError::new("array", other)),
        }
    }

    /// Sets the value of a key of a map, as [`Map::insert`] does. A nil becomes a map of one entry.
    ///
    /// ```
    /// use packord::{Value, value};
    /// let mut value = value!({"id": 7});
    /// assert_eq!(value.insert("id", 8)?, Some(value!(7)));
    /// assert_eq!(value.insert(5, "five")?, None);
    /// assert_eq!(value, value!({"id": 8, 5: "five"}));
    /// # Ok::<(), packord::ValueTypeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the value is of another type.
    pub fn insert(&mut self, key: impl Into<Value>, value: impl Into<Value>) -> Result<Option<Value>, ValueTypeError> {
        if self.is_nil() {
            *self = Value::Map(Map::default());
        }
        match self {
            Value::Map(map) => Ok(map.insert(key, value)),
            other => Err(ValueTypeError::new("map", other)),
        }
    }

    /// Takes the last entry with this key out of a map and returns its value. `None` if there is no
    /// such entry, or the value is not a map.
    ///
    /// ```
    /// use packord::value;
    /// let mut value = value!({"id": 7, "size": 2});
    /// assert_eq!(value.remove("id"), Some(value!(7)));
    /// assert_eq!((value.remove("id"), value), (None, value!({"size": 2})));
    /// ```
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        self.as_map_mut()?.remove(key)
    }

    /// Takes the element at a position out of an array. `None` if there is no such element, or the
    /// value is not an array.
    ///
    /// ```
    /// use packord::value;
    /// let mut value = value!([1, 2, 3]);
    /// assert_eq!((value.remove_at(1), value), (Some(value!(2)), value!([1, 3])));
    /// ```
    pub fn remove_at(&mut self, index: usize) -> Option<Value> {
        match self {
            Value::Array(array) => array.remove(index),
            _ => None,
        }
    }
}

/// What the macro [`value!`](crate::value!) makes of its arrays and maps.
#[doc(hidden)]
pub trait Build {
    fn build(self) -> Value;
}

/// The value of a key of a map, which is added with nil if there is none. Nil becomes a map.
///
/// ```
/// use packord::{Value, value};
/// let mut user = value!({"name": "Ada", "tags": ["old"]});
/// user["name"] = "Eve".into();
/// user["born"] = 1815.into();
/// user["tags"][0] = "new".into();
/// assert_eq!(user, value!({"name": "Eve", "tags": ["new"], "born": 1815}));
/// ```
///
/// # Panics
///
/// If the value is neither a map nor nil.
impl IndexMut<&str> for Value {
    fn index_mut(&mut self, key: &str) -> &mut Value {
        if matches!(self, Value::Nil) {
            *self = Value::Map(Map::default());
        }
        let Value::Map(map) = self else {
            panic!("not a map, which a str is a key of: {self}");
        };
        let index = map.position_of(key).unwrap_or_else(|| {
            map.extend([(Value::from(key), Value::Nil)]);
            map.len() - 1
        });
        map.value_mut(index)
    }
}

/// An element of an array.
///
/// # Panics
///
/// If the value is not an array, or has no such element.
impl IndexMut<usize> for Value {
    fn index_mut(&mut self, index: usize) -> &mut Value {
        match self {
            Value::Array(array) => &mut array[index],
            other => panic!("not an array, which a number is an index of: {other}"),
        }
    }
}

impl<const N: usize> Build for [Value; N] {
    fn build(self) -> Value {
        Value::Array(Array(Box::from(self)))
    }
}

impl<const N: usize> Build for [[Value; 2]; N] {
    fn build(self) -> Value {
        Value::Map(Map::from_pairs(Box::from(self)))
    }
}

/// Makes a [`Value`](crate::Value) from JSON with `nil`: arrays, maps with keys of any type, and
/// expressions that `Value` is made from. A key that is not one literal or name is in parentheses.
///
/// ```
/// use packord::{Value, value};
///
/// let (id, key) = (7, "size");
/// let value = value!({
///     "id": id,
///     "tags": ["a", nil, true, [], {}],
///     key: id * 2,
///     (id + 1): 0.5,
///     -1: "negative",
/// });
/// assert_eq!(value.to_string(), r#"{"id": 7, "tags": ["a", nil, true, [], {}], "size": 14, 8: 0.5, -1: "negative"}"#);
/// assert_eq!(value!(nil), Value::Nil);
/// ```
#[macro_export]
macro_rules! value {
    (nil) => { $crate::Value::Nil };
    ([]) => { $crate::Value::Array(::core::default::Default::default()) };
    ({}) => { $crate::Value::Map(::core::default::Default::default()) };
    ([$($elements:tt)+]) => { $crate::value!(@array [] $($elements)+) };
    ({$($entries:tt)+}) => { $crate::value!(@map [] $($entries)+) };

    (@array [$($done:expr,)*]) => { $crate::Build::build([$($done),*]) };
    (@array [$($done:expr,)*] nil $(, $($rest:tt)*)?) => {
        $crate::value!(@array [$($done,)* $crate::value!(nil),] $($($rest)*)?)
    };
    (@array [$($done:expr,)*] [$($inner:tt)*] $(, $($rest:tt)*)?) => {
        $crate::value!(@array [$($done,)* $crate::value!([$($inner)*]),] $($($rest)*)?)
    };
    (@array [$($done:expr,)*] {$($inner:tt)*} $(, $($rest:tt)*)?) => {
        $crate::value!(@array [$($done,)* $crate::value!({$($inner)*}),] $($($rest)*)?)
    };
    (@array [$($done:expr,)*] $next:expr $(, $($rest:tt)*)?) => {
        $crate::value!(@array [$($done,)* $crate::Value::from($next),] $($($rest)*)?)
    };

    (@map [$($done:expr,)*]) => { $crate::Build::build([$($done),*]) };
    (@map [$($done:expr,)*] -$key:literal : $($rest:tt)+) => {
        $crate::value!(@map [$($done,)*] (-$key) : $($rest)+)
    };
    (@map [$($done:expr,)*] $key:tt : nil $(, $($rest:tt)*)?) => {
        $crate::value!(@map [$($done,)* [$crate::value!($key), $crate::value!(nil)],] $($($rest)*)?)
    };
    (@map [$($done:expr,)*] $key:tt : [$($inner:tt)*] $(, $($rest:tt)*)?) => {
        $crate::value!(@map [$($done,)* [$crate::value!($key), $crate::value!([$($inner)*])],] $($($rest)*)?)
    };
    (@map [$($done:expr,)*] $key:tt : {$($inner:tt)*} $(, $($rest:tt)*)?) => {
        $crate::value!(@map [$($done,)* [$crate::value!($key), $crate::value!({$($inner)*})],] $($($rest)*)?)
    };
    (@map [$($done:expr,)*] $key:tt : $value:expr $(, $($rest:tt)*)?) => {
        $crate::value!(@map [$($done,)* [$crate::value!($key), $crate::Value::from($value)],] $($($rest)*)?)
    };

    ($other:expr) => { $crate::Value::from($other) };
}
