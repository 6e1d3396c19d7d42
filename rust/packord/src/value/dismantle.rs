//! Dropping a tree without recursion: nested containers are emptied one by one.

use super::Tree;
use super::clone::children;
use super::map::{Array, Map, MapStorage};
use alloc::vec::{IntoIter, Vec};

impl<S, B> Drop for Array<S, B> {
    fn drop(&mut self) {
        if self.0.iter().any(holds_values) {
            dismantle(core::mem::take(&mut self.0).into_vec());
        }
    }
}

impl<S, B> Drop for Map<S, B> {
    fn drop(&mut self) {
        if nests(self) {
            dismantle(values(self.take_entries()));
        }
    }
}

fn holds_values<S, B>(value: &Tree<S, B>) -> bool {
    match value {
        Tree::Array(array) => !array.0.is_empty(),
        Tree::Map(map) => !map.is_empty(),
        _ => false,
    }
}

fn nests<S, B>(map: &Map<S, B>) -> bool {
    children(map).iter().any(holds_values)
}

fn values<S, B>(entries: MapStorage<S, B>) -> Vec<Tree<S, B>> {
    match entries {
        MapStorage::Pairs(pairs) => pairs.into_vec().into_flattened(),
        MapStorage::Record(zip) => zip.into_parts().1,
    }
}

#[inline(never)]
fn dismantle<S, B>(values_left: Vec<Tree<S, B>>) {
    let mut around: Vec<IntoIter<Tree<S, B>>> = Vec::new();
    let mut children = values_left.into_iter();
    loop {
        let inner = match children.next() {
            Some(Tree::Array(mut array)) if array.0.iter().any(holds_values) => {
                core::mem::take(&mut array.0).into_vec()
            }
            Some(Tree::Map(mut map)) if nests(&map) => values(map.take_entries()),
            // A value without further values needs no help.
            Some(_) => continue,
            None => match around.pop() {
                Some(outer) => {
                    children = outer;
                    continue;
                }
                None => return,
            },
        };
        around.push(core::mem::replace(&mut children, inner.into_iter()));
    }
}
