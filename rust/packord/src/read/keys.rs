//! Compares the keys of maps: for `duplicate_key: error`, and for the order that `canonical`
//! requires.
//!
//! Canonical keys are compared byte by byte. Others are compared by their names in [`Names`], which
//! reads each byte of a key once, however deep the key is nested in other keys.

use super::container::Container;
use super::fast::FastDecoder;
use super::fault::Fault;
use super::names::{KeySet, Names, scalar};
use super::rules::Rules;
use super::sink::Nothing;
use crate::error::ErrorKind;
use crate::record::Structure;
use crate::wire::canonical::compare_canonical;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The keys of the open containers.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    open: Vec<Level>,
    /// Whether the value that comes next is a key.
    at_key: bool,
    /// Number of open containers that are keys.
    within: usize,
    /// Present from the first key that is a container.
    names: Option<Box<Names>>,
}

#[derive(Debug)]
struct Level {
    kind: Container,
    /// Index of the current key.
    key: usize,
    /// With `canonical`: the index of the first key, and the range of the previous key.
    first: Option<usize>,
    previous: (usize, usize),
    /// Otherwise: the keys.
    seen: KeySet,
    is_key: bool,
    /// For a container within a key: the index of its first name, and the keys of a record.
    from: usize,
    structure: Option<Structure>,
}

impl Keys {
    #[inline]
    pub fn clear(&mut self) {
        self.open.clear();
        (self.at_key, self.within, self.names) = (false, 0, None);
    }

    pub fn open(&mut self, kind: Container) {
        self.open.push(Level {
            kind,
            key: 0,
            first: None,
            previous: (0, 0),
            seen: KeySet::default(),
            is_key: false,
            from: 0,
            structure: None,
        });
    }

    /// Notes that the container that was opened last is a record.
    pub fn note_structure(&mut self, structure: &Structure) {
        if let Some(level) = self.open.last_mut() {
            level.structure = Some(structure.clone());
        }
    }

    pub fn close(&mut self) {
        let Some(level) = self.open.pop() else { return };
        if let (1.., Some(names)) = (self.within, &mut self.names) {
            names.name(level.kind, level.structure.as_ref(), level.from);
            self.within -= usize::from(level.is_key);
        }
    }

    #[inline(never)]
    pub fn note_key(&mut self, marker_offset: usize) {
        self.at_key = true;
        if let Some(level) = self.open.last_mut() {
            level.key = marker_offset;
        }
    }

    #[inline(never)]
    pub fn note_value(&mut self, bytes: &[u8], rules: &Rules, opened: bool) {
        let is_key = core::mem::take(&mut self.at_key);
        if !opened {
            if let (1.., Some(names)) = (self.within, &mut self.names) {
                names.add(bytes, rules);
            }
        } else if is_key || self.within > 0 {
            let names = self.names.get_or_insert_default();
            if let Some(level) = self.open.last_mut() {
                (level.is_key, level.from) = (is_key, names.count());
            }
            self.within += usize::from(is_key);
        }
    }

    #[inline(never)]
    pub fn check_key(&mut self, input: &[u8], end: usize, rules: &Rules) -> Result<(), Fault> {
        let Some(level) = self.open.last_mut() else {
            return Ok(());
        };
        if rules.canonical {
            return level.in_order(input, end);
        }
        let (at, begin) = (level.key, level.seen.bytes.len());
        let names = self.names.as_deref_mut();
        match names.filter(|names| names.count() > 0) {
            Some(names) => {
                level.seen.bytes.extend_from_slice(names.last());
                if self.within == 0 {
                    names.forget_last();
                }
            }
            None => scalar(&input[at..end], rules, &mut level.seen.bytes),
        }
        match level.seen.insert(begin) {
            None => Ok(()),
            Some(_) => Err(Fault::new(ErrorKind::DuplicateKey, at)),
        }
    }
}

impl Level {
    /// Checks the order of canonical keys, which are compared byte by byte.
    fn in_order(&mut self, input: &[u8], end: usize) -> Result<(), Fault> {
        let (at, key) = (self.key, &input[self.key..end]);
        let Some(first) = self.first else {
            (self.first, self.previous) = (Some(at), (at, end));
            return Ok(());
        };
        let order = compare_canonical(&input[self.previous.0..self.previous.1], key);
        if order == Ordering::Less {
            self.previous = (at, end);
            return Ok(());
        }
        let twice = order == Ordering::Equal || holds_key(&input[..at], first, key);
        let kind = if twice {
            ErrorKind::DuplicateKey
        } else {
            ErrorKind::NotCanonical
        };
        Err(Fault::new(kind, at))
    }
}

/// Returns whether one of the map's entries from `at` to the end has the key.
fn holds_key(input: &[u8], at: usize, key: &[u8]) -> bool {
    let mut rest = &input[at..];
    while !rest.is_empty() {
        if rest.starts_with(key) {
            return true;
        }
        // The entries were checked when they were read, so they have no fault.
        let mut entry = FastDecoder { rest, pending: 2 };
        while entry.pending > 0 {
            if entry.value(&mut Nothing).is_none() {
                return false;
            }
        }
        rest = entry.rest;
    }
    false
}
