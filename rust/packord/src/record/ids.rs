//! Assigns the ids of records (`spec/records.md` section 6).

use super::structure::{Structure, Structures};
use super::{FIRST_ID, FIRST_TWO_BYTE_ID, MAX_STRUCTURES};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Ordering;

const MAX_SHARED: usize = 8160;

/// The number of structures that an encoder can have, and their ids.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IdSpace {
    max_shared: usize,
    pub max_own: usize,
    /// Maximum number of keys of a map that is written as a record.
    pub max_keys: usize,
    sequential: bool,
}

impl IdSpace {
    /// Returns the ids for an encoder of at most `max_shared` and `max_own` structures.
    pub fn new(max_shared: u16, max_own: u16, max_keys: u32, sequential: bool) -> IdSpace {
        let max_shared = usize::from(max_shared).min(MAX_SHARED);
        IdSpace {
            max_shared,
            max_own: usize::from(max_own).min(MAX_STRUCTURES - max_shared),
            max_keys: max_keys as usize,
            sequential,
        }
    }

    /// Returns whether no structure outlasts its message.
    pub fn is_own_alone(&self) -> bool {
        !self.sequential && self.max_shared == 0
    }

    fn is_two_byte(&self, index: u16) -> bool {
        let wide = self.max_shared > 32 || self.max_shared + self.max_own > 64;
        wide && index >= 32
    }

    /// Returns the ids of a message without structures that outlast it.
    #[cfg(feature = "columns")]
    pub fn alone(&self) -> IdSpace {
        IdSpace {
            max_shared: 0,
            sequential: false,
            ..*self
        }
    }

    #[cfg(feature = "columns")]
    pub fn is_shared(&self, index: u16) -> bool {
        usize::from(index) < self.max_shared
    }

    /// Returns the bytes of the id of the structure at an index, and their number.
    pub fn id(&self, index: u16) -> ([u8; 2], usize) {
        if self.is_two_byte(index) {
            let (low, high) = (index % 32, (index - 32) / 32);
            ([FIRST_TWO_BYTE_ID + low as u8, high as u8], 2)
        } else {
            ([FIRST_ID + index as u8, 0], 1)
        }
    }
}

/// The structures that an encoder knows, and their ids.
#[derive(Debug)]
pub(crate) struct RecordIds {
    space: IdSpace,
    pub shared: Structures,
    /// Structures of the message or the sequential stream; the first has the index `max_shared`.
    own: Vec<Structure>,
    /// Number of own structures that were assigned since the count began.
    given: usize,
    /// Indexes of all structures that can be referred to, sorted by their keys.
    sorted: Vec<u16>,
    /// Whether the caller keeps the shared list. Otherwise a decoder could not know its structures.
    grows: bool,
    /// The state to restore if the message fails.
    undo: Undo,
}

#[derive(Debug, Default)]
struct Undo {
    shared: usize,
    own: usize,
    given: usize,
    replaced: Vec<(usize, Structure)>,
}

pub(crate) struct NamedRecord {
    pub index: u16,
    space: IdSpace,
    /// The structure, if it is defined with this record.
    pub defines: Option<Structure>,
}

impl NamedRecord {
    /// Returns the bytes of the id, and their number.
    pub fn id(&self) -> ([u8; 2], usize) {
        self.space.id(self.index)
    }
}

impl RecordIds {
    pub fn new(space: IdSpace, shared: Option<Structures>) -> RecordIds {
        let mut writer = RecordIds {
            space,
            grows: shared.is_some(),
            shared: shared.unwrap_or_default(),
            own: Vec::new(),
            given: 0,
            sorted: Vec::new(),
            undo: Undo::default(),
        };
        for index in 0..writer.shared.len().min(space.max_shared) {
            if is_unique(writer.shared.list[index].keys()) {
                writer.note(index as u16);
            }
        }
        writer
    }

    pub fn begin(&mut self) {
        if !self.space.sequential && self.given != 0 {
            let max_shared = self.space.max_shared;
            self.sorted.retain(|&index| usize::from(index) < max_shared);
            self.own.clear();
            self.given = 0;
        }
        let replaced = core::mem::take(&mut self.undo.replaced);
        self.undo = Undo {
            shared: self.shared.len(),
            own: self.own.len(),
            given: self.given,
            replaced,
        };
        self.undo.replaced.clear();
    }

