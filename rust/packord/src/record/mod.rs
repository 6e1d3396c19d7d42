//! Records: maps whose keys are written once (`spec/records.md`).
//!
//! [`RecordEncoder`](crate::RecordEncoder) writes them and [`RecordDecoder`](crate::RecordDecoder)
//! reads them in many messages. For a single message,
//! [`DecodeOptions::records`](crate::DecodeOptions::records) is enough.

mod ids;
mod names;
mod structure;
mod table;

pub(crate) use ids::{IdSpace, NamedRecord, RecordIds};
pub(crate) use names::NamesLeft;
pub use structure::{RecordHead, Structure, Structures};
// For readers that find values by themselves: the tool of this repository.
#[doc(hidden)]
pub use table::{Reference, Table};

/// The ext type of definitions.
pub const EXT_TYPE: i8 = 0x72;
/// The first byte of one-byte ids.
pub(crate) const FIRST_ID: u8 = 0x40;

/// Returns whether a byte begins the id of a record where records are on.
#[doc(hidden)]
#[must_use]
pub const fn is_id(byte: u8) -> bool {
    matches!(byte, FIRST_ID..=0x7f)
}

/// The first byte that can begin a two-byte id.
pub(crate) const FIRST_TWO_BYTE_ID: u8 = 0x60;
/// Maximum number of structures.
pub(crate) const MAX_STRUCTURES: usize = 8192;
/// Default maximum number of keys of a structure.
pub(crate) const DEFAULT_MAX_KEYS: u32 = 1024;
