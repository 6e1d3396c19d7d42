//! `packord repair`: the complete messages of data that is truncated or damaged.

mod partial;
mod rescue;
mod sequential;

use std::io;
use std::path::Path;

use packord::{Error, ErrorKind};

use super::container;
use crate::cli;
use crate::container::is_container;
use crate::failure::{Failure, Outcome, describe};
use crate::figures::units::counted;
use crate::limits::FAULTS;
use crate::messages::{Checks, MessageFailure, Messages, RowsOptions};
use crate::output::Output;
use crate::source::input::{Input, Tape};
use crate::terminal::progress::Progress;
use crate::terminal::style;
use crate::values::path;
use partial::PartialMessage;
pub use rescue::Rescue;
use sequential::Sequel;

/// Copies the complete messages, and reports what was dropped.
pub fn run(command: &cli::Repair) -> Outcome {
    let mut output = Output::create(command.out.as_deref())?;
    output.refuse_terminal(command.force)?;
    let path = command.file.as_deref().unwrap_or(Path::new("-"));
    let progress = Progress::bytes(output.is_terminal());
    let reading = command.reading.with_columns();
    let mut input = Input::open(path, reading.as_is, &progress)?;
    if !reading.as_is && is_container(&input.peek()?) {
        if command.partial {
            let text = "--partial cannot be used with a container file: blocks are whole or left out";
            return Err(Failure::Usage(text.to_owned()));
        }
        let max_block = reading.container.max_block;
        return container::repair::repair(input, output, max_block, command.quiet);
    }
    let (mut input, reading) = reading.rows_of(input, &RowsOptions::default(), &progress)?;
    let name = input.name.clone();
    // A file can be read again after a fault.
    let tape = input.path.is_none().then(|| input.tape());
    let mut messages = Messages::new(input, &reading, Checks::default())?;
    let mut partial = PartialMessage::default();
    let mut starts = [false; 256];
    let done = messages.for_each(|walk| {
        let start = walk.offset();
        let first = walk.bytes_at(start).first().copied().unwrap_or_default();
        if command.partial {
            partial = PartialMessage::default();
            let number = walk.message();
            walk.each_event(|event| {
                partial.event(&event);
                if partial.bytes.len() as u64 <= command.reading.max_message {
                    return Ok(());
                }
                let error = Error::at(ErrorKind::LengthLimit, start).with_path(path::root(number));
                Err(MessageFailure::Data(error))
            })?;
            output.put(&partial.bytes)?;
        } else {
            output.put(walk.hold_value()?.unwrap_or_default())?;
        }
        starts[usize::from(first)] = true;
        Ok(())
    });
    let (count, kept) = (messages.count(), messages.offset());
    drop(messages);
    let error = match done {
        Ok(()) => {
            let whole = whole_messages(count, kept);
            report(command, &format!("nothing to repair: {whole}"));
            return output.commit();
        }
        Err(MessageFailure::Data(error)) => error,
        Err(other) => return Err(other.within(&name)),
    };
    let mut report_text = RepairReport::new(count, kept);
    report_text.fault(&error);
    let mut end = kept;
    if !partial.open.is_empty() {
        output.put(&partial.closed())?;
        end += partial.end as u64;
        report_text.part(&partial);
    }
    // The definitions of sequential records are before the fault. Which of the ids are those of shared ones
    // is not known.
    let is_sequential = command.reading.sequential;
    let from = if is_sequential { 0 } else { kept };
    let rest = match &tape {
        _ if is_sequential && command.reading.shared.is_some() => None,
        // What is too large to be held in memory is dropped.
        Some(tape) => Tape::rest(tape, from, command.reading.max_message).ok(),
        None => read_from(path, command, from, &progress).ok(),
    };
    match rest {
        None => match error.offset().filter(|_| error.is_eof()) {
            Some(len) => report_text.dropped(end, len, true),
            None => report_text.dropped_all_from(end),
        },
        Some(whole) if is_sequential => {
            let options = reading.options(Checks::default())?;
            let len = whole.len() as u64;
            let sequel = Sequel::read(whole, kept as usize, &starts, &options);
            // The first one is reported.
            for fault in sequel.faults.iter().skip(1) {
                report_text.fault(fault);
            }
            for (place, message) in sequel.messages {
                report_text.dropped(end, place.start as u64, false);
                end = place.end as u64;
                output.put(&message)?;
                report_text.keep(&place);
            }
            report_text.dropped(end, len, true);
        }
        Some(rest) => {
            let options = reading.options(Checks::default())?;
            let mut rescue = Rescue::new(rest, starts, &options, error.is_eof()).with_usual(kept.checked_div(count));
            let mut number = count;
            while let Some(found) = rescue.next_range() {
                report_text.dropped(end, kept + found.start as u64, false);
                output.put(rescue.bytes(found.clone()))?;
                (number, end) = (number + 1, kept + found.end as u64);
                report_text.keep(&found);
                while let Some(message) = rescue.next_message() {
                    report_text.dropped(end, kept + message.start as u64, false);
                    output.put(rescue.bytes(message.clone()))?;
                    report_text.keep(&message);
                    (number, end) = (number + 1, kept + message.end as u64);
                }
                let Some(fault) = rescue.fault() else { break };
                // The damaged messages count, as far as they are known.
                let fault = moved(&fault, end, number + report_text.faults);
                report_text.fault(&fault);
                if command.partial {
                    let part = rescue.partial();
                    if !part.open.is_empty() {
                        output.put(&part.closed())?;
                        end += part.end as u64;
                        report_text.part(&part);
                    }
                }
            }
            report_text.dropped(end, kept + rescue.size() as u64, true);
        }
    }
    let is_lost = report_text.is_empty();
    let text = report_text.finish();
    if is_lost {
        return Err(Failure::Invalid(text).within(&name));
    }
    // Before a reader of the output writes anything.
    report(command, &text);
    output.commit()
}

