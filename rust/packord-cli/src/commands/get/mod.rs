//! `packord get`: the values at a path. Everything else is skipped.

mod arrange;
mod order;
mod search;
mod shown;
mod table;
pub mod text_output;
mod totals;

use std::io::{self, IsTerminal};
use std::path::Path;

use packord::Value;

use crate::cli;
use crate::failure::{Failure, Outcome};
use crate::limits::CHUNK;
use crate::messages::{Checks, MessageFailure, Messages, Opened, RowsOptions};
use crate::output::Output;
use crate::query::{KeySet, Query, Test};
use crate::source::input::files_or_stdin;
use crate::terminal::progress::Progress;
use crate::terminal::style;
use crate::values::path::PathStep;
use search::Search;

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
    let query = Query::parse(&command.path).map_err(|text| Failure::Usage(with_hint(text)))?;
    if write(command, &query)? > 0 {
        return Ok(());
    }
    if command.count || command.totals.is_used() {
        return Err(Failure::AlreadyReported(1));
    }
    let hint = meant(&command.path, &query);
    let text = format!("no value at {}{hint}", command.path);
    Err(Failure::No(with_hint(text)))
}

/// Writes whole messages, as `unpack` does. Returns how many there are.
pub fn write_messages(command: &cli::Get) -> Outcome<u64> {
    let query = Query::parse(".").map_err(Failure::Usage)?;
    write(command, &query)
}

/// Writes what the query selects, and returns how many values that is.
fn write(command: &cli::Get, query: &Query) -> Outcome<u64> {
    let showing = &command.showing;
    let usage = |text: &str| Err(Failure::Usage(text.to_owned()));
    let test = showing.choosing.filter.as_deref().map(Test::parse);
    let test = test
        .transpose()
        .map_err(|what| Failure::Usage(format!("--where: {what}")))?;
    let chooses = showing.choosing.is_used() || command.totals.is_used();
    if command.keys && (chooses || !query.is_plain() || query.counts_from_end()) {
        return usage(
            "--keys takes a path without tests, .., projections, ranges of messages, --where, --select and --sort-by",
        );
    }
    let has_places = command.paths || showing.file_names;
    let is_text = has_places || command.raw || showing.pretty || command.keys;
    if showing.to.is_table() && is_text || showing.to.is_binary() && has_places {
        return usage(
            "--paths, --file-names, --raw, --pretty and --keys cannot be used with a table, nor the first two with \
             MessagePack",
        );
    }
    if showing.file_names && (command.count || command.totals.is_used()) {
        return usage("--file-names cannot be used with --count, --sum, --avg, --min and --max");
    }
    let mut output = Output::create(showing.out.as_deref())?;
    if showing.to.is_binary() || (command.raw && showing.force) {
        output.refuse_terminal(showing.force)?;
    }
    let progress = Progress::bytes(output.is_terminal());
    let mut search = Search::new(command, query, test.as_ref(), output)?;
    let mut rows = RowsOptions::of(showing);
    // Rows that are left out have no number.
    let is_numbered = command.paths || query.messages.is_some();
    rows.test = test.clone().filter(|_| !is_numbered);
    // Of container files, the rest is not read.
    let mut keys = KeySet::default();
    if query.is_whole() {
        search.arrangement.add_keys(&mut keys);
    } else {
        keys.add_query(query);
    }
    if let Some(test) = &test {
        keys.add_test(test);
    }
    rows.select = keys.into_keys();
    let is_all = query.is_whole() && query.messages.is_none() && !showing.choosing.is_used();
    let counts_rows = is_all && command.only_counts() && !showing.follow;
    for file in &files_or_stdin(&showing.files) {
        if search.arrangement.is_done() {
            break;
        }
        let opened = match command.reading.open_blocks(file, &rows, &progress)? {
            Opened::Blocks(_, blocks) if counts_rows => {
                search.found += blocks.count()?;
                continue;
            }
            opened => opened,
        };
        let (mut input, reading) = command.reading.to_rows(opened, &rows)?;
        search.begin(&input, &reading);
        input.before_read(search.output.flusher());
        let name = input.name.clone();
        let mut messages = Messages::new(input, &reading, Checks::default())?;
        let done = search.run(&mut messages);
        if done.is_err() {
            // The rows before a fault are written, and the fault is reported.
            let _ = search.shown.end();
        }
        search.shown.drain_into(&mut search.output)?;
        done.map_err(|stop| stop.within(&name))?;
    }
    let Search {
        mut arrangement,
        mut shown,
        mut output,
        found,
        ..
    } = search;
    let ended = arrangement.end(&mut shown, |shown| {
        if shown.len() >= CHUNK {
            shown.drain_into(&mut output)?;
        }
        Ok(())
    });
    ended.map_err(MessageFailure::of_all_inputs)?;
    if command.only_counts() {
        let count = shown.scalar(Value::from(found));
        count.map_err(MessageFailure::of_all_inputs)?;
    }
    shown.end()?;
    shown.drain_into(&mut output)?;
    output.commit()?;
    if showing.stats {
        style::tell(&rows.counts.get().summary());
    }
    if let (0, Some(name)) = (found, test.as_ref().and_then(Test::compared_name)) {
        style::tell(&format!("--where: {name} is a key; a str has quotes: '{name}'"));
    }
    Ok(found)
}

/// Returns what may have been meant by a path that has found nothing: messages in place of their elements, or
/// a function, which is read as a name.
fn meant(path: &str, query: &Query) -> String {
    let step = path.trim_start_matches(['$', '.']).strip_prefix('[');
    let step = step.and_then(|step| step.strip_suffix(']'));
    match (step, &query.messages, &query.plain_steps()[..]) {
        (Some(range), None, [PathStep::Index(_) | PathStep::Range(..)]) if query.is_plain() => {
            format!(" (of messages: packord get '${range}')")
        }
        (Some(step), None, []) if step.starts_with('?') => {
            let quote = if step.contains('\'') { '"' } else { '\'' };
            format!(" (of messages: --where {quote}{}{quote})", &step[1..])
        }
        _ if query.is_plain() && path.contains(['(', '|']) => {
            " (it is read as a name: a path has no functions)".to_owned()
        }
        _ => String::new(),
    }
}

/// Returns what to say if the only argument looks like a file instead of a path.
fn forgotten_path(command: &cli::Get) -> Option<String> {
    let is_file = command.showing.files.is_empty() && Path::new(&command.path).is_file();
    is_file.then(|| {
        let name = &command.path;
        format!("{name} is a file, and no path is given: packord get PATH {name}")
    })
}
