//! Records: maps whose keys are written once (`spec/records.md`).
//!
//! [`RecordEncoder`](crate::RecordEncoder) writes them, [`RecordDecoder`](crate::RecordDecoder) reads them over many messages; one message is
//! read by [`DecodeOptions::records`](crate::DecodeOptions::records) alone.

mod ids;
mod structure;
mod table;

pub(crate) use ids::{IdSpace, NamedRecord, RecordIds};
pub use structure::{RecordHead, Structure, Structures};
pub(crate) use table::Table;

/// The ext type of definitions.
pub const EXT_TYPE: i8 = 0x72;
/// The first byte of one-byte ids.
pub(crate) const FIRST_ID: u8 = 0x40;
/// The first byte that can begin a two-byte id.
pub(crate) const FIRST_TWO_BYTE_ID: u8 = 0x60;
/// How many structures there can be.
pub(crate) const MAX_STRUCTURES: usize = 8192;
/// How many keys a structure can have unless an option says otherwise.
pub(crate) const DEFAULT_MAX_KEYS: u32 = 1024;
