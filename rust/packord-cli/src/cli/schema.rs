//! The options of `schema`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::reading::Reading;

/// `packord schema`
#[derive(Args, Debug)]
pub struct Schema {
    /// Files to read. The types are those of the messages of all of them.
    pub files: Vec<PathBuf>,
    /// Output file, which appears when it is complete [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// What to write.
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub to: SchemaFormat,
    /// Name of the type of the messages, in the form `UserAddress`.
    #[arg(long, value_name = "NAME", default_value = "Root")]
    pub name: String,
    /// Look into this number of messages of each file only. They are chosen at random, the same ones in
    /// each run, and held in memory, in at most --max-message bytes.
    #[arg(long, value_name = "N")]
    pub sample: Option<usize>,
    /// Write the least and the greatest number and length that was seen into a JSON Schema, too.
    #[arg(long)]
    pub ranges: bool,
    /// The options for reading.
    #[command(flatten)]
    pub reading: Reading,
}

/// What `schema` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaFormat {
    /// A line for each path: its type, how often it is there if it is optional, and which values were seen.
    Table,
    /// JSON Schema 2020-12.
    JsonSchema,
    /// Structs of Rust, for serde and for packord's derive.
    Rust,
    /// Interfaces of TypeScript.
    Typescript,
    /// Dataclasses of Python.
    Python,
    /// Specs of Clojure.
    Clojure,
    /// Records of Java.
    Java,
}
