//! The messages of an input, one after another, in memory of constant size.

use std::cell::Cell;
use std::error::Error as _;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use packord::io::WalkReader;
use packord::{DecodeOptions, DuplicateKey, Error, ErrorKind, Structures, Token, Utf8};

use crate::cli::{Detected, ExtFamily, Reading, Showing, Utf8Mode};
use crate::container::{self, BlockCounts, Blocks, BlocksOptions};
use crate::failure::{Failure, Outcome};
use crate::limits;
use crate::query::Test;
use crate::shared;
use crate::source::dialects::{DigitsReader, EditReader, Lz4Reader, refuse_late, without_columns, without_companions};
use crate::source::input::Input;
use crate::source::recognise::{self, Traits};
use crate::terminal::progress::Progress;
use crate::threads::Threads;
use crate::values::path::Trail;

/// An input that is open.
pub enum Opened {
    /// Messages, and the options to read them with.
    Messages(Input, Box<Reading>),
    /// The blocks of a container file, and an empty input of the same name.
    Blocks(Input, Box<Blocks>),
}

/// Which rows of a container file are read.
#[derive(Clone, Default)]
pub struct RowsOptions {
    /// Whether the file grows.
    pub follow: bool,
    /// Only those of blocks whose mark begins in this range of bytes.
    pub split: Option<Range<u64>>,
    /// Only those for which the test holds. The others have no number.
    pub test: Option<Test>,
    /// The keys of rows that are needed, if others are not. Rows may be returned without the others.
    pub select: Option<Vec<String>>,
    /// Whether all bytes of the file are read, whatever its index says.
    pub sequential: bool,
    /// Counts what is read.
    pub counts: Rc<Cell<BlockCounts>>,
}

impl RowsOptions {
    /// Returns the rows that options of the command line name.
    #[must_use]
    pub fn of(showing: &Showing) -> RowsOptions {
        RowsOptions {
            follow: showing.follow,
            split: showing.range.map(|(from, to)| from..to),
            ..RowsOptions::default()
        }
    }

