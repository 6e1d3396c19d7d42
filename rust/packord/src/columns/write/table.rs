//! Gives equal keys one number, in the order in which they are first seen.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// A key of a [`NumberTable`].
pub(super) trait Hashed: Copy + Ord {
    fn hash(self) -> u64;

    fn is(self, other: Self) -> bool;
}

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}

impl Hashed for u64 {
    #[inline(always)]
    fn hash(self) -> u64 {
        fold(self ^ SEED, FACTOR)
    }

    #[inline(always)]
    fn is(self, other: u64) -> bool {
        self == other
    }
}

impl Hashed for &[u8] {
    #[inline(always)]
    fn hash(self) -> u64 {
        let len = self.len() as u64;
        let (a, b) = ends(self);
        if self.len() <= 16 {
            return fold(a ^ SEED, b ^ len ^ FACTOR);
        }
        let mut state = len ^ SEED;
        for word in self.chunks_exact(8) {
            let word = word.first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
            state = fold(state ^ word, FACTOR);
        }
        fold(state ^ b, FACTOR)
    }

    #[inline(always)]
    fn is(self, other: &[u8]) -> bool {
        equal(self, other)
    }
}

/// Returns the first and the last bytes; together they are all of up to 16 bytes.
#[inline(always)]
pub(super) fn ends(bytes: &[u8]) -> (u64, u64) {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (u64::from_le_bytes(*first), u64::from_le_bytes(*last))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let [first, last] = [first, last].map(|word| u32::from_le_bytes(*word));
        (u64::from(first), u64::from(last))
    } else {
        let byte = |index: usize| u64::from(bytes.get(index).copied().unwrap_or_default());
        (byte(0) | byte(1) << 8 | byte(2) << 16, 0)
    }
}

/// Compares two strings. Short ones, as most are, without a call.
#[inline(always)]
pub(super) fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    if a.len() > 16 { a == b } else { ends(a) == ends(b) }
}

/// The numbers of keys: a hash table with open addressing.
///
/// Whoever chooses the keys can make them collide. So the table counts the steps of its searches,
/// and when there are many more than chance explains, a tree takes its place, whose time per key is
/// logarithmic (`spec/limits.md` section 3).
#[derive(Debug)]
pub(super) struct NumberTable<K> {
    /// A number plus 1, and the upper half of the hash; 0 is empty.
    slots: Vec<u64>,
    keys: Vec<K>,
    /// Steps that may still be made before the tree is made.
    patience: usize,
    tree: Option<BTreeMap<K, u32>>,
}

impl<K: Hashed> Default for NumberTable<K> {
    fn default() -> NumberTable<K> {
        NumberTable {
            slots: Vec::new(),
            keys: Vec::new(),
            patience: PATIENCE,
            tree: None,
        }
    }
}

impl<K: Hashed> NumberTable<K> {
    /// Returns all keys in the order of their numbers.
    pub fn keys(&self) -> &[K] {
        &self.keys
    }

    /// Removes all keys.
    pub fn clear(&mut self) {
        self.slots.truncate(SMALLEST);
        self.slots.fill(0);
        self.keys.clear();
        self.patience = PATIENCE;
        self.tree = None;
    }

    /// Returns the number of the key. A key that is new has the number of keys before it.
    #[inline(always)]
    pub fn number(&mut self, key: K) -> u32 {
        let new = self.keys.len() as u32;
        if let Some(tree) = &mut self.tree {
            let number = *tree.entry(key).or_insert(new);
            if number == new {
                self.keys.push(key);
            }
            return number;
        }
        if 2 * self.keys.len() >= self.slots.len() {
            self.grow();
        }
        let hash = key.hash();
        let mask = self.slots.len() - 1;
        let mut place = hash as usize & mask;
        let mut steps = 0;
        let number = loop {
            let slot = self.slots[place];
            if slot == 0 {
                self.slots[place] = tag(hash) | u64::from(new + 1);
                self.keys.push(key);
                break new;
            }
            if slot >> 32 == hash >> 32 && self.keys[slot as u32 as usize - 1].is(key) {
                break slot as u32 - 1;
            }
            steps += 1;
            place = (place + 1) & mask;
        };
        if steps > STEPS {
            self.lose_patience(steps);
        }
        number
    }

    /// Counts the steps of a long search, and makes the tree after many of them.
    #[cold]
    fn lose_patience(&mut self, steps: usize) {
        self.patience = self.patience.saturating_sub(steps);
        if self.patience == 0 {
            self.tree = Some(self.keys.iter().copied().zip(0..).collect());
        }
    }

    #[cold]
    fn grow(&mut self) {
        let count = (2 * self.slots.len()).max(SMALLEST);
        self.slots.clear();
        self.slots.resize(count, 0);
        self.patience += count;
        let mask = count - 1;
        for (index, key) in self.keys.iter().enumerate() {
            let hash = key.hash();
            let mut place = hash as usize & mask;
            while self.slots[place] != 0 {
                place = (place + 1) & mask;
            }
            self.slots[place] = tag(hash) | (index as u64 + 1);
        }
    }
}

const SMALLEST: usize = 64;
/// Steps of a search that are not counted.
const STEPS: usize = 8;
/// Steps of long searches that a new table makes before it becomes a tree.
const PATIENCE: usize = 4096;

#[inline(always)]
fn tag(hash: u64) -> u64 {
    hash >> 32 << 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;

    /// A key that collides with all others.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    struct Colliding(u64);

    impl Hashed for Colliding {
        fn hash(self) -> u64 {
            7
        }

        fn is(self, other: Colliding) -> bool {
            self == other
        }
    }

    #[test]
    fn keys_have_the_order_of_their_first_sight() {
        let texts: Vec<String> = (0..3000_u32)
            .map(|i| format!("{:>1$}", i * i, i as usize % 40))
            .collect();
        let mut table = NumberTable::default();
        for _ in 0..2 {
            for _ in 0..2 {
                for (number, text) in (0..).zip(&texts) {
                    assert_eq!(table.number(text.as_bytes()), number);
                }
            }
            assert_eq!(table.keys().len(), texts.len());
            table.clear();
        }
    }

    #[test]
    fn keys_that_collide_become_a_tree() {
        let mut table = NumberTable::default();
        for _ in 0..2 {
            for (number, key) in (0..).zip((0..100_000).rev()) {
                assert_eq!(table.number(Colliding(key)), number);
            }
        }
        assert!(table.tree.is_some());
        let mut usual = NumberTable::default();
        for key in 0..100_000_u64 {
            usual.number(key << 32);
        }
        assert!(usual.tree.is_none());
    }

    #[test]
    fn equal_compares_every_byte() {
        for len in 0..40 {
            let bytes: Vec<u8> = (0..len).collect();
            assert!(equal(&bytes, &bytes.clone()));
            assert!(!equal(&bytes, &[&bytes[..], &[0]].concat()));
            for place in 0..bytes.len() {
                let mut other = bytes.clone();
                other[place] ^= 0x80;
                assert!(!equal(&bytes, &other), "{len} {place}");
                let (a, b): (&[u8], &[u8]) = (&bytes, &other);
                assert_ne!(a.hash(), b.hash(), "{len} {place}");
            }
        }
    }
}
