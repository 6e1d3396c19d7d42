//! Dropping without recursion: the boxes of nested containers are emptied one by one.

use super::map::{Array, Entries, Map};
use super::tree::Tree;
use alloc::vec::{IntoIter, Vec};

impl<S, B> Drop for Array<S, B> {
    fn drop(&mut self) {
        if self.0.iter().any(holds_values) {
            dismantle(Children::Values(
                core::mem::take(&mut self.0).into_vec().into_iter(),
            ));
        }
    }
}

impl<S, B> Drop for Map<S, B> {
    fn drop(&mut self) {
        let nested = match &self.0 {
            Entries::Pairs(pairs) => pairs
                .iter()
                .any(|(key, value)| holds_values(key) || holds_values(value)),
            Entries::Record(zip) => zip.values().iter().any(holds_values),
        };
        if nested {
            dismantle(self.take_entries().into());
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

/// The values of a container that are still to be dropped.
enum Children<S, B> {
    Values(IntoIter<Tree<S, B>>),
    /// The value of the pair whose key was taken comes first.
    Pairs(Option<Tree<S, B>>, IntoIter<(Tree<S, B>, Tree<S, B>)>),
}

impl<S, B> From<Entries<S, B>> for Children<S, B> {
    fn from(entries: Entries<S, B>) -> Children<S, B> {
        match entries {
            Entries::Pairs(pairs) => Children::Pairs(None, pairs.into_vec().into_iter()),
            Entries::Record(zip) => Children::Values(zip.into_parts().1.into_iter()),
        }
    }
}

impl<S, B> Iterator for Children<S, B> {
    type Item = Tree<S, B>;
    fn next(&mut self) -> Option<Tree<S, B>> {
        match self {
            Children::Values(values) => values.next(),
            Children::Pairs(value @ Some(_), _) => value.take(),
            Children::Pairs(value, pairs) => {
                let (key, next) = pairs.next()?;
                *value = Some(next);
                Some(key)
            }
        }
    }
}

#[inline(never)]
fn dismantle<S, B>(children: Children<S, B>) {
    let mut around: Vec<Children<S, B>> = Vec::new();
    let mut children = children;
    loop {
        match children.next() {
            Some(Tree::Array(mut array)) if !array.0.is_empty() => {
                let inner = core::mem::take(&mut array.0).into_vec().into_iter();
                around.push(core::mem::replace(&mut children, Children::Values(inner)));
            }
            Some(Tree::Map(mut map)) if !map.is_empty() => {
                let inner = map.take_entries().into();
                around.push(core::mem::replace(&mut children, inner));
            }
            Some(_) => {}
            None => match around.pop() {
                Some(outer) => children = outer,
                None => return,
            },
        }
    }
}
