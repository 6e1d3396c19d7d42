//! What `container info` says of a file.

use serde::Serialize;

/// A container file. Sizes and offsets are in bytes.
#[derive(Debug, Serialize)]
pub struct ContainerFigures {
    /// The name of the file.
    pub name: String,
    /// Its size, after decompression.
    pub bytes: u64,
    /// Whether it is compressed as a whole, or comes through a pipe. Its index is not read then.
    pub stream: bool,
    /// The version of the format.
    pub version: u8,
    /// The sync bytes in hexadecimal.
    pub sync: String,
    /// The codec of blocks that name none.
    pub codec: String,
    /// The paths whose statistics are kept, if the header names them.
    pub stats: Option<Vec<String>>,
    /// The entries of the header for programs.
    pub meta: serde_json::Value,
    /// The offset of the index, if there is one that can be used.
    pub index: Option<u64>,
    /// The number of rows.
    pub rows: u64,
    /// The number of messages that are not rows.
    pub messages: u64,
    /// The number of blocks.
    pub blocks: u64,
    /// The size of all bodies. `None` if the blocks were not read.
    pub body: Option<u64>,
    /// The size of all blocks in the file.
    pub stored: u64,
    /// The types of the values, by path, if the index has them.
    pub schema: Option<serde_json::Map<String, serde_json::Value>>,
    /// What the statistics of all blocks say, by path.
    pub statistics: serde_json::Map<String, serde_json::Value>,
    /// Indexes that are not used any more. `None` if the blocks were not read.
    pub dead: Option<DeadIndexes>,
    /// What is damaged. `None` if the blocks were not read.
    pub damage: Option<Vec<DamagedRange>>,
    /// Each block, with `--blocks`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_list: Option<Vec<BlockFigures>>,
}

/// Indexes that later ones replace.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct DeadIndexes {
    /// Their number.
    pub indexes: u64,
    /// Their size, with marks and trailers.
    pub bytes: u64,
}

/// A range of bytes that holds no whole block.
#[derive(Debug, Serialize)]
pub struct DamagedRange {
    /// The offset of its first byte.
    pub from: u64,
    /// The offset after its last byte.
    pub to: u64,
    /// What is wrong.
    pub error: String,
}

/// A block.
#[derive(Debug, Serialize)]
pub struct BlockFigures {
    /// The offset of its mark.
    pub offset: u64,
    /// Its size in the file.
    pub stored: u64,
    /// The size of its body.
    pub body: u64,
    /// The number of chunks that the body is compressed in.
    pub chunks: usize,
    /// `rows` or `messages`.
    pub kind: &'static str,
    /// Their number.
    pub count: u64,
    /// How the body is compressed.
    pub codec: String,
}
