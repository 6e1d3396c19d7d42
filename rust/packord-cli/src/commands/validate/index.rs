//! What the index of a container file says, compared with its blocks.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use crc32c::crc32c;
use packord::container::{
    BlockKind, Codec, EXT_TYPE, FileHeader, FileIndex, IndexEntry, PathStatistics, ReadOptions, Reader, RowList,
    Schema, SchemaEntry, Statistics, StoredBlock, WriteOptions, Writer,
};
use packord::wire::marker;
use packord::{DecodeOptions, Error, ErrorKind, Value};

use crate::container::{Blocks, BlocksOptions, WholeStatistics, compare};
use crate::failure::{Failure, Outcome, name_of};
use crate::terminal::progress::Progress;
use crate::values::path;

/// Bytes of a mark, of a trailer, and of the checksum at its end.
const MARK: usize = 18;
const TRAILER: usize = 15;
const CRC: usize = 4;
/// The first bytes of a mark and of a trailer.
const MARK_START: [u8; 2] = [marker::FIXEXT16, EXT_TYPE as u8];
const TRAILER_START: [u8; 3] = [marker::EXT8, 12, EXT_TYPE as u8];

/// A block of the file.
pub struct FoundBlock {
    pub offset: u64,
    pub size: u64,
    pub count: u64,
}

/// The index at the end of a file.
pub struct CheckedIndex {
    /// What readers use; `None` if they read the file without an index.
    used: Option<FileIndex>,
    end: Option<FileEnd>,
}

/// What is at the end of a file that ends with a trailer.
struct FileEnd {
    /// The offset of the index's mark, or of a trailer that does not know it.
    offset: u64,
    /// The index-array, or what is wrong before it can be read.
    index: Result<Value, String>,
}

impl CheckedIndex {
    /// Reads the end of a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or its header is at fault.
    pub fn open(path: &Path, options: &BlocksOptions) -> Outcome<CheckedIndex> {
        let blocks = Blocks::open(path, options, &Progress::bytes(false))?;
        let end = File::open(path).and_then(|mut file| end_of(&mut file, blocks.header(), options.reading.max_block));
        Ok(CheckedIndex {
            used: blocks.index().cloned(),
            end: end.map_err(|error| Failure::input(&name_of(path), &error))?,
        })
    }

    /// Returns what it says wrongly of the values in a block.
    pub fn faults_in(&self, block: &StoredBlock, rows: &RowList<'_>) -> Vec<String> {
        let entries = self.used.as_ref().map_or(&[][..], FileIndex::entries);
        let number = entries.binary_search_by_key(&block.offset(), IndexEntry::offset);
        let Ok(number) = number else {
            return Vec::new();
        };
        let schema = self.used.as_ref().and_then(FileIndex::schema);
        let schema = schema.filter(|_| block.kind() == BlockKind::Rows && !rows.is_empty());
        let statistics = entries[number].statistics();
        if statistics.is_none() && schema.is_none() {
            return Vec::new();
        }
        let said: Vec<_> = statistics.into_iter().flat_map(Statistics::iter).collect();
        let Some(again) = indexed_again(rows, said.iter().map(|(path, _)| *path)) else {
            return Vec::new();
        };
        let mut faults = of_statistics(&said, &again);
        faults.extend(schema.and_then(|schema| of_schema(schema, again.schema())));
        let place = |fault| format!("block {number}: {fault}");
        faults.into_iter().map(place).collect()
    }

    /// Returns what it says wrongly of where the blocks are, and of their rows together.
    pub fn faults(&self, blocks: &[FoundBlock]) -> Vec<String> {
        let value = match self.end.as_ref().map(|end| &end.index) {
            None => return Vec::new(),
            Some(Err(fault)) => return vec![fault.clone()],
            Some(Ok(value)) => value,
        };
        let element = |place: usize| value.as_array()?.get(place);
        let entries = element(2).and_then(Value::as_array).unwrap_or_default();
        let mut faults = Vec::new();
        let mut check = |of: &str, name: &str, said: Option<&Value>, found: u64| {
            if said.and_then(Value::as_u64) != Some(found) {
                let said = match said {
                    Some(said) => format!("{said} as {name}"),
                    None => format!("no {name}"),
                };
                faults.push(format!("{of}: the index has {said}, and it is {found}"));
            }
        };
        for (number, block) in blocks.iter().enumerate() {
            let entry = entries.get(number).and_then(Value::as_array);
            let said = |place: usize| entry?.get(place);
            let of = format!("block {number}");
            check(&of, "offset", said(0), block.offset);
            check(&of, "size", said(1), block.size);
            check(&of, "count", said(2), block.count);
        }
        check("all blocks", "number", Some(&entries.len().into()), blocks.len() as u64);
        let count = element(3).and_then(Value::as_map).and_then(|map| map.get("count"));
        let found = blocks.iter().map(|block| block.count).sum();
        check("all blocks", "count", count, found);
        if self.used.is_none() && faults.is_empty() {
            faults.push("the index has another form than readers know".to_owned());
        }
        faults
    }

