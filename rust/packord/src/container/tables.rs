//! [`BlockTables`]: the rows of a block as tables of Arrow; [`TableTypes`]: the type of those of all blocks.

use super::block::{Block, placed};
use super::collector::{ROW, SchemaCollector, SchemaPlace};
use super::head::BlockKind;
use super::header::wrong;
use super::part::matching_rows;
use super::rows::{MAX_EXPANSION, notation, rows_of};
use super::schema::{Schema, TypeName};
use super::summary::add_types;
use crate::columns::arrow::typed::{Misfit, MisfitPart, TypedRows};
use crate::columns::arrow::{ArrowTable, ArrowType, FieldType, Offsets, SharedBytes, TableType};
use crate::columns::rows::RowColumns;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::header::Kind;
use alloc::borrow::Cow;
use alloc::ffi::CString;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The tables of a block, one after another, which have the columns of the table of all blocks:
/// [`Block::into_tables`].
pub struct BlockTables {
    offset: u64,
    rows: Option<TypedRows>,
}

impl Iterator for BlockTables {
    type Item = Result<ArrowTable>;

    fn next(&mut self) -> Option<Result<ArrowTable>> {
        let next = self.rows.as_mut()?.next().transpose();
        if !matches!(next, Some(Ok(_))) {
            self.rows = None;
        }
        let next = next?.map(ArrowTable::of);
        Some(next.map_err(|misfit| in_block(error_of(misfit), self.offset)))
    }
}

impl core::fmt::Debug for BlockTables {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("BlockTables")
            .field("offset", &self.offset)
            .finish_non_exhaustive()
    }
}

/// Returns an error at the place of its block, with its path.
#[cold]
fn in_block(error: Error, offset: u64) -> Error {
    let path = error.path().map(String::from);
    let error = placed(error, offset);
    match path {
        Some(path) => error.with_path(path),
        None => error,
    }
}

#[cold]
fn error_of(misfit: Misfit) -> Error {
    let mut path = format!("$[{}]", misfit.row);
    for part in misfit.path.iter().rev() {
        match part {
            MisfitPart::Key(key) => crate::walk::push_key(&mut path, key),
            MisfitPart::Index(index) => path.push_str(&format!("[{index}]")),
        }
    }
    Error::new(misfit.kind).with_path(path).with_detail(misfit.detail)
}

impl Block {
    /// Returns the rows that the options of the reader ask for as tables of Arrow with these columns, whatever the block has:
    /// what is missing is null, and what the type of a column does not say is turned into it where that is possible. Every
    /// value has a string: of a str itself, of a timestamp as RFC 3339 has it, of others JSON. A block is one table, or
    /// several if most of its columns are null. Messages are in no table.
    ///
    /// [`select`](super::ReadOptions::select) has to name all columns of the type, if it is given.
    ///
    /// # Errors
    ///
    /// As for [`rows`](Block::rows). The tables fail with `type_mismatch` or `out_of_range`, with the path of the value from the
    /// array of rows on, for a value that a column does not have, and with `length_limit` for strings of more than
    /// 2 GiB in a column with offsets of 32 bits.
    ///
    /// ```
    /// use packord::container::{Reader, TableTypes, Writer};
    /// use packord::value;
    ///
    /// let mut writer = Writer::new(Vec::new(), &Default::default())?;
    /// writer.write(&value!({"id": 1, "note": "first"}))?;
    /// writer.write(&value!({"id": 2, "note": [1, true]}))?;
    /// let file = writer.finish()?;
    /// let mut types = TableTypes::new();
    /// types.add_block(&Reader::new(&file[..])?.next_block()?.unwrap())?;
    /// let ty = types.table_type()?;
    /// assert_eq!(ty.names().collect::<Vec<_>>(), ["id", "note"]);
    ///
    /// let block = Reader::new(&file[..])?.next_block()?.unwrap();
    /// let table = block.into_tables(&ty)?.next().unwrap()?;
    /// let packed = packord::columns::arrow::from_arrow(table.stream())?;
    /// let rows = packord::from_slice::<packord::Value>(&packed)?;
    /// assert_eq!(rows[1]["note"], "[1,true]");
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn into_tables(self, ty: &TableType) -> Result<BlockTables> {
        let offset = self.offset;
        let rows = self.typed_rows(ty);
        let rows = rows.map_err(|error| in_block(error, offset))?;
        Ok(BlockTables { offset, rows })
    }

