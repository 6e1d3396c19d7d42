//! How container files are written, from keyword arguments.

use packord::container::{Codec, DEFAULT_MAX_BLOCK, WriteOptions};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::api::functions::packed;
use crate::api::keywords::Keywords;
use crate::options::{EncodeOptions, NAIVE_UTC, USUAL};

/// How a file is written.
pub struct FileOptions {
    pub write: WriteOptions,
    pub block_size: usize,
    pub block_rows: u64,
}

impl FileOptions {
    /// Takes the keywords that are about files.
    pub fn take(keywords: &Keywords<'_>) -> PyResult<FileOptions> {
        let mut write = WriteOptions::new();
        if let Some(name) = keywords.take("codec")? {
            let name: String = name.extract()?;
            let codec = Codec::from_name(&name).filter(|codec| codec.is_supported());
            write = write.codec(codec.ok_or_else(|| {
                let names = Codec::ALL.iter().filter(|codec| codec.is_supported());
                let names: Vec<_> = names.map(|codec| format!("{:?}", codec.name())).collect();
                let names = names.join(" or ");
                PyValueError::new_err(format!("codec must be {names}, not {name:?}"))
            })?);
        }
        if let Some(level) = keywords.take("level")? {
            write = write.level(level.extract()?);
        }
        let block_size = keywords.number("block_size")?.unwrap_or(4 << 20);
        let block_size = block_size.min(DEFAULT_MAX_BLOCK as usize);
        let block_rows = keywords.number("block_rows")?.unwrap_or(65_536).max(1) as u64;
        write = write
            .block_size(block_size)
            .block_rows(block_rows)
            .columns(!keywords.has("columns")? || keywords.truth("columns")?)
            .messages(keywords.truth("messages")?);
        if let Some(stats) = keywords.take("stats")? {
            let paths: Vec<String> = stats.extract()?;
            write = write.stats(&paths);
        }
        if let Some(meta) = keywords.take("meta")? {
            let meta = value(&meta)?;
            if !matches!(meta, packord::Value::Map(_)) {
                return Err(PyTypeError::new_err("meta must be a dict"));
            }
            write = write.meta(meta);
        }
        if let Some(sync) = keywords.bytes("sync")? {
            let sync: Result<[u8; 16], _> = sync.try_into();
            write = write.sync(sync.map_err(|_| PyValueError::new_err("sync must be 16 bytes"))?);
        }
        Ok(FileOptions {
            write,
            block_size,
            block_rows,
        })
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
    let value = packord::DecodeOptions::new().decode(encoder.out.written());
    value.map_err(|error| crate::api::arrow::decode_error(object.py(), &error))
}
