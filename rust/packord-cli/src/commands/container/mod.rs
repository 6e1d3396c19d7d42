//! `packord container`: container files.
//!
//! | file | what it does |
//! |---|---|
//! | `create`, `rows`, `writing` | writes rows of any format |
//! | `copy`, `split` | copies blocks |
//! | `repair` | copies the whole blocks of a damaged file, for `packord repair` |
//! | `info` | says what is in a file |

mod copy;
pub mod create;
mod info;
pub mod repair;
mod rows;
mod split;
mod writing;

use crate::cli::{self, ContainerCommand};
use crate::failure::Outcome;

/// Runs a command for container files.
pub fn run(command: &cli::Container) -> Outcome {
    match &command.command {
        ContainerCommand::Create(command) => create::run(command),
        ContainerCommand::Cat(command) => copy::cat(command),
        ContainerCommand::Info(command) => info::run(command),
        ContainerCommand::Compact(command) => copy::compact(command),
        ContainerCommand::Split(command) => split::run(command),
    }
}
