//! Tables of Apache Arrow: columns as arrays, by the Arrow C data interface, and back. Nothing of Arrow's own
//! libraries is needed.
//!
//! [`ArrowTable`] reads a message, and gives it to every library that takes an `ArrowArrayStream`;
//! [`from_arrow`] and [`ArrowRows`] pack what such a stream has. The types are those of `spec/columns.md` section 7:
//!
//! | MessagePack | Arrow | back from Arrow |
//! |---|---|---|
//! | integers; on both sides of 2^63 | int8 … uint64; decimal of 20 digits | integers; str |
//! | floats; floats and integers, where that is exact | float, double | float 32, float 64; float 16 as float 32 |
//! | timestamps | timestamp without a zone, which is UTC | timestamps, whatever the zone |
//! | str; bin, ext | utf8; binary | str; bin |
//! | booleans | bool | booleans |
//! | few different strings | dictionary | its values |
//! | arrays | list | arrays |
//! | maps of similar keys; other maps | struct; map | maps |
//! | nil, a missing key | null | nil |
//! | values of several types | dense union | the values |
//!
//! Dates, times of day, durations and decimals of Arrow become text: `2026-11-23`, `20:15:00`, `PT90.5S`,
//! `12.50`. Intervals have no value in MessagePack.
//!
//! | file | what it does |
//! |---|---|
//! | `raw` | the structs of the C data interface, and the only unsafe code |
//! | `types`, `array` | types, and arrays with their buffers |
//! | `slots` | the bound on what arrays take |
//! | `build`, `values`, `unions` | columns, plain values and values of several types as arrays |
//! | `table`, `field` | [`ArrowTable`], [`TableType`] |
//! | `typed` | the rows of a block of a container file as tables of one type |
//! | `take` | some rows of an array |
//! | `packed`, `rows`, `text` | rows of arrays as MessagePack, and which of them another library chooses |

mod array;
mod build;
mod field;
mod packed;
#[allow(unsafe_code)]
mod raw;
mod rows;
mod slots;
mod table;
mod take;
mod text;
#[cfg(all(feature = "container", feature = "notation"))]
pub(crate) mod typed;
mod types;
mod unions;
mod values;

use crate::error::Result;
use crate::wire::Store;
use alloc::vec::Vec;

#[cfg(all(feature = "container", feature = "notation"))]
pub(crate) use self::field::FieldType;
pub use self::field::TableType;
pub use self::packed::ArrowRows;
#[cfg(all(feature = "container", feature = "notation"))]
pub(crate) use self::packed::flags;
#[cfg(all(feature = "container", feature = "notation"))]
pub(crate) use self::raw::SharedBytes;
pub use self::raw::{ArrowArray, ArrowArrayStream, ArrowSchema};
pub use self::table::ArrowTable;
#[cfg(all(feature = "container", feature = "notation"))]
pub(crate) use self::types::{ArrowType, Offsets};

/// Packs the rows of a stream as one message: an array, by column where that is smaller, as
/// [`EncodeOptions::columns`](crate::EncodeOptions::columns) writes it. Rows of a table are maps. Nulls are nil.
///
/// The stream is what another library gave, by [`ArrowArrayStream::take`], and is trusted as the C
/// interface must be. All rows are in memory as plain MessagePack meanwhile.
///
/// ```
/// use packord::columns::arrow::{ArrowArrayStream, from_arrow};
/// let error = from_arrow(ArrowArrayStream::released()).unwrap_err();
/// assert_eq!(error.detail(), Some("Arrow: the stream has no get_schema"));
/// ```
///
/// # Errors
///
/// `unsupported_type`, with the column as path and the format of Arrow in the detail, for a type that has no
/// value in MessagePack; `duplicate_key` for two columns of one name; `invalid_utf8`; `out_of_range` for
/// dates and instants beyond all timestamps; `depth_limit` for types that nest deeper than 64; `custom` for an
/// error of the stream, and for arrays that do not fit their types.
pub fn from_arrow(stream: ArrowArrayStream) -> Result<Vec<u8>> {
    let mut stream = ArrowRows::new(stream)?;
    let (mut rows, mut count) = (Vec::new(), 0);
    while stream.next_into(&mut rows)? {
        count += 1;
    }
    let mut plain = Vec::with_capacity(rows.len() + 5);
    plain.put_array(count)?;
    plain.append(&mut rows);
    let mut out = Vec::new();
    if super::write_columns(&plain, None, &mut out) {
        Ok(out)
    } else {
        // The message is too large for a payload.
        Ok(plain)
    }
}
