//! The limits of the tool that no option sets, in one place. `README.md` lists those that users meet.

use std::time::Duration;

/// Bytes of output that are collected before they are written.
pub const CHUNK: usize = 64 << 10;
/// Bytes by which other formats, records and columns are recognised.
pub const PEEK: usize = 64 << 10;
/// How long the first bytes of a pipe may pause before the input is read as they say.
pub const PAUSE: Duration = Duration::from_millis(100);
/// How long they may take to come.
pub const PATIENCE: Duration = Duration::from_secs(1);
/// Bytes of an input that is held in memory as a whole.
pub const INPUT: u64 = 1_000_000_000;
/// Bytes of standard input that `repair` keeps in memory, and not in a file, to go on after a fault.
pub const TAPE: usize = 64 << 20;
/// Bytes of a line of JSON, where lines that cannot be read are left out.
pub const JSON_LINE: usize = 32 << 20;
/// Bytes of a CSV row: a quote that is never closed makes the rest of the input one row.
pub const CSV_ROW: u64 = 32 << 20;
/// Bytes of an input of `compare`.
pub const COMPARE: u64 = 256 << 20;
/// Bytes of a document that `compare` measures for speed: each library holds it once.
pub const COMPARE_SPEED: usize = 64 << 20;
/// Bytes of a document that `compare` gives to brotli 11 and zstd 19, which take about a second for
/// each megabyte.
pub const COMPARE_SLOW: usize = 32 << 20;
/// Bytes that a page of `inspect` shows: the page is about five times as large, and a browser is slow
/// with more.
pub const PAGE: usize = 2 << 20;
/// Bytes of a page that show the body of one block of a container file: so that those of several fit.
pub const PAGE_BODY: usize = 256 << 10;
/// Bytes of a value that a page shows.
pub const PAGE_VALUE: usize = 64 << 10;
/// Digits of an integer in JSON. The time to convert it is quadratic in this number.
pub const BIGINT_DIGITS: usize = 20_000;
/// Bytes of an integer that is written as digits, for the same reason. Longer ones stay ext values.
pub const BIGINT_BYTES: usize = 8 << 10;
/// Faults that `validate --all` shows. After a damaged length, almost every byte is a fault.
pub const FAULTS: usize = 100;
/// Values of a message that is measured in other encodings: more would take gigabytes.
pub const REWRITTEN_VALUES: u64 = 20_000_000;
/// Distinct keys of a map in `stats`. A map with more is a dictionary, whose entries are one path.
pub const STATS_KEYS: usize = 256;
/// Paths that `stats` tells apart.
pub const STATS_PATHS: usize = 100_000;

/// Rows of a table whose keys become its header.
pub const TABLE_HEAD_ROWS: usize = 1000;
/// Bytes of rows, in MessagePack, that wait for the header.
pub const TABLE_HEAD: usize = 16 << 20;

/// Distinct keys of a map in `schema`. A map with more is a dictionary, whose values have one type.
pub const SCHEMA_KEYS: usize = 256;
/// Paths that `schema` tells apart. Beyond, any value is allowed.
pub const SCHEMA_SHAPES: usize = 100_000;
/// Open containers around a value whose type is inferred.
pub const SCHEMA_DEPTH: usize = 64;

/// Formats a limit for a message: `32 MiB`.
#[must_use]
pub fn mebibytes(limit: u64) -> String {
    format!("{} MiB", limit >> 20)
}
