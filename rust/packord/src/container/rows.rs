//! [`RowList`]: the rows of a body, each as one packed message.

use super::head::BlockKind;
use super::header::wrong;
use super::plain::{PlainMap, array_of, str_of};
use super::predicate::Predicate;
use crate::DEFAULT_MAX_DEPTH;
use crate::columns::read::extent;
use crate::columns::rows::RowColumns;
use crate::encode::EncodeOptions;
use crate::error::{Error, ErrorKind, Result};
use crate::options::DecodeOptions;
use crate::read::check_depth;
use crate::stream::MessageScanner;
use crate::value::{Tree, Value};
use crate::wire::Store;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Index;

/// Returns a key that is not a str in diagnostic notation.
#[cfg(all(feature = "arrow", feature = "notation"))]
pub(super) fn notation(key: &[u8]) -> Option<alloc::string::String> {
    crate::notation::to_text(key).ok()
}

/// Rows or messages, each as one packed message without columns.
///
/// ```
/// use packord::container::{Reader, Writer};
///
/// let mut writer = Writer::new(Vec::new(), &Default::default())?;
/// writer.write_packed(b"\x81\xa1a\x01")?;
/// writer.write_packed(b"\x81\xa1a\x02")?;
/// let file = writer.finish()?;
/// let block = Reader::new(&file[..])?.next_block()?.unwrap();
/// let rows = block.rows()?;
/// assert_eq!(rows.len(), 2);
/// assert_eq!(rows.iter().collect::<Vec<_>>(), [b"\x81\xa1a\x01", b"\x81\xa1a\x02"]);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RowList<'b> {
    bytes: Cow<'b, [u8]>,
    /// Where each row begins, and where the last one ends.
    places: Vec<u32>,
}

impl Default for RowList<'_> {
    fn default() -> Self {
        RowList {
            bytes: Cow::Borrowed(&[]),
            places: alloc::vec![0],
        }
    }
}

impl<'b> RowList<'b> {
    /// Returns the rows that match a predicate.
    #[must_use]
    pub fn matching(self, predicate: &Predicate) -> RowList<'b> {
        let matching: Vec<bool> = self.iter().map(|row| predicate.matches(row)).collect();
        self.taking(&matching)
    }

    /// Returns the bytes, and where each row begins and the last one ends.
    #[cfg(all(feature = "arrow", feature = "notation"))]
    pub(super) fn into_places(self) -> (Cow<'b, [u8]>, Vec<u32>) {
        (self.bytes, self.places)
    }

    pub(super) fn taking(self, is_taken: &[bool]) -> RowList<'b> {
        if !is_taken.contains(&false) {
            return self;
        }
        let (mut bytes, mut places) = (Vec::new(), alloc::vec![0]);
        for (row, _) in self.iter().zip(is_taken).filter(|(_, is)| **is) {
            bytes.extend_from_slice(row);
            places.push(bytes.len() as u32);
        }
        RowList::of(bytes, places)
    }

    /// Returns the rows with some of their keys. A row that is not a map stays as it is.
    pub(super) fn selecting(self, keys: &[Box<str>]) -> RowList<'static> {
        let (mut bytes, mut places) = (Vec::new(), alloc::vec![0]);
        let mut kept = Vec::new();
        for row in self.iter() {
            put_selected(row, keys, &mut kept, &mut bytes);
            places.push(bytes.len() as u32);
        }
        RowList::of(bytes, places)
    }
}

impl RowList<'_> {
    pub(super) fn of(bytes: Vec<u8>, places: Vec<u32>) -> RowList<'static> {
        RowList {
            bytes: Cow::Owned(bytes),
            places,
        }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len() - 1
    }

    /// Returns whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes of a row.
    #[must_use]
    pub fn get(&self, number: usize) -> Option<&[u8]> {
        let begin = *self.places.get(number)? as usize;
        let end = *self.places.get(number + 1)? as usize;
        self.bytes.get(begin..end)
    }

    /// Returns all rows in their order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> + DoubleEndedIterator {
        let range = |pair: &[u32]| pair[0] as usize..pair[1] as usize;
        self.places.windows(2).map(move |pair| &self.bytes[range(pair)])
    }

    /// Returns the bytes of all rows, one after another.
    ///
    /// ```
    /// use packord::container::{Reader, Writer};
    ///
    /// let mut writer = Writer::new(Vec::new(), &Default::default())?;
    /// writer.write_packed(b"\x81\xa1a\x01")?;
    /// writer.write_packed(b"\x81\xa1a\x02")?;
    /// let file = writer.finish()?;
    /// let rows = Reader::new(&file[..])?.next_rows()?.unwrap();
    /// assert_eq!(rows.into_bytes(), b"\x81\xa1a\x01\x81\xa1a\x02");
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        let begin = self.places.first().map_or(0, |&begin| begin as usize);
        let mut bytes = self.bytes.into_owned();
        bytes.drain(..begin);
        bytes
    }

    /// Returns the rows with bytes of their own.
    #[must_use]
    pub fn into_owned(self) -> RowList<'static> {
        RowList {
            bytes: Cow::Owned(self.bytes.into_owned()),
            places: self.places,
        }
    }
}