    /// The offset of an error is that within the body.
    fn typed_rows(mut self, ty: &TableType) -> Result<Option<TypedRows>> {
        let mut matching = self.matching.take();
        if self.kind == BlockKind::Messages || matching.as_ref().is_some_and(|rows| !rows.contains(&true)) {
            // Of rows of which none matches, the columns may not have been read.
            return Ok(None);
        }
        // Arrays keep a whole body, of which they have all columns; the memory of a part is used again.
        let whole = self.is_whole.then(|| SharedBytes::of(core::mem::take(&mut self.body)));
        let bytes = whole.as_ref().map_or(&*self.body, SharedBytes::as_slice);
        let filter = self.asked.filter.as_deref();
        // Faults are those that the rows have when they are read.
        if let Ok(Some(columns)) = RowColumns::of_message(bytes, MAX_EXPANSION) {
            if columns.count() as u64 != self.count {
                return Err(wrong("the count is wrong"));
            }
            if let (true, None, Some(filter)) = (columns.keys().is_some(), &matching, filter) {
                matching = Some(matching_rows(bytes, self.kind, self.count, filter)?);
            }
            if matching.is_some() || filter.is_none() {
                let wanted = matching.as_deref().filter(|rows| rows.contains(&false));
                let made = self.made.as_ref();
                let whole = whole.as_ref();
                let rows = TypedRows::of_columns(&ty.rows, whole, &columns, wanted, made, notation);
                if let Some(rows) = rows? {
                    return Ok(Some(rows));
                }
            }
        }
        let rows = rows_of(Cow::Borrowed(bytes), self.kind, self.count)?;
        let wanted = filter.map(|filter| rows.iter().map(|row| filter.matches(row)));
        let wanted: Option<Vec<bool>> = wanted.map(Iterator::collect);
        let (bytes, mut places) = rows.into_places();
        let bytes = match bytes {
            Cow::Owned(bytes) => SharedBytes::of(bytes),
            Cow::Borrowed(bytes) => whole.clone().unwrap_or_else(|| SharedBytes::of(bytes.to_vec())),
        };
        places.pop();
        if let Some(wanted) = wanted {
            let mut wanted = wanted.into_iter();
            places.retain(|_| wanted.next() == Some(true));
        }
        Ok(Some(TypedRows::of_plain(&ty.rows, bytes, places, notation)))
    }
}

/// Types nest at most this deep; values that are nested deeper become text.
const MAX_NESTED: usize = 32;

/// Collects what values the rows of a table have, and finds columns that hold them all: a column of booleans is one of
/// booleans, of integers one of 64 bits without a sign if all are above 2^63, or of 20 digits if some are, of floats and integers
/// `double`, of timestamps one in microseconds, of strings, of bytes and ext values, of arrays and of maps such a column. Values
/// of several types, and maps without keys or with more than 1,000, become text. [`Block::into_tables`] has an example.
#[derive(Debug)]
pub struct TableTypes {
    collector: SchemaCollector,
}

impl Default for TableTypes {
    fn default() -> TableTypes {
        TableTypes::new()
    }
}

impl TableTypes {
    /// Returns a table without columns.
    #[must_use]
    pub fn new() -> TableTypes {
        TableTypes {
            collector: SchemaCollector::of_tables(),
        }
    }

    /// Adds all that a schema says.
    pub fn add_schema(&mut self, schema: &Schema) {
        for entry in schema.entries() {
            self.add_path(&entry.path, &entry.types);
        }
    }

    /// Adds what is known of a path: `a.b[].c`.
    ///
    /// ```
    /// use packord::container::{TableTypes, TypeName};
    /// let mut types = TableTypes::new();
    /// types.add_path("id", &[TypeName::Int]);
    /// types.add_path("tags[]", &[TypeName::Str]);
    /// assert_eq!(types.table_type()?.names().collect::<Vec<_>>(), ["id", "tags"]);
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn add_path(&mut self, path: &str, types: &[TypeName]) {
        if self.try_path(path, types).is_none() {
            self.collector.check(None);
        }
    }

    /// `None` if there are more places than a table has.
    fn try_path(&mut self, path: &str, types: &[TypeName]) -> Option<()> {
        let mut place = ROW;
        for part in path.split('.').take(MAX_NESTED + 1) {
            let name = part.trim_end_matches("[]");
            let Some(found) = self.collector.note_key(place, name, 1) else {
                return self.collector.miss_key(place);
            };
            place = found;
            for _ in 0..((part.len() - name.len()) / 2).min(MAX_NESTED) {
                place = self.collector.elements(place)?;
            }
        }
        for &kind in types {
            self.collector.note(place, kind, 1);
        }
        Some(())
    }