    /// Returns the blocks that are read.
    #[must_use]
    pub fn to_blocks(&self, reading: &Reading) -> BlocksOptions {
        BlocksOptions {
            reading: reading.container.clone(),
            split: self.split.clone(),
            test: self.test.clone(),
            select: self.select.clone(),
            follow: self.follow,
            sequential: self.sequential,
            quiet: false,
            counts: Rc::clone(&self.counts),
        }
    }
}

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
        self.records == Detected::Always || self.sequential || self.shared.is_some()
    }

    /// Opens an input, and returns it with the options that its first bytes ask for. Of a container file these
    /// are the rows, each as a message.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is not MessagePack. Messages of shared records may look like another
    /// format, and are not refused.
    pub fn open(&self, path: &Path, follow: bool, progress: &Progress) -> Outcome<(Input, Reading)> {
        let rows = RowsOptions {
            follow,
            ..RowsOptions::default()
        };
        self.open_rows(path, &rows, progress)
    }

    /// Opens an input, and says which rows of a container file are read.
    ///
    /// # Errors
    ///
    /// As for [`Reading::open`].
    pub fn open_rows(&self, path: &Path, rows: &RowsOptions, progress: &Progress) -> Outcome<(Input, Reading)> {
        let opened = self.open_blocks(path, rows, progress)?;
        self.to_rows(opened, rows)
    }

    /// Begins to read an input, in the same way.
    ///
    /// # Errors
    ///
    /// As for [`Reading::open`].
    pub fn rows_of(&self, input: Input, rows: &RowsOptions, progress: &Progress) -> Outcome<(Input, Reading)> {
        let opened = self.begin(input, &rows.to_blocks(self), progress)?;
        self.to_rows(opened, rows)
    }

    /// Returns an input that is open: of a container file its rows.
    ///
    /// # Errors
    ///
    /// Threads cannot be started.
    pub fn to_rows(&self, opened: Opened, rows: &RowsOptions) -> Outcome<(Input, Reading)> {
        match opened {
            Opened::Messages(input, reading) => Ok((input, *reading)),
            Opened::Blocks(mut input, blocks) => {
                let threads = Threads::start(self.container.threads)?;
                let rows = container::rows_of(*blocks, &threads, rows.test.clone());
                input.map(|_| Box::new(rows));
                Ok((input, self.of_rows()))
            }
        }
    }

    /// Opens an input: a container file as its blocks.
    ///
    /// # Errors
    ///
    /// As for [`Reading::open`].
    pub fn open_blocks(&self, path: &Path, rows: &RowsOptions, progress: &Progress) -> Outcome<Opened> {
        let open = if rows.follow { Input::follow } else { Input::open };
        let input = open(path, self.as_is, progress)?;
        self.begin(input, &rows.to_blocks(self), progress)
    }

    /// Begins to read an input: a container file as these blocks.
    ///
    /// # Errors
    ///
    /// As for [`Reading::open`].
    pub fn begin(&self, mut input: Input, options: &BlocksOptions, progress: &Progress) -> Outcome<Opened> {
        if let Some(encoding) = self.encoding {
            input.map(|reader| Box::new(DigitsReader::new(reader, encoding)));
        }
        if self.skip > 0 {
            input.skip(self.skip)?;
        }
        if self.ext == Some(ExtFamily::Msgpackr) {
            input.map(|reader| Box::new(EditReader::new(reader, without_companions)));
        }
        let start = input.peek()?;
        if !self.as_is && !self.keeps_blocks && container::is_container(&start) {
            let shell = input.shell();
            let blocks = Blocks::of_input(input, options, progress)?;
            return Ok(Opened::Blocks(shell, Box::new(blocks)));
        }
        if options.split.is_some() {
            return Err(container::not_a_container(&input.name));
        }
        self.begin_messages(input, &start)
    }

    /// Returns an input that begins with these bytes, with the options that they ask for.
    fn begin_messages(&self, mut input: Input, start: &[u8]) -> Outcome<Opened> {
        let mut reading = self.clone();
        let found = Traits::of(start);
        if let Some(text) = self.refusal(start, &found) {
            let text = format!("{text}; --as-is reads it all the same");
            return Err(Failure::input(&input.name, &io::Error::other(text)));
        }
        if self.ext == Some(ExtFamily::Csharp) || (!self.as_is && recognise::is_lz4(start)) {
            let max = self.max_message;
            input.map(|reader| Box::new(Lz4Reader::new(reader, max)));
        }
        if self.records == Detected::Auto && found.records {
            reading.records = Detected::Always;
        }
        let has_columns = match self.columns {
            Detected::Auto => found.columns,
            mode => mode == Detected::Always,
        };
        if input.has_paused() && !self.as_is {
            let mut known = found;
            known.records = reading.has_records() || self.records == Detected::Never;
            known.columns = has_columns || self.columns == Detected::Never;
            input.map(|reader| Box::new(EditReader::new(reader, refuse_late(known))));
        }
        reading.columns = Detected::Never;
        if has_columns && self.keeps_columns {
            reading.columns = Detected::Always;
        } else if has_columns {
            let (max, has_records) = (self.max_message, reading.has_records());
            let edit = without_columns(max, has_records, self.seen_columns.clone());
            input.map(|reader| Box::new(EditReader::new(reader, edit)));
        }
        Ok(Opened::Messages(input, Box::new(reading)))
    }

    /// Returns the options for rows, which have neither records nor columns.
    #[must_use]
    pub fn of_rows(&self) -> Reading {
        Reading {
            records: Detected::Never,
            columns: Detected::Never,
            sequential: false,
            shared: None,
            ..self.clone()
        }
    }

    /// Returns the options for bytes as they are: columns stay an ext, which is checked.
    #[must_use]
    pub fn with_columns(&self) -> Reading {
        Reading {
            keeps_columns: true,
            ..self.clone()
        }
    }

    /// Returns the options for the bytes of container files as they are: not their rows.
    #[must_use]
    pub fn with_blocks(&self) -> Reading {
        Reading {
            keeps_blocks: true,
            ..self.clone()
        }
    }

    /// Returns why these first bytes are not read.
    fn refusal(&self, start: &[u8], found: &Traits) -> Option<String> {
        if self.as_is {
            return None;
        }
        let foreign = recognise::foreign(start).filter(|_| !self.has_records());
        let foreign = foreign.map(|what| format!("it is not MessagePack but {what}"));
        foreign.or_else(|| Some(format!("it has {}", found.of_msgpackr?)))
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
        // Any limit of the decoder makes it slower, and the buffer of a reader bounds long values in any case.
        let limit = Some(self.max_message).filter(|max| *max < limits::INPUT);
        let limit = limit.and_then(|max| u32::try_from(max).ok());
        let limit = limit.unwrap_or(u32::MAX);
        Ok(DecodeOptions::new()
            .max_str_len(limit)
            .max_bin_len(limit)
            .max_ext_len(limit)
            .shared_structures(structures)
            .records(self.has_records())
            .sequential(self.sequential)
            .columns(self.columns == Detected::Always)
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
    /// The command needs no more messages, which is not a failure.
    Enough,
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

impl MessageFailure {
    /// Returns the failure of the input with this name.
    #[must_use]
    pub fn within(self, name: &str) -> Failure {
        self.of_all_inputs().within(name)
    }

    /// Returns the failure of what is from several inputs.
    #[must_use]
    pub fn of_all_inputs(self) -> Failure {
        match self {
            MessageFailure::Data(error) => error.into(),
            MessageFailure::Other(failure) => failure,
            MessageFailure::Enough => Failure::AlreadyReported(0),
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
    /// The first fault in the data, read errors, and what `take` reports. If that is
    /// [`MessageFailure::Enough`], reading ends without one.
    pub fn for_each(
        &mut self,
        mut take: impl FnMut(&mut Walk) -> Result<(), MessageFailure>,
    ) -> Result<(), MessageFailure> {
        match self.read(&mut take) {
            Err(MessageFailure::Data(error)) => Err(self.with_path(error)),
            Err(MessageFailure::Enough) => Ok(()),
            done => done,
        }
    }

    fn read(&mut self, take: &mut impl FnMut(&mut Walk) -> Result<(), MessageFailure>) -> Result<(), MessageFailure> {
        let mut more = self.walk.next_message()?;
        while more {
            take(&mut self.walk)?;
            // Checks the rest of the message, too.
            more = self.walk.next_message()?;
            self.count += 1;
            self.offset = self.walk.offset();
        }
        Ok(())
    }

    /// Adds the path to an error that has none because the walk has dropped the start of a long
    /// message. Turns a read error into the failure of the input.
    fn with_path(&self, error: Error) -> MessageFailure {
        let cause = error.source().and_then(|source| source.downcast_ref());
        if let Some(cause) = cause {
            let cause: &io::Error = cause;
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
