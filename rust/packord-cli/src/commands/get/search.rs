//! What `get` finds in the messages, one at a time. Steps at the start of the path are made while a message is
//! read, and what is beside them is skipped. For all others the value there is held in memory.

use std::collections::VecDeque;
use std::mem;

use packord::{Error, ErrorKind, Structure, Token};
use regex::bytes::Regex;

use super::arrange::{self, Arrangement, OVERHEAD};
use super::shown::Shown;
use crate::cli;
use crate::failure::Outcome;
use crate::limits::CHUNK;
use crate::messages::{MessageFailure, Messages, Walk};
use crate::output::Output;
use crate::query::{Part, Query, Test};
use crate::source::input::Input;
use crate::values::path::{self, PathStep};
use crate::values::plain_maps::PlainMaps;

/// The search, and where it writes what it finds.
pub struct Search<'c> {
    command: &'c cli::Get,
    query: &'c Query,
    test: Option<&'c Test>,
    needles: Option<Needles>,
    /// The steps at the start.
    steps: Vec<&'c PathStep>,
    /// Which messages are looked into, and whether their number is counted from the end.
    range: (i64, Option<i64>),
    counts_from_end: bool,
    pub arrangement: Arrangement,
    pub shown: Shown,
    pub output: Output,
    /// The number of values that were found.
    pub found: u64,
    /// The path of the current value; with --paths alone.
    place: String,
    /// Whether values are written as they are found.
    is_live: bool,
    has_records: bool,
    max: u64,
    /// A value without its records.
    plain: Vec<u8>,
    /// Messages that may be in a range that is counted from the end, and the number of all.
    last: VecDeque<(u64, Vec<u8>)>,
    last_len: u64,
    total: u64,
}

/// Str of which every message for which the test holds has one. They are looked for in many messages at once.
struct Needles {
    any: Regex,
    longest: usize,
    /// None begins in the bytes of the input from the last message to this offset.
    absent: u64,
}

impl Needles {
    fn new(needles: &[&str]) -> Option<Needles> {
        let any: Vec<String> = needles.iter().map(|text| regex::escape(text)).collect();
        Some(Needles {
            any: Regex::new(&any.join("|")).ok()?,
            longest: needles.iter().map(|text| text.len()).max()?,
            absent: 0,
        })
    }

    /// Returns whether there is none in a message of `len` bytes at an offset, where the bytes begin.
    fn are_absent(&mut self, offset: u64, len: usize, bytes: &[u8]) -> bool {
        let end = offset + len as u64;
        if end > self.absent {
            let found = self.any.find(bytes).map(|found| found.start());
            let absent = found.unwrap_or((bytes.len() + 1).saturating_sub(self.longest));
            self.absent = offset + absent as u64;
        }
        end <= self.absent
    }
}

/// A container on the path.
struct Level {
    /// The number of elements, entries or fields, and of those that have begun.
    count: usize,
    begun: usize,
    kind: ContainerKind,
    /// The length of the path to it.
    path_len: usize,
}

enum ContainerKind {
    Array,
    Map,
    Record(Structure),
}

type Found = Result<(), MessageFailure>;

