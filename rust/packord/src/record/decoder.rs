//! [`RecordDecoder`]: records over many messages.

use super::read::RecordState;
use crate::decode::tree::{Keep, tree};
use crate::error::Result;
use crate::options::{DecodeOptions, Trailing};
use crate::value::{Tree, Value, ValueRef};
use crate::walk::pull::check_trailing;
use crate::walk::scan::Scanner;
use alloc::boxed::Box;

/// Reads messages one at a time and keeps what outlasts them: the shared structures, and with
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
    scanner: Scanner,
}

impl RecordDecoder {
    /// A decoder; the option `records` is on whatever it says.
    #[must_use]
    pub fn new(options: &DecodeOptions) -> RecordDecoder {
        let options = options.clone().records(true);
        let scanner = Scanner::new(RecordState::new(&options));
        RecordDecoder { options, scanner }
    }

    /// Reads one message into a value that owns its texts.
    ///
    /// # Errors
    ///
    /// As for [`DecodeOptions::decode`]. The decoder is then as it was before the message.
    pub fn decode(&mut self, bytes: &[u8]) -> Result<Value> {
        self.read::<Box<str>>(bytes)
    }

    /// Reads one message into a value that borrows its texts from the input. Keys of records are
    /// shared, not borrowed.
    ///
    /// # Errors
    ///
    /// As for [`DecodeOptions::decode`]. The decoder is then as it was before the message.
    pub fn decode_ref<'a>(&mut self, bytes: &'a [u8]) -> Result<ValueRef<'a>> {
        self.read::<&'a str>(bytes)
    }

    fn read<'a, S: Keep<'a>>(&mut self, bytes: &'a [u8]) -> Result<Tree<S, S::Bytes>> {
        let rules = self.options.rules();
        self.scanner.begin(0);
        let outcome = tree::<S>(&mut self.scanner, bytes, &rules).and_then(|value| {
            let allowed = self.options.trailing == Trailing::Allow;
            check_trailing(bytes, self.scanner.pos, allowed).map(|()| value)
        });
        outcome.map_err(|fault| {
            if let Some(records) = &mut self.scanner.records {
                records.rollback();
            }
            let records = self.scanner.records.clone();
            self.options.located_by(fault.into(), bytes, records)
        })
    }

    /// Lets a typed value be read with the structures.
    pub(crate) fn with_scanner<T>(
        &mut self,
        read: impl FnOnce(&DecodeOptions, Scanner) -> (Result<T>, Option<Scanner>),
    ) -> Result<T> {
        let mut scanner = core::mem::replace(&mut self.scanner, Scanner::new(None));
        scanner.begin(0);
        let (outcome, scanner) = read(&self.options, scanner);
        if let Some(scanner) = scanner {
            self.scanner = scanner;
        }
        if let (true, Some(records)) = (outcome.is_err(), &mut self.scanner.records) {
            records.rollback();
        }
        outcome
    }
}
