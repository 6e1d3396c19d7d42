//! [`ColumnKind`]: how a column is stored.

/// How a column is stored: the kinds of `spec/columns.md` section 2.
///
/// ```
/// use packord::columns::ColumnKind;
/// assert_eq!(ColumnKind::Dict.name(), "dict");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ColumnKind {
    /// Values one after another, each of any type.
    Plain,
    /// Integers.
    Int,
    /// Floats of 32 or 64 bits.
    Float,
    /// Floats as integers and a power of ten.
    Scaled,
    /// Timestamps.
    Time,
    /// Strings, bytes, or exts of one type.
    Bytes,
    /// Values of a dictionary, and for each row the index of one.
    Dict,
    /// Arrays, whose elements are a column.
    List,
    /// Maps, with a column for each key.
    Struct,
    /// Maps, whose keys and values are columns.
    Map,
    /// Values of several types.
    Union,
}

impl ColumnKind {
    /// Returns the kind with a number, which the directory has checked.
    pub(super) fn of(number: u8) -> ColumnKind {
        Self::ALL[usize::from(number)]
    }

    /// In the order of their numbers.
    const ALL: [ColumnKind; 11] = [
        ColumnKind::Plain,
        ColumnKind::Int,
        ColumnKind::Float,
        ColumnKind::Scaled,
        ColumnKind::Time,
        ColumnKind::Bytes,
        ColumnKind::Dict,
        ColumnKind::List,
        ColumnKind::Struct,
        ColumnKind::Map,
        ColumnKind::Union,
    ];

    /// Returns the name, which is the same in all languages.
    ///
    /// ```
    /// use packord::columns::ColumnKind;
    /// assert_eq!(ColumnKind::Scaled.name(), "scaled");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        const NAMES: [&str; ColumnKind::ALL.len()] = [
            "plain", "int", "float", "scaled", "time", "bytes", "dict", "list", "struct", "map", "union",
        ];
        NAMES[self as usize]
    }
}