    /// Returns the error of a fault.
    pub fn error(&self, fault: &str) -> Error {
        let offset = self.end.as_ref().map_or(0, |end| end.offset);
        Error::at(ErrorKind::InvalidContainer, offset).with_detail(path::cut(fault))
    }
}

/// Reads what is at the end of a file. `None` if that is not a trailer, or if the index is larger than a reader allows.
fn end_of(file: &mut File, header: &FileHeader, max: u64) -> io::Result<Option<FileEnd>> {
    let end = file.seek(SeekFrom::End(0))?;
    let Some(trailer_at) = end.checked_sub(TRAILER as u64) else {
        return Ok(None);
    };
    let mut trailer = [0; TRAILER];
    file.seek(SeekFrom::Start(trailer_at))?;
    file.read_exact(&mut trailer)?;
    let Some(offset) = trailer.strip_prefix(&TRAILER_START).and_then(<[u8]>::first_chunk) else {
        return Ok(None);
    };
    let offset = u64::from_be_bytes(*offset);
    let at = |offset, index| Ok(Some(FileEnd { offset, index }));
    let lost = || Err("the trailer does not point to an index".to_owned());
    let begin = offset.saturating_add(MARK as u64);
    if offset < header.size() || begin >= trailer_at {
        return at(trailer_at, lost());
    }
    if trailer_at - begin > max {
        return Ok(None);
    }
    let mut bytes = vec![0; (end - offset) as usize];
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(&mut bytes)?;
    let mark = [&MARK_START[..], header.sync()].concat();
    if !bytes.starts_with(&mark) {
        return at(trailer_at, lost());
    }
    let (checked, crc) = bytes.split_at(bytes.len() - CRC);
    if crc32c(checked).to_be_bytes() != *crc {
        return at(offset, Err("the checksum of the index is wrong".to_owned()));
    }
    let value = DecodeOptions::new().decode(&bytes[MARK..bytes.len() - TRAILER]);
    at(
        offset,
        value.map_err(|error| format!("the index is malformed: {error}")),
    )
}

/// Returns the index of a file with these rows. `None` if a row is larger than writers take.
fn indexed_again<'p>(rows: &RowList<'_>, paths: impl Iterator<Item = &'p str>) -> Option<FileIndex> {
    let options = WriteOptions::new()
        .codec(Codec::None)
        .columns(false)
        .block_size(usize::MAX)
        .block_rows(u64::MAX)
        .stats(paths);
    let mut writer = Writer::new(Vec::new(), &options).ok()?;
    for row in rows.iter() {
        writer.write_packed(row).ok()?;
    }
    let file = Cursor::new(writer.finish().ok()?);
    Reader::seekable(file, &ReadOptions::default()).ok()?.index().cloned()
}

/// Compares what is said of the values at each path with the values.
fn of_statistics(said: &[(&str, &PathStatistics)], again: &FileIndex) -> Vec<String> {
    let mut whole = WholeStatistics::default();
    again.entries().iter().for_each(|entry| whole.add(entry));
    let mut faults = Vec::new();
    for (path, nulls, min, max) in whole.paths() {
        let Some((_, said)) = said.iter().find(|(said, _)| *said == path) else {
            continue;
        };
        if said.nulls != nulls {
            let said = said.nulls;
            faults.push(format!(
                "the index has {said} values of {path:?} as nil or missing, and {nulls} are"
            ));
        }
        for (what, said, found) in [("least", &said.min, min), ("greatest", &said.max, max)] {
            let Some(said) = said else { continue };
            let order = found.and_then(|found| compare(said, found));
            if order.is_some_and(Ordering::is_eq) {
                continue;
            }
            let found = found.map_or_else(|| "not known".to_owned(), Value::to_string);
            faults.push(format!(
                "the index has {said} as the {what} value of {path:?}, and it is {found}"
            ));
        }
    }
    faults
}

/// Returns the first path of which the schema of the file says less than its rows have.
fn of_schema(schema: &Schema, found: Option<&Schema>) -> Option<String> {
    let Some(found) = found else {
        return Some("the index has a schema, and that of the rows cannot be said".to_owned());
    };
    let both = schema.merged(found);
    let wrong = |entry: &&SchemaEntry| schema.get(&entry.path) != Some(entry);
    let entry = both.entries().iter().find(wrong)?;
    let names = |entry: &SchemaEntry| {
        let mut names: Vec<_> = entry.types.iter().map(|name| name.name()).collect();
        names.extend(entry.nullable.then_some("nil"));
        names.join(" or ")
    };
    let said = schema.get(&entry.path).map(names);
    let said = said.filter(|said| !said.is_empty());
    Some(format!(
        "the schema of the index has {} as {:?}, and with these rows it is {}",
        said.unwrap_or_else(|| "nothing".to_owned()),
        entry.path,
        names(entry)
    ))
}
