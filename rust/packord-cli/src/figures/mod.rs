//! The results of `compare`, `container info` and `stats` as data, which tables, pages and `--json` show.

pub mod columns;
pub mod compare;
pub mod container;
pub mod stats;
pub mod units;
