//! [`RowColumns`]: a message that is an array by column, whose elements are the rows of a table.

use super::kind as k;
use super::payload::{Columns, found};
use super::read::{Directory, Malformed, OrMalformed, PayloadHeader, check_column, integers_of, need};
use crate::error::Result;
#[cfg(feature = "container")]
use {
    super::read::{ColumnNode, expand_elements},
    crate::wire::header::Head,
    alloc::vec::Vec,
    core::ops::Range,
};

/// The most bytes of the headers of an ext and of its payload.
#[cfg(feature = "container")]
pub(crate) const MOST_HEADERS: usize = 6 + 1 + 4 * 9;

/// Returns how many bytes of a message of `len` bytes are to be read before [`RowColumns::of_message`]; `None` if the
/// message is not one ext with columns. `beginning` has [`MOST_HEADERS`] bytes of the message, or all of them.
#[cfg(feature = "container")]
pub(crate) fn directory_end(beginning: &[u8], len: u64) -> Option<u64> {
    /// The number of rows, which is the first section, takes at most these bytes.
    const MOST_COUNT: u64 = 8;
    let head = Head::at(beginning, 0).filter(|head| head.ext_type == Some(super::EXT_TYPE))?;
    let payload = &beginning[head.end..];
    let numbers = super::values::open(payload).ok()??;
    let end = numbers.directory.checked_add((head.end + numbers.begin) as u64)?;
    Some(end.saturating_add(MOST_COUNT).min(len))
}

/// A message that is one ext with columns, whose root is a LIST: its elements are the rows. If these are a STRUCT, a key
/// can be read without the others. Then of the message only what [`directory_end`] says has to be there, the
/// [common](RowColumns::common_sections) sections, and those of the keys that are read. What is not there is 00.
#[derive(Debug)]
pub(crate) struct RowColumns<'a> {
    pub directory: Directory<'a>,
    pub header: PayloadHeader,
    /// Where the payload begins in the message.
    #[cfg(feature = "container")]
    begin: usize,
    /// Whether no key was left out.
    is_whole: bool,
}

impl<'a> RowColumns<'a> {
    /// The node of the rows: before it come the root and the number of rows.
    pub const NODE: u32 = 2;

    /// Reads the directory, with all checks of it, and the number of rows. Returns `None` for a message that is not one
    /// ext with columns, or whose root is not a LIST.
    ///
    /// # Errors
    ///
    /// `invalid_ext`, and those of [`Columns::within`], at 0.
    pub fn of_message(message: &'a [u8], max_expansion: u64) -> Result<Option<RowColumns<'a>>> {
        let Some(columns) = Columns::of_message(message, max_expansion) else {
            return Ok(None);
        };
        let Columns { payload, header } = columns.map_err(|error| error.placed(0))?;
        let directory = found(directory_of(payload, &header))?;
        Ok(directory.map(|directory| RowColumns {
            directory,
            header,
            #[cfg(feature = "container")]
            begin: message.len() - payload.len(),
            is_whole: true,
        }))
    }

    /// Makes all checks of the rows.
    ///
    /// # Errors
    ///
    /// `invalid_ext`, at 0.
    pub fn check(&self) -> Result<()> {
        let left = found(check_column(&self.directory, &self.header, Self::NODE, true))?;
        found(need(left == 0 || !self.is_whole))
    }
}

/// Reads the directory of a LIST, whose size is that of its column; `None` for another root.
fn directory_of<'a>(payload: &'a [u8], header: &PayloadHeader) -> OrMalformed<Option<Directory<'a>>> {
    let directory = Directory::read(payload, header)?;
    let root = &directory.nodes[0];
    if root.kind != k::LIST {
        return Ok(None);
    }
    let size = integers_of(directory.part(root))?[0];
    if usize::try_from(size) != Ok(directory.nodes[RowColumns::NODE as usize].n) {
        return Err(Malformed);
    }
    Ok(Some(directory))
}

#[cfg(feature = "container")]
impl<'a> RowColumns<'a> {
    /// Returns the node of the rows.
    pub fn node(&self) -> &ColumnNode<'a> {
        &self.directory.nodes[Self::NODE as usize]
    }

    /// Returns the number of rows.
    pub fn count(&self) -> usize {
        self.node().n
    }

    /// Returns the rows with those of their keys for which `is_wanted` holds. Rows that are not a STRUCT keep all.
    pub fn with_keys(&self, is_wanted: impl Fn(&str) -> bool) -> RowColumns<'a> {
        RowColumns {
            directory: self.directory.with_keys(Self::NODE, is_wanted),
            is_whole: false,
            ..*self
        }
    }

    /// Appends the rows as plain values, and to `places` where each begins: the bytes have to be fewer than 4 GiB.
    /// Makes all checks of the rows before.
    ///
    /// # Errors
    ///
    /// `invalid_ext`, at 0.
    pub fn expand_into(&self, out: &mut Vec<u8>, places: &mut Vec<u32>) -> Result<()> {
        self.check()?;
        found(expand_elements(&self.directory, Self::NODE, out, places))
    }

    /// Returns the keys of the rows; `None` if these are not a STRUCT.
    pub fn keys(&self) -> Option<&[&'a str]> {
        let node = self.node();
        (node.kind == k::STRUCT).then(|| &self.directory.layouts[node.layout].keys[..])
    }

    /// Returns where in the message the sections are that belong to no key.
    pub fn common_sections(&self) -> Range<usize> {
        let first_key = match self.keys() {
            Some(_) => self.directory.columns(self.node()).first(),
            None => None,
        };
        let end = first_key.map_or(self.directory.nodes.len(), |&first| first as usize);
        self.sections(0..end)
    }

    /// Returns where in the message the sections of a key are, of those of [`keys`](RowColumns::keys).
    pub fn key_sections(&self, key: usize) -> Range<usize> {
        let column = self.directory.columns(self.node())[key];
        self.sections(self.directory.subtree(column))
    }

    fn sections(&self, nodes: Range<usize>) -> Range<usize> {
        let nodes = &self.directory.nodes[nodes];
        let begin = self.begin + nodes[0].at;
        begin..begin + nodes.iter().map(|node| node.section.len()).sum::<usize>()
    }
}

