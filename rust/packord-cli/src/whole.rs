//! The messages of an input as they stand, each held whole: for what copies them.

use std::io::Read;

use packord::{Error, ErrorKind, MessageScanner, Walker};

use crate::cli::Reading;
use crate::failure::{Failure, Outcome};
use crate::input::Input;
use crate::messages::{Rules, Stop};
use crate::path;

const CHUNK: usize = 64 << 10;
const NIL: u8 = 0xc0;
const LEAST_PADDING: usize = 64 << 10;
/// So many times what there is of the message.
const MOST_PADDING: usize = 8;

/// Reads an input message by message.
pub struct WholeMessages {
    input: Input,
    decoder: MessageScanner,
    /// The input ended within a message.
    is_cut: bool,
    /// A message may be so large.
    most: u64,
}

impl WholeMessages {
    /// Reads the shared structures, if there are any; the input is not touched yet.
    pub fn new(input: Input, reading: &Reading, rules: Rules) -> Outcome<WholeMessages> {
        Ok(WholeMessages {
            input,
            decoder: MessageScanner::with_options(&reading.options(rules)?),
            is_cut: false,
            most: reading.max_message,
        })
    }

    /// Gives the bytes of every message to `take`.
    ///
    /// # Errors
    ///
    /// The first fault in the data, what fails in reading, and what `take` reports.
    pub fn for_each(&mut self, mut take: impl FnMut(&[u8]) -> Outcome) -> Result<(), Stop> {
        self.read_through(|decoder| match decoder.next_message() {
            Ok(Some(message)) => take(message.bytes).map(|()| true).map_err(Stop::Other),
            Ok(None) => Ok(false),
            Err(error) => Err(Stop::Data(error)),
        })
    }

    /// Reads on whenever `step` finds no whole message.
    fn read_through(
        &mut self,
        mut step: impl FnMut(&mut MessageScanner) -> Result<bool, Stop>,
    ) -> Result<(), Stop> {
        let mut chunk = vec![0; CHUNK];
        loop {
            while step(&mut self.decoder)? {}
            if self.decoder.buffered() as u64 > self.most {
                let place = path::root(self.decoder.messages());
                let error = Error::at(ErrorKind::LengthLimit, self.decoder.offset());
                return Err(Stop::Data(error.with_path(place)));
            }
            match self.input.read(&mut chunk) {
                Ok(0) => {
                    let end = self.decoder.finish();
                    self.is_cut = end.is_err();
                    return end.map_err(Stop::Data);
                }
                Ok(count) => self.decoder.feed(&chunk[..count]),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Failure::input(&self.input.name, &error).into()),
            }
        }
    }

    /// How many bytes were read in whole messages.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.decoder.offset()
    }

    /// How many whole messages there were.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.decoder.messages()
    }

    /// A walker over the message at which the data ended or a fault was found, and where the data
    /// ends: what the walker shows behind that place is not there.
    ///
    /// A container that announces more than there are bytes is a fault by itself, so that data
    /// which was cut would end at the first of them. Behind the end there are nils for the
    /// elements that are missing, as far as they are few enough.
    pub fn unfinished(&mut self) -> (Walker<'_>, u64) {
        let end = self.decoder.offset() + self.decoder.buffered() as u64;
        // What is bounded by the input stays bounded by it.
        let most = LEAST_PADDING + MOST_PADDING * self.decoder.buffered();
        let mut padding = LEAST_PADDING;
        while self.is_cut && padding <= most && !self.reaches(end) {
            self.decoder.feed(&vec![NIL; padding]);
            padding *= 4;
        }
        (self.decoder.pending_walker(), end)
    }

    /// Whether the walk over the message goes on to an offset.
    fn reaches(&self, offset: u64) -> bool {
        let mut walker = self.decoder.pending_walker();
        while walker.offset() < offset {
            if !matches!(walker.next(), Ok(Some(_))) {
                // A text that was cut is one that the padding makes invalid.
                return walker.offset() == offset;
            }
        }
        true
    }

    /// The bytes of that message from an offset on.
    #[must_use]
    pub fn unfinished_at(&self, offset: u64) -> &[u8] {
        let pending = self.decoder.pending();
        let index =
            usize::try_from(offset.saturating_sub(self.decoder.offset())).unwrap_or(usize::MAX);
        pending.get(index..).unwrap_or_default()
    }
}
