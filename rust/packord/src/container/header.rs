//! [`FileHeader`]: what a container file says about itself (`spec/container.md` section 1).

use super::codec::Codec;
use super::input::Input;
use super::path::RowPath;
use super::plain::{after, map_of, str_of};
use crate::encode::EncodeOptions;
use crate::error::{Error, ErrorKind, Result};
use crate::options::DecodeOptions;
use crate::record::{Structure, Structures};
use crate::value::{Map, Tree, Value};
use crate::wire::Store;
use crate::wire::header::Header;
use crate::wire::marker as m;
use alloc::boxed::Box;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use std::io::Read;

/// The bytes with which every container file begins.
pub const MAGIC: [u8; 10] = *b"\x93\xa7packord\x01";
/// Bytes of a mark.
pub(super) const MARK: usize = 18;
/// Bytes of a trailer.
pub(super) const TRAILER: usize = 10;
/// The first bytes of marks and trailers.
pub(super) const MARK_START: [u8; 2] = [m::FIXEXT16, super::EXT_TYPE as u8];
pub(super) const TRAILER_START: [u8; 2] = [m::FIXEXT8, super::EXT_TYPE as u8];
/// The most shared structures of a file.
const MAX_STRUCTURES: usize = 8160;
/// The containers that may be open in a key or value of the map of options, which is in two.
const MAX_DEPTH: u32 = crate::DEFAULT_MAX_DEPTH - 2;

/// The header of a container file. A clone shares it.
///
/// ```
/// use packord::container::{Codec, Reader, WriteOptions, Writer};
/// use packord::Value;
///
/// let options = WriteOptions::new().codec(Codec::Deflate).meta([("origin", "here")]).key(["id"]);
/// let file = Writer::new(Vec::new(), &options)?.finish()?;
/// let reader = Reader::new(&file[..])?;
/// let header = reader.header();
/// assert_eq!(header.codec(), Some(Codec::Deflate));
/// assert_eq!(header.meta().unwrap().get("origin").unwrap(), "here");
/// assert_eq!(header.key().unwrap()[0].as_str(), "id");
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone)]
pub struct FileHeader(Arc<HeaderParts>);

#[derive(Clone)]
struct HeaderParts {
    sync: [u8; 16],
    codec: Box<str>,
    structures: Option<Structures>,
    dictionary: Vec<u8>,
    meta: Option<Map<Box<str>, Box<[u8]>>>,
    key: Option<Vec<RowPath>>,
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

    /// Returns the shared structures of records in all bodies, if the file has a list of them.
    #[must_use]
    pub fn structures(&self) -> Option<&Structures> {
        self.0.structures.as_ref()
    }

    /// Returns the zstd dictionary; it is empty if there is none.
    #[must_use]
    pub fn dictionary(&self) -> &[u8] {
        &self.0.dictionary
    }

    /// Returns the map of the program's own.
    #[must_use]
    pub fn meta(&self) -> Option<&Map<Box<str>, Box<[u8]>>> {
        self.0.meta.as_ref()
    }

    /// Returns the paths whose statistics are kept, if the file names them.
    #[must_use]
    pub fn key(&self) -> Option<&[RowPath]> {
        self.0.key.as_deref()
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
        structures: Option<&Structures>,
        dictionary: &[u8],
        meta: Option<&Map<Box<str>, Box<[u8]>>>,
        key: Option<&[RowPath]>,
    ) -> Result<(FileHeader, Vec<u8>)> {
        let text = |text: &str| Tree::Str(Box::from(text));
        let mut options: Vec<(Value, Value)> = Vec::new();
        options.push((text("sync"), Tree::Bin(sync.into())));
        options.push((text("codec"), text(codec.name())));
        if let Some(structures) = structures {
            if structures.len() > MAX_STRUCTURES {
                return Err(Error::new(ErrorKind::LengthLimit).with_path("structures"));
            }
            let list = structures.iter().map(|structure| {
                let keys: Value = structure.keys().map(text).collect();
                keys
            });
            options.push((text("structures"), list.collect()));
        }
        if !dictionary.is_empty() {
            options.push((text("dictionary"), Tree::Bin(dictionary.into())));
        }
        if let Some(meta) = meta {
            options.push((text("meta"), Tree::Map(meta.clone())));
        }
        if let Some(key) = key {
            let paths = key.iter().map(|path| text(path.as_str()));
            options.push((text("key"), paths.collect()));
        }
        let mut bytes = MAGIC.to_vec();
        bytes.put_map(options.len())?;
        let encode = EncodeOptions::new().max_depth(MAX_DEPTH);
        for (key, value) in &options {
            encode.encode_into(key, &mut bytes)?;
            encode.encode_into(value, &mut bytes)?;
        }
        let parts = HeaderParts {
            sync,
            codec: codec.name().into(),
            structures: structures.cloned(),
            dictionary: dictionary.to_vec(),
            meta: meta.cloned(),
            key: key.map(<[RowPath]>::to_vec),
            size: bytes.len() as u64,
        };
        Ok((FileHeader(Arc::new(parts)), bytes))
    }

