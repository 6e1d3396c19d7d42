//! `packord container split`: a file in parts.

use std::fs;
use std::path::Path;

use packord::container::{FileIndex, Reader};

use super::copy::{begin, copy_all, like, part_of};
use crate::cli;
use crate::container::{Blocks, BlocksOptions};
use crate::failure::{Failure, Outcome, name_of};
use crate::output::Output;
use crate::source::input::Input;
use crate::terminal::progress::Progress;

/// Writes the parts, or prints their ranges.
pub fn run(command: &cli::ContainerSplit) -> Outcome {
    let name = name_of(&command.file);
    let progress = Progress::bytes(false);
    refuse_streams(&command.file)?;
    let options = BlocksOptions {
        reading: cli::ContainerReading {
            max_block: command.max_block,
            ..cli::ContainerReading::default()
        },
        ..BlocksOptions::default()
    };
    // Says what is wrong with the file, in the words of the other commands.
    let whole = Blocks::open(&command.file, &options, &progress)?;
    progress.expect(fs::metadata(&command.file).map_or(0, |metadata| metadata.len()));
    let ranges = Reader::open(&command.file)
        .and_then(|mut reader| reader.splits(command.number as usize))
        .map_err(|error| Failure::of_input(&name, &error))?;
    let Some(out) = &command.out else {
        let mut output = Output::create(None)?;
        for range in ranges {
            output.put(format!("{}..{}\n", range.start, range.end).as_bytes())?;
        }
        return output.commit();
    };
    // Fewer blocks than parts leave parts without rows.
    let number = command.number as usize;
    let all = ranges.into_iter().map(Some).chain(std::iter::repeat(None));
    for (number, range) in all.take(number).enumerate() {
        let mut sink = begin(
            Output::create_container(Some(&part_of(out, number)))?,
            like(whole.header()),
        )?;
        if let Some(range) = range {
            let options = BlocksOptions {
                split: Some(range),
                ..options.clone()
            };
            let mut blocks = Blocks::open(&command.file, &options, &progress)?;
            copy_all(&mut blocks, &mut sink)?;
        }
        // One schema for all parts: what reads them as one table needs it, and it holds for each.
        if let Some(schema) = whole.index().and_then(FileIndex::schema) {
            sink.add_schema(schema);
        }
        sink.finish()?.commit()?;
    }
    Ok(())
}

/// Fails for what has no places of its own in a file: compressed bytes, and those of a pipe.
fn refuse_streams(path: &Path) -> Outcome {
    let input = Input::open(path, false, &Progress::bytes(true))?;
    if input.plain_file().is_some() {
        return Ok(());
    }
    let why = if input.is_live() {
        "is not a file, and only a file has ranges of bytes that several readers can read: write it to a file first"
    } else {
        "is compressed, and a range of compressed bytes cannot be read by itself: decompress the file first \
         (its blocks are compressed in any case)"
    };
    Err(Failure::Named(3, format!("{} {why}", input.name)))
}
