//! `packord container`: container files.
//!
//! | file | what it does |
//! |---|---|
//! | `create`, `rows`, `writing` | writes rows of any format |
//! | `copy`, `split` | copies blocks |
//! | `repair` | copies the whole blocks of a damaged file |
//! | `info`, `get` | says and prints what is in a file |

mod copy;
pub mod create;
mod get;
mod info;
pub mod repair;
mod rows;
mod split;
mod writing;

use super::unpack;
use crate::cli::{self, ContainerCommand};
use crate::failure::{Failure, Outcome};

/// Runs a command for container files.
pub fn run(command: &cli::Container) -> Outcome {
    match &command.command {
        ContainerCommand::Create(command) => create::run(command),
        ContainerCommand::Cat(command) if command.follow => follow(command),
        ContainerCommand::Cat(command) => copy::cat(command),
        ContainerCommand::Info(command) => info::run(command),
        ContainerCommand::Get(command) => get::run(command),
        ContainerCommand::Repair(command) => repair::run(command),
        ContainerCommand::Compact(command) => copy::compact(command),
        ContainerCommand::Split(command) => split::run(command),
    }
}

/// Prints the rows of a file, and those that are added to it.
fn follow(command: &cli::ContainerCat) -> Outcome {
    let [file] = &command.files[..] else {
        return Err(Failure::Usage("--follow takes one file".to_owned()));
    };
    unpack::run(&cli::Unpack {
        showing: cli::Showing {
            files: vec![file.clone()],
            follow: true,
            ..cli::Showing::default()
        },
        reading: cli::Reading::of_containers(&command.reading),
        ..cli::Unpack::default()
    })
}
