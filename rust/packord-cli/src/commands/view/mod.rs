//! `packord view`: a browser for the terminal. Only what is on the screen is read, and what is before it.
//!
//! `source` reads bytes where they are needed; `data` reads the beginnings of values, `skim` finds their
//! ends, `level` remembers where the elements of an open container begin, and `tree` makes rows of that.
//! `tour` visits all values, for `goal`, which says where the cursor is to go. `state` is changed by keys,
//! and `draw` shows it.

mod data;
mod draw;
mod goal;
mod level;
mod skim;
mod source;
mod state;
mod tour;
mod tree;

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};

use crate::cli;
use crate::failure::{Failure, Outcome, name_of};
use crate::output;
use crate::terminal::progress::Progress;
use crate::terminal::style;
use data::Data;
use source::Source;
use state::{Effect, State};
use tree::Tree;

/// Bytes that are read between two looks at the keys.
const SLICE: u64 = 16 << 20;
/// Bytes that are read before the first screen.
const FIRST: u64 = 256 << 10;
/// How long to wait for a key when there is nothing to read.
const IDLE: Duration = Duration::from_secs(3600);

/// Shows a file until the user ends it.
pub fn run(command: &cli::View) -> Outcome {
    if !io::stdout().is_terminal() {
        return Err(Failure::Usage(
            "standard output is not a terminal: packord inspect shows the same as lines".to_owned(),
        ));
    }
    let path = command.file.as_deref().unwrap_or(Path::new("-"));
    let progress = Progress::bytes(true);
    let (input, reading) = command.reading.open(path, false, &progress)?;
    let name = match path.file_name() {
        Some(name) if command.file.is_some() => name_of(Path::new(name)),
        _ => input.name.clone(),
    };
    let file = input.into_file()?;
    drop(progress);
    let source = Source::new(Box::new(file)).map_err(|error| Failure::input(&name, &error))?;
    let mut state = State::new(Tree::new(Data::new(source, &reading)?), name);
    output::before_exit(ratatui::restore);
    let failure = |error| Failure::output("the terminal", &error);
    let mut terminal = ratatui::try_init().map_err(failure)?;
    let done = browse(&mut terminal, &mut state);
    ratatui::restore();
    done.map_err(failure)
}

/// Draws, reads on, and takes keys, until the key for the end.
fn browse(terminal: &mut DefaultTerminal, state: &mut State) -> io::Result<()> {
    let colour = style::is_on(true);
    let mut budget = FIRST;
    loop {
        state.fit(terminal.size()?.height.saturating_sub(draw::FIXED).into());
        let more = state.work(budget);
        budget = SLICE;
        terminal.draw(|frame| draw::draw(frame, state, colour))?;
        // All keys that are waiting come before the next screen.
        let mut wait = if more { Duration::ZERO } else { IDLE };
        while event::poll(wait)? {
            wait = Duration::ZERO;
            let Event::Key(key) = event::read()? else {
                continue;
            };
            if key.kind == KeyEventKind::Release {
                continue;
            }
            match state.key(key) {
                Effect::None => {}
                Effect::Copy(text) => copy(&text)?,
                Effect::Quit => return Ok(()),
            }
        }
    }
}

/// Asks the terminal to copy a string.
fn copy(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout();
    write!(stdout, "\x1b]52;c;{}\x07", STANDARD.encode(text))?;
    stdout.flush()
}

#[cfg(test)]
mod tests;
