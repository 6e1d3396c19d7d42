//! The options of `container`, and of other commands for container files.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::examples;
use super::numbers::{defaults, size};
use super::text::TextReading;

pub(super) const READING: &str = "Options for container files";
const WRITING: &str = "Options for writing";
/// The defaults of the specification.
const MAX_BLOCK: u64 = 64 << 20;
const BLOCK_SIZE: u64 = 4 << 20;
const BLOCK_ROWS: u64 = 65_536;

/// `packord container`
#[derive(Args, Debug)]
pub struct Container {
    /// What to do.
    #[command(subcommand)]
    pub command: ContainerCommand,
}

/// The commands of `packord container`.
#[derive(Subcommand, Debug)]
pub enum ContainerCommand {
    /// Write a container file from JSON, NDJSON, CSV, MessagePack, Arrow or Parquet, or append to one.
    #[command(after_help = examples::CONTAINER_CREATE)]
    Create(ContainerCreate),
    /// Join container files: their blocks are copied as they are.
    #[command(after_help = examples::CONTAINER_CAT)]
    Cat(ContainerCat),
    /// Show what is in a container file: codec, blocks, rows, sizes, types, statistics, damage.
    #[command(after_help = examples::CONTAINER_INFO)]
    Info(ContainerInfo),
    /// Write the rows again: small blocks become large ones, old indexes go, the codec can change.
    #[command(after_help = examples::CONTAINER_COMPACT)]
    Compact(ContainerCompact),
    /// Split a container file into several, or print ranges of bytes for several readers.
    #[command(after_help = examples::CONTAINER_SPLIT)]
    Split(ContainerSplit),
}

/// `packord container create`
#[derive(Args, Debug)]
pub struct ContainerCreate {
    /// Files to read, one after another.
    pub files: Vec<PathBuf>,
    /// Output file, which appears when it is complete [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write to the end of the output file, block by block. A missing file is created. The header of an existing
    /// one holds for what is appended, too. Other writers are refused meanwhile.
    #[arg(long, requires = "out")]
    pub append: bool,
    /// Format of the input.
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    pub from: RowFormat,
    /// How CSV and JSON are read.
    #[command(flatten)]
    pub text: TextReading,
    /// Whether an array of JSON is one row.
    #[arg(skip)]
    pub whole: bool,
    /// How the file is written.
    #[command(flatten)]
    pub writing: ContainerWriting,
    /// Write bytes to a terminal too.
    #[arg(long, hide_short_help = true)]
    pub force: bool,
    /// Do not decompress the input.
    #[arg(long, hide_short_help = true)]
    pub as_is: bool,
}

/// The formats that `container create` reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    /// Recognised by the first bytes; CSV by the extension .csv or .tsv.
    Auto,
    /// JSON values. Each element of an array is a row, and each other value.
    Json,
    /// JSON values. Each is a row, arrays too.
    Ndjson,
    /// CSV: each row becomes a map with the names of the first row as keys.
    Csv,
    /// MessagePack: each message is a row, and each row of a container file.
    Msgpack,
    /// Apache Arrow, a file or a stream.
    #[value(alias = "feather")]
    Arrow,
    /// Apache Parquet.
    Parquet,
}

/// How a container file is written.
#[derive(Args, Clone, Debug)]
pub struct ContainerWriting {
    /// Compression of the blocks.
    #[arg(long, value_name = "CODEC", default_value = "zstd", help_heading = WRITING)]
    pub codec: CodecName,
    /// Level of the compression: zstd 1 to 22 [default: 3], deflate 1 to 9 [default: 6].
    #[arg(long, value_name = "N", help_heading = WRITING)]
    pub level: Option<u32>,
    /// Size at which a block ends, in bytes of plain MessagePack (k, m); at most 64 MiB.
    #[arg(long, value_name = "BYTES", default_value_t = BLOCK_SIZE, value_parser = size, help_heading = WRITING, hide_short_help = true)]
    pub block_size: u64,
    /// Number of rows or messages at which a block ends.
    #[arg(long, value_name = "N", default_value_t = BLOCK_ROWS, help_heading = WRITING)]
    pub block_rows: u64,
    /// Whether rows are stored by column where that is smaller.
    #[arg(long, value_name = "WHEN", default_value = "on", help_heading = WRITING, hide_short_help = true)]
    pub columns: Switch,
    /// Store each value as a message, and not as a row of a table: without columns and statistics.
    #[arg(long, help_heading = WRITING, hide_short_help = true)]
    pub messages: bool,
    /// Paths whose statistics are kept: `at,user.id` [default: those of the first row, at most 32]. A path that no
    /// row has is reported on standard error.
    #[arg(long, value_name = "PATHS", value_delimiter = ',', help_heading = WRITING)]
    pub stats: Vec<String>,
    /// An entry of the header for programs, as a JSON value or else as a str.
    #[arg(long, value_name = "NAME=VALUE", value_parser = meta, help_heading = WRITING)]
    pub meta: Vec<(String, String)>,
    /// The 16 sync bytes in hexadecimal, for files that must be the same twice [default: random].
    #[arg(long, value_name = "HEX", value_parser = sync, help_heading = WRITING, hide_short_help = true)]
    pub sync: Option<[u8; 16]>,
    /// Number of threads that pack [default: one for each core].
    #[arg(long, value_name = "N", help_heading = WRITING, hide_short_help = true)]
    pub threads: Option<usize>,
}

