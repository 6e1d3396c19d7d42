//! [`ColumnsView`]: the columns of a payload, each read without the others.
//!
//! | file | what it does |
//! |---|---|
//! | `column` | [`ColumnView`] |
//! | `column_kind` | [`ColumnKind`] |
//! | `numbers` | [`Numbers`], in place or in one pass |
//! | `in_place` | bytes as a slice of numbers, and the only unsafe code |

mod column;
mod column_kind;
#[allow(unsafe_code)]
mod in_place;
mod numbers;

use super::kind as k;
use super::payload::{Columns, MAX_EXPANSION, not_columns, sole_payload};
use super::read::{ColumnNode, Directory, OrMalformed, PayloadHeader};
use crate::error::Result;
use alloc::vec::Vec;

pub use self::column::ColumnView;
pub use self::column_kind::ColumnKind;
pub use self::numbers::Numbers;

/// The columns of a message, or of a payload. Only the directory is read at first, and of a column nothing before
/// it is asked for.
///
/// A path names a column by what is around it: `[]` is the elements of arrays, `.name` the values of a
/// key, `{}` the values of maps and `{key}` their keys. The value itself has the path `""`. What is in the
/// branches of a union and in the entries of a dictionary belongs to no row, and is not listed.
///
/// A fault in a column is found when that column is read.
///
/// ```
/// use packord::columns::{ColumnKind, ColumnsView, Numbers};
/// use packord::{EncodeOptions, Value};
///
/// let row = |i: u32| Value::from([("id", Value::from(i)), ("town", ["Oslo", "Graz"][i as usize % 2].into())]);
/// let rows: Value = (0..500).map(row).collect();
/// let message = EncodeOptions::new().columns(true).encode(&rows)?;
///
/// let view = ColumnsView::read(&message)?;
/// let paths: Vec<String> = view.columns().map(|column| column.path()).collect();
/// assert_eq!(paths, ["", "[]", "[].id", "[].town"]);
///
/// let id = view.column("[].id").unwrap();
/// assert_eq!((id.kind(), id.len(), id.missing(), id.nils()?), (ColumnKind::Int, 500, 0, 0));
/// let Some(Numbers::I64(ids)) = id.numbers()? else { panic!() };
/// assert_eq!(ids[499], 499);
/// let towns = view.column("[].town").unwrap().strs()?.unwrap();
/// assert_eq!(towns[1], Some("Graz"));
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Debug)]
pub struct ColumnsView<'a> {
    header: PayloadHeader,
    directory: Directory<'a>,
    columns: Vec<ListedColumn>,
}

/// A column in the directory. Paths are made when they are asked for: all of them together can be much larger than
/// the payload.
#[derive(Debug)]
struct ListedColumn {
    node: u32,
    /// Index of the column around it; its own, for the value itself.
    parent: u32,
    step: PathPart,
    missing: usize,
}

/// The last part of a path.
#[derive(Clone, Copy, Debug)]
enum PathPart {
    Value,
    Elements,
    Keys,
    Values,
    /// Layout, and index of the key.
    Key(u32, u32),
}

impl<'a> Columns<'a> {
    /// Returns the columns, to read some of them. Reads the directory.
    ///
    /// # Errors
    ///
    /// `invalid_ext`, without an offset.
    ///
    /// ```
    /// use packord::columns::Columns;
    /// let payload = b"\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// let view = Columns::open(payload)?.unwrap().view()?;
    /// assert_eq!(view.columns().count(), 2);
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn view(&self) -> Result<ColumnsView<'a>> {
        Ok(ColumnsView::of(self.payload, self.header)?)
    }
}

