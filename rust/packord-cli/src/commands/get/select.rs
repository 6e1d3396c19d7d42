//! `get` with a query or `--where`: messages are held one at a time, and none of their values is built.

use std::collections::VecDeque;

use packord::DecodeOptions;

use super::arrange::Arrangement;
use super::shown::Shown;
use crate::cli::{self, Utf8Mode};
use crate::failure::{Failure, Outcome};
use crate::limits::CHUNK;
use crate::messages::{Checks, MessageFailure, Walk};
use crate::output::Output;
use crate::path::{self, PathStep};
use crate::query::{Query, RawPart, Test};

/// What is selected from the messages of one input.
pub struct Selection<'c> {
    command: &'c cli::Get,
    /// The number of values that were found.
    pub found: u64,
    query: &'c Query,
    test: Option<&'c Test>,
    /// Whether the test needs no index of the message.
    is_plain: bool,
    options: DecodeOptions,
    /// The options for values without records, as they are packed again.
    plain: DecodeOptions,
    /// Whether values are written as soon as their message is read.
    is_live: bool,
    /// Messages that may be in a range that is counted from the end.
    last: VecDeque<(u64, Vec<u8>)>,
    total: u64,
}

impl<'c> Selection<'c> {
    /// Begins an input.
    pub fn new(
        command: &'c cli::Get,
        query: &'c Query,
        test: Option<&'c Test>,
        reading: &cli::Reading,
        is_live: bool,
    ) -> Outcome<Selection<'c>> {
        if reading.sequential {
            return Err(Failure::Usage(
                "--sequential cannot be used with --where, --select, --sort-by, --group-by, tests, .., \
                 projections and ranges of messages"
                    .to_owned(),
            ));
        }
        let options = reading.options(Checks::default())?;
        Ok(Selection {
            command,
            found: 0,
            query,
            is_plain: test.is_some_and(Test::has_plain_paths)
                && reading.utf8 == Utf8Mode::Error
                && !reading.has_records(),
            test,
            plain: options.clone().records(false).max_depth(u32::MAX),
            options,
            is_live,
            last: VecDeque::new(),
            total: 0,
        })
    }

    /// Writes what is selected in a message, or keeps it if that depends on how many follow.
    pub fn message(
        &mut self,
        walk: &mut Walk,
        arrangement: &mut Arrangement,
        shown: &mut Shown,
        output: &mut Output,
    ) -> Result<(), MessageFailure> {
        let number = walk.message();
        self.total = number + 1;
        let (from, to) = match self.query.messages {
            None => (Some(0), None),
            Some(PathStep::Index(index)) => {
                (Some(index), index.checked_add(1).filter(|to| *to != 0))
            }
            Some(PathStep::Range(from, to)) => (from, to),
            Some(PathStep::Any | PathStep::Key(_)) => (None, None),
        };
        let from = from.unwrap_or(0);
        let at = i64::try_from(number).unwrap_or(i64::MAX);
        if (0..).contains(&from) && at < from || to.is_some_and(|to| to >= 0 && at >= to) {
            return Ok(());
        }
        let bytes = walk.hold_value()?.unwrap_or_default();
        if from >= 0 && to.is_none_or(|to| to >= 0) {
            return self.write(number, bytes, arrangement, shown, output);
        }
        self.last.push_back((number, bytes.to_vec()));
        let most = if from < 0 { from } else { to.unwrap_or(0) };
        if self.last.len() as u64 > most.unsigned_abs() {
            if let Some((number, bytes)) = self.last.pop_front().filter(|_| from >= 0) {
                return self.write(number, &bytes, arrangement, shown, output);
            }
        }
        Ok(())
    }

    /// Writes what was kept, at the end of the input.
    pub fn end(
        &mut self,
        arrangement: &mut Arrangement,
        shown: &mut Shown,
        output: &mut Output,
    ) -> Result<(), MessageFailure> {
        let total = usize::try_from(self.total).unwrap_or(usize::MAX);
        for (number, bytes) in std::mem::take(&mut self.last) {
            let index = usize::try_from(number).unwrap_or(usize::MAX);
            let range = self.query.messages.as_ref();
            if range.is_none_or(|range| range.selects_index(index, total)) {
                match self.write(number, &bytes, arrangement, shown, output) {
                    Err(MessageFailure::Enough) => break,
                    done => done?,
                }
            }
        }
        Ok(())
    }

    fn write(
        &mut self,
        number: u64,
        bytes: &[u8],
        arrangement: &mut Arrangement,
        shown: &mut Shown,
        output: &mut Output,
    ) -> Result<(), MessageFailure> {
        // An index of the message takes as long as checking it, and most tests hold for few.
        if self.is_plain
            && self
                .test
                .is_some_and(|test| !test.holds(RawPart::of_message(bytes)))
        {
            return Ok(());
        }
        let document = self.options.document(bytes)?;
        if !self.is_plain && self.test.is_some_and(|test| !test.holds(document.root())) {
            return Ok(());
        }
        let place = if self.command.paths {
            path::root(number)
        } else {
            String::new()
        };
        self.query.select(document.root(), place, |found, place| {
            if arrangement.is_done() {
                return Ok(());
            }
            self.found += 1;
            if self.command.only_counts() {
                return Ok(());
            }
            arrangement.take(found, &shown.placed(place), shown, &self.plain)?;
            if shown.len() >= CHUNK {
                shown.drain_into(output)?;
            }
            Ok::<(), MessageFailure>(())
        })?;
        if self.is_live {
            shown.drain_into(output)?;
        }
        if arrangement.is_done() {
            return Err(MessageFailure::Enough);
        }
        Ok(())
    }
}
