//! [`RowPath`]: names a value within a row, and finds it in packed bytes.

use super::plain::{PlainMap, after, array_of, str_of};
use alloc::boxed::Box;
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
    /// message, without records and columns, as [`RowList`](super::RowList) has them; in other bytes the
    /// result is not specified.
    #[must_use]
    pub fn find<'r>(&self, row: &'r [u8]) -> Option<&'r [u8]> {
        let mut found = row;
        for part in &self.parts {
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
