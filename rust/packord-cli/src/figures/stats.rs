//! The figures of `stats`.

use serde::Serialize;

use super::columns::ColumnsFigures;

/// All figures about one input.
#[derive(Serialize)]
pub struct StatsFigures {
    /// The name of the input.
    pub name: String,
    /// Bytes of all messages.
    pub bytes: u64,
    /// The number of messages.
    pub messages: u64,
    /// The number of values, without keys.
    pub values: u64,
    /// The greatest depth.
    pub depth: usize,
    /// The bytes by purpose. The parts add up to `bytes`.
    pub parts: ByteParts,
    /// By type, the largest first.
    pub types: Vec<TypeFigures>,
    /// By path, the largest first. The bytes of a container include those of its content.
    pub paths: Vec<PathFigures>,
    /// Which paths were merged as `.*`, and why, as sentences.
    pub merged: Vec<String>,
    /// Keys that occur twice in their map.
    pub duplicate_keys: u64,
    /// Values that are not in their smallest encoding.
    pub wide_values: u64,
    /// The bytes that the smallest encodings would save.
    pub wide_bytes: u64,
    /// Floats of 64 bits that 32 bits hold exactly.
    pub exact_floats: u64,
    /// The size in other encodings.
    pub rewritten: Vec<Alternative>,
    /// The values that are stored by column. All other figures count them as they are plainly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<ColumnsFigures>,
    /// What was left out, and why.
    pub notes: Vec<String>,
}

/// The bytes by purpose.
#[derive(Clone, Copy, Default, Serialize)]
pub struct ByteParts {
    /// Keys of maps and of record definitions, with their headers.
    pub keys: u64,
    /// Payloads of values. A small integer, a bool and nil are all payload.
    pub values: u64,
    /// Headers of values: markers, lengths, counts and ids.
    pub headers: u64,
}

/// One type.
#[derive(Serialize)]
pub struct TypeFigures {
    /// The name of the type.
    pub name: &'static str,
    /// The number of values, keys included.
    pub count: u64,
    /// Their bytes. A container counts with its header only.
    pub bytes: u64,
}

/// One pattern of paths.
#[derive(Serialize)]
pub struct PathFigures {
    /// `$.users[*].name`.
    pub path: String,
    /// The number of values.
    pub count: u64,
    /// Their bytes, with their keys and content.
    pub bytes: u64,
    /// The bytes of keys in `bytes`: their own keys, and those in their content.
    pub keys: u64,
    /// The types of the values.
    pub types: String,
    /// The number of containers around the path.
    pub depth: usize,
}

/// The size of the data in another encoding.
#[derive(Serialize)]
pub struct Alternative {
    /// The encoding.
    pub how: &'static str,
    /// Bytes of all messages, measured by writing them.
    pub bytes: u64,
}
