//! [`Array`] and [`Map`]: the containers of a tree.

use super::Tree;
use crate::record::Structure;
use crate::value::raw::zip::Zip;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

/// The elements of an array, as a slice.
///
/// ```
/// use packord::Value;
/// let value = Value::from([1, 2]);
/// assert_eq!(value.as_array().map(<[Value]>::len), Some(2));
/// ```
#[derive(Default)]
pub struct Array<S = Box<str>, B = Box<[u8]>>(pub(super) Box<[Tree<S, B>]>);

impl<S, B> Array<S, B> {
    /// Returns the elements as a vector, without copying.
    #[must_use]
    pub fn into_vec(mut self) -> Vec<Tree<S, B>> {
        core::mem::take(&mut self.0).into_vec()
    }
}

impl<S, B> From<Vec<Tree<S, B>>> for Array<S, B> {
    fn from(elements: Vec<Tree<S, B>>) -> Array<S, B> {
        Array(elements.into_boxed_slice())
    }
}

impl<S, B> Deref for Array<S, B> {
    type Target = [Tree<S, B>];
    fn deref(&self) -> &[Tree<S, B>] {
        &self.0
    }
}

impl<S, B> DerefMut for Array<S, B> {
    fn deref_mut(&mut self) -> &mut [Tree<S, B>] {
        &mut self.0
    }
}

impl<S, B> IntoIterator for Array<S, B> {
    type Item = Tree<S, B>;
    type IntoIter = alloc::vec::IntoIter<Tree<S, B>>;
    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

impl<'t, S, B> IntoIterator for &'t Array<S, B> {
    type Item = &'t Tree<S, B>;
    type IntoIter = core::slice::Iter<'t, Tree<S, B>>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The entries of a map in their order. A key may occur twice, as in the bytes; a lookup finds the
/// last entry.
///
/// Maps that were read from records share their keys. Changing values does not copy the keys;
/// [`Map::into_vec`] does.
///
/// ```
/// use packord::{Map, Value};
///
/// let map: Map<_, _> = [("a", 1), ("b", 2)].into_iter().map(|(k, v)| (Value::from(k), Value::from(v))).collect();
/// assert_eq!(map.get("b").unwrap(), &2);
/// assert_eq!(map.len(), 2);
/// for (key, value) in &map {
///     println!("{key} is {value}");
/// }
/// ```
pub struct Map<S = Box<str>, B = Box<[u8]>>(pub(super) MapStorage<S, B>);

/// A key and a value. It is an array, so that entries are key, value, key, value in memory: code
/// that visits all values of a tree need not tell maps from arrays.
pub(crate) type Pair<S, B> = [Tree<S, B>; 2];

/// An entry of a [`Map`]: its key and its value.
///
/// ```
/// use packord::Value;
/// let value = Value::from([("a", 1)]);
/// let (key, one) = value.as_map().unwrap().entry(0).unwrap();
/// assert_eq!((key.as_str(), one.as_i64()), (Some("a"), Some(1)));
/// ```
pub type Entry<'m, S = Box<str>, B = Box<[u8]>> = (Key<'m, S, B>, &'m Tree<S, B>);

pub(crate) enum MapStorage<S, B> {
    Pairs(Box<[Pair<S, B>]>),
    Record(Zip<Box<str>, Tree<S, B>>),
}

impl<S, B> Default for Map<S, B> {
    fn default() -> Map<S, B> {
        Map(MapStorage::Pairs(Box::default()))
    }
}

/// A key of a map: any value, or the name of a record's field.
///
/// ```
/// use packord::{Key, Value};
/// let value = Value::from([("a", 1)]);
/// let (key, _) = value.as_map().unwrap().entry(0).unwrap();
/// assert!(matches!(key, Key::Value(text) if text.as_str() == Some("a")));
/// ```
#[non_exhaustive]
pub enum Key<'m, S = Box<str>, B = Box<[u8]>> {
    /// A value of any type.
    Value(&'m Tree<S, B>),
    /// The name of a record's field, equal to the str.
    Name(&'m str),
}

impl<S, B> Clone for Key<'_, S, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, B> Copy for Key<'_, S, B> {}

impl<'m, S: AsRef<str>, B: AsRef<[u8]>> Key<'m, S, B> {
    /// Returns the string of a str key.
    #[must_use]
    pub fn as_str(&self) -> Option<&'m str> {
        match *self {
            Key::Value(value) => value.as_str(),
            Key::Name(name) => Some(name),
        }
    }

    /// Returns the key if it is not a str.
    #[must_use]
    pub fn as_other(&self) -> Option<&'m Tree<S, B>> {
        match *self {
            Key::Value(value) if !matches!(value, Tree::Str(_)) => Some(value),
            _ => None,
        }
    }
}

impl<S, B> Map<S, B> {
    pub(crate) fn from_record(structure: Structure, values: Box<[Tree<S, B>]>) -> Option<Map<S, B>> {
        Zip::new(structure.0, values).map(|zip| Map(MapStorage::Record(zip)))
    }

