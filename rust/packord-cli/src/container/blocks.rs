//! The blocks of a file or a pipe.

use std::cell::Cell;
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use packord::container::{FileHeader, FileIndex, OnBadBlock, PassedRange, ReadOptions, Reader, StoredBlock};
use packord::{Error, ErrorKind};

use super::counted::CountedReader;
use super::ruled_out::{RowBound, predicate};
use crate::cli;
use crate::failure::{Failure, Outcome, describe, name_of};
use crate::figures::units::{self, counted, plural};
use crate::query::Test;
use crate::source::input::Input;
use crate::terminal::progress::Progress;
use crate::terminal::style;

/// How long to wait before a file is looked at again.
const FOLLOW: Duration = Duration::from_millis(100);

/// Which blocks are read.
#[derive(Clone, Default)]
pub struct BlocksOptions {
    /// The options of the command line.
    pub reading: cli::ContainerReading,
    /// Only blocks whose mark begins in this range.
    pub split: Option<Range<u64>>,
    /// No block whose statistics show that the test holds for none of its rows.
    pub test: Option<Test>,
    /// The keys of rows that are needed. Of blocks that are stored by column, the others are not read.
    pub select: Option<Vec<String>>,
    /// Whether the file grows.
    pub follow: bool,
    /// Whether blocks are read one after another, whatever the index says.
    pub sequential: bool,
    /// Whether ranges that are passed over are kept, and not reported.
    pub quiet: bool,
    /// Counts what is read.
    pub counts: Rc<Cell<BlockCounts>>,
}

/// What was read and what was not.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlockCounts {
    /// Blocks that were read, their rows, and their bytes in the file.
    pub read: u64,
    /// Rows in them.
    pub rows: u64,
    /// Their bytes in the file.
    pub bytes: u64,
    /// Blocks that were skipped by statistics.
    pub skipped: u64,
    /// Rows in them.
    pub skipped_rows: u64,
}

impl BlockCounts {
    /// Returns them in a sentence.
    #[must_use]
    pub fn summary(self) -> String {
        format!(
            "read: {} of {}, {}, {}; skipped: {}, {}",
            self.read,
            counted(self.read + self.skipped, "block"),
            counted(self.rows, "row"),
            units::bytes(self.bytes),
            counted(self.skipped, "block"),
            counted(self.skipped_rows, "row"),
        )
    }
}

/// Reads blocks one after another.
pub struct Blocks {
    name: String,
    reader: BlockReader,
    bound: RowBound,
    progress: Progress,
    counts: Rc<Cell<BlockCounts>>,
    follow: bool,
    skips_bad: bool,
    split: Option<Range<u64>>,
    /// The number of ranges that the reader passed over and that were reported.
    reported: usize,
    quiet: bool,
    faults: Vec<(Range<u64>, String)>,
}

enum BlockReader {
    Stream(Box<Reader<Input>>),
    File(Box<Reader<CountedReader<File>>>),
}

impl Blocks {
    /// Begins to read an input that is a container file.
    ///
    /// # Errors
    ///
    /// What is wrong with its header; it cannot be read.
    pub fn of_input(input: Input, options: &BlocksOptions, progress: &Progress) -> Outcome<Blocks> {
        match input.plain_file() {
            Some(path) => Blocks::open(path, options, progress),
            None => {
                let name = input.name.clone();
                let reader = Reader::with_options(input, &options.to_reader());
                let reader = reader.map_err(|error| header_failure(&name, &error))?;
                let reader = BlockReader::Stream(Box::new(reader));
                Ok(Blocks::new(name, reader, options, progress))
            }
        }
    }

    /// Opens a file.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is not a container file.
    pub fn open(path: &Path, options: &BlocksOptions, progress: &Progress) -> Outcome<Blocks> {
        let name = name_of(path);
        let file = File::open(path).map_err(|error| Failure::input(&name, &error))?;
        let file = CountedReader::new(file);
        let reader = if options.sequential {
            Reader::with_options(file, &options.to_reader())
        } else {
            Reader::seekable(file, &options.of_columns())
        };
        let reader = reader.map_err(|error| header_failure(&name, &error))?;
        let reader = BlockReader::File(Box::new(reader));
        Ok(Blocks::new(name, reader, options, progress))
    }

    fn new(name: String, reader: BlockReader, options: &BlocksOptions, progress: &Progress) -> Blocks {
        let bound = options.test.as_ref().map(Test::bound);
        Blocks {
            name,
            reader,
            bound: bound.map_or(RowBound::Open, |bound| RowBound::new(&bound)),
            progress: progress.clone(),
            counts: Rc::clone(&options.counts),
            follow: options.follow,
            skips_bad: options.reading.on_bad_block == cli::OnBadBlock::Skip,
            split: options.split.clone(),
            reported: 0,
            quiet: options.quiet,
            faults: Vec::new(),
        }
    }

    /// Returns the name of the input.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the header of the file.
    #[must_use]
    pub fn header(&self) -> &FileHeader {
        match &self.reader {
            BlockReader::Stream(reader) => reader.header(),
            BlockReader::File(reader) => reader.header(),
        }
    }

    /// Returns the index of the file, if it has one and is not a pipe.
    #[must_use]
    pub fn index(&self) -> Option<&FileIndex> {
        match &self.reader {
            BlockReader::Stream(reader) => reader.index(),
            BlockReader::File(reader) => reader.index(),
        }
    }

    fn passed(&self) -> &[PassedRange] {
        match &self.reader {
            BlockReader::Stream(reader) => reader.passed(),
            BlockReader::File(reader) => reader.passed(),
        }
    }

