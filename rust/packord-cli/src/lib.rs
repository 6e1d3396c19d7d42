//! The program `packord`: MessagePack on the command line. As a library it promises nothing: any
//! release may change what is public here. Programs use the crate `packord`.
//!
//! [`main`] is the whole program; [`run`] is one command, for tests and for programs that embed
//! it. [`commands`] has a module for each command. The modules beside it are what the commands
//! share; `tests/all/modules.rs` holds the order in which they import one another.

#![deny(unsafe_code)]
#![allow(
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    reason = "everything but `main` and `run` is public only for the tests"
)]

pub mod arrow;
pub mod cli;
pub mod commands;
pub mod container;
pub mod failure;
pub mod figures;
pub mod json;
pub mod limits;
pub mod messages;
pub mod output;
pub mod query;
pub mod report;
pub mod schema;
pub mod shared;
pub mod source;
pub mod terminal;
pub mod threads;
pub mod values;

use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};
use failure::{Failure, Outcome};
use terminal::style;

/// Runs the command that the process was called with.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // If standard error fails too, nothing is left to do.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    output::clean_up_on_signals();
    style::choose(cli.color);
    match run(&cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !matches!(failure, Failure::ClosedPipe | Failure::AlreadyReported(_)) {
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
/// What the program writes to standard error, with its exit code.
pub fn run(command: &Command) -> Outcome {
    match command {
        Command::Pack(command) => commands::pack::run(command),
        Command::Unpack(command) => commands::unpack::run(command),
        Command::Get(command) => commands::get::run(command),
        Command::Inspect(command) => commands::inspect::run(command),
        #[cfg(feature = "terminal")]
        Command::View(command) => commands::view::run(command),
        #[cfg(not(feature = "terminal"))]
        Command::View(_) => Err(Failure::built_without("terminal")),
        Command::Validate(command) => commands::validate::run(command),
        Command::Schema(command) => commands::schema::run(command),
        Command::Stats(command) => commands::stats::run(command),
        Command::Diff(command) => commands::diff::run(command),
        Command::Repair(command) => commands::repair::run(command),
        Command::Completions(command) => commands::shell::completions(command),
        Command::Man(command) => commands::shell::man(command),
        Command::Compare(command) => commands::compare::run(command),
        Command::Container(command) => commands::container::run(command),
        Command::Sample(command) => commands::sample::run(command),
    }
}