    /// Adds the rows of a block, by its columns where it has them. Messages are in no table.
    ///
    /// # Errors
    ///
    /// As for [`Block::rows`]; `type_mismatch`, with the number of the row as path, for a row that is not a map.
    pub fn add_block(&mut self, block: &Block) -> Result<()> {
        let added = self.add(block);
        added.map_err(|error| in_block(error, block.offset))
    }

    fn add(&mut self, block: &Block) -> Result<()> {
        if block.kind == BlockKind::Messages {
            return Ok(());
        }
        let columns = RowColumns::of_message(&block.body, MAX_EXPANSION);
        if let Some(columns) = columns? {
            columns.check()?;
            if columns.count() as u64 == block.count {
                let added = add_types(&columns, &mut self.collector);
                self.collector.check(added);
                if self.collector.has_maps_alone() {
                    return Ok(());
                }
            }
        }
        let rows = rows_of(Cow::Borrowed(&block.body), block.kind, block.count)?;
        for (number, row) in rows.iter().enumerate() {
            if Kind::at(row) != Some(Kind::Map) {
                return Err(Error::new(ErrorKind::TypeMismatch)
                    .with_path(format!("$[{number}]"))
                    .with_detail("a row of a table must be a map"));
            }
            self.collector.add(row);
        }
        Ok(())
    }

    /// Returns the columns.
    ///
    /// # Errors
    ///
    /// `unsupported_type` for a name that no column of Arrow can have, `length_limit` for more than 100,000 columns.
    pub fn table_type(&self) -> Result<TableType> {
        if self.collector.is_given_up {
            return Err(Error::new(ErrorKind::LengthLimit).with_detail("the table has more than 100,000 columns"));
        }
        self.fields(&self.collector.places[ROW], 0).map(TableType::of)
    }

    fn fields(&self, place: &SchemaPlace, depth: usize) -> Result<Vec<FieldType>> {
        let fields = place.keys.iter().map(|(key, place)| {
            let name = CString::new(&**key).map_err(|_| {
                let detail = format!("no column of Arrow can have the name {key:?}");
                Error::new(ErrorKind::UnsupportedType).with_detail(detail)
            })?;
            self.field(name, *place, depth + 1)
        });
        fields.collect()
    }

    /// Returns a column that holds all values of a place.
    fn field(&self, name: CString, place: usize, depth: usize) -> Result<FieldType> {
        use ArrowType as T;
        use TypeName as N;
        let seen = &self.collector.places[place];
        let is_within = |names: &[TypeName]| {
            let known = names.iter().fold(0, |bits, name| bits | name.bit());
            seen.types & !known == 0
        };
        let int = |signed| T::Int { bytes: 8, signed };
        // All of 64 bits, with and without a sign.
        let (precision, scale, bytes) = (20, 0, 16);
        let decimal = T::Decimal {
            precision,
            scale,
            bytes,
        };
        let scalars: [(&[TypeName], ArrowType); 8] = [
            (&[], T::Null),
            (&[N::Bool], T::Bool),
            (&[N::Int], int(true)),
            (&[N::Uint], int(false)),
            (&[N::Int, N::Uint], decimal),
            (&[N::Int, N::Uint, N::Float], T::Float(8)),
            (&[N::Bin, N::Ext], T::Binary(Offsets::Large)),
            (&[N::Timestamp], T::Instant(6)),
        ];
        let mut children = Vec::new();
        let scalar = scalars.into_iter().find(|(names, _)| is_within(names));
        let ty = if let Some((_, ty)) = scalar {
            ty
        } else if is_within(&[N::Array]) && depth < MAX_NESTED {
            let item = CString::from(c"item");
            children.push(match seen.elements {
                Some(elements) => self.field(item, elements, depth + 1)?,
                None => FieldType::new(item, T::Null, Vec::new()),
            });
            T::List(Offsets::Large)
        } else if is_within(&[N::Map]) && depth < MAX_NESTED && !seen.misses_keys && !seen.keys.is_empty() {
            children = self.fields(seen, depth)?;
            T::Struct
        } else {
            T::Utf8(Offsets::Large)
        };
        Ok(FieldType::new(name, ty, children))
    }
}
