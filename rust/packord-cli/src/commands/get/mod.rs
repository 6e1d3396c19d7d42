//! `packord get`: the values at a path. Everything else is skipped.

mod arrange;
mod needed;
mod order;
mod select;
mod shown;
mod totals;

use std::io::{self, IsTerminal};
use std::path::Path;

use packord::{Structure, Token, Value};

use crate::cli;
use crate::failure::{Failure, Outcome};
use crate::input::files_or_stdin;
use crate::limits::CHUNK;
use crate::messages::{Checks, MessageFailure, Messages, Opened, RowsOptions, Walk};
use crate::output::Output;
use crate::path::{self, PathPattern, PathStep};
use crate::progress::Progress;
use crate::query::{Query, Test};
use crate::style;
use arrange::Arrangement;
use select::Selection;
use shown::Shown;

/// Writes the values at the path, in the order of the data.
pub fn run(command: &cli::Get) -> Outcome {
    let forgotten = forgotten_path(command);
    if let Some(hint) = forgotten.as_ref().filter(|_| io::stdin().is_terminal()) {
        return Err(Failure::Usage(hint.clone()));
    }
    let with_hint = |text: String| match &forgotten {
        Some(hint) => format!("{text}\n  {hint}"),
        None => text,
    };
    let usage = |text| Failure::Usage(with_hint(text));
    let choosing = &command.showing.choosing;
    let gathers = command.group_by.is_some() || command.totals.is_used();
    let is_query = choosing.is_used() || gathers || Query::is_needed(&command.path);
    let query = is_query.then(|| Query::parse(&command.path));
    let query = query.transpose().map_err(usage)?;
    let path = if is_query { "." } else { &command.path };
    let path = PathPattern::parse(path).map_err(usage)?;
    let found = write(command, query.as_ref(), &path)?;
    if found == 0 {
        if command.count || command.totals.is_used() {
            return Err(Failure::AlreadyReported(1));
        }
        let what = if is_query {
            format!("nothing was found at {}", command.path)
        } else {
            format!("no value at {path}{}", of_messages(&path))
        };
        return Err(Failure::No(with_hint(what)));
    }
    Ok(())
}

/// Writes whole messages, as `unpack` does. Returns how many there are.
pub fn write_messages(command: &cli::Get) -> Outcome<u64> {
    let path = PathPattern::parse(".").map_err(Failure::Usage)?;
    let query = command
        .showing
        .choosing
        .is_used()
        .then(|| Query::parse("."));
    let query = query.transpose().map_err(Failure::Usage)?;
    write(command, query.as_ref(), &path)
}

/// Writes what the query selects, or what is at the path, and returns how many values that is.
fn write(command: &cli::Get, query: Option<&Query>, path: &PathPattern) -> Outcome<u64> {
    let mut rows = RowsOptions::of(&command.showing);
    let test = command.showing.choosing.filter.as_deref().map(Test::parse);
    let test = test
        .transpose()
        .map_err(|what| Failure::Usage(format!("--where: {what}")))?;
    if query.is_some() && command.keys {
        return Err(Failure::Usage(
            "--keys takes a path without tests, .., projections, ranges of messages, --where, --select and --sort-by"
                .to_owned(),
        ));
    }
    let has_places = command.paths || command.showing.file_names;
    let is_text = has_places || command.raw || command.showing.pretty || command.keys;
    let to = command.showing.to;
    if to.is_table() && is_text || to.is_binary() && has_places {
        return Err(Failure::Usage(
            "--paths, --file-names, --raw, --pretty and --keys cannot be used with a table, nor the first two with \
             MessagePack"
                .to_owned(),
        ));
    }
    if command.showing.file_names && (command.count || command.totals.is_used()) {
        return Err(Failure::Usage(
            "--file-names cannot be used with --count, --sum, --avg, --min and --max".to_owned(),
        ));
    }
    // Rows that are left out have no number.
    let is_numbered = command.paths || query.is_some_and(|query| query.messages.is_some());
    rows.test = test.clone().filter(|_| !is_numbered);
    rows.select = needed::keys(command, query, path, test.as_ref());
    let is_count = needed::is_count(command, query, path);
    let mut arrangement = Arrangement::new(command)?;
    let mut output = Output::create(command.showing.out.as_deref())?;
    if command.showing.to.is_binary() || (command.raw && command.showing.force) {
        output.refuse_terminal(command.showing.force)?;
    }
    let progress = Progress::bytes(output.is_terminal());
    let files = files_or_stdin(&command.showing.files);
    let mut search = Search {
        steps: &path.steps,
        command,
        found: 0,
        shown: Shown::new(command, arrangement.is_regular(), &mut output)?,
        places: command.paths.then(String::new),
        is_live: false,
    };
    for file in &files {
        if arrangement.is_done() {
            break;
        }
        let opened = match command.reading.open_blocks(file, &rows, &progress)? {
            Opened::Blocks(_, blocks) if is_count => {
                search.found += blocks.count()?;
                continue;
            }
            opened => opened,
        };
        let (mut input, reading) = command.reading.to_rows(opened, &rows)?;
        search.is_live = input.is_live();
        arrangement.has_records = reading.has_records();
        search.shown.begin(&input.name, arrangement.has_records);
        input.before_read(output.flusher());
        let name = input.name.clone();
        let mut selection = match query {
            Some(query) => Some(Selection::new(
                command,
                query,
                test.as_ref(),
                &reading,
                search.is_live,
            )?),
            None => None,
        };
        let mut messages = Messages::new(input, &reading, Checks::default())?;
        let mut done = messages.for_each(|walk| {
            if let Some(selection) = &mut selection {
                return selection.message(walk, &mut arrangement, &mut search.shown, &mut output);
            }
            if path.message.is_none_or(|number| number == walk.message()) {
                search.message(walk, &mut output)?;
                search.shown.drain_into(&mut output)?;
            }
            Ok(())
        });
        if let Some(selection) = &mut selection {
            if done.is_ok() {
                done = selection.end(&mut arrangement, &mut search.shown, &mut output);
            }
            search.found += selection.found;
        }
        if done.is_err() {
            // The rows before a fault are written, and the fault is reported.
            let _ = search.shown.end();
        }
        search.shown.drain_into(&mut output)?;
        done.map_err(|stop| stop.within(&name))?;
    }
    let shown = &mut search.shown;
    let ended = arrangement.end(shown, |shown| {
        if shown.len() >= CHUNK {
            shown.drain_into(&mut output)?;
        }
        Ok(())
    });
    ended.map_err(MessageFailure::of_all_inputs)?;
    if command.only_counts() {
        let count = shown.scalar(Value::from(search.found));
        count.map_err(MessageFailure::of_all_inputs)?;
    }
    shown.end()?;
    shown.drain_into(&mut output)?;
    output.commit()?;
    if command.showing.stats {
        style::tell(&rows.counts.get().summary());
    }
    Ok(search.found)
}

