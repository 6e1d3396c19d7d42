//! The results of `compare` and `stats` as data, which tables, pages and `--json` show.

pub mod columns;
pub mod compare;
pub mod stats;