    /// Returns whether the next block may not be there yet.
    #[must_use]
    pub fn may_wait(&self) -> bool {
        match &self.reader {
            BlockReader::Stream(reader) => reader.get_ref().may_wait(),
            BlockReader::File(_) => self.follow,
        }
    }

    /// Returns the next block, or `None` after the last one. Waits for it if the file grows.
    ///
    /// # Errors
    ///
    /// The first fault of the file.
    pub fn next_block(&mut self) -> Result<Option<StoredBlock>, Error> {
        loop {
            self.skip();
            let before = self.bytes_read();
            let found = match &mut self.reader {
                BlockReader::Stream(reader) => reader.next_stored(),
                BlockReader::File(reader) => reader.next_stored(),
            };
            self.report_passed();
            let found = found?;
            match found {
                None if self.follow => std::thread::sleep(FOLLOW),
                None => return Ok(None),
                Some(block) => {
                    let mut counts = self.counts.get();
                    counts.read += 1;
                    counts.rows += block.count();
                    counts.bytes += match block.data() {
                        Some(_) => block.size(),
                        None => self.bytes_read() - before,
                    };
                    self.counts.set(counts);
                    if let BlockReader::File(_) = self.reader {
                        self.progress.advance(block.size());
                    }
                    return Ok(Some(block));
                }
            }
        }
    }

    fn bytes_read(&self) -> u64 {
        match &self.reader {
            BlockReader::Stream(_) => 0,
            BlockReader::File(reader) => reader.get_ref().count(),
        }
    }

    /// Returns the number of rows and messages. With an index and no range, no block is read.
    ///
    /// # Errors
    ///
    /// The first fault of the file.
    pub fn count(mut self) -> Outcome<u64> {
        if let (BlockReader::File(reader), None) = (&self.reader, &self.split)
            && let Some(index) = reader.index()
        {
            return Ok(index.count());
        }
        let mut count = 0;
        while let Some(block) = self.next_block().map_err(|error| self.failure(&error))? {
            count += block.count();
        }
        Ok(count)
    }

    /// Passes over blocks in which the test holds for no row.
    fn skip(&mut self) {
        let BlockReader::File(reader) = &mut self.reader else {
            return;
        };
        while let Some(entry) = reader.next_entry() {
            let is_within = self.split.as_ref().is_none_or(|split| split.contains(&entry.offset()));
            if is_within {
                if !self.bound.rules_out(entry) {
                    return;
                }
                let mut counts = self.counts.get();
                counts.skipped += 1;
                counts.skipped_rows += entry.count();
                self.counts.set(counts);
                self.progress.advance(entry.size());
            }
            reader.skip_entry();
        }
    }

    fn report_passed(&mut self) {
        let passed = self.passed();
        let new: Vec<_> = passed
            .iter()
            .skip(self.reported)
            .map(|passed| (passed.range.clone(), describe(&passed.error)))
            .collect();
        self.reported = passed.len();
        for (range, fault) in new {
            self.report(range, fault);
        }
    }

    /// Returns the failure of a fault in the file.
    #[must_use]
    pub fn failure(&self, error: &Error) -> Failure {
        Failure::of_input(&self.name, error)
    }

    /// Reports a block whose body is at fault, if the blocks after it are read. Else returns the fault.
    pub fn pass_over(&mut self, range: Range<u64>, error: Error) -> Option<Error> {
        if !self.skips_bad {
            return Some(error);
        }
        self.report(range, describe(&error));
        None
    }

    /// Returns the ranges that were passed over, with what is wrong in each. Without `quiet` there are
    /// none.
    #[must_use]
    pub fn faults(&self) -> &[(Range<u64>, String)] {
        &self.faults
    }

    fn report(&mut self, range: Range<u64>, fault: String) {
        if self.quiet {
            self.faults.push((range, fault));
            return;
        }
        let len = range.end.saturating_sub(range.start);
        style::warn(&format!(
            "{}: {len} {} from byte {} to byte {} were passed over: {fault}",
            self.name,
            plural(len, "byte"),
            range.start,
            range.end,
        ));
    }
}

impl BlocksOptions {
    fn to_reader(&self) -> ReadOptions {
        let on_bad_block = match self.reading.on_bad_block {
            cli::OnBadBlock::Error => OnBadBlock::Error,
            cli::OnBadBlock::Skip => OnBadBlock::Skip,
        };
        let options = ReadOptions::new()
            .max_block(self.reading.max_block)
            .on_bad_block(on_bad_block)
            .follow(self.follow);
        match &self.split {
            Some(range) => options.split(range.clone()),
            None => options,
        }
    }

    /// Returns the options for a file that can be read in any order.
    fn of_columns(&self) -> ReadOptions {
        let options = self.to_reader();
        let Some(keys) = &self.select else {
            return options;
        };
        let options = options.select(keys);
        match self.test.as_ref().and_then(|test| predicate(&test.bound())) {
            Some(predicate) => options.filter(predicate),
            None => options,
        }
    }
}

/// Returns the failure of an input that is something else.
#[must_use]
pub fn not_a_container(name: &str) -> Failure {
    Failure::Named(3, format!("{name} is not a container file"))
}

/// Returns the failure of an input whose header is at fault.
#[must_use]
pub fn header_failure(name: &str, error: &Error) -> Failure {
    match (error.kind(), error.offset()) {
        (kind, Some(0)) if kind != ErrorKind::Io => not_a_container(name),
        _ => Failure::of_input(name, error),
    }
}
