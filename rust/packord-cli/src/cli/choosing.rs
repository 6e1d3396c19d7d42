//! The options of `unpack` and `get` that say which values are written, in which order and format.

use clap::{Args, ValueEnum};

/// The formats that `unpack` and `get` write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// JSON, one value per line (NDJSON).
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

/// Options that choose and order what is written.
#[derive(Args, Clone, Debug, Default)]
pub struct Choosing {
    /// Only the messages for which this holds: `level == "error"`.
    #[arg(long = "where", value_name = "TEST")]
    pub filter: Option<String>,
    /// Write maps of these entries: `id, boss.name, first: tags[0]`.
    #[arg(long, value_name = "ENTRIES")]
    pub select: Option<String>,
    /// Sort by the value at this path in each. They are held in memory, in at most --max-message bytes.
    #[arg(long, value_name = "PATH")]
    pub sort_by: Option<String>,
    /// Sort from the greatest to the least.
    #[arg(long, requires = "sort_by")]
    pub descending: bool,
    /// Write at most this number of values, and end then.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
}

impl Choosing {
    /// Returns whether any of them is given.
    #[must_use]
    pub fn is_used(&self) -> bool {
        self.filter.is_some()
            || self.select.is_some()
            || self.sort_by.is_some()
            || self.limit.is_some()
    }
}
