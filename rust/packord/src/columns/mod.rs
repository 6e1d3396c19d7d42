//! Values that are stored by column (`spec/columns.md`): arrays and maps of similar values take a fraction of
//! their bytes.
//!
//! [`EncodeOptions::columns`](crate::EncodeOptions::columns) writes them, and
//! [`DecodeOptions::columns`](crate::DecodeOptions::columns) reads them.
//!
//! | file | what it does |
//! |---|---|
//! | `arrow` | tables of Apache Arrow, with the feature `arrow` |
//! | `payload` | [`Columns`], for readers built on this crate |
//! | `view` | [`ColumnsView`]: columns by themselves |
//! | `kind` | the numbers of kinds, modes and elements |
//! | `rows` | the rows of a table, of which some keys are read |
//! | `options` | the options of reading and writing |
//! | `values` | columns as values, for the decoder of values |
//! | `read` | payloads: their directory, and the values that they stand for |
//! | `write` | the plain encoding of a message again, with columns |

#[cfg(feature = "arrow")]
pub mod arrow;
pub(crate) mod kind;
mod options;
mod payload;
pub(crate) mod read;
#[cfg(any(feature = "arrow", feature = "container"))]
pub(crate) mod rows;
mod values;
mod view;
mod write;

pub use payload::Columns;
#[cfg(feature = "container")]
pub(crate) use payload::MAX_EXPANSION;
#[cfg(feature = "notation")]
pub(crate) use payload::payload_of;
pub use view::{ColumnKind, ColumnView, ColumnsView, Numbers};
#[cfg(any(feature = "arrow", feature = "container"))]
pub(crate) use write::write_columns;

/// The type of the ext that holds columns.
pub const EXT_TYPE: i8 = crate::read::COLUMNS_EXT;
/// The version of payloads that this crate knows.
pub(crate) const VERSION: u8 = 1;
