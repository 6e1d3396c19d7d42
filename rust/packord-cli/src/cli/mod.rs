//! The command line: what `packord --help` says.

mod examples;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// The default of the specification.
const MAX_RECORD_KEYS: u32 = 1024;

/// MessagePack on the command line: make it, read it, look into it, check it, and see what it
/// would gain you.
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
    /// When to use colour: auto (on a terminal), always or never. The variable NO_COLOR turns it off
    /// too.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub color: ColorChoice,
    /// What to do.
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
    /// JSON, NDJSON, CSV or diagnostic notation to MessagePack.
    #[command(after_help = examples::PACK)]
    Pack(Pack),
    /// MessagePack to JSON or diagnostic notation.
    #[command(after_help = examples::UNPACK)]
    Unpack(Unpack),
    /// The values at a path, without reading what is beside it.
    #[command(after_help = examples::GET)]
    Get(Get),
    /// The bytes, one line for each value: offset, bytes, format, value. What is at byte N?
    #[command(after_help = examples::INSPECT)]
    Inspect(Inspect),
    /// Is it valid? If not: what is wrong, and where.
    #[command(after_help = examples::VALIDATE)]
    Validate(Validate),
    /// Where the bytes are: which field takes most, by path and type; and what would save some.
    #[command(after_help = examples::STATS)]
    Stats(Stats),
    /// How a JSON document fares in MessagePack, CBOR and BSON: size, compressed size, speed.
    #[command(after_help = examples::COMPARE)]
    Compare(Compare),
    /// What differs between two packed files, with paths, types and lengths.
    #[command(after_help = examples::DIFF)]
    Diff(Diff),
    /// What is whole of data that was cut or damaged.
    #[command(after_help = examples::REPAIR)]
    Repair(Repair),
    /// A made-up JSON document of events, to try the other commands on.
    #[command(after_help = examples::SAMPLE)]
    Sample(Sample),
    /// Completions for a shell.
    #[command(after_help = examples::COMPLETIONS)]
    Completions(Completions),
    /// The manual pages.
    #[command(after_help = examples::MAN)]
    Man(Man),
}

/// Options for data that is read as MessagePack.
#[derive(Args, Clone, Debug)]
pub struct Reading {
    /// Read records (ext type 0x72 of msgpackr).
    #[arg(long)]
    pub records: bool,
    /// The record structures that lie outside the data, as `pack --shared` wrote them: a JSON list
    /// of lists of keys. Turns records on.
    #[arg(long, value_name = "FILE")]
    pub shared: Option<PathBuf>,
    /// Record definitions last until the end of the stream. Turns records on.
    #[arg(long)]
    pub sequential: bool,
    /// How many keys a record may have that the data defines; msgpackr has no such limit.
    #[arg(long, value_name = "N", default_value_t = MAX_RECORD_KEYS)]
    pub max_record_keys: u32,
    /// What to do with a str that is not UTF-8.
    #[arg(long, value_name = "MODE", default_value = "error")]
    pub utf8: Utf8Mode,
    /// How many containers may be open at once.
    #[arg(long, value_name = "N", default_value_t = packord::DEFAULT_MAX_DEPTH)]
    pub max_depth: u32,
    /// How much may be held in memory of one text, bin or ext, and of one message where it is held
    /// whole. Bytes, or with k, m, g (1000 each).
    #[arg(long, value_name = "BYTES", default_value = "1g", value_parser = size)]
    pub max_message: u64,
    /// Do not decompress the input.
    #[arg(long)]
    pub as_is: bool,
}

/// What to do with a str that is not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Utf8Mode {
    /// It is an error.
    Error,
    /// Each ill-formed sequence becomes U+FFFD.
    Replace,
    /// Its bytes are kept.
    Raw,
}

/// `packord pack`
#[derive(Args, Debug)]
pub struct Pack {
    /// Files to read; their messages follow one another.
    pub files: Vec<PathBuf>,
    /// Where to write; the file appears when it is whole.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// What the input is.
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    pub from: PackFormat,
    /// What is between the cells of CSV; `tab` for a tab.
    #[arg(long, value_name = "CHARACTER", default_value = ",", value_parser = delimiter)]
    pub delimiter: u8,
    /// The first row of CSV is data and no names: rows become arrays.
    #[arg(long)]
    pub no_header: bool,
    /// Cells of CSV are texts, even those that look like numbers.
    #[arg(long)]
    pub cells_as_text: bool,
    /// Each element of a top-level array becomes a message of its own.
    #[arg(long)]
    pub each: bool,
    /// Write maps as records: keys once for all maps that have the same ones.
    #[arg(long)]
    pub records: bool,
    /// Keep the record structures in FILE (a JSON list of lists of keys) instead of the data. It is
    /// created or added to; reading needs it. Turns records on.
    #[arg(long, value_name = "FILE")]
    pub shared: Option<PathBuf>,
    /// Define each record structure once in the stream instead of once a message. Turns records on.
    #[arg(long)]
    pub sequential: bool,
    /// Maps with more keys than this are not written as records.
    #[arg(long, value_name = "N", default_value_t = MAX_RECORD_KEYS)]
    pub max_record_keys: u32,
    /// Sorted keys and one encoding for equal values.
    #[arg(long, conflicts_with_all = ["records", "shared", "sequential", "float32"])]
    pub canonical: bool,
    /// Write a float in 32 bits where that loses nothing.
    #[arg(long)]
    pub float32: bool,
    /// Write integers beyond 64 bits as ext type 0x42, as msgpackr does, instead of refusing them.
    #[arg(long)]
    pub bigint: bool,
    /// Take objects like {"$bin": "…"} as objects, not as what `unpack` means by them.
    #[arg(long)]
    pub plain: bool,
    /// Do not decompress the input.
    #[arg(long)]
    pub as_is: bool,
}

