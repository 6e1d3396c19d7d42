//! The command line: what `packord --help` says.

mod choosing;
mod container;
mod examples;
#[cfg(feature = "terminal")]
pub(crate) mod keys;
mod numbers;
mod reading;
mod schema;
mod text;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use choosing::{Choosing, OutputFormat, Showing, Totals};
pub use container::{
    CodecName, Container, ContainerCat, ContainerCommand, ContainerCompact, ContainerCreate, ContainerInfo,
    ContainerReading, ContainerSplit, ContainerWriting, OnBadBlock, RowFormat, Switch,
};
pub(crate) use numbers::offset;
use numbers::{range, size};
use reading::MAX_RECORD_KEYS;
pub use reading::{Detected, Encoding, ExtFamily, Reading, Utf8Mode};
pub use schema::{Schema, SchemaFormat};
pub use text::{CsvOptions, TextReading};

/// MessagePack on the command line: convert, query, inspect, validate, measure and repair it.
#[derive(Parser, Debug)]
#[command(
    name = "packord",
    version,
    before_help = examples::QUESTIONS,
    after_help = examples::EXIT_CODES,
    help_template = examples::TEMPLATE,
    propagate_version = true
)]
pub struct Cli {
    /// When to use colour: auto (on a terminal), always or never. With auto, the environment variable
    /// NO_COLOR turns it off.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub color: ColorChoice,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Convert JSON, NDJSON, CSV or diagnostic notation to MessagePack.
    #[command(after_help = examples::PACK)]
    Pack(Pack),
    /// Convert MessagePack to JSON, NDJSON, CSV, TSV or diagnostic notation.
    #[command(after_help = examples::UNPACK)]
    Unpack(Unpack),
    /// Print the values at a path: all, or chosen, sorted, or counted in groups.
    #[command(
        after_help = examples::GET,
        mut_arg("follow", |arg| arg.hide_short_help(true)),
        mut_arg("pretty", |arg| arg.hide_short_help(true)),
    )]
    Get(Get),
    /// Show the bytes, one line per value: offset, bytes, format, value.
    #[command(after_help = examples::INSPECT)]
    Inspect(Inspect),
    /// Browse the data in the terminal: a foldable tree and its bytes.
    #[command(after_help = examples::view())]
    View(View),
    /// Check that the data is valid; if not, report what is wrong and where.
    #[command(after_help = examples::VALIDATE)]
    Validate(Validate),
    /// Show where the bytes are, by path and type, and what would save bytes.
    #[command(after_help = examples::STATS)]
    Stats(Stats),
    /// Infer the types of the messages: a table, a JSON Schema, or code in five languages.
    #[command(after_help = examples::SCHEMA)]
    Schema(Schema),
    /// Compare a JSON document in MessagePack, CBOR and BSON: size, compressed size, speed.
    #[command(after_help = examples::COMPARE)]
    Compare(Compare),
    /// Show the differences between two packed files, with paths, formats and lengths.
    #[command(after_help = examples::DIFF)]
    Diff(Diff),
    /// Keep the complete messages of truncated or damaged data.
    #[command(after_help = examples::REPAIR)]
    Repair(Repair),
    /// Write container files, which hold many messages in blocks, and look into them.
    #[command(after_help = examples::CONTAINER)]
    Container(Container),
    /// Generate a JSON document of events, to try the other commands with.
    #[command(after_help = examples::SAMPLE)]
    Sample(Sample),
    /// Print completions for a shell.
    #[command(after_help = examples::COMPLETIONS)]
    Completions(Completions),
    /// Print the manual page, or write all of them to a folder.
    #[command(after_help = examples::MAN)]
    Man(Man),
}

/// `packord pack`
#[derive(Args, Debug)]
pub struct Pack {
    /// Files to read, one after another.
    pub files: Vec<PathBuf>,
    /// Output file, which appears when it is complete [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Format of the input [default: json; with --container it is recognised].
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<PackFormat>,
    /// How CSV and JSON are read.
    #[command(flatten)]
    pub text: TextReading,
    /// Write each element of a top-level array as a separate message.
    #[arg(long)]
    pub each: bool,
    /// Write maps as records: the keys once for all maps of a message that share them.
    #[arg(long)]
    pub records: bool,
    /// Keep the record structures in FILE (a JSON list of lists of keys) instead of the data. FILE is
    /// created or extended, and is needed for reading. Turns records on.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub shared: Option<PathBuf>,
    /// Define each record structure once per stream instead of once per message. Turns records on.
    #[arg(long, hide_short_help = true)]
    pub sequential: bool,
    /// Write arrays and maps of similar values by column, where that is smaller. The other commands read
    /// them; for other programs they are an ext.
    #[arg(long)]
    pub columns: bool,
    /// Write a container file: blocks of rows, compressed with zstd, with statistics. `packord container
    /// create` has more options.
    #[arg(long, conflicts_with_all = ["records", "shared", "sequential", "columns", "canonical", "float32"])]
    pub container: bool,
    /// Maximum number of keys of a record. Maps with more keys stay maps.
    #[arg(long, value_name = "N", default_value_t = MAX_RECORD_KEYS, hide_short_help = true)]
    pub max_record_keys: u32,
    /// Write the canonical encoding: sorted keys, one encoding for equal values.
    #[arg(long, conflicts_with_all = ["records", "shared", "sequential", "columns", "float32"])]
    pub canonical: bool,
    /// Write a float in 32 bits if they hold it exactly.
    #[arg(long)]
    pub float32: bool,
    /// Write bytes to a terminal too.
    #[arg(long, hide_short_help = true)]
    pub force: bool,
    /// Do not decompress the input.
    #[arg(long, hide_short_help = true)]
    pub as_is: bool,
}

