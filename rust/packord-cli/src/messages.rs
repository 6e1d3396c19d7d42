//! The messages of an input, one after another, in memory of constant size.

use std::error::Error as _;
use std::io;
use std::path::{Path, PathBuf};

use packord::io::WalkReader;
use packord::{DecodeOptions, DuplicateKey, Error, ErrorKind, Structures, Token, Utf8};

use crate::cli::{ColumnsMode, ExtFamily, Reading, RecordsMode, Utf8Mode};
use crate::dialects::{EditReader, Lz4Reader, without_columns, without_companions};
use crate::failure::{Failure, Outcome};
use crate::input::Input;
use crate::path::Trail;
use crate::progress::Progress;
use crate::recognise;
use crate::shared;

/// What is checked beyond validity.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checks {
    /// The encoding is canonical.
    pub canonical: bool,
    /// No key occurs twice in a map.
    pub unique_keys: bool,
}

impl Reading {
    /// Returns whether records are on.
    #[must_use]
    pub fn has_records(&self) -> bool {
        self.records == RecordsMode::Always || self.sequential || self.shared.is_some()
    }

    /// Opens an input, and returns it with the options that its first bytes ask for.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is not MessagePack. Messages of shared records may look like another
    /// format, and are not refused.
    pub fn open(
        &self,
        path: &Path,
        follow: bool,
        progress: &Progress,
    ) -> Outcome<(Input, Reading)> {
        let open = if follow { Input::follow } else { Input::open };
        let mut input = open(path, self.as_is, progress)?;
        let mut reading = self.clone();
        if self.ext == Some(ExtFamily::Msgpackr) {
            input.map(|reader| Box::new(EditReader::new(reader, without_companions)));
        }
        let start = input.peek()?;
        if let Some(text) = self.refusal(&start) {
            let text = format!("{text}; --as-is reads it all the same");
            return Err(Failure::input(&input.name, &io::Error::other(text)));
        }
        if self.ext == Some(ExtFamily::Csharp) || (!self.as_is && recognise::is_lz4(&start)) {
            let max = self.max_message;
            input.map(|reader| Box::new(Lz4Reader::new(reader, max)));
        }
        if self.records == RecordsMode::Auto && recognise::defines_records(&start) {
            reading.records = RecordsMode::Always;
        }
        let has_columns = match self.columns {
            ColumnsMode::Auto => recognise::has_columns(&start),
            mode => mode == ColumnsMode::Always,
        };
        reading.columns = ColumnsMode::Never;
        if has_columns && self.keeps_columns {
            reading.columns = ColumnsMode::Always;
        } else if has_columns {
            let max = self.max_message;
            input.map(|reader| {
                Box::new(EditReader::new(
                    reader,
                    without_columns(max, self.seen_columns.clone()),
                ))
            });
        }
        Ok((input, reading))
    }

    /// Returns the options for bytes as they are: columns stay an ext, which is checked.
    #[must_use]
    pub fn with_columns(&self) -> Reading {
        Reading {
            keeps_columns: true,
            ..self.clone()
        }
    }

    /// Returns why these first bytes are not read.
    fn refusal(&self, start: &[u8]) -> Option<String> {
        if self.as_is {
            return None;
        }
        let foreign = recognise::foreign(start).filter(|_| !self.has_records());
        let foreign = foreign.map(|what| format!("it is not MessagePack but {what}"));
        foreign.or_else(|| Some(format!("it has {}", recognise::of_msgpackr(start)?)))
    }

    /// Returns the options of the decoder, without a limit for the buffer.
    ///
    /// # Errors
    ///
    /// The file of shared structures cannot be read.
    pub fn options(&self, checks: Checks) -> Outcome<DecodeOptions> {
        let structures = self
            .shared
            .as_deref()
            .map_or_else(|| Ok(Structures::new()), shared::read)?;
        let utf8 = match self.utf8 {
            Utf8Mode::Error => Utf8::Error,
            Utf8Mode::Replace => Utf8::Replace,
            Utf8Mode::Raw => Utf8::Raw,
        };
        let duplicate_key = if checks.unique_keys {
            DuplicateKey::Error
        } else {
            DuplicateKey::Last
        };
        Ok(DecodeOptions::new()
            .shared_structures(structures)
            .records(self.has_records())
            .sequential(self.sequential)
            .columns(self.columns == ColumnsMode::Always)
            .utf8(utf8)
            .max_depth(self.max_depth)
            .max_record_keys(self.max_record_keys)
            .max_buffer(u64::MAX)
            .canonical(checks.canonical)
            .duplicate_key(duplicate_key))
    }
}

