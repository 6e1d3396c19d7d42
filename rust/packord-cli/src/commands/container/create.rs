//! `packord container create`: a container file of rows in any format.

use std::io::Write;

use packord::ErrorKind;
use packord::container::Writer;

use super::rows::{RowOptions, read_rows};
use super::writing::{BlockWriter, failure, write_options};
use crate::cli;
use crate::container::not_a_container;
use crate::failure::{Failure, Outcome, describe, name_of};
use crate::input::files_or_stdin;
use crate::output::Output;
use crate::progress::Progress;
use crate::threads::Threads;

/// Writes the rows of all files.
pub fn run(command: &cli::ContainerCreate) -> Outcome {
    let threads = Threads::start(command.writing.threads)?;
    let options = write_options(&command.writing)?.threads(threads.count());
    if let Some(path) = command.out.as_deref().filter(|_| command.append) {
        let name = name_of(path);
        let writer = Writer::append(path, &options).map_err(|error| of_append(&name, &error))?;
        let mut writer = BlockWriter::new(Ok(writer), &name)?;
        let done = add(command, &mut writer, &threads, &Progress::bytes(false));
        // What was read before a fault is kept.
        writer.finish()?;
        return done;
    }
    let output = Output::create(command.out.as_deref())?;
    output.refuse_terminal(command.force)?;
    let progress = Progress::bytes(output.is_terminal());
    let name = output.name().to_owned();
    let mut writer = BlockWriter::new(Writer::new(output, &options), &name)?;
    add(command, &mut writer, &threads, &progress)?;
    writer.finish()?.commit()
}

fn add<W: Write>(
    command: &cli::ContainerCreate,
    writer: &mut BlockWriter<W>,
    threads: &Threads,
    progress: &Progress,
) -> Outcome {
    let options = RowOptions {
        format: command.from,
        text: command.text,
        whole: command.whole,
        reading: cli::Reading {
            as_is: command.as_is,
            container: cli::ContainerReading {
                threads: command.writing.threads,
                ..cli::ContainerReading::default()
            },
            ..cli::Reading::default()
        },
    };
    for path in files_or_stdin(&command.files) {
        read_rows(&path, &options, threads, progress, |rows, may_wait| {
            writer.rows(rows)?;
            if may_wait {
                writer.write_full()
            } else {
                Ok(())
            }
        })?;
    }
    Ok(())
}

/// Returns the failure of a file to which nothing can be appended.
fn of_append(name: &str, error: &packord::Error) -> Failure {
    match error.kind() {
        ErrorKind::Io => failure(name, error),
        _ if error.offset() == Some(0) => not_a_container(name),
        _ => Failure::Invalid(format!(
            "{name} is damaged (packord container repair keeps what is whole): {}",
            describe(error)
        )),
    }
}

/// Writes a container file with the default options, for `pack --container`.
pub fn run_for_pack(command: &cli::Pack, from: cli::RowFormat) -> Outcome {
    run(&cli::ContainerCreate {
        files: command.files.clone(),
        out: command.out.clone(),
        append: false,
        from,
        text: command.text,
        whole: !command.each,
        writing: cli::ContainerWriting::default(),
        force: command.force,
        as_is: command.as_is,
    })
}
