//! The options of `pack` and `container create` for input that is text.

use clap::Args;

use super::numbers::delimiter;

/// How CSV is read.
#[derive(Args, Clone, Copy, Debug)]
pub struct CsvOptions {
    /// CSV: the character between cells, or `tab`.
    #[arg(long, value_name = "CHARACTER", default_value = ",", value_parser = delimiter, hide_short_help = true)]
    pub delimiter: u8,
    /// CSV: the first row is data, and rows become arrays.
    #[arg(long, hide_short_help = true)]
    pub no_header: bool,
    /// CSV: all cells become str, numbers too.
    #[arg(long, hide_short_help = true)]
    pub cells_as_text: bool,
}

/// How CSV and JSON are read.
#[derive(Args, Clone, Copy, Debug)]
pub struct TextReading {
    /// How CSV is read.
    #[command(flatten)]
    pub csv: CsvOptions,
    /// Leave out rows of CSV and lines of JSON that cannot be read, and say at the end how many. Each line of JSON is
    /// read by itself.
    #[arg(long)]
    pub skip_bad: bool,
    /// JSON: write integers beyond 64 bits as ext type 0x42, as msgpackr does. Without, they are an error.
    #[arg(long, hide_short_help = true)]
    pub bigint: bool,
    /// JSON: read objects like {"$bin": "…"} as plain objects.
    #[arg(long, hide_short_help = true)]
    pub plain: bool,
}