    /// Drops the structures that a failed message has defined.
    pub fn rollback(&mut self) {
        for (place, structure) in self.undo.replaced.drain(..).rev() {
            self.own[place] = structure;
        }
        self.shared.list.truncate(self.undo.shared);
        self.own.truncate(self.undo.own);
        self.given = self.undo.given;
        self.sorted.clear();
        let shared = 0..self.shared.len().min(self.space.max_shared);
        let own = self.space.max_shared..self.space.max_shared + self.own.len();
        for index in shared.chain(own) {
            if is_unique(self.structure(index as u16).keys()) {
                self.note(index as u16);
            }
        }
    }

    pub fn space(&self) -> IdSpace {
        self.space
    }

    /// Returns the number of own structures that were assigned since the count began. When the number
    /// of own ids has been added to it, the last of them is forgotten.
    #[cfg(feature = "columns")]
    pub fn own_count(&self) -> usize {
        self.given
    }

    /// Returns the id of a record with these keys, or `None` if a plain map is written.
    pub fn name_keys<'k>(
        &mut self,
        keys: impl Iterator<Item = &'k str> + Clone,
        structure: Option<Structure>,
    ) -> Option<NamedRecord> {
        if let Some(index) = self.find(keys.clone(), structure.as_ref()) {
            return Some(self.named(index, None));
        }
        let has_room = self.grows && self.shared.len() < self.space.max_shared;
        if !has_room && self.space.max_own == 0 || !is_unique(keys.clone()) {
            return None;
        }
        let structure = structure.unwrap_or_else(|| Structure::new(keys.map(Box::from)));
        if has_room {
            let index = self.shared.len() as u16;
            self.shared.list.push(structure);
            self.note(index);
            return Some(self.named(index, None));
        }
        let place = self.given % self.space.max_own;
        self.given += 1;
        let index = (self.space.max_shared + place) as u16;
        if place < self.own.len() {
            self.forget(index);
            let old = core::mem::replace(&mut self.own[place], structure.clone());
            if self.space.sequential && place < self.undo.own {
                self.undo.replaced.push((place, old));
            }
        } else {
            self.own.push(structure.clone());
        }
        self.note(index);
        Some(self.named(index, Some(structure)))
    }

    fn find<'k>(&self, keys: impl Iterator<Item = &'k str> + Clone, same: Option<&Structure>) -> Option<u16> {
        let place = self.sorted.binary_search_by(|&index| {
            let known = self.structure(index);
            if same.is_some_and(|same| same.is_same(known)) {
                return Ordering::Equal;
            }
            // The closure gives both sides one lifetime.
            known.keys().cmp(keys.clone().map(|key| -> &str { key }))
        });
        place.ok().map(|place| self.sorted[place])
    }

    fn named(&self, index: u16, defines: Option<Structure>) -> NamedRecord {
        NamedRecord {
            index,
            space: self.space,
            defines,
        }
    }

    fn structure(&self, index: u16) -> &Structure {
        let index = usize::from(index);
        if index < self.space.max_shared {
            &self.shared.list[index]
        } else {
            &self.own[index - self.space.max_shared]
        }
    }

    /// Makes a structure available for lookups.
    fn note(&mut self, index: u16) {
        if let Err(place) = self.place(index) {
            self.sorted.insert(place, index);
        }
    }

    fn forget(&mut self, index: u16) {
        if let Ok(place) = self.place(index) {
            self.sorted.remove(place);
        }
    }

    fn place(&self, index: u16) -> Result<usize, usize> {
        let structure = self.structure(index);
        self.sorted
            .binary_search_by(|&other| self.structure(other).cmp(structure))
    }
}

fn is_unique<'k>(keys: impl Iterator<Item = &'k str>) -> bool {
    let mut keys: Vec<&str> = keys.collect();
    keys.sort_unstable();
    keys.windows(2).all(|pair| pair[0] != pair[1])
}