/// What `pack` reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PackFormat {
    /// JSON values, one or several (NDJSON).
    #[value(alias = "ndjson")]
    Json,
    /// Rows: each becomes a message, a map with the names of the first row.
    Csv,
    /// Diagnostic notation, which says every byte.
    Diag,
}

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TextFormat {
    /// JSON values, one or several (NDJSON).
    #[value(alias = "ndjson")]
    Json,
    /// Diagnostic notation, which says every byte.
    Diag,
}

/// `packord unpack`
#[derive(Args, Debug)]
pub struct Unpack {
    /// Files to read.
    pub files: Vec<PathBuf>,
    /// Where to write; the file appears when it is whole.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// What to write: JSON has each message on a line, so a stream becomes NDJSON.
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    pub to: TextFormat,
    /// Indent.
    #[arg(short, long)]
    pub pretty: bool,
    /// Refuse what JSON cannot say instead of writing it in a convention.
    #[arg(long)]
    pub strict: bool,
    /// Write ext type 0x42 as an integer.
    #[arg(long)]
    pub bigint: bool,
    /// How to read.
    #[command(flatten)]
    pub reading: Reading,
}

/// `packord get`
#[derive(Args, Debug)]
pub struct Get {
    /// What to look for: `users[*].name`, `log[-1]`, `$["any key"][key 5]`.
    pub path: String,
    /// Files to read.
    pub files: Vec<PathBuf>,
    /// Where to write; the file appears when it is whole.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// What to write.
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    pub to: GetFormat,
    /// Indent.
    #[arg(short, long)]
    pub pretty: bool,
    /// Write texts without quotes, and bytes as they are.
    #[arg(short, long)]
    pub raw: bool,
    /// Write only how many values there are.
    #[arg(short, long, conflicts_with_all = ["keys", "paths", "raw", "pretty"])]
    pub count: bool,
    /// Write the keys of the maps that are found, and the indexes of the arrays.
    #[arg(short, long)]
    pub keys: bool,
    /// Write the path of each value in front of it, and a tab.
    #[arg(long)]
    pub paths: bool,
    /// Write ext type 0x42 as an integer.
    #[arg(long)]
    pub bigint: bool,
    /// How to read.
    #[command(flatten)]
    pub reading: Reading,
}

/// What `get` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GetFormat {
    /// JSON, one value a line.
    Json,
    /// Diagnostic notation, one value a line.
    Diag,
    /// The values' own bytes. Records need their definitions, which may lie elsewhere.
    Msgpack,
}

/// `packord inspect`
#[derive(Args, Debug)]
pub struct Inspect {
    /// The file to read.
    pub file: Option<PathBuf>,
    /// Where to write.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write a page in place of the lines: a tree that folds beside its bytes. It needs no network.
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    pub html: Option<PathBuf>,
    /// Show containers only down to this depth; 1 is the outermost.
    #[arg(long, value_name = "N")]
    pub depth: Option<usize>,
    /// Show only the value that this byte belongs to, with its path: `812`, `0x32c`.
    #[arg(long, value_name = "BYTE", value_parser = offset, conflicts_with_all = ["range", "html"])]
    pub at: Option<u64>,
    /// Show only what lies in these bytes: `100..200`, `0x64..`, `..200`.
    #[arg(long, value_name = "A..B", value_parser = range)]
    pub range: Option<(u64, u64)>,
    /// How to read.
    #[command(flatten)]
    pub reading: Reading,
}

/// `packord validate`
#[derive(Args, Debug)]
pub struct Validate {
    /// Files to read.
    pub files: Vec<PathBuf>,
    /// It must be the canonical encoding.
    #[arg(long, conflicts_with_all = ["records", "shared", "sequential"])]
    pub canonical: bool,
    /// No map may have a key twice.
    #[arg(long)]
    pub duplicates: bool,
    /// Go on behind a fault and show all of them, up to 100; the input is held in memory.
    #[arg(long)]
    pub all: bool,
    /// Say what could be better: forms that are not the smallest, floats that fit 32 bits, keys
    /// that are there twice, and what records would save.
    #[arg(long, conflicts_with_all = ["all", "quiet"])]
    pub hints: bool,
    /// Say nothing; the exit code tells.
    #[arg(short, long)]
    pub quiet: bool,
    /// How to read.
    #[command(flatten)]
    pub reading: Reading,
}

