//! The structures of a reader.

use std::collections::HashMap;
use std::rc::Rc;

use super::{Structure, index_of};
use crate::wire::marker::*;

pub struct Structures {
    shared: Vec<Rc<Structure>>,
    /// Definitions of the message, or of the stream while sequential. They hide shared ones.
    own: HashMap<usize, Rc<Structure>>,
    /// For each of the bytes `60` … `7f` whether it begins an id of two bytes.
    two_byte: u32,
    sequential: bool,
    /// What the current message has replaced: the structure of an index, and the flags.
    journal: Vec<(usize, Option<Rc<Structure>>, u32)>,
}

impl Structures {
    pub fn new(shared: Vec<Rc<Structure>>, sequential: bool) -> Structures {
        let two_byte = flags_of(&shared);
        Structures {
            shared,
            own: HashMap::new(),
            two_byte,
            sequential,
            journal: Vec::new(),
        }
    }

    /// To be called before each message.
    pub fn begin(&mut self) {
        self.journal.clear();
        if !self.sequential && !self.own.is_empty() {
            self.own.clear();
            self.two_byte = flags_of(&self.shared);
        }
    }

    /// To be called when the message has failed: all is as it was before it.
    pub fn roll_back(&mut self) {
        self.roll_back_to(0);
    }

    /// How many definitions the message has made so far.
    pub fn definitions(&self) -> usize {
        self.journal.len()
    }

    /// Takes back the definitions of the message after the first `count`.
    pub fn roll_back_to(&mut self, count: usize) {
        let count = count.min(self.journal.len());
        for (index, keys, two_byte) in self.journal.drain(count..).rev() {
            match keys {
                Some(keys) => self.own.insert(index, keys),
                None => self.own.remove(&index),
            };
            self.two_byte = two_byte;
        }
    }

    /// Defines the structure of an id, in place of one with the same index.
    pub fn define(&mut self, low: u8, high: Option<u8>, keys: Rc<Structure>) {
        let index = index_of(low, high.unwrap_or(0));
        let before = self.two_byte;
        if low >= FIRST_TWO_BYTE_ID {
            let flag = 1 << (low - FIRST_TWO_BYTE_ID);
            if high.is_some() {
                self.two_byte |= flag;
            } else {
                self.two_byte &= !flag;
            }
        }
        let keys = self.own.insert(index, keys);
        self.journal.push((index, keys, before));
    }

    /// Takes over what the stream knows: the index of each structure, whether its id has two bytes, its keys.
    pub fn replace(&mut self, known: Vec<(usize, bool, Rc<Structure>)>) {
        self.own.clear();
        self.two_byte = 0;
        for (index, two_byte, keys) in known {
            self.own.insert(index, keys);
            self.two_byte |= u32::from(two_byte) << (index % 32);
        }
    }

    /// Whether an id that begins with this byte has two bytes.
    pub fn is_two_byte(&self, low: u8) -> bool {
        low >= FIRST_TWO_BYTE_ID && self.two_byte & 1 << (low - FIRST_TWO_BYTE_ID) != 0
    }

    /// Whether definitions last until the stream ends.
    pub fn sequential(&self) -> bool {
        self.sequential
    }

    pub fn get(&self, index: usize) -> Option<&Rc<Structure>> {
        self.own.get(&index).or_else(|| self.shared.get(index))
    }

    /// Replaces the shared list by a longer one.
    pub fn set_shared(&mut self, shared: Vec<Rc<Structure>>) {
        for index in self.shared.len()..shared.len() {
            if index >= 32 {
                self.two_byte |= 1 << (index % 32);
            }
        }
        self.shared = shared;
    }

    pub fn shared(&self) -> &[Rc<Structure>] {
        &self.shared
    }
}

/// Entries of a shared list from index 32 on have ids of two bytes.
fn flags_of(shared: &[Rc<Structure>]) -> u32 {
    (32..shared.len()).fold(0, |flags, index| flags | 1 << (index % 32))
}
