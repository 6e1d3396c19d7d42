//! What `stats` finds out, as data: the table, the page and `--json` all show this.

use serde::Serialize;

/// All figures about one input.
#[derive(Serialize)]
pub struct Figures {
    /// The name of the input.
    pub name: String,
    /// Bytes of all messages.
    pub bytes: u64,
    /// How many messages there are.
    pub messages: u64,
    /// How many values, keys not counted.
    pub values: u64,
    /// How deep containers nest.
    pub depth: usize,
    /// The bytes by what they are for; together they are all.
    pub parts: Parts,
    /// By type, the largest first.
    pub types: Vec<Type>,
    /// By path, the largest first; a container's bytes include those of what is in it.
    pub paths: Vec<PathFigures>,
    /// Whether some paths were put together as `.*`, because there were too many.
    pub merged: bool,
    /// Keys that are in their map already.
    pub duplicate_keys: u64,
    /// Values that are not in their smallest form, and what that costs.
    pub wide_values: u64,
    /// Bytes above the smallest form.
    pub wide_bytes: u64,
    /// Floats in 64 bits that are the same in 32.
    pub exact_floats: u64,
    /// What writing it in other ways gives.
    pub rewritten: Vec<Rewritten>,
    /// What was left out, and why.
    pub notes: Vec<String>,
}

/// The bytes by what they are for.
#[derive(Clone, Copy, Default, Serialize)]
pub struct Parts {
    /// Keys of maps and of record definitions, with their headers.
    pub keys: u64,
    /// What the values are.
    pub values: u64,
    /// Markers, lengths, counts and ids of values. A small integer, a boolean and nil are all
    /// value.
    pub headers: u64,
}

/// One type.
#[derive(Serialize)]
pub struct Type {
    /// The name of the wire format's family.
    pub name: &'static str,
    /// How many there are, keys included.
    pub count: u64,
    /// Their own bytes; of a container its header.
    pub bytes: u64,
}

/// One pattern of paths.
#[derive(Serialize)]
pub struct PathFigures {
    /// `$.users[*].name`.
    pub path: String,
    /// How many values are there.
    pub count: u64,
    /// Their bytes, with their keys and all that is in them.
    pub bytes: u64,
    /// How much of that are keys: their own, and those within.
    pub keys: u64,
    /// The types that are there.
    pub types: String,
    /// How many containers are around it.
    pub depth: usize,
}

/// The data written in another way.
#[derive(Serialize)]
pub struct Rewritten {
    /// Which way.
    pub how: &'static str,
    /// Bytes of all messages then; each was measured by writing it.
    pub bytes: u64,
}
