//! `packord container create`: a container file of rows in any format.

use std::fs;
use std::io::Write;

use packord::ErrorKind;
use packord::container::Writer;

use super::rows::{RowOptions, read_rows};
use super::writing::{BlockWriter, write_options};
use crate::cli;
use crate::container::not_a_container;
use crate::failure::{Failure, Outcome, describe, name_of};
use crate::output::{Output, failure};
use crate::source::input::{Input, files_or_stdin};
use crate::terminal::progress::Progress;
use crate::threads::Threads;

/// Writes the rows of all files.
pub fn run(command: &cli::ContainerCreate) -> Outcome {
    let threads = Threads::start(command.writing.threads)?;
    let options = write_options(&command.writing)?.threads(threads.count());
    if let Some(path) = command.out.as_deref().filter(|_| command.append) {
        let name = name_of(path);
        let progress = Progress::bytes(false);
        let first = first_file(command, &progress)?;
        let is_new = fs::metadata(path).map_or(true, |metadata| metadata.len() == 0);
        let writer = Writer::append(path, &options).map_err(|error| of_append(&name, &error))?;
        let mut writer = BlockWriter::new(Ok(writer), &name)?;
        // Else the paths are those of the file's header, and earlier rows may have them.
        if is_new {
            writer.expect_paths(&command.writing.stats);
        }
        let done = add(command, first, &mut writer, &threads, &progress);
        // What was read before a fault is kept. Of a full disk, only the first fault says the cause.
        let finished = writer.finish();
        return done.and_then(|()| finished.map(drop));
    }
    let mut output = Output::create_container(command.out.as_deref())?;
    output.refuse_terminal(command.force)?;
    let progress = Progress::bytes(output.is_terminal());
    let name = output.name().to_owned();
    let first = first_file(command, &progress)?;
    let mut writer = BlockWriter::new(Writer::new(output, &options), &name)?;
    writer.expect_paths(&command.writing.stats);
    add(command, first, &mut writer, &threads, &progress)?;
    writer.finish()?.commit()
}

/// Opens the first input before anything is written, unless it is standard input: that is there, and its bytes may
/// come late.
fn first_file(command: &cli::ContainerCreate, progress: &Progress) -> Outcome<Option<Input>> {
    let first = command.files.first().filter(|it| it.as_os_str() != "-");
    first.map(|path| Input::open(path, command.as_is, progress)).transpose()
}

fn add<W: Write>(
    command: &cli::ContainerCreate,
    mut first: Option<Input>,
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
        let input = match first.take() {
            Some(input) => input,
            None => Input::open(&path, command.as_is, progress)?,
        };
        let name = input.name.clone();
        read_rows(input, &path, &options, threads, progress, |rows, may_wait| {
            writer.rows(rows).map_err(|fault| fault.within(&name))?;
            if may_wait { writer.write_full() } else { Ok(()) }
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
            "{name} is damaged (packord repair keeps what is whole): {}",
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
