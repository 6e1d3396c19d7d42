//! The structures of a writer.

use std::collections::HashMap;
use std::rc::Rc;

use super::Structure;
use crate::cpython::object::{Obj, Owned, known_hash};
use crate::wire::marker::*;

/// The head of a record: one or two bytes of id.
pub type Id = (u8, Option<u8>);

/// How a map is written.
pub enum Head {
    Plain,
    /// As a record of a structure that the reader knows.
    Id(Id),
    /// As a record whose structure is defined here.
    Definition(Id),
}

/// The structures that a writer has defined, and the shared ones.
pub struct Records {
    pub shared: Vec<Rc<Structure>>,
    max_shared: usize,
    max_own: usize,
    max_keys: usize,
    sequential: bool,
    own: HashMap<usize, Rc<Structure>>,
    next_own: usize,
    /// From the hash of the keys to the indexes of structures with that hash.
    by_hash: HashMap<u64, Vec<usize>>,
    /// What the current message has changed, to undo it if the message fails.
    journal: Journal,
}

#[derive(Default)]
struct Journal {
    shared: usize,
    next_own: usize,
    replaced: Vec<(usize, Option<Rc<Structure>>)>,
}

impl Records {
    /// `shared`: the list that outlives messages, if there is one.
    pub fn new(
        shared: Option<Vec<Rc<Structure>>>,
        max_shared: Option<usize>,
        max_own: Option<usize>,
        max_keys: usize,
        sequential: bool,
    ) -> Records {
        let max_shared = max_shared.unwrap_or(if shared.is_some() { 32 } else { 0 });
        let max_own = max_own.unwrap_or(if shared.is_some() { 32 } else { 64 });
        let mut records = Records {
            shared: Vec::new(),
            max_shared,
            max_own,
            max_keys,
            sequential,
            own: HashMap::new(),
            next_own: 0,
            by_hash: HashMap::new(),
            journal: Journal::default(),
        };
        let shared = shared.unwrap_or_default();
        for (index, keys) in shared.iter().enumerate().take(max_shared) {
            records.list(keys, index);
        }
        records.shared = shared;
        records
    }

    /// To be called before each message.
    pub fn begin(&mut self) {
        if !self.sequential && !self.own.is_empty() {
            let max_shared = self.max_shared;
            self.own.clear();
            self.by_hash.retain(|_, indexes| {
                indexes.retain(|&index| index < max_shared);
                !indexes.is_empty()
            });
        }
        if !self.sequential {
            self.next_own = 0;
        }
        self.journal = Journal {
            shared: self.shared.len(),
            next_own: self.next_own,
            replaced: Vec::new(),
        };
    }

    /// To be called when the message has failed: all is as it was before it.
    pub fn roll_back(&mut self) {
        let journal = std::mem::take(&mut self.journal);
        while self.shared.len() > journal.shared {
            let index = self.shared.len() - 1;
            if let Some(keys) = self.shared.pop() {
                self.unlist(&keys, index);
            }
        }
        for (index, before) in journal.replaced.into_iter().rev() {
            if let Some(keys) = self.own.remove(&index) {
                self.unlist(&keys, index);
            }
            if let Some(keys) = before {
                self.list(&keys, index);
                self.own.insert(index, keys);
            }
        }
        self.next_own = journal.next_own;
    }

    /// How a map with these keys (exact `str`, no two equal) is written.
    pub unsafe fn head(&mut self, keys: &[Obj]) -> Head {
        if keys.len() > self.max_keys {
            return Head::Plain;
        }
        let hash = hash_of(keys);
        if let Some(indexes) = self.by_hash.get(&hash) {
            for &index in indexes {
                if self.keys_at(index).is_some_and(|known| known.same(keys)) {
                    return Head::Id(self.id(index));
                }
            }
        }
        let names = || {
            Rc::new(Structure {
                names: keys.iter().map(|&key| Owned::borrow(key)).collect(),
            })
        };
        if self.shared.len() < self.max_shared {
            let index = self.shared.len();
            self.shared.push(names());
            self.by_hash.entry(hash).or_default().push(index);
            return Head::Id(self.id(index));
        }
        if self.max_own == 0 {
            return Head::Plain;
        }
        let index = self.max_shared + self.next_own;
        self.next_own = (self.next_own + 1) % self.max_own;
        let before = self.own.remove(&index);
        if let Some(keys) = &before {
            self.unlist(keys, index);
        }
        self.journal.replaced.push((index, before));
        self.own.insert(index, names());
        self.by_hash.entry(hash).or_default().push(index);
        Head::Definition(self.id(index))
    }

    fn keys_at(&self, index: usize) -> Option<&Rc<Structure>> {
        // A list may be longer than what is used of it: the ids after `max_shared` are then free.
        let used = self.shared.len().min(self.max_shared);
        self.shared[..used].get(index).or_else(|| self.own.get(&index))
    }

    fn list(&mut self, keys: &Structure, index: usize) {
        let hash = hash_of(&keys.names.iter().map(Owned::get).collect::<Vec<_>>());
        self.by_hash.entry(hash).or_default().push(index);
    }

    fn unlist(&mut self, keys: &Structure, index: usize) {
        let hash = hash_of(&keys.names.iter().map(Owned::get).collect::<Vec<_>>());
        if let Some(indexes) = self.by_hash.get_mut(&hash) {
            indexes.retain(|&other| other != index);
        }
    }

    fn id(&self, index: usize) -> Id {
        if index >= 32 && (self.max_shared > 32 || self.max_shared + self.max_own > 64) {
            (FIRST_TWO_BYTE_ID + (index % 32) as u8, Some(((index - 32) / 32) as u8))
        } else {
            (FIRST_ID + index as u8, None)
        }
    }
}

fn hash_of(keys: &[Obj]) -> u64 {
    let mut hash = keys.len() as u64;
    for &key in keys {
        // A key of a dict has been hashed; one of a shared list was when it was made.
        let own = unsafe { known_hash(key) } as u64;
        hash = (hash.rotate_left(5) ^ own).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    hash
}
