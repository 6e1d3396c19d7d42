//! Writers of files by their name: new ones, and more rows in old ones.

use super::body::Spares;
use super::codec::Codec;
use super::frame::BlockReading;
use super::header::FileHeader;
use super::index::{FileIndex, IndexEntry};
use super::input::Input;
use super::lock::LockedFile;
use super::options::{Asked, DEFAULT_MAX_BLOCK, WriteOptions};
use super::search::{FileItem, next_item};
use super::writer::Writer;
use crate::error::{Error, Result};
use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::Path;

impl Writer<LockedFile> {
    /// Creates a file, or replaces one. No other writer can open it until this one is dropped.
    ///
    /// # Errors
    ///
    /// `io`, also if another writer has the file open. Those of [`new`](Writer::new). The file is not changed by an error before its
    /// header is written.
    pub fn create(path: impl AsRef<Path>, options: &WriteOptions) -> Result<Writer<LockedFile>> {
        let file = LockedFile::open(path.as_ref())?;
        Writer::begin(file, options, |file| file.file().set_len(0))
    }

    /// Opens a file to add rows to it. Its header holds for them too: the options say the level, the size of blocks and
    /// their form. A file that does not exist, or is empty, is created.
    ///
    /// ```
    /// use packord::Value;
    /// use packord::container::{Reader, WriteOptions, Writer};
    ///
    /// # let folder = std::env::temp_dir().join(format!("packord-append-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder).unwrap();
    /// let path = folder.join("log.pkd");
    /// for id in 0..2 {
    ///     let mut writer = Writer::append(&path, &WriteOptions::new())?;
    ///     writer.write(&Value::from([("id", id)]))?;
    ///     writer.finish()?;
    /// }
    /// assert_eq!(Reader::open(&path)?.values().count(), 2);
    /// # std::fs::remove_dir_all(&folder).unwrap();
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `io`, also if another writer has the file open. The fault of a file that is not whole: repair it first. A file without an
    /// index is read for that. `invalid_container` if this build does not have the codec of the file.
    pub fn append(path: impl AsRef<Path>, options: &WriteOptions) -> Result<Writer<LockedFile>> {
        let file = LockedFile::open(path.as_ref())?;
        let io = |error| Error::io(error, 0);
        if file.file().metadata().map_err(io)?.len() == 0 {
            return Writer::new(file, options);
        }
        let mut input = Input::seekable(file.file());
        let header = FileHeader::read(&mut input, DEFAULT_MAX_BLOCK)?;
        let index = FileIndex::read(&mut input, &header, DEFAULT_MAX_BLOCK)?;
        let is_indexed = index.is_some();
        let index = match index {
            Some(index) => index,
            None => scanned(&mut input, &header)?,
        };
        let mut options = options.clone();
        options.codec = header.codec().unwrap_or(Codec::None);
        let position = file.file().seek(SeekFrom::End(0)).map_err(io)?;
        let mut writer = Writer::of(file, header, &options, position)?;
        match &index.schema {
            _ if index.entries.is_empty() => {}
            Some(schema) => writer.add_schema(schema),
            None => writer.schema.is_given_up = true,
        }
        (writer.index, writer.is_indexed) = (index, is_indexed);
        Ok(writer)
    }
}

/// Reads a whole file for its blocks. Nothing is known of their rows.
fn scanned(input: &mut Input<&File>, header: &FileHeader) -> Result<FileIndex> {
    let mut found = FileIndex::default();
    let mut reading = BlockReading {
        header,
        max_block: DEFAULT_MAX_BLOCK,
        asked: &Asked::ALL,
        spares: &Spares::default(),
    };
    input.go_to(header.size())?;
    loop {
        match next_item(input, &mut reading)? {
            FileItem::Block(block) => {
                found.count += block.count();
                found.entries.push(IndexEntry {
                    offset: block.offset(),
                    size: block.size(),
                    count: block.count(),
                    statistics: None,
                });
            }
            FileItem::Other => {}
            FileItem::End => return Ok(found),
        }
    }
}