impl<'a> ColumnsView<'a> {
    /// Reads the directory of a message that is one ext with columns.
    ///
    /// # Errors
    ///
    /// `type_mismatch` for any other message, `eof`, `trailing_bytes`, `invalid_ext` for a header or directory that is malformed,
    /// `length_limit` for a payload that stands for more than 16 times its size, `depth_limit`.
    ///
    /// ```
    /// use packord::ErrorKind;
    /// use packord::columns::ColumnsView;
    /// assert_eq!(ColumnsView::read(b"\x01").unwrap_err().kind(), ErrorKind::TypeMismatch);
    /// ```
    pub fn read(message: &'a [u8]) -> Result<ColumnsView<'a>> {
        ColumnsView::read_bounded(message, MAX_EXPANSION)
    }

    /// As [`ColumnsView::read`], with another
    /// [`max_expansion`](crate::DecodeOptions::max_expansion).
    ///
    /// # Errors
    ///
    /// As for [`ColumnsView::read`].
    ///
    /// ```
    /// use packord::columns::ColumnsView;
    /// let sevens = b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// let view = ColumnsView::read_bounded(sevens, 1)?;
    /// assert_eq!((view.plain_size(), view.column("[]").unwrap().len()), (35, 32));
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn read_bounded(message: &'a [u8], max_expansion: u64) -> Result<ColumnsView<'a>> {
        let payload = sole_payload(message)?;
        let columns = Columns::open(payload).and_then(|columns| match columns {
            Some(columns) => columns.within(max_expansion)?.view(),
            None => Err(not_columns()),
        });
        columns.map_err(|error| error.placed(0))
    }

    pub(super) fn of(payload: &'a [u8], header: PayloadHeader) -> OrMalformed<ColumnsView<'a>> {
        let directory = Directory::read(payload, &header)?;
        let mut columns = Vec::new();
        // The columns that are still to be listed, the next one last.
        let mut expected = alloc::vec![ListedColumn {
            node: 0,
            parent: 0,
            step: PathPart::Value,
            missing: 0,
        }];
        while let Some(place) = expected.pop() {
            let (node, parent) = (&directory.nodes[place.node as usize], columns.len() as u32);
            columns.push(place);
            let before = expected.len();
            for (index, &child) in directory.columns(node).iter().enumerate() {
                if let Some(step) = step_to(node, index) {
                    let missing = match step {
                        PathPart::Key(..) => node.n - directory.nodes[child as usize].n,
                        _ => 0,
                    };
                    expected.push(ListedColumn {
                        node: child,
                        parent,
                        step,
                        missing,
                    });
                }
            }
            expected[before..].reverse();
        }
        Ok(ColumnsView {
            header,
            directory,
            columns,
        })
    }

    /// Returns the size in bytes of the value as plain MessagePack.
    ///
    /// ```
    /// # let sevens = b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// assert_eq!(packord::columns::ColumnsView::read(sevens)?.plain_size(), 35);
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn plain_size(&self) -> u64 {
        self.header.plain_size
    }

    /// Returns the number of values, keys included.
    ///
    /// ```
    /// # let sevens = b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// assert_eq!(packord::columns::ColumnsView::read(sevens)?.values(), 33);
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn values(&self) -> u64 {
        self.header.values
    }

    /// Returns all columns in the order of the payload, the value itself first.
    ///
    /// ```
    /// # let sevens = b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// assert_eq!(packord::columns::ColumnsView::read(sevens)?.columns().count(), 2);
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn columns(&self) -> impl ExactSizeIterator<Item = ColumnView<'_, 'a>> {
        (0..self.columns.len()).map(|index| ColumnView { view: self, index })
    }

    /// Returns the column with an index, in the order of [`ColumnsView::columns`].
    ///
    /// # Panics
    ///
    /// If there is none.
    ///
    /// ```
    /// # let sevens = b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// assert_eq!(packord::columns::ColumnsView::read(sevens)?.at(1).path(), "[]");
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn at(&self, index: usize) -> ColumnView<'_, 'a> {
        assert!(index < self.columns.len(), "there is no column {index}");
        ColumnView { view: self, index }
    }

    /// Returns the column with a path; `None` if there is none.
    ///
    /// ```
    /// # let sevens = b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// let view = packord::columns::ColumnsView::read(sevens)?;
    /// assert!(view.column("[]").is_some() && view.column("[].id").is_none());
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn column(&self, path: &str) -> Option<ColumnView<'_, 'a>> {
        // What is left of the path after each column that it leads to.
        let mut rests: Vec<Option<&str>> = Vec::with_capacity(self.columns.len());
        for (index, place) in self.columns.iter().enumerate() {
            let rest = match place.step {
                PathPart::Value => Some(path),
                step => rests[place.parent as usize].and_then(|rest| {
                    let [begin, key] = self.text(step);
                    rest.strip_prefix(begin)?.strip_prefix(key)
                }),
            };
            if rest == Some("") {
                return Some(ColumnView { view: self, index });
            }
            rests.push(rest);
        }
        None
    }

    /// Returns a step as it is in a path, and the key after it.
    fn text(&self, step: PathPart) -> [&'a str; 2] {
        match step {
            PathPart::Value => [""; 2],
            PathPart::Elements => ["[]", ""],
            PathPart::Keys => ["{key}", ""],
            PathPart::Values => ["{}", ""],
            PathPart::Key(layout, key) => [".", self.directory.layouts[layout as usize].keys[key as usize]],
        }
    }
}

/// Returns the step to one of a node's columns whose values are those of rows.
fn step_to(node: &ColumnNode<'_>, column: usize) -> Option<PathPart> {
    match (node.kind, column) {
        (k::LIST, _) => Some(PathPart::Elements),
        (k::MAP, 0) => Some(PathPart::Keys),
        (k::MAP, _) => Some(PathPart::Values),
        (k::STRUCT, key) => Some(PathPart::Key(node.layout as u32, key as u32)),
        _ => None,
    }
}
