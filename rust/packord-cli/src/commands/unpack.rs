//! `packord unpack`: MessagePack to JSON or diagnostic notation.

use std::sync::{Arc, Mutex};

use packord::container::RowList;
use packord::{ErrorKind, Walker};

use super::get;
use super::get::text_output::TextOutput;
use crate::cli::{self, ExtFamily, OutputFormat, Utf8Mode};
use crate::container::{Blocks, Unpacking};
use crate::failure::{Failure, Outcome};
use crate::json::write::{JsonWriteOptions, NotJson};
use crate::limits::CHUNK;
use crate::messages::{Checks, MessageFailure, Messages, Opened, RowsOptions, Walk};
use crate::output::Output;
use crate::source::input::files_or_stdin;
use crate::terminal::progress::Progress;
use crate::terminal::style as terminal;
use crate::threads::Threads;
use crate::values::path;

/// Unpacks all files, one message per line.
pub fn run(command: &cli::Unpack) -> Outcome {
    let is_text = matches!(command.showing.to, OutputFormat::Json | OutputFormat::Diag);
    if command.showing.choosing.is_used() || command.showing.file_names || !is_text {
        return choose(command);
    }
    if command.showing.to == OutputFormat::Diag && (command.strict || command.bigint) {
        return Err(Failure::Usage(
            "--strict and --bigint cannot be used with --to diag".to_owned(),
        ));
    }
    if command.showing.to != OutputFormat::Diag && command.expand_columns {
        return Err(Failure::Usage(
            "--expand-columns is for --to diag: JSON shows the values of columns in any case".to_owned(),
        ));
    }
    // Notation preserves every byte.
    let reading = match command.showing.to {
        OutputFormat::Diag => command.reading.with_columns(),
        _ => command.reading.clone(),
    };
    let mut output = Output::create(command.showing.out.as_deref())?;
    let progress = Progress::bytes(output.is_terminal());
    let files = files_or_stdin(&command.showing.files);
    let rows = RowsOptions::of(&command.showing);
    for path in &files {
        // Only the walk over messages has these checks.
        let is_checked = command.strict || reading.max_depth != packord::DEFAULT_MAX_DEPTH;
        let opened = if is_checked {
            let (input, reading) = reading.open_rows(path, &rows, &progress)?;
            Opened::Messages(input, Box::new(reading))
        } else {
            reading.open_blocks(path, &rows, &progress)?
        };
        let (mut input, reading) = match opened {
            Opened::Messages(input, reading) => (input, reading),
            Opened::Blocks(_, blocks) => {
                unpack_blocks(command, *blocks, &mut output)?;
                continue;
            }
        };
        let is_live = input.is_live();
        input.before_read(output.flusher());
        let mut messages = Messages::new(
            input,
            &reading,
            Checks {
                canonical: false,
                unique_keys: command.strict,
            },
        )?;
        unpack(command, &reading, &mut messages, &mut output, is_live)?;
    }
    output.commit()?;
    if command.showing.stats {
        terminal::tell(&rows.counts.get().summary());
    }
    Ok(())
}

/// Writes the messages that are chosen, as `get .` does.
fn choose(command: &cli::Unpack) -> Outcome {
    if command.strict {
        return Err(Failure::Usage(
            "--strict cannot be used with --where, --select, --sort-by, --file-names, tables and MessagePack"
                .to_owned(),
        ));
    }
    let get = cli::Get {
        showing: command.showing.clone(),
        bigint: command.bigint,
        reading: command.reading.clone(),
        ..cli::Get::default()
    };
    let found = get::write_messages(&get)?;
    if found == 0 && command.showing.choosing.filter.is_some() {
        return Err(Failure::No("no message matches --where".to_owned()));
    }
    Ok(())
}

/// Writes the rows of a container file. Several threads make their text.
fn unpack_blocks(command: &cli::Unpack, blocks: Blocks, output: &mut Output) -> Outcome {
    let threads = Threads::start(command.reading.container.threads)?;
    let (style, is_notation) = (style(command, false, output), command.showing.to == OutputFormat::Diag);
    // Buffers whose text was written. Using their memory again saves a tenth of the time, as new pages are zeroed.
    let written: Arc<Mutex<Vec<TextOutput>>> = Arc::default();
    let empty = Arc::clone(&written);
    let mut texts = Unpacking::new(blocks, &threads, move |_, rows: RowList<'static>| {
        let used = empty.lock().ok().and_then(|mut texts| texts.pop());
        let mut text = used.unwrap_or_else(|| {
            if is_notation {
                TextOutput::notation(style, false)
            } else {
                TextOutput::json(style)
            }
        });
        for row in rows.iter() {
            let mut walker = Walker::new(row);
            // The rows are valid, and without `strict` nothing is refused.
            while let Ok(Some(event)) = walker.next() {
                let _ = text.event(&event);
            }
            text.end();
        }
        text
    });
    while let Some(mut text) = texts.next_result()? {
        text.drain_into(output)?;
        if let Ok(mut written) = written.lock() {
            written.push(text);
        }
        if texts.blocks().may_wait() {
            output.flush_now()?;
        }
    }
    Ok(())
}

/// Returns how the values are written, which can have records.
fn style(command: &cli::Unpack, records: bool, output: &mut Output) -> JsonWriteOptions {
    JsonWriteOptions {
        colours: command.showing.to == OutputFormat::Json && output.has_colours(),
        pretty: command.showing.pretty,
        strict: command.strict,
        bigint: command.bigint,
        records,
        event_time: command.reading.ext == Some(ExtFamily::Fluentd),
        replace: command.reading.utf8 == Utf8Mode::Replace,
    }
}

fn unpack(
    command: &cli::Unpack,
    reading: &cli::Reading,
    messages: &mut Messages,
    output: &mut Output,
    is_live: bool,
) -> Outcome {
    let style = style(command, reading.has_records(), output);
    let mut text = match command.showing.to {
        OutputFormat::Diag => TextOutput::notation(style, command.expand_columns),
        _ => TextOutput::json(style),
    };
    let done = messages.for_each(|walk| {
        one(walk, &mut text, output)?;
        if is_live {
            text.end();
            text.drain_into(output)?;
        }
        Ok(())
    });
    if messages.count() > 0 {
        text.end();
    }
    text.drain_into(output)?;
    match done {
        Err(MessageFailure::Data(error)) if error.kind() == ErrorKind::DuplicateKey => {
            let text = format!("JSON cannot represent a duplicate key: {error}");
            Err(Failure::No(text).within(messages.name()))
        }
        done => done.map_err(|stop| stop.within(messages.name())),
    }
}

fn one(walk: &mut Walk, text: &mut TextOutput, output: &mut Output) -> Result<(), MessageFailure> {
    let number = walk.message();
    let mut start = text.len();
    let done = walk.each_event(|event| {
        if let Err(NotJson { what, path }) = text.event(&event) {
            let path = path::root(number) + &path;
            let place = format!("byte {} ({})", event.offset, path::cut(&path));
            return Err(Failure::No(format!("JSON cannot represent {what} at {place}")).into());
        }
        if text.len() >= CHUNK {
            text.drain_into(output)?;
            start = 0;
        }
        Ok(())
    });
    if done.is_err() {
        // Drops what is not written yet of a message that is refused.
        text.truncate(start);
    }
    done.map(drop)
}
