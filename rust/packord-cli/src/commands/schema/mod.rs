//! `packord schema`: the types of the messages, as a table, a schema or code.

mod clojure;
mod java;
mod json_schema;
mod names;
mod python;
mod rust;
mod table;
mod typescript;

use packord::Walker;

use crate::cli::{self, SchemaFormat};
use crate::failure::{Failure, Outcome};
use crate::messages::{Checks, MessageFailure, Messages};
use crate::output::Output;
use crate::schema::{Inference, is_reserved, pascal};
use crate::source::input::files_or_stdin;
use crate::terminal::progress::Progress;

/// Infers the types of all files.
pub fn run(command: &cli::Schema) -> Outcome {
    if pascal(&command.name) != command.name {
        return Err(Failure::Usage(format!(
            "--name: expected a name like {}",
            pascal(&command.name)
        )));
    }
    if is_reserved(&command.name) {
        return Err(Failure::Usage(format!(
            "--name: {} is the name of another type",
            command.name
        )));
    }
    let mut output = Output::create(command.out.as_deref())?;
    let progress = Progress::bytes(output.is_terminal());
    let mut inference = Inference::default();
    let mut count = 0;
    for path in &files_or_stdin(&command.files) {
        let (input, reading) = command.reading.open(path, false, &progress)?;
        let options = reading.options(Checks::default())?;
        let mut messages = Messages::new(input, &reading, Checks::default())?;
        let mut sample = command.sample.map(MessageSample::new);
        let done = messages.for_each(|walk| {
            count += 1;
            if let Some(sample) = &mut sample {
                if reading.sequential {
                    return Err(Failure::Usage("--sample cannot be used with --sequential".to_owned()).into());
                }
                if let Some(place) = sample.place() {
                    let bytes = walk.hold_value()?.unwrap_or_default();
                    sample.put(place, bytes, reading.max_message)?;
                }
                return Ok(());
            }
            walk.each_event(|event| -> Result<(), MessageFailure> {
                inference.event(&event);
                Ok(())
            })
            .map(drop)
        });
        done.map_err(|stop| stop.within(messages.name()))?;
        for bytes in sample.into_iter().flat_map(|sample| sample.messages) {
            let mut walker = Walker::with_options(&bytes, &options);
            while let Some(event) = walker.next()? {
                inference.event(&event);
            }
        }
    }
    if count == 0 {
        return Err(Failure::No("there is no message".to_owned()));
    }
    let (types, name) = (inference.types(&command.name), &command.name);
    let code = match command.to {
        SchemaFormat::Table => table::code(&types),
        SchemaFormat::JsonSchema => json_schema::code(&types, name, command.ranges),
        SchemaFormat::Rust => rust::code(&types, name),
        SchemaFormat::Typescript => typescript::code(&types, name),
        SchemaFormat::Python => python::code(&types, name),
        SchemaFormat::Clojure => clojure::code(&types, name),
        SchemaFormat::Java => java::code(&types, name),
    };
    output.put(code.as_bytes())?;
    output.commit()
}

/// Messages that are chosen at random while they are read, each with the same probability. The choice is the
/// same in each run.
struct MessageSample {
    messages: Vec<Vec<u8>>,
    wanted: usize,
    seen: usize,
    bytes: u64,
    random: fastrand::Rng,
}

impl MessageSample {
    fn new(wanted: usize) -> MessageSample {
        MessageSample {
            messages: Vec::new(),
            wanted,
            seen: 0,
            bytes: 0,
            random: fastrand::Rng::with_seed(1),
        }
    }

    /// Returns the place of the next message in the sample, if it gets one.
    fn place(&mut self) -> Option<usize> {
        self.seen += 1;
        let place = if self.seen <= self.wanted {
            self.seen - 1
        } else {
            self.random.usize(..self.seen)
        };
        (place < self.wanted).then_some(place)
    }

    fn put(&mut self, place: usize, message: &[u8], max: u64) -> Outcome {
        if place == self.messages.len() {
            self.messages.push(Vec::new());
        }
        if let Some(old) = self.messages.get_mut(place) {
            self.bytes = self.bytes - old.len() as u64 + message.len() as u64;
            *old = message.to_vec();
        }
        if self.bytes > max {
            return Err(Failure::Invalid(format!(
                "the messages of the sample take more than {max} bytes (--max-message)"
            )));
        }
        Ok(())
    }
}
