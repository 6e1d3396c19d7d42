//! The command line: what `packord --help` says.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

const EXIT_CODES: &str = "Exit codes: 0 fine (also when the reader of the output has gone), 1 the data is readable and the \
answer is no, 2 wrong usage, 3 input that is unreadable or invalid, or output that cannot be written.\n\
No FILE and - mean standard input. Input in gzip and zstd (known by their first bytes) and brotli (known by the ending .br) \
is decompressed on the way; offsets count the decompressed bytes.";

/// The default of the specification.
const MAX_RECORD_KEYS: u32 = 1024;

/// MessagePack on the command line: make it, read it, look into it, check it, and see what it
/// would gain you.
#[derive(Parser, Debug)]
#[command(name = "packord", version, after_help = EXIT_CODES, propagate_version = true)]
pub struct Cli {
    /// When to use colour. The variable NO_COLOR turns it off too.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
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
    /// JSON or diagnostic notation to MessagePack.
    #[command(after_help = PACK_EXAMPLES)]
    Pack(Pack),
    /// MessagePack to JSON or diagnostic notation.
    #[command(after_help = UNPACK_EXAMPLES)]
    Unpack(Unpack),
    /// The bytes, one line for each value: offset, bytes, format, value.
    #[command(after_help = INSPECT_EXAMPLES)]
    Inspect(Inspect),
    /// Is it valid? If not: what is wrong, and where.
    #[command(after_help = VALIDATE_EXAMPLES)]
    Validate(Validate),
    /// How a JSON document fares in MessagePack, CBOR and BSON: size, compressed size, speed.
    #[command(after_help = COMPARE_EXAMPLES)]
    Compare(Compare),
    /// A made-up JSON document of events, to try the other commands on.
    #[command(after_help = SAMPLE_EXAMPLES)]
    Sample(Sample),
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
    pub from: TextFormat,
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

/// `packord inspect`
#[derive(Args, Debug)]
pub struct Inspect {
    /// The file to read.
    pub file: Option<PathBuf>,
    /// Where to write.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Show containers only down to this depth; 1 is the outermost.
    #[arg(long, value_name = "N")]
    pub depth: Option<usize>,
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
    /// Say nothing; the exit code tells.
    #[arg(short, long)]
    pub quiet: bool,
    /// How to read.
    #[command(flatten)]
    pub reading: Reading,
}

/// `packord compare`
#[derive(Args, Debug)]
pub struct Compare {
    /// The JSON document.
    pub file: Option<PathBuf>,
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
    let number = |digits: &str, missing: u64| match digits.strip_prefix("0x") {
        _ if digits.is_empty() => Ok(missing),
        Some(hex) => u64::from_str_radix(hex, 16).map_err(|error| error.to_string()),
        None => digits
            .parse()
            .map_err(|error: std::num::ParseIntError| error.to_string()),
    };
    let (from, to) = (number(from, 0)?, number(to, u64::MAX)?);
    if from < to {
        Ok((from, to))
    } else {
        Err("the range is empty".to_owned())
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

const PACK_EXAMPLES: &str = "\
Examples:
  packord pack data.json -o data.msgpack
  packord pack --records data.json | gzip -9 > data.msgpack.gz
  packord pack --each --sequential events.json -o events.msgpack
  packord pack --shared keys.json log.ndjson -o log.msgpack
  echo '[1_u16, h''00ff'', timestamp(\"2026-01-02T03:04:05Z\")]' | packord pack --from diag

What JSON cannot say, it says in these objects, which `unpack` writes:
  {\"$bin\": \"AP8=\"}               bytes, in base64
  {\"$ext\": [5, \"AA==\"]}          ext type and bytes
  {\"$timestamp\": \"2026-01-02T03:04:05.5Z\"}, or [seconds, nanoseconds] beyond the year 9999
  {\"$float\": \"nan\"}              also inf, -inf, nan(0x7ff8000000000001)
  {\"$str\": \"/w==\"}               a str that is not UTF-8, in base64
  {\"$key:5\": \"x\"}                a key that is not a str, in diagnostic notation
A str key that would be taken for one of these has one more $ in front: {\"$$bin\": 1}.";

const UNPACK_EXAMPLES: &str = "\
Examples:
  packord unpack data.msgpack
  packord unpack --pretty data.msgpack.gz -o data.json
  packord unpack --records stream.msgpack | jq .name
  packord unpack --to diag data.msgpack

JSON keeps integers of any size as they are; floats always have a point or an exponent. What it
cannot say is written in the objects that `packord pack --help` lists, so that `pack` makes the
same values of it. With --strict such values end the command with exit code 1, as do integers
beyond 2^53 and keys that are there twice, which many readers of JSON do not keep.";

const INSPECT_EXAMPLES: &str = "\
Examples:
  packord inspect data.msgpack | less -R
  packord inspect --depth 2 data.msgpack
  packord inspect --range 0x300..0x400 --records data.msgpack
  printf '\\x93\\x01\\xa2hi\\xc0' | packord inspect

In invalid data, what is readable is shown first.";

const VALIDATE_EXAMPLES: &str = "\
Examples:
  packord validate data.msgpack
  packord validate --canonical data.msgpack
  packord validate --quiet --duplicates *.msgpack && echo good

Exit code 3 means that it is not valid MessagePack, 1 that it is, and that it fails what
--canonical or --duplicates ask for on top.";

const COMPARE_EXAMPLES: &str = "\
Examples:
  packord compare data.json
  packord compare --quick --html report.html data.json
  packord sample | packord compare --json > figures.json

Sizes are those of the whole document, each also as a ratio to compact JSON under the same
compressor. brotli 11 and zstd 19 are left out above 32 MB. Speeds are medians of interleaved
rounds, from a buffer in memory into each library's values and back; the spread is the middle
half of the rounds. Documents up to 64 MB are measured for speed.";

const SAMPLE_EXAMPLES: &str = "\
Examples:
  packord sample | packord compare --quick
  packord sample --seed 7 --size 10m -o events.json
  packord sample --lines --size 1g | packord pack -o events.msgpack";
