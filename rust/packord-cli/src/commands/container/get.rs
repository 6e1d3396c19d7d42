//! `packord container get`: rows, without reading the blocks in which there are none.

use crate::cli;
use crate::commands::get;
use crate::container::BlockCounts;
use crate::failure::{Failure, Outcome};
use crate::messages::RowsOptions;
use crate::style;
use crate::units::{self, counted};

/// Writes the rows that are chosen.
pub fn run(command: &cli::ContainerGet) -> Outcome {
    let rows = RowsOptions {
        follow: command.showing.follow,
        split: command.range.map(|(from, to)| from..to),
        ..RowsOptions::default()
    };
    let counts = rows.counts.clone();
    let get = cli::Get {
        showing: command.showing.clone(),
        reading: cli::Reading::of_containers(&command.reading),
        ..cli::Get::default()
    };
    let found = get::write_messages(&get, rows);
    if command.stats {
        style::tell(&summary(counts.get()));
    }
    if found? == 0 && command.showing.choosing.filter.is_some() {
        return Err(Failure::No("--where holds for no row".to_owned()));
    }
    Ok(())
}

/// Returns what was read and what was not.
fn summary(counts: BlockCounts) -> String {
    format!(
        "read: {} of {}, {}, {}; skipped: {}, {}",
        counts.read,
        counted(counts.read + counts.skipped, "block"),
        counted(counts.rows, "row"),
        units::bytes(counts.bytes),
        counted(counts.skipped, "block"),
        counted(counts.skipped_rows, "row"),
    )
}
