//! `packord container info`: what is in a file.

mod contents;
mod stream;
mod table;
mod values;

use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};
use std::path::Path;

use packord::container::{FileIndex, OnBadBlock, ReadOptions, Reader};

use crate::cli;
use crate::container::header_failure;
use crate::failure::{Failure, Outcome, name_of};
use crate::figures::container::ContainerFigures;
use crate::output::Output;
use crate::source::input::Input;
use crate::terminal::progress::Progress;
use contents::{of_blocks, of_header, of_index};

/// Shows all files.
pub fn run(command: &cli::ContainerInfo) -> Outcome {
    let mut output = Output::create(None)?;
    let progress = Progress::bytes(output.is_terminal());
    let mut is_damaged = false;
    for (number, path) in command.files.iter().enumerate() {
        let figures = figures(path, command, &progress)?;
        is_damaged |= figures.damage.as_ref().is_some_and(|damage| !damage.is_empty());
        let text = if command.json {
            let text = serde_json::to_string(&figures);
            text.map_err(|error| Failure::Invalid(error.to_string()))? + "\n"
        } else {
            let separator = if number > 0 { "\n" } else { "" };
            format!("{separator}{}", table::render(&figures))
        };
        output.put(text.as_bytes())?;
    }
    output.commit()?;
    if is_damaged {
        return Err(Failure::AlreadyReported(3));
    }
    Ok(())
}

fn figures(path: &Path, command: &cli::ContainerInfo, progress: &Progress) -> Outcome<ContainerFigures> {
    let input = Input::open(path, false, progress)?;
    let options = ReadOptions::new()
        .max_block(command.max_block)
        .on_bad_block(OnBadBlock::Skip);
    if input.plain_file().is_none() {
        return stream::figures(input, command, &options);
    }
    let name = name_of(path);
    let failure = |error: packord::Error| header_failure(&name, &error);
    let open = || {
        let file = File::open(path)?;
        let size = (&file).seek(SeekFrom::End(0))?;
        (&file).seek(SeekFrom::Start(0))?;
        Ok((file, size))
    };
    let open = || open().map_err(|error| Failure::input(&name, &error));
    let (file, size) = open()?;
    let indexed = Reader::seekable(file, &options).map_err(failure)?;
    let mut figures = of_header(indexed.header(), &name, size);
    let (mut file, _) = open()?;
    if let Some(index) = indexed.index() {
        of_index(index, &mut file, &mut figures);
        if !command.blocks {
            return Ok(figures);
        }
    }
    let (file, _) = open()?;
    let source = BufReader::with_capacity(1 << 20, progress.count(file));
    let mut reader = Reader::with_options(source, &options).map_err(failure)?;
    let bound = indexed.index().map_or(size, FileIndex::offset);
    of_blocks(&mut reader, Some(bound), command.blocks, &mut figures).map_err(failure)?;
    Ok(figures)
}
