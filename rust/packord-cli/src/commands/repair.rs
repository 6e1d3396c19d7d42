//! `packord repair`: the complete messages of data that is truncated or damaged.

use std::ops::Range;
use std::path::Path;

use packord::encode::Packer;
use packord::{Error, ErrorKind, Event, Role, Token};

use crate::cli;
use crate::failure::{Failure, Outcome, describe};
use crate::input::Input;
use crate::messages::{Checks, MessageFailure, Messages};
use crate::output::Output;
use crate::path;
use crate::progress::Progress;
use crate::units::counted;

/// Copies the complete messages, and reports what was dropped.
pub fn run(command: &cli::Repair) -> Outcome {
    let mut output = Output::create(command.out.as_deref())?;
    let path = command.file.as_deref().unwrap_or(Path::new("-"));
    let progress = Progress::bytes(output.is_terminal());
    let input = Input::open(path, command.reading.as_is, &progress)?;
    let mut messages = Messages::new(input, &command.reading, Checks::default())?;
    let mut partial = PartialMessage::default();
    let done = messages.for_each(|walk| {
        if !command.partial {
            return Ok(output.put(walk.hold_value()?.unwrap_or_default())?);
        }
        partial = PartialMessage::default();
        let (start, number) = (walk.offset(), walk.message());
        walk.each_event(|event| {
            partial.event(&event);
            if partial.bytes.len() as u64 <= command.reading.max_message {
                return Ok(());
            }
            let error = Error::at(ErrorKind::LengthLimit, start).with_path(path::root(number));
            Err(MessageFailure::Data(error))
        })?;
        Ok(output.put(&partial.bytes)?)
    });
    let (count, kept) = (messages.count(), messages.offset());
    let whole = format!(
        "{}, {}",
        counted(count, "complete message"),
        counted(kept, "byte")
    );
    let error = match done {
        Ok(()) => {
            report(command, &format!("nothing to repair: {whole}"));
            return output.commit();
        }
        Err(MessageFailure::Other(failure)) => return Err(failure),
        Err(MessageFailure::Data(error)) => error,
    };
    let mut text = format!("{}\n  kept: {whole}", describe(&error));
    let mut end = kept;
    let has_part = !partial.open.is_empty();
    if has_part {
        output.put(&partial.closed())?;
        end += partial.end as u64;
        text.push_str(&format!(
            ", and {} ({}) of the incomplete message",
            counted(partial.values + partial.open.len() as u64, "value"),
            counted(partial.end as u64, "byte")
        ));
    }
    text.push_str(&match error.offset() {
        Some(len) if error.is_eof() && len <= end => "\n  dropped: nothing".to_owned(),
        Some(len) if error.is_eof() => format!(
            "\n  dropped: {} from byte {end} on",
            counted(len - end, "byte")
        ),
        _ => format!("\n  dropped: everything from byte {end} on"),
    });
    if count == 0 && !has_part {
        return Err(Failure::Invalid(text));
    }
    output.commit()?;
    report(command, &text);
    Ok(())
}

fn report(command: &cli::Repair, text: &str) {
    if !command.quiet {
        // The result is written. If standard error fails, only the report is lost.
        let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{text}\n"));
    }
}

/// A message as far as it was read, and what is needed to end its containers early.
#[derive(Default)]
struct PartialMessage {
    bytes: Vec<u8>,
    /// The containers that have not ended, the outermost first.
    open: Vec<CutContainer>,
    /// The number of open containers of a record or of a key. These are kept as a whole or not at
    /// all: a record has as many fields as its structure has keys.
    indivisible: usize,
    /// The complete values.
    values: u64,
    /// Where the last complete element or entry ends.
    end: usize,
}

/// A container that has not ended.
struct CutContainer {
    is_map: bool,
    header: Range<usize>,
    /// The complete elements or entries.
    count: usize,
    /// Where the last of them ends.
    end: usize,
}

impl PartialMessage {
    fn event(&mut self, event: &Event<'_>) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(event.bytes);
        let is_end = matches!(event.token, Token::End(_));
        if self.indivisible > 0 || (event.token.opens() && !is_divisible(event)) {
            self.indivisible += usize::from(event.token.opens());
            self.indivisible -= usize::from(is_end);
            if self.indivisible > 0 {
                return;
            }
        } else if event.token.opens() {
            let header = start..self.bytes.len();
            self.open.push(CutContainer {
                is_map: matches!(event.token, Token::Map(_)),
                count: 0,
                end: header.end,
                header,
            });
            return;
        } else if is_end {
            self.open.pop();
        }
        // A value is complete. An entry is complete with its value.
        let Some(around) = self.open.last_mut().filter(|_| event.role != Role::Key) else {
            return;
        };
        around.count += 1;
        around.end = self.bytes.len();
        self.values += 1;
        self.end = self.bytes.len();
    }

    /// Returns a message of the complete values: each open container has a lower count, and ends
    /// after its last complete element or entry.
    fn closed(&self) -> Vec<u8> {
        let mut packer = Packer::new(Vec::new());
        for (index, container) in self.open.iter().enumerate() {
            let inner = self.open.get(index + 1);
            let count = container.count + usize::from(inner.is_some());
            // The count is at most the one that was read.
            let _ = if container.is_map {
                packer.map(count)
            } else {
                packer.array(count)
            };
            let end = inner.map_or(container.end, |inner| inner.header.start);
            let mut bytes = packer.into_buffer();
            bytes.extend_from_slice(&self.bytes[container.header.end..end]);
            packer = Packer::new(bytes);
        }
        packer.into_buffer()
    }
}

/// Returns whether a container can end early.
fn is_divisible(event: &Event<'_>) -> bool {
    event.role != Role::Key && matches!(event.token, Token::Array(_) | Token::Map(_))
}