/// Appends a row with some of its keys. `kept` is scratch memory.
fn put_selected<'r>(row: &'r [u8], keys: &[Box<str>], kept: &mut Vec<&'r [u8]>, out: &mut Vec<u8>) {
    let Some(mut map) = PlainMap::of(row) else {
        out.extend_from_slice(row);
        return;
    };
    kept.clear();
    while let Some(entry) = map.next_entry() {
        let is_selected = |key: &[u8]| keys.iter().any(|name| name.as_bytes() == key);
        if str_of(entry).is_some_and(is_selected) {
            kept.push(entry);
        }
    }
    // There were more entries before.
    let _ = out.put_map(kept.len());
    for entry in kept {
        out.extend_from_slice(entry);
    }
}

impl Index<usize> for RowList<'_> {
    type Output = [u8];

    fn index(&self, number: usize) -> &[u8] {
        self.get(number).expect("there are fewer rows")
    }
}

/// Returns the rows of a body. The offset of an error is that within the body; it has none if the count is
/// wrong.
pub(super) fn rows_of(body: Cow<'_, [u8]>, kind: BlockKind, count: u64) -> Result<RowList<'_>> {
    if kind == BlockKind::Rows {
        if let Some(rows) = expand(&body)? {
            return if rows.len() as u64 == count {
                Ok(rows)
            } else {
                Err(wrong("the count is wrong"))
            };
        }
    }
    if let Some(places) = places_of(&body, kind, count) {
        return Ok(RowList { bytes: body, places });
    }
    read_again(&body, kind, count)
}

/// Returns the rows if all of the body is one ext with columns, which has the elements of an array. There are no columns in
/// them.
fn expand(body: &[u8]) -> Result<Option<RowList<'static>>> {
    let Some(rows) = RowColumns::of_message(body, MAX_EXPANSION)? else {
        return Ok(None);
    };
    match u32::try_from(rows.header.plain_size) {
        Ok(size) => expand_rows(&rows, size as usize).map(Some),
        Err(_) => Ok(None),
    }
}

/// Returns the rows of a table. `size`: for how many bytes there is room at first.
pub(super) fn expand_rows(rows: &RowColumns<'_>, size: usize) -> Result<RowList<'static>> {
    let (mut bytes, mut places) = (Vec::with_capacity(size), Vec::new());
    rows.expand_into(&mut bytes, &mut places)?;
    places.push(bytes.len() as u32);
    Ok(RowList::of(bytes, places))
}

pub(super) use crate::columns::MAX_EXPANSION;

/// Returns where the rows are in plain bytes. `None` if something is at fault, or a row has columns.
fn places_of(bytes: &[u8], kind: BlockKind, count: u64) -> Option<Vec<u32>> {
    let (announced, depth, mut at) = match kind {
        BlockKind::Messages => (count, 0, 0),
        BlockKind::Rows => {
            let (announced, rest) = array_of(bytes)?;
            (announced as u64, 1, bytes.len() - rest.len())
        }
    };
    // A row takes a byte at least.
    if announced != count || announced > (bytes.len() - at) as u64 || u32::try_from(bytes.len()).is_err() {
        return None;
    }
    let (mut places, mut open) = (Vec::with_capacity(announced as usize + 1), Vec::new());
    for _ in 0..announced {
        places.push(at as u32);
        let row = extent(&bytes[at..], DEFAULT_MAX_DEPTH, &mut open).ok()?;
        if row.has_columns {
            return None;
        }
        check_depth((row.depth + depth) as u64, DEFAULT_MAX_DEPTH).ok()?;
        at += row.size;
    }
    places.push(at as u32);
    (at == bytes.len()).then_some(places)
}

/// Reads the values and writes them again: where rows have columns, and to find a fault.
fn read_again(body: &[u8], kind: BlockKind, count: u64) -> Result<RowList<'static>> {
    let options = DecodeOptions::new().columns(true).max_buffer(u64::MAX);
    let mut scanner = MessageScanner::with_options(&options);
    scanner.feed(body);
    let (mut bytes, mut places) = (Vec::new(), Vec::new());
    let mut put = |row: &Value| {
        places.push(bytes.len() as u32);
        EncodeOptions::new().encode_into(row, &mut bytes)
    };
    let mut found = 0;
    match kind {
        BlockKind::Messages => {
            while let Some(message) = scanner.next_value()? {
                put(&message)?;
                found += 1;
            }
        }
        BlockKind::Rows => {
            let Some(whole) = scanner.next_value()? else {
                scanner.finish()?;
                // Not even a marker is there.
                return Err(Error::at(ErrorKind::Eof, 0));
            };
            if scanner.buffered() > 0 {
                return Err(Error::at(ErrorKind::TrailingBytes, scanner.offset()));
            }
            let Tree::Array(rows) = &whole else {
                return Err(wrong("the body is not an array"));
            };
            for row in rows {
                put(row)?;
                found += 1;
            }
        }
    }
    scanner.finish()?;
    if found != count {
        return Err(wrong("the count is wrong"));
    }
    if u32::try_from(bytes.len()).is_err() {
        return Err(Error::new(ErrorKind::LengthLimit));
    }
    places.push(bytes.len() as u32);
    Ok(RowList::of(bytes, places))
}