/// The formats that `pack` reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PackFormat {
    /// JSON values, one or more (NDJSON).
    #[value(alias = "ndjson")]
    Json,
    /// CSV: each row becomes a message, a map with the names of the first row as keys.
    Csv,
    /// Diagnostic notation, which preserves every byte.
    Diag,
    /// MessagePack, or a container file: each message again.
    Msgpack,
    /// Apache Arrow, a file or a stream: one message, an array of the rows. With --each, a message for each row.
    #[value(alias = "feather")]
    Arrow,
    /// Apache Parquet, in the same way.
    Parquet,
}

/// `packord unpack`
#[derive(Args, Clone, Debug, Default)]
pub struct Unpack {
    /// Which values are written, and how.
    #[command(flatten)]
    pub showing: Showing,
    /// Report an error for values that JSON does not have, instead of writing them as objects.
    #[arg(long)]
    pub strict: bool,
    /// Write ext type 0x42 as an integer.
    #[arg(long, hide_short_help = true)]
    pub bigint: bool,
    /// With --to diag: write values that are stored by column as `columns(…)`, not as ext 92.
    #[arg(long, hide_short_help = true)]
    pub expand_columns: bool,
    /// The options for reading.
    #[command(flatten)]
    pub reading: Reading,
}

/// `packord get`
#[derive(Args, Clone, Debug, Default)]
pub struct Get {
    /// Path of the values: `users[*].name`, `log[-1]`, `users[?age > 30].{id, name}`.
    pub path: String,
    /// Which values are written, and how.
    #[command(flatten)]
    pub showing: Showing,
    /// Write --count, --sum, --avg, --min and --max, as asked for, for each combination of these entries:
    /// `level, host: at.host`.
    #[arg(long, value_name = "ENTRIES", conflicts_with = "paths")]
    pub group_by: Option<String>,
    /// Write str without quotes, and the payload of bin unchanged.
    #[arg(short, long)]
    pub raw: bool,
    /// Write only the number of values.
    #[arg(short, long, conflicts_with_all = ["keys", "paths", "raw", "pretty"])]
    pub count: bool,
    /// What is computed of the values.
    #[command(flatten)]
    pub totals: Totals,
    /// Write the keys of the maps at the path, and the indexes of the arrays.
    #[arg(short, long, hide_short_help = true)]
    pub keys: bool,
    /// Write the path of each value and a tab before it.
    #[arg(long, hide_short_help = true)]
    pub paths: bool,
    /// Write ext type 0x42 as an integer.
    #[arg(long, hide_short_help = true)]
    pub bigint: bool,
    /// The options for reading.
    #[command(flatten)]
    pub reading: Reading,
}

impl Get {
    /// Returns whether only the number of values is written.
    #[must_use]
    pub fn only_counts(&self) -> bool {
        self.count && self.group_by.is_none() && !self.totals.is_used()
    }
}

/// `packord inspect`
#[derive(Args, Debug)]
pub struct Inspect {
    /// File to read.
    pub file: Option<PathBuf>,
    /// Output file [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write an HTML page instead of the lines: a tree that folds, beside its bytes. The page loads
    /// nothing else.
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    pub html: Option<PathBuf>,
    /// Maximum depth of the values that are shown; 1 shows the top-level values [default: no limit].
    #[arg(long, value_name = "N")]
    pub depth: Option<usize>,
    /// Show only the value that contains the byte at this offset, with its path: `812`, `0x32c`.
    #[arg(long, value_name = "BYTE", value_parser = offset, conflicts_with_all = ["range", "html"])]
    pub at: Option<u64>,
    /// Show only the values in this range of offsets: `100..200`, `0x64..`, `..200`.
    #[arg(long, value_name = "A..B", value_parser = range)]
    pub range: Option<(u64, u64)>,
    /// The options for reading.
    #[command(flatten)]
    pub reading: Reading,
}

/// `packord view`
#[derive(Args, Debug)]
pub struct View {
    /// File to read.
    pub file: Option<PathBuf>,
    /// The options for reading.
    #[command(flatten)]
    pub reading: Reading,
}

