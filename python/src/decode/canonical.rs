//! Keys that are there twice, or out of the canonical order (`spec/format.md` 4.2 and 5.2).

use std::cmp::Ordering;
use std::collections::HashSet;

use super::Decoder;
use crate::cpython::object::{Obj, Owned};
use crate::encode::Encoder;
use crate::errors::{Kind, Raised};
use crate::options::{self, EncodeOptions, Utf8};
use crate::wire::marker::FIXSTR;
use crate::wire::skip;

/// What is remembered of the keys of a map. A key is known by its rank: the bytes of a str after a
/// byte that no other key begins with, the bytes of [`compared`] of any other key.
pub enum KeyOrder {
    /// The ranks of all keys, one after the other, and where each of them begins.
    Sorted {
        ranks: Vec<u8>,
        starts: Vec<usize>,
    },
    Distinct(HashSet<Vec<u8>>),
}

const TEXT: u8 = FIXSTR;

impl Decoder<'_> {
    /// `None` when the options don't care about keys.
    pub fn key_order(&self) -> Option<KeyOrder> {
        if self.options.has(options::CANONICAL) {
            let (ranks, starts) = (Vec::new(), Vec::new());
            Some(KeyOrder::Sorted { ranks, starts })
        } else if self.options.duplicate_error {
            Some(KeyOrder::Distinct(HashSet::new()))
        } else {
            None
        }
    }

    /// Checks the key at `marker_offset`, which has been read: as it is packed, whatever hooks and classes
    /// made of it.
    pub unsafe fn check_key(
        &mut self,
        order: &mut KeyOrder,
        marker_offset: usize,
        pending: usize,
    ) -> Result<(), Raised> {
        let key = self.key_again(marker_offset, pending)?;
        order.check(self, key.get(), marker_offset)
    }

    /// The key at `marker_offset`, which has been read, once more and as it is packed.
    pub unsafe fn key_again(&mut self, marker_offset: usize, pending: usize) -> Result<Owned, Raised> {
        let options = self.options.of_keys();
        let input: *const [u8] = self.input();
        let structures = self.structures.as_deref_mut();
        let mut decoder = Decoder::new(&*input, &options, structures, None);
        decoder.depth = self.depth;
        decoder.move_to(marker_offset);
        let key = decoder.value::<true>(pending).map(Owned::take);
        let Ok(Some(key)) = key else {
            self.failure = decoder.failure.take();
            return Err(self.in_key(Raised));
        };
        Ok(key)
    }

    #[cold]
    pub(super) fn twice(&mut self, marker_offset: usize) -> Raised {
        self.fault(Kind::DuplicateKey, marker_offset)
    }
}

impl KeyOrder {
    /// `duplicate_key` first, then `not_canonical`, both at the key.
    pub unsafe fn check(&mut self, decoder: &mut Decoder<'_>, key: Obj, marker_offset: usize) -> Result<(), Raised> {
        match self {
            KeyOrder::Sorted { ranks, starts } => {
                let start = ranks.len();
                rank(decoder, key, marker_offset, ranks)?;
                let (known, new) = ranks.split_at(start);
                let order = starts.last().map(|last| compare(&known[*last..], new));
                if order.is_none_or(Ordering::is_lt) {
                    starts.push(start);
                    return Ok(());
                }
                let mut ranges = starts.iter().zip(starts[1..].iter().chain([&start]));
                if ranges.any(|(from, to)| known[*from..*to] == *new) {
                    return Err(decoder.twice(marker_offset));
                }
                Err(decoder.fault_with(Kind::NotCanonical, marker_offset, "keys are not in canonical order"))
            }
            KeyOrder::Distinct(seen) => {
                let mut new = Vec::new();
                rank(decoder, key, marker_offset, &mut new)?;
                if seen.insert(new) {
                    Ok(())
                } else {
                    Err(decoder.twice(marker_offset))
                }
            }
        }
    }
}

/// Adds the rank of a key to `ranks`.
unsafe fn rank(decoder: &mut Decoder<'_>, key: Obj, marker_offset: usize, ranks: &mut Vec<u8>) -> Result<(), Raised> {
    let mut add = |text: &[u8]| {
        ranks.push(TEXT);
        ranks.extend_from_slice(text);
    };
    // In another mode, an ill-formed str is compared by the value that was read.
    if decoder.options.utf8 == Utf8::Error {
        if let Some(text) = skip::str_at(decoder.input(), marker_offset) {
            add(text);
            return Ok(());
        }
    }
    let encoded = compared(key).map_err(|()| decoder.python())?;
    match skip::str_at(&encoded, 0) {
        Some(text) => add(text),
        None => ranks.extend_from_slice(&encoded),
    }
    Ok(())
}

/// Keys that are str come before all others.
fn compare(a: &[u8], b: &[u8]) -> Ordering {
    (a[0] != TEXT).cmp(&(b[0] != TEXT)).then_with(|| a.cmp(b))
}

/// The bytes that equal values have when they are read, and no others. `Err`: Python raised.
pub(super) unsafe fn compared(value: Obj) -> Result<Vec<u8>, ()> {
    let flags = options::USUAL | options::CANONICAL | options::KEEP_FLOATS | options::RICH;
    let options = EncodeOptions {
        flags,
        max_depth: usize::MAX,
        ..EncodeOptions::USUAL
    };
    let mut encoder = Encoder::new(&options, None);
    match encoder.value(value) {
        Ok(()) => Ok(encoder.out.written().to_vec()),
        Err(Raised) => {
            if let Some(failure) = encoder.failure.take() {
                failure.raise_encode();
            }
            Err(())
        }
    }
}
