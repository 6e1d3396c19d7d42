//! `packord unpack`: MessagePack to text.

use packord::ErrorKind;

use crate::cli::{self, TextFormat, Utf8Mode};
use crate::failure::{Failure, Outcome};
use crate::input::{Input, files_or_stdin};
use crate::json::write::{Refused, Style};
use crate::messages::{Messages, Rules, Stop, Walk};
use crate::output::Output;
use crate::path;
use crate::progress::Progress;
use crate::text::Text;

/// So much text is collected before it is written.
const CHUNK: usize = 64 << 10;

/// Unpacks all files, each message on a line of its own.
pub fn run(command: &cli::Unpack) -> Outcome {
    if command.to == TextFormat::Diag && (command.strict || command.bigint) {
        return Err(Failure::Usage(
            "--strict and --bigint are about JSON: they do not go with --to diag".to_owned(),
        ));
    }
    let mut output = Output::create(command.out.as_deref())?;
    let progress = Progress::bytes(output.is_terminal());
    let files = files_or_stdin(&command.files);
    for path in &files {
        let input = Input::open(path, command.reading.as_is, &progress)?;
        let name = input.name.clone();
        let mut messages = Messages::new(
            input,
            &command.reading,
            Rules {
                canonical: false,
                unique_keys: command.strict,
            },
        )?;
        let done = unpack(command, &mut messages, &mut output);
        done.map_err(|failure| {
            if files.len() > 1 {
                failure.within(&name)
            } else {
                failure
            }
        })?;
    }
    output.commit()
}

fn unpack(command: &cli::Unpack, messages: &mut Messages, output: &mut Output) -> Outcome {
    let style = Style {
        pretty: command.pretty,
        strict: command.strict,
        bigint: command.bigint,
        records: command.reading.has_records(),
        replace: command.reading.utf8 == Utf8Mode::Replace,
    };
    let mut text = Text::new(command.to, style);
    let done = messages.for_each(|walk| one(walk, &mut text, output));
    if messages.count() > 0 {
        text.end();
    }
    text.drain_into(output)?;
    match done {
        Err(Stop::Data(error)) if error.kind() == ErrorKind::DuplicateKey => Err(Failure::No(
            format!("readers of JSON lose a key that is there twice: {error}"),
        )),
        done => Ok(done?),
    }
}

fn one(walk: &mut Walk, text: &mut Text, output: &mut Output) -> Result<(), Stop> {
    let number = walk.message();
    let mut start = text.len();
    let done = walk.each_event(|event| {
        if let Err(Refused { what, path }) = text.event(&event) {
            let place = format!("byte {} ({}{path})", event.offset, path::root(number));
            return Err(Failure::No(format!("JSON cannot say this: {what} at {place}")).into());
        }
        if text.len() >= CHUNK {
            text.drain_into(output)?;
            start = 0;
        }
        Ok(())
    });
    if done.is_err() {
        // Of a message that is refused nothing is shown, as far as it is still here.
        text.truncate(start);
    }
    done.map(drop)
}