    pub(crate) fn from_pairs(pairs: Box<[Pair<S, B>]>) -> Map<S, B> {
        Map(MapStorage::Pairs(pairs))
    }

    pub(crate) fn raw(&self) -> &MapStorage<S, B> {
        &self.0
    }

    /// Returns the structure, if the map was read or made as a record.
    pub(crate) fn structure(&self) -> Option<Structure> {
        match &self.0 {
            MapStorage::Pairs(_) => None,
            MapStorage::Record(zip) => Some(Structure(zip.keys().clone())),
        }
    }

    /// Returns the number of entries; a key that occurs twice counts twice.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            MapStorage::Pairs(pairs) => pairs.len(),
            MapStorage::Record(zip) => zip.values().len(),
        }
    }

    /// Returns whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the entry at a position.
    #[must_use]
    pub fn entry(&self, index: usize) -> Option<Entry<'_, S, B>> {
        match &self.0 {
            MapStorage::Pairs(pairs) => pairs.get(index).map(|[key, value]| (Key::Value(key), value)),
            MapStorage::Record(zip) => {
                let key = zip.keys().get(index)?;
                Some((Key::Name(key), zip.values().get(index)?))
            }
        }
    }

    /// Returns the entries in their order.
    #[must_use]
    pub fn iter(&self) -> Iter<'_, S, B> {
        Iter {
            map: self,
            range: 0..self.len(),
        }
    }

    /// Returns the values in the order of the entries.
    #[must_use]
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Tree<S, B>> + DoubleEndedIterator {
        self.iter().map(|(_, value)| value)
    }

    /// Returns the values for changing them.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Tree<S, B>> {
        let (pairs, values) = match &mut self.0 {
            MapStorage::Pairs(pairs) => (&mut pairs[..], &mut [][..]),
            MapStorage::Record(zip) => (&mut [][..], zip.values_mut()),
        };
        pairs.iter_mut().map(|[_, value]| value).chain(values)
    }

    pub(crate) fn value_mut(&mut self, index: usize) -> &mut Tree<S, B> {
        match &mut self.0 {
            MapStorage::Pairs(pairs) => &mut pairs[index][1],
            MapStorage::Record(zip) => &mut zip.values_mut()[index],
        }
    }

    /// Returns the entries as a vector. The keys of a record are copied.
    #[must_use]
    pub fn into_vec(mut self) -> Vec<(Tree<S, B>, Tree<S, B>)>
    where
        S: for<'k> From<&'k str>,
    {
        // Collected in place: both kinds of pairs have the same layout.
        self.take_pairs().into_iter().map(Into::into).collect()
    }

    /// Returns the entries as pairs, and leaves the map empty. The keys of a record are copied.
    pub(super) fn take_pairs(&mut self) -> Vec<Pair<S, B>>
    where
        S: for<'k> From<&'k str>,
    {
        match self.take_entries() {
            MapStorage::Pairs(pairs) => pairs.into_vec(),
            MapStorage::Record(zip) => {
                let (keys, values) = zip.into_parts();
                let keys = keys.iter().map(|key| Tree::Str(S::from(key)));
                keys.zip(values).map(Into::into).collect()
            }
        }
    }

    pub(super) fn take_entries(&mut self) -> MapStorage<S, B> {
        core::mem::replace(&mut self.0, MapStorage::Pairs(Box::default()))
    }
}

