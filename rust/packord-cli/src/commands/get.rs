//! `packord get`: the values at a path. Everything else is skipped.

use std::io::{self, IsTerminal};
use std::path::Path;

use packord::{Event, Role, Structure, Token, Value, Walker};

use crate::cli::{self, ExtFamily, GetFormat, TextFormat, Utf8Mode};
use crate::failure::{Failure, Outcome};
use crate::input::files_or_stdin;
use crate::json::write::JsonWriteOptions;
use crate::limits::CHUNK;
use crate::messages::{Checks, MessageFailure, Messages, Walk};
use crate::output::Output;
use crate::path::{self, PathPattern, PathStep};
use crate::plain_maps::PlainMaps;
use crate::progress::Progress;
use crate::text_output::TextOutput;

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
    let path = PathPattern::parse(&command.path).map_err(|text| Failure::Usage(with_hint(text)))?;
    let mut output = Output::create(command.out.as_deref())?;
    if command.to == GetFormat::Msgpack {
        output.refuse_terminal(command.force)?;
    }
    let progress = Progress::bytes(output.is_terminal());
    let files = files_or_stdin(&command.files);
    let mut search = Search {
        steps: &path.steps,
        command,
        found: 0,
        shown: Shown::new(command),
        places: command.paths.then(String::new),
        is_live: false,
    };
    for file in &files {
        let (mut input, reading) = command.reading.open(file, command.follow, &progress)?;
        search.is_live = input.is_live();
        input.before_read(output.flusher());
        let name = input.name.clone();
        let mut messages = Messages::new(input, &reading, Checks::default())?;
        let done = messages.for_each(|walk| {
            if path.message.is_none_or(|number| number == walk.message()) {
                search.message(walk, &mut output)?;
                search.shown.drain_into(&mut output)?;
            }
            Ok(())
        });
        done.map_err(|stop| {
            let failure = Failure::from(stop);
            if files.len() > 1 {
                failure.within(&name)
            } else {
                failure
            }
        })?;
    }
    let found = search.found;
    if command.count {
        output.put(format!("{found}\n").as_bytes())?;
    }
    output.commit()?;
    if found == 0 {
        if command.count {
            return Err(Failure::AlreadyReported(1));
        }
        return Err(Failure::No(with_hint(format!("no value at {path}"))));
    }
    Ok(())
}

/// Returns what to say if the only argument looks like a file instead of a path.
fn forgotten_path(command: &cli::Get) -> Option<String> {
    let is_file = command.files.is_empty() && Path::new(&command.path).is_file();
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
        if let Some(place) = &self.places {
            self.shown.prefix(&format!("{place}\t"));
        }
        if self.command.keys {
            self.shown.keys(walk, output)
        } else {
            self.shown.value(walk, output)
        }
    }
}

/// The values that were found and are not written yet.
enum Shown {
    Text {
        text: TextOutput,
        raw: bool,
        plain: PlainMaps,
    },
    Bytes(Vec<u8>),
}

impl Shown {
    fn new(command: &cli::Get) -> Shown {
        let style = JsonWriteOptions {
            pretty: command.pretty,
            strict: false,
            bigint: command.bigint,
            records: false,
            event_time: command.reading.ext == Some(ExtFamily::Fluentd),
            replace: command.reading.utf8 == Utf8Mode::Replace,
        };
        let format = match command.to {
            GetFormat::Json => TextFormat::Json,
            GetFormat::Diag => TextFormat::Diag,
            GetFormat::Msgpack => return Shown::Bytes(Vec::new()),
        };
        Shown::Text {
            text: TextOutput::new(format, style),
            raw: command.raw,
            plain: PlainMaps::default(),
        }
    }

    fn prefix(&mut self, place: &str) {
        if let Shown::Text { text, .. } = self {
            text.end();
            text.push_str(place);
        }
    }

    fn value(&mut self, walk: &mut Walk, output: &mut Output) -> Result<(), MessageFailure> {
        let around = walk.depth();
        walk.each_event(|mut event| -> Result<(), MessageFailure> {
            event.depth -= around;
            self.event(event);
            if self.len() >= CHUNK {
                self.drain_into(output)?;
            }
            Ok(())
        })?;
        self.end();
        Ok(())
    }

    /// Adds an event. The value begins at depth 0.
    fn event(&mut self, mut event: Event<'_>) {
        if event.depth == 0 {
            event.role = Role::Top;
        }
        match self {
            Shown::Bytes(bytes) => bytes.extend_from_slice(event.bytes),
            Shown::Text { text, raw, plain } => match (&event.token, *raw && event.depth == 0) {
                (Token::Str(value), true) => text.push_line(value.as_bytes()),
                (Token::Bin(value) | Token::BrokenStr(value), true) => text.push_line(value),
                _ => plain.event(&event, |event| {
                    // Without `strict` nothing is refused.
                    let _ = text.event(event);
                }),
            },
        }
    }

    fn end(&mut self) {
        if let Shown::Text { text, .. } = self {
            text.end();
        }
    }

    /// Adds the keys of a container, each as a value: for an array the indexes.
    fn keys(&mut self, walk: &mut Walk, output: &mut Output) -> Result<(), MessageFailure> {
        let Some(event) = walk.next()? else {
            return Ok(());
        };
        match event.token {
            Token::Array(count) => {
                for index in 0..count {
                    self.scalar(Value::from(index as u64))?;
                    walk.skip_value()?;
                }
            }
            Token::Map(count) => {
                for _ in 0..count {
                    self.value(walk, output)?;
                    walk.skip_value()?;
                }
            }
            Token::Record(head) => {
                for key in head.structure.keys() {
                    self.scalar(Value::from(key))?;
                    walk.skip_value()?;
                }
            }
            _ => return Ok(()),
        }
        walk.next()?;
        Ok(())
    }

    /// Adds a value that is not in the input.
    fn scalar(&mut self, value: Value) -> Result<(), MessageFailure> {
        let packed = packord::to_vec(&value)?;
        if let Some(event) = Walker::new(&packed).next()? {
            self.event(event);
        }
        self.end();
        Ok(())
    }

    fn len(&self) -> usize {
        match self {
            Shown::Text { text, .. } => text.len(),
            Shown::Bytes(bytes) => bytes.len(),
        }
    }

    fn drain_into(&mut self, output: &mut Output) -> Outcome {
        match self {
            Shown::Text { text, .. } => text.drain_into(output),
            Shown::Bytes(bytes) => {
                output.put(bytes)?;
                bytes.clear();
                Ok(())
            }
        }
    }
}