impl Default for ContainerWriting {
    fn default() -> ContainerWriting {
        defaults()
    }
}

/// How blocks are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CodecName {
    /// Not at all.
    None,
    /// Deflate, which all readers know.
    Deflate,
    /// zstd.
    Zstd,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// On.
    On,
    /// Off.
    Off,
}

/// Options for input that is a container file.
#[derive(Args, Clone, Debug)]
pub struct ContainerReading {
    /// What to do at a damaged block of a container file: report an error, or warn and go on at the next
    /// block that is whole.
    #[arg(long, value_name = "WHAT", default_value = "error", help_heading = READING, hide_short_help = true)]
    pub on_bad_block: OnBadBlock,
    /// Maximum size of a block, unpacked, in bytes (k, m).
    #[arg(long, value_name = "BYTES", default_value_t = MAX_BLOCK, value_parser = size, help_heading = READING, hide_short_help = true)]
    pub max_block: u64,
    /// Number of threads that unpack blocks [default: one for each core].
    #[arg(long, value_name = "N", help_heading = READING, hide_short_help = true)]
    pub threads: Option<usize>,
}

impl Default for ContainerReading {
    fn default() -> ContainerReading {
        defaults()
    }
}

/// What to do at a damaged block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnBadBlock {
    /// Report an error.
    Error,
    /// Warn, and go on at the next block that is whole.
    Skip,
}

/// `packord container cat`
#[derive(Args, Debug)]
pub struct ContainerCat {
    /// Container files to read, one after another.
    pub files: Vec<PathBuf>,
    /// Output file, which appears when it is complete [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write bytes to a terminal too.
    #[arg(long, hide_short_help = true)]
    pub force: bool,
    /// How files are read.
    #[command(flatten)]
    pub reading: ContainerReading,
}

/// `packord container info`
#[derive(Args, Debug)]
pub struct ContainerInfo {
    /// Container files.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Write a JSON object for each file instead.
    #[arg(long)]
    pub json: bool,
    /// Read all blocks in any case, and show each: sizes before compression, old indexes, and damage.
    #[arg(long)]
    pub blocks: bool,
    /// Maximum size of a block, unpacked, in bytes (k, m).
    #[arg(long, value_name = "BYTES", default_value_t = MAX_BLOCK, value_parser = size)]
    pub max_block: u64,
}

/// `packord container compact`
#[derive(Args, Debug)]
pub struct ContainerCompact {
    /// Container files to read, one after another.
    pub files: Vec<PathBuf>,
    /// Output file, which appears when it is complete [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// How the file is written.
    #[command(flatten)]
    pub writing: ContainerWriting,
    /// What to do at a damaged block: report an error, or warn and go on at the next block that is whole.
    #[arg(long, value_name = "WHAT", default_value = "error")]
    pub on_bad_block: OnBadBlock,
    /// Maximum size of a block that is read, unpacked, in bytes (k, m).
    #[arg(long, value_name = "BYTES", default_value_t = MAX_BLOCK, value_parser = size, hide_short_help = true)]
    pub max_block: u64,
    /// Write bytes to a terminal too.
    #[arg(long, hide_short_help = true)]
    pub force: bool,
}

/// `packord container split`
#[derive(Args, Debug)]
pub struct ContainerSplit {
    /// Container file to read, which must not be compressed as a whole.
    pub file: PathBuf,
    /// Number of parts.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub number: u32,
    /// Write the parts to files: `part.pkd` becomes part-0.pkd, part-1.pkd and so on [default: print ranges].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Maximum size of a block, unpacked, in bytes (k, m).
    #[arg(long, value_name = "BYTES", default_value_t = MAX_BLOCK, value_parser = size)]
    pub max_block: u64,
}

/// Parses `name=value`.
fn meta(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Parses 32 hexadecimal digits.
fn sync(text: &str) -> Result<[u8; 16], String> {
    let wrong = || "expected 32 hexadecimal digits".to_owned();
    if text.len() != 32 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(wrong());
    }
    let number = u128::from_str_radix(text, 16).map_err(|_| wrong())?;
    Ok(number.to_be_bytes())
}
