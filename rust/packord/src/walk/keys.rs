//! Compares the keys of maps: for `duplicate_key: error`, and for the order that `canonical` asks.

use super::scan::{Fault, Scanner};
use crate::ErrorKind;
use crate::decode::reread;
use crate::encode::canonical_key;
use crate::options::{DuplicateKey, Rules};
use crate::record::RecordState;
use crate::wire::{Store, marker as m};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// What is remembered of the keys of one open map.
#[derive(Debug, Default)]
pub(crate) struct KeyCheck {
    /// Where the key that is being read begins.
    key: usize,
    /// Where the first key begins, and the key before this one.
    first: Option<usize>,
    previous: (usize, usize),
    /// Without `canonical` all keys from the second on, and the records as they were before this
    /// key and before the first.
    seen: KeySet,
    records: Option<Box<RecordState>>,
    first_records: Option<Box<RecordState>>,
}

impl Scanner {
    #[inline(never)]
    pub(super) fn note_key(&mut self) {
        let records = self.records.clone();
        if let Some(check) = self.keys.last_mut() {
            check.key = self.pos;
            check.records = records;
        }
    }

    #[inline(never)]
    pub(super) fn check_key(&mut self, input: &[u8], rules: &Rules) -> Result<(), Fault> {
        let end = self.pos;
        match self.keys.last_mut() {
            Some(check) if rules.canonical => check.in_order(input, end),
            Some(check) => check.is_new(input, end, rules),
            None => Ok(()),
        }
    }
}

impl KeyCheck {
    /// Canonical keys are compared as they stand.
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

    fn is_new(&mut self, input: &[u8], end: usize, rules: &Rules) -> Result<(), Fault> {
        debug_assert_eq!(rules.duplicate_key, DuplicateKey::Error);
        let (at, records) = (self.key, self.records.take());
        // Most nested keys are the only ones of their map; nothing is made of the first key
        // until there is a second.
        let Some(first) = self.first else {
            (self.first, self.previous, self.first_records) = (Some(at), (at, end), records);
            return Ok(());
        };
        if self.previous.0 == first {
            let records = self.first_records.take();
            self.add(&input[first..self.previous.1], rules, records);
        }
        self.previous = (at, end);
        if self.add(&input[at..end], rules, records) {
            Ok(())
        } else {
            Err(Fault::new(ErrorKind::DuplicateKey, at))
        }
    }

    /// Adds a key in its canonical encoding; `false` if it is there already.
    fn add(&mut self, key: &[u8], rules: &Rules, records: Option<Box<RecordState>>) -> bool {
        let begin = self.seen.bytes.len();
        match key {
            [
                m::FIXSTR..=0xbf | m::NIL | m::FALSE | m::TRUE | m::NEGATIVE_FIXINT..=0xff,
                ..,
            ] => {
                self.seen.bytes.extend_from_slice(key);
            }
            [m::STR8, _, text @ ..]
            | [m::STR16, _, _, text @ ..]
            | [m::STR32, _, _, _, _, text @ ..] => {
                // A text of this length was read from a header that could hold it.
                let _ = self.seen.bytes.put_str(text);
            }
            _ => canonical_key(&reread(key, rules, records), &mut self.seen.bytes),
        }
        self.seen.insert(begin)
    }
}

/// The order of keys in `spec/format.md` section 4.2: str first, by their text.
pub(crate) fn compare_canonical(a: &[u8], b: &[u8]) -> Ordering {
    match (canonical_text(a), canonical_text(b)) {
        (Some(a), Some(b)) => a.cmp(b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.cmp(b),
    }
}

fn canonical_text(encoding: &[u8]) -> Option<&[u8]> {
    match encoding {
        [m::FIXSTR..=0xbf, text @ ..]
        | [m::STR8, _, text @ ..]
        | [m::STR16, _, _, text @ ..]
        | [m::STR32, _, _, _, _, text @ ..] => Some(text),
        _ => None,
    }
}

/// Whether one of the map's entries from `at` to the end has the key.
fn holds_key(input: &[u8], mut at: usize, key: &[u8]) -> bool {
    while at < input.len() {
        if input[at..].starts_with(key) {
            return true;
        }
        for _key_and_value in 0..2 {
            let rest = &input[at.min(input.len())..];
            at += crate::DecodeOptions::new()
                .max_depth(u32::MAX)
                .skip_value(rest)
                .unwrap_or(rest.len().max(1));
        }
    }
    false
}

/// A set of canonical encodings. No encoding begins another, so two are compared from their
/// starts on, and a start is all that is stored.
///
/// The starts lie in sorted runs whose lengths are the powers of two that sum up to their number:
/// adding a key merges the short runs at the end, and looking up searches in each. Both take
/// logarithmic time whatever the keys are, and a key costs one word.
#[derive(Debug, Default)]
struct KeySet {
    bytes: Vec<u8>,
    starts: Vec<usize>,
}

impl KeySet {
    /// Adds the encoding from `begin` to the end of `bytes`; `false` if it is there already.
    fn insert(&mut self, begin: usize) -> bool {
        let (known, key) = self.bytes.split_at(begin);
        let (mut runs, mut from) = (self.starts.len(), 0);
        while runs != 0 {
            let run = 1_usize << runs.ilog2();
            let found = self.starts[from..from + run].binary_search_by(|&start| {
                let other = &known[start..];
                other[..other.len().min(key.len())].cmp(key)
            });
            if found.is_ok() {
                return false;
            }
            (runs, from) = (runs - run, from + run);
        }
        self.starts.push(begin);
        let count = self.starts.len();
        let merged = 1 << count.trailing_zeros();
        let bytes = &self.bytes;
        self.starts[count - merged..].sort_by(|&a, &b| bytes[a..].cmp(&bytes[b..]));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_set_finds_every_key_it_holds() {
        let mut set = KeySet::default();
        for round in 0..2 {
            for key in (0..500_u64).map(|key| key * 7919 % 70_000) {
                let begin = set.bytes.len();
                set.bytes.put_uint(key).unwrap();
                assert_eq!(set.insert(begin), round == 0, "{key}");
                if round == 1 {
                    set.bytes.truncate(begin);
                }
            }
        }
        assert_eq!(set.starts.len(), 500);
    }
}
