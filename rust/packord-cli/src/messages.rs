//! The messages of an input, one after another, in memory that the largest of them decides.

use std::io::Read;

use packord::{DecodeOptions, DuplicateKey, Error, StreamDecoder, Structures, Utf8, Walker};

use crate::cli::{Reading, Utf8Mode};
use crate::failure::{Failure, Outcome};
use crate::input::Input;
use crate::shared;

const CHUNK: usize = 64 << 10;

/// What is asked of the data beyond being valid.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules {
    /// Only the canonical encoding.
    pub canonical: bool,
    /// No key twice in a map.
    pub unique_keys: bool,
}

impl Reading {
    /// Whether one of the options turns records on.
    #[must_use]
    pub fn has_records(&self) -> bool {
        self.records || self.sequential || self.shared.is_some()
    }

    /// The options of the decoder. A message may be as large as it is: what is kept of it has
    /// been read, and was not only announced.
    fn options(&self, rules: Rules) -> Outcome<DecodeOptions> {
        let structures = self
            .shared
            .as_deref()
            .map_or_else(|| Ok(Structures::new()), shared::read)?;
        let utf8 = match self.utf8 {
            Utf8Mode::Error => Utf8::Error,
            Utf8Mode::Replace => Utf8::Replace,
            Utf8Mode::Raw => Utf8::Raw,
        };
        let duplicate_key = if rules.unique_keys {
            DuplicateKey::Error
        } else {
            DuplicateKey::Last
        };
        Ok(DecodeOptions::new()
            .shared_structures(structures)
            .records(self.has_records())
            .sequential(self.sequential)
            .utf8(utf8)
            .max_depth(self.max_depth)
            .max_record_keys(self.max_record_keys)
            .max_buffer(u64::MAX)
            .canonical(rules.canonical)
            .duplicate_key(duplicate_key))
    }
}

/// Why the messages ended too early.
#[derive(Debug)]
pub enum Stop {
    /// The data is at fault.
    Data(Error),
    /// Something else is.
    Other(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Other(failure)
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        match stop {
            Stop::Data(error) => error.into(),
            Stop::Other(failure) => failure,
        }
    }
}

/// Reads an input message by message.
pub struct Messages {
    input: Input,
    decoder: StreamDecoder,
}

impl Messages {
    /// Reads the shared structures, if there are any; the input is not touched yet.
    pub fn new(input: Input, reading: &Reading, rules: Rules) -> Outcome<Messages> {
        Ok(Messages {
            input,
            decoder: StreamDecoder::with_options(&reading.options(rules)?),
        })
    }

    /// Gives every message to `take`, as a walker that is at its beginning. The message has been
    /// checked.
    ///
    /// # Errors
    ///
    /// The first fault in the data, what fails in reading, and what `take` reports.
    pub fn for_each(&mut self, mut take: impl FnMut(Walker<'_>) -> Outcome) -> Result<(), Stop> {
        let mut chunk = vec![0; CHUNK];
        loop {
            while let Some(walker) = self.decoder.next_walker().map_err(Stop::Data)? {
                take(walker)?;
            }
            match self.input.read(&mut chunk) {
                Ok(0) => return self.decoder.finish().map_err(Stop::Data),
                Ok(count) => self.decoder.feed(&chunk[..count]),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Failure::input(&self.input.name, &error).into()),
            }
        }
    }

    /// The name of the input.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.input.name
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

    /// A walker over the message at which the data ended or a fault was found.
    #[must_use]
    pub fn unfinished(&self) -> Walker<'_> {
        self.decoder.pending_walker()
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
