//! [`TableType`]: the columns of a table, by name and type.

use super::array::{ArrowField, ColumnArray};
use super::raw::{ArrowArrayStream, ArrowSchema, exported_arrays, exported_field, imported_field};
use super::table::ArrowTable;
use super::types::ArrowType;
#[cfg(all(feature = "container", feature = "notation"))]
use super::types::Offsets;
use crate::error::{Error, ErrorKind, Result};
use alloc::boxed::Box;
use alloc::ffi::CString;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// A column or a part of one: a name and a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FieldType {
    pub name: CString,
    pub ty: ArrowType,
    pub nullable: bool,
    /// Of a map: whether its keys are sorted.
    pub is_sorted: bool,
    /// The name of the zone of an instant.
    pub zone: String,
    pub children: Vec<FieldType>,
    pub dictionary: Option<Box<FieldType>>,
}

impl FieldType {
    /// Returns a field that can be null.
    pub fn new(name: CString, ty: ArrowType, children: Vec<FieldType>) -> FieldType {
        FieldType {
            name,
            ty,
            nullable: true,
            is_sorted: false,
            zone: String::new(),
            children,
            dictionary: None,
        }
    }

    /// Returns the type of an array.
    pub fn of(array: &ColumnArray, name: CString, nullable: bool) -> FieldType {
        let field = |child: &ArrowField| FieldType::of(&child.array, child.name.clone(), child.nullable);
        let children = array.children.iter().map(field).collect();
        let entries = array.dictionary.as_deref();
        FieldType {
            nullable,
            dictionary: entries.map(|entries| Box::new(FieldType::of(entries, CString::default(), true))),
            ..FieldType::new(name, array.ty.clone(), children)
        }
    }

    /// Returns how many columns it has that have no others within, at least 1.
    #[cfg(all(feature = "container", feature = "notation"))]
    pub fn leaves(&self) -> usize {
        let within = self.children.iter().map(FieldType::leaves);
        within.sum::<usize>().max(1)
    }

    /// Returns how its first strings or bytes are stored, if it has any.
    #[cfg(all(feature = "container", feature = "notation"))]
    pub fn texts(&self) -> Option<Offsets> {
        match self.ty {
            ArrowType::Utf8(size) | ArrowType::Binary(size) => Some(size),
            _ => self.children.iter().find_map(FieldType::texts),
        }
    }

    /// Returns the first type that columns of a table are not made of.
    fn refused(&self) -> Option<&FieldType> {
        use ArrowType as T;
        let is_made = match self.ty {
            T::Float(bytes) => bytes > 2,
            T::Decimal {
                precision,
                scale,
                bytes,
            } => precision <= 38 && (0..=38).contains(&scale) && bytes == 16,
            T::Date(bytes) => bytes == 4,
            T::Null
            | T::Bool
            | T::Int { .. }
            | T::Instant(_)
            | T::Utf8(_)
            | T::Binary(_)
            | T::List(_)
            | T::Struct
            | T::Map => true,
            _ => false,
        };
        if !is_made || self.dictionary.is_some() {
            return Some(self);
        }
        self.children.iter().find_map(FieldType::refused)
    }
}

/// The columns of a table, by name and type: all batches of a table have the same.
///
/// ```
/// use packord::columns::arrow::{ArrowTable, TableType};
/// let table = ArrowTable::read(b"\x91\x82\xa1a\x01\xa1b\xa1x")?;
/// let all = TableType::read(&table.schema())?;
/// assert_eq!(all.names().collect::<Vec<_>>(), ["a", "b"]);
/// let some = all.select(&["b"]).unwrap();
/// assert_eq!(some.names().collect::<Vec<_>>(), ["b"]);
/// assert!(all.select(&["c"]).is_none());
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableType {
    pub(crate) rows: Arc<FieldType>,
}

impl TableType {
    #[must_use]
    pub(crate) fn of(columns: Vec<FieldType>) -> TableType {
        let rows = FieldType::new(CString::default(), ArrowType::Struct, columns);
        TableType {
            rows: Arc::new(FieldType {
                nullable: false,
                ..rows
            }),
        }
    }

    /// Reads the columns that another library shows, as the type of a struct.
    ///
    /// # Errors
    ///
    /// `type_mismatch` for another type than a struct; `unsupported_type` for a column of a type that rows are not
    /// read as: dictionaries, views of lists, unions, times of day, durations, float 16, decimals of more than 38 digits;
    /// `depth_limit`; `custom` for a schema that is malformed.
    pub fn read(schema: &ArrowSchema) -> Result<TableType> {
        let rows = imported_field(schema)?;
        if rows.ty != ArrowType::Struct {
            return Err(Error::new(ErrorKind::TypeMismatch).with_detail("the schema of a table is a struct"));
        }
        match rows.refused() {
            Some(field) => Err(Error::new(ErrorKind::UnsupportedType).with_detail(alloc::format!(
                "no column can be of Arrow's type {:?}: {:?}",
                alloc::format!("{}", field.ty),
                field.name.to_string_lossy()
            ))),
            None => Ok(TableType::of(rows.children)),
        }
    }

    /// Returns the names of the columns.
    #[must_use]
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        let columns = self.rows.children.iter();
        columns.map(|column| column.name.to_str().unwrap_or_default())
    }

    /// Returns some of the columns; `None` for a name that none has.
    #[must_use]
    pub fn select(&self, names: &[impl AsRef<str>]) -> Option<TableType> {
        let column = |name: &_| {
            let place = self.names().position(|known| known == AsRef::as_ref(name));
            place.map(|place| self.rows.children[place].clone())
        };
        let columns = names.iter().map(column).collect::<Option<Vec<_>>>()?;
        Some(TableType::of(columns))
    }

    /// Returns tables of this type as a stream. `next` returns the next one, `None` after the last one, or what the consumer is
    /// told of a failure; it is called on any thread, by one at a time.
    ///
    /// ```
    /// use packord::columns::arrow::{ArrowTable, TableType, from_arrow};
    /// let table = ArrowTable::read(b"\x91\x81\xa1a\x01")?;
    /// let ty = TableType::read(&table.schema())?;
    /// let mut tables = vec![table.clone(), table];
    /// let stream = ty.stream(move || Ok(tables.pop()));
    /// assert_eq!(from_arrow(stream)?, b"\x92\x81\xa1a\x01\x81\xa1a\x01");
    /// let failing = ty.stream(|| Err("the file has ended".into()));
    /// assert!(from_arrow(failing).is_err());
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn stream(
        &self,
        mut next: impl FnMut() -> core::result::Result<Option<ArrowTable>, String> + Send + 'static,
    ) -> ArrowArrayStream {
        let next = move || Ok(next()?.map(|table| table.rows));
        exported_arrays((*self.rows).clone(), Box::new(next))
    }

    /// Returns the type of the rows, a struct of all columns.
    #[must_use]
    pub fn schema(&self) -> ArrowSchema {
        exported_field(&self.rows)
    }
}
