//! `packord inspect`: one line for each value, with its bytes.

mod body;
mod describe;
mod explain;
mod show;

use std::path::Path;

use crate::cli;
use crate::failure::{Failure, Outcome, describe as describe_error};
use crate::figures::units::counted;
use crate::limits;
use crate::messages::{Checks, MessageFailure, Messages};
use crate::output::{Output, write_file};
use crate::report::bytes::BytePage;
use crate::terminal::progress::Progress;
use crate::terminal::style;
use body::BodyFinder;
pub use describe::{describe, describe_long, quoted};
use explain::Explainer;
use show::Inspector;

/// Shows all messages. Of invalid data, shows what is before the fault.
pub fn run(command: &cli::Inspect) -> Outcome {
    let mut output = Output::create(command.out.as_deref())?;
    let path = command.file.as_deref().unwrap_or(Path::new("-"));
    let progress = Progress::bytes(output.is_terminal());
    let (mut input, reading) = command
        .reading
        .with_columns()
        .with_blocks()
        .open(path, false, &progress)?;
    let is_live = input.is_live();
    input.before_read(output.flusher());
    let mut messages = Messages::new(input, &reading, Checks::default())?;
    let mut view = Inspector {
        page: (command.html.is_some()).then(|| BytePage::new(messages.name())),
        text: String::new(),
        colour: output.has_colours(),
        depth: command.depth.unwrap_or(usize::MAX),
        range: match command.at {
            Some(at) => (at, at.saturating_add(1)),
            None => command.range.unwrap_or((0, u64::MAX)),
        },
        paths: command.at.is_some(),
        found: false,
        owner: reading.ext.map(cli::ExtFamily::owner),
        explainer: Explainer::default(),
        bodies: BodyFinder::new(reading.container.max_block),
        fault_count: 0,
        first_fault: String::new(),
    };
    let done = messages.for_each(|walk| {
        view.message(walk, &mut output)?;
        if is_live {
            output.put(view.text.as_bytes())?;
            view.text.clear();
        }
        Ok(())
    });
    output.put(view.text.as_bytes())?;
    if let (Some(path), Some(page)) = (&command.html, &mut view.page) {
        if let Err(MessageFailure::Data(error)) = &done {
            let description = describe_error(error);
            if let Some(offset) = error.offset().filter(|_| !page.is_full()) {
                let rest = messages.bytes_at(page.end().min(offset));
                page.fault(offset, 1, description.clone(), rest);
            }
            page.note(description);
        } else if page.is_cut() {
            let shown = limits::mebibytes(limits::PAGE as u64);
            let note = format!("{shown} shown; the next page: --range 0x{:x}..", page.end());
            style::warn(&note);
            page.note(note);
        }
        write_file(path, page.page().as_bytes())?;
    }
    if let Err(stop) = done {
        output.flush_now()?;
        return Err(stop.within(messages.name()));
    }
    if view.fault_count > 0 {
        output.flush_now()?;
        let mut text = view.first_fault;
        if view.fault_count > 1 {
            text = format!("{text}\n  {} at fault", counted(view.fault_count, "block"));
        }
        return Err(Failure::Invalid(text).within(messages.name()));
    }
    output.commit()?;
    match command.at {
        Some(at) if !view.found => Err(Failure::No(format!(
            "no value at byte {at}: {} has {} bytes",
            messages.name(),
            messages.offset()
        ))),
        _ => Ok(()),
    }
}
