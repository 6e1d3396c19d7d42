//! Copying a tree without recursion, also into one with another type of strings.

use super::map::{Array, Map, MapStorage};
use super::{Tree, Value, ValueRef};
use crate::record::Structure;
use crate::value::raw::grow::{Grower, NewContainer, OpenNodes};
use alloc::vec::Vec;

/// Returns the values of a map: each key and then its value, or the values of a record.
pub(super) fn children<S, B>(map: &Map<S, B>) -> &[Tree<S, B>] {
    match map.raw() {
        MapStorage::Pairs(pairs) => pairs.as_flattened(),
        MapStorage::Record(zip) => zip.values(),
    }
}

fn copy<'t, S, B, T, C>(tree: &'t Tree<S, B>, text: impl Fn(&'t S) -> T, bytes: impl Fn(&'t B) -> C) -> Tree<T, C> {
    let mut around = OpenNodes::new();
    let mut grower = Grower::new(&mut around);
    let mut todo = Vec::new();
    let mut rest = core::slice::from_ref(tree).iter();
    loop {
        let Some(value) = rest.next() else {
            rest = todo.pop().unwrap_or_default();
            continue;
        };
        let whole = match value {
            Tree::Nil => grower.add(Tree::Nil),
            Tree::Bool(value) => grower.add(Tree::Bool(*value)),
            Tree::Int(value) => grower.add(Tree::Int(*value)),
            Tree::F32(value) => grower.add(Tree::F32(*value)),
            Tree::F64(value) => grower.add(Tree::F64(*value)),
            Tree::Str(value) => grower.add(Tree::Str(text(value))),
            Tree::Bin(value) => grower.add(Tree::Bin(bytes(value))),
            Tree::Ext(ext) => grower.add(Tree::Ext(ext.map(&bytes))),
            Tree::Timestamp(at) => grower.add(Tree::Timestamp(*at)),
            Tree::Array(array) => {
                todo.push(core::mem::replace(&mut rest, array.iter()));
                grower.open(NewContainer::Array, array.len())
            }
            Tree::Map(map) => {
                todo.push(core::mem::replace(&mut rest, children(map).iter()));
                let kind = map.structure().map_or(NewContainer::Map, NewContainer::Record);
                grower.open(kind, map.len())
            }
        };
        if let Some(whole) = whole {
            return whole;
        }
    }
}

impl<S: Clone, B: Clone> Clone for Tree<S, B> {
    fn clone(&self) -> Tree<S, B> {
        copy(self, S::clone, B::clone)
    }
}

impl<S: Clone, B: Clone> Clone for Array<S, B> {
    fn clone(&self) -> Array<S, B> {
        self.to_vec().into()
    }
}

impl<S: Clone, B: Clone> Clone for Map<S, B> {
    fn clone(&self) -> Map<S, B> {
        match self.raw() {
            MapStorage::Pairs(pairs) => Map::from_pairs(pairs.clone()),
            MapStorage::Record(zip) => {
                let structure = Structure(zip.keys().clone());
                Map::from_record(structure, zip.values().into()).unwrap_or_default()
            }
        }
    }
}

impl ValueRef<'_> {
    /// Returns a copy that owns its strings and bytes.
    #[must_use]
    pub fn to_owned(&self) -> Value {
        copy(self, |&text| text.into(), |&bytes| bytes.into())
    }
}

impl Value {
    /// Returns a copy whose strings and bytes are borrowed from this value.
    ///
    /// ```
    /// use packord::Value;
    /// let value = Value::from(["a"]);
    /// assert_eq!(value.to_ref()[0].as_str(), Some("a"));
    /// ```
    #[must_use]
    pub fn to_ref(&self) -> ValueRef<'_> {
        copy(self, |text| &**text, |bytes| &**bytes)
    }
}
