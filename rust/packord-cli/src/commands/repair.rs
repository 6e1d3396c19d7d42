//! `packord repair`: what is whole of data that was cut or damaged.

use std::path::Path;

use packord::encode::Packer;
use packord::{Role, Token};

use crate::cli;
use crate::failure::{Failure, Outcome, describe};
use crate::input::Input;
use crate::messages::{Rules, Stop};
use crate::output::Output;
use crate::progress::Progress;
use crate::whole::WholeMessages;
use crate::words::counted;

/// Copies the whole messages, and says what was left out.
pub fn run(command: &cli::Repair) -> Outcome {
    let mut output = Output::create(command.out.as_deref())?;
    let path = command.file.as_deref().unwrap_or(Path::new("-"));
    let progress = Progress::bytes(output.is_terminal());
    let input = Input::open(path, command.reading.as_is, &progress)?;
    let mut messages = WholeMessages::new(input, &command.reading, Rules::default())?;
    let done = messages.for_each(|bytes| output.put(bytes));
    let (count, kept) = (messages.count(), messages.offset());
    let error = match done {
        Ok(()) => {
            say(
                command,
                &format!(
                    "nothing to repair: {}, {}",
                    counted(count, "whole message"),
                    counted(kept, "byte")
                ),
            );
            return output.commit();
        }
        Err(Stop::Other(failure)) => return Err(failure),
        Err(Stop::Data(error)) => error,
    };
    let mut report = format!(
        "{}\n  kept: {}, {}",
        describe(&error),
        counted(count, "whole message"),
        counted(kept, "byte")
    );
    let left = messages.unfinished_at(kept).len() as u64;
    let part = if command.partial {
        partial(&mut messages)
    } else {
        None
    };
    match &part {
        Some(part) => {
            output.put(&part.bytes)?;
            report.push_str(&format!(
                ", and of the one that was cut {} in {}",
                counted(part.values, "value"),
                counted(part.used, "byte")
            ));
            report.push_str(&format!(
                "\n  cut: {} bytes",
                left.saturating_sub(part.used)
            ));
        }
        None => report.push_str(&format!(
            "\n  cut: {} from byte {kept} on",
            counted(left, "byte")
        )),
    }
    if !error.is_eof() {
        report.push_str("; nothing behind the fault was looked at");
    }
    if count == 0 && part.is_none() {
        return Err(Failure::Invalid(report));
    }
    output.commit()?;
    say(command, &report);
    Ok(())
}

fn say(command: &cli::Repair, text: &str) {
    if !command.quiet {
        // The result is written; this is only about it.
        let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{text}\n"));
    }
}

/// The whole values of a message that has no end.
struct Part {
    /// A message of them, with the counts of the containers that were open lowered.
    bytes: Vec<u8>,
    values: u64,
    /// How many bytes of the input it holds.
    used: u64,
}

/// A container that has no end.
struct Open {
    is_map: bool,
    /// Its whole elements or entries, one behind another.
    body: Vec<u8>,
    count: usize,
    values: u64,
    /// The key whose value has not come.
    key: Vec<u8>,
    /// The value whose container this is has this key.
    own_key: Vec<u8>,
}

/// Reads as far as there are whole values. A record that was cut is left out: its fields cannot be
/// fewer than its keys.
fn partial(messages: &mut WholeMessages) -> Option<Part> {
    let (mut walker, end) = messages.unfinished();
    let start = walker.offset();
    let mut used = 0;
    let mut open: Vec<Open> = Vec::new();
    // A value that is a container is entered; if it is whole it is closed again.
    while let Ok(Some(event)) = walker.next() {
        if event.offset + event.bytes.len() as u64 > end {
            break;
        }
        let mut value = match event.token {
            Token::End(_) => {
                let Some(whole) = open.pop() else { break };
                let mut bytes = header(&whole, whole.count);
                bytes.extend_from_slice(&whole.body);
                Whole {
                    bytes,
                    values: whole.values + 1,
                    own_key: whole.own_key,
                }
            }
            Token::Array(_) | Token::Map(_) if event.role != Role::Key => {
                let own_key = open
                    .last_mut()
                    .map(|around| std::mem::take(&mut around.key))
                    .unwrap_or_default();
                open.push(Open {
                    is_map: matches!(event.token, Token::Map(_)),
                    body: Vec::new(),
                    count: 0,
                    values: 0,
                    key: Vec::new(),
                    own_key,
                });
                continue;
            }
            token => {
                // A record, or a key that is a container: whole or not at all.
                let mut bytes = event.bytes.to_vec();
                if token.opens() {
                    let mut depth = 1;
                    while depth > 0 {
                        match walker.next() {
                            Ok(Some(inner)) if inner.offset + inner.bytes.len() as u64 <= end => {
                                bytes.extend_from_slice(inner.bytes);
                                depth += usize::from(inner.token.opens());
                                depth -= usize::from(matches!(inner.token, Token::End(_)));
                            }
                            _ => return close(open, used),
                        }
                    }
                }
                let key = open
                    .last_mut()
                    .map(|around| std::mem::take(&mut around.key))
                    .unwrap_or_default();
                Whole {
                    bytes,
                    values: 1,
                    own_key: key,
                }
            }
        };
        let around = open.last_mut()?;
        if event.role == Role::Key {
            around.key = value.bytes;
        } else {
            used = walker.offset() - start;
            around.body.append(&mut value.own_key);
            around.body.append(&mut value.bytes);
            around.count += 1;
            around.values += value.values;
        }
    }
    close(open, used)
}

struct Whole {
    bytes: Vec<u8>,
    values: u64,
    own_key: Vec<u8>,
}

/// Closes the open containers, the innermost first.
fn close(mut open: Vec<Open>, used: u64) -> Option<Part> {
    let mut values = 0;
    loop {
        let inner = open.pop()?;
        values += inner.values + 1;
        let mut bytes = header(&inner, inner.count);
        bytes.extend_from_slice(&inner.body);
        let Some(around) = open.last_mut() else {
            return Some(Part {
                bytes,
                values,
                used,
            });
        };
        around.body.extend_from_slice(&inner.own_key);
        around.body.append(&mut bytes);
        around.count += 1;
    }
}

fn header(open: &Open, count: usize) -> Vec<u8> {
    let mut packer = Packer::new(Vec::new());
    // There cannot be more than were announced.
    let _ = if open.is_map {
        packer.map(count)
    } else {
        packer.array(count)
    };
    packer.into_buffer()
}
