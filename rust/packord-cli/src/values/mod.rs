//! What the tool knows of values: their paths, ext types and encodings.

pub mod hints;
pub mod packed;
pub mod path;
pub mod plain_maps;
pub mod registry;
pub mod rewrite;
pub mod value_builder;
