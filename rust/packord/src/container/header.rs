//! [`FileHeader`]: what a container file says about itself (`spec/container.md` section 1).

use super::codec::Codec;
use super::head::HeadElements;
use super::input::Input;
use super::path::RowPath;
use super::plain::{after, str_of};
use crate::DEFAULT_MAX_DEPTH;
use crate::encode::EncodeOptions;
use crate::error::{Error, ErrorKind, Result};
use crate::options::DecodeOptions;
use crate::value::{Map, Tree, Value};
use crate::wire::Store;
use crate::wire::header::Kind;
use crate::wire::marker as m;
use alloc::boxed::Box;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use std::io::Read;

/// The bytes with which every container file begins.
pub const MAGIC: [u8; 10] = *b"\x94\xa7packord\x01";
/// Bytes of a mark.
pub(super) const MARK: usize = 18;
/// Bytes of a trailer.
pub(super) const TRAILER: usize = 15;
/// The first bytes of marks and trailers.
pub(super) const MARK_START: [u8; 2] = [m::FIXEXT16, super::EXT_TYPE as u8];
pub(super) const TRAILER_START: [u8; 3] = [m::EXT8, 12, super::EXT_TYPE as u8];

/// The error of a file or a block in which something is wrong.
#[cold]
pub(super) fn wrong(detail: impl Into<Box<str>>) -> Error {
    Error::new(ErrorKind::InvalidContainer).with_detail(detail)
}

/// The error of what is wrong at an offset.
#[cold]
pub(super) fn wrong_at(offset: u64, detail: impl Into<Box<str>>) -> Error {
    Error::at(ErrorKind::InvalidContainer, offset).with_detail(detail)
}

/// The header of a container file. A clone shares it.
///
/// ```
/// use packord::container::{Codec, Reader, WriteOptions, Writer};
/// use packord::Value;
///
/// let options = WriteOptions::new().codec(Codec::Deflate).meta([("origin", "here")]).stats(["id"]);
/// let file = Writer::new(Vec::new(), &options)?.finish()?;
/// let reader = Reader::new(&file[..])?;
/// let header = reader.header();
/// assert_eq!(header.codec(), Some(Codec::Deflate));
/// assert_eq!(header.meta().unwrap().get("origin").unwrap(), "here");
/// assert_eq!(header.stats().unwrap()[0].as_str(), "id");
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone)]
pub struct FileHeader(Arc<HeaderParts>);

#[derive(Clone)]
struct HeaderParts {
    sync: [u8; 16],
    codec: Box<str>,
    meta: Option<Map<Box<str>, Box<[u8]>>>,
    stats: Option<Vec<RowPath>>,
    size: u64,
}

impl FileHeader {
    /// Returns the 16 sync bytes, which every mark of the file has.
    #[must_use]
    pub fn sync(&self) -> &[u8; 16] {
        &self.0.sync
    }

    /// Returns the codec of blocks that name none; `None` if the specification does not have it.
    #[must_use]
    pub fn codec(&self) -> Option<Codec> {
        Codec::from_name(&self.0.codec)
    }

    /// Returns the name of this codec as the file has it.
    #[must_use]
    pub fn codec_name(&self) -> &str {
        &self.0.codec
    }

    /// Returns the map of the program's own.
    #[must_use]
    pub fn meta(&self) -> Option<&Map<Box<str>, Box<[u8]>>> {
        self.0.meta.as_ref()
    }

    /// Returns the paths whose statistics are kept, if the file names them.
    #[must_use]
    pub fn stats(&self) -> Option<&[RowPath]> {
        self.0.stats.as_deref()
    }

    /// Returns the size of the header in bytes: the offset of the first mark.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// Returns the mark of blocks and indexes.
    pub(super) fn mark(&self) -> [u8; MARK] {
        let mut mark = [0; MARK];
        let (start, sync) = mark.split_at_mut(MARK_START.len());
        start.copy_from_slice(&MARK_START);
        sync.copy_from_slice(&self.0.sync);
        mark
    }

    /// Makes the header of a new file, and its bytes.
    pub(super) fn write(
        sync: [u8; 16],
        codec: Codec,
        meta: Option<&Map<Box<str>, Box<[u8]>>>,
        stats: Option<&[RowPath]>,
    ) -> Result<(FileHeader, Vec<u8>)> {
        let text = |text: &str| Tree::Str(Box::from(text));
        let mut options: Vec<(Value, Value)> = Vec::new();
        options.push((text("sync"), Tree::Bin(sync.into())));
        options.push((text("codec"), text(codec.name())));
        if let Some(meta) = meta {
            options.push((text("meta"), Tree::Map(meta.clone())));
        }
        if let Some(stats) = stats {
            let paths = stats.iter().map(|path| text(path.as_str()));
            options.push((text("stats"), paths.collect()));
        }
        let mut bytes = MAGIC.to_vec();
        EncodeOptions::new().encode_into(&Value::from(options), &mut bytes)?;
        bytes.put_uint(crc32c::crc32c(&bytes).into())?;
        let parts = HeaderParts {
            sync,
            codec: codec.name().into(),
            meta: meta.cloned(),
            stats: stats.map(<[RowPath]>::to_vec),
            size: bytes.len() as u64,
        };
        Ok((FileHeader(Arc::new(parts)), bytes))
    }

