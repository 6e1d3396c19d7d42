//! The program `packord`: MessagePack on the command line.
//!
//! [`main`] is the whole program; [`run`] is one command, for tests and for programs that embed
//! it. The commands are in [`commands`], and what they share beside them: [`input`], [`output`],
//! [`messages`], [`json`], [`report`].

#![allow(
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    reason = "all but `main` and `run` is public for the tests alone"
)]

pub mod cli;
pub mod commands;
pub mod compress;
pub mod csv;
pub mod failure;
pub mod hints;
pub mod input;
pub mod json;
pub mod messages;
pub mod output;
pub mod path;
pub mod progress;
pub mod registry;
pub mod report;
pub mod shared;
pub mod style;
pub mod text;
pub mod tree;
pub mod whole;
pub mod words;

use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};
use failure::{Failure, Outcome};

/// Runs the command that the process was called with.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Nothing is left to do where even this cannot be said.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    output::clean_up_on_signals();
    style::choose(cli.color);
    match run(&cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !matches!(failure, Failure::ClosedPipe | Failure::Told) {
                style::report(&failure);
            }
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Runs one command.
///
/// # Errors
///
/// What the program says on standard error, with its exit code.
pub fn run(command: &Command) -> Outcome {
    match command {
        Command::Pack(command) => commands::pack::run(command),
        Command::Unpack(command) => commands::unpack::run(command),
        Command::Get(command) => commands::get::run(command),
        Command::Inspect(command) => commands::inspect::run(command),
        Command::Validate(command) => commands::validate::run(command),
        Command::Stats(command) => commands::stats::run(command),
        Command::Diff(command) => commands::diff::run(command),
        Command::Repair(command) => commands::repair::run(command),
        Command::Completions(command) => commands::shell::completions(command),
        Command::Man(command) => commands::shell::man(command),
        Command::Compare(command) => commands::compare::run(command),
        Command::Sample(command) => commands::sample::run(command),
    }
}
