//! Writes container files as the options of the command line say.

use std::io::Write;

use packord::container::{Codec, RowPath, Schema, Statistics, StoredBlock, WriteOptions, Writer};
use packord::{ErrorKind, Value};

use crate::cli::{self, CodecName, Switch};
use crate::failure::{Failure, Outcome};
use crate::json::parse::JsonReadOptions;
use crate::json::read::read_all;
use crate::output::failure;
use crate::terminal::style;
use crate::values::packed::PackedValues;

/// The maximum size of a block, in bytes.
const MAX_BLOCK: u64 = 64 << 20;

/// Returns the options of a writer. Without `stats` and `meta` on the command line, they are not set.
pub fn write_options(command: &cli::ContainerWriting) -> Outcome<WriteOptions> {
    let usage = |text: String| Err(Failure::Usage(text));
    let block_size = usize::try_from(command.block_size).ok();
    let Some(block_size) = block_size.filter(|_| (1..=MAX_BLOCK).contains(&command.block_size)) else {
        return usage("--block-size: expected 1 byte to 64 MiB".to_owned());
    };
    let (codec, most) = match command.codec {
        CodecName::None => (Codec::None, 0),
        CodecName::Deflate => (Codec::Deflate, 9),
        CodecName::Zstd => (Codec::Zstd, 22),
    };
    if !codec.is_supported() {
        return Err(Failure::built_without("zstd"));
    }
    let mut options = WriteOptions::new()
        .codec(codec)
        .block_size(block_size)
        .block_rows(command.block_rows.max(1))
        .columns(command.columns == Switch::On)
        .messages(command.messages);
    if let Some(level) = command.level {
        if most == 0 {
            return usage(format!("--level: {codec} has no levels"));
        }
        if !(1..=most).contains(&level) {
            return usage(format!("--level: {codec} has the levels 1 to {most}"));
        }
        options = options.level(level as i32);
    }
    if !command.stats.is_empty() {
        options = options.stats(&command.stats);
    }
    if !command.meta.is_empty() {
        let meta: Vec<(Value, Value)> = command
            .meta
            .iter()
            .map(|(name, text)| (Value::from(name.as_str()), meta_value(text)))
            .collect();
        options = options.meta(Value::Map(meta.into()));
    }
    Ok(match command.sync {
        Some(sync) => options.sync(sync),
        None => options,
    })
}

/// Returns a value that is written as JSON, or else as a str.
fn meta_value(text: &str) -> Value {
    let style = JsonReadOptions {
        each: false,
        conventions: true,
        bigint: false,
    };
    let values = read_all("--meta", text.as_bytes(), style).unwrap_or_default();
    match values.iter().collect::<Vec<_>>()[..] {
        [value] => packord::DecodeOptions::new().decode(value).unwrap_or_default(),
        _ => Value::from(text),
    }
}

/// A writer, with the name of its output.
pub struct BlockWriter<W: Write> {
    writer: Writer<W>,
    name: String,
    /// The paths of `--stats` that no row had so far.
    missing: Vec<RowPath>,
    has_rows: bool,
}

impl<W: Write> BlockWriter<W> {
    /// Begins a file.
    pub fn new(writer: packord::Result<Writer<W>>, name: &str) -> Outcome<BlockWriter<W>> {
        let name = name.to_owned();
        match writer {
            Ok(writer) => Ok(BlockWriter {
                writer,
                name,
                missing: Vec::new(),
                has_rows: false,
            }),
            Err(error) => Err(failure(&name, &error)),
        }
    }

    /// Warns at the end of each of these paths that no row has: it may be misspelt.
    pub fn expect_paths(&mut self, paths: &[String]) {
        self.missing = paths.iter().map(|path| RowPath::new(path)).collect();
    }

    /// Adds rows. The failure of a row at fault has no name: it is that of the input.
    pub fn rows(&mut self, rows: &PackedValues) -> Outcome {
        for row in rows.iter() {
            if let Err(error) = self.writer.write_packed(row) {
                return Err(match error.kind() {
                    ErrorKind::Io => failure(&self.name, &error),
                    _ => Failure::from(error),
                });
            }
            self.has_rows = true;
            if !self.missing.is_empty() {
                self.missing.retain(|path| path.find(row).is_none());
            }
        }
        Ok(())
    }

    /// Writes the blocks that are full.
    pub fn write_full(&mut self) -> Outcome {
        self.writer.write_full().map_err(|error| failure(&self.name, &error))
    }

    /// Copies a block of another file, with its statistics.
    pub fn copy(&mut self, block: &StoredBlock, statistics: Option<&Statistics>) -> Outcome {
        self.writer
            .copy_block(block, statistics)
            .map_err(|error| failure(&self.name, &error))
    }

    /// Says the types in the rows that were copied.
    pub fn add_schema(&mut self, schema: &Schema) {
        self.writer.add_schema(schema);
    }

    /// Writes the last block and the index.
    pub fn finish(self) -> Outcome<W> {
        let name = self.name;
        for path in self.missing.iter().filter(|_| self.has_rows) {
            style::warn(&format!("no row has the key {}", path.as_str()));
        }
        self.writer.finish().map_err(|error| failure(&name, &error))
    }
}
