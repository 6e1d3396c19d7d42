//! The messages of an input, one after another, walked over in memory of constant size.

use std::error::Error as _;
use std::path::PathBuf;

use packord::io::WalkReader;
use packord::{DecodeOptions, DuplicateKey, Error, ErrorKind, Structures, Token, Utf8};

use crate::cli::{Reading, Utf8Mode};
use crate::failure::{Failure, Outcome};
use crate::input::Input;
use crate::path::Trail;
use crate::progress::Progress;
use crate::shared;

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

    /// The options of the decoder. How much is kept of a message is limited by what has been read,
    /// not by what is announced.
    ///
    /// # Errors
    ///
    /// Those of reading the shared structures.
    pub fn options(&self, rules: Rules) -> Outcome<DecodeOptions> {
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

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Data(error)
    }
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

/// A walk over the messages of an input.
pub type Walk = WalkReader<Input>;

/// Reads an input message by message.
pub struct Messages {
    walk: Walk,
    /// Of the whole messages: how many, and how many bytes.
    count: u64,
    offset: u64,
    name: String,
    /// For reading the input again, if it can be.
    again: Option<Again>,
}

struct Again {
    path: PathBuf,
    as_is: bool,
    options: DecodeOptions,
}

impl Messages {
    /// Reads the shared structures, if there are any; the input is not touched yet.
    pub fn new(input: Input, reading: &Reading, rules: Rules) -> Outcome<Messages> {
        let options = reading.options(rules)?.max_buffer(reading.max_message);
        let again = input.path.clone().map(|path| Again {
            path,
            as_is: reading.as_is,
            options: options.clone(),
        });
        Ok(Messages {
            name: input.name.clone(),
            walk: WalkReader::with_options(input, &options),
            count: 0,
            offset: 0,
            again,
        })
    }

    /// Gives every message to `take`, as a walk that is at its beginning. What `take` leaves of it
    /// is checked.
    ///
    /// # Errors
    ///
    /// The first fault in the data, what fails in reading, and what `take` reports.
    pub fn for_each(
        &mut self,
        mut take: impl FnMut(&mut Walk) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        self.each(&mut take).map_err(|stop| match stop {
            Stop::Data(error) => self.told(error),
            Stop::Other(failure) => Stop::Other(failure),
        })
    }

    fn each(&mut self, take: &mut impl FnMut(&mut Walk) -> Result<(), Stop>) -> Result<(), Stop> {
        while self.walk.next_message()? {
            take(&mut self.walk)?;
            self.walk.skip_message()?;
            self.count += 1;
            self.offset = self.walk.offset();
        }
        Ok(())
    }

    /// What the error says to a person: a path, where the walk has none because the beginning of
    /// the message has gone.
    fn told(&self, error: Error) -> Stop {
        if let Some(cause) = error.source().and_then(|source| source.downcast_ref()) {
            return Failure::input(&self.name, cause).into();
        }
        let path = match &self.again {
            Some(again) if error.path().is_none() => again.path_of(&error, self.count),
            _ => None,
        };
        Stop::Data(match path {
            Some(path) => error.with_path(path),
            None => error,
        })
    }

    /// The name of the input.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many bytes were read in whole messages.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// How many whole messages there were.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The bytes from an offset on, as far as they are at hand.
    #[must_use]
    pub fn bytes_at(&self, offset: u64) -> &[u8] {
        self.walk.bytes_at(offset)
    }
}

impl Again {
    /// The path of the value at fault, in the message of this number.
    fn path_of(&self, error: &Error, message: u64) -> Option<String> {
        let input = Input::open(&self.path, self.as_is, &Progress::bytes(false)).ok()?;
        let mut walk = WalkReader::with_options(input, &self.options);
        for _ in 0..=message {
            walk.next_message().ok()?;
        }
        let mut trail = Trail::new(message);
        // Where the data ends too early, the first header is at fault that announces more.
        let end = error.offset().filter(|_| error.kind() == ErrorKind::Eof);
        let mut pending = 1;
        while let Ok(Some(event)) = walk.next() {
            trail.event(&event);
            pending += match &event.token {
                Token::End(_) => 1,
                Token::Array(count) => *count as u64,
                Token::Map(count) => 2 * *count as u64,
                Token::Record(head) => head.structure.len() as u64,
                _ => 0,
            };
            pending -= 1;
            let behind = event.offset + event.bytes.len() as u64;
            if event.token.opens() && end.is_some_and(|end| behind + pending > end) {
                return Some(trail.path());
            }
        }
        Some(trail.next_path())
    }
}
