//! Keys that are there twice, or out of the canonical order (`spec/format.md` 4.2 and 5.2).

use std::collections::HashSet;

use super::Decoder;
use crate::encode::Encoder;
use crate::errors::{Kind, Raised};
use crate::object::{Obj, Owned};
use crate::options::{self, EncodeOptions};

/// What is remembered of the keys of a map.
pub struct KeyOrder {
    seen: HashSet<Vec<u8>>,
    last: Option<(bool, Vec<u8>)>,
    sorted: bool,
}

impl Decoder<'_> {
    /// `None` when the options don't care about keys.
    pub fn key_order(&self) -> Option<KeyOrder> {
        let sorted = self.options.has(options::CANONICAL);
        (sorted || self.options.duplicate_error).then(|| KeyOrder {
            seen: HashSet::new(),
            last: None,
            sorted,
        })
    }

    /// Checks the key at `at`, which has been read: as it is packed, whatever hooks and classes
    /// made of it.
    pub unsafe fn check_key(
        &mut self,
        order: &mut KeyOrder,
        at: usize,
        outer: usize,
    ) -> Result<(), Raised> {
        let options = self.options.of_keys();
        let input: *const [u8] = self.input();
        let structures = self.structures.as_deref_mut();
        let mut reader = Decoder::new(&*input, &options, structures, None);
        reader.depth = self.depth;
        reader.move_to(at);
        let key = reader.value::<true>(outer).map(Owned::take);
        let Ok(Some(key)) = key else {
            self.failure = reader.failure.take();
            return Err(Raised);
        };
        order.check(self, key.get(), at)
    }
}

impl KeyOrder {
    /// `duplicate_key` first, then `not_canonical`, both at the key.
    pub unsafe fn check(
        &mut self,
        reader: &mut Decoder<'_>,
        key: Obj,
        at: usize,
    ) -> Result<(), Raised> {
        let encoded = canonical(key).map_err(|()| reader.python())?;
        if !self.seen.insert(encoded.clone()) {
            return Err(reader.fault(Kind::DuplicateKey, at, "the key is there already"));
        }
        if !self.sorted {
            return Ok(());
        }
        let skip = match encoded.first() {
            Some(0xa0..=0xbf) => 1,
            Some(0xd9) => 2,
            Some(0xda) => 3,
            Some(0xdb) => 5,
            _ => 0,
        };
        let rank = (skip == 0, encoded[skip..].to_vec());
        if self.last.as_ref().is_some_and(|last| *last > rank) {
            return Err(reader.fault(Kind::NotCanonical, at, "keys are not in canonical order"));
        }
        self.last = Some(rank);
        Ok(())
    }
}

/// The canonical encoding of a key that was read. `Err`: Python raised.
pub(super) unsafe fn canonical(key: Obj) -> Result<Vec<u8>, ()> {
    let flags = options::CANONICAL
        | options::NON_STR_KEYS
        | options::DATETIME_AS_TIMESTAMP_EXT
        | options::TYPES_AS_EXT;
    let options = EncodeOptions {
        flags: flags | options::BIGINT_EXT,
        default: None,
        max_depth: usize::MAX,
    };
    let mut encoder = Encoder::new(&options, None);
    match encoder.value(key) {
        Ok(()) => Ok(encoder.out.written().to_vec()),
        Err(Raised) => {
            if let Some(failure) = encoder.failure.take() {
                failure.raise_encode();
            }
            Err(())
        }
    }
}