    pub(super) fn read<R: Read>(input: &mut Input<R>, max: u64) -> Result<FileHeader> {
        let whole = input.fill(MAGIC.len())?;
        let there = input.rest().len().min(MAGIC.len());
        if input.rest()[..there] != MAGIC[..there] {
            return Err(wrong_at(0, "not a container file"));
        }
        if !whole {
            return Err(input.eof());
        }
        HeaderReader {
            input,
            begin: MAGIC.len(),
            at: MAGIC.len(),
            max,
        }
        .read()
    }
}

impl fmt::Debug for FileHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileHeader")
            .field("codec", &self.0.codec)
            .field("stats", &self.0.stats)
            .field("size", &self.0.size)
            .finish_non_exhaustive()
    }
}

/// Reads the map of options, whose checksum is right, entry by entry. It stays in the window of the input.
struct HeaderReader<'i, R> {
    input: &'i mut Input<R>,
    /// Where the map begins, and the next value.
    begin: usize,
    at: usize,
    /// The most bytes of the map.
    max: u64,
}

impl<R: Read> HeaderReader<'_, R> {
    fn read(mut self) -> Result<FileHeader> {
        let count = self.map()?;
        let end = self.begin + self.whole()?;
        let whole = self.check_crc(end)?;
        let mut sync = None;
        let mut parts = HeaderParts {
            sync: [0; 16],
            codec: Codec::None.name().into(),
            meta: None,
            stats: None,
            size: 0,
        };
        for _ in 0..count {
            let key_at = self.at;
            let key = str_of(self.pass())
                .and_then(|key| core::str::from_utf8(key).ok())
                .map(Box::<str>::from);
            let key = key.as_deref().unwrap_or_default();
            if key.starts_with('!') {
                return Err(wrong_at(key_at as u64, format!("unknown option {key}")));
            }
            let value_at = self.at;
            let bytes = self.pass();
            let value = || DecodeOptions::new().decode(bytes);
            let is_right = match key {
                "sync" => {
                    sync = value()?.as_bin().and_then(|bytes| bytes.try_into().ok());
                    sync.is_some()
                }
                "codec" => match value()? {
                    Tree::Str(name) => {
                        parts.codec = name;
                        true
                    }
                    _ => false,
                },
                "meta" => match value()? {
                    Tree::Map(map) => {
                        parts.meta = Some(map);
                        true
                    }
                    _ => false,
                },
                "stats" => {
                    parts.stats = paths(&value()?);
                    parts.stats.is_some()
                }
                _ => true,
            };
            if !is_right {
                return Err(wrong_at(value_at as u64, format!("option {key} has a wrong value")));
            }
        }
        let begin = self.begin as u64;
        parts.sync = sync.ok_or_else(|| wrong_at(begin, "option sync is missing"))?;
        parts.size = whole as u64;
        self.input.consume(whole);
        Ok(FileHeader(Arc::new(parts)))
    }

    /// Reads the header of the map, and returns how many entries it has.
    fn map(&mut self) -> Result<usize> {
        let head = self.input.container(self.at, Kind::Map)?;
        let head = head.ok_or_else(|| wrong_at(self.at as u64, "the options are not a map"))?;
        self.at = head.end;
        if head.values + (head.end - self.begin) as u64 > self.max {
            return Err(Error::at(ErrorKind::LengthLimit, self.begin as u64));
        }
        Ok(head.count as usize)
    }

    /// Compares the checksum, which follows the map, and returns where it ends.
    fn check_crc(&mut self, at: usize) -> Result<usize> {
        let mut elements = HeadElements::new(self.input, at, at as u64);
        let (announced, end) = (elements.crc()?, elements.at);
        if announced == crc32c::crc32c(&self.input.rest()[..at]) {
            return Ok(end);
        }
        Err(wrong_at(at as u64, "the checksum of the header is wrong"))
    }

    /// Moves past the next key or value, which was checked, and returns it.
    fn pass(&mut self) -> &[u8] {
        let value = self.input.rest().get(self.at..).unwrap_or_default();
        let len = value.len() - after(value).map_or(0, <[u8]>::len);
        self.at += len;
        &value[..len]
    }

    /// Checks the map as one value, so that its entries count as announced, and returns its length.
    fn whole(&mut self) -> Result<usize> {
        let max = self.max.saturating_add(self.begin as u64);
        let len = self.input.value(self.begin, DEFAULT_MAX_DEPTH, max, max);
        len.map_err(|error| match error.kind() {
            // No other limit is set.
            ErrorKind::LengthLimit => Error::at(ErrorKind::LengthLimit, self.begin as u64),
            _ => error,
        })
    }
}

/// Returns the paths. One that names nothing is kept, and is missing in every row.
fn paths(value: &Value) -> Option<Vec<RowPath>> {
    let list = value.as_array()?.iter();
    list.map(|path| path.as_str().map(RowPath::new)).collect()
}
