//! Copies blocks from container files to another one: `cat`, `compact` and `split`.

use std::io::Write;
use std::path::{Path, PathBuf};

use packord::Value;
use packord::container::{FileHeader, FileIndex, IndexEntry, MAGIC, RowPath, WriteOptions, Writer};

use super::writing::{BlockWriter, write_options};
use crate::cli;
use crate::container::{Blocks, BlocksOptions, Unpacking, is_container, not_a_container};
use crate::failure::Outcome;
use crate::output::Output;
use crate::source::input::{Input, files_or_stdin};
use crate::terminal::progress::Progress;
use crate::threads::Threads;
use crate::values::packed::PackedValues;

/// Joins files.
pub fn cat(command: &cli::ContainerCat) -> Outcome {
    let options = BlocksOptions {
        reading: command.reading.clone(),
        ..BlocksOptions::default()
    };
    let mut sink: Option<BlockWriter<Output>> = None;
    let mut output = Some(Output::create_container(command.out.as_deref())?);
    let progress = Progress::bytes(output.as_ref().is_some_and(Output::is_terminal));
    let mut is_known = true;
    for path in files_or_stdin(&command.files) {
        let mut blocks = open(&path, &options, &progress)?;
        if let Some(mut output) = output.take() {
            output.refuse_terminal(command.force)?;
            sink = Some(begin(output, like(blocks.header()))?);
        }
        if let Some(sink) = &mut sink {
            copy_all(&mut blocks, sink)?;
            // The types in all blocks up to here, if they are known of each file.
            let schema = blocks.index().and_then(FileIndex::schema);
            is_known &= schema.is_some();
            if let Some(schema) = schema.filter(|_| is_known) {
                sink.add_schema(schema);
            }
        }
    }
    match sink {
        Some(sink) => sink.finish()?.commit(),
        None => Ok(()),
    }
}

/// Writes rows again, in blocks of the size that the options say.
pub fn compact(command: &cli::ContainerCompact) -> Outcome {
    let threads = Threads::start(command.writing.threads)?;
    let options = BlocksOptions {
        reading: cli::ContainerReading {
            on_bad_block: command.on_bad_block,
            max_block: command.max_block,
            threads: command.writing.threads,
        },
        ..BlocksOptions::default()
    };
    let mut sink: Option<BlockWriter<Output>> = None;
    let mut output = Some(Output::create_container(command.out.as_deref())?);
    let progress = Progress::bytes(output.as_ref().is_some_and(Output::is_terminal));
    for path in files_or_stdin(&command.files) {
        let blocks = open(&path, &options, &progress)?;
        if let Some(mut output) = output.take() {
            output.refuse_terminal(command.force)?;
            let header = blocks.header();
            let options = compacted(command, header)?.threads(threads.count());
            let mut writer = begin(output, options)?;
            writer.expect_paths(&command.writing.stats);
            sink = Some(writer);
        }
        let Some(sink) = &mut sink else { continue };
        let name = blocks.name().to_owned();
        let mut rows = Unpacking::new(blocks, &threads, |_, rows| {
            let mut packed = PackedValues::default();
            rows.iter().for_each(|row| packed.push(row));
            packed
        });
        while let Some(rows) = rows.next_result()? {
            sink.rows(&rows).map_err(|fault| fault.within(&name))?;
        }
    }
    match sink {
        Some(sink) => sink.finish()?.commit(),
        None => Ok(()),
    }
}

/// Returns the options of `compact` for a file whose header is like this one where the command line says nothing.
fn compacted(command: &cli::ContainerCompact, header: &FileHeader) -> Outcome<WriteOptions> {
    let mut options = write_options(&command.writing)?;
    if command.writing.stats.is_empty() {
        options = with_stats(options, header);
    }
    if command.writing.meta.is_empty() {
        options = with_meta(options, header);
    }
    Ok(options)
}

/// Returns the options for a file with the same header, but for its sync bytes.
pub fn like(header: &FileHeader) -> WriteOptions {
    let options = WriteOptions::new().codec(header.codec().unwrap_or_default());
    with_meta(with_stats(options, header), header)
}

fn with_stats(options: WriteOptions, header: &FileHeader) -> WriteOptions {
    match header.stats() {
        Some(paths) => options.stats(paths.iter().map(RowPath::as_str)),
        None => options,
    }
}

fn with_meta(options: WriteOptions, header: &FileHeader) -> WriteOptions {
    match header.meta() {
        Some(meta) => options.meta(Value::Map(meta.clone())),
        None => options,
    }
}

/// Begins a container file in an output.
pub fn begin(output: Output, options: WriteOptions) -> Outcome<BlockWriter<Output>> {
    let name = output.name().to_owned();
    BlockWriter::new(Writer::new(output, &options), &name)
}

/// Copies all blocks, with what the index says of each.
pub fn copy_all<W: Write>(blocks: &mut Blocks, sink: &mut BlockWriter<W>) -> Outcome {
    let index = blocks.index().cloned();
    let mut entries = index.iter().flat_map(FileIndex::entries).peekable();
    loop {
        let block = blocks.next_block().map_err(|error| blocks.failure(&error))?;
        let Some(block) = block else { break };
        while entries.next_if(|entry| entry.offset() < block.offset()).is_some() {}
        let entry = entries.next_if(|entry| entry.offset() == block.offset());
        sink.copy(&block, entry.and_then(IndexEntry::statistics))?;
    }
    Ok(())
}

/// Opens a container file or standard input.
pub fn open(path: &Path, options: &BlocksOptions, progress: &Progress) -> Outcome<Blocks> {
    let mut input = Input::open(path, false, progress)?;
    let start = input.peek()?;
    if !is_container(&start) && !MAGIC.starts_with(&start) {
        return Err(not_a_container(&input.name));
    }
    Blocks::of_input(input, options, progress)
}

/// Returns the path of a part: `part-3.pkd` of `part.pkd`.
pub fn part_of(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy()));
    path.with_file_name(format!("{stem}-{number}{}", ending.unwrap_or_default()))
}
