//! `packord stats`: where the bytes are, and what other encodings would save.

mod table;
mod tree;

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use crate::cli;
use crate::failure::{Failure, Outcome};
use crate::figures::columns::ColumnsFigures;
use crate::figures::stats::StatsFigures;
use crate::messages::{Checks, Messages};
use crate::output::{Output, write_file};
use crate::report;
use crate::terminal::progress::Progress;
use crate::values::hints::Hints;
use crate::values::rewrite::Rewriter;
use tree::PathTree;

/// Counts the bytes of all messages of the input.
pub fn run(command: &cli::Stats) -> Outcome {
    let path = command.file.as_deref().unwrap_or(Path::new("-"));
    let progress = Progress::bytes(false);
    let seen = Rc::new(RefCell::new(ColumnsFigures::default()));
    let reading = cli::Reading {
        seen_columns: Some(Rc::clone(&seen)),
        ..command.reading.clone()
    };
    let (input, reading) = reading.open(path, false, &progress)?;
    let mut messages = Messages::new(input, &reading, Checks::default())?;
    let (mut patterns, mut hints) = (PathTree::default(), Hints::default());
    let mut rewriter = Rewriter::new(command.quick);
    let done = messages.for_each(|walk| {
        let walked = walk.each_event(|event| {
            patterns.event(&event);
            hints.event(&event);
            Ok(rewriter.event(&event)?)
        });
        walked.map(drop)
    });
    done.map_err(|stop| stop.within(messages.name()))?;
    if messages.count() == 0 {
        return Err(Failure::No(format!("{} is empty", messages.name())));
    }
    let (rewritten, notes) = rewriter.finish();
    let figures = StatsFigures {
        name: messages.name().to_owned(),
        bytes: messages.offset(),
        messages: messages.count(),
        values: patterns.values,
        depth: patterns.depth,
        parts: patterns.parts,
        types: patterns.types(),
        paths: patterns.paths(),
        merged: patterns.merges(),
        duplicate_keys: hints.duplicate_keys.count,
        wide_values: hints.wide.count,
        wide_bytes: hints.wide.bytes,
        exact_floats: hints.floats.count,
        rewritten,
        columns: Some(seen.take()).filter(|seen| seen.values > 0),
        notes,
    };
    let mut output = Output::create(command.out.as_deref())?;
    if command.json {
        output.put_json(&figures)?;
    } else {
        let text = table::render(&figures, command, output.has_colours());
        output.put(text.as_bytes())?;
    }
    if let Some(path) = &command.html {
        write_file(path, report::treemap::page(&figures).as_bytes())?;
    }
    output.commit()
}
