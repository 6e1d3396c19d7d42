//! Names for the keys of maps, equal exactly where the values are that are read of them.
//!
//! The name of a scalar is its shortest encoding, with one NaN. The name of a container refers to a description
//! that all equal containers share, made from the names of its values. So a container nested in
//! many others is read once, not once for each of them.

use super::container::Container;
use super::rules::{Rules, Utf8};
use crate::ext::{BIGINT, Timestamp, bigint_value, shorten};
use crate::record::Structure;
use crate::value::Integer;
use crate::wire::canonical::{CANONICAL_NAN, widen};
use crate::wire::item::{Item, item};
use crate::wire::{Store, marker as m, utf8};
use alloc::string::String;
use alloc::vec::Vec;

/// The names of the values read so far in the open containers within keys.
#[derive(Debug, Default)]
pub(super) struct Names {
    bytes: Vec<u8>,
    /// Where each name begins.
    starts: Vec<usize>,
    /// The descriptions of all containers that were read whole.
    known: KeySet,
}

impl Names {
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    pub fn last(&self) -> &[u8] {
        &self.bytes[self.starts.last().copied().unwrap_or_default()..]
    }

    pub fn forget_last(&mut self) {
        if let Some(start) = self.starts.pop() {
            self.bytes.truncate(start);
        }
    }

    pub fn add(&mut self, bytes: &[u8], rules: &Rules) {
        self.starts.push(self.bytes.len());
        scalar(bytes, rules, &mut self.bytes);
    }

    /// Replaces the names from `from` on by the name of the container that holds those values.
    pub fn name(&mut self, kind: Container, structure: Option<&Structure>, from: usize) {
        let held = &self.starts[from..];
        let first = held.first().copied().unwrap_or(self.bytes.len());
        let begin = self.known.bytes.len();
        let out = &mut self.known.bytes;
        if kind == Container::Array {
            // Headers fit into a vector.
            let _ = out.put_array(held.len());
            out.extend_from_slice(&self.bytes[first..]);
        } else {
            let ends = held.iter().skip(1).copied().chain([self.bytes.len()]);
            let parts = held.iter().zip(ends).map(|(&start, end)| &self.bytes[start..end]);
            let keys = structure.into_iter().flat_map(Structure::keys).map(|key| {
                let mut name = Vec::new();
                let _ = name.put_str(key.as_bytes());
                name
            });
            let keys: Vec<Vec<u8>> = keys.collect();
            let mut entries: Vec<(&[u8], &[u8])> = if structure.is_some() {
                keys.iter().map(Vec::as_slice).zip(parts).collect()
            } else {
                let values = parts.clone().skip(1).step_by(2);
                parts.step_by(2).zip(values).collect()
            };
            // The keys of one map differ.
            entries.sort_unstable();
            let _ = out.put_map(entries.len());
            for (key, value) in entries {
                out.extend_from_slice(key);
                out.extend_from_slice(value);
            }
        }
        let id = self.known.insert(begin).unwrap_or(begin) as u64;
        self.starts.truncate(from);
        self.starts.push(first);
        self.bytes.truncate(first);
        // No encoding begins with this byte.
        self.bytes.push(m::RESERVED);
        self.bytes.extend_from_slice(&id.to_be_bytes());
    }
}

/// Appends the name of a scalar; a bigint that is read as one is an integer if one can hold it. The bytes were checked
/// when they were first read, and their header could hold what is written here.
pub(super) fn scalar(bytes: &[u8], rules: &Rules, out: &mut Vec<u8>) {
    let Some((item, _)) = item(bytes, 0) else {
        return;
    };
    let float = |bits: u64| {
        if f64::from_bits(bits).is_nan() {
            CANONICAL_NAN
        } else {
            bits
        }
    };
    let _ = match item {
        Item::Str(text) => match rules.utf8 {
            Utf8::Replace => out.put_str(String::from_utf8_lossy(text).as_bytes()),
            Utf8::Raw if utf8::check(text).is_err() => out.put_bin(text),
            _ => out.put_str(text),
        },
        Item::Nil => out.put_nil(),
        Item::Bool(value) => out.put_bool(value),
        Item::Int(value) => Integer::from_i64(value).put_into(out),
        Item::Uint(value) => out.put_uint(value),
        Item::Float32(value) => out.put_f64(float(widen(value.to_bits()))),
        Item::Float(value) => out.put_f64(float(value.to_bits())),
        Item::Bin(bytes) => out.put_bin(bytes),
        Item::Ext(BIGINT, payload) if rules.bigint => {
            match bigint_value(payload).and_then(|number| Integer::try_from(number).ok()) {
                Some(number) => number.put_into(out),
                None => out.put_ext(BIGINT, shorten(payload)),
            }
        }
        Item::Ext(kind, payload) => match Timestamp::from_payload(payload) {
            Some(at) if kind == Timestamp::EXT_TYPE => at.put_into(out),
            _ => out.put_ext(kind, payload),
        },
        Item::Array(_) | Item::Map(_) => Ok(()),
    };
}

/// A set of encodings. No encoding is a prefix of another, so two of them are compared from their
/// starts on, and only the starts are stored.
///
/// The starts are stored in sorted runs. The lengths of the runs are the powers of two that add up
/// to the number of starts. Adding a key merges the short runs at the end; a lookup searches each
/// run. The time per key is polylogarithmic for any keys, and a key costs one word.
#[derive(Debug, Default)]
pub(super) struct KeySet {
    pub bytes: Vec<u8>,
    starts: Vec<usize>,
}

impl KeySet {
    /// Adds the encoding from `begin` to the end of `bytes`. If the set already has it, it is
    /// removed again, and the start of the other one is returned.
    pub fn insert(&mut self, begin: usize) -> Option<usize> {
        let (known, key) = self.bytes.split_at(begin);
        let (mut runs, mut from) = (self.starts.len(), 0);
        while runs != 0 {
            let run = 1_usize << runs.ilog2();
            let found = self.starts[from..from + run].binary_search_by(|&start| {
                let other = &known[start..];
                other[..other.len().min(key.len())].cmp(key)
            });
            if let Ok(place) = found {
                let same = self.starts[from + place];
                self.bytes.truncate(begin);
                return Some(same);
            }
            (runs, from) = (runs - run, from + run);
        }
        self.starts.push(begin);
        let count = self.starts.len();
        let merged = 1 << count.trailing_zeros();
        let bytes = &self.bytes;
        self.starts[count - merged..].sort_by(|&a, &b| bytes[a..].cmp(&bytes[b..]));
        None
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
                assert_eq!(set.insert(begin).is_none(), round == 0, "{key}");
            }
        }
        assert_eq!(set.starts.len(), 500);
    }
}
