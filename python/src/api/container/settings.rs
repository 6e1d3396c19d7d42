//! How container files are written, from keyword arguments.

use packord::container::{Codec, DEFAULT_MAX_BLOCK, WriteOptions};
use pyo3::prelude::*;

use crate::api::arrow::checked;
use crate::api::functions::packed;
use crate::api::keywords::Keywords;
use crate::options::{EncodeOptions, NAIVE_UTC, USUAL};

/// How a file is written, the most bytes of a block, and the most rows of it.
pub fn file_options(keywords: &Keywords<'_>) -> PyResult<(WriteOptions, usize, u64)> {
    let mut write = WriteOptions::new();
    if keywords.get("codec").is_some() {
        let codecs = Codec::ALL.iter().filter(|codec| codec.is_supported());
        let codecs: Vec<_> = codecs.map(|codec| (codec.name(), *codec)).collect();
        write = write.codec(keywords.choice("codec", &codecs)?);
    }
    write = with(write, keywords.typed("level", "a small int")?, WriteOptions::level);
    let block_size = keywords.number("block_size")?.unwrap_or(4 << 20);
    let block_size = block_size.min(DEFAULT_MAX_BLOCK as usize);
    let block_rows = keywords.number("block_rows")?.unwrap_or(65_536).max(1) as u64;
    write = write
        .block_size(block_size)
        .block_rows(block_rows)
        .columns(keywords.get("columns").is_none() || keywords.truth("columns")?)
        .messages(keywords.truth("messages")?);
    let paths = keywords.typed::<Vec<String>>("stats", "a list of paths")?;
    write = with(write, paths, WriteOptions::stats);
    if let Some(meta) = keywords.get("meta") {
        let packed = value(meta)?;
        if !matches!(packed, packord::Value::Map(_)) {
            return Err(keywords.wrong_type("meta", "a dict", meta));
        }
        write = write.meta(packed);
    }
    if let Some(sync) = keywords.typed::<Vec<u8>>("sync", "bytes")? {
        let sync = sync.try_into();
        write = write.sync(sync.map_err(|_| keywords.wrong("sync", "must be 16 bytes"))?);
    }
    Ok((write, block_size, block_rows))
}

/// The options with one more, if it is given.
pub fn with<O, T>(options: O, value: Option<T>, set: impl FnOnce(O, T) -> O) -> O {
    match value {
        Some(value) => set(options, value),
        None => options,
    }
}

/// The value that an object is packed as; points in time are timestamps.
pub fn value(object: &Bound<'_, PyAny>) -> PyResult<packord::Value> {
    let options = EncodeOptions {
        flags: USUAL | NAIVE_UTC,
        ..EncodeOptions::USUAL
    };
    let encoder = unsafe { packed(object.as_ptr(), &options, None) };
    let encoder = encoder.ok_or_else(|| PyErr::fetch(object.py()))?;
    checked(object.py(), packord::DecodeOptions::new().decode(encoder.out.written()))
}
