//! Equality (`spec/format.md` section 3), without recursion: first in the order of the entries; if
//! they differ and there is a map, by normal forms.

use super::normal_form;
use crate::value::{Key, Map, Tree};
use crate::wire::canonical::widen;
use alloc::vec::Vec;

impl<S: AsRef<str>, B: AsRef<[u8]>> PartialEq for Tree<S, B> {
    fn eq(&self, other: &Tree<S, B>) -> bool {
        let mut todo = Vec::new();
        let mut maps = false;
        let mut next = Some((self, other));
        while let Some((a, b)) = next {
            if !equal_outside(a, b, &mut todo, &mut maps) {
                return maps && normal_form(self) == normal_form(other);
            }
            next = todo.pop();
        }
        true
    }
}

impl<S: AsRef<str>, B: AsRef<[u8]>> Eq for Tree<S, B> {}

/// Two values to compare.
type Both<'t, S, B> = (&'t Tree<S, B>, &'t Tree<S, B>);

/// Compares two values, and adds the values of containers to `todo`.
fn equal_outside<'t, S: AsRef<str>, B: AsRef<[u8]>>(
    a: &'t Tree<S, B>,
    b: &'t Tree<S, B>,
    todo: &mut Vec<Both<'t, S, B>>,
    maps: &mut bool,
) -> bool {
    match (a, b) {
        (Tree::Nil, Tree::Nil) => true,
        (Tree::Bool(a), Tree::Bool(b)) => a == b,
        (Tree::Int(a), Tree::Int(b)) => a == b,
        (Tree::F32(_) | Tree::F64(_), Tree::F32(_) | Tree::F64(_)) => float_bits(a) == float_bits(b),
        (Tree::Str(a), Tree::Str(b)) => a.as_ref() == b.as_ref(),
        (Tree::Bin(a), Tree::Bin(b)) => a.as_ref() == b.as_ref(),
        (Tree::Ext(a), Tree::Ext(b)) => a.kind() == b.kind() && a.payload() == b.payload(),
        (Tree::Timestamp(a), Tree::Timestamp(b)) => a == b,
        (Tree::Array(a), Tree::Array(b)) => {
            todo.extend(a.iter().zip(b.iter()));
            a.len() == b.len()
        }
        (Tree::Map(a), Tree::Map(b)) => {
            *maps = true;
            a.len() == b.len()
                && a.iter().zip(b.iter()).all(|((key, value), (other_key, other_value))| {
                    todo.push((value, other_value));
                    match (key, other_key) {
                        (Key::Value(key), Key::Value(other)) => {
                            todo.push((key, other));
                            true
                        }
                        _ => key.as_str().is_some() && key.as_str() == other_key.as_str(),
                    }
                })
        }
        _ => false,
    }
}

pub(super) fn float_bits<S, B>(value: &Tree<S, B>) -> Option<u64> {
    match value {
        Tree::F32(value) => Some(widen(value.to_bits())),
        Tree::F64(value) => Some(value.to_bits()),
        _ => None,
    }
}

/// Returns whether two maps have the same entries in any order. Of a key that occurs twice the last
/// entry counts.
impl<S: AsRef<str>, B: AsRef<[u8]>> PartialEq for Map<S, B> {
    fn eq(&self, other: &Map<S, B>) -> bool {
        fn entries<S: AsRef<str>, B: AsRef<[u8]>>(map: &Map<S, B>) -> Vec<(Vec<u8>, Vec<u8>)> {
            let mut entries: Vec<_> = map
                .iter()
                .rev()
                .map(|(key, value)| {
                    let key = match key {
                        Key::Value(key) => normal_form(key),
                        Key::Name(name) => normal_form(&Tree::<&str, &[u8]>::Str(name)),
                    };
                    (key, normal_form(value))
                })
                .collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            entries.dedup_by(|a, b| a.0 == b.0);
            entries
        }
        entries(self) == entries(other)
    }
}

impl<S: AsRef<str>, B: AsRef<[u8]>> Eq for Map<S, B> {}
