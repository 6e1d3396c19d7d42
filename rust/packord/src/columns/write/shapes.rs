//! The shapes of maps: their lists of keys, as the nodes of a trie.

use super::table::{NumberTable, equal};
use alloc::vec::Vec;

/// The shape of a map with a key that is not a str.
pub(super) const NO_SHAPE: u32 = u32::MAX;
/// The shape of an empty map.
pub(super) const EMPTY: u32 = 0;

#[derive(Debug)]
struct TrieNode<'p> {
    /// The shape without the last key.
    parent: u32,
    /// The number of the last key.
    key: u32,
    /// The number of keys.
    len: u32,
    /// The longer shape that was seen last.
    last: u32,
    /// The last key with its header.
    encoded: &'p [u8],
    /// Whether a key occurs twice, if that was asked.
    repeats: Option<bool>,
}

/// All shapes of a message. A map is followed key by key from the empty shape.
#[derive(Debug)]
pub(super) struct ShapeTrie<'p> {
    trie: Vec<TrieNode<'p>>,
    keys: NumberTable<&'p [u8]>,
    /// A shape and a key: the number before that of the longer shape.
    steps: NumberTable<u64>,
    scratch: Vec<u32>,
}

impl<'p> ShapeTrie<'p> {
    pub fn new() -> ShapeTrie<'p> {
        let empty = TrieNode {
            parent: EMPTY,
            key: 0,
            len: 0,
            last: NO_SHAPE,
            encoded: &[],
            repeats: Some(false),
        };
        ShapeTrie {
            trie: Vec::from([empty]),
            keys: NumberTable::default(),
            steps: NumberTable::default(),
            scratch: Vec::new(),
        }
    }

    /// Returns the number of shapes, those on the way to others included.
    pub fn len(&self) -> usize {
        self.trie.len()
    }

    /// Returns all keys.
    pub fn keys(&self) -> &[&'p [u8]] {
        self.keys.keys()
    }

    /// Returns the shape with the key that came last time, and the key's length, if the bytes begin with it.
    #[inline(always)]
    pub fn step_as_before(&self, shape: u32, bytes: &[u8]) -> Option<(u32, usize)> {
        let last = self.trie.get(shape as usize)?.last;
        let encoded = self.trie.get(last as usize)?.encoded;
        let is_same = equal(bytes.get(..encoded.len())?, encoded);
        is_same.then_some((last, encoded.len()))
    }

    /// Returns the shape with one more key, which has a header.
    #[inline(never)]
    pub fn step(&mut self, shape: u32, encoded: &'p [u8], header: usize) -> u32 {
        if shape == NO_SHAPE {
            return NO_SHAPE;
        }
        let key = self.keys.number(&encoded[header..]);
        let next = self.steps.number(u64::from(shape) << 32 | u64::from(key)) + 1;
        if next as usize == self.trie.len() {
            self.trie.push(TrieNode {
                parent: shape,
                key,
                len: self.trie[shape as usize].len + 1,
                last: NO_SHAPE,
                encoded,
                repeats: None,
            });
        }
        self.trie[shape as usize].last = next;
        next
    }

    /// Returns the number of keys.
    pub fn key_count(&self, shape: u32) -> usize {
        self.trie[shape as usize].len as usize
    }

    /// Appends the numbers of the keys in their order.
    pub fn keys_of(&self, shape: u32, out: &mut Vec<u32>) {
        let begin = out.len();
        let mut at = shape;
        while at != EMPTY {
            let node = &self.trie[at as usize];
            out.push(node.key);
            at = node.parent;
        }
        out[begin..].reverse();
    }

    /// Returns whether a key occurs twice.
    pub fn repeats(&mut self, shape: u32) -> bool {
        if let Some(known) = self.trie[shape as usize].repeats {
            return known;
        }
        let mut keys = core::mem::take(&mut self.scratch);
        keys.clear();
        self.keys_of(shape, &mut keys);
        keys.sort_unstable();
        let repeats = keys.windows(2).any(|pair| pair[0] == pair[1]);
        self.scratch = keys;
        self.trie[shape as usize].repeats = Some(repeats);
        repeats
    }
}