/// Why reading the messages stopped early.
#[derive(Debug)]
pub enum MessageFailure {
    /// A fault in the data.
    Data(Error),
    /// Anything else: a read error, or what the command reports.
    Other(Failure),
}

impl From<Error> for MessageFailure {
    fn from(error: Error) -> MessageFailure {
        MessageFailure::Data(error)
    }
}

impl From<Failure> for MessageFailure {
    fn from(failure: Failure) -> MessageFailure {
        MessageFailure::Other(failure)
    }
}

impl From<MessageFailure> for Failure {
    fn from(failure: MessageFailure) -> Failure {
        match failure {
            MessageFailure::Data(error) => error.into(),
            MessageFailure::Other(failure) => failure,
        }
    }
}

/// A walk over the messages of an input.
pub type Walk = WalkReader<Input>;

/// Reads an input message by message.
pub struct Messages {
    walk: Walk,
    /// The number of complete messages, and their bytes.
    count: u64,
    offset: u64,
    name: String,
    /// How to read the input a second time, if it is a file.
    reopening: Option<Reopening>,
}

struct Reopening {
    path: PathBuf,
    reading: Reading,
    options: DecodeOptions,
}

impl Messages {
    /// Reads the shared structures, if there are any. The input is not read yet.
    pub fn new(input: Input, reading: &Reading, checks: Checks) -> Outcome<Messages> {
        let options = reading.options(checks)?.max_buffer(reading.max_message);
        let reopening = input.path.clone().map(|path| Reopening {
            path,
            reading: reading.clone(),
            options: options.clone(),
        });
        Ok(Messages {
            name: input.name.clone(),
            walk: WalkReader::with_options(input, &options),
            count: 0,
            offset: 0,
            reopening,
        })
    }

    /// Calls `take` with a walk at the start of each message. What `take` does not read is checked.
    ///
    /// # Errors
    ///
    /// The first fault in the data, read errors, and what `take` reports.
    pub fn for_each(
        &mut self,
        mut take: impl FnMut(&mut Walk) -> Result<(), MessageFailure>,
    ) -> Result<(), MessageFailure> {
        self.read(&mut take).map_err(|failure| match failure {
            MessageFailure::Data(error) => self.with_path(error),
            MessageFailure::Other(failure) => MessageFailure::Other(failure),
        })
    }

    fn read(
        &mut self,
        take: &mut impl FnMut(&mut Walk) -> Result<(), MessageFailure>,
    ) -> Result<(), MessageFailure> {
        while self.walk.next_message()? {
            take(&mut self.walk)?;
            self.walk.skip_message()?;
            self.count += 1;
            self.offset = self.walk.offset();
        }
        Ok(())
    }

    /// Adds the path to an error that has none because the walk has dropped the start of a long
    /// message. Turns a read error into the failure of the input.
    fn with_path(&self, error: Error) -> MessageFailure {
        if let Some(cause) = error.source().and_then(|source| source.downcast_ref()) {
            return Failure::input(&self.name, cause).into();
        }
        let path = match &self.reopening {
            Some(reopening) if error.path().is_none() => reopening.path_of(&error, self.count),
            _ => None,
        };
        MessageFailure::Data(match path {
            Some(path) => error.with_path(path),
            None => error,
        })
    }

    /// Returns the name of the input.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of bytes of the complete messages.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the number of complete messages.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the bytes from an offset on that are in memory.
    #[must_use]
    pub fn bytes_at(&self, offset: u64) -> &[u8] {
        self.walk.bytes_at(offset)
    }
}

impl Reopening {
    /// Returns the path of the value at fault, in the message with this number.
    fn path_of(&self, error: &Error, message: u64) -> Option<String> {
        let progress = Progress::bytes(false);
        let (input, _) = self.reading.open(&self.path, false, &progress).ok()?;
        let mut walk = WalkReader::with_options(input, &self.options);
        for _ in 0..=message {
            walk.next_message().ok()?;
        }
        let mut trail = Trail::new(message);
        // For `eof` it is the first container whose header announces more than the input holds.
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
            let next = event.offset + event.bytes.len() as u64;
            if event.token.opens() && end.is_some_and(|end| next + pending > end) {
                return Some(trail.path());
            }
        }
        Some(trail.next_path())
    }
}
