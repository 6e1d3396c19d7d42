//! [`RecordDecoder`]: reads records in many messages.

use crate::error::Result;
use crate::options::{DecodeOptions, Trailing};
use crate::read::ValueDecoder;
use crate::read::check_trailing;
use crate::read::tree::{Keep, tree};
use crate::value::{Tree, Value, ValueRef};
use alloc::boxed::Box;

/// Reads messages one at a time and keeps their structures: the shared ones, and with
/// [`sequential`](DecodeOptions::sequential) the definitions of earlier messages.
///
/// ```
/// use packord::{DecodeOptions, RecordDecoder};
///
/// let mut decoder = RecordDecoder::new(&DecodeOptions::new().sequential(true));
/// assert_eq!(decoder.decode(b"\xd4\x72\x40\x91\xa1a\x01")?["a"], 1);
/// assert_eq!(decoder.decode(b"\x40\x02")?["a"], 2);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Debug)]
pub struct RecordDecoder {
    options: DecodeOptions,
    decoder: ValueDecoder,
}

impl RecordDecoder {
    /// Returns a decoder. The option `records` is always on.
    #[must_use]
    pub fn new(options: &DecodeOptions) -> RecordDecoder {
        let options = options.clone().records(true);
        let decoder = ValueDecoder::new(options.record_state());
        RecordDecoder { options, decoder }
    }

    /// Reads one message into a value that owns its strings.
    ///
    /// # Errors
    ///
    /// As for [`DecodeOptions::decode`]. After an error the decoder is unchanged.
    pub fn decode(&mut self, bytes: &[u8]) -> Result<Value> {
        self.read::<Box<str>>(bytes)
    }

    /// Reads one message into a value that borrows its strings from the input. Keys of records are
    /// shared, not borrowed.
    ///
    /// # Errors
    ///
    /// As for [`DecodeOptions::decode`]. After an error the decoder is unchanged.
    pub fn decode_ref<'a>(&mut self, bytes: &'a [u8]) -> Result<ValueRef<'a>> {
        self.read::<&'a str>(bytes)
    }

    fn read<'a, S: Keep<'a>>(&mut self, bytes: &'a [u8]) -> Result<Tree<S, S::Bytes>> {
        let rules = self.options.rules();
        self.decoder.begin(0);
        let outcome = tree::<S>(&mut self.decoder, bytes, &rules).and_then(|value| {
            let allowed = self.options.trailing == Trailing::Allow;
            check_trailing(bytes, self.decoder.pos, allowed).map(|()| value)
        });
        outcome.map_err(|fault| {
            if let Some(records) = &mut self.decoder.records {
                records.rollback();
            }
            let records = self.decoder.records.clone();
            self.options.located_by(fault.into(), bytes, records)
        })
    }

    /// Lets a typed value be read with the structures.
    pub(crate) fn with_decoder<T>(
        &mut self,
        read: impl FnOnce(&DecodeOptions, ValueDecoder) -> (Result<T>, Option<ValueDecoder>),
    ) -> Result<T> {
        let mut decoder = core::mem::replace(&mut self.decoder, ValueDecoder::new(None));
        decoder.begin(0);
        let (outcome, decoder) = read(&self.options, decoder);
        if let Some(decoder) = decoder {
            self.decoder = decoder;
        }
        if let (true, Some(records)) = (outcome.is_err(), &mut self.decoder.records) {
            records.rollback();
        }
        outcome
    }
}