impl<'c> Search<'c> {
    /// Begins to search.
    pub fn new(
        command: &'c cli::Get,
        query: &'c Query,
        test: Option<&'c Test>,
        mut output: Output,
    ) -> Outcome<Search<'c>> {
        let arrangement = Arrangement::new(command)?;
        let counts_from_end = query.counts_from_end();
        let is_held = test.is_some() || counts_from_end;
        Ok(Search {
            command,
            query,
            test,
            needles: test.and_then(Test::needles).and_then(|needles| Needles::new(&needles)),
            steps: if is_held { Vec::new() } else { query.plain_steps() },
            range: query.range(),
            counts_from_end,
            shown: Shown::new(command, arrangement.is_regular(), &mut output)?,
            arrangement,
            output,
            found: 0,
            place: String::new(),
            is_live: false,
            has_records: false,
            max: command.reading.max_message,
            plain: Vec::new(),
            last: VecDeque::new(),
            last_len: 0,
            total: 0,
        })
    }

    /// Says what is known of the next input.
    pub fn begin(&mut self, input: &Input, reading: &cli::Reading) {
        (self.is_live, self.has_records) = (input.is_live(), reading.has_records());
        if let Some(needles) = &mut self.needles {
            needles.absent = 0;
        }
        self.shown.begin(&input.name, self.has_records);
    }

    /// Searches all messages of an input.
    pub fn run(&mut self, messages: &mut Messages) -> Found {
        messages.for_each(|walk| self.message(walk))?;
        let total = usize::try_from(mem::take(&mut self.total)).unwrap_or(usize::MAX);
        self.last_len = 0;
        for (number, bytes) in mem::take(&mut self.last) {
            let index = usize::try_from(number).unwrap_or(usize::MAX);
            let range = self.query.messages.as_ref();
            if range.is_none_or(|range| range.selects_index(index, total)) {
                match self.held(number, &bytes) {
                    Err(MessageFailure::Enough) => break,
                    done => done?,
                }
            }
        }
        Ok(())
    }

    fn message(&mut self, walk: &mut Walk) -> Found {
        let number = walk.message();
        self.total = number + 1;
        let (from, to) = self.range;
        let at = i64::try_from(number).unwrap_or(i64::MAX);
        if from >= 0 && at < from || to.is_some_and(|to| to >= 0 && at >= to) {
            return Ok(());
        }
        if self.command.paths {
            self.place = path::root(number);
        }
        if self.test.is_none() && !self.counts_from_end {
            self.walk(walk)?;
            return self.drain();
        }
        let offset = walk.offset();
        let mut plain = mem::take(&mut self.plain);
        let mut bytes = self.hold(walk, &mut plain)?;
        let needles = self.needles.as_mut();
        if let Some(needles) = needles.filter(|_| !self.has_records && !self.counts_from_end) {
            let (len, window) = (bytes.len(), walk.bytes_at(offset));
            if needles.are_absent(offset, len, window) {
                self.plain = plain;
                return Ok(());
            }
            bytes = window.get(..len).unwrap_or_default();
        }
        if self.counts_from_end {
            self.last_len += bytes.len() as u64;
            self.last.push_back((number, bytes.to_vec()));
            let most = if from < 0 { from } else { to.unwrap_or(0) };
            if self.last.len() as u64 > most.unsigned_abs()
                && let Some((number, bytes)) = self.last.pop_front()
            {
                self.last_len -= bytes.len() as u64;
                if from >= 0 {
                    self.held(number, &bytes)?;
                }
            }
            let held = self.last_len + self.last.len() as u64 * OVERHEAD;
            arrange::check_held("the last messages", held, self.max)?;
        } else {
            self.held(number, bytes)?;
        }
        self.plain = plain;
        Ok(())
    }

    /// Returns the bytes of the next value, without records.
    fn hold<'w>(&self, walk: &'w mut Walk, plain: &'w mut Vec<u8>) -> Result<&'w [u8], MessageFailure> {
        if !self.has_records {
            return Ok(walk.hold_value()?.unwrap_or_default());
        }
        plain.clear();
        let mut maps = PlainMaps::default();
        maps.has_records = true;
        walk.each_event(|event| {
            maps.event(&event, |event| plain.extend_from_slice(event.bytes));
            if plain.len() as u64 > self.max {
                return Err(Error::at(ErrorKind::LengthLimit, event.offset));
            }
            Ok(())
        })?;
        Ok(plain)
    }

    /// Looks into a message that is held.
    fn held(&mut self, number: u64, bytes: &[u8]) -> Found {
        if self.test.is_some_and(|test| !test.holds(Part::of_message(bytes))) {
            return Ok(());
        }
        if self.command.paths {
            self.place = path::root(number);
        }
        self.select(bytes)?;
        self.drain()
    }

    /// Makes the steps that are left, and passes on what they select.
    fn select(&mut self, bytes: &[u8]) -> Found {
        let (query, done, place) = (self.query, self.steps.len(), self.place.clone());
        query.select(done, Part::of_message(bytes), place, |part, place| {
            if self.arrangement.is_done() {
                return Err(MessageFailure::Enough);
            }
            self.found += 1;
            if self.command.only_counts() {
                return Ok(());
            }
            let place = self.shown.placed(place).into_owned();
            self.arrangement.take(part, &place, &mut self.shown)?;
            self.drain()
        })?;
        if self.arrangement.is_done() {
            return Err(MessageFailure::Enough);
        }
        Ok(())
    }

    /// Writes what was found, if that is much or others wait for it.
    fn drain(&mut self) -> Found {
        if self.is_live || self.shown.len() >= CHUNK {
            self.shown.drain_into(&mut self.output)?;
        }
        Ok(())
    }

    /// Makes the first steps in a message.
    fn walk(&mut self, walk: &mut Walk) -> Found {
        let mut open: Vec<Level> = Vec::new();
        if self.steps.is_empty() {
            return self.take(walk);
        }
        self.enter(walk, &mut open)?;
        while let Some(level) = open.len().checked_sub(1) {
            let (top, step) = (&mut open[level], self.steps[level]);
            let place = self.command.paths.then_some(&mut self.place);
            let index = top.begun;
            top.begun += 1;
            if index == top.count {
                // Its end.
                walk.next()?;
                open.pop();
                continue;
            }
            let is_taken = match &top.kind {
                ContainerKind::Array => {
                    let next = step.next_index(index, top.count);
                    if next > index {
                        walk.skip_values(next - index)?;
                        top.begun = next;
                        continue;
                    }
                    if let Some(place) = place {
                        place.truncate(top.path_len);
                        place.push_str(&format!("[{index}]"));
                    }
                    true
                }
                ContainerKind::Map => {
                    let key = walk.hold_value()?.unwrap_or_default();
                    let taken = step.selects_key(key);
                    if let (true, Some(place)) = (taken, place) {
                        place.truncate(top.path_len);
                        path::push_key(place, key);
                    }
                    taken
                }
                ContainerKind::Record(structure) => {
                    let name = structure.key(index).unwrap_or_default();
                    let taken = step.selects_field(name);
                    if let (true, Some(place)) = (taken, place) {
                        place.truncate(top.path_len);
                        path::push_name(place, name);
                    }
                    taken
                }
            };
            if !is_taken {
                walk.skip_value()?;
            } else if level + 1 == self.steps.len() {
                self.take(walk)?;
                self.drain()?;
            } else {
                self.enter(walk, &mut open)?;
            }
        }
        Ok(())
    }

    /// Opens the next value if it is a container. Other values have nothing at the path.
    fn enter(&mut self, walk: &mut Walk, open: &mut Vec<Level>) -> Found {
        let Some(event) = walk.next()? else {
            return Ok(());
        };
        let (kind, count) = match event.token {
            Token::Array(count) => (ContainerKind::Array, count),
            Token::Map(count) => (ContainerKind::Map, count),
            Token::Record(head) => {
                let count = head.structure.len();
                (ContainerKind::Record(head.structure), count)
            }
            _ => return Ok(()),
        };
        open.push(Level {
            count,
            begun: 0,
            kind,
            path_len: self.place.len(),
        });
        Ok(())
    }

    /// Takes the next value, which is where the first steps lead.
    fn take(&mut self, walk: &mut Walk) -> Found {
        if !self.query.is_plain() || self.arrangement.is_used() {
            let mut plain = mem::take(&mut self.plain);
            let bytes = self.hold(walk, &mut plain)?;
            self.select(bytes)?;
            self.plain = plain;
            return Ok(());
        }
        self.found += 1;
        if self.command.count {
            walk.skip_value()?;
            return Ok(());
        }
        self.shown.prefix(&self.shown.placed(&self.place));
        if self.command.keys {
            self.shown.keys(walk, &mut self.output)
        } else {
            self.shown.value(walk, &mut self.output)
        }
    }
}