/// Returns an error within a message as one within the input.
fn moved(error: &Error, start: u64, number: u64) -> Error {
    let offset = start + error.offset().unwrap_or_default();
    let place = path::root(number) + error.path().unwrap_or("$").trim_start_matches('$');
    Error::at(error.kind(), offset).with_path(place)
}

/// Reads a file from an offset on.
fn read_from(path: &Path, command: &cli::Repair, from: u64, progress: &Progress) -> Outcome<Vec<u8>> {
    let (mut input, _) = command.reading.with_columns().open(path, false, progress)?;
    io::copy(&mut io::Read::take(&mut input, from), &mut io::sink())
        .map_err(|error| Failure::input(&input.name, &error))?;
    input.read_all(command.reading.max_message)
}

fn whole_messages(count: u64, bytes: u64) -> String {
    format!("{}, {}", counted(count, "complete message"), counted(bytes, "byte"))
}

fn report(command: &cli::Repair, text: &str) {
    if !command.quiet {
        style::tell(text);
    }
}

/// What was kept and dropped.
struct RepairReport {
    messages: u64,
    bytes: u64,
    values: u64,
    value_bytes: u64,
    /// The number of incomplete messages of which a part was kept, and of faults.
    parts: u64,
    faults: u64,
    head: Vec<String>,
    tail: Vec<String>,
}

impl RepairReport {
    fn new(messages: u64, bytes: u64) -> RepairReport {
        RepairReport {
            messages,
            bytes,
            values: 0,
            value_bytes: 0,
            parts: 0,
            faults: 0,
            head: Vec::new(),
            tail: Vec::new(),
        }
    }

    fn is_empty(&self) -> bool {
        self.messages == 0 && self.parts == 0
    }

    fn fault(&mut self, error: &Error) {
        self.faults += 1;
        if self.head.len() < FAULTS {
            self.head.push(describe(error));
        }
    }

    fn keep(&mut self, range: &std::ops::Range<usize>) {
        self.messages += 1;
        self.bytes += range.len() as u64;
    }

    fn part(&mut self, partial: &PartialMessage) {
        self.parts += 1;
        self.values += partial.values + partial.open.len() as u64;
        self.value_bytes += partial.end as u64;
    }

    fn dropped(&mut self, from: u64, to: u64, is_end: bool) {
        let what = counted(to.saturating_sub(from), "byte");
        let line = match (to > from, is_end) {
            (false, true) if self.tail.is_empty() => "nothing".to_owned(),
            (false, _) => return,
            (true, true) => format!("{what} from byte {from} on"),
            (true, false) => format!("{what} from byte {from} to byte {to}"),
        };
        if self.tail.len() < FAULTS {
            self.tail.push(format!("\n  dropped: {line}"));
        }
    }

    fn dropped_all_from(&mut self, from: u64) {
        self.tail.push(format!("\n  dropped: everything from byte {from} on"));
    }

    fn finish(self) -> String {
        let mut text = self.head.join("\n");
        if self.faults > self.head.len() as u64 {
            text.push_str(&format!("\n{} in all", counted(self.faults, "fault")));
        }
        let whole = whole_messages(self.messages, self.bytes);
        text.push_str(&format!("\n  kept: {whole}"));
        if self.parts > 0 {
            let values = counted(self.values, "value");
            let of = match self.parts {
                1 => "the incomplete message".to_owned(),
                parts => counted(parts, "incomplete message"),
            };
            let bytes = counted(self.value_bytes, "byte");
            text.push_str(&format!(", and {values} ({bytes}) of {of}"));
        }
        text + &self.tail.concat()
    }
}