/// `packord validate`
#[derive(Args, Debug)]
pub struct Validate {
    /// Files to read.
    pub files: Vec<PathBuf>,
    /// Check that the encoding is canonical.
    #[arg(long, conflicts_with_all = ["records", "shared", "sequential"])]
    pub canonical: bool,
    /// Check that no key occurs twice in a map.
    #[arg(long)]
    pub duplicates: bool,
    /// Check that values stored by column have the bytes that packord writes, in every language.
    #[arg(long, conflicts_with_all = ["all", "schema"], hide_short_help = true)]
    pub rule: bool,
    /// Check each message, as `unpack` writes it, against this JSON Schema, and show up to 100 values that do
    /// not match. Each message is held in memory.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["all", "hints", "sequential"])]
    pub schema: Option<PathBuf>,
    /// Go on after a fault, and show up to 100 faults. The input is held in memory.
    #[arg(long)]
    pub all: bool,
    /// Show what could be better: encodings that are not the smallest, floats that fit 32 bits,
    /// duplicate keys, and what records would save.
    #[arg(long, conflicts_with_all = ["all", "quiet"])]
    pub hints: bool,
    /// Print nothing about valid files.
    #[arg(short, long)]
    pub quiet: bool,
    /// The options for reading.
    #[command(flatten)]
    pub reading: Reading,
}

/// `packord stats`
#[derive(Args, Debug)]
pub struct Stats {
    /// File to read.
    pub file: Option<PathBuf>,
    /// Maximum number of steps of the paths that are shown [default: no limit].
    #[arg(long, value_name = "N")]
    pub depth: Option<usize>,
    /// Maximum number of paths that are shown.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub top: usize,
    /// Do not measure what other encodings would save.
    #[arg(long, hide_short_help = true)]
    pub quick: bool,
    /// Write all figures as JSON instead of tables.
    #[arg(long)]
    pub json: bool,
    /// Also write an HTML page with a treemap of the bytes. The page loads nothing else.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Output file for the tables or JSON [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The options for reading.
    #[command(flatten)]
    pub reading: Reading,
}

/// `packord diff`
#[derive(Args, Debug)]
pub struct Diff {
    /// Old file.
    pub a: PathBuf,
    /// New file.
    pub b: PathBuf,
    /// Also show equal values that are written in different formats.
    #[arg(long)]
    pub bytes: bool,
    /// Print nothing. The exit code is 1 if there are differences.
    #[arg(short, long)]
    pub quiet: bool,
    /// The options for reading.
    #[command(flatten)]
    pub reading: Reading,
}

/// `packord repair`
#[derive(Args, Debug)]
pub struct Repair {
    /// File to read.
    pub file: Option<PathBuf>,
    /// Output file, which appears when it is complete [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Also keep the complete values of the incomplete message, whose containers then end early.
    #[arg(long)]
    pub partial: bool,
    /// Do not report on standard error what was dropped.
    #[arg(short, long)]
    pub quiet: bool,
    /// Write bytes to a terminal too.
    #[arg(long, hide_short_help = true)]
    pub force: bool,
    /// The options for reading.
    #[command(flatten)]
    pub reading: Reading,
}

/// `packord completions`
#[derive(Args, Debug)]
pub struct Completions {
    /// Shell.
    pub shell: clap_complete::Shell,
}

/// `packord man`
#[derive(Args, Debug)]
pub struct Man {
    /// Folder for the pages of all commands [default: the main page to standard output].
    pub folder: Option<PathBuf>,
}

/// `packord compare`
#[derive(Args, Debug)]
pub struct Compare {
    /// JSON document to read.
    pub file: Option<PathBuf>,
    /// Compress each value, or element of a top-level array, as a separate message, and zstd also
    /// with a dictionary that is trained with half of them.
    #[arg(long)]
    pub each: bool,
    /// Read objects like {"$bin": "…"} as `pack` does, for packord only. The other libraries read them
    /// as objects.
    #[arg(long)]
    pub conventions: bool,
    /// Measure for seconds instead of minutes: fewer rounds, without brotli 11 and zstd 19.
    #[arg(long)]
    pub quick: bool,
    /// Write the figures as JSON instead of tables.
    #[arg(long)]
    pub json: bool,
    /// Also write an HTML page with plots. The page loads nothing else.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Output file for the tables or JSON [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Do not decompress the input.
    #[arg(long)]
    pub as_is: bool,
}

/// `packord sample`
#[derive(Args, Debug)]
pub struct Sample {
    /// Seed of the generator. The same seed generates the same document.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Approximate size of the document, in bytes (k, m, g).
    #[arg(long, value_name = "BYTES", default_value = "1m", value_parser = size)]
    pub size: u64,
    /// Write one event per line (NDJSON) instead of one document.
    #[arg(long)]
    pub lines: bool,
    /// Output file, which appears when it is complete [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