/// Returns how messages are chosen, for a path that chooses elements of each message.
fn of_messages(path: &PathPattern) -> String {
    let text = path.to_string();
    let range = match (path.message, path.steps.as_slice()) {
        (None, [PathStep::Index(_) | PathStep::Range(..)]) => text.strip_prefix("$["),
        _ => None,
    };
    let range = range.and_then(|range| range.strip_suffix(']'));
    range.map_or_else(String::new, |range| {
        format!(" (of messages: packord get '${range}')")
    })
}

/// Returns what to say if the only argument looks like a file instead of a path.
fn forgotten_path(command: &cli::Get) -> Option<String> {
    let is_file = command.showing.files.is_empty() && Path::new(&command.path).is_file();
    is_file.then(|| {
        let name = &command.path;
        format!("{name} is a file, and no path is given: packord get PATH {name}")
    })
}

struct Search<'c> {
    steps: &'c [PathStep],
    command: &'c cli::Get,
    found: u64,
    shown: Shown,
    /// The path of the current value, with `--paths`.
    places: Option<String>,
    /// Whether values are written as they are found.
    is_live: bool,
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

impl Search<'_> {
    fn message(&mut self, walk: &mut Walk, output: &mut Output) -> Result<(), MessageFailure> {
        if let Some(place) = &mut self.places {
            *place = path::root(walk.message());
        }
        let mut open: Vec<Level> = Vec::new();
        if self.steps.is_empty() {
            return self.take(walk, output);
        }
        self.enter(walk, &mut open)?;
        while let Some(level) = open.len().checked_sub(1) {
            let (top, step) = (&mut open[level], &self.steps[level]);
            if let Some(place) = &mut self.places {
                place.truncate(top.path_len);
            }
            let index = top.begun;
            top.begun += 1;
            let is_taken = match &top.kind {
                _ if index == top.count => {
                    // Its end.
                    walk.next()?;
                    open.pop();
                    continue;
                }
                ContainerKind::Array => {
                    let next = step.next_index(index, top.count);
                    if next > index {
                        walk.skip_values(next - index)?;
                        top.begun = next;
                        continue;
                    }
                    if let Some(place) = &mut self.places {
                        place.push_str(&format!("[{index}]"));
                    }
                    true
                }
                ContainerKind::Map => {
                    let key = walk.hold_value()?.unwrap_or_default();
                    let taken = step.selects_key(key);
                    if let (true, Some(place)) = (taken, &mut self.places) {
                        path::push_key(place, key);
                    }
                    taken
                }
                ContainerKind::Record(structure) => {
                    let name = structure.key(index).unwrap_or_default();
                    let taken = step.selects_field(name);
                    if let (true, Some(place)) = (taken, &mut self.places) {
                        path::push_name(place, name);
                    }
                    taken
                }
            };
            if !is_taken {
                walk.skip_value()?;
            } else if level + 1 == self.steps.len() {
                self.take(walk, output)?;
                if self.is_live || self.shown.len() >= CHUNK {
                    self.shown.drain_into(output)?;
                }
            } else {
                self.enter(walk, &mut open)?;
            }
        }
        Ok(())
    }

    /// Opens the next value if it is a container. Other values have nothing at the path.
    fn enter(&mut self, walk: &mut Walk, open: &mut Vec<Level>) -> Result<(), MessageFailure> {
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
            path_len: self.places.as_ref().map_or(0, String::len),
        });
        Ok(())
    }

    /// Writes or counts the next value, which is at the path.
    fn take(&mut self, walk: &mut Walk, output: &mut Output) -> Result<(), MessageFailure> {
        self.found += 1;
        if self.command.count {
            walk.skip_value()?;
            return Ok(());
        }
        let place = self.places.as_deref().unwrap_or_default();
        self.shown.prefix(&self.shown.placed(place));
        if self.command.keys {
            self.shown.keys(walk, output)
        } else {
            self.shown.value(walk, output)
        }
    }
}
