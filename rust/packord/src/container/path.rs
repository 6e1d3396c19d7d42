//! [`RowPath`]: names a value within a row, and finds it in packed bytes; [`PathFinder`]: finds several at once.

use super::plain::{PlainMap, after, array_of, str_of};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

/// The path of a value within a row (`spec/container.md` section 4): keys of maps and positions in
/// arrays, joined by `.`. The empty path is the row itself.
///
/// ```
/// use packord::container::RowPath;
/// let row = b"\x82\xa2id\x07\xa3pos\x92\xca\0\0\0\0\x09";
/// assert_eq!(RowPath::new("id").find(row), Some(&b"\x07"[..]));
/// assert_eq!(RowPath::new("pos.1").find(row), Some(&b"\x09"[..]));
/// assert_eq!(RowPath::new("pos.2").find(row), None);
/// assert_eq!(RowPath::new("").find(row), Some(&row[..]));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowPath {
    text: Box<str>,
    parts: Vec<PathPiece>,
}

/// A part of a path: a key, and the position that it is too.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct PathPiece {
    key: Box<str>,
    position: Option<usize>,
}

impl RowPath {
    /// Reads a path. One with an empty part names nothing: its value is missing in every row.
    ///
    /// ```
    /// use packord::container::RowPath;
    /// assert_eq!(RowPath::new("a.b").find(b"\x81\xa1a\x81\xa1b\x05"), Some(&b"\x05"[..]));
    /// assert_eq!(RowPath::new("a..b").find(b"\x80"), None);
    /// ```
    #[must_use]
    pub fn new(text: &str) -> RowPath {
        let piece = |key: &str| PathPiece {
            key: key.into(),
            position: position(key),
        };
        let pieces = text.split('.').filter(|_| !text.is_empty());
        RowPath {
            text: text.into(),
            parts: pieces.map(piece).collect(),
        }
    }

    /// Returns the path as it was read.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the keys and positions of the path, as they are written.
    pub(super) fn parts(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(|part| &*part.key)
    }

    /// Returns the packed value at this path in a row; `None` if it is missing. The row is one plain
    /// message, without columns, as [`RowList`](super::RowList) has them; in other bytes the
    /// result is not specified.
    #[must_use]
    pub fn find<'r>(&self, row: &'r [u8]) -> Option<&'r [u8]> {
        self.find_from(0, row)
    }

    /// Returns the value at the parts of the path from one on, in the value at the start of the bytes.
    fn find_from<'r>(&self, part: usize, value: &'r [u8]) -> Option<&'r [u8]> {
        let mut found = value;
        for part in &self.parts[part..] {
            if part.key.is_empty() {
                return None;
            }
            found = part.find(found)?;
        }
        let end = found.len() - after(found)?.len();
        found.get(..end)
    }
}

impl PathPiece {
    /// Returns the bytes from the value of this part on.
    fn find<'r>(&self, value: &'r [u8]) -> Option<&'r [u8]> {
        if let Some((count, mut rest)) = array_of(value) {
            let position = self.position.filter(|&position| position < count)?;
            for _ in 0..position {
                rest = after(rest)?;
            }
            return Some(rest);
        }
        let mut map = PlainMap::of(value)?;
        let mut found = None;
        // The last of equal keys is the one that a lookup finds.
        while let Some((key, entry)) = map.next() {
            // An empty key cannot be named.
            let is_named = |key: &[u8]| key == self.key.as_bytes() && !key.is_empty();
            if str_of(key).is_some_and(is_named) {
                found = Some(entry);
            }
        }
        found
    }
}

/// Finds the values at several paths in one pass over the keys of a row.
pub(super) struct PathFinder<'p> {
    paths: Vec<&'p RowPath>,
    /// The numbers of the paths, by their first part.
    by_key: BTreeMap<&'p [u8], Vec<usize>>,
}

impl<'p> PathFinder<'p> {
    pub fn new(paths: impl IntoIterator<Item = &'p RowPath>) -> PathFinder<'p> {
        let paths: Vec<&RowPath> = paths.into_iter().collect();
        let mut by_key: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
        for (number, path) in paths.iter().enumerate() {
            // An empty key cannot be named.
            if let Some(first) = path.parts.first().filter(|part| !part.key.is_empty()) {
                by_key.entry(first.key.as_bytes()).or_default().push(number);
            }
        }
        PathFinder { paths, by_key }
    }

    /// The number of paths.
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// Replaces `found` by what [`RowPath::find`] finds for each path.
    pub fn find<'r>(&self, row: &'r [u8], found: &mut Vec<Option<&'r [u8]>>) {
        found.clear();
        let Some(mut map) = PlainMap::of(row) else {
            found.extend(self.paths.iter().map(|path| path.find(row)));
            return;
        };
        found.resize(self.paths.len(), None);
        // The last of equal keys is the one that a lookup finds.
        while let Some((key, entry)) = map.next() {
            let numbers = str_of(key).and_then(|key| self.by_key.get(key));
            for &number in numbers.into_iter().flatten() {
                found[number] = Some(entry);
            }
        }
        for (path, found) in self.paths.iter().zip(found) {
            *found = match *found {
                Some(entry) => path.find_from(1, entry),
                None if path.parts.is_empty() => Some(row),
                None => None,
            };
        }
    }
}

/// Reads a position: decimal digits without leading zeros.
fn position(key: &str) -> Option<usize> {
    let is_canonical = key == "0" || !key.starts_with(['0', '+']);
    key.parse().ok().filter(|_| is_canonical)
}

impl fmt::Display for RowPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for RowPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_paths_are_found_as_each_alone() {
        let rows: [&[u8]; 6] = [
            b"\x80",
            b"\x83\xa1a\x01\xa1b\x81\xa1a\x92\x07\x08\xa1a\x02",
            b"\x83\xa0\x01\x05\xa1x\xa1a\x81\xa0\x03",
            b"\x92\x05\x81\xa1a\x06",
            b"\xc0",
            b"\xa1a",
        ];
        let texts = ["", "a", "b", "b.a", "b.a.1", "b.a.2", "a.a", "1.a", "0", "5", ".", "a."];
        let paths: Vec<RowPath> = texts.iter().map(|text| RowPath::new(text)).collect();
        let finder = PathFinder::new(&paths);
        let mut found = Vec::new();
        for row in rows {
            finder.find(row, &mut found);
            let alone: Vec<_> = paths.iter().map(|path| path.find(row)).collect();
            assert_eq!(found, alone, "{row:x?}");
        }
        finder.find(rows[1], &mut found);
        assert_eq!(
            found[1..5],
            [
                Some(&b"\x02"[..]),
                Some(b"\x81\xa1a\x92\x07\x08"),
                Some(b"\x92\x07\x08"),
                Some(b"\x08")
            ]
        );
    }
}