impl<S: AsRef<str>, B: AsRef<[u8]>> Map<S, B> {
    /// Returns the value of the last entry whose key is this string.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Tree<S, B>> {
        self.iter()
            .rev()
            .find(|(other, _)| other.as_str() == Some(key))
            .map(|(_, value)| value)
    }

    /// Returns the value of the last entry whose key is this string, for changing it.
    #[must_use]
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Tree<S, B>> {
        let index = self.position_of(key)?;
        Some(self.value_mut(index))
    }

    /// Returns the position of the last entry whose key is this string.
    pub(super) fn position_of(&self, key: &str) -> Option<usize> {
        self.iter().rposition(|(other, _)| other.as_str() == Some(key))
    }

    /// Returns the position of the last entry whose key is this value.
    pub(super) fn position(&self, key: &Tree<S, B>) -> Option<usize> {
        if let Some(text) = key.as_str() {
            return self.position_of(text);
        }
        self.iter().rposition(|(other, _)| other.as_other() == Some(key))
    }

    /// Returns the value of the last entry whose key is this value.
    #[must_use]
    pub fn get_key(&self, key: &Tree<S, B>) -> Option<&Tree<S, B>> {
        let index = self.position(key)?;
        self.entry(index).map(|(_, value)| value)
    }

    /// Returns the value of the last entry whose key is this value, for changing it.
    #[must_use]
    pub fn get_key_mut(&mut self, key: &Tree<S, B>) -> Option<&mut Tree<S, B>> {
        let index = self.position(key)?;
        Some(self.value_mut(index))
    }

    /// Returns whether this string is a key.
    #[must_use]
    pub fn contains_key(&self, key: &str) -> bool {
        self.get(key).is_some()
    }
}

impl<S, B> From<Vec<(Tree<S, B>, Tree<S, B>)>> for Map<S, B> {
    fn from(entries: Vec<(Tree<S, B>, Tree<S, B>)>) -> Map<S, B> {
        Map::from_pairs(entries.into_iter().map(Into::into).collect())
    }
}

impl<S, B> FromIterator<(Tree<S, B>, Tree<S, B>)> for Map<S, B> {
    fn from_iter<I: IntoIterator<Item = (Tree<S, B>, Tree<S, B>)>>(entries: I) -> Map<S, B> {
        Map::from_pairs(entries.into_iter().map(Into::into).collect())
    }
}

/// The entries of a [`Map`] in their order.
///
/// ```
/// use packord::Value;
/// let value = Value::from([("a", 1), ("b", 2)]);
/// let sum: i64 = value.as_map().unwrap().iter().filter_map(|(_, value)| value.as_i64()).sum();
/// assert_eq!(sum, 3);
/// ```
pub struct Iter<'m, S, B> {
    map: &'m Map<S, B>,
    range: core::ops::Range<usize>,
}

impl<'m, S, B> Iterator for Iter<'m, S, B> {
    type Item = Entry<'m, S, B>;
    fn next(&mut self) -> Option<Self::Item> {
        self.map.entry(self.range.next()?)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }
}

impl<S, B> DoubleEndedIterator for Iter<'_, S, B> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.map.entry(self.range.next_back()?)
    }
}

impl<S, B> ExactSizeIterator for Iter<'_, S, B> {}

impl<'m, S, B> IntoIterator for &'m Map<S, B> {
    type Item = Entry<'m, S, B>;
    type IntoIter = Iter<'m, S, B>;
    fn into_iter(self) -> Iter<'m, S, B> {
        self.iter()
    }
}
