//! The options of all commands that read MessagePack.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use clap::{Args, ValueEnum};

use super::container::ContainerReading;
use super::numbers::{defaults, size};
use crate::figures::columns::ColumnsFigures;

/// The default of the specification.
pub(super) const MAX_RECORD_KEYS: u32 = 1024;

/// Options for data that is read as MessagePack.
#[derive(Args, Clone, Debug)]
pub struct Reading {
    /// Whether to read records (ext type 0x72 of msgpackr): auto (if the first 64 KiB define one), always
    /// or never.
    #[arg(
        long,
        value_name = "WHEN",
        num_args = 0..=1,
        require_equals = true,
        default_value = "auto",
        default_missing_value = "always",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub records: Detected,
    /// Whether to read values that are stored by column (ext type 92): auto (if the first 64 KiB have one),
    /// always or never. Offsets and sizes are then those in plain MessagePack.
    #[arg(
        long,
        value_name = "WHEN",
        num_args = 0..=1,
        require_equals = true,
        default_value = "auto",
        default_missing_value = "always",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub columns: Detected,
    /// Whether columns stay an ext.
    #[arg(skip)]
    pub keeps_columns: bool,
    /// Whether a container file is read as it is, and not its rows.
    #[arg(skip)]
    pub keeps_blocks: bool,
    /// Counts the columns that are read.
    #[arg(skip)]
    pub seen_columns: Option<Rc<RefCell<ColumnsFigures>>>,
    /// The program whose ext types are assumed: fluentd (times),
    /// neovim (handles), csharp (LZ4) or msgpackr (a Set or an Error is read as an array).
    /// With csharp and msgpackr, offsets count the bytes after this is done.
    #[arg(long, value_name = "FAMILY", hide_possible_values = true, hide_short_help = true)]
    pub ext: Option<ExtFamily>,
    /// The encoding of an input that is text: hex or base64.
    #[arg(long, value_name = "ENCODING", hide_possible_values = true, hide_short_help = true)]
    pub encoding: Option<Encoding>,
    /// Leave out this number of bytes at the start of each input, as the 5 before a value of Confluent's serializers.
    /// With --encoding, they are counted after decoding. Offsets count from the byte after them.
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = 0,
        value_parser = size,
        hide_default_value = true,
        hide_short_help = true
    )]
    pub skip: u64,
    /// File of shared record structures, as `pack --shared` wrote it: a JSON list of lists of keys.
    /// Turns records on.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub shared: Option<PathBuf>,
    /// Keep record definitions until the end of the stream. Turns records on.
    #[arg(long, hide_short_help = true)]
    pub sequential: bool,
    /// Maximum number of keys of a record that the data defines. msgpackr has no such limit.
    #[arg(long, value_name = "N", default_value_t = MAX_RECORD_KEYS, hide_short_help = true)]
    pub max_record_keys: u32,
    /// How to read a str that is not UTF-8.
    #[arg(long, value_name = "MODE", default_value = "error", hide_short_help = true)]
    pub utf8: Utf8Mode,
    /// Maximum depth of containers.
    #[arg(long, value_name = "N", default_value_t = packord::DEFAULT_MAX_DEPTH, hide_short_help = true)]
    pub max_depth: u32,
    /// Maximum size of a str, bin or ext, and of a message that is held in memory, in bytes (k, m, g).
    #[arg(long, value_name = "BYTES", default_value = "1g", value_parser = size, hide_short_help = true)]
    pub max_message: u64,
    /// Do not decompress the input, and do not refuse what looks like another format.
    #[arg(long, hide_short_help = true)]
    pub as_is: bool,
    /// The options for container files.
    #[command(flatten)]
    pub container: ContainerReading,
}

impl Default for Reading {
    fn default() -> Reading {
        defaults()
    }
}

/// Whether records, or columns, are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Detected {
    /// If the first bytes have some.
    Auto,
    /// Always.
    Always,
    /// Never: they are ext values.
    Never,
}

/// Programs with ext types of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExtFamily {
    /// Fluentd and Fluent Bit.
    Fluentd,
    /// Neovim's RPC.
    Neovim,
    /// MessagePack-CSharp.
    Csharp,
    /// msgpackr.
    Msgpackr,
}

impl ExtFamily {
    /// Returns the name in the registry of ext types.
    #[must_use]
    pub fn owner(self) -> &'static str {
        match self {
            ExtFamily::Fluentd => "fluentd",
            ExtFamily::Neovim => "neovim",
            ExtFamily::Csharp => "messagepack-csharp",
            ExtFamily::Msgpackr => "msgpackr",
        }
    }
}

/// How bytes are written as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Encoding {
    /// Two hexadecimal digits for each byte.
    Hex,
    /// Four digits for three bytes. Those for addresses, and without padding, are read too.
    Base64,
}

/// How to read a str that is not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Utf8Mode {
    /// Report an error.
    Error,
    /// Replace each ill-formed sequence by U+FFFD.
    Replace,
    /// Keep its bytes.
    Raw,
}
