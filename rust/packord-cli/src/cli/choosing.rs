//! The options of `unpack` and `get` that say which values are written, in which order and format.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::container::READING;
use super::numbers::range;

/// The formats that `unpack` and `get` write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// JSON, one value per line (NDJSON).
    #[default]
    #[value(alias = "ndjson")]
    Json,
    /// A table with commas: a row for each map, and a header with their keys.
    Csv,
    /// The same with tabs.
    Tsv,
    /// MessagePack. Records become maps.
    Msgpack,
    /// Diagnostic notation. Without other options, `unpack` preserves every byte.
    Diag,
    /// A file of Apache Arrow (Feather 2): rows are maps, or arrays of maps. They are held in memory.
    #[value(alias = "feather")]
    Arrow,
    /// The same for Apache Parquet, compressed with zstd.
    Parquet,
}

impl OutputFormat {
    /// Returns whether the output is not text.
    #[must_use]
    pub fn is_binary(self) -> bool {
        matches!(
            self,
            OutputFormat::Msgpack | OutputFormat::Arrow | OutputFormat::Parquet
        )
    }

    /// Returns whether the output has rows, and nothing between them.
    #[must_use]
    pub fn is_table(self) -> bool {
        matches!(
            self,
            OutputFormat::Csv | OutputFormat::Tsv | OutputFormat::Arrow | OutputFormat::Parquet
        )
    }
}

/// What `unpack` and `get` have in common: which values are written, and how.
#[derive(Args, Clone, Debug, Default)]
pub struct Showing {
    /// Files to read, one after another.
    pub files: Vec<PathBuf>,
    /// The options that choose.
    #[command(flatten)]
    pub choosing: Choosing,
    /// Output file, which appears when it is complete [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Format of the output. In JSON, each value is one line, so several become NDJSON.
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    pub to: OutputFormat,
    /// Write each element and entry on its own line, indented.
    #[arg(short, long)]
    pub pretty: bool,
    /// Keep reading as the file grows, until the program is interrupted.
    #[arg(long)]
    pub follow: bool,
    /// Write the name of the file and a tab before each value.
    #[arg(long, hide_short_help = true)]
    pub file_names: bool,
    /// Write bytes to a terminal too.
    #[arg(long, hide_short_help = true)]
    pub force: bool,
    /// Only the rows of the blocks of a container file that begin in this range of bytes, as `container split` prints
    /// them.
    #[arg(long, value_name = "A..B", value_parser = range, conflicts_with = "follow", help_heading = READING, hide_short_help = true)]
    pub range: Option<(u64, u64)>,
    /// Report on standard error how many blocks, rows and bytes of container files were read, and how many blocks were
    /// skipped.
    #[arg(long, help_heading = READING, hide_short_help = true)]
    pub stats: bool,
}

/// Options of `get` that make one value of many.
#[derive(Args, Clone, Debug, Default)]
pub struct Totals {
    /// Write the sum of the numbers at this path. Integers are added exactly.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["keys", "paths"], hide_short_help = true)]
    pub sum: Option<String>,
    /// Write the average of the numbers at this path.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["keys", "paths"], hide_short_help = true)]
    pub avg: Option<String>,
    /// Write the least value at this path, in the order of --sort-by, without nil.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["keys", "paths"], hide_short_help = true)]
    pub min: Option<String>,
    /// Write the greatest value at this path.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["keys", "paths"], hide_short_help = true)]
    pub max: Option<String>,
}

impl Totals {
    /// Returns the paths.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let paths = [&self.sum, &self.avg, &self.min, &self.max];
        paths.into_iter().filter_map(|path| path.as_deref())
    }

    /// Returns whether any of them is given.
    #[must_use]
    pub fn is_used(&self) -> bool {
        self.paths().next().is_some()
    }
}

/// Options that choose and order what is written.
#[derive(Args, Clone, Debug, Default)]
pub struct Choosing {
    /// Only messages that match: `level == "error"`.
    #[arg(long = "where", value_name = "TEST")]
    pub filter: Option<String>,
    /// Write maps of these entries: `id, boss.name, first: tags[0]`.
    #[arg(long, value_name = "ENTRIES")]
    pub select: Option<String>,
    /// Sort by the values at these paths: `level, ms desc`. All values are held in memory (limit: --max-message).
    #[arg(long, value_name = "PATHS")]
    pub sort_by: Option<String>,
    /// Sort from the greatest to the least.
    #[arg(long, requires = "sort_by", hide_short_help = true)]
    pub descending: bool,
    /// Stop after this number of values.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
}

impl Choosing {
    /// Returns whether any of them is given.
    #[must_use]
    pub fn is_used(&self) -> bool {
        self.filter.is_some() || self.select.is_some() || self.sort_by.is_some() || self.limit.is_some()
    }
}