    /// Reads the header at the start of a file.
    pub(super) fn read<R: Read>(input: &mut Input<R>, max: u64) -> Result<FileHeader> {
        let whole = input.fill(MAGIC.len())?;
        let there = input.rest().len().min(MAGIC.len());
        if input.rest()[..there] != MAGIC[..there] {
            let detail = "not a container file";
            return Err(Error::at(ErrorKind::InvalidExt, 0).with_detail(detail));
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
            .field(
                "structures",
                &self.0.structures.as_ref().map(Structures::len),
            )
            .field("dictionary", &self.0.dictionary.len())
            .field("key", &self.0.key)
            .field("size", &self.0.size)
            .finish_non_exhaustive()
    }
}

/// Reads the map of options entry by entry. It stays in the window of the input.
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
        let whole = self.begin + self.whole()?;
        let mut sync = None;
        let mut parts = HeaderParts {
            sync: [0; 16],
            codec: Codec::None.name().into(),
            structures: None,
            dictionary: Vec::new(),
            meta: None,
            key: None,
            size: 0,
        };
        for _ in 0..count {
            let key_at = self.at;
            let key = str_of(self.pass())
                .and_then(|key| core::str::from_utf8(key).ok())
                .map(Box::<str>::from);
            let key = key.as_deref().unwrap_or_default();
            if key.starts_with('!') {
                let error = Error::at(ErrorKind::InvalidExt, key_at as u64);
                return Err(error.with_detail(format!("unknown option {key}")));
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
                "structures" => structures(&value()?).is_some_and(|found| {
                    parts.structures = Some(found);
                    true
                }),
                "dictionary" => match value()? {
                    Tree::Bin(bytes) => {
                        parts.dictionary = bytes.into_vec();
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
                "key" => paths(&value()?).is_some_and(|found| {
                    parts.key = Some(found);
                    true
                }),
                _ => true,
            };
            if !is_right {
                let error = Error::at(ErrorKind::InvalidExt, value_at as u64);
                return Err(error.with_detail(format!("option {key} has a wrong value")));
            }
        }
        let begin = self.begin as u64;
        parts.sync = sync.ok_or_else(|| {
            Error::at(ErrorKind::InvalidExt, begin).with_detail("option sync is missing")
        })?;
        parts.size = whole as u64;
        self.input.consume(whole);
        Ok(FileHeader(Arc::new(parts)))
    }

    /// Reads the header of the map, and returns how many entries it has.
    fn map(&mut self) -> Result<usize> {
        if !self.input.fill(self.at + 1)? {
            return Err(self.input.eof());
        }
        let marker = self.input.rest()[self.at];
        let header = Header::of(marker);
        if header.values != 2 {
            let error = Error::at(ErrorKind::InvalidExt, self.at as u64);
            return Err(error.with_detail("the options are not a map"));
        }
        if !self.input.fill(self.at + header.len())? {
            return Err(self.input.eof());
        }
        let (count, _) = map_of(&self.input.rest()[self.at..]).unwrap_or_default();
        self.at += header.len();
        if 2 * count as u64 + header.len() as u64 > self.max {
            return Err(Error::at(ErrorKind::LengthLimit, self.begin as u64));
        }
        Ok(count)
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
        let len = self.input.value(self.begin, MAX_DEPTH + 2, max);
        len.map_err(|error| match error.kind() {
            // No other limit is set.
            ErrorKind::LengthLimit => Error::at(ErrorKind::LengthLimit, self.begin as u64),
            _ => error,
        })
    }
}

fn structures(value: &Value) -> Option<Structures> {
    let list = value.as_array()?;
    if list.len() > MAX_STRUCTURES {
        return None;
    }
    let structure = |keys: &Value| {
        let keys = keys.as_array()?.iter();
        let keys = keys.map(Value::as_str).collect::<Option<Vec<&str>>>()?;
        Some(Structure::new(keys))
    };
    list.iter().map(structure).collect()
}

/// Returns the paths. One that names nothing is kept, and is missing in every row.
fn paths(value: &Value) -> Option<Vec<RowPath>> {
    let list = value.as_array()?.iter();
    list.map(|path| path.as_str().map(RowPath::new)).collect()
}
