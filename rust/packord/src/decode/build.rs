//! Building trees: the containers that are open, with room for exactly what was announced.

use crate::record::Structure;
use crate::value::{Array, Map, Tree};
use alloc::vec::Vec;

/// A value, or the start of a container.
pub(crate) enum Node<S, B> {
    Leaf(Tree<S, B>),
    Array(usize),
    Map(usize),
    Record(Structure),
}

/// An open container.
pub(crate) enum Frame<S, B> {
    Values {
        values: Vec<Tree<S, B>>,
        count: usize,
        structure: Option<Structure>,
    },
    Pairs {
        pairs: Vec<(Tree<S, B>, Tree<S, B>)>,
        key: Option<Tree<S, B>>,
        count: usize,
    },
}

impl<S, B> Frame<S, B> {
    pub fn array(count: usize) -> Self {
        Frame::Values {
            values: Vec::with_capacity(count),
            count,
            structure: None,
        }
    }

    pub fn map(count: usize) -> Self {
        Frame::Pairs {
            pairs: Vec::with_capacity(count),
            key: None,
            count,
        }
    }

    pub fn record(structure: Structure) -> Self {
        let count = structure.len();
        Frame::Values {
            values: Vec::with_capacity(count),
            count,
            structure: Some(structure),
        }
    }

    #[inline(always)]
    pub fn add(&mut self, value: Tree<S, B>) {
        match self {
            Frame::Values { values, .. } => values.push(value),
            Frame::Pairs { pairs, key, .. } => match key.take() {
                None => *key = Some(value),
                Some(key) => pairs.push((key, value)),
            },
        }
    }

    #[inline(always)]
    pub fn is_full(&self) -> bool {
        match self {
            Frame::Values { values, count, .. } => values.len() == *count,
            Frame::Pairs { pairs, count, .. } => pairs.len() == *count,
        }
    }

    /// Whether the next value is a key.
    #[inline(always)]
    pub fn wants_key(&self) -> bool {
        matches!(self, Frame::Pairs { key: None, .. })
    }

    pub fn finish(self) -> Tree<S, B> {
        match self {
            Frame::Values {
                values,
                structure: None,
                ..
            } => Tree::Array(Array::from(values)),
            Frame::Values {
                values,
                structure: Some(structure),
                ..
            } => Tree::Map(Map::from_record(structure, values).unwrap_or_default()),
            Frame::Pairs { pairs, .. } => Tree::Map(Map::from(pairs)),
        }
    }
}