/// `packord stats`
#[derive(Args, Debug)]
pub struct Stats {
    /// The file to read.
    pub file: Option<PathBuf>,
    /// Show only paths with at most so many steps.
    #[arg(long, value_name = "N")]
    pub depth: Option<usize>,
    /// Show so many paths.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub top: usize,
    /// Do not measure what other ways of writing would save.
    #[arg(long)]
    pub quick: bool,
    /// Write all figures as JSON instead of tables.
    #[arg(long)]
    pub json: bool,
    /// Write a page with a map of the bytes too; it needs no network.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Where to write the tables or JSON.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// How to read.
    #[command(flatten)]
    pub reading: Reading,
}

/// `packord diff`
#[derive(Args, Debug)]
pub struct Diff {
    /// The old file.
    pub a: PathBuf,
    /// The new file.
    pub b: PathBuf,
    /// Show values that are equal and written in other formats too.
    #[arg(long)]
    pub bytes: bool,
    /// Show nothing; the exit code tells.
    #[arg(short, long)]
    pub quiet: bool,
    /// How to read.
    #[command(flatten)]
    pub reading: Reading,
}

/// `packord repair`
#[derive(Args, Debug)]
pub struct Repair {
    /// The file to read.
    pub file: Option<PathBuf>,
    /// Where to write; the file appears when it is whole.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Keep the whole values of the message that was cut too: its containers end earlier then.
    #[arg(long)]
    pub partial: bool,
    /// Do not say on standard error what was cut.
    #[arg(short, long)]
    pub quiet: bool,
    /// How to read.
    #[command(flatten)]
    pub reading: Reading,
}

/// `packord completions`
#[derive(Args, Debug)]
pub struct Completions {
    /// Which shell.
    pub shell: clap_complete::Shell,
}

/// `packord man`
#[derive(Args, Debug)]
pub struct Man {
    /// A folder for the pages of all commands; without it the first page goes to standard output.
    pub folder: Option<PathBuf>,
}

/// `packord compare`
#[derive(Args, Debug)]
pub struct Compare {
    /// The JSON document.
    pub file: Option<PathBuf>,
    /// Each value, or element of a top-level array, is a message that is compressed alone; zstd also
    /// with a dictionary that is learnt from half of them.
    #[arg(long)]
    pub each: bool,
    /// Objects like {"$bin": "…"} are bytes to packord, as `pack` takes them. The other libraries
    /// see the text.
    #[arg(long)]
    pub conventions: bool,
    /// Take seconds instead of up to minutes: fewer rounds, no brotli 11 and zstd 19.
    #[arg(long)]
    pub quick: bool,
    /// Write the figures as JSON instead of tables.
    #[arg(long)]
    pub json: bool,
    /// Write a page with plots too; it needs no network.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Where to write the tables or JSON.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Do not decompress the input.
    #[arg(long)]
    pub as_is: bool,
}

/// `packord sample`
#[derive(Args, Debug)]
pub struct Sample {
    /// The same seed gives the same document.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// About how large: bytes, or with k, m, g (1000 each).
    #[arg(long, value_name = "BYTES", default_value = "1m", value_parser = size)]
    pub size: u64,
    /// One event a line (NDJSON) instead of one document.
    #[arg(long)]
    pub lines: bool,
    /// Where to write; the file appears when it is whole.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `a..b` with either end left out, in decimal or hexadecimal.
fn range(text: &str) -> Result<(u64, u64), String> {
    let (from, to) = text.split_once("..").ok_or("write it as A..B")?;
    let number = |digits: &str, missing: u64| match digits {
        "" => Ok(missing),
        digits => offset(digits),
    };
    let (from, to) = (number(from, 0)?, number(to, u64::MAX)?);
    if from < to {
        Ok((from, to))
    } else {
        Err("the range is empty".to_owned())
    }
}

/// A number in decimal or hexadecimal.
fn offset(digits: &str) -> Result<u64, String> {
    match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => digits.parse(),
    }
    .map_err(|error| error.to_string())
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" => Ok(b'\t'),
        [byte] if byte.is_ascii() => Ok(*byte),
        _ => Err("one ASCII character, or tab".to_owned()),
    }
}

fn size(text: &str) -> Result<u64, String> {
    let lower = text.to_ascii_lowercase();
    let (digits, factor) = [('k', 1000), ('m', 1_000_000), ('g', 1_000_000_000)]
        .into_iter()
        .find_map(|(unit, factor)| Some((lower.strip_suffix(unit)?, factor)))
        .unwrap_or((&lower, 1));
    let number: u64 = digits
        .parse()
        .map_err(|error: std::num::ParseIntError| error.to_string())?;
    number
        .checked_mul(factor)
        .ok_or_else(|| "too large".to_owned())
}
