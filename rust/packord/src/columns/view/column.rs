//! [`ColumnView`]: one column, read without the others.

use super::numbers::{self, Numbers};
use super::{ColumnKind, ColumnsView, ListedColumn, PathPart, step_to};
use crate::columns::kind as k;
use crate::columns::payload::found;
use crate::columns::read::{
    CellValue, ColumnNode, Malformed, OrMalformed, cells_of, expand_column, integers_of, need, strs_of,
};
use crate::error::Result;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// One column of a [`ColumnsView`].
#[derive(Clone, Copy)]
pub struct ColumnView<'v, 'a> {
    pub(super) view: &'v ColumnsView<'a>,
    pub(super) index: usize,
}

impl<'a> ColumnView<'_, 'a> {
    fn place(&self) -> &ListedColumn {
        &self.view.columns[self.index]
    }

    fn node(&self) -> &ColumnNode<'a> {
        &self.view.directory.nodes[self.place().node as usize]
    }

    /// Returns the path.
    ///
    /// ```
    /// # let sevens = b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// # let view = packord::columns::ColumnsView::read(sevens)?;
    /// assert_eq!(view.column("[]").unwrap().path(), "[]");
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn path(&self) -> String {
        let mut steps = Vec::new();
        let mut place = self.place();
        while !matches!(place.step, PathPart::Value) {
            steps.push(place.step);
            place = &self.view.columns[place.parent as usize];
        }
        let texts = steps.into_iter().rev().flat_map(|step| self.view.text(step));
        texts.collect()
    }

    /// Returns the index, in the order of [`ColumnsView::columns`].
    ///
    /// ```
    /// # let sevens = b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// # let view = packord::columns::ColumnsView::read(sevens)?;
    /// assert_eq!(view.column("[]").unwrap().index(), 1);
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns how the column is stored.
    ///
    /// ```
    /// # use packord::columns::ColumnKind;
    /// # let sevens = b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// # let view = packord::columns::ColumnsView::read(sevens)?;
    /// assert_eq!(view.column("[]").unwrap().kind(), ColumnKind::Dict);
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn kind(&self) -> ColumnKind {
        ColumnKind::of(self.node().kind)
    }

    /// Returns the number of values.
    ///
    /// ```
    /// # let sevens = b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// # let view = packord::columns::ColumnsView::read(sevens)?;
    /// assert_eq!((view.column("[]").unwrap().len(), view.column("").unwrap().len()), (32, 1));
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.node().n
    }

    /// Returns whether there are no values.
    ///
    /// ```
    /// # let sevens = b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// # let view = packord::columns::ColumnsView::read(sevens)?;
    /// assert!(!view.column("[]").unwrap().is_empty());
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of maps in which the key of the column is missing.
    ///
    /// ```
    /// # let sevens = b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// # let view = packord::columns::ColumnsView::read(sevens)?;
    /// assert_eq!(view.column("[]").unwrap().missing(), 0);
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn missing(&self) -> usize {
        self.place().missing
    }

    /// Returns, for each of the maps around the column, whether it has the key. `None` if all have it, and for a
    /// column that is not that of a key.
    ///
    /// # Errors
    ///
    /// `invalid_ext`.
    ///
    /// ```
    /// use packord::columns::ColumnsView;
    /// use packord::{EncodeOptions, Value};
    ///
    /// let row = |i: u32| match i % 4 {
    ///     0 => Value::from([("id", i)]),
    ///     _ => Value::from([("id", i), ("size", i * i)]),
    /// };
    /// let message = EncodeOptions::new().columns(true).encode(&(0..500).map(row).collect::<Value>())?;
    /// let view = ColumnsView::read(&message)?;
    /// let present = view.column("[].size").unwrap().present()?.unwrap();
    /// assert_eq!((present.len(), &present[..5]), (500, &[false, true, true, true, false][..]));
    /// assert_eq!(view.column("[].id").unwrap().present()?, None);
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn present(&self) -> Result<Option<Vec<bool>>> {
        let place = self.place();
        let PathPart::Key(layout, key) = place.step else {
            return Ok(None);
        };
        if place.missing == 0 {
            return Ok(None);
        }
        let around = self.view.at(place.parent as usize);
        around.check_count()?;
        let directory = &self.view.directory;
        let shapes = found(integers_of(directory.part(around.node())))?;
        let rows = found(directory.layouts[layout as usize].rows_with_key(&shapes, key))?;
        let count = rows.iter().filter(|&&is_present| is_present).count();
        found(need(count == self.len()))?;
        Ok(Some(rows))
    }

    /// Returns the number of elements of each array, or of entries of each map; `None` for a column that is not of
    /// kind [`List`](ColumnKind::List) or [`Map`](ColumnKind::Map). The columns in it have as many values as these
    /// have together, one array or map after another.
    ///
    /// # Errors
    ///
    /// `invalid_ext`.
    ///
    /// ```
    /// use packord::columns::ColumnsView;
    /// use packord::{EncodeOptions, Value};
    ///
    /// let tags = |i: u32| (0..i % 3).map(|tag| Value::from(i + tag)).collect::<Value>();
    /// let rows: Value = (0..500).map(|i| Value::from([("tags", tags(i))])).collect();
    /// let message = EncodeOptions::new().columns(true).encode(&rows)?;
    /// let view = ColumnsView::read(&message)?;
    /// let lengths = view.column("[].tags").unwrap().lengths()?.unwrap();
    /// assert_eq!((lengths.len(), &lengths[..4]), (500, &[0, 1, 2, 0][..]));
    /// assert_eq!(view.column("[].tags[]").unwrap().len(), lengths.iter().sum::<usize>());
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn lengths(&self) -> Result<Option<Vec<usize>>> {
        self.check_count()?;
        let (directory, node) = (&self.view.directory, self.node());
        if !matches!(node.kind, k::LIST | k::MAP) {
            return Ok(None);
        }
        let mut left = directory.nodes[directory.columns(node)[0] as usize].n;
        let length = |length: i64| {
            let length = usize::try_from(length).map_err(|_| Malformed)?;
            left = left.checked_sub(length).ok_or(Malformed)?;
            Ok(length)
        };
        let lengths = found(integers_of(directory.part(node)))?.into_iter().map(length);
        let lengths = found(lengths.collect::<OrMalformed<Vec<usize>>>())?;
        found(need(left == 0))?;
        Ok(Some(lengths))
    }

    /// Returns the number of bytes of the sections that store the column, without those of columns in it.
    ///
    /// ```
    /// # let sevens = b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// # let view = packord::columns::ColumnsView::read(sevens)?;
    /// assert_eq!(view.column("[]").unwrap().stored_size(), 1);
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn stored_size(&self) -> usize {
        let directory = &self.view.directory;
        let (mut size, mut open) = (0, alloc::vec![self.place().node]);
        while let Some(node) = open.pop() {
            let node = &directory.nodes[node as usize];
            size += node.section.len();
            if node.has_part {
                size += directory.part(node).section.len();
            }
            let columns = directory.columns(node).iter().enumerate();
            let own = columns.filter(|&(index, _)| step_to(node, index).is_none());
            open.extend(own.map(|(_, &column)| column));
        }
        size
    }

    /// Returns the number of values that are nil.
    ///
    /// # Errors
    ///
    /// `invalid_ext` if the column is malformed.
    ///
    /// ```
    /// # let sevens = b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// # let view = packord::columns::ColumnsView::read(sevens)?;
    /// assert_eq!(view.column("[]").unwrap().nils()?, 0);
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn nils(&self) -> Result<usize> {
        self.check_count()?;
        let cells = found(cells_of(&self.view.directory, self.node()))?;
        Ok(cells.iter().filter(|cell| matches!(cell, CellValue::Nil)).count())
    }

    /// Returns the numbers of a column that has nothing else; `None` for any other column. They are in place,
    /// and not copied, where the payload has them one after another and happens to be aligned to them.
    ///
    /// # Errors
    ///
    /// `invalid_ext` if the column is malformed.
    ///
    /// ```
    /// use packord::columns::{ColumnsView, Numbers};
    /// use packord::EncodeOptions;
    /// let floats: packord::Value = (0..100).map(|i| f64::from(i).sqrt()).collect();
    /// let message = EncodeOptions::new().columns(true).encode(&floats)?;
    /// let view = ColumnsView::read(&message)?;
    /// let Some(Numbers::F64(roots)) = view.column("[]").unwrap().numbers()? else { panic!() };
    /// assert_eq!(roots[81], 9.0);
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn numbers(&self) -> Result<Option<Numbers<'a>>> {
        self.check_count()?;
        let directory = &self.view.directory;
        if let Some(stored) = found(numbers::stored(directory, self.node()))? {
            return Ok(Some(stored));
        }
        let cells = found(cells_of(directory, self.node()))?;
        Ok(numbers::of_cells(&cells))
    }

    /// Returns the strings of a column that has strings and nil alone, as slices of the message; `None` for any
    /// other column.
    ///
    /// # Errors
    ///
    /// `invalid_ext` if the column is malformed.
    ///
    /// ```
    /// use packord::columns::ColumnsView;
    /// use packord::EncodeOptions;
    /// let row = |i: u32| packord::Value::from([("id", i.to_string()), ("name", format!("name {i}"))]);
    /// let rows: packord::Value = (0..400).map(row).collect();
    /// let message = EncodeOptions::new().columns(true).encode(&rows)?;
    /// let view = ColumnsView::read(&message)?;
    /// let names = view.column("[].name").unwrap().strs()?.unwrap();
    /// assert_eq!(names[20], Some("name 20"));
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn strs(&self) -> Result<Option<Vec<Option<&'a str>>>> {
        self.check_count()?;
        found(strs_of(&self.view.directory, self.node()))
    }

    /// Appends the values as a plain array of MessagePack, which can be read as any type.
    ///
    /// # Errors
    ///
    /// `invalid_ext` if the column is malformed. The bytes that were appended are of no use then.
    ///
    /// ```
    /// # let sevens = b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// let view = packord::columns::ColumnsView::read(sevens)?;
    /// let mut plain = Vec::new();
    /// view.column("[]").unwrap().expand_into(&mut plain)?;
    /// assert_eq!(packord::from_slice::<Vec<u8>>(&plain)?, [7; 32]);
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn expand_into(&self, out: &mut Vec<u8>) -> Result<()> {
        let ColumnsView { header, directory, .. } = self.view;
        found(expand_column(directory, header, self.place().node, out))
    }

    /// Checks that there are no more values than in the whole.
    fn check_count(&self) -> Result<()> {
        found(need(self.len() as u64 <= self.view.header.values))
    }
}

impl fmt::Debug for ColumnView<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ColumnView")
            .field("path", &self.path())
            .field("kind", &self.kind())
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}