#[cfg(all(test, feature = "container"))]
mod tests {
    use super::*;
    use crate::{EncodeOptions, Value, from_slice};
    use alloc::format;

    /// Rows of several shapes, with columns of several nodes.
    fn rows() -> Value {
        let row = |i: u32| {
            let tags = (0..i % 3).map(|j| Value::from(format!("tag {}", i * j % 7)));
            let note = if i % 5 == 0 { Value::Nil } else { (i * 7).into() };
            let all = [
                ("id", Value::from(i)),
                ("name", format!("n{i}").into()),
                ("tags", tags.collect()),
                ("at", Value::from([("x", i % 9), ("y", i * i)])),
                ("ok", (i % 2 == 0).into()),
                ("note", note),
            ];
            let has = |key: &str| !(key == "note" && i % 4 == 0 || key == "ok" && i % 7 == 0);
            Value::Map(
                all.into_iter()
                    .filter(|(key, _)| has(key))
                    .map(|(key, value)| (key.into(), value))
                    .collect(),
            )
        };
        (0..300).map(row).collect()
    }

    fn message() -> Vec<u8> {
        EncodeOptions::new().columns(true).encode(&rows()).unwrap()
    }

    fn expanded(rows: &RowColumns<'_>) -> Result<Vec<Value>> {
        let (mut bytes, mut places) = (Vec::new(), Vec::new());
        rows.expand_into(&mut bytes, &mut places)?;
        places.push(bytes.len() as u32);
        let row = |place: &[u32]| &bytes[place[0] as usize..place[1] as usize];
        places.windows(2).map(|place| from_slice(row(place))).collect()
    }

    fn with_keys(rows: &Value, keys: &[&str]) -> Vec<Value> {
        let row = |row: &Value| {
            let entries = row.as_map().unwrap().iter();
            let kept = entries.filter(|(key, _)| keys.contains(&key.as_str().unwrap()));
            let kept = kept.map(|(key, value)| (key.as_str().unwrap().into(), value.clone()));
            Value::Map(kept.collect())
        };
        rows.elements().map(row).collect()
    }

    #[test]
    fn a_key_takes_its_own_sections_and_the_common_ones() {
        let message = message();
        let whole = RowColumns::of_message(&message, 16).unwrap().unwrap();
        assert_eq!(whole.count(), 300);
        assert_eq!(
            expanded(&whole).unwrap(),
            rows().elements().cloned().collect::<Vec<_>>()
        );
        let keys = whole.keys().unwrap();
        assert_eq!(keys.len(), 6);
        let end = directory_end(&message[..MOST_HEADERS], message.len() as u64).unwrap() as usize;
        // The sections follow each other.
        let mut at = whole.common_sections().end;
        for key in 0..keys.len() {
            let sections = whole.key_sections(key);
            assert_eq!(sections.start, at);
            at = sections.end;
        }
        assert_eq!(at, message.len());
        for set in 0..1 << keys.len() {
            let wanted: Vec<&str> = (0..keys.len())
                .filter(|key| set >> key & 1 == 1)
                .map(|key| keys[key])
                .collect();
            let mut partial = alloc::vec![0; message.len()];
            partial[..end].copy_from_slice(&message[..end]);
            let common = whole.common_sections();
            partial[common.clone()].copy_from_slice(&message[common]);
            for (key, _) in keys.iter().enumerate().filter(|(_, key)| wanted.contains(key)) {
                let sections = whole.key_sections(key);
                partial[sections.clone()].copy_from_slice(&message[sections]);
            }
            let found = RowColumns::of_message(&partial, 16).unwrap().unwrap();
            let found = found.with_keys(|key| wanted.contains(&key));
            assert_eq!(expanded(&found).unwrap(), with_keys(&rows(), &wanted), "{wanted:?}");
        }
    }

    #[test]
    fn a_fault_is_seen_in_the_keys_that_are_read() {
        let mut message = message();
        let rows = RowColumns::of_message(&message, 16).unwrap().unwrap();
        let place = rows.keys().unwrap().iter().position(|&key| key == "name").unwrap();
        let name = rows.key_sections(place);
        message[name.start] = 0xff;
        let rows = RowColumns::of_message(&message, 16).unwrap().unwrap();
        assert!(rows.check().is_err());
        assert!(rows.with_keys(|key| key == "name").check().is_err());
        assert!(rows.with_keys(|key| key != "name").check().is_ok());
    }

    #[test]
    fn other_messages_have_no_directory() {
        let message = message();
        let len = message.len() as u64;
        assert_eq!(directory_end(b"", 0), None);
        assert_eq!(directory_end(b"\x91\xc7\x00\x5c", 4), None);
        assert_eq!(directory_end(b"\xd4\x5c\x02", 3), None);
        for cut in 0..12 {
            assert_eq!(directory_end(&message[..cut], len), None, "{cut}");
        }
        assert!(RowColumns::of_message(b"\x91\x01", 16).unwrap().is_none());
        assert!(RowColumns::of_message(&message[..9], 16).unwrap().is_none());
    }
}
