//! Copying a tree, also into one with other texts, without recursion.

use super::map::{Array, Entries, Map};
use super::tree::{Tree, Value, ValueRef};
use crate::decode::build::Frame;
use crate::record::Structure;
use alloc::vec::Vec;

/// The values of a container that are still to be copied.
struct Rest<'t, S, B> {
    tree: &'t Tree<S, B>,
    next: usize,
}

impl<'t, S, B> Rest<'t, S, B> {
    fn next(&mut self) -> Option<&'t Tree<S, B>> {
        let index = self.next;
        self.next += 1;
        match self.tree {
            Tree::Array(array) => array.get(index),
            Tree::Map(map) => match map.raw() {
                Entries::Pairs(pairs) => pairs
                    .get(index / 2)
                    .map(|(key, value)| if index % 2 == 0 { key } else { value }),
                Entries::Record(zip) => zip.values().get(index),
            },
            _ => None,
        }
    }
}

fn copy<'t, S, B, T, C>(
    tree: &'t Tree<S, B>,
    text: impl Fn(&'t S) -> T,
    bytes: impl Fn(&'t B) -> C,
) -> Tree<T, C> {
    let mut around: Vec<(Rest<'t, S, B>, Frame<T, C>)> = Vec::new();
    let mut next = tree;
    loop {
        let leaf = match next {
            Tree::Nil => Tree::Nil,
            Tree::Bool(value) => Tree::Bool(*value),
            Tree::Int(value) => Tree::Int(*value),
            Tree::F32(value) => Tree::F32(*value),
            Tree::F64(value) => Tree::F64(*value),
            Tree::Str(value) => Tree::Str(text(value)),
            Tree::Bin(value) => Tree::Bin(bytes(value)),
            Tree::Ext(ext) => Tree::Ext(ext.map(&bytes)),
            Tree::Timestamp(at) => Tree::Timestamp(*at),
            Tree::Array(array) => {
                around.push((
                    Rest {
                        tree: next,
                        next: 0,
                    },
                    Frame::array(array.len()),
                ));
                Tree::Nil
            }
            Tree::Map(map) => {
                let frame = match map.structure() {
                    Some(structure) => Frame::record(structure),
                    None => Frame::map(map.len()),
                };
                around.push((
                    Rest {
                        tree: next,
                        next: 0,
                    },
                    frame,
                ));
                Tree::Nil
            }
        };
        let is_leaf = !matches!(next, Tree::Array(_) | Tree::Map(_));
        let mut done = is_leaf.then_some(leaf);
        next = loop {
            let Some((rest, frame)) = around.last_mut() else {
                return done.unwrap_or_default();
            };
            if let Some(value) = done.take() {
                frame.add(value);
            }
            if let Some(value) = rest.next() {
                break value;
            }
            done = around.pop().map(|(_, frame)| frame.finish());
        };
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
            Entries::Pairs(pairs) => pairs.to_vec().into(),
            Entries::Record(zip) => {
                let structure = Structure(zip.keys().clone());
                Map::from_record(structure, zip.values().to_vec()).unwrap_or_default()
            }
        }
    }
}

impl ValueRef<'_> {
    /// The same value with texts and bytes of its own.
    #[must_use]
    pub fn to_owned(&self) -> Value {
        copy(self, |&text| text.into(), |&bytes| bytes.into())
    }
}

impl Value {
    /// The same value with texts and bytes that are borrowed from this one.
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
